/* colours.c - the same: per place a table of all colours, and chained tables by mask.
 *
 * An index of a place is a table of chains over the positions of its active colours, in
 * the order in which they became active, newest first. Tables double as they fill.
 */
#include "lang/pnml/colours.h"

#include <string.h>

struct entry { /* an active colour in an index: the next one of its chain */
  uint32_t colour, next;
};

struct index {
  uint64_t mask;
  uint32_t *head; /* [room]: positions in `entry`, or COLOURS_NONE */
  uint32_t room;
  struct entry *at;
  uint32_t n, capacity;
};

struct colours_table {
  uint32_t n_cells;
  uint32_t *slot; /* [room]: colour numbers, or COLOURS_NONE: all colours of the place */
  uint32_t n, room;
  struct {
    struct index *at;
    uint32_t n, capacity;
  } index;
};

void colours_open(struct colours *c, const struct symmetric_net *net) {
  *c = (struct colours){.arena = net->arena, .net = net};
  c->table = ARENA_ARRAY(net->arena, net->n_places, struct colours_table);
  for (uint32_t i = 0; i < net->n_places; i++)
    c->table[i].n_cells = net->place[i].sort->n_cells;
}

static uint64_t hash_masked(const uint32_t *cell, uint32_t n, uint64_t mask) {
  uint64_t hash = 0x9E3779B97F4A7C15u;
  for (uint32_t i = 0; i < n; i++)
    if (mask >> i & 1) {
      hash = (hash ^ cell[i]) * 0xD6E8FEB86659FD93u;
      hash ^= hash >> 32;
    }
  return hash;
}

static bool is_same(const uint32_t *a, const uint32_t *b, uint32_t n, uint64_t mask) {
  for (uint32_t i = 0; i < n; i++)
    if ((mask >> i & 1) && a[i] != b[i])
      return false;
  return true;
}

static uint32_t *new_table(struct arena *arena, uint32_t room) {
  uint32_t *table = ARENA_ARRAY(arena, room, uint32_t);
  memset(table, 0xFF, room * sizeof *table);
  return table;
}

uint32_t colours_index(struct colours *c, uint32_t place, uint64_t mask) {
  struct colours_table *t = &c->table[place];
  for (uint32_t i = 0; i < t->index.n; i++)
    if (t->index.at[i].mask == mask)
      return i;
  struct index *index = ARENA_PUSH(c->arena, &t->index);
  index->mask = mask;
  index->room = mask == 0 ? 1 : 16;
  index->head = new_table(c->arena, index->room);
  return t->index.n - 1;
}

/* ---- all colours of a place -------------------------------------------------------------- */

static void grow_table(struct colours *c, struct colours_table *t) {
  uint32_t room = t->room == 0 ? 4 : 2 * t->room;
  uint32_t *slot = new_table(c->arena, room);
  for (uint32_t i = 0; i < t->room; i++) {
    if (t->slot[i] == COLOURS_NONE)
      continue;
    uint32_t at = (uint32_t)hash_masked(c->all.at[t->slot[i]].cell, t->n_cells, ~UINT64_C(0)) &
                  (room - 1);
    while (slot[at] != COLOURS_NONE)
      at = (at + 1) & (room - 1);
    slot[at] = t->slot[i];
  }
  t->slot = slot;
  t->room = room;
}

uint32_t colours_number(struct colours *c, uint32_t place, const uint32_t *cell) {
  struct colours_table *t = &c->table[place];
  if (2 * t->n >= t->room)
    grow_table(c, t);
  uint32_t at = (uint32_t)hash_masked(cell, t->n_cells, ~UINT64_C(0)) & (t->room - 1);
  while (t->slot[at] != COLOURS_NONE) {
    if (is_same(c->all.at[t->slot[at]].cell, cell, t->n_cells, ~UINT64_C(0)))
      return t->slot[at];
    at = (at + 1) & (t->room - 1);
  }
  uint32_t *copy = NULL;
  if (t->n_cells > 0) {
    copy = ARENA_ARRAY(c->arena, t->n_cells, uint32_t);
    memcpy(copy, cell, t->n_cells * sizeof *copy);
  }
  t->slot[at] = c->all.n;
  t->n++;
  *ARENA_PUSH(c->arena, &c->all) = (struct colour){.place = place, .cell = copy};
  return c->all.n - 1;
}

void colours_mark(struct colours *c, uint32_t number) {
  if (c->all.at[number].is_possible)
    return;
  c->all.at[number].is_possible = true;
  *ARENA_PUSH(c->arena, &c->queue) = number;
}

/* ---- the indices ---------------------------------------------------------------------------
 */

static void chain(const struct colours *c, const struct colours_table *t, struct index *index,
                  uint32_t position) {
  const uint32_t *cell = c->all.at[index->at[position].colour].cell;
  uint32_t at = (uint32_t)hash_masked(cell, t->n_cells, index->mask) & (index->room - 1);
  index->at[position].next = index->head[at];
  index->head[at] = position;
}

void colours_activate(struct colours *c, uint32_t number) {
  struct colours_table *t = &c->table[c->all.at[number].place];
  for (uint32_t i = 0; i < t->index.n; i++) {
    struct index *index = &t->index.at[i];
    *ARENA_PUSH(c->arena, index) = (struct entry){.colour = number};
    if (index->mask != 0 && index->n > index->room) {
      index->room *= 2;
      index->head = new_table(c->arena, index->room);
      for (uint32_t k = 0; k < index->n; k++)
        chain(c, t, index, k);
    } else {
      chain(c, t, index, index->n - 1);
    }
  }
}

static uint32_t search(const struct colours *c, uint32_t place, uint32_t index_number,
                       uint32_t position, const uint32_t *cell) {
  const struct colours_table *t = &c->table[place];
  const struct index *index = &t->index.at[index_number];
  while (position != COLOURS_NONE &&
         !is_same(c->all.at[index->at[position].colour].cell, cell, t->n_cells, index->mask))
    position = index->at[position].next;
  return position;
}

uint32_t colours_first(const struct colours *c, uint32_t place, uint32_t index_number,
                       const uint32_t *cell) {
  const struct colours_table *t = &c->table[place];
  const struct index *index = &t->index.at[index_number];
  uint32_t at = (uint32_t)hash_masked(cell, t->n_cells, index->mask) & (index->room - 1);
  return search(c, place, index_number, index->head[at], cell);
}

uint32_t colours_next(const struct colours *c, uint32_t place, uint32_t index_number,
                      uint32_t position, const uint32_t *cell) {
  const struct index *index = &c->table[place].index.at[index_number];
  return search(c, place, index_number, index->at[position].next, cell);
}

uint32_t colours_at(const struct colours *c, uint32_t place, uint32_t index_number,
                    uint32_t position) {
  return c->table[place].index.at[index_number].at[position].colour;
}
