/* tree.c - recursive indexing: a state is a pair of numbers of parts, and so on.
 *
 * After Laarman, van de Pol, Weber, "Parallel recursive state compression for free"
 * (SPIN 2011), with the root table in the manner of Cleary (cleary.h). Two balanced
 * trees are built over the two halves of the packed state (parts.h); a state is the pair of
 * numbers at their tops, and only these pairs are kept per state. Parts are seen
 * again and again, so their tables stay small. A state of less than 64 bits is its
 * own pair, of its lower and its upper half.
 *
 * Differences to the paper, all for memory. A table per place instead of one for
 * all: numbers count only what is seen there, so they are short, and the pairs of the
 * root are as short as the product allows. Leaves of 64 bits, cut where slots or
 * better components end, of the packed state instead of 32-bit words of the plain one:
 * half as many levels, and less than half as many bits in them. Tables grow.
 *
 * The handle of a state is its pair: two numbers of 32 bits, which do not change while
 * entries of the root table move.
 *
 * Removing a state takes its pair out. Parts that no state needs any more go once as
 * many states were removed as are left, or when memory runs out.
 */
#include "store/cleary/cleary.h"
#include "store/parts/parts.h"
#include "store/store.h"

#include "base/bits.h"

#define TREE_LEAST_SWEEP 4096u /* states removed before it pays to look for parts */
/* Where memory is exhausted, one of that many states must be removed before it pays. */
#define TREE_WORTH       16u

struct store {
  struct budget *budget;
  struct parts parts;
  struct cleary root;
  bool whole;           /* states are their own pairs */
  uint32_t low_bits[2]; /* of each half of a pair, in the root's order */
  uint32_t order_mask;
  bool removes;        /* some state was ever removed */
  bool draining;       /* states are being taken out, for good */
  uint64_t removed;    /* since the parts were swept */
  uint64_t work_bytes; /* of all workers, without what the parts count */
};

/* A worker's own. */
struct own {
  struct store_work base;
  struct parts_work parts;
};

static inline struct own *own_of(struct store_work *work) {
  return (struct own *)(void *)work;
}

/* A bijection of 32-bit numbers: two rounds of multiplying and shifting, which can
 * be undone step by step. Where fewer bits are wanted only a multiplication. */
static uint32_t scramble(uint32_t x, uint32_t mask) {
  if (mask != UINT32_MAX)
    return x * 0x9E3779B1u & mask;
  x = (x ^ x >> 16) * 0x7FEB352Du;
  x = (x ^ x >> 15) * 0x846CA68Bu;
  return x ^ x >> 16;
}

static uint32_t unscramble(uint32_t x, uint32_t mask) {
  if (mask != UINT32_MAX)
    return x * 0x0E8B2F51u & mask;
  x = (x ^ x >> 16) * 0x43021123u;
  x = (x ^ x >> 15 ^ x >> 30) * 0x1D69E2A5u;
  return x ^ x >> 16;
}

/* What the high parts add to the order. */
static uint32_t stir(uint32_t a, uint32_t b, uint32_t mask) {
  uint64_t sum = (a * UINT64_C(0xD6E8FEB86659FD93)) ^ (b * UINT64_C(0xA0761D6478BD642F));
  sum ^= sum >> 32;
  sum *= UINT64_C(0xE7037ED1A0B428DB);
  return (uint32_t)(sum >> 32) & mask;
}

static inline struct cleary_key key_of(const struct store *s, uint64_t ref) {
  uint32_t left = (uint32_t)ref, right = (uint32_t)(ref >> 32);
  uint32_t low = (left & ((1u << s->low_bits[0]) - 1)) | (right & ((1u << s->low_bits[1]) - 1))
                                                             << s->low_bits[0];
  uint32_t a = left >> s->low_bits[0], b = right >> s->low_bits[1];
  return (struct cleary_key){scramble(low, s->order_mask) ^ stir(a, b, s->order_mask), a, b};
}

static uint64_t ref_of(const struct store *s, struct cleary_key key) {
  uint32_t low = unscramble(key.order ^ stir(key.a, key.b, s->order_mask), s->order_mask);
  uint32_t left = (low & ((1u << s->low_bits[0]) - 1)) | key.a << s->low_bits[0];
  uint32_t right = low >> s->low_bits[0] | key.b << s->low_bits[1];
  return left | (uint64_t)right << 32;
}

static struct store *tree_open(const struct store_config *config) {
  uint32_t order = config->hash_bits == 0 || config->hash_bits > 32 ? 32 : config->hash_bits;
  struct store *s = budget_alloc(config->budget, BUDGET_STORE, sizeof *s);
  if (!s)
    return NULL;
  if (!parts_open(&s->parts, config, PARTS_PAIR)) {
    budget_free(config->budget, BUDGET_STORE, s, sizeof *s);
    return NULL;
  }
  if (!cleary_open(&s->root, config->budget, BUDGET_STORE, order, config->bits)) {
    parts_close(&s->parts);
    budget_free(config->budget, BUDGET_STORE, s, sizeof *s);
    return NULL;
  }
  s->budget = config->budget;
  s->whole = s->parts.leaves == 1;
  s->low_bits[0] = order / 2;
  s->low_bits[1] = order - order / 2;
  s->order_mask = UINT32_MAX >> (32 - order);
  return s;
}

static void tree_close(struct store *s) {
  if (!s)
    return;
  parts_close(&s->parts);
  cleary_close(&s->root);
  budget_free(s->budget, BUDGET_STORE, s, sizeof *s);
}

static struct store_work *tree_begin(struct store *s) {
  struct own *own = budget_alloc(s->budget, BUDGET_STORE, sizeof *own);
  if (own && !parts_begin(&own->parts, &s->parts)) {
    budget_free(s->budget, BUDGET_STORE, own, sizeof *own);
    own = NULL;
  }
  if (!own)
    return NULL;
  own->base.store = s;
  s->work_bytes += sizeof *own;
  return &own->base;
}

static void tree_end(struct store_work *work) {
  struct store *s = work->store;
  struct own *own = own_of(work);
  parts_end(&own->parts);
  s->work_bytes -= sizeof *own;
  budget_free(s->budget, BUDGET_STORE, own, sizeof *own);
}

/* The pair of a state of less than 64 bits. */
static inline uint64_t halves(const struct store *s, uint64_t key) {
  uint32_t half = (s->parts.bits + 1) / 2;
  return (key & ((UINT64_C(1) << half) - 1)) | key >> half << 32;
}

/* The pairs of rows [from, from + n). Returns n, or the rows done before memory ran out. */
static uint32_t pair_rows(struct own *own, const struct ts_batch *batch, uint32_t from,
                          uint32_t n, bool add, uint64_t *ref) {
  struct parts_work *p = &own->parts;
  parts_cut(p, batch, from, n);
  if (own->base.store->whole) {
    for (uint32_t i = 0; i < n; i++)
      ref[i] = halves(own->base.store, p->key[i]);
    return n;
  }
  uint32_t done = parts_number(p, n, add);
  for (uint32_t i = 0; i < done; i++)
    ref[i] = parts_at(p, 0, i) | (uint64_t)parts_at(p, 1, i) << 32;
  return done;
}

/* A part that is not there has the number NODES_NONE, which no part has. */
static inline bool is_whole(uint64_t ref) {
  return (uint32_t)ref != NODES_NONE && ref >> 32 != NODES_NONE;
}

static bool sweep_parts(struct own *own);

/* Puts up to a batch of rows; returns how many. */
static uint32_t put_some(struct own *own, const struct ts_batch *batch, uint32_t from,
                         uint32_t n, uint8_t *answer, uint64_t *ref) {
  struct store *s = own->base.store;
  struct cleary_key key[PARTS_BATCH];
  n = pair_rows(own, batch, from, n, true, ref);
  for (uint32_t i = 0; i < n; i++) {
    key[i] = key_of(s, ref[i]);
    cleary_prefetch(&s->root, key[i].order);
  }
  for (uint32_t i = 0; i < n; i++) {
    enum cleary_answer found = cleary_put(&s->root, key[i]);
    if (found == CLEARY_SPENT)
      return i;
    answer[i] = found == CLEARY_NEW ? STORE_NEW : STORE_OLD;
  }
  return n;
}

static uint32_t tree_put(struct store_work *work, struct rows *rows, uint32_t from,
                         uint32_t to) {
  struct own *own = own_of(work);
  struct store *s = work->store;
  while (from < to) {
    if (s->removed > s->root.entries + TREE_LEAST_SWEEP)
      sweep_parts(own);
    uint32_t n = to - from < PARTS_BATCH ? to - from : PARTS_BATCH;
    uint32_t done = put_some(own, &rows->batch, from, n, rows->answer + from, rows->ref + from);
    from += done;
    if (done < n && !(s->removed > s->root.entries / TREE_WORTH && sweep_parts(own)))
      break;
  }
  return from;
}

static void tree_find(struct store_work *work, struct rows *rows, uint32_t from, uint32_t to) {
  const struct store *s = work->store;
  struct cleary_key key[PARTS_BATCH];
  uint64_t *ref = rows->ref;
  for (uint32_t n; from < to; from += n) {
    n = to - from < PARTS_BATCH ? to - from : PARTS_BATCH;
    pair_rows(own_of(work), &rows->batch, from, n, false, ref + from);
    for (uint32_t i = 0; i < n; i++) {
      key[i] = key_of(s, ref[from + i]);
      cleary_prefetch(&s->root, key[i].order);
    }
    for (uint32_t i = 0; i < n; i++) {
      bool found = is_whole(ref[from + i]) && cleary_has(&s->root, key[i]);
      rows->answer[from + i] = found ? STORE_OLD : STORE_NEW;
      if (!found)
        ref[from + i] = STORE_NONE;
    }
  }
}

/* Where a state is does not follow from its hash. */
static void tree_prefetch(const struct store_work *work, const uint64_t *hash, uint32_t n) {
  (void)work;
  (void)hash;
  (void)n;
}

static void descend_from(const struct own *own, uint64_t ref) {
  const struct parts_work *p = &own->parts;
  p->down[p->parts->top[0]] = (uint32_t)ref;
  p->down[p->parts->top[1]] = (uint32_t)(ref >> 32);
}

/* Puts the leaves of a handle's state together in the parts' room; false: it has none. */
static bool assemble(const struct own *own, uint64_t ref) {
  const struct store *s = own->base.store;
  if (s->whole) {
    parts_assemble_leaf(&own->parts, (uint32_t)ref | ref >> 32 << (s->parts.bits + 1) / 2);
    return true;
  }
  descend_from(own, ref);
  return parts_assemble(&own->parts);
}

static uint32_t tree_get(struct store_work *work, uint64_t ref, uint8_t *row) {
  const struct store *s = work->store;
  if (s->removes && !cleary_has(&s->root, key_of(s, ref)))
    return 0;
  return assemble(own_of(work), ref) ? parts_unrow(&own_of(work)->parts, row) : 0;
}

static bool tree_remove(struct store_work *work, uint64_t ref, uint64_t hash) {
  struct store *s = work->store;
  (void)hash;
  if (!cleary_remove(&s->root, key_of(s, ref)))
    return false;
  s->removed++;
  s->removes = true;
  return true;
}

static uint64_t tree_bits(const struct store_work *work, uint64_t ref) {
  const struct store *s = work->store;
  return cleary_extra(&s->root, key_of(s, ref));
}

static void tree_set_bits(struct store_work *work, uint64_t ref, uint64_t bits) {
  struct store *s = work->store;
  cleary_set_extra(&s->root, key_of(s, ref), bits);
}

/* A walk over all roots. */
struct walk {
  const struct own *own;
  struct parts_marks *marks; /* of a sweep */
  uint8_t *room;             /* of a check */
  const char *broken;
};

static bool mark_root(void *context, const struct cleary_entry *entry) {
  struct walk *walk = context;
  descend_from(walk->own, ref_of(walk->own->base.store, entry->key));
  parts_mark(walk->marks);
  return true;
}

static void mark_roots(void *context, struct parts_marks *marks) {
  struct walk walk = {.own = context, .marks = marks};
  cleary_each(&walk.own->base.store->root, mark_root, &walk);
}

/* Frees parts that no state has. False if there is no memory for it, or if the root
 * table has lost a state, whose handle may still be asked for: its parts stay. */
static bool sweep_parts(struct own *own) {
  struct store *s = own->base.store;
  s->removed = 0;
  if (s->root.lost > 0)
    return false;
  return !s->whole && parts_sweep(&own->parts, mark_roots, own);
}

static uint32_t tree_each(struct store_work *work, uint64_t *cursor, struct rows *rows,
                          uint64_t *bits) {
  const struct own *own = own_of(work);
  const struct store *s = work->store;
  struct ts_batch *batch = &rows->batch;
  struct cleary_entry entry[CLEARY_LISTED];
  uint32_t n = 1;
  batch->n = 0;
  while (n > 0 && batch->n + CLEARY_LISTED <= batch->capacity) {
    n = cleary_list(&s->root, cursor, entry);
    for (uint32_t i = 0; i < n; i++) {
      uint32_t at = batch->n++;
      rows->ref[at] = ref_of(s, entry[i].key);
      bits[at] = entry[i].extra;
      assemble(own, rows->ref[at]);
      batch->edge[at].length = parts_unrow(&own->parts, rows_at(rows, at));
    }
  }
  return batch->n;
}

static void tree_release(struct store_work *work, uint64_t cursor, uint32_t n) {
  work->store->draining = true;
  cleary_release(&work->store->root, cursor, n);
}

static void tree_usage(const struct store *s, struct store_usage *usage) {
  uint64_t rest = sizeof *s + s->work_bytes;
  *usage = (struct store_usage){.states = s->root.entries + s->root.lost};
  usage->index_bytes = cleary_reserved(&s->root);
  usage->vector_bytes = parts_reserved(&s->parts);
  usage->reserved = usage->index_bytes + usage->vector_bytes + rest;
  usage->bytes = usage->index_bytes + parts_used(&s->parts) + rest;
}

static bool check_root(void *context, const struct cleary_entry *entry) {
  struct walk *walk = context;
  const struct own *own = walk->own;
  walk->broken = assemble(own, ref_of(own->base.store, entry->key))
                     ? parts_check_row(&own->parts, walk->room)
                     : "tree: a state has a part that does not exist";
  return !walk->broken;
}

static const char *tree_check(struct store_work *work) {
  const struct store *s = work->store;
  if (s->draining)
    return NULL;
  const char *broken = cleary_check(&s->root);
  if (!broken && !s->whole)
    broken = parts_check(&s->parts);
  if (broken)
    return broken;
  size_t size = parts_check_room(&s->parts);
  struct walk walk = {.own = own_of(work), .room = budget_alloc(s->budget, BUDGET_OTHER, size)};
  if (walk.room)
    cleary_each(&s->root, check_root, &walk);
  budget_free(s->budget, BUDGET_OTHER, walk.room, size);
  return walk.broken;
}

static void tree_save(const struct store *s, struct sink *sink) {
  sink_put_number(sink, s->removed);
  sink_put_number(sink, s->removes);
  sink_same(sink, s->root.extra_bits, "has other bits for each state");
  parts_save(&s->parts, sink);
  cleary_save(&s->root, sink);
}

static bool tree_load(struct store *s, struct sink *sink) {
  s->removed = sink_take_number(sink);
  s->removes = sink_take_count(sink, 1) != 0;
  sink_same(sink, s->root.extra_bits, "has other bits for each state");
  return parts_load(&s->parts, sink) && cleary_load(&s->root, sink);
}

const struct store_kind store_tree = {
    .name = "tree",
    .summary = "states as trees of shared parts, a pair of numbers each: exact",
    .has = STORE_EXACT | STORE_HANDLES | STORE_GETS | STORE_REMOVES | STORE_KEEPS_BITS |
           STORE_DRAINS | STORE_SAVES,
    .samples = 1 << 14,
    .open = tree_open,
    .close = tree_close,
    .begin = tree_begin,
    .end = tree_end,
    .put = tree_put,
    .find = tree_find,
    .prefetch = tree_prefetch,
    .get = tree_get,
    .remove = tree_remove,
    .bits = tree_bits,
    .set_bits = tree_set_bits,
    .each = tree_each,
    .release = tree_release,
    .usage = tree_usage,
    .check = tree_check,
    .save = tree_save,
    .load = tree_load,
};
