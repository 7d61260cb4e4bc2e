/* bitstate.c - k bits per state in a table of bits that does not grow.
 *
 * Holzmann's bitstate hashing (supertrace; "An analysis of bitstate hashing", 1998),
 * which is Bloom's filter ("Space/time trade-offs in hash coding with allowable
 * errors", 1970): a state is old if all of its k bits are set already. Two kinds:
 *
 * bitstate - the bits lie anywhere. Position i comes from g = a + i * b, a being
 *   the hash and b odd, made from the hash by mixing (double hashing; Kirsch and
 *   Mitzenmacher, "Less hashing, same performance", 2006). The sum is taken modulo
 *   2^64 and scaled to the table only then, so that the progressions of two states
 *   meet no more often than 64-bit numbers do, whatever the size of the table.
 * bitline - the first piece of the hash chooses a line of 64 bytes, further pieces
 *   of nine bits the bits in it (Putze, Sanders and Singler, "Cache-, hash- and
 *   space-efficient Bloom filters", 2007): one miss per state instead of k. Lines do
 *   not fill evenly, which costs coverage: docs/stores.md has both measured.
 *
 * The estimate does not go by the formula for a table filled at random, but by how
 * full this one is: a state not met before is taken for old with the probability
 * p = f^k, f being the part of the bits that are set; for lines, the mean of that
 * over all lines. To each state that was stored belong p / (1 - p) expected ones that
 * were not (docs/estimates.md).
 */
#include "store/store.h"

#include "ts/hash.h"

#include <string.h>

#define BITSTATE_BATCH 32u /* rows whose lines are asked for at once */

enum {
  LINE_BITS = 512,
  LINE_WORDS = LINE_BITS / 64,
  PIECE_BITS = 9,
  PIECES = 64 / PIECE_BITS, /* of one word */
  DEFAULT_BITS = 3,         /* where nothing is known of the number of states */
  CHOSEN_BITS = 8, /* at most, unless told: from here on lines gain little (docs/stores.md) */
  MOST_BITS = 64,
  LEAST_BYTES = 64,
  ENOUGH = 64 << 20,
  STEP_LINES = (1 << 19) / 64
};

struct store {
  struct store_work work; /* of all workers */
  struct budget *budget;
  uint64_t *word;
  uint64_t bits, lines; /* of the table */
  size_t bytes;
  uint32_t k;
  uint64_t states, ones;
  double sum; /* over all lines: probability that k pieces find bits set */
  double wrong;
  uint64_t hash_mask;          /* for tests; 0: all bits */
  uint64_t kept;               /* mask of the bits of a hash that are known */
  uint64_t made;               /* lines that there are: the others come when they are needed */
  double twin;                 /* probability that two states have one hash */
  double power[LINE_BITS + 1]; /* (i / 512)^k */
};

/* Half of what the budget leaves, for the open states need room too. */
static uint64_t choose_bytes(const struct store_config *config) {
  if (config->states > 0 && config->room > 0) { /* three quarters, if that makes sense */
    uint64_t enough = config->states * LEAST_BYTES + ENOUGH, most = config->room / 4 * 3;
    return (most < enough ? most : enough) / LEAST_BYTES * LEAST_BYTES + LEAST_BYTES;
  }
  uint64_t limit = budget_limit(config->budget), used = budget_used_all(config->budget);
  uint64_t bytes = config->size != 0 ? config->size : used < limit ? (limit - used) / 2 : 0;
  return bytes < LEAST_BYTES ? LEAST_BYTES : bytes / LEAST_BYTES * LEAST_BYTES;
}

/* Where states come from another store, as many again may follow. */
static uint32_t choose_bits(const struct store_config *config, uint64_t table_bits) {
  if (config->parameter > 0)
    return config->parameter;
  if (config->states == 0)
    return DEFAULT_BITS;
  uint32_t best = store_best_bits(table_bits, 2 * config->states);
  return best < CHOSEN_BITS ? best : CHOSEN_BITS;
}

static double power(double base, uint32_t exponent) {
  double result = 1;
  while (exponent-- > 0)
    result *= base;
  return result;
}

static struct store *bitstate_open(const struct store_config *config) {
  struct store *s = budget_alloc(config->budget, BUDGET_STORE, sizeof *s);
  if (!s)
    return NULL;
  s->work.store = s;
  s->budget = config->budget;
  uint32_t hash_bits = config->hash_bits > 0 ? config->hash_bits : 64;
  if (hash_bits < 64)
    s->hash_mask = UINT64_MAX >> (64 - hash_bits);
  s->kept = config->kept_bits > 0 ? UINT64_MAX << (64 - config->kept_bits) : UINT64_MAX;
  if (config->kept_bits > 0 && config->kept_bits < hash_bits)
    hash_bits = config->kept_bits;
  s->twin = 1 / ((double)(UINT64_C(1) << (hash_bits - 1)) * 2);
  s->lines = choose_bytes(config) / (LINE_BITS / 8);
  s->made = config->states > 0 && s->lines > STEP_LINES ? STEP_LINES : s->lines;
  s->bytes = s->made * (LINE_BITS / 8);
  s->bits = s->lines * LINE_BITS;
  s->k = choose_bits(config, s->bits);
  for (uint32_t i = 0; i <= LINE_BITS; i++)
    s->power[i] = power(i / (double)LINE_BITS, s->k);
  s->word = budget_map(s->budget, BUDGET_STORE, s->bytes, s->bytes >= BUDGET_HUGE);
  if (s->word)
    return s;
  budget_free(s->budget, BUDGET_STORE, s, sizeof *s);
  return NULL;
}

static void bitstate_close(struct store *s) {
  if (!s)
    return;
  budget_unmap(s->budget, BUDGET_STORE, s->word, s->bytes);
  budget_free(s->budget, BUDGET_STORE, s, sizeof *s);
}

static struct store_work *bitstate_begin(struct store *s) {
  return &s->work;
}

static void bitstate_end(struct store_work *work) {
  (void)work;
}

static inline uint64_t own_hash(const struct store *s, uint64_t hash) {
  if (__builtin_expect(s->hash_mask != 0, 0))
    return (hash & s->hash_mask) * UINT64_C(0x9E3779B97F4A7C15);
  return hash & s->kept;
}

static inline uint64_t scale(uint64_t g, uint64_t n) {
  return (uint64_t)((unsigned __int128)g * n >> 64);
}

/* A word that depends on all of the hash, and on `turn`. */
static inline uint64_t mixed(uint64_t hash, uint64_t turn) {
  return hash_finish(hash ^ (turn + 1) * UINT64_C(0xA24BAED4963EE407));
}

/* The probability that a new state is taken for old: for its bits, or for its hash. */
static inline double chance(const struct store *s, bool lines) {
  double bits =
      lines ? s->sum / (double)s->lines : power((double)s->ones / (double)s->bits, s->k);
  double twins = (double)s->states * s->twin;
  return 1 - (1 - bits) * (1 - (twins < 1 ? twins : 1));
}

/* Counts a state about to be stored. */
static inline void count(struct store *s, bool lines) {
  double p = chance(s, lines);
  if (p < 1)
    s->wrong += p / (1 - p);
  s->states++;
}

/* ---- bits anywhere ------------------------------------------------------------------ */

static inline bool is_set(const struct store *s, uint64_t hash) {
  uint64_t g = hash, step = mixed(hash, 0) | 1;
  for (uint32_t i = 0; i < s->k; i++, g += step) {
    uint64_t bit = scale(g, s->bits);
    if ((s->word[bit / 64] >> bit % 64 & 1) == 0)
      return false;
  }
  return true;
}

static inline void set(struct store *s, uint64_t hash) {
  uint64_t g = hash, step = mixed(hash, 0) | 1;
  count(s, false);
  for (uint32_t i = 0; i < s->k; i++, g += step) {
    uint64_t bit = scale(g, s->bits), *word = &s->word[bit / 64];
    s->ones += ~*word >> bit % 64 & 1;
    *word |= UINT64_C(1) << bit % 64;
  }
}

static inline void prefetch_bits(const struct store *s, const uint64_t *hash, uint32_t n) {
  for (uint32_t r = 0; r < n; r++) {
    uint64_t own = own_hash(s, hash[r]), g = own, step = mixed(own, 0) | 1;
    for (uint32_t i = 0; i < s->k; i++, g += step)
      __builtin_prefetch(&s->word[scale(g, s->bits) / 64], 1);
  }
}

/* ---- bits in one line --------------------------------------------------------------- */

/* The k bits of a state as a line of their own. */
static inline void pattern(const struct store *s, uint64_t hash, uint64_t bits[LINE_WORDS]) {
  uint64_t pieces = 0;
  memset(bits, 0, LINE_BITS / 8);
  for (uint32_t i = 0; i < s->k; i++, pieces >>= PIECE_BITS) {
    if (i % PIECES == 0)
      pieces = mixed(hash, i);
    bits[pieces >> 6 & (LINE_WORDS - 1)] |= UINT64_C(1) << (pieces & 63);
  }
}

/* Lines are counted from the end of the hashes, for those of a table that states come
 * from descend: so this one grows at its end as that one shrinks. */
static inline uint64_t number_of_line(const struct store *s, uint64_t hash) {
  return s->lines - 1 - scale(hash, s->lines);
}

static inline uint64_t *line_of(const struct store *s, uint64_t hash) {
  return s->word + number_of_line(s, hash) * LINE_WORDS;
}

/* Makes the lines up to that of this hash; false if memory ran out. */
static bool make_lines(struct store *s, uint64_t hash) {
  uint64_t made = (number_of_line(s, hash) / STEP_LINES + 1) * STEP_LINES;
  made = made > s->lines ? s->lines : made;
  uint64_t bytes = made * (LINE_BITS / 8);
  uint64_t *word =
      budget_remap(s->budget, BUDGET_STORE, s->word, s->bytes, bytes, bytes >= BUDGET_HUGE);
  if (!word)
    return false;
  s->word = word;
  s->bytes = bytes;
  s->made = made;
  return true;
}

static inline bool line_is_set(const struct store *s, uint64_t hash) {
  if (__builtin_expect(number_of_line(s, hash) >= s->made, 0))
    return false;
  uint64_t bits[LINE_WORDS], missing = 0, *line = line_of(s, hash);
  pattern(s, hash, bits);
  for (uint32_t i = 0; i < LINE_WORDS; i++)
    missing |= bits[i] & ~line[i];
  return missing == 0;
}

static uint32_t count_ones(const uint64_t *line) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < LINE_WORDS; i++)
    n += (uint32_t)__builtin_popcountll(line[i]);
  return n;
}

static inline void line_set(struct store *s, uint64_t hash) {
  uint64_t bits[LINE_WORDS], *line = line_of(s, hash);
  uint32_t before = count_ones(line);
  count(s, true);
  pattern(s, hash, bits);
  for (uint32_t i = 0; i < LINE_WORDS; i++)
    line[i] |= bits[i];
  uint32_t after = count_ones(line);
  s->ones += after - before;
  s->sum += s->power[after] - s->power[before];
}

static inline void prefetch_lines(const struct store *s, const uint64_t *hash, uint32_t n) {
  for (uint32_t r = 0; r < n; r++)
    __builtin_prefetch(line_of(s, own_hash(s, hash[r])), 1);
}

/* ---- the stores --------------------------------------------------------------------- */

static inline __attribute__((always_inline)) uint32_t put(struct store *s, struct rows *rows,
                                                          uint32_t from, uint32_t to,
                                                          bool lines) {
  while (from < to) {
    uint32_t end = to - from < BITSTATE_BATCH ? to : from + BITSTATE_BATCH;
    (lines ? prefetch_lines : prefetch_bits)(s, rows->hash + from, end - from);
    for (; from < end; from++) {
      uint64_t own = own_hash(s, rows->hash[from]);
      bool old = lines ? line_is_set(s, own) : is_set(s, own);
      rows->answer[from] = old ? STORE_OLD : STORE_NEW;
      rows->ref[from] = 0;
      if (!old && lines && number_of_line(s, own) >= s->made && !make_lines(s, own))
        return from;
      if (!old)
        (lines ? line_set : set)(s, own);
    }
  }
  return to;
}

static inline __attribute__((always_inline)) void find(const struct store *s, struct rows *rows,
                                                       uint32_t from, uint32_t to, bool lines) {
  while (from < to) {
    uint32_t end = to - from < BITSTATE_BATCH ? to : from + BITSTATE_BATCH;
    (lines ? prefetch_lines : prefetch_bits)(s, rows->hash + from, end - from);
    for (; from < end; from++) {
      uint64_t own = own_hash(s, rows->hash[from]);
      bool old = lines ? line_is_set(s, own) : is_set(s, own);
      rows->answer[from] = old ? STORE_OLD : STORE_NEW;
      rows->ref[from] = old ? 0 : STORE_NONE;
    }
  }
}

static void bitstate_prefetch(const struct store_work *work, const uint64_t *hash, uint32_t n) {
  prefetch_bits(work->store, hash, n);
}

static uint32_t bitstate_put(struct store_work *work, struct rows *rows, uint32_t from,
                             uint32_t to) {
  return put(work->store, rows, from, to, false);
}

static void bitstate_find(struct store_work *work, struct rows *rows, uint32_t from,
                          uint32_t to) {
  find(work->store, rows, from, to, false);
}

static void bitline_prefetch(const struct store_work *work, const uint64_t *hash, uint32_t n) {
  prefetch_lines(work->store, hash, n);
}

static uint32_t bitline_put(struct store_work *work, struct rows *rows, uint32_t from,
                            uint32_t to) {
  return put(work->store, rows, from, to, true);
}

static void bitline_find(struct store_work *work, struct rows *rows, uint32_t from,
                         uint32_t to) {
  find(work->store, rows, from, to, true);
}

static void fill_usage(const struct store *s, struct store_usage *usage, bool lines) {
  *usage = (struct store_usage){.states = s->states, .wrong_matches = s->wrong};
  usage->wrong_chance = chance(s, lines);
  usage->set_bits = s->k;
  usage->table_bits = s->bits;
  usage->index_bytes = (s->bytes + 4095) & ~(uint64_t)4095;
  usage->reserved = usage->bytes = usage->index_bytes + sizeof *s;
}

static void bitstate_usage(const struct store *s, struct store_usage *usage) {
  fill_usage(s, usage, false);
}

static void bitline_usage(const struct store *s, struct store_usage *usage) {
  fill_usage(s, usage, true);
}

static const char *bitstate_check(struct store_work *work) {
  const struct store *s = work->store;
  uint64_t ones = 0;
  for (uint64_t i = 0; i < s->made; i++)
    ones += count_ones(s->word + i * LINE_WORDS);
  if (ones != s->ones)
    return "bitstate: the table and the number of bits set differ";
  if (ones > s->states * s->k || ones < (s->states > 0))
    return "bitstate: so many states do not set so many bits";
  return NULL;
}

const struct store_kind store_bitstate = {
    .name = "bitstate",
    .summary = "a few bits per state in a table of fixed size: misses states",
    .has = 0,
    .least = 1,
    .most = MOST_BITS,
    .parameter = "bits set per state",
    .sized = true,
    .open = bitstate_open,
    .close = bitstate_close,
    .begin = bitstate_begin,
    .end = bitstate_end,
    .put = bitstate_put,
    .find = bitstate_find,
    .prefetch = bitstate_prefetch,
    .usage = bitstate_usage,
    .check = bitstate_check,
};

const struct store_kind store_bitline = {
    .name = "bitline",
    .summary = "as bitstate, all bits of a state in one cache line: faster, misses more",
    .has = 0,
    .least = 1,
    .most = MOST_BITS,
    .parameter = "bits set per state",
    .sized = true,
    .open = bitstate_open,
    .close = bitstate_close,
    .begin = bitstate_begin,
    .end = bitstate_end,
    .put = bitline_put,
    .find = bitline_find,
    .prefetch = bitline_prefetch,
    .usage = bitline_usage,
    .check = bitstate_check,
};
