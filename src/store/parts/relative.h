/* relative.h - the tuple of one row, laid from that of the state it was reached from.
 *
 * Where that state is known, only the components that the event changed are looked at: the
 * others must have the numbers that they have there. Which tops these are is known of each
 * bit of an edge's mask beforehand.
 *
 * `s` in this file: the tables of the row's worker, which callers in line know by a constant
 * distance.
 */
#ifndef CAIRN_STORE_PARTS_RELATIVE_H
#define CAIRN_STORE_PARTS_RELATIVE_H

#include "store/parts/single.h"
#include "store/parts/tuples.h"
#include "store/store.h"

enum { RELATIVE_BITS = 64 }; /* of an edge's mask of what changed */

/* The tops in [from, to). */
struct relative_range {
  uint32_t from, to;
};

/* What all workers share. */
struct relative_tables {
  struct parts parts;
  struct tuples tuples;
  uint64_t always; /* components that count as changed in every row */
  struct relative_range touched[RELATIVE_BITS]; /* by bit of an edge's mask */
  size_t n_touched;                             /* in sum */
};

/* A worker's own, for the row in work: the bits of its edge's mask, or that all tops may have
 * changed; the tops that may not be its parent's; tuples in words, all numbers. */
struct relative {
  struct relative_tables *tables;
  struct parts_work parts;
  uint64_t bits;
  bool all; /* and then bits is 0 */
  uint32_t n_changed;
  uint32_t *changed, *number;
  uint64_t base_id; /* parent whose tuple is in from, STORE_NONE: from is no tuple, but 0 */
  uint64_t *from, *tuple, *seen, *differs;
  uint8_t *width;
  void *block;
  size_t size; /* of the block */
};

/* Of zeroed memory. False if the budget is exhausted, and then there is nothing to close. */
bool relative_open(struct relative_tables *, const struct store_config *);
void relative_close(struct relative_tables *);

/* False if the budget is exhausted, and then there is nothing to end. */
bool relative_begin(struct relative *, struct relative_tables *);
void relative_end(struct relative *);

/* Begins an epoch with room for the numbers of the row in work, and lays its tuple again. False
 * if memory ran out. */
bool relative_widen(struct relative *);

/* A sentence that names the first broken invariant, or NULL. */
const char *relative_check(const struct relative *);

/* Makes the tuple of this state the base; STORE_NONE: zeros. */
static inline void relative_to(const struct relative_tables *s, struct relative *w,
                               uint64_t id) {
  if (id == w->base_id)
    return;
  const struct tuples *tuples = &s->tuples;
  w->base_id = id;
  if (id != STORE_NONE)
    tuples_load(tuples, id, w->from);
  else
    memset(w->from, 0, (tuples->words + 1) * sizeof *w->from);
}

/* Takes up row i: its base, and what may have changed. */
static inline struct single relative_take(const struct relative_tables *s, struct relative *w,
                                          const struct rows *rows, uint32_t i) {
  const struct ts_edge *edge = &rows->batch.edge[i];
  uint64_t parent = rows->has_parents ? rows->parent[i] : STORE_NONE;
  w->all = parent >= s->tuples.n;
  w->bits = w->all ? 0 : edge->changed | s->always;
  relative_to(s, w, w->all ? STORE_NONE : parent);
  return (struct single){rows_at(rows, i), edge->length};
}

/* The tops of the lowest of these bits of the row in work. */
static inline struct relative_range relative_tops(const struct relative_tables *s, bool all,
                                                  uint64_t bits) {
  return all ? (struct relative_range){0, s->parts.tops} : s->touched[__builtin_ctzll(bits)];
}

/* Lists the tops at which the row in work may have another part. */
static inline void relative_list(const struct relative_tables *s, struct relative *w) {
  uint32_t n = 0, *changed = w->changed;
  uint64_t bits = w->bits;
  for (bool all = w->all; all || bits; bits &= bits - 1, all = false) {
    struct relative_range range = relative_tops(s, all, bits);
    for (uint32_t k = range.from; k < range.to; k++)
      changed[n++] = k;
  }
  w->n_changed = n;
}

/* relative_is() with tuples in registers. */
CUT_INLINE bool relative_is_pair(const struct relative_tables *s, const struct relative *w,
                                 const struct single *row, uint64_t id, bool wide) {
  const struct tuples_field *field = s->tuples.field;
  const struct tuples_ones *ones = s->tuples.ones;
  tuples_pair seen = tuples_load_pair(&s->tuples, id, w->seen);
  tuples_pair differs = seen ^ tuples_as_pair(w->from);
  uint32_t *down = w->parts.down;
  uint64_t bits = w->bits;
  for (bool all = w->all; all || bits; bits &= bits - 1, all = false) {
    struct relative_range range = relative_tops(s, all, bits);
    for (uint32_t k = range.from; k < range.to; k++) {
      differs &= ~tuples_as_pair(ones[k].word);
      if (!single_is(&s->parts, down, row, k, tuples_pair_get(seen, field[k]), wide))
        return false;
    }
  }
  return differs == 0;
}

/* The same with tuples of any length. */
CUT_INLINE bool relative_is_long(const struct relative_tables *s, const struct relative *w,
                                 const struct single *row, uint64_t id, bool wide) {
  const struct tuples *t = &s->tuples;
  const struct tuples_field *field = t->field;
  uint64_t *seen = w->seen, *differs = w->differs, *base = w->from, all_words = 0;
  uint32_t *down = w->parts.down, words = t->words;
  uint64_t bits = w->bits;
  tuples_load(t, id, seen);
  for (uint32_t i = 0; i < words; i++)
    differs[i] = seen[i] ^ base[i];
  for (bool all = w->all; all || bits; bits &= bits - 1, all = false) {
    struct relative_range range = relative_tops(s, all, bits);
    for (uint32_t k = range.from; k < range.to; k++) {
      tuples_clear(differs, field[k]);
      if (!single_is(&s->parts, down, row, k, tuples_get(seen, field[k]), wide))
        return false;
    }
  }
  for (uint32_t i = 0; i < words; i++)
    all_words |= differs[i];
  return all_words == 0;
}

/* Is the row in work this state? */
CUT_INLINE bool relative_is(const struct relative_tables *s, const struct relative *w,
                            const struct single *row, uint64_t id, bool wide) {
  return s->tuples.words <= TUPLES_PAIR ? relative_is_pair(s, w, row, id, wide)
                                        : relative_is_long(s, w, row, id, wide);
}

enum relative_result { RELATIVE_FITS, RELATIVE_WIDE, RELATIVE_NONE };

/* Lays the tuple of the row in work, with all its parts numbered, new ones too if `add`. Where
 * the result is not RELATIVE_FITS there is no tuple, but where it is RELATIVE_WIDE all numbers
 * are there. RELATIVE_WIDE: a number does not fit its field; RELATIVE_NONE: some part has none.
 */
CUT_INLINE enum relative_result relative_number(struct relative_tables *s, struct relative *w,
                                                const struct single *row, bool add, bool wide) {
  enum relative_result result = RELATIVE_FITS;
  uint64_t *tuple = w->tuple, *base = w->from;
  uint32_t *changed = w->changed, *down = w->parts.down, *numbers = w->number;
  relative_list(s, w);
  for (uint32_t i = 0; i < s->tuples.words; i++)
    tuple[i] = base[i];
  for (uint32_t i = 0, n = w->n_changed; i < n; i++) {
    uint32_t k = changed[i], number = single_number(&s->parts, down, row, k, add, wide);
    struct tuples_field field = s->tuples.field[k];
    if (number == NODES_NONE)
      return RELATIVE_NONE;
    numbers[k] = number;
    if ((uint64_t)number >> field.width != 0)
      result = RELATIVE_WIDE;
    if (result == RELATIVE_FITS) {
      tuples_clear(tuple, field);
      tuples_set(tuple, field, number);
    }
  }
  return result;
}

/* Puts the leaves of a state together in parts.leaf; false: one of its parts does not exist. */
static inline bool relative_assemble(const struct relative *w, uint64_t id) {
  const struct relative_tables *s = w->tables;
  tuples_numbers(&s->tuples, id, s->parts.top, w->parts.down);
  return parts_assemble(&w->parts);
}

#endif
