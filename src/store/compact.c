/* compact.c - hash compaction: of every state only some bits of its hash are kept.
 *
 * Wolper and Leroy ("Reliable hashing without collision detection", CAV 1993) and
 * Stern and Dill ("Improved probabilistic verification by hash compaction", CHARME
 * 1995) keep a hash instead of the state; two states with the same hash are taken
 * for one. Here the hash's high `width` bits are a value, and the set of values is
 * a table that leaves out what a value's place determines (values/values.c). When memory
 * is exhausted and the width was not the user's choice, all values give up low bits.
 *
 * The estimate: a state not stored before is taken for old with the probability p =
 * entries / 2^width, if the hash is uniform. So to each state that was stored belong
 * p / (1 - p) expected ones that were not (docs/estimates.md). Values that become one when
 * bits are given up cost no state: both were expanded.
 */
#include "store/store.h"
#include "store/values/values.h"

#define COMPACT_BATCH 128u /* rows whose lines are prefetched at once */

enum { MARGIN = 12 /* bits more than the number of states has: of 4096 one may go astray */ };

struct store {
  struct store_work work; /* of all workers */
  struct values values;
  uint64_t states; /* put */
  double wrong;
  double one;         /* probability of one value */
  uint64_t hash_mask; /* for tests; 0: all bits */
  uint32_t hash_bits; /* for tests; 64: all bits */
  bool automatic;     /* the width may shrink */
  uint64_t moving;    /* states that come from another store, whose memory goes bit by bit */
};

/* After the width changed. */
static void set_chance(struct store *s) {
  uint32_t width = s->values.layout.width, bits = width < s->hash_bits ? width : s->hash_bits;
  s->one = 1 / ((double)(UINT64_C(1) << (bits - 1)) * 2);
}

static inline uint64_t own_hash(const struct store *s, uint64_t hash) {
  return store_hash(s->hash_mask, hash) & s->values.kept;
}

static bool narrow(struct store *s) {
  uint32_t log = 64u - (uint32_t)__builtin_clzll(s->values.entries | 1);
  bool narrowed = values_narrow(&s->values, log + MARGIN);
  set_chance(s);
  return narrowed;
}

/* Whether growing would take more than a quarter of what the budget has left, while the
 * values have more bits than it takes to tell them apart: then these go first. */
static bool is_dear(const struct values *v) {
  enum { SURE = 10 }; /* with 2 log n + SURE bits a match is wrong once in 2000 searches */
  uint64_t limit = budget_limit(v->budget), used = budget_used_all(v->budget);
  uint64_t left = used < limit ? limit - used : 0;
  uint32_t log = 64u - (uint32_t)__builtin_clzll(v->entries | 1);
  return v->bytes / 4 > left / 4 && v->layout.width > 2 * log + SURE;
}

/* Room for one entry more. When the table can neither grow nor narrow it goes on to
 * be filled. */
static bool make_room(struct store *s) {
  struct values *v = &s->values;
  if (v->broken)
    return false;
  if (!values_is_full(v))
    return true;
  if ((s->automatic && is_dear(v) && narrow(s)) || values_grow(v, 4) ||
      (s->automatic && narrow(s)) || (v->entries < s->moving && values_grow(v, VALUES_FINE)))
    return !v->broken;
  return values_press(v);
}

/* The most bits of which a table of two thirds of the room can hold twice the states to
 * come, but no fewer than are worth it. */
static uint32_t fitting_width(const struct store_config *config) {
  uint32_t width = VALUES_MOST_WIDTH,
           log = 64u - (uint32_t)__builtin_clzll(2 * config->states | 1);
  uint64_t homes = config->room / LINE / 3 * 2;
  if (config->states == 0 || homes < VALUES_LEAST_HOMES)
    return VALUES_MOST_WIDTH;
  while (width > log + MARGIN &&
         line_layout(homes, width).slots * homes / 8 * 7 < 2 * config->states)
    width--;
  return width;
}

static struct store *compact_open(const struct store_config *config) {
  struct store *s = budget_alloc(config->budget, BUDGET_STORE, sizeof *s);
  uint32_t width = config->parameter ? config->parameter : fitting_width(config);
  if (!s)
    return NULL;
  if (!values_open(&s->values, config->budget, width)) {
    budget_free(config->budget, BUDGET_STORE, s, sizeof *s);
    return NULL;
  }
  s->work.store = s;
  s->automatic = config->parameter == 0;
  s->moving = config->states;
  s->hash_bits = config->hash_bits > 0 && config->hash_bits < 64 ? config->hash_bits : 64;
  s->hash_mask = store_hash_mask(config);
  set_chance(s);
  return s;
}

static void compact_close(struct store *s) {
  if (!s)
    return;
  struct budget *budget = s->values.budget;
  values_close(&s->values);
  budget_free(budget, BUDGET_STORE, s, sizeof *s);
}

static struct store_work *compact_begin(struct store *s) {
  return &s->work;
}

static void compact_end(struct store_work *work) {
  (void)work;
}

static inline void prefetch(const struct store *s, const uint64_t *hash, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    values_prefetch(&s->values, own_hash(s, hash[i]));
}

static void compact_prefetch(const struct store_work *work, const uint64_t *hash, uint32_t n) {
  prefetch(work->store, hash, n);
}

static uint32_t compact_put(struct store_work *work, struct rows *rows, uint32_t from,
                            uint32_t to) {
  struct store *s = work->store;
  const uint64_t *hash = rows->hash;
  uint8_t *answer = rows->answer;
  while (from < to) {
    uint32_t end = to - from < COMPACT_BATCH ? to : from + COMPACT_BATCH;
    prefetch(s, hash + from, end - from);
    for (; from < end; from++) {
      rows->ref[from] = 0;
      answer[from] = values_has(&s->values, own_hash(s, hash[from])) ? STORE_OLD : STORE_NEW;
      if (answer[from] == STORE_OLD)
        continue;
      if (__builtin_expect(values_is_full(&s->values), 0)) {
        if (!make_room(s))
          return from;
        if (values_has(&s->values, own_hash(s, hash[from]))) { /* with fewer bits it is old */
          answer[from] = STORE_OLD;
          continue;
        }
      }
      double p = (double)s->values.entries * s->one;
      s->wrong += p / (1 - p);
      values_add(&s->values, own_hash(s, hash[from]));
      s->states++;
    }
  }
  return to;
}

static void compact_find(struct store_work *work, struct rows *rows, uint32_t from,
                         uint32_t to) {
  const struct store *s = work->store;
  while (from < to) {
    uint32_t end = to - from < COMPACT_BATCH ? to : from + COMPACT_BATCH;
    prefetch(s, rows->hash + from, end - from);
    for (; from < end; from++) {
      bool old = values_has(&s->values, own_hash(s, rows->hash[from]));
      rows->answer[from] = old ? STORE_OLD : STORE_NEW;
      rows->ref[from] = old ? 0 : STORE_NONE;
    }
  }
}

static uint32_t compact_each(struct store_work *work, uint64_t *cursor, struct rows *rows,
                             uint64_t *bits) {
  (void)bits;
  return values_list(&work->store->values, cursor, rows->hash, rows->batch.capacity);
}

static void compact_release(struct store_work *work, uint64_t cursor, uint32_t n) {
  (void)n;
  values_release(&work->store->values, cursor);
}

static void compact_usage(const struct store *s, struct store_usage *usage) {
  *usage = (struct store_usage){.states = s->states, .wrong_matches = s->wrong};
  usage->wrong_chance = (double)s->values.entries * s->one;
  usage->kept_bits = s->values.layout.width;
  usage->index_bytes = (s->values.bytes + 4095) & ~(uint64_t)4095;
  usage->reserved = usage->bytes = usage->index_bytes + sizeof *s;
}

static const char *compact_check(struct store_work *work) {
  const struct store *s = work->store;
  const char *broken = values_check(&s->values);
  if (!broken && !s->values.draining && s->values.entries > s->states)
    broken = "compact: more values than states";
  return broken;
}

static void compact_save(const struct store *s, struct sink *sink) {
  sink_section(sink, "compact");
  sink_put_number(sink, s->states);
  sink_put_number(sink, s->moving);
  sink_put(sink, &s->wrong, sizeof s->wrong);
  values_save(&s->values, sink);
}

static bool compact_load(struct store *s, struct sink *sink) {
  sink_section(sink, "compact");
  s->states = sink_take_number(sink);
  s->moving = sink_take_number(sink);
  sink_take(sink, &s->wrong, sizeof s->wrong);
  if (!values_load(&s->values, sink, !s->automatic))
    return false;
  set_chance(s);
  return true;
}

const struct store_kind store_compact = {
    .name = "compact",
    .summary = "some bits of each state's hash: small, and may miss states",
    .has = STORE_DRAINS | STORE_SAVES,
    .least = 16,
    .most = 64,
    .parameter = "bits kept per state",
    .open = compact_open,
    .close = compact_close,
    .begin = compact_begin,
    .end = compact_end,
    .put = compact_put,
    .find = compact_find,
    .prefetch = compact_prefetch,
    .each = compact_each,
    .release = compact_release,
    .usage = compact_usage,
    .check = compact_check,
    .save = compact_save,
    .load = compact_load,
};
