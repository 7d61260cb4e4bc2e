/* unreduce.c - takes back what reductions have made of a model (merge.c, dead.c).
 *
 * They put other edges and initial values in place of those of the front end, which are kept
 * beside them: for reports, and for a model that is compiled once more, with other reductions
 * or more places.
 */
#include "ir/ir.h"

static void restore(struct ir_variable *v) {
  if (v->plain_initial == NULL)
    return;
  v->initial = v->plain_initial;
  v->plain_initial = NULL;
}

void ir_unreduce(struct ir_model *m) {
  m->n_merged = m->n_cleared = 0;
  ir_include(m);
  for (uint32_t i = 0; i < m->n_globals; i++)
    restore(m->global[i]);
  for (uint32_t i = 0; i < m->n_processes; i++) {
    struct ir_process *p = m->process[i];
    for (uint32_t k = 0; k < p->n_variables; k++)
      restore(p->variable[k]);
    if (p->plain != NULL)
      p->edge = p->plain;
    p->plain = NULL;
    p->n_starts -= p->n_cleared;
    p->n_cleared = 0;
  }
}
