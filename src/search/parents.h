/* parents.h - for every state the state it was first reached from.
 *
 * Five bytes per state at most: the low 32 bits of the parent's id always, eight
 * more from the moment on that ids need them. Kept in segments, by id, filled in
 * order of insertion. Events are not kept: expanding the parent finds them again.
 */
#ifndef CAIRN_SEARCH_PARENTS_H
#define CAIRN_SEARCH_PARENTS_H

#include "base/budget.h"

struct parents_segment {
  uint32_t *low;
  uint8_t *high; /* NULL: all zero */
  uint64_t capacity;
};

struct parents {
  uint32_t *next, *end; /* where the next parent goes */
  uint64_t n, room;     /* segments, and room in their table */
  struct parents_segment *segment;
  struct budget *budget;
};

void parents_init(struct parents *, struct budget *);
void parents_free(struct parents *);

/* Slow paths of parents_add. */
bool parents_extend(struct parents *);
bool parents_set_high(struct parents *, uint64_t parent);

/* Sets the parent of the state whose id is the number of calls so far. False, and
 * nothing happened, if the budget is spent. */
static inline bool parents_add(struct parents *parents, uint64_t parent) {
  if (parents->next == parents->end && !parents_extend(parents))
    return false;
  if (parent >> 32 != 0 && !parents_set_high(parents, parent))
    return false;
  *parents->next++ = (uint32_t)parent;
  return true;
}

uint64_t parents_get(const struct parents *, uint64_t id);

#endif
