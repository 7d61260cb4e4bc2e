/* check.c - what the language asks of a statement or a model beyond its grammar.
 *
 * Promela has few rules on types: numbers of all kinds mix. What is wrong in every
 * run is an error here; what depends on the run is left to the run.
 */
#include "lang/promela/parse/parser.h"

#include <string.h>

/* ---- expressions ---------------------------------------------------------------- */

static bool check_list(struct promela_parser *p, const struct promela_exprs *list) {
  for (uint32_t i = 0; i < list->n; i++)
    if (!promela_check_value(p, list->at[i], false))
      return false;
  return true;
}

bool promela_check_value(struct promela_parser *p, const struct promela_expr *e, bool may_run) {
  if (e->kind == PROMELA_SCRATCH) {
    promela_error(p, promela_place_of(e), "'_' has no value: it can only be written");
    return false;
  }
  if (e->kind == PROMELA_POLL)
    return promela_check_value(p, e->a, false);
  if (e->kind == PROMELA_RUN && !may_run) {
    if (promela_error(p, promela_place_of(e), "'run' must be the whole of its expression"))
      promela_hint(p, "it starts a process; write x = run P(); and use x");
    return false;
  }
  const struct promela_expr *const parts[] = {e->a, e->b, e->c};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (parts[i] != NULL && !promela_check_value(p, parts[i], false))
      return false;
  return check_list(p, &e->arguments);
}

bool promela_check_global(struct promela_parser *p, const struct promela_expr *e) {
  if (e->kind == PROMELA_VARIABLE && e->variable->owner != NULL) {
    promela_error(p, promela_place_of(e),
                  "'provided' cannot depend on '%s' of the process itself", e->variable->name);
    return false;
  }
  const struct promela_expr *const parts[] = {e->a, e->b, e->c};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (parts[i] != NULL && !promela_check_global(p, parts[i]))
      return false;
  return true;
}

/* ---- statements ------------------------------------------------------------------ */

/* A number, or one with a sign. */
static bool is_number(const struct promela_expr *e, int64_t *value) {
  const bool is_negative = e->kind == PROMELA_NEG;
  const struct promela_expr *number = is_negative ? e->a : e;
  *value = is_negative ? -(int64_t)number->value : number->value;
  return number->kind == PROMELA_CONST && number->symbol == NULL;
}

/* A number that does not fit is wrong in every run, but Promela lets it be cut. */
static void warn_of_cut(struct promela_parser *p, const struct promela_stmt *stmt) {
  static const char *const names[] = {[PROMELA_BIT] = "bit",
                                      [PROMELA_BYTE] = "byte",
                                      [PROMELA_SHORT] = "short",
                                      [PROMELA_UNSIGNED] = "unsigned"};
  const struct promela_type *type = &stmt->target->type;
  int64_t value;
  if (type->base >= sizeof names / sizeof *names || names[type->base] == NULL ||
      type->bits >= 32 || type->is_bool || stmt->call != NULL || !is_number(stmt->a, &value))
    return;
  const int64_t size = INT64_C(1) << type->bits, low = type->is_signed ? -size / 2 : 0;
  if (value >= low && value < low + size)
    return;
  const int64_t cut = ((value - low) % size + size) % size + low;
  diag_warning(p->diag, stmt->a->span, "%lld is no %s: it is cut to %lld", (long long)value,
               names[type->base], (long long)cut);
  diag_hint(p->diag, "values from %lld to %lld fit", (long long)low,
            (long long)(low + size - 1));
}

static bool check_assigned(struct promela_parser *p, const struct promela_stmt *stmt) {
  const struct promela_expr *target = stmt->target;
  if (target == NULL || (target->kind != PROMELA_VARIABLE && target->kind != PROMELA_FIELD))
    return true;
  const struct promela_mtype *set = target->type.mtype;
  if (target->type.base == PROMELA_CHAN && stmt->a == NULL) {
    promela_error(p, promela_place_of(target), "a channel cannot be counted with");
    return false;
  }
  if (stmt->a == NULL)
    return true;
  if (target->type.base == PROMELA_CHAN && stmt->a->kind == PROMELA_CONST &&
      target->kind == PROMELA_VARIABLE) {
    promela_error(p, promela_place_of(stmt->a), "a number cannot be assigned to a channel");
    return false;
  }
  if (target->type.base == PROMELA_MTYPE && set != NULL && set->name != NULL &&
      stmt->a->symbol != NULL && stmt->a->symbol->mtype != set) {
    promela_error(p, promela_place_of(stmt->a), "'%s' does not belong to 'mtype:%s'",
                  stmt->a->symbol->name, set->name);
    return false;
  }
  warn_of_cut(p, stmt);
  return true;
}

/* In a trace values may be left out: the others are compared. */
static bool check_message(struct promela_parser *p, const struct promela_stmt *stmt,
                          bool in_trace) {
  if (stmt->a == NULL)
    return true;
  const struct promela_channel *channel = stmt->a->variable->channel;
  if (stmt->a->type.base != PROMELA_CHAN && stmt->a->type.base != PROMELA_BYTE &&
      stmt->a->type.base != PROMELA_PID && stmt->a->type.base != PROMELA_SHORT &&
      stmt->a->type.base != PROMELA_INT) {
    promela_error(p, promela_place_of(stmt->a), "'%s' is no channel", stmt->a->variable->name);
    return false;
  }
  uint64_t n = 0;
  for (uint32_t i = 0; i < stmt->arguments.n; i++)
    n += promela_scalars(&stmt->arguments.at[i]->type);
  if (channel == NULL || n == channel->n_scalars || (in_trace && n < channel->n_scalars))
    return true;
  const bool sends = stmt->kind == PROMELA_SEND;
  const struct span span = stmt->span;
  if (sends && n > channel->n_scalars) {
    if (promela_error(p, (struct promela_place){.span = span, .call = stmt->call},
                      "a message of channel '%s' has %u field%s, but %llu are sent",
                      stmt->a->variable->name, channel->n_scalars,
                      channel->n_scalars == 1 ? "" : "s", (unsigned long long)n))
      diag_add(p->diag, DIAG_NOTE, channel->span, "declared here");
    return false;
  }
  diag_warning(p->diag, span, "a message of channel '%s' has %u field%s, but %llu %s %s",
               stmt->a->variable->name, channel->n_scalars, channel->n_scalars == 1 ? "" : "s",
               (unsigned long long)n, n == 1 ? "is" : "are", sends ? "sent" : "received");
  return true;
}

static bool is_event(enum promela_stmt_kind kind) {
  return kind == PROMELA_SEND || kind == PROMELA_RECEIVE || kind == PROMELA_GOTO ||
         kind == PROMELA_BREAK || kind == PROMELA_ELSE;
}

bool promela_check_stmt(struct promela_parser *p, const struct promela_stmt *stmt) {
  const enum promela_process_kind process = p->proctype->kind;
  const bool in_trace = process == PROMELA_TRACE || process == PROMELA_NOTRACE;
  const struct promela_place place = {.span = stmt->span, .call = stmt->call};
  if (in_trace && !is_event(stmt->kind)) {
    if (promela_error(p, place, "this is no event: only sends and receives can be in a trace"))
      promela_hint(p, "a trace describes the order of messages on global channels");
    return false;
  }
  const bool may_run = stmt->kind == PROMELA_EXPR || stmt->kind == PROMELA_ASSIGN;
  if (stmt->target != NULL && stmt->target->kind != PROMELA_SCRATCH &&
      !promela_check_value(p, stmt->target, false))
    return false;
  if (stmt->a != NULL && !promela_check_value(p, stmt->a, may_run))
    return false;
  if (stmt->b != NULL && !promela_check_value(p, stmt->b, false))
    return false;
  if (stmt->kind != PROMELA_RECEIVE && !in_trace && !check_list(p, &stmt->arguments))
    return false;
  if (stmt->kind == PROMELA_ASSIGN || stmt->kind == PROMELA_INCREMENT ||
      stmt->kind == PROMELA_DECREMENT)
    return check_assigned(p, stmt);
  if (stmt->kind == PROMELA_SEND || stmt->kind == PROMELA_RECEIVE)
    return check_message(p, stmt, in_trace);
  return true;
}

/* ---- the model ------------------------------------------------------------------------ */

void promela_check_model(struct promela_parser *p) {
  uint64_t n_active = 0;
  for (uint32_t i = 0; i < p->model->proctypes.n; i++) {
    const struct promela_proctype *proctype = p->model->proctypes.at[i];
    n_active += proctype->n_active;
    if (n_active > 255) {
      promela_complain(p, (struct promela_place){.span = proctype->span},
                       "there are more than 255 processes at the start");
      return;
    }
  }
  if (n_active > 0)
    return;
  const struct source *source = p->model->source;
  struct span span = {source, source->length, source->length};
  if (p->model->proctypes.n > 0)
    span = p->model->proctypes.at[0]->span;
  if (promela_complain(p, (struct promela_place){.span = span}, "no process ever runs"))
    promela_hint(p, "write 'active' before a proctype, or an init that runs one");
}
