/* ts.h - what a model is, for everything after the front ends.
 *
 * The one door between the two wings of the program: the language wing makes a
 * ts, the search wing uses it, and neither includes a header of the other.
 *
 * A ts is facts (the shape, constant data for reports and reductions) and
 * behaviour (the code, a table of functions). The rules every ts keeps:
 *   - states are byte strings; bytes that belong to nothing live are zero, so
 *     states compare and hash as bytes;
 *   - slots are little-endian, naturally aligned, and do not overlap;
 *   - the order of a state's events is the same under every compiler;
 *   - read and write sets may be too large, never too small: the decorator
 *     ts_check() tests this by running the model.
 * The code may be swapped (for a faster compilation of the same text) at any
 * time: callers fetch it with ts_code() once per expansion. Old code stays
 * callable as long as the ts lives.
 *
 * What is kept simple on purpose: one slot per array element, so that a read or
 * write set is a set of slots.
 */
#ifndef CAIRN_TS_TS_H
#define CAIRN_TS_TS_H

#include "ts/abi.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest state vector taken, in bytes. */
#define TS_MAX_BYTES 65536u

/* A relation, all rows in one array: row i is item[start[i]] to item[start[i+1]-1]. */
struct ts_rows {
  const uint32_t *start;
  const uint32_t *item;
};

struct ts_range { /* n slots from `first` on */
  uint32_t first, n;
};

struct ts_place { /* a place in the user's text; file NULL: none */
  const char *file;
  uint32_t line, column;
};

struct ts_variable { /* a variable, array, control location or channel part */
  const char *name;  /* qualified: "P_0.j" for a local, "P_0" for a location */
  uint32_t component;
  uint32_t first_slot, n_slots;
  bool is_array, is_location;
  bool is_hidden; /* not shown to people: the model prints its states itself */
  /* How an element is written, with "[]" for each index ("r[].in.a[]"), and how many values
   * each index has; NULL: the name and one index. */
  const char *element;
  const uint32_t *extent;
  bool is_channel;           /* its values are numbers of channels */
  uint32_t channel;          /* it holds messages of notes->channel[channel - 1]; 0: of none */
  const char *const *values; /* names of the values, or NULL */
  uint32_t n_values;
  const char *type; /* as the language names it */
  struct ts_place place;
  /* Where processes come and go, frames overlap: the variable is there only while slot
   * `given` has a value from given_least to given_most; given_most 0: always. */
  uint32_t given, given_least, given_most;
};

struct ts_slot { /* one number in the state vector */
  uint32_t variable, index;
  uint32_t offset; /* first byte in the vector */
  uint8_t bytes;   /* 1, 2 or 4 */
  uint8_t bits;    /* that its range needs, 0 to 8 * bytes; the others are zero,
                    * or for a signed slot copies of the sign */
  bool is_signed;
};

struct ts_component { /* globals, a process, a channel */
  const char *name;
  uint32_t first_slot, n_slots;
  uint32_t offset, bytes;
};

struct ts_mover {        /* one process's part of an action */
  uint32_t component;    /* who moves; TS_NONE: nobody in particular */
  const char *name;      /* of who moves; NULL: the component's */
  const char *from, *to; /* control locations, or NULL */
  const char *text;      /* the statement on one line */
  struct ts_place place;
};

struct ts_action {
  uint32_t n_movers; /* 2 for a handshake, n for a synchronous step */
  const struct ts_mover *mover;
};

enum ts_property_kind {
  TS_PROPERTY_ASSERTION,
  TS_PROPERTY_INVARIANT,
  TS_PROPERTY_CLAIM,  /* of a product: a claim has come to its end */
  TS_PROPERTY_FORMULA /* of a product: whatever follows, a formula is violated */
};

struct ts_property { /* must hold in every state */
  enum ts_property_kind kind;
  const char *text;
  struct ts_place place;
};

/* A condition that claims ask about; false is no error. */
struct ts_atom {
  const char *text;
};

struct claim;
struct claim_part;

/* What the user wants to know of each state: a number. */
struct ts_measure {
  const char *text;
  int64_t least, most; /* that it can be */
};

struct ts_fault {
  const char *message; /* one sentence without the place */
  struct ts_place place;
  bool is_trace;     /* a trace of the model is violated: an assertion of another name */
  bool is_exclusive; /* a channel is used that another process claims: a model error likewise */
};

/* A statement of the model, for what was never reached: that of all instances. */
struct ts_statement {
  const char *process, *text; /* the template's name */
  struct ts_place place;
  struct ts_place called; /* of an inlined text: where it is called, */
  const void *call;       /* and which call that is */
  bool is_plain;          /* an else, a skip, a jump: there is nothing to say of it */
  bool is_end;            /* the end of the process */
  bool is_first;          /* control is there from the beginning */
  uint32_t from, to;      /* places of control, numbered over all templates */
  uint32_t starts;        /* the place where a process begins that it runs, or TS_NONE */
};

struct ts_print {     /* what a print statement prints */
  const char *format; /* conversions d u x o c, and e: the name of a symbol */
  struct ts_place place;
};

struct ts_field { /* of a message */
  uint32_t n_values;
  const char *const *values; /* names of the values, or NULL */
  bool is_channel;           /* the values are numbers of channels */
  bool is_signed;
  uint8_t bits; /* to which values are cut when they are sent */
};

/* The n-th one that is there in a state is channel number n. */
struct ts_channel {
  const char *name; /* "c[1]", or "P[2]:c" of a process's own */
  uint32_t capacity, n_fields;
  const struct ts_field *field;
  /* Only with a capacity: its slots in a row; that of the number of messages; per field that
   * of the oldest message, after which the next ones follow. */
  uint32_t first, n_slots, count;
  const uint32_t *cells;
  uint32_t given, given_least, given_most; /* as of a variable */
};

struct ts_control;
struct ts_explain;
struct ts_facts;
struct ts_shape;

/* How a model prints what its shape cannot say; a NULL function: as the shape says. */
struct ts_words {
  const struct ts_shape *shape; /* the model's own: whose slots, events and states these know */
  /* The value of a slot in a state. */
  void (*value)(const struct ts_shape *, uint32_t slot, const uint8_t *state, char *text,
                size_t size);
  /* What an event does in a state, in place of the text of its action. */
  void (*event)(const struct ts_shape *, struct ts_event, const uint8_t *state, char *text,
                size_t size);
  /* A whole state, in lines, to be shown beside the values of its variables. */
  void (*state)(const struct ts_shape *, const uint8_t *state, char *text, size_t size);
};

/* What only models of some languages have to tell, for reports. */
struct ts_notes {
  const struct ts_words *words;     /* or NULL */
  const struct ts_explain *explain; /* ts/explain.h, or NULL */
  const char *const *unasked;       /* names of claims that were not taken from the text */
  uint32_t n_unasked;
  uint32_t n_asserts;               /* assertions in the text */
  bool has_accepting, has_progress; /* labels, in processes of the system */
  uint32_t n_places;                /* of control, in statements */
  uint32_t n_statements, n_prints, n_channels, n_symbols;
  const struct ts_statement *statement; /* for ts_batch.reached */
  const struct ts_print *print;
  const struct ts_channel *channel;
  const char *const *symbol; /* [value]: or NULL */
};

struct ts_shape {
  const char *name;       /* of the model: its file name */
  uint64_t model_hash;    /* of text and options that change its meaning */
  uint32_t max_bytes;     /* longest vector */
  bool fixed_length;      /* all vectors have max_bytes bytes */
  bool deadlock_is_error; /* unless the user says otherwise */
  bool has_ends;          /* states may end properly: a deadlock is an invalid end state */
  const char *const *unchecked; /* properties of the model that are not checked yet */
  uint32_t n_unchecked;
  uint32_t n_initial;
  /* The model is laid out for this many processes; 0: as it does by itself. An event that would
   * need more is the model error no_place - 1 (no_place 0: there is none such), and says
   * nothing about the model, only that it has to be laid out for more. */
  uint32_t places, no_place;
  uint32_t n_variables, n_slots, n_components, n_actions, n_properties, n_faults, n_truncations;
  uint32_t most_events;       /* bound on one state's events, or TS_NONE: none known */
  uint32_t most_predecessors; /* the same of events that lead to it; 0: none known */
  const struct ts_variable *variable;
  const struct ts_slot *slot;
  const struct ts_component *component;
  const struct ts_action *action;
  const struct ts_property *property;
  const struct ts_fault *fault;
  const struct ts_place *truncation; /* assignments that may cut a value */
  const struct ts_notes *notes;      /* NULL: none; see ts_notes() */
  uint32_t n_measures;
  const struct ts_measure *measure; /* for ts_code.measure */
  uint32_t n_atoms;
  const struct ts_atom *atom; /* for ts_code.letter */
  uint32_t n_changes;
  struct ts_rows changes; /* for ts_code.change: the slots that each may write */
  uint32_t n_claims;
  const struct claim *claim;      /* what the model says of its infinite runs; see ts/claim.h */
  uint32_t n_marks;               /* of a product: for ts_code.marks, at most 64 */
  const struct claim *product_of; /* the claim that runs in it; NULL: this is no product */
  const struct claim_part *claim_part; /* of that, by its state: ts/claim_parts.h */
  /* What an action's guard and effect may look at and change. An item below n_slots is that
   * slot, any other one all slots of a group: groups are shared, so that sets stay short where
   * arrays are long or processes many. Group g is group[group_start[g]] to
   * group[group_start[g+1]-1], ascending, without overlaps. See ts/sets.h. */
  struct ts_rows reads, writes;
  /* Of each action the words of eight bytes that it may change, ascending; start NULL: they are
   * not listed. Where rows are long, this is far less than the words of its components. */
  struct ts_rows words;
  uint32_t n_groups;
  const uint32_t *group_start;
  const struct ts_range *group;
  const struct ts_facts *facts;     /* ts/facts.h, the same */
  const struct ts_control *control; /* ts/control.h, where it was asked for; NULL: not known */
};

/* The notes of a shape, or empty ones. */
static inline const struct ts_notes *ts_notes(const struct ts_shape *shape) {
  static const struct ts_notes none;
  return shape->notes == NULL ? &none : shape->notes;
}

struct ts {
  const struct ts_pieces *pieces; /* first, see abi.h; NULL: there are none */
  const struct ts_shape *shape;
  _Atomic(const struct ts_code *) code;
  const void *self; /* for decorators and models written in C */
  /* The one around the model that remembers something of the states that it was asked about
   * (ts/unmatched.h): a search begins with nothing. NULL: there is none. */
  struct ts *remembers;
};

static inline const struct ts_code *ts_code(const struct ts *ts) {
  return atomic_load_explicit(&ts->code, memory_order_acquire);
}

/* Stride of rows for this shape: max_bytes rounded up to 8. */
static inline uint32_t ts_stride(const struct ts_shape *shape) {
  return (shape->max_bytes + 7u) & ~7u;
}

/* Copies a state into a row of the stride, whose other bytes become zero. */
void ts_copy(const struct ts_shape *, uint8_t *row, const uint8_t *state, uint32_t length);

/* The value of a slot in a state. */
int64_t ts_value(const struct ts_slot *, const uint8_t *state);

/* Writes the lowest bytes of a value, as a slot of so many keeps it. */
static inline void ts_write(uint8_t *at, uint32_t bytes, uint32_t value) {
  for (uint32_t i = 0; i < bytes; i++)
    at[i] = (uint8_t)(value >> (8 * i));
}

/* The name of a slot: of its variable, or of its element of the array; cut to `size`. */
void ts_slot_name(const struct ts_shape *, uint32_t slot, char *text, size_t size);

/* Whether a slot belongs to something that is there in this state. */
bool ts_is_there(const struct ts_shape *, uint32_t slot, const uint8_t *state);

/* The channel that has this number in a state: an index, or TS_NONE. */
uint32_t ts_channel_numbered(const struct ts_shape *, int64_t number, const uint8_t *state);

/* Whether a state without events is a proper end. */
bool ts_ends(const struct ts *, const uint8_t *state, uint32_t length);

/* Fires exactly one event into *edge and `row` (stride bytes). False if it is
 * not enabled in that state. */
bool ts_fire(const struct ts *, const uint8_t *state, uint32_t length, struct ts_event,
             struct ts_edge *edge, uint8_t *row);
/* The same, and shows what happens inside (NULL: nothing). */
bool ts_fire_traced(const struct ts *, const uint8_t *state, uint32_t length, struct ts_event,
                    struct ts_edge *edge, uint8_t *row, struct ts_trace *);

#endif
