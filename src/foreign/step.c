/* step.c - a model written in C at the door: its successors, one call for each state.
 *
 * The model calls back for each successor, which is copied to its row. The door asks from a
 * cursor on, so a callback counts, and leaves out what comes before. Whether the model keeps to
 * what its header promises is looked at here, for the rest of the program relies on it.
 */
#include "foreign/foreign.h"

#include "base/bits.h"

#include <string.h>

struct giving {
  struct cairn_out out; /* first: the model gives it back */
  const struct foreign *f;
  const uint8_t *state;
  const uint64_t *skip;
  struct ts_batch *batch;
  struct ts_event from, at; /* asked from there on; the last successor's, and whether */
  bool has_begun, is_over;  /* there was one; no more are wanted */
  bool is_full;
};

static bool is_before(struct ts_event a, struct ts_event b) {
  return a.action < b.action || (a.action == b.action && a.choice < b.choice);
}

static uint64_t changes(const struct foreign *f, const uint8_t *state, const uint8_t *row) {
  uint64_t changed = 0;
  const uint64_t *old = (const uint64_t *)(const void *)state;
  const uint64_t *new = (const uint64_t *)(const void *)row;
  for (uint32_t i = 0; i < ts_stride(&f->shape) / 8; i++)
    if (old[i] != new[i])
      changed |= f->changed[i];
  return changed;
}

static void append(struct giving *g, struct ts_event event, enum ts_fault_kind kind,
                   uint32_t fault, const void *state) {
  struct ts_batch *batch = g->batch;
  if (is_before(event, g->from) || (g->skip != NULL && bits_test(g->skip, event.action)))
    return;
  if (batch->n == batch->capacity) {
    g->is_full = g->is_over = true;
    g->from = event;
    return;
  }
  const uint32_t bytes = g->f->shape.max_bytes;
  uint8_t *row = batch->rows + batch->n * batch->stride;
  memset(row, 0, batch->stride);
  if (state != NULL)
    memcpy(row, state, bytes);
  batch->edge[batch->n++] =
      (struct ts_edge){.event = event,
                       .length = state == NULL ? 0 : bytes,
                       .kind = (uint16_t)kind,
                       .fault = fault,
                       .changed = state == NULL ? 0 : changes(g->f, g->state, row)};
}

/* What the model broke is one more event, its last. */
static void stop_with(struct giving *g, uint32_t fault) {
  append(g, (struct ts_event){g->f->crash_action, 0}, TS_MODEL_ERROR, fault, NULL);
  g->is_over = true;
}

/* The event of the next successor; false if the model breaks its promise. */
static bool next_event(struct giving *g, uint32_t action) {
  const uint32_t faults = g->f->crash_fault - FOREIGN_FAULTS;
  if (action >= g->f->crash_action) {
    stop_with(g, faults + FOREIGN_NO_ACTION);
    return false;
  }
  if (g->has_begun && action < g->at.action) {
    stop_with(g, faults + FOREIGN_ORDER);
    return false;
  }
  const bool again = g->has_begun && action == g->at.action;
  g->at = (struct ts_event){action, again ? g->at.choice + 1 : 0};
  g->has_begun = true;
  return true;
}

static void next(struct cairn_out *out, uint32_t action, const void *state) {
  struct giving *g = (struct giving *)(void *)out;
  if (!g->is_over && next_event(g, action))
    append(g, g->at, TS_FINE, 0, state);
}

static void fail(struct cairn_out *out, uint32_t action, uint32_t error, const void *state) {
  struct giving *g = (struct giving *)(void *)out;
  if (g->is_over || !next_event(g, action))
    return;
  if (error >= g->f->model->n_errors)
    stop_with(g, g->f->crash_fault - FOREIGN_FAULTS + FOREIGN_NO_ERROR);
  else
    append(g, g->at, state == NULL ? TS_MODEL_ERROR : TS_ASSERTION, error, state);
}

static void give(void *context) {
  struct giving *g = context;
  g->f->model->successors(g->state, &g->out);
}

static int32_t successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                          struct ts_event *cursor, const uint64_t *skip, struct ts_batch *out) {
  struct giving g = {.out = {next, fail},
                     .f = foreign_of(ts),
                     .state = state,
                     .skip = skip,
                     .batch = out,
                     .from = *cursor};
  (void)length;
  const enum guard_crash crash = foreign_call(g.f, give, &g);
  if (crash == GUARD_STOPPED)
    return 2;
  if (crash != GUARD_FINE && !g.is_over)
    stop_with(&g, g.f->crash_fault + crash - GUARD_SEGV);
  *cursor = g.from;
  return g.is_full ? 1 : 0;
}

struct beginning {
  const struct foreign *f;
  uint32_t which;
  uint8_t *row;
};

static void begin(void *context) {
  const struct beginning *b = context;
  b->f->model->initial(b->which, b->row);
}

/* It has been called before, and did not crash. */
static uint32_t initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  struct beginning b = {foreign_of(ts), which, row};
  foreign_call(b.f, begin, &b);
  return b.f->shape.max_bytes;
}

/* ---- conditions ------------------------------------------------------------------------- */

struct asking {
  const struct foreign *f;
  int (*own)(const void *state);
  uint32_t asked;
  const uint8_t *state;
  int64_t value;
};

static void ask(void *context) {
  struct asking *a = context;
  a->value =
      a->own != NULL ? a->own(a->state) : a->f->asks->value[a->asked](a->f->model, a->state);
}

/* A condition of the model, or what is asked; *fault as ever. */
static int64_t value_of(const struct foreign *f, int (*own)(const void *), uint32_t asked,
                        const uint8_t *state, uint32_t *fault) {
  struct asking a = {f, own, asked, state, 0};
  const enum guard_crash crash = foreign_call(f, ask, &a);
  *fault = crash == GUARD_FINE || crash == GUARD_STOPPED ? TS_NONE
                                                         : f->crash_fault + crash - GUARD_SEGV;
  return a.value;
}

bool foreign_label(const struct foreign *f, uint32_t label, const uint8_t *state) {
  uint32_t fault;
  return value_of(f, f->model->label[label].holds, 0, state, &fault) != 0 && fault == TS_NONE;
}

static uint32_t violated(const struct ts *ts, const uint8_t *state, uint32_t length,
                         uint32_t from, uint32_t *fault) {
  const struct foreign *f = foreign_of(ts);
  const uint32_t own = f->model->n_invariants;
  (void)length;
  *fault = TS_NONE;
  for (uint32_t i = from; i < f->shape.n_properties; i++)
    if (value_of(f, i < own ? f->model->invariant[i].holds : NULL, i - own, state, fault) ==
            0 ||
        *fault != TS_NONE)
      return i;
  return f->shape.n_properties;
}

/* Measures are 32 bits wide: what is beyond is cut to the last one. */
static int32_t measure(const struct ts *ts, const uint8_t *state, uint32_t length,
                       uint32_t which) {
  const struct foreign *f = foreign_of(ts);
  uint32_t fault;
  (void)length;
  int64_t value =
      value_of(f, NULL, f->shape.n_properties - f->model->n_invariants + which, state, &fault);
  return value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : (int32_t)value;
}

static uint64_t letter(const struct ts *ts, const uint8_t *state, uint32_t length,
                       uint32_t first, uint32_t n, uint32_t *fault) {
  const struct foreign *f = foreign_of(ts);
  const uint32_t before =
      f->shape.n_properties - f->model->n_invariants + f->shape.n_measures + first;
  uint64_t found = 0;
  (void)length;
  *fault = TS_NONE;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t mine;
    const bool holds = value_of(f, NULL, before + i, state, &mine) != 0;
    found |= (uint64_t)(holds && mine == TS_NONE) << i;
    if (mine != TS_NONE)
      *fault = mine;
  }
  return found;
}

static int32_t ends(const struct ts *ts, const uint8_t *state, uint32_t length) {
  const struct cairn_model *model = foreign_of(ts)->model;
  uint32_t fault;
  (void)length;
  return value_of(foreign_of(ts), model->ends, 0, state, &fault) != 0 && fault == TS_NONE;
}

const struct ts_code foreign_code = {.abi = TS_ABI,
                                     .initial = initial,
                                     .successors = successors,
                                     .violated = violated,
                                     .ends = ends,
                                     .measure = measure,
                                     .letter = letter};
