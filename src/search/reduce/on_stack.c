/* on_stack.c - a stack of hashes and a table of them with linear probing.
 *
 * Taking out moves later entries of the same run up (Knuth, volume 3, algorithm 6.4 R), so
 * that the table never fills with marks although every state is put in and taken out.
 *
 * A search goes up and down near the top of its stack, so the last few hashes are not in the
 * table yet: most are gone before they would get there, and the place of the others has been
 * fetched by then.
 */
#include "search/reduce/on_stack.h"

#include "base/array.h"
#include "ts/hash.h"

enum {
  FIRST_SLOTS = 1024,
  LAST = 16 /* hashes that are not in the table */
};

void path_free(struct path *p) {
  array_free(p->budget, BUDGET_OPEN, p->at, p->room * sizeof *p->at);
  budget_free(p->budget, BUDGET_OPEN, p->slot, p->slots * sizeof *p->slot);
  p->at = p->slot = NULL;
}

/* 0 means free. */
static uint64_t key_of(uint64_t raw) {
  return raw == 0 ? 1 : raw;
}

static uint64_t home(const struct path *p, uint64_t key) {
  return hash_finish(key) & (p->slots - 1);
}

static void put(struct path *p, uint64_t key) {
  uint64_t i = home(p, key);
  while (p->slot[i] != 0)
    i = (i + 1) & (p->slots - 1);
  p->slot[i] = key;
}

static bool grow_slots(struct path *p) {
  uint64_t slots = p->slots == 0 ? FIRST_SLOTS : 2 * p->slots;
  uint64_t *slot = budget_alloc(p->budget, BUDGET_OPEN, slots * sizeof *slot);
  if (slot == NULL)
    return false;
  budget_free(p->budget, BUDGET_OPEN, p->slot, p->slots * sizeof *slot);
  p->slot = slot;
  p->slots = slots;
  for (uint64_t i = 0; i < p->n_put; i++)
    put(p, p->at[i]);
  return true;
}

static bool grow_stack(struct path *p) {
  uint64_t *at = array_grow(p->budget, BUDGET_OPEN, p->at, &p->room, sizeof *at);
  if (at == NULL)
    return false;
  p->at = at;
  return true;
}

bool path_push(struct path *p, uint64_t raw) {
  if (p->n == p->room && !grow_stack(p))
    return false;
  if (p->n - p->n_put == LAST) {
    if (2 * (p->n_put + 1) > p->slots && !grow_slots(p))
      return false;
    put(p, p->at[p->n_put++]);
  }
  p->at[p->n++] = key_of(raw);
  if (p->slots > 0)
    __builtin_prefetch(&p->slot[home(p, key_of(raw))], 1);
  return true;
}

static void take_out(struct path *p, uint64_t key) {
  uint64_t mask = p->slots - 1, hole = home(p, key);
  while (p->slot[hole] != key)
    hole = (hole + 1) & mask;
  for (uint64_t i = (hole + 1) & mask; p->slot[i] != 0; i = (i + 1) & mask)
    if (((i - home(p, p->slot[i])) & mask) >= ((i - hole) & mask)) {
      p->slot[hole] = p->slot[i];
      hole = i;
    }
  p->slot[hole] = 0;
}

void path_pop(struct path *p) {
  uint64_t key = p->at[--p->n];
  if (p->n >= p->n_put)
    return;
  p->n_put = p->n;
  take_out(p, key);
}

bool path_has(const struct path *p, uint64_t raw) {
  uint64_t key = key_of(raw);
  for (uint64_t i = p->n_put; i < p->n; i++)
    if (p->at[i] == key)
      return true;
  if (p->slots == 0)
    return false;
  for (uint64_t i = home(p, key); p->slot[i] != 0; i = (i + 1) & (p->slots - 1))
    if (p->slot[i] == key)
      return true;
  return false;
}

bool path_pass(struct path *p, struct sink *sink) {
  uint64_t n = p->n, raw = 0;
  sink_pass(sink, &n, sizeof n);
  if (!sink_is_read(sink)) {
    sink_put(sink, p->at, n * sizeof *p->at);
    return true;
  }
  for (; n > 0 && sink_is_fine(sink); n--) {
    sink_take(sink, &raw, sizeof raw);
    if (!path_push(p, raw))
      return false;
  }
  return sink_is_fine(sink);
}
