/* frontier.h - which open state next, and which successors are asked for now.
 *
 * The main loop fires events and asks the store; a frontier decides in which
 * order. It hands out open states to be expanded, takes over the rows of their
 * successors, and offers ranges of rows as candidates when their turn comes:
 * breadth-first lets them gather across states, depth-first offers one at a
 * time. The loop puts candidates into the store, and the frontier learns the
 * answers. All memory that grows with the search is here, in BUDGET_OPEN.
 *
 * The initial states are the successors of a root that is no state: the first
 * state handed out has the ref STORE_NONE, and the events of its rows are
 * { TS_NONE, which }.
 *
 * An order is one file without a header that exports one constant frontier_kind, and a line
 * in kinds.def. What it can do it declares by its traits; each function says with which of
 * them it goes, and all others every order must have (frontier.c).
 */
#ifndef CAIRN_SEARCH_FRONTIER_FRONTIER_H
#define CAIRN_SEARCH_FRONTIER_FRONTIER_H

#include "search/search.h"
#include "search/tree/tdtree.h"

#include "ts/pack.h"

/* An open state to expand, as the frontier hands it out. */
struct frontier_open {
  uint64_t ref; /* its number in the order in which states were stored, or what the order
                 * calls it if it has a path, or its node; STORE_NONE: the root */
  const uint8_t *row;
  uint32_t length;
  uint64_t raw;           /* its hash before hash_finish() */
  bool hashed;            /* raw is known */
  uint64_t depth;         /* events from an initial state; of the root UINT64_MAX */
  struct ts_event cursor; /* its first event that was not fired yet */
  struct ts_event noted;  /* events before this one were fired once already, and what is
                           * wrong with them is known; nearly always 0, 0 */
  struct ts_event by;     /* how it was discovered, action TS_NONE: as an initial state; of
                           * the root anything */
  bool ahead;             /* fired ahead: see guess() below */
  struct rows *into;
};

/* Candidates: rows [from, to), all of one depth. */
struct frontier_range {
  struct rows *rows;
  uint32_t from, to;
  uint64_t depth; /* events from an initial state */
};

struct frontier_config {
  const struct ts_shape *shape;
  const struct store_kind *store_kind;
  struct store_work *work;
  struct budget *budget;
  uint64_t *truncated;            /* for the batches, or NULL */
  uint8_t *reached, *endless;     /* the same */
  int32_t (*tick)(void *context); /* the same */
  /* Memory ran out: true if the states have moved to a store that takes less meanwhile, so
   * that it may be asked for again. Calls move, moved and use. NULL: cannot. */
  bool (*relieve)(void *context);
  void *context;
  struct search_figures *figures; /* kept by the loop; a frontier adds to matched and
                                   * events what it drops, and to its own figures */
  struct tdtree *tree;            /* of orders with FRONTIER_TREE */
  bool begun;                     /* with it: all that is open will be added */
  const struct measure *measure;  /* of orders with FRONTIER_MEASURED */
  bool tells_by;                  /* open states must come with `by` */
  uint64_t parameter[2];
  uint64_t seed;
};

enum frontier_traits {
  FRONTIER_SHORTEST = 1, /* states are met in the order of their depth, as the search found
                          * it */
  FRONTIER_TREE = 2,     /* calls states by the nodes of a tree, and tells it which are done */
  FRONTIER_MEASURED = 4, /* goes by what an expression of the user's is worth */
  /* Open states are a path, their depths count it, and the events of each are followed one
   * by one in the order in which they were fired. */
  FRONTIER_STACK = 8,
  FRONTIER_PATH = 16,      /* knows the events that lead to what it has in hand */
  FRONTIER_GUESSES = 32,   /* which state will be next */
  FRONTIER_ADDS = 64,      /* takes open nodes from outside, with FRONTIER_TREE */
  FRONTIER_NUMBERED = 128, /* open are the states stored from a certain one on */
  FRONTIER_MOVES = 256,    /* the states may move to another store meanwhile */
  FRONTIER_LEVELS = 512    /* counts levels */
};

struct frontier;

struct frontier_kind {
  const char *name, *summary;
  unsigned traits;
  const char *strategy;  /* which states are forgotten first where the user does not say, as
                          * measured (docs/caching.md); NULL: STRATEGY_DEFAULT */
  const char *argument;  /* what follows the name and a colon: "W"; NULL: nothing does */
  uint32_t n_parameters; /* numbers after the colon: exactly that many */
  const struct frontier_kind *with_tree; /* the same order for searches that keep a tree, or
                                          * of it one with FRONTIER_ADDS; NULL: this one */

  /* NULL if the budget is spent. */
  struct frontier *(*open)(const struct frontier_config *);
  void (*close)(struct frontier *);

  /* Rows whose turn has come. `flush`: do not wait for more to gather. */
  bool (*ready)(struct frontier *, bool flush, struct frontier_range *);
  /* The store has answered these, all that are put at all: refs of new states become
   * open. False if memory ran out. */
  bool (*settled)(struct frontier *, const struct frontier_range *);

  /* The next state to expand, asked when nothing is ready; false: none is left. */
  bool (*next)(struct frontier *, struct frontier_open *);
  /* Before ready is asked: the state that will most likely be next, so that its events
   * may be fired into open->into while the store's answers are on their way. If it does
   * come next, it comes with `ahead` set and these rows. False: no guess, or the last one
   * holds. With FRONTIER_GUESSES. */
  bool (*guess)(struct frontier *, struct frontier_open *open);
  /* Rows [from, n) of open->into are successors of that state, with hashes. Not
   * `done`: the batch was full, and open->cursor says where to go on. False if
   * memory ran out. */
  bool (*push)(struct frontier *, const struct frontier_open *, uint32_t from, bool done);

  /* Whether no row is in hand and no state expanded in part; *first: those stored from this one
   * on are open, and all others closed. With FRONTIER_NUMBERED. */
  bool (*idle)(const struct frontier *, uint64_t *first);
  /* A further open node, when next() has found none. False if memory ran out. With
   * FRONTIER_ADDS. */
  bool (*add)(struct frontier *, uint32_t node);

  /* The events that lead to the parent of the rows last ready or pushed, the first one
   * naming the initial state: returns how many, and writes them unless `event` is
   * NULL. With FRONTIER_PATH; else the search keeps parents instead. */
  uint64_t (*path)(const struct frontier *, struct ts_event *event);

  /* With FRONTIER_MOVES, these four. Bytes that `move` to a store of this kind would take
   * now. */
  uint64_t (*move_needs)(const struct frontier *, const struct store_kind *to);
  /* The states are about to move to a store of this kind: gets ready for that, as long as
   * the old store can be asked. False: it cannot be done, and nothing happened; if memory
   * ran out, `moved` tells. Asked between two expansions, or when the store has answered rows
   * not settled yet. */
  bool (*move)(struct frontier *, const struct store_kind *to);
  /* A state went to the new store. False if memory ran out. */
  bool (*moved)(struct frontier *, uint64_t old_ref, uint64_t ref, const uint8_t *row,
                uint32_t length);
  /* All went, and the search goes on with this store (or the move failed, and it ends). */
  void (*use)(struct frontier *, const struct store_kind *, struct store_work *);

  /* Brings the figures that only this order knows up to date. */
  void (*report)(const struct frontier *, struct search_figures *);
  /* Hands over the widths of the levels (an array of *bytes bytes from BUDGET_OPEN), or
   * NULL. With FRONTIER_LEVELS. */
  uint64_t *(*widths)(struct frontier *, size_t *bytes);
};

/* Every kind, ended by NULL; the first is the default. */
extern const struct frontier_kind *const frontier_kinds[];

/* The function that a kind has although its traits do not say so, or lacks; or NULL. */
const char *frontier_broken(const struct frontier_kind *);

/* The kind that a name, or a name with ":" and more, stands for; NULL: no such kind. */
const struct frontier_kind *frontier_by_name(const char *name);

/* The fixed order of a state's events. */
static inline bool frontier_before(struct ts_event a, struct ts_event b) {
  return a.action < b.action || (a.action == b.action && a.choice < b.choice);
}

/* For orders: room for `capacity` rows of the shape, whose batch notes what the search asked
 * for. False if the budget is spent. */
static inline bool frontier_rows_open(struct rows *rows, const struct frontier_config *config,
                                      uint32_t capacity) {
  if (!rows_open(rows, config->shape, config->budget, capacity))
    return false;
  rows->batch.truncated = config->truncated;
  rows->batch.reached = config->reached;
  rows->batch.endless = config->endless;
  rows->batch.tick = config->tick;
  rows->batch.context = config->context;
  return true;
}

#endif
