/* independence.c - the relation by rows, from read and write sets.
 *
 * Who reads and who writes each slot is turned round once. The row of an action begins
 * full; whoever reads or writes what it writes, and whoever writes what it reads, is
 * taken out. With 20,000 actions two rows take 5 KB.
 */
#include "ts/independence.h"

#include "base/bits.h"

#include <string.h>

struct turned { /* slot -> actions */
  uint32_t *start, *item;
  size_t start_bytes, item_bytes;
};

struct independence {
  const struct ts_shape *shape;
  const uint32_t *rank; /* or NULL */
  struct budget *budget;
  uint32_t words; /* of half a row */
  struct turned readers, writers;
  uint64_t **row; /* by action: the row, and behind it that of those in front */
};

static bool turn(struct independence *ind, const struct ts_rows *rows, struct turned *turned) {
  const struct ts_shape *shape = ind->shape;
  uint32_t n = rows->start == NULL ? 0 : shape->n_actions, end = n > 0 ? rows->start[n] : 0;
  turned->start_bytes = (shape->n_slots + (size_t)3) * sizeof *turned->start;
  turned->item_bytes = (end + (size_t)1) * sizeof *turned->item;
  turned->start = budget_alloc(ind->budget, BUDGET_OTHER, turned->start_bytes);
  turned->item = budget_alloc(ind->budget, BUDGET_OTHER, turned->item_bytes);
  if (turned->start == NULL || turned->item == NULL)
    return false;
  uint32_t *at = turned->start + 1; /* at[s] is where slot s begins, once all are counted */
  for (uint32_t i = 0; i < end; i++)
    at[rows->item[i] + 1]++;
  for (uint32_t s = 1; s < shape->n_slots; s++)
    at[s] += at[s - 1];
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t i = rows->start[a]; i < rows->start[a + 1]; i++)
      turned->item[at[rows->item[i]]++] = a;
  return true; /* each at[s] has come to its end, so start[s] is where s begins */
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
  ind->row =
      budget_alloc(budget, BUDGET_OTHER, (shape->n_actions + (size_t)1) * sizeof *ind->row);
  if (ind->row != NULL && turn(ind, &shape->reads, &ind->readers) &&
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
  size_t bytes = 2 * ind->words * sizeof(uint64_t);
  for (uint32_t a = 0; ind->row != NULL && a < ind->shape->n_actions; a++)
    budget_free(ind->budget, BUDGET_OTHER, ind->row[a], bytes);
  budget_free(ind->budget, BUDGET_OTHER, ind->row,
              (ind->shape->n_actions + (size_t)1) * sizeof *ind->row);
  drop(ind, &ind->readers);
  drop(ind, &ind->writers);
  budget_free(ind->budget, BUDGET_OTHER, ind, sizeof *ind);
}

static void take_out(uint64_t *row, const struct turned *turned, uint32_t slot) {
  for (uint32_t i = turned->start[slot]; i < turned->start[slot + 1]; i++)
    row[turned->item[i] >> 6] &= ~(UINT64_C(1) << (turned->item[i] & 63));
}

/* Of the actions in `row` those in front of `action`. */
static void add_smaller(const struct independence *ind, uint32_t action, const uint64_t *row,
                        uint64_t *smaller) {
  uint32_t word = action >> 6;
  if (ind->rank == NULL) {
    memcpy(smaller, row, word * sizeof *row);
    smaller[word] = row[word] & ((UINT64_C(1) << (action & 63)) - 1);
    return;
  }
  for (uint32_t a = 0; a < ind->shape->n_actions; a++)
    if (bits_test(row, a) && ind->rank[a] < ind->rank[action])
      bits_set(smaller, a);
}

static uint64_t *make_row(struct independence *ind, uint32_t action) {
  const struct ts_shape *shape = ind->shape;
  const struct ts_rows *reads = &shape->reads, *writes = &shape->writes;
  uint32_t words = ind->words;
  uint64_t *row = budget_alloc(ind->budget, BUDGET_OTHER, 2 * words * sizeof *row);
  if (row == NULL)
    return NULL;
  if (reads->start == NULL || writes->start == NULL)
    return row; /* of all zeros: nothing is known, so everything may depend on it */
  memset(row, 0xFF, words * sizeof *row);
  if (shape->n_actions % 64 != 0)
    row[words - 1] = (UINT64_C(1) << shape->n_actions % 64) - 1;
  row[action >> 6] &= ~(UINT64_C(1) << (action & 63));
  for (uint32_t i = writes->start[action]; i < writes->start[action + 1]; i++) {
    take_out(row, &ind->readers, writes->item[i]);
    take_out(row, &ind->writers, writes->item[i]);
  }
  for (uint32_t i = reads->start[action]; i < reads->start[action + 1]; i++)
    take_out(row, &ind->writers, reads->item[i]);
  add_smaller(ind, action, row, row + words);
  return row;
}

const uint64_t *independence_of(struct independence *ind, uint32_t action) {
  if (ind->row[action] == NULL)
    ind->row[action] = make_row(ind, action);
  return ind->row[action];
}

const uint64_t *independence_before(struct independence *ind, uint32_t action) {
  if (__builtin_expect(ind->row[action] == NULL, 0) && independence_of(ind, action) == NULL)
    return NULL;
  return ind->row[action] + ind->words;
}
