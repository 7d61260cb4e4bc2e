/* test_store.c - every exact store against a plain set, step by step; the index by
 * itself, whole and broken; running out of memory at every request; its size. */
#include "base/budget.h"
#include "base/sink.h"
#include "store/automaton_nodes.h"
#include "store/index/index.h"
#include "store/parts/nodes.h"
#include "store/room/vacant.h"
#include "store/store.h"
#include "ts/hash.h"

#include "shapes.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <unistd.h>

#include <cmocka.h>

#define ROWS 96u

static const uint64_t limit = UINT64_C(4) << 30;

/* The names of the exact stores, of the list of all stores. */
enum { KINDS_MOST = 100 };
static const char *kinds[KINDS_MOST];
static uint32_t n_kinds;

/* Everything that a run against the plain set needs. */
struct run {
  struct shapes shapes;
  struct budget *budget;
  struct hash *hash;
  const struct store_kind *kind;
  struct store *store;
  struct store_work *work;
  uint32_t stride, bits, hash_bits;
  bool recycles;
  bool sampled;           /* the store is opened with a sample, */
  struct ts_batch sample; /* this one */
  uint64_t random;
  uint32_t spread; /* rows are drawn from about that many */
  /* the plain set: states in order, found by a chained table */
  uint8_t *state; /* stride bytes each */
  uint32_t *length;
  uint64_t *extra;
  bool *gone;
  uint64_t *handle; /* what the store calls them */
  uint32_t n, capacity;
  int64_t *next, *head;
  /* a batch */
  struct rows rows; /* whose arrays these are */
  uint64_t key[ROWS], ref[ROWS], parent[ROWS];
  uint8_t answer[ROWS];
};

static uint32_t plain_chain(const struct run *r, const uint8_t *row) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < r->stride; i++)
    sum = sum * 31 + row[i];
  return sum % r->capacity;
}

static int64_t plain_find(const struct run *r, const uint8_t *row, uint32_t length) {
  int64_t i = r->head[plain_chain(r, row)];
  while (i >= 0 && (r->gone[i] || r->length[i] != length ||
                    memcmp(r->state + (size_t)i * r->stride, row, r->stride) != 0))
    i = r->next[i];
  return i;
}

static void plain_add(struct run *r, const uint8_t *row, uint32_t length) {
  uint32_t chain = plain_chain(r, row);
  assert_true(r->n < r->capacity);
  memcpy(r->state + (size_t)r->n * r->stride, row, r->stride);
  r->length[r->n] = length;
  r->next[r->n] = r->head[chain];
  r->head[chain] = r->n++;
}

/* States whose slots depend on each other in pairs that are far apart, so that no cut in one
 * place is good. What is put into the store need not be like them. */
static void draw_sample(struct run *r) {
  enum { STATES = 4096 };
  uint64_t random = 9;
  r->sample = (struct ts_batch){.edge = calloc(STATES, sizeof *r->sample.edge),
                                .rows = calloc(STATES, r->stride),
                                .stride = r->stride,
                                .capacity = STATES};
  shapes_paired(&r->shapes, &r->sample, STATES, &random);
}

static struct store_config config_of(const struct run *r) {
  return (struct store_config){.shape = &r->shapes.shape,
                               .budget = r->budget,
                               .bits = r->bits,
                               .hash_bits = r->hash_bits,
                               .sample = r->sampled ? &r->sample : NULL,
                               .recycles = r->recycles};
}

static void run_open(struct run *r, const char *kind, uint32_t capacity, uint32_t bits,
                     uint32_t hash_bits) {
  r->budget = budget_open(limit);
  r->hash = hash_open(&r->shapes.shape, 7, r->budget);
  r->kind = store_by_name(kind);
  r->bits = bits;
  r->hash_bits = hash_bits;
  r->stride = ts_stride(&r->shapes.shape);
  if (r->sampled)
    draw_sample(r);
  struct store_config config = config_of(r);
  r->store = r->kind->open(&config);
  assert_non_null(r->store);
  r->work = r->kind->begin(r->store);
  assert_non_null(r->work);
  r->random = 5;
  r->n = 0;
  r->capacity = capacity;
  r->spread = capacity;
  r->state = calloc(capacity, r->stride);
  r->length = calloc(capacity, sizeof *r->length);
  r->extra = calloc(capacity, sizeof *r->extra);
  r->gone = calloc(capacity, sizeof *r->gone);
  r->handle = calloc(capacity, sizeof *r->handle);
  r->next = calloc(capacity, sizeof *r->next);
  r->head = malloc(capacity * sizeof *r->head);
  memset(r->head, 0xFF, capacity * sizeof *r->head);
  r->rows = (struct rows){.hash = r->key,
                          .ref = r->ref,
                          .parent = r->parent,
                          .answer = r->answer,
                          .has_parents = (r->kind->has & STORE_USES_PARENTS) != 0};
  r->rows.batch = (struct ts_batch){.edge = calloc(ROWS, sizeof(struct ts_edge)),
                                    .rows = calloc(ROWS, r->stride),
                                    .stride = r->stride,
                                    .capacity = ROWS};
  memset(r->parent, 0xFF, sizeof r->parent); /* STORE_NONE */
}

static void run_close(struct run *r) {
  r->kind->end(r->work);
  r->kind->close(r->store);
  hash_close(r->hash);
  assert_int_equal(budget_used(r->budget, BUDGET_STORE), 0);
  assert_int_equal(budget_used(r->budget, BUDGET_MODEL), 0);
  budget_close(r->budget);
  free(r->state);
  free(r->length);
  free(r->extra);
  free(r->gone);
  free(r->handle);
  free(r->next);
  free(r->head);
  free(r->rows.batch.edge);
  free(r->rows.batch.rows);
  free(r->sample.edge);
  free(r->sample.rows);
}

/* Makes row i differ from a stored state in some slots, and says so. */
static void draw_successor(struct run *r, uint32_t i, uint32_t parent) {
  const struct ts_shape *shape = &r->shapes.shape;
  struct ts_edge *edge = &r->rows.batch.edge[i];
  uint8_t *row = r->rows.batch.rows + i * r->stride;
  memcpy(row, r->state + (size_t)parent * r->stride, r->stride);
  edge->length = r->length[parent];
  edge->changed = 0;
  r->parent[i] = r->handle[parent];
  for (uint64_t n = bits_next_random(&r->random) % 4; n > 0; n--) {
    uint32_t component = (uint32_t)(bits_next_random(&r->random) % shape->n_components);
    const struct ts_component *c = &shape->component[component];
    uint32_t at = (uint32_t)(bits_next_random(&r->random) % c->n_slots);
    const struct ts_slot *slot = &shape->slot[c->first_slot + at];
    edge->changed |= UINT64_C(1) << (component < 63 ? component : 63);
    if (slot->offset + slot->bytes <= edge->length)
      shapes_set(slot, row, bits_next_random(&r->random) % 3);
    else if (slot->offset >= edge->length && n == 1)
      edge->length = slot->offset + slot->bytes; /* zeros */
  }
}

/* A batch of rows, each drawn from a family of about `spread` states, or, where the store
 * makes use of that, a successor of a state. */
static void draw(struct run *r) {
  r->rows.batch.n = 1 + (uint32_t)(bits_next_random(&r->random) % ROWS);
  for (uint32_t i = 0; i < r->rows.batch.n; i++) {
    uint64_t seed = bits_next_random(&r->random) % r->spread;
    uint8_t *row = r->rows.batch.rows + i * r->stride;
    r->parent[i] = STORE_NONE;
    r->rows.batch.edge[i].length = shapes_row(&r->shapes, row, &seed);
    r->rows.batch.edge[i].changed = 0;
    if (r->rows.has_parents && r->n > 0 && bits_next_random(&r->random) % 4 != 0)
      draw_successor(r, i, (uint32_t)(bits_next_random(&r->random) % r->n));
    r->key[i] = hash_finish(hash_raw(r->hash, row, r->rows.batch.edge[i].length));
  }
}

static void expect_find(struct run *r) {
  r->kind->find(r->work, &r->rows, 0, r->rows.batch.n);
  for (uint32_t i = 0; i < r->rows.batch.n; i++) {
    int64_t id =
        plain_find(r, r->rows.batch.rows + i * r->stride, r->rows.batch.edge[i].length);
    assert_int_equal(r->answer[i], id < 0 ? STORE_NEW : STORE_OLD);
    assert_int_equal(r->ref[i], id < 0 ? STORE_NONE : r->handle[id]);
  }
}

/* Checks the answers to rows [0, done) and adds the new ones to the plain set. */
static void expect_put(struct run *r, uint32_t done) {
  for (uint32_t i = 0; i < done; i++) {
    const uint8_t *row = r->rows.batch.rows + i * r->stride;
    int64_t id = plain_find(r, row, r->rows.batch.edge[i].length);
    assert_int_equal(r->answer[i], id < 0 ? STORE_NEW : STORE_OLD);
    assert_int_not_equal(r->ref[i], STORE_NONE);
    if (id >= 0)
      assert_int_equal(r->ref[i], r->handle[id]);
    if (id < 0 && (r->kind->has & STORE_IDS) && !r->recycles)
      assert_int_equal(r->ref[i], r->n);
    if (!(r->kind->has & (STORE_IDS | STORE_HANDLES)))
      assert_int_equal(r->ref[i], 0);
    if (id < 0) {
      r->handle[r->n] = r->ref[i];
      plain_add(r, row, r->rows.batch.edge[i].length);
    }
  }
}

/* Whether its handle is that of no other state: a state that comes back may have its
 * old one, and numbers of parts that no state needed go to others. */
static bool is_known(const struct run *r, uint32_t id) {
  return !r->gone[id] || ((r->kind->has & STORE_IDS) && !r->recycles);
}

static void expect_get(struct run *r, uint32_t id) {
  uint8_t row[2048];
  memset(row, 0xAA, sizeof row);
  if (!is_known(r, id) || !(r->kind->has & STORE_GETS))
    return;
  uint32_t length = r->kind->get(r->work, r->handle[id], row);
  assert_int_equal(length, r->gone[id] ? 0 : r->length[id]);
  if (!r->gone[id]) {
    assert_memory_equal(row, r->state + (size_t)id * r->stride, r->stride);
    if (r->kind->has & STORE_KEEPS_BITS)
      assert_int_equal(r->kind->bits(r->work, r->handle[id]), r->extra[id]);
  }
  assert_int_equal(row[r->stride], 0xAA);
}

static uint64_t key_of(const struct run *r, uint32_t id) {
  return hash_finish(hash_raw(r->hash, r->state + (size_t)id * r->stride, r->length[id]));
}

static void remove_one(struct run *r, uint32_t id) {
  uint64_t key = key_of(r, id);
  if (!is_known(r, id))
    return;
  assert_int_equal(r->kind->remove(r->work, r->handle[id], key), !r->gone[id]);
  if (r->gone[id])
    return;
  assert_false(r->kind->remove(r->work, r->handle[id], key));
  r->gone[id] = true;
}

static void expect_sound(struct run *r) {
  struct store_usage usage;
  uint64_t present = 0;
  const char *broken = r->kind->check(r->work);
  if (broken)
    fail_msg("%s", broken);
  for (uint32_t i = 0; i < r->n; i++) {
    expect_get(r, i);
    present += !r->gone[i];
  }
  r->kind->usage(r->store, &usage);
  assert_int_equal(usage.states, present);
  assert_int_equal(usage.reserved, budget_used(r->budget, BUDGET_STORE));
  assert_true(usage.bytes <= usage.reserved);
}

static void one_step(struct run *r, bool removals) {
  uint32_t id = r->n == 0 ? 0 : (uint32_t)(bits_next_random(&r->random) % r->n);
  switch (bits_next_random(&r->random) % (removals ? 6 : 4)) {
  case 0:
    draw(r);
    expect_find(r);
    break;
  case 1:
    if (r->n > 0 && !r->gone[id] && r->bits > 0 && (r->kind->has & STORE_KEEPS_BITS)) {
      r->extra[id] = bits_next_random(&r->random) >> (64 - r->bits);
      r->kind->set_bits(r->work, r->handle[id], r->extra[id]);
    }
    break;
  case 2:
  case 3:
    draw(r);
    if (r->n + ROWS <= r->capacity) {
      uint32_t from = r->rows.batch.n / 3;
      assert_int_equal(r->kind->put(r->work, &r->rows, 0, from), from);
      assert_int_equal(r->kind->put(r->work, &r->rows, from, r->rows.batch.n), r->rows.batch.n);
      expect_put(r, r->rows.batch.n);
    }
    break;
  default:
    for (uint32_t i = 0; i < 40 && r->n > 0; i++)
      remove_one(r, (uint32_t)(bits_next_random(&r->random) % r->n));
  }
}

static void run_steps(struct run *r, uint32_t steps, bool removals) {
  uint32_t every = 1 + steps / 4;
  for (uint32_t i = 1; i <= steps; i++) {
    one_step(r, removals);
    if (i % every == 0)
      expect_sound(r);
  }
  expect_sound(r);
}

/* States that were handed out: each once, with its ref and bits. Returns their refs, mixed. */
static uint64_t expect_listed(struct run *r, const struct rows *rows, const uint64_t *bits,
                              uint32_t n) {
  uint64_t mixed = 0;
  for (uint32_t i = 0; i < n; i++) {
    int64_t id = plain_find(r, rows_at(rows, i), rows->batch.edge[i].length);
    assert_true(id >= 0);
    assert_int_equal(rows->ref[i], r->handle[id]);
    assert_true(!(r->kind->has & STORE_IDS) || i == 0 || rows->ref[i] > rows->ref[i - 1]);
    if (r->bits > 0 && (r->kind->has & STORE_KEEPS_BITS))
      assert_int_equal(bits[i], r->extra[id]);
    uint64_t ref = rows->ref[i];
    mixed += bits_next_random(&ref);
  }
  return mixed;
}

/* Everything is listed, which changes nothing; then it is listed again and given up, and memory
 * comes back. */
static void expect_drain(struct run *r) {
  enum { TAKEN = 2 * STORE_DRAIN };
  uint64_t ref[TAKEN], bits[TAKEN], hash[TAKEN], stored = 0, cursor = 0, sum = 0, n;
  struct rows rows = {.batch = {.edge = calloc(TAKEN, sizeof *rows.batch.edge),
                                .rows = calloc(TAKEN, r->stride),
                                .stride = r->stride,
                                .capacity = TAKEN},
                      .ref = ref,
                      .hash = hash};
  uint64_t before = budget_used(r->budget, BUDGET_STORE), left, again = 0, all = 0;
  for (uint32_t i = 0; i < r->n; i++) {
    uint64_t handle = r->handle[i];
    stored += !r->gone[i];
    all += r->gone[i] ? 0 : bits_next_random(&handle);
  }
  for (left = stored; (n = r->kind->each(r->work, &cursor, &rows, bits)) > 0; left -= n)
    sum += expect_listed(r, &rows, bits, (uint32_t)n);
  assert_int_equal(left, 0);
  expect_sound(r);
  r->kind->release(r->work, 0, 0);
  cursor = 0;
  for (left = stored; (n = store_drain(r->kind, r->work, &cursor, &rows, bits)) > 0; left -= n)
    again += expect_listed(r, &rows, bits, (uint32_t)n);
  assert_int_equal(left, 0);
  assert_true(sum == all && again == all);
  if (r->kind->has & STORE_IDS) /* the index is gone, at least */
    assert_true(budget_used(r->budget, BUDGET_STORE) < before);
  free(rows.batch.edge);
  free(rows.batch.rows);
}

static void against_plain_set(const char *kind, uint32_t hash_bits, bool removals,
                              uint32_t steps) {
  struct run r = {0};
  uint64_t random = 11;
  for (uint32_t i = 0; i < 7; i++) {
    bool wide = i == 6; /* it costs most, and finds what it finds early */
    if (i < 2)
      shapes_bytes(&r.shapes, i == 0 ? 3 : 14, true);
    else
      shapes_random(&r.shapes, wide ? 300 : 6 + 30 * (i / 4), i % 2 == 0, &random);
    run_open(&r, kind, 60000, i % 3 == 0 ? 0 : i * 12, hash_bits);
    /* The first two grow large, the others differ in shape. */
    run_steps(&r, wide ? steps / 10 : i < 2 ? steps : steps / 2, removals);
    if (r.kind->has & STORE_DRAINS)
      expect_drain(&r);
    run_close(&r);
  }
}

static void agrees_with_plain_set(void **state) {
  (void)state;
  for (uint32_t k = 0; k < n_kinds; k++)
    against_plain_set(kinds[k], 0, false, 1500);
}

static void agrees_with_removals(void **state) {
  (void)state;
  for (uint32_t k = 0; k < n_kinds; k++) {
    if (store_by_name(kinds[k])->has & STORE_REMOVES)
      against_plain_set(kinds[k], 0, true, 2000);
  }
}

/* A tree whose halves were chosen bit by bit. */
static void agrees_with_halves(void **state) {
  (void)state;
  uint64_t random = 17;
  for (uint32_t i = 0; i < 6; i++) {
    struct run r = {.sampled = true};
    shapes_random(&r.shapes, 24 + 30 * i, i % 2 == 0, &random);
    run_open(&r, "tree", 60000, i * 12, i == 4 ? 8 : 0);
    run_steps(&r, i < 4 ? 800 : 80, i > 0);
    expect_drain(&r);
    run_close(&r);
  }
}

static void agrees_when_hashes_collide(void **state) {
  (void)state;
  for (uint32_t k = 0; k < n_kinds; k++) {
    const struct store_kind *kind = store_by_name(kinds[k]);
    bool removes = (kind->has & STORE_REMOVES) != 0;
    /* Where every node is looked for by its hash, long lists cost most. */
    uint32_t slow = kind == store_by_name("automaton") ? 4 : 1;
    against_plain_set(kinds[k], 8, false, 500 / slow);
    if (removes)
      against_plain_set(kinds[k], 8, true, 500);
    against_plain_set(kinds[k], 3, removes, 60 / slow);
  }
}

/* Every request fails once, then the put is made again and must succeed. */
static void survives_failures(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 2 * n_kinds; k++) {
    struct run r = {0};
    uint64_t random = 3;
    uint32_t failures = 0, most = k % 2 == 0 ? 20000 : 8000; /* colliding ones cost more */
    shapes_random(&r.shapes, 12, k % 2 == 0, &random);
    run_open(&r, kinds[k / 2], 40000, 9, k % 2 == 0 ? 0 : 8);
    while (r.n + ROWS <= most) {
      draw(&r);
      budget_fail_after(r.budget, 1 + bits_next_random(&r.random) % 2);
      uint32_t done = r.kind->put(r.work, &r.rows, 0, r.rows.batch.n);
      budget_fail_after(r.budget, 0);
      expect_put(&r, done);
      if (done == r.rows.batch.n)
        continue;
      if (failures++ % 16 == 0)
        expect_sound(&r);
      expect_find(&r);
      assert_int_equal(r.kind->put(r.work, &r.rows, 0, r.rows.batch.n), r.rows.batch.n);
      expect_put(&r, r.rows.batch.n);
    }
    /* A table that doubles asks seldom. */
    assert_true(failures > (r.kind->has & (STORE_IDS | STORE_HANDLES) ? 20 : 0));
    expect_sound(&r);
    run_close(&r);
  }
}

/* A file for what is saved, in a folder of its own. */
struct file {
  char folder[64], path[96];
  struct budget *budget; /* not the stores' */
  struct sink *sink;
};

static void file_open(struct file *f) {
  /* In memory where it can be: each file is flushed. */
  snprintf(f->folder, sizeof f->folder, "%s/test_store.XXXXXX",
           access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
  assert_non_null(mkdtemp(f->folder));
  snprintf(f->path, sizeof f->path, "%s/store", f->folder);
  f->budget = budget_open(limit);
  f->sink = sink_open(f->budget);
  assert_non_null(f->sink);
}

static void file_close(struct file *f) {
  sink_close(f->sink);
  budget_close(f->budget);
  unlink(f->path);
  rmdir(f->folder);
}

static void save(const struct run *r, struct file *f) {
  assert_true(sink_create(f->sink, f->path, 1));
  r->kind->save(r->store, f->sink);
  assert_true(sink_commit(f->sink));
}

/* Loads what was saved into a store that was just opened; false: the file was refused. */
static bool load(const struct store_kind *kind, struct store *store, struct file *f) {
  return sink_read(f->sink, f->path, 1) && kind->load(store, f->sink) && sink_commit(f->sink);
}

static void expect_same_usage(const struct store_usage *a, const struct store_usage *b) {
  assert_int_equal(a->states, b->states);
  assert_int_equal(a->bytes, b->bytes);
  assert_int_equal(a->reserved, b->reserved);
  assert_int_equal(a->index_bytes, b->index_bytes);
  assert_int_equal(a->vector_bytes, b->vector_bytes);
}

/* The store is saved, closed, opened and loaded. */
static void stop_and_go_on(struct run *r, struct file *f) {
  struct store_usage before, after;
  struct store_config config = config_of(r);
  save(r, f);
  r->kind->usage(r->store, &before);
  r->kind->end(r->work);
  r->kind->close(r->store);
  r->store = r->kind->open(&config);
  if (!load(r->kind, r->store, f))
    fail_msg("%s: %s", r->kind->name, sink_why(f->sink));
  r->work = r->kind->begin(r->store);
  r->kind->usage(r->store, &after);
  expect_same_usage(&before, &after);
}

/* Two runs take the same steps, but one is stopped now and then: all refs are the same. */
static void save_beside(const char *kind, uint32_t shape, uint32_t hash_bits, bool recycles,
                        struct file *f) {
  bool sampled = shape > 2 && store_by_name(kind)->samples > 0;
  struct run a = {.recycles = recycles, .sampled = sampled};
  struct run b = {.recycles = recycles, .sampled = sampled};
  uint64_t random = 11 + shape;
  struct store_usage one, other;
  bool removals = (store_by_name(kind)->has & STORE_REMOVES) != 0;
  shapes_random(&a.shapes, 4 + 20 * (shape % 3), shape % 2 == 0, &random);
  b.shapes = a.shapes;
  b.shapes.shape.slot = b.shapes.slot;
  b.shapes.shape.component = b.shapes.component;
  run_open(&a, kind, 20000, shape * 7 % 30, hash_bits);
  run_open(&b, kind, 20000, shape * 7 % 30, hash_bits);
  for (uint32_t i = 0; i < 160; i++) {
    if (i % 40 == 7 || i == 0)
      stop_and_go_on(&b, f);
    one_step(&a, removals);
    one_step(&b, removals);
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.handle, b.handle, a.n * sizeof *a.handle);
  }
  expect_sound(&a);
  expect_sound(&b);
  a.kind->usage(a.store, &one);
  b.kind->usage(b.store, &other);
  expect_same_usage(&one, &other);
  run_close(&a);
  run_close(&b);
}

static bool saves(const char *kind) {
  return (store_by_name(kind)->has & STORE_SAVES) != 0;
}

/* Bits of a hash, so that many states have the same. Where every node is looked for by its
 * hash, long lists cost most. */
static uint32_t few_hashes(const char *kind, uint32_t shape) {
  return shape == 0 ? 4 : strcmp(kind, "automaton") == 0 ? 14 : 9;
}

static void goes_on_as_if_never_stopped(void **state) {
  (void)state;
  struct file f;
  file_open(&f);
  for (uint32_t k = 0; k < n_kinds; k++)
    for (uint32_t shape = 0; saves(kinds[k]) && shape < 5; shape++) {
      save_beside(kinds[k], shape, 0, false, &f);
      save_beside(kinds[k], shape, few_hashes(kinds[k], shape), false, &f);
      if (store_by_name(kinds[k])->has & STORE_REMOVES)
        save_beside(kinds[k], shape, 0, true, &f);
    }
  file_close(&f);
}

/* A store of a few states, saved: no damaged byte is taken, and no memory that runs out while
 * it is loaded is lost. */
static void refuse_damage(const char *kind, struct file *f) {
  struct run r = {0};
  static uint8_t bytes[1 << 20];
  uint64_t random = 1;
  shapes_random(&r.shapes, 12, true, &random);
  run_open(&r, kind, 4000, 9, 0);
  for (uint32_t i = 0; i < 4; i++) {
    draw(&r);
    expect_put(&r, r.kind->put(r.work, &r.rows, 0, r.rows.batch.n));
  }
  save(&r, f);
  FILE *file = fopen(f->path, "rb");
  size_t n = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  struct store_config config = {.shape = &r.shapes.shape, .budget = r.budget, .bits = 9};
  for (uint32_t i = 0; i < 200; i++) {
    size_t at = bits_next_random(&random) % n;
    uint8_t was = bytes[at];
    bytes[at] ^= (uint8_t)(1 << i % 8);
    file = fopen(f->path, "wb");
    fwrite(bytes, 1, i % 5 == 4 ? at : n, file);
    fclose(file);
    bytes[at] = was;
    struct store *store = r.kind->open(&config);
    assert_false(load(r.kind, store, f));
    assert_false(sink_is_fine(f->sink));
    r.kind->close(store);
  }
  save(&r, f);
  bool loaded = false;
  for (uint64_t request = 1; !loaded; request++) {
    struct store *store = r.kind->open(&config);
    budget_fail_after(r.budget, request);
    loaded = load(r.kind, store, f);
    budget_fail_after(r.budget, 0);
    assert_true(loaded || sink_is_fine(f->sink));
    r.kind->close(store);
  }
  config.bits = 8;
  struct store *store = r.kind->open(&config);
  assert_true(!load(r.kind, store, f) || !(r.kind->has & STORE_KEEPS_BITS));
  r.kind->close(store);
  run_close(&r);
}

static void refuses_damaged_files(void **state) {
  (void)state;
  struct file f;
  file_open(&f);
  for (uint32_t k = 0; k < n_kinds; k++)
    if (saves(kinds[k]))
      refuse_damage(kinds[k], &f);
  file_close(&f);
}

static void open_or_say_no(const struct store_kind *kind) {
  struct shapes s;
  shapes_bytes(&s, 14, true);
  for (uint64_t n = 1;; n++) {
    struct budget *budget = budget_open(limit);
    struct store_config config = {.shape = &s.shape, .budget = budget};
    budget_fail_after(budget, n);
    struct store *store = kind->open(&config);
    struct store_work *work = store ? kind->begin(store) : NULL;
    bool opened = work != NULL;
    if (work)
      kind->end(work);
    if (store)
      kind->close(store);
    assert_int_equal(budget_used(budget, BUDGET_STORE), 0);
    assert_int_equal(budget_used(budget, BUDGET_MODEL), 0);
    budget_close(budget);
    if (opened)
      break;
  }
}

static void opens_or_says_no(void **state) {
  (void)state;
  for (uint32_t k = 0; k < n_kinds; k++)
    open_or_say_no(store_by_name(kinds[k]));
}

/* Until the budget is exhausted: all that was put is there, nothing else. */
static void stop_at_the_limit(const char *kind) {
  struct run r = {0};
  shapes_bytes(&r.shapes, 14, true);
  run_open(&r, kind, 400000, 0, 0);
  uint64_t rest = budget_limit(r.budget) - budget_used_all(r.budget) - (UINT64_C(2) << 20);
  assert_true(budget_claim(r.budget, BUDGET_OTHER, rest));
  for (uint32_t done = 0;; expect_put(&r, done)) {
    draw(&r);
    done = r.kind->put(r.work, &r.rows, 0, r.rows.batch.n);
    if (done < r.rows.batch.n) {
      expect_put(&r, done);
      break;
    }
  }
  assert_true(r.n > 60000 || r.kind != store_by_name("full"));
  /* Of random states an automaton has several nodes each. */
  assert_true(r.n > 10000 || r.kind == store_by_name("automaton"));
  assert_true(r.n > 2000);
  expect_sound(&r);
  run_close(&r);
}

static void stops_at_the_limit(void **state) {
  (void)state;
  for (uint32_t k = 0; k < n_kinds; k++)
    stop_at_the_limit(kinds[k]);
}

/* 1.4 x (packed + 8) bytes per state at every moment: reserved memory only ever
 * jumps when a put asks for some, so looking after each small batch is enough. */
static void keep_bound(uint32_t bytes, uint64_t most) {
  struct shapes s;
  struct store_usage usage;
  const struct store_kind *kind = store_by_name("full");
  struct budget *budget = budget_open(limit);
  shapes_bytes(&s, bytes, true);
  struct store_config config = {.shape = &s.shape, .budget = budget};
  struct store *store = kind->open(&config);
  struct store_work *work = kind->begin(store);
  struct hash *hash = hash_open(&s.shape, 1, budget);
  uint32_t stride = ts_stride(&s.shape);
  struct ts_edge edge[ROWS];
  uint8_t *row = calloc(ROWS, stride), answer[ROWS];
  uint64_t key[ROWS], ref[ROWS], next = 0;
  struct rows rows = {
      .batch = {.edge = edge, .rows = row, .stride = stride, .n = ROWS, .capacity = ROWS},
      .hash = key,
      .ref = ref,
      .answer = answer};
  double worst = 0;
  while (next < most) {
    for (uint32_t i = 0; i < ROWS; i++, next++) {
      memcpy(row + i * stride, &next, bytes < 8 ? bytes : 8);
      edge[i].length = bytes;
      key[i] = hash_finish(hash_raw(hash, row + i * stride, bytes));
    }
    assert_int_equal(kind->put(work, &rows, 0, ROWS), ROWS);
    kind->usage(store, &usage);
    assert_int_equal(usage.states, next);
    double each = (double)usage.reserved / (double)usage.states;
    if (next >= 1000000 && each > worst)
      worst = each;
  }
  assert_int_equal(usage.reserved, budget_used(budget, BUDGET_STORE));
  print_message("%u bytes packed: at most %.2f bytes per state, allowed %.2f\n", bytes, worst,
                1.4 * (bytes + 8));
  assert_true(worst <= 1.4 * (bytes + 8));
  if (bytes == 5)
    assert_null(kind->check(work));
  kind->end(work);
  kind->close(store);
  hash_close(hash);
  free(row);
  budget_close(budget);
}

static void takes_little_memory(void **state) {
  (void)state;
  enum { TWICE = 2200000 }; /* the bound is kept from a million on: all sizes of a table */
  keep_bound(3, TWICE);
  keep_bound(5, TWICE);
  keep_bound(8, TWICE);
  keep_bound(14, TWICE);
  keep_bound(30, TWICE);
  keep_bound(343, 1400000);
}

/* Of states that come and go only KEPT are there at any time, so that memory must not grow once
 * what was removed was swept away for the first time. */
static void come_and_go(const char *kind, bool fixed) {
  enum { KEPT = 3000, ROUNDS = 30 };
  struct run r = {.recycles = true};
  shapes_bytes(&r.shapes, 24, fixed);
  run_open(&r, kind, 1, 0, 64);
  static uint64_t key[KEPT], ref[KEPT];
  uint64_t full = 0;
  struct store_usage usage;
  for (uint64_t n = 0; n < (uint64_t)KEPT * ROUNDS; n++) {
    uint8_t *row = rows_at(&r.rows, 0);
    uint32_t length = fixed ? 24 : 8 + (uint32_t)(n * 7 % 17);
    memset(row, 0, r.stride);
    memcpy(row, &n, sizeof n);
    r.rows.batch.n = 1;
    r.rows.batch.edge[0].length = length;
    r.key[0] = hash_finish(hash_raw(r.hash, row, length));
    if (n >= KEPT)
      assert_true(r.kind->remove(r.work, ref[n % KEPT], key[n % KEPT]));
    assert_int_equal(r.kind->put(r.work, &r.rows, 0, 1), 1);
    assert_int_equal(r.answer[0], STORE_NEW);
    key[n % KEPT] = r.key[0];
    ref[n % KEPT] = r.ref[0];
    r.kind->usage(r.store, &usage);
    assert_int_equal(usage.states, n < KEPT ? n + 1 : KEPT);
    full = n == 5 * KEPT ? usage.reserved : full;
  }
  if (usage.reserved > full + full / 4)
    fail_msg("%s: %" PRIu64 " bytes, then %" PRIu64, kind, full, usage.reserved);
  run_close(&r);
}

static void uses_places_again(void **state) {
  (void)state;
  for (uint32_t k = 0; k < n_kinds; k++)
    for (uint32_t fixed = 0; fixed < 2; fixed++)
      if (store_by_name(kinds[k])->has & STORE_REMOVES)
        come_and_go(kinds[k], fixed);
}

/* What was swept away is not found, not even where the key of a free number, which is the next
 * free number, is looked for, and all numbers are used again. One chain: hashes are alike. */
static void numbers_of_swept_nodes(void **state) {
  (void)state;
  enum { NODES = 40 };
  const uint64_t live = ~(UINT64_C(1) << 5 | UINT64_C(1) << 9 | UINT64_C(1) << 33);
  struct budget *budget = budget_open(limit);
  struct nodes t;
  nodes_init(&t, 0);
  for (uint64_t key = 100; key < 100 + NODES; key++)
    assert_int_equal(nodes_add(&t, budget, BUDGET_STORE, key, nodes_hash(&t, key)), key - 100);
  assert_true(nodes_sweep(&t, budget, BUDGET_STORE, &live));
  assert_int_equal(t.n_free, 3);
  assert_null(nodes_check(&t));
  for (uint64_t key = 0; key < 100 + NODES; key++) {
    const bool is_there = key >= 100 && (live >> (key - 100) & 1) != 0;
    assert_int_equal(nodes_find(&t, key, nodes_hash(&t, key)),
                     is_there ? key - 100 : NODES_NONE);
  }
  uint64_t used = 0;
  for (uint64_t key = 200; key < 203; key++)
    used |= UINT64_C(1) << nodes_add(&t, budget, BUDGET_STORE, key, nodes_hash(&t, key));
  assert_int_equal(used, ~live);
  assert_int_equal(nodes_add(&t, budget, BUDGET_STORE, 300, nodes_hash(&t, 300)), NODES);
  assert_int_equal(t.n_free, 0);
  assert_null(nodes_check(&t));
  nodes_free(&t, budget, BUDGET_STORE);
  budget_close(budget);
}

static bool is_it(const void *context, uint64_t id) {
  return id == *(const uint64_t *)context;
}

static uint64_t mixed(uint64_t id) {
  return bits_next_random(&id);
}

static void fill_index(struct index *index, struct budget *budget, uint64_t n) {
  assert_true(index_open(index, budget, BUDGET_STORE, false));
  for (uint64_t id = 0; id < n; id++)
    assert_true(index_insert(index, mixed(id), id));
}

INDEX_WIDE static uint64_t find_wide(const struct index *index, uint64_t id, uint64_t *peeked) {
  uint64_t *end, hash = mixed(id);
  bool further = true;
  for (uint32_t reach = 0; further && reach < INDEX_REACH; reach++)
    *peeked = index_peek(index, hash, reach, true, &further);
  return index_find(index, hash, is_it, &id, true, &end);
}

/* Entry `id` is found, with and without wide instructions. */
static void expect_entry(const struct index *index, uint64_t id) {
  uint64_t *end, plain = INDEX_NONE, wide = INDEX_NONE, hash = mixed(id);
  bool further = true;
  assert_int_equal(index_find(index, hash, is_it, &id, false, &end), id);
  for (uint32_t reach = 0; further && reach < INDEX_REACH; reach++)
    plain = index_peek(index, hash, reach, false, &further);
  if (!index->wide)
    return;
  assert_int_equal(find_wide(index, id, &wide), id);
  assert_int_equal(wide, plain);
}

static void index_grows_through_all_sizes(void **state) {
  (void)state;
  struct budget *budget = budget_open(limit);
  struct index index;
  uint64_t checked = 0;
  assert_true(index_open(&index, budget, BUDGET_STORE, false));
  for (uint64_t id = 0; id < 700000; id++) {
    uint64_t homes = index.homes;
    assert_true(index_insert(&index, mixed(id), id));
    if (index.homes == homes)
      continue;
    assert_null(index_check(&index));
    for (uint64_t i = 0; i <= id; i += 1 + id / 1000)
      expect_entry(&index, i);
    checked++;
  }
  assert_true(checked > 20);
  index_close(&index);
  assert_int_equal(budget_used(budget, BUDGET_STORE), 0);
  budget_close(budget);
}

/* The k-th hash with this home. */
static uint64_t hash_at_home(const struct index *index, uint64_t home, uint64_t k) {
  uint64_t hash = (place_least_top(index->width, home) + 4 + k) << 16;
  assert_int_equal(index_home(index, index_top(hash)), home);
  return hash;
}

/* An entry as far from its home as it may be moves back when its home has a hole. */
static void index_fills_holes_from_afar(void **state) {
  (void)state;
  enum { HOME = 5 };
  struct budget *budget = budget_open(limit);
  for (uint64_t reach = 1; reach < INDEX_REACH; reach++) {
    struct index index;
    uint64_t *end, id = 0;
    assert_true(index_open(&index, budget, BUDGET_STORE, false));
    for (uint64_t i = 0; i < reach * INDEX_SLOTS; i++)
      assert_true(index_insert(
          &index, hash_at_home(&index, HOME + i / INDEX_SLOTS, i % INDEX_SLOTS), i));
    uint64_t far = hash_at_home(&index, HOME, INDEX_SLOTS);
    id = reach * INDEX_SLOTS;
    assert_true(index_insert(&index, far, id));
    assert_int_equal(index.bucket[HOME + reach][0], place_slot(&index, index_top(far), id));
    assert_true(index_remove(&index, hash_at_home(&index, HOME, 0), 0));
    assert_null(index_check(&index));
    assert_int_equal(index_find(&index, far, is_it, &id, false, &end), id);
    index_close(&index);
  }
  budget_close(budget);
}

/* Ids far beyond the number of entries: the index makes room for their width. */
static void index_takes_wide_ids(void **state) {
  (void)state;
  struct budget *budget = budget_open(limit);
  struct index index;
  assert_true(index_open(&index, budget, BUDGET_STORE, false));
  for (uint64_t id = 1; id < 100000000; id += id / 20 + 1)
    assert_true(index_insert(&index, mixed(id), id));
  assert_null(index_check(&index));
  for (uint64_t id = 1; id < 100000000; id += id / 20 + 1) {
    assert_true(index_remove(&index, mixed(id), id));
    assert_false(index_remove(&index, mixed(id), id));
  }
  assert_int_equal(index.entries, 0);
  assert_null(index_check(&index));
  index_close(&index);
  budget_close(budget);
}

static uint64_t count_found(const struct index *index, uint64_t n, uint64_t same) {
  uint64_t found = 0, *end;
  for (uint64_t id = 0; id < n; id++)
    found += index_find(index, mixed(id / same), is_it, &id, false, &end) == id;
  return found;
}

/* Hashes of which every four agree, which a sweep finds no place for where it expects
 * to, and no memory for them in the middle of growing: entries are lost, but the index
 * says that memory ran out, and keeps saying so. */
static void index_runs_out_while_growing(void **state) {
  (void)state;
  enum { SAME = 4 };
  struct budget *budget = budget_open(limit);
  uint64_t n_lost = 0;
  for (uint64_t fail = 1; fail <= 3; fail++) {
    struct index index;
    uint64_t id = 0;
    assert_true(index_open(&index, budget, BUDGET_STORE, false));
    while (id < 400000 && index.lost == 0) {
      budget_fail_after(budget, index.entries >= index.grow_at && id > 1000 ? fail : 0);
      bool fits = index_insert(&index, mixed(id / SAME), id);
      budget_fail_after(budget, 0);
      assert_true(fits || index.lost > 0 || fail < 3);
      id += fits;
      if (!fits && index.lost == 0) { /* there is memory again */
        assert_true(index_insert(&index, mixed(id / SAME), id));
        id++;
      }
    }
    assert_null(index_check(&index));
    assert_int_equal(index.entries, id - index.lost);
    assert_int_equal(count_found(&index, id, SAME), index.entries);
    for (uint32_t i = 0; index.lost > 0 && i < 10; i++)
      assert_false(index_insert(&index, mixed(id), id));
    n_lost += index.lost;
    index_close(&index);
  }
  assert_true(n_lost > 0);
  assert_int_equal(budget_used(budget, BUDGET_STORE), 0);
  budget_close(budget);
}

/* Puts state `id`, with a hash that three others have; true if the store answered. */
static bool put_crowded(struct run *r, uint64_t id, uint64_t fail) {
  memcpy(r->rows.batch.rows, &id, sizeof id);
  r->rows.batch.edge[0].length = sizeof id;
  r->key[0] = mixed(id / 4);
  budget_fail_after(r->budget, fail);
  bool answered = r->kind->put(r->work, &r->rows, 0, 1) == 1;
  budget_fail_after(r->budget, 0);
  return answered;
}

/* The index of a store loses states while it grows: none of them is taken for new, each
 * is given back, and the store is sound. */
static void lose_in_the_index(const char *kind) {
  struct run r = {0};
  struct store_usage usage;
  uint64_t id = 0, row = 0, missed = 0;
  bool spent = false;
  shapes_bytes(&r.shapes, sizeof id, true);
  run_open(&r, kind, 1, 0, 0);
  r.rows.batch.n = 1;
  for (; id < 400000 && !spent; id += !spent)
    spent = !put_crowded(&r, id, id > 1000 ? 3 : 0) && !put_crowded(&r, id, 0);
  assert_true(spent);
  assert_null(r.kind->check(r.work));
  r.kind->usage(r.store, &usage);
  assert_int_equal(usage.states, id);
  for (uint64_t i = 0; i < id + 1000; i++) {
    bool answered = put_crowded(&r, i, 0);
    assert_true(!answered || (i < id && r.answer[0] == STORE_OLD && r.ref[0] == i));
    missed += i < id && !answered;
    if (i < id)
      assert_int_equal(r.kind->get(r.work, i, (uint8_t *)&row), sizeof row);
    assert_true(i >= id || row == i);
  }
  assert_true(missed > 0);
  assert_null(r.kind->check(r.work));
  run_close(&r);
}

static void stores_lose_honestly(void **state) {
  (void)state;
  lose_in_the_index("full");
  lose_in_the_index("collapse");
}

/* An automaton of the words "5 i", i from 0 to 2, each damaged in another way. */
static void automaton_check_finds_damage(void **unused) {
  (void)unused;
  for (uint32_t damage = 0; damage < 8; damage++) {
    struct budget *budget = budget_open(limit);
    struct automaton_nodes t;
    uint64_t words = 0;
    assert_true(automaton_nodes_open(&t, budget, UINT64_MAX));
    assert_true(automaton_nodes_reserve(&t, 8, 64));
    uint32_t tail = 0, root;
    for (uint32_t i = 0; i < 3; i++) {
      struct automaton_change c;
      automaton_change(&c, tail ? automaton_node(&t, tail) : NULL, 2 * i, AUTOMATON_WORD);
      uint32_t old = tail;
      tail = automaton_make(&t, old, false, &c, AUTOMATON_WORD);
      automaton_drop(&t, old);
    }
    struct automaton_change c;
    automaton_change(&c, NULL, 5, tail);
    root = automaton_make(&t, 0, false, &c, tail);
    assert_null(automaton_nodes_check(&t, root, &words));
    assert_int_equal(words, 3);
    struct automaton_node *node = automaton_node(&t, tail);
    switch (damage) {
    case 0:
      node->edge[1].low = node->edge[0].low;
      break;
    case 1:
      node->edge[1].child = 1u << 30;
      break;
    case 2:
      node->refs++;
      break;
    case 3:
      node->hash++;
      break;
    case 4:
      node->n--;
      break;
    case 5:
      node->next = tail;
      break;
    case 6:
      t.nodes++;
      break;
    default:
      t.free_units++;
      break;
    }
    assert_non_null(automaton_nodes_check(&t, root, &words));
    automaton_nodes_close(&t);
    budget_close(budget);
  }
}

/* Every kind of damage is found. */
static void check_finds_damage(void **state) {
  (void)state;
  struct budget *budget = budget_open(limit);
  struct index index;
  fill_index(&index, budget, 20000);
  assert_null(index_check(&index));
  uint64_t p = 100;
  while (index.bucket[p][3] == 0)
    p++;
  uint64_t kept = index.bucket[p][1], last = index.bucket[p + 40][0];
  index.bucket[p][1] = 0;
  assert_non_null(index_check(&index));
  index.bucket[p][1] = kept ^ UINT64_C(1) << 63;
  assert_non_null(index_check(&index));
  index.bucket[p][1] = kept;
  assert_null(index_check(&index));
  uint64_t far = p + 41;
  while (index.bucket[far][7] != 0) /* a full one has no room for it */
    far++;
  uint32_t end = 0;
  while (index.bucket[far][end] != 0)
    end++;
  index.bucket[far][end] = last; /* an entry where it does not belong */
  assert_non_null(index_check(&index));
  index.bucket[far][end] = 0;
  index.entries++;
  assert_non_null(index_check(&index));
  index.entries--;
  assert_null(index_check(&index));
  index_close(&index);
  budget_close(budget);
}

/* Every kind has what it declares and what all must have, and what is missing is found. */
static void kinds_are_what_they_say(void **state) {
  (void)state;
  for (uint32_t i = 0; store_kinds[i] != NULL; i++) {
    const char *broken = store_broken(store_kinds[i]);
    if (broken != NULL)
      fail_msg("%s: %s", store_kinds[i]->name, broken);
    assert_ptr_equal(store_by_name(store_kinds[i]->name), store_kinds[i]);
  }
  struct store_kind kind = *store_by_name("full");
  kind.prefetch = NULL;
  assert_string_equal(store_broken(&kind), "prefetch");
  kind = *store_by_name("compact");
  kind.has |= STORE_GETS;
  assert_string_equal(store_broken(&kind), "get");
  kind = *store_by_name("collapse");
  kind.has &= ~(unsigned)STORE_GUESSES;
  assert_string_equal(store_broken(&kind), "guess");
}

/* The first vacant place is found without a walk over all places before it, also where one far
 * in front of it comes and goes: at most four words of the last level are looked at. */
static void finds_vacant_place_at_once(void **state) {
  (void)state;
  static const uint64_t ids[] = {900000, 5, 700000, 64, 1000000};
  struct budget *budget = budget_open(UINT64_C(1) << 26);
  struct vectors vectors = {.fixed = true, .n = UINT64_C(1) << 20};
  struct vacant vacant;
  assert_true(vacant_open(&vacant, &vectors, budget, true));
  for (uint32_t i = 0; i < sizeof ids / sizeof *ids; i++) {
    uint64_t id = UINT64_MAX;
    assert_true(vacant_add(&vacant, ids[i]));
    assert_true(vacant_take(&vacant, 0, &id));
    assert_int_equal(id, ids[i]);
  }
  assert_true(vacant_add(&vacant, 900000));
  for (uint32_t i = 0; i < 1000; i++) {
    uint64_t id = UINT64_MAX;
    assert_true(vacant_add(&vacant, i) && vacant_take(&vacant, 0, &id) && id == i);
    assert_true(vacant_take(&vacant, 0, &id) && id == 900000 && vacant_add(&vacant, id));
  }
  assert_true(vacant.top <= 4);
  vacant_close(&vacant);
  budget_close(budget);
}

/* Argument: only the case of that name; it may contain * and ?. */
int main(int n, char **word) {
  cmocka_set_test_filter(n > 1 ? word[1] : NULL);
  for (uint32_t i = 0; store_kinds[i] != NULL && n_kinds < KINDS_MOST; i++)
    if (store_kinds[i]->has & STORE_EXACT)
      kinds[n_kinds++] = store_kinds[i]->name;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds_are_what_they_say),
      cmocka_unit_test(numbers_of_swept_nodes),
      cmocka_unit_test(index_fills_holes_from_afar),
      cmocka_unit_test(finds_vacant_place_at_once),
      cmocka_unit_test(uses_places_again),
      cmocka_unit_test(index_grows_through_all_sizes),
      cmocka_unit_test(index_takes_wide_ids),
      cmocka_unit_test(check_finds_damage),
      cmocka_unit_test(automaton_check_finds_damage),
      cmocka_unit_test(agrees_with_plain_set),
      cmocka_unit_test(agrees_with_removals),
      cmocka_unit_test(agrees_with_halves),
      cmocka_unit_test(agrees_when_hashes_collide),
      cmocka_unit_test(index_runs_out_while_growing),
      cmocka_unit_test(stores_lose_honestly),
      cmocka_unit_test(refuses_damaged_files),
      cmocka_unit_test(survives_failures),
      cmocka_unit_test(opens_or_says_no),
      cmocka_unit_test(stops_at_the_limit),
      cmocka_unit_test(takes_little_memory),
      cmocka_unit_test(goes_on_as_if_never_stopped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
