/* marks.h - what one step touches, while it is worked out: items and ways, as ts/control.h has
 * them. Private to this folder. */
#ifndef CAIRN_IR_MARKS_H
#define CAIRN_IR_MARKS_H

#include "ir/ir.h"
#include "ir/set.h"

#include "ts/control.h"

struct marks {
  const struct ir_model *model;
  struct arena *arena;
  struct set_groups groups;
  struct set reads, writes; /* slots; taken over by marks_take() */
  uint32_t n_slots, n_items;
  uint32_t *first; /* by process of the control: its first location; n_processes + 1 */
  uint32_t *place; /* by item: its place in the list + 1, or 0 */
  struct {
    struct ts_touch *at;
    uint32_t n, capacity;
  } list;
  uint16_t *apart; /* by channel: what the process keeps others from (ts/control.h) */
  struct {
    struct ts_pick *at;
    uint32_t n, capacity;
  } pick;         /* of all steps so far */
  uint32_t known; /* parts of the guard that are listed, the first ones; of these those that */
  uint32_t left;  /* were not touched yet */
  uint16_t *granted; /* by channel: what the guard has found of it, TS_ROOM and TS_ANY */
  uint32_t *uses;    /* by channel: receives in the sequence at hand, then sends: statements */
  bool grants;       /* `granted` is not all empty */
  bool once;         /* the operation is done at most once in the sequence, */
  bool certain;      /* and its channel is known */
  bool guard;        /* what is touched now decides whether the step is enabled */
  bool inner;        /* it is done in the midst of a sequence, where it need not be possible */
  bool negative;     /* it is asked whether it is impossible */
  bool tests;        /* what is touched now is asked by listed guards, */
  bool picks;        /* and is an element whose index says which */
  bool early;        /* indices have the values that they have before the step */
};

/* Processes are those of the model in their order, or the seats of its slots. */
void marks_open(struct marks *, const struct ir_model *, const struct ts_shape *);

/* A new list begins. */
void marks_begin(struct marks *);
/* Adds ways of touching an item; of the guard, where that is being worked out. */
void marks_add(struct marks *, uint32_t item, unsigned ways);
/* Adds what was put into the sets of slots, and empties them. */
void marks_take(struct marks *);
/* Adds that n slots may be set to a value in a range (NULL: any). */
void marks_write(struct marks *, uint32_t slot, uint32_t n, const struct ir_range *);

/* An index that is a slot plus a number. */
struct marks_index {
  uint32_t slot;
  int32_t offset;
};

/* The variable in an index, and what is added to it; NULL: the index is something else. */
const struct ir_expr *marks_index_variable(const struct ir_expr *index, int32_t *offset);
/* Adds that one of n slots is touched, by an index. False, and nothing is added: the slot of
 * the index may have changed in the step at hand. Range: as of marks_write(). */
bool marks_pick(struct marks *, struct marks_index, struct ts_range elements, unsigned way,
                const struct ir_range *);

/* The range of a value that is stored in a variable of this type; NULL: it may be cut. */
const struct ir_range *marks_stored(const struct ir_range *, const struct ir_type *);

/* A part of the guard begins: whether it is listed decides on m->tests. */
void marks_begin_part(struct marks *);
void marks_end_part(struct marks *);
/* What comes now is not only tested, as long as this element may be a model error; returns what
 * marks_end_index() needs. */
bool marks_begin_index(struct marks *, const struct ir_expr *element);
void marks_end_index(struct marks *, bool tests);

/* Items that are no slots of variables: everything (each step leaves a mark there, so that
 * whoever reads it depends on all of them); which processes live; a channel; where its
 * receivers wait; whether a process is at a location. */
static inline uint32_t marks_all(const struct marks *m) {
  return m->n_slots;
}
static inline uint32_t marks_living(const struct marks *m) {
  return m->n_slots + 1;
}
static inline uint32_t marks_first_channel(const struct marks *m) {
  return m->n_slots + 2;
}
static inline uint32_t marks_channel(const struct marks *m, const struct ir_channel *c) {
  return marks_first_channel(m) + c->index;
}
static inline uint32_t marks_offer(const struct marks *m, const struct ir_channel *c) {
  return marks_channel(m, c) + m->model->n_channels;
}

static inline uint32_t marks_location(const struct marks *m, uint32_t process,
                                      uint32_t location) {
  return m->n_slots + 2 + 2 * m->model->n_channels + m->first[process] + location;
}

/* Adds that it is asked whether a process of this template is at a location. */
void marks_located(struct marks *, const struct ir_process *, uint32_t location);

/* The guard says that this channel has room, or a message. */
void marks_grant(struct marks *, const struct ir_channel *, unsigned way);

/* An operation on this channel, as it is done or asked about now. */
void marks_operation(struct marks *, const struct ir_channel *, const struct ir_operation *);

#endif
