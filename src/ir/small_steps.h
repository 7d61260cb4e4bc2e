/* small_steps.h - what an action does, cut into steps that each can be done and undone alone.
 * Private to this folder.
 *
 * An assignment works out a value, and stores it; a message is worked out value by value, then
 * put into the channel, and so on. Between the two a value is in a temporary of the action, and
 * each temporary is used for one value only. For models with instances see seat_steps.h.
 */
#ifndef CAIRN_IR_SMALL_STEPS_H
#define CAIRN_IR_SMALL_STEPS_H

#include "ir/ir.h"

enum small_step_kind {
  SMALL_WORK_OUT, /* temporary = expr, cut to the type (NULL: as it is) */
  SMALL_STORE,    /* expr, a VARIABLE or ELEMENT, = the temporary, cut to its type */
  SMALL_MOVE,     /* the process is at edge->to */
  SMALL_PUT,      /* n temporaries become the last message of the channel */
  SMALL_TAKE,     /* the first message of the channel goes to n temporaries */
  /* Of models with instances only: */
  SMALL_OPERATE, /* n temporaries are sent by the operation, or those that are received get
                  * what they are stored with */
  SMALL_RUN,     /* a process begins, with n temporaries as its arguments; its number goes to
                  * the next temporary */
  SMALL_END,     /* the process, which is the youngest, is gone */
  SMALL_BIRTH    /* for analyses: the process may begin, with n temporaries as its arguments */
};

struct small_step {
  enum small_step_kind kind;
  uint32_t temporary, n;
  const struct ir_expr *expr;
  const struct ir_type *type;
  const struct ir_process *process;
  const struct ir_edge *edge;
  const struct ir_channel *channel;
  const struct ir_operation *operation;
  const struct ir_effect *run;
  uint32_t number; /* of who begins or ends */
  bool is_unseen;  /* its value takes more than the row */
};

struct small_steps {
  uint32_t n, capacity, n_temporaries;
  struct small_step *at;
  uint32_t size; /* of its expressions: nodes */
  bool more;     /* it does what no small step says */
  bool may_fail; /* some expression in it may be a model error */
};

/* For those who make such lists. */
struct making {
  struct arena *arena;
  struct small_steps steps;
};

struct small_step *making_add(struct making *, enum small_step_kind);
/* So many new ones: the first of them. */
uint32_t making_temporaries(struct making *, uint32_t n);
struct small_step *making_work_out(struct making *, const struct ir_expr *,
                                   const struct ir_type *, uint32_t temporary);
void making_store(struct making *, const struct ir_expr *target, uint32_t temporary);

/* Of an action that is no common step. */
struct small_steps small_steps_of(const struct ir_model *, const struct ir_action *);

/* The most temporaries that any of n actions has; 1 at least. */
uint32_t small_steps_most_temporaries(const struct small_steps *, uint32_t n);

/* Whether working it out may be a model error, as far as types tell. */
bool small_steps_may_fail(const struct ir_expr *);

#endif
