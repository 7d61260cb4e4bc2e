/* seen.c - guards as comparisons. See seen.h. */
#include "search/reduce/seen.h"

#include "search/reduce/related.h"

/* ---- making them ------------------------------------------------------------------------- */

/* The terms of one guard, before `end`. */
struct terms {
  struct seen *seen;
  const struct ts_term *term;
  uint32_t end;
};

static uint32_t add_test(struct seen *s, struct seen_test test) {
  s->test[s->n_tests] = test;
  return s->n_tests++;
}

static bool is_relation(const struct ts_term *t) {
  return t->kind >= TS_TERM_LT && t->kind <= TS_TERM_NE;
}

static bool is_byte(const struct ts_slot *slot) {
  return slot->bytes == 1 && !slot->is_signed;
}

/* a ~ b as b ~ a. */
static uint8_t turned(uint8_t relation) {
  switch (relation) {
  case TS_TERM_LT:
    return TS_TERM_GT;
  case TS_TERM_LE:
    return TS_TERM_GE;
  case TS_TERM_GT:
    return TS_TERM_LT;
  case TS_TERM_GE:
    return TS_TERM_LE;
  default:
    return relation;
  }
}

/* A slot beside a term that is no more than a number or a slot. */
static uint32_t add_relation(struct seen *s, uint8_t relation, const struct ts_term *slot,
                             const struct ts_term *other, uint32_t yes, uint32_t no) {
  const struct ts_slot *slots = s->shape->slot;
  struct seen_test test = {
      relation, false, other->kind == TS_TERM_SLOT, (uint32_t)slot->value, other->value,
      yes,      no};
  test.signs =
      !is_byte(&slots[slot->value]) || (test.is_slot && !is_byte(&slots[other->value]));
  if (!test.signs)
    test.slot = slots[slot->value].offset;
  if (!test.signs && test.is_slot)
    test.other = (int32_t)slots[other->value].offset;
  return add_test(s, test);
}

/* The first term of what ends before `end`: a number. */
static uint32_t find_start(const struct ts_term *term, uint32_t end) {
  uint32_t missing = 1;
  while (missing > 0) {
    const struct ts_term *t = &term[--end];
    if (t->kind >= TS_TERM_ADD)
      missing++;
    else if (t->kind == TS_TERM_CONST || t->kind == TS_TERM_SLOT)
      missing--;
  }
  return end;
}

/* The tests of what is neither `and`, `or` nor `not`. */
static uint32_t add_leaf(struct terms *t, uint32_t yes, uint32_t no) {
  static const struct ts_term zero = {TS_TERM_CONST, 0, 0};
  struct seen *s = t->seen;
  const struct ts_term *last = &t->term[t->end - 1];
  uint32_t first = find_start(t->term, t->end), n = t->end - first;
  t->end = first;
  if (last->kind == TS_TERM_CONST)
    return last->value != 0 ? yes : no;
  if (last->kind == TS_TERM_SLOT)
    return add_relation(s, TS_TERM_NE, last, &zero, yes, no);
  if (is_relation(last) && n == 3 && last[-2].kind == TS_TERM_SLOT)
    return add_relation(s, last->kind, last - 2, last - 1, yes, no);
  if (is_relation(last) && n == 3 && last[-1].kind == TS_TERM_SLOT)
    return add_relation(s, turned(last->kind), last - 1, last - 2, yes, no);
  uint32_t at = (uint32_t)(t->term + first - s->shape->control->term);
  return add_test(s, (struct seen_test){SEEN_TERMS, false, false, at, (int32_t)n, yes, no});
}

/* The tests of the number that ends before t->end, which then is where it begins. Goes deeper
 * only into right sides, of which TS_TERM_DEPTH may wait. */
static uint32_t add_tests(struct terms *t, uint32_t yes, uint32_t no) {
  for (;;) {
    const struct ts_term *last = &t->term[t->end - 1];
    uint32_t was = yes;
    if (last->kind != TS_TERM_NOT && last->kind != TS_TERM_AND && last->kind != TS_TERM_OR)
      return add_leaf(t, yes, no);
    t->end--;
    if (last->kind == TS_TERM_NOT) {
      yes = no;
      no = was;
    } else if (last->kind == TS_TERM_AND) {
      yes = add_tests(t, yes, no);
    } else {
      no = add_tests(t, yes, no);
    }
  }
}

/* One that has no such element as it looks at holds as a whole, so elements stay terms. */
static void add_guard(struct seen *s, uint32_t guard) {
  const struct ts_control *c = s->shape->control;
  const struct ts_guard *it = &c->guard[guard];
  struct terms t = {s, c->term + it->first_term, it->n_terms};
  for (uint32_t i = 0; i < it->n_terms; i++)
    if (t.term[i].kind == TS_TERM_ELEMENT) {
      s->first[guard] =
          add_test(s, (struct seen_test){SEEN_TERMS, false, false, it->first_term,
                                         (int32_t)it->n_terms, SEEN_TRUE, SEEN_FALSE});
      return;
    }
  s->first[guard] = add_tests(&t, SEEN_TRUE, SEEN_FALSE);
}

bool seen_open(struct seen *s, const struct ts_shape *shape, struct budget *budget) {
  const struct ts_control *c = shape->control;
  *s = (struct seen){.shape = shape, .budget = budget, .n_guards = related_guards(c)};
  for (uint32_t g = 0; g < s->n_guards; g++)
    s->n_terms += c->guard[g].n_terms;
  s->looked = budget_alloc(budget, BUDGET_OTHER, (s->n_guards + 1) * sizeof *s->looked);
  s->holds = budget_alloc(budget, BUDGET_OTHER, (s->n_guards + 1) * sizeof *s->holds);
  s->first = budget_alloc(budget, BUDGET_OTHER, (s->n_guards + 1) * sizeof *s->first);
  s->test = budget_alloc(budget, BUDGET_OTHER, (s->n_terms + 1) * sizeof *s->test);
  if (s->looked == NULL || s->holds == NULL || s->first == NULL || s->test == NULL)
    return false;
  for (uint32_t g = 0; g < s->n_guards; g++)
    add_guard(s, g);
  return true;
}

void seen_close(struct seen *s) {
  budget_free(s->budget, BUDGET_OTHER, s->looked, (s->n_guards + 1) * sizeof *s->looked);
  budget_free(s->budget, BUDGET_OTHER, s->holds, (s->n_guards + 1) * sizeof *s->holds);
  budget_free(s->budget, BUDGET_OTHER, s->first, (s->n_guards + 1) * sizeof *s->first);
  budget_free(s->budget, BUDGET_OTHER, s->test, (s->n_terms + 1) * sizeof *s->test);
}

/* ---- a state ----------------------------------------------------------------------------- */

static bool passes(const struct seen *s, const struct seen_test *t) {
  const struct ts_slot *slot = s->shape->slot;
  if (t->relation == SEEN_TERMS) {
    const struct ts_guard part = {.first_term = t->slot, .n_terms = (uint32_t)t->other};
    return ts_guard_holds(s->shape, &part, s->row);
  }
  if (!t->signs)
    return ts_relation_holds((enum ts_term_kind)t->relation, s->row[t->slot],
                             t->is_slot ? s->row[t->other] : t->other);
  int32_t a = (int32_t)ts_value(&slot[t->slot], s->row);
  return ts_relation_holds((enum ts_term_kind)t->relation, a,
                           t->is_slot ? (int32_t)ts_value(&slot[t->other], s->row) : t->other);
}

bool seen_look(const struct seen *s, uint32_t guard) {
  uint32_t at = s->first[guard];
  while (at < SEEN_TRUE) {
    const struct seen_test *t = &s->test[at];
    at = passes(s, t) ? t->yes : t->no;
  }
  return at == SEEN_TRUE;
}
