/* product_closing.c - steps of which each cycle of states has one.
 *
 * In a cycle of states each process that moves goes along a cycle of its locations, or ends and
 * is started again. So the steps by which processes go back will do, with those that start one
 * (Kurshan, Levin, Minea, Peled and Yenigün, "Static partial order reduction", TACAS 1998,
 * section 4). Not of all processes: if each cycle of one has a receive from a channel, then in
 * a cycle of states somebody sends to it, too, and it is enough that those who may do so are
 * taken care of; likewise for sends, and for both sides of a handshake.
 */
#include "ts/product_shape.h"

#include "ts/control.h"

struct closing {
  const struct ts_control *control;
  uint32_t *visit; /* by location: NEW, OPEN or DONE */
  uint32_t *stack, *next;
  bool *covered;
};

enum { NEW, OPEN, DONE };

/* What a step does for certain, and what others must do then in a cycle of states. */
static const struct {
  unsigned does, needs;
} pairs[] = {{TS_RECEIVE, TS_SEND | TS_WRITE},
             {TS_SEND, TS_RECEIVE | TS_WRITE},
             {TS_CALL, TS_ANSWER | TS_WRITE},
             {TS_ANSWER, TS_CALL | TS_WRITE}};

enum { PAIRS = sizeof pairs / sizeof *pairs };

/* The one item to which a step does this for certain, or TS_NONE: it is not known which. */
static uint32_t item_of(const struct ts_control *c, uint32_t step, unsigned way) {
  uint32_t item = TS_NONE;
  for (uint32_t i = c->first_touch[step]; i < c->first_touch[step + 1]; i++)
    if (c->touch[i].guard & way) {
      if (item != TS_NONE)
        return TS_NONE;
      item = c->touch[i].item;
    }
  return item;
}

static bool is_cut(const struct ts_control *c, uint32_t step, uint32_t item, uint32_t pair) {
  return item != TS_NONE && item_of(c, step, pairs[pair].does) == item;
}

/* Whether a process has a cycle of locations without a step that does what `pair` says to the
 * item (TS_NONE: any). Depth-first; next[l]: the step of l that comes next. */
static bool has_cycle(struct closing *d, uint32_t process, uint32_t item, uint32_t pair) {
  const struct ts_control *c = d->control;
  const struct ts_process *p = &c->process[process];
  for (uint32_t l = p->first; l < p->first + p->n_locations; l++)
    d->visit[l] = NEW;
  for (uint32_t root = p->first; root < p->first + p->n_locations; root++) {
    uint32_t depth = 0;
    if (d->visit[root] != NEW)
      continue;
    d->stack[depth++] = root;
    d->visit[root] = OPEN;
    d->next[root] = c->first_step[root];
    while (depth > 0) {
      uint32_t at = d->stack[depth - 1], step = d->next[at]++;
      if (step == c->first_step[at + 1]) {
        d->visit[at] = DONE;
        depth--;
        continue;
      }
      uint32_t to = c->step[step].to;
      bool ends = (c->step[step].flags & TS_STEP_ENDS) != 0;
      if (ends || is_cut(c, step, item, pair) || d->visit[to] == DONE)
        continue;
      if (d->visit[to] == OPEN)
        return true;
      d->stack[depth++] = to;
      d->visit[to] = OPEN;
      d->next[to] = c->first_step[to];
    }
  }
  return false;
}

/* Whether all processes are covered that may do one of these to the item. */
static bool others_are_covered(const struct closing *d, uint32_t item, unsigned ways) {
  const struct ts_control *c = d->control;
  for (uint32_t s = 0; s < c->n_steps; s++)
    for (uint32_t i = c->first_touch[s]; i < c->first_touch[s + 1]; i++)
      if (c->touch[i].item == item && (c->touch[i].ways & ways) &&
          !d->covered[c->step[s].process])
        return false;
  return true;
}

/* Whether a process moves in no cycle of states without one that is covered. */
static bool is_covered(struct closing *d, uint32_t process) {
  const struct ts_control *c = d->control;
  const struct ts_process *p = &c->process[process];
  if (!has_cycle(d, process, TS_NONE, 0))
    return true;
  for (uint32_t s = c->first_step[p->first]; s < c->first_step[p->first + p->n_locations]; s++)
    for (uint32_t k = 0; k < PAIRS; k++) {
      uint32_t item = item_of(c, s, pairs[k].does);
      if (item != TS_NONE && others_are_covered(d, item, pairs[k].needs) &&
          !has_cycle(d, process, item, k))
        return true;
    }
  return false;
}

static void close_process(struct ts_step *step, const struct ts_control *c, uint32_t process) {
  for (uint32_t i = 0; i < c->n_steps; i++)
    if (step[i].process == process && step[i].to <= step[i].from)
      step[i].flags |= TS_STEP_CLOSES;
}

/* Each process that is covered is so by those before it; if no other is, one more goes by its
 * own steps. */
void product_close(struct arena *arena, const struct ts_control *c, struct ts_step *step) {
  struct closing d = {.control = c,
                      .visit = ARENA_ARRAY(arena, c->n_locations + (size_t)1, uint32_t),
                      .stack = ARENA_ARRAY(arena, c->n_locations + (size_t)1, uint32_t),
                      .next = ARENA_ARRAY(arena, c->n_locations + (size_t)1, uint32_t),
                      .covered = ARENA_ARRAY(arena, c->n_processes + (size_t)1, bool)};
  for (uint32_t i = 0; i < c->n_steps; i++)
    if (c->starts.start[i] < c->starts.start[i + 1])
      step[i].flags |= TS_STEP_CLOSES;
  for (uint32_t left = c->n_processes; left > 0;) {
    uint32_t before = left, last = TS_NONE;
    for (uint32_t p = 0; p < c->n_processes; p++) {
      if (d.covered[p])
        continue;
      d.covered[p] = is_covered(&d, p);
      left -= d.covered[p];
      last = d.covered[p] ? last : p;
    }
    if (left < before || last == TS_NONE)
      continue;
    close_process(step, c, last);
    d.covered[last] = true;
    left--;
  }
}
