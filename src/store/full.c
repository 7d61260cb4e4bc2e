/* full.c - the exact store: every state, packed, found by a hash index.
 *
 * Three parts: the packed states by number (vectors.h), the index from hashes to
 * numbers (index.h), and what few searches want: opaque bits and the marks of
 * removed states, both arrays by number that exist only if used.
 *
 * A batch is put in three passes. The first looks at all home buckets, and at those
 * after where these are full, and prefetches the vectors whose tags are right; the
 * second compares them, row by row packed; the third looks up and inserts what is left,
 * nearly always new states. So the ways from memory overlap, and whether a state is old,
 * which no processor can predict, decides on no branch but is gathered in lists.
 *
 * Measured on at.4, breadth-first (AMD EPYC 9005-class at about 2.6 GHz, 2 MiB pages by
 * madvise, processor time), against branches row by row: from 12.7 to 14.3 million events per
 * second; comparing a bucket's tags by vector instructions gave 16.3; handing the place
 * where a search ended to insertion, 16.9.
 */
#include "store/index/glance.h"
#include "store/room/extra.h"
#include "store/room/packer.h"
#include "store/room/vacant.h"
#include "store/room/vectors.h"
#include "store/store.h"

#include "ts/pack.h"

#include <assert.h>
#include <string.h>

#define FULL_BATCH  GLANCE_ROWS /* rows whose lines are prefetched at once */
#define FULL_PACKED (32u << 10) /* and bytes of their packed states */

struct store {
  struct budget *budget;
  const struct ts_shape *patched; /* rows are packed from their parents, which are never
                                   * removed; NULL: they are not */
  struct pack *pack;
  struct index index;
  struct vectors vectors;
  uint64_t states, hash_mask; /* stored and not removed; for tests, 0: all bits */
  struct extra extra;         /* opaque bits */
  struct vacant removed;
  uint32_t room;       /* bytes for each of the rows that are packed at once */
  uint32_t rows;       /* how many these are */
  bool draining;       /* the index is gone, and so are the first states */
  uint64_t work_bytes; /* of all workers */
};

/* A worker's own: the rows in work, packed. */
struct own {
  struct store_work base;
  struct packer packer;
  uint8_t packed[]; /* [rows * room] */
};

static inline struct own *own_of(struct store_work *work) {
  return (struct own *)(void *)work;
}

static size_t own_bytes(const struct store *s) {
  return sizeof(struct own) + (size_t)s->rows * s->room;
}

static void full_close(struct store *s) {
  if (!s)
    return;
  vacant_close(&s->removed);
  extra_free(&s->extra);
  vectors_free(&s->vectors);
  index_close(&s->index);
  pack_close(s->pack);
  budget_free(s->budget, BUDGET_STORE, s, sizeof *s);
}

static struct store *full_open(const struct store_config *config) {
  struct pack *pack = pack_open_sparse(config->shape, config->budget);
  uint32_t room = pack ? pack_room(pack) : 1, rows = FULL_PACKED / room;
  rows = rows < 1 ? 1 : rows > FULL_BATCH ? FULL_BATCH : rows;
  struct store *s = pack ? budget_alloc(config->budget, BUDGET_STORE, sizeof *s) : NULL;
  if (s && !index_open(&s->index, config->budget, BUDGET_STORE, config->hash_bits != 0)) {
    budget_free(config->budget, BUDGET_STORE, s, sizeof *s);
    s = NULL;
  }
  if (!s) {
    pack_close(pack);
    return NULL;
  }
  s->budget = config->budget;
  s->pack = pack;
  s->room = room;
  s->rows = rows;
  s->hash_mask = store_hash_mask(config);
  if (!config->recycles && patch_is_of_use(pack, config->shape))
    s->patched = config->shape;
  vectors_init(&s->vectors, pack, s->budget);
  extra_init(&s->extra, s->budget, config->bits);
  if (!vacant_open(&s->removed, &s->vectors, s->budget, config->recycles)) {
    full_close(s);
    return NULL;
  }
  return s;
}

static void full_end(struct store_work *work) {
  struct store *s = work->store;
  packer_close(&own_of(work)->packer);
  s->work_bytes -= own_bytes(s) + packer_bytes(s->pack, s->patched);
  budget_free(s->budget, BUDGET_STORE, work, own_bytes(s));
}

static struct store_work *full_begin(struct store *s) {
  struct own *own = budget_alloc(s->budget, BUDGET_STORE, own_bytes(s));
  if (!own)
    return NULL;
  own->base.store = s;
  s->work_bytes += own_bytes(s) + packer_bytes(s->pack, s->patched);
  if (packer_open(&own->packer, &s->vectors, s->patched, s->budget))
    return &own->base;
  full_end(&own->base);
  return NULL;
}

static inline uint64_t own_hash(const struct store *s, uint64_t hash) {
  return store_hash(s->hash_mask, hash);
}

static void full_prefetch(const struct store_work *work, const uint64_t *hash, uint32_t n) {
  const struct store *s = work->store;
  for (uint32_t i = 0; i < n; i++)
    index_prefetch(&s->index, own_hash(s, hash[i]));
}

struct sought { /* what is looked for */
  const struct store *store;
  const uint8_t *packed;
  uint32_t bytes;
};

static inline bool is_same(const void *context, uint64_t id) {
  const struct sought *sought = context;
  const struct store *s = sought->store;
  return vectors_same(&s->vectors, id, sought->packed, sought->bytes);
}

/* Row i, packed. */
static inline struct sought seek(struct own *own, const struct rows *rows, uint32_t i) {
  const struct store *s = own->base.store;
  return (struct sought){s, own->packed, packer_row(&own->packer, rows, i, own->packed)};
}

struct work { /* rows of a batch */
  struct glance glance;
  const uint8_t *packed;
  uint32_t bytes[FULL_BATCH]; /* of the packed row, which is at packed + k * s->room */
};

static inline void prefetch_vector(const struct store *s, uint64_t id) {
  const uint8_t *at = vectors_at(&s->vectors, id);
  __builtin_prefetch(at);
  /* One in five of 14 bytes is astride. */
  __builtin_prefetch(at + (s->vectors.fixed ? s->vectors.bytes - 1 : 64));
}

INDEX_INLINE void look_at_all(const struct store *s, uint32_t n, struct glance *g, bool wide) {
  glance_rows(&s->index, n, g, wide);
  for (uint32_t k = 0; k < g->n_likely; k++)
    prefetch_vector(s, g->id[k]);
}

INDEX_WIDE static void look_wide(const struct store *s, uint32_t n, struct glance *g) {
  look_at_all(s, n, g, true);
}

static inline struct sought packed_row(const struct store *s, const struct work *w,
                                       uint32_t k) {
  return (struct sought){s, w->packed + (size_t)k * s->room, w->bytes[k]};
}

/* Answers those of n rows from `from` on that are what their tags say; the others,
 * nearly always new ones, are marked new. */
static void recognise(const struct store *s, uint32_t from, const struct work *w, uint32_t n,
                      uint8_t *answer, uint64_t *ref) {
  const struct glance *g = &w->glance;
  memset(answer + from, STORE_NEW, n);
  for (uint32_t k = 0; k < g->n_likely; k++) {
    uint32_t i = from + g->likely[k];
    struct sought sought = packed_row(s, w, g->likely[k]);
    if (__builtin_expect(is_same(&sought, g->id[k]), 1)) {
      answer[i] = STORE_OLD;
      ref[i] = g->id[k];
    }
  }
}

/* The same in the place of a removed state. */
static bool reuse(struct store *s, uint64_t hash, const struct sought *sought, uint64_t *end,
                  uint64_t id) {
  if (!index_insert_at(&s->index, hash, id, end)) {
    vacant_add(&s->removed, id);
    return false;
  }
  memcpy((uint8_t *)(uintptr_t)vectors_at(&s->vectors, id), sought->packed, sought->bytes);
  extra_set(&s->extra, id, 0);
  s->states++;
  return true;
}

/* Stores the packed state; false, and nothing is changed, if memory ran out. */
static inline bool insert(struct store *s, uint64_t hash, const struct sought *sought,
                          uint64_t *end, uint64_t *ref) {
  uint64_t id = s->vectors.n;
  uint32_t bytes = sought->bytes, room = bytes;
  if (__builtin_expect(s->removed.reuses, 0)) {
    if (vacant_take(&s->removed, bytes, ref))
      return reuse(s, hash, sought, end, *ref);
    room = vacant_room(&s->removed, bytes);
  }
  *ref = id;
  if (!extra_make(&s->extra, id))
    return false;
  uint8_t *at = vectors_reserve(&s->vectors, room);
  if (!at || !index_insert_at(&s->index, hash, id, end))
    return false;
  vectors_write(at, sought->packed, bytes);
  vectors_commit(&s->vectors, room);
  s->states++;
  return true;
}

INDEX_INLINE bool put_row(struct store *s, uint64_t hash, const struct sought *sought,
                          uint8_t *answer, uint64_t *ref, bool wide) {
  uint64_t *end, id = index_find(&s->index, hash, is_same, sought, wide, &end);
  *answer = id == INDEX_NONE ? STORE_NEW : STORE_OLD;
  *ref = id;
  return id != INDEX_NONE || insert(s, hash, sought, end, ref);
}

/* One row by itself, as depth-first search puts them. */
INDEX_INLINE bool put_alone(struct own *own, struct rows *rows, uint32_t i, bool wide) {
  struct store *s = own->base.store;
  struct sought sought = seek(own, rows, i);
  return put_row(s, own_hash(s, rows->hash[i]), &sought, &rows->answer[i], &rows->ref[i], wide);
}

INDEX_WIDE static bool put_alone_wide(struct own *own, struct rows *rows, uint32_t i) {
  return put_alone(own, rows, i, true);
}

static bool put_alone_plain(struct own *own, struct rows *rows, uint32_t i) {
  return put_alone(own, rows, i, false);
}

/* Puts the rows marked new; returns the first not answered. */
INDEX_INLINE uint32_t put_rest(struct store *s, const struct work *w, uint32_t from, uint32_t n,
                               uint8_t *answer, uint64_t *ref, bool wide) {
  uint32_t rest[FULL_BATCH] = {0}, n_rest = 0;
  for (uint32_t i = 0; i < n; i++) {
    rest[n_rest] = i;
    n_rest += answer[from + i] == STORE_NEW;
  }
  for (uint32_t k = 0; k < n_rest; k++) {
    uint32_t i = from + rest[k];
    struct sought sought = packed_row(s, w, rest[k]);
    if (!put_row(s, w->glance.hash[rest[k]], &sought, &answer[i], &ref[i], wide))
      return i;
  }
  return from + n;
}

INDEX_WIDE static uint32_t put_rest_wide(struct store *s, const struct work *w, uint32_t from,
                                         uint32_t n, uint8_t *answer, uint64_t *ref) {
  return put_rest(s, w, from, n, answer, ref, true);
}

static uint32_t put_many(struct own *own, struct rows *rows, uint32_t from, uint32_t to) {
  struct store *s = own->base.store;
  uint8_t *answer = rows->answer;
  uint64_t *ref = rows->ref;
  struct work w;
  w.packed = own->packed;
  while (from < to) {
    uint32_t n = to - from < s->rows ? to - from : s->rows;
    for (uint32_t i = 0; i < n; i++)
      w.glance.hash[i] = own_hash(s, rows->hash[from + i]);
    if (s->index.wide)
      look_wide(s, n, &w.glance);
    else
      look_at_all(s, n, &w.glance, false);
    packer_rows(&own->packer, rows, from, from + n, own->packed, w.bytes);
    recognise(s, from, &w, n, answer, ref);
    uint32_t done = s->index.wide ? put_rest_wide(s, &w, from, n, answer, ref)
                                  : put_rest(s, &w, from, n, answer, ref, false);
    if (done < from + n)
      return done;
    from = done;
  }
  return to;
}

static uint32_t full_put(struct store_work *work, struct rows *rows, uint32_t from,
                         uint32_t to) {
  struct own *own = own_of(work);
  if (to - from != 1)
    return put_many(own, rows, from, to);
  bool fine = (work->store->index.wide ? put_alone_wide : put_alone_plain)(own, rows, from);
  return fine ? to : from;
}

INDEX_INLINE void guess_all(const struct store *s, const uint64_t *hash, uint32_t n,
                            uint64_t *ref, bool wide) {
  for (uint32_t i = 0; i < n; i++) {
    ref[i] = glance_one(&s->index, own_hash(s, hash[i]), wide);
    if (ref[i] != STORE_NONE)
      prefetch_vector(s, ref[i]);
  }
}

INDEX_WIDE static void guess_wide(const struct store *s, const uint64_t *hash, uint32_t n,
                                  uint64_t *ref) {
  guess_all(s, hash, n, ref, true);
}

static void full_guess(struct store_work *work, struct rows *rows, uint32_t from, uint32_t to) {
  const struct store *s = work->store;
  const uint64_t *hash = rows->hash + from;
  if (s->index.wide)
    guess_wide(s, hash, to - from, rows->ref + from);
  else
    guess_all(s, hash, to - from, rows->ref + from, false);
}

static void full_confirm(struct store_work *work, struct rows *rows, uint32_t from,
                         uint32_t to) {
  const struct store *s = work->store;
  uint8_t *answer = rows->answer;
  uint64_t *ref = rows->ref, *end;
  for (uint32_t i = from; i < to; i++) {
    answer[i] = STORE_NEW;
    if (ref[i] == STORE_NONE && s->index.n_strays == 0)
      continue;
    struct sought sought = seek(own_of(work), rows, i);
    if (ref[i] == STORE_NONE || !is_same(&sought, ref[i]))
      ref[i] = index_find(&s->index, own_hash(s, rows->hash[i]), is_same, &sought, false, &end);
    answer[i] = ref[i] == STORE_NONE ? STORE_NEW : STORE_OLD;
  }
}

static void full_find(struct store_work *work, struct rows *rows, uint32_t from, uint32_t to) {
  for (uint32_t end; from < to; from = end) {
    end = to - from < FULL_BATCH ? to : from + FULL_BATCH;
    full_guess(work, rows, from, end);
    full_confirm(work, rows, from, end);
  }
}

static uint32_t full_get(struct store_work *work, uint64_t ref, uint8_t *row) {
  const struct store *s = work->store;
  uint32_t length = 0;
  if (ref < s->vectors.n && !vacant_has(&s->removed, ref))
    length = pack_unrow(s->pack, vectors_at(&s->vectors, ref), row);
  return length;
}

static bool full_remove(struct store_work *work, uint64_t ref, uint64_t hash) {
  struct store *s = work->store;
  if (ref >= s->vectors.n || vacant_has(&s->removed, ref))
    return false;
  if (!vacant_make_room(&s->removed, ref) || !index_remove(&s->index, own_hash(s, hash), ref))
    return false;
  s->states--;
  return vacant_add(&s->removed, ref);
}

static uint64_t full_bits(const struct store_work *work, uint64_t ref) {
  const struct store *s = work->store;
  assert(ref < s->vectors.n);
  return extra_get(&s->extra, ref);
}

static void full_set_bits(struct store_work *work, uint64_t ref, uint64_t bits) {
  struct store *s = work->store;
  assert(ref < s->vectors.n);
  extra_set(&s->extra, ref, bits);
}

static uint32_t full_each(struct store_work *work, uint64_t *cursor, struct rows *rows,
                          uint64_t *bits) {
  const struct store *s = work->store;
  struct ts_batch *batch = &rows->batch;
  uint32_t n = 0;
  for (uint64_t id; n < batch->capacity && (id = *cursor) < s->vectors.n; ++*cursor) {
    if (vacant_has(&s->removed, id))
      continue;
    batch->edge[n].length = pack_unrow(s->pack, vectors_at(&s->vectors, id), rows_at(rows, n));
    rows->ref[n] = id;
    bits[n++] = full_bits(work, id);
  }
  batch->n = n;
  return n;
}

/* The index goes at once, which is more memory than most other stores take in all. */
static void full_release(struct store_work *work, uint64_t cursor, uint32_t n) {
  struct store *s = work->store;
  if (!s->draining)
    index_close(&s->index);
  s->draining = true;
  if (cursor > 0 && cursor < s->vectors.n)
    vectors_release(&s->vectors, cursor);
  s->states -= n;
}

static void full_usage(const struct store *s, struct store_usage *usage) {
  uint64_t rest = sizeof *s + s->work_bytes + vacant_bytes(&s->removed);
  *usage = (struct store_usage){.states = s->states, .index = &s->index};
  usage->index_bytes = s->draining ? 0 : index_reserved(&s->index);
  usage->vector_bytes = vectors_reserved(&s->vectors);
  usage->reserved = usage->index_bytes + usage->vector_bytes + extra_reserved(&s->extra) + rest;
  usage->bytes = usage->index_bytes + vectors_used(&s->vectors) + rest +
                 extra_used(&s->extra, s->vectors.n);
}

/* The entries that the index leads to, one by one. */
struct census {
  const struct store *store;
  uint64_t *met; /* bitmap */
  const char *broken;
};

static bool meet(void *context, uint64_t id) {
  struct census *c = context;
  uint64_t bit = UINT64_C(1) << (id % 64);
  if (id >= c->store->vectors.n)
    c->broken = "full: the index leads to a state that does not exist";
  else if (vacant_has(&c->store->removed, id))
    c->broken = "full: the index leads to a removed state";
  else if (c->met[id / 64] & bit)
    c->broken = "full: the index leads to a state twice";
  else
    c->met[id / 64] |= bit;
  return !c->broken;
}

static const char *full_check(struct store_work *work) {
  const struct store *s = work->store;
  if (s->draining)
    return NULL;
  const char *broken = index_check(&s->index);
  if (broken)
    return broken;
  if (s->index.entries + s->index.lost != s->states)
    return "full: the index and the number of states differ";
  size_t size = s->vectors.n / 64 * 8 + 8;
  struct census census = {s, budget_alloc(s->budget, BUDGET_OTHER, size), NULL};
  if (census.met)
    index_each(&s->index, meet, &census);
  budget_free(s->budget, BUDGET_OTHER, census.met, size);
  return census.broken ? census.broken : vacant_check(&s->removed);
}

static void full_save(const struct store *s, struct sink *sink) {
  sink_put_number(sink, s->states);
  vectors_save(&s->vectors, sink);
  index_save(&s->index, sink);
  extra_save(&s->extra, sink, s->vectors.n);
  vacant_save(&s->removed, sink);
}

static bool full_load(struct store *s, struct sink *sink) {
  s->states = sink_take_number(sink);
  return vectors_load(&s->vectors, sink) && index_load(&s->index, sink) &&
         extra_load(&s->extra, sink, s->vectors.n) && vacant_load(&s->removed, sink);
}

const struct store_kind store_full = {
    .name = "full",
    .summary = "every state, packed, in a hash table: exact",
    .has = STORE_EXACT | STORE_IDS | STORE_HANDLES | STORE_GETS | STORE_REMOVES |
           STORE_KEEPS_BITS | STORE_GUESSES | STORE_DRAINS | STORE_SAVES | STORE_PATCHES,
    .open = full_open,
    .close = full_close,
    .begin = full_begin,
    .end = full_end,
    .put = full_put,
    .find = full_find,
    .prefetch = full_prefetch,
    .guess = full_guess,
    .confirm = full_confirm,
    .get = full_get,
    .remove = full_remove,
    .bits = full_bits,
    .set_bits = full_set_bits,
    .each = full_each,
    .release = full_release,
    .usage = full_usage,
    .check = full_check,
    .save = full_save,
    .load = full_load,
};
