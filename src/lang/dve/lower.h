/* lower.h - what the parts of the lowering pass share.
 *
 * Lowering goes from the syntax tree to the checked model, in two rounds: first
 * everything that has a name (so that texts may refer to what comes later),
 * then what is written with the names. One message per statement: the first
 * error of a statement sets `failed` and mutes the others.
 */
#ifndef CAIRN_LANG_DVE_LOWER_H
#define CAIRN_LANG_DVE_LOWER_H

#include "base/diag.h"
#include "lang/dve/names.h"
#include "lang/dve/syntax.h"
#include "lang/lang.h"

struct dve_properties {
  struct ir_property *at;
  uint32_t n, capacity;
};

#define DVE_LEAVES_BITS 10

struct dve_lower {
  struct arena *arena;
  struct diag *diag;
  struct ir_model *model;
  struct dve_names *names;
  const struct dve_channels *channels; /* as written, in the order of the model's */
  const struct ir_process *scope;      /* whose text is read; NULL: the model's */
  uint32_t here;     /* where the property is when its text at hand is evaluated */
  bool initialising; /* variables stand for their initial values */
  bool failed;
  bool bare_array; /* its warning was given */
  bool is_inside;  /* what is read is a part of a larger expression */
  struct ir_expr *leaf[1u << DVE_LEAVES_BITS]; /* some that were made, to be used again */
  struct dve_properties properties;
  struct ir_expr **asserted; /* conditions of the property's assertions, in their order */
};

/* Reports unless the statement has failed already. True if it did report: then
 * a hint may follow. */
#define DVE_LOWER_ERROR(l, span, ...)                                                          \
  ((l)->failed ? false : ((l)->failed = true, diag_error((l)->diag, (span), __VA_ARGS__), true))

static inline int dve_width(struct span name) {
  return (int)(name.end - name.begin);
}

/* For "%.*s". */
#define DVE_NAME(span) dve_width(span), (span).source->text + (span).begin

/* Adds "did you mean" to the last error if a name is close. */
void dve_suggest(struct dve_lower *, unsigned kinds, const struct ir_process *scope,
                 struct span wrong);

/* ---- claim.c ---- */

/* Adds the claim of the property process to the model. Why it cannot be run, or NULL. */
const char *dve_lower_claim(struct dve_lower *, struct ir_process *,
                            const struct dve_process *);

/* The number of a state of the process, which it has. */
static inline uint32_t dve_location(const struct dve_lower *l, const struct ir_process *process,
                                    struct span name) {
  return dve_names_find(l->names, process, true, name)->location;
}

/* ---- acceptance.c ---- */

/* Adds the claim about what the other processes accept, if they do. Why it cannot be run, or
 * NULL. */
const char *dve_lower_acceptance(struct dve_lower *, const struct dve_file *);

/* ---- lower_expr.c ---- */

/* NULL after a report. Operators on constants are folded. */
struct ir_expr *dve_lower_expr(struct dve_lower *, const struct dve_expr *);
/* Something that this process may assign to: VARIABLE or ELEMENT. */
struct ir_expr *dve_lower_target(struct dve_lower *, const struct dve_expr *);
/* A constant; `what` says for what. */
bool dve_lower_constant(struct dve_lower *, const struct dve_expr *, const char *what,
                        int32_t *value);
/* `left op right`, written at `span`, folded if both are constants. */
struct ir_expr *dve_lower_binary(struct dve_lower *, enum ir_expr_kind, struct ir_expr *left,
                                 struct ir_expr *right, struct span);

/* ---- lower_decl.c ---- */

/* Enters a name; reports if it is taken. */
bool dve_declare(struct dve_lower *, const struct dve_symbol *);
/* All in the list, as variables of `owner`; the count in *n. */
struct ir_variable **dve_lower_variables(struct dve_lower *, const struct dve_variables *,
                                         struct ir_process *owner, uint32_t *n);
void dve_lower_channels(struct dve_lower *, const struct dve_channels *);
/* Makes an untyped channel carry n values. */
void dve_widen_channel(struct dve_lower *, struct ir_channel *, uint32_t n);

/* ---- lower_process.c ---- */

/* The names of a process: itself, its variables and its locations. */
struct ir_process *dve_lower_process_names(struct dve_lower *, const struct dve_process *);
/* Its edges and assertions. */
void dve_lower_process_body(struct dve_lower *, const struct dve_process *,
                            struct ir_process *);

/* ---- lower_sync.c ---- */

/* Settles how many values each untyped channel carries. */
void dve_lower_arity(struct dve_lower *, const struct dve_file *);
/* The channel operation of a transition. */
void dve_lower_sync(struct dve_lower *, const struct dve_transition *, struct ir_edge *);

/* ---- handshake.c ---- */

/* Warns where both partners of a handshake may assign the same variable. */
void dve_check_handshakes(struct dve_lower *);

/* ---- lower.c ---- */

/* The model, or NULL after reports. */
struct ir_model *dve_lower_file(struct arena *, struct diag *, const struct source *,
                                const struct dve_file *, const struct language_options *);

#endif
