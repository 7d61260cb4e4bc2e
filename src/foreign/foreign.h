/* foreign.h - a model written in C as a transition system: include/cairn/model.h at the door.
 *
 * The door's events are the model's actions, and for each the number of its successor. An
 * action more than the model has is that of its code crashing: such an event is a model error.
 */
#ifndef CAIRN_FOREIGN_FOREIGN_H
#define CAIRN_FOREIGN_FOREIGN_H

#include <cairn/model.h>

#include "base/diag.h"
#include "base/guard.h"
#include "foreign/asks.h"
#include "foreign/program.h"
#include "ts/claim.h"
#include "ts/explain.h"
#include "ts/ts.h"

struct foreign {
  struct ts_shape shape; /* first: words know the shape only */
  struct ts_words words;
  struct ts_notes notes;
  struct ts_explain explain;
  struct ts ts;
  struct ts_code code;             /* foreign_code, but for what the model has not */
  const struct cairn_model *model; /* as of this version of the header */
  bool is_trusted;                 /* its calls are not guarded: they are the caller's own */
  const struct asks *asks;         /* what the command line asks of states */
  uint32_t crash_action;           /* its number */
  uint32_t crash_fault;    /* the fault of the first crash; before it those of this file */
  const uint64_t *changed; /* [word of the state]: the components that it is part of */
  bool *words_are_endless; /* those that did not come to an end are not asked for again */
  const uint32_t *number;  /* [variable of the shape]: the model's, or TS_NONE: bytes of none */
};

/* What is wrong with the model's own word; they come after the model's errors. */
enum foreign_fault {
  FOREIGN_NO_ACTION, /* a successor of an action that there is not */
  FOREIGN_NO_ERROR,  /* an error that there is not */
  FOREIGN_ORDER,     /* a successor of an earlier action than the one before */
  FOREIGN_FAULTS
};

/* The number of the header whose models are still read. */
#define FOREIGN_OLDEST 1u

struct foreign_order {
  const struct source *source; /* the text, or the bytes of a shared object */
  bool is_object;
  const struct cairn_model *functions; /* of this process, in place of a text; or NULL */
  enum native_compiler compiler;
  const char *const *define; /* "NAME" or "NAME=VALUE" */
  uint32_t n_defines;
  uint64_t hash; /* of all that changes what the model means */
};

/* Compiles the model and looks at what it says of itself; it is ready to run after
 * foreign_finish(). Lives in the arena. NULL after a message. */
struct foreign *foreign_open(struct arena *, struct diag *, const struct foreign_order *);

/* What the command line asks: `asks` was compiled for this model. */
struct foreign_asked {
  const struct asks *asks;
  const char *const
      *text; /* of each: first the invariants, then the measures, then the atoms */
  uint32_t n_invariants, n_measures, n_atoms;
  const struct claim *claim;
  uint32_t n_claims;
};
void foreign_finish(struct foreign *, struct arena *, const struct foreign_asked *);

static inline const struct foreign *foreign_of(const struct ts *ts) {
  return ts->self;
}

/* A call into the model's code. */
static inline enum guard_crash foreign_call(const struct foreign *f, void (*call)(void *),
                                            void *argument) {
  if (!f->is_trusted)
    return guard_call(call, argument);
  call(argument);
  return GUARD_FINE;
}

/* The parts of it: shape.c, step.c, words.c, explain.c. */
bool foreign_shape(struct foreign *, struct arena *, struct diag *,
                   const struct foreign_order *);
extern const struct ts_code foreign_code;
void foreign_word_value(const struct ts_shape *, uint32_t slot, const uint8_t *state,
                        char *text, size_t size);
void foreign_word_event(const struct ts_shape *, struct ts_event, const uint8_t *state,
                        char *text, size_t size);
void foreign_word_state(const struct ts_shape *, const uint8_t *state, char *text, size_t size);
/* Whether a label holds; false also where its function crashes. */
bool foreign_label(const struct foreign *, uint32_t label, const uint8_t *state);
void foreign_waiters(const struct ts_explain *, const uint8_t *state, struct arena *,
                     struct ts_waiters *);
/* The values of the names in a condition of the command line. */
const char *foreign_values(const struct ts_explain *, uint32_t property, const uint8_t *state,
                           struct arena *);

#endif
