/* fair.c - whether a component has a fair cycle.
 *
 * A process is enabled in a state if an event of the state moves it: alone, as the sender or
 * the receiver of a handshake, or in any step of an atomic sequence. So one that waits for a
 * partner or for its turn after an atomic sequence is not, one that waits for a timeout is
 * where it has come, and else is like any other step.
 *
 * Weak fairness: no process is enabled from some moment on in every state without moving. Of a
 * component that is as good as a cycle through all of it: each process moves in some event
 * inside, or is not enabled in some state. A larger component is never worse.
 *
 * Strong fairness: each process that is enabled again and again moves again and again. A
 * process that is enabled somewhere in the component and moves nowhere inside spoils all states
 * where it is enabled; they are left out, and what remains is cut into components again
 * (Emerson and Lei 1987).
 */
#include "search/fair.h"

#include "base/cut.h"

#include "base/array.h"
#include "base/bits.h"

#include <string.h>

struct arc {
  uint64_t to, goals; /* marks, and the processes that move */
};

struct fair {
  struct worker *worker;
  enum search_fairness kind;
  uint32_t n_marks, n_processes;
  uint8_t *bit; /* by component: of its goal, or NO_BIT */
  struct ts_trace trace;
  uint8_t *row; /* for an event that is fired again */
  /* Of a region: */
  uint64_t n;
  struct arc *arc;
  uint64_t n_arcs, arcs_room;
  uint64_t *first, *enabled; /* by state: its arcs; the processes that are enabled */
  uint8_t *outside;
  bool failed; /* memory ran out: there is no answer */
};

#define NO_BIT      255u
#define TRACE_WORDS 65536u

/* ---- who moves ----------------------------------------------------------------------------
 */

/* Whether a component is a process: it moves in some action, and is not the claim. */
static bool is_process(const struct ts_shape *shape, uint32_t component) {
  if (shape->product_of != NULL && component == 0)
    return false;
  for (uint32_t a = 0; a < shape->n_actions; a++)
    for (uint32_t m = 0; m < shape->action[a].n_movers; m++)
      if (shape->action[a].mover[m].component == component)
        return true;
  return false;
}

uint32_t fair_processes(const struct ts_shape *shape) {
  uint32_t n = 0;
  for (uint32_t c = 0; c < shape->n_components; c++)
    n += is_process(shape, c);
  return n;
}

static uint64_t movers_of_action(const struct fair *f, uint32_t action) {
  const struct ts_action *a = &f->worker->search->shape->action[action];
  uint64_t movers = 0;
  for (uint32_t m = 0; m < a->n_movers; m++)
    if (a->mover[m].component != TS_NONE && f->bit[a->mover[m].component] != NO_BIT)
      movers |= UINT64_C(1) << f->bit[a->mover[m].component];
  return movers;
}

/* Of models whose events have steps inside, from the last one back. */
static uint64_t movers_traced(struct fair *f, const uint8_t *row, uint32_t length,
                              struct ts_event event) {
  struct ts_edge edge;
  uint64_t movers = 0;
  f->trace.n = 0;
  f->trace.last = TS_NONE;
  if (!ts_fire_traced(f->worker->search->ts, row, length, event, &edge, f->row, &f->trace))
    return movers_of_action(f, event.action);
  for (uint32_t at = f->trace.last; at != TS_NONE && at + 3 < f->trace.capacity;
       at = f->trace.at[at + 2])
    movers |= movers_of_action(f, f->trace.at[at + 3]);
  return movers | movers_of_action(f, event.action);
}

static uint64_t movers_of(struct fair *f, const uint8_t *row, uint32_t length,
                          struct ts_event event) {
  const struct ts *ts = f->worker->search->ts;
  const struct ts_code *code = ts_code(ts);
  uint32_t action[256];
  uint64_t movers = 0;
  if (ts_notes(ts->shape)->n_statements > 0)
    return movers_traced(f, row, length, event);
  if (code->steps == NULL)
    return movers_of_action(f, event.action);
  const uint32_t n = code->steps(ts, row, length, event, action, 256);
  for (uint32_t i = 0; i < n && i < 256; i++)
    movers |= movers_of_action(f, action[i]);
  return movers;
}

/* ---- the region as a graph ----------------------------------------------------------------
 */

static bool add_arc(void *context, uint64_t from, uint64_t to, const uint8_t *row,
                    uint32_t length, const struct ts_edge *edge) {
  struct fair *f = context;
  const struct ts *ts = f->worker->search->ts;
  const uint64_t movers = movers_of(f, row, length, edge->event);
  f->enabled[from] |= movers;
  if (to == REGION_NONE)
    return true;
  if (f->n_arcs == f->arcs_room) {
    struct arc *more = array_grow(f->worker->search->budget, BUDGET_OTHER, f->arc,
                                  &f->arcs_room, sizeof *more);
    if (more == NULL)
      return false;
    f->arc = more;
  }
  f->arc[f->n_arcs++] =
      (struct arc){to, movers | ts_code(ts)->marks(ts, row, length, edge->event)};
  return true;
}

static bool make_graph(struct fair *f, struct region *r) {
  struct budget *budget = f->worker->search->budget;
  f->n = r->n;
  f->n_arcs = 0;
  f->first = budget_alloc(budget, BUDGET_OTHER, (f->n + 1) * sizeof *f->first);
  f->enabled = budget_alloc(budget, BUDGET_OTHER, (f->n + 1) * sizeof *f->enabled);
  f->outside = budget_alloc(budget, BUDGET_OTHER, f->n + 1);
  if (f->first == NULL || f->enabled == NULL || f->outside == NULL)
    return false;
  memset(f->enabled, 0, (f->n + 1) * sizeof *f->enabled);
  memset(f->outside, 0, f->n + 1);
  for (uint64_t i = 0; i < f->n; i++) {
    f->first[i] = f->n_arcs;
    if (!region_expand(r, i, add_arc, f))
      return false;
  }
  f->first[f->n] = f->n_arcs;
  return true;
}

void fair_forget(struct fair *f, struct region *r) {
  struct budget *budget = f->worker->search->budget;
  budget_free(budget, BUDGET_OTHER, f->first, (f->n + 1) * sizeof *f->first);
  budget_free(budget, BUDGET_OTHER, f->enabled, (f->n + 1) * sizeof *f->enabled);
  budget_free(budget, BUDGET_OTHER, f->outside, f->n + 1);
  f->first = f->enabled = NULL;
  f->outside = NULL;
  r->goals = NULL;
  r->outside = NULL;
}

/* ---- goals --------------------------------------------------------------------------------
 */

/* What an event does for a cycle: its marks, who moves, and with weak fairness who need not. */
static uint64_t goals_of(void *context, uint64_t i, const uint8_t *row, uint32_t length,
                         const struct ts_edge *edge) {
  struct fair *f = context;
  const struct ts *ts = f->worker->search->ts;
  const uint64_t need_not = f->kind == SEARCH_WEAK ? ~f->enabled[i] : 0;
  const uint64_t processes = UINT64_MAX << f->n_marks;
  return ts_code(ts)->marks(ts, row, length, edge->event) |
         ((movers_of(f, row, length, edge->event) | need_not) & processes);
}

static uint64_t all_marks(const struct fair *f) {
  return bits_lowest(f->n_marks);
}

static uint64_t all_processes(const struct fair *f) {
  return bits_lowest(f->n_marks + f->n_processes) & ~all_marks(f);
}

/* ---- weak ---------------------------------------------------------------------------------
 */

static bool judge_weak(struct fair *f, struct fair_cycle *cycle) {
  uint64_t goals = 0;
  for (uint64_t i = 0; i < f->n; i++) {
    goals |= ~f->enabled[i] & all_processes(f);
    for (uint64_t a = f->first[i]; a < f->first[i + 1]; a++)
      goals |= f->arc[a].goals;
  }
  *cycle = (struct fair_cycle){0, all_marks(f) | all_processes(f)};
  return (goals & cycle->goals) == cycle->goals;
}

/* ---- strong -------------------------------------------------------------------------------
 */

/* What is known of one part. */
struct summary {
  uint64_t enabled, goals, states, some;
  bool has_arc;
};

static struct summary summarise(const struct fair *f, const struct cut *p, uint64_t id) {
  struct summary s = {0};
  for (uint64_t i = 0; i < f->n; i++) {
    if (p->part[i] != id)
      continue;
    s.states++;
    s.some = i;
    s.enabled |= f->enabled[i];
    for (uint64_t a = f->first[i]; a < f->first[i + 1]; a++)
      if (p->part[f->arc[a].to] == id) {
        s.has_arc = true;
        s.goals |= f->arc[a].goals;
      }
  }
  return s;
}

static uint64_t first_of(const void *context, uint64_t state) {
  const struct fair *f = context;
  return f->first[state];
}

static uint64_t to_of(const void *context, uint64_t arc) {
  const struct fair *f = context;
  return f->arc[arc].to;
}

/* Leaves out the states of a part where one of these is enabled. */
static void leave_out(const struct fair *f, const struct cut *p, uint64_t id,
                      uint64_t spoiled) {
  for (uint64_t i = 0; i < f->n; i++)
    if (p->part[i] == id && (f->enabled[i] & spoiled) != 0)
      p->part[i] = 0;
}

/* Every part is looked at once; those that are cut give new ones with higher ids. */
static bool find_part(struct fair *f, struct cut *p, struct fair_cycle *cycle, uint64_t *id) {
  for (*id = 1; *id <= p->parts; ++*id) {
    const struct summary s = summarise(f, p, *id);
    const uint64_t wanted = s.enabled & all_processes(f), spoiled = wanted & ~s.goals;
    if (!s.has_arc || (s.goals & all_marks(f)) != all_marks(f))
      continue;
    if (spoiled == 0) {
      *cycle = (struct fair_cycle){s.some, all_marks(f) | wanted};
      return true;
    }
    leave_out(f, p, *id, spoiled);
    f->failed = !cut_part(p, *id);
    if (f->failed)
      return false;
  }
  return false;
}

static bool judge_strong(struct fair *f, struct fair_cycle *cycle) {
  struct budget *budget = f->worker->search->budget;
  struct cut p = {
      .budget = budget, .n = f->n, .parts = 1, .context = f, .first = first_of, .to = to_of};
  uint64_t id;
  p.part = budget_alloc(budget, BUDGET_OTHER, (f->n + 1) * sizeof *p.part);
  f->failed = p.part == NULL;
  if (f->failed)
    return false;
  for (uint64_t i = 0; i < f->n; i++)
    p.part[i] = 1;
  const bool found = find_part(f, &p, cycle, &id);
  for (uint64_t i = 0; found && i < f->n; i++)
    f->outside[i] = p.part[i] != id;
  budget_free(budget, BUDGET_OTHER, p.part, (f->n + 1) * sizeof *p.part);
  return found;
}

/* ---- all ----------------------------------------------------------------------------------
 */

bool fair_judge(struct fair *f, struct region *r, struct fair_cycle *cycle) {
  f->failed = !make_graph(f, r);
  const bool found =
      !f->failed && (f->kind == SEARCH_WEAK ? judge_weak(f, cycle) : judge_strong(f, cycle));
  r->stopped |= f->failed;
  if (!found)
    return false;
  r->goals = goals_of;
  r->goal_context = f;
  r->outside = f->outside;
  return true;
}

void fair_close(struct fair *f) {
  if (f == NULL)
    return;
  struct budget *budget = f->worker->search->budget;
  const struct ts_shape *shape = f->worker->search->shape;
  budget_free(budget, BUDGET_OTHER, f->bit, shape->n_components + (size_t)1);
  budget_free(budget, BUDGET_OTHER, f->trace.at, TRACE_WORDS * sizeof *f->trace.at);
  budget_free(budget, BUDGET_OTHER, f->row, ts_stride(shape));
  array_free(budget, BUDGET_OTHER, f->arc, f->arcs_room * sizeof *f->arc);
  budget_free(budget, BUDGET_OTHER, f, sizeof *f);
}

struct fair *fair_open(struct worker *w, enum search_fairness kind) {
  struct budget *budget = w->search->budget;
  const struct ts_shape *shape = w->search->shape;
  struct fair *f = budget_alloc(budget, BUDGET_OTHER, sizeof *f);
  if (f == NULL)
    return NULL;
  *f = (struct fair){.worker = w, .kind = kind, .n_marks = shape->n_marks};
  f->bit = budget_alloc(budget, BUDGET_OTHER, shape->n_components + (size_t)1);
  f->trace.at = budget_alloc(budget, BUDGET_OTHER, TRACE_WORDS * sizeof *f->trace.at);
  f->trace.capacity = TRACE_WORDS;
  f->row = budget_alloc(budget, BUDGET_OTHER, ts_stride(shape));
  if (f->bit == NULL || f->trace.at == NULL || f->row == NULL) {
    fair_close(f);
    return NULL;
  }
  for (uint32_t c = 0; c < shape->n_components; c++)
    f->bit[c] = is_process(shape, c) ? (uint8_t)(f->n_marks + f->n_processes++) : NO_BIT;
  return f;
}
