/* small_steps.h - what an action does, cut into steps that each can be done and undone alone.
 * Private to this folder.
 *
 * An assignment works out a value, and stores it; a message is worked out value by value, then
 * put into the channel, and so on. Between the two a value is in a temporary of the action, and
 * each temporary is used for one value only. Of models without instances.
 */
#ifndef CAIRN_IR_SMALL_STEPS_H
#define CAIRN_IR_SMALL_STEPS_H

#include "ir/ir.h"

enum small_step_kind {
  SMALL_WORK_OUT, /* temporary = expr, cut to the type (NULL: as it is) */
  SMALL_STORE,    /* expr, a VARIABLE or ELEMENT, = the temporary, cut to its type */
  SMALL_MOVE,     /* the process is at edge->to */
  SMALL_PUT,      /* n temporaries become the last message of the channel */
  SMALL_TAKE      /* the first message of the channel goes to n temporaries */
};

struct small_step {
  enum small_step_kind kind;
  uint32_t temporary, n;
  const struct ir_expr *expr;
  const struct ir_type *type;
  const struct ir_process *process;
  const struct ir_edge *edge;
  const struct ir_channel *channel;
};

struct small_steps {
  uint32_t n, capacity, n_temporaries;
  struct small_step *at;
  uint32_t size; /* of its expressions: nodes */
  bool more;     /* it does what no small step says */
  bool may_fail; /* some expression in it may be a model error */
};

/* Of an action that is no common step. */
struct small_steps small_steps_of(const struct ir_model *, const struct ir_action *);

/* The most temporaries that any of n actions has; 1 at least. */
uint32_t small_steps_most_temporaries(const struct small_steps *, uint32_t n);

/* Whether working it out may be a model error, as far as types tell. */
bool small_steps_may_fail(const struct ir_expr *);

#endif
