/* ast.h - a Promela model as it was read: the checked tree.
 *
 * Made by promela_read() (promela.h). Dumb data in the model's arena: names are
 * resolved to what they name, types are attached, gotos know their labels, breaks
 * their loops, inlines and macros are expanded. Control is kept as it was written:
 * sequences, selections, loops, atomic, d_step, unless, blocks. One node type with
 * unused fields per family, on purpose.
 *
 * Places. `span` is text of the user: for what came out of a macro, the use of the
 * (outermost) macro; for what came out of an inline, the line inside the inline's
 * definition, and `call` shows from where it was called. An argument of an inline
 * has the place where the argument was written.
 *
 * Limits: sequences and parentheses nest at most PROMELA_MAX_DEPTH deep, expressions
 * are at most 4 * PROMELA_MAX_DEPTH high (`height`), so that passes may recurse.
 */
#ifndef CAIRN_LANG_PROMELA_PARSE_AST_H
#define CAIRN_LANG_PROMELA_PARSE_AST_H

#include "base/source.h"

#include <stdbool.h>
#include <stdint.h>

#define PROMELA_MAX_DEPTH 500u

struct promela_expr;
struct promela_label;
struct promela_proctype;
struct promela_sequence;
struct promela_stmt;
struct promela_struct;
struct promela_variable;

struct promela_exprs {
  struct promela_expr **at;
  uint32_t n, capacity;
};

struct promela_variables {
  struct promela_variable **at;
  uint32_t n, capacity;
};

/* One use of an inline. */
struct promela_call {
  const char *name; /* of the inline */
  struct span span; /* name and arguments, where it is called */
  struct span definition;
  const struct promela_call *outer; /* the call that this one is inside of, or NULL */
};

/* ---- types ------------------------------------------------------------------- */

enum promela_base {
  PROMELA_BIT,      /* also bool; 0 and 1 */
  PROMELA_BYTE,     /* 0 .. 255 */
  PROMELA_PID,      /* as byte */
  PROMELA_SHORT,    /* 16 bits, signed */
  PROMELA_INT,      /* 32 bits, signed */
  PROMELA_UNSIGNED, /* `bits` bits */
  PROMELA_MTYPE,    /* a symbolic name by its number; a byte; 0: none */
  PROMELA_CHAN,     /* a channel, as a number; a byte; 0: none */
  PROMELA_STRUCT
};

struct promela_type {
  enum promela_base base;
  bool is_bool;                           /* written `bool` */
  uint8_t bits;                           /* 1, 8, 16, 32; of unsigned 1 to 32; of a struct 0 */
  bool is_signed;                         /* short and int */
  const struct promela_struct *structure; /* of a STRUCT */
  const struct promela_mtype *mtype;      /* of an MTYPE: which set */
};

/* A set of symbolic names: that of `mtype`, or of `mtype:name`. The numbers are
 * Spin's: within one declaration the last name has the smallest, from 1; further
 * declarations of the same set go on above. At most 255. */
struct promela_symbol {
  const char *name;
  struct span span;
  int32_t value;
  const struct promela_mtype *mtype;
};

struct promela_mtype {
  const char *name; /* NULL: plain mtype */
  struct {
    struct promela_symbol **at;
    uint32_t n, capacity;
  } symbols; /* in the order of the text */
};

/* A typedef. Fields are variables with a `structure`; they may be arrays, have
 * initial values, and be channels with an initialiser. Never recursive. */
struct promela_struct {
  const char *name;
  struct span span;
  struct promela_variables fields;
};

/* ---- variables and channels ------------------------------------------------------ */

/* `[capacity] of { types }`. Each channel variable (each element of an array, each
 * struct that holds one, each instance of a proctype) makes a channel of its own.
 * A STRUCT among the fields stands for its scalar fields, flattened in order, arrays
 * element by element. `n_scalars` counts the fields after that. */
struct promela_channel {
  struct span span;
  uint32_t capacity; /* 0: rendezvous */
  struct {
    struct promela_type *at;
    uint32_t n, capacity;
  } fields;
  uint32_t n_scalars;
};

enum promela_visibility {
  PROMELA_PLAIN,
  PROMELA_HIDDEN, /* no part of the state (its value is not kept between states) */
  PROMELA_SHOW,   /* a wish about output only */
  PROMELA_LOCAL   /* a promise about use; nothing follows from it */
};

struct promela_variable {
  const char *name; /* as written: names of inner blocks may repeat */
  struct span span;
  const struct promela_call *call;
  struct promela_type type;
  bool is_array;
  uint32_t length; /* elements; 1 for what is no array */
  enum promela_visibility visibility;
  const struct promela_struct *structure; /* it is a field of this typedef */
  struct promela_proctype *owner;         /* NULL: global or a field */
  bool is_parameter;
  uint32_t index; /* in owner->variables (parameters first), model->globals or
                     structure->fields */
  uint32_t depth; /* of the block that declares it: 0 parameters and globals, 1 the body */
  uint32_t block; /* numbers the blocks of its proctype, for reports; body: 1 */

  /* How it starts: at most one of the three. `initial` of an array sets every element. It
   * is a constant where the language asks for one (fields); of a global it may name
   * globals declared before, of a local whatever is visible. */
  struct promela_expr *initial;
  struct promela_exprs list; /* = { 1, 2, 3 }: constants; further elements as the last one */
  struct promela_channel *channel;
};

/* ---- expressions -------------------------------------------------------------------- */

/*  kind          operands             value (32 bits, signed)
 *  CONST         value, symbol        a number, true, skip; of an mtype name: its number
 *  VARIABLE      variable, a          the variable, or its element a. Without an index an
 *                                     array stands for itself only in FOR_IN and EXCLUSIVE
 *  FIELD         b, variable, a       field of the struct b (VARIABLE, FIELD), or its element a
 *  PID_VALUE     -                    _pid, own process number
 *  NR_PR         -                    _nr_pr
 *  LAST          -                    _last, the process that made the last step
 *  PRIORITY      -                    _priority, of this process
 *  SCRATCH       -                    `_`: only as the target of a receive or an assignment;
 *                                     the value is dropped
 *  NEG CPL NOT   a                    -a  ~a  !a
 *  MUL .. BOR    a, b                 as in C; DIV and MOD towards zero, SHR keeps the sign
 *  AND OR        a, b                 0 or 1, lazy from the left
 *  COND          a, b, c              (a -> b : c), lazy
 *  LEN           a                    messages in channel a
 *  EMPTY NEMPTY FULL NFULL
 *                a                    0 or 1
 *  POLL          a, arguments,        a?[args] a??[args]: could be received now; arguments as
 *                random               of RECEIVE
 *  RUN           proctype, arguments, number of the new process; 0, and not executable, if
 *                priority             there is no room. priority NULL: none is given
 *  ENABLED       a                    the process a can move
 *  PC_VALUE      a                    control location of the process a, as a number
 *  GET_PRIORITY  a                    of the process a
 *  TIMEOUT       -                    no statement anywhere is executable
 *  NP            -                    np_: no process is at a progress label
 *  REMOTE_LABEL  proctype, a, label   P[a]@L: process a (NULL: the only one of P) is at L, of
 *                                     which there may be more; `label` is one of them
 *  REMOTE_VAR    proctype, a, b       P[a]:x: b is a VARIABLE of P, or PID_VALUE (P[a]:_p is a
 *                                     PC_VALUE)
 *  C_EXPR        text, precondition   c_expr [precondition] { text }; precondition or NULL
 *  EVAL          a                    only among what is received: matches this value
 *  ALWAYS EVENTUALLY NEXT
 *                a                    [] <> X, only in formulas, like those below
 *  UNTIL WEAK_UNTIL RELEASE
 *                a, b                 U W V
 *  IMPLIES EQUIVALENT
 *                a, b                 -> <->
 *
 * `type` is what the value comes from: of VARIABLE and FIELD the declared type, of
 * CONST with a symbol an MTYPE, else INT (BIT for what is 0 or 1).
 * Executability: the statement EXPR is enabled if its value is not 0. */
enum promela_expr_kind {
  PROMELA_CONST,
  PROMELA_VARIABLE,
  PROMELA_FIELD,
  PROMELA_PID_VALUE,
  PROMELA_NR_PR,
  PROMELA_LAST,
  PROMELA_PRIORITY,
  PROMELA_SCRATCH,
  PROMELA_NEG,
  PROMELA_CPL,
  PROMELA_NOT,
  PROMELA_MUL,
  PROMELA_DIV,
  PROMELA_MOD,
  PROMELA_ADD,
  PROMELA_SUB,
  PROMELA_SHL,
  PROMELA_SHR,
  PROMELA_LT,
  PROMELA_LE,
  PROMELA_GT,
  PROMELA_GE,
  PROMELA_EQ,
  PROMELA_NE,
  PROMELA_BAND,
  PROMELA_BXOR,
  PROMELA_BOR,
  PROMELA_AND,
  PROMELA_OR,
  PROMELA_COND,
  PROMELA_LEN,
  PROMELA_EMPTY,
  PROMELA_NEMPTY,
  PROMELA_FULL,
  PROMELA_NFULL,
  PROMELA_POLL,
  PROMELA_RUN,
  PROMELA_ENABLED,
  PROMELA_PC_VALUE,
  PROMELA_GET_PRIORITY,
  PROMELA_TIMEOUT,
  PROMELA_NP,
  PROMELA_REMOTE_LABEL,
  PROMELA_REMOTE_VAR,
  PROMELA_C_EXPR,
  PROMELA_EVAL,
  PROMELA_ALWAYS,
  PROMELA_EVENTUALLY,
  PROMELA_NEXT,
  PROMELA_UNTIL,
  PROMELA_WEAK_UNTIL,
  PROMELA_RELEASE,
  PROMELA_IMPLIES,
  PROMELA_EQUIVALENT
};

struct promela_expr {
  enum promela_expr_kind kind;
  struct span span;
  const struct promela_call *call;
  struct promela_type type;
  uint32_t height; /* of the tree; 1 for a leaf */
  bool random;     /* POLL: ??. (AND and OR: the parser's own mark) */
  int32_t value;
  const struct promela_symbol *symbol;
  struct promela_variable *variable;
  struct promela_proctype *proctype;
  struct promela_label *label;
  struct promela_expr *a, *b, *c;
  struct promela_exprs arguments;
  struct promela_expr *priority;
  const char *text, *precondition;
};

/* ---- statements ----------------------------------------------------------------------- */

/*  kind          parts                 meaning
 *  EXPR          a                     waits until a is not 0 (skip is `1`; run is here)
 *  ASSIGN        target, a             target = a
 *  INCREMENT     target                target++
 *  DECREMENT     target                target--
 *  ASSERT        a, text               text: the condition as it was written
 *  PRINTF        text, arguments       text without its quotes, escapes as written
 *  PRINTM        a                     prints a symbol by its name
 *  SEND          a, arguments, sorted  a!args  a!!args
 *  RECEIVE       a, arguments,         a?args  a??args; peek: a?<args>, the message stays.
 *                random, peek          An argument is a target (VARIABLE, FIELD, SCRATCH) or
 *                                      must match (CONST, EVAL)
 *  IF            options               one whose first statement is executable
 *  DO            options               the same, again and again; left by BREAK
 *  ATOMIC        body
 *  D_STEP        body
 *  BLOCK         body                  braces, or the body of an inline (then `inlined`)
 *  UNLESS        body, escape          at each statement of body, escape's first one goes
 *                                      first. Labels before it are those of body's statement
 *  GOTO          label
 *  BREAK         loop                  DO, FOR or FOR_IN
 *  ELSE          -                     first in an option: no other option is executable
 *  FOR           target, a, b, body    target = a; do :: target <= b -> body; target++
 *                                      :: else -> break od
 *  FOR_IN        target, a, body       a an array: target runs over its indices. a a channel
 *                                      (or an element of an array of them): each of its
 *                                      len(a) messages is received into target, a struct of
 *                                      the type of the channel's only field, and sent back
 *  SELECT        target, a, b          target = any of a .. b
 *  DECLARE       variables             each takes its initial value here (none: 0), not at the
 *                                      start of the process, unless `at_start`
 *  EXCLUSIVE     arguments, text       xr or xs (text) of these channels: no step
 *  SET_PRIORITY  a, b                  of the process a to b
 *  C_CODE        text, precondition    c_code [precondition] { text }
 *
 * Arguments of SEND and RECEIVE are those written, in order; `q!a(b,c)` has three.
 * A struct among them stands for its scalar fields. Their number may differ from
 * the channel's where Spin takes it (a channel known only at run time). */
enum promela_stmt_kind {
  PROMELA_EXPR,
  PROMELA_ASSIGN,
  PROMELA_INCREMENT,
  PROMELA_DECREMENT,
  PROMELA_ASSERT,
  PROMELA_PRINTF,
  PROMELA_PRINTM,
  PROMELA_SEND,
  PROMELA_RECEIVE,
  PROMELA_IF,
  PROMELA_DO,
  PROMELA_ATOMIC,
  PROMELA_D_STEP,
  PROMELA_BLOCK,
  PROMELA_UNLESS,
  PROMELA_GOTO,
  PROMELA_BREAK,
  PROMELA_ELSE,
  PROMELA_FOR,
  PROMELA_FOR_IN,
  PROMELA_SELECT,
  PROMELA_DECLARE,
  PROMELA_EXCLUSIVE,
  PROMELA_SET_PRIORITY,
  PROMELA_C_CODE
};

/* A list of statements, never empty in what was accepted. */
struct promela_sequence {
  struct span span;
  struct promela_stmt **at;
  uint32_t n, capacity;
};

struct promela_label_list {
  struct promela_label **at;
  uint32_t n, capacity;
};

struct promela_stmt {
  enum promela_stmt_kind kind;
  struct span
      span; /* of IF, DO and FOR only the head; of ATOMIC, D_STEP, BLOCK the word or brace */
  const struct promela_call *call;
  const char *code;  /* the statement on one line, macros and inline arguments in place; of
                        those with parts only the head ("if", "for (i : 1 .. N)") */
  const char *shown; /* to readers of a run, where the span has more than this; or NULL */
  struct promela_label_list labels; /* in front of it, in order */

  bool sorted, random, peek; /* SEND, RECEIVE */
  bool is_plain;             /* SELECT: both ends are written as numbers, outside of inlines */
  bool at_start;             /* DECLARE: no statement is before it in the proctype */
  const struct promela_call *inlined; /* BLOCK: the body of this call */
  struct promela_expr *target, *a, *b;
  struct promela_exprs arguments;
  struct promela_variables variables;
  struct {
    struct promela_sequence **at;
    uint32_t n, capacity;
  } options;
  struct promela_sequence *body, *escape;
  struct promela_label *label;
  struct promela_stmt *loop;
  const char *text, *precondition;
};

/* Names with these beginnings mean something (flags): "end" where a process may stay,
 * "accept", "progress". */
struct promela_label {
  const char *name;
  struct span span;
  const struct promela_call *call; /* the call of an inline whose body declares it */
  struct promela_proctype *owner;
  struct promela_stmt *stmt;   /* that it is before */
  struct promela_stmt *d_step; /* the outermost one that it is inside of, or NULL */
  uint32_t block;              /* that it belongs to, as of variables */
  bool is_end, is_accept, is_progress;
  bool is_used;  /* by a goto or a remote reference */
  uint32_t flow; /* its place in the list of the automaton's labels, plus one */
};

/* ---- proctypes and what else a model has --------------------------------------------------
 */

enum promela_process_kind {
  PROMELA_PROCTYPE,
  PROMELA_INIT,
  PROMELA_NEVER,
  PROMELA_TRACE, /* its statements are SEND, RECEIVE and control only */
  PROMELA_NOTRACE
};

struct promela_proctype {
  enum promela_process_kind kind;
  const char *name;   /* ":init:" for init; "never_0" and so on for an unnamed claim */
  struct span span;   /* the name, or the word init, never … */
  struct span end;    /* the brace that closes it */
  uint32_t index;     /* in model->proctypes */
  bool deterministic; /* D_proctype */
  bool is_run;        /* some run names it */
  uint32_t n_active;  /* instances at the start, in the order of the text; init: 1 */
  struct promela_expr *priority; /* CONST or NULL */
  struct promela_expr *provided; /* NULL: always */
  uint32_t n_parameters;         /* the first ones of */
  struct promela_variables
      variables; /* all of the frame, of all blocks, in the order of the text */
  struct promela_sequence body;
  struct promela_label_list labels;
  struct promela_sequence exclusive; /* its statements xr and xs */
  uint32_t n_blocks;
};

struct promela_formula {
  const char *name; /* "ltl_0" and so on if it has none */
  struct span span;
  struct promela_expr *formula;
  const char *code;
};

/* c_decl, c_code, c_state, c_track outside of processes, in the order of the text. */
enum promela_c_kind { PROMELA_C_DECL, PROMELA_C_GLOBAL_CODE, PROMELA_C_STATE, PROMELA_C_TRACK };

struct promela_c_part {
  enum promela_c_kind kind;
  struct span span;
  const char *text[3]; /* what is in braces; of STATE and TRACK two or three strings */
};

/* A place where a note says that Spin differs (remark.h). */
struct promela_remark {
  struct span span;
  const char *text;
};

struct promela_model {
  struct arena *arena;
  struct arena *tree; /* inside of it: expressions and statements, which may go once the checked
                       * model is made */
  const struct source *source;
  bool as_spin;    /* follow Spin where it departs from its language reference */
  bool no_remarks; /* say nothing of such places */
  struct {
    struct promela_remark *at;
    uint32_t n, capacity;
  } remarks;
  struct {
    struct promela_mtype **at;
    uint32_t n, capacity;
  } mtypes;
  struct {
    struct promela_struct **at;
    uint32_t n, capacity;
  } structs;
  struct promela_variables globals; /* in the order of the text */
  struct {
    struct promela_proctype **at;
    uint32_t n, capacity;
  } proctypes; /* in the order of the text: claims and traces are among them */
  struct {
    struct promela_formula **at;
    uint32_t n, capacity;
  } formulas;
  struct {
    struct promela_c_part *at;
    uint32_t n, capacity;
  } c_parts;
  /* What the model uses that needs more than the plain search. */
  bool uses_enabled, uses_pc_value, uses_last, uses_np, uses_priority, uses_c_code,
      uses_provided, uses_unless;
};

#endif
