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
 * A row is seldom numbered. The index shows from its hash alone which state it most likely
 * is, and whether it is that one is seen from what this state's numbers stand for. Where
 * the state is known that the row is a successor of, only the components that the event
 * changed are looked at: the others must have the numbers that they have there. Only rows
 * that are no such state, nearly always new ones, are looked up component by component,
 * and again only what changed.
 */
#include "store/index/glance.h"
#include "store/parts/relative.h"
#include "store/room/extra.h"
#include "store/store.h"

#include <assert.h>
#include <string.h>

struct store {
  struct budget *budget;
  struct relative_tables tables;
  struct index index;
  uint64_t hash_mask; /* for tests; 0: all bits */
  bool wide;          /* the processor can do what INDEX_WIDE needs */
  struct extra extra; /* opaque bits */

  uint64_t work_bytes; /* of all workers, without what the parts count */
};

/* A worker's own. */
struct own {
  struct store_work base;
  struct relative row; /* the one in work */
};

static inline struct own *own_of(struct store_work *work) {
  return (struct own *)(void *)work;
}

static void collapse_close(struct store *s) {
  if (!s)
    return;
  extra_free(&s->extra);
  if (s->index.bucket)
    index_close(&s->index);
  if (s->tables.parts.block)
    relative_close(&s->tables);
  budget_free(s->budget, BUDGET_STORE, s, sizeof *s);
}

static struct store *collapse_open(const struct store_config *config) {
  struct store *s = budget_alloc(config->budget, BUDGET_STORE, sizeof *s);
  if (!s)
    return NULL;
  s->budget = config->budget;
  extra_init(&s->extra, s->budget, config->bits);
  s->hash_mask = store_hash_mask(config);
  if (relative_open(&s->tables, config) &&
      index_open(&s->index, s->budget, BUDGET_STORE, config->hash_bits != 0)) {
    s->wide = s->index.wide && s->tables.parts.cut.native;
    return s;
  }
  collapse_close(s);
  return NULL;
}

static size_t own_bytes(const struct own *w) {
  return sizeof *w + w->row.size;
}

static struct store_work *collapse_begin(struct store *s) {
  struct own *w = budget_alloc(s->budget, BUDGET_STORE, sizeof *w);
  if (!w)
    return NULL;
  if (!relative_begin(&w->row, &s->tables)) {
    budget_free(s->budget, BUDGET_STORE, w, sizeof *w);
    return NULL;
  }
  w->base.store = s;
  s->work_bytes += own_bytes(w);
  return &w->base;
}

static void collapse_end(struct store_work *work) {
  struct store *s = work->store;
  struct own *w = own_of(work);
  s->work_bytes -= own_bytes(w);
  relative_end(&w->row);
  budget_free(s->budget, BUDGET_STORE, w, sizeof *w);
}

static inline uint64_t own_hash(const struct store *s, uint64_t hash) {
  return store_hash(s->hash_mask, hash);
}

static void collapse_prefetch(const struct store_work *work, const uint64_t *hash, uint32_t n) {
  const struct store *s = work->store;
  for (uint32_t i = 0; i < n; i++)
    index_prefetch(&s->index, own_hash(s, hash[i]));
}

static inline bool is_own(const void *context, uint64_t id) {
  const struct relative *w = context;
  return tuples_same(&w->tables->tuples, id, w->tuple, w->seen);
}

/* Stores the row in work; false, and nothing is changed, if memory ran out. */
static bool insert(struct own *w, enum relative_result numbered, uint64_t hash, uint64_t *end) {
  struct store *s = w->base.store;
  uint64_t id = s->tables.tuples.n;
  if (!extra_make(&s->extra, id))
    return false;
  if ((numbered == RELATIVE_WIDE || s->tables.tuples.epochs == 0) && !relative_widen(&w->row))
    return false;
  if (!tuples_reserve(&s->tables.tuples) || !index_insert_at(&s->index, hash, id, end))
    return false;
  tuples_add(&s->tables.tuples, w->row.tuple);
  return true;
}

/* Looks a row up by its parts' numbers, and stores it if it is not there. */
INDEX_INLINE bool put_row(struct own *w, struct rows *rows, uint32_t i, uint64_t hash,
                          bool wide) {
  struct store *s = w->base.store;
  struct single row = relative_take(&s->tables, &w->row, rows, i);
  enum relative_result numbered = relative_number(&s->tables, &w->row, &row, true, wide);
  uint64_t *end = NULL, id = INDEX_NONE;
  if (numbered == RELATIVE_NONE)
    return false;
  if (numbered == RELATIVE_FITS)
    id = index_find(&s->index, hash, is_own, &w->row, wide, &end);
  rows->answer[i] = id == INDEX_NONE ? STORE_NEW : STORE_OLD;
  rows->ref[i] = id == INDEX_NONE ? s->tables.tuples.n : id;
  return id != INDEX_NONE || insert(w, numbered, hash, end);
}

/* Answers those of n rows from `from` on that are what their tags say; the others, nearly
 * always new ones, are marked new. */
INDEX_INLINE void recognise(struct own *w, struct rows *rows, struct glance *g, uint32_t from,
                            uint32_t n, bool wide) {
  const struct store *s = w->base.store;
  uint8_t *answer = rows->answer;
  uint64_t *ref = rows->ref;
  memset(answer + from, STORE_NEW, n);
  glance_rows(&s->index, n, g, wide);
  for (uint32_t k = 0; k < g->n_likely; k++)
    tuples_prefetch(&s->tables.tuples, g->id[k]);
  for (uint32_t k = 0; k < g->n_likely; k++) {
    uint32_t i = from + g->likely[k];
    struct single row = relative_take(&s->tables, &w->row, rows, i);
    if (__builtin_expect(relative_is(&s->tables, &w->row, &row, g->id[k], wide), 1)) {
      answer[i] = STORE_OLD;
      ref[i] = g->id[k];
    }
  }
}

/* Puts n rows from `from` on, whose own hashes are in g; returns the first one not
 * answered. */
INDEX_INLINE uint32_t put_rows(struct own *w, struct rows *rows, struct glance *g,
                               uint32_t from, uint32_t n, bool wide) {
  uint32_t rest[GLANCE_ROWS] = {0}, n_rest = 0;
  const uint8_t *answer = rows->answer;
  recognise(w, rows, g, from, n, wide);
  for (uint32_t k = 0; k < n; k++) {
    rest[n_rest] = from + k;
    n_rest += answer[from + k] == STORE_NEW;
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
      tuples_prefetch(&s->tables.tuples, ref[i]);
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
  if (s->tables.tuples.n == 0 ||
      relative_number(&s->tables, &w->row, row, false, wide) != RELATIVE_FITS)
    return STORE_NONE;
  return index_find(&s->index, own_hash(s, hash), is_own, &w->row, wide, &end);
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
    struct single row = relative_take(&s->tables, &w->row, rows, i);
    if (ref[i] == STORE_NONE || !relative_is(&s->tables, &w->row, &row, ref[i], wide))
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

static uint32_t collapse_get(struct store_work *work, uint64_t ref, uint8_t *row) {
  const struct store *s = work->store;
  if (ref >= s->tables.tuples.n || !relative_assemble(&own_of(work)->row, ref))
    return 0;
  return parts_unrow(&own_of(work)->row.parts, row);
}

static uint64_t collapse_bits(const struct store_work *work, uint64_t ref) {
  const struct store *s = work->store;
  assert(ref < s->tables.tuples.n);
  return extra_get(&s->extra, ref);
}

static void collapse_set_bits(struct store_work *work, uint64_t ref, uint64_t bits) {
  struct store *s = work->store;
  assert(ref < s->tables.tuples.n);
  extra_set(&s->extra, ref, bits);
}

static void collapse_usage(const struct store *s, struct store_usage *usage) {
  uint64_t rest = sizeof *s + s->work_bytes;
  *usage = (struct store_usage){.states = s->tables.tuples.n, .index = &s->index};
  usage->index_bytes = index_reserved(&s->index);
  usage->vector_bytes = tuples_reserved(&s->tables.tuples) + parts_reserved(&s->tables.parts);
  usage->reserved = usage->index_bytes + usage->vector_bytes + extra_reserved(&s->extra) + rest;
  usage->bytes = usage->index_bytes + tuples_used(&s->tables.tuples) +
                 parts_used(&s->tables.parts) + rest +
                 extra_used(&s->extra, s->tables.tuples.n);
}

static const char *collapse_check(struct store_work *work) {
  const struct store *s = work->store;
  const char *broken = index_check(&s->index);
  if (!broken && s->index.entries + s->index.lost != s->tables.tuples.n)
    broken = "collapse: the index and the number of states differ";
  return broken ? broken : relative_check(&own_of(work)->row);
}

static void collapse_save(const struct store *s, struct sink *sink) {
  parts_save(&s->tables.parts, sink);
  tuples_save(&s->tables.tuples, sink);
  index_save(&s->index, sink);
  extra_save(&s->extra, sink, s->tables.tuples.n);
}

static bool collapse_load(struct store *s, struct sink *sink) {
  return parts_load(&s->tables.parts, sink) && tuples_restore(&s->tables.tuples, sink) &&
         index_load(&s->index, sink) && extra_load(&s->extra, sink, s->tables.tuples.n);
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
