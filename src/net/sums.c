/* sums.c - markings that are never reached because a sum of tokens is too large or too small.
 *
 * A weighted sum that no transition makes larger is never above its initial value (farkas.c
 * finds such sums). So a marking before this one, from which a transition takes d off the
 * sum, is not reached if this one is less than d below the initial value. The same with sums
 * that no transition makes smaller: those of the net with its arcs turned round. Sums that
 * never change rule nothing out, going backward no more than forward.
 */
#include "net/sums.h"

#include "net/farkas.h"

#include "base/bits.h"

#include <stdlib.h>

enum { SUMS_MOST = 32, SUMS_TERMS = 512 };

struct term { /* a place and its weight, or an action and by how much it changes the sum */
  uint32_t which;
  int64_t amount;
};

struct sum {
  struct term *place, *action; /* actions by what they change, the most first */
  uint32_t n_places, n_actions;
  int64_t initial;
  bool rises; /* or else it falls */
};

struct net_sums {
  const struct net_layout *layout;
  struct sum *sum;
  uint32_t n, n_terms;
};

static int most_first(const void *a, const void *b) {
  const struct term *x = a, *y = b;
  return (x->amount < y->amount) - (x->amount > y->amount);
}

/* Weights and tokens are such that no sum is too large for its type. */
static bool is_moderate(const struct net *net, const int64_t *weight) {
  int64_t all = 0;
  for (uint32_t i = 0; i < net->n_places; i++)
    if (weight[i] > INT32_MAX || (all += weight[i]) > INT32_MAX)
      return false;
  return true;
}

static struct term *add_terms(struct arena *arena, const int64_t *amount, uint32_t n,
                              uint32_t *n_terms) {
  struct term *term = ARENA_ARRAY(arena, n, struct term);
  *n_terms = 0;
  for (uint32_t i = 0; i < n; i++)
    if (amount[i] != 0)
      term[(*n_terms)++] = (struct term){i, amount[i]};
  return term;
}

static void add_sum(struct net_sums *sums, const struct net *net, const struct farkas_sum *from,
                    const struct fire *backward, bool rises) {
  struct sum *sum = &sums->sum[sums->n];
  if (!is_moderate(net, from->weight))
    return;
  *sum = (struct sum){.rises = rises};
  sum->place = add_terms(net->arena, from->weight, net->n_places, &sum->n_places);
  sum->action = add_terms(net->arena, from->by, net->n_transitions, &sum->n_actions);
  if (sums->n_terms + sum->n_places > SUMS_TERMS)
    return;
  for (uint32_t i = 0; i < sum->n_places; i++)
    sum->initial += sum->place[i].amount * net->place[sum->place[i].which].initial;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < sum->n_actions; i++) {
    uint32_t action = backward->number[sum->action[i].which];
    if (action != TS_NONE)
      sum->action[kept++] = (struct term){action, -sum->action[i].amount};
  }
  sum->n_actions = kept;
  if (kept == 0)
    return;
  qsort(sum->action, kept, sizeof *sum->action, most_first);
  sums->n_terms += sum->n_places;
  sums->n++;
}

static void add_sums(struct net_sums *sums, const struct net *net, const struct fire *backward,
                     bool rises) {
  struct farkas_sum found[SUMS_MOST];
  uint32_t n = farkas_sums(net, found, SUMS_MOST);
  for (uint32_t i = 0; i < n && sums->n < 2 * SUMS_MOST; i++)
    add_sum(sums, net, &found[i], backward, rises);
}

const struct net_sums *net_sums_make(const struct net *net, const struct net *turned,
                                     const struct net_layout *layout,
                                     const struct fire *backward) {
  if (!farkas_is_small(net) || backward->n_actions > 64 * SUMS_WORDS)
    return NULL;
  struct net_sums *sums = ARENA_NEW(net->arena, struct net_sums);
  sums->layout = layout;
  sums->sum = ARENA_ARRAY(net->arena, 2 * SUMS_MOST, struct sum);
  add_sums(sums, net, backward, false);
  add_sums(sums, turned, backward, true);
  return sums->n == 0 ? NULL : sums;
}

void net_sums_rule_out(const struct net_sums *sums, const uint8_t *state, uint64_t *skip) {
  for (uint32_t i = 0; i < sums->n; i++) {
    const struct sum *sum = &sums->sum[i];
    int64_t now = 0;
    for (uint32_t k = 0; k < sum->n_places; k++)
      now += sum->place[k].amount * net_tokens(sums->layout, sum->place[k].which, state);
    const int64_t gone = sum->rises ? now - sum->initial : sum->initial - now;
    for (uint32_t k = 0; k < sum->n_actions && sum->action[k].amount > gone; k++)
      bits_set(skip, sum->action[k].which);
  }
}
