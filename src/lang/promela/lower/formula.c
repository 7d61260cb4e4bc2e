/* formula.c - inline formulas as trees of the logic, and conditions as atoms of claims.
 *
 * What has no temporal operator inside is one atom, so that its parts are evaluated one after
 * the other as everywhere in Promela: in [] (i < N && a[i] > 0) the index is fine. Only
 * negation is taken off, for p and !p are then the same atom.
 */
#include "lang/promela/lower/lower.h"

#include "lang/ltl/claim.h"

#include <string.h>

/* ---- atoms ------------------------------------------------------------------------------ */

static bool same(const struct ir_expr *a, const struct ir_expr *b) {
  if (a == b)
    return true;
  if (a == NULL || b == NULL || a->kind != b->kind || a->value != b->value ||
      a->variable != b->variable || a->channel != b->channel || a->process != b->process ||
      a->location != b->location || a->operation != b->operation)
    return false;
  return same(a->a, b->a) && same(a->b, b->b) && same(a->c, b->c);
}

bool lower_atom_of(struct promela_lower *l, const char *text, struct ir_expr *e, uint32_t first,
                   struct claim_cube *cube, bool *many) {
  bool negated = false;
  for (; e->kind == IR_NOT; e = e->a)
    negated = !negated;
  *cube = (struct claim_cube){0, 0};
  if (e->kind == IR_CONST)
    return (e->value != 0) != negated;
  uint32_t i = first;
  while (i < l->ir.atoms.n && !same(l->ir.atoms.at[i].condition, e))
    i++;
  if (i - first >= 64) {
    *many = true;
    return false;
  }
  if (i == l->ir.atoms.n)
    ir_add_atom(&l->ir, text, e->span, e);
  *(negated ? &cube->no : &cube->yes) = UINT64_C(1) << (i - first);
  return true;
}

static struct ir_expr *negation(struct promela_lower *l, struct ir_expr *e) {
  return lower_unary(l, IR_NOT, e);
}

/* A condition with the signs of formulas, but without time. */
static struct ir_expr *condition_of(struct promela_lower *l, const struct promela_expr *e) {
  switch (e->kind) {
  case PROMELA_NOT:
    return negation(l, condition_of(l, e->a));
  case PROMELA_AND:
    return lower_binary(l, IR_AND, condition_of(l, e->a), condition_of(l, e->b));
  case PROMELA_OR:
    return lower_binary(l, IR_OR, condition_of(l, e->a), condition_of(l, e->b));
  case PROMELA_IMPLIES:
    return lower_binary(l, IR_OR, negation(l, condition_of(l, e->a)), condition_of(l, e->b));
  case PROMELA_EQUIVALENT:
    return lower_binary(l, IR_EQ, negation(l, condition_of(l, e->a)),
                        negation(l, condition_of(l, e->b)));
  case PROMELA_COND:
    return lower_conditional(l, e, condition_of);
  default:
    return lower_expr(l, e);
  }
}

bool lower_atom(struct promela_lower *l, const struct promela_expr *e, uint32_t first,
                struct claim_cube *cube, bool *many) {
  return lower_atom_of(l, source_squeeze(l->arena, e->span, 200), condition_of(l, e), first,
                       cube, many);
}

/* ---- formulas --------------------------------------------------------------------------- */

struct reading {
  struct promela_lower *l;
  uint32_t first;
  bool many;
};

/* Whether there is a temporal operator inside. */
static bool has_logic(const struct promela_expr *e) {
  if (e == NULL)
    return false;
  if (e->kind == PROMELA_NOT || e->kind == PROMELA_AND || e->kind == PROMELA_OR ||
      e->kind == PROMELA_IMPLIES || e->kind == PROMELA_EQUIVALENT)
    return has_logic(e->a) || has_logic(e->b);
  return e->kind >= PROMELA_ALWAYS;
}

static enum ltl_op operator_of(enum promela_expr_kind kind) {
  switch (kind) {
  case PROMELA_NOT:
    return LTL_NOT;
  case PROMELA_AND:
    return LTL_AND;
  case PROMELA_OR:
    return LTL_OR;
  case PROMELA_ALWAYS:
    return LTL_ALWAYS;
  case PROMELA_EVENTUALLY:
    return LTL_EVENTUALLY;
  case PROMELA_NEXT:
    return LTL_NEXT;
  case PROMELA_UNTIL:
    return LTL_UNTIL;
  case PROMELA_WEAK_UNTIL:
    return LTL_WEAK_UNTIL;
  case PROMELA_RELEASE:
    return LTL_RELEASE;
  case PROMELA_IMPLIES:
    return LTL_IMPLIES;
  default:
    return LTL_EQUIVALENT;
  }
}

static const struct ltl_node *node_of(struct reading *r, const struct promela_expr *e);

static const struct ltl_node *atom_of(struct reading *r, const struct promela_expr *e) {
  struct arena *arena = r->l->arena;
  struct claim_cube cube;
  bool may = lower_atom(r->l, e, r->first, &cube, &r->many);
  if (!may || (cube.yes | cube.no) == 0)
    return ltl_node_make(arena, may ? LTL_TRUE : LTL_FALSE, NULL, NULL, e->span);
  struct ltl_node *node = ltl_node_make(arena, LTL_ATOM, NULL, NULL, e->span);
  node->atom = (uint32_t)__builtin_ctzll(cube.yes | cube.no);
  return cube.no == 0 ? node : ltl_node_make(arena, LTL_NOT, node, NULL, e->span);
}

static const struct ltl_node *node_of(struct reading *r, const struct promela_expr *e) {
  if (!has_logic(e))
    return atom_of(r, e);
  const struct ltl_node *a = node_of(r, e->a);
  const struct ltl_node *b = e->b == NULL ? NULL : node_of(r, e->b);
  return ltl_node_make(r->l->arena, operator_of(e->kind), a, b, e->span);
}

bool lower_formula(struct promela_lower *l, const struct promela_formula *formula,
                   struct claim *claim, const char **why) {
  struct reading reading = {.l = l, .first = l->ir.atoms.n};
  const struct ltl_node *root = node_of(&reading, formula->formula);
  *claim = (struct claim){.name = formula->name,
                          .what = arena_printf(l->arena, "ltl %s", formula->name),
                          .first_atom = reading.first,
                          .n_atoms = l->ir.atoms.n - reading.first};
  *why = "more than 64 different conditions";
  if (reading.many)
    return false;
  *why = "too many nested operators";
  return root->height <= LTL_HEIGHT && ltl_claim_make(l->arena, root, claim, why);
}
