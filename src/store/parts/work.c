/* work.c - numbering the parts of many rows at once: what each worker does by itself.
 *
 * A batch goes place by place, not row by row: for all rows the number of their part
 * there, children first. Where a row's part is that of the row before, as most are
 * among successors of one state, so is its number: no look-up. That is the incremental
 * insertion of Laarman, van de Pol, Weber ("Parallel recursive state compression for
 * free", SPIN 2011, section 3) with a sibling in place of the parent, and needs to know
 * nothing about where rows come from. Before the others are looked up, their slots are
 * prefetched. The last row's parts are kept for the next batch, and a place where no row
 * of a batch differs costs nothing but a look: its column has been filled before.
 */
#include "store/parts/parts.h"

#include <string.h>

#define WORK_INLINE static inline __attribute__((always_inline))
#define PARTS_LARGE (256u << 10) /* bytes of a table that caches may not hold */

/* What a column of ids is, between batches: filled with the number of the last row, to be
 * filled with that, or there is no such number. */
enum { COLUMN_FILLED = 0, COLUMN_NONE = 1, COLUMN_MIXED = 2 };

/* Forgets the row in front of the next batch. */
static void forget_row(struct parts_work *w) {
  memset(w->column, COLUMN_NONE, w->parts->places);
  memset(w->older, UINT8_MAX, w->parts->places * sizeof *w->older); /* NODES_NONE */
}

bool parts_begin(struct parts_work *w, struct parts *p) {
  size_t places = p->places, leaves = p->leaves, stride = p->cut.stride;
  *w = (struct parts_work){.parts = p};
  w->size = places * (sizeof *w->differs + (PARTS_COLUMN + 2) * sizeof *w->id + 1) +
            leaves * (PARTS_BATCH + 2) * sizeof *w->key + stride;
  w->block = budget_alloc(p->budget, BUDGET_STORE, w->size);
  if (!w->block)
    return false;
  p->work_bytes += w->size;
  w->key = w->block;
  w->differs = w->key + leaves * PARTS_BATCH;
  w->before.leaf = w->differs + places;
  w->leaf = w->before.leaf + leaves;
  w->before.row = (uint8_t *)(w->leaf + leaves);
  w->id = (uint32_t *)(void *)(w->before.row + stride);
  w->down = w->id + places * PARTS_COLUMN;
  w->older = w->down + places;
  w->column = (uint8_t *)(w->older + places);
  forget_row(w);
  return true;
}

void parts_end(struct parts_work *w) {
  w->parts->work_bytes -= w->size;
  budget_free(w->parts->budget, BUDGET_STORE, w->block, w->size);
  *w = (struct parts_work){0};
}

void parts_cut(struct parts_work *w, const struct ts_batch *batch, uint32_t from, uint32_t n) {
  cut_rows(&w->parts->cut, &w->before, batch, from, n, w->key, w->differs);
}

/* The keys of the rows at a place: a leaf's bits, or the pair of its children's numbers. */
struct keys {
  const uint64_t *leaf;
  const uint32_t *left, *right;
};

static inline struct keys keys_of(const struct parts_work *w, uint32_t k) {
  const struct parts_place *place = &w->parts->place[k];
  if (k < w->parts->leaves)
    return (struct keys){.leaf = w->key + k * PARTS_BATCH};
  return (struct keys){.left = w->id + place->left * PARTS_COLUMN + 1,
                       .right = w->id + place->right * PARTS_COLUMN + 1};
}

/* `inner` in these: a constant, whether the place is no leaf. */
WORK_INLINE uint64_t key_at(const struct keys *keys, uint32_t i, bool inner) {
  return inner ? keys->left[i] | (uint64_t)keys->right[i] << 32 : keys->leaf[i];
}

/* Prefetches what the look-ups of the rows that differ will read. */
static void prefetch_rows(const struct nodes *nodes, struct keys keys, uint64_t rows,
                          bool inner) {
  uint64_t hash[PARTS_BATCH];
  uint32_t n = 0;
  for (; rows; rows &= rows - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(rows);
    hash[n] = nodes_hash(nodes, key_at(&keys, i, inner));
    nodes_prefetch(nodes, hash[n++]);
  }
  for (uint32_t i = 0; i < n; i++)
    nodes_prefetch_key(nodes, hash[i]);
}

/* Puts a number to the rows [from, to), and to some after. */
static inline void put_number(uint32_t *id, uint32_t from, uint32_t to, uint32_t number) {
  do {
    for (uint32_t i = 0; i < 8; i++)
      id[from + i] = number;
    from += 8;
  } while (from < to);
}

/* Numbers the parts of n rows at one place. Returns n, or the rows done before memory
 * ran out. A successor of the same state as the row before has that state's part again, if it
 * is not this one that it changes: so what was there last but one is compared first.
 *
 * The table is copied, so that the compiler knows that storing numbers does not change it. */
WORK_INLINE uint32_t number_rows(struct parts_work *w, uint32_t k, uint32_t n, bool add,
                                 bool inner) {
  struct parts *p = w->parts;
  struct nodes *own = &p->place[k].nodes, nodes = *own;
  struct keys keys = keys_of(w, k);
  uint32_t *id = w->id + k * PARTS_COLUMN, row = 0, older = w->older[k];
  uint32_t last = w->column[k] == COLUMN_NONE ? NODES_NONE : id[0];
  uint64_t last_key = last == NODES_NONE ? 0 : nodes.key[last];
  uint64_t older_key = older == NODES_NONE ? 0 : nodes.key[older];
  for (uint64_t rows = w->differs[k]; rows; rows &= rows - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(rows), found = older;
    uint64_t key = key_at(&keys, i, inner);
    put_number(id, row, i + 1, last);
    if (key != older_key || older == NODES_NONE) {
      uint64_t hash = nodes_hash(&nodes, key);
      found = nodes_find(&nodes, key, hash);
      if (found == NODES_NONE && add) {
        found = nodes_add(own, p->budget, BUDGET_STORE, key, hash);
        if (found == NODES_NONE)
          return i;
        nodes = *own;
      }
    }
    older = last;
    older_key = last_key;
    last = found;
    last_key = key;
    row = i + 1;
  }
  put_number(id, row, n + 1, last);
  id[0] = last;
  w->older[k] = older;
  w->column[k] = last == NODES_NONE ? COLUMN_NONE : COLUMN_MIXED;
  return n;
}

static uint32_t number_leaf(struct parts_work *w, uint32_t k, uint32_t n, bool add) {
  return number_rows(w, k, n, add, false);
}

static uint32_t number_inner(struct parts_work *w, uint32_t k, uint32_t n, bool add) {
  return number_rows(w, k, n, add, true);
}

static uint32_t number_part(struct parts_work *w, uint32_t k, uint32_t n, bool add) {
  const struct nodes *nodes = &w->parts->place[k].nodes;
  if (nodes_reserved(nodes) > PARTS_LARGE)
    prefetch_rows(nodes, keys_of(w, k), w->differs[k], k >= w->parts->leaves);
  return (k < w->parts->leaves ? number_leaf : number_inner)(w, k, n, add);
}

/* No row differs at this place from the row before the batch: all have its number. */
static void fill_column(struct parts_work *w, uint32_t k) {
  uint32_t *id = w->id + k * PARTS_COLUMN;
  put_number(id, 0, PARTS_BATCH + 1, id[0]);
  w->column[k] = COLUMN_FILLED;
}

uint32_t parts_number(struct parts_work *w, uint32_t n, bool add) {
  const struct parts *p = w->parts;
  uint64_t *differs = w->differs;
  uint32_t cut = n;
  for (uint32_t k = 0; k < p->places && n > 0; k++) {
    const struct parts_place *place = &p->place[k];
    if (k >= p->leaves)
      differs[k] = differs[place->left] | differs[place->right];
    if ((differs[k] | w->column[k]) == 0)
      continue;
    differs[k] |= w->column[k] & COLUMN_NONE;
    differs[k] &= UINT64_MAX >> (64 - n);
    if (differs[k] == 0)
      fill_column(w, k);
    else
      n = number_part(w, k, n, add);
  }
  if (n < cut)
    forget_row(w); /* the next row is compared with one that has no numbers */
  return n;
}

/* With the numbers at the tops in work->down, finds those of all parts, and the leaves; false:
 * some part does not exist. */
static bool descend(const struct parts_work *w) {
  const struct parts *p = w->parts;
  uint32_t *down = w->down, leaves = p->leaves;
  for (uint32_t k = p->places; k-- > leaves;) {
    const struct parts_place *place = &p->place[k];
    if (!nodes_has(&place->nodes, down[k]))
      return false;
    uint64_t pair = place->nodes.key[down[k]];
    down[place->left] = (uint32_t)pair;
    down[place->right] = (uint32_t)(pair >> 32);
  }
  for (uint32_t k = 0; k < leaves; k++) {
    const struct nodes *nodes = &p->place[k].nodes;
    if (!nodes_has(nodes, down[k]))
      return false;
    w->leaf[k] = nodes->key[down[k]];
  }
  return true;
}

bool parts_assemble(const struct parts_work *w) {
  return descend(w);
}

void parts_assemble_leaf(const struct parts_work *w, uint64_t leaf) {
  w->leaf[0] = leaf;
}

uint32_t parts_unrow(const struct parts_work *w, uint8_t *row) {
  const struct parts *p = w->parts;
  cut_join(&p->cut, w->leaf, row);
  uint64_t length = w->leaf[0] & p->cut.length_mask; /* how packed states begin */
  return pack_finish(p->pack, (const uint8_t *)&length, row);
}

/* A bitmap for every place of the parts that some state has. */
struct parts_marks {
  struct parts_work *work;
  uint64_t **live;
};

void parts_mark(struct parts_marks *marks) {
  const struct parts_work *w = marks->work;
  if (!descend(w))
    return;
  for (uint32_t k = 0; k < w->parts->places; k++)
    marks->live[k][w->down[k] / 64] |= UINT64_C(1) << (w->down[k] % 64);
}

bool parts_sweep(struct parts_work *w, void (*each)(void *context, struct parts_marks *),
                 void *context) {
  struct parts *p = w->parts;
  size_t size = p->places * sizeof(uint64_t *);
  for (uint32_t k = 0; k < p->places; k++)
    size += p->place[k].nodes.n / 64 * 8 + 8;
  uint64_t **live = budget_alloc(p->budget, BUDGET_STORE, size);
  if (!live)
    return false;
  uint64_t *at = (uint64_t *)(live + p->places);
  for (uint32_t k = 0; k < p->places; k++) {
    live[k] = at;
    at += p->place[k].nodes.n / 64 + 1;
  }
  struct parts_marks marks = {w, live};
  each(context, &marks);
  bool done = true;
  for (uint32_t k = 0; k < p->places; k++)
    done = nodes_sweep(&p->place[k].nodes, p->budget, BUDGET_STORE, live[k]) && done;
  forget_row(w);
  budget_free(p->budget, BUDGET_STORE, live, size);
  return done;
}

size_t parts_check_room(const struct parts *p) {
  return p->cut.stride;
}

const char *parts_check_row(const struct parts_work *w, uint8_t *row) {
  const struct parts *p = w->parts;
  uint32_t length = parts_unrow(w, row);
  for (uint32_t k = 0; k < p->leaves; k++) {
    if (cut_leaf(&p->cut, k, row, length, false) != w->leaf[k])
      return "parts: a leaf of a state is not what its row makes";
  }
  return NULL;
}
