/* cairn/model.h - a model written in C.
 *
 * A model is a file that defines `const struct cairn_model cairn_model`: how large a state is,
 * the initial states, the successors of a state, and whatever else it can say. Then
 * `cairn check model.c` compiles it and visits every state that it can reach. A shared object
 * with this symbol (`cairn check model.so`) works as well; so does one that is written in
 * another language, or drives the front end of another tool.
 *
 * What a model must keep to:
 *   - A state is state_bytes bytes, all of which count: two states that differ in one byte are
 *     two states. Begin a successor as a copy of the state, and set padding to zero in the
 *     initial states.
 *   - Nothing but the state decides what follows: no other variables, no clock, no chance.
 *     `--self-check` fires again and compares.
 *   - The successors of a state come in ascending order of their actions.
 *
 * A crash within the model (an access out of bounds, a division by zero, abort()) is an error
 * of the model, with the way that led there. See docs/c.md.
 */
#ifndef CAIRN_MODEL_H
#define CAIRN_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised with every change of this file; models compiled for an earlier number are read, too.
 */
#define CAIRN_MODEL_ABI 2u

/* ---- what the successor function calls ------------------------------------------------ */

/* Where successors go; made by Cairn. */
struct cairn_out {
  void (*next)(struct cairn_out *, uint32_t action, const void *state);
  void (*fail)(struct cairn_out *, uint32_t action, uint32_t error, const void *state);
};

/* A successor: what the action leads to. The state is copied. An action may have several. */
static inline void cairn_next(struct cairn_out *out, uint32_t action, const void *state) {
  out->next(out, action, state);
}

/* The action is an error of the model, by its number in cairn_model.error. */
static inline void cairn_fail(struct cairn_out *out, uint32_t action, uint32_t error) {
  out->fail(out, action, error, NULL);
}

/* The action breaks an assertion, and leads on to a state. */
static inline void cairn_assert(struct cairn_out *out, uint32_t action, int holds,
                                uint32_t error, const void *state) {
  if (holds)
    out->next(out, action, state);
  else
    out->fail(out, action, error, state);
}

/* ---- what the function explain calls -------------------------------------------------- */

/* Where it says who is stuck; made by Cairn. Texts are copied, and may be NULL. */
struct cairn_stuck {
  void (*tell)(struct cairn_stuck *, const char *process, uint32_t line, const char *statement,
               const char *needs, int is_at_end);
};

/* A process waits at a statement (its line; 0: nowhere in particular), which needs something:
 * "fork 2 is free, P1 has it". Of one that could go on in several ways, each is told. */
static inline void cairn_waits(struct cairn_stuck *stuck, const char *process, uint32_t line,
                               const char *statement, const char *needs) {
  stuck->tell(stuck, process, line, statement, needs, 0);
}

/* A process is where it may stay. */
static inline void cairn_is_done(struct cairn_stuck *stuck, const char *process,
                                 uint32_t line) {
  stuck->tell(stuck, process, line, NULL, NULL, 1);
}

/* ---- what a model says of itself ------------------------------------------------------ */

/* A number in the state, or an array of them. Bytes of no variable are shown as numbers. */
struct cairn_variable {
  const char *name;         /* as invariants and formulas use it: a name of C */
  uint32_t offset;          /* first byte in the state, a multiple of `bytes` */
  uint32_t bytes;           /* of one element: 1, 2 or 4 */
  uint32_t n;               /* elements of an array; 0: it is none */
  uint32_t is_signed;       /* its values may be negative */
  const char *const *value; /* names of the values from 0 on, or NULL */
  uint32_t n_values;
  const char *component; /* what it belongs to ("producer"), or NULL; those of one component
                          * are declared together */
};

/* A variable that is a member of a structure: CAIRN_VARIABLE(struct state, head). */
#define CAIRN_VARIABLE(type, member)                                                           \
  {                                                                                            \
    .name = #member, .offset = offsetof(type, member), .bytes = sizeof(((type *)0)->member),   \
    .is_signed = (__typeof__(((type *)0)->member))-1 < 1                                       \
  }
#define CAIRN_ARRAY(type, member)                                                              \
  {                                                                                            \
    .name = #member, .offset = offsetof(type, member),                                         \
    .bytes = sizeof(((type *)0)->member[0]),                                                   \
    .n = sizeof(((type *)0)->member) / sizeof(((type *)0)->member[0]),                         \
    .is_signed = (__typeof__(((type *)0)->member[0]))-1 < 1                                    \
  }

/* What can happen. */
struct cairn_action {
  const char *name;    /* as it is shown: "push" */
  const char *process; /* who does it, or NULL */
  uint32_t line;       /* where it stands in the model's text; 0: nowhere in particular */
  /* The variables, by their numbers, that decide whether it is enabled and where it leads, and
   * those that it may change; only if `knows` is set, else all of them. Reductions need this;
   * --self-check tests it. */
  uint32_t knows, n_reads, n_writes;
  const uint32_t *reads, *writes;
};

/* A condition on states. */
struct cairn_condition {
  const char *name;
  int (*holds)(const void *state);
};

struct cairn_model {
  uint32_t abi;         /* CAIRN_MODEL_ABI */
  uint32_t state_bytes; /* 1 to 65536 */

  uint32_t n_initial; /* initial states; 0: one */
  /* Writes initial state number `which`, all of whose bytes are zero. */
  void (*initial)(uint32_t which, void *state);

  /* Calls cairn_next() for every successor. */
  void (*successors)(const void *state, struct cairn_out *out);

  /* ---- all that follows may be left out ---- */

  uint32_t deadlock_is_error; /* a state without successors is an error, unless it ends */
  int (*ends)(const void *state);

  const struct cairn_variable *variable;
  uint32_t n_variables;

  const struct cairn_action *action; /* NULL: their numbers are 0 to n_actions - 1 */
  uint32_t n_actions;                /* 0: all successors are of action 0 */

  const char *const *error; /* for cairn_fail() and cairn_assert() */
  uint32_t n_errors;

  const struct cairn_condition *invariant; /* must hold in every state */
  uint32_t n_invariants;
  const struct cairn_condition *label; /* names that invariants and formulas may use */
  uint32_t n_labels;

  /* Writes what is to be shown, as snprintf() does; NULL: the name of the action, and the
   * numbers of the variables. `choice` counts the successors of one action. */
  void (*print_event)(const void *state, uint32_t action, uint32_t choice, char *text,
                      size_t size);
  void (*print_value)(const void *state, uint32_t variable, uint32_t element, char *text,
                      size_t size);

  /* ---- since number 2 ---- */

  /* Writes a whole state, in lines, as it is to be read: a board, a queue. It is shown at the
   * beginning of a run, after each step that changes it, and at the end, beside the variables.
   * Bytes of no variable are not shown then. */
  void (*print_state)(const void *state, char *text, size_t size);

  /* Why nothing follows a state: cairn_waits() or cairn_is_done() for each process. */
  void (*explain)(const void *state, struct cairn_stuck *stuck);
};

#ifdef __GNUC__
__attribute__((visibility("default")))
#endif
extern const struct cairn_model cairn_model;

#ifdef __cplusplus
}
#endif

#endif
