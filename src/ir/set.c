/* set.c - sets of slots while they are made. */
#include "ir/set.h"

#include <stdlib.h>
#include <string.h>

void set_groups_open(struct set_groups *g, struct arena *arena, const struct ts_shape *shape) {
  *g = (struct set_groups){.arena = arena, .n_slots = shape->n_slots};
}

void set_groups_close(struct set_groups *g, struct ts_shape *shape) {
  shape->n_groups = g->starts.n;
  *ARENA_PUSH(g->arena, &g->starts) = g->ranges.n;
  shape->group_start = g->starts.at;
  shape->group = g->ranges.at;
}

/* ---- groups -------------------------------------------------------------------------- */

static uint32_t hash_of(const void *owner, uint32_t first, uint32_t n) {
  uint64_t h = (uint64_t)(uintptr_t)owner * UINT64_C(0x9E3779B97F4A7C15);
  h = (h ^ first ^ ((uint64_t)n << 32)) * UINT64_C(0xBF58476D1CE4E5B9);
  return (uint32_t)(h >> 32);
}

/* The size is a power of two, and the table is there. */
static struct set_key *find_key(const struct set_groups *g, const void *owner, uint32_t first,
                                uint32_t n) {
  uint32_t i = hash_of(owner, first, n) & (g->table.size - 1);
  while (
      g->table.at[i].item != TS_NONE &&
      (g->table.at[i].owner != owner || g->table.at[i].first != first || g->table.at[i].n != n))
    i = (i + 1) & (g->table.size - 1);
  return &g->table.at[i];
}

static void grow_table(struct set_groups *g) {
  const struct set_key *old = g->table.at;
  uint32_t size = g->table.size;
  g->table.size = size == 0 ? 64 : 2 * size;
  g->table.at = ARENA_ARRAY(g->arena, g->table.size, struct set_key);
  for (uint32_t i = 0; i < g->table.size; i++)
    g->table.at[i].item = TS_NONE;
  for (uint32_t i = 0; i < size; i++)
    if (old[i].item != TS_NONE)
      *find_key(g, old[i].owner, old[i].first, old[i].n) = old[i];
}

bool set_find(const struct set_groups *g, const void *owner, uint32_t first, uint32_t n,
              uint32_t *item) {
  *item = g->table.size == 0 ? TS_NONE : find_key(g, owner, first, n)->item;
  return *item != TS_NONE;
}

void set_keep(struct set_groups *g, const void *owner, uint32_t first, uint32_t n,
              uint32_t item) {
  if (2 * g->table.n >= g->table.size)
    grow_table(g);
  *find_key(g, owner, first, n) = (struct set_key){owner, first, n, item};
  g->table.n++;
}

uint32_t set_group(struct set_groups *g) {
  *ARENA_PUSH(g->arena, &g->starts) = g->ranges.n;
  return g->n_slots + g->starts.n - 1;
}

void set_extend(struct set_groups *g, uint32_t first, uint32_t n) {
  if (n == 0)
    return;
  if (g->ranges.n > g->starts.at[g->starts.n - 1]) {
    struct ts_range *last = &g->ranges.at[g->ranges.n - 1];
    if (last->first + last->n >= first) {
      if (first + n > last->first + last->n)
        last->n = first + n - last->first;
      return;
    }
  }
  *ARENA_PUSH(g->arena, &g->ranges) = (struct ts_range){first, n};
}

/* ---- rows ---------------------------------------------------------------------------- */

void set_open(struct set *s, struct set_groups *groups) {
  *s = (struct set){.groups = groups};
}

void set_begin(struct set *s) {
  s->stamp++;
}

static void grow_marks(struct set *s, uint32_t item) {
  const uint32_t n = item < s->groups->n_slots ? s->groups->n_slots : item + 1;
  while (s->n_marks < n)
    s->mark = arena_grow(s->groups->arena, s->mark, s->n_marks, &s->n_marks, sizeof *s->mark);
}

void set_add(struct set *s, uint32_t item) {
  if (item >= s->n_marks)
    grow_marks(s, item);
  if (s->mark[item] == s->stamp)
    return;
  s->mark[item] = s->stamp;
  *ARENA_PUSH(s->groups->arena, s) = item;
}

void set_add_slots(struct set *s, uint32_t first, uint32_t n) {
  uint32_t item = first;
  if (n > 1 && !set_find(s->groups, NULL, first, n, &item)) {
    item = set_group(s->groups);
    set_extend(s->groups, first, n);
    set_keep(s->groups, NULL, first, n, item);
  }
  if (n > 0)
    set_add(s, item);
}

static int compare(const void *a, const void *b) {
  const struct ts_range *x = a, *y = b;
  return x->first < y->first ? -1 : x->first > y->first;
}

static uint32_t end_of(const struct set_groups *g, uint32_t group) {
  return group + 1 < g->starts.n ? g->starts.at[group + 1] : g->ranges.n;
}

uint32_t set_take(struct set *s, uint32_t from) {
  struct set_groups *g = s->groups;
  g->taken.n = 0;
  for (uint32_t i = from; i < s->n; i++) {
    if (s->at[i] < g->n_slots) {
      *ARENA_PUSH(g->arena, &g->taken) = (struct ts_range){s->at[i], 1};
      continue;
    }
    uint32_t group = s->at[i] - g->n_slots;
    for (uint32_t j = g->starts.at[group]; j < end_of(g, group); j++)
      *ARENA_PUSH(g->arena, &g->taken) = g->ranges.at[j];
  }
  if (g->taken.n > 1)
    qsort(g->taken.at, g->taken.n, sizeof *g->taken.at, compare);
  uint32_t made = set_group(g);
  for (uint32_t i = 0; i < g->taken.n; i++)
    set_extend(g, g->taken.at[i].first, g->taken.at[i].n);
  s->n = from;
  return made;
}
