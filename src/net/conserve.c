/* conserve.c - the same, by search: a P-invariant (or sub-invariant) of weights 0 and 1.
 *
 * The set begins with one place. A transition that puts a token into the set without
 * taking one from it must take one: one of its input places joins. For an exact set, one
 * that takes a token without putting one must put one. Where there is one way to mend a
 * transition it is taken; where there are several they are tried in turn, with a bound on
 * the work. A set found is an invariant by construction, whatever was tried before.
 *
 * Nets of practice are mostly made of parts that run through a few states each, and these
 * are such sets; so a search that only looks for them finds what general methods (Farkas)
 * find by work that grows exponentially.
 */
#include "net/conserve.h"

#include <string.h>

/* Steps of one search per place: arcs looked at. */
#define CONSERVE_WORK 20000u
/* Steps of all searches until conserve_renew(): about a fifth of a second. */
#define CONSERVE_ALL  15000000u
/* Places of one set. */
#define CONSERVE_MOST 65536u

struct choice {              /* a transition that was mended, and how to go back */
  uint32_t transition, next; /* the next candidate to try */
  uint32_t n_set, n_open;
};

struct conserve {
  const struct net *net;
  const struct changes *change;
  const struct conserve_want *want;
  bool *in_set;           /* [place] */
  uint64_t *takes, *puts; /* [transition]: tokens from and to places of the set */
  uint32_t n_broken;      /* transitions that need mending */
  uint32_t *set, n_set;
  uint32_t *open, n_open; /* transitions to look at */
  struct choice *choice;
  uint32_t n_choices;
  uint64_t tokens;
  uint32_t work;
  uint64_t all_work;
};

struct conserve *conserve_open(const struct net *net, const struct changes *change) {
  struct arena *arena = net->arena;
  struct conserve *c = ARENA_NEW(arena, struct conserve);
  uint32_t arcs = change->start[net->n_transitions];
  *c = (struct conserve){.net = net, .change = change};
  c->in_set = ARENA_ARRAY(arena, net->n_places, bool);
  c->takes = ARENA_ARRAY(arena, net->n_transitions, uint64_t);
  c->puts = ARENA_ARRAY(arena, net->n_transitions, uint64_t);
  c->set = ARENA_ARRAY(arena, net->n_places, uint32_t);
  /* Each place of the set adds its transitions, and one that is not mended yet. */
  c->open = ARENA_ARRAY(arena, (size_t)arcs + net->n_places, uint32_t);
  c->choice = ARENA_ARRAY(arena, net->n_places, struct choice);
  return c;
}

/* Of a unit each transition moves one token at most: it could not fire else. */
static bool fits(struct conserve *c, uint32_t place) {
  if (c->in_set[place] || (c->want->barred != NULL && c->want->barred[place]) ||
      c->n_set == CONSERVE_MOST || c->tokens + c->net->place[place].initial > c->want->most)
    return false;
  if (!c->want->exact)
    return true;
  for (uint32_t k = c->change->place_start[place]; k < c->change->place_start[place + 1]; k++) {
    const struct change *change = &c->change->by_place[k];
    c->work++;
    if (change->by > 1 || change->by < -1 ||
        (change->by > 0 ? c->puts : c->takes)[change->transition] != 0)
      return false;
  }
  return true;
}

static bool is_broken(const struct conserve *c, uint32_t t) {
  return c->puts[t] > c->takes[t] || (c->want->exact && c->puts[t] < c->takes[t]);
}

static void count_change(struct conserve *c, const struct change *change, bool add) {
  uint32_t t = change->transition;
  c->n_broken -= is_broken(c, t);
  if (change->by > 0)
    c->puts[t] += (uint64_t)(add ? change->by : -change->by);
  else
    c->takes[t] += (uint64_t)(add ? -change->by : change->by);
  c->n_broken += is_broken(c, t);
  c->work++;
}

static void add(struct conserve *c, uint32_t place) {
  c->in_set[place] = true;
  c->set[c->n_set++] = place;
  c->tokens += c->net->place[place].initial;
  for (uint32_t k = c->change->place_start[place]; k < c->change->place_start[place + 1]; k++) {
    count_change(c, &c->change->by_place[k], true);
    c->open[c->n_open++] = c->change->by_place[k].transition;
  }
}

static void undo(struct conserve *c, uint32_t n_set) {
  while (c->n_set > n_set) {
    uint32_t place = c->set[--c->n_set];
    c->in_set[place] = false;
    c->tokens -= c->net->place[place].initial;
    for (uint32_t k = c->change->place_start[place]; k < c->change->place_start[place + 1]; k++)
      count_change(c, &c->change->by_place[k], false);
  }
}

/* The candidate from number `from` on that may mend the transition; its number is *at. */
static uint32_t candidate(struct conserve *c, uint32_t t, uint32_t from, uint32_t *at) {
  bool needs_take = c->puts[t] > c->takes[t];
  for (uint32_t k = c->change->start[t] + from; k < c->change->start[t + 1]; k++) {
    const struct change *change = &c->change->at[k];
    c->work++;
    if ((change->by < 0) == needs_take && fits(c, change->place)) {
      *at = k - c->change->start[t];
      return change->place;
    }
  }
  return TS_NONE;
}

/* Back to the last choice that has another candidate, which is taken. */
static bool backtrack(struct conserve *c) {
  while (c->n_choices > 0) {
    struct choice *last = &c->choice[c->n_choices - 1];
    undo(c, last->n_set);
    c->n_open = last->n_open;
    uint32_t at = 0, place = candidate(c, last->transition, last->next, &at);
    if (place != TS_NONE) {
      last->next = at + 1;
      add(c, place);
      return true;
    }
    c->n_choices--;
  }
  return false;
}

/* Mends one transition. False: there is no set. Candidates that were not tried are kept in
 * a choice, with the transitions that were open. */
static bool mend(struct conserve *c, uint32_t t) {
  uint32_t at = 0, other = 0, place = candidate(c, t, 0, &at);
  if (place == TS_NONE)
    return backtrack(c);
  if (candidate(c, t, at + 1, &other) != TS_NONE)
    c->choice[c->n_choices++] = (struct choice){t, at + 1, c->n_set, c->n_open};
  add(c, place);
  return true;
}

/* The stack of open transitions may hold others after going back than before, so whether
 * all are mended is counted, and one that is not is looked for in the set. */
static uint32_t some_broken(struct conserve *c) {
  for (uint32_t i = 0; i < c->n_set; i++)
    for (uint32_t k = c->change->place_start[c->set[i]];
         k < c->change->place_start[c->set[i] + 1]; k++) {
      c->work++;
      if (is_broken(c, c->change->by_place[k].transition))
        return c->change->by_place[k].transition;
    }
  return TS_NONE;
}

static bool search(struct conserve *c, uint32_t place) {
  if (c->all_work > CONSERVE_ALL || !fits(c, place))
    return false;
  add(c, place);
  while (c->work < CONSERVE_WORK) {
    if (c->n_broken == 0)
      return true;
    uint32_t t = c->n_open > 0 ? c->open[--c->n_open] : some_broken(c);
    if (t == TS_NONE || (is_broken(c, t) && !mend(c, t)))
      return false;
    if (t != TS_NONE && is_broken(c, t))
      c->open[c->n_open++] = t;
  }
  return false;
}

void conserve_renew(struct conserve *c) {
  c->all_work = 0;
}

uint32_t conserve_find(struct conserve *c, uint32_t place, const struct conserve_want *want,
                       const uint32_t **place_out, uint64_t *tokens) {
  c->want = want;
  c->n_choices = c->n_open = c->work = 0;
  bool found = search(c, place);
  uint32_t n = found ? c->n_set : 0;
  c->all_work += c->work;
  *tokens = c->tokens;
  undo(c, 0);
  *place_out = c->set;
  return n;
}
