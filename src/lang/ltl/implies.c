/* implies.c - syntactic implication (Somenzi and Bloem 2000, section 3; Babiak and others 2012,
 * section 3.1).
 *
 * The rules take both formulas apart; each pair is looked at once. On formulas so large that
 * the pairs would be too many, the answer is "not seen".
 */
#include "lang/ltl/implies.h"

#include "base/bits.h"

/* More pairs are not kept, and what is not kept is not asked. */
#define IMPLIES_PAIRS 200000u

struct pair {
  uint32_t a, b;
  uint8_t answer; /* 0: the slot is free */
};

enum { NO = 1, YES = 2 };

struct implies {
  struct arena *arena;
  struct pair *slot;
  uint32_t capacity, n;
};

struct implies *implies_open(struct arena *arena) {
  struct implies *i = ARENA_NEW(arena, struct implies);
  i->arena = arena;
  i->capacity = 256;
  i->slot = ARENA_ARRAY(arena, i->capacity, struct pair);
  return i;
}

static struct pair *place_of(const struct implies *i, uint32_t a, uint32_t b) {
  uint64_t key = (uint64_t)a << 32 | b;
  uint32_t at = (uint32_t)bits_next_random(&key) & (i->capacity - 1);
  while (i->slot[at].answer != 0 && (i->slot[at].a != a || i->slot[at].b != b))
    at = (at + 1) & (i->capacity - 1);
  return &i->slot[at];
}

static void note(struct implies *i, uint32_t a, uint32_t b, bool answer) {
  if (i->n * 2 >= i->capacity) {
    const struct pair *old = i->slot;
    const uint32_t n = i->capacity;
    i->capacity *= 2;
    i->slot = ARENA_ARRAY(i->arena, i->capacity, struct pair);
    for (uint32_t k = 0; k < n; k++)
      if (old[k].answer != 0)
        *place_of(i, old[k].a, old[k].b) = old[k];
  }
  *place_of(i, a, b) = (struct pair){a, b, answer ? YES : NO};
  i->n++;
}

static bool any_implies(struct implies *i, const struct core *a, const struct core *b) {
  for (uint32_t k = 0; k < a->n; k++)
    if (implies(i, a->of[k], b))
      return true;
  return false;
}

static bool all_imply(struct implies *i, const struct core *a, const struct core *b) {
  for (uint32_t k = 0; k < a->n; k++)
    if (!implies(i, a->of[k], b))
      return false;
  return true;
}

static bool implies_any(struct implies *i, const struct core *a, const struct core *b) {
  for (uint32_t k = 0; k < b->n; k++)
    if (implies(i, a, b->of[k]))
      return true;
  return false;
}

static bool implies_all(struct implies *i, const struct core *a, const struct core *b) {
  for (uint32_t k = 0; k < b->n; k++)
    if (!implies(i, a, b->of[k]))
      return false;
  return true;
}

static bool by_operands(struct implies *i, const struct core *a, const struct core *b) {
  for (uint32_t k = 0; k < a->n; k++)
    if (!implies(i, a->of[k], b->of[k]))
      return false;
  return true;
}

/* By the form of the left side. */
static bool from_left(struct implies *i, const struct core *a, const struct core *b) {
  switch (a->op) {
  case CORE_AND:
    return any_implies(i, a, b);
  case CORE_UNTIL:
    return ((b->traits & CORE_EVENTUAL) != 0 && implies(i, a->of[1], b)) || all_imply(i, a, b);
  case CORE_RELEASE:
    return implies(i, a->of[1], b);
  case CORE_NEXT:
    return (b->traits & CORE_EVENTUAL) != 0 && implies(i, a->of[0], b);
  default:
    return false;
  }
}

/* By the form of the right side. */
static bool from_right(struct implies *i, const struct core *a, const struct core *b) {
  switch (b->op) {
  case CORE_OR:
    return implies_any(i, a, b);
  case CORE_UNTIL:
    return implies(i, a, b->of[1]);
  case CORE_RELEASE:
    return ((a->traits & CORE_UNIVERSAL) != 0 && implies(i, a, b->of[1])) ||
           implies_all(i, a, b);
  case CORE_NEXT:
    return (a->traits & CORE_UNIVERSAL) != 0 && implies(i, a, b->of[0]);
  default:
    return false;
  }
}

static bool decide(struct implies *i, const struct core *a, const struct core *b) {
  if (a->op == CORE_OR)
    return all_imply(i, a, b);
  if (b->op == CORE_AND)
    return implies_all(i, a, b);
  if (a->op == b->op && a->op >= CORE_NEXT && by_operands(i, a, b))
    return true;
  return from_left(i, a, b) || from_right(i, a, b);
}

bool implies(struct implies *i, const struct core *a, const struct core *b) {
  if (a == b || a->op == CORE_FALSE || b->op == CORE_TRUE)
    return true;
  if (a->op == CORE_TRUE || b->op == CORE_FALSE ||
      (a->op == CORE_LITERAL && b->op == CORE_LITERAL))
    return false;
  const struct pair *known = place_of(i, a->id, b->id);
  if (known->answer != 0)
    return known->answer == YES;
  if (i->n >= IMPLIES_PAIRS)
    return false;
  const bool answer = decide(i, a, b);
  note(i, a->id, b->id, answer);
  return answer;
}
