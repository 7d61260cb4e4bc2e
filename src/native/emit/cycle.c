/* cycle.c - edges that may close a cycle of steps that are not stored.
 *
 * Only where such an edge is taken, the code has to look whether the sequence has been here
 * before.
 */
#include "native/emit/step.h"

bool emit_is_held(const struct ir_process *p, const struct ir_edge *e) {
  return !(e->flags & IR_ENDS) &&
         ((e->flags & IR_KEEPS) || (p->location[e->to].flags & IR_IN_DSTEP));
}

struct cycles {
  const struct ir_process *p;
  const struct ir_edge **sorted;
  uint32_t *first; /* by location, into sorted */
  uint8_t *color;
  bool *cycle; /* by edge, in the order of the text */
  uint32_t *stack, *next;
};

/* Depth first: an edge to a location on the way there closes a cycle. */
static void visit(struct cycles *c, uint32_t root) {
  uint32_t n = 0;
  c->stack[n++] = root;
  c->next[root] = c->first[root];
  c->color[root] = 1;
  while (n) {
    uint32_t at = c->stack[n - 1];
    if (c->next[at] == c->first[at + 1]) {
      c->color[at] = 2;
      n--;
      continue;
    }
    const struct ir_edge *e = c->sorted[c->next[at]++];
    if (!emit_is_held(c->p, e))
      continue;
    if (c->color[e->to] == 1) {
      c->cycle[e - c->p->edge] = true;
    } else if (!c->color[e->to]) {
      c->color[e->to] = 1;
      c->next[e->to] = c->first[e->to];
      c->stack[n++] = e->to;
    }
  }
}

bool *emit_cycles(struct emit *e, const struct ir_process *p, const struct ir_edge **sorted) {
  struct cycles c = {.p = p,
                     .sorted = sorted,
                     .first = ARENA_ARRAY(e->arena, p->n_locations + (size_t)1, uint32_t),
                     .color = ARENA_ARRAY(e->arena, p->n_locations, uint8_t),
                     .cycle = ARENA_ARRAY(e->arena, p->n_edges, bool),
                     .stack = ARENA_ARRAY(e->arena, p->n_locations, uint32_t),
                     .next = ARENA_ARRAY(e->arena, p->n_locations, uint32_t)};
  for (uint32_t i = 0; i < p->n_edges; i++)
    c.first[p->edge[i].from + 1]++;
  for (uint32_t i = 0; i < p->n_locations; i++)
    c.first[i + 1] += c.first[i];
  for (uint32_t i = 0; i < p->n_locations; i++)
    if (!c.color[i])
      visit(&c, i);
  return c.cycle;
}
