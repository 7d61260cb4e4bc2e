/* types.h - the parts of the checked model that edges are made of: types, variables, channels,
 * expressions, and what can be said of an expression before the model runs. Read ir.h first.
 */
#ifndef CAIRN_IR_TYPES_H
#define CAIRN_IR_TYPES_H

#include "base/arena.h"
#include "base/source.h"

struct ir_process;

/* ---- types ---------------------------------------------------------------- */

/* An integer type: the values that fit `bits` bits, two's complement if signed. */
struct ir_type {
  const char *name; /* as the language names it */
  uint8_t bits;     /* 1 to 32 */
  bool is_signed;
  bool is_channel;   /* values are numbers of channels; for people only */
  uint32_t n_values; /* values[v]: the name of value v, or NULL; for people only */
  const char *const *values;
};

/* ---- variables and channels ------------------------------------------------ */

struct ir_variable {
  const char *name;
  struct span span;
  const struct ir_type *type;
  uint32_t length; /* elements; 1 for a scalar */
  bool is_array;
  const char *element;    /* an array's: see struct ts_variable */
  const uint32_t *extent; /* likewise */
  bool is_const; /* never assigned, no part of the state vector, listed among the others:
                  * an array is a table in the code; a scalar is folded and is here only
                  * for its name */
  struct ir_process *owner;     /* NULL: global */
  const int32_t *initial;       /* length values, already in range; NULL: zeros */
  const int32_t *plain_initial; /* the same as the front end has it, where `initial` is reduced
                                 * (ir_unreduce()); NULL: it is not */
  bool is_hidden; /* zero in every stored state: no event reads what another one wrote, see
                   * ir_is_carried() */
  /* filled by ir_layout(): */
  uint32_t offset, first_slot, variable;
};

struct ir_channel {
  const char *name;
  struct span span;
  uint32_t capacity; /* messages; 0: rendezvous */
  uint32_t n_fields;
  const struct ir_type *const *field; /* NULL entries: untyped, values pass as they are */
  bool typed;
  uint32_t index; /* in model->channel */
  /* Channels as values (Promela): numbers from 1, first the global channels in the
   * order of model->channel, then those of the live processes in the order of their
   * numbers. `owner` NULL: global; else each instance of the template has one, made
   * with it. `handle`: the variable (or element) that is set to the number when the
   * channel is made; NULL: none. */
  struct ir_process *owner;
  struct ir_variable *handle;
  uint32_t handle_element;
  /* filled by ir_layout() if capacity > 0; offsets of an owned channel count from the
   * beginning of its process's frame: */
  uint32_t count_offset; /* number of messages, one or two bytes */
  uint32_t count_slot, count_bytes;
  uint32_t data_offset, data_slot; /* message m, field f: see ir_channel_cell() */
};

/* ---- expressions ----------------------------------------------------------- */

/* Values are 32-bit two's complement; overflow wraps.
 *
 *  kind          operands            value
 *  CONST         value               value
 *  VARIABLE      variable            the scalar
 *  ELEMENT       variable, a         element a; out of range: model error
 *  AT            process, location   1 if the process is at the location, else 0
 *  COUNT         channel             messages in a buffered channel
 *  NOT NEG CPL   a                   !a  -a  ~a
 *  MUL ADD SUB   a, b
 *  DIV MOD       a, b                towards zero; b = 0: model error
 *  SHL SHR       a, b                b below 0 or above 31: model error; SHR keeps the sign
 *  LT .. NE      a, b                0 or 1
 *  AND OR IMPLY  a, b                0 or 1; b is evaluated only if a does not decide
 *  BAND BOR BXOR a, b                bitwise
 *  COND          a, b, c             a ? b : c
 *
 *  For languages with instances and channels as values. "Self" is the process that
 *  evaluates; a VARIABLE or ELEMENT of its own template is its own.
 *
 *  CHECKED       a, value            a, which must be in 0 .. value - 1, else model error
 *  SELF          -                   own number
 *  LIVE          -                   number of live processes
 *  LAST          -                   number of the process that moved last (uses_last)
 *  FOREIGN       process, a, b       VARIABLE or ELEMENT b of process number a, which must
 *                                    be a live instance of the template, else model error;
 *                                    the index in b is evaluated by self; a NULL: the first
 *                                    live instance of the template
 *  NUMBER        process, a          the number of that process, a NULL as there; not live:
 *                                    model error
 *  LOCATED       process, a, location  1 if process number a (NULL: the first live instance)
 *                                    is an instance of the template at the location, else 0
 *  PLACE         a                   a number for the control location of process number a;
 *                                    0 if it is not live
 *  ENABLED       a                   1 if process number a has an executable edge, whatever
 *                                    its `provided` says
 *  STUCK         -                   1 if no process has an executable edge, those that ask for
 *                                    TIMEOUT taking it to be false; only asked from outside of
 *                                    processes, of models with instances
 *  NONPROGRESS   -                   1 if no process is at a location with IR_PROGRESS
 *  ACCEPTED      -                   1 if some process is at a location with IR_ACCEPTING
 *  PRIORITY      a                   of process number a (NULL: self)
 *  LENGTH ROOM   a                   messages in channel number a; free places there
 *                                    (a rendezvous channel has neither)
 *  POLL          operation           1 if the receive `operation` could be done now; one that
 *                                    keeps its message may not be on a rendezvous channel
 *  ELSE          -                   only as a guard: no edge of this location before this
 *                                    one is executable; a send of a handshake only if it
 *                                    finds a partner
 *  TIMEOUT       -                   no process has an executable edge (those that ask for
 *                                    TIMEOUT taking it to be false)
 *  MATCH DROP    a, -                only as values of a receive: see ir_operation
 *  C_EXPR        piece               the value of C text (ir/embedded.h)
 *  EXCLUSIVE     exclusion, a        a, the number of a channel that is used now; a model error
 *                                    if another process claims that use for itself
 */
enum ir_expr_kind {
  IR_CONST,
  IR_VARIABLE,
  IR_ELEMENT,
  IR_AT,
  IR_COUNT,
  IR_NOT,
  IR_NEG,
  IR_CPL,
  IR_MUL,
  IR_DIV,
  IR_MOD,
  IR_ADD,
  IR_SUB,
  IR_SHL,
  IR_SHR,
  IR_LT,
  IR_LE,
  IR_GT,
  IR_GE,
  IR_EQ,
  IR_NE,
  IR_BAND,
  IR_BXOR,
  IR_BOR,
  IR_AND,
  IR_OR,
  IR_IMPLY,
  IR_COND,
  IR_CHECKED,
  IR_SELF,
  IR_LIVE,
  IR_LAST,
  IR_FOREIGN,
  IR_NUMBER,
  IR_LOCATED,
  IR_PLACE,
  IR_ENABLED,
  IR_STUCK,
  IR_NONPROGRESS,
  IR_ACCEPTED,
  IR_PRIORITY,
  IR_LENGTH,
  IR_ROOM,
  IR_POLL,
  IR_ELSE,
  IR_TIMEOUT,
  IR_MATCH,
  IR_DROP,
  IR_C_EXPR,
  IR_EXCLUSIVE
};

struct ir_operation;
struct ir_exclusion;
struct ir_piece;

/* Large models are mostly expressions: what no kind has together shares its room, so that
 * these parts are to be read only of a kind that has them. `a` and `b` are NULL where there is
 * none. */
struct ir_expr {
  enum ir_expr_kind kind;
  union {
    int32_t value;
    uint32_t location;
  };
  struct span span;
  union {
    struct ir_variable *variable;
    struct ir_channel *channel;
    struct ir_process *process;
    const struct ir_operation *operation;
    const struct ir_exclusion *exclusion;
    const struct ir_piece *piece;
    struct ir_expr *c;
  };
  struct ir_expr *a, *b;
};

/* The third operand; NULL: there is none. */
static inline const struct ir_expr *ir_third(const struct ir_expr *e) {
  return e->kind == IR_COND ? e->c : NULL;
}

/* The operation that is asked about; NULL: none is. */
static inline const struct ir_operation *ir_polled(const struct ir_expr *e) {
  return e->kind == IR_POLL ? e->operation : NULL;
}

/* Whether it holds for the expression, or for an operand of it, those of operands included.
 * What a POLL asks about is left to `holds`. */
bool ir_any_part(const struct ir_expr *,
                 bool (*holds)(const struct ir_expr *, const void *context),
                 const void *context);

/* Whether both are the same constant, variable, or sums and differences of these; of anything
 * else it says no. NULL is only the same as NULL. */
bool ir_same_sum(const struct ir_expr *, const struct ir_expr *);

/* An operation on a channel given by its number. An edge has at most one, and whether it
 * can be done is part of the guard: a send needs room (with model->lossy it always can,
 * and the message is lost if there is none), on a rendezvous channel a partner; a receive
 * needs a first message (`random`: any, the first that fits) whose fields equal those of
 * the MATCH values (CONST ones too). The fields of other values are then assigned in
 * order (DROP: not at all), cut to the target's type; sent values are cut to the field's.
 * `sorted`: the message goes in front of the first greater one, fields compared in order, by
 * its values before they are cut; `keep`: the message stays. A number that is no channel, and
 * at a step another number of values than fields: model error. Where only asked whether it
 * could be done (guards, POLL), values too many are ignored. */
struct ir_operation {
  struct span span;
  struct ir_expr *channel;
  bool is_send, sorted, random, keep;
  uint32_t n_values;
  struct ir_expr *const *value;
};

/* ---- what is known of an expression ------------------------------------------------ */

/* The value of an operator on constants (b is ignored where it has one operand). False: there
 * is none (division by zero, a shift by less than 0 or more than 31, no operator), so that it
 * must stay to be an error of the run. */
bool ir_fold(enum ir_expr_kind, int32_t a, int32_t b, int32_t *value);

/* A type takes 1, 2 or 4 bytes in the vector. NULL: four. */
uint32_t ir_type_bytes(const struct ir_type *);

/* The smallest and largest value an expression can have, from types alone; used
 * to leave out checks that cannot fail. */
struct ir_range {
  int32_t low, high;
};
struct ir_range ir_range(const struct ir_expr *);
/* The same of an operator on operands with these values (b: the same as a where it has one). */
struct ir_range ir_range_of_operator(enum ir_expr_kind, struct ir_range a, struct ir_range b);
/* Whether the exact result of the operator may need more than 32 bits. */
bool ir_wraps(const struct ir_expr *);
struct ir_range ir_type_range(const struct ir_type *); /* NULL: all of 32 bits */
static inline uint32_t ir_type_bits(const struct ir_type *type) {
  return type == NULL ? 32 : type->bits;
}
/* A value as so many bits keep it, from 0 to 32. */
int32_t ir_cut(int32_t value, uint32_t bits, bool is_signed);

/* An expression in the notation of C, for messages. Arena-owned. */
const char *ir_expr_text(struct arena *, const struct ir_expr *);

#endif
