/* exclusive.c - xr and xs: which channels a process claims for itself.
 *
 * A claim holds as long as its process lives, wherever it is written. Where channels are used
 * is noted as expressions are made (lower_use). As in Spin, nempty counts as a receive and
 * nfull as a send; len, empty, full and polls count as both. What is made of this:
 * ir/exclusive.c.
 */
#include "lang/promela/lower/lower.h"

static void add_claim(struct promela_lower *l, const struct lower_frame *frame,
                      const struct promela_stmt *stmt, const struct promela_expr *e,
                      struct ir_expr *channel) {
  *ARENA_PUSH(l->arena, &l->ir.exclusives.claim) = (struct ir_exclusive_claim){
      frame->process, channel, stmt->text[1] == 'r' ? IR_RECEIVES : IR_SENDS,
      source_squeeze(l->arena, e->span, 40)};
}

static void add_claims(struct promela_lower *l, const struct lower_frame *frame,
                       const struct promela_stmt *stmt, const struct promela_expr *e) {
  struct lower_exprs all = {NULL, 0, 0};
  bool is_whole = e->variable->is_array && e->a == NULL;
  if (!is_whole) {
    add_claim(l, frame, stmt, e, lower_expr(l, e));
  } else if (e->kind == PROMELA_VARIABLE) {
    lower_elements(l, lower_find(l, e->variable), e->span, &all);
    for (uint32_t i = 0; i < all.n; i++)
      add_claim(l, frame, stmt, e, all.at[i]);
  } else {
    diag_error(l->diag, e->span, "'%s' needs one channel, and this is an array in a struct",
               stmt->text);
    diag_hint(l->diag, "name its elements");
  }
}

void lower_exclusive(struct promela_lower *l, const struct lower_frame *frame) {
  const struct promela_sequence *list = &frame->proctype->exclusive;
  for (uint32_t i = 0; i < list->n; i++)
    for (uint32_t k = 0; k < list->at[i]->arguments.n; k++)
      add_claims(l, frame, list->at[i], list->at[i]->arguments.at[k]);
}
