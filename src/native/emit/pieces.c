/* pieces.c - calls of C text of the model (ir/embedded.h), which is compiled apart.
 *
 * A call may go wrong in several ways, which are faults in a row: the crashes that the guard
 * knows, a precondition that does not hold, and a call that had to be stopped.
 */
#include "native/emit/emit.h"

#include "base/guard.h"
#include "ir/embedded.h"

#include <stdio.h>

void emit_know_pieces(struct emit *e, const char *run) {
  if (e->model->embedded == NULL)
    return;
  e->helpers |= EMIT_PIECES;
  emit_line(e, "%spieces = PIECES(ts);", run);
}

/* The first fault: of what went wrong in way 1. */
static uint32_t faults_of(struct emit *e, const struct ir_piece *piece) {
  char message[200];
  const char *key = (const char *)piece; /* a place in it for each */
  uint32_t first = 0;
  for (uint32_t way = 1; way < TS_PIECE_ENDS; way++) {
    const char *sentence = "the model's C code did not return before the search was stopped";
    if (way < TS_PIECE_REFUSED)
      sentence = guard_sentence[way];
    snprintf(message, sizeof message, "%s", sentence);
    if (way == TS_PIECE_REFUSED)
      snprintf(message, sizeof message, "the precondition of %s is false: %.150s",
               piece->is_expression ? "c_expr" : "c_code",
               piece->precondition == NULL ? "" : piece->precondition);
    const uint32_t fault = emit_fault(e, key + way, EMIT_FAULT, piece->span, message);
    first = way == 1 ? fault : first;
  }
  return first;
}

void emit_piece(struct emit *e, const struct emit_context *in, const struct ir_piece *piece,
                const char *row, const char *value) {
  const uint32_t how = e->temps++;
  const bool own = piece->process != NULL;
  emit_line(e, "const uint32_t h%u = piece(run, %u, %s, %s, %s, &%s);", how, piece->number, row,
            own ? EMIT_OWN_FRAME : "0", own ? "self" : "0", value);
  e->escaped = true;
  e->helpers |= in->escape.needs | EMIT_PIECES;
  emit_line(e, "if (h%u) {", how);
  emit_line(e, "  %s%uu + h%u%s", in->escape.head, faults_of(e, piece) - 1, how,
            in->escape.tail);
  emit_line(e, "}");
}

/* What it names counts as written: it is read from the row from here on. */
void emit_c_code(struct emit *e, const struct emit_context *in,
                 const struct ir_effect *effect) {
  const struct ir_piece *piece = effect->piece;
  const struct ir_embedded *c = e->model->embedded;
  char value[24];
  snprintf(value, sizeof value, "t%u", e->temps++);
  emit_line(e, "int32_t %s;", value);
  emit_piece(e, in, piece, in->work, value);
  for (uint32_t i = 0; i < piece->n_views; i++)
    if (piece->view[i]->variable->length > 0)
      emit_mark_written(e, piece->view[i]->variable->first_slot);
  for (uint32_t i = 0; i < c->kept.n; i++)
    if (c->kept.at[i].address != NULL && c->kept.at[i].variable->length > 0)
      emit_mark_written(e, c->kept.at[i].variable->first_slot);
}
