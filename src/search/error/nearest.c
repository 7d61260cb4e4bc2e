/* nearest.c - the shortest lasso near the initial state.
 *
 * Where a depth-first search found a cycle, a nearer one may be close to the beginning. So
 * states are fired again, breadth-first, as far as a shorter lasso may reach: those that are
 * stored, or all, and then no more than four times as many as the search has stored. What was
 * seen is a graph in memory, which is cut into components.
 *
 * A lasso through an accepting event from u to v has no fewer events than the shortest way to
 * u, the event, and a way from v back to that way: where it comes back the cycle begins. So for
 * each such event, nearest first, a search from v looks for the nearest state on the way to u.
 * It ends where the lasso would be no shorter than the best so far; all of them together look
 * at a number of arcs that is a multiple of how many there are.
 */
#include "search/error/nearest.h"

#include "base/cut.h"
#include "search/fire.h"

#include "base/array.h"

#include <string.h>

#define MARKED  UINT32_C(0x80000000)
#define NOWHERE UINT32_MAX

enum {
  FIRED = 1000000, /* states, at most */
  FEW = 25000,     /* stored states, or more, count as that many */
  MORE = 3,        /* times as many new ones */
  ARCS = 8000000,  /* kept, at most */
  LOOKS = 16       /* at each arc, on average */
};

struct node {
  uint64_t name;      /* the store's */
  uint32_t before;    /* on the way here: the node before, */
  uint32_t depth;     /* events, */
  struct ts_event by; /* the last one */
};

struct arc {
  uint32_t to; /* a node, and MARKED */
  struct ts_event event;
};

/* Where a search for the way back came from. */
struct step {
  uint32_t stamp; /* of that search */
  uint32_t from;  /* node */
  uint64_t arc;
};

struct nearest {
  struct region *region;
  struct worker *worker;
  bool anew;         /* new states are stored */
  uint32_t best;     /* events; only shorter ones are of interest */
  uint32_t *node_of; /* by the store's number, plus 1 */
  uint64_t names;    /* there is room for */
  struct node *node; /* in the order in which they were found */
  uint64_t n, nodes_room;
  uint64_t *first; /* arcs of the nodes that were fired, and one more */
  uint64_t fired, firsts_room;
  struct arc *arc;
  uint64_t n_arcs, arcs_room;
  uint64_t *part; /* by node: its component */
  struct step *step;
  uint32_t *queue,
      *on_way; /* on_way, by node: the stamp of the last event whose way it is on */
  uint32_t stamp;
  uint64_t looks; /* left */
  struct region_way *way;
  uint32_t n_cycle;
};

/* ---- the graph ------------------------------------------------------------------------- */

static bool add_node(struct nearest *d, uint64_t name, uint32_t before, struct ts_event by) {
  struct budget *budget = d->worker->search->budget;
  if (d->n == d->nodes_room) {
    struct node *more = array_grow(budget, BUDGET_OTHER, d->node, &d->nodes_room, sizeof *more);
    if (more == NULL)
      return false;
    d->node = more;
  }
  const uint32_t depth = before == NOWHERE ? 0 : d->node[before].depth + 1;
  d->node[d->n++] = (struct node){name, before, depth, by};
  d->node_of[name] = (uint32_t)d->n;
  return true;
}

static bool add_arc(struct nearest *d, uint32_t to, struct ts_event event, bool marked) {
  struct budget *budget = d->worker->search->budget;
  if (d->n_arcs == d->arcs_room) {
    struct arc *more = array_grow(budget, BUDGET_OTHER, d->arc, &d->arcs_room, sizeof *more);
    if (more == NULL)
      return false;
    d->arc = more;
  }
  d->arc[d->n_arcs++] = (struct arc){to | (marked ? MARKED : 0), event};
  return true;
}

/* The arcs of the nodes from d->fired to n begin here. */
static bool begin_arcs(struct nearest *d) {
  struct budget *budget = d->worker->search->budget;
  if (d->fired == d->firsts_room) {
    uint64_t *more = array_grow(budget, BUDGET_OTHER, d->first, &d->firsts_room, sizeof *more);
    if (more == NULL)
      return false;
    d->first = more;
  }
  d->first[d->fired] = d->n_arcs;
  return true;
}

/* Successors that were looked up, of a node. */
static bool add_rows(struct nearest *d, uint32_t from, uint32_t length) {
  const struct search *s = d->worker->search;
  struct rows *rows = &d->region->rows;
  for (uint32_t i = 0; i < rows->batch.n; i++) {
    const struct ts_event event = rows->batch.edge[i].event;
    if (rows->answer[i] == STORE_NEW && d->anew &&
        s->store_kind->put(d->worker->store, rows, i, i + 1) == i)
      return false;
    const uint64_t name = rows->ref[i]; /* STORE_NONE if it is not there */
    if (name >= d->names)
      continue;
    if (d->node_of[name] == 0 && !add_node(d, name, from, event))
      return false;
    if (!add_arc(d, d->node_of[name] - 1, event,
                 (ts_code(s->ts)->marks(s->ts, d->region->row, length, event) & 1) != 0))
      return false;
  }
  return true;
}

static bool fire(struct nearest *d, uint32_t at) {
  struct worker *w = d->worker;
  struct search *s = w->search;
  struct rows *rows = &d->region->rows;
  uint8_t *row = d->region->row;
  const uint32_t length = s->store_kind->get(w->store, d->node[at].name, row);
  struct ts_event cursor = {0, 0};
  for (int32_t left = 1; left == 1;) {
    rows->batch.n = 0;
    left = ts_code(s->ts)->successors(s->ts, row, length, &cursor, NULL, &rows->batch);
    if (left == 2)
      return false;
    worker_find(w, rows, row, length);
    if (!add_rows(d, at, length))
      return false;
  }
  return true;
}

/* Breadth-first, as far as a shorter lasso may reach. False if memory ran out. */
static bool make_graph(struct nearest *d, uint64_t from) {
  const uint64_t most = d->names < FIRED ? d->names : FIRED;
  if (!add_node(d, from, NOWHERE, (struct ts_event){0, 0}))
    return false;
  while (d->fired < d->n && d->fired < most && d->n_arcs < ARCS &&
         d->node[d->fired].depth + 1 < d->best) {
    if (!begin_arcs(d) || !fire(d, (uint32_t)d->fired))
      return false;
    d->fired++;
  }
  return begin_arcs(d);
}

/* ---- components ------------------------------------------------------------------------ */

static uint64_t first_of(const void *context, uint64_t node) {
  const struct nearest *d = context;
  return d->first[node < d->fired ? node : d->fired];
}

static uint64_t to_of(const void *context, uint64_t arc) {
  const struct nearest *d = context;
  return d->arc[arc].to & ~MARKED;
}

static bool cut(struct nearest *d) {
  struct cut cut = {.budget = d->worker->search->budget,
                    .n = d->n,
                    .part = d->part,
                    .parts = 1,
                    .context = d,
                    .first = first_of,
                    .to = to_of};
  for (uint64_t i = 0; i < d->n; i++)
    d->part[i] = 1;
  return cut_part(&cut, 1);
}

/* ---- the way back ---------------------------------------------------------------------- */

/* The best so far: the way to the node u, the arc, and back to where the cycle begins. */
static bool write_lasso(struct nearest *d, uint32_t u, uint64_t arc, uint32_t begins) {
  struct region_way *way = d->way;
  way->n = 0;
  for (uint32_t at = begins, last = d->arc[arc].to & ~MARKED; at != last; at = d->step[at].from)
    if (!region_add(d->region, way, d->arc[d->step[at].arc].event))
      return false;
  if (!region_add(d->region, way, d->arc[arc].event))
    return false;
  for (uint32_t at = u; d->node[at].before != NOWHERE; at = d->node[at].before)
    if (!region_add(d->region, way, d->node[at].by))
      return false;
  for (uint64_t a = 0, b = way->n; a + 1 < b; a++, b--) {
    const struct ts_event event = way->at[a];
    way->at[a] = way->at[b - 1];
    way->at[b - 1] = event;
  }
  d->best = (uint32_t)way->n;
  d->n_cycle = d->best - d->node[begins].depth;
  return true;
}

/* The node on the way to u, in its component, that is nearest from v; NOWHERE: none is near
 * enough for a lasso that is shorter. */
static uint32_t come_back(struct nearest *d, uint32_t u, uint32_t v) {
  uint32_t n = 0, level = 0, end = 1;
  for (uint32_t at = u; at != NOWHERE; at = d->node[at].before)
    d->on_way[at] = d->stamp;
  if (d->on_way[v] == d->stamp)
    return v;
  d->step[v].stamp = d->stamp;
  d->queue[n++] = v;
  for (uint32_t k = 0; k < n && d->looks > 0; k++) {
    if (k == end) {
      level++;
      end = n;
    }
    if (d->node[u].depth + 1 + level + 1 >= d->best)
      break;
    const uint32_t at = d->queue[k];
    for (uint64_t a = first_of(d, at); a < first_of(d, at + UINT64_C(1)); a++) {
      const uint32_t to = d->arc[a].to & ~MARKED;
      d->looks -= d->looks > 0;
      if (d->part[to] != d->part[u] || d->step[to].stamp == d->stamp)
        continue;
      d->step[to] = (struct step){d->stamp, at, a};
      if (d->on_way[to] == d->stamp)
        return to;
      d->queue[n++] = to;
    }
  }
  return NOWHERE;
}

static bool look_back(struct nearest *d) {
  d->looks = LOOKS * d->n_arcs;
  for (uint32_t u = 0; u < d->fired && d->looks > 0 && d->node[u].depth + 1 < d->best; u++)
    for (uint64_t a = d->first[u]; a < d->first[u + 1]; a++) {
      const uint32_t v = d->arc[a].to & ~MARKED;
      if ((d->arc[a].to & MARKED) == 0 || d->part[u] != d->part[v])
        continue;
      d->stamp++;
      const uint32_t begins = come_back(d, u, v);
      if (begins != NOWHERE && !write_lasso(d, u, a, begins))
        return false;
    }
  return true;
}

/* ---- all ------------------------------------------------------------------------------- */

static void *clear(struct nearest *d, uint64_t n, size_t item) {
  void *at = budget_alloc(d->worker->search->budget, BUDGET_OTHER, n * item);
  if (at != NULL)
    memset(at, 0, n * item);
  return at;
}

static bool find(struct nearest *d) {
  struct budget *budget = d->worker->search->budget;
  const uint64_t n = d->n + 1;
  d->part = clear(d, n, sizeof *d->part);
  d->step = clear(d, n, sizeof *d->step);
  d->queue = clear(d, n, sizeof *d->queue);
  d->on_way = clear(d, n, sizeof *d->on_way);
  const bool fine = d->part != NULL && d->step != NULL && d->queue != NULL &&
                    d->on_way != NULL && cut(d) && look_back(d);
  budget_free(budget, BUDGET_OTHER, d->part, n * sizeof *d->part);
  budget_free(budget, BUDGET_OTHER, d->step, n * sizeof *d->step);
  budget_free(budget, BUDGET_OTHER, d->queue, n * sizeof *d->queue);
  budget_free(budget, BUDGET_OTHER, d->on_way, n * sizeof *d->on_way);
  return fine;
}

bool nearest_lasso(struct region *region, uint64_t from, bool anew, uint32_t most,
                   struct region_way *way, uint32_t *n_cycle) {
  struct worker *w = region->worker;
  struct budget *budget = w->search->budget;
  const uint64_t stored = w->figures.stored;
  struct nearest d = {.region = region, .worker = w, .anew = anew, .best = most, .way = way};
  const uint64_t more = MORE * (stored > FEW ? stored : FEW);
  d.names = stored + (!anew ? 0 : more < ARCS ? more : ARCS);
  d.node_of = clear(&d, d.names, sizeof *d.node_of);
  const bool fine = d.node_of != NULL && from < d.names && make_graph(&d, from) && find(&d);
  budget_free(budget, BUDGET_OTHER, d.node_of, d.names * sizeof *d.node_of);
  array_free(budget, BUDGET_OTHER, d.node, d.nodes_room * sizeof *d.node);
  array_free(budget, BUDGET_OTHER, d.first, d.firsts_room * sizeof *d.first);
  array_free(budget, BUDGET_OTHER, d.arc, d.arcs_room * sizeof *d.arc);
  *n_cycle = d.n_cycle;
  return fine && d.n_cycle > 0;
}
