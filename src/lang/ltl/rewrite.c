/* rewrite.c - formulas made simpler.
 *
 * From the leaves up, each operator is rebuilt over operands that are simple already, by rules
 * of Somenzi and Bloem 2000 (section 3), Etessami and Holzmann 2000 (section 3) and Babiak and
 * others 2012 (section 3.1). The aim is few states of the automaton, not a short formula: parts
 * whose truth is the same at all times (alternating ones, as [] <> p) are moved out of
 * temporal operators, where they need not be tracked.
 *
 * Rules are only written for and, next and until. Or and release are rebuilt through their
 * negations, so that each rule has its dual.
 */
#include "lang/ltl/rewrite.h"

#include "lang/ltl/implies.h"

/* Steps after which formulas are only put together: a bound on time for odd ones. */
#define REWRITE_STEPS 100000u

/* Operands of one "and" that are compared with each other. */
#define REWRITE_COMPARED 64u

struct rewrite {
  struct core_set *set;
  struct arena *arena;
  struct implies *implies;
  const struct core **known; /* by id: simplified */
  uint32_t n_known;
  uint32_t steps;
};

struct list {
  const struct core **at;
  uint32_t n, capacity;
};

static const struct core *make_and(struct rewrite *r, const struct list *of);
static const struct core *make_next(struct rewrite *r, const struct core *a);
static const struct core *make_until(struct rewrite *r, const struct core *a,
                                     const struct core *b);

static void push(struct rewrite *r, struct list *list, const struct core *f) {
  *ARENA_PUSH(r->arena, list) = f;
}

static const struct core *negation(struct rewrite *r, const struct core *f) {
  return core_negation(r->set, f);
}

static const struct core *constant(struct rewrite *r, bool value) {
  return core_constant(r->set, value);
}

static bool has(const struct core *f, uint32_t traits) {
  return (f->traits & traits) == traits;
}

static const struct core *and_of(struct rewrite *r, const struct core *a,
                                 const struct core *b) {
  struct list list = {0};
  push(r, &list, a);
  push(r, &list, b);
  return make_and(r, &list);
}

static const struct core *make_or(struct rewrite *r, const struct list *of) {
  struct list list = {0};
  for (uint32_t i = 0; i < of->n; i++)
    push(r, &list, negation(r, of->at[i]));
  return negation(r, make_and(r, &list));
}

static const struct core *make_release(struct rewrite *r, const struct core *a,
                                       const struct core *b) {
  return negation(r, make_until(r, negation(r, a), negation(r, b)));
}

/* Parts the operands of f, an `op` or a single formula, into those with one of the traits
 * in `any`, or all of those in `all`, and the others. */
static void part(struct rewrite *r, const struct core *f, enum core_op op, uint32_t any,
                 struct list *with, struct list *without) {
  const uint32_t n = f->op == op ? f->n : 1;
  for (uint32_t i = 0; i < n; i++) {
    const struct core *x = f->op == op ? f->of[i] : f;
    const bool fits = any == CORE_ALTERNATING ? has(x, any) : (x->traits & any) != 0;
    push(r, fits ? with : without, x);
  }
}

/* ---- next ----------------------------------------------------------------------------------
 */

/* X f = f if f is alternating; such parts of an and (an or) are moved out. */
static const struct core *make_next(struct rewrite *r, const struct core *a) {
  if (has(a, CORE_ALTERNATING))
    return a;
  struct list out = {0};
  struct list in = {0};
  if (a->op != CORE_AND && a->op != CORE_OR)
    return core_next(r->set, a);
  part(r, a, a->op, CORE_ALTERNATING, &out, &in);
  if (out.n == 0)
    return core_next(r->set, a);
  push(r, &out, core_next(r->set, core_many(r->set, a->op, in.n, in.at)));
  return a->op == CORE_AND ? make_and(r, &out) : make_or(r, &out);
}

/* ---- until ---------------------------------------------------------------------------------
 */

/* Before b holds, b does not: so what !b implies need not be asked of a, and what implies b
 * is no way to wait. */
static const struct core *waiting(struct rewrite *r, const struct core *a,
                                  const struct core *b) {
  if (implies(r->implies, a, b))
    return constant(r, false);
  if (implies(r->implies, negation(r, a), b))
    return constant(r, true);
  if (a->op != CORE_AND && a->op != CORE_OR)
    return a;
  struct list kept = {0};
  for (uint32_t i = 0; i < a->n; i++) {
    const struct core *x = a->of[i];
    if (!implies(r->implies, a->op == CORE_AND ? negation(r, x) : x, b))
      push(r, &kept, x);
  }
  return kept.n == a->n ? a : core_many(r->set, a->op, kept.n, kept.at);
}

/* <> b, where b is an or: what is eventual already is moved out, what is universal gets an
 * operator of its own (both then find their like), and <> (c U d) is <> d. */
static const struct core *eventually_or(struct rewrite *r, const struct core *b) {
  struct list out = {0};
  struct list in = {0};
  bool changed = false;
  for (uint32_t i = 0; i < b->n; i++) {
    const struct core *x = b->of[i];
    const bool apart = (x->traits & CORE_ALTERNATING) != 0;
    changed = changed || apart || x->op == CORE_UNTIL;
    if (apart)
      push(r, &out, make_until(r, constant(r, true), x));
    else
      push(r, &in, x->op == CORE_UNTIL ? x->of[1] : x);
  }
  if (!changed)
    return NULL;
  if (in.n > 0)
    push(r, &out, make_until(r, constant(r, true), make_or(r, &in)));
  return make_or(r, &out);
}

/* <> [] (x || u), u universal, is <> [] x || <> u. */
static const struct core *eventually_always(struct rewrite *r, const struct core *b) {
  struct list out = {0};
  struct list in = {0};
  if (!core_is_always(b) || b->of[1]->op != CORE_OR)
    return NULL;
  part(r, b->of[1], CORE_OR, CORE_UNIVERSAL, &out, &in);
  if (out.n == 0)
    return NULL;
  for (uint32_t i = 0; i < out.n; i++)
    out.at[i] = make_until(r, constant(r, true), out.at[i]);
  if (in.n > 0)
    push(
        r, &out,
        make_until(r, constant(r, true), make_release(r, constant(r, false), make_or(r, &in))));
  return make_or(r, &out);
}

/* Rules for <> b alone; NULL: none applies. */
static const struct core *eventually(struct rewrite *r, const struct core *b) {
  if (b->op == CORE_UNTIL)
    return make_until(r, constant(r, true), b->of[1]);
  if (b->op == CORE_NEXT)
    return make_next(r, make_until(r, constant(r, true), b->of[0]));
  if (b->op == CORE_OR)
    return eventually_or(r, b);
  return eventually_always(r, b);
}

/* Rules for what is waited for; NULL: none applies. */
static const struct core *until_of(struct rewrite *r, const struct core *a,
                                   const struct core *b) {
  struct list out = {0};
  struct list in = {0};
  if (b->op == CORE_AND) { /* a U (x && s), s alternating, is (a U x) && s */
    part(r, b, CORE_AND, CORE_ALTERNATING, &out, &in);
    if (out.n > 0) {
      push(r, &out, make_until(r, a, core_many(r->set, CORE_AND, in.n, in.at)));
      return make_and(r, &out);
    }
  }
  if (b->op == CORE_OR) { /* a U (x || e), e eventual, is (a U x) || e */
    part(r, b, CORE_OR, CORE_EVENTUAL, &out, &in);
    if (out.n > 0) {
      push(r, &out, make_until(r, a, core_many(r->set, CORE_OR, in.n, in.at)));
      return make_or(r, &out);
    }
  }
  if (b->op == CORE_UNTIL && implies(r->implies, a, b->of[0]))
    return b;
  if (a->op == CORE_NEXT && b->op == CORE_NEXT)
    return make_next(r, make_until(r, a->of[0], b->of[0]));
  if (a->op == CORE_UNTIL && a->of[1] == b)
    return a;
  if (a->op == CORE_UNTIL && implies(r->implies, a->of[0], b))
    return make_until(r, a->of[1], b);
  return NULL;
}

static const struct core *make_until(struct rewrite *r, const struct core *a,
                                     const struct core *b) {
  if (r->steps++ > REWRITE_STEPS)
    return core_pair(r->set, CORE_UNTIL, a, b);
  if (has(b, CORE_EVENTUAL))
    return b;
  a = waiting(r, a, b);
  const struct core *simpler = NULL;
  if (a->op == CORE_FALSE)
    return b;
  if (a->op == CORE_TRUE)
    simpler = eventually(r, b);
  if (simpler == NULL)
    simpler = until_of(r, a, b);
  return simpler != NULL ? simpler : core_pair(r->set, CORE_UNTIL, a, b);
}

/* ---- and -----------------------------------------------------------------------------------
 */

/* <> c && (c R d) is d U (c && d): d holds up to where c does, and that comes. NULL: the two
 * formulas are no such pair. */
static const struct core *strong_release(struct rewrite *r, const struct core *x,
                                         const struct core *y) {
  if (y->op == CORE_UNTIL)
    return strong_release(r, y, x);
  if (!core_is_eventually(x) || y->op != CORE_RELEASE || x->of[1] != y->of[0])
    return NULL;
  return make_until(r, y->of[1], and_of(r, x->of[1], y->of[1]));
}

/* Two operands as one: X a && X b, (a U c) && (b U c), (c R a) && (c R b), and <> a && <> b
 * of universal formulas. [] a && [] b stay apart if a or b is eventual, for [] <> p is better
 * tracked alone. NULL: they stay two. */
static const struct core *merge(struct rewrite *r, const struct core *x, const struct core *y) {
  if (x->op != y->op)
    return strong_release(r, x, y);
  if (x->op == CORE_NEXT)
    return make_next(r, and_of(r, x->of[0], y->of[0]));
  if (x->op == CORE_UNTIL && x->of[1] == y->of[1])
    return make_until(r, and_of(r, x->of[0], y->of[0]), x->of[1]);
  if (core_is_eventually(x) && core_is_eventually(y) && has(x->of[1], CORE_UNIVERSAL) &&
      has(y->of[1], CORE_UNIVERSAL))
    return make_until(r, x->of[0], and_of(r, x->of[1], y->of[1]));
  if (x->op == CORE_RELEASE && x->of[0] == y->of[0] &&
      !(core_is_always(x) && ((x->traits | y->traits) & CORE_EVENTUAL) != 0))
    return make_release(r, x->of[0], and_of(r, x->of[1], y->of[1]));
  return NULL;
}

static bool merge_some(struct rewrite *r, struct list *of) {
  for (uint32_t i = 0; i < of->n; i++)
    for (uint32_t k = i + 1; k < of->n; k++) {
      const struct core *one = merge(r, of->at[i], of->at[k]);
      if (one != NULL) {
        of->at[i] = one;
        of->at[k] = of->at[--of->n];
        return true;
      }
    }
  return false;
}

/* x without the disjuncts that y excludes. */
static const struct core *excluding(struct rewrite *r, const struct core *x,
                                    const struct core *y) {
  if (implies(r->implies, y, negation(r, x)))
    return constant(r, false);
  if (x->op != CORE_OR)
    return x;
  struct list kept = {0};
  for (uint32_t i = 0; i < x->n; i++)
    if (!implies(r->implies, y, negation(r, x->of[i])))
      push(r, &kept, x->of[i]);
  return kept.n == x->n ? x : core_many(r->set, CORE_OR, kept.n, kept.at);
}

/* What another operand implies is dropped, and what it excludes. */
static bool compare_some(struct rewrite *r, struct list *of) {
  for (uint32_t i = 0; i < of->n; i++)
    for (uint32_t k = 0; k < of->n; k++) {
      if (i == k)
        continue;
      if (implies(r->implies, of->at[i], of->at[k])) {
        of->at[k] = of->at[--of->n];
        return true;
      }
      const struct core *rest = excluding(r, of->at[k], of->at[i]);
      if (rest != of->at[k]) {
        of->at[k] = rest;
        return true;
      }
    }
  return false;
}

static const struct core *make_and(struct rewrite *r, const struct list *of) {
  const struct core *f = core_many(r->set, CORE_AND, of->n, of->at);
  while (f->op == CORE_AND && f->n <= REWRITE_COMPARED && r->steps++ <= REWRITE_STEPS) {
    struct list list = {0};
    for (uint32_t i = 0; i < f->n; i++)
      push(r, &list, f->of[i]);
    if (!merge_some(r, &list) && !compare_some(r, &list))
      break;
    f = core_many(r->set, CORE_AND, list.n, list.at);
  }
  return f;
}

/* ---- whole formulas ------------------------------------------------------------------------
 */

static const struct core *simplify(struct rewrite *r, const struct core *f);

static const struct core *rebuild(struct rewrite *r, const struct core *f) {
  struct list of = {ARENA_ARRAY(r->arena, f->n + 2u, const struct core *), f->n, f->n + 2u};
  for (uint32_t i = 0; i < f->n; i++)
    of.at[i] = simplify(r, f->of[i]);
  switch (f->op) {
  case CORE_AND:
    return make_and(r, &of);
  case CORE_OR:
    return make_or(r, &of);
  case CORE_NEXT:
    return make_next(r, of.at[0]);
  case CORE_UNTIL:
    return make_until(r, of.at[0], of.at[1]);
  case CORE_RELEASE:
    return make_release(r, of.at[0], of.at[1]);
  default:
    return f;
  }
}

static const struct core *simplify(struct rewrite *r, const struct core *f) {
  if (f->id >= r->n_known)
    return rebuild(r, f);
  if (r->known[f->id] == NULL)
    r->known[f->id] = rebuild(r, f);
  return r->known[f->id];
}

const struct core *rewrite_simplify(struct core_set *set, const struct core *f) {
  struct rewrite r = {.set = set, .arena = core_arena(set)};
  r.implies = implies_open(r.arena);
  for (int round = 0; round < 4; round++) { /* what one rule made may suit another */
    r.n_known = core_count(set);
    r.known = ARENA_ARRAY(r.arena, r.n_known, const struct core *);
    const struct core *simpler = simplify(&r, f);
    if (simpler == f)
      break;
    f = simpler;
  }
  return f;
}
