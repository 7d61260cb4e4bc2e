/* components.c - strongly connected components, by Tarjan's algorithm without recursion. */
#include "lang/ltl/components.h"

struct frame {
  uint32_t state, edge; /* the next edge to follow */
};

struct tarjan {
  const struct buchi *b;
  const uint64_t *avoided; /* edges with all of these marks are not there; NULL: all are */
  uint32_t *of;            /* component + 1; 0: none yet */
  uint32_t *low;           /* number of the visit + 1, then the lowest on the stack */
  uint32_t *stack;
  struct frame *path;
  uint32_t n_stack, n_path, n_visited, n;
};

static void enter(struct tarjan *t, uint32_t state) {
  t->low[state] = ++t->n_visited;
  t->stack[t->n_stack++] = state;
  t->path[t->n_path++] = (struct frame){state, t->b->first[state]};
}

/* The number of the visit is also the least a state has, so it is compared on leaving. */
static void leave(struct tarjan *t, const uint32_t *number) {
  const uint32_t state = t->path[--t->n_path].state;
  if (t->low[state] == number[state]) {
    uint32_t member;
    t->n++;
    do {
      member = t->stack[--t->n_stack];
      t->of[member] = t->n;
    } while (member != state);
  }
  if (t->n_path > 0) {
    const uint32_t above = t->path[t->n_path - 1].state;
    if (t->of[state] == 0 && t->low[state] < t->low[above])
      t->low[above] = t->low[state];
  }
}

static void visit(struct tarjan *t, uint32_t root, uint32_t *number) {
  enter(t, root);
  number[root] = t->low[root];
  while (t->n_path > 0) {
    struct frame *frame = &t->path[t->n_path - 1];
    if (frame->edge == t->b->first[frame->state + 1]) {
      leave(t, number);
      continue;
    }
    const struct buchi_edge *e = &t->b->edge[frame->edge++];
    if (t->avoided != NULL && (e->marks & *t->avoided) == *t->avoided)
      continue;
    if (t->low[e->to] == 0) {
      enter(t, e->to);
      number[e->to] = t->low[e->to];
    } else if (t->of[e->to] == 0 && number[e->to] < t->low[e->from]) {
      t->low[e->from] = number[e->to];
    }
  }
}

/* Fills of[] with components + 1 and gives their number. */
static uint32_t find(const struct buchi *b, const uint64_t *avoided, uint32_t *of) {
  struct arena *arena = b->arena;
  struct tarjan t = {.b = b, .avoided = avoided, .of = of};
  t.low = ARENA_ARRAY(arena, b->n_states, uint32_t);
  t.stack = ARENA_ARRAY(arena, b->n_states, uint32_t);
  t.path = ARENA_ARRAY(arena, b->n_states, struct frame);
  uint32_t *number = ARENA_ARRAY(arena, b->n_states, uint32_t);
  for (uint32_t s = 0; s < b->n_states; s++)
    if (t.low[s] == 0)
      visit(&t, s, number);
  return t.n;
}

/* A component has a bad cycle if one is left when the edges with some mark are taken out. */
static void find_bad(const struct buchi *b, struct components *c) {
  for (uint32_t m = 0; m < b->n_marks; m++) {
    const uint64_t mark = UINT64_C(1) << m;
    uint32_t *of = ARENA_ARRAY(b->arena, b->n_states, uint32_t);
    find(b, &mark, of);
    for (uint32_t i = 0; i < b->n_edges; i++) {
      const struct buchi_edge *e = &b->edge[i];
      if ((e->marks & mark) == 0 && of[e->from] == of[e->to])
        c->without_bad[c->of[e->from]] = false;
    }
  }
}

struct components *components_of(const struct buchi *b) {
  struct components *c = ARENA_NEW(b->arena, struct components);
  c->of = ARENA_ARRAY(b->arena, b->n_states, uint32_t);
  c->n = find(b, NULL, c->of);
  c->cyclic = ARENA_ARRAY(b->arena, c->n, bool);
  c->accepting = ARENA_ARRAY(b->arena, c->n, bool);
  c->without_bad = ARENA_ARRAY(b->arena, c->n, bool);
  uint64_t *marks = ARENA_ARRAY(b->arena, c->n, uint64_t);
  for (uint32_t s = 0; s < b->n_states; s++)
    c->of[s]--;
  for (uint32_t i = 0; i < b->n_edges; i++)
    if (components_inside(c, &b->edge[i])) {
      c->cyclic[c->of[b->edge[i].from]] = true;
      marks[c->of[b->edge[i].from]] |= b->edge[i].marks;
    }
  for (uint32_t i = 0; i < c->n; i++) {
    c->accepting[i] = c->cyclic[i] && marks[i] == buchi_all_marks(b);
    c->without_bad[i] = true;
  }
  find_bad(b, c);
  return c;
}
