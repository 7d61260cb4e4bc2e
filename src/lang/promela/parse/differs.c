/* differs.c - statements of which Spin makes something else than its language reference says.
 *
 * Only where the difference can be seen in the text. What depends on the run is a model
 * error here, which says it itself; docs/promela.md lists all.
 */
#include "lang/promela/parse/parser.h"
#include "lang/promela/parse/remark.h"

/* ---- elements of bit arrays --------------------------------------------------------- */

static bool is_bit_or_less(const struct promela_expr *e) {
  int32_t value;
  return promela_fold(e, &value) ? value == 0 || value == 1 : e->type.base == PROMELA_BIT;
}

static void note_bit_array(struct promela_parser *p, const struct promela_stmt *stmt) {
  const struct promela_expr *target = stmt->target;
  if (target == NULL || target->variable == NULL || !target->variable->is_array ||
      target->type.base != PROMELA_BIT || (stmt->a != NULL && is_bit_or_less(stmt->a)))
    return;
  promela_remark(p->model, p->diag, stmt->span,
                 "an element of an array of bits is one bit: the value is cut; Spin keeps it "
                 "whole",
                 NULL);
}

/* ---- receives into what the channel, an eval or an index depends on --------------------- */

static bool mentions(const struct promela_expr *e, const struct promela_variable *v) {
  if (e == NULL)
    return false;
  return (e->kind == PROMELA_VARIABLE && e->variable == v) || mentions(e->a, v) ||
         mentions(e->b, v) || mentions(e->c, v);
}

static bool depends_on(const struct promela_stmt *stmt, const struct promela_variable *v) {
  if (mentions(stmt->a, v))
    return true;
  for (uint32_t i = 0; i < stmt->arguments.n; i++)
    if (stmt->arguments.at[i]->kind == PROMELA_EVAL && mentions(stmt->arguments.at[i], v))
      return true;
  return false;
}

/* Whether the variable is in the index of what the receive assigns. */
static bool is_in_target(const struct promela_stmt *stmt, const struct promela_variable *v) {
  for (uint32_t i = 0; i < stmt->arguments.n; i++)
    if (stmt->arguments.at[i]->kind == PROMELA_VARIABLE &&
        mentions(stmt->arguments.at[i]->a, v))
      return true;
  return false;
}

static void note_receive(struct promela_parser *p, const struct promela_stmt *stmt) {
  for (uint32_t i = 0; i < stmt->arguments.n; i++) {
    const struct promela_expr *target = stmt->arguments.at[i];
    if (target->kind == PROMELA_VARIABLE && depends_on(stmt, target->variable))
      promela_remark(p->model, p->diag, stmt->span,
                     "this receive changes what says which channel or message it is; Spin does "
                     "not take it back rightly, and its search loses states",
                     NULL);
    else if (target->kind == PROMELA_VARIABLE && is_in_target(stmt, target->variable))
      promela_remark(p->model, p->diag, stmt->span,
                     "this receive changes the index of what it assigns; Spin takes back "
                     "another element, and its search loses states or adds some",
                     NULL);
  }
}

/* ---- labels first in an option --------------------------------------------------------- */

/* Also of a block that the option begins with. */
void promela_note_option(struct promela_parser *p, const struct promela_sequence *option) {
  while (option != NULL && option->n > 0) {
    const struct promela_stmt *first = option->at[0];
    for (uint32_t i = 0; i < first->labels.n; i++)
      promela_remark(p->model, p->diag, first->labels.at[i]->span,
                     "while this option can be chosen control is at the selection: only a goto "
                     "leads to this label, and Spin reports it as placed incorrectly",
                     "put it in front of the selection to be at it there");
    const bool is_block = first->kind == PROMELA_BLOCK || first->kind == PROMELA_ATOMIC ||
                          first->kind == PROMELA_D_STEP;
    option = is_block ? first->body : NULL;
  }
}

/* ---- all ------------------------------------------------------------------------------- */

void promela_note_stmt(struct promela_parser *p, const struct promela_stmt *stmt) {
  switch (stmt->kind) {
  case PROMELA_ASSIGN:
  case PROMELA_INCREMENT:
  case PROMELA_DECREMENT:
    note_bit_array(p, stmt);
    break;
  case PROMELA_RECEIVE:
    note_receive(p, stmt);
    break;
  default:
    break;
  }
}

/* A declaration that can be passed again. */
void promela_note_declaration(struct promela_parser *p, const struct promela_stmt *stmt) {
  if (stmt->at_start || (p->loop == NULL && p->proctype->labels.n == 0))
    return;
  for (uint32_t i = 0; i < stmt->variables.n; i++) {
    const struct promela_variable *v = stmt->variables.at[i];
    if (v->type.base == PROMELA_STRUCT || (v->is_array && v->initial == NULL))
      promela_remark(p->model, p->diag, v->span,
                     "all of this starts anew each time; in Spin only the first element of an "
                     "array does, and nothing of a struct",
                     NULL);
  }
}
