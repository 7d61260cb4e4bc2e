/* walk.h - rows to walk along a trail with, and replaying one. */
#ifndef CAIRN_SEARCH_ERROR_WALK_H
#define CAIRN_SEARCH_ERROR_WALK_H

#include "search/search.h"

/* After the rows of the batch there are two more. */
enum { WALK_ROWS = 16, WALK_PARENT = WALK_ROWS, WALK_CHILD, WALK_ROOM };

static inline uint8_t *walk_row(const struct ts_batch *walk, uint32_t i) {
  return walk->rows + i * walk->stride;
}

typedef bool walk_step(void *, uint32_t, const struct ts_edge *, const uint8_t *, uint32_t);

/* Memory for a batch of rows and the two more. False if the budget is exhausted. */
bool walk_open(struct ts_batch *walk, size_t *bytes, const struct ts_shape *, struct budget *);
void walk_close(struct ts_batch *walk, size_t bytes, struct budget *);

/* search_replay() in rows that there are already: the two more. */
bool walk_replay(const struct ts *, const struct search_trail *, struct ts_batch *walk,
                 walk_step *, void *context);

#endif
