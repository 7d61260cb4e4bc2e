/* acceptance.c - conditions of acceptance, in disjunctive normal form from the beginning.
 *
 * A disjunction of Inf is an Inf of a union. So alternatives that differ in Inf only are one
 * conjunction of such unions, as long as these are few: each is a mark of the automaton.
 */
#include "lang/ltl/acceptance.h"

/* Alternatives are not put together if that makes more clauses. */
#define FEW_CLAUSES 8u

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

/* ---- parts ------------------------------------------------------------------------------ */

/* Adds a clause, unless another implies it, in place of those that it implies. */
static void add_clause(struct acceptance_part *p, uint64_t clause) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->n; i++)
    if ((p->clause[i] & ~clause) == 0)
      return;
  for (uint32_t i = 0; i < p->n; i++)
    if ((clause & ~p->clause[i]) != 0)
      p->clause[kept++] = p->clause[i];
  p->clause[kept] = clause;
  p->n = kept + 1;
}

static struct acceptance_part part_of(struct acceptance_alternative a) {
  struct acceptance_part part = {.fin = a.fin};
  for (uint64_t rest = a.inf; rest != 0; rest &= rest - 1)
    part.clause[part.n++] = rest & -rest;
  return part;
}

/* The part becomes "it, or this alternative", by distribution. False: the clauses are many, and
 * it is as it was. */
static bool unite(struct acceptance_part *part, struct acceptance_alternative a) {
  struct acceptance_part both = {.fin = part->fin};
  for (uint32_t i = 0; i < part->n; i++)
    for (uint64_t rest = a.inf; rest != 0; rest &= rest - 1) {
      add_clause(&both, part->clause[i] | (rest & -rest));
      if (both.n > FEW_CLAUSES)
        return false;
    }
  *part = both;
  return true;
}

struct acceptance_parts acceptance_parts(struct arena *arena, const struct acceptance *a) {
  struct acceptance_parts parts = {0};
  for (uint32_t i = 0; i < a->n; i++) {
    uint32_t k = 0;
    while (k < parts.n && (parts.at[k].fin != a->at[i].fin || !unite(&parts.at[k], a->at[i])))
      k++;
    if (k == parts.n)
      *ARENA_PUSH(arena, &parts) = part_of(a->at[i]);
  }
  for (uint32_t k = 0; k < parts.n; k++)
    if (parts.at[k].fin == 0) {
      const struct acceptance_part first = parts.at[k];
      parts.at[k] = parts.at[0];
      parts.at[0] = first;
      break;
    }
  return parts;
}
