/* search_store.c - a store of one array and one table, for tests of the search. */
#include "search_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct store {
  struct store_work work;
  struct store_config config;
  uint64_t n, room, stride;
  uint8_t *row;
  uint32_t *length;
  uint64_t *slot; /* id + 1 */
};

static void plain_close(struct store *s) {
  struct budget *budget = s->config.budget;
  budget_free(budget, BUDGET_STORE, s->row, s->room * s->stride);
  budget_free(budget, BUDGET_STORE, s->length, s->room * sizeof *s->length);
  budget_free(budget, BUDGET_STORE, s->slot, 2 * s->room * sizeof *s->slot);
  budget_free(budget, BUDGET_STORE, s, sizeof *s);
}

static struct store *plain_open(const struct store_config *config) {
  struct store *s = budget_alloc(config->budget, BUDGET_STORE, sizeof *s);
  if (s == NULL)
    return NULL;
  s->work.store = s;
  s->config = *config;
  s->stride = ts_stride(config->shape);
  return s;
}

static struct store_work *plain_begin(struct store *s) {
  return &s->work;
}

static void plain_end(struct store_work *work) {
  (void)work;
}

static uint64_t *plain_slot(struct store *s, const uint8_t *row, uint32_t length,
                            uint64_t hash) {
  uint64_t at = hash % (2 * s->room);
  for (; s->slot[at] != 0; at = (at + 1) % (2 * s->room)) {
    uint64_t id = s->slot[at] - 1;
    if (s->length[id] == length && memcmp(s->row + id * s->stride, row, s->stride) == 0)
      break;
  }
  return &s->slot[at];
}

/* The plain store forgets hashes, so it makes its own. */
static uint64_t plain_hash(const struct store *s, const uint8_t *row) {
  uint64_t hash = 1;
  for (uint64_t i = 0; i < s->stride; i += 8) {
    uint64_t word;
    memcpy(&word, row + i, 8);
    hash = graph_mix(hash, word, i);
  }
  return hash;
}

static bool plain_grow(struct store *s) {
  struct budget *budget = s->config.budget;
  struct store next = *s;
  next.room = s->room == 0 ? 16 : 2 * s->room;
  next.row = budget_alloc(budget, BUDGET_STORE, next.room * s->stride);
  next.length = budget_alloc(budget, BUDGET_STORE, next.room * sizeof *s->length);
  next.slot = budget_alloc(budget, BUDGET_STORE, 2 * next.room * sizeof *s->slot);
  bool fine = next.row != NULL && next.length != NULL && next.slot != NULL;
  struct store old = fine ? *s : next;
  if (fine) {
    if (s->n > 0) {
      memcpy(next.row, s->row, s->n * s->stride);
      memcpy(next.length, s->length, s->n * sizeof *s->length);
    }
    *s = next;
    for (uint64_t id = 0; id < s->n; id++) {
      const uint8_t *row = s->row + id * s->stride;
      *plain_slot(s, row, s->length[id], plain_hash(s, row)) = id + 1;
    }
  }
  budget_free(budget, BUDGET_STORE, old.row, old.room * s->stride);
  budget_free(budget, BUDGET_STORE, old.length, old.room * sizeof *s->length);
  budget_free(budget, BUDGET_STORE, old.slot, 2 * old.room * sizeof *s->slot);
  return fine;
}

/* Equal states must come with equal hashes; others may not, as far as seen here. */
static void check_hash(const struct ts_batch *batch, const uint64_t *hash, uint32_t i,
                       uint32_t from) {
  for (uint32_t j = from; j < i; j++)
    assert_true((hash[i] == hash[j]) ==
                (memcmp(batch->rows + i * batch->stride, batch->rows + j * batch->stride,
                        batch->stride) == 0));
}

static uint32_t plain_put(struct store_work *work, struct rows *rows, uint32_t from,
                          uint32_t to) {
  struct store *s = work->store;
  const struct ts_batch *batch = &rows->batch;
  for (uint32_t i = from; i < to; i++) {
    const uint8_t *row = rows_at(rows, i);
    check_hash(batch, rows->hash, i, from);
    if (s->n == s->room && !plain_grow(s))
      return i;
    uint64_t *slot = plain_slot(s, row, batch->edge[i].length, plain_hash(s, row));
    rows->answer[i] = *slot == 0;
    if (*slot == 0) {
      memcpy(s->row + s->n * s->stride, row, s->stride);
      s->length[s->n] = batch->edge[i].length;
      *slot = ++s->n;
    }
    rows->ref[i] = *slot - 1;
  }
  return to;
}

static void plain_find(struct store_work *work, struct rows *rows, uint32_t from, uint32_t to) {
  struct store *s = work->store;
  const struct ts_batch *batch = &rows->batch;
  for (uint32_t i = from; i < to; i++) {
    const uint8_t *row = rows_at(rows, i);
    uint64_t none = 0;
    uint64_t *slot =
        s->room == 0 ? &none : plain_slot(s, row, batch->edge[i].length, plain_hash(s, row));
    rows->answer[i] = *slot == 0;
    rows->ref[i] = *slot - 1;
  }
}

static void plain_prefetch(const struct store_work *work, const uint64_t *hash, uint32_t n) {
  (void)work;
  (void)hash;
  (void)n;
}

static uint32_t plain_get(struct store_work *work, uint64_t ref, uint8_t *row) {
  const struct store *s = work->store;
  assert_true(ref < s->n);
  memcpy(row, s->row + ref * s->stride, s->stride);
  return s->length[ref];
}

static void plain_usage(const struct store *s, struct store_usage *usage) {
  *usage = (struct store_usage){.states = s->n};
}

static const char *plain_check(struct store_work *work) {
  (void)work;
  return NULL;
}

const struct store_kind store_plain = {.name = "plain",
                                       .has = STORE_EXACT | STORE_IDS | STORE_GETS,
                                       .open = plain_open,
                                       .close = plain_close,
                                       .begin = plain_begin,
                                       .end = plain_end,
                                       .put = plain_put,
                                       .find = plain_find,
                                       .prefetch = plain_prefetch,
                                       .get = plain_get,
                                       .usage = plain_usage,
                                       .check = plain_check};

/* The same, but it neither numbers its states nor gives them back. */
const struct store_kind store_blind = {.name = "blind",
                                       .has = STORE_EXACT,
                                       .open = plain_open,
                                       .close = plain_close,
                                       .begin = plain_begin,
                                       .end = plain_end,
                                       .put = plain_put,
                                       .find = plain_find,
                                       .prefetch = plain_prefetch,
                                       .usage = plain_usage,
                                       .check = plain_check};
