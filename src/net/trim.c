/* trim.c - dropping transitions that can never fire and places that never change.
 *
 * A place is dead as long as no live transition puts tokens into it and it has none; a
 * transition with a dead input place is dead. What is left when this is taken to its end
 * (a worklist, so in linear time) may fire as far as this can tell. A place whose tokens no
 * live transition changes is constant: the arcs to it always hold, or kill their
 * transition. One round of each may make work for the other, so they take turns; whenever
 * one stops, what is left is right.
 */
#include "net/net.h"

#include <string.h>

/* Rounds at most: each is linear, and few nets need three. */
#define TRIM_ROUNDS 20

struct trim {
  struct net *net;
  bool *live, *marked;            /* [transition], [place]: may fire, may hold tokens */
  bool *changes;                  /* [place] */
  uint32_t *first, *next, *waits; /* input arcs by place, and dead inputs by transition */
  uint32_t *queue;
};

/* ---- what may fire -------------------------------------------------------------------------
 */

static void index_inputs(struct trim *t) {
  const struct net *net = t->net;
  memset(t->first, 0xFF, net->n_places * sizeof *t->first);
  for (uint32_t i = 0; i < net->n_transitions; i++)
    for (uint32_t k = net->in.start[i]; k < net->in.start[i + 1]; k++) {
      t->next[k] = t->first[net->in.at[k].place];
      t->first[net->in.at[k].place] = k;
    }
}

static void mark(struct trim *t, uint32_t place, uint32_t *n) {
  if (!t->marked[place])
    t->queue[(*n)++] = place;
  t->marked[place] = true;
}

static void fire(struct trim *t, uint32_t transition, uint32_t *n) {
  const struct net *net = t->net;
  t->live[transition] = true;
  for (uint32_t k = net->out.start[transition]; k < net->out.start[transition + 1]; k++)
    mark(t, net->out.at[k].place, n);
}

/* `owner`: of each input arc, its transition. */
static void find_live(struct trim *t, const bool *barred, const uint32_t *owner) {
  const struct net *net = t->net;
  uint32_t n = 0;
  memset(t->live, 0, net->n_transitions * sizeof *t->live);
  memset(t->marked, 0, net->n_places * sizeof *t->marked);
  for (uint32_t i = 0; i < net->n_places; i++)
    if (net->place[i].initial > 0)
      mark(t, i, &n);
  for (uint32_t i = 0; i < net->n_transitions; i++) {
    t->waits[i] = net->in.start[i + 1] - net->in.start[i];
    if (t->waits[i] == 0 && !barred[i])
      fire(t, i, &n);
  }
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = t->first[t->queue[i]]; k != TS_NONE; k = t->next[k])
      if (--t->waits[owner[k]] == 0 && !barred[owner[k]])
        fire(t, owner[k], &n);
}

/* ---- what changes
 * ---------------------------------------------------------------------------- */

/* Both rows ascend by place. */
static void note_changes(struct trim *t, uint32_t transition) {
  const struct net *net = t->net;
  uint32_t a = net->in.start[transition], a_end = net->in.start[transition + 1];
  uint32_t b = net->out.start[transition], b_end = net->out.start[transition + 1];
  while (a < a_end || b < b_end) {
    uint32_t in = a < a_end ? net->in.at[a].place : TS_NONE;
    uint32_t out = b < b_end ? net->out.at[b].place : TS_NONE;
    uint32_t place = in < out ? in : out;
    uint32_t takes = in == place ? net->in.at[a++].weight : 0;
    uint32_t puts = out == place ? net->out.at[b++].weight : 0;
    if (takes != puts)
      t->changes[place] = true;
  }
}

/* Bars live transitions that want more of a constant place than it has. */
static bool bar(struct trim *t, bool *barred) {
  const struct net *net = t->net;
  bool any = false;
  memset(t->changes, 0, net->n_places * sizeof *t->changes);
  for (uint32_t i = 0; i < net->n_transitions; i++)
    if (t->live[i])
      note_changes(t, i);
  for (uint32_t i = 0; i < net->n_transitions; i++)
    for (uint32_t k = net->in.start[i]; t->live[i] && k < net->in.start[i + 1]; k++) {
      const struct net_arc *arc = &net->in.at[k];
      if (!t->changes[arc->place] && net->place[arc->place].initial < arc->weight)
        barred[i] = any = true;
    }
  return any;
}

/* ---- what is left
 * ------------------------------------------------------------------------------ */

static void keep_places(struct trim *t, uint32_t *number) {
  struct net *net = t->net;
  uint32_t n = 0;
  net->dropped = ARENA_ARRAY(net->arena, net->n_places, struct net_dropped);
  for (uint32_t i = 0; i < net->n_places; i++) {
    struct net_place place = net->place[i];
    struct net_group *group = &net->place_group[place.group];
    number[i] = TS_NONE;
    if (t->changes[i]) {
      if (group->n++ == 0)
        group->first = n;
      number[i] = n;
      net->place[n++] = place;
      continue;
    }
    net->dropped[net->n_dropped++] = (struct net_dropped){place.name, place.initial};
    group->constant += place.initial;
    if (place.initial > group->most_constant)
      group->most_constant = place.initial;
  }
  net->n_places = n;
}

static void keep_arcs(const struct trim *t, struct net_arcs *arcs, const uint32_t *number) {
  uint32_t n = 0, kept = 0;
  for (uint32_t i = 0; i < t->net->n_transitions; i++) {
    uint32_t from = arcs->start[i], to = arcs->start[i + 1];
    if (!t->live[i])
      continue;
    arcs->start[kept++] = n; /* never beyond what was read: kept <= i */
    for (uint32_t k = from; k < to; k++)
      if (number[arcs->at[k].place] != TS_NONE)
        arcs->at[n++] = (struct net_arc){number[arcs->at[k].place], arcs->at[k].weight};
  }
  arcs->start[kept] = n;
}

static void keep_transitions(struct trim *t) {
  struct net *net = t->net;
  uint32_t n = 0;
  for (uint32_t i = 0; i < net->n_transitions; i++) {
    if (!t->live[i])
      continue;
    struct net_group *group = &net->transition_group[net->transition[i].group];
    if (group->n++ == 0)
      group->first = n;
    net->transition[n++] = net->transition[i];
  }
  net->n_transitions = n;
}

void net_trim(struct net *net) {
  struct arena *arena = net->arena;
  uint32_t arcs = net->in.start[net->n_transitions];
  struct trim t = {.net = net};
  t.live = ARENA_ARRAY(arena, net->n_transitions, bool);
  t.marked = ARENA_ARRAY(arena, net->n_places, bool);
  t.changes = ARENA_ARRAY(arena, net->n_places, bool);
  t.first = ARENA_ARRAY(arena, net->n_places, uint32_t);
  t.queue = ARENA_ARRAY(arena, net->n_places, uint32_t);
  t.waits = ARENA_ARRAY(arena, net->n_transitions, uint32_t);
  t.next = ARENA_ARRAY(arena, arcs, uint32_t);
  bool *barred = ARENA_ARRAY(arena, net->n_transitions, bool);
  uint32_t *owner = ARENA_ARRAY(arena, arcs, uint32_t);
  for (uint32_t i = 0; i < net->n_transitions; i++)
    for (uint32_t k = net->in.start[i]; k < net->in.start[i + 1]; k++)
      owner[k] = i;
  index_inputs(&t);
  find_live(&t, barred, owner);
  for (uint32_t round = 0; bar(&t, barred) && round < TRIM_ROUNDS; round++)
    find_live(&t, barred, owner);
  for (uint32_t i = 0; i < net->n_transitions; i++)
    t.live[i] = t.live[i] && !barred[i];
  uint32_t *number = ARENA_ARRAY(arena, net->n_places, uint32_t);
  keep_places(&t, number);
  keep_arcs(&t, &net->in, number);
  keep_arcs(&t, &net->out, number);
  keep_transitions(&t);
}
