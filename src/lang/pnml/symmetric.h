/* symmetric.h - a symmetric net as it is written: sorts, places, transitions, arcs.
 *
 * ISO/IEC 15909-2. A place/transition net is the symmetric net all of whose places have
 * the sort dot; there is no other difference from here on.
 *
 * Colours are tuples of cells. A cell is one value of a basic sort (an enumeration, a
 * range of integers); products are flattened to the cells of their parts, and a dot has
 * none. So a term is a row of cells, an inscription a sum of such rows, each with the
 * number of its tokens, and nothing after the reader knows how terms are nested:
 *
 *   2'(x, y++) + all      2 * [x, y + 1]  +  1 * [all, all]
 *
 * A difference is a sum in which some numbers are negative. What would be less than no
 * token is none.
 */
#ifndef CAIRN_LANG_PNML_SYMMETRIC_H
#define CAIRN_LANG_PNML_SYMMETRIC_H

#include "base/arena.h"
#include "base/diag.h"

/* The most cells of a colour, and the most variables' cells of a transition. */
#define SYMMETRIC_CELLS 64u

struct symmetric_sort {
  const char *id, *name;
  bool is_basic;
  uint32_t n_values;        /* of a basic sort */
  int64_t first;            /* value 0 of a range of integers as it is written; else 0 */
  const char *const *value; /* names of values; NULL: numbers */
  uint32_t n_cells;
  const struct symmetric_sort *const *cell; /* basic sorts; of a basic one itself */
  /* A partition gives each value of a basic sort the number of its part. */
  const struct symmetric_sort *parted;
  const uint32_t *part;
};

struct symmetric_variable {
  const char *id, *name;
  const struct symmetric_sort *sort;
};

enum symmetric_cell_kind { SYMMETRIC_CONST, SYMMETRIC_VARIABLE, SYMMETRIC_ALL };

struct symmetric_cell {
  enum symmetric_cell_kind kind;
  const struct symmetric_sort *sort; /* basic: of the value before `part` is asked */
  uint32_t value;                    /* CONST: it; VARIABLE: which of the transition's cells */
  uint32_t shift;                    /* VARIABLE: added, modulo the number of values */
  const struct symmetric_sort *part; /* the value means its part; NULL: for itself */
};

struct symmetric_row {
  int64_t count;
  struct symmetric_cell *cell; /* as many as the sort has */
};

struct symmetric_sum {
  const struct symmetric_sort *sort; /* NULL as long as nothing is known of it */
  struct symmetric_row *at;
  uint32_t n, capacity;
};

enum symmetric_condition_kind {
  SYMMETRIC_TRUE,
  SYMMETRIC_FALSE,
  SYMMETRIC_AND,
  SYMMETRIC_OR,
  SYMMETRIC_NOT,
  SYMMETRIC_IMPLY,
  SYMMETRIC_EQ,
  SYMMETRIC_NE,
  SYMMETRIC_LT,
  SYMMETRIC_LE,
  SYMMETRIC_GT,
  SYMMETRIC_GE
};

/* Comparisons are of rows, n_cells long; an order only of rows of one cell. */
struct symmetric_condition {
  enum symmetric_condition_kind kind;
  const struct symmetric_condition *a, *b;
  uint32_t n_cells;
  const struct symmetric_cell *left, *right;
  uint64_t uses; /* bit i: cell i of the transition's variables */
};

struct symmetric_place {
  const char *id, *name;
  struct span span;
  const struct symmetric_sort *sort;
  struct symmetric_sum initial;
};

struct symmetric_arc {
  uint32_t place;
  struct symmetric_sum sum;
};

struct symmetric_arcs {
  struct symmetric_arc *at;
  uint32_t n, capacity;
};

/* A variable takes as many cells of a transition as its sort has. */
struct symmetric_use {
  const struct symmetric_variable *variable;
  uint32_t first;
};

struct symmetric_transition {
  const char *id, *name;
  struct span span;
  const struct symmetric_condition *condition; /* NULL: none */
  struct symmetric_arcs in, out;
  struct {
    struct symmetric_use *at;
    uint32_t n, capacity;
  } use;
  uint32_t n_cells;
  const struct symmetric_sort *cell[SYMMETRIC_CELLS]; /* of the variables */
};

struct symmetric_net {
  struct arena *arena;
  const char *name;
  const struct source *source;
  uint32_t n_places, n_transitions;
  struct symmetric_place *place;
  struct symmetric_transition *transition;
};

/* Reads a net from the text of a PNML file. NULL if there were errors; they are in the
 * diag. */
struct symmetric_net *symmetric_read(struct arena *, struct diag *, const struct source *);

#endif
