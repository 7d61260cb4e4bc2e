/* native.c - from the checked model to a ts: layout, actions, facts, C text, code.
 *
 * The passes over the model work in its arena and come first; what has to be
 * given back is taken only after them.
 */
#include "native/native.h"

#include "native/compile/build.h"
#include "native/compile/reason.h"
#include "native/pieces.h"

#include "base/clock.h"
#include "ir/undo.h"
#include "ts/unmatched.h"

struct native {
  const char *unable; /* to go backward: why */
  struct budget *budget;
  struct ts ts;
  struct ts *outer; /* around it; NULL: nothing */
  struct build *build;
  double emit;
};

/* The reason in memory that outlives this call; without words, memory ran out. */
static struct native_failure keep_reason(struct arena *arena, struct reason *reason) {
  struct native_failure kept = {"the memory budget is exhausted", true};
  if (reason->text.length > 0 && !reason->text.failed) {
    kept.why = arena_text(arena, reason->text.at, reason->text.length);
    kept.is_limit = reason->is_limit;
  }
  reason_free(reason);
  return kept;
}

/* ---- going backward, where compiled code only counts --------------------------------------
 */

static int32_t predecessors(const struct ts *ts, const uint8_t *state, uint32_t length,
                            struct ts_event *cursor, struct ts_batch *out) {
  return undo_predecessors(ts->self, ts, state, length, cursor, out);
}

static uint32_t n_predecessors(const struct ts *ts, const uint8_t *state, uint32_t length) {
  const struct ts_code *code = ts_code(ts);
  const uint32_t compiled = code->n_compiled == NULL ? 0 : code->n_compiled(ts, state, length);
  const uint32_t rest =
      compiled == TS_NONE ? TS_NONE : undo_n_rest(ts->self, ts, state, length);
  return rest == TS_NONE ? TS_NONE : compiled + rest;
}

static int32_t all_predecessors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                struct ts_event *cursor, struct ts_batch *out) {
  return undo_all_predecessors(ts->self, ts, state, length, cursor, out);
}

static uint32_t undo(const struct ts *ts, const uint8_t *state, uint32_t length,
                     struct ts_event event, uint8_t *row) {
  return undo_event(ts->self, ts, state, length, event, row);
}

static const struct ts_code backward = {.predecessors = predecessors,
                                        .n_predecessors = n_predecessors,
                                        .all_predecessors = all_predecessors,
                                        .undo = undo};

/* ---- all --------------------------------------------------------------------------------- */

static struct native *open_shape(struct ir_model *model, const struct ir_actions *actions,
                                 struct ts_shape *shape, const struct native_options *options,
                                 struct budget *budget, struct reason *why) {
  struct native *native = budget_alloc(budget, BUDGET_CODE, sizeof *native);
  if (native == NULL)
    return NULL;
  native->budget = budget;
  double begin = clock_now();
  struct text source;
  text_init(&source, budget, BUDGET_CODE);
  if (native_emit(model, actions, shape, options, &source)) {
    native->emit = clock_now() - begin;
    native->ts.shape = shape;
    native->ts.pieces = model->embedded != NULL ? pieces_door(model) : NULL;
    native->ts.self = options->undo;
    if (options->undo != NULL)
      undo_compiled(options->undo);
    native->build = build_open(&native->ts, &source, options,
                               options->undo == NULL ? NULL : &backward, budget, why);
  }
  text_free(&source);
  if (native->build != NULL)
    return native;
  budget_free(budget, BUDGET_CODE, native, sizeof *native);
  return NULL;
}

/* Where some bytes of the state do not tell it from others. */
static bool wrap(const struct ir_model *model, struct native *native) {
  uint32_t n = 0;
  const struct ts_range *range = model->embedded == NULL ? NULL : pieces_unmatched(model, &n);
  if (range != NULL)
    native->outer = unmatched_open(&native->ts, range, n, native->budget);
  return range == NULL || native->outer != NULL;
}

bool native_prepare(struct ir_model *model, const struct native_options *options,
                    struct budget *budget, struct native_failure *failure) {
  return model->embedded == NULL || pieces_open(model, options, budget, failure);
}

/* Merges first: what is merged must not depend on what is cleared, for a counterexample is gone
 * again in the model that merges but does not clear.
 */
static const struct ir_actions *reduce(struct ir_model *model, const struct ts_shape *shape,
                                       const char **why) {
  if (model->reductions & IR_MERGE) {
    const struct ir_actions *actions = ir_actions(model, why);
    if (actions == NULL)
      return NULL;
    const bool merged = ir_merge(model, actions, shape);
    if (!merged && !(model->reductions & IR_DEAD))
      return actions;
  }
  if (model->reductions & IR_DEAD)
    ir_clear_dead(model, shape);
  return ir_actions(model, why);
}

struct native *native_open(struct ir_model *model, const struct native_options *options,
                           struct budget *budget, struct native_failure *failure) {
  *failure = (struct native_failure){0};
  model->places = options->places;
  ir_unreduce(model);
  if (!native_prepare(model, options, budget, failure))
    return NULL;
  struct ts_shape *shape = ir_layout(model, &failure->why);
  if (shape == NULL)
    return NULL;
  if (model->embedded != NULL)
    pieces_place(model);
  ir_exclude(model);
  const struct ir_actions *actions = reduce(model, shape, &failure->why);
  if (actions == NULL)
    return NULL;
  if (model->checked & IR_MERGE)
    ir_merge_facts(model, actions, shape);
  if (model->checked & IR_DEAD)
    ir_dead_facts(model, shape);
  ir_access(model, actions, shape);
  ir_explain(model, actions, shape);
  if (model->wants_control && model->embedded == NULL)
    ir_control(model, actions, shape);
  const char *unable = NULL;
  struct native_options all = *options;
  all.undo = model->wants_backward ? ir_undo(model, actions, shape, &unable) : NULL;
  struct reason reason;
  reason_init(&reason, budget);
  struct native *native = open_shape(model, actions, shape, &all, budget, &reason);
  if (native != NULL && !wrap(model, native)) {
    native_close(native);
    native = NULL;
  }
  if (native == NULL)
    *failure = keep_reason(model->arena, &reason);
  else
    reason_free(&reason);
  if (native != NULL)
    native->unable = unable;
  return native;
}

void native_close(struct native *native) {
  if (native == NULL)
    return;
  unmatched_close(native->outer);
  build_close(native->build);
  budget_free(native->budget, BUDGET_CODE, native, sizeof *native);
}

uint32_t native_more_places(const struct ir_model *model) {
  return 2 * model->n_slots < model->most_slots ? 2 * model->n_slots : model->most_slots;
}

struct ts *native_ts(struct native *native) {
  return native->outer != NULL ? native->outer : &native->ts;
}

const char *native_unable(const struct native *native) {
  return native->outer != NULL ? "some bytes of its states do not tell them apart"
                               : native->unable;
}

void native_figures(const struct native *native, struct native_figures *figures) {
  build_figures(native->build, figures);
  figures->emit = native->emit;
}
