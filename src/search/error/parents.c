/* parents.c - a tree of states as the string of its degrees, one after the other.
 *
 * Where states are expanded in the order of their numbers, and numbered in the
 * order in which they are found, the parents of states 0, 1, 2 … never descend. Then
 * the list of parents is a string of bits: for each state as many zeros as its parent
 * is farther on than the one before, and a one. (Jacobson, Space-efficient static
 * trees and graphs, 1989, calls such strings level-order unary degree sequences.) With
 * n states there are n ones and at most n zeros. The parent of state i is the number of
 * zeros in front of one number i. These are counted from the end backwards, one
 * state after the other on the way to the initial one, so that the whole way costs one
 * pass over the string.
 *
 * After it, a byte per state says which of its parent's successors it was. The few
 * that are the 256th or later are in a list.
 */
#include "search/error/parents.h"

#include "base/array.h"

#include <stdint.h>

#define PARENTS_PAGE 4096u

void parents_init(struct parents *p, struct budget *budget) {
  *p = (struct parents){.budget = budget};
}

void parents_free(struct parents *p) {
  struct budget *budget = p->budget;
  if (p->bit)
    budget_unmap(budget, BUDGET_PARENTS, p->bit, p->room / 8);
  if (p->nth)
    budget_unmap(budget, BUDGET_PARENTS, p->nth, p->nth_room);
  array_free(budget, BUDGET_PARENTS, p->far, p->far_room * sizeof *p->far);
  parents_init(p, budget);
}

/* A larger size, in whole pages. */
static uint64_t next_size(uint64_t bytes, uint64_t least) {
  uint64_t next = bytes < 64 * PARENTS_PAGE ? 2 * bytes : bytes + bytes / 8;
  next = next < least ? least : next;
  uint64_t unit = next < 8 * BUDGET_HUGE ? PARENTS_PAGE : BUDGET_HUGE;
  return (next + unit - 1) / unit * unit;
}

/* A mapping of other size, NULL if the budget is exhausted. */
static void *resize(struct budget *budget, void *old, uint64_t bytes, uint64_t next) {
  return old ? budget_remap(budget, BUDGET_PARENTS, old, bytes, next, next >= BUDGET_HUGE)
             : budget_map(budget, BUDGET_PARENTS, next, false);
}

bool parents_extend(struct parents *p, uint64_t end) {
  if (end >= p->room) {
    uint64_t size = next_size(p->room / 8, end / 8 + 1);
    uint64_t *bit = resize(p->budget, p->bit, p->room / 8, size);
    if (!bit)
      return false;
    p->bit = bit;
    p->room = size * 8;
  }
  if (p->n == p->nth_room) {
    uint64_t size = next_size(p->nth_room, PARENTS_PAGE);
    uint8_t *nth = resize(p->budget, p->nth, p->nth_room, size);
    if (!nth)
      return false;
    p->nth = nth;
    p->nth_room = size;
  }
  return true;
}

bool parents_add_far(struct parents *p, uint32_t nth) {
  if (p->n_far == p->far_room) {
    struct parents_far *far =
        array_grow(p->budget, BUDGET_PARENTS, p->far, &p->far_room, sizeof *far);
    if (!far)
      return false;
    p->far = far;
  }
  p->far[p->n_far++] = (struct parents_far){p->n, nth};
  return true;
}

bool parents_add_initial(struct parents *p, uint32_t nth) {
  if (!parents_add(p, 0, nth))
    return false;
  p->initial = p->n;
  return true;
}

static uint32_t far_nth(const struct parents *p, uint64_t id) {
  uint64_t low = 0, high = p->n_far;
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    if (p->far[middle].id <= id)
      low = middle;
    else
      high = middle;
  }
  return p->far[low].nth;
}

struct parents_step parents_get(const struct parents *p, struct parents_cursor *c,
                                uint64_t id) {
  struct parents_step step = {UINT64_MAX, p->nth[id] < 255 ? p->nth[id] : far_nth(p, id)};
  if (id < p->initial)
    return step;
  if (!c->begun)
    *c = (struct parents_cursor){true, (p->end + 63) / 64, p->n};
  while (c->ones > id) {
    c->word--;
    c->ones -= (uint64_t)__builtin_popcountll(p->bit[c->word]);
  }
  uint64_t word = p->bit[c->word];
  for (uint64_t skip = id - c->ones; skip > 0; skip--)
    word &= word - 1;
  step.parent = c->word * 64 + (uint64_t)__builtin_ctzll(word) - id;
  return step;
}

struct parents_step parents_next(const struct parents *p, struct parents_walk *w) {
  uint64_t id = w->id++;
  struct parents_step step = {UINT64_MAX, p->nth[id] < 255 ? p->nth[id] : far_nth(p, id)};
  uint64_t at = w->bit / 64, word = p->bit[at] >> (w->bit % 64) << (w->bit % 64);
  while (word == 0)
    word = p->bit[++at];
  uint64_t one = at * 64 + (uint64_t)__builtin_ctzll(word);
  w->bit = one + 1;
  if (id >= p->initial)
    step.parent = one - id;
  return step;
}

/* Memory for what is to be loaded. */
static bool make(struct parents *p, uint64_t bits, uint64_t nth, uint64_t far) {
  const uint64_t most = UINT64_C(1) << 48;
  if (bits > most || nth > most || far > most || bits % 64 != 0)
    return false;
  if (bits > 0) {
    p->bit = resize(p->budget, NULL, 0, bits / 8);
    p->room = p->bit != NULL ? bits : 0;
  }
  if (nth > 0) {
    p->nth = resize(p->budget, NULL, 0, nth);
    p->nth_room = p->nth != NULL ? nth : 0;
  }
  if (far > 0) {
    p->far = array_resize(p->budget, BUDGET_PARENTS, NULL, 0, far * sizeof *p->far);
    p->far_room = p->far != NULL ? far : 0;
  }
  return p->room == bits && p->nth_room == nth && p->far_room == far;
}

bool parents_pass(struct parents *p, struct sink *sink) {
  uint64_t bits = p->room, nth = p->nth_room, far = p->far_room;
  uint64_t *const number[] = {&p->n,     &p->initial, &p->last, &p->end,
                              &p->n_far, &bits,       &nth,     &far};
  sink_section(sink, "parents");
  for (uint32_t i = 0; i < sizeof number / sizeof *number; i++)
    sink_pass(sink, number[i], sizeof *number[i]);
  if (p->end > bits || p->n > nth || p->n_far > far)
    sink_refuse(sink, "has more parents than there is room for");
  if (sink_is_read(sink) && (!sink_is_fine(sink) || !make(p, bits, nth, far)))
    return false;
  sink_pass(sink, p->bit, (p->end + 63) / 64 * 8);
  sink_pass(sink, p->nth, p->n);
  sink_pass(sink, p->far, p->n_far * sizeof *p->far);
  return sink_is_fine(sink);
}
