// A model in C whose code crashes in nine ways: each is an error of the model, and the search
// goes on.
//
// also: cc
// options: --keep-going
// expect: violated model-error states=12 errors=9 deadlocks=2
#include <assert.h>
#include <cairn/model.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST, NOTHING, WILD, ZERO, ABORT, EXIT, ASSERT, STACK, TRAP, MOST, FINE, END };

static volatile int zero;
static int *volatile nowhere;

static int deep(volatile char *before) {
  volatile char here[4096];
  here[0] = before == NULL ? 0 : before[0];
  return deep(here) + here[1];
}

static void crash(uint8_t how) {
  switch (how) {
  case NOTHING:
    *nowhere = 1;
    break;
  case WILD:
    *(int *volatile)0xDEAD0000DEAD0000u = 1;
    break;
  case ZERO:
    zero = 7 / zero;
    break;
  case ABORT:
    abort();
  case EXIT:
    exit(0);
  case ASSERT:
    assert(zero == 1);
    break;
  case STACK:
    zero = deep(NULL) * 0;
    break;
  case TRAP:
#ifdef __TINYC__
    abort();
#else
    __builtin_trap();
#endif
  case MOST:
    zero = (int)(0x80000000u + (unsigned)zero) / (zero - 1);
  }
}

static void successors(const void *state, struct cairn_out *out) {
  uint8_t now;
  memcpy(&now, state, 1);
  if (now == FIRST)
    for (uint8_t next = NOTHING; next <= END; next++)
      if (next != END) {
        cairn_next(out, 0, &next);
      } else {
        const uint8_t last = END;
        cairn_next(out, 1, &last);
      }
  crash(now);
}

static void initial(uint32_t which, void *state) {
  (void)which;
  (void)state;
}

const struct cairn_model cairn_model = {.abi = CAIRN_MODEL_ABI,
                                        .state_bytes = 1,
                                        .initial = initial,
                                        .successors = successors,
                                        .n_actions = 2};
