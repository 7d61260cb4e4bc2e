/* tree.c - recursive indexing: a state is a pair of numbers of parts, and so on.
 *
 * After Laarman, van de Pol, Weber, "Parallel recursive state compression for free"
 * (SPIN 2011), with the root table in the manner of Cleary (cleary.h). The packed
 * state is cut into leaves of up to 64 bits. Each place of a balanced binary tree over
 * them has its own table that numbers what was seen there (nodes.h): a leaf's
 * table bit strings, an inner place's pairs of numbers of its two children. A state
 * is the pair of numbers at the root's children, and only these pairs are kept per
 * state; parts are seen again and again, so their tables stay small. A state of less
 * than 64 bits is its own pair, of its lower and its upper half.
 *
 * Differences to the paper, all for memory. A table per place instead of one for
 * all: numbers count only what is seen there, so they are short, and the pairs of the
 * root are as short as the product allows. Leaves of 64 bits, cut where slots or
 * better components end, of the packed state instead of 32-bit words of the plain one:
 * half as many levels, and less than half as many bits in them. Tables grow.
 *
 * The handle of a state is its pair: two numbers of 32 bits, which do not change while
 * entries of the root table move. Lengths need no thought: a packed state begins
 * with its length, which so is in the first leaf, and behind its end leaves are zero.
 *
 * Putting a batch goes place by place, not row by row: for all rows the number of
 * their part there, children first. Where a row's part is that of the row before, as
 * most are among successors of one state, so is its number: no look-up. That is the
 * paper's incremental insertion with a sibling in place of the parent, and needs to
 * know nothing about where rows come from. Before the others are looked up, their
 * slots are asked for.
 *
 * Removing a state takes its pair out. Parts that no state needs any more go when their
 * tables would have to grow and enough states were removed.
 */
#include "store/cleary.h"
#include "store/nodes.h"
#include "store/store.h"

#include "base/bits.h"
#include "ts/pack.h"

#include <assert.h>
#include <string.h>

#define TREE_BATCH       64u
#define TREE_COLUMN      (TREE_BATCH + 1) /* and the row before, in front */
#define TREE_LEAF        64u              /* bits, at most */
#define TREE_LARGE       (256u << 10)     /* bytes of a table that caches may not hold */
#define TREE_LEAST_SWEEP 4096u            /* states removed before it pays to look for parts */

struct place {
  struct nodes nodes;
  uint32_t left, right; /* of an inner place: places; of a leaf: first bit, bits */
  uint32_t *id;         /* [TREE_COLUMN] */
  uint64_t *key;        /* the same */
};

struct store {
  struct budget *budget;
  struct pack *pack;
  struct cleary root;
  uint32_t leaves, places; /* leaves come first, and children before their parents */
  uint32_t top[2];         /* the root's children */
  uint32_t bits;           /* of a packed state, with its length */
  uint32_t low_bits[2];    /* of each half of a pair, in the root's order */
  uint32_t order_mask;
  bool fixed;
  bool removes;     /* some state was ever removed */
  uint64_t removed; /* since the parts were swept */
  size_t size, packed_bytes;
  uint8_t *packed; /* one state, and what packing writes behind */
  uint32_t *down;  /* [places]: numbers of one state's parts */
  struct place *place;
};

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

/* Where a packed state may be cut: bitmaps of the bits in front of which a slot or a
 * component begins. */
struct seams {
  uint32_t bits;
  uint32_t words; /* of each bitmap */
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
  for (uint32_t d = 0; d <= TREE_LEAF; d++) {
    if (target + d <= most && bits_test(marks, target + d))
      return target + d;
    if (target >= least + d && bits_test(marks, target - d))
      return target - d;
  }
  return target;
}

/* The end of the leaf that begins at bit `from`: leaves are of about equal size, no more
 * than need be, and end where a component ends if one does, else a slot. */
static uint32_t leaf_end(const struct seams *m, uint32_t from) {
  uint32_t rest = m->bits - from, parts = (rest + TREE_LEAF - 1) / TREE_LEAF;
  if (from == 0 && parts < 2)
    parts = 2;
  if (parts <= 1)
    return m->bits;
  uint32_t target = from + rest / parts, most = from + TREE_LEAF;
  uint32_t least =
      rest > (parts - 1) * TREE_LEAF ? m->bits - (parts - 1) * TREE_LEAF : from + 1;
  if (most >= m->bits)
    most = m->bits - 1;
  uint32_t end = nearest(m->component, least, most, target);
  return bits_test(m->component, end) ? end : nearest(m->slot, least, most, target);
}

static uint32_t count_leaves(const struct seams *m) {
  uint32_t n = 1, at = 0;
  if (m->bits < TREE_LEAF)
    return 1;
  while ((at = leaf_end(m, at)) < m->bits)
    n++;
  return n;
}

/* The place over leaves [from, to). */
static uint32_t build(struct store *s, uint32_t from, uint32_t to) {
  if (to - from == 1)
    return from;
  uint32_t middle = from + (to - from + 1) / 2;
  uint32_t left = build(s, from, middle), right = build(s, middle, to);
  s->place[s->places] = (struct place){.left = left, .right = right};
  return s->places++;
}

/* Cuts the block of the store into its arrays. Of a state that is its own pair only
 * the leaf's column of keys is used. */
static void lay_out(struct store *s, const struct seams *m, uint64_t hash_mask) {
  s->place = (struct place *)(s + 1);
  uint32_t at = 0, most = s->leaves == 1 ? 1 : 2 * s->leaves - 2;
  for (uint32_t i = 0; i < s->leaves; i++) {
    uint32_t end = s->leaves == 1 ? m->bits : leaf_end(m, at);
    s->place[i] = (struct place){.left = at, .right = end - at};
    at = end;
  }
  s->places = s->leaves;
  if (s->leaves > 1) {
    uint32_t middle = (s->leaves + 1) / 2;
    s->top[0] = build(s, 0, middle);
    s->top[1] = build(s, middle, s->leaves);
  }
  assert(s->places <= most);
  uint64_t *key = (uint64_t *)(s->place + most);
  uint32_t *id = (uint32_t *)(key + (size_t)most * TREE_COLUMN);
  for (uint32_t i = 0; i < s->places; i++) {
    struct place *p = &s->place[i];
    nodes_init(&p->nodes, hash_mask);
    p->key = key + (size_t)i * TREE_COLUMN;
    p->id = id + (size_t)i * TREE_COLUMN;
    p->id[0] = NODES_NONE;
  }
  s->down = id + (size_t)most * TREE_COLUMN;
  s->packed = (uint8_t *)(s->down + most);
}

static size_t block_size(uint32_t leaves, size_t packed) {
  size_t places = leaves == 1 ? 1 : 2 * leaves - 2;
  return sizeof(struct store) +
         places * (sizeof(struct place) + TREE_COLUMN * 12 + sizeof(uint32_t)) + packed;
}

/* Everything but the root's table and the packing. */
static struct store *make(const struct store_config *config, struct pack *pack) {
  const struct ts_shape *shape = config->shape;
  size_t stride = ts_stride(shape), words = (stride + 8) * 8 / 64 + 1;
  size_t size = (stride + 1) * sizeof(uint32_t) + 2 * words * sizeof(uint64_t);
  uint64_t *marks = budget_alloc(config->budget, BUDGET_OTHER, size);
  if (!marks)
    return NULL;
  uint32_t *before = (uint32_t *)(marks + 2 * words);
  struct seams m = {.slot = marks, .component = marks + words};
  count_bits(shape, pack_header(pack), before);
  m.bits = before[stride];
  find_seams(shape, before, &m);
  uint32_t leaves = count_leaves(&m);
  size_t packed = pack_bytes(pack) + 32;
  struct store *s = budget_alloc(config->budget, BUDGET_STORE, block_size(leaves, packed));
  if (s) {
    s->size = block_size(leaves, packed);
    s->packed_bytes = packed;
    s->leaves = leaves;
    s->bits = m.bits;
    uint32_t hash_bits = config->hash_bits;
    lay_out(s, &m,
            hash_bits > 0 && hash_bits < 64 ? UINT64_MAX >> (64 - hash_bits) : UINT64_MAX);
  }
  budget_free(config->budget, BUDGET_OTHER, marks, size);
  return s;
}

static struct store *tree_open(const struct store_config *config) {
  struct pack *pack = pack_open(config->shape, config->budget);
  struct store *s = pack ? make(config, pack) : NULL;
  uint32_t order = config->hash_bits == 0 || config->hash_bits > 32 ? 32 : config->hash_bits;
  if (s && !cleary_open(&s->root, config->budget, BUDGET_STORE, order, config->bits)) {
    budget_free(config->budget, BUDGET_STORE, s, s->size);
    s = NULL;
  }
  if (!s) {
    pack_close(pack);
    return NULL;
  }
  s->budget = config->budget;
  s->pack = pack;
  s->fixed = config->shape->fixed_length;
  s->low_bits[0] = order / 2;
  s->low_bits[1] = order - order / 2;
  s->order_mask = UINT32_MAX >> (32 - order);
  return s;
}

static void tree_close(struct store *s) {
  if (!s)
    return;
  for (uint32_t i = 0; i < s->places; i++)
    nodes_free(&s->place[i].nodes, s->budget, BUDGET_STORE);
  cleary_close(&s->root);
  pack_close(s->pack);
  budget_free(s->budget, BUDGET_STORE, s, s->size);
}

static inline uint64_t take_bits(const uint8_t *packed, uint32_t from, uint32_t bits) {
  uint64_t word;
  uint32_t shift = from % 8;
  memcpy(&word, packed + from / 8, 8);
  word >>= shift;
  if (shift + bits > 64)
    word |= (uint64_t)packed[from / 8 + 8] << (64 - shift);
  return bits == 0 ? 0 : word & UINT64_MAX >> (64 - bits);
}

/* Ors bits into zeros. */
static void give_bits(uint8_t *packed, uint32_t from, uint64_t value) {
  uint64_t word;
  uint32_t shift = from % 8;
  memcpy(&word, packed + from / 8, 8);
  word |= value << shift;
  memcpy(packed + from / 8, &word, 8);
  if (shift > 0)
    packed[from / 8 + 8] |= (uint8_t)(value >> (64 - shift));
}

/* Packs a row and cuts it into row i + 1 of the leaves' columns. */
static inline void cut_row(struct store *s, const struct ts_batch *batch, uint32_t row,
                           uint32_t i) {
  if (!s->fixed)
    memset(s->packed, 0, s->packed_bytes);
  pack_row(s->pack, batch->rows + row * batch->stride, batch->edge[row].length, s->packed);
  for (uint32_t k = 0; k < s->leaves; k++) {
    struct place *p = &s->place[k];
    p->key[i + 1] = take_bits(s->packed, p->left, p->right);
  }
}

/* Which of a place's n rows need a look-up; their slots are asked for. */
static uint32_t sift(const struct place *p, uint32_t n, uint8_t *todo, uint64_t *hash) {
  uint32_t count = 0;
  for (uint32_t i = 1; i <= n; i++) {
    todo[count] = (uint8_t)i;
    count += p->key[i] != p->key[i - 1] || i == 1;
  }
  for (uint32_t k = 0; k < count; k++) {
    hash[k] = nodes_hash(&p->nodes, p->key[todo[k]]);
    nodes_prefetch(&p->nodes, hash[k]);
  }
  if (nodes_reserved(&p->nodes) > TREE_LARGE) {
    for (uint32_t k = 0; k < count; k++)
      nodes_prefetch_key(&p->nodes, hash[k]);
  }
  return count;
}

/* Numbers a place's parts of n rows, new ones too if `add`. Returns n, or the rows
 * done before memory ran out. */
static uint32_t number_part(struct store *s, struct place *p, uint32_t n, bool add) {
  uint8_t todo[TREE_COLUMN];
  uint64_t hash[TREE_COLUMN];
  uint32_t count = sift(p, n, todo, hash), done = 1;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t i = todo[k];
    uint64_t key = p->key[i];
    for (; done < i; done++)
      p->id[done] = p->id[done - 1];
    if (i == 1 && key == p->key[0] && p->id[0] != NODES_NONE) {
      p->id[done++] = p->id[0];
      continue;
    }
    uint32_t id = nodes_find(&p->nodes, key, hash[k]);
    if (id == NODES_NONE && add) {
      id = nodes_add(&p->nodes, s->budget, BUDGET_STORE, key, hash[k]);
      if (id == NODES_NONE)
        return i - 1;
    }
    p->id[done++] = id;
  }
  for (; done <= n; done++)
    p->id[done] = p->id[done - 1];
  return n;
}

/* Pairs of numbers of the children's parts. A missing part has no place in a pair. */
static void pair_up(const struct store *s, struct place *p, uint32_t n) {
  const uint32_t *left = s->place[p->left].id, *right = s->place[p->right].id;
  for (uint32_t i = 1; i <= n; i++)
    p->key[i] = left[i] | (uint64_t)right[i] << 32;
}

/* Numbers all parts of rows [from, from + n) and pairs their roots' children. Returns n,
 * or the rows done before memory ran out. */
static uint32_t number_rows(struct store *s, const struct ts_batch *batch, uint32_t from,
                            uint32_t n, bool add, uint64_t *ref) {
  for (uint32_t i = 0; i < n; i++)
    cut_row(s, batch, from + i, i);
  if (s->leaves == 1) {
    uint32_t half = (s->bits + 1) / 2;
    const uint64_t *key = s->place[0].key;
    for (uint32_t i = 0; i < n; i++)
      ref[i] = (key[i + 1] & ((UINT64_C(1) << half) - 1)) | key[i + 1] >> half << 32;
    return n;
  }
  for (uint32_t k = 0; k < s->places && n > 0; k++) {
    struct place *p = &s->place[k];
    if (k >= s->leaves)
      pair_up(s, p, n);
    n = number_part(s, p, n, add);
  }
  const uint32_t *left = s->place[s->top[0]].id, *right = s->place[s->top[1]].id;
  for (uint32_t i = 0; i < n; i++)
    ref[i] = left[i + 1] | (uint64_t)right[i + 1] << 32;
  for (uint32_t k = 0; k < s->places && n > 0; k++) {
    struct place *p = &s->place[k];
    p->key[0] = p->key[n];
    p->id[0] = p->id[n];
  }
  return n;
}

/* A part that is not there has the number NODES_NONE, which no part has. */
static inline bool is_whole(uint64_t ref) {
  return (uint32_t)ref != NODES_NONE && ref >> 32 != NODES_NONE;
}

static bool sweep_parts(struct store *s);

/* Puts up to a batch of rows; returns how many. */
static uint32_t put_some(struct store *s, const struct ts_batch *batch, uint32_t from,
                         uint32_t n, uint8_t *answer, uint64_t *ref) {
  struct cleary_key key[TREE_BATCH];
  n = number_rows(s, batch, from, n, true, ref);
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

static uint32_t tree_put(struct store *s, const struct ts_batch *batch, const uint64_t *hash,
                         uint32_t from, uint32_t to, uint8_t *answer, uint64_t *ref) {
  (void)hash;
  while (from < to) {
    if (s->removed > s->root.entries + TREE_LEAST_SWEEP)
      sweep_parts(s);
    uint32_t n = to - from < TREE_BATCH ? to - from : TREE_BATCH;
    uint32_t done = put_some(s, batch, from, n, answer + from, ref + from);
    from += done;
    if (done < n && !(s->removed > 0 && sweep_parts(s)))
      break;
  }
  return from;
}

static void tree_find(struct store *s, const struct ts_batch *batch, const uint64_t *hash,
                      uint32_t from, uint32_t to, uint8_t *answer, uint64_t *ref) {
  (void)hash;
  struct cleary_key key[TREE_BATCH];
  for (uint32_t n; from < to; from += n) {
    n = to - from < TREE_BATCH ? to - from : TREE_BATCH;
    number_rows(s, batch, from, n, false, ref + from);
    for (uint32_t i = 0; i < n; i++) {
      key[i] = key_of(s, ref[from + i]);
      cleary_prefetch(&s->root, key[i].order);
    }
    for (uint32_t i = 0; i < n; i++) {
      bool found = is_whole(ref[from + i]) && cleary_has(&s->root, key[i]);
      answer[from + i] = found ? STORE_OLD : STORE_NEW;
      if (!found)
        ref[from + i] = STORE_NONE;
    }
  }
}

/* Where a state lies is not told by its hash. */
static void tree_prefetch(const struct store *s, const uint64_t *hash, uint32_t n) {
  (void)s;
  (void)hash;
  (void)n;
}

/* The numbers of all parts of a state; false: some part does not exist. */
static bool descend(const struct store *s, uint64_t ref) {
  s->down[s->top[0]] = (uint32_t)ref;
  s->down[s->top[1]] = (uint32_t)(ref >> 32);
  for (uint32_t k = s->places; k-- > 0;) {
    const struct place *p = &s->place[k];
    if (!nodes_has(&p->nodes, s->down[k]))
      return false;
    if (k >= s->leaves) {
      uint64_t pair = p->nodes.key[s->down[k]];
      s->down[p->left] = (uint32_t)pair;
      s->down[p->right] = (uint32_t)(pair >> 32);
    }
  }
  return true;
}

/* Puts the packed state of a handle together in s->packed; false: it has none. */
static bool assemble(const struct store *s, uint64_t ref) {
  memset(s->packed, 0, s->packed_bytes);
  if (s->leaves == 1) {
    give_bits(s->packed, 0, (uint32_t)ref | ref >> 32 << (s->bits + 1) / 2);
    return true;
  }
  if (!descend(s, ref))
    return false;
  for (uint32_t k = 0; k < s->leaves; k++) {
    const struct place *p = &s->place[k];
    give_bits(s->packed, p->left, p->nodes.key[s->down[k]]);
  }
  return true;
}

static uint32_t tree_get(const struct store *s, uint64_t ref, uint8_t *row) {
  if (s->removes && !cleary_has(&s->root, key_of(s, ref)))
    return 0;
  return assemble(s, ref) ? pack_unrow(s->pack, s->packed, row) : 0;
}

static bool tree_remove(struct store *s, uint64_t ref, uint64_t hash) {
  (void)hash;
  if (!cleary_remove(&s->root, key_of(s, ref)))
    return false;
  s->removed++;
  s->removes = true;
  return true;
}

static uint64_t tree_bits(const struct store *s, uint64_t ref) {
  return cleary_extra(&s->root, key_of(s, ref));
}

static void tree_set_bits(struct store *s, uint64_t ref, uint64_t bits) {
  cleary_set_extra(&s->root, key_of(s, ref), bits);
}

/* A bitmap for every place of the parts that some state has. */
struct census {
  const struct store *store;
  uint64_t **live;
  const char *broken;
};

static bool mark_parts(void *context, const struct cleary_entry *entry) {
  struct census *c = context;
  const struct store *s = c->store;
  if (!descend(s, ref_of(s, entry->key)))
    return false;
  for (uint32_t k = 0; k < s->places; k++)
    c->live[k][s->down[k] / 64] |= UINT64_C(1) << (s->down[k] % 64);
  return true;
}

/* Frees the numbers of parts that no state has. False if there is no memory for it. */
static bool sweep_parts(struct store *s) {
  s->removed = 0;
  if (s->leaves == 1)
    return false;
  size_t size = s->places * sizeof(uint64_t *);
  for (uint32_t k = 0; k < s->places; k++)
    size += s->place[k].nodes.n / 64 * 8 + 8;
  uint64_t **live = budget_alloc(s->budget, BUDGET_STORE, size);
  if (!live)
    return false;
  uint64_t *at = (uint64_t *)(live + s->places);
  for (uint32_t k = 0; k < s->places; k++) {
    live[k] = at;
    at += s->place[k].nodes.n / 64 + 1;
  }
  struct census census = {s, live, NULL};
  cleary_each(&s->root, mark_parts, &census);
  bool done = true;
  for (uint32_t k = 0; k < s->places; k++) {
    done = nodes_sweep(&s->place[k].nodes, s->budget, BUDGET_STORE, live[k]) && done;
    s->place[k].id[0] = NODES_NONE;
  }
  budget_free(s->budget, BUDGET_STORE, live, size);
  return done;
}

static void tree_usage(const struct store *s, struct store_usage *usage) {
  *usage = (struct store_usage){.states = s->root.entries};
  usage->index_bytes = cleary_reserved(&s->root);
  usage->bytes = usage->index_bytes + s->size;
  for (uint32_t k = 0; k < s->places; k++) {
    usage->vector_bytes += nodes_reserved(&s->place[k].nodes);
    usage->bytes += nodes_used(&s->place[k].nodes);
  }
  usage->reserved = usage->index_bytes + usage->vector_bytes + s->size;
}

/* Is a root the handle of a state that packs to what its parts say? */
static bool check_root(void *context, const struct cleary_entry *entry) {
  struct census *c = context;
  const struct store *s = c->store;
  uint8_t *row = (uint8_t *)c->live, *again = row + pack_stride(s->pack);
  uint64_t ref = ref_of(s, entry->key);
  if (!assemble(s, ref))
    c->broken = "tree: a state has a part that does not exist";
  else {
    uint32_t length = pack_unrow(s->pack, s->packed, row);
    uint32_t bytes = pack_row(s->pack, row, length, again);
    if (memcmp(again, s->packed, bytes) != 0)
      c->broken = "tree: the parts of a state are not what packing makes";
    for (uint32_t i = bytes; i < s->packed_bytes; i++)
      if (s->packed[i] != 0)
        c->broken = "tree: something lies behind the end of a state";
  }
  return !c->broken;
}

static const char *tree_check(const struct store *s) {
  const char *broken = cleary_check(&s->root);
  for (uint32_t k = 0; !broken && k < s->places && s->leaves > 1; k++)
    broken = nodes_check(&s->place[k].nodes);
  if (broken)
    return broken;
  size_t size = pack_stride(s->pack) + s->packed_bytes;
  struct census census = {s, budget_alloc(s->budget, BUDGET_OTHER, size), NULL};
  if (census.live)
    cleary_each(&s->root, check_root, &census);
  budget_free(s->budget, BUDGET_OTHER, census.live, size);
  return census.broken;
}

const struct store_kind store_tree = {
    .name = "tree",
    .summary = "states as trees of shared parts, a pair of numbers each: exact",
    .has = STORE_EXACT | STORE_HANDLES | STORE_REMOVES,
    .open = tree_open,
    .close = tree_close,
    .put = tree_put,
    .find = tree_find,
    .prefetch = tree_prefetch,
    .get = tree_get,
    .remove = tree_remove,
    .bits = tree_bits,
    .set_bits = tree_set_bits,
    .usage = tree_usage,
    .check = tree_check,
};
