/* joins.h - in which order the variables of a transition are bound.
 *
 * A binding is found by joining what is known: the possible colours of the input places,
 * and the condition. A plan begins with one row of one input arc, matched with one colour,
 * and lists what is done next; each step uses what is bound by then. It is the plan of a
 * join in a database, made once for each row that may come last.
 */
#ifndef CAIRN_LANG_PNML_JOINS_H
#define CAIRN_LANG_PNML_JOINS_H

#include "lang/pnml/colours.h"
#include "lang/pnml/symmetric.h"

/* A row of an input arc that asks for one token at least. */
struct joins_atom {
  uint32_t place;
  const struct symmetric_cell *cell;
};

enum joins_kind {
  JOINS_JOIN,   /* match `atom` with each colour that `index` finds */
  JOINS_CHECK,  /* go on if `condition` holds */
  JOINS_ASSIGN, /* the condition says that a variable's cell equals what is known */
  JOINS_EACH    /* try all values of cell `variable` */
};

struct joins_step {
  enum joins_kind kind;
  uint32_t atom, index, variable;
  const struct symmetric_condition *condition;
  bool is_left; /* ASSIGN: the variable is on the left */
};

struct joins {
  uint32_t start; /* an atom; or JOINS_NO_ATOM */
  struct joins_step *at;
  uint32_t n, capacity;
};

#define JOINS_NO_ATOM 0xFFFFFFFFu

struct joins_transition {
  const struct symmetric_transition *transition;
  struct {
    struct joins_atom *at;
    uint32_t n, capacity;
  } atom;
  struct { /* the condition, cut at its ands */
    const struct symmetric_condition **at;
    uint32_t n, capacity;
  } conjunct;
};

/* Finds atoms and conjuncts. */
void joins_open(struct joins_transition *, struct arena *, const struct symmetric_transition *);
/* The plan that begins with this atom, or with none. Announces its indices. */
void joins_make(struct joins *, const struct joins_transition *, struct colours *,
                uint32_t start);

#endif
