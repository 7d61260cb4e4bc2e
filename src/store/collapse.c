/* collapse.c - components stored once, a state is the tuple of their numbers.
 *
 * After Holzmann, "State compression in SPIN: recursive indexing and compression
 * training runs" (SPIN 1997), there for Spin's option COLLAPSE. Every component of the
 * shape (globals, each process, each channel) has a table of what it was seen to be
 * (parts.h; one of more than 64 bits is a small tree of pieces); a state is the
 * numbers of its components, one after the other without gaps, and found by a hash
 * index (index.h). Ids are dense, as those of `full`.
 *
 * Tables are per component, not per type of process: what the type of a process
 * is belongs to what the component says, where it can change, and numbers are
 * shorter if others do not count. Rows that have a component in common with the row
 * before need no look-up for it.
 *
 * The numbers have as many bits as the largest so far needs. When one outgrows its field
 * an epoch ends: from the next state on all tuples have the wider field, while those
 * before stay as they are. Which epoch a state belongs to follows from its id, for
 * ids ascend; there are at most as many epochs as a tuple has bits, and nothing is ever
 * written again.
 *
 * The tuples of the rows in work are laid out field by field as the last epoch would store
 * them, from the numbers that differ from row to row. So a stored tuple of that epoch
 * is compared, and a new one written, in whole words.
 */
#include "store/array.h"
#include "store/index.h"
#include "store/parts.h"
#include "store/segments.h"
#include "store/store.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

struct epoch {
  uint64_t first;  /* id of its first state */
  uint64_t offset; /* of that state in the data */
  uint32_t bytes;  /* of each state */
};

struct store {
  struct budget *budget;
  struct parts parts;
  struct index index;
  uint64_t hash_mask; /* for tests; 0: all bits */
  uint64_t states;
  uint8_t *data; /* all tuples */
  uint64_t end, capacity;
  struct epoch *epoch;
  uint8_t *width; /* of each epoch and component, bits */
  uint32_t epochs, epochs_room;
  uint64_t *tuple;      /* of the rows in work, by the last epoch; each has `words` */
  uint32_t words, laid; /* laid: rows that are in work */
  uint64_t wide;        /* bit i: numbers of row i do not fit the fields */
  uint32_t extra_bits;
  struct segments extra; /* opaque bits, whole bytes per state */
};

/* Room for one epoch more; false if memory ran out. */
static bool reserve_epoch(struct store *s) {
  if (s->epochs < s->epochs_room)
    return true;
  uint32_t room = s->epochs_room + s->epochs_room / 2 + 8, tops = s->parts.tops;
  struct epoch *epoch = budget_realloc(s->budget, BUDGET_STORE, s->epoch,
                                       s->epochs_room * sizeof *epoch, room * sizeof *epoch);
  if (!epoch)
    return false;
  s->epoch = epoch;
  uint8_t *width = budget_realloc(s->budget, BUDGET_STORE, s->width,
                                  (size_t)s->epochs_room * tops, (size_t)room * tops);
  if (!width) {
    /* Shrinking does not fail. */
    s->epoch = budget_realloc(s->budget, BUDGET_STORE, epoch, room * sizeof *epoch,
                              s->epochs_room * sizeof *epoch);
    return false;
  }
  s->width = width;
  s->epochs_room = room;
  return true;
}

static uint8_t *widths_of(const struct store *s, uint32_t epoch) {
  return s->width + (size_t)epoch * s->parts.tops;
}

static inline uint8_t *tuple_of(const struct store *s, uint32_t i) {
  return (uint8_t *)(s->tuple + (size_t)i * s->words);
}

/* Flips up to 32 bits of a tuple; a word behind it may be touched. */
static inline void flip_bits(uint8_t *tuple, uint32_t from, uint32_t bits) {
  uint64_t word;
  memcpy(&word, tuple + from / 8, 8);
  word ^= (uint64_t)bits << (from % 8);
  memcpy(tuple + from / 8, &word, 8);
}

/* Flips field k of each row that does not have the number of the row before. Some number
 * may not fit; then the neighbours of its field in such rows are wrong as well. */
static bool lay_field(struct store *s, uint32_t k, uint32_t at, uint32_t width) {
  uint64_t rows = s->parts.differs[s->parts.top[k]] | 1;
  uint32_t before = 0, all = 0;
  for (rows &= UINT64_MAX >> (64 - s->laid); rows; rows &= rows - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(rows), number = parts_at(&s->parts, k, i);
    flip_bits(tuple_of(s, i), at, number ^ before);
    all |= number;
    before = number;
  }
  return (uint64_t)all >> width == 0;
}

/* The rows with a number that does not fit. */
static uint64_t wide_rows(const struct store *s) {
  const uint8_t *width = widths_of(s, s->epochs - 1);
  uint64_t wide = 0;
  for (uint32_t k = 0; k < s->parts.tops; k++) {
    for (uint32_t i = 0; i < s->laid; i++)
      wide |= (uint64_t)((uint64_t)parts_at(&s->parts, k, i) >> width[k] != 0) << i;
  }
  return wide;
}

/* Lays the tuples of the n rows in work. */
static void lay_tuples(struct store *s, uint32_t n) {
  bool fit = true;
  s->laid = n;
  s->wide = UINT64_MAX;
  if (s->epochs == 0 || n == 0)
    return;
  const uint8_t *width = widths_of(s, s->epochs - 1);
  memset(s->tuple, 0, (size_t)n * s->words * sizeof *s->tuple);
  for (uint32_t k = 0, at = 0; k < s->parts.tops; at += width[k++])
    fit = lay_field(s, k, at, width[k]) && fit;
  for (size_t i = s->words; i < (size_t)n * s->words; i++)
    s->tuple[i] ^= s->tuple[i - s->words];
  s->wide = fit ? 0 : wide_rows(s);
}

/* Room for rows of so many words. */
static bool reserve_tuples(struct store *s, uint32_t words) {
  size_t size = PARTS_BATCH * sizeof *s->tuple;
  if (words <= s->words)
    return true;
  uint64_t *tuple =
      budget_realloc(s->budget, BUDGET_STORE, s->tuple, s->words * size, words * size);
  if (!tuple)
    return false;
  s->tuple = tuple;
  s->words = words;
  return true;
}

/* Begins an epoch whose fields have room for the numbers of row i. */
static bool begin_epoch(struct store *s, uint32_t i) {
  if (!reserve_epoch(s))
    return false;
  uint32_t bits = 0;
  uint8_t *width = widths_of(s, s->epochs);
  for (uint32_t k = 0; k < s->parts.tops; k++) {
    uint32_t needed = bits_for((uint64_t)parts_at(&s->parts, k, i) + 1);
    uint32_t old = s->epochs > 0 ? widths_of(s, s->epochs - 1)[k] : 0;
    width[k] = (uint8_t)(needed > old ? needed : old);
    bits += width[k];
  }
  /* A word more for numbers that do not fit, and one that reading goes beyond. */
  if (!reserve_tuples(s, bits / 64 + 2))
    return false;
  s->epoch[s->epochs++] = (struct epoch){s->states, s->end, bits == 0 ? 1 : (bits + 7) / 8};
  lay_tuples(s, s->laid);
  return true;
}

static void collapse_close(struct store *s) {
  if (!s)
    return;
  array_free(s->budget, BUDGET_STORE, s->data, s->capacity);
  budget_free(s->budget, BUDGET_STORE, s->epoch, s->epochs_room * sizeof *s->epoch);
  budget_free(s->budget, BUDGET_STORE, s->width, (size_t)s->epochs_room * s->parts.tops);
  budget_free(s->budget, BUDGET_STORE, s->tuple, PARTS_BATCH * sizeof *s->tuple * s->words);
  segments_free(&s->extra);
  if (s->index.bucket)
    index_close(&s->index);
  if (s->parts.block)
    parts_close(&s->parts);
  budget_free(s->budget, BUDGET_STORE, s, sizeof *s);
}

static struct store *collapse_open(const struct store_config *config) {
  struct store *s = budget_alloc(config->budget, BUDGET_STORE, sizeof *s);
  if (!s)
    return NULL;
  s->budget = config->budget;
  s->extra_bits = config->bits;
  segments_init(&s->extra, s->budget, BUDGET_STORE, (config->bits + 7) / 8 + !config->bits,
                1024);
  if (config->hash_bits > 0 && config->hash_bits < 64)
    s->hash_mask = UINT64_MAX >> (64 - config->hash_bits);
  if (parts_open(&s->parts, config, PARTS_COMPONENTS) &&
      index_open(&s->index, s->budget, BUDGET_STORE, config->hash_bits != 0))
    return s;
  collapse_close(s);
  return NULL;
}

/* The index goes by the high bits, so a hash cut to its low bits is spread again. */
static inline uint64_t own_hash(const struct store *s, uint64_t hash) {
  if (__builtin_expect(s->hash_mask != 0, 0))
    return (hash & s->hash_mask) * UINT64_C(0x9E3779B97F4A7C15);
  return hash;
}

static void collapse_prefetch(const struct store *s, const uint64_t *hash, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    index_prefetch(&s->index, own_hash(s, hash[i]));
}

static inline uint32_t epoch_of(const struct store *s, uint64_t id) {
  uint32_t low = 0, high = s->epochs;
  if (id >= s->epoch[high - 1].first)
    return high - 1;
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (s->epoch[middle].first <= id)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static inline const uint8_t *tuple_at(const struct store *s, uint64_t id, uint32_t epoch) {
  const struct epoch *e = &s->epoch[epoch];
  return s->data + e->offset + (id - e->first) * e->bytes;
}

/* A field of up to 32 bits; bytes behind the data may be read. */
static inline uint32_t field_at(const uint8_t *tuple, uint32_t from, uint32_t bits) {
  uint64_t word;
  memcpy(&word, tuple + from / 8, 8);
  return (uint32_t)(word >> (from % 8) & ((UINT64_C(1) << bits) - 1));
}

struct sought {
  const struct store *store;
  uint32_t row; /* of those in work */
};

/* Is a tuple of an epoch before the last one that of the row? */
static bool is_same_old(const struct store *s, uint32_t row, uint64_t id) {
  uint32_t epoch = epoch_of(s, id), at = 0;
  const uint8_t *width = widths_of(s, epoch), *tuple = tuple_at(s, id, epoch);
  for (uint32_t k = 0; k < s->parts.tops; at += width[k++]) {
    if (field_at(tuple, at, width[k]) != parts_at(&s->parts, k, row))
      return false;
  }
  return true;
}

static inline bool is_same(const void *context, uint64_t id) {
  const struct sought *sought = context;
  const struct store *s = sought->store;
  const struct epoch *last = &s->epoch[s->epochs - 1];
  if (s->wide >> sought->row & 1)
    return false;
  if (id < last->first)
    return is_same_old(s, sought->row, id);
  const uint8_t *tuple = s->data + last->offset + (id - last->first) * last->bytes;
  const uint8_t *own = tuple_of(s, sought->row);
  uint32_t bytes = last->bytes;
  uint64_t a, b, differs = 0;
  for (; bytes > 8; bytes -= 8, tuple += 8, own += 8) {
    memcpy(&a, tuple, 8);
    memcpy(&b, own, 8);
    differs |= a ^ b;
  }
  memcpy(&a, tuple, 8);
  memcpy(&b, own, 8);
  return (differs | (a ^ b) << (64 - 8 * bytes)) == 0;
}

/* Asks for the tuples that the look-ups will compare first. */
static void prefetch_tuples(const struct store *s, const uint64_t *hash, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    bool further;
    uint64_t id = index_peek(&s->index, own_hash(s, hash[i]), 0, false, &further);
    if (id < s->states)
      __builtin_prefetch(tuple_at(s, id, epoch_of(s, id)));
  }
}

/* Room for one tuple more and for whole words behind it. */
static bool reserve_data(struct store *s) {
  uint64_t needed = s->end + s->epoch[s->epochs - 1].bytes + 16;
  if (needed <= s->capacity)
    return true;
  uint64_t next = s->capacity + (s->capacity < 65536 ? s->capacity : s->capacity / 8);
  next = array_size(next < needed + 1024 ? needed + 1024 : next);
  uint8_t *data = array_resize(s->budget, BUDGET_STORE, s->data, s->capacity, next);
  if (!data)
    return false;
  s->data = data;
  s->capacity = next;
  return true;
}

/* Writes the tuple of row i to the end of the data. */
static void write_tuple(struct store *s, uint32_t i) {
  uint32_t bytes = s->epoch[s->epochs - 1].bytes;
  memcpy(s->data + s->end, tuple_of(s, i), bytes);
  s->end += bytes;
}

/* Stores row i; false, and nothing is changed, if memory ran out. */
static bool insert(struct store *s, uint32_t i, uint64_t hash, uint64_t *end) {
  uint64_t id = s->states;
  if (s->extra_bits > 0 && !segments_make(&s->extra, id))
    return false;
  if ((s->wide >> i & 1) && !begin_epoch(s, i))
    return false;
  if (!reserve_data(s) || !index_insert_at(&s->index, hash, id, end))
    return false;
  write_tuple(s, i);
  s->states++;
  return true;
}

/* Cuts and numbers n rows; what they need of the index is asked for before. */
static uint32_t number_rows(struct store *s, const struct ts_batch *batch, const uint64_t *hash,
                            uint32_t from, uint32_t n, bool add) {
  collapse_prefetch(s, hash + from, n);
  parts_cut(&s->parts, batch, from, n);
  n = parts_number(&s->parts, n, add);
  lay_tuples(s, n);
  prefetch_tuples(s, hash + from, n);
  return n;
}

static uint32_t collapse_put(struct store *s, const struct ts_batch *batch,
                             const uint64_t *hash, uint32_t from, uint32_t to, uint8_t *answer,
                             uint64_t *ref) {
  while (from < to) {
    uint32_t n = to - from < PARTS_BATCH ? to - from : PARTS_BATCH;
    uint32_t done = number_rows(s, batch, hash, from, n, true);
    for (uint32_t i = 0; i < done; i++, from++) {
      uint64_t own = own_hash(s, hash[from]);
      struct sought sought = {s, i};
      uint64_t *end, id = index_find(&s->index, own, is_same, &sought, false, &end);
      answer[from] = id == INDEX_NONE ? STORE_NEW : STORE_OLD;
      ref[from] = id == INDEX_NONE ? s->states : id;
      if (id == INDEX_NONE && !insert(s, i, own, end))
        return from;
    }
    if (done < n)
      break;
  }
  return from;
}

static void collapse_find(struct store *s, const struct ts_batch *batch, const uint64_t *hash,
                          uint32_t from, uint32_t to, uint8_t *answer, uint64_t *ref) {
  while (from < to) {
    uint32_t n = to - from < PARTS_BATCH ? to - from : PARTS_BATCH;
    number_rows(s, batch, hash, from, n, false);
    for (uint32_t i = 0; i < n; i++, from++) {
      struct sought sought = {s, i};
      uint64_t own = own_hash(s, hash[from]), *end;
      ref[from] = index_find(&s->index, own, is_same, &sought, false, &end);
      answer[from] = ref[from] == INDEX_NONE ? STORE_NEW : STORE_OLD;
    }
  }
}

/* Puts the packed state of an id together in the parts' room. */
static bool assemble(const struct store *s, uint64_t id) {
  uint32_t epoch = epoch_of(s, id), at = 0;
  const uint8_t *width = widths_of(s, epoch), *tuple = tuple_at(s, id, epoch);
  for (uint32_t k = 0; k < s->parts.tops; at += width[k++])
    s->parts.down[s->parts.top[k]] = field_at(tuple, at, width[k]);
  return parts_assemble(&s->parts);
}

static uint32_t collapse_get(const struct store *s, uint64_t ref, uint8_t *row) {
  if (ref >= s->states || !assemble(s, ref))
    return 0;
  return parts_unrow(&s->parts, row);
}

static uint64_t collapse_bits(const struct store *s, uint64_t ref) {
  uint64_t bits = 0;
  assert(ref < s->states);
  if (s->extra_bits > 0)
    memcpy(&bits, segments_at(&s->extra, ref), s->extra.item);
  return bits;
}

static void collapse_set_bits(struct store *s, uint64_t ref, uint64_t bits) {
  assert(ref < s->states);
  if (s->extra_bits > 0)
    memcpy(segments_at(&s->extra, ref), &bits, s->extra.item);
}

static void collapse_usage(const struct store *s, struct store_usage *usage) {
  uint64_t epochs = s->epochs_room * (sizeof *s->epoch + s->parts.tops);
  uint64_t rest = sizeof *s + epochs + PARTS_BATCH * sizeof *s->tuple * s->words;
  *usage = (struct store_usage){.states = s->states};
  usage->index_bytes = index_reserved(&s->index);
  usage->vector_bytes = s->capacity + parts_reserved(&s->parts);
  usage->reserved = usage->index_bytes + usage->vector_bytes + s->extra.reserved + rest;
  usage->bytes = usage->index_bytes + s->end + parts_used(&s->parts) + rest +
                 (s->extra_bits > 0 ? s->states * s->extra.item : 0);
}

static const char *check_states(const struct store *s) {
  size_t size = parts_check_room(&s->parts);
  uint8_t *room = budget_alloc(s->budget, BUDGET_OTHER, size);
  const char *broken = NULL;
  for (uint64_t id = 0; room && !broken && id < s->states; id++)
    broken = assemble(s, id) ? parts_check_packed(&s->parts, room)
                             : "collapse: a state has a component that does not exist";
  budget_free(s->budget, BUDGET_OTHER, room, size);
  return broken;
}

static const char *collapse_check(const struct store *s) {
  const char *broken = index_check(&s->index);
  if (!broken)
    broken = parts_check(&s->parts);
  if (!broken && s->index.entries + s->index.lost != s->states)
    broken = "collapse: the index and the number of states differ";
  for (uint32_t i = 1; !broken && i < s->epochs; i++) {
    const struct epoch *e = &s->epoch[i - 1];
    if (e[1].offset != e->offset + (e[1].first - e->first) * e->bytes)
      broken = "collapse: an epoch does not begin where the one before it ends";
  }
  return broken ? broken : check_states(s);
}

const struct store_kind store_collapse = {
    .name = "collapse",
    .summary = "components stored once, states as tuples of their numbers: exact",
    .has = STORE_EXACT | STORE_IDS | STORE_HANDLES,
    .open = collapse_open,
    .close = collapse_close,
    .put = collapse_put,
    .find = collapse_find,
    .prefetch = collapse_prefetch,
    .get = collapse_get,
    .bits = collapse_bits,
    .set_bits = collapse_set_bits,
    .usage = collapse_usage,
    .check = collapse_check,
};
