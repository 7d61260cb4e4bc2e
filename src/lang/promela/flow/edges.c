/* edges.c - the edges of each location.
 *
 * A choice has the edges of its options, through nested choices and blocks, in the order
 * of the text. In front of them come the edges of the escapes that apply to them, those of
 * the outermost escape first.
 */
#include "lang/promela/flow/flow.h"

#include "ir/ir.h"

static bool is_choice(const struct flow_node *node) {
  return node->kind == FLOW_CHOICE || node->kind == FLOW_GROUP;
}

/* An option that can never be taken. */
static bool is_dead(const struct flow_node *choice, const struct flow_node *option) {
  return choice->kind == FLOW_CHOICE && flow_is_constant(option, 0) && option->escapes.n == 0;
}

/* ---- labels ---- */

/* A place that is passed over hands what its label means to the place after it. */
static void mark_options(struct flow_node *choice, bool is_inner) {
  for (uint32_t i = 0; i < choice->parts.n; i++) {
    struct flow_node *option = flow_start(choice->parts.at[i]);
    if (is_inner)
      option->marks |= choice->marks;
    if (is_choice(option))
      mark_options(option, true);
  }
}

static void mark_targets(struct flow_node *choice) {
  for (uint32_t i = 0; i < choice->parts.n; i++) {
    struct flow_node *option = flow_start(choice->parts.at[i]);
    if (is_choice(option))
      mark_targets(option);
    else if (option->to != NULL)
      option->to->marks |= option->marks;
  }
}

/* ---- edges ---- */

static void push_edge(struct flow *f, struct flow_edges *list, const struct flow_node *origin) {
  struct flow_edge *e = ARENA_PUSH(f->arena, list);
  e->origin = origin;
}

static void add_options(struct flow *f, struct flow_edges *list,
                        const struct flow_node *choice) {
  for (uint32_t i = 0; i < choice->parts.n; i++) {
    const struct flow_node *option = flow_start(choice->parts.at[i]);
    if (is_dead(choice, option))
      continue;
    if (is_choice(option))
      add_options(f, list, option);
    else if (option->kind != FLOW_UNLESS)
      push_edge(f, list, option);
  }
}

static void find_edges(struct flow *f, struct flow_node *node) {
  if (is_choice(node))
    add_options(f, &node->edges, node);
  else if (node->kind != FLOW_UNLESS)
    push_edge(f, &node->edges, node);
}

const struct flow_edges *flow_guards(const struct flow_node *dstep, struct flow_node **inside) {
  struct flow_node *first = flow_start(dstep->parts.at[0]);
  *inside = first->edges.n == 1 ? NULL : first;
  return &first->edges;
}

/* Whether the step is itself an option of the choice, or of one inside of it. */
static bool has_option(const struct flow_node *choice, const struct flow_node *step) {
  for (uint32_t i = 0; i < choice->parts.n; i++) {
    const struct flow_node *option = flow_start(choice->parts.at[i]);
    if ((option == step && choice->kind == FLOW_CHOICE) ||
        (is_choice(option) && has_option(option, step)))
      return true;
  }
  return false;
}

bool flow_chooses(const struct flow_node *dstep, const struct flow_node *step) {
  const struct flow_node *first = flow_start(dstep->parts.at[0]);
  return is_choice(first) && has_option(first, step);
}

/* ---- escapes ---- */

static bool has_edge(const struct flow_edges *list, const struct flow_node *origin) {
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i].origin == origin)
      return true;
  return false;
}

/* The edges of an escape in front, one by one. */
static void add_escape(struct flow *f, struct flow_edges *list, const struct flow_node *start) {
  for (uint32_t i = 0; i < start->edges.n; i++) {
    const struct flow_node *origin = start->edges.at[i].origin;
    if (has_edge(list, origin))
      continue;
    (void)ARENA_PUSH(f->arena, list);
    for (uint32_t j = list->n - 1; j > 0; j--)
      list->at[j] = list->at[j - 1];
    list->at[0] = (struct flow_edge){origin, start->number};
  }
}

static void add_escapes(struct flow *f, struct flow_node *node) {
  struct flow_edges own = node->edges;
  if (node->dstep != NULL)
    return;
  struct flow_edges list = {NULL, 0, 0};
  for (uint32_t i = 0; i < own.n; i++)
    *ARENA_PUSH(f->arena, &list) = own.at[i];
  for (uint32_t i = 0; i < own.n; i++) {
    const struct flow_node *origin = own.at[i].origin;
    for (uint32_t j = 0; origin->kind != FLOW_JOIN && j < origin->escapes.n; j++)
      add_escape(f, &list, flow_arrive(f, origin->escapes.at[j]->first, origin->status));
  }
  node->edges = list;
}

/* ---- locations ---- */

static void push_reached(struct flow *f, struct flow_node *node) {
  if (node == NULL || node->location != FLOW_NOWHERE)
    return;
  node->location = f->n_locations;
  f->location[f->n_locations++] = node;
}

static void reach_from(struct flow *f, const struct flow_node *node) {
  for (uint32_t i = 0; i < node->edges.n; i++) {
    const struct flow_node *origin = node->edges.at[i].origin;
    push_reached(f, origin->to);
    struct flow_node *inside = NULL;
    if (origin->kind == FLOW_DSTEP) {
      const struct flow_edges *guards = flow_guards(origin, &inside);
      push_reached(f, inside);
      for (uint32_t j = 0; j < guards->n; j++)
        push_reached(f, guards->at[j].origin->to);
    }
  }
}

/* Locations in the order of the text. */
static void number_locations(struct flow *f) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < f->nodes.n; i++) {
    struct flow_node *node = f->nodes.at[i];
    if (node->location == FLOW_NOWHERE)
      continue;
    node->location = n;
    f->location[n++] = node;
  }
}

static void add_all_edges(struct flow *f) {
  for (uint32_t i = 0; i < f->nodes.n; i++)
    if (is_choice(f->nodes.at[i]))
      mark_options(f->nodes.at[i], false);
  for (uint32_t i = 0; i < f->nodes.n; i++)
    if (is_choice(f->nodes.at[i]))
      mark_targets(f->nodes.at[i]);
  for (uint32_t i = 0; i < f->nodes.n; i++)
    find_edges(f, f->nodes.at[i]);
  for (uint32_t i = 0; i < f->nodes.n; i++) {
    const struct flow_node *node = f->nodes.at[i];
    if (node->kind == FLOW_JOIN && (node->marks & IR_VALID_END) != 0 && node->to != NULL)
      node->to->marks |= IR_VALID_END;
  }
  for (uint32_t i = 0; i < f->nodes.n; i++)
    add_escapes(f, f->nodes.at[i]);
  f->location = ARENA_ARRAY(f->arena, f->nodes.n, struct flow_node *);
  push_reached(f, f->start);
  for (uint32_t i = 0; i < f->n_locations; i++)
    reach_from(f, f->location[i]);
  number_locations(f);
}

bool flow_make(struct flow *f) {
  flow_build(f);
  if (!flow_link(f))
    return false;
  add_all_edges(f);
  return true;
}
