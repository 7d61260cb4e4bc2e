/* stack.c - a lock-free stack (Treiber 1986), each access to shared memory a step.
 *
 *   cairn check models/stack.c              the ABA problem: a node is in two hands
 *   cairn check models/stack.c -D TAGGED    a counter beside the pointer: none is
 *
 * Nodes that were popped are pushed again. A process that stands between reading the top and
 * swapping it may meet the same node on top again, with another one below it: its swap
 * succeeds, and makes a node the top that somebody else has by now.
 */
#include <cairn/model.h>

enum { PROCESSES = 2, NODES = 3, ROUNDS = 4 };
enum { IDLE, POP_TOP, POP_NEXT, POP_SWAP, PUSH_TOP, PUSH_NEXT, PUSH_SWAP, PLACES };

struct state {
  uint8_t top, count; /* the top node, 0: none; how often it was swapped */
  uint8_t next[NODES + 1];
  uint8_t owner[NODES + 1]; /* who has a node: 1 and up; 0: it is in the stack */
  uint8_t pc[PROCESSES], node[PROCESSES], below[PROCESSES]; /* below: or the node to push */
  uint8_t seen[PROCESSES], rounds[PROCESSES];               /* seen: count as it was read */
};

static void initial(uint32_t which, void *state) {
  struct state *s = state;
  (void)which;
  s->top = 1;
  for (uint8_t i = 1; i < NODES; i++)
    s->next[i] = i + 1;
  for (uint32_t p = 0; p < PROCESSES; p++)
    s->rounds[p] = ROUNDS;
}

static int can_swap(const struct state *s, uint32_t p) {
#ifdef TAGGED
  if (s->count != s->seen[p])
    return 0;
#endif
  return s->top == s->node[p];
}

static void read_top(struct state *s, uint32_t p) {
  s->node[p] = s->top;
#ifdef TAGGED
  s->seen[p] = s->count;
#endif
}

static void swap_top(struct state *s, uint8_t top) {
  s->top = top;
#ifdef TAGGED
  s->count++;
#endif
}

/* Back to the beginning, with nothing in hand that could tell states apart. */
static void finish(struct state *s, uint32_t p) {
  s->pc[p] = IDLE;
  s->node[p] = s->below[p] = s->seen[p] = 0;
}

static int popped_twice(struct state *s, uint32_t p) {
  const int taken = s->owner[s->node[p]] != 0;
  s->owner[s->node[p]] = (uint8_t)(p + 1);
  swap_top(s, s->below[p]);
  finish(s, p);
  return taken;
}

static void step(struct cairn_out *out, const struct state *now, uint32_t p) {
  struct state s = *now;
  const uint32_t action = p * PLACES + s.pc[p];
  switch (s.pc[p]) {
  case IDLE:
    if (s.rounds[p]-- == 0)
      return;
    s.pc[p] = POP_TOP;
    cairn_next(out, action, &s);
    for (uint8_t i = 1; i <= NODES; i++) {
      if (s.owner[i] != p + 1)
        continue;
      s.pc[p] = PUSH_TOP;
      s.below[p] = i;
      cairn_next(out, action, &s);
    }
    return;
  case POP_TOP:
    read_top(&s, p);
    s.pc[p] = POP_NEXT;
    if (s.top == 0)
      finish(&s, p);
    break;
  case POP_NEXT:
    s.below[p] = s.next[s.node[p]];
    s.pc[p] = POP_SWAP;
    break;
  case POP_SWAP:
    s.pc[p] = POP_TOP;
    if (can_swap(&s, p)) {
      const int twice = popped_twice(&s, p);
      cairn_assert(out, action, !twice, 0, &s);
      return;
    }
    break;
  case PUSH_TOP:
    read_top(&s, p);
    s.pc[p] = PUSH_NEXT;
    break;
  case PUSH_NEXT:
    s.next[s.below[p]] = s.node[p];
    s.pc[p] = PUSH_SWAP;
    break;
  default:
    s.pc[p] = PUSH_TOP;
    if (can_swap(&s, p)) {
      s.owner[s.below[p]] = 0;
      swap_top(&s, s.below[p]);
      finish(&s, p);
    }
  }
  cairn_next(out, action, &s);
}

static void successors(const void *state, struct cairn_out *out) {
  for (uint32_t p = 0; p < PROCESSES; p++)
    step(out, state, p);
}

static const struct cairn_variable variables[] = {
    CAIRN_VARIABLE(struct state, top), CAIRN_VARIABLE(struct state, count),
    CAIRN_ARRAY(struct state, next),   CAIRN_ARRAY(struct state, owner),
    CAIRN_ARRAY(struct state, pc),     CAIRN_ARRAY(struct state, node),
    CAIRN_ARRAY(struct state, below),  CAIRN_ARRAY(struct state, seen),
    CAIRN_ARRAY(struct state, rounds)};
#define ACTIONS(process)                                                                       \
  {"begin", process}, {"pop: read top", process}, {"pop: read next", process},                 \
      {"pop: swap top", process}, {"push: read top", process}, {"push: write next", process},  \
  {                                                                                            \
    "push: swap top", process                                                                  \
  }
static const struct cairn_action actions[] = {ACTIONS("P0"), ACTIONS("P1")};
static const char *const errors[] = {"a node was popped that another process has"};

const struct cairn_model cairn_model = {.abi = CAIRN_MODEL_ABI,
                                        .state_bytes = sizeof(struct state),
                                        .initial = initial,
                                        .successors = successors,
                                        .variable = variables,
                                        .n_variables = 9,
                                        .action = actions,
                                        .n_actions = 2 * PLACES,
                                        .error = errors,
                                        .n_errors = 1};
