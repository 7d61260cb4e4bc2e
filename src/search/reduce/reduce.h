/* reduce.h - which events of an open state need not be fired.
 *
 * The searches of Bosnacki, Elkind, Genest and Peled, "On commutativity based edge lean
 * search", as values of one seam: each leaves out actions that commute with those before.
 * What is left out follows from how a state was discovered: from the last action alone,
 * or from the whole path, which a reduction then keeps itself, beside the stack of the order.
 * Why states are not lost, and when they may be: docs/reductions.md.
 *
 * A reduction is one file without a header that exports one constant reduction_kind, and a
 * line in kinds.def. Which functions it has follows from its traits (reduce.c).
 */
#ifndef CAIRN_SEARCH_REDUCE_REDUCE_H
#define CAIRN_SEARCH_REDUCE_REDUCE_H

#include "search/open.h"
#include "search/search.h"

#include "base/sink.h"

struct reduction_config {
  const struct ts_shape *shape;
  bool on_stack; /* open states are a path, and nothing is forgotten */
  struct budget *budget;
  const uint32_t *rank; /* place of each action in the order; NULL: the order of the model */
  uint32_t parameter;
};

enum reduction_traits {
  REDUCTION_PATH = 1,     /* open states must be a path: needs FRONTIER_STACK */
  REDUCTION_ORDERED = 2,  /* the events of a state must be fired in the order of actions */
  REDUCTION_HEARS = 4,    /* what was fired */
  REDUCTION_LOSES = 8,    /* it may lose states, and knows when */
  REDUCTION_FAILS = 16,   /* it takes memory as it goes */
  REDUCTION_CHOOSES = 32, /* it chooses events by the state alone, and so loses states that do
                           * not matter: deadlocks and errors stay */
  REDUCTION_BESIDE =
      64 /* it may go beside one that chooses, with a number less than exact_from:
          * nothing that it concludes asks for events that were not fired */
};

struct reduction;

struct reduction_kind {
  const char *name, *summary;
  unsigned traits;
  uint32_t least, most; /* the number after the name, always given; 0, 0: there is none */
  uint32_t exact_from;  /* from this number on no state is ever lost */

  /* NULL if the budget is exhausted. */
  struct reduction *(*open)(const struct reduction_config *);
  void (*close)(struct reduction *);

  /* The actions (a bitmap, as of independence.h) that need not be fired in a state that is
   * about to be fired, or NULL: none. Not asked about the root; an initial state has no
   * open->by. Valid until it is asked again. With REDUCTION_PATH the state is at open->depth of
   * the path, and what was deeper is gone; it must be hashed when it is first fired. */
  const uint64_t *(*skip)(struct reduction *, const struct open *);
  /* Rows [from, n) of open->into, hashed, were fired in the state last asked about; not
   * `done`: more will be. May take rows out. With REDUCTION_HEARS. */
  void (*fired)(struct reduction *, const struct open *, uint32_t from, bool done);
  /* Events so far may have made it lose states. With REDUCTION_LOSES. */
  bool (*may_lose)(const struct reduction *);

  /* With REDUCTION_CHOOSES, these, and `skip` is always NULL (choose.c). A state comes up
   * that is about to be fired from its beginning: goes there, with on_stack. */
  void (*enter)(struct reduction *, const struct open *);
  /* With on_stack: from now on it is not, and leads_back() is not asked any more. */
  void (*leave_stack)(struct reduction *);
  /* Which events of this state are enough? What it takes to say so, in looks at steps. */
  uint64_t (*look)(struct reduction *, const uint8_t *row, uint32_t length);
  /* Actions to leave out: the others are enough, if any of them is enabled. NULL: no more
   * guesses. */
  const uint64_t *(*guess)(struct reduction *);
  /* All that is enabled in the state is among these events, n of them, or was before. */
  void (*sees)(struct reduction *, const struct ts_edge *, uint32_t n);
  /* The actions that may be left out, by choice number `which` of a few of this grade, best
   * first; those of the first grade are those that could be guessed. NULL: there is no such
   * choice. Adds to *work how many steps were looked at. Valid until the next. */
  const uint64_t *(*choose)(struct reduction *, enum search_grade, uint32_t which,
                            uint64_t *work);
  /* With on_stack: whether the state with this hash is on the path to the one entered last. */
  bool (*leads_back)(const struct reduction *, uint64_t raw);

  /* Saves what it knows, or loads it into one that was just opened; as in frontier.h. */
  bool (*pass)(struct reduction *, struct sink *);
  /* Memory ran out. With REDUCTION_FAILS. */
  bool (*failed)(const struct reduction *);
};

/* Whether it may lose states, with this number. */
static inline bool reduction_may_lose(const struct reduction_kind *kind, uint32_t parameter) {
  return (kind->traits & REDUCTION_LOSES) &&
         (kind->exact_from == 0 || parameter < kind->exact_from);
}

/* Every kind, ended by NULL. */
extern const struct reduction_kind *const reduction_kinds[];

/* The function that a kind has although its traits do not say so, or lacks; or NULL. */
const char *reduction_broken(const struct reduction_kind *);

#endif
