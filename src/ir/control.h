/* control.h - what the control graph of a template says about what it runs. Private to this
 * folder. */
#ifndef CAIRN_IR_CONTROL_H
#define CAIRN_IR_CONTROL_H

#include "ir/ir.h"

struct control {
  const struct ir_process *process;
  const struct ir_edge **edge; /* by location, */
  const uint32_t *first;       /* where those of each location begin; n_locations + 1 */
  uint32_t *group; /* by location: its strongly connected component; edges that leave
                    * one lead to components of smaller numbers */
  uint32_t n_groups;
  bool *runs;     /* by component: an edge that runs a process can be reached from there */
  bool can_end;   /* control can get from the beginning to an end */
  uint32_t *most; /* by template: instance of it that one instance of this one runs at most, or
                   * IR_MAX_LIVE where a cycle of control runs it */
};

/* In the arena of the model. */
struct control *control_of(const struct ir_model *, const struct ir_process *);

#endif
