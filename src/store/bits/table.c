/* table.c - the size of a table of bits, and its memory. See table.h. */
#include "store/bits/table.h"

enum {
  LINE_BYTES = BITS_LINE / 8,
  DEFAULT_BITS = 3, /* where nothing is known of the number of states */
  CHOSEN_BITS = 8,  /* at most, unless told: from here on lines gain little (docs/stores.md) */
  ENOUGH = 64 << 20,
  STEP_LINES = (1 << 19) / 64
};

/* Half of what the budget leaves, for the open states need room too. */
static uint64_t choose_bytes(const struct store_config *config) {
  if (config->states > 0 && config->room > 0) { /* three quarters, if that makes sense */
    uint64_t enough = config->states * LINE_BYTES + ENOUGH, most = config->room / 4 * 3;
    return (most < enough ? most : enough) / LINE_BYTES * LINE_BYTES + LINE_BYTES;
  }
  uint64_t limit = budget_limit(config->budget), used = budget_used_all(config->budget);
  uint64_t bytes = config->size != 0 ? config->size : used < limit ? (limit - used) / 2 : 0;
  return bytes < LINE_BYTES ? LINE_BYTES : bytes / LINE_BYTES * LINE_BYTES;
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

static bool open_table(struct bits_table *t, const struct store_config *config, bool grows) {
  uint32_t known = config->hash_bits > 0 ? config->hash_bits : 64;
  t->budget = config->budget;
  t->hash_mask = store_hash_mask(config);
  t->kept = config->kept_bits > 0 ? UINT64_MAX << (64 - config->kept_bits) : UINT64_MAX;
  if (config->kept_bits > 0 && config->kept_bits < known)
    known = config->kept_bits;
  t->twin = 1 / ((double)(UINT64_C(1) << (known - 1)) * 2);
  t->lines = choose_bytes(config) / LINE_BYTES;
  t->made = grows && config->states > 0 && t->lines > STEP_LINES ? STEP_LINES : t->lines;
  t->bytes = t->made * LINE_BYTES;
  t->bits = t->lines * BITS_LINE;
  t->k = choose_bits(config, t->bits);
  t->word = budget_map(t->budget, BUDGET_STORE, t->bytes, t->bytes >= BUDGET_HUGE);
  return t->word != NULL;
}

static struct bits_table *table_of(struct store *s) {
  return (struct bits_table *)(void *)s;
}

struct store *bits_open(const struct store_config *config, bool grows, size_t bytes) {
  struct bits_table *t = budget_alloc(config->budget, BUDGET_STORE, bytes);
  if (!t)
    return NULL;
  t->work.store = (struct store *)(void *)t;
  t->store_bytes = bytes;
  if (open_table(t, config, grows))
    return t->work.store;
  budget_free(config->budget, BUDGET_STORE, t, bytes);
  return NULL;
}

void bits_close(struct store *s) {
  struct bits_table *t = table_of(s);
  if (!t)
    return;
  budget_unmap(t->budget, BUDGET_STORE, t->word, t->bytes);
  budget_free(t->budget, BUDGET_STORE, t, t->store_bytes);
}

struct store_work *bits_begin(struct store *s) {
  return &table_of(s)->work;
}

void bits_end(struct store_work *work) {
  (void)work;
}

/* So many lines have memory. */
static bool make_lines(struct bits_table *t, uint64_t made) {
  uint64_t bytes = made * LINE_BYTES;
  uint64_t *word =
      budget_remap(t->budget, BUDGET_STORE, t->word, t->bytes, bytes, bytes >= BUDGET_HUGE);
  if (!word)
    return false;
  t->word = word;
  t->bytes = bytes;
  t->made = made;
  return true;
}

bool bits_make(struct bits_table *t, uint64_t lines) {
  const uint64_t made = (lines + STEP_LINES - 1) / STEP_LINES * STEP_LINES;
  return make_lines(t, made > t->lines ? t->lines : made);
}

void bits_usage(const struct bits_table *t, double chance, struct store_usage *usage) {
  *usage = (struct store_usage){.states = t->states, .wrong_matches = t->wrong};
  usage->wrong_chance = bits_chance(t, chance);
  usage->set_bits = t->k;
  usage->table_bits = t->bits;
  usage->index_bytes = (t->bytes + 4095) & ~(uint64_t)4095;
  usage->reserved = usage->bytes = usage->index_bytes + t->store_bytes;
}

const char *bits_check(struct store_work *work) {
  const struct bits_table *t = table_of(work->store);
  uint64_t ones = 0;
  for (uint64_t i = 0; i < t->made; i++)
    ones += bits_ones(t->word + i * BITS_LINE_WORDS);
  if (ones != t->ones)
    return "bits: the table and the number of bits set differ";
  if (ones > t->states * t->k || ones < (t->states > 0))
    return "bits: N states do not set that many bits";
  return NULL;
}

void bits_save(const struct bits_table *t, struct sink *sink) {
  sink_section(sink, "bits");
  sink_put_number(sink, t->lines);
  sink_put_number(sink, t->made);
  sink_put_number(sink, t->k);
  sink_put_number(sink, t->states);
  sink_put_number(sink, t->ones);
  sink_put(sink, &t->wrong, sizeof t->wrong);
  sink_put(sink, &t->twin, sizeof t->twin);
  sink_put_number(sink, t->kept);
  sink_put(sink, t->word, t->bytes);
}

bool bits_load(struct bits_table *t, struct sink *sink) {
  sink_section(sink, "bits");
  uint64_t lines = sink_take_count(sink, UINT64_C(1) << 48);
  uint64_t made = sink_take_count(sink, lines);
  if (made == 0)
    sink_refuse(sink, "has a table of no bits");
  if (!sink_is_fine(sink) || !make_lines(t, made))
    return false;
  t->lines = lines;
  t->bits = lines * BITS_LINE;
  t->k = (uint32_t)sink_take_count(sink, BITS_MOST);
  t->states = sink_take_number(sink);
  t->ones = sink_take_number(sink);
  sink_take(sink, &t->wrong, sizeof t->wrong);
  sink_take(sink, &t->twin, sizeof t->twin);
  t->kept = sink_take_number(sink);
  sink_take(sink, t->word, t->bytes);
  return sink_is_fine(sink);
}
