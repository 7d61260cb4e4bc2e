/* sim.h - what the parts of `cairn sim` share: a run as it goes on. */
#ifndef CAIRN_CLI_SIM_H
#define CAIRN_CLI_SIM_H

#include "cli/expand.h"
#include "cli/loaded.h"

#include "report/steps.h"
#include "report/why.h"

enum sim_end { SIM_LIMIT, SIM_PROPER, SIM_STUCK, SIM_REFUSED, SIM_MODEL_ERROR, SIM_QUIT };

/* The longest text about something that is broken. */
#define SIM_TEXT 400u

struct sim {
  const struct options *o;
  struct loaded loaded;
  const struct ts *ts; /* the model, or its product with a claim */
  struct ts *product;  /* the latter, or NULL */
  struct steps steps;
  struct expand expand;
  bool by_hand;
  bool shows;      /* steps, on standard output; else only what `prints`, or nothing */
  bool prints;     /* what the model prints, and no more */
  bool is_silent;  /* standard output is for a file that an option names */
  bool broke;      /* the run broke a property, or an event ended in a model error */
  uint8_t *states; /* the run so far, or its last state: one row each */
  uint32_t *length;
  uint64_t n, capacity;
  uint64_t taken; /* steps */
  uint64_t seed, random;
  enum sim_end end;
  uint32_t initial;
  struct ts_event *event; /* of each step, where the run is shown when it is over */
  uint64_t n_events, event_capacity;
  bool keeps_events;
  uint64_t error_step;
  char error[SIM_TEXT]; /* the first thing that was broken, or "" */
  struct why why;       /* where the run is stuck: who is */
};

static inline uint8_t *sim_state(const struct sim *s, uint64_t i) {
  return s->states + i * s->expand.batch.stride;
}

/* sim_run.c: the initial state. False: memory ran out. */
bool sim_begin(struct sim *);

/* Fires successor `i` of the last state and shows it. False: memory ran out. *over: no state
 * follows. */
bool sim_take(struct sim *, uint32_t i, bool *over);

/* The last state has no successors: says what that means. */
void sim_say_end(struct sim *);

/* by_hand.c: the user chooses each event. False: memory ran out. */
bool by_hand_run(struct sim *);

/* sim_shown.c: once the run is over, what the options ask for beside its steps. False after an
 * error, which was said. */
bool sim_show(struct sim *);

#endif
