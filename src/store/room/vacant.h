/* vacant.h - places of removed states, to be used again.
 *
 * For stores that number their states and are to stay as small as the most states that
 * they had at a time.
 */
#ifndef CAIRN_STORE_ROOM_VACANT_H
#define CAIRN_STORE_ROOM_VACANT_H

#include "store/room/segments.h"
#include "store/room/vectors.h"

enum { VACANT_LEVELS = 3 };

struct vacant {
  struct budget *budget;
  struct vectors *vectors;
  /* A word per 64 states: bit set, it is removed. Where the first one is to be found, there is
   * one per 64 of these words, too: bit set, it has any; and so on. */
  struct segments marks;
  struct segments *above;                /* the others; or NULL */
  struct segments *level[VACANT_LEVELS]; /* all, from `marks` on */
  uint32_t levels;
  uint64_t top; /* words of the last level, at most */
  uint64_t n;   /* of them */
  bool reuses;
  uint64_t *head; /* where lengths vary: by room, one more than the first vacant place */
  uint32_t classes;
};

/* `reuses`: places are given out again. False if the budget is exhausted; it can be closed
 * then, too. */
bool vacant_open(struct vacant *, struct vectors *, struct budget *, bool reuses);
void vacant_close(struct vacant *);

/* Room that a state of that many bytes must be given at first. */
static inline uint32_t vacant_room(const struct vacant *v, uint32_t bytes) {
  return v->reuses && !v->vectors->fixed ? (bytes + 15u) & ~15u : bytes;
}

bool vacant_has(const struct vacant *, uint64_t id);

/* What the marks take, in bytes. */
uint64_t vacant_bytes(const struct vacant *);

/* Then vacant_add() of this state does not fail. False if the budget is exhausted. */
bool vacant_make_room(struct vacant *, uint64_t id);
/* The state is removed. False if the budget is exhausted. */
bool vacant_add(struct vacant *, uint64_t id);
/* A place for a state of that many bytes, to be written at vectors_at(); false: none. */
bool vacant_take(struct vacant *, uint32_t bytes, uint64_t *id);

/* A sentence naming a state that is there and is not what packing makes, or NULL. */
const char *vacant_check(const struct vacant *);

#endif
