/* globals.c - global variables of which more is known than that anybody may write them.
 *
 * Following one process (follow.c), the value of a global is lost as soon as others move. Two
 * kinds keep it. A global that only one instance of the whole system ever writes is as good
 * as its own. A global to which everybody assigns the same constant has that value from the
 * first write on: `!started -> started = true; run P()` in a loop runs P once.
 */
#include "ir/follow.h"

#include "ir/embedded.h"

struct writers { /* of one global */
  struct ir_variable *variable;
  const struct ir_process *only;
  bool several, varies; /* templates; values */
  bool written;
  int32_t value;
};

struct scan {
  const struct ir_model *model;
  struct writers *writer; /* by global */
};

static struct writers *writers_of(const struct scan *s, const struct ir_expr *target) {
  if (target == NULL || target->kind != IR_VARIABLE || target->variable->owner != NULL)
    return NULL;
  for (uint32_t i = 0; i < s->model->n_globals; i++)
    if (s->model->global[i] == target->variable)
      return &s->writer[i];
  return NULL;
}

/* `value` NULL: any. */
static void note(const struct scan *s, const struct ir_process *p, const struct ir_expr *target,
                 const struct ir_expr *value) {
  struct writers *w = writers_of(s, target);
  if (w == NULL)
    return;
  w->several |= w->written && w->only != p;
  w->varies |=
      value == NULL || value->kind != IR_CONST || (w->written && w->value != value->value);
  w->only = p;
  w->written = true;
  if (value != NULL)
    w->value = value->value;
}

static void note_piece(const struct scan *s, const struct ir_process *p,
                       const struct ir_piece *piece) {
  for (uint32_t i = 0; i < piece->n_views; i++) {
    const struct ir_expr target = {.kind = IR_VARIABLE, .variable = piece->view[i]->variable};
    note(s, p, &target, NULL);
  }
}

static void note_edge(const struct scan *s, const struct ir_process *p,
                      const struct ir_edge *e) {
  for (uint32_t i = 0; i < e->n_effects; i++) {
    note(s, p, e->effect[i].target, e->effect[i].kind == IR_ASSIGN ? e->effect[i].value : NULL);
    if (e->effect[i].kind == IR_C_CODE)
      note_piece(s, p, e->effect[i].piece);
  }
  for (uint32_t i = 0; e->sync == IR_RECEIVE && i < e->n_values; i++)
    note(s, p, e->value[i], NULL);
  for (uint32_t i = 0;
       e->operation != NULL && !e->operation->is_send && i < e->operation->n_values; i++)
    note(s, p, e->operation->value[i], NULL);
}

static bool is_single(const struct ir_model *m, const struct ir_process *p) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->n_active; i++)
    n += m->active[i] == p;
  for (uint32_t k = 0; k < m->n_processes; k++)
    for (uint32_t i = 0; i < m->process[k]->n_edges; i++)
      for (uint32_t j = 0; j < m->process[k]->edge[i].n_effects; j++)
        n += m->process[k]->edge[i].effect[j].process == p ? 2 : 0;
  return n == 1;
}

static bool is_plain(const struct ir_model *m, const struct ir_variable *v) {
  for (uint32_t i = 0; i < m->n_channels; i++)
    if (m->channel[i]->handle == v)
      return false;
  return !v->is_array && !v->is_const && !v->is_hidden && v->length == 1;
}

struct follow_globals *follow_globals(const struct ir_model *m) {
  struct scan s = {m, ARENA_ARRAY(m->arena, m->n_globals, struct writers)};
  struct follow_globals *found = ARENA_NEW(m->arena, struct follow_globals);
  for (uint32_t k = 0; k < m->n_processes; k++) {
    const struct ir_process *p = m->process[k];
    for (uint32_t i = 0; i < p->n_edges; i++)
      note_edge(&s, p, &p->edge[i]);
    for (uint32_t i = 0; i < p->n_starts; i++)
      note(&s, p, p->start[i].target, NULL);
  }
  for (uint32_t i = 0; i < m->n_globals; i++) {
    const struct writers *w = &s.writer[i];
    struct ir_range fits = ir_type_range(m->global[i]->type);
    if (!w->written || !is_plain(m, m->global[i]))
      continue;
    if (!w->several && is_single(m, w->only))
      *ARENA_PUSH(m->arena, found) = (struct follow_global){m->global[i], w->only};
    else if (!w->varies && w->value >= fits.low && w->value <= fits.high)
      *ARENA_PUSH(m->arena, found) = (struct follow_global){m->global[i], NULL};
  }
  return found;
}
