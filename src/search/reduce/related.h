/* related.h - which steps are related to which: rows of bits over all steps, made before a
 * search, for sets of processes (conflict.c) and of steps (stubborn.c).
 *
 * For each step: those that it does not accord with, and those that may enable it. For each
 * guard those that may make it true, for each location those that lead there, and those that
 * can be reached from there.
 *
 * Where a step or a guard takes an element of an array by an index that is a slot plus a
 * number, there is also a row for each element: in a state it is known which one is meant. As
 * the step reads that slot, whoever changes it is in the row, too.
 */
#ifndef CAIRN_SEARCH_REDUCE_RELATED_H
#define CAIRN_SEARCH_REDUCE_RELATED_H

#include "base/budget.h"
#include "ts/control.h"

struct related_rows {
  uint64_t *at;
  uint32_t n;
};

enum { RELATED_KEYS = 2 };

/* The indices that the row of a step or a guard depends on. */
struct related_keys {
  uint32_t n;
  struct related_key {
    uint32_t slot;
    int32_t offset;
    uint32_t length;
  } key[RELATED_KEYS];
  uint32_t first; /* row of the first elements */
};

struct related {
  const struct ts_shape *shape;
  const struct ts_control *control;
  struct budget *budget;
  uint32_t words; /* of a row; 0: there are too many steps, and no rows */
  struct related_keys *step_keys, *guard_keys;
  uint32_t n_meets, n_guards;      /* rows, with those for elements */
  struct related_rows meets;       /* by step: what does not accord with it */
  struct related_rows waits;       /* by step: what may enable it, whatever it waits for, */
  struct related_rows filled;      /* and where it waits for another message than there is */
  struct related_rows guard;       /* by guard: what may make it true */
  struct related_rows into;        /* by location: what leads there */
  struct related_rows ahead;       /* by location: what can be reached from there */
  uint32_t *first_action, *action; /* by step: its actions */
  uint32_t *channel; /* by step, of however many: the slot that says whether there is a message
                      * that it waits for, or TS_NONE */
};

/* But for what accord.c fills in. NULL if the budget is exhausted. */
struct related *related_open(const struct ts_shape *, struct budget *);
void related_close(struct related *); /* NULL: nothing happens */

/* Room for n rows, which related_close() gives back. False if the budget is exhausted. */
bool related_open_rows(struct related *, struct related_rows *, uint32_t n);

static inline const uint64_t *related_row(const struct related *r,
                                          const struct related_rows *rows, uint32_t i) {
  return rows->at + (size_t)i * r->words;
}

/* How many guards are known. */
static inline uint32_t related_guards(const struct ts_control *c) {
  return c->first_guard == NULL ? 0 : c->first_guard[c->n_steps];
}

/* The first guard of a step, or after the last one. */
static inline uint32_t related_first_guard(const struct ts_control *c, uint32_t step) {
  return c->first_guard == NULL ? 0 : c->first_guard[step];
}

/* How many rows there are for elements. */
static inline uint32_t related_elements(const struct related_keys *keys) {
  uint32_t n = keys->n > 0;
  for (uint32_t i = 0; i < keys->n; i++)
    n *= keys->key[i].length;
  return n;
}

/* The row for the elements meant in a state; `row`, where there is none such. */
static inline uint32_t related_by(const struct related *r, const struct related_keys *keys,
                                  uint32_t row, const uint8_t *state) {
  uint32_t at = 0;
  if (keys->n == 0)
    return row;
  for (uint32_t i = 0; i < keys->n; i++) {
    const struct related_key *key = &keys->key[i];
    int64_t index = ts_value(&r->shape->slot[key->slot], state) + key->offset;
    if (index < 0 || index >= key->length)
      return row;
    at = at * key->length + (uint32_t)index;
  }
  return keys->first + at;
}

/* The rows of a step that is enabled in a state, and of a guard. */
static inline uint32_t related_step(const struct related *r, uint32_t step,
                                    const uint8_t *state) {
  return related_by(r, &r->step_keys[step], step, state);
}
static inline uint32_t related_guard(const struct related *r, uint32_t guard,
                                     const uint8_t *state) {
  return related_by(r, &r->guard_keys[guard], guard, state);
}

/* Whether a step waits for a message where there is one, which is another one then. */
static inline bool related_is_filled(const struct related *r, uint32_t step,
                                     const uint8_t *state) {
  uint32_t slot = r->channel[step];
  return slot != TS_NONE && ts_value(&r->shape->slot[slot], state) != 0;
}

#endif
