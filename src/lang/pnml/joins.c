/* joins.c - the same: checks as early as they can be done, then what is bound by an
 * equation, then the row with the fewest unknown cells, and values one by one only where
 * nothing else binds them.
 */
#include "lang/pnml/joins.h"

#include <string.h>

/* ---- atoms and conjuncts ------------------------------------------------------------------
 */

/* Where nothing is taken away, each row asks for its tokens. A row with `all` asks for
 * many colours, and binds nothing. */
static void add_atoms(struct joins_transition *t, struct arena *arena,
                      const struct symmetric_arc *arc, uint32_t n_cells) {
  for (uint32_t i = 0; i < arc->sum.n; i++)
    if (arc->sum.at[i].count < 0)
      return;
  for (uint32_t i = 0; i < arc->sum.n; i++) {
    const struct symmetric_row *row = &arc->sum.at[i];
    bool binds = row->count > 0;
    for (uint32_t k = 0; k < n_cells; k++)
      binds = binds && row->cell[k].kind != SYMMETRIC_ALL && row->cell[k].part == NULL;
    if (binds)
      *ARENA_PUSH(arena, &t->atom) = (struct joins_atom){arc->place, row->cell};
  }
}

static void add_conjuncts(struct joins_transition *t, struct arena *arena,
                          const struct symmetric_condition *condition) {
  while (condition->kind == SYMMETRIC_AND) {
    add_conjuncts(t, arena, condition->b);
    condition = condition->a;
  }
  *ARENA_PUSH(arena, &t->conjunct) = condition;
}

void joins_open(struct joins_transition *t, struct arena *arena,
                const struct symmetric_transition *transition) {
  *t = (struct joins_transition){.transition = transition};
  for (uint32_t i = 0; i < transition->in.n; i++)
    add_atoms(t, arena, &transition->in.at[i], transition->in.at[i].sum.sort->n_cells);
  if (transition->condition != NULL)
    add_conjuncts(t, arena, transition->condition);
}

/* ---- choosing steps
 * -------------------------------------------------------------------------- */

struct joining {
  struct joins *plan;
  const struct joins_transition *t;
  struct colours *colours;
  uint64_t bound;
  bool *joined, *checked;
};

static uint64_t variables_of(const struct joining *p, const struct joins_atom *atom) {
  uint32_t n = p->colours->net->place[atom->place].sort->n_cells;
  uint64_t variables = 0;
  for (uint32_t i = 0; i < n; i++)
    if (atom->cell[i].kind == SYMMETRIC_VARIABLE)
      variables |= UINT64_C(1) << atom->cell[i].value;
  return variables;
}

/* The cells of an atom whose values are known. */
static uint64_t known_cells(const struct joining *p, const struct joins_atom *atom) {
  uint32_t n = p->colours->net->place[atom->place].sort->n_cells;
  uint64_t known = 0;
  for (uint32_t i = 0; i < n; i++)
    if (atom->cell[i].kind == SYMMETRIC_CONST || (p->bound >> atom->cell[i].value & 1))
      known |= UINT64_C(1) << i;
  return known;
}

static struct joins_step *add_step(struct joining *p, enum joins_kind kind) {
  struct joins_step *step = ARENA_PUSH(p->colours->arena, p->plan);
  step->kind = kind;
  return step;
}

static void add_checks(struct joining *p) {
  for (uint32_t i = 0; i < p->t->conjunct.n; i++)
    if (!p->checked[i] && (p->t->conjunct.at[i]->uses & ~p->bound) == 0) {
      p->checked[i] = true;
      add_step(p, JOINS_CHECK)->condition = p->t->conjunct.at[i];
    }
}

static bool is_known(const struct joining *p, const struct symmetric_cell *cell) {
  return cell->kind == SYMMETRIC_CONST || (p->bound >> cell->value & 1);
}

static bool can_assign(const struct joining *p, const struct symmetric_cell *target,
                       const struct symmetric_cell *known) {
  return !is_known(p, target) && target->part == NULL && is_known(p, known);
}

static bool add_assignment(struct joining *p) {
  for (uint32_t i = 0; i < p->t->conjunct.n; i++) {
    const struct symmetric_condition *c = p->t->conjunct.at[i];
    if (p->checked[i] || c->kind != SYMMETRIC_EQ || c->n_cells != 1)
      continue;
    bool left = can_assign(p, c->left, c->right);
    if (!left && !can_assign(p, c->right, c->left))
      continue;
    struct joins_step *step = add_step(p, JOINS_ASSIGN);
    step->condition = c;
    step->is_left = left;
    step->variable = left ? c->left->value : c->right->value;
    p->bound |= UINT64_C(1) << step->variable;
    p->checked[i] = true;
    return true;
  }
  return false;
}

static bool add_join(struct joining *p) {
  uint32_t best = JOINS_NO_ATOM;
  int32_t best_score = INT32_MIN;
  for (uint32_t i = 0; i < p->t->atom.n; i++) {
    const struct joins_atom *atom = &p->t->atom.at[i];
    if (p->joined[i])
      continue;
    int32_t known = __builtin_popcountll(known_cells(p, atom));
    int32_t unknown = __builtin_popcountll(variables_of(p, atom) & ~p->bound);
    int32_t score = unknown == 0 ? INT32_MAX : known - 100 * unknown + (known > 0 ? 1000 : 0);
    if (best == JOINS_NO_ATOM || score > best_score) {
      best = i;
      best_score = score;
    }
  }
  if (best == JOINS_NO_ATOM)
    return false;
  const struct joins_atom *atom = &p->t->atom.at[best];
  struct joins_step *step = add_step(p, JOINS_JOIN);
  step->atom = best;
  step->index = colours_index(p->colours, atom->place, known_cells(p, atom));
  p->joined[best] = true;
  p->bound |= variables_of(p, atom);
  return true;
}

static bool add_each(struct joining *p) {
  const struct symmetric_transition *transition = p->t->transition;
  uint32_t best = COLOURS_NONE;
  for (uint32_t i = 0; i < transition->n_cells; i++)
    if (!(p->bound >> i & 1) && (best == COLOURS_NONE || transition->cell[i]->n_values <
                                                             transition->cell[best]->n_values))
      best = i;
  if (best == COLOURS_NONE)
    return false;
  add_step(p, JOINS_EACH)->variable = best;
  p->bound |= UINT64_C(1) << best;
  return true;
}

void joins_make(struct joins *plan, const struct joins_transition *t, struct colours *colours,
                uint32_t start) {
  *plan = (struct joins){.start = start};
  struct joining p = {.plan = plan, .t = t, .colours = colours};
  p.joined = ARENA_ARRAY(colours->arena, t->atom.n, bool);
  p.checked = ARENA_ARRAY(colours->arena, t->conjunct.n, bool);
  if (start != JOINS_NO_ATOM) {
    p.joined[start] = true;
    p.bound = variables_of(&p, &t->atom.at[start]);
  }
  do
    add_checks(&p);
  while (add_assignment(&p) || add_join(&p) || add_each(&p));
}
