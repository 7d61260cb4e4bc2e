/* collapse.c - components stored once, a state is the tuple of their numbers.
 *
 * After Holzmann, "State compression in SPIN: recursive indexing and compression
 * training runs" (SPIN 1997), there for Spin's option COLLAPSE. Every component of the
 * shape (globals, each process, each channel) has a table of what it was seen to be
 * (parts.h; one of more than 64 bits is a small tree of pieces); a state is the
 * numbers of its components (tuples.h), and found by a hash index (index.h). Ids are
 * dense, as those of `full`.
 *
 * Tables are per component, not per type of process: what the type of a process
 * is belongs to what the component says, where it can change, and numbers are
 * shorter if others do not count.
 *
 * A row is seldom numbered. The index tells from its hash alone which state it most likely
 * is, and whether it is that one is seen from what this state's numbers stand for. Where
 * the state is known that the row is a successor of, only the components that the event
 * changed are looked at: the others must have the numbers that they have there. Only rows
 * that are no such state, nearly always new ones, are looked up component by component,
 * and again only what changed.
 */
#include "store/index/glance.h"
#include "store/parts/single.h"
#include "store/parts/tuples.h"
#include "store/room/segments.h"
#include "store/store.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

enum { COLLAPSE_BITS = 64 }; /* of an edge's mask of what changed */

/* The tops in [from, to). */
struct range {
  uint32_t from, to;
};

struct store {
  struct store_work work; /* one worker only: the row in work is here */
  struct budget *budget;
  struct parts parts;
  struct index index;
  struct tuples tuples;
  uint64_t hash_mask; /* for tests; 0: all bits */
  uint32_t extra_bits;
  bool wide;             /* the processor can do what INDEX_WIDE needs */
  struct segments extra; /* opaque bits, whole bytes per state */

  uint64_t always;                     /* components that count as changed in every row */
  struct range touched[COLLAPSE_BITS]; /* by bit of an edge's mask */

  /* The row in work: tops that may not be its parent's, tuples in words, all numbers. */
  uint32_t n_changed;
  uint32_t *changed, *number;
  uint64_t base_id; /* parent whose tuple is in base, STORE_NONE: base is no tuple, but 0 */
  uint64_t *base, *own, *seen, *differs;
  uint8_t *width;
  size_t size; /* of the block with these */
  void *block;
};

/* The bytes of rows that a top's bits lie in. */
static struct range bytes_of(const struct parts *p, uint32_t top) {
  const struct cut *c = &p->cut;
  const struct cut_piece *first = &c->piece[c->first[p->span[top].leaf]];
  const struct cut_piece *end = &c->piece[c->first[p->span[top].leaf_end]];
  if (first == end)
    return (struct range){0, 0};
  const struct cut_piece *last = end - 1;
  return (struct range){8u * first->word + (uint32_t)__builtin_ctzll(first->mask) / 8,
                        8u * last->word + (63u - (uint32_t)__builtin_clzll(last->mask)) / 8 +
                            1};
}

/* Works out which tops each bit of an edge's mask stands for; returns how many in all. */
static size_t find_touched(struct store *s, const struct ts_shape *shape) {
  size_t sum = 0;
  for (uint32_t i = 0; i < shape->n_components; i++) {
    const struct ts_component *c = &shape->component[i];
    struct range *touched = &s->touched[i < COLLAPSE_BITS - 1 ? i : COLLAPSE_BITS - 1];
    for (uint32_t k = 0; k < s->parts.tops; k++) {
      struct range bytes = bytes_of(&s->parts, k);
      if (bytes.from >= c->offset + c->bytes || c->offset >= bytes.to)
        continue;
      touched->from = touched->to == 0 || k < touched->from ? k : touched->from;
      touched->to = k + 1 > touched->to ? k + 1 : touched->to;
    }
  }
  if (!shape->fixed_length) { /* the first top has the length */
    s->touched[0].from = 0;
    s->touched[0].to += s->touched[0].to == 0;
    s->always = 1;
  }
  for (uint32_t i = 0; i < COLLAPSE_BITS; i++)
    sum += s->touched[i].to - s->touched[i].from;
  return sum;
}

static bool open_work(struct store *s, const struct ts_shape *shape) {
  size_t changed = find_touched(s, shape), tops = s->parts.tops;
  size_t words = tuples_most_words(&s->tuples);
  changed = changed < tops ? tops : changed;
  s->size = 4 * words * sizeof(uint64_t) + (changed + tops) * sizeof(uint32_t) + tops;
  s->block = budget_alloc(s->budget, BUDGET_STORE, s->size);
  if (!s->block)
    return false;
  s->base = s->block;
  s->own = s->base + words;
  s->seen = s->own + words;
  s->differs = s->seen + words;
  s->changed = (uint32_t *)(s->differs + words);
  s->number = s->changed + changed;
  s->width = (uint8_t *)(s->number + tops);
  s->base_id = STORE_NONE;
  return true;
}

static void collapse_close(struct store *s) {
  if (!s)
    return;
  budget_free(s->budget, BUDGET_STORE, s->block, s->size);
  segments_free(&s->extra);
  if (s->tuples.field)
    tuples_close(&s->tuples);
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
  s->work.store = s;
  s->budget = config->budget;
  s->extra_bits = config->bits;
  segments_init(&s->extra, s->budget, BUDGET_STORE, (config->bits + 7) / 8 + !config->bits,
                1024);
  if (config->hash_bits > 0 && config->hash_bits < 64)
    s->hash_mask = UINT64_MAX >> (64 - config->hash_bits);
  if (parts_open(&s->parts, config, PARTS_COMPONENTS) &&
      index_open(&s->index, s->budget, BUDGET_STORE, config->hash_bits != 0) &&
      tuples_open(&s->tuples, s->budget, s->parts.tops) && open_work(s, config->shape)) {
    s->wide = s->index.wide && s->parts.cut.native;
    return s;
  }
  collapse_close(s);
  return NULL;
}

static struct store_work *collapse_begin(struct store *s) {
  return &s->work;
}

static void collapse_end(struct store_work *work) {
  (void)work;
}

/* The index goes by the high bits, so a hash cut to its low bits is spread again. */
static inline uint64_t own_hash(const struct store *s, uint64_t hash) {
  if (__builtin_expect(s->hash_mask != 0, 0))
    return (hash & s->hash_mask) * UINT64_C(0x9E3779B97F4A7C15);
  return hash;
}

static void collapse_prefetch(const struct store_work *work, const uint64_t *hash, uint32_t n) {
  const struct store *s = work->store;
  for (uint32_t i = 0; i < n; i++)
    index_prefetch(&s->index, own_hash(s, hash[i]));
}

/* Makes the tuple of this state the base; STORE_NONE: zeros. */
static inline void set_base(struct store *s, uint64_t id) {
  if (id == s->base_id)
    return;
  s->base_id = id;
  if (id != STORE_NONE)
    tuples_load(&s->tuples, id, s->base);
  else
    memset(s->base, 0, (s->tuples.words + 1) * sizeof *s->base);
}

/* Takes up row i: its base, and the tops at which it may have another part. */
static inline struct single begin_row(struct store *s, const struct rows *rows, uint32_t i) {
  const struct ts_edge *edge = &rows->batch.edge[i];
  uint64_t parent = rows->has_parents ? rows->parent[i] : STORE_NONE;
  uint32_t n = 0;
  if (parent >= s->tuples.n) {
    set_base(s, STORE_NONE);
    for (; n < s->parts.tops; n++)
      s->changed[n] = n;
  } else {
    set_base(s, parent);
    for (uint64_t bits = edge->changed | s->always; bits; bits &= bits - 1) {
      struct range range = s->touched[__builtin_ctzll(bits)];
      for (uint32_t k = range.from; k < range.to; k++)
        s->changed[n++] = k;
    }
  }
  s->n_changed = n;
  return (struct single){rows_at(rows, i), edge->length};
}

/* Is the row in work this state? */
INDEX_INLINE bool is_state(const struct store *s, const struct single *row, uint64_t id,
                           bool wide) {
  const struct tuples *t = &s->tuples;
  uint64_t *seen = s->seen, *differs = s->differs, all = 0;
  tuples_load(t, id, seen);
  for (uint32_t i = 0; i < t->words; i++)
    differs[i] = seen[i] ^ s->base[i];
  for (uint32_t i = 0; i < s->n_changed; i++) {
    uint32_t k = s->changed[i];
    tuples_clear(differs, t->field[k]);
    if (!single_is(&s->parts, row, k, tuples_get(seen, t->field[k]), wide))
      return false;
  }
  for (uint32_t i = 0; i < t->words; i++)
    all |= differs[i];
  return all == 0;
}

enum numbered { NUMBERED, NUMBERED_WIDE, NUMBERED_NONE };

/* Lays the tuple of the row in work, with all its parts numbered, new ones too if `add`.
 * NUMBERED_WIDE: a number does not fit its field; NUMBERED_NONE: some part has none. */
INDEX_INLINE enum numbered number_row(struct store *s, const struct single *row, bool add,
                                      bool wide) {
  enum numbered result = NUMBERED;
  for (uint32_t i = 0; i < s->tuples.words; i++)
    s->own[i] = s->base[i];
  for (uint32_t i = 0; i < s->n_changed; i++) {
    uint32_t k = s->changed[i], number = single_number(&s->parts, row, k, add, wide);
    struct tuples_field field = s->tuples.field[k];
    if (number == NODES_NONE)
      return NUMBERED_NONE;
    s->number[k] = number;
    if ((uint64_t)number >> field.width != 0)
      result = NUMBERED_WIDE;
    if (result == NUMBERED) {
      tuples_clear(s->own, field);
      tuples_set(s->own, field, number);
    }
  }
  return result;
}

/* Begins an epoch with room for the numbers of the row in work, and lays its tuple again. */
static bool begin_epoch(struct store *s) {
  uint64_t base = s->base_id;
  memset(s->width, 0, s->parts.tops);
  for (uint32_t i = 0; i < s->n_changed; i++) {
    uint32_t k = s->changed[i];
    s->width[k] = (uint8_t)bits_for((uint64_t)s->number[k] + 1);
  }
  if (!tuples_begin(&s->tuples, s->width))
    return false;
  s->base_id = s->tuples.n; /* no state's yet */
  set_base(s, base);
  memcpy(s->own, s->base, s->tuples.words * sizeof *s->own);
  for (uint32_t i = 0; i < s->n_changed; i++) {
    uint32_t k = s->changed[i];
    tuples_clear(s->own, s->tuples.field[k]);
    tuples_set(s->own, s->tuples.field[k], s->number[k]);
  }
  return true;
}

static inline bool is_own(const void *context, uint64_t id) {
  const struct store *s = context;
  return tuples_same(&s->tuples, id, s->own, s->seen);
}

/* Stores the row in work; false, and nothing is changed, if memory ran out. */
static bool insert(struct store *s, enum numbered numbered, uint64_t hash, uint64_t *end) {
  uint64_t id = s->tuples.n;
  if (s->extra_bits > 0 && !segments_make(&s->extra, id))
    return false;
  if ((numbered == NUMBERED_WIDE || s->tuples.epochs == 0) && !begin_epoch(s))
    return false;
  if (!tuples_reserve(&s->tuples) || !index_insert_at(&s->index, hash, id, end))
    return false;
  tuples_add(&s->tuples, s->own);
  return true;
}

/* Looks a row up by its parts' numbers, and stores it if it is not there. */
INDEX_INLINE bool put_row(struct store *s, struct rows *rows, uint32_t i, uint64_t hash,
                          bool wide) {
  struct single row = begin_row(s, rows, i);
  enum numbered numbered = number_row(s, &row, true, wide);
  uint64_t *end = NULL, id = INDEX_NONE;
  if (numbered == NUMBERED_NONE)
    return false;
  if (numbered == NUMBERED)
    id = index_find(&s->index, hash, is_own, s, wide, &end);
  rows->answer[i] = id == INDEX_NONE ? STORE_NEW : STORE_OLD;
  rows->ref[i] = id == INDEX_NONE ? s->tuples.n : id;
  return id != INDEX_NONE || insert(s, numbered, hash, end);
}

/* Answers those of n rows from `from` on that are what their tags say; the others, nearly
 * always new ones, are marked new. */
INDEX_INLINE void recognise(struct store *s, struct rows *rows, struct glance *g, uint32_t from,
                            uint32_t n, bool wide) {
  memset(rows->answer + from, STORE_NEW, n);
  glance_rows(&s->index, n, g, wide);
  for (uint32_t k = 0; k < g->n_likely; k++)
    tuples_prefetch(&s->tuples, g->id[k]);
  for (uint32_t k = 0; k < g->n_likely; k++) {
    uint32_t i = from + g->likely[k];
    struct single row = begin_row(s, rows, i);
    if (__builtin_expect(is_state(s, &row, g->id[k], wide), 1)) {
      rows->answer[i] = STORE_OLD;
      rows->ref[i] = g->id[k];
    }
  }
}

/* Puts n rows from `from` on, whose own hashes are in g; returns the first one not
 * answered. */
INDEX_INLINE uint32_t put_rows(struct store *s, struct rows *rows, struct glance *g,
                               uint32_t from, uint32_t n, bool wide) {
  uint32_t rest[GLANCE_ROWS] = {0}, n_rest = 0;
  recognise(s, rows, g, from, n, wide);
  for (uint32_t k = 0; k < n; k++) {
    rest[n_rest] = from + k;
    n_rest += rows->answer[from + k] == STORE_NEW;
  }
  for (uint32_t k = 0; k < n_rest; k++) {
    uint32_t i = rest[k];
    if (!put_row(s, rows, i, g->hash[i - from], wide))
      return i;
  }
  return from + n;
}

INDEX_WIDE static uint32_t put_wide(struct store *s, struct rows *rows, struct glance *g,
                                    uint32_t from, uint32_t n) {
  if (n == 1)
    return from + put_row(s, rows, from, g->hash[0], true);
  return put_rows(s, rows, g, from, n, true);
}

static uint32_t put_plain(struct store *s, struct rows *rows, struct glance *g, uint32_t from,
                          uint32_t n) {
  return put_rows(s, rows, g, from, n, false);
}

static uint32_t collapse_put(struct store_work *work, struct rows *rows, uint32_t from,
                             uint32_t to) {
  struct store *s = work->store;
  struct glance g;
  while (from < to) {
    uint32_t n = to - from < GLANCE_ROWS ? to - from : GLANCE_ROWS;
    for (uint32_t i = 0; i < n; i++)
      g.hash[i] = own_hash(s, rows->hash[from + i]);
    uint32_t done = (s->wide ? put_wide : put_plain)(s, rows, &g, from, n);
    if (done < from + n)
      return done;
    from = done;
  }
  return to;
}

INDEX_INLINE void guess_all(const struct store *s, const uint64_t *hash, uint32_t n,
                            uint64_t *ref, bool wide) {
  for (uint32_t i = 0; i < n; i++) {
    ref[i] = glance_one(&s->index, own_hash(s, hash[i]), wide);
    if (ref[i] != STORE_NONE)
      tuples_prefetch(&s->tuples, ref[i]);
  }
}

INDEX_WIDE static void guess_wide(const struct store *s, const uint64_t *hash, uint32_t n,
                                  uint64_t *ref) {
  guess_all(s, hash, n, ref, true);
}

static void collapse_guess(struct store_work *work, struct rows *rows, uint32_t from,
                           uint32_t to) {
  const struct store *s = work->store;
  const uint64_t *hash = rows->hash + from;
  uint64_t *ref = rows->ref + from;
  uint32_t n = to - from;
  if (s->wide)
    guess_wide(s, hash, n, ref);
  else
    guess_all(s, hash, n, ref, false);
}

/* The id of the row in work, found by its parts' numbers. */
INDEX_INLINE uint64_t find_row(struct store *s, const struct single *row, uint64_t hash,
                               bool wide) {
  uint64_t *end;
  if (s->tuples.n == 0 || number_row(s, row, false, wide) != NUMBERED)
    return STORE_NONE;
  return index_find(&s->index, own_hash(s, hash), is_own, s, wide, &end);
}

INDEX_INLINE void confirm_all(struct store *s, struct rows *rows, uint32_t from, uint32_t to,
                              bool wide) {
  uint8_t *answer = rows->answer;
  uint64_t *ref = rows->ref;
  for (uint32_t i = from; i < to; i++) {
    answer[i] = STORE_NEW;
    if (ref[i] == STORE_NONE && s->index.n_strays == 0)
      continue;
    struct single row = begin_row(s, rows, i);
    if (ref[i] == STORE_NONE || !is_state(s, &row, ref[i], wide))
      ref[i] = find_row(s, &row, rows->hash[i], wide);
    answer[i] = ref[i] == STORE_NONE ? STORE_NEW : STORE_OLD;
  }
}

INDEX_WIDE static void confirm_wide(struct store *s, struct rows *rows, uint32_t from,
                                    uint32_t to) {
  confirm_all(s, rows, from, to, true);
}

static void collapse_confirm(struct store_work *work, struct rows *rows, uint32_t from,
                             uint32_t to) {
  struct store *s = work->store;
  if (s->wide)
    confirm_wide(s, rows, from, to);
  else
    confirm_all(s, rows, from, to, false);
}

static void collapse_find(struct store_work *work, struct rows *rows, uint32_t from,
                          uint32_t to) {
  for (uint32_t end; from < to; from = end) {
    end = to - from < GLANCE_ROWS ? to : from + GLANCE_ROWS;
    collapse_guess(work, rows, from, end);
    collapse_confirm(work, rows, from, end);
  }
}

/* Puts the packed state of an id together in the parts' room. */
static bool assemble(const struct store *s, uint64_t id) {
  tuples_numbers(&s->tuples, id, s->number);
  for (uint32_t k = 0; k < s->parts.tops; k++)
    s->parts.down[s->parts.top[k]] = s->number[k];
  return parts_assemble(&s->parts);
}

static uint32_t collapse_get(struct store_work *work, uint64_t ref, uint8_t *row) {
  const struct store *s = work->store;
  if (ref >= s->tuples.n || !assemble(s, ref))
    return 0;
  return parts_unrow(&s->parts, row);
}

static uint64_t collapse_bits(const struct store_work *work, uint64_t ref) {
  const struct store *s = work->store;
  uint64_t bits = 0;
  assert(ref < s->tuples.n);
  if (s->extra_bits > 0)
    memcpy(&bits, segments_at(&s->extra, ref), s->extra.item);
  return bits;
}

static void collapse_set_bits(struct store_work *work, uint64_t ref, uint64_t bits) {
  struct store *s = work->store;
  assert(ref < s->tuples.n);
  if (s->extra_bits > 0)
    memcpy(segments_at(&s->extra, ref), &bits, s->extra.item);
}

static void collapse_usage(const struct store *s, struct store_usage *usage) {
  uint64_t rest = sizeof *s + s->size;
  *usage = (struct store_usage){.states = s->tuples.n};
  usage->index_bytes = index_reserved(&s->index);
  usage->vector_bytes = tuples_reserved(&s->tuples) + parts_reserved(&s->parts);
  usage->reserved = usage->index_bytes + usage->vector_bytes + s->extra.reserved + rest;
  usage->bytes = usage->index_bytes + tuples_used(&s->tuples) + parts_used(&s->parts) + rest +
                 (s->extra_bits > 0 ? s->tuples.n * s->extra.item : 0);
}

static const char *check_states(const struct store *s) {
  size_t size = parts_check_room(&s->parts);
  uint8_t *room = budget_alloc(s->budget, BUDGET_OTHER, size);
  const char *broken = NULL;
  for (uint64_t id = 0; room && !broken && id < s->tuples.n; id++)
    broken = assemble(s, id) ? parts_check_packed(&s->parts, room)
                             : "collapse: a state has a component that does not exist";
  budget_free(s->budget, BUDGET_OTHER, room, size);
  return broken;
}

static const char *collapse_check(struct store_work *work) {
  const struct store *s = work->store;
  const char *broken = index_check(&s->index);
  if (!broken)
    broken = parts_check(&s->parts);
  if (!broken)
    broken = tuples_check(&s->tuples);
  if (!broken && s->index.entries + s->index.lost != s->tuples.n)
    broken = "collapse: the index and the number of states differ";
  return broken ? broken : check_states(s);
}

const struct store_kind store_collapse = {
    .name = "collapse",
    .summary = "components stored once, states as tuples of their numbers: exact",
    .has = STORE_EXACT | STORE_IDS | STORE_HANDLES | STORE_USES_PARENTS,
    .open = collapse_open,
    .close = collapse_close,
    .begin = collapse_begin,
    .end = collapse_end,
    .put = collapse_put,
    .find = collapse_find,
    .prefetch = collapse_prefetch,
    .guess = collapse_guess,
    .confirm = collapse_confirm,
    .get = collapse_get,
    .bits = collapse_bits,
    .set_bits = collapse_set_bits,
    .usage = collapse_usage,
    .check = collapse_check,
};
