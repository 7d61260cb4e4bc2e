/* before.h - one action undone, while it is printed. Private to the files before*.c; read
 * before.c first.
 */
#ifndef CAIRN_NATIVE_EMIT_BEFORE_H
#define CAIRN_NATIVE_EMIT_BEFORE_H

#include "native/emit/emit.h"

#include "ir/undo_walk.h"

/* In the C code `s` is the state after the action, and `row` the one before, of which only
 * variables that were changed are there. `continue` ends what is tried.
 *
 * What one action takes at most: loops turned, in the code; bytes of code; elements of an array
 * of which one is written, and the C code looks at each. */
enum { BEFORE_TURNS = 1024, BEFORE_ROOM = 1 << 16, BEFORE_ELEMENTS = 64, BEFORE_SPACE = 64 };
enum { BEFORE_TABLES = 1 << 16 }; /* entries of all tables together */

/* The values of a variable, numbered from 0: a set of them is a word of 64 bits. */
struct before_space {
  enum { BEFORE_NEW, BEFORE_MANY, BEFORE_NUMBERED } state;
  uint32_t n;
  int32_t value[BEFORE_SPACE];  /* ascending */
  bool dense;                   /* they follow each other */
  bool has_values, has_numbers; /* tables of them were printed */
};

/* A slot that the action has changed, or an element of which C knows the index only. */
struct before_slot {
  uint32_t slot;                   /* the first one of the array, for an element */
  const struct ir_variable *array; /* not NULL: an element, */
  uint32_t index;                  /* whose index is in i%u, */
  const struct ir_expr *expr;      /* and is what this says until another store; or NULL */
  bool is_hole;
  bool is_constant; /* its value is `value`; else it is in the row */
  int32_t value;
  uint32_t loops; /* that were open when its value became known */
  bool checked;   /* against all that is known */
};

struct before_temporary {
  bool seen;
  char text[32]; /* its value, in C */
  const struct ir_type *type;
};

struct before_part { /* of a guard */
  const struct ir_expr *expr;
  bool done;
};

struct before {
  struct emit *e;
  const struct undo *u;
  const struct ir_action *action;
  const struct small_steps *steps;
  uint8_t *from;              /* a row with the locations that the movers come from */
  struct before_space *space; /* by variable of the shape */
  uint32_t *table;            /* by two numbers of pairs: 1 + what is known of it; 0: nothing */
  uint32_t entries, sets;     /* of tables that were printed, and tables of sets */
  struct emit_context in;
  struct {
    struct before_slot *at;
    uint32_t n, capacity;
  } changed;
  struct {
    struct before_part *at;
    uint32_t n, capacity;
  } part;
  struct before_temporary *temporary;
  uint32_t loops, names; /* open, and used */
  bool fails;            /* the compiler does not take this action */
  bool over;             /* what follows is never reached */
};

struct before_text { /* a short piece of C */
  char at[128];
};

/* ---- before_place.c: slots, and sets of values
 * ------------------------------------------------
 */

struct before_text before_cell(const struct before *, const struct before_slot *);
struct before_text before_cell_of(const struct before *, uint32_t slot);
void before_reject(struct before *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The entry of a slot, or NULL: it is not changed, as far as is known here. */
struct before_slot *before_find(const struct before *, uint32_t slot);
const struct before_space *before_space(struct before *, uint32_t slot);
/* Whether the values of this slot are numbered; else they are the same for all elements. */
bool before_is_numbered(struct before *, const struct before_slot *);
/* A set of values, as bits of the numbers in that space. */
uint64_t before_bits(const struct before_space *, const struct values *);
/* The number of a value, worked out in C; what is no value has any number below 64. */
struct before_text before_number(struct before *, uint32_t slot, const char *cell);
/* The value of that number. */
struct before_text before_value(struct before *, uint32_t slot, const char *number);
/* What a changed slot may have had before the first step, or `ever`. */
struct values before_values(const struct before *, const struct before_slot *, bool ever);
/* Rejects values of a C variable that are not in the set. */
void before_need(struct before *, const struct values *, const char *name, const char *unless);
/* `i3 != 2 && `: the slot is no element that is not known yet. */
struct before_text before_unless(const struct before *, uint32_t slot,
                                 const struct before_slot *mine);

/* ---- before_pairs.c
 * ---------------------------------------------------------------------------
 */

/* Rejects what does not go with the rest, once the value of the slot is known. */
void before_check(struct before *, struct before_slot *);
/* Cuts the C variable m%u, a set of values of the hole, to those that go with the rest. */
void before_cut(struct before *, const struct before_slot *, uint32_t set);
/* Whether what one hole has says nothing about the other one. */
bool before_is_apart(struct before *, const struct before_slot *, const struct before_slot *);

/* ---- before_inverse.c -----------------------------------------------------------------------
 */

/* Whether what is stored depends on one hole alone, and goes on with each value of it that
 * gives what was stored. */
bool before_invert(struct before *, const struct ir_expr *, const struct ir_type *,
                   const struct before_temporary *);

/* ---- before_guard.c
 * ---------------------------------------------------------------------------
 */

/* A hole in an expression; NULL: there is none. *certain: it is this one. */
struct before_slot *before_hole_in(const struct before *, const struct ir_expr *,
                                   bool *certain);
/* Goes on with each value of each hole that it depends on. */
void before_each(struct before *, const struct ir_expr *);
/* The hole is known from here on; what follows is inside of one more loop. */
void before_set(struct before *, struct before_slot *, const char *value);
void before_open(struct before *);
/* Whether the hole can be solved for, and that printed: then it is known. */
bool before_solve(struct before *, const struct ir_expr *, const char *want, uint32_t bits);
/* Rejects where `cut(expr) != want`. */
void before_compare(struct before *, const struct ir_expr *, const struct ir_type *first,
                    const struct ir_type *second, const char *want);
/* After the first step: guards, what is left of the holes, and counting. */
void before_begin(struct before *);

#endif
