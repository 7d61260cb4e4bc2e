/* rebuild.h - states found again by firing the events of their way forth.
 *
 * One by one, or many together: then those on the same way are fired once (variant of the
 * ComBack method that Westergaard et al. leave open). What is wanted is gathered as a tree, a
 * part of the spanning tree of the search, which is walked depth-first.
 */
#ifndef CAIRN_STORE_BACK_REBUILD_H
#define CAIRN_STORE_BACK_REBUILD_H

#include "store/back/back.h"

#define REBUILD_NONE UINT32_MAX

struct rebuild_node {
  uint64_t state;
  uint32_t parent;       /* node, REBUILD_NONE: the state is known */
  uint32_t heavy, light; /* the child below which most is wanted; the list of the others */
  uint32_t next;         /* in that list */
  uint32_t wanted;       /* nodes that are wanted here and below */
  uint32_t want;         /* list of the wants of this one */
  uint32_t event;        /* by which it was reached from its parent */
};

struct rebuild_want {
  uint32_t row, next;
};

enum { REBUILD_ROWS = 34 }; /* on the way down at a time, and one to fire into */

/* The states that were asked for last: the cache of the paper's section 6.5, a table by number
 * without regard to collisions. */
struct rebuild_cache {
  uint64_t places;
  uint32_t room;   /* bytes of a place */
  uint64_t *state; /* number + 1; 0: free */
  uint8_t *packed;
};

struct rebuild {
  struct back *back;
  struct rebuild_node *node;
  uint64_t n, room; /* nodes */
  uint32_t *slot;   /* open table of nodes + 1, twice as many as there is room for nodes */
  struct rebuild_want *want;
  uint64_t n_wants, want_room;
  uint32_t *first; /* of each way that was added, the first node; as many as wants */
  uint64_t n_ways;
  uint64_t *path; /* states, as many as nodes: of a single way */
  uint8_t *rows;  /* REBUILD_ROWS of them */
  uint8_t *row[REBUILD_ROWS];
  uint32_t length[REBUILD_ROWS];
  struct rebuild_cache cache;
  bool is_short; /* there was no room: more is to be taken */
};

/* With a cache of that many states. False if the budget is exhausted; it can be closed then,
 * too. */
bool rebuild_open(struct rebuild *, struct back *, uint64_t cached);
void rebuild_close(struct rebuild *);

/* A state into a row of the shape's stride; its length. */
uint32_t rebuild_state(struct rebuild *, uint64_t state, uint8_t *row);

/* Whether a row is this state, which is not known: variant 3 of the paper. The events of the
 * state's way are undone from the row on, until one cannot have happened, or cannot be undone,
 * which leaves it open. Only where rebuild_undoes(). */
enum rebuild_answer { REBUILD_OTHER, REBUILD_SAME, REBUILD_OPEN };
enum rebuild_answer rebuild_is(struct rebuild *, uint64_t state, const uint8_t *row,
                               uint32_t length);
bool rebuild_undoes(const struct rebuild *);

/* State `state`, which is not known, is wanted for this row. False: there is no room, what is
 * wanted has to be rebuilt first; if nothing is, its way is too long. */
bool rebuild_add(struct rebuild *, uint64_t state, uint32_t row);
/* Rebuilds all that is wanted, then nothing is. `found` is called with each state, which is
 * wanted for all rows from r->want[want].row on, in the list of `next`. */
void rebuild_all(struct rebuild *,
                 void (*found)(void *context, uint64_t state, uint32_t want, const uint8_t *row,
                               uint32_t length),
                 void *context);

/* A state in the cache, packed; or NULL. */
static inline const uint8_t *rebuild_cached(const struct rebuild *r, uint64_t state) {
  const struct rebuild_cache *c = &r->cache;
  if (c->places == 0 || c->state[state % c->places] != state + 1)
    return NULL;
  return c->packed + state % c->places * c->room;
}
/* Puts a state there. */
void rebuild_keep(struct rebuild *, uint64_t state, const uint8_t *packed, uint32_t bytes);

#endif
