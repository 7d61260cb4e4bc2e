/* bitline.c - k bits per state in one line of a table of bits.
 *
 * As bitstate.c, but the first piece of the hash chooses a line of 64 bytes, further pieces
 * of nine bits the bits in it (Putze, Sanders and Singler, "Cache-, hash- and
 * space-efficient Bloom filters", 2007): one miss per state instead of k. Lines do not
 * fill evenly, which costs coverage: docs/stores.md has both measured.
 *
 * The estimate (bits/table.h): the mean, over all lines, of the probability that k pieces find
 * bits set. Where states come from another store that gives memory back, the table grows as
 * they come.
 */
#include "store/bits/table.h"

#include <string.h>

enum { PIECE_BITS = 9, PIECES = 64 / PIECE_BITS /* of one word */ };

struct store {
  struct bits_table table;
  double sum;                  /* over all lines: probability that k pieces find bits set */
  double power[BITS_LINE + 1]; /* (i / 512)^k */
};

static void fill_powers(struct store *s) {
  for (uint32_t i = 0; i <= BITS_LINE; i++)
    s->power[i] = bits_power(i / (double)BITS_LINE, s->table.k);
}

static struct store *bitline_open(const struct store_config *config) {
  struct store *s = bits_open(config, true, sizeof *s);
  if (s)
    fill_powers(s);
  return s;
}

static inline double chance(const struct store *s) {
  return s->sum / (double)s->table.lines;
}

/* The k bits of a state as a line of their own. */
static inline void pattern(uint32_t k, uint64_t hash, uint64_t bits[BITS_LINE_WORDS]) {
  uint64_t pieces = 0;
  memset(bits, 0, BITS_LINE / 8);
  for (uint32_t i = 0; i < k; i++, pieces >>= PIECE_BITS) {
    if (i % PIECES == 0)
      pieces = bits_mixed(hash, i);
    bits[pieces >> 6 & (BITS_LINE_WORDS - 1)] |= UINT64_C(1) << (pieces & 63);
  }
}

/* Lines are counted from the end of the hashes, for those of a table that states come
 * from descend: so this one grows at its end as that one shrinks. */
static inline uint64_t number_of_line(const struct bits_table *t, uint64_t hash) {
  return t->lines - 1 - bits_scale(hash, t->lines);
}

static inline uint64_t *line_of(const struct bits_table *t, uint64_t hash) {
  return t->word + number_of_line(t, hash) * BITS_LINE_WORDS;
}

static inline bool is_set(const struct bits_table *t, uint64_t hash) {
  if (__builtin_expect(number_of_line(t, hash) >= t->made, 0))
    return false;
  uint64_t bits[BITS_LINE_WORDS], missing = 0, *line = line_of(t, hash);
  pattern(t->k, hash, bits);
  for (uint32_t i = 0; i < BITS_LINE_WORDS; i++)
    missing |= bits[i] & ~line[i];
  return missing == 0;
}

static inline void set(struct store *s, uint64_t hash) {
  struct bits_table *t = &s->table;
  uint64_t bits[BITS_LINE_WORDS], *line = line_of(t, hash);
  uint32_t before = bits_ones(line);
  bits_count(t, chance(s));
  pattern(t->k, hash, bits);
  for (uint32_t i = 0; i < BITS_LINE_WORDS; i++)
    line[i] |= bits[i];
  uint32_t after = bits_ones(line);
  t->ones += after - before;
  s->sum += s->power[after] - s->power[before];
}

static inline void prefetch(const struct bits_table *t, const uint64_t *hash, uint32_t n) {
  for (uint32_t r = 0; r < n; r++)
    __builtin_prefetch(line_of(t, bits_hash(t, hash[r])), 1);
}

static void bitline_prefetch(const struct store_work *work, const uint64_t *hash, uint32_t n) {
  prefetch(&work->store->table, hash, n);
}

/* Puts a state that is not set; false if there is no memory for its line. */
static inline bool put_new(struct store *s, uint64_t hash) {
  uint64_t line = number_of_line(&s->table, hash);
  if (__builtin_expect(line >= s->table.made, 0) && !bits_make(&s->table, line + 1))
    return false;
  set(s, hash);
  return true;
}

static uint32_t bitline_put(struct store_work *work, struct rows *rows, uint32_t from,
                            uint32_t to) {
  struct store *s = work->store;
  while (from < to) {
    uint32_t end = to - from < BITS_BATCH ? to : from + BITS_BATCH;
    prefetch(&s->table, rows->hash + from, end - from);
    for (; from < end; from++) {
      uint64_t own = bits_hash(&s->table, rows->hash[from]);
      bool old = is_set(&s->table, own);
      rows->answer[from] = old ? STORE_OLD : STORE_NEW;
      rows->ref[from] = 0;
      if (!old && !put_new(s, own))
        return from;
    }
  }
  return to;
}

static void bitline_find(struct store_work *work, struct rows *rows, uint32_t from,
                         uint32_t to) {
  const struct bits_table *t = &work->store->table;
  while (from < to) {
    uint32_t end = to - from < BITS_BATCH ? to : from + BITS_BATCH;
    prefetch(t, rows->hash + from, end - from);
    for (; from < end; from++) {
      bool old = is_set(t, bits_hash(t, rows->hash[from]));
      rows->answer[from] = old ? STORE_OLD : STORE_NEW;
      rows->ref[from] = old ? 0 : STORE_NONE;
    }
  }
}

static void bitline_usage(const struct store *s, struct store_usage *usage) {
  bits_usage(&s->table, chance(s), usage);
}

static void bitline_save(const struct store *s, struct sink *sink) {
  sink_put(sink, &s->sum, sizeof s->sum);
  bits_save(&s->table, sink);
}

static bool bitline_load(struct store *s, struct sink *sink) {
  sink_take(sink, &s->sum, sizeof s->sum);
  if (!bits_load(&s->table, sink))
    return false;
  fill_powers(s);
  return true;
}

const struct store_kind store_bitline = {
    .name = "bitline",
    .summary = "as bitstate, all bits of a state in one cache line: faster, misses more",
    .has = STORE_SAVES,
    .least = 1,
    .most = BITS_MOST,
    .parameter = "bits set per state",
    .sized = true,
    .open = bitline_open,
    .close = bits_close,
    .begin = bits_begin,
    .end = bits_end,
    .put = bitline_put,
    .find = bitline_find,
    .prefetch = bitline_prefetch,
    .usage = bitline_usage,
    .check = bits_check,
    .save = bitline_save,
    .load = bitline_load,
};
