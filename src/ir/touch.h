/* touch.h - read and write sets of a model with instances. Private to this folder. */
#ifndef CAIRN_IR_TOUCH_H
#define CAIRN_IR_TOUCH_H

#include "ir/marks.h"
#include "ir/value.h"

/* One instance, and the sets that what it does is added to. */
struct touch {
  const struct ir_model *model;
  struct set_groups *groups;
  struct set *reads, *writes;
  const struct ir_seat *seat; /* whose own variables are meant; NULL: none, */
  uint32_t number;            /* and its slot */
  struct value_births *births;
  bool rendezvous; /* the model has such channels */
  /* Not NULL: what are no slots of variables is added there (ts/control.h), finer than by
   * reading and writing. */
  struct marks *marks;
  const struct ir_process
      *born; /* an instance is being made: its variables are nobody else's */
};

/* Slots of a template's first seat, in this seat; all slots; who is there. */
void touch_in_seat(struct touch *, struct set *, const struct ir_seat *, uint32_t first,
                   uint32_t n);
/* The same in every place where the template may be. */
void touch_in_all_seats(struct touch *, struct set *, const struct ir_process *, uint32_t first,
                        uint32_t n);
/* The slots of a template's frame. */
uint32_t touch_frame_slots(const struct ir_model *, const struct ir_process *);
void touch_everything(struct touch *, struct set *);
void touch_living(struct touch *, struct set *);
void touch_frame(struct touch *, struct set *, const struct ir_seat *);

void touch_expr(struct touch *, const struct ir_expr *); /* NULL: nothing */
/* Whether the edge is executable. */
void touch_condition(struct touch *, const struct ir_edge *);
/* With marks: a condition that is true where a step is enabled. */
void touch_part(struct touch *, const struct ir_expr *);
/* Everything but the own location and who is there. */
void touch_edge(struct touch *, const struct ir_edge *);

/* Whether the operation may be a handshake; whether its process may keep control after it. */
bool touch_is_rendezvous(const struct touch *, const struct ir_operation *);
bool touch_is_held(const struct touch *, const struct ir_process *, const struct ir_edge *);

/* exclusive.c: sets what the instance keeps others from. */
void exclusive_keep(const struct touch *);

/* sequence.c: what is worked out once for many actions. */
struct touch_shared;
struct touch_shared *touch_shared(const struct ir_model *, struct set_groups *);

/* Appends a row to each set: what one action reads and writes. */
void touch_action(struct touch_shared *, const struct ir_move *, struct set *reads,
                  struct set *writes);

#endif
