/* frontier.h - which open state next, and which successors are asked for now.
 *
 * The engine fires events and asks the store; an order decides in which
 * sequence. It hands out open states to be expanded, takes over the rows of their
 * successors, and offers ranges of rows when it is time to ask about them:
 * breadth-first lets them gather across states, depth-first asks about those of one
 * state. The store's answers come back. All memory that grows with the search is here, in
 * BUDGET_OPEN.
 *
 * The initial states are the successors of a root that is no state: the first
 * state handed out has the number STORE_NONE, and the events of its rows are
 * { TS_NONE, which }.
 *
 * An order is one file without a header that exports one constant frontier_kind, and a line
 * in kinds.def. What it can do it declares by its traits; each function says with which of
 * them it goes, and all others every order must have (frontier.c). No order asks the store
 * itself, or counts what was answered.
 */
#ifndef CAIRN_SEARCH_FRONTIER_FRONTIER_H
#define CAIRN_SEARCH_FRONTIER_FRONTIER_H

#include "search/open.h"
#include "search/search.h"
#include "search/tree/tdtree.h"

#include "base/sink.h"

/* Whoever follows the path of a depth-first order. Each function is false if memory ran out. */
struct frontier_listener {
  void *context;
  /* Row i, a successor of the state on top (row NULL: of the root), was new and becomes the
   * top. *keep, at first false: its state is wanted when it is left. */
  bool (*entered)(void *context, const struct open *top, const struct rows *, uint32_t i,
                  bool *keep);
  /* Rows of the range, the same, were looked up; those that were stored before (STORE_OLD, but
   * for the row `first`) are of interest. */
  bool (*found)(void *context, const struct open *top, const struct open_range *);
  /* All is done below the state on top, which comes off next. Its row is NULL, unless it was to
   * be kept. */
  bool (*left)(void *context, const struct open *top);
};

struct frontier_config {
  const struct ts_shape *shape;
  const struct store_kind *store_kind;
  struct store_work *store; /* to get states back from */
  struct budget *budget;
  uint64_t *truncated;            /* for the batches, or NULL */
  uint8_t *reached, *endless;     /* the same */
  int32_t (*tick)(void *context); /* the same */
  /* Memory ran out: true if the states have moved to a store that takes less meanwhile, so
   * that it may be asked for again. Calls move, moved and use. */
  bool (*relieve)(void *context);
  void *context;
  struct search_figures *figures; /* of the worker; an order keeps depth and peak.open */
  struct tdtree *tree;            /* the numbers of states are its nodes, and it is to be told
                                   * of closings; NULL: numbers are the order of discovery */
  bool begun;                     /* all that is open will be added */
  const struct measure *measure;  /* of orders with FRONTIER_MEASURED */
  bool tells_by;                  /* open states must come with `by` */
  bool names;                     /* the store can make use of rows that have parents */
  bool forgets; /* states may leave the store, and their names be used again */
  uint64_t parameter[2];
  uint64_t seed;
  const struct frontier_listener *listener; /* of orders with FRONTIER_PATH; or NULL */
};

enum frontier_traits {
  FRONTIER_SHORTEST = 1, /* states are found in the order of their depth, as the search sees
                          * it */
  FRONTIER_TREE = 2,     /* needs a tree of open states */
  FRONTIER_MEASURED = 4, /* goes by the value of an expression of the user's */
  /* Open states are a path, their depths count it, and the events of each are followed one
   * by one in the order in which they were fired. */
  FRONTIER_STACK = 8,
  FRONTIER_PATH = 16,      /* knows the events that lead to what it has in hand, tree or not */
  FRONTIER_AHEAD = 32,     /* before it asks, it knows which state is most likely next */
  FRONTIER_GATHERS = 64,   /* many rows are asked about together: the store's memory for each is
                            * fetched when it was fired */
  FRONTIER_NUMBERED = 128, /* without a tree: open are the states from a certain number on */
  FRONTIER_MOVES = 256,    /* the states may move to another store meanwhile */
  FRONTIER_LEVELS = 512,   /* counts levels */
  FRONTIER_COUNTED = 1024  /* goes by how many events are still to come to an open state */
};

/* Hashes that may be prefetched, at most. */
#define FRONTIER_SOON 16u

struct frontier;

struct frontier_kind {
  const char *name, *summary;
  unsigned traits;
  const char *strategy;  /* which states are forgotten first where the user does not say, as
                          * measured (docs/caching.md); NULL: STRATEGY_DEFAULT */
  const char *argument;  /* what follows the name and a colon: "W"; NULL: nothing does */
  uint32_t n_parameters; /* numbers after the colon: exactly that many */

  /* NULL if the budget is exhausted. */
  struct frontier *(*open)(const struct frontier_config *);
  void (*close)(struct frontier *);

  /* Rows about which it is time to ask, of all that push() took over; false: none. `flush`: do
   * not wait for more to gather. */
  bool (*ready)(struct frontier *, bool flush, struct open_range *);
  /* They are answered, all that are at all: range->to is less than what ready() said where an
   * error or a limit ends the search. Of PUT those that are STORE_NEW become open. When all
   * rows of a state that was fired whole are answered, it is closed: where a tree is kept, with
   * tdtree_shut(). False if memory ran out. */
  bool (*settled)(struct frontier *, const struct open_range *);

  /* The next state to expand, asked when nothing is ready; false: none is left. */
  bool (*next)(struct frontier *, struct open *);
  /* Rows [from, n) of open->into are successors of that state, with hashes. Not
   * `done`: the batch was full, and open->cursor says where to go on, when these rows are
   * settled: next() gives the same state again then. There may be no rows at all: then it is
   * closed here. False if memory ran out. */
  bool (*push)(struct frontier *, const struct open *, uint32_t from, bool done);
  /* A further open state, where a tree is kept: when next() has found none, or at the
   * beginning. False if memory ran out. */
  bool (*add)(struct frontier *, uint32_t node);

  /* With FRONTIER_AHEAD: row i of a range of OPEN_FIRST is most likely next: fills *open, so
   * that it may be fired into open->into while the store's answers are on their way. If it does
   * come next, it comes with `ahead` set and these rows. */
  void (*likely)(struct frontier *, const struct open_range *, uint32_t i, struct open *);
  /* The same: none of the range is. Hashes of rows that will be looked up soon; how many. */
  uint32_t (*soon)(const struct frontier *, uint64_t hash[FRONTIER_SOON]);

  /* Whether no row is in hand and no state expanded in part; *first: the states from this
   * number on are open, and all others closed. With FRONTIER_NUMBERED. */
  bool (*idle)(const struct frontier *, uint64_t *first);
  /* The same while a state is expanded: states whose names in the store are not below this
   * one are open; STORE_NONE: that is not known. */
  uint64_t (*first_open)(const struct frontier *);

  /* The events that lead to the parent of the rows last ready or pushed, the first one
   * naming the initial state: returns how many, and writes them unless `event` is
   * NULL. With FRONTIER_PATH. */
  uint64_t (*path)(const struct frontier *, struct ts_event *event);

  /* That many events are still to come to this node, which is open or will be when its row is
   * settled. With FRONTIER_COUNTED. */
  void (*counted)(struct frontier *, uint32_t node, uint32_t left);

  /* With FRONTIER_MOVES, these four. Bytes that `move` to a store of this kind would take
   * now. */
  uint64_t (*move_needs)(const struct frontier *, const struct store_kind *to);
  /* The states are about to move to a store of this kind: gets ready for that, as long as
   * the old store can be asked. False: it cannot be done, and nothing happened; if memory
   * ran out, `moved` says so. Asked between two expansions, or when the store has answered
   * rows not settled yet. */
  bool (*move)(struct frontier *, const struct store_kind *to);
  /* A state went to the new store. False if memory ran out. */
  bool (*moved)(struct frontier *, uint64_t old_ref, uint64_t ref, const uint8_t *row,
                uint32_t length);
  /* All went, and the search goes on with this store (or the move failed, and it ends). */
  void (*use)(struct frontier *, const struct store_kind *, struct store_work *);

  /* Whether nothing is in hand: no row, no state expanded in part, the root included. Then it
   * may be saved. */
  bool (*rests)(const struct frontier *);
  /* Saves what it knows, or loads it into one that was just opened. False if memory ran out, or
   * the sink refused; it can only be closed then. */
  bool (*pass)(struct frontier *, struct sink *);

  /* Brings the figures that only this order knows up to date: open, and level, which is not
   * `known` without FRONTIER_LEVELS. */
  void (*report)(const struct frontier *, struct search_figures *);
  /* Hands over the widths of the levels (an array of *bytes bytes from BUDGET_OPEN), or
   * NULL. With FRONTIER_LEVELS. */
  uint64_t *(*widths)(struct frontier *, size_t *bytes);
};

/* Every kind, ended by NULL; the first is the default. */
extern const struct frontier_kind *const frontier_kinds[];

/* The function that a kind has although its traits do not say so, or lacks; or NULL. */
const char *frontier_broken(const struct frontier_kind *);

/* The kind that a name, or a name with ":" and more, means, or this very name; NULL: no such
 * kind. */
const struct frontier_kind *frontier_by_name(const char *name);

/* For orders: room for `capacity` rows of the shape, whose batch notes what the search asked
 * for. False if the budget is exhausted. */
static inline bool frontier_rows_open(struct rows *rows, const struct frontier_config *config,
                                      uint32_t capacity) {
  if (!rows_open(rows, config->shape, config->budget, capacity))
    return false;
  rows->has_parents = config->names;
  rows->batch.truncated = config->truncated;
  rows->batch.reached = config->reached;
  rows->batch.endless = config->endless;
  rows->batch.tick = config->tick;
  rows->batch.context = config->context;
  return true;
}

/* For orders: what is known of a node, into *open. */
static inline void frontier_name_node(const struct tdtree *tree, uint32_t node,
                                      struct open *open) {
  const struct tdtree_node *at = tdtree_at(tree, node);
  open->number = node;
  open->depth = at->depth;
  open->by = at->event;
  open->of_few = (at->flags & TDTREE_OF_FEW) != 0;
}

/* The same, and its state, into a row of the shape's stride. */
static inline void frontier_open_node(const struct tdtree *tree, uint32_t node, uint8_t *row,
                                      struct open *open) {
  frontier_name_node(tree, node, open);
  open->row = row;
  open->length = tdtree_state(tree, node, row);
}

/* The same: the root, from this event on. */
static inline void frontier_open_root(struct open *open, struct ts_event cursor) {
  open->number = open->name = STORE_NONE;
  open->depth = UINT64_MAX;
  open->cursor = cursor;
}

#endif
