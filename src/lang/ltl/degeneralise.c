/* degeneralise.c - one mark instead of several (Gastin and Oddoux 2001, section 5; Babiak,
 * Badie, Duret-Lutz, Křetínský, Strejček 2013, section 5).
 *
 * A copy of the automaton for each level says which mark is waited for; an edge rises as many
 * levels as it has marks in order. Levels matter only inside of accepting components: a run
 * that enters one may start at any level, so all copies of a state accept the same. Entering
 * at a level that is there already saves states: in the end, edges that come from outside are
 * turned to the copy that is lowest, which makes other copies needless.
 */
#include "lang/ltl/degeneralise.h"

#include "lang/ltl/components.h"

#include <string.h>

struct build {
  const struct buchi *b;
  const struct components *c;
  const uint8_t *order;
  bool on_states;
  uint32_t levels;         /* with states: the highest says "just complete" */
  uint32_t *copy;          /* of (state, level), + 1 */
  struct buchi_edges todo; /* from: state, to: level */
};

static uint32_t copy_of(struct build *d, uint32_t state, uint32_t level) {
  uint32_t *copy = &d->copy[(size_t)state * d->levels + level];
  if (*copy == 0) {
    *ARENA_PUSH(d->b->arena, &d->todo) = (struct buchi_edge){.from = state, .to = level};
    *copy = d->todo.n;
  }
  return *copy - 1;
}

/* Where a run enters a component. Where all cycles are good it is complete at all times. */
static uint32_t entry_level(const struct build *d, uint32_t state) {
  const uint32_t component = d->c->of[state];
  const bool complete = d->c->accepting[component] && d->c->without_bad[component];
  return d->on_states && complete ? d->b->n_marks : 0;
}

/* The level after this edge, and whether it completes a round. */
static uint32_t next_level(const struct build *d, const struct buchi_edge *e, uint32_t level,
                           bool *complete) {
  const uint32_t n = d->b->n_marks;
  if (level == n) /* of states */
    level = 0;
  while (level < n && (e->marks >> d->order[level] & 1) != 0)
    level++;
  *complete = level == n;
  if (d->on_states || level < n)
    return level;
  level = 0; /* the edge counts for the next round too, unless it has all marks */
  while (level < n && (e->marks >> d->order[level] & 1) != 0)
    level++;
  return level == n ? 0 : level;
}

static void add_edge(struct build *d, struct buchi_edges *edges, uint32_t from, uint32_t level,
                     const struct buchi_edge *e) {
  const bool inside = components_inside(d->c, e) && d->c->accepting[d->c->of[e->from]];
  bool complete = false;
  struct buchi_edge out = {.from = from, .label = e->label};
  if (inside)
    out.to = copy_of(d, e->to, next_level(d, e, level, &complete));
  else
    out.to = copy_of(d, e->to, entry_level(d, e->to));
  out.marks =
      d->on_states ? level == d->b->n_marks && d->c->accepting[d->c->of[e->from]] : complete;
  *ARENA_PUSH(d->b->arena, edges) = out;
}

/* Turns edges to the copy of the same state that is lowest. */
static struct buchi *enter_lowest(const struct build *d, const struct buchi *b) {
  const struct components *c = components_of(b);
  uint32_t *lowest = ARENA_ARRAY(b->arena, d->b->n_states, uint32_t);
  struct buchi_edges edges = buchi_copy_edges(b);
  memset(lowest, 0xff, d->b->n_states * sizeof *lowest);
  for (uint32_t i = 0; i < d->todo.n; i++) {
    uint32_t *low = &lowest[d->todo.at[i].from];
    if (*low == UINT32_MAX || c->of[i] < c->of[*low])
      *low = i;
  }
  for (uint32_t i = 0; i < edges.n; i++) {
    const uint32_t low = lowest[d->todo.at[edges.at[i].to].from];
    if (c->of[low] < c->of[edges.at[i].to])
      edges.at[i].to = low;
  }
  uint32_t initial = b->initial;
  const uint32_t low = lowest[d->todo.at[initial].from];
  if (c->of[low] < c->of[initial])
    initial = low;
  return buchi_make(b, b->n_states, initial, &edges);
}

struct buchi *degeneralise(const struct buchi *b, const uint8_t *order, bool on_states) {
  struct build d = {.b = b, .order = order, .on_states = on_states};
  struct buchi_edges edges = {0};
  struct buchi like = *b;
  d.c = components_of(b);
  d.levels = b->n_marks + 1;
  d.todo.capacity = b->n_states + 1;
  d.todo.at = ARENA_ARRAY(b->arena, d.todo.capacity, struct buchi_edge);
  d.copy = ARENA_ARRAY(b->arena, (size_t)b->n_states * d.levels, uint32_t);
  like.n_marks = 1;
  like.state_marks = on_states;
  copy_of(&d, b->initial, entry_level(&d, b->initial));
  for (uint32_t i = 0; i < d.todo.n; i++) {
    const uint32_t state = d.todo.at[i].from;
    const uint32_t level = d.todo.at[i].to;
    for (uint32_t k = b->first[state]; k < b->first[state + 1]; k++)
      add_edge(&d, &edges, i, level, &b->edge[k]);
  }
  return enter_lowest(&d, buchi_make(&like, d.todo.n, 0, &edges));
}
