/* pile.h - a stack of records of any size, in segments that never move.
 *
 * A depth-first search needs a stack that may hold most of the state space,
 * without the copying and the doubled memory of one array that grows. Records
 * are written behind each other; each ends with a head of fixed size that
 * tells how many bytes lie below it, so that the pile is read from the top.
 * Segments stay mapped once made: a search that went deep goes deep again.
 */
#ifndef CAIRN_SEARCH_PILE_H
#define CAIRN_SEARCH_PILE_H

#include "base/budget.h"

struct pile_segment {
  uint8_t *base, *end, *top; /* top: where it was left for the next segment */
};

struct pile {
  uint8_t *top, *base, *end; /* of the current segment */
  uint32_t current, n;
  struct pile_segment *segment;
  uint32_t room; /* of the array segment */
  struct budget *budget;
};

/* Twenty bytes, because there may be one for every event of the model. */
struct pile_head {
  uint64_t word;       /* the owner's */
  uint32_t pair[2];    /* the owner's */
  uint32_t below : 24; /* bytes of the record in front of this head, a multiple of 4 */
  uint32_t kind : 8;   /* the owner's */
} __attribute__((packed, aligned(4)));

/* Empty, and nothing allocated yet. */
void pile_init(struct pile *, struct budget *);
void pile_free(struct pile *);

/* Slow path of pile_room: goes to the next segment. */
bool pile_extend(struct pile *, size_t bytes);

/* Makes sure that the next record may take `bytes` in all; NULL if the budget is
 * spent, else where to write the part below its head. */
static inline uint8_t *pile_room(struct pile *pile, size_t bytes) {
  if ((size_t)(pile->end - pile->top) < bytes && !pile_extend(pile, bytes))
    return NULL;
  return pile->top;
}

/* Finishes the record of which `below` bytes were written at pile_room(). */
static inline void pile_push(struct pile *pile, struct pile_head head, uint32_t below) {
  struct pile_head *at = (struct pile_head *)(void *)(pile->top + below);
  *at = head;
  at->below = below & 0xFFFFFFu;
  pile->top = (uint8_t *)(at + 1);
}

/* The head of the top record, or NULL. The bytes below it lie in front of it. */
static inline struct pile_head *pile_top(const struct pile *pile) {
  if (pile->top == pile->base)
    return NULL;
  return (struct pile_head *)(void *)pile->top - 1;
}

static inline uint8_t *pile_below(struct pile_head *head) {
  return (uint8_t *)head - head->below;
}

/* Slow path of pile_pop: back to the segment before. */
void pile_retreat(struct pile *);

/* Takes the top record off; its bytes stay readable until the next pile_push. */
static inline void pile_pop(struct pile *pile) {
  pile->top = pile_below(pile_top(pile));
  if (pile->top == pile->base && pile->current > 0)
    pile_retreat(pile);
}

/* Walks down: the record under `head`, or NULL. *segment begins as pile->current. */
struct pile_head *pile_under(const struct pile *, struct pile_head *head, uint32_t *segment);

#endif
