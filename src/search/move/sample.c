/* sample.c - opening a store, with some states of the model to fit itself to.
 *
 * For stores that fit themselves to what varies: the first few hundred states in
 * breadth-first order. They are forgotten again, and the search reaches them anew. Where
 * memory is short there is no sample.
 */
#include "search/core.h"

#include <string.h>

enum { SAMPLE_ROWS = 512, SAMPLE_BATCH = 16, SAMPLE_SEEN = 4 * SAMPLE_ROWS };

struct sample {
  struct search *search;
  struct ts_batch *rows;
  struct ts_batch fired;
  uint64_t *seen; /* open table of hashes, 0: free */
};

static bool open_rows(struct search *s, struct ts_batch *rows, size_t *bytes) {
  size_t stride = ts_stride(s->shape);
  *bytes = (SAMPLE_ROWS + SAMPLE_BATCH) * (stride + sizeof(struct ts_edge)) +
           SAMPLE_SEEN * sizeof(uint64_t);
  uint8_t *at = budget_map(s->budget, BUDGET_OTHER, *bytes, false);
  *rows = (struct ts_batch){
      .edge = (struct ts_edge *)(void *)at, .stride = stride, .capacity = SAMPLE_ROWS};
  if (at)
    rows->rows = at + (SAMPLE_ROWS + SAMPLE_BATCH) * sizeof *rows->edge;
  return at != NULL;
}

static void close_rows(struct search *s, struct ts_batch *rows, size_t bytes) {
  if (rows->edge)
    budget_unmap(s->budget, BUDGET_OTHER, rows->edge, bytes);
  rows->edge = NULL;
}

/* Takes a state in if it was not seen yet. A hash that is seen again is taken for that. */
static void take(struct sample *s, const uint8_t *row, const struct ts_edge *edge) {
  uint64_t hash = hash_finish(hash_raw(s->search->hash, row, edge->length)) | 1;
  uint64_t at = hash >> 32;
  while (s->seen[at % SAMPLE_SEEN] != 0 && s->seen[at % SAMPLE_SEEN] != hash)
    at++;
  if (s->seen[at % SAMPLE_SEEN] == hash || s->rows->n == SAMPLE_ROWS)
    return;
  s->seen[at % SAMPLE_SEEN] = hash;
  memcpy(s->rows->rows + s->rows->n * s->rows->stride, row, s->rows->stride);
  s->rows->edge[s->rows->n++] = *edge;
}

static void expand(struct sample *s, uint32_t i) {
  struct ts_event cursor = {0, 0};
  const uint8_t *row = s->rows->rows + i * s->rows->stride;
  bool more = true;
  while (more && s->rows->n < SAMPLE_ROWS) {
    s->fired.n = 0;
    more = ts_code(s->search->ts)
               ->successors(s->search->ts, row, s->rows->edge[i].length, &cursor, NULL,
                            &s->fired) != 0;
    for (uint32_t k = 0; k < s->fired.n; k++)
      if (s->fired.edge[k].kind != TS_MODEL_ERROR)
        take(s, s->fired.rows + k * s->fired.stride, &s->fired.edge[k]);
  }
}

static void fill_rows(struct search *s, struct ts_batch *rows) {
  uint8_t *behind = rows->rows + SAMPLE_ROWS * rows->stride;
  struct sample sample = {.search = s, .rows = rows};
  sample.fired = (struct ts_batch){.edge = rows->edge + SAMPLE_ROWS,
                                   .rows = behind,
                                   .stride = rows->stride,
                                   .capacity = SAMPLE_BATCH};
  sample.seen = (uint64_t *)(void *)(behind + SAMPLE_BATCH * rows->stride);
  for (uint32_t which = 0; which < s->shape->n_initial && rows->n < SAMPLE_ROWS; which++) {
    memset(behind, 0, rows->stride);
    struct ts_edge edge = {.length = ts_code(s->ts)->initial(s->ts, which, behind)};
    take(&sample, behind, &edge);
  }
  for (uint32_t i = 0; i < rows->n && rows->n < SAMPLE_ROWS; i++)
    expand(&sample, i);
}

bool search_open_store(struct worker *w, const struct store_kind *kind,
                       const struct store_config *asked, struct store **opened,
                       struct store_work **work) {
  struct search *s = w->search;
  struct store_config config = *asked;
  struct ts_batch sample;
  s->store_config = *asked;
  size_t bytes;
  config.shape = s->shape;
  config.budget = s->budget;
  config.bits = s->store_bits;
  bool sampled = kind->samples && open_rows(s, &sample, &bytes);
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
