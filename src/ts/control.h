/* control.h - who moves in an action, from where, and what it touches: the facts that partial
 * order reduction needs beside read and write sets.
 *
 * A process is whatever moves by itself from location to location. A step is an edge of one
 * process; an action is one step, or several that happen together. What a step touches are
 * items: slots of the state, and what models have besides (a channel, who lives). How it
 * touches an item is finer than reading and writing: a send and a receive on one buffered
 * channel commute wherever both are enabled. The facts may say too much, never too little.
 *
 * Two steps of different processes conflict if they touch an item in ways that do not go
 * together (TS_TOUCH_CONFLICTS). Steps of one process always depend on each other.
 *
 * How these facts are used, and why that is sound: docs/por.md.
 */
#ifndef CAIRN_TS_CONTROL_H
#define CAIRN_TS_CONTROL_H

#include "ts/ts.h"

/* Ways to touch an item; a step may touch one in several ways. */
enum ts_touch_way {
  TS_READ = 1,
  TS_WRITE = 2,
  TS_SEND = 4,    /* puts a message at the end of a channel that has room */
  TS_RECEIVE = 8, /* takes one that is there from a channel */
  TS_LEAVE = 16,  /* changes it so that those who do the same do not mind: the order of such
                   * changes is fixed, or they give the same in any order */
  TS_CALL = 32,   /* one side of a handshake, */
  TS_ANSWER = 64, /* and the other */
  TS_ROOM = 128,  /* needs that a channel has room, and changes nothing; */
  TS_ANY = 256    /* that it has a message, the first of which may be looked at */
};

enum { TS_TOUCH_WAYS = 9 };

/* Of each way (by its bit number): which ways of another process's step the order matters with,
 * if the first step is enabled; and which may enable a step that is not, if its guard touches
 * the item in this way. */
#define TS_TOUCH_READS   (TS_READ | TS_ROOM | TS_ANY)
#define TS_TOUCH_CHANGES (TS_WRITE | TS_SEND | TS_RECEIVE | TS_LEAVE | TS_CALL | TS_ANSWER)
#define TS_TOUCH_CONFLICTS                                                                     \
  {                                                                                            \
    TS_TOUCH_CHANGES, TS_TOUCH_READS | TS_TOUCH_CHANGES,                                       \
        TS_READ | TS_WRITE | TS_SEND | TS_ROOM, TS_READ | TS_WRITE | TS_RECEIVE | TS_ANY,      \
        TS_READ | TS_WRITE, TS_READ | TS_WRITE | TS_ANSWER, TS_READ | TS_WRITE | TS_CALL,      \
        TS_WRITE | TS_SEND, TS_WRITE | TS_RECEIVE                                              \
  }
#define TS_TOUCH_ENABLES                                                                       \
  {                                                                                            \
    TS_TOUCH_CHANGES, TS_TOUCH_CHANGES, TS_WRITE | TS_RECEIVE, TS_WRITE | TS_SEND,             \
        TS_WRITE | TS_LEAVE, TS_WRITE | TS_ANSWER, TS_WRITE | TS_CALL, TS_WRITE | TS_RECEIVE,  \
        TS_WRITE | TS_SEND                                                                     \
  }

struct ts_touch {
  uint32_t item;
  uint16_t ways;   /* of the whole step, up to where others may move again */
  uint16_t guard;  /* those of them that decide whether it is enabled */
  uint16_t apart;  /* what all other processes are in error to do to the item, as long as this
                    * one lives: it never comes to a conflict with these ways */
  uint16_t tested; /* of `ways`, what only its guards do which are listed (ts_guard) */
  uint16_t picked; /* of `ways`, what only elements do which are picked (ts_pick) */
  bool bounded; /* where it is written, the value is then from `low` to `high`, or as before */
  int32_t low, high;
};

/* A step touches one of `length` items from `first` on, by an index: the value that a slot has
 * before the step, plus `offset`. Outside of this range it touches none of them. The slot is an
 * item that the step reads, too. */
struct ts_pick {
  uint32_t slot;
  int32_t offset;
  uint32_t first, length;
  uint16_t ways;
};

/* A condition over the values of slots, as a list of terms, each after its operands: the value
 * of the last one. As ir/types.h has them, in 32 bits. */
enum ts_term_kind {
  TS_TERM_CONST,   /* value */
  TS_TERM_SLOT,    /* the value of slot `value` */
  TS_TERM_ELEMENT, /* of slot `value` + the operand; from `length` on: the condition counts as
                    * true, for the step may be a model error */
  TS_TERM_NOT,
  TS_TERM_NEG,
  TS_TERM_ADD,
  TS_TERM_SUB,
  TS_TERM_MUL,
  TS_TERM_LT,
  TS_TERM_LE,
  TS_TERM_GT,
  TS_TERM_GE,
  TS_TERM_EQ,
  TS_TERM_NE,
  TS_TERM_AND,
  TS_TERM_OR
};

enum { TS_TERM_DEPTH = 16 }; /* operands that wait, at most */

struct ts_term {
  uint8_t kind;
  int32_t value;
  uint32_t length;
};

/* A condition without which a step is not enabled, whatever else holds, and no fault of the
 * step either: as long as it is false, the step is not among the events. */
struct ts_guard {
  uint32_t first_term, n_terms;
  uint32_t first_touch, n_touches; /* guard_touch: what may make it true: doing to the item what
                                    * `ways` says */
};

/* The ways that the table (TS_TOUCH_CONFLICTS or TS_TOUCH_ENABLES) has for any of these. */
unsigned ts_touch_against(unsigned ways, const unsigned table[TS_TOUCH_WAYS]);

/* One term that looks at no slot, applied to the operands that wait, n of them: how many then.
 */
uint32_t ts_term_apply(const struct ts_term *, int32_t stack[TS_TERM_DEPTH], uint32_t n);

/* Of a relation, TS_TERM_LT to TS_TERM_NE. */
static inline bool ts_relation_holds(enum ts_term_kind relation, int32_t a, int32_t b) {
  switch (relation) {
  case TS_TERM_LT:
    return a < b;
  case TS_TERM_LE:
    return a <= b;
  case TS_TERM_GT:
    return a > b;
  case TS_TERM_GE:
    return a >= b;
  case TS_TERM_EQ:
    return a == b;
  default:
    return a != b;
  }
}

/* Its value in a state. */
bool ts_guard_holds(const struct ts_shape *, const struct ts_guard *, const uint8_t *state);

enum ts_step_flag {
  TS_STEP_WAITS = 1, /* enabled only where no other kind of step is, of any process */
  TS_STEP_PART = 2,  /* its events may be known by the action of another process */
  TS_STEP_ENDS = 4,  /* its process is gone afterwards */
  TS_STEP_CLOSES = 8 /* of products: each cycle of states has an event with such a step */
};

struct ts_step {
  uint32_t process;
  uint32_t from, to; /* locations, numbered over all processes */
  unsigned flags;
};

struct ts_process {
  uint32_t location_slot; /* its value is the location, from 0; TS_NONE: there is one only */
  uint32_t first, n_locations; /* in the numbering over all processes */
  uint32_t initial;            /* in that numbering */
  /* It is there while the value of live_slot is above `number`, and that of tag_slot is `tag`;
   * a slot TS_NONE asks nothing. */
  uint32_t live_slot, number, tag_slot, tag;
};

struct ts_control {
  uint32_t first_slot; /* of the shape's: slots are counted from this one on */
  uint32_t n_processes, n_locations, n_steps, n_items;
  const struct ts_process *process;
  const struct ts_step *step;   /* by location */
  const uint32_t *first_step;   /* where those of each location begin; n_locations + 1 */
  const uint32_t *first_touch;  /* where the touches of each step begin; n_steps + 1 */
  const struct ts_touch *touch; /* items of one step differ */
  uint32_t n_slot_items;        /* items below are the slots of these numbers */
  const uint32_t *first_pick; /* where the picks of each step begin; n_steps + 1. NULL: none */
  const struct ts_pick *pick;
  /* By step: guards, as far as they are known; where they begin, n_steps + 1. NULL: none is. */
  const uint32_t *first_guard;
  const struct ts_guard *guard;
  const struct ts_touch *guard_touch;
  const struct ts_term *term;
  struct ts_rows of;     /* by action: its steps */
  struct ts_rows starts; /* by step: processes that it may begin */
  /* By item: a slot whose value is not 0 while a receive finds a message there, which then
   * stays the same whatever is sent; TS_NONE: there is none such. */
  const uint32_t *filled;
  uint32_t n_watched; /* what properties of states look at */
  const struct ts_touch *watched;
  /* By atom of the shape: what it looks at; where they begin, n_atoms + 1. NULL: it is not
   * known.
   */
  const uint32_t *first_asked;
  const struct ts_touch *asked;
};

#endif
