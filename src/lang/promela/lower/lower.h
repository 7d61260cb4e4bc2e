/* lower.h - from the checked tree to the checked model: what the passes share.
 *
 * In this order: what is assigned and asked about anywhere (scan.c), variables and
 * channels (variables.c), the automata (flow.h), and then what is written with
 * them: expressions (expr.c), who claims and uses channels (exclusive.c), channel
 * operations (message.c), steps (step.c), processes (process.c). The tree has been checked:
 * what is refused here is what no later pass can run.
 */
#ifndef CAIRN_LANG_PROMELA_LOWER_LOWER_H
#define CAIRN_LANG_PROMELA_LOWER_LOWER_H

#include "base/diag.h"
#include "ir/ir.h"
#include "lang/promela/flow/flow.h"
#include "lang/promela/parse/ast.h"

/* Where a variable or a field lives: a scalar (or all its elements) in one variable of the
 * model; a struct in one per scalar field, all elements of all arrays on the way to the
 * field in a row. */
struct lower_home {
  struct ir_variable *variable; /* NULL: a struct */
  struct lower_home *field;
  const struct promela_variable *declared;
};

struct lower_frame {
  struct promela_proctype *proctype;
  struct ir_process *process; /* NULL: a claim or a trace */
  struct lower_home *home;    /* by index of the variable */
  struct flow flow;
};

struct lower_channels {
  struct ir_channel **at;
  uint32_t n, capacity;
};

struct promela_lower {
  struct ir_model ir; /* first, so that the model leads back to all of this */
  struct promela_model *model;
  struct arena *arena;
  struct diag *diag;
  struct lower_home *global;        /* by index */
  struct lower_frame *frame;        /* by index of the proctype */
  bool *assigned;                   /* by index: of globals, whether anything assigns to it, */
  bool *claimed;                    /* whether a claim, trace or formula asks about it, */
  bool *used;                       /* and whether a process looks at it or assigns to it */
  bool in_claim;                    /* scan.c: now */
  const struct ir_process *process; /* whose steps are lowered now, or NULL */
  struct lower_channels channels;
  uint32_t *symbol_base; /* by index of the set of names: where its table begins */
  struct ir_type *mtype; /* by index of the set of names: its type */
  bool has_rendezvous;
  struct {
    const struct promela_variable **at;
    uint32_t n, capacity;
  } cut; /* declarations whose initial value was cut to the type: named once */
  struct {
    const struct promela_expr **at;
    uint32_t n, capacity;
  } never;             /* what asks about a process that can never be there: named once */
  bool allows_c;       /* embedded C may run */
  uint32_t n_resolved; /* its pieces that know their variables (embedded.h) */
  bool initialising;   /* globals stand for their initial values */
  bool has_failed;
};

struct lower_exprs {
  struct ir_expr **at;
  uint32_t n, capacity;
};

struct lower_effects {
  struct ir_effect *at;
  uint32_t n, capacity;
};

/* ---- scan.c ---- */

/* Fills in `assigned` and `claimed`, and the labels that are asked about from outside in each
 * flow. */
struct language_options;
void lower_scan(struct promela_lower *, const struct language_options *);

/* ---- variables.c ---- */

void lower_globals(struct promela_lower *);
/* Of one proctype: parameters first. The initial values that need the run are effects. */
void lower_locals(struct promela_lower *, struct lower_frame *);

/* Of a never claim: globals that only the claim knows. NULL, or why it cannot have them. */
const char *lower_claim_variables(struct promela_lower *, struct lower_frame *);

/* ---- hidden.c ---- */

/* Keeps those hidden variables in the state that must be, and says so. */
void lower_hidden(struct promela_lower *);
/* The expression is asked of every state: what it reads is kept in the state. */
void lower_reveal(struct promela_lower *, const struct ir_expr *);

/* ---- fold.c ---- */

struct ir_expr *lower_constant(struct promela_lower *, int32_t value, struct span);
struct ir_expr *lower_new(struct promela_lower *, enum ir_expr_kind, struct span);
struct ir_expr *lower_unary(struct promela_lower *, enum ir_expr_kind, struct ir_expr *);
struct ir_expr *lower_binary(struct promela_lower *, enum ir_expr_kind, struct ir_expr *a,
                             struct ir_expr *b);

/* A channel is used, by its number, in the ways of enum ir_use. */
void lower_use(struct promela_lower *, struct ir_expr *channel, unsigned use);

/* ---- expr.c ---- */

struct ir_expr *lower_expr(struct promela_lower *, const struct promela_expr *);
/* (a -> b : c), each part made by `part`. */
struct ir_expr *lower_conditional(struct promela_lower *, const struct promela_expr *,
                                  struct ir_expr *(*part)(struct promela_lower *,
                                                          const struct promela_expr *));
/* VARIABLE or ELEMENT. */
struct ir_expr *lower_target(struct promela_lower *, const struct promela_expr *);
/* The scalars that an argument stands for: itself, or the fields of a struct. */
void lower_arguments(struct promela_lower *, const struct promela_exprs *,
                     struct lower_exprs *);
/* All elements of a home, one expression each. */
void lower_elements(struct promela_lower *, const struct lower_home *, struct span,
                    struct lower_exprs *);
struct lower_home *lower_find(struct promela_lower *, const struct promela_variable *);
struct ir_operation *lower_operation(struct promela_lower *, struct span,
                                     const struct promela_expr *channel,
                                     const struct lower_exprs *values);
struct ir_operation *lower_receive(struct promela_lower *, struct span,
                                   const struct promela_expr *channel,
                                   const struct promela_exprs *, bool random, bool keep);

/* ---- remote.c ---- */

/* Says, once, if a process with this number can never be one of the proctype that `e` names;
 * `number` may be NULL: there is none. */
void lower_warn_of_never(struct promela_lower *, const struct promela_expr *e,
                         const struct ir_expr *number);

/* ---- exclusive.c ---- */

/* What a process claims of channels: xr, xs. */
void lower_exclusive(struct promela_lower *, const struct lower_frame *);

/* ---- message.c ---- */

struct ir_operation *lower_send(struct promela_lower *, const struct promela_stmt *);
/* Whether the step could be done now, as an expression: NULL if always. `own` is its
 * edge. */
struct ir_expr *lower_possible(struct promela_lower *, const struct ir_edge *own);
/* 1 if channel number `a` is a rendezvous channel. */
struct ir_expr *lower_is_rendezvous(struct promela_lower *, struct ir_expr *a);

/* ---- step.c ---- */

/* Of an inlined text where the process calls it. */
struct span lower_called(const struct promela_stmt *);
/* What the node's step does: guard, operation, effects, place. */
void lower_step(struct promela_lower *, const struct flow_node *, struct ir_edge *);

/* ---- embedded.c, members.c ---- */

/* C text, in this order: it is noted what it may assign to, an error if it may not run (text
 * NULL: there is none); variables of globals and processes get their members in C, and C's own
 * become variables; steps make pieces of text; and these learn their members. */
void lower_note_parts(struct promela_lower *);
void lower_note_c(struct promela_lower *, const char *text, struct span);
void lower_embedded(struct promela_lower *);
const struct ir_piece *lower_piece(struct promela_lower *, const char *text,
                                   const char *precondition, struct span, bool is_expression);
void lower_resolve(struct promela_lower *);

/* ---- print.c ---- */

void lower_print(struct promela_lower *, const struct promela_stmt *, struct ir_effect *);
void lower_symbols(struct promela_lower *);

/* ---- process.c ---- */

/* Locations and edges. */
void lower_process(struct promela_lower *, struct lower_frame *);

/* ---- trace.c ---- */

/* The trace of the model, unless no claims are wanted. */
void lower_trace(struct promela_lower *, const struct language_options *);

/* ---- formula.c, claim.c ---- */

/* The claims of the model that are wanted; those that cannot be run are named as unchecked. */
void lower_claims(struct promela_lower *, const struct language_options *);
/* The claim that accepts what violates the formula. False: it would be too large, see *why. */
bool lower_formula(struct promela_lower *, const struct promela_formula *, struct claim *,
                   const char **why);
/* A condition as an atom of the claim that begins with atom number `first` of the model: what a
 * letter must have, or must not; both 0: always true. False: never true, or (*many) the claim
 * has as many atoms as there may be. */
struct claim_cube;
bool lower_atom(struct promela_lower *, const struct promela_expr *, uint32_t first,
                struct claim_cube *, bool *many);
bool lower_atom_of(struct promela_lower *, const char *text, struct ir_expr *, uint32_t first,
                   struct claim_cube *, bool *many);

/* ---- lower.c ---- */

/* The model, or NULL after reports. */
struct ir_model *lower_model(struct diag *, struct promela_model *,
                             const struct language_options *);
/* The tree that a model made here came from. */
struct promela_lower *lower_of(struct ir_model *);

#endif
