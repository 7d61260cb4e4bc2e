/* parts.c - cutting states into parts, and numbering the parts of many rows at once.
 *
 * A batch goes place by place, not row by row: for all rows the number of their part
 * there, children first. Where a row's part is that of the row before, as most are
 * among successors of one state, so is its number: no look-up. That is the incremental
 * insertion of Laarman, van de Pol, Weber ("Parallel recursive state compression for
 * free", SPIN 2011, section 3) with a sibling in place of the parent, and needs to know
 * nothing about where rows come from. Before the others are looked up, their slots are
 * asked for. The last row's parts are kept for the next batch, and a place where no row
 * of a batch differs costs nothing but a look: its column has been filled before.
 *
 * Lengths need no thought: a packed state begins with its length, which so is in the
 * first leaf, and behind its end leaves are zero.
 */
#include "store/parts/parts.h"

#include "ts/sets.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

#define PARTS_LEAF  64u          /* bits, at most */
#define PARTS_LARGE (256u << 10) /* bytes of a table that caches may not hold */

/* Where a packed state may be cut: bitmaps of the bits in front of which a slot or a
 * component begins. */
struct seams {
  uint32_t bits, header; /* header: of the length in front */
  uint32_t middle;       /* where the second tree of a pair begins */
  uint64_t *slot, *component;
};

/* Bits of a packed state in front of a byte of the row. */
static void count_bits(const struct ts_shape *shape, uint32_t header, uint32_t *before) {
  uint32_t stride = ts_stride(shape);
  memset(before, 0, (stride + 1) * sizeof *before);
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    const struct ts_slot *slot = &shape->slot[i];
    for (uint32_t k = 0; k < (slot->bits + 7u) / 8; k++) {
      uint32_t bits = slot->bits - 8 * k < 8 ? slot->bits - 8 * k : 8;
      uint32_t *at = &before[slot->offset + k + 1];
      *at = *at < bits ? bits : *at; /* slots may share a place */
    }
  }
  before[0] = 8 * header;
  for (uint32_t i = 0; i < stride; i++)
    before[i + 1] += before[i];
}

static void find_seams(const struct ts_shape *shape, const uint32_t *before, struct seams *m) {
  for (uint32_t i = 0; i < shape->n_slots; i++)
    bits_set(m->slot, before[shape->slot[i].offset]);
  for (uint32_t i = 0; i < shape->n_components; i++)
    bits_set(m->component, before[shape->component[i].offset]);
}

/* The marked bit in [least, most] next to `target`, or `target`. */
static uint32_t nearest(const uint64_t *marks, uint32_t least, uint32_t most, uint32_t target) {
  for (uint32_t d = 0; d <= PARTS_LEAF; d++) {
    if (target + d <= most && bits_test(marks, target + d))
      return target + d;
    if (target >= least + d && bits_test(marks, target - d))
      return target - d;
  }
  return target;
}

/* The end of the component that bit `from` lies in. The length, if there is one, counts
 * with the first. */
static uint32_t component_end(const struct seams *m, uint32_t from) {
  uint32_t end = from < m->header ? m->header + 1 : from + 1;
  while (end < m->bits && !bits_test(m->component, end))
    end++;
  return end < m->bits ? end : m->bits;
}

/* The end of the leaf that begins at bit `from` of a piece that ends at `limit`. Leaves are
 * of about equal size, no more than need be, and end where a component ends if one
 * does, else a slot. */
static uint32_t leaf_end(const struct seams *m, uint32_t from, uint32_t limit) {
  uint32_t rest = limit - from, parts = (rest + PARTS_LEAF - 1) / PARTS_LEAF;
  if (parts <= 1)
    return limit;
  uint32_t target = from + rest / parts, most = from + PARTS_LEAF, least = from + 1;
  if (rest > (parts - 1) * PARTS_LEAF)
    least = limit - (parts - 1) * PARTS_LEAF;
  if (most >= limit)
    most = limit - 1;
  uint32_t end = nearest(m->component, least, most, target);
  return bits_test(m->component, end) ? end : nearest(m->slot, least, most, target);
}

/* How much a slot may vary, roughly, in bits: what its type allows, but not more than
 * the log of the number of actions that write it; nothing if none does. */
static void weigh_slots(const struct ts_shape *shape, uint32_t *weight) {
  const struct ts_rows *writes = &shape->writes;
  struct sets_walk walk;
  struct ts_range range;
  /* First only where ranges begin and end. */
  for (uint32_t a = 0; writes->start != NULL && a < shape->n_actions; a++)
    for (sets_begin(&walk, shape, writes, a); sets_next(&walk, &range);) {
      weight[range.first]++;
      if (range.first + range.n < shape->n_slots)
        weight[range.first + range.n]--;
    }
  for (uint32_t i = 0, writers = 0; i < shape->n_slots; i++) {
    writers += weight[i];
    uint32_t bits = shape->slot[i].bits, log = bits_for((uint64_t)writers + 1);
    weight[i] = writes->start == NULL || bits < log ? bits : log;
  }
}

/* A seam with about as much weight in front of it as behind it. */
static uint32_t middle_by_weight(const struct ts_shape *shape, const uint32_t *before,
                                 const struct seams *m, uint32_t *weight) {
  uint64_t sum = 0, front = 0, best = UINT64_MAX;
  uint32_t middle = m->bits / 2;
  weigh_slots(shape, weight);
  for (uint32_t i = 0; i < shape->n_slots; i++)
    sum += weight[i];
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    uint32_t at = before[shape->slot[i].offset];
    uint64_t off = 2 * front > sum ? 2 * front - sum : sum - 2 * front;
    if (off < best && at > m->header && at < m->bits) {
      best = off;
      middle = at;
    }
    front += weight[i];
  }
  return middle;
}

enum { SAMPLE_SET = 2048 }; /* hashes that a set of a sample has room for */

/* How many of n numbers are different, n at most half of SAMPLE_SET. */
static uint32_t count_different(const uint64_t *number, uint64_t flip, const uint64_t *other,
                                uint32_t n, uint64_t *set) {
  uint32_t count = 0;
  memset(set, 0, SAMPLE_SET * sizeof *set);
  for (uint32_t i = 0; i < n; i++) {
    uint64_t value = (number[i] ^ (other[i] & flip)) | 1, at = value >> 32;
    while (set[at % SAMPLE_SET] != 0 && set[at % SAMPLE_SET] != value)
      at++;
    count += set[at % SAMPLE_SET] == 0;
    set[at % SAMPLE_SET] = value;
  }
  return count;
}

/* Adds slot i of each row of the sample to its sum. */
static void add_slot(const struct ts_shape *shape, const struct ts_batch *sample, uint32_t n,
                     uint32_t i, uint64_t *sum) {
  const struct ts_slot *slot = &shape->slot[i];
  for (uint32_t r = 0; r < n; r++) {
    uint32_t value = 0;
    memcpy(&value, sample->rows + r * sample->stride + slot->offset, slot->bytes);
    uint64_t mixed = (value + 1) * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)i << 32;
    sum[r] ^= bits_next_random(&mixed);
  }
}

/* The seam for which the numbers of different halves in front and behind are least, the
 * larger one first. Of a model with 2014 bits, cut in the middle of the bits, a state took
 * 15.4 bytes, because nearly all that varies was in one half; cut here, 6. The first
 * few hundred states lead to the same seam as a million does. */
static uint32_t middle_by_sample(const struct ts_shape *shape, const uint32_t *before,
                                 const struct seams *m, const struct ts_batch *sample) {
  uint64_t set[SAMPLE_SET], front[SAMPLE_SET / 2] = {0}, all[SAMPLE_SET / 2] = {0};
  uint32_t n = sample->n < SAMPLE_SET / 2 ? sample->n : SAMPLE_SET / 2;
  uint64_t best = UINT64_MAX;
  uint32_t middle = m->bits / 2, last = 0;
  for (uint32_t i = 0; i < shape->n_slots; i++)
    add_slot(shape, sample, n, i, all);
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    uint32_t at = before[shape->slot[i].offset];
    if (at > last && at > m->header && at < m->bits) {
      uint64_t a = count_different(front, 0, all, n, set);
      uint64_t b = count_different(front, UINT64_MAX, all, n, set);
      uint64_t cost = a > b ? a << 32 | b : b << 32 | a;
      if (cost < best) {
        best = cost;
        middle = at;
      }
      last = at;
    }
    add_slot(shape, sample, n, i, front);
  }
  return middle;
}

/* The end of the leaf that begins at bit `from`. */
static uint32_t next_cut(const struct seams *m, enum parts_form form, uint32_t from) {
  if (form == PARTS_COMPONENTS)
    return leaf_end(m, from, component_end(m, from));
  if (m->bits < PARTS_LEAF)
    return m->bits;
  return leaf_end(m, from, from < m->middle ? m->middle : m->bits);
}

static uint32_t count_leaves(const struct seams *m, enum parts_form form) {
  uint32_t n = 1, at = 0;
  while ((at = next_cut(m, form, at)) < m->bits)
    n++;
  return n;
}

/* The tree over leaves [from, to). */
static uint32_t build(struct parts *p, uint32_t from, uint32_t to) {
  if (to - from == 1)
    return from;
  uint32_t middle = from + (to - from + 1) / 2;
  uint32_t left = build(p, from, middle), right = build(p, middle, to);
  p->place[p->places] = (struct parts_place){.left = left, .right = right};
  return p->places++;
}

/* A tree over leaves [from, to) that is no part of another one. */
static void build_top(struct parts *p, uint32_t from, uint32_t to) {
  p->span[p->tops] = (struct parts_span){from, to, p->places};
  p->top[p->tops++] = build(p, from, to);
}

/* One tree over the leaves of each component. */
static void build_components(struct parts *p, const struct seams *m) {
  for (uint32_t from = 0, to; from < p->leaves; from = to) {
    uint32_t end = component_end(m, p->place[from].left);
    for (to = from + 1; to < p->leaves && p->place[to].left < end;)
      to++;
    build_top(p, from, to);
  }
}

static void build_trees(struct parts *p, const struct seams *m, enum parts_form form) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < p->leaves; i++) {
    uint32_t end = next_cut(m, form, at);
    p->place[i] = (struct parts_place){.left = at, .right = end - at};
    at = end;
  }
  p->places = p->leaves;
  if (form == PARTS_COMPONENTS || p->leaves == 1) {
    build_components(p, m);
    return;
  }
  uint32_t middle = 0;
  while (p->place[middle].left < m->middle)
    middle++;
  build_top(p, 0, middle);
  build_top(p, middle, p->leaves);
}

/* Takes the block and cuts it into its arrays. */
static bool take_block(struct parts *p) {
  size_t most = 2 * (size_t)p->leaves, leaves = p->leaves;
  p->packed_bytes = pack_bytes(p->pack) + 32;
  p->size = most * (sizeof *p->place + sizeof *p->top) + leaves * sizeof *p->span;
  p->block = budget_alloc(p->budget, BUDGET_STORE, p->size);
  if (!p->block)
    return false;
  p->place = p->block;
  p->top = (uint32_t *)(p->place + most);
  p->span = (struct parts_span *)(p->top + most);
  return true;
}

/* What a column of ids is, between batches: filled with the number of the last row, to be
 * filled with that, or there is no such number. */
enum { COLUMN_FILLED = 0, COLUMN_NONE = 1, COLUMN_MIXED = 2 };

/* Forgets the row in front of the next batch. */
static void forget_row(struct parts_work *w) {
  memset(w->column, COLUMN_NONE, w->parts->places);
}

static void init_places(struct parts *p, uint64_t hash_mask) {
  for (uint32_t k = 0; k < p->places; k++)
    nodes_init(&p->place[k].nodes, hash_mask);
}

static bool open_cut(struct parts *p, const struct ts_shape *shape) {
  size_t size = p->leaves * sizeof(uint32_t);
  uint32_t *end = budget_alloc(p->budget, BUDGET_OTHER, size);
  if (!end)
    return false;
  for (uint32_t k = 0; k < p->leaves; k++)
    end[k] = p->place[k].left + p->place[k].right;
  bool opened = cut_open(&p->cut, shape, p->budget, 8 * pack_header(p->pack), end, p->leaves,
                         pack_is_native(p->pack));
  budget_free(p->budget, BUDGET_OTHER, end, size);
  return opened;
}

bool parts_open(struct parts *p, const struct store_config *config, enum parts_form form) {
  const struct ts_shape *shape = config->shape;
  *p = (struct parts){.budget = config->budget};
  size_t stride = ts_stride(shape), words = (stride + 8) * 8 / 64 + 1;
  size_t size = (stride + 1 + shape->n_slots) * sizeof(uint32_t) + 2 * words * sizeof(uint64_t);
  p->pack = pack_open(shape, config->budget);
  bool opened = false;
  uint64_t *marks = p->pack ? budget_alloc(config->budget, BUDGET_OTHER, size) : NULL;
  if (marks) {
    uint32_t *before = (uint32_t *)(marks + 2 * words);
    struct seams m = {
        .header = 8 * pack_header(p->pack), .slot = marks, .component = marks + words};
    count_bits(shape, pack_header(p->pack), before);
    p->bits = m.bits = before[stride];
    find_seams(shape, before, &m);
    bool sampled = config->sample && config->sample->n > 16;
    m.middle = sampled ? middle_by_sample(shape, before, &m, config->sample)
                       : middle_by_weight(shape, before, &m, before + stride + 1);
    p->leaves = count_leaves(&m, form);
    if (take_block(p)) {
      uint32_t bits = config->hash_bits;
      build_trees(p, &m, form);
      init_places(p, bits > 0 && bits < 64 ? UINT64_MAX >> (64 - bits) : UINT64_MAX);
      opened = open_cut(p, shape);
    }
    budget_free(config->budget, BUDGET_OTHER, marks, size);
  }
  if (!opened)
    parts_close(p);
  return opened;
}

void parts_close(struct parts *p) {
  for (uint32_t i = 0; i < p->places; i++)
    nodes_free(&p->place[i].nodes, p->budget, BUDGET_STORE);
  cut_close(&p->cut);
  pack_close(p->pack);
  budget_free(p->budget, BUDGET_STORE, p->block, p->size);
  *p = (struct parts){0};
}

bool parts_begin(struct parts_work *w, struct parts *p) {
  size_t places = p->places, leaves = p->leaves, stride = p->cut.stride;
  *w = (struct parts_work){.parts = p};
  w->size = places * (sizeof *w->differs + (PARTS_COLUMN + 1) * sizeof *w->id + 1) +
            leaves * (PARTS_BATCH + 1) * sizeof *w->key + stride + p->packed_bytes;
  w->block = budget_alloc(p->budget, BUDGET_STORE, w->size);
  if (!w->block)
    return false;
  p->work_bytes += w->size;
  w->key = w->block;
  w->differs = w->key + leaves * PARTS_BATCH;
  w->before.leaf = w->differs + places;
  w->before.row = (uint8_t *)(w->before.leaf + leaves);
  w->id = (uint32_t *)(void *)(w->before.row + stride);
  w->down = w->id + places * PARTS_COLUMN;
  w->column = (uint8_t *)(w->down + places);
  w->packed = w->column + places;
  forget_row(w);
  return true;
}

void parts_end(struct parts_work *w) {
  w->parts->work_bytes -= w->size;
  budget_free(w->parts->budget, BUDGET_STORE, w->block, w->size);
  *w = (struct parts_work){0};
}

uint64_t parts_reserved(const struct parts *p) {
  uint64_t sum = p->size + p->cut.size + p->work_bytes;
  for (uint32_t k = 0; k < p->places; k++)
    sum += nodes_reserved(&p->place[k].nodes);
  return sum;
}

uint64_t parts_used(const struct parts *p) {
  uint64_t sum = p->size + p->cut.size + p->work_bytes;
  for (uint32_t k = 0; k < p->places; k++)
    sum += nodes_used(&p->place[k].nodes);
  return sum;
}

void parts_cut(struct parts_work *w, const struct ts_batch *batch, uint32_t from, uint32_t n) {
  cut_rows(&w->parts->cut, &w->before, batch, from, n, w->key, w->differs);
}

/* A look-up of a part. */
struct lookup {
  uint64_t key, hash;
};

/* What is to be looked up at a place; its slots are asked for. Returns a bitmap of the
 * look-ups that are the same as the last but one: a successor of the same state as the row
 * before has that state's part again, if it is not this one that it changes. */
static uint64_t ask(const struct parts_work *w, uint32_t k, struct lookup *lookup) {
  const struct parts *p = w->parts;
  const struct parts_place *place = &p->place[k];
  const uint64_t *key = w->key + k * PARTS_BATCH;
  const uint32_t *left = NULL, *right = NULL;
  bool large = nodes_reserved(&place->nodes) > PARTS_LARGE;
  uint64_t again = 0;
  uint32_t n = 0;
  if (k >= p->leaves) {
    left = w->id + place->left * PARTS_COLUMN + 1;
    right = w->id + place->right * PARTS_COLUMN + 1;
  }
  for (uint64_t rows = w->differs[k]; rows; rows &= rows - 1, n++) {
    uint32_t i = (uint32_t)__builtin_ctzll(rows);
    lookup[n].key = left ? left[i] | (uint64_t)right[i] << 32 : key[i];
    if (n >= 2 && lookup[n].key == lookup[n - 2].key) {
      again |= UINT64_C(1) << n;
      continue;
    }
    lookup[n].hash = nodes_hash(&place->nodes, lookup[n].key);
    if (large)
      nodes_prefetch(&place->nodes, lookup[n].hash);
  }
  for (uint32_t i = 0; i < n && large; i++) {
    if (!(again >> i & 1))
      nodes_prefetch_key(&place->nodes, lookup[i].hash);
  }
  return again;
}

/* Puts a number to the rows [from, to), and to some behind. */
static inline void put_number(uint32_t *id, uint32_t from, uint32_t to, uint32_t number) {
  do {
    for (uint32_t i = 0; i < 8; i++)
      id[from + i] = number;
    from += 8;
  } while (from < to);
}

/* Numbers the parts of n rows at one place. Returns n, or the rows done before memory
 * ran out. */
static uint32_t number_part(struct parts_work *w, uint32_t k, uint32_t n, bool add) {
  struct parts *p = w->parts;
  struct lookup lookup[PARTS_BATCH];
  const struct lookup *next = lookup;
  struct nodes *nodes = &p->place[k].nodes;
  uint32_t *id = w->id + k * PARTS_COLUMN, row = 0, older = NODES_NONE;
  uint32_t last = w->column[k] == COLUMN_NONE ? NODES_NONE : id[0];
  uint64_t again = ask(w, k, lookup);
  for (uint64_t rows = w->differs[k]; rows; rows &= rows - 1, next++, again >>= 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(rows), found = older;
    put_number(id, row, i + 1, last);
    if (!(again & 1)) {
      found = nodes_find(nodes, next->key, next->hash);
      if (found == NODES_NONE && add) {
        found = nodes_add(nodes, p->budget, BUDGET_STORE, next->key, next->hash);
        if (found == NODES_NONE)
          return i;
      }
    }
    older = last;
    last = found;
    row = i + 1;
  }
  put_number(id, row, n + 1, last);
  id[0] = last;
  w->column[k] = last == NODES_NONE ? COLUMN_NONE : COLUMN_MIXED;
  return n;
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

bool parts_descend(const struct parts_work *w) {
  const struct parts *p = w->parts;
  uint32_t *down = w->down;
  for (uint32_t k = p->places; k-- > 0;) {
    const struct parts_place *place = &p->place[k];
    if (!nodes_has(&place->nodes, down[k]))
      return false;
    if (k >= p->leaves) {
      uint64_t pair = place->nodes.key[down[k]];
      down[place->left] = (uint32_t)pair;
      down[place->right] = (uint32_t)(pair >> 32);
    }
  }
  return true;
}

/* Leaves follow each other, so that they go through one word. */
bool parts_assemble(const struct parts_work *w) {
  const struct parts *p = w->parts;
  if (!parts_descend(w))
    return false;
  uint8_t *out = w->packed;
  uint64_t word = 0;
  uint32_t fill = 0;
  for (uint32_t k = 0; k < p->leaves; k++) {
    uint64_t leaf = p->place[k].nodes.key[w->down[k]];
    word |= leaf << fill;
    fill += p->place[k].right;
    if (fill >= 64) { /* for one model always the same way */
      memcpy(out, &word, 8);
      out += 8;
      fill -= 64;
      word = fill == 0 ? 0 : leaf >> (p->place[k].right - fill);
    }
  }
  memcpy(out, &word, 8);
  memset(out + 8, 0, (size_t)(w->packed + p->packed_bytes - out) - 8);
  return true;
}

void parts_assemble_leaf(const struct parts_work *w, uint64_t leaf) {
  memset(w->packed, 0, w->parts->packed_bytes);
  memcpy(w->packed, &leaf, sizeof leaf);
}

uint32_t parts_unrow(const struct parts_work *w, uint8_t *row) {
  return pack_unrow(w->parts->pack, w->packed, row);
}

/* A bitmap for every place of the parts that some state has. */
struct parts_marks {
  struct parts_work *work;
  uint64_t **live;
};

void parts_mark(struct parts_marks *marks) {
  const struct parts_work *w = marks->work;
  if (!parts_descend(w))
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

const char *parts_check(const struct parts *p) {
  const char *broken = NULL;
  for (uint32_t k = 0; !broken && k < p->places; k++)
    broken = nodes_check(&p->place[k].nodes);
  return broken;
}

size_t parts_check_room(const struct parts *p) {
  return pack_stride(p->pack) + p->packed_bytes;
}

const char *parts_check_packed(const struct parts_work *w, uint8_t *room) {
  const struct parts *p = w->parts;
  uint8_t *again = room + pack_stride(p->pack);
  uint32_t bytes = pack_row(p->pack, room, parts_unrow(w, room), again);
  if (memcmp(again, w->packed, bytes) != 0)
    return "parts: the parts of a state are not what packing makes";
  for (uint32_t i = bytes; i < p->packed_bytes; i++) {
    if (w->packed[i] != 0)
      return "parts: something lies behind the end of a state";
  }
  return NULL;
}
