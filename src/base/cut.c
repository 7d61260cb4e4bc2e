/* cut.c - Tarjan's algorithm without recursion. */
#include "base/cut.h"

#include <string.h>

struct visit {
  uint64_t state, arc, end;
};

struct tarjan {
  struct cut *cut;
  uint64_t id, count, depth, n;
  struct visit *frame;
  uint64_t *number, *low, *stack;
};

static void enter(struct tarjan *t, uint64_t state) {
  const struct cut *c = t->cut;
  t->number[state] = t->low[state] = ++t->count;
  t->stack[t->n++] = state;
  t->frame[t->depth++] =
      (struct visit){state, c->first(c->context, state), c->first(c->context, state + 1)};
}

/* The next arc of the frame on top. */
static void step(struct tarjan *t) {
  const struct cut *c = t->cut;
  struct visit *v = &t->frame[t->depth - 1];
  const uint64_t to = c->to(c->context, v->arc++);
  if (c->part[to] != t->id)
    return;
  if (t->number[to] == 0)
    enter(t, to);
  else if (t->number[to] < t->low[v->state])
    t->low[v->state] = t->number[to];
}

/* All arcs of the frame on top are done. */
static void leave(struct tarjan *t) {
  const uint64_t state = t->frame[--t->depth].state;
  if (t->depth > 0) {
    const uint64_t under = t->frame[t->depth - 1].state;
    if (t->low[state] < t->low[under])
      t->low[under] = t->low[state];
  }
  if (t->low[state] != t->number[state])
    return;
  const uint64_t id = ++t->cut->parts;
  uint64_t one;
  do {
    one = t->stack[--t->n];
    t->cut->part[one] = id;
  } while (one != state);
}

bool cut_part(struct cut *c, uint64_t id) {
  const size_t frames = (c->n + 1) * sizeof(struct visit),
               words = (c->n + 1) * sizeof(uint64_t);
  struct tarjan t = {.cut = c, .id = id};
  t.frame = budget_alloc(c->budget, BUDGET_OTHER, frames);
  t.number = budget_alloc(c->budget, BUDGET_OTHER, words);
  t.low = budget_alloc(c->budget, BUDGET_OTHER, words);
  t.stack = budget_alloc(c->budget, BUDGET_OTHER, words);
  const bool fine = t.frame != NULL && t.number != NULL && t.low != NULL && t.stack != NULL;
  if (fine)
    memset(t.number, 0, words);
  for (uint64_t i = 0; fine && i < c->n; i++) {
    if (c->part[i] == id && t.number[i] == 0)
      enter(&t, i);
    while (t.depth > 0)
      if (t.frame[t.depth - 1].arc < t.frame[t.depth - 1].end)
        step(&t);
      else
        leave(&t);
  }
  budget_free(c->budget, BUDGET_OTHER, t.frame, frames);
  budget_free(c->budget, BUDGET_OTHER, t.number, words);
  budget_free(c->budget, BUDGET_OTHER, t.low, words);
  budget_free(c->budget, BUDGET_OTHER, t.stack, words);
  return fine;
}
