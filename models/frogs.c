/* frogs.c - frogs on seven stones: three want to the right, three to the left. A frog steps to
 * the next stone if it is free, or jumps over one frog of the other kind; never back.
 *
 *   cairn check models/frogs.c                    they get stuck: who, and why
 *   cairn check models/frogs.c --no-deadlock --invariant '!crossed'      how all of them cross
 */
#include <cairn/model.h>
#include <stdio.h>

enum { STONES = 7, FREE = 0, TO_RIGHT = 1, TO_LEFT = 2 };

struct state {
  uint8_t stone[STONES];
};

static void initial(uint32_t which, void *state) {
  struct state *s = state;
  (void)which;
  for (int i = 0; i < STONES / 2; i++) {
    s->stone[i] = TO_RIGHT;
    s->stone[STONES - 1 - i] = TO_LEFT;
  }
}

/* Where the frog of a stone gets by a step (1) or a jump (2); -1: it does not. */
static int target(const struct state *s, int from, int far) {
  const int frog = s->stone[from], way = frog == TO_RIGHT ? 1 : -1, to = from + far * way;
  if (frog == FREE || to < 0 || to >= STONES || s->stone[to] != FREE)
    return -1;
  return far == 2 && s->stone[from + way] == frog ? -1 : to;
}

/* Two actions of each stone. */
static void successors(const void *state, struct cairn_out *out) {
  for (int from = 0; from < STONES; from++)
    for (int far = 1; far <= 2; far++) {
      struct state s = *(const struct state *)state;
      const int to = target(&s, from, far);
      if (to < 0)
        continue;
      s.stone[to] = s.stone[from];
      s.stone[from] = FREE;
      cairn_next(out, (uint32_t)(2 * from + far - 1), &s);
    }
}

static int crossed(const void *state) {
  const struct state *s = state;
  for (int i = 0; i < STONES / 2; i++)
    if (s->stone[i] != TO_LEFT || s->stone[STONES - 1 - i] != TO_RIGHT)
      return 0;
  return 1;
}

/* ---- for people ------------------------------------------------------------------------- */

static void print_state(const void *state, char *text, size_t size) {
  const struct state *s = state;
  for (size_t i = 0; i < STONES && i + 1 < size; i++) {
    text[i] = "_><"[s->stone[i]];
    text[i + 1] = '\0';
  }
}

static void print_event(const void *state, uint32_t action, uint32_t choice, char *text,
                        size_t size) {
  (void)state;
  (void)choice;
  snprintf(text, size, "the frog on stone %u %s", action / 2 + 1,
           action % 2 == 0 ? "steps" : "jumps");
}

static void explain(const void *state, struct cairn_stuck *stuck) {
  const struct state *s = state;
  for (int from = 0; from < STONES; from++) {
    const int way = s->stone[from] == TO_RIGHT ? 1 : -1, to = from + way;
    char who[40], needs[80];
    if (s->stone[from] == FREE)
      continue;
    snprintf(who, sizeof who, "frog on stone %d", from + 1);
    if (to < 0 || to >= STONES) {
      cairn_is_done(stuck, who, 0);
      continue;
    }
    snprintf(needs, sizeof needs, "stone %d to be free", to + 1);
    cairn_waits(stuck, who, 0, "a step", needs);
    snprintf(needs, sizeof needs, "stone %d to be free, and a frog of the other kind on %d",
             to + way + 1, to + 1);
    if (to + way >= 0 && to + way < STONES)
      cairn_waits(stuck, who, 0, "a jump", needs);
  }
}

static const struct cairn_condition labels[] = {{"crossed", crossed}};

const struct cairn_model cairn_model = {.abi = CAIRN_MODEL_ABI,
                                        .state_bytes = sizeof(struct state),
                                        .initial = initial,
                                        .successors = successors,
                                        .deadlock_is_error = 1,
                                        .ends = crossed,
                                        .n_actions = 2 * STONES,
                                        .label = labels,
                                        .n_labels = 1,
                                        .print_event = print_event,
                                        .print_state = print_state,
                                        .explain = explain};
