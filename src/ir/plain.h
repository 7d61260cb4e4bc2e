/* plain.h - what the moves of a model without instances read and write. Private to this folder.
 */
#ifndef CAIRN_IR_PLAIN_H
#define CAIRN_IR_PLAIN_H

#include "ir/marks.h"

struct plain {
  const struct ir_model *model;
  struct set *reads, *writes;
  struct marks *marks; /* not NULL: channels are marked there, and are no slots */
};

void plain_expr(struct plain *, const struct ir_expr *); /* NULL: nothing */

/* Adds what one process's part of an action reads and writes. */
void plain_move(struct plain *, const struct ir_move *);

/* The slots of the locations of processes that have committed ones; how many. */
uint32_t plain_committed(const struct ir_model *, uint32_t *slot);

/* With marks, whose sets these are: adds what a step touches, apart from its own location. */
void plain_step(struct plain *, const struct ir_edge *);

#endif
