/* test_farkas.c - bounds of places in small random nets, against what is reachable in them, and
 * against all small weights. */
#include "net/farkas.h"

#include "base/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
  PLACES = 5,
  TRANSITIONS = 5,
  STATES = 3000, /* that are looked at */
  WEIGHT = 4     /* the largest that is tried */
};

struct small {
  struct net net;
  struct net_place place[PLACES];
  struct net_transition transition[TRANSITIONS];
  uint32_t in_start[TRANSITIONS + 1], out_start[TRANSITIONS + 1];
  struct net_arc in[TRANSITIONS * PLACES], out[TRANSITIONS * PLACES];
};

static uint32_t below(uint64_t *random, uint32_t n) {
  return (uint32_t)(bits_next_random(random) % n);
}

/* A row of arcs from number `at` on; returns where the next begins. */
static uint32_t random_row(struct net_arc *arc, uint32_t at, uint32_t places,
                           uint64_t *random) {
  for (uint32_t i = 0; i < places; i++)
    if (below(random, 5) < 2)
      arc[at++] = (struct net_arc){i, 1 + (below(random, 3) == 0 ? below(random, 4) : 0)};
  return at;
}

static void make_random(struct small *s, struct arena *arena, uint64_t *random) {
  uint32_t places = 2 + below(random, PLACES - 1), transitions = 1 + below(random, TRANSITIONS);
  memset(s, 0, sizeof *s);
  s->net = (struct net){.arena = arena,
                        .n_places = places,
                        .n_transitions = transitions,
                        .place = s->place,
                        .transition = s->transition,
                        .in = {s->in_start, s->in},
                        .out = {s->out_start, s->out}};
  for (uint32_t i = 0; i < places; i++)
    s->place[i].initial = below(random, 2) == 0 ? 0 : below(random, 9);
  for (uint32_t t = 0; t < transitions; t++) {
    s->in_start[t + 1] = random_row(s->in, s->in_start[t], places, random);
    s->out_start[t + 1] = random_row(s->out, s->out_start[t], places, random);
  }
}

struct marking {
  uint32_t tokens[PLACES];
};

static bool fire(const struct net *net, uint32_t t, const struct marking *from,
                 struct marking *to) {
  *to = *from;
  for (uint32_t k = net->in.start[t]; k < net->in.start[t + 1]; k++) {
    if (to->tokens[net->in.at[k].place] < net->in.at[k].weight)
      return false;
    to->tokens[net->in.at[k].place] -= net->in.at[k].weight;
  }
  for (uint32_t k = net->out.start[t]; k < net->out.start[t + 1]; k++)
    to->tokens[net->out.at[k].place] += net->out.at[k].weight;
  return true;
}

/* The most tokens in each place, of the first STATES markings. */
static void explore(const struct net *net, uint32_t *most) {
  static struct marking state[STATES];
  uint32_t n = 1;
  struct marking next;
  memset(&state[0], 0, sizeof state[0]);
  for (uint32_t i = 0; i < net->n_places; i++)
    state[0].tokens[i] = net->place[i].initial;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < net->n_places; k++)
      most[k] = state[i].tokens[k] > most[k] ? state[i].tokens[k] : most[k];
    for (uint32_t t = 0; t < net->n_transitions && n < STATES; t++) {
      uint32_t k = 0;
      if (!fire(net, t, &state[i], &next))
        continue;
      while (k < n && memcmp(&state[k], &next, sizeof next) != 0)
        k++;
      if (k == n)
        state[n++] = next;
    }
  }
}

static bool grows(const struct net *net, const struct changes *change, const uint32_t *weight) {
  for (uint32_t t = 0; t < net->n_transitions; t++) {
    int64_t by = 0;
    for (uint32_t k = change->start[t]; k < change->start[t + 1]; k++)
      by += change->at[k].by * weight[change->at[k].place];
    if (by > 0)
      return true;
  }
  return false;
}

/* The bounds by all weights up to WEIGHT. */
static void try_weights(const struct net *net, const struct changes *change, uint32_t *bound) {
  uint32_t weight[PLACES] = {0}, all = 1;
  for (uint32_t i = 0; i < net->n_places; i++)
    all *= WEIGHT + 1;
  for (uint32_t code = 1; code < all; code++) {
    uint32_t rest = code, sum = 0;
    for (uint32_t i = 0; i < net->n_places; i++, rest /= WEIGHT + 1) {
      weight[i] = rest % (WEIGHT + 1);
      sum += weight[i] * net->place[i].initial;
    }
    if (grows(net, change, weight))
      continue;
    for (uint32_t i = 0; i < net->n_places; i++)
      if (weight[i] > 0 && sum / weight[i] < bound[i])
        bound[i] = sum / weight[i];
  }
}

static void bounds_small_nets(void **state) {
  (void)state;
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  uint64_t random = 1, bounded = 0, weighted = 0, exact = 0;
  for (uint32_t i = 0; i < 500; i++) {
    struct arena *arena = arena_open(budget, BUDGET_MODEL);
    struct small s;
    struct changes change;
    uint32_t bound[PLACES], tried[PLACES], most[PLACES] = {0};
    make_random(&s, arena, &random);
    change_make(&change, &s.net);
    memset(bound, 0xFF, sizeof bound);
    memset(tried, 0xFF, sizeof tried);
    farkas_bounds(&s.net, &change, bound);
    try_weights(&s.net, &change, tried);
    explore(&s.net, most);
    for (uint32_t k = 0; k < s.net.n_places; k++) {
      assert_true(most[k] <= bound[k]);
      assert_true(bound[k] <= tried[k]);
      bounded += bound[k] != UINT32_MAX;
      exact += bound[k] == most[k];
      weighted += bound[k] < tried[k];
    }
    arena_close(arena);
  }
  assert_true(bounded > 300 && exact > 150 && weighted > 0);
  assert_int_equal(budget_used(budget, BUDGET_MODEL), 0);
  budget_close(budget);
}

/* A net in which there are more sums than anybody has room for: each place gets tokens. */
static void gives_up_in_time(void **state) {
  (void)state;
  enum { N = 60 };
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  static struct net_place place[3 * N + 3];
  static struct net_transition transition[2 * N];
  static uint32_t in_start[2 * N + 1], out_start[2 * N + 1];
  static struct net_arc in[2 * N * 2], out[2 * N * 2];
  uint32_t n = 0, bound[3 * N + 3];
  for (uint32_t i = 0; i < 3 * N + 3; i++)
    place[i].initial = i < 3;
  for (uint32_t i = 0; i < N; i++)
    for (uint32_t side = 0; side < 2; side++, n++) {
      in[2 * n] = (struct net_arc){3 * i + side, 1};
      in[2 * n + 1] = (struct net_arc){3 * i + 2, 1};
      out[2 * n] = (struct net_arc){3 * i + 3 + side, 1};
      out[2 * n + 1] = (struct net_arc){3 * i + 5, 2};
      in_start[n + 1] = out_start[n + 1] = 2 * n + 2;
    }
  struct net net = {.arena = arena,
                    .n_places = 3 * N + 3,
                    .n_transitions = n,
                    .place = place,
                    .transition = transition,
                    .in = {in_start, in},
                    .out = {out_start, out}};
  struct changes change;
  change_make(&change, &net);
  assert_true(farkas_is_small(&net));
  memset(bound, 0xFF, sizeof bound);
  farkas_bounds(&net, &change, bound);
  for (uint32_t i = 0; i < net.n_places; i++) /* one side or the other, and so on */
    assert_true(bound[i] >= 1);
  arena_close(arena);
  budget_close(budget);
}

/* Argument: only the case of that name; it may contain * and ?. */
int main(int n, char **word) {
  cmocka_set_test_filter(n > 1 ? word[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_small_nets),
      cmocka_unit_test(gives_up_in_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
