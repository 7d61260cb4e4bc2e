/* label.c - unions of cubes.
 *
 * Whether a cube is within a union is decided by splitting it on an atom that some cube asks
 * about; all else is built on that. What is made is tidied as two-level logic is minimised:
 * each cube is widened as far as it stays within the label, then cubes that others cover go.
 */
#include "lang/ltl/label.h"

#include <stdlib.h>
#include <string.h>

static const struct label_cube any = {0, 0};
const struct label label_true = {&any, 1};

bool label_has(struct label l, uint64_t letter) {
  for (uint32_t i = 0; i < l.n; i++)
    if (label_cube_has(l.at[i], letter))
      return true;
  return false;
}

bool label_meet(struct label a, struct label b) {
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t k = 0; k < b.n; k++)
      if (label_cubes_meet(a.at[i], b.at[k]))
        return true;
  return false;
}

/* Among cubes from `from` on. The depth is at most the number of atoms. */
static bool covered(struct label_cube c, struct label l) {
  uint64_t open = 0; /* atoms that a cube asks about and c leaves open */
  for (uint32_t i = 0; i < l.n; i++) {
    if (label_cube_within(c, l.at[i]))
      return true;
    if (open == 0 && label_cubes_meet(c, l.at[i]))
      open = (l.at[i].yes | l.at[i].no) & ~(c.yes | c.no);
  }
  if (open == 0)
    return false;
  const uint64_t bit = open & -open;
  return covered((struct label_cube){c.yes | bit, c.no}, l) &&
         covered((struct label_cube){c.yes, c.no | bit}, l);
}

bool label_within(struct label a, struct label b) {
  for (uint32_t i = 0; i < a.n; i++)
    if (!covered(a.at[i], b))
      return false;
  return true;
}

bool label_is_true(struct label l) {
  return covered(any, l);
}

struct label label_of_cube(struct arena *arena, struct label_cube c) {
  struct label_cube *at = ARENA_NEW(arena, struct label_cube);
  *at = c;
  return (struct label){at, 1};
}

static struct label_cube widen(struct label_cube c, struct label l) {
  for (uint64_t left = c.yes | c.no; left != 0; left &= left - 1) {
    const uint64_t bit = left & -left;
    const struct label_cube wider = {c.yes & ~bit, c.no & ~bit};
    if (covered(wider, l))
      c = wider;
  }
  return c;
}

static int by_bits(const void *a, const void *b) {
  const struct label_cube *x = a;
  const struct label_cube *y = b;
  if (x->yes != y->yes)
    return x->yes > y->yes ? 1 : -1;
  return (x->no > y->no) - (x->no < y->no);
}

static struct label tidy(struct arena *arena, struct label l) {
  struct label_cube *at = ARENA_ARRAY(arena, l.n + 1u, struct label_cube);
  uint32_t n = 0;
  for (uint32_t i = 0; i < l.n; i++) {
    const struct label_cube c = widen(l.at[i], l);
    uint32_t k = 0;
    while (k < n && !label_cube_within(c, at[k]))
      k++;
    if (k == n)
      at[n++] = c;
  }
  for (uint32_t i = n; i-- > 0 && n > 1;) {
    const struct label_cube c = at[i];
    at[i] = at[n - 1];
    if (covered(c, (struct label){at, n - 1}))
      n--;
    else
      at[i] = c;
  }
  if (n > 1)
    qsort(at, n, sizeof *at, by_bits);
  return (struct label){at, n};
}

struct label label_or(struct arena *arena, struct label a, struct label b) {
  struct label_cube *at = ARENA_ARRAY(arena, a.n + b.n + 1u, struct label_cube);
  if (a.n > 0)
    memcpy(at, a.at, a.n * sizeof *at);
  if (b.n > 0)
    memcpy(at + a.n, b.at, b.n * sizeof *at);
  return tidy(arena, (struct label){at, a.n + b.n});
}

struct label label_and(struct arena *arena, struct label a, struct label b) {
  struct label_cube *at = ARENA_ARRAY(arena, (size_t)a.n * b.n + 1, struct label_cube);
  uint32_t n = 0;
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t k = 0; k < b.n; k++)
      if (label_cubes_meet(a.at[i], b.at[k]))
        at[n++] = (struct label_cube){a.at[i].yes | b.at[k].yes, a.at[i].no | b.at[k].no};
  return tidy(arena, (struct label){at, n});
}

/* A cube less a cube: one piece for each literal that only the second has. */
static uint32_t sharp(struct label_cube c, struct label_cube d, struct label_cube *out) {
  uint32_t n = 0;
  if (!label_cubes_meet(c, d)) {
    out[n++] = c;
    return n;
  }
  for (uint64_t left = (d.yes | d.no) & ~(c.yes | c.no); left != 0; left &= left - 1) {
    const uint64_t bit = left & -left;
    struct label_cube piece = c;
    if ((d.yes & bit) != 0) {
      piece.no |= bit;
      c.yes |= bit;
    } else {
      piece.yes |= bit;
      c.no |= bit;
    }
    out[n++] = piece;
  }
  return n;
}

struct label label_minus(struct arena *arena, struct label a, struct label b) {
  struct label_cube room[2][LABEL_CUBES + 64] = {0};
  if (a.n > LABEL_CUBES)
    return a;
  uint32_t n = a.n;
  if (n > 0)
    memcpy(room[0], a.at, n * sizeof *a.at);
  for (uint32_t k = 0; k < b.n; k++) {
    uint32_t m = 0;
    for (uint32_t i = 0; i < n; i++) {
      m += sharp(room[k & 1][i], b.at[k], room[~k & 1] + m);
      if (m > LABEL_CUBES)
        return a;
    }
    n = m;
  }
  return tidy(arena, (struct label){room[b.n & 1], n});
}

int label_compare(struct label a, struct label b) {
  if (a.n != b.n)
    return a.n > b.n ? 1 : -1;
  for (uint32_t i = 0; i < a.n; i++) {
    const int order = by_bits(&a.at[i], &b.at[i]);
    if (order != 0)
      return order;
  }
  return 0;
}
