/* explain.c - who waits for what in a state of a checked model: for ts/explain.h.
 *
 * Of each process the edges that leave its control location are looked at as the language
 * defines them: the guard, then the channel operation, then what the system as a whole asks.
 * The first thing that is missing is what the statement waits for.
 */
#include "ir/channel_wait.h"
#include "ir/failing.h"
#include "ir/reason.h"

#include "ts/explain.h"

#include <stdlib.h>
#include <string.h>

/* Statements of one process that are listed. */
#define EXPLAIN_MOST 12u

struct waiting {
  struct arena *arena;
  struct evaluation e;
  const struct ir_process *process;
  struct ts_waiter *out;
  struct {
    struct ts_need *at;
    uint32_t n, capacity;
  } need;
};

/* Processes that were started later and are still there: the end of one has to wait for them.
 */
static const char *younger(const struct waiting *w) {
  const uint32_t next = w->e.self + 1;
  const struct ir_seat *seat = evaluate_seat(w->e.model, w->e.shape, w->e.state, next);
  if (seat == NULL)
    return "";
  return arena_printf(w->arena, "that %s[%u], which was started later, ends first",
                      seat->process->name, next);
}

/* What an edge has to wait for; "": nothing that is known. */
static const char *waits_for(const struct waiting *w, const struct ir_edge *edge) {
  const struct ir_expr *provided = w->process->provided;
  struct ir_value value = {1, true};
  if (edge->guard != NULL) {
    const char *failure = reason_failure(w->arena, &w->e, edge->guard);
    if (failure != NULL)
      return failure;
    value = evaluate(&w->e, edge->guard);
    if (!value.known || value.at == 0)
      return reason_condition(w->arena, &w->e, edge->guard);
  }
  if (provided != NULL) {
    value = evaluate(&w->e, provided);
    if (value.known && value.at == 0)
      return arena_printf(w->arena, "provided %s", reason_condition(w->arena, &w->e, provided));
  }
  if (edge->flags & IR_ENDS)
    return younger(w);
  return channel_wait(w->arena, &w->e, edge);
}

/* A statement that waits for the same as another one at the same place is listed once. */
static bool is_listed(const struct waiting *w, const struct ts_need *need) {
  for (uint32_t i = 0; i < w->need.n; i++)
    if (w->need.at[i].place.line == need->place.line &&
        strcmp(w->need.at[i].why, need->why) == 0 &&
        strcmp(w->need.at[i].statement, need->statement) == 0)
      return true;
  return false;
}

static void add_edge(struct waiting *w, const struct ir_edge *edge) {
  struct ts_need need = {.statement = ir_edge_text(w->arena, w->e.model, edge),
                         .place = ir_place(edge->span),
                         .why = waits_for(w, edge)};
  if (is_listed(w, &need))
    return;
  if (w->need.n == EXPLAIN_MOST)
    w->out->n_more++;
  else
    *ARENA_PUSH(w->arena, &w->need) = need;
}

static void add_process(struct arena *arena, const struct evaluation *e,
                        const struct ir_process *p, const char *name, struct ts_waiter *out) {
  struct waiting w = {.arena = arena, .e = *e, .process = p, .out = out};
  const uint32_t at = evaluate_location(e, p, e->seat);
  const struct ir_location *location = &p->location[at];
  *out = (struct ts_waiter){.process = name,
                            .at = location->name,
                            .place = ir_place(location->span),
                            .is_at_end = (location->flags & IR_VALID_END) != 0};
  for (uint32_t i = 0; i < p->n_edges; i++)
    if (p->edge[i].from == at)
      add_edge(&w, ir_plain_edge(p, i));
  out->n_needs = w.need.n;
  out->need = w.need.at;
  if (w.need.n > 0 && w.need.at[0].place.file != NULL)
    out->place = w.need.at[0].place;
}

static void waiters(const struct ts_explain *x, const uint8_t *state, struct arena *arena,
                    struct ts_waiters *out) {
  const struct ir_model *m = ((const struct explained *)x->model)->model;
  const uint32_t most = m->has_instances ? m->n_slots : m->n_processes;
  struct ts_waiter *list = ARENA_ARRAY(arena, most + 1u, struct ts_waiter);
  struct evaluation e = {.model = m, .shape = x->shape, .state = state};
  out->at = list;
  for (uint32_t i = 0; i < most; i++) {
    e.self = i;
    e.seat = m->has_instances ? evaluate_seat(m, x->shape, state, i) : NULL;
    if (m->has_instances && e.seat != NULL)
      add_process(arena, &e, e.seat->process,
                  arena_printf(arena, "%s[%u]", e.seat->process->name, i), &list[out->n++]);
    else if (!m->has_instances && !m->process[i]->is_property)
      add_process(arena, &e, m->process[i], m->process[i]->name, &list[out->n++]);
  }
}

static const char *property(const struct ts_explain *x, uint32_t i, const uint8_t *state,
                            struct arena *arena) {
  const struct ir_model *m = ((const struct explained *)x->model)->model;
  const struct evaluation e = {.model = m, .shape = x->shape, .state = state, .self = TS_NONE};
  if (i >= m->n_properties)
    return NULL;
  const char *failure = reason_failure(arena, &e, m->property[i].condition);
  if (failure != NULL)
    return failure;
  const char *values = reason_values(arena, &e, m->property[i].condition);
  return *values == '\0' ? NULL : values;
}

static const char *fault(const struct ts_explain *x, const uint8_t *before,
                         const struct ts_event_part *part, struct arena *arena) {
  return failing_values(x, before, part, arena);
}

/* ---- what there is to check ------------------------------------------------------------ */

static int by_place(const void *a, const void *b) {
  const struct span *x = a, *y = b;
  if (x->source != y->source)
    return (uintptr_t)x->source < (uintptr_t)y->source ? -1 : 1;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

struct spans {
  struct span *at;
  uint32_t n, capacity;
};

static void add_asserts(const struct ir_model *m, const struct ir_process *p,
                        struct spans *spans) {
  for (uint32_t i = 0; i < p->n_edges; i++)
    for (uint32_t k = 0; k < ir_plain_edge(p, i)->n_effects; k++)
      if (ir_plain_edge(p, i)->effect[k].kind == IR_ASSERT)
        *ARENA_PUSH(m->arena, spans) = ir_plain_edge(p, i)->effect[k].span;
}

/* An assertion of an inline is one, however often that is called. */
static uint32_t different(struct spans *spans) {
  uint32_t n = 0;
  if (spans->n > 0)
    qsort(spans->at, spans->n, sizeof *spans->at, by_place);
  for (uint32_t i = 0; i < spans->n; i++)
    n += i == 0 || by_place(&spans->at[i - 1], &spans->at[i]) != 0;
  return n;
}

static void count_checks(const struct ir_model *m, struct ts_notes *notes) {
  struct spans spans = {0};
  for (uint32_t i = 0; i < m->n_processes; i++) {
    const struct ir_process *p = m->process[i];
    if (p->is_property)
      continue;
    add_asserts(m, p, &spans);
    notes->has_accepting |= p->accepts;
    for (uint32_t k = 0; k < p->n_locations; k++) {
      notes->has_accepting |= (p->location[k].flags & IR_ACCEPTING) != 0;
      notes->has_progress |= (p->location[k].flags & IR_PROGRESS) != 0;
    }
  }
  notes->unasked = m->unasked.at;
  notes->n_unasked = m->unasked.n;
  notes->n_asserts = different(&spans);
  for (uint32_t i = 0; i < m->n_properties; i++)
    notes->n_asserts += m->property[i].is_assertion;
}

void ir_explain(const struct ir_model *m, const struct ir_actions *actions,
                struct ts_shape *shape) {
  struct explained *both = ARENA_NEW(m->arena, struct explained);
  struct ts_explain *explain = ARENA_NEW(m->arena, struct ts_explain);
  *both = (struct explained){m, actions};
  *explain = (struct ts_explain){
      .model = both, .shape = shape, .waiters = waiters, .property = property, .fault = fault};
  struct ts_notes *notes = ir_notes(m, shape);
  notes->explain = explain;
  count_checks(m, notes);
}
