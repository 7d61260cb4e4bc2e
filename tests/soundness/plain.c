/* plain.c - reductions in their plainest form, on tables.
 *
 * After Bosnacki, Elkind, Genest, Peled, "On commutativity based edge lean search", sections
 * 3 to 5, and the general state exploring algorithm for orders other than depth-first.
 */
#include "plain.h"

#include "base/bits.h"

#include <string.h>

const char *const plain_names[PLAIN_WAYS] = {
    "dfs/edge-lean",
    "dfs/edge-lean, downwards",
    "bfs/edge-lean",
    "bfs/edge-lean, downwards",
    "any/edge-lean, one event",
    "any/edge-lean, all events",
    "stack/edge-lean",
    "stack/edge-lean, downwards",
    "bfs/edge-lean/cache",
    "any/edge-lean/cache, one event",
    "dfs/tnf",
    "dfs/sleep, nothing removed",
    "dfs/sleep, what leads to the stack removed",
};

enum { NO_LETTER = SYSTEM_LETTERS };

struct plain {
  const struct table *t;
  enum plain_way way;
  uint64_t random, fired;
  uint32_t n_seen;
  bool gave_up; /* too many states were revisited */
  bool seen[TABLE_STATES], on_stack[TABLE_STATES];
  uint8_t word[TABLE_STATES + 1]; /* letters on the path */
  uint32_t length;
};

static bool independent(const struct plain *p, uint32_t a, uint32_t b) {
  return p->t->independent[a] >> b & 1;
}

static bool is_down(enum plain_way way) {
  return way == PLAIN_DFS_LEAN_DOWN || way == PLAIN_BFS_LEAN_DOWN ||
         way == PLAIN_STACK_LEAN_DOWN;
}

/* Edge number k of a state in the order in which edges are fired. */
static const struct table_edge *edge_at(const struct plain *p, uint32_t state, uint32_t k) {
  const struct table_state *s = &p->t->state[state];
  return &p->t->edge[s->first_edge + (is_down(p->way) ? s->n_edges - 1 - k : k)];
}

static bool is_lean(const struct plain *p, uint32_t last, uint32_t letter) {
  return last == NO_LETTER || last < letter || !independent(p, last, letter);
}

/* Whether the path and then `letter` is in trace normal form: walking back over letters
 * that are independent of it, there is none that is larger. */
static bool is_normal(const struct plain *p, uint32_t letter) {
  uint32_t met = 0;
  for (uint32_t i = p->length; i-- > 0;) {
    uint32_t b = p->word[i];
    if (met >> b & 1)
      continue;
    met |= 1u << b;
    if (!independent(p, letter, b))
      return true;
    if (letter < b)
      return false;
  }
  return true;
}

static void reach(struct plain *p, uint32_t state) {
  p->seen[state] = true;
  p->n_seen++;
}

/* ---- depth-first ----------------------------------------------------------------- */

static bool is_fired(const struct plain *p, uint32_t sleep, uint32_t letter) {
  uint32_t last = p->length == 0 ? NO_LETTER : p->word[p->length - 1];
  if (p->way == PLAIN_TNF)
    return is_normal(p, letter);
  if (p->way == PLAIN_SLEEP || p->way == PLAIN_SLEEP_STACK)
    return !(sleep >> letter & 1);
  return is_lean(p, last, letter);
}

/* The letters that lead from a state to one on the stack. */
static uint32_t to_stack(const struct plain *p, uint32_t state) {
  uint32_t letters = 0;
  for (uint32_t k = 0; k < p->t->state[state].n_edges; k++) {
    const struct table_edge *edge = edge_at(p, state, k);
    if (edge->target != TABLE_STATES && p->on_stack[edge->target])
      letters |= 1u << edge->letter;
  }
  return letters;
}

static void descend(struct plain *p, uint32_t state, uint32_t sleep) {
  uint32_t done = 0; /* letters fired here, asleep once all of their edges were */
  reach(p, state);
  p->on_stack[state] = true;
  uint32_t removed = p->way == PLAIN_SLEEP_STACK ? to_stack(p, state) : 0;
  for (uint32_t k = 0; k < p->t->state[state].n_edges; k++) {
    const struct table_edge *edge = edge_at(p, state, k);
    uint32_t bit = 1u << edge->letter;
    sleep |= done & ~bit;
    if (!is_fired(p, sleep, edge->letter))
      continue;
    p->fired++;
    done |= bit;
    if (edge->target == TABLE_STATES || p->seen[edge->target])
      continue;
    p->word[p->length++] = edge->letter;
    descend(p, edge->target, sleep & p->t->independent[edge->letter] & ~removed);
    p->length--;
  }
  p->on_stack[state] = false;
}

/* ---- other orders ---------------------------------------------------------------- */

/* A state that is open, or was. With forgetting there may be several of one state. */
struct node {
  uint16_t state, next; /* next: edge to fire */
  uint8_t last;         /* letter that led here */
  uint32_t pred, refs;  /* as in the tree of Evangelista and Kristensen, figure 3 */
};

enum { NODES = 40000, NO_NODE = NODES };

struct front {
  struct plain *p;
  struct node *node;
  uint32_t n_nodes;
  uint32_t open[TABLE_STATES], n_open; /* nodes, in the order in which they became open */
  bool stored[TABLE_STATES];
  bool forgets;
};

static void add(struct front *f, uint32_t state, uint32_t pred, uint32_t letter) {
  if (f->stored[state] || f->n_nodes == NODES)
    return;
  f->stored[state] = true;
  if (!f->p->seen[state])
    reach(f->p, state);
  f->node[f->n_nodes] =
      (struct node){.state = (uint16_t)state, .last = (uint8_t)letter, .pred = pred, .refs = 1};
  if (pred != NO_NODE)
    f->node[pred].refs++;
  f->open[f->n_open++] = f->n_nodes++;
}

/* A node that nothing open descends from leaves the tree, and sometimes memory, too. */
static void unref(struct front *f, uint32_t at) {
  for (; at != NO_NODE && --f->node[at].refs == 0; at = f->node[at].pred)
    if (f->forgets && bits_next_random(&f->p->random) % 4 != 0)
      f->stored[f->node[at].state] = false;
}

/* Which of the open nodes. */
static uint32_t choose(struct front *f) {
  switch (f->p->way) {
  case PLAIN_ANY_LEAN:
  case PLAIN_ANY_LEAN_ALL:
  case PLAIN_ANY_FORGET:
    return (uint32_t)(bits_next_random(&f->p->random) % f->n_open);
  case PLAIN_STACK_LEAN:
  case PLAIN_STACK_LEAN_DOWN:
    return f->n_open - 1;
  default:
    return 0;
  }
}

static void fire(struct front *f, uint32_t at) {
  struct node *node = &f->node[at];
  const struct table_edge *edge = edge_at(f->p, node->state, node->next++);
  if (!is_lean(f->p, node->last, edge->letter))
    return;
  f->p->fired++;
  if (edge->target != TABLE_STATES)
    add(f, edge->target, at, edge->letter);
}

/* The general state exploring algorithm. Revisits are bounded by the room for nodes. */
static void explore(struct plain *p) {
  static struct node node[NODES];
  struct front f = {.p = p, .node = node};
  f.forgets = p->way == PLAIN_FIFO_FORGET || p->way == PLAIN_ANY_FORGET;
  bool single = p->way == PLAIN_ANY_LEAN || p->way == PLAIN_ANY_FORGET;
  for (uint32_t i = 0; i < p->t->n_initials; i++)
    add(&f, i, NO_NODE, NO_LETTER);
  while (f.n_open > 0) {
    uint32_t which = choose(&f), at = f.open[which];
    uint32_t edges = p->t->state[node[at].state].n_edges;
    if (single && node[at].next < edges) {
      fire(&f, at);
      continue;
    }
    memmove(f.open + which, f.open + which + 1, (f.n_open - which - 1) * sizeof *f.open);
    f.n_open--;
    while (node[at].next < edges)
      fire(&f, at);
    unref(&f, at);
  }
  p->gave_up = f.n_nodes == NODES;
}

uint32_t plain_lost(const struct table *t, enum plain_way way, uint64_t seed, uint64_t *fired) {
  struct plain p = {.t = t, .way = way, .random = seed};
  if (way == PLAIN_DFS_LEAN || way == PLAIN_DFS_LEAN_DOWN || way >= PLAIN_TNF) {
    for (uint32_t i = 0; i < t->n_initials; i++)
      if (!p.seen[i])
        descend(&p, i, 0);
  } else {
    explore(&p);
  }
  *fired += p.fired;
  return p.gave_up ? 0 : t->n_states - p.n_seen;
}
