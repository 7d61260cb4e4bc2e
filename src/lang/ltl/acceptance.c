/* acceptance.c - conditions of acceptance, in disjunctive normal form from the beginning. */
#include "lang/ltl/acceptance.h"

/* Whether whatever b accepts is accepted by a. */
static bool is_weaker(struct acceptance_alternative a, struct acceptance_alternative b) {
  return (a.inf & ~b.inf) == 0 && (a.fin & ~b.fin) == 0;
}

/* Adds an alternative, unless it accepts nothing or nothing new, in place of those that accept
 * nothing more than it. */
static bool add(struct arena *arena, struct acceptance *list,
                struct acceptance_alternative added) {
  uint32_t kept = 0;
  if ((added.inf & added.fin) != 0)
    return true;
  for (uint32_t i = 0; i < list->n; i++)
    if (is_weaker(list->at[i], added))
      return true;
  for (uint32_t i = 0; i < list->n; i++)
    if (!is_weaker(added, list->at[i]))
      list->at[kept++] = list->at[i];
  list->n = kept;
  if (list->n == ACCEPTANCE_ALTERNATIVES)
    return false;
  *ARENA_PUSH(arena, list) = added;
  return true;
}

struct acceptance acceptance_of(struct arena *arena, struct acceptance_alternative only) {
  struct acceptance list = {0};
  (void)add(arena, &list, only);
  return list;
}

bool acceptance_or(struct arena *arena, struct acceptance *a, const struct acceptance *b) {
  for (uint32_t i = 0; i < b->n; i++)
    if (!add(arena, a, b->at[i]))
      return false;
  return true;
}

bool acceptance_and(struct arena *arena, struct acceptance *a, const struct acceptance *b) {
  struct acceptance both = {0};
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t k = 0; k < b->n; k++)
      if (!add(arena, &both,
               (struct acceptance_alternative){a->at[i].inf | b->at[k].inf,
                                               a->at[i].fin | b->at[k].fin}))
        return false;
  *a = both;
  return true;
}
