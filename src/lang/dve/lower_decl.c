/* lower_decl.c - variables, constants and channels.
 *
 * Constant scalars are folded wherever they are used and stay in the model only
 * for their names. A constant array stays readable with any index, and is no
 * part of the state.
 */
#include "lang/dve/lower.h"

/* Elements of an array, and messages of a channel, at most. */
#define MAX_LENGTH 65536

static const struct ir_type byte_type = {.name = "byte", .bits = 8, .is_signed = false};
static const struct ir_type int_type = {.name = "int", .bits = 16, .is_signed = true};

static const struct ir_type *lower_type(enum dve_type type) {
  return type == DVE_TYPE_BYTE ? &byte_type : &int_type;
}

static const char *kind_name(enum dve_symbol_kind kind) {
  switch (kind) {
  case DVE_SYMBOL_VARIABLE:
    return "variable";
  case DVE_SYMBOL_CHANNEL:
    return "channel";
  case DVE_SYMBOL_PROCESS:
    return "process";
  case DVE_SYMBOL_LOCATION:
    break;
  }
  return "state";
}

bool dve_declare(struct dve_lower *l, const struct dve_symbol *s) {
  const struct dve_symbol *older = dve_names_add(l->names, s);
  if (older == NULL) {
    if (s->scope == NULL || s->kind == DVE_SYMBOL_LOCATION)
      return true;
    const struct dve_symbol *hidden = dve_names_find(l->names, NULL, false, s->span);
    if (hidden != NULL) {
      diag_warning(l->diag, s->span, "variable '%s' of process %s hides the %s of this name",
                   s->name, s->scope->name, kind_name(hidden->kind));
      diag_add(l->diag, DIAG_NOTE, hidden->span, "it is declared here");
    }
    return true;
  }
  diag_error(l->diag, s->span, "'%s' is declared twice", s->name);
  diag_add(l->diag, DIAG_NOTE, older->span, "it is declared here as a %s",
           kind_name(older->kind));
  return false;
}

static int32_t cut(const struct ir_type *type, int32_t value) {
  return type == &byte_type ? (uint8_t)value : (int16_t)value;
}

/* A size or capacity; `least` if it is wrong, so that work can go on. */
static uint32_t lower_length(struct dve_lower *l, const struct dve_expr *e, const char *what,
                             int32_t least) {
  int32_t value;
  l->failed = false;
  l->initialising = false;
  if (!dve_lower_constant(l, e, what, &value))
    return (uint32_t)least;
  if (value >= least && value <= MAX_LENGTH)
    return (uint32_t)value;
  (void)DVE_LOWER_ERROR(l, e->span, "%s must be %d to %d, not %d", what, least, MAX_LENGTH,
                        value);
  return (uint32_t)least;
}

static bool lower_initial_value(struct dve_lower *l, const struct dve_expr *e,
                                const struct ir_type *type, int32_t *value) {
  int32_t given;
  if (!dve_lower_constant(l, e, "an initial value", &given))
    return false;
  *value = cut(type, given);
  if (*value != given)
    diag_warning(l->diag, e->span, "%d is no %s: it is cut to %d", given, type->name, *value);
  return true;
}

/* The shape of the initial value fits the variable. */
static bool check_initial(struct dve_lower *l, const struct dve_variable *d,
                          const struct ir_variable *v) {
  if (v->is_array == d->has_list)
    return true;
  struct span span = d->initial.at[0]->span;
  if (v->is_array) {
    if (DVE_LOWER_ERROR(l, span, "an array is initialised by a list"))
      diag_hint(l->diag, "write {first, second, …}");
  } else {
    (void)DVE_LOWER_ERROR(l, span, "'%s' is no array and takes one value", v->name);
  }
  return false;
}

static void lower_initial(struct dve_lower *l, const struct dve_variable *d,
                          struct ir_variable *v) {
  l->failed = false;
  if (!d->has_initial) {
    if (d->is_const)
      (void)DVE_LOWER_ERROR(l, d->name, "the constant '%s' has no value", v->name);
    return;
  }
  if (!check_initial(l, d, v))
    return;
  int32_t *values = ARENA_ARRAY(l->arena, v->length, int32_t);
  l->initialising = true;
  for (uint32_t i = 0; i < d->initial.n; i++) {
    int32_t value;
    if (!lower_initial_value(l, d->initial.at[i], v->type, &value))
      break;
    if (i < v->length)
      values[i] = value;
  }
  l->initialising = false;
  if (d->initial.n > v->length)
    diag_warning(l->diag, d->initial.at[v->length]->span,
                 "'%s' has %u elements; the values from here on are ignored", v->name,
                 v->length);
  v->initial = values;
}

static struct ir_variable *lower_variable(struct dve_lower *l, const struct dve_variable *d,
                                          struct ir_process *owner) {
  struct ir_variable *v = ARENA_NEW(l->arena, struct ir_variable);
  v->name =
      arena_text(l->arena, d->name.source->text + d->name.begin, d->name.end - d->name.begin);
  v->span = d->name;
  v->type = lower_type(d->type);
  v->owner = owner;
  v->is_array = d->size != NULL;
  v->is_const = d->is_const;
  v->length = 1;
  if (v->is_array)
    v->length = lower_length(l, d->size, "the size of an array", 1);
  lower_initial(l, d, v);
  struct dve_symbol s = {.kind = DVE_SYMBOL_VARIABLE,
                         .scope = owner,
                         .name = v->name,
                         .span = v->span,
                         .variable = v};
  dve_declare(l, &s);
  return v;
}

struct ir_variable **dve_lower_variables(struct dve_lower *l, const struct dve_variables *list,
                                         struct ir_process *owner, uint32_t *n) {
  struct ir_variable **variable = ARENA_ARRAY(l->arena, list->n, struct ir_variable *);
  for (uint32_t i = 0; i < list->n; i++)
    variable[i] = lower_variable(l, &list->at[i], owner);
  *n = list->n;
  return variable;
}

static const struct ir_type *const *lower_fields(struct dve_lower *l,
                                                 const struct dve_types *types) {
  const struct ir_type **field = ARENA_ARRAY(l->arena, types->n, const struct ir_type *);
  for (uint32_t i = 0; i < types->n; i++)
    field[i] = lower_type(types->at[i]);
  return field;
}

static void lower_channel(struct dve_lower *l, const struct dve_channel *d,
                          struct ir_channel *c) {
  c->name =
      arena_text(l->arena, d->name.source->text + d->name.begin, d->name.end - d->name.begin);
  c->span = d->name;
  c->typed = d->typed;
  c->n_fields = d->types.n;
  c->field = lower_fields(l, &d->types);
  if (d->capacity != NULL)
    c->capacity = lower_length(l, d->capacity, "the capacity of a channel", 0);
  struct dve_symbol s = {
      .kind = DVE_SYMBOL_CHANNEL, .name = c->name, .span = c->span, .channel = c};
  dve_declare(l, &s);
}

void dve_lower_channels(struct dve_lower *l, const struct dve_channels *list) {
  struct ir_model *model = l->model;
  model->channel = ARENA_ARRAY(l->arena, list->n, struct ir_channel *);
  model->n_channels = list->n;
  for (uint32_t i = 0; i < list->n; i++) {
    model->channel[i] = ARENA_NEW(l->arena, struct ir_channel);
    model->channel[i]->index = i;
    lower_channel(l, &list->at[i], model->channel[i]);
  }
}

void dve_widen_channel(struct dve_lower *l, struct ir_channel *c, uint32_t n) {
  const struct ir_type **field = ARENA_ARRAY(l->arena, n, const struct ir_type *);
  /* What waits in a buffer needs a type: the widest. */
  for (uint32_t i = 0; i < n; i++)
    field[i] = c->capacity > 0 ? &int_type : NULL;
  c->typed = c->capacity > 0;
  c->n_fields = n;
  c->field = field;
}
