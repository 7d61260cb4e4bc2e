/* naming.h - which process names a variable, and whether anybody reads it. Private to this
 * folder.
 */
#ifndef CAIRN_IR_NAMING_H
#define CAIRN_IR_NAMING_H

#include "ir/ir.h"

enum { NAMING_NOBODY = 0, NAMING_MANY = UINT32_MAX };

struct naming {
  const struct ir_model *model;
  uint32_t *user; /* by variable of the shape: the one process that names it + 1, or
                   * NAMING_NOBODY, or NAMING_MANY, */
  bool *read;     /* and whether anybody reads it */
  const struct ir_process *process; /* whose expressions are looked at; NULL: nobody's */
};

/* Of all variables, once ir_layout() has numbered them. What is asked of states counts as many.
 */
void naming_find(struct naming *, const struct ir_model *, const struct ts_shape *);

/* Whether the variable has a place in the state vector, and so a number. */
bool naming_has(const struct ir_model *, const struct ir_variable *);

#endif
