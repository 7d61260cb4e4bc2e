/* tdtree.c - the tree of open states and of those from which they were reached.
 *
 * Figure 3 of Evangelista and Kristensen keeps two attributes with every stored state,
 * `pred` and `refs`. Here they are in nodes that only states of the tree have: a state
 * that leaves gives its node back, so the nodes are as many as the tree was large at its
 * peak, whatever is stored. A node also keeps the event that led to it, from which
 * reductions know how a state was discovered, and counterexamples how to get there.
 *
 * Invariants: refs of a node is the number of its children in the tree, plus one while
 * it is open (I4 of the paper); so a node with refs 0 has no open descendant and is not
 * needed (I3). Initial states are roots: there may be several, and then it is a forest.
 *
 * Nodes are given out group by group, in each from its first free one on, and a group is
 * taken up again when a quarter of it is free. So states found one after the other have
 * their nodes side by side, also when most nodes were used before; breadth-first, where
 * they will be asked for in the same order, half of the time went to waiting for nodes that
 * lay in the order in which others had been given back.
 *
 * Keeping the states of all nodes is enough to end: a search that went round a cycle for
 * ever would generate each state of it from the one before, so that all of them were in
 * the tree and stored, and the last edge of the cycle would find its target. Two kinds
 * of states may go even so, and their nodes stay without a state: those of chains
 * (docs/caching.md), and those that the sweep-line has passed.
 */
#include "search/tree/tdtree.h"

#include "base/array.h"
#include "store/room/save.h"

enum {
  ENOUGH = 16 /* of them, free, make it worth taking up: at most a quarter is idle */
};

bool tdtree_open(struct tdtree *tree, const struct ts_shape *shape,
                 const struct store_kind *kind, struct store_work *work,
                 struct budget *budget) {
  *tree = (struct tdtree){.first = TDTREE_NONE,
                          .enough = ENOUGH,
                          .store_kind = kind,
                          .work = work,
                          .budget = budget};
  uint32_t bytes = sizeof(struct tdtree_node);
  if (!(kind->has & STORE_GETS) || !(kind->has & (STORE_IDS | STORE_HANDLES))) {
    tree->pack = pack_open(shape, budget);
    if (tree->pack == NULL)
      return false;
    bytes += pack_bytes(tree->pack) + 8;
  }
  bytes = (bytes + 7u) & ~7u;
  segments_init(&tree->nodes, budget, BUDGET_OPEN, bytes, (uint64_t)TDTREE_GROUP * bytes);
  return true;
}

void tdtree_close(struct tdtree *tree) {
  if (tree->nodes.budget != NULL)
    segments_free(&tree->nodes);
  array_free(tree->budget, BUDGET_OPEN, tree->place, tree->place_room * sizeof *tree->place);
  if (tree->pack != NULL)
    pack_close(tree->pack);
  *tree = (struct tdtree){0};
}

static struct tdtree_group *group_at(const struct tdtree *tree, uint32_t first) {
  return (struct tdtree_group *)(void *)tree->place[first / TDTREE_GROUP];
}

static void list_group(struct tdtree *tree, struct tdtree_group *group, uint32_t first) {
  bool append = tree->in_turn && tree->first != TDTREE_NONE;
  group->listed = true;
  group->next = append ? TDTREE_NONE : tree->first;
  if (append)
    group_at(tree, tree->last)->next = first;
  else
    tree->first = first;
  if (group->next == TDTREE_NONE)
    tree->last = first;
}

/* No more nodes can be made: from now on a group is given out for one free node. */
static void list_all(struct tdtree *tree) {
  if (tree->enough == 1)
    return;
  tree->enough = 1;
  for (uint32_t first = 0; first < tree->made; first += TDTREE_GROUP) {
    struct tdtree_group *group = group_at(tree, first);
    if (group->n_free > 0 && !group->listed)
      list_group(tree, group, first);
  }
}

/* Room to say where one more group is. */
static bool make_place(struct tdtree *tree) {
  if (tree->made / TDTREE_GROUP < tree->place_room)
    return true;
  uint8_t **place =
      array_grow(tree->budget, BUDGET_OPEN, tree->place, &tree->place_room, sizeof *place);
  if (place == NULL)
    return false;
  tree->place = place;
  return true;
}

static bool make_group(struct tdtree *tree) {
  if (tree->made > TDTREE_NONE - 2 * TDTREE_GROUP || !make_place(tree) ||
      segments_make(&tree->nodes, tree->made) == NULL)
    return false;
  tree->place[tree->made / TDTREE_GROUP] = segments_at(&tree->nodes, tree->made);
  struct tdtree_group *group = group_at(tree, tree->made);
  *group = (struct tdtree_group){.free = ~UINT64_C(1), .n_free = TDTREE_GROUP - 1};
  list_group(tree, group, tree->made);
  tree->made += TDTREE_GROUP;
  return true;
}

/* The group in hand has no free node: takes up the next one. */
static bool next_group(struct tdtree *tree) {
  if (tree->group != NULL)
    tree->group->listed = false;
  tree->group = NULL;
  if (tree->first == TDTREE_NONE && !make_group(tree))
    list_all(tree);
  if (tree->first == TDTREE_NONE)
    return false;
  tree->hand = tree->first;
  tree->group = group_at(tree, tree->hand);
  tree->first = tree->group->next;
  return true;
}

static uint32_t take_node(struct tdtree *tree) {
  if ((tree->group == NULL || tree->group->n_free == 0) && !next_group(tree))
    return TDTREE_NONE;
  struct tdtree_group *group = tree->group;
  uint32_t node = tree->hand + (uint32_t)__builtin_ctzll(group->free);
  group->free &= group->free - 1;
  group->n_free--;
  __builtin_prefetch(tdtree_at(tree, node) + 4, 1); /* likely one of the next */
  return node;
}

uint32_t tdtree_add(struct tdtree *tree, uint32_t pred, struct ts_event event, uint64_t ref,
                    const uint8_t *row, uint32_t length) {
  uint32_t node = take_node(tree);
  if (node == TDTREE_NONE)
    return node;
  struct tdtree_node *at = tdtree_at(tree, node);
  *at = (struct tdtree_node){.pred = pred, .refs = 1, .event = event, .ref = ref};
  if (pred != TDTREE_NONE) {
    struct tdtree_node *from = tdtree_at(tree, pred);
    from->refs++;
    at->depth = from->depth + 1;
  }
  if (tree->pack != NULL)
    pack_row(tree->pack, row, length, (uint8_t *)(at + 1));
  tree->n++;
  tree->pinned++;
  if (tree->n > tree->peak)
    tree->peak = tree->n;
  return node;
}

uint32_t tdtree_state(const struct tdtree *tree, uint32_t node, uint8_t *row) {
  const struct tdtree_node *at = tdtree_at(tree, node);
  if (tree->pack != NULL)
    return pack_unrow(tree->pack, (const uint8_t *)(at + 1), row);
  if (at->ref == STORE_NONE)
    return 0;
  return tree->store_kind->get(tree->work, at->ref, row);
}

static void give_back(struct tdtree *tree, uint32_t node) {
  uint32_t place = node % TDTREE_GROUP;
  struct tdtree_group *group = group_at(tree, node - place);
  group->free |= UINT64_C(1) << place;
  if (++group->n_free >= tree->enough && !group->listed)
    list_group(tree, group, node - place);
}

/* A reference to a node less; true: it was the last. What will be needed next if it
 * leaves is on its way then. */
static inline bool unref(const struct tdtree *tree, uint32_t node) {
  struct tdtree_node *at = tdtree_at(tree, node);
  if (--at->refs > 0)
    return false;
  if (at->pred != TDTREE_NONE)
    __builtin_prefetch(tdtree_at(tree, at->pred), 1);
  return true;
}

/* These nodes leave, and then those that they came from if nothing else did. They
 * go generation by generation, so that memory is waited for once for many of them. */
static bool leave(struct tdtree *tree, uint32_t *node, uint32_t n) {
  bool fine = true;
  for (uint32_t left = n; left > 0; left = n) {
    n = 0;
    for (uint32_t i = 0; i < left; i++) {
      struct tdtree_node *at = tdtree_at(tree, node[i]);
      uint32_t pred = at->pred;
      if (tree->hooks.leaves != NULL)
        fine = tree->hooks.leaves(tree->hooks.context, node[i]) && fine;
      tree->pinned -= at->ref != STORE_NONE;
      tree->n--;
      give_back(tree, node[i]);
      if (pred != TDTREE_NONE && unref(tree, pred))
        node[n++] = pred;
    }
  }
  return fine;
}

bool tdtree_shut(struct tdtree *tree, const uint32_t *node, uint64_t n) {
  enum { ONCE = 128 };
  uint32_t leaving[ONCE], leave_now = 0;
  bool fine = true;
  for (uint64_t i = 0; i < n; i++) {
    struct tdtree_node *at = tdtree_at(tree, node[i]);
    assert(!(at->flags & TDTREE_CLOSED) && at->refs > 0);
    at->flags |= TDTREE_CLOSED;
    if (tree->hooks.closed != NULL)
      fine = tree->hooks.closed(tree->hooks.context, node[i]) && fine;
    if (tree->watches != NULL)
      fine = watches_closed(tree->watches, node[i]) && fine;
    if (unref(tree, node[i]))
      leaving[leave_now++] = node[i];
    if (leave_now == ONCE) {
      fine = leave(tree, leaving, leave_now) && fine;
      leave_now = 0;
    }
  }
  return leave(tree, leaving, leave_now) && fine;
}

uint64_t tdtree_unpin(struct tdtree *tree, uint32_t node) {
  struct tdtree_node *at = tdtree_at(tree, node);
  uint64_t ref = at->ref;
  tree->pinned -= ref != STORE_NONE;
  at->ref = STORE_NONE;
  return ref;
}

uint64_t tdtree_path(const struct tdtree *tree, uint32_t node, struct ts_event *event) {
  uint64_t n = (uint64_t)tdtree_at(tree, node)->depth + 1;
  for (uint64_t left = event == NULL ? 0 : n; left > 0;) {
    const struct tdtree_node *at = tdtree_at(tree, node);
    event[--left] = at->event;
    node = at->pred;
  }
  return n;
}

/* Groups are copied as they are, with their nodes; where each of them is, is found out anew. */
bool tdtree_pass(struct tdtree *tree, struct sink *sink) {
  uint32_t made = tree->made, has_group = tree->group != NULL;
  sink_section(sink, "tree");
  sink_pass(sink, &made, sizeof made);
  sink_pass(sink, &has_group, sizeof has_group);
  uint32_t *const number[] = {&tree->first, &tree->last, &tree->hand, &tree->enough};
  for (uint32_t i = 0; i < sizeof number / sizeof *number; i++)
    sink_pass(sink, number[i], sizeof *number[i]);
  uint64_t *const count[] = {&tree->n, &tree->peak, &tree->pinned};
  for (uint32_t i = 0; i < sizeof count / sizeof *count; i++)
    sink_pass(sink, count[i], sizeof *count[i]);
  if (!sink_is_read(sink)) {
    segments_save(&tree->nodes, sink, made);
    return true;
  }
  if (!segments_load(&tree->nodes, sink, made))
    return false;
  for (; tree->made < made; tree->made += TDTREE_GROUP) {
    if (!make_place(tree))
      return false;
    tree->place[tree->made / TDTREE_GROUP] = segments_at(&tree->nodes, tree->made);
  }
  tree->group = has_group ? group_at(tree, tree->hand) : NULL;
  return sink_is_fine(sink);
}

/* The number of nodes given out, found by looking at each group, or TDTREE_NONE if a group
 * is broken. */
static uint64_t count_nodes(const struct tdtree *tree) {
  uint64_t n = 0;
  for (uint32_t first = 0; first < tree->made; first += TDTREE_GROUP) {
    const struct tdtree_group *group = group_at(tree, first);
    if ((group->free & 1) || group->n_free != (uint32_t)__builtin_popcountll(group->free) ||
        (group->n_free >= tree->enough && !group->listed))
      return TDTREE_NONE;
    n += TDTREE_GROUP - 1 - group->n_free;
  }
  return n;
}

static bool is_free(const struct tdtree *tree, uint32_t node) {
  uint32_t place = node % TDTREE_GROUP;
  return place == 0 || (group_at(tree, node - place)->free >> place & 1);
}

uint32_t tdtree_next_open(const struct tdtree *tree, uint32_t *cursor) {
  for (uint32_t looked = 0; looked < tree->made; looked++) {
    uint32_t node = *cursor < tree->made ? *cursor : 0;
    *cursor = node + 1;
    if (!is_free(tree, node) && !(tdtree_at(tree, node)->flags & TDTREE_CLOSED))
      return node;
  }
  return TDTREE_NONE;
}

const char *tdtree_check(const struct tdtree *tree) {
  if (count_nodes(tree) != tree->n)
    return "tree: the number of nodes is wrong";
  size_t bytes = (size_t)tree->made * sizeof(uint32_t) + 1;
  uint32_t *refs = budget_alloc(tree->budget, BUDGET_OTHER, bytes);
  const char *broken = NULL;
  if (refs == NULL)
    return NULL;
  for (uint32_t i = 0; i < tree->made; i++) {
    if (is_free(tree, i))
      continue;
    const struct tdtree_node *at = tdtree_at(tree, i);
    refs[i] += !(at->flags & TDTREE_CLOSED);
    if (at->pred != TDTREE_NONE && is_free(tree, at->pred))
      broken = "tree: a node comes from one that is free";
    else if (at->pred != TDTREE_NONE)
      refs[at->pred]++;
  }
  for (uint32_t i = 0; i < tree->made && broken == NULL; i++)
    if (!is_free(tree, i) && (refs[i] != tdtree_at(tree, i)->refs || refs[i] == 0))
      broken = "tree: a node has not as many references as are counted";
  budget_free(tree->budget, BUDGET_OTHER, refs, bytes);
  return broken;
}
