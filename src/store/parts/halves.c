/* halves.c - two halves of a state between which little is shared.
 *
 * A state is a pair of numbers, of its front and its back half; a table has an entry for each
 * different half. Let D be the number of these among N states. Then a state costs its share of
 * the tables, some 2 * 14 bytes for each entry (the half, and what it is made of), and in the
 * root's table the bits of two numbers, less those that its place there gives:
 *
 *     28 (D1 + D2) / N + (log2 D1 + log2 D2) / 8 - a constant.
 *
 * Where elements of several global arrays belong to one process, no cut of the state vector in
 * one place does well: the halves would be fork[0..7] phase[0..3] and phase[4..7] with all
 * processes, and both are as many as there are states. So units (vary.h) go to either half,
 * wherever they are in the vector.
 *
 * What is known is a sample: P states, first those in breadth-first order, then those of a
 * random walk, of which n are looked at. If d of n halves are different, then D in all P is
 * found from d = D (1 - exp(-n / D)), as if all were equally frequent. D grows with the number
 * of states as a power of it, as the number of whole states does with exponent 1: D = N^a with
 * a = log D / log P. This is put into the formula for N = 2^23. The cost of a half is so a
 * function of d, in a table.
 *
 * The search is that of Fiduccia and Mattheyses ("A linear-time heuristic for improving network
 * partitions", 1982) without its steps uphill: a unit changes sides if that makes the cost
 * less, until none does. It starts from the cut in one place, and once more from the best cut
 * of an order in which units that depend on each other are neighbours (arrange.h). The better
 * result is taken. The cut in one place stays if that saves next to nothing, or if it does not
 * make the larger half's number less by a fifth in the second half of the sample, too: else
 * models with thousands of levels (brp, train-gate), whose first states say little, got worse
 * by half.
 *
 * Measured on 20 models and more: docs/stores.md.
 */
#include "store/parts/halves.h"

#include "store/parts/arrange.h"
#include "store/parts/vary.h"

#include <math.h>
#include <string.h>

enum {
  HALVES_ROWS = 2048,
  HALVES_UNITS = 128, /* that are arranged */
  HALVES_PASSES = 6,
  HALVES_TRIES = 6000 /* of moves, for shapes with thousands of units */
};

static const double HALVES_BITS = 23;      /* log2 of the number of states to be expected */
static const double HALVES_ENTRY = 28;     /* bytes for each different half */
static const double HALVES_NOTHING = 0.05; /* bytes per state */
static const double HALVES_STEP = 1e-3;
static const double HALVES_LATE = 0.8;

struct halves {
  struct vary vary;
  double *cost;            /* [n_rows + 1]: of that many different halves */
  uint64_t *front, *back;  /* [n_rows]: sums of the units of each half */
  uint8_t *side, *other;   /* [n_units]: 1: the unit is in the front half */
  uint32_t *order, *stays; /* [n_units]: units; where they are in the order, or UINT32_MAX */
  uint32_t tries;
};

static double cost_of(double different, double pool) {
  double share = log(different) / log(pool);
  share = share > 1 ? 1 : share;
  return HALVES_ENTRY * exp2(HALVES_BITS * (share - 1)) + share * HALVES_BITS / 8;
}

/* How many different halves there are if d of n are different, and at least that many. */
static double number_of(uint32_t d, uint32_t n, double least, double most) {
  double seen = d == n ? d - 0.5 : d, number = least;
  while (number < most && number * (1 - exp(-(double)n / number)) < seen)
    number *= 1.01;
  return number;
}

static void fill_costs(struct halves *h) {
  double pool = h->vary.sample->n, number = 1;
  for (uint32_t d = 1; d <= h->vary.n_rows; d++) {
    number = number_of(d, h->vary.n_rows, number, pool);
    h->cost[d] = cost_of(number, pool);
  }
}

static double cost_now(const struct halves *h) {
  uint32_t rows = h->vary.n_rows;
  return h->cost[vary_count(&h->vary, h->front, rows)] +
         h->cost[vary_count(&h->vary, h->back, rows)];
}

static void take_sums(struct halves *h, const uint8_t *side) {
  memset(h->front, 0, h->vary.n_rows * sizeof *h->front);
  memset(h->back, 0, h->vary.n_rows * sizeof *h->back);
  for (uint32_t u = 0; u < h->vary.n_units; u++)
    if (h->vary.unit[u].varies)
      vary_flip(&h->vary, u, side[u] ? h->front : h->back);
}

static void change_side(struct halves *h, uint32_t unit, uint8_t *side) {
  vary_flip(&h->vary, unit, h->front);
  vary_flip(&h->vary, unit, h->back);
  side[unit] ^= 1;
}

/* Moves units until no move makes it cheaper; the cost. */
static double refine(struct halves *h, uint8_t *side) {
  take_sums(h, side);
  double cost = cost_now(h);
  bool moved = true;
  for (uint32_t pass = 0; pass < HALVES_PASSES && moved; pass++) {
    moved = false;
    for (uint32_t u = 0; u < h->vary.n_units && h->tries > 0; u++) {
      if (!h->vary.unit[u].varies)
        continue;
      h->tries--;
      change_side(h, u, side);
      double now = cost_now(h);
      if (now < cost - HALVES_STEP) {
        cost = now;
        moved = true;
      } else {
        change_side(h, u, side);
      }
    }
  }
  return cost;
}

/* How many different ones there are of the larger half, in the second half of the sample. */
static double number_late(struct halves *h, const uint8_t *side) {
  uint32_t rows = h->vary.n_rows / 2;
  take_sums(h, side);
  uint32_t front = vary_count(&h->vary, h->front + rows, rows);
  uint32_t back = vary_count(&h->vary, h->back + rows, rows);
  return number_of(front > back ? front : back, rows, 1, 1e9);
}

/* Whether a unit is in the order, and of this component. */
static bool fits(const struct halves *h, uint32_t unit, uint32_t component) {
  const struct vary *v = &h->vary;
  return unit < v->n_units && h->stays[unit] != UINT32_MAX &&
         (component == UINT32_MAX || v->unit[unit].component == component);
}

/* The unit in the order that is next to this one in the vector, of the same component if one
 * is. */
static uint32_t neighbour(const struct halves *h, uint32_t unit) {
  uint32_t component = h->vary.unit[unit].component;
  for (uint32_t round = 0; round < 2; round++, component = UINT32_MAX)
    for (uint32_t d = 0; d < h->vary.n_units; d++) {
      if (fits(h, unit - d, component))
        return unit - d;
      if (fits(h, unit + d, component))
        return unit + d;
    }
  return unit;
}

/* Cuts the order, n units, where that is cheapest. The other units go with their neighbours. */
static void cut_order(struct halves *h, uint32_t n, uint8_t *side) {
  struct vary *v = &h->vary;
  double best = 1e300;
  uint32_t front = 1;
  memset(side, 0, v->n_units);
  memset(h->stays, 0xFF, v->n_units * sizeof *h->stays);
  for (uint32_t i = 0; i < n; i++)
    h->stays[h->order[i]] = i;
  take_sums(h, side);
  for (uint32_t i = 0; i + 1 < n; i++) {
    change_side(h, h->order[i], side);
    double cost = cost_now(h);
    if (cost < best) {
      best = cost;
      front = i + 1;
    }
  }
  for (uint32_t u = 0; u < v->n_units; u++) {
    side[u] = h->stays[neighbour(h, u)] < front;
  }
}

static bool open_halves(struct halves *h, const struct ts_shape *shape,
                        const struct ts_batch *sample, struct budget *budget, size_t *size) {
  if (!vary_open(&h->vary, shape, sample, HALVES_ROWS, budget))
    return false;
  size_t rows = h->vary.n_rows, units = h->vary.n_units;
  *size = (rows + 1) * sizeof *h->cost + 2 * rows * sizeof *h->front +
          units * (2 * sizeof *h->order + 2);
  h->cost = budget_alloc(budget, BUDGET_OTHER, *size);
  if (h->cost == NULL) {
    vary_close(&h->vary);
    return false;
  }
  h->front = (void *)(h->cost + rows + 1);
  h->back = h->front + rows;
  h->order = (uint32_t *)(h->back + rows);
  h->stays = h->order + units;
  h->side = (uint8_t *)(h->stays + units);
  h->other = h->side + units;
  fill_costs(h);
  return true;
}

static uint64_t mask_of(const struct vary_unit *unit) {
  return (uint64_t)unit->mask << unit->offset % 8 * 8;
}

/* A unit is in front if its first bit is. */
static void sides_of(const struct halves *h, const uint64_t *front, uint8_t *side) {
  for (uint32_t u = 0; u < h->vary.n_units; u++) {
    const struct vary_unit *unit = &h->vary.unit[u];
    side[u] = (front[unit->offset / 8] & mask_of(unit)) != 0;
  }
}

static bool has_both(const struct halves *h, const uint8_t *side) {
  uint32_t in_front = 0;
  for (uint32_t u = 0; u < h->vary.n_units; u++)
    in_front += side[u];
  return in_front > 0 && in_front < h->vary.n_units;
}

/* Puts the better halves into h->side; false: what was there at first is good enough. */
static bool choose(struct halves *h, const uint64_t *front) {
  struct vary *v = &h->vary;
  bool chosen = false;
  sides_of(h, front, h->other);
  double late = HALVES_LATE * number_late(h, h->other);
  take_sums(h, h->other);
  double least = cost_now(h) - HALVES_NOTHING;
  for (uint32_t start = 0; start < 2; start++) {
    if (start == 1) {
      uint32_t most = v->n_units < HALVES_UNITS ? v->n_units : HALVES_UNITS;
      uint32_t n = arrange_units(v, h->order, most);
      if (n < 2)
        break;
      cut_order(h, n, h->other);
    }
    h->tries = HALVES_TRIES;
    double cost = refine(h, h->other);
    if (cost >= least || !has_both(h, h->other) || number_late(h, h->other) > late)
      continue;
    least = cost;
    chosen = true;
    memcpy(h->side, h->other, v->n_units);
  }
  return chosen;
}

bool halves_choose(const struct ts_shape *shape, const struct ts_batch *sample,
                   struct budget *budget, uint64_t *front) {
  struct halves h = {.cost = NULL};
  size_t size;
  if (sample->n < HALVES_LEAST || !open_halves(&h, shape, sample, budget, &size))
    return false;
  bool chosen = choose(&h, front);
  if (chosen) {
    memset(front, 0, ts_stride(shape));
    for (uint32_t u = 0; u < h.vary.n_units; u++)
      if (h.side[u])
        front[h.vary.unit[u].offset / 8] |= mask_of(&h.vary.unit[u]);
  }
  budget_free(budget, BUDGET_OTHER, h.cost, size);
  vary_close(&h.vary);
  return chosen;
}
