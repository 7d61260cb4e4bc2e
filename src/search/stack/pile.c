/* pile.c - the segments of a pile: small at first, then doubling to a fixed size.
 *
 * A record never straddles two segments; the few bytes left at a segment's end
 * are lost. A segment that is too small for a large record is replaced by a
 * larger one when it is empty.
 */
#include "search/stack/pile.h"

void pile_init(struct pile *pile, struct budget *budget) {
  *pile = (struct pile){.budget = budget};
}

void pile_free(struct pile *pile) {
  for (uint32_t i = 0; i < pile->n; i++) {
    struct pile_segment *s = &pile->segment[i];
    budget_unmap(pile->budget, BUDGET_OPEN, s->base, (size_t)(s->end - s->base));
  }
  budget_free(pile->budget, BUDGET_OPEN, pile->segment, pile->room * sizeof *pile->segment);
  pile_init(pile, pile->budget);
}

static bool grow_table(struct pile *pile) {
  if (pile->n < pile->room)
    return true;
  uint32_t room = pile->room == 0 ? 32 : 2 * pile->room;
  struct pile_segment *segment =
      budget_realloc(pile->budget, BUDGET_OPEN, pile->segment, pile->room * sizeof *segment,
                     room * sizeof *segment);
  if (segment == NULL)
    return false;
  pile->segment = segment;
  pile->room = room;
  return true;
}

/* A fresh segment as number `which`, at the end of the table or in place of an
 * empty one that is too small. */
static bool make_segment(struct pile *pile, uint32_t which, size_t bytes) {
  const size_t first = (size_t)64 << 10, most = (size_t)8 << 20;
  size_t want = which < 8 ? first << which : most;
  want = want > most ? most : want;
  while (want < bytes)
    want *= 2;
  if (which == pile->n && !grow_table(pile))
    return false;
  uint8_t *base = budget_map(pile->budget, BUDGET_OPEN, want, want >= BUDGET_HUGE);
  while (base == NULL && want > first && want / 2 >= bytes) { /* the rest of the budget */
    want /= 2;
    base = budget_map(pile->budget, BUDGET_OPEN, want, false);
  }
  if (base == NULL)
    return false;
  struct pile_segment *s = &pile->segment[which];
  if (which < pile->n)
    budget_unmap(pile->budget, BUDGET_OPEN, s->base, (size_t)(s->end - s->base));
  else
    pile->n++;
  *s = (struct pile_segment){base, base + want, base};
  return true;
}

static void enter(struct pile *pile, uint32_t which) {
  const struct pile_segment *s = &pile->segment[which];
  pile->current = which;
  pile->base = s->base;
  pile->end = s->end;
  pile->top = s->top;
}

bool pile_extend(struct pile *pile, size_t bytes) {
  /* An empty first segment is replaced, never left there empty: a segment below
   * another one always holds a record. */
  bool empty = pile->top == pile->base;
  uint32_t next = pile->n == 0 || empty ? pile->current : pile->current + 1;
  if (next >= pile->n || (size_t)(pile->segment[next].end - pile->segment[next].base) < bytes)
    if (!make_segment(pile, next, bytes))
      return false;
  if (!empty)
    pile->segment[pile->current].top = pile->top;
  pile->segment[next].top = pile->segment[next].base;
  enter(pile, next);
  return true;
}

void pile_retreat(struct pile *pile) {
  enter(pile, pile->current - 1);
}

struct pile_record pile_under_base(const struct pile *pile, uint32_t *segment) {
  if (*segment == 0)
    return (struct pile_record){0};
  return pile_ending(pile->segment[--*segment].top);
}

/* Each segment as far as it is filled; those above the current one hold nothing. */
bool pile_pass(struct pile *pile, struct sink *sink) {
  uint64_t n = pile->n == 0 ? 0 : pile->current + UINT64_C(1);
  sink_pass(sink, &n, sizeof n);
  for (uint32_t i = 0; i < n && sink_is_fine(sink); i++) {
    uint64_t room = 0, filled = 0;
    if (!sink_is_read(sink)) {
      const struct pile_segment *s = &pile->segment[i];
      room = (uint64_t)(s->end - s->base);
      filled = (uint64_t)((i == pile->current ? pile->top : s->top) - s->base);
    }
    sink_pass(sink, &room, sizeof room);
    sink_pass(sink, &filled, sizeof filled);
    if (filled > room || room > UINT32_MAX)
      sink_refuse(sink, "has a stack larger than its room");
    if (sink_is_read(sink) && (!sink_is_fine(sink) || !make_segment(pile, i, room)))
      return false;
    struct pile_segment *s = &pile->segment[i];
    sink_pass(sink, s->base, filled);
    if (!sink_is_read(sink))
      continue;
    s->top = s->base + filled;
    enter(pile, i);
  }
  return sink_is_fine(sink);
}
