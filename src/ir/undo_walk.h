/* undo_walk.h - one action while it is undone. Private to this folder; see undo.c.
 */
#ifndef CAIRN_IR_UNDO_WALK_H
#define CAIRN_IR_UNDO_WALK_H

#include "ir/apart.h"
#include "ir/bounds.h"
#include "ir/holes.h"
#include "ir/pairs.h"

/* For one hole that an index or a calculation depends on: values; and for one action: values of
 * all these together, rows that are tried, values that holes are filled with at its beginning,
 * and temporaries. All but the last are more where nothing is left out: a variable of 16 bits,
 * or two of eight. */
enum {
  UNDO_MOST_VALUES = 4096,
  UNDO_MOST_TRIED = 16384,
  UNDO_MOST_TRIES = 256,
  UNDO_MOST_FILLED = 1024,
  UNDO_MOST_TEMPORARIES = 256,
  /* Steps of one event, and steps that are undone for one last step; words of a trace. */
  UNDO_MOST_STEPS = 128,
  UNDO_MOST_WORK = 4096,
  UNDO_MOST_FIRED = 64, /* at a time */
  UNDO_SEEN_WORDS = 1 << 15,
  UNDO_SEEN_PLACES = 1 << 11,
  UNDO_MOST_FIELDS = 32,
  UNDO_ROOM_TEMPORARIES = 1024,
  UNDO_PATIENCE = 16
};

/* Of a model with instances. */
struct undo_seats {
  const struct apart *apart;
  const struct small_steps *start; /* by process: what it does to itself when it begins */
  const bool *is_long;             /* by action: an event may be more than it */
  const bool *rests;               /* by action: a state may be stored where it begins, */
  const bool *goes_on;             /* and it never is where the action ends; */
  const bool *follows;             /* its process may have had control there already */
  const uint32_t *hidden;          /* slots that are zero in every state */
  uint32_t n_hidden;
  bool any_long;
};

/* Rows of one state, with what they were seen for: a table by hash. */
struct undo_seen {
  uint32_t n;
  uint32_t place[UNDO_SEEN_PLACES]; /* number of a record, from 1 on */
  uint64_t record[UNDO_SEEN_WORDS]; /* what for, the row, and its holes */
};

struct undo {
  const struct ir_model *model;   /* without instances */
  const struct undo_seats *seats; /* NULL: it never had any */
  const struct ir_actions *actions;
  const struct ts_shape *shape;
  const struct small_steps *steps; /* by action */
  const struct bounds *bounds;
  const struct pairs *pairs; /* NULL: not known */
  const uint32_t *first;     /* by process: its locations in `start` */
  const uint32_t *start; /* by location: where the actions that lead there begin in `order` */
  const uint32_t *order;
  bool is_plain;     /* an action is done wherever its guards hold, and no step fails */
  uint32_t patience; /* so many times as many values as said above, and its square of rows */
  const struct undo *all; /* the same, but that nothing is known of what can be reached */
  bool *compiled;         /* by action: what is before it is counted by compiled code; */
  bool has_rest;
  const uint32_t *rest_start, *rest; /* as `start` and `order`, without these */
};

struct temporary {
  int32_t value;
  bool known;
  const struct ir_type *type; /* it was cut to */
};

/* A message that a receive has taken, and nobody has sent yet. */
struct undo_offer {
  const struct ir_channel *is; /* its channel; NULL: there is none */
  uint32_t receiver;           /* its slot */
  struct temporary value[UNDO_MOST_FIELDS];
};

struct walk {
  struct holes row;
  const struct undo *u;
  const struct ts *ts;
  const uint8_t *after;
  uint32_t length;
  uint8_t *fired, *now; /* room; what pairs_read() says of the state */
  struct temporary *temporary, *all_temporaries;
  const struct small_steps *steps;
  uint32_t action;
  uint32_t skip, n;     /* rows of this action to leave out, and found so far */
  uint32_t tries;       /* rows of this action that were tried, */
  uint64_t filled;      /* and values that holes were filled with, at the beginning of it */
  uint64_t tried;       /* and within it */
  struct ts_batch *out; /* NULL: they are only counted */
  bool full, cannot;
  /* Undoes the steps before number k, the last one first. */
  void (*undo_before)(struct walk *, uint32_t k);
  /* Where there are instances: the steps of the event, the last one first. */
  uint32_t path[UNDO_MOST_STEPS], n_path, work, n_temporaries;
  struct undo_seen *seen;
  uint64_t *others;            /* all actions, as the skip of ts_code.successors */
  void (*then)(struct walk *); /* when all of the steps in hand are undone; NULL: begin */
  const struct undo_born *born;
  struct undo_offer offer;
  struct ts_event event; /* that was found */
  uint32_t before;       /* how long the state before is */
  const struct ts_event *only;
};

static inline bool undo_is_over(const struct walk *w) {
  return w->full || w->cannot || w->row.spent;
}

/* Whether a hole within the action is to have each of these; else it cannot be told. */
static inline bool undo_may_try(struct walk *w, const struct values *values) {
  const uint64_t n = values_count(values), patience = w->u->patience;
  w->tried += n;
  w->cannot |= n > patience * UNDO_MOST_VALUES || w->tried > patience * UNDO_MOST_TRIED;
  return !w->cannot;
}

/* All steps are undone: finds the rows that lead to the state. */
void undo_begin(struct walk *);

typedef void undo_again(struct walk *, uint32_t k, uint32_t argument);
/* Something depends on a hole: goes on with each value that it may have. */
void undo_with_each(struct walk *, const struct ir_expr *, undo_again *go_on, uint32_t k,
                    uint32_t argument);

/* Fills holes for which a part of a guard has only one value; false: a part does not hold. */
bool undo_holds(struct walk *, const struct ir_expr *);

/* ---- with instances ---------------------------------------------------------------- */

/* Makes what is needed; false: there are too many actions. */
bool undo_open_seats(struct undo *, const struct ir_model *, const struct ir_actions *,
                     const struct ts_shape *);
/* Where the actions that may have been the last of a process are in `start`; the number of its
 * locations: it has just come to its end. TS_NONE: it does not live. */
uint32_t undo_where(const struct walk *, uint32_t process);
/* Undoes all events whose last step is the action. */
void undo_last(struct walk *, uint32_t action);
/* Undoes these steps, with temporaries that nobody else has. */
void undo_with_room(struct walk *, const struct small_steps *);
/* Whether the row was not seen yet for that; there is too much to remember: w->cannot. */
bool undo_is_new(struct walk *, uint32_t what_for);
/* Looks whether the row leads to the state. */
void undo_fire_seats(struct walk *);
/* A row that leads to the state, by w->event. */
void undo_found(struct walk *);

uint32_t undo_live(const struct walk *);
/* Whether the process of that seat is there in the row. */
bool undo_lives(const struct walk *, uint32_t process);

void undo_operate(struct walk *, uint32_t k, uint32_t unused);
void undo_run(struct walk *, uint32_t k);
void undo_end(struct walk *, uint32_t k);

#endif
