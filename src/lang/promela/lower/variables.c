/* variables.c - variables and channels.
 *
 * A struct becomes one variable per scalar field. A channel is made for each channel
 * variable with an initialiser, for each of its elements; its number goes into the
 * variable, unless nothing else is ever assigned to it: then it is a constant.
 */
#include "lang/promela/lower/lower.h"

#include <string.h>

static const struct ir_type bit_type = {.name = "bit", .bits = 1, .is_signed = false},
                            bool_type = {.name = "bool", .bits = 1, .is_signed = false},
                            byte_type = {.name = "byte", .bits = 8, .is_signed = false},
                            pid_type = {.name = "pid", .bits = 8, .is_signed = false},
                            short_type = {.name = "short", .bits = 16, .is_signed = true},
                            int_type = {.name = "int", .bits = 32, .is_signed = true},
                            mtype_type = {.name = "mtype", .bits = 8, .is_signed = false},
                            chan_type = {.name = "chan",
                                         .bits = 8,
                                         .is_signed = false,
                                         .is_channel = true};

/* A set of names has a type of its own; mtype without any is a number. */
static const struct ir_type *lower_mtype(const struct promela_lower *l,
                                         const struct promela_mtype *set) {
  for (uint32_t i = 0; i < l->model->mtypes.n; i++)
    if (l->model->mtypes.at[i] == set)
      return &l->mtype[i];
  return &mtype_type;
}

static const struct ir_type *type_of(struct promela_lower *l, const struct promela_type *type) {
  switch (type->base) {
  case PROMELA_BIT:
    return type->is_bool ? &bool_type : &bit_type;
  case PROMELA_BYTE:
    return &byte_type;
  case PROMELA_PID:
    return &pid_type;
  case PROMELA_SHORT:
    return &short_type;
  case PROMELA_MTYPE:
    return lower_mtype(l, type->mtype);
  case PROMELA_CHAN:
    return &chan_type;
  case PROMELA_UNSIGNED: {
    struct ir_type *t = ARENA_NEW(l->arena, struct ir_type);
    t->name = arena_printf(l->arena, "unsigned:%u", (unsigned)type->bits);
    t->bits = type->bits;
    return t;
  }
  case PROMELA_INT:
  case PROMELA_STRUCT:
    break;
  }
  return &int_type;
}

/* The scalar fields of a type, in order. */
static void add_scalars(struct promela_lower *l, const struct promela_type *type,
                        const struct ir_type **list, uint32_t *n) {
  if (type->base != PROMELA_STRUCT) {
    list[(*n)++] = type_of(l, type);
    return;
  }
  for (uint32_t i = 0; i < type->structure->fields.n; i++) {
    const struct promela_variable *field = type->structure->fields.at[i];
    for (uint32_t j = 0; j < field->length; j++)
      add_scalars(l, &field->type, list, n);
  }
}

/* ---- channels ---- */

static struct ir_channel *new_channel(struct promela_lower *l, const struct promela_variable *v,
                                      const struct ir_variable *home, uint32_t element) {
  const struct promela_channel *given = v->channel;
  struct ir_channel *c = ARENA_NEW(l->arena, struct ir_channel);
  c->name = home->is_array ? arena_printf(l->arena, "%s[%u]", home->name, element) : home->name;
  c->span = v->span;
  c->capacity = given->capacity;
  c->typed = true;
  const struct ir_type **field =
      ARENA_ARRAY(l->arena, given->n_scalars, const struct ir_type *);
  for (uint32_t i = 0; i < given->fields.n; i++)
    add_scalars(l, &given->fields.at[i], field, &c->n_fields);
  c->field = field;
  c->owner = home->owner;
  c->index = l->channels.n;
  l->has_rendezvous |= c->capacity == 0;
  *ARENA_PUSH(l->arena, &l->channels) = c;
  return c;
}

/* One channel per element; true if their numbers are constants. */
static void make_channels(struct promela_lower *l, const struct promela_variable *v,
                          struct ir_variable *home, int32_t *initial) {
  for (uint32_t i = 0; i < home->length; i++) {
    struct ir_channel *c = new_channel(l, v, home, i);
    initial[i] = home->is_const ? (int32_t)l->channels.n : 0;
    c->handle = home->is_const ? NULL : home;
    c->handle_element = i;
  }
}

/* ---- initial values ---- */

static bool is_known(const struct ir_expr *e) {
  return e->kind == IR_CONST;
}

/* A struct's field has its initial value in every variable of that struct. */
static void warn_of_cut(struct promela_lower *l, const struct promela_variable *v,
                        struct span span, const struct ir_type *type, int32_t value) {
  if (ir_cut(value, type->bits, type->is_signed) == value)
    return;
  for (uint32_t i = 0; i < l->cut.n; i++)
    if (l->cut.at[i] == v)
      return;
  *ARENA_PUSH(l->arena, &l->cut) = v;
  diag_warning(l->diag, span, "%d is no %s: it is cut to %d", value, type->name,
               ir_cut(value, type->bits, type->is_signed));
}

/* Sets the elements of the variable that belong to one struct element's field. */
static void set_known(const struct ir_type *type, int32_t *at, uint32_t length,
                      const int32_t *given, uint32_t n_given) {
  for (uint32_t i = 0; i < length; i++)
    at[i] = ir_cut(given[i < n_given ? i : n_given - 1], type->bits, type->is_signed);
}

/* What v's declaration says for `length` elements, if it is known now. */
static bool known_values(struct promela_lower *l, const struct promela_variable *v,
                         const struct ir_type *type, int32_t *at) {
  if (v->initial != NULL) {
    const struct ir_expr *e = lower_expr(l, v->initial);
    if (!is_known(e))
      return false;
    warn_of_cut(l, v, v->initial->span, type, e->value);
    set_known(type, at, v->length, &e->value, 1);
  } else if (v->list.n > 0) {
    int32_t *given = ARENA_ARRAY(l->arena, v->list.n, int32_t);
    for (uint32_t i = 0; i < v->list.n; i++) {
      given[i] = lower_expr(l, v->list.at[i])->value;
      warn_of_cut(l, v, v->list.at[i]->span, type, given[i]);
    }
    set_known(type, at, v->length, given, v->list.n);
  }
  return true;
}

/* ---- homes ---- */

struct owner {
  struct ir_process *process;
  bool is_hidden, is_const;
  struct {
    struct ir_variable **at;
    uint32_t n, capacity;
  } variables;
};

static struct ir_variable *new_variable(struct promela_lower *l, struct owner *o,
                                        const struct promela_variable *v, const char *name) {
  struct ir_variable *x = ARENA_NEW(l->arena, struct ir_variable);
  x->name = name;
  x->span = v->span;
  x->type = type_of(l, &v->type);
  x->owner = o->process;
  x->is_hidden = o->is_hidden;
  x->is_const = o->is_const;
  *ARENA_PUSH(l->arena, &o->variables) = x;
  return x;
}

/* A variable among the structs that it is in. */
struct nest {
  const char *name, *element; /* r.in.a, r[].in.a[]: "[]" where an index belongs */
  const uint32_t *extent;     /* of each "[]" */
  uint32_t n_extents;
  uint32_t times; /* the number of elements around */
  bool starts;    /* its declaration is in force from the beginning */
  bool is_given;  /* a parameter: values and channels are those of the argument */
};

static struct nest nest_outside(const char *name, bool starts, bool is_given) {
  return (struct nest){
      .name = name, .element = name, .times = 1, .starts = starts, .is_given = is_given};
}

static struct nest nest_array(struct promela_lower *l, const struct promela_variable *v,
                              struct nest nest) {
  uint32_t *extent = ARENA_ARRAY(l->arena, nest.n_extents + 1, uint32_t);
  for (uint32_t i = 0; i < nest.n_extents; i++)
    extent[i] = nest.extent[i];
  extent[nest.n_extents++] = v->length;
  nest.extent = extent;
  nest.element = arena_printf(l->arena, "%s[]", nest.element);
  return nest;
}

static struct nest nest_field(struct promela_lower *l, const struct promela_variable *v,
                              struct nest nest, const char *field) {
  nest.name = arena_printf(l->arena, "%s.%s", nest.name, field);
  nest.element = arena_printf(l->arena, "%s.%s", nest.element, field);
  nest.times *= v->length;
  return nest;
}

static void make_home(struct promela_lower *l, struct owner *o, struct lower_home *home,
                      const struct promela_variable *v, struct nest nest) {
  home->declared = v;
  if (v->is_array)
    nest = nest_array(l, v, nest);
  if (v->type.base == PROMELA_STRUCT) {
    const struct promela_variables *fields = &v->type.structure->fields;
    home->field = ARENA_ARRAY(l->arena, fields->n, struct lower_home);
    for (uint32_t i = 0; i < fields->n; i++)
      make_home(l, o, &home->field[i], fields->at[i],
                nest_field(l, v, nest, fields->at[i]->name));
    return;
  }
  const uint32_t times = nest.times;
  struct ir_variable *x = new_variable(l, o, v, nest.name);
  home->variable = x;
  x->length = times * v->length;
  x->is_array = nest.n_extents > 0;
  x->element = x->is_array ? nest.element : NULL;
  x->extent = nest.extent;
  int32_t *initial = ARENA_ARRAY(l->arena, x->length, int32_t);
  x->initial = initial;
  if (nest.is_given)
    return;
  if (v->channel != NULL)
    make_channels(l, v, x, initial);
  for (uint32_t i = 0; nest.starts && v->channel == NULL && i < times; i++)
    (void)known_values(l, v, x->type, initial + (size_t)i * v->length);
}

/* ---- globals ---- */

static void refuse_initial(struct promela_lower *l, const struct promela_variable *v) {
  int32_t *values = ARENA_ARRAY(l->arena, v->length, int32_t);
  bool scalar = v->channel == NULL && v->type.base != PROMELA_STRUCT;
  if (scalar && !known_values(l, v, type_of(l, &v->type), values))
    diag_error(l->diag, v->initial->span,
               "the initial value of a global variable must be known beforehand");
}

void lower_globals(struct promela_lower *l) {
  const struct promela_variables *list = &l->model->globals;
  struct owner o = {NULL, false, false, {NULL, 0, 0}};
  l->global = ARENA_ARRAY(l->arena, list->n, struct lower_home);
  for (uint32_t i = 0; i < list->n; i++) {
    const struct promela_variable *v = list->at[i];
    o.is_hidden = v->visibility == PROMELA_HIDDEN;
    o.is_const = (v->type.base == PROMELA_CHAN || o.is_hidden) && !l->assigned[i];
    l->initialising = true;
    refuse_initial(l, v);
    make_home(l, &o, &l->global[i], v, nest_outside(v->name, true, false));
    l->initialising = false;
  }
  l->ir.global = o.variables.at;
  l->ir.n_globals = o.variables.n;
}

/* ---- locals ---- */

/* Which variables have their initial values from the beginning: those declared before the
 * first statement, arrays with one value for all elements, and structs. */
static void mark_starting(const struct promela_proctype *p, bool *starts) {
  for (uint32_t i = 0; i < p->variables.n; i++) {
    const struct promela_variable *v = p->variables.at[i];
    starts[i] = v->type.base == PROMELA_STRUCT || (v->is_array && v->initial != NULL);
  }
  for (uint32_t i = 0; i < p->body.n; i++) {
    const struct promela_stmt *s = p->body.at[i];
    for (uint32_t j = 0; s->at_start && j < s->variables.n; j++)
      starts[s->variables.at[j]->index] = true;
  }
}

/* Names of inner blocks may repeat: then the line makes the difference. */
static const char *local_name(struct promela_lower *l, const struct promela_variables *list,
                              uint32_t index) {
  const struct promela_variable *v = list->at[index];
  for (uint32_t i = 0; i < index; i++)
    if (strcmp(list->at[i]->name, v->name) == 0)
      return arena_printf(l->arena, "%s:%u", v->name,
                          source_line(v->span.source, v->span.begin));
  return v->name;
}

/* The initial values of v that only the run knows. */
static void start_effects(struct promela_lower *l, const struct promela_variable *v,
                          const struct lower_home *home, struct lower_effects *effects) {
  if (v->initial == NULL || home->variable == NULL || v->channel != NULL)
    return;
  struct ir_expr *value = lower_expr(l, v->initial);
  if (is_known(value))
    return;
  struct lower_exprs targets = {NULL, 0, 0};
  lower_elements(l, home, v->span, &targets);
  for (uint32_t i = 0; i < targets.n; i++) {
    struct ir_effect *e = ARENA_PUSH(l->arena, effects);
    e->span = v->initial->span;
    e->target = targets.at[i];
    e->value = value;
  }
}

void lower_locals(struct promela_lower *l, struct lower_frame *frame) {
  const struct promela_proctype *p = frame->proctype;
  const struct promela_variables *list = &p->variables;
  struct owner o = {frame->process, false, false, {NULL, 0, 0}};
  struct lower_effects starts = {NULL, 0, 0};
  bool *in_force = ARENA_ARRAY(l->arena, list->n, bool);
  mark_starting(p, in_force);
  frame->home = ARENA_ARRAY(l->arena, list->n, struct lower_home);
  for (uint32_t i = 0; i < list->n; i++) {
    make_home(l, &o, &frame->home[i], list->at[i],
              nest_outside(local_name(l, list, i), in_force[i], list->at[i]->is_parameter));
    if (i + 1 == p->n_parameters)
      frame->process->n_parameters = o.variables.n;
    if (in_force[i])
      start_effects(l, list->at[i], &frame->home[i], &starts);
  }
  frame->process->variable = o.variables.at;
  frame->process->n_variables = o.variables.n;
  frame->process->start = starts.at;
  frame->process->n_starts = starts.n;
}

/* ---- claims ---- */

static const char *claim_refuses(struct promela_lower *l, const struct promela_variable *v) {
  if (v->initial != NULL && !is_known(lower_expr(l, v->initial)))
    return "an initial value in it is not known beforehand";
  return NULL;
}

const char *lower_claim_variables(struct promela_lower *l, struct lower_frame *frame) {
  const struct promela_proctype *p = frame->proctype;
  struct owner o = {NULL, false, false, {NULL, 0, 0}};
  bool *in_force = ARENA_ARRAY(l->arena, p->variables.n, bool);
  const char *why = NULL;
  mark_starting(p, in_force);
  frame->home = ARENA_ARRAY(l->arena, p->variables.n, struct lower_home);
  l->initialising = true;
  for (uint32_t i = 0; i < p->variables.n && why == NULL; i++) {
    const char *name =
        arena_printf(l->arena, "%s.%s", p->name, local_name(l, &p->variables, i));
    const struct promela_variable *v = p->variables.at[i];
    why = v->type.base == PROMELA_CHAN ? "it has a channel of its own"
          : in_force[i]                ? claim_refuses(l, v)
                                       : NULL;
    if (why != NULL)
      break;
    make_home(l, &o, &frame->home[i], p->variables.at[i],
              nest_outside(name, in_force[i], false));
  }
  l->initialising = false;
  const uint32_t n = l->ir.n_globals;
  struct ir_variable **all =
      ARENA_ARRAY(l->arena, n + (size_t)o.variables.n, struct ir_variable *);
  for (uint32_t i = 0; i < n + o.variables.n; i++)
    all[i] = i < n ? l->ir.global[i] : o.variables.at[i - n];
  if (why == NULL) {
    l->ir.global = all;
    l->ir.n_globals = n + o.variables.n;
  }
  return why;
}
