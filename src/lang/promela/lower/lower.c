/* lower.c - the order of the passes. */
#include "lang/promela/lower/lower.h"

#include "ir/embedded.h"

#include "lang/lang.h"

#include <string.h>

struct promela_lower *lower_of(struct ir_model *model) {
  return (struct promela_lower *)model;
}

static bool is_system(const struct promela_proctype *p) {
  return p->kind == PROMELA_PROCTYPE || p->kind == PROMELA_INIT;
}

/* ---- processes ---- */

static void make_frames(struct promela_lower *l) {
  uint32_t n = l->model->proctypes.n;
  l->frame = ARENA_ARRAY(l->arena, n, struct lower_frame);
  l->ir.process = ARENA_ARRAY(l->arena, n, struct ir_process *);
  for (uint32_t i = 0; i < n; i++) {
    struct promela_proctype *p = l->model->proctypes.at[i];
    struct lower_frame *frame = &l->frame[i];
    frame->proctype = p;
    frame->flow = (struct flow){
        .arena = l->model->tree, .diag = l->diag, .model = l->model, .proctype = p};
    if (!is_system(p))
      continue;
    frame->process = ARENA_NEW(l->arena, struct ir_process);
    frame->process->name = p->name;
    frame->process->span = p->span;
    frame->process->index = l->ir.n_processes;
    l->ir.process[l->ir.n_processes++] = frame->process;
  }
}

/* Automata come before variables: a loop over a channel needs a counter. */
static bool make_processes(struct promela_lower *l) {
  uint32_t errors = diag_errors(l->diag);
  for (uint32_t i = 0; i < l->model->proctypes.n; i++)
    if (l->frame[i].process != NULL)
      (void)flow_make(&l->frame[i].flow);
  if (diag_errors(l->diag) > errors)
    return false;
  lower_globals(l);
  for (uint32_t i = 0; i < l->model->proctypes.n; i++)
    if (l->frame[i].process != NULL)
      lower_locals(l, &l->frame[i]);
  if (l->ir.embedded != NULL)
    lower_embedded(l);
  for (uint32_t i = 0; i < l->model->proctypes.n; i++)
    if (l->frame[i].process != NULL)
      lower_exclusive(l, &l->frame[i]);
  for (uint32_t i = 0; i < l->model->proctypes.n; i++)
    if (l->frame[i].process != NULL)
      lower_process(l, &l->frame[i]);
  return diag_errors(l->diag) == errors;
}

static void make_active(struct promela_lower *l) {
  struct ir_model *ir = &l->ir;
  for (uint32_t i = 0; i < l->model->proctypes.n; i++)
    if (l->frame[i].process != NULL)
      ir->n_active += l->model->proctypes.at[i]->n_active;
  ir->active = ARENA_ARRAY(l->arena, ir->n_active, struct ir_process *);
  uint32_t n = 0;
  for (uint32_t i = 0; i < l->model->proctypes.n; i++)
    for (uint32_t j = 0; l->frame[i].process != NULL && j < l->model->proctypes.at[i]->n_active;
         j++)
      ir->active[n++] = l->frame[i].process;
}

static void check_active(struct promela_lower *l) {
  const struct source *source = l->model->source;
  struct span end = {source, source->length, source->length};
  if (l->ir.n_active == 0) {
    diag_error(l->diag, end, "the model has no process that could run");
    diag_hint(l->diag, "add 'init { run …() }', or write 'active proctype'");
  } else if (l->ir.n_active > IR_MAX_LIVE) {
    diag_error(l->diag, end, "the model starts with %u processes; there may be %u",
               l->ir.n_active, IR_MAX_LIVE);
  }
}

static void check_templates(struct promela_lower *l) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < l->model->proctypes.n; i++) {
    n += l->frame[i].process != NULL;
    if (l->frame[i].process != NULL && n == IR_MAX_TEMPLATES + 1)
      diag_error(l->diag, l->model->proctypes.at[i]->span,
                 "there are more than %u proctypes (init counts as one)", IR_MAX_TEMPLATES);
  }
}

/* The channels that are there from the beginning; their numbers have one byte. */
static bool check_channels(struct promela_lower *l) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < l->channels.n; i++) {
    const struct ir_process *owner = l->channels.at[i]->owner;
    n += owner == NULL;
    for (uint32_t k = 0; owner != NULL && k < l->ir.n_active; k++)
      n += l->ir.active[k] == owner;
  }
  if (n > IR_MAX_CHANNELS)
    diag_error(l->diag, (struct span){l->model->source, 0, 0},
               "the model begins with %u channels; there may be %u", n, IR_MAX_CHANNELS);
  return n <= IR_MAX_CHANNELS;
}

/* ---- what is not verified yet ---- */

static void push_unchecked(struct promela_lower *l, const char *text) {
  l->ir.unchecked[l->ir.n_unchecked++] = text;
}

static void lower_unchecked(struct promela_lower *l) {
  const struct promela_model *model = l->model;
  l->ir.unchecked = ARENA_ARRAY(l->arena, model->formulas.n + model->proctypes.n, const char *);
  for (uint32_t i = 0; i < model->proctypes.n; i++) {
    const struct promela_proctype *p = model->proctypes.at[i];
    if (is_system(p) && p->deterministic)
      push_unchecked(l, arena_printf(l->arena, "that D_proctype %s is deterministic", p->name));
  }
}

/* ---- the model ---- */

static void lower_facts(struct promela_lower *l, const struct language_options *o) {
  struct ir_model *ir = &l->ir;
  ir->arena = l->arena;
  ir->name = l->model->source->name;
  ir->language = "promela";
  ir->source = l->model->source;
  ir->deadlock_is_error = true;
  ir->has_instances = true;
  ir->lossy = o->sends_may_lose;
  ir->end_needs_empty = o->end_needs_empty;
  ir->uses_priority = l->model->uses_priority;
  ir->uses_last = l->model->uses_last;
  if (l->model->uses_c_code)
    ir->embedded = ARENA_NEW(l->arena, struct ir_embedded);
}

struct ir_model *lower_model(struct diag *diag, struct promela_model *model,
                             const struct language_options *options) {
  uint32_t errors = diag_errors(diag);
  struct promela_lower *l = ARENA_NEW(model->arena, struct promela_lower);
  l->arena = model->arena;
  l->diag = diag;
  l->model = model;
  l->assigned = ARENA_ARRAY(l->arena, model->globals.n, bool);
  l->claimed = ARENA_ARRAY(l->arena, model->globals.n, bool);
  l->used = ARENA_ARRAY(l->arena, model->globals.n, bool);
  l->allows_c = options->allow_c;
  lower_facts(l, options);
  lower_symbols(l);
  make_frames(l);
  lower_scan(l, options);
  if (l->has_failed)
    return NULL;
  make_active(l);
  check_active(l);
  check_templates(l);
  lower_unchecked(l);
  if (diag_errors(diag) > errors || !make_processes(l))
    return NULL;
  if (!check_channels(l))
    return NULL;
  l->ir.channel = l->channels.at;
  l->ir.n_channels = l->channels.n;
  lower_trace(l, options);
  lower_claims(l, options);
  if (diag_errors(diag) > errors)
    return NULL;
  lower_hidden(l);
  lower_resolve(l);
  if (diag_errors(diag) > errors)
    return NULL;
  return &l->ir;
}
