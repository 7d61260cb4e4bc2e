/* step.h - what the files share that print the steps of a template. */
#ifndef CAIRN_NATIVE_EMIT_STEP_H
#define CAIRN_NATIVE_EMIT_STEP_H

#include "native/emit/emit.h"

enum emit_mode { EMIT_ALONE, EMIT_TAKING }; /* a step of its own; the receive of a handshake */

struct emit_step { /* one edge while it is printed */
  const struct ir_process *process;
  const struct ir_edge *edge;
  uint32_t number; /* counted from the first action of the template */
  enum emit_mode mode;
  bool asks, escapes; /* the location has an ELSE; escapes */
  bool cycle;
  uint32_t label;
  const struct emit_place *place; /* the channel at hand, or NULL; */
  const char *found;              /* and what names where the message is */
};

/* cycle.c: whether control is kept after an edge, in a sequence of steps that are not
 * stored; and by edge, in the order of the text, whether it closes a cycle of such. */
bool emit_is_held(const struct ir_process *, const struct ir_edge *);
bool *emit_cycles(struct emit *, const struct ir_process *, const struct ir_edge **sorted);

/* step.c: the components that an edge is known to change, as C text in out. */
const char *emit_mask_text(const struct emit *, const struct ir_edge *, char out[48]);
/* All that the edge does to `row`. */
void emit_change_row(struct emit *, const struct emit_context *, const struct emit_step *);
/* The step as a block: its condition, and what follows if it holds. */
void emit_edge_block(struct emit *, struct emit_step *);

#endif
