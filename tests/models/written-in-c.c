// A model in C: two processes that read and write one variable in two steps each, and lose a
// value.
//
// By the places of the two: (0,0); (1,0), (0,1); (1,1); (2,0), (0,2), where x == 1; (2,1),
// (1,2), twice each, as the other one has read 0 or 1; (2,2), where x is 1 or 2: 12 states, and
// 2 + 2 * 2 + 2 + 2 * 1 + 4 * 1 = 14 events.
//
// also: cc
// expect: verified states=12 events=14 deadlocks=2 levels=5
// options: --property deadlock
// expect: violated deadlock length=4
// options: --invariant x<=1
// expect: violated invariant length=4
// options: --invariant !over
// expect: violated invariant length=4
// options: --invariant x>=bits[1]
// expect: verified states=12
#include <cairn/model.h>
#include <string.h>

struct state {
  int16_t x;
  unsigned char undeclared[3]; /* place of a and b, and nothing */
  int8_t read[2];
  int8_t bits[3];
};

static void successors(const void *state, struct cairn_out *out) {
  for (uint32_t p = 0; p < 2; p++) {
    struct state s;
    memcpy(&s, state, sizeof s);
    if (s.undeclared[p]++ == 0) {
      s.read[p] = (int8_t)s.x;
      cairn_next(out, p, &s);
    } else if (s.undeclared[p] == 2) {
      s.x = (int16_t)(s.read[p] + 1);
      s.read[p] = 0;
      cairn_next(out, p, &s);
    }
  }
}

static void initial(uint32_t which, void *state) {
  (void)which;
  (void)state;
}

static int over(const void *state) {
  const struct state *s = state;
  return s->x > 1;
}

static const struct cairn_variable variables[] = {CAIRN_ARRAY(struct state, read),
                                                  CAIRN_VARIABLE(struct state, x),
                                                  CAIRN_ARRAY(struct state, bits)};
static const struct cairn_condition labels[] = {{"over", over}};

const struct cairn_model cairn_model = {.abi = CAIRN_MODEL_ABI,
                                        .state_bytes = sizeof(struct state),
                                        .initial = initial,
                                        .successors = successors,
                                        .variable = variables,
                                        .n_variables = 3,
                                        .label = labels,
                                        .n_labels = 1,
                                        .n_actions = 2};
