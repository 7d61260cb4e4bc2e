/* independence.c - the relation by rows, from read and write sets.
 *
 * Who reads and who writes each item of the sets (a slot, or a group of slots) is turned
 * round once. The row of an action begins full; whoever reads or writes what it writes, and
 * whoever writes what it reads, is taken out: the actions with such a slot, those with a
 * group that has one, and those with a group that shares a slot with one of its own groups.
 *
 * With 20,000 actions two rows take 5 KB. Rows are the only thing here that grows with the
 * square of the actions, so no more than a part of the budget is kept of them: a row that was
 * made long ago makes room for a new one, and is made again when it is asked for.
 */
#include "ts/independence.h"

#include "ts/sets.h"

#include "base/bits.h"

#include <string.h>

#define ROWS_LEAST 64u /* rows that are kept, however long they are; */
#define ROWS_PART  32u /* beyond that, one part in that many of the budget */

struct turned { /* item -> actions */
  uint32_t *start, *item;
  size_t start_bytes, item_bytes;
};

struct independence {
  const struct ts_shape *shape;
  const uint32_t *rank; /* or NULL */
  struct budget *budget;
  uint32_t words; /* of half a row */
  struct turned readers, writers;
  uint64_t **row; /* by action: the row, and after it that of those in front; or NULL */
  uint32_t *kept; /* a ring of the actions whose rows are there, the oldest at n_made */
  uint32_t n_kept, n_made, most;
};

static uint32_t n_items(const struct ts_shape *shape) {
  return shape->n_slots + shape->n_groups;
}

static bool turn(struct independence *ind, const struct ts_rows *rows, struct turned *turned) {
  const struct ts_shape *shape = ind->shape;
  uint32_t n = rows->start == NULL ? 0 : shape->n_actions, end = n > 0 ? rows->start[n] : 0;
  turned->start_bytes = (n_items(shape) + (size_t)3) * sizeof *turned->start;
  turned->item_bytes = (end + (size_t)1) * sizeof *turned->item;
  turned->start = budget_alloc(ind->budget, BUDGET_OTHER, turned->start_bytes);
  turned->item = budget_alloc(ind->budget, BUDGET_OTHER, turned->item_bytes);
  if (turned->start == NULL || turned->item == NULL)
    return false;
  uint32_t *at = turned->start + 1; /* at[s] is where item s begins, once all are counted */
  for (uint32_t i = 0; i < end; i++)
    at[rows->item[i] + 1]++;
  for (uint32_t s = 1; s < n_items(shape); s++)
    at[s] += at[s - 1];
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t i = rows->start[a]; i < rows->start[a + 1]; i++)
      turned->item[at[rows->item[i]]++] = a;
  return true; /* each at[s] has come to its end, so start[s] is where s begins */
}

static size_t row_bytes(const struct independence *ind) {
  return 2 * ind->words * sizeof(uint64_t);
}

static uint32_t most_rows(const struct independence *ind) {
  uint64_t most = budget_limit(ind->budget) / ROWS_PART / (row_bytes(ind) + 1);
  most = most < ROWS_LEAST ? ROWS_LEAST : most;
  return most < ind->shape->n_actions ? (uint32_t)most : ind->shape->n_actions;
}

struct independence *independence_open(const struct ts_shape *shape, const uint32_t *rank,
                                       struct budget *budget) {
  struct independence *ind = budget_alloc(budget, BUDGET_OTHER, sizeof *ind);
  if (ind == NULL)
    return NULL;
  ind->shape = shape;
  ind->rank = rank;
  ind->budget = budget;
  ind->words = BITS_WORDS(shape->n_actions);
  ind->most = most_rows(ind);
  ind->row =
      budget_alloc(budget, BUDGET_OTHER, (shape->n_actions + (size_t)1) * sizeof *ind->row);
  ind->kept = budget_alloc(budget, BUDGET_OTHER, (ind->most + (size_t)1) * sizeof *ind->kept);
  if (ind->row != NULL && ind->kept != NULL && turn(ind, &shape->reads, &ind->readers) &&
      turn(ind, &shape->writes, &ind->writers))
    return ind;
  independence_close(ind);
  return NULL;
}

static void drop(struct independence *ind, struct turned *turned) {
  budget_free(ind->budget, BUDGET_OTHER, turned->start, turned->start_bytes);
  budget_free(ind->budget, BUDGET_OTHER, turned->item, turned->item_bytes);
}

void independence_close(struct independence *ind) {
  if (ind == NULL)
    return;
  for (uint32_t a = 0; ind->row != NULL && a < ind->shape->n_actions; a++)
    budget_free(ind->budget, BUDGET_OTHER, ind->row[a], row_bytes(ind));
  budget_free(ind->budget, BUDGET_OTHER, ind->row,
              (ind->shape->n_actions + (size_t)1) * sizeof *ind->row);
  budget_free(ind->budget, BUDGET_OTHER, ind->kept,
              (ind->most + (size_t)1) * sizeof *ind->kept);
  drop(ind, &ind->readers);
  drop(ind, &ind->writers);
  budget_free(ind->budget, BUDGET_OTHER, ind, sizeof *ind);
}

/* ---- rows ---------------------------------------------------------------------------- */

static void take_out(uint64_t *row, const struct turned *turned, uint32_t item) {
  for (uint32_t i = turned->start[item]; i < turned->start[item + 1]; i++)
    row[turned->item[i] >> 6] &= ~(UINT64_C(1) << (turned->item[i] & 63));
}

static bool is_used(const struct turned *turned, uint32_t item) {
  return turned->start[item] < turned->start[item + 1];
}

static bool group_meets(const struct ts_shape *shape, uint32_t group, uint32_t item) {
  return item < shape->n_slots ? sets_group_has(shape, group, item)
                               : sets_groups_meet(shape, group, item - shape->n_slots);
}

/* All actions that have a slot of `item`. */
static void take_out_all(const struct independence *ind, uint64_t *row,
                         const struct turned *turned, uint32_t item) {
  const struct ts_shape *shape = ind->shape;
  if (item < shape->n_slots) {
    take_out(row, turned, item);
  } else {
    uint32_t g = item - shape->n_slots;
    for (uint32_t k = shape->group_start[g]; k < shape->group_start[g + 1]; k++)
      for (uint32_t i = 0; i < shape->group[k].n; i++)
        take_out(row, turned, shape->group[k].first + i);
  }
  for (uint32_t g = 0; g < shape->n_groups; g++)
    if (is_used(turned, shape->n_slots + g) && group_meets(shape, g, item))
      take_out(row, turned, shape->n_slots + g);
}

/* Of the actions in `row` those in front of `action`. */
static void add_smaller(const struct independence *ind, uint32_t action, const uint64_t *row,
                        uint64_t *smaller) {
  uint32_t word = action >> 6;
  if (ind->rank == NULL) {
    memcpy(smaller, row, word * sizeof *row);
    smaller[word] = row[word] & bits_lowest(action & 63);
    return;
  }
  for (uint32_t a = 0; a < ind->shape->n_actions; a++)
    if (bits_test(row, a) && ind->rank[a] < ind->rank[action])
      bits_set(smaller, a);
}

static void fill_row(const struct independence *ind, uint32_t action, uint64_t *row) {
  const struct ts_shape *shape = ind->shape;
  const struct ts_rows *reads = &shape->reads, *writes = &shape->writes;
  if (reads->start == NULL || writes->start == NULL)
    return; /* all zeros: nothing is known, so everything may depend on it */
  memset(row, 0xFF, ind->words * sizeof *row);
  if (shape->n_actions % 64 != 0)
    row[ind->words - 1] = bits_lowest(shape->n_actions % 64);
  bits_clear(row, action);
  for (uint32_t i = writes->start[action]; i < writes->start[action + 1]; i++) {
    take_out_all(ind, row, &ind->readers, writes->item[i]);
    take_out_all(ind, row, &ind->writers, writes->item[i]);
  }
  for (uint32_t i = reads->start[action]; i < reads->start[action + 1]; i++)
    take_out_all(ind, row, &ind->writers, reads->item[i]);
  add_smaller(ind, action, row, row + ind->words);
}

/* A row of zeros: the oldest one where there are enough, else a new one; NULL: no memory. */
static uint64_t *room_for(struct independence *ind, uint32_t action) {
  uint64_t *row = NULL;
  if (ind->n_kept < ind->most)
    row = budget_alloc(ind->budget, BUDGET_OTHER, row_bytes(ind));
  if (row != NULL) {
    ind->kept[ind->n_kept++] = action;
    return row;
  }
  if (ind->n_kept < ROWS_LEAST)
    return NULL;
  uint32_t *oldest = &ind->kept[ind->n_made++ % ind->n_kept];
  row = ind->row[*oldest];
  ind->row[*oldest] = NULL;
  *oldest = action;
  memset(row, 0, row_bytes(ind));
  return row;
}

const uint64_t *independence_of(struct independence *ind, uint32_t action) {
  if (ind->row[action] != NULL)
    return ind->row[action];
  uint64_t *row = room_for(ind, action);
  if (row != NULL)
    fill_row(ind, action, row);
  return ind->row[action] = row;
}

const uint64_t *independence_before(struct independence *ind, uint32_t action) {
  if (__builtin_expect(ind->row[action] == NULL, 0) && independence_of(ind, action) == NULL)
    return NULL;
  return ind->row[action] + ind->words;
}
