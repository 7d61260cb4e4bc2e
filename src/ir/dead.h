/* dead.h - which variables of a template are dead where. Private to this folder; see dead.c. */
#ifndef CAIRN_IR_DEAD_H
#define CAIRN_IR_DEAD_H

#include "ir/naming.h"

/* Sets have a bit for each of the variables looked at. */
struct dead {
  const struct ir_model *model;
  const struct ir_process *process;
  struct arena *arena;
  const uint32_t *user;
  const bool *read;
  uint32_t *place; /* by variable of the shape: its bit + 1, or 0 */
  struct ir_variable **variable;
  uint32_t n, words;
  uint64_t *live;  /* by location: read on some way on, before it is written */
  uint64_t *dirty; /* by location: may be anything but zero */
  uint64_t *set;   /* room for one */
};

static inline uint64_t *dead_at(const struct dead *d, uint64_t *sets, uint32_t location) {
  return sets + (size_t)location * d->words;
}

void dead_open(struct dead *, const struct ir_model *, const struct ts_shape *);
/* Finds what is live in a template, of the variables that can be looked at; false: there are
 * none. dead_end() is due in either case. */
bool dead_begin(struct dead *, const struct ir_process *);
void dead_end(struct dead *);

/* Adds a set to another one; whether that had not all of it. */
bool dead_unite(const struct dead *, uint64_t *to, const uint64_t *from);
/* From what is live after the operation of an edge to what is live before it. */
void dead_before_operation(const struct dead *, uint64_t *set, const struct ir_edge *);
/* What may be anything but zero after an assignment (of what is not known: NULL), and after the
 * operation of an edge. */
void dead_mark_dirty(const struct dead *, uint64_t *set, const struct ir_expr *target,
                     const struct ir_expr *value);
void dead_after_operation(const struct dead *, uint64_t *set, const struct ir_edge *);

#endif
