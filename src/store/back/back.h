/* back.h - states as a way back to a state that is known, and the few that are known.
 *
 * Known are those kept whole (all that have no way back, and some anchors on the ways of the
 * others), and those of a window: open states, which will be asked for soon anyway. All others
 * are found again by firing the events of the way forth (rebuild.h).
 */
#ifndef CAIRN_STORE_BACK_BACK_H
#define CAIRN_STORE_BACK_BACK_H

#include "store/back/backedges.h"
#include "store/back/events.h"
#include "store/room/vectors.h"

#include "ts/hash.h"
#include "ts/pack.h"
#include "ts/ts.h"

struct index;

struct back {
  const struct ts *ts; /* to fire events again; NULL: all states are kept whole */
  struct budget *budget;
  struct pack *pack;
  struct events events;
  struct backedges edges;
  struct vectors whole; /* in the order of their numbers */
  struct vectors
      window; /* in BUDGET_OPEN: of the states from number window_from on, of which those */
  uint64_t window_from;  /* from window_first on are there */
  uint64_t window_first; /* UINT64_MAX: there is no window */
  uint64_t work_bytes;   /* that all workers took to rebuild states, */
  uint64_t fired;        /* and the events that they fired */
  uint64_t apart;        /* events from one anchor to the next; 0: there are none */
  /* By which choices.h tells the outcomes of an action apart; hash NULL: events have their
   * choices. */
  const struct hash *hash;
  const struct index *index;
  uint64_t hash_mask;
};

/* False if the budget is exhausted; it can be closed then, too. */
bool back_open(struct back *, const struct ts_shape *, const struct ts *, struct budget *);
void back_close(struct back *);

/* How a state was reached; parent BACKEDGES_NONE: it has no way back. */
struct back_way {
  uint64_t parent;
  struct ts_event event;
};

/* What adding the next state will need is there; false if memory ran out. `packed` is the
 * state, of that many bytes. Then back_add() adds it. */
struct back_next {
  struct backedge edge;
  bool whole;
};
bool back_make(struct back *, struct back_way, uint32_t bytes, struct back_next *);
void back_add(struct back *, const struct back_next *, const uint8_t *packed, uint32_t bytes);

/* From now on the states from number `first` on are kept in the window, and some before it,
 * which are reached again more often than older ones. */
void back_shed(struct back *, uint64_t first);

/* How many events a state is from the known one in front of it, but not those of the window;
 * `most` if it is farther. */
uint64_t back_distance(const struct back *, uint64_t state, uint64_t most);

/* Where a state is that is known, packed; NULL: it is not. */
static inline const uint8_t *back_known(const struct back *b, uint64_t state) {
  if (state >= b->window_first)
    return vectors_at(&b->window, state - b->window_from);
  if (backedges_is_whole(&b->edges, state))
    return vectors_at(&b->whole, backedges_rank(&b->edges, state));
  return NULL;
}

/* Whether a known state is this one. */
static inline bool back_same(const struct back *b, const uint8_t *known, const uint8_t *packed,
                             uint32_t bytes) {
  uint32_t header = b->whole.header;
  return vectors_equal(known, packed, header) &&
         vectors_equal(known + header, packed + header, bytes - header);
}

/* Bytes taken from the budget; of BUDGET_STORE, which the window is not in. */
uint64_t back_reserved(const struct back *);
const char *back_check(const struct back *);

/* See room/save.h. */
void back_save(const struct back *, struct sink *);
bool back_load(struct back *, struct sink *);

#endif
