/* explain.c - what the transitions of a net lack in a marking: for ts/explain.h.
 *
 * A net has thousands of transitions, and most of them lack nearly everything. Those that lack
 * the fewest places are listed, which is where one looks for the reason.
 */
#include "net/explain.h"

#include "ts/explain.h"

#include <stdlib.h>

#define EXPLAIN_MOST   12u /* transitions that are listed */
#define EXPLAIN_PLACES 4u  /* places of each */

struct explained {
  const struct net *net;
  const struct net_layout *layout;
  const struct net_term *const *holds; /* by property */
  const uint32_t *transition;          /* by action */
};

struct lack {
  uint32_t transition, places; /* places that have too few tokens */
};

static uint32_t lacks(const struct explained *m, uint32_t t, const uint8_t *state) {
  const struct net_arcs *in = &m->net->in;
  uint32_t n = 0;
  for (uint32_t i = in->start[t]; i < in->start[t + 1]; i++)
    n += net_tokens(m->layout, in->at[i].place, state) < in->at[i].weight;
  return n;
}

static int fewer(const void *a, const void *b) {
  const struct lack *x = a, *y = b;
  if (x->places != y->places)
    return x->places < y->places ? -1 : 1;
  return x->transition < y->transition ? -1 : 1;
}

static const char *lack_text(const struct explained *m, uint32_t t, const uint8_t *state,
                             struct arena *arena) {
  const struct net_arcs *in = &m->net->in;
  const char *text = "";
  uint32_t n = 0, more = 0;
  for (uint32_t i = in->start[t]; i < in->start[t + 1]; i++) {
    const uint32_t has = net_tokens(m->layout, in->at[i].place, state);
    const uint32_t weight = in->at[i].weight;
    if (has >= weight)
      continue;
    if (n++ >= EXPLAIN_PLACES)
      more++;
    else
      text =
          arena_printf(arena, "%s%s%u token%s in %s, has %u", text, n > 1 ? "; " : "", weight,
                       weight == 1 ? "" : "s", m->net->place[in->at[i].place].name, has);
  }
  return more == 0 ? text : arena_printf(arena, "%s; and %u more", text, more);
}

static void waiters(const struct ts_explain *x, const uint8_t *state, struct arena *arena,
                    struct ts_waiters *out) {
  const struct explained *m = x->model;
  const struct net *net = m->net;
  if (net->n_transitions == 0)
    return;
  struct lack *lack = ARENA_ARRAY(arena, net->n_transitions, struct lack);
  for (uint32_t t = 0; t < net->n_transitions; t++)
    lack[t] = (struct lack){t, lacks(m, t, state)};
  qsort(lack, net->n_transitions, sizeof *lack, fewer);
  const uint32_t n = net->n_transitions < EXPLAIN_MOST ? net->n_transitions : EXPLAIN_MOST;
  struct ts_need *need = ARENA_ARRAY(arena, n, struct ts_need);
  for (uint32_t i = 0; i < n; i++) {
    const struct net_transition *t = &net->transition[lack[i].transition];
    need[i] = (struct ts_need){.statement = t->name,
                               .why = lack_text(m, lack[i].transition, state, arena),
                               .place = net->transition_group[t->group].where};
  }
  struct ts_waiter *all = ARENA_NEW(arena, struct ts_waiter);
  *all = (struct ts_waiter){.process = "",
                            .place = need[0].place,
                            .n_needs = n,
                            .n_more = net->n_transitions - n,
                            .need = need};
  *out = (struct ts_waiters){1, all};
}

/* ---- conditions ----------------------------------------------------------------------- */

struct tokens {
  const struct explained *model;
  const uint8_t *state;
  struct arena *arena;
  const char *text;
  uint32_t n;
};

/* "tokens: fork<1> = 1, …" of the places that a condition looks at and that hold any. */
static void add_tokens(struct tokens *t, const struct net_term *term) {
  enum { MOST = 12 };
  if (term == NULL)
    return;
  for (uint32_t i = 0; term->kind == NET_TOKENS && i < term->n && t->n < MOST; i++) {
    const uint32_t has = net_tokens(t->model->layout, term->item[i], t->state);
    if (has == 0 && term->n > 1)
      continue;
    t->text = arena_printf(t->arena, "%s%s%s = %u", t->text, t->n > 0 ? ", " : "",
                           t->model->net->place[term->item[i]].name, has);
    t->n++;
  }
  add_tokens(t, term->a);
  add_tokens(t, term->b);
}

static const char *property(const struct ts_explain *x, uint32_t i, const uint8_t *state,
                            struct arena *arena) {
  const struct explained *m = x->model;
  struct tokens t = {m, state, arena, "", 0};
  if (i >= x->shape->n_properties)
    return NULL;
  add_tokens(&t, m->holds[i]);
  return t.n == 0 ? NULL : t.text;
}

/* ---- places that are too full -------------------------------------------------------- */

/* Arcs of a transition ascend by place. */
static uint32_t weight_at(const struct net_arcs *arcs, uint32_t t, uint32_t place) {
  for (uint32_t i = arcs->start[t]; i < arcs->start[t + 1]; i++)
    if (arcs->at[i].place == place)
      return arcs->at[i].weight;
  return 0;
}

/* "q has 255 tokens, and t puts 1 there". */
static const char *fault(const struct ts_explain *x, const uint8_t *before,
                         const struct ts_event_part *part, struct arena *arena) {
  const struct explained *m = x->model;
  const uint32_t t = m->transition[part->action[part->n - 1]];
  const struct net_arcs *out = &m->net->out;
  for (uint32_t i = out->start[t]; i < out->start[t + 1]; i++) {
    const uint32_t place = out->at[i].place, puts = out->at[i].weight;
    const uint32_t takes = weight_at(&m->net->in, t, place);
    const uint64_t has = net_tokens(m->layout, place, before);
    const struct net_slot *slot = &m->layout->slot[m->layout->spot[place].slot];
    if (slot->is_bounded || slot->n_places > 1 || has - takes + puts <= slot->most)
      continue;
    const char *taken = takes == 0 ? "" : arena_printf(arena, "takes %u and ", takes);
    return arena_printf(arena, "%s has %llu tokens, and %s %sputs %u there",
                        m->net->place[place].name, (unsigned long long)has,
                        m->net->transition[t].name, taken, puts);
  }
  return NULL;
}

const struct ts_explain *net_explain(const struct net *net, const struct net_layout *layout,
                                     const struct ts_shape *shape,
                                     const struct net_term *const *holds,
                                     const uint32_t *transition) {
  struct ts_explain *explain = ARENA_NEW(net->arena, struct ts_explain);
  struct explained *m = ARENA_NEW(net->arena, struct explained);
  *m = (struct explained){net, layout, holds, transition};
  *explain = (struct ts_explain){
      .model = m, .shape = shape, .waiters = waiters, .property = property, .fault = fault};
  return explain;
}
