/* expr.c - expressions, and receives, which a poll is made of. */
#include "lang/promela/lower/lower.h"

#include <string.h>

/* ---- variables ---- */

struct lower_home *lower_find(struct promela_lower *l, const struct promela_variable *v) {
  if (v->owner == NULL)
    return &l->global[v->index];
  return &l->frame[v->owner->index].home[v->index];
}

/* The indices on the way to a field, from the outside. */
struct level {
  struct ir_expr *index;
  uint32_t length;
};

struct path {
  const struct lower_home *home;
  struct {
    struct level *at;
    uint32_t n, capacity;
  } levels;
};

static void add_level(struct promela_lower *l, struct path *path, struct ir_expr *index,
                      uint32_t length) {
  *ARENA_PUSH(l->arena, &path->levels) = (struct level){index, length};
}

static void add_index(struct promela_lower *l, struct path *path,
                      const struct promela_expr *e) {
  if (e->variable->is_array)
    add_level(l, path, e->a != NULL ? lower_expr(l, e->a) : lower_constant(l, 0, e->span),
              e->variable->length);
}

static struct path find_path(struct promela_lower *l, const struct promela_expr *e) {
  if (e->kind == PROMELA_FIELD) {
    struct path path = find_path(l, e->b);
    path.home = &path.home->field[e->variable->index];
    add_index(l, &path, e);
    return path;
  }
  struct path path = {lower_find(l, e->variable), {NULL, 0, 0}};
  add_index(l, &path, e);
  return path;
}

static bool is_inside(const struct level *level) {
  return level->index->kind == IR_CONST && level->index->value >= 0 &&
         (uint32_t)level->index->value < level->length;
}

/* One index is checked by the element itself; of several each on its own. */
static struct ir_expr *checked(struct promela_lower *l, const struct path *path, uint32_t i) {
  const struct level *level = &path->levels.at[i];
  if (path->levels.n == 1 || is_inside(level))
    return level->index;
  struct ir_expr *e = lower_new(l, IR_CHECKED, level->index->span);
  e->a = level->index;
  e->value = (int32_t)level->length;
  return e;
}

static struct ir_expr *path_index(struct promela_lower *l, const struct path *path) {
  struct ir_expr *index = checked(l, path, 0);
  for (uint32_t i = 1; i < path->levels.n; i++) {
    struct ir_expr *length = lower_constant(l, (int32_t)path->levels.at[i].length, index->span);
    index =
        lower_binary(l, IR_ADD, lower_binary(l, IR_MUL, index, length), checked(l, path, i));
  }
  return index;
}

static struct ir_expr *path_expr(struct promela_lower *l, const struct path *path,
                                 struct span span) {
  const bool is_element = path->levels.n > 0; /* an array on the way makes it one */
  struct ir_expr *e = lower_new(l, is_element ? IR_ELEMENT : IR_VARIABLE, span);
  e->variable = path->home->variable;
  if (is_element)
    e->a = path_index(l, path);
  return e;
}

/* The value of a constant, or of a variable that still has its initial value. */
static struct ir_expr *known_value(struct promela_lower *l, struct ir_expr *e) {
  const struct ir_variable *v = e->variable;
  if (!v->is_const && !l->initialising)
    return e;
  if (e->kind == IR_VARIABLE)
    return lower_constant(l, v->initial[0], e->span);
  bool known = e->a->kind == IR_CONST && e->a->value >= 0 && (uint32_t)e->a->value < v->length;
  return known ? lower_constant(l, v->initial[e->a->value], e->span) : e;
}

struct ir_expr *lower_target(struct promela_lower *l, const struct promela_expr *e) {
  struct path path = find_path(l, e);
  return path_expr(l, &path, e->span);
}

static void flatten(struct promela_lower *l, struct path *path, struct span span,
                    struct lower_exprs *list) {
  if (path->home->variable != NULL) {
    *ARENA_PUSH(l->arena, list) = path_expr(l, path, span);
    return;
  }
  const struct lower_home *home = path->home;
  const struct promela_variables *fields = &home->declared->type.structure->fields;
  for (uint32_t i = 0; i < fields->n; i++) {
    const struct promela_variable *field = fields->at[i];
    path->home = &home->field[i];
    for (uint32_t j = 0; j < field->length; j++) {
      uint32_t kept = path->levels.n;
      if (field->is_array)
        add_level(l, path, lower_constant(l, (int32_t)j, span), field->length);
      flatten(l, path, span, list);
      path->levels.n = kept;
    }
  }
  path->home = home;
}

void lower_elements(struct promela_lower *l, const struct lower_home *home, struct span span,
                    struct lower_exprs *list) {
  for (uint32_t i = 0; i < home->declared->length; i++) {
    struct path path = {home, {NULL, 0, 0}};
    if (home->declared->is_array)
      add_level(l, &path, lower_constant(l, (int32_t)i, span), home->declared->length);
    flatten(l, &path, span, list);
  }
}

static bool is_struct(const struct promela_expr *e) {
  return (e->kind == PROMELA_VARIABLE || e->kind == PROMELA_FIELD) &&
         e->type.base == PROMELA_STRUCT;
}

void lower_arguments(struct promela_lower *l, const struct promela_exprs *given,
                     struct lower_exprs *list) {
  for (uint32_t i = 0; i < given->n; i++) {
    if (is_struct(given->at[i])) {
      struct path path = find_path(l, given->at[i]);
      flatten(l, &path, given->at[i]->span, list);
    } else {
      *ARENA_PUSH(l->arena, list) = lower_expr(l, given->at[i]);
    }
  }
}

/* ---- operators ---- */

static enum ir_expr_kind operator_of(enum promela_expr_kind kind) {
  static const enum ir_expr_kind kinds[] = {
      [PROMELA_NEG] = IR_NEG, [PROMELA_CPL] = IR_CPL,   [PROMELA_NOT] = IR_NOT,
      [PROMELA_MUL] = IR_MUL, [PROMELA_DIV] = IR_DIV,   [PROMELA_MOD] = IR_MOD,
      [PROMELA_ADD] = IR_ADD, [PROMELA_SUB] = IR_SUB,   [PROMELA_SHL] = IR_SHL,
      [PROMELA_SHR] = IR_SHR, [PROMELA_LT] = IR_LT,     [PROMELA_LE] = IR_LE,
      [PROMELA_GT] = IR_GT,   [PROMELA_GE] = IR_GE,     [PROMELA_EQ] = IR_EQ,
      [PROMELA_NE] = IR_NE,   [PROMELA_BAND] = IR_BAND, [PROMELA_BXOR] = IR_BXOR,
      [PROMELA_BOR] = IR_BOR, [PROMELA_AND] = IR_AND,   [PROMELA_OR] = IR_OR,
  };
  return kinds[kind];
}

static struct ir_expr *binary(struct promela_lower *l, const struct promela_expr *e) {
  struct ir_expr *a = lower_expr(l, e->a);
  struct ir_expr *result = lower_binary(l, operator_of(e->kind), a, lower_expr(l, e->b));
  result->span = e->span;
  return result;
}

struct ir_expr *lower_conditional(struct promela_lower *l, const struct promela_expr *e,
                                  struct ir_expr *(*part)(struct promela_lower *,
                                                          const struct promela_expr *)) {
  struct ir_expr *a = part(l, e->a);
  struct ir_expr *b = part(l, e->b), *c = part(l, e->c);
  if (a->kind == IR_CONST)
    return a->value != 0 ? b : c;
  struct ir_expr *result = lower_new(l, IR_COND, e->span);
  result->a = a;
  result->b = b;
  result->c = c;
  return result;
}

static struct ir_expr *with_operand(struct promela_lower *l, enum ir_expr_kind kind,
                                    const struct promela_expr *e) {
  struct ir_expr *result = lower_new(l, kind, e->span);
  result->a = lower_expr(l, e->a);
  return result;
}

/* ---- channels ---- */

struct ir_operation *lower_operation(struct promela_lower *l, struct span span,
                                     const struct promela_expr *channel,
                                     const struct lower_exprs *values) {
  struct ir_operation *o = ARENA_NEW(l->arena, struct ir_operation);
  o->span = span;
  o->channel = lower_expr(l, channel);
  o->n_values = values->n;
  o->value = values->at;
  return o;
}

/* What must match, and what takes the value. */
static void lower_pattern(struct promela_lower *l, const struct promela_expr *e,
                          struct lower_exprs *values) {
  struct promela_expr *one[1];
  struct promela_exprs single = {one, 1, 1};
  struct ir_expr *match;
  switch (e->kind) {
  case PROMELA_CONST:
    *ARENA_PUSH(l->arena, values) = lower_constant(l, e->value, e->span);
    return;
  case PROMELA_SCRATCH:
    *ARENA_PUSH(l->arena, values) = lower_new(l, IR_DROP, e->span);
    return;
  case PROMELA_VARIABLE:
  case PROMELA_FIELD:
    if (e->type.base != PROMELA_STRUCT) {
      *ARENA_PUSH(l->arena, values) = lower_target(l, e);
      return;
    }
    *one = ARENA_NEW(l->arena, struct promela_expr);
    **one = *e;
    lower_arguments(l, &single, values);
    return;
  default:
    match = lower_new(l, IR_MATCH, e->span);
    match->a = lower_expr(l, e);
    *ARENA_PUSH(l->arena, values) = match->a->kind == IR_CONST ? match->a : match;
  }
}

struct ir_operation *lower_receive(struct promela_lower *l, struct span span,
                                   const struct promela_expr *channel,
                                   const struct promela_exprs *arguments, bool random,
                                   bool keep) {
  struct lower_exprs values = {NULL, 0, 0};
  for (uint32_t i = 0; i < arguments->n; i++)
    lower_pattern(l, arguments->at[i], &values);
  struct ir_operation *o = lower_operation(l, span, channel, &values);
  o->random = random;
  o->keep = keep;
  return o;
}

/* len, and what all questions about a channel are made of. */
static struct ir_expr *of_channel(struct promela_lower *l, enum ir_expr_kind about,
                                  const struct promela_expr *e) {
  struct ir_expr *result = with_operand(l, about, e);
  unsigned use = IR_RECEIVES | IR_SENDS;
  if (e->kind == PROMELA_NEMPTY)
    use = IR_RECEIVES;
  if (e->kind == PROMELA_NFULL)
    use = IR_SENDS;
  lower_use(l, result->a, use);
  return result;
}

static struct ir_expr *about_channel(struct promela_lower *l, enum ir_expr_kind about,
                                     enum ir_expr_kind test, const struct promela_expr *e) {
  return lower_binary(l, test, of_channel(l, about, e), lower_constant(l, 0, e->span));
}

/* A rendezvous channel has no messages, and is empty and not full. */
static struct ir_expr *is_full(struct promela_lower *l, const struct promela_expr *e) {
  struct ir_expr *messages = about_channel(l, IR_LENGTH, IR_GT, e);
  return lower_binary(l, IR_AND, messages, about_channel(l, IR_ROOM, IR_EQ, e));
}

static struct ir_expr *poll(struct promela_lower *l, const struct promela_expr *e) {
  struct ir_expr *result = lower_new(l, IR_POLL, e->span);
  struct ir_operation *o = lower_receive(l, e->span, e->a, &e->arguments, e->random, true);
  lower_use(l, o->channel, IR_RECEIVES | IR_SENDS);
  result->operation = o;
  return result;
}

/* ---- other processes ---- */

static struct ir_expr *at_location(struct promela_lower *l, const struct promela_expr *e,
                                   uint32_t location) {
  struct ir_expr *result = lower_new(l, IR_LOCATED, e->span);
  result->process = l->frame[e->proctype->index].process;
  result->a = e->a == NULL ? NULL : lower_expr(l, e->a);
  result->location = location;
  lower_warn_of_never(l, e, result->a);
  return result;
}

/* NULL stands for what is never so. */
static struct ir_expr *either(struct promela_lower *l, struct ir_expr *a, struct ir_expr *b) {
  if (a == NULL || b == NULL)
    return a == NULL ? b : a;
  return lower_binary(l, IR_OR, a, b);
}

/* Whether the process is at this one of the labels, or in front of blocks that begin with it;
 * NULL: it never is. */
static struct ir_expr *at_label(struct promela_lower *l, const struct promela_expr *e,
                                const struct promela_label *label) {
  struct flow *flow = &l->frame[e->proctype->index].flow;
  struct flow_node *node = flow_labelled(flow, label);
  if (node == NULL)
    return NULL;
  const struct flow_node *there = flow_arrive(flow, node, 0);
  struct ir_expr *any = NULL;
  for (uint32_t i = 0; i < flow->n_locations; i++)
    if (flow->location[i] == there || flow_begins_with(flow->location[i], node))
      any = either(l, any, at_location(l, e, i));
  return any;
}

static struct ir_expr *remote_label(struct promela_lower *l, const struct promela_expr *e) {
  struct ir_expr *any = NULL;
  for (uint32_t i = 0; i < e->proctype->labels.n; i++) {
    const struct promela_label *label = e->proctype->labels.at[i];
    if (strcmp(label->name, e->label->name) == 0)
      any = either(l, any, at_label(l, e, label));
  }
  return any == NULL ? lower_constant(l, 0, e->span) : any;
}

static struct ir_expr *remote_variable(struct promela_lower *l, const struct promela_expr *e) {
  const bool is_number = e->b->kind == PROMELA_PID_VALUE;
  struct ir_expr *result = lower_new(l, is_number ? IR_NUMBER : IR_FOREIGN, e->span);
  result->process = l->frame[e->proctype->index].process;
  result->a = e->a == NULL ? NULL : lower_expr(l, e->a);
  lower_warn_of_never(l, e, result->a);
  result->b = is_number ? NULL : lower_target(l, e->b);
  return result;
}

static struct ir_expr *refuse(struct promela_lower *l, const struct promela_expr *e) {
  if (!l->has_failed)
    diag_error(l->diag, e->span, "this cannot be part of an expression here");
  l->has_failed = true;
  return lower_constant(l, 0, e->span);
}

/* That of the command line may be the first C of the model. */
static struct ir_expr *c_expr(struct promela_lower *l, const struct promela_expr *e) {
  if (l->ir.embedded == NULL)
    lower_embedded(l);
  lower_note_c(l, e->text, e->span);
  lower_note_c(l, e->precondition, e->span);
  struct ir_expr *x = lower_new(l, IR_C_EXPR, e->span);
  x->piece = lower_piece(l, e->text, e->precondition, e->span, true);
  return x;
}

/* ---- all ---- */

static struct ir_expr *lower_other(struct promela_lower *l, const struct promela_expr *e) {
  switch (e->kind) {
  case PROMELA_LEN:
    return of_channel(l, IR_LENGTH, e);
  case PROMELA_EMPTY:
    return about_channel(l, IR_LENGTH, IR_EQ, e);
  case PROMELA_NEMPTY:
    return about_channel(l, IR_LENGTH, IR_GT, e);
  case PROMELA_FULL:
    return is_full(l, e);
  case PROMELA_NFULL:
    return lower_unary(l, IR_NOT, is_full(l, e));
  case PROMELA_POLL:
    return poll(l, e);
  case PROMELA_ENABLED:
    return with_operand(l, IR_ENABLED, e);
  case PROMELA_PC_VALUE:
    return with_operand(l, IR_PLACE, e);
  case PROMELA_GET_PRIORITY:
    return with_operand(l, IR_PRIORITY, e);
  case PROMELA_REMOTE_LABEL:
    return remote_label(l, e);
  case PROMELA_REMOTE_VAR:
    return remote_variable(l, e);
  case PROMELA_EVAL:
    return lower_expr(l, e->a);
  case PROMELA_C_EXPR:
    return c_expr(l, e);
  default:
    return refuse(l, e);
  }
}

/* With the sign in the text that reports show. */
static struct ir_expr *lower_sign(struct promela_lower *l, const struct promela_expr *e) {
  struct ir_expr *x = lower_unary(l, operator_of(e->kind), lower_expr(l, e->a));
  x->span = e->span;
  return x;
}

struct ir_expr *lower_expr(struct promela_lower *l, const struct promela_expr *e) {
  switch (e->kind) {
  case PROMELA_CONST:
    return lower_constant(l, e->value, e->span);
  case PROMELA_VARIABLE:
  case PROMELA_FIELD:
    return known_value(l, lower_target(l, e));
  case PROMELA_PID_VALUE:
    return lower_new(l, IR_SELF, e->span);
  case PROMELA_NR_PR:
    return lower_new(l, IR_LIVE, e->span);
  case PROMELA_LAST:
    return lower_new(l, IR_LAST, e->span);
  case PROMELA_PRIORITY:
    return lower_new(l, IR_PRIORITY, e->span);
  case PROMELA_TIMEOUT:
    return lower_new(l, l->process == NULL ? IR_STUCK : IR_TIMEOUT, e->span);
  case PROMELA_NP:
    return lower_new(l, IR_NONPROGRESS, e->span);
  case PROMELA_NEG:
  case PROMELA_CPL:
  case PROMELA_NOT:
    return lower_sign(l, e);
  case PROMELA_COND:
    return lower_conditional(l, e, lower_expr);
  default:
    if (e->kind >= PROMELA_MUL && e->kind <= PROMELA_OR)
      return binary(l, e);
    return lower_other(l, e);
  }
}
