/* notes.c - what only some models have to tell, made when there is a first thing. */
#include "ir/ir.h"

#include "ts/ts.h"

/* Nobody else has the notes while the shape is made, so they may still be written. */
struct ts_notes *ir_notes(const struct ir_model *m, struct ts_shape *shape) {
  if (shape->notes == NULL)
    shape->notes = ARENA_NEW(m->arena, struct ts_notes);
  return (struct ts_notes *)(uintptr_t)shape->notes;
}
