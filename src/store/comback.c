/* comback.c - the ComBack method: of each state some bits of its hash and a way back.
 *
 * Westergaard, Kristensen, Brodal and Arge, "The ComBack Method - Extending Hash Compaction
 * with Backtracking" (ATPN 2007). The state table is an index (index/index.h) from hashes to
 * the numbers of the states that may have them; the backedge table (back/backedges.h) says from
 * which other state each was reached, and by which event. A state whose hash is that of stored
 * ones may be any of them, or new. So these are rebuilt, by going back to a state that is known
 * and firing the events of the way forth (back/rebuild.h), and compared byte by byte: no answer
 * depends on hashes being different, only the time does.
 *
 * Rows are put in three steps. The first looks all of them up, and compares those whose
 * candidates are known; the second rebuilds the other candidates together, so that ways that
 * they share are gone once; the third stores those that are new, in the order of the rows,
 * which may be found among themselves by then.
 *
 * Known are states without a way back, the open states of an order that says which these are
 * (shed), anchors on the ways of the others, and the states in a cache. These are variants 2
 * and half of 4 of section 6.5; with `numbers` open states are rebuilt, too. `shorten` is
 * variant 1: a state that is found again gets the new way if that is shorter. Where the
 * transition system can undo events (nets can, others on demand), those of the row are undone
 * along the way of the state that it may be, which is variant 3, unless `forward` is asked for.
 * With `actions` ways back do not say which choice of an action was taken, which is variant 5
 * (back/choices.h).
 */
#include "store/back/choices.h"
#include "store/back/rebuild.h"
#include "store/index/index.h"
#include "store/room/extra.h"
#include "store/store.h"

#include "base/array.h"

#include <assert.h>
#include <string.h>

#define ROWS   1152u /* looked at together */
#define APART  8u    /* events from one anchor to the next at first, unless the user says so */
#define CACHED 256u  /* states, unless the user says how many */

struct store {
  struct budget *budget;
  struct back back;
  struct index index;
  struct extra extra;
  uint64_t hash_mask; /* for tests; 0: all bits */
  uint64_t cached;    /* states in each worker's cache */
  bool shortens, numbers, backward;
  bool chooses;        /* how many anchors there are */
  uint64_t work_bytes; /* of all workers */
};

/* A worker's own. */
struct own {
  struct store_work base;
  struct rebuild rebuild;
  uint64_t states; /* before the rows in work */
  uint32_t *fresh; /* of each state stored since then, its row */
  uint8_t *row[2]; /* room for rows of choices_before() */
  uint32_t first;  /* of the rows put */
  uint8_t *packed; /* the row in work, its length; 0: it was not packed yet */
  uint32_t bytes;
  struct rows *rows;
};

static inline struct own *own_of(struct store_work *work) {
  return (struct own *)(void *)work;
}

static size_t own_bytes(const struct store *s) {
  size_t rows = s->back.hash == NULL ? 0 : 2 * (size_t)pack_stride(s->back.pack);
  return sizeof(struct own) + rows + ROWS * sizeof(uint32_t) + pack_room(s->back.pack) + 16;
}

static void comback_close(struct store *s) {
  if (s == NULL)
    return;
  back_close(&s->back);
  index_close(&s->index);
  extra_free(&s->extra);
  budget_free(s->budget, BUDGET_STORE, s, sizeof *s);
}

static struct store *comback_open(const struct store_config *config) {
  struct store *s = budget_alloc(config->budget, BUDGET_STORE, sizeof *s);
  if (s == NULL)
    return NULL;
  s->budget = config->budget;
  s->hash_mask = store_hash_mask(config);
  s->cached = config->rebuild.cached == STORE_NO_CACHE ? 0
              : config->rebuild.cached > 0             ? config->rebuild.cached
                                                       : CACHED;
  s->shortens = (config->rebuild.variants & STORE_SHORTENS) != 0;
  s->numbers = (config->rebuild.variants & STORE_NUMBERS) != 0;
  s->backward = (config->rebuild.variants & STORE_FORWARD) == 0;
  extra_init(&s->extra, s->budget, config->bits);
  bool opened = back_open(&s->back, config->shape, config->ts, s->budget) &&
                index_open(&s->index, s->budget, BUDGET_STORE, s->hash_mask != 0);
  if (!opened) {
    back_close(&s->back);
    budget_free(s->budget, BUDGET_STORE, s, sizeof *s);
    return NULL;
  }
  s->index.tight = true;
  s->back.index = &s->index;
  s->back.hash_mask = s->hash_mask;
  s->back.hash = config->rebuild.variants & STORE_ACTIONS ? config->hash : NULL;
  s->chooses = config->rebuild.anchors == 0;
  s->back.apart = s->chooses                                    ? APART
                  : config->rebuild.anchors == STORE_NO_ANCHORS ? 0
                                                                : config->rebuild.anchors;
  return s;
}

static void comback_end(struct store_work *work) {
  struct store *s = work->store;
  rebuild_close(&own_of(work)->rebuild);
  s->work_bytes -= own_bytes(s);
  budget_free(s->budget, BUDGET_STORE, work, own_bytes(s));
}

static struct store_work *comback_begin(struct store *s) {
  struct own *own = budget_alloc(s->budget, BUDGET_STORE, own_bytes(s));
  if (own == NULL)
    return NULL;
  own->base.store = s;
  own->fresh = (uint32_t *)(own + 1);
  own->row[0] = (uint8_t *)(own->fresh + ROWS);
  own->row[1] = own->row[0] + (s->back.hash == NULL ? 0 : pack_stride(s->back.pack));
  own->packed = own->row[1] + (s->back.hash == NULL ? 0 : pack_stride(s->back.pack));
  s->work_bytes += own_bytes(s);
  if (rebuild_open(&own->rebuild, &s->back, s->cached))
    return &own->base;
  comback_end(&own->base);
  return NULL;
}

static void comback_prefetch(const struct store_work *work, const uint64_t *hash, uint32_t n) {
  const struct store *s = work->store;
  for (uint32_t i = 0; i < n; i++)
    index_prefetch(&s->index, store_hash(s->hash_mask, hash[i]));
}

/* ---- looking up -------------------------------------------------------------------- */

/* A row that is looked up. */
struct sought {
  struct own *own;
  uint32_t row;
};

static void pack_one(struct own *own, uint32_t i) {
  const struct rows *rows = own->rows;
  if (own->bytes == 0)
    own->bytes = pack_row(own->base.store->back.pack, rows_at(rows, i),
                          rows->batch.edge[i].length, own->packed);
}

static bool is_row(const struct rows *rows, uint32_t i, const uint8_t *row, uint32_t length) {
  return rows->batch.edge[i].length == length && memcmp(rows_at(rows, i), row, length) == 0;
}

/* Variant 5: the event of row i as ways back say it, its parent being known. The choices before
 * it are mostly rows of the same batch, else they are fired. */
static struct ts_event event_of(struct own *own, const struct rows *rows, uint32_t i) {
  const struct store *s = own->base.store;
  struct ts_event event = rows->batch.edge[i].event;
  uint64_t hash = store_hash(s->hash_mask, rows->hash[i]);
  uint32_t before = 0, left = event.choice;
  if (s->back.hash == NULL || event.choice == 0)
    return event;
  for (uint32_t k = i; left > 1 && k-- > own->first; left--) {
    struct ts_event other = rows->batch.edge[k].event;
    if (rows->parent[k] != rows->parent[i] || other.action != event.action ||
        other.choice != left - 1)
      break;
    before += index_top(store_hash(s->hash_mask, rows->hash[k])) == index_top(hash);
  }
  event.choice = left;
  if (left > 1) {
    uint32_t length = rebuild_state(&own->rebuild, rows->parent[i], own->row[0]);
    before +=
        choices_before(&own->base.store->back, own->row[0], length, event, hash, own->row[1]);
  }
  event.choice = 1 + before;
  return event;
}

/* Variant 1: a state that was found again gets the way by this row, if it is shorter. Only as
 * far as the next state that is kept whole, which is what rebuilding it costs. */
static void shorten(struct own *own, const struct rows *rows, uint32_t i, uint64_t state) {
  enum { MOST = 1 << 20 };
  struct store *s = own->base.store;
  struct back *b = &s->back;
  uint64_t parent = rows->has_parents ? rows->parent[i] : STORE_NONE;
  if (!s->shortens || parent == STORE_NONE || b->ts == NULL)
    return;
  uint64_t now = back_distance(b, state, MOST);
  if (now < 2 || back_distance(b, parent, now - 1) >= now - 1)
    return;
  struct backedge edge = {.parent = parent};
  if (events_number(&b->events, event_of(own, rows, i), &edge.event))
    backedges_set(&b->edges, state, edge);
}

static void answer_old(struct own *own, uint32_t i, uint64_t state) {
  struct rows *rows = own->rows;
  rows->answer[i] = STORE_OLD;
  rows->ref[i] = state;
  shorten(own, rows, i, state);
}

/* A state that was rebuilt goes into the cache, for what is met again is soon met once more.
 * Measured beside a cache of new states only, on ten models depth-first: 0.71 of the time in
 * the geometric mean, 0.23 to 0.94; breadth-first no difference. */
static void keep(struct own *own, uint64_t state, const uint8_t *row, uint32_t length) {
  if (own->rebuild.cache.places == 0 || length == 0)
    return;
  rebuild_keep(&own->rebuild, state, own->packed,
               pack_row(own->base.store->back.pack, row, length, own->packed));
  own->bytes = 0;
}

/* A state that was rebuilt, for all rows that may be it. */
static void found(void *context, uint64_t state, uint32_t want, const uint8_t *row,
                  uint32_t length) {
  struct own *own = context;
  const struct rebuild *r = &own->rebuild;
  keep(own, state, row, length);
  for (; want != REBUILD_NONE; want = r->want[want].next) {
    uint32_t i = r->want[want].row;
    if (own->rows->answer[i] == STORE_NEW && is_row(own->rows, i, row, length))
      answer_old(own, i, state);
  }
}

/* A way that is longer than there is room for nodes. */
static void rebuild_alone(struct own *own, uint64_t state, uint32_t i) {
  struct rebuild *r = &own->rebuild;
  uint32_t length = rebuild_state(r, state, r->row[0]);
  if (is_row(own->rows, i, r->row[0], length))
    answer_old(own, i, state);
}

/* Whether a state is this row, by undoing the events of its way. */
static enum rebuild_answer undo(const struct sought *sought, uint64_t state) {
  struct own *own = sought->own;
  if (!own->base.store->backward || !rebuild_undoes(&own->rebuild))
    return REBUILD_OPEN;
  enum rebuild_answer answer = rebuild_is(&own->rebuild, state, rows_at(own->rows, sought->row),
                                          own->rows->batch.edge[sought->row].length);
  if (answer == REBUILD_SAME) {
    pack_one(own, sought->row);
    rebuild_keep(&own->rebuild, state, own->packed, own->bytes);
  }
  return answer;
}

/* Whether a state that may be this row is, if that can be said at once: else it is wanted. */
static inline bool is_known_same(const void *context, uint64_t state) {
  const struct sought *sought = context;
  struct own *own = sought->own;
  struct rebuild *r = &own->rebuild;
  const struct back *b = r->back;
  const uint8_t *known = back_known(b, state);
  if (known == NULL)
    known = rebuild_cached(r, state);
  if (known != NULL) {
    pack_one(own, sought->row);
    return back_same(b, known, own->packed, own->bytes);
  }
  const enum rebuild_answer undone = undo(sought, state);
  if (undone != REBUILD_OPEN)
    return undone == REBUILD_SAME;
  if (rebuild_add(r, state, sought->row))
    return false;
  rebuild_all(r, found, own);
  if (own->rows->answer[sought->row] == STORE_NEW && !rebuild_add(r, state, sought->row))
    rebuild_alone(own, state, sought->row);
  return own->rows->answer[sought->row] == STORE_OLD;
}

/* Rows that are stored are marked old, all others new. */
static void look_up(struct own *own, struct rows *rows, uint32_t from, uint32_t to) {
  enum { AHEAD = 16 };
  struct store *s = own->base.store;
  own->rows = rows;
  own->first = from;
  for (uint32_t i = from; i < to; i++) {
    struct sought sought = {own, i};
    uint64_t *end;
    if (i + AHEAD < to)
      index_prefetch(&s->index, store_hash(s->hash_mask, rows->hash[i + AHEAD]));
    own->bytes = 0;
    rows->answer[i] = STORE_NEW;
    rows->ref[i] = STORE_NONE;
    uint64_t state = index_find(&s->index, store_hash(s->hash_mask, rows->hash[i]),
                                is_known_same, &sought, false, &end);
    if (state != INDEX_NONE && rows->answer[i] == STORE_NEW)
      answer_old(own, i, state);
  }
  if (own->rebuild.n > 0)
    rebuild_all(&own->rebuild, found, own);
}

static void comback_find(struct store_work *work, struct rows *rows, uint32_t from,
                         uint32_t to) {
  look_up(own_of(work), rows, from, to);
}

/* ---- storing ----------------------------------------------------------------------- */

/* Whether a state that was stored for a row before is this row. */
static inline bool is_fresh_same(const void *context, uint64_t state) {
  const struct sought *sought = context;
  const struct own *own = sought->own;
  const struct rows *rows = own->rows;
  if (state < own->states)
    return false; /* it was looked up */
  uint32_t row = own->fresh[state - own->states];
  return is_row(rows, row, rows_at(rows, sought->row), rows->batch.edge[sought->row].length);
}

static struct back_way way_of(struct own *own, uint32_t i) {
  const struct rows *rows = own->rows;
  struct back_way way = {BACKEDGES_NONE, rows->batch.edge[i].event};
  if (rows->has_parents && rows->parent[i] != STORE_NONE)
    way = (struct back_way){rows->parent[i], event_of(own, rows, i)};
  return way;
}

/* How far apart anchors are, unless the user said so: the tables are to take 15 bytes a state,
 * of which the index takes 9 to 10.7, and a little less while there are few states, for what
 * does not grow with them is more then. */
static void space_anchors(struct store *s) {
  enum { BYTES = 234, FEW = 230, INDEX = 171, LEAST = 4, OFTEN = 1024 }; /* sixteenths */
  struct back *b = &s->back;
  uint64_t n = b->edges.n, taken = backedges_reserved(&b->edges) * 16 / (n + 1) + INDEX;
  uint64_t whole = vectors_used(&b->whole) * 16 / (b->whole.n + 1);
  if (!s->chooses || n % OFTEN != OFTEN / 2)
    return;
  uint64_t most = n < 1 << 16 ? FEW : BYTES;
  b->apart = taken + 1 < most ? whole / (most - taken) : whole;
  b->apart = b->apart < LEAST ? LEAST : b->apart;
}

/* Stores row i; false, and nothing is changed, if memory ran out. */
static bool insert(struct own *own, uint32_t i, uint64_t hash, uint64_t *end) {
  struct store *s = own->base.store;
  struct back_next next;
  uint64_t state = s->back.edges.n;
  own->bytes = 0;
  space_anchors(s);
  pack_one(own, i);
  if (!extra_make(&s->extra, state) ||
      !back_make(&s->back, way_of(own, i), own->bytes, &next) ||
      !index_insert_at(&s->index, hash, state, end))
    return false;
  back_add(&s->back, &next, own->packed, own->bytes);
  if (!next.whole)
    rebuild_keep(&own->rebuild, state, own->packed, own->bytes);
  own->rows->ref[i] = state;
  own->fresh[state - own->states] = i;
  return true;
}

static bool put_new(struct own *own, uint32_t i) {
  struct store *s = own->base.store;
  struct rows *rows = own->rows;
  struct sought sought = {own, i};
  uint64_t *end, hash = store_hash(s->hash_mask, rows->hash[i]);
  uint64_t state = index_find(&s->index, hash, is_fresh_same, &sought, false, &end);
  if (state == INDEX_NONE)
    return insert(own, i, hash, end);
  rows->answer[i] = STORE_OLD;
  rows->ref[i] = state;
  return true;
}

static uint32_t comback_put(struct store_work *work, struct rows *rows, uint32_t from,
                            uint32_t to) {
  struct own *own = own_of(work);
  for (uint32_t end; from < to; from = end) {
    end = to - from < ROWS ? to : from + ROWS;
    look_up(own, rows, from, end);
    own->states = work->store->back.edges.n;
    for (uint32_t i = from; i < end; i++)
      if (rows->answer[i] == STORE_NEW && !put_new(own, i))
        return i;
  }
  return to;
}

/* ---- the rest ---------------------------------------------------------------------- */

static uint32_t comback_get(struct store_work *work, uint64_t ref, uint8_t *row) {
  struct store *s = work->store;
  if (ref >= s->back.edges.n)
    return 0;
  return rebuild_state(&own_of(work)->rebuild, ref, row);
}

static void comback_shed(struct store_work *work, uint64_t first) {
  struct store *s = work->store;
  if (!s->numbers)
    back_shed(&s->back, first);
}

static uint64_t comback_bits(const struct store_work *work, uint64_t ref) {
  return extra_get(&work->store->extra, ref);
}

static void comback_set_bits(struct store_work *work, uint64_t ref, uint64_t bits) {
  extra_set(&work->store->extra, ref, bits);
}

static void comback_usage(const struct store *s, struct store_usage *usage) {
  *usage = (struct store_usage){.states = s->back.edges.n, .index = &s->index};
  usage->index_bytes = index_reserved(&s->index);
  usage->vector_bytes = back_reserved(&s->back);
  usage->reserved = usage->index_bytes + usage->vector_bytes + extra_reserved(&s->extra) +
                    s->work_bytes + sizeof *s;
  usage->bytes = usage->reserved;
  usage->rebuilds = true;
  usage->refired = s->back.fired;
}

/* Some states are rebuilt: their events can be fired, and what comes out can be packed. The one
 * state of a model in which nothing varies has no bytes. */
static const char *comback_check(struct store_work *work) {
  enum { SAMPLE = 64 };
  struct store *s = work->store;
  struct rebuild *r = &own_of(work)->rebuild;
  const struct ts *ts = s->back.ts;
  uint64_t n = s->back.edges.n, step = n / SAMPLE + 1;
  bool empty = ts != NULL && ts->shape->max_bytes == 0;
  const char *broken = index_check(&s->index);
  if (broken == NULL && s->index.entries + s->index.lost != n)
    broken = "comback: the state table and the number of states differ";
  if (broken == NULL)
    broken = back_check(&s->back);
  for (uint64_t state = 0; state < n && broken == NULL; state += step)
    if (rebuild_state(r, state, r->row[0]) == 0 && !empty)
      broken = "comback: a state is rebuilt without bytes";
  return broken;
}

static void comback_save(const struct store *s, struct sink *sink) {
  back_save(&s->back, sink);
  index_save(&s->index, sink);
  extra_save(&s->extra, sink, s->back.edges.n);
}

static bool comback_load(struct store *s, struct sink *sink) {
  return back_load(&s->back, sink) && index_load(&s->index, sink) &&
         extra_load(&s->extra, sink, s->back.edges.n);
}

const struct store_kind store_comback = {
    .name = "comback",
    .summary = "some bits of each state's hash, and a way back to rebuild it: exact",
    .has = STORE_EXACT | STORE_IDS | STORE_HANDLES | STORE_GETS | STORE_KEEPS_BITS |
           STORE_USES_PARENTS | STORE_SAVES | STORE_REBUILDS,
    .open = comback_open,
    .close = comback_close,
    .begin = comback_begin,
    .end = comback_end,
    .put = comback_put,
    .find = comback_find,
    .prefetch = comback_prefetch,
    .get = comback_get,
    .shed = comback_shed,
    .bits = comback_bits,
    .set_bits = comback_set_bits,
    .usage = comback_usage,
    .check = comback_check,
    .save = comback_save,
    .load = comback_load,
};
