/* lower_expr.c - expressions: names resolved, constants folded, chains balanced. */
#include "lang/dve/lower.h"

static struct ir_expr *new_expr(struct dve_lower *l, enum ir_expr_kind kind, struct span span) {
  struct ir_expr *e = ARENA_NEW(l->arena, struct ir_expr);
  e->kind = kind;
  e->span = span;
  return e;
}

/* What is inside of larger expressions cannot fail, and nobody asks for its place: one node
 * serves wherever the same constant or scalar is written. (Half of a large model is such.) */
static struct ir_expr **shared_leaf(struct dve_lower *l, const struct ir_variable *v,
                                    int32_t value) {
  const uint32_t hash = ((uint32_t)value * 31 + (uint32_t)((uintptr_t)v >> 4)) * 0x9E3779B1u;
  return &l->leaf[hash >> (32 - DVE_LEAVES_BITS)];
}

/* The scalar v, or where that is NULL a constant. */
static struct ir_expr *leaf(struct dve_lower *l, struct ir_variable *v, int32_t value,
                            struct span span) {
  const enum ir_expr_kind kind = v == NULL ? IR_CONST : IR_VARIABLE;
  struct ir_expr **shared = shared_leaf(l, v, value), *e = *shared;
  if (l->is_inside && e != NULL && e->kind == kind &&
      (v == NULL ? e->value == value : e->variable == v))
    return e;
  e = new_expr(l, kind, span);
  if (v == NULL)
    e->value = value;
  else
    e->variable = v;
  if (l->is_inside)
    *shared = e;
  return e;
}

static struct ir_expr *constant(struct dve_lower *l, int32_t value, struct span span) {
  return leaf(l, NULL, value, span);
}

/* A part of a larger expression. */
static struct ir_expr *lower_inside(struct dve_lower *l, const struct dve_expr *e) {
  const bool before = l->is_inside;
  l->is_inside = true;
  struct ir_expr *lowered = dve_lower_expr(l, e);
  l->is_inside = before;
  return lowered;
}

void dve_suggest(struct dve_lower *l, unsigned kinds, const struct ir_process *scope,
                 struct span wrong) {
  if (diag_errors(l->diag) > DIAG_MAX)
    return;
  const char *close = dve_names_closest(l->names, scope, kinds, wrong);
  if (close != NULL)
    diag_hint(l->diag, "did you mean '%s'?", close);
}

/* ---- variables ---- */

/* Element `index` where it is known to exist. */
static bool is_inside(const struct ir_variable *v, int32_t index) {
  return index >= 0 && (uint32_t)index < v->length;
}

static int32_t initial_value(const struct ir_variable *v, int32_t index) {
  return v->initial == NULL ? 0 : v->initial[index];
}

static struct ir_expr *lower_element(struct dve_lower *l, const struct dve_expr *e,
                                     struct ir_variable *v) {
  struct ir_expr *index = e->a == NULL ? constant(l, 0, e->span) : lower_inside(l, e->a);
  if (index == NULL)
    return NULL;
  bool known = index->kind == IR_CONST;
  if (known && !is_inside(v, index->value))
    diag_warning(l->diag, e->a == NULL ? e->span : e->a->span,
                 "'%s' has the elements 0 to %u, and none with index %d", v->name,
                 v->length - 1, index->value);
  else if (known && (v->is_const || l->initialising))
    return constant(l, initial_value(v, index->value), e->span);
  struct ir_expr *element = new_expr(l, IR_ELEMENT, e->span);
  element->variable = v;
  element->a = index;
  return element;
}

/* The bare name of an array is its first element, as in DiVinE; models of the BEEM
 * set mean it. Said once. */
static void warn_of_bare_array(struct dve_lower *l, const struct dve_expr *e,
                               const struct ir_variable *v) {
  if (!l->bare_array)
    diag_warning(l->diag, e->span, "'%s' is an array: without an index it is its element 0",
                 v->name);
  l->bare_array = true;
}

/* Variable v as it is written in e, with or without an index. */
static struct ir_expr *lower_variable(struct dve_lower *l, const struct dve_expr *e,
                                      struct ir_variable *v) {
  if (v->is_array && e->a == NULL)
    warn_of_bare_array(l, e, v);
  if (!v->is_array && e->a != NULL) {
    if (DVE_LOWER_ERROR(l, e->span, "'%s' is no array and takes no index", v->name))
      diag_add(l->diag, DIAG_NOTE, v->span, "it is declared here");
    return NULL;
  }
  if (v->is_array)
    return lower_element(l, e, v);
  if (v->is_const || l->initialising)
    return constant(l, initial_value(v, 0), e->span);
  return leaf(l, v, 0, e->span);
}

static void report_unknown(struct dve_lower *l, const struct dve_expr *e) {
  const struct span name = dve_span_in(e, e->name);
  if (!DVE_LOWER_ERROR(l, name, "unknown variable '%.*s'", DVE_NAME(name)))
    return;
  if (diag_errors(l->diag) > DIAG_MAX)
    return;
  if (l->scope != NULL && dve_names_find(l->names, l->scope, true, name) != NULL) {
    diag_hint(l->diag, "it is a state: write %s.%.*s to ask whether the process is there",
              l->scope->name, DVE_NAME(name));
    return;
  }
  const struct dve_symbol *other = dve_names_elsewhere(l->names, name);
  if (other != NULL)
    diag_hint(l->diag, "process %s has one: write %s.%s", other->scope->name,
              other->scope->name, other->name);
  else
    dve_suggest(l, DVE_SYMBOL_VARIABLE, l->scope, name);
}

/* x: of the own process, else of the model */
static struct ir_expr *lower_name(struct dve_lower *l, const struct dve_expr *e) {
  const struct span name = dve_span_in(e, e->name);
  const struct dve_symbol *s = NULL;
  if (l->scope != NULL)
    s = dve_names_find(l->names, l->scope, false, name);
  if (s == NULL)
    s = dve_names_find(l->names, NULL, false, name);
  if (s == NULL) {
    report_unknown(l, e);
    return NULL;
  }
  if (s->kind == DVE_SYMBOL_VARIABLE)
    return lower_variable(l, e, s->variable);
  if (s->kind == DVE_SYMBOL_CHANNEL)
    (void)DVE_LOWER_ERROR(l, name, "'%s' is a channel, not a variable", s->name);
  else if (DVE_LOWER_ERROR(l, name, "'%s' is a process, not a variable", s->name))
    diag_hint(l->diag, "write %s.s to ask whether it is in its state s", s->name);
  return NULL;
}

/* ---- what belongs to other processes ---- */

static struct ir_process *find_process(struct dve_lower *l, struct span name) {
  const struct dve_symbol *s = dve_names_find(l->names, NULL, false, name);
  if (s == NULL || s->kind != DVE_SYMBOL_PROCESS) {
    if (DVE_LOWER_ERROR(l, name, "unknown process '%.*s'", DVE_NAME(name)))
      dve_suggest(l, DVE_SYMBOL_PROCESS, NULL, name);
    return NULL;
  }
  if (s->process->is_property && l->scope != s->process) {
    (void)DVE_LOWER_ERROR(l, name, "'%s' is the property, which the system cannot look at",
                          s->name);
    return NULL;
  }
  return s->process;
}

static struct ir_expr *lower_location(struct dve_lower *l, const struct dve_expr *e,
                                      const struct dve_symbol *s) {
  if (e->a != NULL) {
    (void)DVE_LOWER_ERROR(l, e->a->span, "'%s' is a state and takes no index", s->name);
    return NULL;
  }
  if (l->initialising) {
    (void)DVE_LOWER_ERROR(l, e->span, "an initial value cannot depend on states");
    return NULL;
  }
  /* The property is no part of the system's states, and only its own text asks where it is. */
  const bool is_known = s->process->is_property;
  struct ir_expr *at = new_expr(l, is_known ? IR_CONST : IR_AT, e->span);
  if (is_known) {
    at->value = s->location == l->here;
  } else {
    at->process = s->process;
    at->location = s->location;
  }
  return at;
}

/* P.s, P.x, P->x */
static struct ir_expr *lower_foreign(struct dve_lower *l, const struct dve_expr *e) {
  const struct span name = dve_span_in(e, e->name);
  struct ir_process *process = find_process(l, dve_span_in(e, e->process));
  if (process == NULL)
    return NULL;
  const struct dve_symbol *state = dve_names_find(l->names, process, true, name);
  if (e->form == DVE_FORM_DOT && state != NULL)
    return lower_location(l, e, state);
  const struct dve_symbol *variable = dve_names_find(l->names, process, false, name);
  if (variable != NULL)
    return lower_variable(l, e, variable->variable);
  if (state != NULL) {
    if (DVE_LOWER_ERROR(l, name, "'%s' is a state of process %s, not a variable", state->name,
                        process->name))
      diag_hint(l->diag, "write %s.%s", process->name, state->name);
    return NULL;
  }
  const char *what = e->form == DVE_FORM_DOT ? "state or variable" : "variable";
  if (DVE_LOWER_ERROR(l, name, "process %s has no %s '%.*s'", process->name, what,
                      DVE_NAME(name)))
    dve_suggest(l,
                e->form == DVE_FORM_DOT ? DVE_SYMBOL_LOCATION | DVE_SYMBOL_VARIABLE
                                        : DVE_SYMBOL_VARIABLE,
                process, name);
  return NULL;
}

/* ---- operators ---- */

static bool decides(enum ir_expr_kind op, const struct ir_expr *a, int32_t *value) {
  if (a->kind != IR_CONST)
    return false;
  *value = op != IR_AND;
  return (op == IR_AND && a->value == 0) || (op == IR_OR && a->value != 0) ||
         (op == IR_IMPLY && a->value == 0);
}

struct ir_expr *dve_lower_binary(struct dve_lower *l, enum ir_expr_kind op,
                                 struct ir_expr *left, struct ir_expr *right,
                                 struct span span) {
  int32_t value;
  if (decides(op, left, &value))
    return constant(l, value, span);
  if (left->kind == IR_CONST && right->kind == IR_CONST &&
      ir_fold(op, left->value, right->value, &value))
    return constant(l, value, span);
  if (right->kind == IR_CONST && right->value == 0 && (op == IR_DIV || op == IR_MOD))
    diag_warning(l->diag, span, "division by zero");
  if (right->kind == IR_CONST && (op == IR_SHL || op == IR_SHR) &&
      (right->value < 0 || right->value > 31))
    diag_warning(l->diag, span, "values have 32 bits and cannot be shifted by %d",
                 right->value);
  struct ir_expr *e = new_expr(l, op, span);
  e->a = left;
  e->b = right;
  return e;
}

static struct ir_expr *lower_unary(struct dve_lower *l, const struct dve_expr *e) {
  struct ir_expr *a = lower_inside(l, e->a);
  if (a == NULL)
    return NULL;
  int32_t value;
  if (a->kind == IR_CONST && ir_fold(e->op, a->value, 0, &value))
    return constant(l, value, e->span);
  struct ir_expr *result = new_expr(l, e->op, e->span);
  result->a = a;
  return result;
}

/* Items begin to end-1 of a chain as a balanced tree. The order of evaluation,
 * and where it stops, are those of the chain. */
static struct ir_expr *lower_chain(struct dve_lower *l, const struct dve_expr *e,
                                   uint32_t begin, uint32_t end) {
  struct dve_expr *const *item = e->items.at;
  if (end - begin == 1)
    return e->items.n == 1 ? dve_lower_expr(l, item[begin]) : lower_inside(l, item[begin]);
  uint32_t middle = begin + (end - begin) / 2;
  struct ir_expr *left = lower_chain(l, e, begin, middle);
  struct ir_expr *right = left == NULL ? NULL : lower_chain(l, e, middle, end);
  struct span span = {item[begin]->span.source, item[begin]->span.begin,
                      item[end - 1]->span.end};
  return right == NULL ? NULL : dve_lower_binary(l, e->op, left, right, span);
}

struct ir_expr *dve_lower_expr(struct dve_lower *l, const struct dve_expr *e) {
  switch ((enum dve_form)e->form) {
  case DVE_FORM_NUMBER:
    return constant(l, e->value, e->span);
  case DVE_FORM_NAME:
    return lower_name(l, e);
  case DVE_FORM_DOT:
  case DVE_FORM_FOREIGN:
    return lower_foreign(l, e);
  case DVE_FORM_UNARY:
    return lower_unary(l, e);
  case DVE_FORM_CHAIN:
    return lower_chain(l, e, 0, e->items.n);
  case DVE_FORM_BINARY:
    break;
  }
  struct ir_expr *a = lower_inside(l, e->a);
  struct ir_expr *b = a == NULL ? NULL : lower_inside(l, e->b);
  return b == NULL ? NULL : dve_lower_binary(l, e->op, a, b, e->span);
}

/* ---- targets and constants ---- */

/* The declared variable after a target, before folding could hide it. */
static const struct dve_symbol *target_symbol(struct dve_lower *l, const struct dve_expr *e) {
  const struct dve_symbol *s = NULL;
  if (e->form != DVE_FORM_NAME)
    return NULL;
  if (l->scope != NULL)
    s = dve_names_find(l->names, l->scope, false, dve_span_in(e, e->name));
  return s != NULL ? s : dve_names_find(l->names, NULL, false, dve_span_in(e, e->name));
}

struct ir_expr *dve_lower_target(struct dve_lower *l, const struct dve_expr *e) {
  if (e->form == DVE_FORM_DOT || e->form == DVE_FORM_FOREIGN) {
    (void)DVE_LOWER_ERROR(l, e->span,
                          "a process can assign only to its own and to global variables");
    return NULL;
  }
  if (e->form != DVE_FORM_NAME) {
    (void)DVE_LOWER_ERROR(l, e->span, "this is no variable that can be assigned to");
    return NULL;
  }
  const struct dve_symbol *s = target_symbol(l, e);
  if (s != NULL && s->kind == DVE_SYMBOL_VARIABLE && s->variable->is_const) {
    if (DVE_LOWER_ERROR(l, e->span, "'%s' is a constant", s->name))
      diag_add(l->diag, DIAG_NOTE, s->span, "it is declared here");
    return NULL;
  }
  return dve_lower_expr(l, e);
}

bool dve_lower_constant(struct dve_lower *l, const struct dve_expr *e, const char *what,
                        int32_t *value) {
  struct ir_expr *lowered = dve_lower_expr(l, e);
  if (lowered == NULL)
    return false;
  *value = lowered->value;
  if (lowered->kind != IR_CONST)
    (void)DVE_LOWER_ERROR(l, e->span, "%s must be a constant", what);
  return lowered->kind == IR_CONST;
}
