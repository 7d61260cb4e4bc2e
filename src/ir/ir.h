/* ir.h - the checked model: a network of extended finite automata.
 *
 * Every input language lowers to this, and everything after it (layout, read
 * and write sets, generated code, reports) is written once. A model is process
 * templates, instances of them, typed variables and channels. A template has
 * control locations and edges; an edge has a guard, at most one channel
 * operation and a list of effects, in that order of evaluation.
 *
 * Built by a front end that has already resolved names and checked types: the
 * passes report no user errors. All of it lives in one arena.
 *
 * Where languages differ, the difference is data, not a mode: DVE's buffered
 * channels do their operation after the effects (`late`), its committed
 * locations are a location flag. Promela's instances come and go, its atomic
 * sequences are a flag on edges, d_step one on locations, its channels are
 * values; a model that uses none of this pays nothing for it.
 *
 * Instances. Each live process has a number: the initial ones from 0 in the
 * order of model->active, new ones the count of live processes, since only the
 * youngest process can go (IR_ENDS). Process number n lives in slot n of the
 * vector. DVE: each process once, permanently.
 *
 * Sequences of steps. Where an edge has IR_KEEPS, its process keeps control after it:
 * no other process moves, and the state between is not stored; if it then has
 * no executable edge, the state is stored after all and everybody may move. A
 * rendezvous send is followed at once by a receive of another process, whose
 * edge decides by its own IR_KEEPS who has control then. At a location with
 * IR_IN_DSTEP the first executable edge is taken, without alternatives; none
 * is a model error. An event is one whole sequence, from a stored state to the next.
 */
#ifndef CAIRN_IR_IR_H
#define CAIRN_IR_IR_H

#include "ir/types.h"
#include "ts/claim.h"

/* ---- processes -------------------------------------------------------------- */

enum ir_location_flag {
  IR_COMMITTED = 1, /* while some process is here, only processes at such locations move */
  IR_ACCEPTING = 2,
  IR_PROGRESS = 4,
  IR_VALID_END = 8, /* a process may stay here permanently */
  IR_IN_DSTEP = 16, /* never stored: see above */
};

struct ir_location {
  const char *name;
  struct span span;
  unsigned flags;
};

/* target = value; the value is cut to the target's type. Effects are done in
 * order, each seeing the ones before it; the mover's location has changed before
 * the first.
 *
 * A handshake: both guards, sender's first; all sent values, in the old state;
 * their assignment to the receiver's targets, in order; then the receiver moves
 * and does its effects, then the sender. Operations on buffered channels come
 * before the move, or after the effects if `late`. A synchronous system ignores
 * channel operations. */
enum ir_effect_kind {
  IR_ASSIGN,
  IR_ASSERT, /* value must not be 0: a fault, and the event goes on */
  IR_PRINT,  /* text, arguments */
  IR_RUN,    /* a new instance of `process` with `arguments`, of priority `value` (NULL: 1);
              * its number to `target` if
              * there is one. With IR_MAX_LIVE processes: model error */
  IR_C_CODE, /* C text, `piece`: may read and write all that it names (ir/embedded.h) */
  IR_SET_PRIORITY /* of process number argument[0], if it is there, to value; out of 1 to 255:
                   * model error */
};

struct ir_effect {
  enum ir_effect_kind kind;
  struct span span;
  struct ir_expr *target; /* VARIABLE, ELEMENT or FOREIGN */
  struct ir_expr *value;
  const char *text; /* PRINT: the format, escapes resolved, conversions d u x o c, and e for
                     * a symbol by its name */
  struct ir_process *process;
  const struct ir_piece *piece;
  uint32_t n_arguments;
  struct ir_expr *const *argument;
};

#define IR_MAX_LIVE 255u

/* Most templates of a model with instances: one byte says which, and 0 that nobody is there. */
#define IR_MAX_TEMPLATES 254u

/* Most channels at a time where channels are values. */
#define IR_MAX_CHANNELS 255u

enum ir_sync { IR_NO_SYNC, IR_SEND, IR_RECEIVE };

enum ir_edge_flag {
  IR_KEEPS = 1, /* the process keeps control afterwards */
  IR_ENDS = 2,  /* the end of the process: executable if it is the youngest; then it is gone */
};

struct ir_edge {
  struct span span;      /* the whole transition */
  uint32_t from, to;     /* locations */
  struct ir_expr *guard; /* NULL: true */
  enum ir_sync sync;
  struct ir_channel *channel;
  uint32_t n_values; /* sent expressions, or targets of a receive: 0 or channel->n_fields */
  struct ir_expr *const *value;
  bool late;                            /* buffered: the operation follows the effects (DVE) */
  const struct ir_operation *operation; /* on a channel given by number, or NULL; then no
                                         * sync */
  unsigned flags;                       /* enum ir_edge_flag */
  const char *shown;                    /* the statement, where the span has more; or NULL */
  struct span called;                   /* of inlined text: where it is called, */
  const void *call;                     /* and which call that is; for reports */
  uint32_t escape; /* 0, or the number of an escape sequence: edges of a location are tried
                    * in order, and once one with a number was executable, those with
                    * another number are not */
  uint32_t n_effects;
  const struct ir_effect *effect;
};

/* A statement that no way leads to, for reports. */
struct ir_dead {
  struct span span, called; /* as of an edge */
  const void *call;
  bool is_end;
};

struct ir_process {
  const char *name;
  struct span span;
  uint32_t index; /* in model->process */
  uint32_t n_variables, n_locations, n_edges;
  struct ir_variable **variable;
  const struct ir_location *location;
  const struct ir_edge *edge;  /* in the order of the text */
  const struct ir_edge *plain; /* the same as the front end made them, where `edge` are reduced
                                * ones (ir_unreduce()); NULL: they are not */
  uint32_t n_dead;
  const struct ir_dead *dead;
  uint32_t initial;              /* location */
  uint32_t n_parameters;         /* the first ones of its variables */
  uint32_t n_starts;             /* what an instance does to itself when it is made, after */
  const struct ir_effect *start; /* initial values, arguments and channels */
  uint32_t n_cleared;            /* the last of these were added by ir_clear_dead() */
  struct ir_expr *provided;      /* no edge is executable while this is 0; NULL: always */
  int32_t priority;              /* of the initial instances; those that are run begin with 1 */
  bool is_property;              /* an automaton over the others: takes no part in the system */
  bool accepts;                  /* runs, by more than locations with IR_ACCEPTING */
  /* filled by ir_layout(): */
  uint32_t component, location_offset, location_slot, location_bytes;
  /* Of a model with instances: offsets (of variables and owned channels too) count from
   * the beginning of the frame, slots and variables are those of the template's first
   * seat; another seat's are as far from its first ones. */
  uint32_t frame_bytes, frame_slot, frame_variable;
  uint32_t priority_offset; /* one byte, if the model uses priorities */
  uint32_t n_seats, n_own_channels;
  bool can_end; /* has an edge to its end that its control can reach */
};

/* An edge as the front end made it, for reports. */
static inline const struct ir_edge *ir_plain_edge(const struct ir_process *p, uint32_t i) {
  return p->plain != NULL ? &p->plain[i] : &p->edge[i];
}

/* What may be known of a value before the model runs. */
struct ir_value {
  int32_t at;
  bool known;
};
static const struct ir_value ir_unknown = {0, false};

/* Where process number n lives: slot n of the vector, at a fixed place. Templates that
 * may sit there overlap; where there is more than one, the first byte of the frame says
 * which (index in model->process + 1; 0: nobody). */
struct ir_seat {
  struct ir_process *process;
  const struct ir_value *argument; /* what its parameters begin with; NULL: nothing is known */
  uint32_t first_slot, first_variable; /* of this frame, in the shape */
  uint32_t first_action;               /* filled by ir_actions() */
};

struct ir_slot {
  uint32_t n_seats;
  struct ir_seat *seat;
  uint32_t offset, bytes, component;
  uint32_t tag_slot; /* TS_NONE: one seat */
};

/* Must hold in every state. */
struct ir_property {
  struct span span;
  const char *text;
  bool is_assertion; /* else an invariant of the command line */
  struct ir_expr *condition;
};

struct ir_names {
  const char **at;
  uint32_t n, capacity;
};

struct ir_claims {
  struct claim *at;
  uint32_t n, capacity;
};

/* A trace: an automaton that moves by the messages of some channels, whoever sends or receives
 * them. Each message that it is about has to fit one edge of where it is; if it is negated, its
 * end must not be reached, and a message that fits no edge is the end of its interest. */
enum { IR_TRACE_RECEIVES = 1, IR_TRACE_SENDS = 2 };

struct ir_trace_edge {
  uint32_t from, to;
  bool any; /* fits every message */
  bool is_send;
  uint32_t channel, n_values; /* its number; the values that are compared, from the first on */
  struct ir_expr *const *value; /* over globals; NULL: any */
};

struct ir_trace {
  struct span span;
  const char *message;    /* of its violation */
  struct ir_variable *at; /* a global: where it is */
  bool negated;
  uint32_t over; /* its end: no edge leads on */
  uint32_t n_edges;
  const struct ir_trace_edge *edge; /* by `from` */
  uint32_t n_channels;              /* numbers below this one are in `watched` */
  const uint8_t *watched;           /* what it is about: sends, receives */
};

/* Exclusive use of channels (Promela's xr and xs). A process may claim that as long as it lives
 * nobody else receives from a channel, or sends to it; who asks for what is in it does both.
 * Where a channel is used although another process claims that use, that is a model error,
 * whether or not the step could be done. */
enum ir_use { IR_RECEIVES = 1, IR_SENDS = 2 };

struct ir_exclusive_claim {
  const struct ir_process *process;
  const struct ir_expr *channel; /* its number, as the process has it */
  enum ir_use use;
  const char *name; /* as the claim has it, for messages */
};

struct ir_exclusive_use {
  struct ir_expr *channel; /* the number, where it is asked for; EXCLUSIVE may take its place */
  struct ir_expr plain;    /* the same as the front end made it */
  const struct ir_process *process;
  unsigned use; /* enum ir_use */
};

/* Somebody who may claim the use: the instance in a seat. */
struct ir_rival {
  const struct ir_exclusive_claim *claim;
  uint32_t number;         /* its slot */
  struct ir_value channel; /* the number, if it is the same permanently */
};

struct ir_exclusion {
  const struct ir_process *process; /* that uses it */
  uint32_t n;
  const struct ir_rival *rival;
};

struct ir_exclusives {
  struct {
    struct ir_exclusive_claim *at;
    uint32_t n, capacity;
  } claim;
  struct {
    struct ir_exclusive_use *at;
    uint32_t n, capacity;
  } use;
};

/* What a claim does to its own variables, which are globals that no process knows. Assignments
 * only. */
struct ir_change {
  uint32_t n_effects;
  const struct ir_effect *effect;
};

struct ir_changes {
  struct ir_change *at;
  uint32_t n, capacity;
};

struct ir_atoms {
  struct ir_property *at;
  uint32_t n, capacity;
};

/* What the user wants to know of each state: a number. */
struct ir_measure {
  const char *text;
  struct ir_expr *value;
};

/* What makes of a model one with fewer states (ir_unreduce(), ir_merge()). */
enum ir_reduction {
  IR_MERGE = 1, /* steps that nobody else can notice are joined to the ones before them */
  IR_DEAD = 2   /* variables that are written before they are read again are set to zero */
};

struct ir_model {
  struct arena *arena;
  const char *name; /* file name */
  const char *language;
  const struct source *source;
  uint64_t hash;    /* of the text, the options and the invariants */
  bool synchronous; /* all processes move at once (DVE: system sync) */
  bool deadlock_is_error;
  bool has_instances;   /* the next ones apply; else each process lives once, permanently */
  bool lossy;           /* sends to full channels lose the message */
  bool end_needs_empty; /* a valid end needs empty channels */
  bool uses_priority;   /* only executable processes of the highest priority move */
  bool uses_last;
  bool wants_control;  /* ir_control() is to be called */
  bool wants_backward; /* ir_undo() is to be called */
  unsigned reductions; /* enum ir_reduction: those that are wanted */
  unsigned checked;    /* the same: those that are not made, but that their facts be tested */
  uint32_t n_merged;   /* edges that the next one was joined to */
  uint32_t n_cleared;  /* effects that set dead variables to zero */
  uint32_t n_active;
  struct ir_process **active; /* the initial processes by number */
  uint32_t places; /* how many processes ir_layout() is to make room for; 0: it decides */
  /* filled by ir_layout() if has_instances: */
  uint32_t n_slots;
  struct ir_slot *slot;
  uint32_t most_slots; /* that may be needed, as far as is known: where it is more than
                        * n_slots, a run that finds no place asks for another layout */
  bool has_tags;       /* frames begin with a byte for the tag */
  bool live_varies;    /* processes come or go: their number is part of the state, one byte */
  uint32_t live_offset, live_slot, last_offset, last_slot;
  uint32_t n_symbols; /* symbol[v]: the name of symbolic value v, or NULL; for prints */
  const char *const *symbol;
  uint32_t n_globals, n_channels, n_processes, n_properties, n_unchecked;
  struct ir_variable **global;
  struct ir_channel **channel;
  struct ir_process **process; /* a property process is among them */
  struct ir_property *property;
  uint32_t n_measures;
  struct ir_measure *measure;
  const char **unchecked;
  struct ir_atoms atoms; /* conditions that claims ask about */
  struct ir_changes changes;
  const struct ir_trace *trace; /* with instances only; NULL: none */
  struct ir_exclusives exclusives;
  struct ir_embedded *embedded; /* NULL: there is no C text in it */
  struct ir_claims claims;
  struct ir_names unasked; /* claims of the text that are not taken */
};

/* Adds what the command line asks, whose text is the source: a condition as a property, which
 * changes the model's hash, or a number to be measured, which is no part of what it means. */
void ir_add_invariant(struct ir_model *, const struct source *, struct ir_expr *condition);
void ir_add_measure(struct ir_model *, const struct source *, struct ir_expr *value);

/* Adds a condition that a claim asks about; its number. The atoms of one claim are added one
 * after the other. */
uint32_t ir_add_atom(struct ir_model *, const char *text, struct span, struct ir_expr *);

/* Adds the claim that accepts the runs on which the condition holds again and again: one state
 * that reads everything, with the mark where it holds. `what`: in messages, not copied. */
void ir_add_acceptance(struct ir_model *, const char *what, struct span, struct ir_expr *);

/* ---- hidden variables -------------------------------------------------------- */

/* Whether an event may read a value of the global that an earlier event, or its
 * declaration, gave to it: then it must not be hidden. False is proved, true may be doubt. */
bool ir_is_carried(const struct ir_model *, const struct ir_variable *);
/* Whether the expression may read the variable. */
bool ir_is_read(const struct ir_expr *, const struct ir_variable *);

/* ---- layout ------------------------------------------------------------------ */

/* Fills in the layout fields, and makes the part of the shape that follows from
 * it: variables, slots, components, lengths. Components: the globals (if any),
 * each process, each buffered channel. Slots are ordered by size within a
 * component so that natural alignment wastes little. NULL, with a message in
 * *why, if the vector would be longer than TS_MAX_BYTES. */
struct ts_notes;
struct ts_shape;
struct ts_place;
struct ts_shape *ir_layout(struct ir_model *, const char **why);

/* After it: where a use of a channel may meet a claim of another process, EXCLUSIVE asks. */
void ir_exclude(struct ir_model *);
/* Takes that back. */
void ir_include(struct ir_model *);

/* The first half of it for a model with instances: which templates may sit in which
 * slot (live.c); offsets are filled in by ir_layout(). */
void ir_live(struct ir_model *);
/* The slots, variables and components of a model with instances (frame.c). False: too
 * many. */
struct ir_frames {
  struct ts_variable *variable;
  struct ts_slot *slot;
  struct ts_component *component;
  uint32_t n_variables, n_slots, n_components, bytes;
};
bool ir_frames(struct ir_model *, struct ir_frames *);

/* The notes of a shape that is being made; there are none before the first call. */
struct ts_notes *ir_notes(const struct ir_model *, struct ts_shape *);

/* The shape's list of channels; marks the variables that belong to one. */
struct ts_variable;
void ir_channels(const struct ir_model *, struct ts_variable *, struct ts_shape *);

/* File, line and column of the beginning of a span. */
struct ts_place ir_place(struct span);

/* Where field `field` of message `message` of a buffered channel is. Message 0 is the oldest;
 * cells beyond the count are zero. */
struct ir_cell {
  uint32_t offset, slot;
};
struct ir_cell ir_channel_cell(const struct ir_channel *, uint32_t message, uint32_t field);

/* ---- actions ------------------------------------------------------------------- */

/* An action of the system: an edge, or a pair of edges that shake hands (sender
 * first). A synchronous system has one action per edge, which never fires alone,
 * and a last action without moves, the common step: its events are numbered by
 * choice, one per combination of an enabled edge of every process, and the edges
 * of an event are its inner steps. In a system with instances there is one action per
 * slot, template that may sit there, and edge; higher slots come first; a handshake is
 * identified by the sender's action and the choice. */
struct ir_move {
  const struct ir_process *process;
  const struct ir_edge *edge;
  uint32_t number; /* of the process that moves, if the model has instances */
};

struct ir_action {
  uint32_t n_moves;
  const struct ir_move *move;
};

struct ir_actions {
  uint32_t n;
  const struct ir_action *at;
  const uint32_t
      *first; /* first[p]: first action whose mover 0 is process p; n_processes + 1 */
};

/* All actions in the order of events: by (first) process, then by its location,
 * then by its edge in the order of the text, then by the receiver's process and
 * edge. NULL with a message if there would be more than IR_MAX_ACTIONS. */
#define IR_MAX_ACTIONS (1u << 20)
const struct ir_actions *ir_actions(const struct ir_model *, const char **why);
/* The edges of a process by location; within one in the order of the text. */
const struct ir_edge **ir_edges_in_order(struct arena *, const struct ir_process *);
/* Where those of each location begin there; n_locations + 1. */
const uint32_t *ir_edges_first(struct arena *, const struct ir_process *);

/* Adds to the shape what actions mean: texts, read and write sets (of guard,
 * channel operation and effects, by slot; an index that is not constant reads or
 * writes the whole array), the bound on events of one state. */
void ir_access(const struct ir_model *, const struct ir_actions *, struct ts_shape *);

/* Adds to the notes of the shape what explains its states (ts/explain.h); the model and its
 * actions must outlive it. */
void ir_explain(const struct ir_model *, const struct ir_actions *, struct ts_shape *);

/* The statement of an edge on one line. */
const char *ir_edge_text(struct arena *, const struct ir_model *, const struct ir_edge *);

/* Adds to the shape who moves from where and what that touches (ts/control.h), for partial
 * order reduction. Nothing where every step depends on every other one: in a synchronous
 * system, with priorities, and where it is looked at who moved last. */
void ir_control(const struct ir_model *, const struct ir_actions *, struct ts_shape *);

/* ---- fewer states ---------------------------------------------------------------- */

/* Before ir_layout(): takes back what reductions have made of the model, so that it can be laid
 * out anew. */
void ir_unreduce(struct ir_model *);

/* Dead variables, after ir_layout() and ir_merge(), and before ir_actions(): gives effects to
 * the edges that set to zero what is not read any more before it is written (dead.c), and
 * counts them. */
void ir_clear_dead(struct ir_model *, const struct ts_shape *);
/* What it would take for granted, added to the facts of the shape, once there are actions. */
void ir_dead_facts(struct ir_model *, struct ts_shape *);

/* Statement merging, after ir_layout() and ir_actions(): gives the flag IR_KEEPS to the edges
 * after which there is a step that can as well be done at once (merge.c), and counts them. True
 * if there are any; then the actions are to be listed again. */
bool ir_merge(struct ir_model *, const struct ir_actions *, const struct ts_shape *);
/* What it would take for granted, added to the facts of the shape. */
void ir_merge_facts(struct ir_model *, const struct ir_actions *, struct ts_shape *);

#endif
