/* emit.h - what the files that print generated code share.
 *
 * native_emit() prints one C text per model. The files, from the whole to the
 * parts: emit.c (order of the text), sync.c (the common step of a synchronous
 * system), event.c (the events of a process), before.c, before_guard.c, before_inverse.c,
 * before_pairs.c, before_place.c (what is before a state); for models with instances
 * instances.c (order of their functions), door.c (all events of a state),
 * run.c (the steps of a template), step.c and cycle.c (one of them),
 * start.c (how a process is made), frame.c (who lives where), trace.c (the trace of the
 * model); effect.c (effects), operation.c (on channels by number), write.c (moves, assignments,
 * messages), special.c (expressions that only models with instances have), place.c
 * (channels by number), expr.c (expressions), check.c (temporaries, checks, cells), facts.c
 * (faults, notes and tables that the code mentions), embedded.c (text that is the same in all
 * models), text.c (lines, names). Each uses those after it only; where an expression has a
 * special one inside, it is reached by a pointer.
 *
 * An expression is printed in one pass over two texts: its C text grows in
 * `expr`, and what has to happen before it is evaluated (checks that can fail,
 * and temporaries they need) is printed to `out` as statements. An expression in
 * C has no order of evaluation that a check could rely on; statements have.
 */
#ifndef CAIRN_NATIVE_EMIT_EMIT_H
#define CAIRN_NATIVE_EMIT_EMIT_H

#include "base/text.h"
#include "ir/ir.h"
#include "ts/ts.h"

struct undo;

struct emit_map { /* (pointer, use) -> number */
  const void **key;
  uint32_t *number;
  uint8_t *use;
  uint32_t n, capacity;
};

enum emit_use { EMIT_FAULT, EMIT_CONFLICT, EMIT_TRUNCATION, EMIT_TABLE };

/* What the printed code uses: parts of the embedded text, and printed helpers. */
enum emit_helper {
  EMIT_WANTED = 1,
  EMIT_FAILED = 1 << 1,
  EMIT_CUT = 1 << 2,
  EMIT_DIVIDE = 1 << 3,
  EMIT_MODULO = 1 << 4,
  EMIT_TELL = 1 << 5,
  EMIT_BROKE = 1 << 6,       /* assertions */
  EMIT_RUNS = 1 << 7,        /* sequences of steps that are not stored */
  EMIT_CYCLES = 1 << 8,      /* d_steps that may run in one */
  EMIT_INNER = 1 << 9,       /* d_steps */
  EMIT_HANDSHAKES = 1 << 10, /* on channels given by number */
  EMIT_WATCHED = 1 << 11,    /* conditions of a receive may see where the sender is */
  EMIT_VALUES = 1 << 12,     /* messages in traces */
  EMIT_PROBES = 1 << 13,     /* whether another process can move */
  EMIT_FIRST = 1 << 14,      /* the first live instance of a template */
  EMIT_SEATS = 1 << 15,      /* processes are run */
  EMIT_CHANNELS = 1 << 16,   /* channels whose number is worked out: */
  EMIT_CHANNEL_AT = 1 << 17, /* where they are, */
  EMIT_CHANNEL_OF = 1 << 18, /* in which component, */
  EMIT_CHANNEL_KIND = 1 << 19,
  EMIT_PIECES = 1 << 20, /* C text of the model */
  EMIT_ZEROES = 1 << 21, /* senders of handshakes have dead variables */
  EMIT_LOWEST = 1 << 22, /* of a set of bits: the lowest, */
  EMIT_COUNT = 1 << 23   /* and how many */
};

/* Where in the generated text something is printed. Handed down by value of its parts: whoever
 * needs another context for a part makes a copy. */
struct emit_context {
  const char *work;         /* the row that is written: variables that the current event has
                             * written are read from it, all others from the old state `s` */
  const char *now;          /* where special expressions look: "s" or "row" */
  const char *frame;        /* of own variables that are read (models with instances), */
  const char *target_frame; /* and of those that are written */
  uint32_t mover;           /* synchronous systems: writes go to `own` and to `row`, and a
                             * conflict check says whose they are; 0: plain writes */
  struct emit_escape {      /* what a failed check does: head, fault, tail */
    char head[96], tail[48];
    unsigned needs; /* enum emit_helper */
  } escape;
};

#define EMIT_OWN_FRAME "at"

struct emit {
  const struct ir_model *model;
  const struct ir_actions *actions;
  struct ts_shape *shape;
  struct arena *arena;
  bool report_truncation, fold_all, counts_back;

  struct text body, tables, expr, place;
  struct text *out; /* &body */
  uint32_t depth;   /* of indentation */
  uint32_t temps;   /* used in the current event */
  unsigned helpers;

  bool escaped; /* a check was printed since this was cleared */

  uint32_t *written, event; /* written[variable] == event: by the current event */

  /* Prints an expression of a kind after IR_COND; returns how high operators are above
   * each other in it. */
  uint32_t (*special)(struct emit *, const struct emit_context *, const struct ir_expr *);

  /* Models with instances. Own variables are at offsets from `at`, in generated code. */
  bool has_frames;
  uint32_t labels;
  uint32_t *statement;            /* by template: its first statement */
  uint32_t *kind_number, n_kinds; /* by channel: which kind */
  const struct ir_channel **kind; /* [n_kinds] */
  uint32_t n_global_channels, most_fields, most_zeroes;
  bool has_own_channels;
  struct {
    struct ts_print *at;
    uint32_t n, capacity;
  } prints;

  uint32_t *head, *tail, *next; /* lists of handshakes by the receiver's location */

  struct emit_map map;
  struct emit_faults {
    struct ts_fault *at;
    uint32_t n, capacity;
  } faults;
  struct emit_places {
    struct ts_place *at;
    uint32_t n, capacity;
  } truncations;
  uint32_t n_tables;
};

/* The texts of ts/abi.h, common.inc, plain.inc and machine.inc. */
extern const char emit_abi_text[], emit_common_text[], emit_plain_text[], emit_machine_text[];

/* ---- embedded.c --------------------------------------------------------- */

/* Of an embedded text what is used (enum emit_helper). */
void emit_embedded(struct text *, const char *text, unsigned used);

/* ---- text.c ------------------------------------------------------------- */

void emit_line(struct emit *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts a short line in front of what was printed since `at`. */
void emit_insert(struct emit *, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same if the word is mentioned there. */
bool emit_declare(struct emit *, size_t at, const char *word, const char *line);
/* A statement around the expression that begins at `from` in `expr`, and takes it
 * away: head, expression, tail. */
void emit_statement(struct emit *, const char *head, size_t from, const char *tail);
/* Takes the expression that begins at `from` away. */
void emit_drop(struct emit *, size_t from);
/* Names of offsets. */
void emit_variable_name(struct text *, const struct ir_variable *);
void emit_location_name(struct text *, const struct ir_process *);
void emit_channel_name(struct text *, const struct ir_channel *, uint32_t field);
void emit_count_name(struct text *, const struct ir_channel *);
/* Where the edge is in the model, as a comment line. */
void emit_edge_comment(struct emit *, const char *role, const struct ir_process *,
                       const struct ir_edge *);

/* ---- facts.c --------------------------------------------------------------- */

uint32_t emit_fault(struct emit *, const void *key, enum emit_use, struct span,
                    const char *message);
uint32_t emit_truncation(struct emit *, const void *key, struct span);
/* The number of a constant table; prints it when first asked. */
uint32_t emit_table(struct emit *, const struct ir_variable *);

/* ---- check.c ----------------------------------------------------------------- */

/* Moves the expression that begins at `from` into a temporary; it reads its name
 * from then on. */
void emit_spill(struct emit *, size_t from);
/* A context that reads `now`, writes `work` and has no way out of a failed check yet. */
struct emit_context emit_context(const char *now, const char *work);
/* Sets what a failed check does: head, fault, tail. Both are cut copies. */
void emit_escape(struct emit_context *, unsigned needs, const char *head, const char *tail);
/* A check: if the condition holds, the event is a model error. */
void emit_check(struct emit *, const struct emit_context *, uint32_t fault, const char *format,
                ...) __attribute__((format(printf, 4, 5)));
/* Reading or writing `bytes` of a vector: emit_cell(), an offset, emit_cell_end(). */
void emit_cell(struct text *, const char *base, uint32_t bytes, bool is_signed);
const char *emit_cell_end(uint32_t bytes, bool is_signed);
void emit_mark_written(struct emit *, uint32_t slot);
const char *emit_base(const struct emit *, const struct emit_context *, uint32_t slot);

/* ---- expr.c ------------------------------------------------------------------ */

/* Appends an expression to `expr`. As an operand it is bracketed where needed; a
 * truth is an expression whose value is only asked to be zero or not. */
void emit_operand(struct emit *, const struct emit_context *, const struct ir_expr *);
void emit_bare(struct emit *, const struct emit_context *, const struct ir_expr *);
void emit_truth(struct emit *, const struct emit_context *, const struct ir_expr *, bool bare);
/* Whether a guard (NULL: true) is decided by the ranges, and cannot fail. */
enum emit_decided { EMIT_NEVER, EMIT_ALWAYS, EMIT_DEPENDS };
enum emit_decided emit_decide(struct emit *, const struct emit_context *,
                              const struct ir_expr *);
/* emit_spill() of an operand that is still to be printed; leaves nothing in `expr`. */
void emit_spill_operand(struct emit *, const struct emit_context *, const struct ir_expr *,
                        char *name, size_t size);
/* An index for `length` elements, checked, as an operand in `expr`. */
void emit_index(struct emit *, const struct emit_context *, const struct ir_expr *reference);

/* ---- write.c ------------------------------------------------------------------- */

/* Begins the effects of an event: nothing is written yet. */
void emit_begin_event(struct emit *);
void emit_move(struct emit *, const struct emit_context *, const struct ir_process *,
               const struct ir_edge *);
/* The operation of an edge on a buffered channel. */
void emit_channel(struct emit *, const struct emit_context *, const struct ir_edge *);
/* The values of a handshake. */
void emit_pass(struct emit *, const struct emit_context *, const struct ir_edge *sender,
               const struct ir_edge *receiver);

/* target = value, a C expression without side effects. */
struct emit_value {
  const char *text;
  struct ir_range range;
  struct span span;
};
void emit_store(struct emit *, const struct emit_context *, const struct ir_expr *target,
                const struct emit_value *);
/* Makes the value at the end of `expr` fit a type. */
void emit_fit(struct emit *, size_t from, struct ir_range, const struct ir_type *,
              const void *key, struct span);
void emit_assign(struct emit *, const struct emit_context *, const struct ir_effect *);

/* ---- pieces.c -------------------------------------------------------------------- */

/* In a function that has `ts`: tells `run` where C text is called, if the model has any. */
void emit_know_pieces(struct emit *, const char *run);
/* Calls a piece on a row; what it gives is the variable `value`. */
void emit_piece(struct emit *, const struct emit_context *, const struct ir_piece *,
                const char *row, const char *value);
void emit_c_code(struct emit *, const struct emit_context *, const struct ir_effect *);

/* ---- effect.c ------------------------------------------------------------------- */

void emit_effects(struct emit *, const struct emit_context *, const struct ir_edge *);
void emit_effect_list(struct emit *, const struct emit_context *, const struct ir_effect *,
                      uint32_t n);

/* ---- models with instances ----------------------------------------------------------------
 */

/* special.c */
uint32_t emit_special(struct emit *, const struct emit_context *, const struct ir_expr *);
/* Where a channel is used: the check that no other process claims that use, if any may. */
void emit_exclusive(struct emit *, const struct emit_context *, const struct ir_expr *channel);
/* The name of the frame that a FOREIGN refers to, checked. */
void emit_foreign_frame(struct emit *, const struct emit_context *, const struct ir_expr *,
                        bool is_target, char name[24]);

/* place.c */
struct emit_place {                 /* a channel at hand */
  const struct ir_channel *channel; /* or one that is laid out alike */
  char at[24];                      /* its offset */
  char component[24];
  char number[24];
  uint32_t value;  /* the same if it is constant, else 0 */
  size_t searched; /* what was printed since then uses what emit_search_channel() found */
};
void emit_find_kinds(struct emit *);
/* The channel of a constant number, or NULL. */
const struct ir_channel *emit_constant_channel(const struct emit *, const struct ir_expr *,
                                               struct emit_place *);
/* Prints the search for the channel of a number; the place has no channel yet. True: there
 * are several kinds, and `kind` names the variable that says which. */
bool emit_search_channel(struct emit *, const struct emit_context *, const struct ir_expr *,
                         struct emit_place *, char kind[24]);
/* Once all that uses it is printed: declares what of it is used. */
void emit_end_search(struct emit *, const struct emit_place *, const char *kind);
/* The condition that the operation can be done, in `expr`; `at` names where the message is
 * found. */
void emit_can(struct emit *, const struct emit_context *, const struct ir_operation *,
              const struct emit_place *, char at[24]);
/* In `expr`, whether the values of an open handshake match; false: all do. */
bool emit_matches(struct emit *, const struct emit_context *, const struct ir_operation *);
void emit_find_channel(struct emit *); /* the function that finds one by its number */
/* Where column f begins; field f of message `index`, and the count, as C text in out. */
uint32_t emit_place_column(const struct ir_channel *, uint32_t f);
const char *emit_place_cell(char *out, size_t size, const struct emit_place *, const char *base,
                            uint32_t f, const char *index);
const char *emit_place_count(char *out, size_t size, const struct emit_place *,
                             const char *base);
/* Whether a received value is compared and not assigned; how many values have a field. */
bool emit_is_match(const struct ir_expr *);
uint32_t emit_used_values(const struct ir_operation *, const struct ir_channel *);

/* operation.c */
void emit_do(struct emit *, const struct emit_context *, const struct ir_operation *,
             const struct emit_place *, const char *at);
/* A handshake: the sent values into run->value; what is dead where the sender goes; their
 * assignment. */
void emit_give(struct emit *, const struct emit_context *, const struct ir_operation *,
               const struct emit_place *);
void emit_give_zeroes(struct emit *, const struct ir_edge *);
void emit_take(struct emit *, const struct emit_context *, const struct ir_operation *);

/* instances.c: all functions of a model with instances; those that it may need, once all
 * others are printed. */
void emit_instances(struct emit *);
void emit_needed(struct emit *);

/* trace.c: the function that moves the trace of the model, if it has one. */
void emit_trace(struct emit *);
/* Whether the operation, on the channel of this number (C text), may move it. */
bool emit_is_observed(const struct emit *, const struct ir_operation *, const char *number,
                      bool handshake);
/* Moves it: a message whose values are given one by one, or as an array (C text). Needs `row`,
 * `changed` and `broken`. */
void emit_observe(struct emit *, const struct emit_context *, bool sends, const char *number,
                  const char *values);
void emit_observe_message(struct emit *, const struct emit_context *, bool sends,
                          const char *number, const char *const *value, uint32_t n);

/* run.c */
void emit_steps(struct emit *, const struct ir_process *);

/* start.c: the functions that make a process of a template, and that of the first
 * state. */
void emit_starts(struct emit *);
void emit_first(struct emit *);

/* frame.c: tables that say who lives where, and, once all else is printed, the
 * functions that look into them. */
void emit_frames(struct emit *);
void emit_frame_functions(struct emit *);
/* `l = ` the control location of process i, by its template. */
void emit_locations(struct emit *, const char *base);
/* A table of a flag per template and location, and where each template's begin. */
void emit_flags(struct emit *, const char *name,
                void (*mark)(const struct ir_process *, bool *flag));
void emit_machine_head(struct emit *, struct text *);

/* door.c */
void emit_door(struct emit *);
void emit_door_needed(struct emit *);

/* mentions.c */
bool emit_in_model(const struct ir_model *, enum ir_expr_kind);

/* before.c: the function that counts what is before a state, for as many actions as it can;
 * says in `compiled` which. */
void emit_before(struct emit *, struct undo *);

/* ---- event.c, sync.c --------------------------------------------------------- */

void emit_process(struct emit *, const struct ir_process *);
void emit_successors(struct emit *);
void emit_common_step(struct emit *);
/* Components that an action may change, as ts_edge has them. */
uint64_t emit_changed(const struct emit *, uint32_t action);

#endif
