/* forward.c - a decorator that hands every call on to the ts inside of it. */
#include "ts/forward.h"

static const struct ts *inner_of(const struct ts *ts) {
  return ((const struct forward *)forward_of(ts))->inner;
}

static uint32_t forward_initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  const struct ts *inner = inner_of(ts);
  return ts_code(inner)->initial(inner, which, row);
}

static uint32_t forward_violated(const struct ts *ts, const uint8_t *state, uint32_t length,
                                 uint32_t from, uint32_t *fault) {
  const struct ts *inner = inner_of(ts);
  return ts_code(inner)->violated(inner, state, length, from, fault);
}

static uint32_t forward_steps(const struct ts *ts, const uint8_t *state, uint32_t length,
                              struct ts_event event, uint32_t *action, uint32_t capacity) {
  const struct ts *inner = inner_of(ts);
  return ts_code(inner)->steps(inner, state, length, event, action, capacity);
}

static int32_t forward_ends(const struct ts *ts, const uint8_t *state, uint32_t length) {
  const struct ts *inner = inner_of(ts);
  return ts_code(inner)->ends(inner, state, length);
}

static int32_t forward_measure(const struct ts *ts, const uint8_t *state, uint32_t length,
                               uint32_t which) {
  const struct ts *inner = inner_of(ts);
  return ts_code(inner)->measure(inner, state, length, which);
}

static uint64_t forward_letter(const struct ts *ts, const uint8_t *state, uint32_t length,
                               uint32_t first, uint32_t n, uint32_t *fault) {
  const struct ts *inner = inner_of(ts);
  return ts_code(inner)->letter(inner, state, length, first, n, fault);
}

static uint32_t forward_change(const struct ts *ts, uint8_t *state, uint32_t length,
                               uint32_t which) {
  const struct ts *inner = inner_of(ts);
  return ts_code(inner)->change(inner, state, length, which);
}

static uint64_t forward_marks(const struct ts *ts, const uint8_t *state, uint32_t length,
                              struct ts_event event) {
  const struct ts *inner = inner_of(ts);
  return ts_code(inner)->marks(inner, state, length, event);
}

static uint32_t forward_undo(const struct ts *ts, const uint8_t *state, uint32_t length,
                             struct ts_event event, uint8_t *row) {
  const struct ts *inner = inner_of(ts);
  return ts_code(inner)->undo(inner, state, length, event, row);
}

static int32_t forward_predecessors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                    struct ts_event *cursor, struct ts_batch *out) {
  const struct ts *inner = inner_of(ts);
  return ts_code(inner)->predecessors(inner, state, length, cursor, out);
}

static int32_t forward_all_predecessors(const struct ts *ts, const uint8_t *state,
                                        uint32_t length, struct ts_event *cursor,
                                        struct ts_batch *out) {
  const struct ts *inner = inner_of(ts);
  return ts_code(inner)->all_predecessors(inner, state, length, cursor, out);
}

static uint32_t forward_n_predecessors(const struct ts *ts, const uint8_t *state,
                                       uint32_t length) {
  const struct ts *inner = inner_of(ts);
  return ts_code(inner)->n_predecessors(inner, state, length);
}

void forward_open(struct forward *f, const struct ts *inner) {
  const struct ts_code *code = ts_code(inner);
  f->inner = inner;
  f->code = *code;
  f->code.initial = forward_initial;
  f->code.violated = forward_violated;
  f->code.steps = code->steps == NULL ? NULL : forward_steps;
  f->code.ends = code->ends == NULL ? NULL : forward_ends;
  f->code.measure = code->measure == NULL ? NULL : forward_measure;
  f->code.letter = code->letter == NULL ? NULL : forward_letter;
  f->code.change = code->change == NULL ? NULL : forward_change;
  f->code.marks = code->marks == NULL ? NULL : forward_marks;
  f->code.undo = code->undo == NULL ? NULL : forward_undo;
  f->code.predecessors = code->predecessors == NULL ? NULL : forward_predecessors;
  f->code.n_predecessors = code->n_predecessors == NULL ? NULL : forward_n_predecessors;
  f->code.all_predecessors = code->all_predecessors == NULL ? NULL : forward_all_predecessors;
  f->ts.shape = inner->shape;
  f->ts.self = f;
  f->ts.remembers = inner->remembers;
  atomic_init(&f->ts.code, &f->code);
}
