/* tree.h - the tree of open states, as the rest of a search sees it.
 *
 * Where states may be forgotten, or the order needs it, or some watch hears closings, a tree
 * of open states is kept (tdtree.h): the numbers of states are its nodes, it knows the way to
 * each, and what has left it may be forgotten. Whether there is one, and since when, is asked
 * in this folder only: every function here does what is right without one, too.
 *
 * keep.c makes and keeps it, late.c makes it in mid-search, chain.c spares chains in it. Where
 * only states are forgotten that are not reached again it is not needed: once.c.
 */
#ifndef CAIRN_SEARCH_TREE_TREE_H
#define CAIRN_SEARCH_TREE_TREE_H

#include "search/core.h"
#include "search/forget/forget.h"
#include "search/tree/tdtree.h"

struct tree {
  struct tdtree nodes;
  bool has_nodes; /* else there are none yet, or, where states are forgotten once, never */
  bool grafts;    /* one will be made when memory gets short */
  bool grafted;   /* the roots are states that the parents lead to */
  bool chains;    /* states with one successor need not be kept */
  struct worker *worker;
  const struct forget_kind *forget_kind;
  struct forget *forget; /* NULL: nothing is forgotten, or not yet */
  struct rows one;       /* to look a state up that is forgotten once */
  uint8_t *distinct;     /* of searches that forget: see distinct.h */
  uint64_t reserve;      /* bytes kept back for the tree and the open states */
  uint64_t most_stored;  /* states at a time; UINT64_MAX: no limit */
};

/* Decides whether there is to be one, and opens it. False if the budget is exhausted. */
bool tree_open(struct worker *);
void tree_close(struct search *);

/* The nodes, for orders and ways of forgetting; NULL: there are none, or none yet. */
static inline struct tdtree *tree_nodes(const struct search *s) {
  return s->tree == NULL || !s->tree->has_nodes ? NULL : &s->tree->nodes;
}

/* Not that it will be, later. */
static inline bool tree_is_made(const struct search *s) {
  return tree_nodes(s) != NULL;
}

/* The tree knows, or will know, states by the names that the store gave them: the store must
 * stay. */
static inline bool tree_names_states(const struct search *s) {
  return s->tree != NULL;
}

/* Of a state reached from the one with number `pred`; `depth`: what it is without a tree. */
static inline uint64_t tree_depth(const struct search *s, uint64_t pred, uint64_t depth) {
  const struct tdtree *nodes = tree_nodes(s);
  if (nodes == NULL)
    return depth;
  return pred == STORE_NONE ? 0 : (uint64_t)tdtree_at(nodes, tdtree_node(pred))->depth + 1;
}

/* What the store calls a state that is open: what the order says, or with a tree its node. */
static inline uint64_t tree_name(const struct search *s, const struct open *open) {
  const struct tdtree *nodes = tree_nodes(s);
  if (nodes == NULL || open->number == STORE_NONE)
    return open->name;
  return tdtree_at(nodes, tdtree_node(open->number))->ref;
}

/* Whether this open state has left memory, and will be reached again: it is not expanded. */
static inline bool tree_has_dropped(const struct search *s, const struct open *open) {
  const struct tdtree *nodes = tree_nodes(s);
  return nodes != NULL && open->number != STORE_NONE &&
         (tdtree_at(nodes, tdtree_node(open->number))->flags & TDTREE_DROPPED) != 0;
}

/* Whether only states are forgotten that are not reached again. */
static inline bool tree_forgets_once(const struct worker *w) {
  const struct forget_kind *kind = w->search->options->forget.kind;
  return kind != NULL && (kind->traits & FORGET_ONCE);
}
/* How many states may be stored before one is forgotten; if none, one is, and then it is 1, or
 * none can be. */
uint64_t tree_room_left(struct tree *);
static inline uint64_t tree_room(struct search *s) {
  return s->tree == NULL ? UINT64_MAX : tree_room_left(s->tree);
}
/* Memory ran out: forgets a part, and from now on no more are kept than there are less that
 * part. False: nothing can be forgotten. */
bool tree_make_room(struct search *);
/* Now and then: if little memory is left, the store is not to grow any more. */
void tree_look(struct worker *);
/* Between two expansions, if worker->attention was set. */
void tree_attend(struct worker *);
/* Nothing is open: takes up what waits. False: nothing does. */
bool tree_resume(struct worker *);
/* How often states were visited, on average, is above the limit. */
bool tree_is_revisited(struct worker *);
/* Saves it, or loads it into what was just opened. False if memory ran out or the sink
 * refused. */
bool tree_pass(struct search *, struct sink *);
/* Its figures. */
void tree_report(const struct search *, struct search_figures *);
/* A sentence naming the first broken invariant, or NULL. */
const char *tree_check(const struct search *);

#endif
