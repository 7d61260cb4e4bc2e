/* product.c - the behaviour of a product: a Büchi automaton beside a transition system.
 *
 * The system writes each of its rows to where a row of the product ends, after the first
 * PRODUCT_BYTES of it. So where one edge of the automaton reads the state, as is most frequent,
 * all is in place. Else each row becomes as many as there are such edges: they are copied from
 * the last to the first, each to a place that is no earlier, so that nothing is overwritten
 * that is still needed. Where the room ends between two copies of one row, that row is made
 * again by the next call.
 */
#include "ts/product.h"

#include "ts/product_shape.h"
#include "ts/product_ways.h"

#include <string.h>

struct product {
  struct ts ts;
  struct ts_code code;
  const struct ts *system;
  const struct claim *automaton;
  struct arena *arena;
  const struct product_own *own; /* the claim's variables, or NULL */
  uint32_t most_edges;
  uint32_t ended; /* the action of a system that has ended */
};

/* One call of successors(). */
struct step {
  const struct product *p;
  const struct ts_code *code; /* of the system */
  const uint8_t *state;       /* of the product */
  uint32_t length;            /* of the system's state */
  struct ts_batch *out;
  uint32_t state_of_claim;
  const struct claim_edge *way;    /* edges of the claim's state; or ways of its step, */
  const struct product_ways *ways; /* with the values of its variables; NULL: it has none */
  const uint16_t *edge;            /* those that can be taken, by their place */
  uint32_t n_edges;
};

static const struct product *product_of(const struct ts *ts) {
  return ts->self;
}

uint32_t ts_product_state(const uint8_t *state) {
  uint32_t at;
  memcpy(&at, state, sizeof at);
  return at;
}

const uint8_t *ts_product_system(const uint8_t *state) {
  return state + PRODUCT_BYTES;
}

static inline void put_claim(uint8_t *row, uint32_t state) {
  memset(row, 0, PRODUCT_BYTES);
  memcpy(row, &state, sizeof state);
}

static const struct claim_edge *edge_of(const struct product *p, uint32_t state, uint32_t k) {
  return &p->automaton->edge[p->automaton->first[state] + k];
}

/* ---- what the automaton reads ----------------------------------------------------------- */

static uint32_t readable_edges(const struct product *p, uint32_t state, uint64_t letter,
                               uint16_t *edge) {
  const uint32_t n = p->automaton->first[state + 1] - p->automaton->first[state];
  uint32_t found = 0;
  for (uint32_t k = 0; k < n; k++)
    if (product_reads(edge_of(p, state, k), letter))
      edge[found++] = (uint16_t)k;
  return found;
}

/* The ways of a claim with variables. */
static void walk(const struct product *p, const uint8_t *state, uint32_t length,
                 struct product_ways *ways) {
  uint8_t work[TS_MAX_BYTES];
  memcpy(work, ts_product_system(state), ts_stride(p->system->shape));
  product_ways(p->system, p->automaton, p->own, ts_product_state(state), work,
               length - PRODUCT_BYTES, ways);
}

static uint64_t product_marks(const struct ts *ts, const uint8_t *state, uint32_t length,
                              struct ts_event event) {
  const struct product *p = product_of(ts);
  /* Most events are the first choice of their action, and divisions are slow. */
  const uint32_t k = event.choice < p->most_edges ? event.choice : event.choice % p->most_edges;
  struct product_ways ways;
  if (p->own == NULL)
    return edge_of(p, ts_product_state(state), k)->marks;
  walk(p, state, length, &ways);
  return k < ways.n ? ways.at[k].marks : 0;
}

/* ---- successors ------------------------------------------------------------------------- */

/* Row i after those that are there. */
static uint8_t *row_at(const struct step *s, uint32_t i) {
  return s->out->rows + (s->out->n + (size_t)i) * s->out->stride;
}

/* Row i, which has the system's part and event, becomes one of the product, by edge k. */
static inline void finish_row(const struct step *s, uint32_t i, uint32_t k) {
  const struct product *p = s->p;
  const struct claim_edge *way = &s->way[k];
  struct ts_edge *edge = &s->out->edge[s->out->n + i];
  uint8_t *row = row_at(s, i);
  put_claim(row, way->to);
  edge->event.choice = edge->event.choice * p->most_edges + k;
  edge->length += PRODUCT_BYTES;
  if (way->fault > 0 && edge->kind != TS_MODEL_ERROR) { /* the claim is asked first */
    edge->kind = TS_ASSERTION;
    edge->fault = p->system->shape->n_faults + way->fault - 1;
  }
  if (s->ways != NULL && way->change != 0) {
    product_own_put(p->own, s->ways->value[k], row + PRODUCT_BYTES);
    edge->changed |= p->own->changed;
  }
  edge->changed =
      edge->changed << 1 | (edge->changed & UINT64_C(1) << 63) | (way->to != s->state_of_claim);
}

/* Makes row `to` from the system's row `from`, which is no later. */
static void put_row(const struct step *s, uint32_t from, uint32_t to, uint32_t k) {
  if (to != from) {
    memcpy(row_at(s, to) + PRODUCT_BYTES, row_at(s, from) + PRODUCT_BYTES,
           ts_stride(s->p->system->shape));
    s->out->edge[s->out->n + to] = s->out->edge[s->out->n + from];
  }
  finish_row(s, to, k);
}

/* Rows of the system into the free part of the batch, at most `most`. */
static int32_t ask(const struct step *s, struct ts_event *cursor, const uint64_t *skip,
                   uint32_t most, uint32_t *found) {
  struct ts_batch *out = s->out;
  struct ts_batch inner = *out;
  inner.edge = out->edge + out->n;
  inner.rows = row_at(s, 0) + PRODUCT_BYTES;
  inner.n = 0;
  inner.capacity = most;
  const int32_t answer = s->code->successors(s->p->system, ts_product_system(s->state),
                                             s->length, cursor, skip, &inner);
  *found = inner.n;
  return answer;
}

/* All copies of the system's rows. */
static void multiply(const struct step *s, uint32_t found) {
  struct ts_batch *out = s->out;
  if (s->n_edges == 1)
    for (uint32_t i = 0; i < found; i++)
      finish_row(s, i, s->edge[0]);
  else
    for (uint32_t i = found; i-- > 0;)
      for (uint32_t j = s->n_edges; j-- > 0;)
        put_row(s, i, i * s->n_edges + j, s->edge[j]);
  out->n += found * s->n_edges;
}

/* Copies of the system's one row by the edges from place `from` on, as far as there is room.
 * The place of the first that found none, or n_edges. */
static uint32_t multiply_part(const struct step *s, uint32_t from) {
  struct ts_batch *out = s->out;
  const uint32_t left = out->capacity - out->n;
  const uint32_t to = s->n_edges - from < left ? s->n_edges : from + left;
  for (uint32_t j = to; j-- > from;)
    put_row(s, 0, j - from, s->edge[j]);
  out->n += to - from;
  return to;
}

/* The step of a system that has ended: its row is the state itself. */
static void put_ended(const struct step *s) {
  struct ts_batch *out = s->out;
  memcpy(row_at(s, 0) + PRODUCT_BYTES, ts_product_system(s->state),
         ts_stride(s->p->system->shape));
  out->edge[out->n] = (struct ts_edge){.event = {s->p->ended, 0}, .length = s->length};
}

/* The first place among the readable edges that is k or later. */
static uint32_t place_from(const struct step *s, uint32_t k) {
  uint32_t j = 0;
  while (j < s->n_edges && s->edge[j] < k)
    j++;
  return j;
}

/* Whether the system can do nothing at all, whatever is left out. There is room for a row. */
static int32_t has_ended(const struct step *s, bool *ended) {
  struct ts_event cursor = {0, 0};
  uint32_t found;
  const int32_t answer = ask(s, &cursor, NULL, 1, &found);
  *ended = answer == 0 && found == 0;
  return answer == 2 ? 2 : 0;
}

static bool is_skipped(const uint64_t *skip, uint32_t action) {
  return skip != NULL && (skip[action / 64] >> action % 64 & 1) != 0;
}

static int32_t end_steps(const struct step *s, struct ts_event *cursor, const uint64_t *skip) {
  const uint32_t action = s->p->ended;
  bool ended;
  if (is_skipped(skip, action))
    return 0;
  if (s->out->n == s->out->capacity) {
    if (cursor->action != action)
      *cursor = (struct ts_event){action, 0};
    return 1;
  }
  if (has_ended(s, &ended) == 2)
    return 2;
  const uint32_t from = place_from(s, cursor->action == action ? cursor->choice : 0);
  if (!ended || from == s->n_edges)
    return 0;
  put_ended(s);
  const uint32_t to = multiply_part(s, from);
  if (to == s->n_edges)
    return 0;
  *cursor = (struct ts_event){action, s->edge[to]};
  return 1;
}

/* Events of the system from the cursor on; *any: there was one. */
static int32_t system_steps(const struct step *s, struct ts_event *cursor, const uint64_t *skip,
                            bool *any) {
  struct ts_batch *out = s->out;
  const uint32_t most = s->p->most_edges;
  struct ts_event inner = {cursor->action, cursor->choice / most};
  uint32_t from = place_from(s, cursor->choice % most);
  for (int32_t answer = 1; answer == 1;) {
    const uint32_t left = out->capacity - out->n;
    uint32_t found;
    if (left == 0) {
      *cursor = (struct ts_event){inner.action, inner.choice * most};
      return 1;
    }
    const bool part = from > 0 || left < s->n_edges;
    const struct ts_event wanted = inner;
    answer = ask(s, &inner, skip, part ? 1 : left / s->n_edges, &found);
    if (answer == 2)
      return 2;
    *any = *any || found > 0;
    if (!part) {
      multiply(s, found);
      continue;
    }
    const struct ts_event event = out->edge[out->n].event;
    if (found == 0)
      continue;
    if (event.action != wanted.action || event.choice != wanted.choice)
      from = 0; /* the one that was interrupted is not wanted */
    const uint32_t to = multiply_part(s, from);
    from = 0;
    if (to < s->n_edges) {
      *cursor = (struct ts_event){event.action, event.choice * most + s->edge[to]};
      return 1;
    }
  }
  return 0;
}

/* The claim cannot read the state: one event, an error, at the end of the order of events. */
static int32_t put_fault(const struct product *p, struct ts_event *cursor, const uint64_t *skip,
                         uint32_t fault, struct ts_batch *out) {
  if (is_skipped(skip, p->ended))
    return 0;
  if (out->n == out->capacity) {
    *cursor = (struct ts_event){p->ended, 0};
    return 1;
  }
  out->edge[out->n++] =
      (struct ts_edge){.event = {p->ended, 0}, .kind = TS_MODEL_ERROR, .fault = fault};
  return 0;
}

/* All successors, once it is known what the claim can do. */
static int32_t steps_of(const struct step *s, struct ts_event *cursor, const uint64_t *skip) {
  bool any = false;
  if (s->n_edges == 0)
    return 0;
  if (cursor->action < s->p->ended) {
    const int32_t answer = system_steps(s, cursor, skip, &any);
    if (answer != 0)
      return answer;
  }
  return any || s->p->automaton->ends ? 0 : end_steps(s, cursor, skip);
}

/* A claim with variables: its ways take the place of its edges. */
static int32_t walked_successors(struct step s, struct ts_event *cursor, const uint64_t *skip) {
  struct product_ways ways;
  uint16_t edge[PRODUCT_WAYS];
  walk(s.p, s.state, s.length + PRODUCT_BYTES, &ways);
  if (ways.fault != TS_NONE)
    return put_fault(s.p, cursor, skip, ways.fault, s.out);
  for (uint32_t i = 0; i < ways.n; i++)
    edge[i] = (uint16_t)i;
  s.way = ways.at;
  s.ways = &ways;
  s.edge = edge;
  s.n_edges = ways.n;
  return steps_of(&s, cursor, skip);
}

static int32_t product_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                  struct ts_event *cursor, const uint64_t *skip,
                                  struct ts_batch *out) {
  const struct product *p = product_of(ts);
  uint16_t edge[PRODUCT_EDGES];
  struct step s = {.p = p,
                   .code = ts_code(p->system),
                   .state = state,
                   .length = length - PRODUCT_BYTES,
                   .out = out,
                   .state_of_claim = ts_product_state(state),
                   .edge = edge};
  const struct claim *claim = p->automaton;
  uint32_t fault = TS_NONE;
  if (p->own != NULL)
    return walked_successors(s, cursor, skip);
  const uint64_t letter = claim->n_atoms == 0
                              ? 0
                              : s.code->letter(p->system, ts_product_system(state), s.length,
                                               claim->first_atom, claim->n_atoms, &fault);
  if (fault != TS_NONE)
    return put_fault(p, cursor, skip, fault, out);
  s.way = &claim->edge[claim->first[s.state_of_claim]];
  s.n_edges = readable_edges(p, s.state_of_claim, letter, edge);
  return steps_of(&s, cursor, skip);
}

/* ---- the rest of the door --------------------------------------------------------------- */

static uint32_t product_initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  const struct product *p = product_of(ts);
  put_claim(row, p->automaton->initial);
  return ts_code(p->system)->initial(p->system, which, row + PRODUCT_BYTES) + PRODUCT_BYTES;
}

/* The system's properties, then that the claim is in no state that is an error. */
static uint32_t product_violated(const struct ts *ts, const uint8_t *state, uint32_t length,
                                 uint32_t from, uint32_t *fault) {
  const struct product *p = product_of(ts);
  const uint32_t n = p->system->shape->n_properties;
  *fault = TS_NONE;
  if (from < n) {
    from = ts_code(p->system)->violated(p->system, ts_product_system(state),
                                        length - PRODUCT_BYTES, from, fault);
    if (from < n)
      return from;
  }
  const uint8_t *is_error = p->automaton->is_error;
  return from == n && is_error != NULL && is_error[ts_product_state(state)]
             ? n
             : ts->shape->n_properties;
}

static uint32_t product_steps(const struct ts *ts, const uint8_t *state, uint32_t length,
                              struct ts_event event, uint32_t *action, uint32_t capacity) {
  const struct product *p = product_of(ts);
  if (event.action == p->ended) {
    if (capacity > 0)
      action[0] = p->ended;
    return 1;
  }
  event.choice /= p->most_edges;
  return ts_code(p->system)->steps(p->system, ts_product_system(state), length - PRODUCT_BYTES,
                                   event, action, capacity);
}

/* Only the automaton stops a product, and that is no deadlock. */
static int32_t product_ends(const struct ts *ts, const uint8_t *state, uint32_t length) {
  (void)ts;
  (void)state;
  (void)length;
  return 1;
}

static void product_initial_cuts(const struct ts *ts, uint64_t *truncated) {
  const struct product *p = product_of(ts);
  ts_code(p->system)->initial_cuts(p->system, truncated);
}

static int32_t product_measure(const struct ts *ts, const uint8_t *state, uint32_t length,
                               uint32_t which) {
  const struct product *p = product_of(ts);
  return ts_code(p->system)->measure(p->system, ts_product_system(state),
                                     length - PRODUCT_BYTES, which);
}

static struct product *make(struct arena *arena, const struct ts *system,
                            const struct claim *automaton, struct budget *budget) {
  struct product *p = ARENA_NEW(arena, struct product);
  const struct ts_code *code = ts_code(system);
  p->system = system;
  p->automaton = automaton;
  p->arena = arena;
  p->own = product_own(arena, system->shape, automaton);
  p->most_edges = product_most_edges(automaton);
  p->ended = system->shape->n_actions;
  p->code =
      (struct ts_code){.abi = TS_ABI,
                       .initial = product_initial,
                       .successors = product_successors,
                       .violated = product_violated,
                       .steps = code->steps == NULL ? NULL : product_steps,
                       .ends = product_ends,
                       .initial_cuts = code->initial_cuts == NULL ? NULL : product_initial_cuts,
                       .measure = code->measure == NULL ? NULL : product_measure,
                       .marks = product_marks};
  p->ts.shape = product_shape(arena, system->shape, automaton, p->own,
                              claim_parts(arena, budget, automaton));
  p->ts.self = p;
  p->ts.remembers = system->remembers;
  atomic_init(&p->ts.code, &p->code);
  return p;
}

struct ts *ts_product_open(const struct ts *system, const struct claim *automaton,
                           struct budget *budget, const char **why) {
  *why = "a state of the automaton has more than 1024 edges";
  if (product_most_edges(automaton) > PRODUCT_EDGES)
    return NULL;
  *why = "the memory budget was reached";
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  jmp_buf at;
  if (arena == NULL)
    return NULL;
  if (setjmp(at) != 0) {
    arena_close(arena);
    return NULL;
  }
  arena_guard(arena, &at);
  struct product *p = make(arena, system, automaton, budget);
  arena_guard(arena, NULL);
  if (p->own == NULL || p->own->bytes <= PRODUCT_OWN)
    return &p->ts;
  *why = "the claim has more than 256 bytes of variables";
  arena_close(arena);
  return NULL;
}

void ts_product_close(struct ts *ts) {
  if (ts != NULL)
    arena_close(product_of(ts)->arena);
}
