/* compact.c - hash compaction: of every state only some bits of its hash are kept.
 *
 * Wolper and Leroy ("Reliable hashing without collision detection", CAV 1993) and
 * Stern and Dill ("Improved probabilistic verification by hash compaction", CHARME
 * 1995) keep a hash instead of the state; two states with the same hash are taken
 * for one. Here the hash's high `width` bits are a value, and the set of values is
 * kept in a quotienting table (Cleary, "Compact hash tables using bidirectional
 * linear probing", 1984): where a value lies says its high bits, so only the others,
 * the remainder, are stored, and 40 bits of a million states take 3 to 4 bytes.
 *
 * A line of 64 bytes holds, one after the other, a tag of 8 bits per slot, the rest
 * per slot, and the number of slots in use. A value t (its bits on top of 64) has
 * the home floor(t * homes / 2^64); the fraction that is cut off, its highest
 * `width - floor(log2 homes)` bits, is the remainder: values of one home differ in
 * the product by at least homes * 2^(64 - width), so their remainders differ. The
 * tag is the remainder's low byte; the rest is what is above it, and four bits that
 * say how many lines behind its home the entry lies. A full line passes an entry on
 * to the next; whoever is further from home stays (Celis, "Robin Hood hashing",
 * 1986), which keeps distances short at nine tenths full. Nothing is ever removed,
 * so an entry lies at home or behind full lines only.
 *
 * The order of values is the order of homes, so the table grows in place: from the
 * last line to the first, all entries move up. In the same way, from the first line
 * to the last, all values give up low bits when memory is out and the width was not
 * the user's choice: the lines then have more slots.
 *
 * The estimate: a state not met before is taken for old with the probability p =
 * entries / 2^width, if the hash is uniform. So to each state that was stored belong
 * p / (1 - p) expected ones that were not (docs/estimates.md). Values that become one when
 * bits are given up cost no state: both were expanded.
 */
#include "store/store.h"

#include <assert.h>
#include <string.h>

#define COMPACT_BATCH 128u /* rows whose lines are asked for at once */

enum {
  LINE = 64,
  COUNT = LINE - 1, /* where a line's number of entries stands */
  SLOT_BITS = 8 * COUNT,
  LEAST_HOMES = 112, /* two pages; at least 64, for rests are read as one word each */
  REACH = 16,        /* lines in which an entry may lie: home and behind */
  AWAY_BITS = 4,
  FINE = 16,          /* growing by so small a part while states move */
  SAVED = 18 * REACH, /* lines from which entries may not move up beyond others */
  STRAYS = 64,
  GIVE = 1 << 14, /* bytes given back at once while states move: what follows waits for them */
  MOST_WIDTH = 64,
  MARGIN = 12 /* bits more than the number of states has: of 4096 one may go astray */
};

/* How values of `width` bits lie in `homes` lines. */
struct layout {
  uint64_t homes;
  uint32_t width;
  uint32_t shift;     /* 64 - bits of a remainder */
  uint32_t rest_bits; /* per slot */
  uint32_t slots;     /* per line */
};

struct store {
  struct store_work work; /* of all workers */
  struct budget *budget;
  struct layout layout;
  uint8_t *lines; /* homes + REACH - 1 */
  size_t bytes;
  uint64_t states;  /* put */
  uint64_t entries; /* values, strays included */
  uint64_t grow_at; /* entries */
  double wrong;
  double one;         /* probability of one value */
  uint64_t kept;      /* mask of a hash's kept bits */
  uint64_t hash_mask; /* for tests; 0: all bits */
  uint32_t hash_bits; /* for tests; 64: all bits */
  bool automatic;     /* the width may shrink */
  uint64_t moving;    /* so many states come from another store, whose memory goes bit by bit */
  bool draining;      /* values are being taken out, for good */
  uint64_t left;      /* lines then */
  bool broken;        /* entries found no place: nothing is stored any more */
  uint32_t n_strays;
  uint64_t stray[STRAYS]; /* values that found no place within reach */
};

static struct layout layout_of(uint64_t homes, uint32_t width) {
  uint32_t log = 63u - (uint32_t)__builtin_clzll(homes);
  uint32_t remainder = width > log + 8 ? width - log : 8;
  struct layout l = {.homes = homes, .width = width, .shift = 64 - remainder};
  l.rest_bits = remainder - 8 + AWAY_BITS;
  l.slots = SLOT_BITS / (8 + l.rest_bits);
  return l;
}

static size_t table_bytes(uint64_t homes) {
  return (homes + REACH - 1) * LINE + 8; /* 8: rests are read as whole words */
}

static void use_layout(struct store *s, const struct layout *layout) {
  uint32_t bits = layout->width < s->hash_bits ? layout->width : s->hash_bits;
  s->layout = *layout;
  s->grow_at = layout->homes * layout->slots / 8 * 7;
  s->kept = UINT64_MAX << (64 - layout->width);
  s->one = 1 / ((double)(UINT64_C(1) << (bits - 1)) * 2);
}

/* ---- lines and slots ---------------------------------------------------------- */

struct value { /* where a value belongs, and what is stored of it */
  uint64_t home, remainder;
};

static inline struct value value_of(const struct layout *l, uint64_t t) {
  unsigned __int128 product = (unsigned __int128)t * l->homes;
  return (struct value){(uint64_t)(product >> 64), (uint64_t)product >> l->shift};
}

/* The value again: the only one whose product has this home and remainder. */
static uint64_t value_back(const struct layout *l, struct value v) {
  uint64_t step = l->homes << (64 - l->width);
  unsigned __int128 product = (unsigned __int128)v.home << 64 | v.remainder << l->shift;
  return (uint64_t)((product + step - 1) / step) << (64 - l->width);
}

static inline uint64_t rest_mask(const struct layout *l) {
  return (UINT64_C(1) << l->rest_bits) - 1;
}

static inline uint64_t rest_get(const struct layout *l, const uint8_t *line, uint32_t slot) {
  uint32_t bit = 8 * l->slots + slot * l->rest_bits;
  uint64_t word;
  memcpy(&word, line + bit / 8, 8);
  return word >> bit % 8 & rest_mask(l);
}

static inline void slot_set(const struct layout *l, uint8_t *line, uint32_t slot,
                            uint64_t remainder, uint64_t away) {
  uint32_t bit = 8 * l->slots + slot * l->rest_bits;
  uint64_t word;
  memcpy(&word, line + bit / 8, 8);
  word &= ~(rest_mask(l) << bit % 8);
  word |= (remainder >> 8 << AWAY_BITS | away) << bit % 8;
  memcpy(line + bit / 8, &word, 8);
  line[slot] = (uint8_t)remainder;
}

static inline uint64_t slot_remainder(const struct layout *l, const uint8_t *line,
                                      uint32_t slot) {
  return rest_get(l, line, slot) >> AWAY_BITS << 8 | line[slot];
}

static inline uint32_t slot_away(const struct layout *l, const uint8_t *line, uint32_t slot) {
  return rest_get(l, line, slot) & (REACH - 1);
}

/* Which slots in use have this tag: bit i for slot i. Eight bytes are compared at a
 * time, and the signs of those that are equal are gathered by one multiplication. */
static inline uint64_t tag_hits(const struct layout *l, const uint8_t *line, uint64_t tag) {
  const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
  uint64_t hits = 0, want = tag * UINT64_C(0x0101010101010101);
  for (uint32_t i = 0; i < l->slots; i += 8) {
    uint64_t word;
    memcpy(&word, line + i, 8);
    word ^= want;
    word = ~(((word & low) + low) | word | low) >> 7;
    hits |= (word * UINT64_C(0x0102040810204080) >> 56) << i;
  }
  return hits & ((UINT64_C(1) << line[COUNT]) - 1);
}

/* ---- find and place ------------------------------------------------------------- */

static inline uint64_t own_hash(const struct store *s, uint64_t hash) {
  return store_hash(s->hash_mask, hash) & s->kept;
}

static inline bool is_stored(const struct store *s, uint64_t t) {
  const struct layout *l = &s->layout;
  struct value v = value_of(l, t);
  const uint8_t *line = s->lines + v.home * LINE;
  uint64_t rest = v.remainder >> 8 << AWAY_BITS;
  for (uint32_t away = 0; away < REACH; away++, line += LINE) {
    for (uint64_t hits = tag_hits(l, line, v.remainder & 0xFF); hits; hits &= hits - 1)
      if (rest_get(l, line, (uint32_t)__builtin_ctzll(hits)) == (rest | away))
        return true;
    if (__builtin_expect(line[COUNT] < l->slots, 1))
      return false;
  }
  for (uint32_t i = 0; i < s->n_strays; i++)
    if (s->stray[i] == t)
      return true;
  return false;
}

/* The slot of a full line whose entry has come the least far. */
static uint32_t nearest(const struct layout *l, const uint8_t *line) {
  uint32_t best = 0, least = REACH;
  for (uint32_t i = 0; i < l->slots; i++) {
    uint32_t away = slot_away(l, line, i);
    if (away < least) {
      least = away;
      best = i;
    }
  }
  return best;
}

/* Adds a value that is not stored. */
static void place(struct store *s, uint64_t t) {
  const struct layout *l = &s->layout;
  struct value v = value_of(l, t);
  for (uint64_t at = v.home; at - v.home < REACH; at++) {
    uint8_t *line = s->lines + at * LINE;
    if (line[COUNT] < l->slots) {
      slot_set(l, line, line[COUNT]++, v.remainder, at - v.home);
      return;
    }
    if (at == v.home)
      continue;
    uint32_t slot = nearest(l, line), away = slot_away(l, line, slot);
    if (away < at - v.home) {
      struct value other = {at - away, slot_remainder(l, line, slot)};
      slot_set(l, line, slot, v.remainder, at - v.home);
      v = other;
    }
  }
  if (s->n_strays < STRAYS)
    s->stray[s->n_strays++] = value_back(l, v);
  else
    s->broken = true;
}

/* ---- growing and narrowing ------------------------------------------------------ */

/* Takes the entries of line `at` in layout `from` and places them anew. */
static void move_line(struct store *s, const struct layout *from, const uint8_t *line,
                      uint64_t at) {
  for (uint32_t i = 0; i < line[COUNT]; i++) {
    struct value v = {at - slot_away(from, line, i), slot_remainder(from, line, i)};
    uint64_t t = value_back(from, v) & s->kept;
    if (from->width > s->layout.width && is_stored(s, t))
      s->entries--;
    else
      place(s, t);
  }
}

static void move_strays(struct store *s) {
  uint32_t n = s->n_strays;
  uint64_t stray[STRAYS];
  memcpy(stray, s->stray, n * sizeof *stray);
  s->n_strays = 0;
  for (uint32_t i = 0; i < n; i++)
    if (is_stored(s, stray[i] & s->kept))
      s->entries--;
    else
      place(s, stray[i] & s->kept);
}

/* One of `part` more lines, part being at most FINE. Entries of a line beyond the first SAVED
 * do not move to lines before it: one at most REACH - 1 lines from home moves by a part of
 * its home's number, and from (SAVED - REACH + 1) / FINE, which is 17, some is lost where
 * the number of lines is no multiple of FINE (at SAVED lines a seventeenth is still 16).
 * False, and nothing changed, if memory ran out. */
static bool grow(struct store *s, uint32_t part) {
  struct layout old = s->layout, new = layout_of(old.homes + old.homes / part, old.width);
  uint64_t total = old.homes + REACH - 1, saved = total < SAVED ? total : SAVED;
  uint8_t first[SAVED * LINE + 8], line[LINE + 8];
  if (new.homes > UINT64_MAX >> (65 - old.width))
    return false; /* more homes than values */
  size_t bytes = table_bytes(new.homes);
  uint8_t *lines =
      budget_remap(s->budget, BUDGET_STORE, s->lines, s->bytes, bytes, bytes >= BUDGET_HUGE);
  if (!lines)
    return false;
  s->lines = lines;
  s->bytes = bytes;
  memcpy(first, lines, saved * LINE + 8);
  memset(lines, 0, saved * LINE);
  use_layout(s, &new);
  for (uint64_t at = total; at-- > saved;) {
    memcpy(line, lines + at * LINE, sizeof line);
    memset(lines + at * LINE, 0, LINE);
    move_line(s, &old, line, at);
  }
  for (uint64_t at = 0; at < saved; at++)
    move_line(s, &old, first + at * LINE, at);
  move_strays(s);
  return true;
}

/* Gives up bits until a line has a sixth more slots, in the same memory. A line that
 * was dealt with takes more entries than it did, so the entries of the first n lines
 * find places among them. False if too few bits would be left to be worth it. */
static bool narrow(struct store *s) {
  struct layout old = s->layout, new = old;
  uint32_t least = 64u - (uint32_t)__builtin_clzll(s->entries | 1) + MARGIN;
  uint8_t line[LINE + 8];
  while (new.slots < old.slots + (old.slots + 5) / 6) {
    if (new.width <= least)
      return false;
    new = layout_of(old.homes, new.width - 1);
  }
  use_layout(s, &new);
  for (uint64_t at = 0; at < old.homes + REACH - 1; at++) {
    memcpy(line, s->lines + at * LINE, sizeof line);
    memset(s->lines + at * LINE, 0, LINE);
    move_line(s, &old, line, at);
  }
  move_strays(s);
  return true;
}

/* Whether growing would take more than a quarter of what the budget has left, while the
 * values have more bits than it takes to tell them apart: then these go first. */
static bool is_dear(const struct store *s) {
  enum { SURE = 10 }; /* with 2 log n + SURE bits a match is wrong once in 2000 searches */
  uint64_t limit = budget_limit(s->budget), used = budget_used_all(s->budget);
  uint64_t left = used < limit ? limit - used : 0;
  uint32_t log = 64u - (uint32_t)__builtin_clzll(s->entries | 1);
  return s->bytes / 4 > left / 4 && s->layout.width > 2 * log + SURE;
}

/* Room for one entry more. When the table can neither grow nor narrow it goes on to
 * be filled, up to 19 of 20 slots. */
static bool make_room(struct store *s) {
  if (s->broken)
    return false;
  if (s->entries < s->grow_at && s->n_strays < STRAYS)
    return true;
  if ((s->automatic && is_dear(s) && narrow(s)) || grow(s, 4) || (s->automatic && narrow(s)) ||
      (s->entries < s->moving && grow(s, FINE)))
    return !s->broken;
  uint64_t most = s->layout.homes * s->layout.slots / 20 * 19;
  if (s->entries >= most || s->n_strays == STRAYS)
    return false;
  s->grow_at = s->entries + s->entries / 64 + 1;
  return true;
}

/* ---- the store -------------------------------------------------------------------- */

/* The most bits of which a table of two thirds of the room can hold twice the states to
 * come, but no fewer than are worth it. */
static uint32_t fitting_width(const struct store_config *config) {
  uint32_t width = MOST_WIDTH, log = 64u - (uint32_t)__builtin_clzll(2 * config->states | 1);
  uint64_t homes = config->room / LINE / 3 * 2;
  if (config->states == 0 || homes < LEAST_HOMES)
    return MOST_WIDTH;
  while (width > log + MARGIN &&
         layout_of(homes, width).slots * homes / 8 * 7 < 2 * config->states)
    width--;
  return width;
}

static struct store *compact_open(const struct store_config *config) {
  struct store *s = budget_alloc(config->budget, BUDGET_STORE, sizeof *s);
  if (!s)
    return NULL;
  uint32_t width = config->parameter ? config->parameter : fitting_width(config);
  struct layout layout = layout_of(LEAST_HOMES, width);
  s->work.store = s;
  s->budget = config->budget;
  s->automatic = config->parameter == 0;
  s->moving = config->states;
  s->hash_bits = config->hash_bits > 0 && config->hash_bits < 64 ? config->hash_bits : 64;
  s->hash_mask = store_hash_mask(config);
  use_layout(s, &layout);
  s->bytes = table_bytes(layout.homes);
  s->lines = budget_map(s->budget, BUDGET_STORE, s->bytes, false);
  if (s->lines)
    return s;
  budget_free(s->budget, BUDGET_STORE, s, sizeof *s);
  return NULL;
}

static void compact_close(struct store *s) {
  if (!s)
    return;
  budget_unmap(s->budget, BUDGET_STORE, s->lines, s->bytes);
  budget_free(s->budget, BUDGET_STORE, s, sizeof *s);
}

static struct store_work *compact_begin(struct store *s) {
  return &s->work;
}

static void compact_end(struct store_work *work) {
  (void)work;
}

static inline void prefetch(const struct store *s, const uint64_t *hash, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    __builtin_prefetch(s->lines + value_of(&s->layout, own_hash(s, hash[i])).home * LINE);
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
      answer[from] = is_stored(s, own_hash(s, hash[from])) ? STORE_OLD : STORE_NEW;
      if (answer[from] == STORE_OLD)
        continue;
      if (__builtin_expect(s->entries >= s->grow_at || s->n_strays == STRAYS, 0)) {
        if (!make_room(s))
          return from;
        if (is_stored(s, own_hash(s, hash[from]))) { /* with fewer bits it is old */
          answer[from] = STORE_OLD;
          continue;
        }
      }
      double p = (double)s->entries * s->one;
      s->wrong += p / (1 - p);
      place(s, own_hash(s, hash[from]));
      s->entries++;
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
      bool old = is_stored(s, own_hash(s, rows->hash[from]));
      rows->answer[from] = old ? STORE_OLD : STORE_NEW;
      rows->ref[from] = old ? 0 : STORE_NONE;
    }
  }
}

/* Gives back the lines at the end that were taken, once there are enough. */
static void shrink(struct store *s) {
  size_t needs = (s->left * LINE + 8 + 4095) & ~(size_t)4095;
  if (needs + GIVE > s->bytes)
    return;
  s->lines = budget_remap(s->budget, BUDGET_STORE, s->lines, s->bytes, needs, false);
  s->bytes = needs;
}

/* From the last line to the first, so that the values descend (but for those that were
 * passed on), and the memory of those taken goes on the way. */
static uint32_t compact_drain(struct store_work *work, struct rows *rows, uint64_t *bits) {
  struct store *s = work->store;
  const struct layout *l = &s->layout;
  uint32_t n = 0;
  (void)bits;
  if (!s->draining)
    s->left = l->homes + REACH - 1;
  s->draining = true;
  for (; s->left > 0 && n + l->slots <= rows->batch.capacity; shrink(s)) {
    const uint8_t *line = s->lines + --s->left * LINE;
    for (uint32_t i = 0; i < line[COUNT]; i++) {
      struct value v = {s->left - slot_away(l, line, i), slot_remainder(l, line, i)};
      rows->hash[n++] = value_back(l, v);
    }
  }
  while (s->left == 0 && s->n_strays > 0 && n < rows->batch.capacity)
    rows->hash[n++] = s->stray[--s->n_strays];
  return n;
}

static void compact_usage(const struct store *s, struct store_usage *usage) {
  *usage = (struct store_usage){.states = s->states, .wrong_matches = s->wrong};
  usage->wrong_chance = (double)s->entries * s->one;
  usage->kept_bits = s->layout.width;
  usage->index_bytes = (s->bytes + 4095) & ~(uint64_t)4095;
  usage->reserved = usage->bytes = usage->index_bytes + sizeof *s;
}

/* The line and slot where a value is found first, or UINT64_MAX. */
static uint64_t find_slot(const struct store *s, uint64_t t) {
  const struct layout *l = &s->layout;
  struct value v = value_of(l, t);
  for (uint64_t at = v.home; at < v.home + REACH; at++) {
    const uint8_t *line = s->lines + at * LINE;
    for (uint32_t i = 0; i < line[COUNT]; i++)
      if (slot_remainder(l, line, i) == v.remainder && slot_away(l, line, i) == at - v.home)
        return at * LINE + i;
    if (line[COUNT] < l->slots)
      break;
  }
  return UINT64_MAX;
}

static const char *compact_check(struct store_work *work) {
  const struct store *s = work->store;
  const struct layout *l = &s->layout;
  if (s->draining)
    return NULL;
  uint64_t n = s->n_strays;
  for (uint64_t at = 0; at < l->homes + REACH - 1; at++) {
    const uint8_t *line = s->lines + at * LINE;
    if (line[COUNT] > l->slots)
      return "compact: a line has more entries than slots";
    for (uint32_t i = 0; i < line[COUNT]; i++) {
      struct value v = {at - slot_away(l, line, i), slot_remainder(l, line, i)};
      if (v.home >= l->homes)
        return "compact: an entry has no home";
      uint64_t t = value_back(l, v);
      if ((t & ~s->kept) != 0 || value_of(l, t).home != v.home ||
          value_of(l, t).remainder != v.remainder)
        return "compact: a remainder belongs to no value";
      if (find_slot(s, t) != at * LINE + i)
        return "compact: an entry is stored twice, or cannot be found";
    }
    n += line[COUNT];
  }
  if (n != s->entries && !s->broken)
    return "compact: the lines and the number of entries differ";
  return s->entries > s->states ? "compact: more values than states" : NULL;
}

static void compact_save(const struct store *s, struct sink *sink) {
  sink_section(sink, "compact");
  sink_put_number(sink, s->layout.homes);
  sink_put_number(sink, s->layout.width);
  sink_put_number(sink, s->states);
  sink_put_number(sink, s->entries);
  sink_put_number(sink, s->grow_at);
  sink_put_number(sink, s->moving);
  sink_put_number(sink, s->broken);
  sink_put(sink, &s->wrong, sizeof s->wrong);
  sink_put_number(sink, s->n_strays);
  sink_put(sink, s->stray, s->n_strays * sizeof *s->stray);
  sink_put(sink, s->lines, table_bytes(s->layout.homes));
}

static bool compact_load(struct store *s, struct sink *sink) {
  sink_section(sink, "compact");
  uint64_t homes = sink_take_count(sink, UINT64_C(1) << 48);
  uint32_t width = (uint32_t)sink_take_count(sink, MOST_WIDTH);
  if (homes < LEAST_HOMES || width < 16 || (!s->automatic && width != s->layout.width))
    sink_refuse(sink, "has a table of another form");
  if (!sink_is_fine(sink))
    return false;
  struct layout layout = layout_of(homes, width);
  size_t bytes = table_bytes(homes);
  uint8_t *lines =
      budget_remap(s->budget, BUDGET_STORE, s->lines, s->bytes, bytes, bytes >= BUDGET_HUGE);
  if (!lines)
    return false;
  s->lines = lines;
  s->bytes = bytes;
  use_layout(s, &layout);
  s->states = sink_take_number(sink);
  s->entries = sink_take_number(sink);
  s->grow_at = sink_take_number(sink);
  s->moving = sink_take_number(sink);
  s->broken = sink_take_count(sink, 1) != 0;
  sink_take(sink, &s->wrong, sizeof s->wrong);
  s->n_strays = (uint32_t)sink_take_count(sink, STRAYS);
  sink_take(sink, s->stray, s->n_strays * sizeof *s->stray);
  sink_take(sink, s->lines, bytes);
  return sink_is_fine(sink);
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
    .drain = compact_drain,
    .usage = compact_usage,
    .check = compact_check,
    .save = compact_save,
    .load = compact_load,
};
