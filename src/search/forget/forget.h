/* forget.h - which closed states may leave memory?
 *
 * Of two sorts. One lets states go that may be reached again: they are stored and expanded
 * again then, and count as visited once more. So that the search ends, it keeps a tree
 * (search/tree/tdtree.h). The loop says what becomes of states; a way of forgetting names
 * states to go when room is needed, or lets all go that are after it.
 *
 * The other one (FORGET_ONCE) lets states go to which nothing leads any more, as soon as that
 * is known: it hears of every event, and no tree is needed. Only where memory is short does it
 * go on as the first sort (FORGET_DROPS).
 *
 * Every state is visited, and the search ends: the arguments are in the implementations and in
 * docs/caching.md, docs/sweep-line.md and docs/pseudo-root.md. The store must be exact, able to
 * remove states and to give them back.
 */
#ifndef CAIRN_SEARCH_FORGET_FORGET_H
#define CAIRN_SEARCH_FORGET_FORGET_H

#include "search/measure/measure.h"
#include "search/search.h"
#include "search/tree/tdtree.h"

#include "ts/hash.h"

#include "base/sink.h"

struct forget_config {
  const struct ts *ts;
  const struct ts_shape *shape;
  const struct store_kind *store_kind;
  struct store_work *work;
  struct tdtree *tree; /* its hooks are taken; with FORGET_ONCE NULL where none is kept */
  bool reduces;        /* events may be left out */
  const struct hash *hash;
  struct budget *budget;
  const struct strategy *strategy; /* which states go first */
  const struct measure *progress;  /* of the sweep-line */
  struct counters *counters;       /* of FORGET_COUNTS: what a first search counted */
  uint32_t parameter;              /* of FORGET_ONCE; 0: the kind chooses */
  uint64_t seed;
  const struct frontier_kind *order; /* and the order, once it is open; of FORGET_ONCE */
  struct frontier *const *frontier;
  struct search_figures *figures; /* kept by the loop; what is forgotten is taken from
                                   * stored */
};

struct forget;
struct frontier;

enum forget_resumed { FORGET_DONE, FORGET_MORE, FORGET_SPENT };

enum forget_traits {
  FORGET_CLASSES = 1,  /* states wait while others are explored, by their progress */
  FORGET_ADOPTS = 2,   /* the tree may be made in mid-search */
  FORGET_DROPS = 4,    /* states go when room is needed */
  FORGET_ONCE = 8,     /* states go to which nothing leads any more */
  FORGET_COUNTS = 16,  /* a first search counts the events that lead to states (first.h) */
  FORGET_BACKWARD = 32 /* the transition system goes backward to count them */
};

/* A way to forget is one file without a header that exports one constant forget_kind, and a
 * line in kinds.def. Functions without a word about traits every kind must have (forget.c). */
struct forget_kind {
  const char *name, *summary;
  unsigned traits;
  /* Of FORGET_ONCE: what may follow the name and a colon, a number from `least` to `most`, and
   * what it means; NULL: nothing does. */
  const char *argument, *argument_means;
  uint32_t least, most;
  /* Wanted of the store for each state. */
  uint32_t (*bits)(const struct ts_shape *, const struct search_options *);

  /* NULL if the budget is exhausted. */
  struct forget *(*open)(const struct forget_config *);
  void (*close)(struct forget *);

  /* A new node was made, by an event of `pred` (TDTREE_NONE: initial). *later: its turn
   * does not come now, resume() will name it. False if memory ran out. With
   * FORGET_CLASSES; else all come now. */
  bool (*added)(struct forget *, uint32_t node, uint32_t pred, const uint8_t *row,
                uint32_t length, bool *later);
  /* A state was closed, and left what would have been the tree, before there was one. False
   * if memory ran out. With FORGET_ADOPTS; else there is a tree from the first state on. */
  bool (*adopt)(struct forget *, uint64_t ref, uint64_t depth, uint32_t entry, uint32_t share);
  /* Forgets up to n states; returns how many. With FORGET_DROPS. */
  uint64_t (*drop)(struct forget *, uint64_t n);
  /* Nothing is open: hands nodes whose turn comes now to `add` (FORGET_MORE), or there are
   * none left. With FORGET_CLASSES. */
  enum forget_resumed (*resume)(struct forget *, bool (*add)(void *context, uint32_t node),
                                void *context);
  /* Saves what it knows, or loads it into one that was just opened; as in frontier.h. */
  bool (*pass)(struct forget *, struct sink *);
  /* Rows [from, to) were answered: their events have come to their targets, and do not come
   * again. (A row that was only looked up and not there comes again, and is not meant.) With
   * FORGET_ONCE. */
  void (*answered)(struct forget *, const struct rows *, uint32_t from, uint32_t to);
  /* A tree is kept from now on, of the states that are open. False if the budget is
   * exhausted. With FORGET_BACKWARD. */
  bool (*planted)(struct forget *, struct tdtree *);
  /* The first events of an open state were fired: its node. Where a tree is kept, with
   * FORGET_BACKWARD. */
  void (*begun)(struct forget *, uint32_t node);
  /* The state that the store calls `ref` need not be kept for being open: its events were
   * fired. `row`: the state, or NULL. With FORGET_ONCE. */
  void (*closed)(struct forget *, uint64_t ref, const uint8_t *row, uint32_t length);
  /* These hashes will be answered soon. With FORGET_COUNTS. */
  void (*prefetch)(const struct forget *, const uint64_t *hash, uint32_t n);
  /* Its own figures. With FORGET_CLASSES, FORGET_COUNTS or FORGET_BACKWARD. */
  void (*report)(const struct forget *, struct search_figures *);
};

/* Every kind, ended by NULL. */
extern const struct forget_kind *const forget_kinds[];
/* The function that a kind has although its traits do not say so, or lacks; or NULL. */
const char *forget_broken(const struct forget_kind *);
const struct forget_kind *forget_by_name(const char *name); /* up to ":" or ","; or NULL */

#endif
