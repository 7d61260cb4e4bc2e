/* pile.h - a stack of records of any size, in segments that never move.
 *
 * A depth-first search needs a stack that may hold most of the state space,
 * without the copying and the doubled memory of one array that grows. Records
 * are written one after the other; each ends with its kind and how many bytes it
 * has, so that the pile is read from the top. There may be one record for every
 * event of the model: kind and size take two bytes, and nothing is aligned.
 * Segments stay mapped once made: a search that went deep goes deep again.
 */
#ifndef CAIRN_SEARCH_STACK_PILE_H
#define CAIRN_SEARCH_STACK_PILE_H

#include "base/budget.h"
#include "base/sink.h"

#include <string.h>

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

struct pile_record {
  uint8_t *at; /* NULL: there is none */
  uint32_t bytes;
  uint32_t kind; /* the owner's, less than 16 */
};

enum {
  PILE_TAIL = 6,   /* most bytes that kind and size take */
  PILE_LONG = 4095 /* a size of so much or more is in front, in four bytes */
};

/* Empty, and nothing allocated yet. */
void pile_init(struct pile *, struct budget *);
void pile_free(struct pile *);

/* Slow path of pile_room: goes to the next segment. */
bool pile_extend(struct pile *, size_t bytes);

/* Makes sure that the next record may take `bytes` in all, PILE_TAIL included; NULL if
 * the budget is exhausted, else where to write it. */
static inline uint8_t *pile_room(struct pile *pile, size_t bytes) {
  if ((size_t)(pile->end - pile->top) < bytes && !pile_extend(pile, bytes))
    return NULL;
  return pile->top;
}

/* Finishes the record of which `bytes` were written at pile_room(). */
static inline void pile_push(struct pile *pile, uint32_t kind, uint32_t bytes) {
  uint8_t *at = pile->top + bytes;
  if (__builtin_expect(bytes >= PILE_LONG, 0)) {
    memcpy(at, &bytes, sizeof bytes);
    at += sizeof bytes;
    bytes = PILE_LONG;
  }
  uint16_t tail = (uint16_t)(bytes << 4 | kind);
  memcpy(at, &tail, sizeof tail);
  pile->top = at + sizeof tail;
}

/* The record that ends at `top`. */
static inline struct pile_record pile_ending(uint8_t *top) {
  uint16_t tail;
  top -= sizeof tail;
  memcpy(&tail, top, sizeof tail);
  uint32_t bytes = tail >> 4;
  if (__builtin_expect(bytes == PILE_LONG, 0)) {
    top -= sizeof bytes;
    memcpy(&bytes, top, sizeof bytes);
  }
  return (struct pile_record){top - bytes, bytes, tail & 15u};
}

static inline struct pile_record pile_top(const struct pile *pile) {
  if (pile->top == pile->base)
    return (struct pile_record){0};
  return pile_ending(pile->top);
}

/* Slow path of pile_pop: back to the segment before. */
void pile_retreat(struct pile *);

/* Takes the top record off, which is `top`; its bytes stay readable until the next
 * pile_room. */
static inline void pile_pop(struct pile *pile, struct pile_record top) {
  pile->top = top.at;
  if (pile->top == pile->base && pile->current > 0)
    pile_retreat(pile);
}

/* Saves it, or loads it into an empty one. False if memory ran out or the sink refused. */
bool pile_pass(struct pile *, struct sink *);

/* Slow path of pile_under(): the top of the segment before. */
struct pile_record pile_under_base(const struct pile *, uint32_t *segment);

/* Walks down: the record under `record`. *segment begins as pile->current. */
static inline struct pile_record pile_under(const struct pile *pile, struct pile_record record,
                                            uint32_t *segment) {
  return record.at == pile->segment[*segment].base ? pile_under_base(pile, segment)
                                                   : pile_ending(record.at);
}

#endif
