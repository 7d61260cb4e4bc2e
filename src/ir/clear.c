/* clear.c - dead variables are set to zero by the edges that lead to where they are dead.
 *
 * Read dead.c first. An edge gets an effect for each variable that is dead after it and may be
 * anything but zero: a data flow forwards finds out what may, so that nothing is cleared in
 * vain.
 */
#include "ir/dead.h"

#include "base/bits.h"

#include <string.h>

/* ---- forwards: what may be anything but zero
 * --------------------------------------------------
 */

static void after_effects(const struct dead *d, uint64_t *set, const struct ir_edge *e) {
  for (uint32_t i = 0; i < e->n_effects; i++)
    dead_mark_dirty(d, set, e->effect[i].target,
                    e->effect[i].kind == IR_ASSIGN ? e->effect[i].value : NULL);
}

/* Where a process ends its frame is zero, and within a d_step nothing is stored. */
static bool clears(const struct dead *d, const struct ir_edge *e) {
  return (e->flags & IR_ENDS) == 0 && (d->process->location[e->to].flags & IR_IN_DSTEP) == 0;
}

/* What the edge is to clear, into d->set, and what may be dirty after it, into `after`. */
static void clear_at(const struct dead *d, const struct ir_edge *e, uint64_t *after) {
  const bool here = clears(d, e);
  const uint64_t *live = dead_at(d, d->live, e->to);
  memcpy(after, dead_at(d, d->dirty, e->from), d->words * sizeof *after);
  if (!e->late)
    dead_after_operation(d, after, e);
  after_effects(d, after, e);
  memset(d->set, 0, d->words * sizeof *d->set);
  if (e->late) /* what the operation reads after the effects */
    dead_before_operation(d, d->set, e);
  for (uint32_t w = 0; w < d->words; w++) {
    d->set[w] = here ? after[w] & ~live[w] & ~d->set[w] : 0;
    after[w] &= ~d->set[w];
  }
  if (e->late)
    dead_after_operation(d, after, e);
}

/* Where the process begins, if nothing is cleared there. */
static void begin_dirty(const struct dead *d, uint64_t *set) {
  const struct ir_process *p = d->process;
  for (uint32_t i = 0; i < d->n; i++) {
    const struct ir_variable *v = d->variable[i];
    for (uint32_t k = 0; v->initial != NULL && k < v->length; k++)
      if (v->initial[k] != 0)
        bits_set(set, i);
    for (uint32_t k = 0; k < p->n_parameters; k++)
      if (p->variable[k] == v)
        bits_set(set, i);
  }
  for (uint32_t i = 0; i < p->n_starts; i++)
    dead_mark_dirty(d, set, p->start[i].target, NULL);
}

static void find_dirty(struct dead *d) {
  const struct ir_process *p = d->process;
  uint64_t *after = ARENA_ARRAY(d->arena, d->words, uint64_t);
  uint64_t *first = dead_at(d, d->dirty, p->initial);
  begin_dirty(d, first);
  for (uint32_t w = 0; w < d->words; w++) /* clear_beginning() */
    first[w] &= dead_at(d, d->live, p->initial)[w];
  for (bool again = true; again;) {
    again = false;
    for (uint32_t k = 0; k < p->n_edges; k++) {
      clear_at(d, &p->edge[k], after);
      if (!(p->edge[k].flags & IR_ENDS))
        again |= dead_unite(d, dead_at(d, d->dirty, p->edge[k].to), after);
    }
  }
}

/* ---- edges ---------------------------------------------------------------------------------
 */

static uint32_t count_effects(const struct dead *d, const uint64_t *set) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->n; i++)
    n += bits_test(set, i) ? d->variable[i]->length : 0;
  return n;
}

static struct ir_expr *constant(struct arena *arena, uint32_t value, struct span span) {
  struct ir_expr *e = ARENA_NEW(arena, struct ir_expr);
  *e = (struct ir_expr){.kind = IR_CONST, .value = (int32_t)value, .span = span};
  return e;
}

/* variable = 0, or an element of it. */
static struct ir_effect cleared(struct arena *arena, struct ir_variable *v, uint32_t element,
                                struct span span) {
  struct ir_expr *target = ARENA_NEW(arena, struct ir_expr);
  *target = (struct ir_expr){.kind = IR_VARIABLE, .variable = v, .span = span};
  if (v->is_array) {
    target->kind = IR_ELEMENT;
    target->a = constant(arena, element, span);
  }
  return (struct ir_effect){
      .kind = IR_ASSIGN, .span = span, .target = target, .value = constant(arena, 0, span)};
}

/* These effects, and then what is in d->set is cleared; *n counts them. Returns how many are
 * new.
 */
static uint32_t add_effects(const struct dead *d, const struct ir_effect **effects, uint32_t *n,
                            struct span span) {
  uint32_t more = count_effects(d, d->set);
  if (more == 0)
    return 0;
  struct ir_effect *effect = ARENA_ARRAY(d->arena, *n + (size_t)more, struct ir_effect);
  if (*n > 0)
    memcpy(effect, *effects, *n * sizeof *effect);
  for (uint32_t i = 0; i < d->n; i++)
    for (uint32_t k = 0; bits_test(d->set, i) && k < d->variable[i]->length; k++)
      effect[(*n)++] = cleared(d->arena, d->variable[i], k, span);
  *effects = effect;
  return more;
}

/* What is dead where the process begins begins at zero. What is given to it, or what it gives
 * to itself, is cleared at once: no edge leads there but those that come back. */
static void clear_beginning(const struct dead *d, struct ir_process *p) {
  const uint64_t *live = dead_at(d, d->live, p->initial);
  for (uint32_t i = 0; i < d->n; i++)
    if (!bits_test(live, i) && d->variable[i]->initial != NULL) {
      d->variable[i]->plain_initial = d->variable[i]->initial;
      d->variable[i]->initial = NULL;
    }
  memset(d->set, 0, d->words * sizeof *d->set);
  begin_dirty(d, d->set);
  for (uint32_t w = 0; w < d->words; w++)
    d->set[w] &= ~live[w];
  p->n_cleared = add_effects(d, &p->start, &p->n_starts, p->span);
}

static uint32_t clear_process(struct dead *d, struct ir_process *p) {
  struct ir_edge *edge = ARENA_ARRAY(d->arena, p->n_edges, struct ir_edge);
  uint64_t *after = ARENA_ARRAY(d->arena, d->words, uint64_t);
  uint32_t n = 0;
  clear_beginning(d, p);
  find_dirty(d);
  for (uint32_t k = 0; k < p->n_edges; k++) {
    edge[k] = p->edge[k];
    clear_at(d, &p->edge[k], after);
    n += add_effects(d, &edge[k].effect, &edge[k].n_effects, edge[k].span);
  }
  if (n > 0) {
    p->plain = p->plain == NULL ? p->edge : p->plain;
    p->edge = edge;
  }
  return n;
}

void ir_clear_dead(struct ir_model *m, const struct ts_shape *shape) {
  struct dead d;
  dead_open(&d, m, shape);
  for (uint32_t i = 0; i < m->n_processes; i++) {
    if (dead_begin(&d, m->process[i]))
      m->n_cleared += clear_process(&d, m->process[i]);
    dead_end(&d);
  }
}
