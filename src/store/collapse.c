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
#include "store/room/save.h"
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
  size_t n_touched;                    /* in sum */
  uint64_t work_bytes;                 /* of all workers, without what the parts count */
};

/* A worker's own, for the row in work: the tops that may not be its parent's, tuples in words,
 * all numbers. */
struct own {
  struct store_work base;
  struct parts_work parts;
  uint32_t n_changed;
  uint32_t *changed, *number;
  uint64_t base_id; /* parent whose tuple is in from, STORE_NONE: from is no tuple, but 0 */
  uint64_t *from, *tuple, *seen, *differs;
  uint8_t *width;
  uint64_t block[];
};

static inline struct own *own_of(struct store_work *work) {
  return (struct own *)(void *)work;
}

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

/* Works out which tops each bit of an edge's mask stands for. */
static void find_touched(struct store *s, const struct ts_shape *shape) {
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
    s->n_touched += s->touched[i].to - s->touched[i].from;
}

static void collapse_close(struct store *s) {
  if (!s)
    return;
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
  s->budget = config->budget;
  s->extra_bits = config->bits;
  segments_init(&s->extra, s->budget, BUDGET_STORE, (config->bits + 7) / 8 + !config->bits,
                1024);
  s->hash_mask = store_hash_mask(config);
  if (parts_open(&s->parts, config, PARTS_COMPONENTS) &&
      index_open(&s->index, s->budget, BUDGET_STORE, config->hash_bits != 0) &&
      tuples_open(&s->tuples, s->budget, s->parts.tops)) {
    find_touched(s, config->shape);
    s->wide = s->index.wide && s->parts.cut.native;
    return s;
  }
  collapse_close(s);
  return NULL;
}

/* Sizes of the arrays of a worker, in items. */
struct sizes {
  size_t changed, tops, words, bytes; /* bytes: of all */
};

static struct sizes sizes_of(const struct store *s) {
  size_t tops = s->parts.tops, words = tuples_most_words(&s->tuples);
  struct sizes z = {s->n_touched < tops ? tops : s->n_touched, tops, words, 0};
  z.bytes = sizeof(struct own) + 4 * words * sizeof(uint64_t) +
            (z.changed + tops) * sizeof(uint32_t) + tops;
  return z;
}

static struct store_work *collapse_begin(struct store *s) {
  struct sizes z = sizes_of(s);
  struct own *w = budget_alloc(s->budget, BUDGET_STORE, z.bytes);
  if (w && !parts_begin(&w->parts, &s->parts)) {
    budget_free(s->budget, BUDGET_STORE, w, z.bytes);
    w = NULL;
  }
  if (!w)
    return NULL;
  w->base.store = s;
  w->from = w->block;
  w->tuple = w->from + z.words;
  w->seen = w->tuple + z.words;
  w->differs = w->seen + z.words;
  w->changed = (uint32_t *)(w->differs + z.words);
  w->number = w->changed + z.changed;
  w->width = (uint8_t *)(w->number + z.tops);
  w->base_id = STORE_NONE;
  s->work_bytes += z.bytes;
  return &w->base;
}

static void collapse_end(struct store_work *work) {
  struct store *s = work->store;
  struct sizes z = sizes_of(s);
  parts_end(&own_of(work)->parts);
  s->work_bytes -= z.bytes;
  budget_free(s->budget, BUDGET_STORE, work, z.bytes);
}

static inline uint64_t own_hash(const struct store *s, uint64_t hash) {
  return store_hash(s->hash_mask, hash);
}

static void collapse_prefetch(const struct store_work *work, const uint64_t *hash, uint32_t n) {
  const struct store *s = work->store;
  for (uint32_t i = 0; i < n; i++)
    index_prefetch(&s->index, own_hash(s, hash[i]));
}

/* Makes the tuple of this state the base; STORE_NONE: zeros. */
static inline void set_base(struct own *w, uint64_t id) {
  struct store *s = w->base.store;
  if (id == w->base_id)
    return;
  w->base_id = id;
  if (id != STORE_NONE)
    tuples_load(&s->tuples, id, w->from);
  else
    memset(w->from, 0, (s->tuples.words + 1) * sizeof *w->from);
}

/* Takes up row i: its base, and the tops at which it may have another part. */
static inline struct single begin_row(struct own *w, const struct rows *rows, uint32_t i) {
  const struct store *s = w->base.store;
  const struct ts_edge *edge = &rows->batch.edge[i];
  uint64_t parent = rows->has_parents ? rows->parent[i] : STORE_NONE;
  uint32_t n = 0, *changed = w->changed;
  if (parent >= s->tuples.n) {
    set_base(w, STORE_NONE);
    for (; n < s->parts.tops; n++)
      changed[n] = n;
  } else {
    set_base(w, parent);
    for (uint64_t bits = edge->changed | s->always; bits; bits &= bits - 1) {
      struct range range = s->touched[__builtin_ctzll(bits)];
      for (uint32_t k = range.from; k < range.to; k++)
        changed[n++] = k;
    }
  }
  w->n_changed = n;
  return (struct single){rows_at(rows, i), edge->length};
}

/* Is the row in work this state? */
INDEX_INLINE bool is_state(const struct own *w, const struct single *row, uint64_t id,
                           bool wide) {
  const struct store *s = w->base.store;
  const struct tuples *t = &s->tuples;
  const struct tuples_field *field = t->field;
  uint64_t *seen = w->seen, *differs = w->differs, *base = w->from, all = 0;
  const uint32_t *changed = w->changed;
  uint32_t *down = w->parts.down;
  tuples_load(t, id, seen);
  for (uint32_t i = 0; i < t->words; i++)
    differs[i] = seen[i] ^ base[i];
  for (uint32_t i = 0, n = w->n_changed; i < n; i++) {
    uint32_t k = changed[i];
    tuples_clear(differs, field[k]);
    if (!single_is(&s->parts, down, row, k, tuples_get(seen, field[k]), wide))
      return false;
  }
  for (uint32_t i = 0; i < t->words; i++)
    all |= differs[i];
  return all == 0;
}

enum numbered { NUMBERED, NUMBERED_WIDE, NUMBERED_NONE };

/* Lays the tuple of the row in work, with all its parts numbered, new ones too if `add`.
 * NUMBERED_WIDE: a number does not fit its field; NUMBERED_NONE: some part has none. */
INDEX_INLINE enum numbered number_row(struct own *w, const struct single *row, bool add,
                                      bool wide) {
  struct store *s = w->base.store;
  enum numbered result = NUMBERED;
  uint64_t *tuple = w->tuple, *base = w->from;
  uint32_t *changed = w->changed, *down = w->parts.down, *numbers = w->number;
  for (uint32_t i = 0; i < s->tuples.words; i++)
    tuple[i] = base[i];
  for (uint32_t i = 0, n = w->n_changed; i < n; i++) {
    uint32_t k = changed[i], number = single_number(&s->parts, down, row, k, add, wide);
    struct tuples_field field = s->tuples.field[k];
    if (number == NODES_NONE)
      return NUMBERED_NONE;
    numbers[k] = number;
    if ((uint64_t)number >> field.width != 0)
      result = NUMBERED_WIDE;
    if (result == NUMBERED) {
      tuples_clear(tuple, field);
      tuples_set(tuple, field, number);
    }
  }
  return result;
}

/* Begins an epoch with room for the numbers of the row in work, and lays its tuple again. */
static bool begin_epoch(struct own *w) {
  struct store *s = w->base.store;
  uint64_t base = w->base_id;
  memset(w->width, 0, s->parts.tops);
  for (uint32_t i = 0; i < w->n_changed; i++) {
    uint32_t k = w->changed[i];
    w->width[k] = (uint8_t)bits_for((uint64_t)w->number[k] + 1);
  }
  if (!tuples_begin(&s->tuples, w->width))
    return false;
  w->base_id = s->tuples.n; /* no state's yet */
  set_base(w, base);
  memcpy(w->tuple, w->from, s->tuples.words * sizeof *w->tuple);
  for (uint32_t i = 0; i < w->n_changed; i++) {
    uint32_t k = w->changed[i];
    tuples_clear(w->tuple, s->tuples.field[k]);
    tuples_set(w->tuple, s->tuples.field[k], w->number[k]);
  }
  return true;
}

static inline bool is_own(const void *context, uint64_t id) {
  const struct own *w = context;
  return tuples_same(&w->base.store->tuples, id, w->tuple, w->seen);
}

/* Stores the row in work; false, and nothing is changed, if memory ran out. */
static bool insert(struct own *w, enum numbered numbered, uint64_t hash, uint64_t *end) {
  struct store *s = w->base.store;
  uint64_t id = s->tuples.n;
  if (s->extra_bits > 0 && !segments_make(&s->extra, id))
    return false;
  if ((numbered == NUMBERED_WIDE || s->tuples.epochs == 0) && !begin_epoch(w))
    return false;
  if (!tuples_reserve(&s->tuples) || !index_insert_at(&s->index, hash, id, end))
    return false;
  tuples_add(&s->tuples, w->tuple);
  return true;
}

/* Looks a row up by its parts' numbers, and stores it if it is not there. */
INDEX_INLINE bool put_row(struct own *w, struct rows *rows, uint32_t i, uint64_t hash,
                          bool wide) {
  struct store *s = w->base.store;
  struct single row = begin_row(w, rows, i);
  enum numbered numbered = number_row(w, &row, true, wide);
  uint64_t *end = NULL, id = INDEX_NONE;
  if (numbered == NUMBERED_NONE)
    return false;
  if (numbered == NUMBERED)
    id = index_find(&s->index, hash, is_own, w, wide, &end);
  rows->answer[i] = id == INDEX_NONE ? STORE_NEW : STORE_OLD;
  rows->ref[i] = id == INDEX_NONE ? s->tuples.n : id;
  return id != INDEX_NONE || insert(w, numbered, hash, end);
}

/* Answers those of n rows from `from` on that are what their tags say; the others, nearly
 * always new ones, are marked new. */
INDEX_INLINE void recognise(struct own *w, struct rows *rows, struct glance *g, uint32_t from,
                            uint32_t n, bool wide) {
  struct store *s = w->base.store;
  memset(rows->answer + from, STORE_NEW, n);
  glance_rows(&s->index, n, g, wide);
  for (uint32_t k = 0; k < g->n_likely; k++)
    tuples_prefetch(&s->tuples, g->id[k]);
  for (uint32_t k = 0; k < g->n_likely; k++) {
    uint32_t i = from + g->likely[k];
    struct single row = begin_row(w, rows, i);
    if (__builtin_expect(is_state(w, &row, g->id[k], wide), 1)) {
      rows->answer[i] = STORE_OLD;
      rows->ref[i] = g->id[k];
    }
  }
}

/* Puts n rows from `from` on, whose own hashes are in g; returns the first one not
 * answered. */
INDEX_INLINE uint32_t put_rows(struct own *w, struct rows *rows, struct glance *g,
                               uint32_t from, uint32_t n, bool wide) {
  uint32_t rest[GLANCE_ROWS] = {0}, n_rest = 0;
  recognise(w, rows, g, from, n, wide);
  for (uint32_t k = 0; k < n; k++) {
    rest[n_rest] = from + k;
    n_rest += rows->answer[from + k] == STORE_NEW;
  }
  for (uint32_t k = 0; k < n_rest; k++) {
    uint32_t i = rest[k];
    if (!put_row(w, rows, i, g->hash[i - from], wide))
      return i;
  }
  return from + n;
}

INDEX_WIDE static uint32_t put_wide(struct own *w, struct rows *rows, struct glance *g,
                                    uint32_t from, uint32_t n) {
  if (n == 1)
    return from + put_row(w, rows, from, g->hash[0], true);
  return put_rows(w, rows, g, from, n, true);
}

static uint32_t put_plain(struct own *w, struct rows *rows, struct glance *g, uint32_t from,
                          uint32_t n) {
  return put_rows(w, rows, g, from, n, false);
}

static uint32_t collapse_put(struct store_work *work, struct rows *rows, uint32_t from,
                             uint32_t to) {
  struct own *w = own_of(work);
  const struct store *s = work->store;
  struct glance g;
  while (from < to) {
    uint32_t n = to - from < GLANCE_ROWS ? to - from : GLANCE_ROWS;
    for (uint32_t i = 0; i < n; i++)
      g.hash[i] = own_hash(s, rows->hash[from + i]);
    uint32_t done = (s->wide ? put_wide : put_plain)(w, rows, &g, from, n);
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
INDEX_INLINE uint64_t find_row(struct own *w, const struct single *row, uint64_t hash,
                               bool wide) {
  struct store *s = w->base.store;
  uint64_t *end;
  if (s->tuples.n == 0 || number_row(w, row, false, wide) != NUMBERED)
    return STORE_NONE;
  return index_find(&s->index, own_hash(s, hash), is_own, w, wide, &end);
}

INDEX_INLINE void confirm_all(struct own *w, struct rows *rows, uint32_t from, uint32_t to,
                              bool wide) {
  struct store *s = w->base.store;
  uint8_t *answer = rows->answer;
  uint64_t *ref = rows->ref;
  for (uint32_t i = from; i < to; i++) {
    answer[i] = STORE_NEW;
    if (ref[i] == STORE_NONE && s->index.n_strays == 0)
      continue;
    struct single row = begin_row(w, rows, i);
    if (ref[i] == STORE_NONE || !is_state(w, &row, ref[i], wide))
      ref[i] = find_row(w, &row, rows->hash[i], wide);
    answer[i] = ref[i] == STORE_NONE ? STORE_NEW : STORE_OLD;
  }
}

INDEX_WIDE static void confirm_wide(struct own *w, struct rows *rows, uint32_t from,
                                    uint32_t to) {
  confirm_all(w, rows, from, to, true);
}

static void collapse_confirm(struct store_work *work, struct rows *rows, uint32_t from,
                             uint32_t to) {
  struct own *w = own_of(work);
  if (work->store->wide)
    confirm_wide(w, rows, from, to);
  else
    confirm_all(w, rows, from, to, false);
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
static bool assemble(const struct own *w, uint64_t id) {
  const struct store *s = w->base.store;
  tuples_numbers(&s->tuples, id, w->number);
  for (uint32_t k = 0; k < s->parts.tops; k++)
    w->parts.down[s->parts.top[k]] = w->number[k];
  return parts_assemble(&w->parts);
}

static uint32_t collapse_get(struct store_work *work, uint64_t ref, uint8_t *row) {
  const struct store *s = work->store;
  if (ref >= s->tuples.n || !assemble(own_of(work), ref))
    return 0;
  return parts_unrow(&own_of(work)->parts, row);
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
  uint64_t rest = sizeof *s + s->work_bytes;
  *usage = (struct store_usage){.states = s->tuples.n};
  usage->index_bytes = index_reserved(&s->index);
  usage->vector_bytes = tuples_reserved(&s->tuples) + parts_reserved(&s->parts);
  usage->reserved = usage->index_bytes + usage->vector_bytes + s->extra.reserved + rest;
  usage->bytes = usage->index_bytes + tuples_used(&s->tuples) + parts_used(&s->parts) + rest +
                 (s->extra_bits > 0 ? s->tuples.n * s->extra.item : 0);
}

static const char *check_states(const struct own *w) {
  const struct store *s = w->base.store;
  size_t size = parts_check_room(&s->parts);
  uint8_t *room = budget_alloc(s->budget, BUDGET_OTHER, size);
  const char *broken = NULL;
  for (uint64_t id = 0; room && !broken && id < s->tuples.n; id++)
    broken = assemble(w, id) ? parts_check_packed(&w->parts, room)
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
  return broken ? broken : check_states(own_of(work));
}

static void collapse_save(const struct store *s, struct sink *sink) {
  sink_same(sink, s->extra_bits, "has other bits for each state");
  parts_save(&s->parts, sink);
  tuples_save(&s->tuples, sink);
  index_save(&s->index, sink);
  segments_save(&s->extra, sink, s->extra_bits > 0 ? s->tuples.n : 0);
}

static bool collapse_load(struct store *s, struct sink *sink) {
  sink_same(sink, s->extra_bits, "has other bits for each state");
  return parts_load(&s->parts, sink) && tuples_restore(&s->tuples, sink) &&
         index_load(&s->index, sink) &&
         segments_load(&s->extra, sink, s->extra_bits > 0 ? s->tuples.n : 0);
}

const struct store_kind store_collapse = {
    .name = "collapse",
    .summary = "components stored once, states as tuples of their numbers: exact",
    .has = STORE_EXACT | STORE_IDS | STORE_HANDLES | STORE_GETS | STORE_KEEPS_BITS |
           STORE_GUESSES | STORE_USES_PARENTS | STORE_SAVES,
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
    .save = collapse_save,
    .load = collapse_load,
};
