/* arrange.c - units that depend on each other are brought together.
 *
 * How much two units tell about each other is their mutual information in the sample,
 *
 *     I(a, b) = H(a) + H(b) - H(a, b),
 *
 * less what as many independent values would show by chance in so few rows, (|a| - 1)(|b| - 1)
 * / (2 n ln 2) bits (Miller, "Note on the bias of information estimates", 1955). Clusters are
 * joined, those first whose units have the greatest mean of it (average linkage: Sokal and
 * Michener, 1958), and each cluster's units stay side by side. So element i of an array is
 * beside the process that it belongs to, however far apart the two are in the state vector, and
 * whether or not the program text says so.
 */
#include "store/parts/arrange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ARRANGE_ROWS = 512, ARRANGE_SLOTS = 2 * ARRANGE_ROWS };

struct ranked {
  uint32_t unit, values;
  double entropy;
};

struct arrange {
  const struct vary *vary;
  uint32_t n, rows, step;
  struct ranked *ranked;          /* [n] */
  uint16_t *id;                   /* [n * rows]: the value's number among those of the unit */
  double *near;                   /* [n * n]: of two clusters, the sum over pairs of units */
  uint32_t *size, *next, *last;   /* of a cluster: units, and their list */
  double gain[ARRANGE_ROWS + 1];  /* c log2 c - (c - 1) log2 (c - 1) */
  uint32_t key[ARRANGE_SLOTS];    /* of a table of values: value + 1, 0: free; */
  uint16_t count[ARRANGE_SLOTS];  /* how often it was seen, */
  uint16_t number[ARRANGE_SLOTS]; /* and which value it was */
};

/* The slot of a value. */
static uint32_t find(const struct arrange *a, uint32_t key) {
  uint32_t at = key * 0x9E3779B1u >> 16;
  for (at %= ARRANGE_SLOTS; a->key[at] != 0 && a->key[at] != key;)
    at = (at + 1) % ARRANGE_SLOTS;
  return at;
}

static void clear(struct arrange *a) {
  memset(a->key, 0, sizeof a->key);
  memset(a->count, 0, sizeof a->count);
}

/* Numbers the values of a unit; `id`: NULL or a number for each row. */
static struct ranked rank_unit(struct arrange *a, uint32_t unit, uint16_t *id) {
  struct ranked ranked = {.unit = unit};
  double sum = 0;
  clear(a);
  for (uint32_t r = 0; r < a->rows; r++) {
    uint32_t value = vary_value(a->vary, &a->vary->unit[unit], r * a->step);
    uint32_t at = find(a, value + 1 == 0 ? 1 : value + 1);
    if (a->key[at] == 0) {
      a->key[at] = value + 1 == 0 ? 1 : value + 1;
      a->number[at] = (uint16_t)ranked.values++;
    }
    sum += a->gain[++a->count[at]];
    if (id != NULL)
      id[r] = a->number[at];
  }
  ranked.entropy = log2(a->rows) - sum / a->rows;
  return ranked;
}

static double dependence(struct arrange *a, uint32_t i, uint32_t j) {
  const struct ranked *x = &a->ranked[i], *y = &a->ranked[j];
  const uint16_t *p = a->id + i * a->rows, *q = a->id + j * a->rows;
  double sum = 0;
  clear(a);
  for (uint32_t r = 0; r < a->rows; r++) {
    uint32_t key = (uint32_t)p[r] << 16 | (q[r] + 1u), at = find(a, key);
    a->key[at] = key;
    sum += a->gain[++a->count[at]];
  }
  double chance = (double)(x->values - 1) * (y->values - 1) / (2 * a->rows * M_LN2);
  double shared = x->entropy + y->entropy - (log2(a->rows) - sum / a->rows) - chance;
  return shared > 0 ? shared : 0;
}

static int by_entropy(const void *a, const void *b) {
  const struct ranked *x = a, *y = b;
  if (x->entropy != y->entropy)
    return x->entropy < y->entropy ? 1 : -1;
  return x->unit < y->unit ? -1 : x->unit > y->unit;
}

static int by_unit(const void *a, const void *b) {
  const struct ranked *x = a, *y = b;
  return x->unit < y->unit ? -1 : x->unit > y->unit;
}

/* The units with the most entropy, in their order. */
static void choose_units(struct arrange *a, uint32_t most, struct ranked *ranked) {
  uint32_t n = 0;
  for (uint32_t u = 0; u < a->vary->n_units; u++)
    if (a->vary->unit[u].varies)
      ranked[n++] = rank_unit(a, u, NULL);
  qsort(ranked, n, sizeof *ranked, by_entropy);
  a->n = n < most ? n : most;
  qsort(ranked, a->n, sizeof *ranked, by_unit);
  a->ranked = ranked;
}

/* The two clusters with the greatest mean. False: there is only one cluster. */
static bool nearest(const struct arrange *a, uint32_t *x, uint32_t *y) {
  double best = -1;
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t j = 0; j < i && a->size[i] > 0; j++) {
      if (a->size[j] == 0)
        continue;
      double mean = a->near[i * a->n + j] / ((double)a->size[i] * a->size[j]);
      if (mean > best) {
        best = mean;
        *x = j;
        *y = i;
      }
    }
  return best >= 0;
}

static void join(struct arrange *a, uint32_t x, uint32_t y) {
  a->next[a->last[x]] = y;
  a->last[x] = a->last[y];
  a->size[x] += a->size[y];
  a->size[y] = 0;
  for (uint32_t k = 0; k < a->n; k++) {
    a->near[x * a->n + k] += a->near[y * a->n + k];
    a->near[k * a->n + x] = a->near[x * a->n + k];
  }
}

static void cluster(struct arrange *a, uint32_t *order) {
  for (uint32_t i = 0; i < a->n; i++) {
    rank_unit(a, a->ranked[i].unit, a->id + i * a->rows);
    a->size[i] = 1;
    a->next[i] = UINT32_MAX;
    a->last[i] = i;
    for (uint32_t j = 0; j < i; j++)
      a->near[i * a->n + j] = a->near[j * a->n + i] = dependence(a, i, j);
  }
  for (uint32_t x = 0, y = 0; nearest(a, &x, &y);)
    join(a, x, y);
  uint32_t n = 0; /* the first cluster takes in all the others */
  for (uint32_t i = 0; i != UINT32_MAX && a->n > 0; i = a->next[i])
    order[n++] = a->ranked[i].unit;
}

uint32_t arrange_units(const struct vary *v, uint32_t *order, uint32_t most) {
  uint32_t rows = v->n_rows < ARRANGE_ROWS ? v->n_rows : ARRANGE_ROWS, n = 0;
  size_t size = sizeof(struct arrange) + most * (size_t)most * sizeof(double) +
                v->n_units * sizeof(struct ranked) + 3 * most * sizeof(uint32_t) +
                most * (size_t)rows * sizeof(uint16_t);
  struct arrange *a = budget_alloc(v->budget, BUDGET_OTHER, size);
  if (a == NULL)
    return 0;
  a->vary = v;
  a->rows = rows;
  a->step = rows == 0 ? 0 : v->n_rows / rows;
  for (uint32_t c = 1; c <= ARRANGE_ROWS; c++)
    a->gain[c] = c * log2(c) - (c > 1 ? (c - 1) * log2(c - 1) : 0);
  a->near = (double *)(a + 1);
  struct ranked *ranked = (struct ranked *)(a->near + most * (size_t)most);
  a->size = (uint32_t *)(ranked + v->n_units);
  a->next = a->size + most;
  a->last = a->next + most;
  a->id = (uint16_t *)(a->last + most);
  choose_units(a, most, ranked);
  cluster(a, order);
  n = a->n;
  budget_free(v->budget, BUDGET_OTHER, a, size);
  return n;
}
