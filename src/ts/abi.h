/* abi.h - the part of the door that compiled models see.
 *
 * This text is included by ts.h and, unchanged, put in front of every generated
 * model, so that the two can never disagree. There it includes nothing and
 * uses no name that a bare compiler lacks.
 */
#ifndef CAIRN_TS_ABI_H
#define CAIRN_TS_ABI_H

#define TS_ABI 14u /* raised on every change of this file */

#ifdef CAIRN_GENERATED
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#else
#include <stdint.h>
#endif

/* What happened: an action, and which of its outcomes. Also a position in the
 * fixed order of a state's events: ascending by action, then by choice. */
struct ts_event {
  uint32_t action, choice;
};

enum ts_fault_kind {
  TS_FINE,
  TS_ASSERTION,  /* the event broke an assertion; its successor exists */
  TS_MODEL_ERROR /* index, division, limit …: the row holds no state */
};

/* One successor: what led to it. Its state is row i of the batch. */
struct ts_edge {
  struct ts_event event;
  uint32_t length;  /* bytes of the state */
  uint16_t kind;    /* enum ts_fault_kind */
  uint16_t note;    /* free for the caller, 0 at first */
  uint32_t fault;   /* index into shape->fault, if kind is not TS_FINE */
  uint32_t source;  /* free for the caller: which state of a batch it came from */
  uint64_t changed; /* bit i: component i may differ; bit 63: any from 63 on */
};

struct ts_trace;

/* Room for successors: edge[i] describes the row at rows + i * stride. Rows are
 * aligned to 8 bytes, and bytes from the state's length to ts_stride() of the system that is
 * asked are zero. The stride may be more than that: what is between two rows is not touched. */
struct ts_batch {
  struct ts_edge *edge;
  uint8_t *rows;
  uint64_t stride;
  uint32_t n, capacity;
  uint64_t *truncated;    /* NULL, or a word for each assignment at shape->truncation: 0, or
                           * TS_CUT and the first value that was cut */
  uint8_t *reached;       /* NULL, or a byte per notes->statement: 1 when it has been done */
  uint8_t *endless;       /* the same: 1 when a run of steps without end passed there */
  struct ts_trace *trace; /* NULL, or where to tell what happens inside an event */
  /* NULL, or called now and then inside an event of very many steps: not 0 asks to stop. */
  int32_t (*tick)(void *context);
  void *context;
};

/* What happens inside one event, for people. Records of words: the kind, how many
 * words follow, those words. A step names the record of the step before it, so that
 * the way to the last one can be found from the end: the ways of other events of the
 * same action stand in between. What belongs to a step follows it. */
enum ts_trace_kind {
  TS_TRACE_STEP,    /* record of the step before or TS_NONE, action */
  TS_TRACE_SEND,    /* channel number, values … */
  TS_TRACE_RECEIVE, /* the same */
  TS_TRACE_PRINT    /* index into notes->print, arguments …, a bit for each that is unknown */
};

struct ts_trace {
  uint32_t *at;
  uint32_t n;        /* words that there are; those beyond the capacity are not written */
  uint32_t capacity; /* words that there is room for */
  uint32_t last;     /* record of the last step of the event that was told */
};

/* C text of the model, which is compiled apart, and how it is called: `struct ts` begins with a
 * pointer to this. Calls piece number `piece` for process `self`, whose frame is at `frame`,
 * where `live` processes live; it may change the row. Returns 0, with what the piece gives in
 * *value, or what went wrong: from 1 on, the crashes of base/guard.h, and then these. */
struct ts_pieces {
  uint32_t (*call)(const struct ts_pieces *, uint32_t piece, uint8_t *row, uint32_t frame,
                   uint32_t self, uint32_t live, int32_t *value);
};
enum { TS_PIECE_REFUSED = 6, TS_PIECE_STOPPED, TS_PIECE_ENDS };

struct ts;

/* What a compiled model exports, as `cairn_code`. All functions are pure: they
 * read their arguments and write only where they are told to. */
struct ts_code {
  uint32_t abi;

  /* Writes initial state `which` (row zeroed by the caller up to the stride);
   * returns its length. */
  uint32_t (*initial)(const struct ts *, uint32_t which, uint8_t *row);

  /* Appends the successors of `state` from *cursor on, leaving out the actions
   * in the bitmap `skip` (or NULL). Returns 0: all are out. Returns 1: the batch
   * is full; *cursor is the first event not yet out, call again with it. Returns 2:
   * out->tick asked to stop, and what was appended means nothing. The order never
   * varies. */
  int32_t (*successors)(const struct ts *, const uint8_t *state, uint32_t length,
                        struct ts_event *cursor, const uint64_t *skip, struct ts_batch *out);

  /* The first property (index into shape->property) from `from` on that does
   * not hold in `state`, or shape->n_properties. If working it out hit a model
   * error, *fault is the fault's index, else TS_NONE. */
  uint32_t (*violated)(const struct ts *, const uint8_t *state, uint32_t length, uint32_t from,
                       uint32_t *fault);

  /* The inner steps of an event that passes through states that are not stored:
   * writes up to `capacity` actions, returns how many there are. NULL: every
   * event is a single step. */
  uint32_t (*steps)(const struct ts *, const uint8_t *state, uint32_t length, struct ts_event,
                    uint32_t *action, uint32_t capacity);

  /* Whether a state without events is a proper end. NULL: none is. */
  int32_t (*ends)(const struct ts *, const uint8_t *state, uint32_t length);

  /* Marks, as in a batch, the cuts on the way to the initial state. NULL: none. */
  void (*initial_cuts)(const struct ts *, uint64_t *truncated);

  /* The value of shape->measure[which]; 0 where working it out hits a model error. NULL:
   * there is none. */
  int32_t (*measure)(const struct ts *, const uint8_t *state, uint32_t length, uint32_t which);

  /* Which of shape->atom[first] to [first + n - 1] hold in a state: bit i is the atom first +
   * i. *fault: of one whose value cannot be worked out, which does not hold, else TS_NONE.
   * NULL: there are no atoms. */
  uint64_t (*letter)(const struct ts *, const uint8_t *state, uint32_t length, uint32_t first,
                     uint32_t n, uint32_t *fault);

  /* Does shape->changes number `which` in place: what a claim does to its own variables.
   * Returns TS_NONE, or the fault that it hit. NULL: there are no changes. */
  uint32_t (*change)(const struct ts *, uint8_t *state, uint32_t length, uint32_t which);

  /* The marks of an event that is enabled in this state: a cycle that has each of the
   * shape->n_marks is an error. NULL: cycles are none. */
  uint64_t (*marks)(const struct ts *, const uint8_t *state, uint32_t length, struct ts_event);

  /* The state that this event led from to this one, into a row of the stride: returns its
   * length, or 0 if the event cannot have led here, or TS_NONE if it can have led here from
   * several states, or that cannot be told. It need not be a state that can be reached; of
   * those that are none is left out. NULL: events of this model cannot be undone. */
  uint32_t (*undo)(const struct ts *, const uint8_t *state, uint32_t length, struct ts_event,
                   uint8_t *row);

  /* Going backward; all three or NULL: this model cannot.
   *
   * Every event that leads from some state to this one, once for each state that it leads from:
   * appends rows of these states, with the event, from *cursor on, which is {0, 0} at first.
   * Returns 0: all are out. 1: the batch is full, call again with *cursor. 3: that cannot be
   * told of this state, and what was appended means nothing. The states need not be reachable;
   * of those that are none is left out. */
  int32_t (*predecessors)(const struct ts *, const uint8_t *state, uint32_t length,
                          struct ts_event *cursor, struct ts_batch *out);
  /* How many rows that are, at the price of counting, of a state that is reachable; of others
   * any number may come: what holds in all states that are reachable is not looked at. TS_NONE:
   * that cannot be told, which need not be of the same states as above. Of a state to which two
   * events lead from the same state, both are counted. */
  uint32_t (*n_predecessors)(const struct ts *, const uint8_t *state, uint32_t length);
  /* As predecessors(), but no state is left out that the types of the variables have room for,
   * reachable or not. May take long. Of models whose processes come and go the same as
   * predecessors(). */
  int32_t (*all_predecessors)(const struct ts *, const uint8_t *state, uint32_t length,
                              struct ts_event *cursor, struct ts_batch *out);
  /* For the use of n_predecessors: the same of those actions that the compiled code counts
   * itself. NULL: none. */
  uint32_t (*n_compiled)(const struct ts *, const uint8_t *state, uint32_t length);
};

#define TS_NONE 0xFFFFFFFFu
#define TS_CUT  (1ull << 32) /* beside 32 bits of a value */

#endif
