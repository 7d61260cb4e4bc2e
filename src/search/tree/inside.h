/* inside.h - what the files of the tree share. Private to this folder. */
#ifndef CAIRN_SEARCH_TREE_INSIDE_H
#define CAIRN_SEARCH_TREE_INSIDE_H

#include "search/forget/forget.h"
#include "search/forget/strategy.h"
#include "search/tree/tree.h"

/* keep.c: makes an empty tree, and lets it hear what happens from now on. False if the budget
 * is exhausted. */
bool tree_begin(struct tree *);
/* Whether the strategy goes by this. */
static inline bool tree_asks(const struct tree *tree, enum strategy_what what) {
  const struct search_options *options = tree->worker->search->options;
  return tree->forget != NULL && options->forget.strategy != NULL &&
         (options->forget.strategy->asks >> what & 1);
}

/* keep.c: opens what forgets, for a tree that has nodes or needs none. False if the budget is
 * exhausted. */
bool tree_begin_forgetting(struct tree *);

/* once.c: hearing what it takes to forget states that are not reached again. False if the
 * budget is exhausted. */
bool once_listen(struct tree *);

/* chain.c: all successors of a state were fired. False if memory ran out. */
bool chain_fired(struct tree *, uint32_t node);

/* late.c: whether the tree may wait; waiting; and making it if that is due, unless the order
 * has something in hand: then it is to be called again. */
bool late_may_wait(const struct worker *);
bool late_begin(struct tree *);
void late_make(struct tree *);

/* due.c: whether it is time to make a tree, as `most` bytes of the budget are used, or as the
 * options say; whether one may be made where states are forgotten once; and whether it is time
 * for that. */
bool due_at(const struct worker *, uint64_t most);
bool due_may_graft(const struct worker *);
bool due_for_graft(const struct worker *);

/* keep.c: a tree was made in mid-search, and there may be more states than are to be kept. */
void tree_shrink(struct tree *);

/* keep.c: lets a tree hear what happens from now on. False if the budget is exhausted. */
bool tree_listen(struct tree *);

/* graft.c: makes a tree where states are forgotten once if that is due, unless the order has
 * something in hand: then it is to be called again. */
void graft_make(struct tree *);

#endif
