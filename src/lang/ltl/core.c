/* core.c - formulas in negative normal form: one table, by operator and operands. */
#include "lang/ltl/core.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

struct list {
  const struct core **at;
  uint32_t n, capacity;
};

struct core_set {
  struct arena *arena;
  const struct core **slot; /* open addressing; a power of two */
  uint32_t capacity, n;
  struct list negation; /* by id, as far as known */
};

struct core_set *core_open(struct arena *arena) {
  struct core_set *set = ARENA_NEW(arena, struct core_set);
  set->arena = arena;
  set->capacity = 64;
  set->slot = ARENA_ARRAY(arena, set->capacity, const struct core *);
  return set;
}

struct arena *core_arena(const struct core_set *set) {
  return set->arena;
}

uint32_t core_count(const struct core_set *set) {
  return set->n;
}

static uint64_t hash_of(const struct core *f) {
  uint64_t h = (uint64_t)f->op << 40 | (uint64_t)f->negated << 39 | f->atom;
  for (uint32_t i = 0; i < f->n; i++) {
    h ^= f->of[i]->id;
    bits_next_random(&h);
    h ^= h >> 29;
    h *= UINT64_C(0x94D049BB133111EB);
  }
  return bits_next_random(&h);
}

static bool same(const struct core *a, const struct core *b) {
  return a->op == b->op && a->atom == b->atom && a->negated == b->negated && a->n == b->n &&
         (a->n == 0 || memcmp(a->of, b->of, a->n * sizeof(struct core *)) == 0);
}

static uint32_t place_of(const struct core_set *set, const struct core *f) {
  uint32_t i = (uint32_t)hash_of(f) & (set->capacity - 1);
  while (set->slot[i] != NULL && !same(set->slot[i], f))
    i = (i + 1) & (set->capacity - 1);
  return i;
}

static void grow(struct core_set *set) {
  const struct core **old = set->slot;
  const uint32_t n = set->capacity;
  set->capacity *= 2;
  set->slot = ARENA_ARRAY(set->arena, set->capacity, const struct core *);
  for (uint32_t i = 0; i < n; i++)
    if (old[i] != NULL)
      set->slot[place_of(set, old[i])] = old[i];
}

/* Traits of and, or, next are those that all operands have; until and release add to them. */
static uint32_t traits_of(const struct core *f) {
  uint32_t traits = UINT32_MAX;
  for (uint32_t i = 0; i < f->n; i++)
    traits &= f->of[i]->traits;
  switch (f->op) {
  case CORE_FALSE:
  case CORE_TRUE:
    return CORE_ALTERNATING | CORE_PROPOSITIONAL | CORE_NEXT_FREE;
  case CORE_LITERAL:
    return CORE_PROPOSITIONAL | CORE_NEXT_FREE;
  case CORE_NEXT:
    return traits & ~(uint32_t)(CORE_PROPOSITIONAL | CORE_NEXT_FREE);
  case CORE_UNTIL:
    traits |= f->of[1]->traits & CORE_EVENTUAL;
    traits |= core_is_eventually(f) ? CORE_EVENTUAL : 0u;
    return traits & ~(uint32_t)CORE_PROPOSITIONAL;
  case CORE_RELEASE:
    traits |= f->of[1]->traits & CORE_UNIVERSAL;
    traits |= core_is_always(f) ? CORE_UNIVERSAL : 0u;
    return traits & ~(uint32_t)CORE_PROPOSITIONAL;
  default:
    return traits;
  }
}

static const struct core *intern(struct core_set *set, const struct core *wanted) {
  uint32_t at = place_of(set, wanted);
  if (set->slot[at] != NULL)
    return set->slot[at];
  struct core *f = ARENA_NEW(set->arena, struct core);
  *f = *wanted;
  f->id = set->n++;
  const struct core **of = ARENA_ARRAY(set->arena, f->n + 1u, const struct core *);
  uint64_t size = 1;
  for (uint32_t i = 0; i < f->n; i++) {
    of[i] = wanted->of[i];
    size += of[i]->size;
  }
  f->size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
  f->of = of;
  f->traits = traits_of(f);
  set->slot[at] = f;
  if (set->n * 2 > set->capacity)
    grow(set);
  return f;
}

const struct core *core_constant(struct core_set *set, bool value) {
  return intern(set, &(struct core){.op = value ? CORE_TRUE : CORE_FALSE});
}

static const struct core *literal(struct core_set *set, uint32_t atom, bool negated) {
  return intern(set, &(struct core){.op = CORE_LITERAL, .atom = atom, .negated = negated});
}

const struct core *core_next(struct core_set *set, const struct core *a) {
  if (a->op == CORE_TRUE || a->op == CORE_FALSE)
    return a;
  return intern(set, &(struct core){.op = CORE_NEXT, .n = 1, .of = &a});
}

const struct core *core_pair(struct core_set *set, enum core_op op, const struct core *a,
                             const struct core *b) {
  const enum core_op weak = op == CORE_UNTIL ? CORE_FALSE : CORE_TRUE; /* as a: b alone */
  if (b->op == CORE_TRUE || b->op == CORE_FALSE || a->op == weak)
    return b;
  return intern(set, &(struct core){.op = op, .n = 2, .of = (const struct core *[]){a, b}});
}

static int by_id(const void *a, const void *b) {
  const uint32_t x = (*(const struct core *const *)a)->id;
  const uint32_t y = (*(const struct core *const *)b)->id;
  return (x > y) - (x < y);
}

/* False: an operand decides alone. */
static bool flatten(struct core_set *set, enum core_op op, const struct core *f,
                    struct list *list) {
  const enum core_op zero = op == CORE_AND ? CORE_FALSE : CORE_TRUE;
  const enum core_op one = op == CORE_AND ? CORE_TRUE : CORE_FALSE;
  if (f->op == zero)
    return false;
  if (f->op == op)
    for (uint32_t i = 0; i < f->n; i++)
      *ARENA_PUSH(set->arena, list) = f->of[i];
  else if (f->op != one)
    *ARENA_PUSH(set->arena, list) = f;
  return true;
}

const struct core *core_many(struct core_set *set, enum core_op op, uint32_t n,
                             const struct core *const *of) {
  struct list list = {0};
  for (uint32_t i = 0; i < n; i++)
    if (!flatten(set, op, of[i], &list))
      return core_constant(set, op == CORE_OR);
  if (list.n > 1)
    qsort(list.at, list.n, sizeof *list.at, by_id);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list.n; i++)
    if (kept == 0 || list.at[kept - 1] != list.at[i])
      list.at[kept++] = list.at[i];
  if (kept == 0)
    return core_constant(set, op == CORE_AND);
  if (kept == 1)
    return list.at[0];
  return intern(set, &(struct core){.op = op, .n = kept, .of = list.at});
}

/* ---- from formulas as they were written ----------------------------------------------------
 */

static const struct core *pair_of(struct core_set *set, enum core_op op, const struct core *a,
                                  const struct core *b) {
  return core_many(set, op, 2, (const struct core *[]){a, b});
}

/* A formula and its negation, made together, so that each node is visited once though an
 * equivalence needs both of its sides in both ways. */
struct both {
  const struct core *is[2]; /* plain, negated */
};

static const struct core *convert_boolean(struct core_set *set, enum ltl_op op, int n,
                                          struct both a, struct both b) {
  switch (op) {
  case LTL_NOT:
    return a.is[!n];
  case LTL_AND:
    return pair_of(set, n ? CORE_OR : CORE_AND, a.is[n], b.is[n]);
  case LTL_OR:
    return pair_of(set, n ? CORE_AND : CORE_OR, a.is[n], b.is[n]);
  case LTL_IMPLIES:
    return pair_of(set, n ? CORE_AND : CORE_OR, a.is[!n], b.is[n]);
  default: /* an equivalence */
    return pair_of(set, CORE_OR, pair_of(set, CORE_AND, a.is[0], b.is[n]),
                   pair_of(set, CORE_AND, a.is[1], b.is[!n]));
  }
}

static const struct core *convert_temporal(struct core_set *set, enum ltl_op op, int n,
                                           const struct core *a, const struct core *b) {
  const enum core_op until = n ? CORE_RELEASE : CORE_UNTIL;
  const enum core_op release = n ? CORE_UNTIL : CORE_RELEASE;
  switch (op) {
  case LTL_NEXT:
    return core_next(set, a);
  case LTL_EVENTUALLY:
    return core_pair(set, until, core_constant(set, !n), a);
  case LTL_ALWAYS:
    return core_pair(set, release, core_constant(set, n), a);
  case LTL_UNTIL:
    return core_pair(set, until, a, b);
  case LTL_WEAK_UNTIL: /* a W b is b R (a || b) */
    return core_pair(set, release, b, pair_of(set, n ? CORE_AND : CORE_OR, a, b));
  default:
    return core_pair(set, release, a, b);
  }
}

static struct both convert(struct core_set *set, const struct ltl_node *f) {
  const struct core *none = core_constant(set, false);
  struct both a = {{none, none}};
  struct both b = a;
  struct both r = a;
  if (f->a != NULL)
    a = convert(set, f->a);
  if (f->b != NULL)
    b = convert(set, f->b);
  for (int n = 0; n < 2; n++) {
    if (f->op == LTL_TRUE || f->op == LTL_FALSE)
      r.is[n] = core_constant(set, (f->op == LTL_TRUE) != n);
    else if (f->op == LTL_ATOM)
      r.is[n] = literal(set, f->atom, n);
    else if (f->op == LTL_NOT || (f->op >= LTL_AND && f->op <= LTL_EQUIVALENT))
      r.is[n] = convert_boolean(set, f->op, n, a, b);
    else
      r.is[n] = convert_temporal(set, f->op, n, a.is[n], b.is[n]);
  }
  return r;
}

const struct core *core_of(struct core_set *set, const struct ltl_node *f, bool negated) {
  return convert(set, f).is[negated];
}

/* ---- negation ------------------------------------------------------------------------------
 */

static const struct core *negate(struct core_set *set, const struct core *f) {
  const struct core *of[2];
  struct list list = {0};
  switch (f->op) {
  case CORE_FALSE:
  case CORE_TRUE:
    return core_constant(set, f->op == CORE_FALSE);
  case CORE_LITERAL:
    return literal(set, f->atom, !f->negated);
  case CORE_NEXT:
    return core_next(set, core_negation(set, f->of[0]));
  case CORE_UNTIL:
  case CORE_RELEASE:
    of[0] = core_negation(set, f->of[0]);
    of[1] = core_negation(set, f->of[1]);
    return core_pair(set, f->op == CORE_UNTIL ? CORE_RELEASE : CORE_UNTIL, of[0], of[1]);
  default:
    for (uint32_t i = 0; i < f->n; i++)
      *ARENA_PUSH(set->arena, &list) = core_negation(set, f->of[i]);
    return core_many(set, f->op == CORE_AND ? CORE_OR : CORE_AND, list.n, list.at);
  }
}

const struct core *core_negation(struct core_set *set, const struct core *f) {
  while (set->negation.n <= f->id)
    *ARENA_PUSH(set->arena, &set->negation) = NULL;
  if (set->negation.at[f->id] == NULL) {
    const struct core *negation = negate(set, f);
    set->negation.at[f->id] = negation;
  }
  return set->negation.at[f->id];
}
