/* control.c - what a transition touches, for partial order reduction.
 *
 * Each transition is a process of its own that stays where it is, and each place an item. Those
 * who take tokens from a place conflict with each other, and with those who need one there;
 * those who put some there do not mind each other, nor the takers: where both are enabled, they
 * are in any order. A place that may overflow is written by who puts tokens there, for the
 * order then decides who fails. A transition has a guard for each place of its input, which can
 * be made true only by putting tokens there. See ts/control.h.
 */
#include "net/control.h"

#include <string.h>

/* For the reduction keeps bits for each two of them. */
enum { TRANSITIONS_MOST = 4096 };

struct making {
  const struct net *net;
  const struct net_layout *layout;
  const struct fire *fire;
  struct ts_touch *touch, *guard_touch;
  struct ts_guard *guard;
  struct ts_term *term;
  uint32_t *first_touch, *first_guard, n_touches, n_guards;
};

static uint32_t weight_at(const struct net_arcs *arcs, uint32_t transition, uint32_t place) {
  for (uint32_t i = arcs->start[transition]; i < arcs->start[transition + 1]; i++)
    if (arcs->at[i].place == place)
      return arcs->at[i].weight;
  return 0;
}

/* How a transition touches a place, given how many it takes from it and puts there. */
static unsigned ways_of(const struct making *m, uint32_t place, uint32_t takes, uint32_t puts) {
  const struct net_slot *slot = &m->layout->slot[m->layout->spot[place].slot];
  unsigned ways = takes > 0 ? TS_ANY : 0;
  if (puts > takes)
    ways |= slot->is_bounded ? TS_LEAVE : TS_READ | TS_WRITE;
  else if (takes > puts)
    ways = TS_RECEIVE;
  return ways;
}

static void add_touch(struct making *m, uint32_t place, uint32_t takes, uint32_t puts) {
  m->touch[m->n_touches++] = (struct ts_touch){.item = place,
                                               .ways = (uint16_t)ways_of(m, place, takes, puts),
                                               .guard = (uint16_t)(takes > 0 ? TS_READ : 0)};
}

/* That there are enough tokens in a place. */
static void add_guard(struct making *m, uint32_t place, uint32_t weight) {
  struct net_spot spot = m->layout->spot[place];
  bool is_unit = m->layout->slot[spot.slot].is_unit;
  uint32_t i = m->n_guards++;
  struct ts_term *term = m->term + 3 * (size_t)i;
  term[0] = (struct ts_term){TS_TERM_SLOT, (int32_t)spot.slot, 0};
  term[1] = (struct ts_term){TS_TERM_CONST, (int32_t)(is_unit ? spot.value : weight), 0};
  term[2] = (struct ts_term){is_unit ? TS_TERM_EQ : TS_TERM_GE, 0, 0};
  m->guard[i] = (struct ts_guard){3 * i, 3, i, 1};
  m->guard_touch[i] = (struct ts_touch){.item = place, .ways = TS_WRITE | TS_LEAVE};
}

static void add_transition(struct making *m, uint32_t t) {
  const struct net_arcs *in = &m->net->in, *out = &m->net->out;
  for (uint32_t i = in->start[t]; i < in->start[t + 1]; i++) {
    uint32_t place = in->at[i].place;
    add_touch(m, place, in->at[i].weight, weight_at(out, t, place));
    add_guard(m, place, in->at[i].weight);
  }
  for (uint32_t i = out->start[t]; i < out->start[t + 1]; i++)
    if (weight_at(in, t, out->at[i].place) == 0)
      add_touch(m, out->at[i].place, 0, out->at[i].weight);
}

static void open_rooms(struct making *m, uint32_t n) {
  struct arena *arena = m->net->arena;
  size_t in = m->net->in.start[m->net->n_transitions], out;
  out = m->net->out.start[m->net->n_transitions];
  m->touch = ARENA_ARRAY(arena, in + out + 1, struct ts_touch);
  m->guard_touch = ARENA_ARRAY(arena, in + 1, struct ts_touch);
  m->guard = ARENA_ARRAY(arena, in + 1, struct ts_guard);
  m->term = ARENA_ARRAY(arena, 3 * in + 1, struct ts_term);
  m->first_touch = ARENA_ARRAY(arena, n + (size_t)1, uint32_t);
  m->first_guard = ARENA_ARRAY(arena, n + (size_t)1, uint32_t);
}

/* One process, location and step for each action. */
static void add_processes(const struct net *net, struct ts_control *c, uint32_t n) {
  struct ts_process *process = ARENA_ARRAY(net->arena, n, struct ts_process);
  struct ts_step *step = ARENA_ARRAY(net->arena, n, struct ts_step);
  uint32_t *number = ARENA_ARRAY(net->arena, n + (size_t)1, uint32_t);
  for (uint32_t i = 0; i < n; i++) {
    process[i] = (struct ts_process){.location_slot = TS_NONE,
                                     .first = i,
                                     .n_locations = 1,
                                     .initial = i,
                                     .live_slot = TS_NONE,
                                     .tag_slot = TS_NONE};
    step[i] = (struct ts_step){.process = i, .from = i, .to = i};
    number[i] = i;
  }
  number[n] = n;
  c->n_processes = c->n_locations = c->n_steps = n;
  c->process = process;
  c->step = step;
  c->first_step = number;
  c->of = (struct ts_rows){number, number};
  c->starts = (struct ts_rows){ARENA_ARRAY(net->arena, n + (size_t)1, uint32_t), number};
}

/* Invariants look at everything. */
static void watch_all(const struct net *net, struct ts_control *c) {
  struct ts_touch *watched = ARENA_ARRAY(net->arena, net->n_places, struct ts_touch);
  for (uint32_t i = 0; i < net->n_places; i++)
    watched[i] = (struct ts_touch){.item = i, .ways = TS_READ};
  c->n_watched = net->n_places;
  c->watched = watched;
}

const struct ts_control *net_control(const struct net *net, const struct net_layout *layout,
                                     const struct fire *fire, bool has_properties) {
  struct making m = {.net = net, .layout = layout, .fire = fire};
  struct ts_control *c;
  if (fire->n_actions == 0 || fire->n_actions > TRANSITIONS_MOST)
    return NULL;
  c = ARENA_NEW(net->arena, struct ts_control);
  open_rooms(&m, fire->n_actions);
  for (uint32_t i = 0; i < fire->n_actions; i++) {
    add_transition(&m, fire->transition[i]);
    m.first_touch[i + 1] = m.n_touches;
    m.first_guard[i + 1] = m.n_guards;
  }
  add_processes(net, c, fire->n_actions);
  c->n_items = net->n_places;
  c->first_touch = m.first_touch;
  c->touch = m.touch;
  c->first_guard = m.first_guard;
  c->guard = m.guard;
  c->guard_touch = m.guard_touch;
  c->term = m.term;
  if (has_properties)
    watch_all(net, c);
  return c;
}
