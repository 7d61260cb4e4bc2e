/* ir_random.c - random models for the tests of the checked model and its code. */
#include "ir_random.h"

#include "base/bits.h"

#include <string.h>

struct maker {
  struct arena *arena;
  struct ir_model *model;
  uint64_t random;
  struct ir_process *here; /* whose variables are visible */
};

static const struct ir_type types[] = {{.name = "byte", .bits = 8, .is_signed = false},
                                       {.name = "int", .bits = 16, .is_signed = true},
                                       {.name = "bit", .bits = 1, .is_signed = false},
                                       {.name = "three", .bits = 3, .is_signed = false},
                                       {.name = "five", .bits = 5, .is_signed = true},
                                       {.name = "word", .bits = 32, .is_signed = true},
                                       {.name = "twelve", .bits = 12, .is_signed = false},
                                       {.name = "small", .bits = 8, .is_signed = true}};

static uint32_t below(struct maker *m, uint32_t n) {
  return n ? (uint32_t)(bits_next_random(&m->random) >> 33) % n : 0;
}

static bool chance(struct maker *m, uint32_t percent) {
  return below(m, 100) < percent;
}

static const struct ir_type *some_type(struct maker *m) {
  return &types[chance(m, 50) ? below(m, 2) : below(m, sizeof types / sizeof *types)];
}

static int32_t cut(const struct ir_type *type, int32_t value) {
  struct ir_range r = ir_type_range(type);
  return value < r.low || value > r.high ? r.high : value;
}

static struct ir_variable *new_variable(struct maker *m, struct ir_process *owner, uint32_t i,
                                        bool is_const) {
  struct ir_variable *v = ARENA_NEW(m->arena, struct ir_variable);
  v->name = arena_printf(m->arena, "%s%u",
                         i % 5 == 4 ? "a_name_that_is_far_too_long_to_be_kept_" : "v", i);
  v->type = some_type(m);
  v->owner = owner;
  v->is_const = is_const;
  v->is_array = is_const || chance(m, 40);
  v->length = v->is_array ? 1 + below(m, 4) : 1;
  if (is_const || chance(m, 60)) {
    int32_t *initial = ARENA_ARRAY(m->arena, v->length, int32_t);
    for (uint32_t k = 0; k < v->length; k++)
      initial[k] = cut(v->type, (int32_t)below(m, 6));
    v->initial = initial;
  }
  return v;
}

/* ---- expressions ------------------------------------------------------------------- */

static struct ir_expr *expr(struct maker *m, uint32_t depth);

static struct ir_expr *node(struct maker *m, enum ir_expr_kind kind) {
  struct ir_expr *e = ARENA_NEW(m->arena, struct ir_expr);
  e->kind = kind;
  return e;
}

static struct ir_expr *constant(struct maker *m, int32_t value) {
  struct ir_expr *e = node(m, IR_CONST);
  e->value = value;
  return e;
}

static struct ir_expr *some_constant(struct maker *m) {
  static const int32_t odd[] = {-1, 255, 256, 32767, -32768, INT32_MAX, INT32_MIN, 31, 32};
  return constant(m, chance(m, 85) ? (int32_t)below(m, 5)
                                   : odd[below(m, sizeof odd / sizeof *odd)]);
}

static struct ir_expr *reference(struct maker *m, bool writable, uint32_t depth) {
  const struct ir_process *p = m->here;
  struct ir_variable *v = p && p->n_variables && chance(m, 50)
                              ? p->variable[below(m, p->n_variables)]
                              : m->model->global[below(m, m->model->n_globals)];
  if (writable && v->is_const)
    v = m->model->global[0];
  struct ir_expr *e = node(m, v->is_array ? IR_ELEMENT : IR_VARIABLE);
  e->variable = v;
  if (v->is_array)
    e->a = chance(m, 60) ? constant(m, (int32_t)below(m, v->length)) : expr(m, depth);
  return e;
}

static struct ir_expr *leaf(struct maker *m, uint32_t depth) {
  uint32_t kind = below(m, 10);
  if (kind < 3)
    return some_constant(m);
  if (kind == 3 && m->model->n_processes) {
    struct ir_expr *e = node(m, IR_AT);
    e->process = m->model->process[below(m, m->model->n_processes)];
    e->location = below(m, e->process->n_locations);
    return e;
  }
  if (kind == 4 && m->model->n_channels) {
    struct ir_expr *e = node(m, IR_COUNT);
    e->channel = m->model->channel[below(m, m->model->n_channels)];
    return e;
  }
  return reference(m, false, depth);
}

static struct ir_expr *expr(struct maker *m, uint32_t depth) {
  if (!depth || chance(m, 25))
    return leaf(m, depth ? depth - 1 : 0);
  struct ir_expr *e = node(m, IR_NOT + below(m, IR_COND - IR_NOT + 1));
  e->a = expr(m, depth - 1);
  if (e->kind > IR_CPL)
    e->b = expr(m, depth - 1);
  if (e->kind == IR_COND)
    e->c = expr(m, depth - 1);
  return e;
}

/* Mostly true, so that models run for a while. */
static struct ir_expr *some_guard(struct maker *m) {
  if (chance(m, 40))
    return NULL;
  struct ir_expr *e = expr(m, 3);
  if (chance(m, 50)) {
    struct ir_expr *either = node(m, IR_OR);
    either->a = e;
    either->b = leaf(m, 0);
    e = either;
  }
  return e;
}

/* ---- processes and channels ------------------------------------------------------------ */

static void add_sync(struct maker *m, struct ir_edge *e) {
  e->channel = m->model->channel[below(m, m->model->n_channels)];
  e->sync = chance(m, 50) ? IR_SEND : IR_RECEIVE;
  e->late = chance(m, 50);
  e->n_values = chance(m, 80) ? e->channel->n_fields : 0;
  struct ir_expr **value = ARENA_ARRAY(m->arena, e->n_values, struct ir_expr *);
  for (uint32_t i = 0; i < e->n_values; i++)
    value[i] = e->sync == IR_SEND ? expr(m, 2) : reference(m, true, 1);
  e->value = value;
}

static void fill_edges(struct maker *m, struct ir_process *p) {
  p->n_edges = 2 + below(m, 6);
  struct ir_edge *edge = ARENA_ARRAY(m->arena, p->n_edges, struct ir_edge);
  m->here = p;
  for (uint32_t i = 0; i < p->n_edges; i++) {
    struct ir_edge *e = &edge[i];
    e->from = below(m, p->n_locations);
    e->to = below(m, p->n_locations);
    e->guard = some_guard(m);
    if (chance(m, 50))
      add_sync(m, e);
    e->n_effects = below(m, 4);
    struct ir_effect *effect = ARENA_ARRAY(m->arena, e->n_effects, struct ir_effect);
    for (uint32_t k = 0; k < e->n_effects; k++)
      effect[k] = (struct ir_effect){.target = reference(m, true, 2), .value = expr(m, 3)};
    e->effect = effect;
  }
  p->edge = edge;
}

static struct ir_process *new_process(struct maker *m, uint32_t index, bool committed) {
  struct ir_process *p = ARENA_NEW(m->arena, struct ir_process);
  p->name = arena_printf(m->arena, "P%u", index);
  p->index = index;
  p->n_variables = below(m, 3);
  p->variable = ARENA_ARRAY(m->arena, p->n_variables, struct ir_variable *);
  for (uint32_t i = 0; i < p->n_variables; i++)
    p->variable[i] = new_variable(m, p, i, false);
  p->n_locations = chance(m, 5) ? 300 : 1 + below(m, 4);
  struct ir_location *location = ARENA_ARRAY(m->arena, p->n_locations, struct ir_location);
  for (uint32_t i = 0; i < p->n_locations; i++) {
    location[i].name = arena_printf(m->arena, "l%u", i);
    location[i].flags = committed && chance(m, 30) ? IR_COMMITTED : 0;
  }
  p->location = location;
  p->initial = below(m, p->n_locations < 5 ? p->n_locations : 4);
  return p;
}

static struct ir_channel *new_channel(struct maker *m, uint32_t index) {
  struct ir_channel *c = ARENA_NEW(m->arena, struct ir_channel);
  c->name = arena_printf(m->arena, "c%u", index);
  c->index = index;
  c->capacity = chance(m, 50) ? 0 : 1 + below(m, 3);
  c->n_fields = below(m, 4);
  const struct ir_type **field = ARENA_ARRAY(m->arena, c->n_fields, const struct ir_type *);
  for (uint32_t i = 0; i < c->n_fields; i++)
    field[i] = chance(m, 70) ? some_type(m) : NULL;
  c->field = field;
  c->typed = true;
  return c;
}

struct ir_model *random_model(struct arena *arena, uint64_t seed) {
  struct maker m = {.arena = arena, .model = ARENA_NEW(arena, struct ir_model), .random = seed};
  struct ir_model *model = m.model;
  bits_next_random(&m.random);
  model->arena = arena;
  model->name = "random";
  model->language = "none";
  model->synchronous = chance(&m, 15);
  model->n_globals = 2 + below(&m, 3);
  model->global = ARENA_ARRAY(arena, model->n_globals, struct ir_variable *);
  for (uint32_t i = 0; i < model->n_globals; i++)
    model->global[i] = new_variable(&m, NULL, i, i == 1);
  model->n_channels = 1 + below(&m, 2);
  model->channel = ARENA_ARRAY(arena, model->n_channels, struct ir_channel *);
  for (uint32_t i = 0; i < model->n_channels; i++)
    model->channel[i] = new_channel(&m, i);
  uint32_t n = 2 + below(&m, 2);
  bool committed = chance(&m, 30);
  model->process = ARENA_ARRAY(arena, n, struct ir_process *);
  for (; model->n_processes < n; model->n_processes++)
    model->process[model->n_processes] = new_process(&m, model->n_processes, committed);
  for (uint32_t i = 0; i < n; i++)
    fill_edges(&m, model->process[i]);
  m.here = NULL;
  model->n_properties = below(&m, 3);
  model->property = ARENA_ARRAY(arena, model->n_properties, struct ir_property);
  for (uint32_t i = 0; i < model->n_properties; i++)
    model->property[i] = (struct ir_property){.text = "p", .condition = expr(&m, 3)};
  return model;
}
