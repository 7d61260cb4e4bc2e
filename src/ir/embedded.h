/* embedded.h - C text in a model.
 *
 * The text is the user's, and is compiled apart from ours (native/pieces.c), with the headers
 * and the library of the system. It sees variables of the model as members of C structures:
 * before a piece is called, those that it names are copied there from the state, and after it
 * they are copied back, cut to their types. Memory of its own is shared by all states, unless
 * it is tracked: then it is copied in the same way, whatever the piece names.
 *
 * What C keeps in the state (a member of its own, or a copy of tracked memory) is a variable of
 * bytes, whose length and initial values only the compiled text can say.
 */
#ifndef CAIRN_IR_EMBEDDED_H
#define CAIRN_IR_EMBEDDED_H

#include "ir/types.h"

/* A part of the text outside of processes. */
struct ir_part {
  const char *text;
  struct span span; /* without source: not the user's */
};

/* One scalar of a variable, or some elements in a row, as a member in C. */
struct ir_view {
  struct ir_variable *variable;
  uint32_t number; /* of the views */
  uint32_t first, n;
  bool is_row;      /* the member is an array of n */
  bool is_opaque;   /* C's own: n is all of it, once the length is known */
  bool is_always;   /* copied whatever a piece names, since functions outside may use it */
  const char *path; /* now.a[1].b */
  const char *root; /* its first member */
};

/* Bytes that C keeps in the state. */
struct ir_kept {
  struct ir_variable *variable;
  struct span span;
  const char *declaration, *initial; /* a member, and an expression or NULL; or */
  const char *address, *bytes;       /* memory that is tracked, and how much of it */
  bool is_unmatched;                 /* states that differ in it alone are the same */
};

struct ir_piece {
  uint32_t number;
  struct span span;
  const char *text;
  const char *precondition; /* NULL: none; else a model error where it is 0 */
  bool is_expression;
  const struct ir_process *process; /* whose variables it may name; NULL: none */
  uint32_t n_views;
  struct ir_view *const *view; /* what it may read and, if it is no expression, write */
};

struct ir_embedded {
  struct {
    struct ir_part *at;
    uint32_t n, capacity;
  } parts;
  struct {
    struct ir_view **at;
    uint32_t n, capacity;
  } views;
  struct {
    struct ir_kept *at;
    uint32_t n, capacity;
  } kept;
  struct {
    struct ir_piece **at;
    uint32_t n, capacity;
  } pieces;
  struct {
    const char **at;
    uint32_t n, capacity;
  } starts;     /* statements that are done once, before all else */
  void *loaded; /* native/pieces.c: the compiled text; NULL: not yet */
};

#endif
