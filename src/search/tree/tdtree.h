/* tdtree.h - the tree of open states and of those from which they were reached.
 *
 * The termination detection tree of Evangelista and Kristensen ("Search-order
 * independent state caching", section 3): every open state and, for each state in the
 * tree, the state that generated it. A closed state without open descendants leaves.
 * A search may forget what is not in the tree and still ends; and the way to any open
 * state can be read off it. See tdtree.c.
 *
 * A node is a number, given out again once it is free. Searches that keep a tree call
 * states by their nodes, wherever an order or an error names a state.
 */
#ifndef CAIRN_SEARCH_TREE_TDTREE_H
#define CAIRN_SEARCH_TREE_TDTREE_H

#include "search/watch.h"
#include "store/room/segments.h"
#include "store/store.h"
#include "ts/pack.h"

#include "base/sink.h"

#include <assert.h>
#include <string.h>

#define TDTREE_NONE UINT32_MAX

enum tdtree_flags {
  TDTREE_CLOSED = 1,     /* all of its events were fired and their targets looked up */
  TDTREE_SINGLE = 2,     /* it has exactly one successor: part of a chain */
  TDTREE_PERSISTENT = 4, /* its state is never forgotten */
  TDTREE_LISTED = 8,     /* free for who forgets states */
  TDTREE_DROPPED = 16,   /* open, and its state is gone: it will be reached again */
  TDTREE_GRAFTED = 32,   /* no initial state: event.choice is its number among the parents */
  TDTREE_OF_FEW = 64     /* as OPEN_OF_FEW of the edge that led here */
};

struct tdtree_node {
  uint32_t pred;         /* TDTREE_NONE: an initial state */
  uint32_t refs;         /* children in the tree, and one while it is open */
  struct ts_event event; /* that led here from pred; of an initial state { TS_NONE, which } */
  uint32_t depth;        /* events from an initial state along the tree */
  uint8_t flags;         /* enum tdtree_flags */
  uint8_t entry;         /* how late it became open, in the steps of whoever counts */
  uint8_t degree;        /* successors, 255 at most */
  uint8_t load;          /* for who forgets states: here what children that left told it */
  uint64_t ref; /* what the store calls it; STORE_NONE: the state is not kept for the tree */
};

/* Adds to one of these counters, which stops at 255. */
static inline void tdtree_count(uint8_t *counter, uint32_t n) {
  uint32_t most = 255u - *counter;
  *counter = (uint8_t)(*counter + (n < most ? n : most));
}

/* Told, if not NULL, that a node was closed, and that it leaves with its state; and by
 * whoever looks states up, that an event led to a stored one. */
struct tdtree_hooks {
  void *context;
  void (*matched)(void *context, uint64_t ref);
  bool (*closed)(void *context, uint32_t node);
  bool (*leaves)(void *context, uint32_t node);
};

/* Which nodes of a group are free; in the place of its first one. */
struct tdtree_group {
  uint64_t free; /* bit i: node i of the group */
  uint32_t n_free;
  uint32_t next; /* the next group to give out, by its first node, if listed */
  bool listed;
};

enum { TDTREE_GROUP = 64 }; /* nodes */

struct tdtree {
  struct segments nodes; /* struct tdtree_node, and after it, with `pack`, the state */
  uint8_t **place;       /* by group: where in `nodes` it is */
  uint64_t place_room;
  uint32_t made;        /* in groups, the first of each not given out */
  uint32_t first, last; /* groups to give out; TDTREE_NONE: none */
  uint32_t hand;        /* the group being given out, and where it is */
  struct tdtree_group *group;
  uint32_t enough;  /* nodes free in a group make it worth giving out again */
  bool in_turn;     /* the first given back is the next given out */
  uint64_t n, peak; /* nodes in the tree */
  uint64_t pinned;  /* of them those whose state is kept for the tree */
  const struct store_kind *store_kind;
  struct store_work *work;
  struct pack *pack; /* NULL: the store gives states back */
  struct budget *budget;
  struct tdtree_hooks hooks;
  const struct watches *watches; /* told of closings, too; or NULL */
};

/* False if the budget is exhausted; it can be closed then, too. */
bool tdtree_open(struct tdtree *, const struct ts_shape *, const struct store_kind *,
                 struct store_work *, struct budget *);
void tdtree_close(struct tdtree *);

static inline struct tdtree_node *tdtree_at(const struct tdtree *tree, uint32_t node) {
  return (struct tdtree_node *)(void *)(tree->place[node / TDTREE_GROUP] +
                                        (size_t)(node % TDTREE_GROUP) * tree->nodes.item);
}

/* For orders: whether the numbers of states are nodes, or else the order of discovery. */
static inline bool tdtree_is_kept(const struct tdtree *tree) {
  return tree != NULL;
}

/* The node with the number of a state. */
static inline uint32_t tdtree_node(uint64_t number) {
  assert(number < TDTREE_NONE);
  return (uint32_t)number;
}

/* The same, or TDTREE_NONE where no tree is kept. */
static inline uint32_t tdtree_node_if(const struct tdtree *tree, uint64_t number) {
  return tree == NULL ? TDTREE_NONE : tdtree_node(number);
}

/* A new open state, stored under `ref`, reached from `pred` (TDTREE_NONE: initial) by
 * `event`. TDTREE_NONE if memory ran out. */
uint32_t tdtree_add(struct tdtree *, uint32_t pred, struct ts_event event, uint64_t ref,
                    const uint8_t *row, uint32_t length);

/* The state of an open node, into a row of the shape's stride; its length, 0 if it is gone. */
uint32_t tdtree_state(const struct tdtree *, uint32_t node, uint8_t *row);

/* The next open node from *cursor on, which goes round; TDTREE_NONE: there is none. */
uint32_t tdtree_next_open(const struct tdtree *, uint32_t *cursor);

/* Open nodes are closed: each leaves the tree unless it has children there, and so may those
 * that it came from. False if a hook failed. */
bool tdtree_shut(struct tdtree *, const uint32_t *node, uint64_t n);

/* All events of a node were fired, and its state need not be kept any longer: its ref, or
 * STORE_NONE. */
uint64_t tdtree_unpin(struct tdtree *, uint32_t node);

/* The events from the initial state to a node, the first one naming the initial state:
 * returns how many, and writes them unless `event` is NULL. */
uint64_t tdtree_path(const struct tdtree *, uint32_t node, struct ts_event *event);

/* Saves it, or loads it into one that was just opened; hooks stay. False if memory ran out or
 * the sink refused. */
bool tdtree_pass(struct tdtree *, struct sink *);

/* A sentence naming the first broken invariant, or NULL. */
const char *tdtree_check(const struct tdtree *);

#endif
