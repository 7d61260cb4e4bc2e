/* watch.h - what whoever wants to know of a search is told.
 *
 * The tree of open states, the list of parents, counters and tests are watches: each says what
 * it hears, and is called by the step (step.c), in the order in which they were added. So an
 * engine or an order need not know who listens.
 *
 * Closings are known where a tree of open states is kept: a search of which some watch hears
 * them keeps one.
 */
#ifndef CAIRN_SEARCH_WATCH_H
#define CAIRN_SEARCH_WATCH_H

#include "search/open.h"

#include <assert.h>

enum watch_hears {
  WATCH_FIRED = 1,
  WATCH_ANSWERED = 2, /* rows that were put */
  WATCH_LOOKED = 4,   /* rows that were looked up */
  WATCH_CLOSED = 8
};

struct watch {
  unsigned hears; /* of what follows; the other functions are not called */
  void *context;

  /* Rows [from, n) of open->into are successors of `open`, or of the root the initial states;
   * not `more`: the last ones. False if memory ran out. */
  bool (*fired)(void *context, const struct open *, uint32_t from, bool more);
  /* Rows [from, to) were put and answered, or (not `put`) looked up: then those that are not
   * STORE_OLD come again. Returns the first row for which memory ran out, or `to`; may be
   * called again for the rest when there is more. */
  uint32_t (*answered)(void *context, struct rows *, uint32_t from, uint32_t to, bool put);
  /* All events of the state with this number were fired and their targets looked up. */
  bool (*closed)(void *context, uint64_t number);
};

enum { WATCH_MOST = 4 };

struct watches {
  struct watch at[WATCH_MOST];
  uint32_t n;
  unsigned hear; /* what any of them hears */
};

static inline void watches_add(struct watches *watches, struct watch watch) {
  assert(watches->n < WATCH_MOST);
  watches->at[watches->n++] = watch;
  watches->hear |= watch.hears;
}

/* The watch with this context is told no more. */
static inline void watches_remove(struct watches *watches, const void *context) {
  struct watches old = *watches;
  *watches = (struct watches){0};
  for (uint32_t i = 0; i < old.n; i++)
    if (old.at[i].context != context)
      watches_add(watches, old.at[i]);
}

static inline bool watches_fired(const struct watches *watches, const struct open *open,
                                 uint32_t from, bool more) {
  bool fine = true;
  for (uint32_t i = 0; i < watches->n; i++)
    if (watches->at[i].hears & WATCH_FIRED)
      fine = watches->at[i].fired(watches->at[i].context, open, from, more) && fine;
  return fine;
}

static inline bool watches_closed(const struct watches *watches, uint64_t number) {
  bool fine = true;
  for (uint32_t i = 0; i < watches->n && (watches->hear & WATCH_CLOSED); i++)
    if (watches->at[i].hears & WATCH_CLOSED)
      fine = watches->at[i].closed(watches->at[i].context, number) && fine;
  return fine;
}

#endif
