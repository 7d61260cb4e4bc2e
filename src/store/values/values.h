/* values.h - a set of numbers of up to 64 bits that keeps only some of their highest.
 *
 * Numbers are only added, and at last given up, all of them. They should be distributed
 * evenly: hashes. See values.c.
 */
#ifndef CAIRN_STORE_VALUES_VALUES_H
#define CAIRN_STORE_VALUES_VALUES_H

#include "store/values/line.h"

#include "base/budget.h"
#include "base/sink.h"

enum {
  VALUES_MOST_WIDTH = 64,
  VALUES_LEAST_HOMES = 112, /* two pages; at least 64, for rests are read as one word each */
  VALUES_FINE = 16,         /* the smallest part to grow by */
  VALUES_STRAYS = 64
};

struct values {
  struct budget *budget;
  struct line_layout layout;
  uint8_t *lines; /* homes + LINE_REACH - 1 */
  size_t bytes;
  uint64_t entries; /* strays included */
  uint64_t grow_at; /* entries */
  uint64_t kept;    /* mask of the bits that are kept */
  bool draining;    /* numbers are being given up, for good */
  bool broken;      /* entries found no place: nothing more can be added */
  uint32_t n_strays;
  uint64_t stray[VALUES_STRAYS]; /* numbers that found no place within reach */
};

/* False if the budget is exhausted, and then there is nothing to close. */
bool values_open(struct values *, struct budget *, uint32_t width);
void values_close(struct values *);

/* Adds a number that is not there. Only its kept bits may be set, here and below. */
void values_add(struct values *, uint64_t t);
/* Whether there must be more room before a number is added. */
static inline bool values_is_full(const struct values *v) {
  return v->entries >= v->grow_at || v->n_strays == VALUES_STRAYS;
}
/* One of `part` more lines, part being at most VALUES_FINE. False, and nothing changed, if
 * memory ran out. */
bool values_grow(struct values *, uint32_t part);
/* Gives up bits until a line has a sixth more slots, in the same memory. Numbers may become
 * one. False, and nothing changed, if fewer than `least` bits would be left. */
bool values_narrow(struct values *, uint32_t least);
/* Room for some more in the same memory, which makes the table slow; false if there is none. */
bool values_press(struct values *);

/* The numbers from *cursor on, which is 0 at first and goes on: at most `most`, which is at
 * least as many as a line has slots. Returns how many; 0: there are no more. */
uint32_t values_list(const struct values *, uint64_t *cursor, uint64_t *t, uint32_t most);
/* Gives up for good what was listed up to this cursor, and its memory bit by bit. After that
 * there is only listing from there on, this and closing. */
void values_release(struct values *, uint64_t cursor);

/* A sentence that names the first broken invariant, or NULL. */
const char *values_check(const struct values *);

/* Loading is into a set that was just opened. `fixed`: the width must be its own. False if
 * memory ran out or the sink refused. */
void values_save(const struct values *, struct sink *);
bool values_load(struct values *, struct sink *, bool fixed);

/* Is it there? */
static inline bool values_has(const struct values *set, uint64_t t) {
  const struct line_layout *l = &set->layout;
  struct line_value v = line_value(l, t);
  const uint8_t *line = set->lines + v.home * LINE;
  uint64_t rest = v.remainder >> 8 << LINE_AWAY_BITS;
  for (uint32_t away = 0; away < LINE_REACH; away++, line += LINE) {
    for (uint64_t hits = line_hits(l, line, v.remainder & 0xFF); hits; hits &= hits - 1)
      if (line_rest(l, line, (uint32_t)__builtin_ctzll(hits)) == (rest | away))
        return true;
    if (__builtin_expect(line[LINE_COUNT] < l->slots, 1))
      return false;
  }
  for (uint32_t i = 0; i < set->n_strays; i++)
    if (set->stray[i] == t)
      return true;
  return false;
}

static inline void values_prefetch(const struct values *set, uint64_t t) {
  __builtin_prefetch(set->lines + line_value(&set->layout, t).home * LINE);
}

#endif
