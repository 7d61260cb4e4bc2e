/* sample.c - opening a store, with some states of the model to fit itself to.
 *
 * For stores that fit themselves to what varies, as many states as the kind of store asks for,
 * fewer where they are long or memory is short: the first ones in breadth-first order and, of
 * a large sample, in the second half those of a random walk. The first states of a model with
 * thousands of levels show little of what varies later; those of a walk alone, too few of what
 * is possible together. The walk goes on from a state of the sample when it comes to an end or
 * finds nothing new, and only every fourth of its states is taken, for neighbours are alike.
 * States of a sample are forgotten again, and the search reaches them anew.
 */
#include "search/core.h"

#include "base/bits.h"

#include <string.h>

enum {
  SAMPLE_LEAST = 512,     /* states, however long */
  SAMPLE_BYTES = 4 << 20, /* of the others */
  SAMPLE_BATCH = 16,
  SAMPLE_SLOTS = 4, /* of the table for each state */
  SAMPLE_WALK = 2,  /* rows of a walk: the state, and its successor */
  SAMPLE_EVERY = 4, /* state of a walk is taken */
  SAMPLE_DULL = 16  /* taken ones that were old, and it goes on elsewhere */
};

struct sample {
  struct search *search;
  struct ts_batch *rows;
  struct ts_batch fired;
  uint64_t *seen; /* open table of hashes, 0: free */
  uint64_t mask;  /* of its places */
  uint32_t most;  /* rows, for now */
  uint64_t random;
};

static size_t bytes_for(const struct search *s, uint32_t rows) {
  return (rows + SAMPLE_BATCH + SAMPLE_WALK) *
             (size_t)(ts_stride(s->shape) + sizeof(struct ts_edge)) +
         rows * SAMPLE_SLOTS * sizeof(uint64_t);
}

/* Room for that many states, a power of two, or for fewer. */
static bool open_rows(struct search *s, struct ts_batch *rows, uint32_t most, size_t *bytes) {
  uint8_t *at = NULL;
  while (most > SAMPLE_LEAST && bytes_for(s, most) > SAMPLE_BYTES)
    most /= 2;
  for (; at == NULL && most >= SAMPLE_LEAST; most = most > SAMPLE_LEAST ? SAMPLE_LEAST : 0) {
    *bytes = bytes_for(s, most);
    at = budget_map(s->budget, BUDGET_OTHER, *bytes, false);
    rows->capacity = most;
  }
  rows->edge = (struct ts_edge *)(void *)at;
  rows->stride = ts_stride(s->shape);
  if (at != NULL)
    rows->rows = at + (rows->capacity + SAMPLE_BATCH + SAMPLE_WALK) * sizeof *rows->edge;
  return at != NULL;
}

static void close_rows(struct search *s, struct ts_batch *rows, size_t bytes) {
  if (rows->edge)
    budget_unmap(s->budget, BUDGET_OTHER, rows->edge, bytes);
  rows->edge = NULL;
}

/* Takes a state in if it was not seen yet; false: it was. A hash that is seen again is taken
 * for that. */
static bool take(struct sample *s, const uint8_t *row, const struct ts_edge *edge) {
  uint64_t hash = hash_finish(hash_raw(s->search->hash, row, edge->length)) | 1;
  uint64_t at = hash >> 32;
  while (s->seen[at & s->mask] != 0 && s->seen[at & s->mask] != hash)
    at++;
  if (s->seen[at & s->mask] == hash || s->rows->n == s->most)
    return false;
  s->seen[at & s->mask] = hash;
  memcpy(s->rows->rows + s->rows->n * s->rows->stride, row, s->rows->stride);
  s->rows->edge[s->rows->n++] = *edge;
  return true;
}

static void expand(struct sample *s, uint32_t i) {
  struct ts_event cursor = {0, 0};
  const uint8_t *row = s->rows->rows + i * s->rows->stride;
  bool more = true;
  while (more && s->rows->n < s->most) {
    s->fired.n = 0;
    more = ts_code(s->search->ts)
               ->successors(s->search->ts, row, s->rows->edge[i].length, &cursor, NULL,
                            &s->fired) != 0;
    for (uint32_t k = 0; k < s->fired.n; k++)
      if (s->fired.edge[k].kind != TS_MODEL_ERROR)
        take(s, s->fired.rows + k * s->fired.stride, &s->fired.edge[k]);
  }
}

/* A successor in `row`, each as likely; false: there is none. */
static bool step(struct sample *s, const uint8_t *state, struct ts_edge *edge, uint8_t *row) {
  struct ts_event cursor = {0, 0};
  uint64_t count = 0;
  uint32_t length = edge->length;
  bool more = true;
  while (more) {
    s->fired.n = 0;
    more = ts_code(s->search->ts)
               ->successors(s->search->ts, state, length, &cursor, NULL, &s->fired) != 0;
    for (uint32_t k = 0; k < s->fired.n; k++) {
      if (s->fired.edge[k].kind == TS_MODEL_ERROR ||
          (bits_next_random(&s->random) >> 32) * ++count >> 32 != 0)
        continue;
      memcpy(row, s->fired.rows + k * s->fired.stride, s->fired.stride);
      *edge = s->fired.edge[k];
    }
  }
  return count > 0;
}

/* Goes on from any of the states taken. */
static void jump(struct sample *s, uint8_t *row, struct ts_edge *edge) {
  uint32_t i = (uint32_t)((bits_next_random(&s->random) >> 32) * s->rows->n >> 32);
  memcpy(row, s->rows->rows + i * s->rows->stride, s->rows->stride);
  *edge = s->rows->edge[i];
}

static void walk(struct sample *s) {
  uint8_t *here = s->fired.rows + SAMPLE_BATCH * s->fired.stride;
  uint8_t *next = here + s->fired.stride;
  struct ts_edge edge;
  uint32_t most = 2 * SAMPLE_EVERY * (s->most - s->rows->n), dull = 0;
  jump(s, here, &edge);
  for (uint32_t i = 1; i <= most && s->rows->n < s->most; i++) {
    bool ended = !step(s, here, &edge, next);
    uint8_t *last = here;
    here = ended ? here : next;
    next = ended ? next : last;
    if (!ended && i % SAMPLE_EVERY == 0)
      dull = take(s, here, &edge) ? 0 : dull + 1;
    if (ended || dull > SAMPLE_DULL) {
      jump(s, here, &edge);
      dull = 0;
    }
  }
}

static void fill_rows(struct search *s, struct ts_batch *rows) {
  uint8_t *after = rows->rows + rows->capacity * rows->stride;
  struct sample sample = {.search = s, .rows = rows, .mask = rows->capacity * SAMPLE_SLOTS - 1};
  sample.fired = (struct ts_batch){.edge = rows->edge + rows->capacity,
                                   .rows = after,
                                   .stride = rows->stride,
                                   .capacity = SAMPLE_BATCH};
  sample.seen = (uint64_t *)(void *)(after + (SAMPLE_BATCH + SAMPLE_WALK) * rows->stride);
  sample.most = rows->capacity > SAMPLE_LEAST ? rows->capacity / 2 : rows->capacity;
  for (uint32_t which = 0; which < s->shape->n_initial && rows->n < sample.most; which++) {
    memset(after, 0, rows->stride);
    struct ts_edge edge = {.length = ts_code(s->ts)->initial(s->ts, which, after)};
    take(&sample, after, &edge);
  }
  for (uint32_t i = 0; i < rows->n && rows->n < sample.most; i++)
    expand(&sample, i);
  if (rows->n == sample.most && sample.most < rows->capacity) {
    sample.most = rows->capacity;
    walk(&sample);
  }
}

bool search_open_store(struct worker *w, const struct store_kind *kind,
                       const struct store_config *asked, struct store **opened,
                       struct store_work **work) {
  struct search *s = w->search;
  struct store_config config = *asked;
  struct ts_batch sample = {.n = 0};
  s->store_config = *asked;
  size_t bytes;
  config.shape = s->shape;
  config.budget = s->budget;
  config.bits = kind->has & STORE_KEEPS_BITS ? s->store_bits : 0;
  config.ts = s->ts;
  config.hash = s->hash;
  bool sampled = kind->samples > 0 && open_rows(s, &sample, kind->samples, &bytes);
  if (sampled) {
    fill_rows(s, &sample);
    config.sample = &sample;
  }
  *opened = kind->open(&config);
  if (sampled)
    close_rows(s, &sample, bytes);
  *work = *opened == NULL ? NULL : kind->begin(*opened);
  if (*opened != NULL && *work == NULL) {
    kind->close(*opened);
    *opened = NULL;
  }
  return *opened != NULL;
}
