/* syntax.h - a DVE model as it is written.
 *
 * Dumb data, made by the parser and read by the lowering pass: nothing is
 * resolved, names are places in the text. One node type with unused fields is
 * kept on purpose. Everything lives in the model's arena.
 */
#ifndef CAIRN_LANG_DVE_SYNTAX_H
#define CAIRN_LANG_DVE_SYNTAX_H

#include "base/source.h"
#include "ir/ir.h"

#include <stdint.h>

/* How deep parentheses, operators and unary signs may nest. It bounds the
 * recursion of every pass after the parser, a C compiler's included. */
#define DVE_MAX_DEPTH 1000u

/*  form      parts                   written
 *  NUMBER    value                   7, true, false
 *  NAME      name, a or NULL         x  x[a]
 *  DOT       process, name, a        P.s  P.x  P.x[a]
 *  FOREIGN   process, name, a        P->x  P->x[a]
 *  UNARY     op, a                   -a  ~a  not a
 *  BINARY    op, a, b                a + b
 *  CHAIN     op, items (2 or more)   a and b and c: IR_AND or IR_OR
 *
 * A chain is one node, so that long conditions do not make deep trees. */
enum dve_form {
  DVE_FORM_NUMBER,
  DVE_FORM_NAME,
  DVE_FORM_DOT,
  DVE_FORM_FOREIGN,
  DVE_FORM_UNARY,
  DVE_FORM_BINARY,
  DVE_FORM_CHAIN
};

struct dve_expr;

struct dve_exprs {
  struct dve_expr **at;
  uint32_t n, capacity;
};

/* A place in the text of the node that it belongs to. */
struct dve_range {
  uint32_t begin, end;
};

/* Large models are mostly expressions: the parts that no form has together share their room. */
struct dve_expr {
  uint8_t form;     /* enum dve_form */
  uint8_t op;       /* enum ir_expr_kind */
  bool closed;      /* in parentheses: a chain is not continued */
  uint16_t height;  /* of the tree that it lowers to, about */
  uint16_t highest; /* CHAIN: of its items */
  struct span span;
  struct dve_expr *a;
  union {
    int32_t value;
    struct {
      struct dve_range process, name;
    };
    struct dve_expr *b;
    struct dve_exprs items;
  };
};

static inline struct span dve_span_in(const struct dve_expr *e, struct dve_range range) {
  return (struct span){e->span.source, range.begin, range.end};
}

struct dve_names_list {
  struct span *at;
  uint32_t n, capacity;
};

enum dve_type { DVE_TYPE_BYTE, DVE_TYPE_INT };

struct dve_variable {
  struct span name;
  enum dve_type type;
  bool is_const;
  struct dve_expr *size; /* NULL: a scalar */
  bool has_initial, has_list;
  struct dve_exprs initial;
};

struct dve_variables {
  struct dve_variable *at;
  uint32_t n, capacity;
};

struct dve_types {
  enum dve_type *at;
  uint32_t n, capacity;
};

struct dve_channel {
  struct span name;
  bool typed;
  struct dve_types types;    /* if typed */
  struct dve_expr *capacity; /* NULL: rendezvous */
};

struct dve_channels {
  struct dve_channel *at;
  uint32_t n, capacity;
};

struct dve_assertion {
  struct span span, state;
  struct dve_expr *condition;
};

struct dve_assertions {
  struct dve_assertion *at;
  uint32_t n, capacity;
};

struct dve_assignment {
  struct span span;
  struct dve_expr *target, *value;
};

struct dve_assignments {
  struct dve_assignment *at;
  uint32_t n, capacity;
};

struct dve_transition {
  struct span span, from, to;
  struct dve_exprs guard; /* all must hold */
  enum ir_sync sync;
  struct span sync_span, channel;
  struct dve_exprs values;
  struct dve_assignments effects;
};

struct dve_transitions {
  struct dve_transition *at;
  uint32_t n, capacity;
};

enum dve_accepts {
  DVE_ACCEPTS_BUCHI, /* or there is no section */
  DVE_ACCEPTS_GENBUCHI,
  DVE_ACCEPTS_MULLER,
  DVE_ACCEPTS_RABIN,
  DVE_ACCEPTS_STREETT
};

/* Sets of states in a row: of Büchi's kind one, which is not in `sets`; of pairs two each. */
struct dve_acceptance {
  enum dve_accepts kind;
  struct span span; /* the word that says so */
  struct dve_names_list states;
  struct {
    uint32_t *at; /* where each set ends */
    uint32_t n, capacity;
  } sets;
};

struct dve_process {
  struct span name;
  struct dve_variables variables;
  struct dve_names_list states, commits;
  struct span init; /* empty: none */
  struct dve_acceptance acceptance;
  struct dve_assertions assertions;
  struct dve_transitions transitions;
};

struct dve_processes {
  struct dve_process **at;
  uint32_t n, capacity;
};

struct dve_file {
  struct dve_variables variables;
  struct dve_channels channels;
  struct dve_processes processes;
  bool synchronous;
  struct span property; /* empty: none */
};

static inline bool dve_present(struct span span) {
  return span.begin < span.end;
}

#endif
