/* build.c - from statements to nodes.
 *
 * The order in which nodes are numbered matters where escape sequences have escapes
 * themselves: parts come before the statement they are parts of, as a parser reads them.
 */
#include "lang/promela/flow/flow.h"

#include "ir/ir.h"
#include "lang/promela/lower/synthetic.h"
#include "lang/promela/parse/remark.h"

static struct flow_sequence *build_sequence(struct flow *, const struct promela_sequence *);
static struct flow_node *build_parts(struct flow *, struct flow_sequence *,
                                     const struct promela_stmt *);
static void add(struct flow *, struct flow_sequence *, struct flow_node *);

static struct flow_node *new_node(struct flow *f, enum flow_kind kind,
                                  const struct promela_stmt *stmt) {
  struct flow_node *node = ARENA_NEW(f->arena, struct flow_node);
  node->kind = kind;
  node->stmt = stmt;
  node->location = FLOW_NOWHERE;
  return node;
}

static void number(struct flow *f, struct flow_node *node) {
  *ARENA_PUSH(f->arena, &f->nodes) = node;
  node->number = f->nodes.n;
}

static void push_part(struct flow *f, struct flow_sequences *parts, struct flow_sequence *s) {
  *ARENA_PUSH(f->arena, parts) = s;
}

/* ---- labels ---- */

static unsigned marks_of(const struct promela_label *l) {
  return (l->is_end ? IR_VALID_END : 0u) | (l->is_accept ? IR_ACCEPTING : 0u) |
         (l->is_progress ? IR_PROGRESS : 0u);
}

static void set_labels(struct flow *f, const struct promela_label_list *list,
                       struct flow_node *node) {
  for (uint32_t i = 0; i < list->n; i++) {
    struct flow_label *l = ARENA_PUSH(f->arena, &f->labels);
    l->label = list->at[i];
    list->at[i]->flow = f->labels.n;
    l->node = node;
    node->marks |= marks_of(list->at[i]);
    node->name = node->name == NULL ? list->at[i]->name : node->name;
  }
}

static void move_labels(struct flow *f, struct flow_node *from, struct flow_node *to) {
  for (uint32_t i = 0; i < f->labels.n; i++)
    if (f->labels.at[i].node == from)
      f->labels.at[i].node = to;
  to->marks = from->marks;
  to->name = from->name;
  from->marks = 0;
  from->name = NULL;
}

static bool is_remote(const struct flow *f, const struct flow_node *node) {
  for (uint32_t i = 0; i < f->remote.n; i++)
    if (flow_labelled(f, f->remote.at[i]) == node)
      return true;
  return false;
}

/* ---- sequences ---- */

/* A goto is passed over, so that a label that means something needs a step of its own to
 * be at. */
static void append(struct flow *f, struct flow_sequence *s, struct flow_node *node) {
  if (node->kind == FLOW_GOTO && (node->marks != 0 || is_remote(f, node))) {
    struct flow_node *skip = new_node(f, FLOW_STEP, synthetic_skip(f->arena, node->stmt));
    number(f, skip);
    move_labels(f, node, skip);
    append(f, s, skip);
  }
  if (s->first == NULL)
    s->first = node;
  else
    s->last->next = node;
  s->last = node;
}

/* ---- atomic ---- */

static struct flow_node *build_group(struct flow *f, const struct promela_stmt *stmt) {
  enum flow_kind kind = stmt->kind == PROMELA_D_STEP ? FLOW_DSTEP : FLOW_GROUP;
  struct flow_node *node = new_node(f, kind, stmt);
  push_part(f, &node->parts, build_sequence(f, stmt->body));
  node->marks = node->parts.at[0]->first->marks;
  if (stmt->kind != PROMELA_BLOCK) {
    flow_walk_atomic(node->parts.at[0], kind == FLOW_DSTEP ? node : NULL);
    flow_end_atomic(node->parts.at[0]);
  }
  return node;
}

/* ---- unless ---- */

/* Braces around the whole of a part are no block of their own. */
static const struct promela_sequence *inside_braces(const struct promela_sequence *s) {
  bool whole = s->n == 1 && s->at[0]->kind == PROMELA_BLOCK;
  return whole ? s->at[0]->body : s;
}

static bool is_atomic_with_label(const struct promela_sequence *s) {
  return s->n == 1 && s->at[0]->kind == PROMELA_ATOMIC && s->at[0]->labels.n > 0;
}

static bool is_single(const struct promela_sequence *s) {
  return s->n == 1 && s->at[0]->kind != PROMELA_BLOCK;
}

/* Label: { … } unless …: the label is that of a block around both. */
static const struct promela_label_list *unless_labels(const struct promela_stmt *stmt) {
  const struct promela_stmt *first = stmt->body->at[0];
  bool block = first->kind == PROMELA_BLOCK || first->kind == PROMELA_ATOMIC;
  return stmt->labels.n == 0 && stmt->body->n == 1 && block ? &first->labels : &stmt->labels;
}

/* The parts of single statements are read before the statements are made: the escape's
 * first. */
static struct flow_node *build_unless(struct flow *f, const struct promela_stmt *stmt) {
  struct flow_node *node = new_node(f, FLOW_UNLESS, stmt);
  const struct promela_sequence *given[2] = {stmt->body, stmt->escape};
  struct flow_sequence *made[2];
  struct flow_node *single[2] = {NULL, NULL};
  for (uint32_t i = 0; i < 2; i++) {
    made[i] = is_single(given[i]) ? ARENA_NEW(f->arena, struct flow_sequence)
                                  : build_sequence(f, inside_braces(given[i]));
    if (is_single(given[i]))
      single[i] = build_parts(f, made[i], given[i]->at[0]);
  }
  for (uint32_t i = 2; i-- > 0;) {
    if (single[i] != NULL && is_atomic_with_label(given[i]))
      made[i] = single[i]->parts.at[0];
    else if (single[i] != NULL)
      add(f, made[i], single[i]);
    made[i]->extent = made[i]->last;
  }
  push_part(f, &node->parts, made[0]);
  push_part(f, &node->parts, made[1]);
  return node;
}

static void add_unless(struct flow *f, struct flow_sequence *s, struct flow_node *node) {
  const struct promela_label_list *labels = unless_labels(node->stmt);
  if (labels->n > 0 && !node->is_wrapped) {
    struct flow_node *group = new_node(f, FLOW_GROUP, node->stmt);
    struct flow_sequence *inside = ARENA_NEW(f->arena, struct flow_sequence);
    node->is_wrapped = true;
    add_unless(f, inside, node);
    push_part(f, &group->parts, inside);
    inside->extent = inside->last;
    set_labels(f, labels, group);
    number(f, group);
    append(f, s, group);
    return;
  }
  number(f, node);
  struct flow_node *join = new_node(f, FLOW_JOIN, node->stmt);
  number(f, join);
  for (uint32_t i = 0; i < 2; i++)
    append(f, node->parts.at[i], join);
  flow_attach(f, node->parts.at[0], node->parts.at[1]);
  append(f, s, node);
  append(f, s, join);
}

/* ---- choices ---- */

/* Of several skips and prints in a row only the first skip counts, as in Spin: those after
 * it are left out, but as the last of an option. In never claims all count. */
static void drop_skips(struct flow_sequence *s) {
  struct flow_node *before = NULL;
  uint32_t in_a_row = 0;
  for (struct flow_node *node = s->first; node != NULL; node = node->next) {
    enum promela_stmt_kind kind = node->stmt->kind;
    bool prints = node->kind == FLOW_STEP && (kind == PROMELA_PRINTF || kind == PROMELA_PRINTM);
    if ((prints || flow_is_constant(node, 1)) && node->name == NULL)
      in_a_row++;
    else
      in_a_row = 0;
    if (in_a_row > 1 && !prints && node != s->first && node != s->last)
      before->next = node->next;
    else
      before = node;
  }
}

static bool begins_with_else(const struct flow_sequence *s) {
  return s->first->kind == FLOW_STEP && s->first->stmt->kind == PROMELA_ELSE;
}

/* Else is tried last, wherever it was written. */
static void move_else(struct flow_node *node) {
  struct flow_sequences *parts = &node->parts;
  uint32_t kept = 0;
  struct flow_sequence *last = NULL;
  for (uint32_t i = 0; i < parts->n; i++) {
    if (last == NULL && begins_with_else(parts->at[i]))
      last = parts->at[i];
    else
      parts->at[kept++] = parts->at[i];
  }
  if (last != NULL)
    parts->at[kept] = last;
}

static struct flow_node *build_choice(struct flow *f, const struct promela_stmt *stmt) {
  struct flow_node *node = new_node(f, FLOW_CHOICE, stmt);
  node->is_loop = stmt->kind == PROMELA_DO;
  for (uint32_t i = 0; i < stmt->options.n; i++) {
    struct flow_sequence *option = build_sequence(f, stmt->options.at[i]);
    push_part(f, &node->parts, option);
  }
  for (uint32_t i = 0; i < node->parts.n && f->proctype->kind != PROMELA_NEVER; i++)
    drop_skips(node->parts.at[i]);
  return node;
}

static void add_choice(struct flow *f, struct flow_sequence *s, struct flow_node *node) {
  number(f, node);
  struct flow_node *join = new_node(f, FLOW_JOIN, node->stmt), *after = join;
  number(f, join);
  move_else(node);
  for (uint32_t i = 0; i < node->parts.n; i++)
    append(f, node->parts.at[i], join);
  if (node->is_loop) {
    append(f, s, join);
    after = new_node(f, FLOW_EXIT, node->stmt);
    number(f, after);
    struct flow_exit *e = ARENA_PUSH(f->arena, &f->exits);
    e->loop = node->stmt;
    e->node = after;
  }
  append(f, s, node);
  append(f, s, after);
}

/* ---- for and select ---- */

static void add_statement(struct flow *f, struct flow_sequence *s,
                          const struct promela_stmt *stmt) {
  struct flow_node *node = build_parts(f, s, stmt);
  if (node != NULL)
    add(f, s, node);
}

static struct flow_sequence *close(struct flow_sequence *s) {
  s->extent = s->last;
  return s;
}

/* `otherwise` or NULL: what is done before. */
static struct flow_sequence *leave(struct flow *f, const struct promela_stmt *stmt,
                                   const struct promela_stmt *otherwise) {
  struct flow_sequence *s = ARENA_NEW(f->arena, struct flow_sequence);
  if (otherwise != NULL)
    add_statement(f, s, otherwise);
  add_statement(f, s, synthetic_break(f->arena, stmt));
  return close(s);
}

/* Spin's label of a for is after the first assignment. */
static void set_loop_labels(struct flow *f, const struct promela_stmt *stmt,
                            struct flow_node *start) {
  if (f->model->as_spin)
    return;
  for (uint32_t i = 0; i < stmt->labels.n; i++)
    if (stmt->labels.at[i]->is_used)
      promela_remark(f->model, f->diag, stmt->labels.at[i]->span,
                     "this label is in front of the whole loop, with its first assignment; a "
                     "goto in Spin jumps after that",
                     "--spin does the same as Spin");
  set_labels(f, &stmt->labels, start);
}

/* do :: condition -> inside; body; target++ :: else -> break od; the first assignment has
 * gone into the sequence around it. */
static struct flow_node *build_for(struct flow *f, struct flow_sequence *s,
                                   const struct promela_stmt *stmt) {
  struct synthetic_for parts = synthetic_for(f->arena, f->proctype, stmt);
  add_statement(f, s, parts.start);
  set_loop_labels(f, stmt, s->last);
  struct flow_sequence *turn = ARENA_NEW(f->arena, struct flow_sequence);
  add_statement(f, turn, parts.condition);
  if (parts.take != NULL) {
    add_statement(f, turn, parts.take);
    add_statement(f, turn, parts.give_back);
  }
  for (uint32_t i = 0; stmt->body != NULL && i < stmt->body->n; i++)
    add_statement(f, turn, stmt->body->at[i]);
  add_statement(f, turn, parts.increment);
  struct flow_node *node = new_node(f, FLOW_CHOICE, stmt);
  node->is_loop = true;
  push_part(f, &node->parts, leave(f, stmt, parts.otherwise));
  push_part(f, &node->parts, close(turn));
  if (stmt->kind == PROMELA_SELECT && flow_is_plain_select(stmt)) {
    struct flow_sequence *first = node->parts.at[0];
    node->parts.at[0] = node->parts.at[1];
    node->parts.at[1] = first;
  }
  return node;
}

static struct flow_node *build_select(struct flow *f, struct flow_sequence *s,
                                      const struct promela_stmt *stmt) {
  const uint32_t n = flow_select_values(f, stmt);
  if (n == 0)
    return build_for(f, s, stmt);
  struct flow_node *node = new_node(f, FLOW_CHOICE, stmt);
  for (int32_t i = 0; i < (int32_t)n; i++) {
    struct flow_sequence *option = ARENA_NEW(f->arena, struct flow_sequence);
    add_statement(f, option, synthetic_choice(f->arena, stmt, stmt->a->value + i));
    push_part(f, &node->parts, close(option));
  }
  return node;
}

/* ---- declarations ---- */

/* At the beginning of a proctype, but not of a block, they are no steps; nor is an array
 * with one value for all elements, which has them from the beginning. */
static void add_declarations(struct flow *f, struct flow_sequence *s,
                             const struct promela_stmt *stmt) {
  bool at_start = stmt->at_start && s == &f->body;
  for (uint32_t i = 0; !at_start && i < stmt->variables.n; i++) {
    struct promela_variable *v = stmt->variables.at[i];
    if (v->channel != NULL || (v->is_array && v->initial != NULL))
      continue;
    struct flow_node *node = new_node(f, FLOW_STEP, synthetic_declaration(f->arena, stmt, v));
    number(f, node);
    append(f, s, node);
  }
}

/* ---- statements ---- */

/* The node of a statement, with its parts, not yet in a sequence. NULL: there is none, or
 * what there is went into the sequence. */
static struct flow_node *build_parts(struct flow *f, struct flow_sequence *s,
                                     const struct promela_stmt *stmt) {
  switch (stmt->kind) {
  case PROMELA_IF:
  case PROMELA_DO:
    return build_choice(f, stmt);
  case PROMELA_ATOMIC:
  case PROMELA_D_STEP:
  case PROMELA_BLOCK:
    return build_group(f, stmt);
  case PROMELA_UNLESS:
    return build_unless(f, stmt);
  case PROMELA_FOR:
  case PROMELA_FOR_IN:
    return build_for(f, s, stmt);
  case PROMELA_SELECT:
    return build_select(f, s, stmt);
  case PROMELA_DECLARE:
    add_declarations(f, s, stmt);
    return NULL;
  case PROMELA_EXCLUSIVE:
    return NULL;
  case PROMELA_GOTO:
  case PROMELA_BREAK:
    return new_node(f, FLOW_GOTO, stmt);
  default:
    return new_node(f, FLOW_STEP, stmt);
  }
}

static void add(struct flow *f, struct flow_sequence *s, struct flow_node *node) {
  const struct promela_stmt *stmt = node->stmt;
  bool written_loop = node->kind != FLOW_CHOICE || !node->is_loop || stmt->kind == PROMELA_DO ||
                      f->model->as_spin;
  if (written_loop && node->kind != FLOW_UNLESS)
    set_labels(f, &stmt->labels, node);
  if (node->kind == FLOW_CHOICE) {
    add_choice(f, s, node);
  } else if (node->kind == FLOW_UNLESS) {
    add_unless(f, s, node);
  } else {
    number(f, node);
    append(f, s, node);
  }
}

static struct flow_sequence *build_sequence(struct flow *f,
                                            const struct promela_sequence *given) {
  struct flow_sequence *s = ARENA_NEW(f->arena, struct flow_sequence);
  for (uint32_t i = 0; i < given->n; i++)
    add_statement(f, s, given->at[i]);
  if (s->first == NULL)
    add_statement(f, s, synthetic_skip(f->arena, given->n > 0 ? given->at[0] : NULL));
  return close(s);
}

void flow_build(struct flow *f) {
  for (uint32_t i = 0; i < f->proctype->body.n; i++)
    add_statement(f, &f->body, f->proctype->body.at[i]);
  struct promela_stmt *brace = synthetic_skip(f->arena, NULL);
  brace->span = f->proctype->end;
  struct flow_node *end = new_node(f, FLOW_END, brace);
  end->marks = IR_VALID_END;
  number(f, end);
  append(f, &f->body, end);
  f->body.extent = end;
}
