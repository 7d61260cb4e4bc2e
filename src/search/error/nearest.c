/* nearest.c - the shortest lasso in a part of the product that is known.
 *
 * First by accepting events, nearest first: for one from u to v a search from v looks for the
 * nearest state on the shortest way to u, and there the cycle begins. That finds short lassos
 * soon, but where another way to u would be better it is not the shortest one. Then by the
 * places where a cycle may begin, nearest first: a shortest accepting cycle through the place,
 * by a search in two layers, of which the second is entered by an accepting event.
 *
 * Each search ends where the lasso would be no shorter than the best so far, and stays within a
 * component; all of them together look at a number of arcs that is a multiple of how many there
 * are. If that was enough there is no shorter lasso.
 */
#include "search/error/nearest.h"

#include "base/cut.h"

#include <string.h>

enum {
  LOOKS = 16,         /* at each arc, on average, */
  FEW_LOOKS = 1000000 /* and so many more */
};

/* On the shortest way to a state: the one before, how many events it is from state 0, and the
 * last of them. */
struct node {
  uint32_t before, depth, arc;
};

/* Where a search for the way back came from. A place is a state, and n more in the second
 * layer. */
struct step {
  uint32_t stamp, from, arc; /* stamp: of that search; from: a place */
};

struct nearest {
  const struct around *around;
  struct budget *budget;
  struct node *node;
  uint32_t *order; /* states, nearest first */
  uint64_t reached;
  uint64_t *part;    /* by state: its component */
  bool *accepts;     /* by component, from 0 on: there is an accepting event inside */
  struct step *step; /* by place */
  uint32_t *queue;   /* of places */
  uint32_t *on_way;  /* by state: the stamp of the last event whose way it is on */
  uint32_t stamp;
  uint64_t looks; /* left */
  struct nearest_lasso *lasso;
  bool found;
};

/* An array with an item for each state. */
static void *clear(const struct nearest *d, size_t item) {
  void *at = budget_alloc(d->budget, BUDGET_OTHER, (d->around->n + 1) * item);
  if (at != NULL)
    memset(at, 0, (d->around->n + 1) * item);
  return at;
}

static void release(const struct nearest *d, void *at, size_t item) {
  budget_free(d->budget, BUDGET_OTHER, at, (d->around->n + 1) * item);
}

/* ---- the way to a state ------------------------------------------------------------------
 */

static void find_ways(struct nearest *d) {
  const struct around *a = d->around;
  for (uint64_t i = 0; i < a->n; i++)
    d->node[i] = (struct node){AROUND_NONE, AROUND_NONE, 0};
  d->node[0].depth = 0;
  d->order[d->reached++] = 0;
  for (uint64_t k = 0; k < d->reached; k++) {
    const uint32_t at = d->order[k];
    for (uint64_t i = around_first(a, at); i < around_first(a, at + UINT64_C(1)); i++) {
      const uint32_t to = around_to(a, i);
      if (d->node[to].depth != AROUND_NONE)
        continue;
      d->node[to] = (struct node){at, d->node[at].depth + 1, (uint32_t)i};
      d->order[d->reached++] = to;
    }
  }
}

/* The events of the way to a state, which begin at the first one of the lasso. */
static void write_way(struct nearest *d, uint32_t to) {
  for (uint32_t at = to; d->node[at].before != AROUND_NONE; at = d->node[at].before)
    d->lasso->event[d->node[at].depth - 1] = d->around->arc[d->node[at].arc].event;
}

static bool open_ways(struct nearest *d, const struct around *a, struct nearest_lasso *lasso) {
  *d = (struct nearest){.around = a, .budget = a->worker->search->budget, .lasso = lasso};
  if (a->n == 0)
    return false;
  d->node = clear(d, sizeof *d->node);
  d->order = clear(d, sizeof *d->order);
  if (d->node != NULL && d->order != NULL)
    find_ways(d);
  return d->node != NULL && d->order != NULL;
}

static void close_ways(struct nearest *d) {
  release(d, d->node, sizeof *d->node);
  release(d, d->order, sizeof *d->order);
}

bool nearest_stem(const struct around *a, const uint32_t *state, uint32_t n,
                  struct nearest_lasso *stem, uint32_t *which) {
  struct nearest d;
  bool found = false;
  if (open_ways(&d, a, stem))
    for (uint32_t i = 0; i < n; i++)
      if (state[i] != AROUND_NONE && d.node[state[i]].depth < stem->most) {
        stem->n = stem->most = d.node[state[i]].depth;
        *which = i;
        found = true;
      }
  if (found)
    write_way(&d, state[*which]);
  close_ways(&d);
  return found;
}

/* ---- by accepting events -----------------------------------------------------------------
 */

/* The node on the way to u, in its component, that is nearest from v, and how far that is;
 * AROUND_NONE: none is near enough for a lasso that is shorter. */
static uint32_t come_back(struct nearest *d, uint32_t u, uint32_t v, uint32_t *length) {
  const struct around *a = d->around;
  uint32_t n = 0, end = 1;
  *length = 0;
  for (uint32_t at = u; at != AROUND_NONE; at = d->node[at].before)
    d->on_way[at] = d->stamp;
  if (d->on_way[v] == d->stamp)
    return v;
  d->step[v].stamp = d->stamp;
  d->queue[n++] = v;
  *length = 1;
  for (uint32_t k = 0; k < n && d->looks > 0; k++) {
    if (k == end) {
      ++*length;
      end = n;
    }
    if (d->node[u].depth + 1 + *length >= d->lasso->most)
      break;
    const uint32_t at = d->queue[k];
    for (uint64_t i = around_first(a, at); i < around_first(a, at + UINT64_C(1)); i++) {
      const uint32_t to = around_to(a, i);
      d->looks -= d->looks > 0;
      if (d->part[to] != d->part[u] || d->step[to].stamp == d->stamp)
        continue;
      d->step[to] = (struct step){d->stamp, at, (uint32_t)i};
      if (d->on_way[to] == d->stamp)
        return to;
      d->queue[n++] = to;
    }
  }
  return AROUND_NONE;
}

/* The events on the way of a search from one place to another are the last ones up to `end`. */
static void write_back(struct nearest *d, uint32_t from, uint32_t to, uint32_t end) {
  for (uint32_t at = to; at != from; at = d->step[at].from)
    d->lasso->event[--end] = d->around->arc[d->step[at].arc].event;
}

/* The best so far: the way to the state u, the arc, and `back` events to where the cycle
 * begins. */
static void write_lasso(struct nearest *d, uint32_t u, uint64_t arc, uint32_t back,
                        uint32_t begins) {
  struct nearest_lasso *lasso = d->lasso;
  const uint32_t depth = d->node[u].depth;
  lasso->n = lasso->most = depth + 1 + back;
  lasso->n_cycle = lasso->n - d->node[begins].depth;
  write_way(d, u);
  lasso->event[depth] = d->around->arc[arc].event;
  write_back(d, around_to(d->around, arc), begins, lasso->n);
  d->found = true;
}

/* An arc of the state u. */
static bool is_accepting(const struct nearest *d, uint64_t u, uint64_t arc) {
  return (d->around->arc[arc].to & AROUND_MARKED) != 0 &&
         d->part[around_to(d->around, arc)] == d->part[u];
}

static void look_back(struct nearest *d) {
  const struct around *a = d->around;
  for (uint64_t k = 0; k < d->reached && d->looks > 0; k++) {
    const uint32_t u = d->order[k];
    for (uint64_t i = around_first(a, u); i < around_first(a, u + UINT64_C(1)); i++) {
      const uint32_t v = around_to(a, i);
      uint32_t back;
      if (d->node[u].depth + 1 >= d->lasso->most || !is_accepting(d, u, i))
        continue;
      d->stamp++;
      const uint32_t begins = come_back(d, u, v, &back);
      if (begins != AROUND_NONE && d->node[u].depth + 1 + back < d->lasso->most)
        write_lasso(d, u, i, back, begins);
    }
  }
}

/* ---- by places ---------------------------------------------------------------------------
 */

/* The best so far: n events, of which the last one leads from a place back to where the cycle
 * begins. */
static void write_cycle(struct nearest *d, uint32_t begins, uint32_t last, uint64_t arc,
                        uint32_t n) {
  struct nearest_lasso *lasso = d->lasso;
  lasso->n = lasso->most = n;
  lasso->n_cycle = n - d->node[begins].depth;
  write_way(d, begins);
  lasso->event[n - 1] = d->around->arc[arc].event;
  write_back(d, begins, last, n - 1);
  d->found = true;
}

/* The shortest accepting cycle through a state, if that makes a lasso that is shorter. */
static void go_round(struct nearest *d, uint32_t begins) {
  const struct around *a = d->around;
  const uint32_t layer = (uint32_t)a->n;
  uint32_t n = 0, end = 1, length = d->node[begins].depth + 1;
  d->step[begins].stamp = ++d->stamp;
  d->queue[n++] = begins;
  for (uint32_t k = 0; k < n && d->looks > 0; k++) {
    if (k == end) {
      length++;
      end = n;
    }
    if (length >= d->lasso->most)
      return;
    const uint32_t place = d->queue[k], at = place % layer;
    for (uint64_t i = around_first(a, at); i < around_first(a, at + UINT64_C(1)); i++) {
      const uint32_t to = around_to(a, i);
      const bool marked = place >= layer || (a->arc[i].to & AROUND_MARKED) != 0;
      const uint32_t next = to + (marked ? layer : 0);
      d->looks -= d->looks > 0;
      if (d->part[to] != d->part[begins] || d->step[next].stamp == d->stamp)
        continue;
      if (marked && to == begins) {
        write_cycle(d, begins, place, i, length);
        return;
      }
      d->step[next] = (struct step){d->stamp, place, (uint32_t)i};
      d->queue[n++] = next;
    }
  }
}

/* ---- components ------------------------------------------------------------------------ */

static uint64_t first_of(const void *around, uint64_t state) {
  return around_first(around, state);
}

static uint64_t to_of(const void *around, uint64_t arc) {
  return around_to(around, arc);
}

static bool cut(struct nearest *d) {
  struct cut cut = {.budget = d->budget,
                    .n = d->around->n,
                    .part = d->part,
                    .parts = 1,
                    .context = d->around,
                    .first = first_of,
                    .to = to_of};
  for (uint64_t i = 0; i < cut.n; i++)
    d->part[i] = 1;
  if (!cut_part(&cut, 1))
    return false;
  for (uint64_t i = 0; i < cut.n; i++)
    d->part[i] -= 2;
  return true;
}

static void find_accepting(struct nearest *d) {
  const struct around *a = d->around;
  for (uint64_t u = 0; u < a->fired; u++)
    for (uint64_t i = a->first[u]; i < a->first[u + 1]; i++)
      if (is_accepting(d, u, i))
        d->accepts[d->part[u]] = true;
}

bool nearest_lasso(const struct around *a, struct nearest_lasso *lasso) {
  struct nearest d;
  bool fine = open_ways(&d, a, lasso);
  if (fine) {
    d.part = clear(&d, sizeof *d.part);
    d.accepts = clear(&d, sizeof *d.accepts);
    d.step = clear(&d, 2 * sizeof *d.step);
    d.queue = clear(&d, 2 * sizeof *d.queue);
    d.on_way = clear(&d, sizeof *d.on_way);
    fine = d.part != NULL && d.accepts != NULL && d.step != NULL && d.queue != NULL &&
           d.on_way != NULL && cut(&d);
  }
  if (fine) {
    d.looks = FEW_LOOKS + LOOKS * a->n_arcs;
    find_accepting(&d);
    look_back(&d);
    for (uint64_t k = 0; k < d.reached && d.looks > 0; k++)
      if (d.accepts[d.part[d.order[k]]])
        go_round(&d, d.order[k]);
  }
  release(&d, d.part, sizeof *d.part);
  release(&d, d.accepts, sizeof *d.accepts);
  release(&d, d.step, 2 * sizeof *d.step);
  release(&d, d.queue, 2 * sizeof *d.queue);
  release(&d, d.on_way, sizeof *d.on_way);
  close_ways(&d);
  return fine && d.found;
}
