/* peterson.c - Peterson's algorithm for N processes as a model in C, its memory accesses as
 * steps: how fast models in C are searched (docs/c.md).
 *
 *   cairn check bench/peterson.c -D N=5 --store full --max-states 4000000
 */
#include <cairn/model.h>

#ifndef N
#define N 3
#endif

enum { OUTSIDE, CLIMB, YIELD, WAIT, INSIDE };

struct state {
  uint8_t at[N], level[N], step[N],
      other[N];    /* level: seen by all; the rest is a process's own */
  uint8_t last[N]; /* who came to each level last */
};

/* All are outside, with zero everywhere. */
static void initial(unsigned which, void *state) {
  (void)which;
  (void)state;
}

/* Process i waits at its level while it came last and somebody else is as high; false: it still
 * does. */
static int go_on(struct state *s, unsigned i) {
  if (s->last[s->step[i] - 1] != i || s->other[i] == N) {
    s->step[i]++;
    s->other[i] = 0;
    s->at[i] = CLIMB;
    return 1;
  }
  if (s->other[i] != i && s->level[s->other[i]] >= s->step[i])
    return 0;
  s->other[i]++;
  return 1;
}

static void successors(const void *state, struct cairn_out *out) {
  for (unsigned i = 0; i < N; i++) {
    struct state s = *(const struct state *)state;
    switch (s.at[i]) {
    case OUTSIDE:
      s.step[i] = 1;
      s.at[i] = CLIMB;
      break;
    case CLIMB:
      if (s.step[i] < N)
        s.level[i] = s.step[i];
      s.at[i] = s.step[i] < N ? YIELD : INSIDE;
      break;
    case YIELD:
      s.last[s.step[i] - 1] = (uint8_t)i;
      s.at[i] = WAIT;
      break;
    case WAIT:
      if (!go_on(&s, i))
        continue;
      break;
    default:
      s.level[i] = s.step[i] = 0;
      s.at[i] = OUTSIDE;
    }
    cairn_next(out, i, &s);
  }
}

static int exclusion(const void *state) {
  const struct state *s = state;
  int inside = 0;
  for (unsigned i = 0; i < N; i++)
    inside += s->at[i] == INSIDE;
  return inside < 2;
}

static const struct cairn_condition invariants[] = {{"exclusion", exclusion}};

static const struct cairn_variable variables[] = {
    CAIRN_ARRAY(struct state, at), CAIRN_ARRAY(struct state, level),
    CAIRN_ARRAY(struct state, step), CAIRN_ARRAY(struct state, other),
    CAIRN_ARRAY(struct state, last)};

const struct cairn_model cairn_model = {.abi = CAIRN_MODEL_ABI,
                                        .state_bytes = sizeof(struct state),
                                        .initial = initial,
                                        .successors = successors,
                                        .variable = variables,
                                        .n_variables = 5,
                                        .n_actions = N,
                                        .invariant = invariants,
                                        .n_invariants = 1,
                                        .deadlock_is_error = 1};
