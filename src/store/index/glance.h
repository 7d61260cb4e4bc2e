/* glance.h - which entries rows most likely are, from the index alone.
 *
 * For stores whose index (index.h) shows by a tag who is looked for: all rows' buckets are
 * looked at before any entry is, so that the ways from memory overlap, and what is to be
 * prefetched next is gathered in lists, for whether a tag is found no processor can predict.
 */
#ifndef CAIRN_STORE_INDEX_GLANCE_H
#define CAIRN_STORE_INDEX_GLANCE_H

#include "store/index/index.h"

#define GLANCE_ROWS 128u

/* What is known about some rows of a batch, by their place after the first. */
struct glance {
  uint32_t n_likely, n_on;
  uint32_t likely[GLANCE_ROWS], on[GLANCE_ROWS];
  uint64_t id[GLANCE_ROWS]; /* of likely[k] */
  uint64_t hash[GLANCE_ROWS];
};

/* Of rows row[0 .. n), or of the first n, those whose tag is in the bucket `reach`
 * after their home become likely; those of which this bucket is full without it go on
 * to the next. */
INDEX_INLINE void glance_at(const struct index *index, struct glance *g, const uint32_t *row,
                            uint32_t n, uint32_t reach, bool wide) {
  uint32_t likely = g->n_likely, on = 0;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t i = row ? row[k] : k;
    bool further;
    uint64_t id = index_peek(index, g->hash[i], reach, wide, &further);
    g->likely[likely] = i;
    g->id[likely] = id;
    likely += id != INDEX_NONE;
    g->on[on] = i;
    on += further;
  }
  g->n_likely = likely;
  g->n_on = on;
}

/* The same for n rows, at all buckets within reach. */
INDEX_INLINE void glance_rows(const struct index *index, uint32_t n, struct glance *g,
                              bool wide) {
  g->n_likely = 0;
  glance_at(index, g, NULL, n, 0, wide);
  for (uint32_t reach = 1; g->n_on > 0 && reach < INDEX_REACH; reach++) {
    for (uint32_t k = 0; k < g->n_on; k++)
      index_prefetch_on(index, g->hash[g->on[k]], reach);
    glance_at(index, g, g->on, g->n_on, reach, wide);
  }
}

/* The first entry with a row's tag, or INDEX_NONE. With branches, which let the processor go
 * on with the next rows while it waits for a bucket: of the few rows of a depth-first
 * search no others are in flight. */
INDEX_INLINE uint64_t glance_one(const struct index *index, uint64_t hash, bool wide) {
  bool further = true;
  uint64_t id = INDEX_NONE;
  for (uint32_t reach = 0; further && id == INDEX_NONE && reach < INDEX_REACH; reach++)
    id = index_peek(index, hash, reach, wide, &further);
  return id;
}

#endif
