/* toy.c - breadth-first search over a plain array of states.
 *
 * All states ever seen are in one array, in the order in which they were reached.
 * Those before `next` are expanded, those after it are open: the array is the
 * set of visited states and the queue at once. A table of numbers finds a state
 * again. That is all there is to explicit-state model checking; everything in
 * src/ is there to do the same with less memory and in less time.
 */
#include "toy.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 32 };

struct toy {
  const struct ts *ts;
  struct toy_result *result;
  uint64_t stride, n, room; /* states, and room for them in the arrays */
  uint8_t *state;
  uint32_t *length;
  uint64_t *depth, *slot; /* slot: 2 * room numbers of states plus one, 0: free */
  bool failed;
};

static uint64_t hash(const uint8_t *bytes, uint32_t length) {
  uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */
  for (uint32_t i = 0; i < length; i++)
    h = (h ^ bytes[i]) * UINT64_C(1099511628211);
  return h ^ h >> 29;
}

/* Where a state is in the table, or the free slot where it would. */
static uint64_t *find(struct toy *toy, const uint8_t *row, uint32_t length) {
  uint64_t at = hash(row, length) % (2 * toy->room);
  for (; toy->slot[at] != 0; at = (at + 1) % (2 * toy->room)) {
    uint64_t id = toy->slot[at] - 1;
    if (toy->length[id] == length && !memcmp(toy->state + id * toy->stride, row, length))
      break;
  }
  return &toy->slot[at];
}

static void grow(struct toy *toy) {
  toy->room = toy->room == 0 ? 1024 : 2 * toy->room;
  toy->state = realloc(toy->state, toy->room * toy->stride);
  toy->length = realloc(toy->length, toy->room * sizeof *toy->length);
  toy->depth = realloc(toy->depth, toy->room * sizeof *toy->depth);
  free(toy->slot);
  toy->slot = calloc(2 * toy->room, sizeof *toy->slot);
  toy->failed = !toy->state || !toy->length || !toy->depth || !toy->slot;
  for (uint64_t id = 0; id < toy->n && !toy->failed; id++)
    *find(toy, toy->state + id * toy->stride, toy->length[id]) = id + 1;
}

static void error(struct toy *toy, uint64_t depth) {
  toy->result->errors++;
  if (depth < toy->result->shortest)
    toy->result->shortest = depth;
}

/* A state was reached by a run of `depth` events: is it new, and is it fine?
 * Returns the depth at which it was first reached. */
static uint64_t reach(struct toy *toy, const uint8_t *row, uint32_t length, uint64_t depth) {
  if (toy->n == toy->room)
    grow(toy);
  if (toy->failed)
    return depth;
  uint64_t *slot = find(toy, row, length);
  if (*slot != 0) {
    toy->result->matched++;
    return toy->depth[*slot - 1];
  }
  memcpy(toy->state + toy->n * toy->stride, row, toy->stride);
  toy->length[toy->n] = length;
  toy->depth[toy->n] = depth;
  *slot = ++toy->n;
  uint32_t n = toy->ts->shape->n_properties, fault = TS_NONE;
  for (uint32_t p = 0; p < n; p++)
    if ((p = ts_code(toy->ts)->violated(toy->ts, row, length, p, &fault)) < n)
      error(toy, depth);
  return depth;
}

/* Fires all events of state `id`. */
static void expand(struct toy *toy, uint64_t id, struct ts_batch *batch,
                   bool deadlock_is_error) {
  struct toy_result *result = toy->result;
  struct ts_event cursor = {0, 0};
  uint64_t depth = toy->depth[id], fired = 0;
  for (bool more = true; more;) {
    batch->n = 0;
    more = ts_code(toy->ts)->successors(toy->ts, toy->state + id * toy->stride, toy->length[id],
                                        &cursor, NULL, batch);
    fired += batch->n;
    for (uint32_t i = 0; i < batch->n && !toy->failed; i++) {
      if (batch->edge[i].kind != TS_FINE)
        error(toy, depth + 1);
      if (batch->edge[i].kind == TS_MODEL_ERROR)
        continue;
      uint64_t old = toy->n;
      uint64_t at =
          reach(toy, batch->rows + i * batch->stride, batch->edge[i].length, depth + 1);
      if (toy->n > old || at > depth)
        continue;
      result->back_level_edges++;
      if (depth - at > result->longest_back_level_edge)
        result->longest_back_level_edge = depth - at;
    }
  }
  result->events += fired;
  result->deadlocks += fired == 0;
  if (fired == 0 && deadlock_is_error)
    error(toy, depth);
}

static void count_levels(struct toy *toy) {
  for (uint64_t id = 0, width = 0; id < toy->n; id++) {
    width = id > 0 && toy->depth[id] == toy->depth[id - 1] ? width + 1 : 1;
    toy->result->levels = toy->depth[id] + 1;
    if (width > toy->result->widest_level)
      toy->result->widest_level = width;
  }
}

bool toy_check(const struct ts *ts, bool deadlock_is_error, struct toy_result *result) {
  *result = (struct toy_result){.shortest = TOY_NONE};
  struct toy toy = {.ts = ts, .result = result, .stride = ts_stride(ts->shape)};
  struct ts_edge edge[BATCH];
  uint8_t *rows = calloc(BATCH, toy.stride);
  struct ts_batch batch = {.edge = edge, .rows = rows, .stride = toy.stride, .capacity = BATCH};
  toy.failed = rows == NULL;
  for (uint32_t i = 0; i < ts->shape->n_initial && !toy.failed; i++) {
    memset(rows, 0, toy.stride);
    reach(&toy, rows, ts_code(ts)->initial(ts, i, rows), 0);
  }
  for (uint64_t next = 0; next < toy.n && !toy.failed; next++)
    expand(&toy, next, &batch, deadlock_is_error);
  result->states = toy.n;
  count_levels(&toy);
  free(rows);
  free(toy.state);
  free(toy.length);
  free(toy.depth);
  free(toy.slot);
  return !toy.failed;
}
