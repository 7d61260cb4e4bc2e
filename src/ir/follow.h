/* follow.h - what one process runs, found by following its control. Private to this folder. */
#ifndef CAIRN_IR_FOLLOW_H
#define CAIRN_IR_FOLLOW_H

#include "ir/control.h"
#include "ir/value.h"

/* Globals of which more is known than that anybody may write them:
 * private ones are written by one template only, of which there is one instance; of settled
 * ones every write gives the same constant, so that it stays once it was seen. */
struct follow_global {
  struct ir_variable *variable;
  const struct ir_process *owner; /* the only one that writes it; NULL: settled */
};

struct follow_globals {
  struct follow_global *at;
  uint32_t n, capacity;
};

/* Those of the model (globals.c). */
struct follow_globals *follow_globals(const struct ir_model *);

struct follow {
  const struct control *control;
  bool any;      /* it runs something */
  bool endless;  /* gave up: what follows `apart` is not known */
  bool apart;    /* a run may come when others have moved since the first one */
  uint32_t most; /* runs on one path */
  struct follow_run {
    bool *may_be;               /* by template: this run may be of it, */
    struct ir_value **argument; /* and what it is then given, if always the same */
  } * run;      /* by its number on a path, IR_MAX_LIVE of them; may_be NULL: there is none */
  uint32_t *of; /* by template: most instances of it that one instance runs */
};

struct follow *follow_process(const struct ir_model *, const struct ir_process *,
                              const struct follow_globals *);

/* What is known of parameters in both cases; *all NULL: there was none so far. */
void follow_join(struct arena *, struct ir_value **all, const struct ir_value *one, uint32_t n);

#endif
