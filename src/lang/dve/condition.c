/* condition.c - sections "accept" as conditions over marks of locations.
 *
 *   buchi     a state of the set again and again
 *   genbuchi  of each set
 *   rabin     of a pair (L; U): one of L again and again, at last none of U
 *   streett   of each pair (L; U): if one of L again and again, then one of U
 *   muller    those that come again and again are just those of one of the sets
 */
#include "lang/dve/condition.h"

struct conditions {
  struct dve_lower *l;
  const struct ir_process *process;
  const struct dve_acceptance *a;
  struct dve_condition *c;
  const char *why;
};

/* A new mark, as a bit. */
static uint64_t new_mark(struct conditions *s) {
  if (s->c->n_marks == 64)
    s->why = "more than 64 sets of states";
  return s->why != NULL ? 0 : UINT64_C(1) << s->c->n_marks++;
}

static uint32_t location_of(const struct conditions *s, uint32_t i) {
  return dve_location(s->l, s->process, s->a->states.at[i]);
}

static uint32_t set_begin(const struct conditions *s, uint32_t k) {
  return k == 0 ? 0 : s->a->sets.at[k - 1];
}

static uint32_t set_end(const struct conditions *s, uint32_t k) {
  return s->a->kind == DVE_ACCEPTS_BUCHI ? s->a->states.n : s->a->sets.at[k];
}

/* The mark of the states of a set. */
static uint64_t mark_set(struct conditions *s, uint32_t k) {
  const uint64_t mark = new_mark(s);
  for (uint32_t i = set_begin(s, k); i < set_end(s, k); i++)
    s->c->marks[location_of(s, i)] |= mark;
  return mark;
}

static void add_or(struct conditions *s, struct acceptance *to, uint64_t inf, uint64_t fin) {
  const struct acceptance one =
      acceptance_of(s->l->arena, (struct acceptance_alternative){inf, fin});
  if (s->why == NULL && !acceptance_or(s->l->arena, to, &one))
    s->why = "acceptance of too many sets";
}

static void all_sets(struct conditions *s, uint32_t n) {
  uint64_t inf = 0;
  for (uint32_t k = 0; k < n; k++)
    inf |= mark_set(s, k);
  add_or(s, &s->c->accepted, inf, 0);
}

static void some_pair(struct conditions *s) {
  for (uint32_t k = 0; k < s->a->sets.n; k += 2) {
    const uint64_t inf = mark_set(s, k);
    add_or(s, &s->c->accepted, inf, mark_set(s, k + 1));
  }
}

static void all_pairs(struct conditions *s) {
  add_or(s, &s->c->accepted, 0, 0);
  for (uint32_t k = 0; k < s->a->sets.n && s->why == NULL; k += 2) {
    struct acceptance pair = {0};
    add_or(s, &pair, 0, mark_set(s, k));
    add_or(s, &pair, mark_set(s, k + 1), 0);
    if (s->why == NULL && !acceptance_and(s->l->arena, &s->c->accepted, &pair))
      s->why = "streett acceptance of more than eight pairs";
  }
}

/* Each state of a set has a mark of its own, and what is outside of the set has one. */
static void just_a_set(struct conditions *s) {
  const uint32_t n = s->process->n_locations;
  uint64_t *own = ARENA_ARRAY(s->l->arena, n, uint64_t);
  bool *inside = ARENA_ARRAY(s->l->arena, n, bool);
  for (uint32_t k = 0; k < s->a->sets.n && s->why == NULL; k++) {
    uint64_t inf = 0;
    for (uint32_t q = 0; q < n; q++)
      inside[q] = false;
    for (uint32_t i = set_begin(s, k); i < set_end(s, k); i++) {
      const uint32_t q = location_of(s, i);
      if (own[q] == 0)
        own[q] = new_mark(s);
      s->c->marks[q] |= own[q];
      inf |= own[q];
      inside[q] = true;
    }
    const uint64_t outside = new_mark(s);
    for (uint32_t q = 0; q < n; q++)
      s->c->marks[q] |= inside[q] ? 0 : outside;
    add_or(s, &s->c->accepted, inf, outside);
  }
}

/* Descriptions of the language say that there are pairs, and not which set is which. */
static void warn_of_pairs(struct conditions *s) {
  const bool is_rabin = s->a->kind == DVE_ACCEPTS_RABIN;
  diag_warning(s->l->diag, s->a->span,
               is_rabin
                   ? "a pair (a; b) is read as: states of a come again and again, of b at last "
                     "no more; other tools may have it the other way round"
                   : "a pair (a; b) is read as: if states of a come again and again, so do "
                     "states of b; other tools may have it the other way round");
}

const char *dve_condition_of(struct dve_lower *l, const struct ir_process *process,
                             const struct dve_process *declared, struct dve_condition *c) {
  struct conditions s = {.l = l, .process = process, .a = &declared->acceptance, .c = c};
  c->marks = ARENA_ARRAY(l->arena, process->n_locations, uint64_t);
  c->accepted = (struct acceptance){0};
  switch (s.a->kind) {
  case DVE_ACCEPTS_BUCHI:
    all_sets(&s, 1);
    break;
  case DVE_ACCEPTS_GENBUCHI:
    all_sets(&s, s.a->sets.n);
    break;
  case DVE_ACCEPTS_RABIN:
    warn_of_pairs(&s);
    some_pair(&s);
    break;
  case DVE_ACCEPTS_STREETT:
    warn_of_pairs(&s);
    all_pairs(&s);
    break;
  case DVE_ACCEPTS_MULLER:
    just_a_set(&s);
    break;
  }
  return s.why;
}
