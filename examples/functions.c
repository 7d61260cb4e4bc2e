/* functions.c - a model that is functions of the program itself, as the front end of another
 * tool would have them: Cairn asks them for states, in two threads at once.
 *
 *     cc functions.c $(pkg-config --cflags --libs cairn) -pthread -o functions
 *
 * The model: from a jug of 3 and one of 5 litres, is there a way to have 4? The invariant says
 * that there is none, and the counterexample is the way. The other thread asks for 6, in vain.
 */
#include <cairn/cairn.h>
#include <cairn/model.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct state {
  unsigned char small, large;
};

enum { FILL_SMALL, FILL_LARGE, EMPTY_SMALL, EMPTY_LARGE, TO_LARGE, TO_SMALL };

static const struct cairn_action action[] = {
    {.name = "fill the small one"},      {.name = "fill the large one"},
    {.name = "empty the small one"},     {.name = "empty the large one"},
    {.name = "pour into the large one"}, {.name = "pour into the small one"}};

static const struct cairn_variable variable[] = {CAIRN_VARIABLE(struct state, small),
                                                 CAIRN_VARIABLE(struct state, large)};

static void go(struct cairn_out *out, uint32_t by, int small, int large) {
  const struct state next = {(unsigned char)small, (unsigned char)large};
  cairn_next(out, by, &next);
}

static int least(int a, int b) {
  return a < b ? a : b;
}

/* In ascending order of their actions. */
static void successors(const void *at, struct cairn_out *out) {
  const struct state *s = at;
  const int to_large = least(s->small, 5 - s->large), to_small = least(s->large, 3 - s->small);
  go(out, FILL_SMALL, 3, s->large);
  go(out, FILL_LARGE, s->small, 5);
  go(out, EMPTY_SMALL, 0, s->large);
  go(out, EMPTY_LARGE, s->small, 0);
  go(out, TO_LARGE, s->small - to_large, s->large + to_large);
  go(out, TO_SMALL, s->small + to_small, s->large - to_small);
}

static int is_not_4(const void *state) {
  return ((const struct state *)state)->large != 4;
}

static int is_not_6(const void *state) {
  return ((const struct state *)state)->large != 6;
}

static void initial(uint32_t which, void *state) {
  (void)which;
  memset(state, 0, sizeof(struct state));
}

/* What a thread is to ask, and what it found. */
struct question {
  struct cairn_condition invariant;
  struct cairn *c;
};

static void *ask(void *argument) {
  struct question *q = argument;
  const struct cairn_model model = {.abi = CAIRN_MODEL_ABI,
                                    .state_bytes = sizeof(struct state),
                                    .initial = initial,
                                    .successors = successors,
                                    .variable = variable,
                                    .n_variables = 2,
                                    .action = action,
                                    .n_actions = 6,
                                    .invariant = &q->invariant,
                                    .n_invariants = 1};
  q->c = cairn_open();
  if (q->c == NULL || cairn_model_functions(q->c, "jugs", &model) != 0)
    return NULL;
  cairn_run(q->c);
  printf("%s\n", cairn_sentence(q->c));
  for (uint32_t i = 1; i <= cairn_steps(q->c); i++) {
    const char *small = cairn_value(q->c, i, "small");
    printf("%s: %s", cairn_step_text(q->c, i), small);
    printf(" %s\n", cairn_value(q->c, i, "large"));
  }
  cairn_close(q->c);
  return NULL;
}

int main(void) {
  struct question question[] = {{.invariant = {"no 4 litres", is_not_4}},
                                {.invariant = {"no 6 litres", is_not_6}}};
  pthread_t thread;
  if (pthread_create(&thread, NULL, ask, &question[1]) != 0)
    return 1;
  pthread_join(thread, NULL);
  ask(&question[0]);
  return 0;
}
