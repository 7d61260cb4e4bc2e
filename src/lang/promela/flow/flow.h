/* flow.h - the control of one proctype as an automaton.
 *
 * From statements to nodes (build.c), from nodes to where each step leads
 * (link.c), and from there to the edges of each location (edges.c). The
 * automaton is that of Spin's verifier, state by state, because the number of states of
 * a model depends on it: docs/promela.md says what that means for a model's author.
 *
 *  kind    what                                          as a step
 *  STEP    a statement                                   what it does
 *  GOTO    goto, break                                   only where it is the first of an
 * option or of a block JOIN    after a selection, in front of a loop         only at the end
 * of an atomic sequence EXIT    after a loop                                 the same CHOICE
 * if, do                                        never: it has the edges of its options GROUP
 * atomic, a block in braces                     never: it has the edges of its first DSTEP
 * d_step                                        one step, see `start` UNLESS  stands for the
 * first of its body              never END     the end of the process the end
 */
#ifndef CAIRN_LANG_PROMELA_FLOW_FLOW_H
#define CAIRN_LANG_PROMELA_FLOW_FLOW_H

#include "base/diag.h"
#include "lang/promela/parse/ast.h"

enum flow_kind {
  FLOW_STEP,
  FLOW_GOTO,
  FLOW_JOIN,
  FLOW_EXIT,
  FLOW_CHOICE,
  FLOW_GROUP,
  FLOW_DSTEP,
  FLOW_UNLESS,
  FLOW_END
};

enum flow_status {
  FLOW_ATOMIC = 1, /* after this step the process keeps control */
  FLOW_LAST = 2    /* the last step of an atomic sequence */
};

struct flow_node;

struct flow_sequence {
  struct flow_node *first, *last;
  struct flow_node *extent; /* the last that was written; `last` may be a JOIN after it */
};

struct flow_sequences {
  struct flow_sequence **at;
  uint32_t n, capacity;
};

/* One edge of a location. */
struct flow_edge {
  const struct flow_node *origin; /* whose step it is */
  uint32_t escape;                /* number of the escape sequence, or 0 */
};

struct flow_edges {
  struct flow_edge *at;
  uint32_t n, capacity;
};

struct flow_node {
  enum flow_kind kind;
  uint32_t number;                 /* from 1, in the order in which statements are read */
  unsigned status;                 /* enum flow_status */
  unsigned marks;                  /* enum ir_location_flag, from labels */
  const struct promela_stmt *stmt; /* what it came from */
  const char *name;                /* its label, or NULL */
  struct flow_node *next;
  struct flow_sequences parts;   /* options; the body; body and escape */
  bool is_loop;                  /* CHOICE */
  bool is_wrapped;               /* UNLESS: it has got a block around it for its label */
  struct flow_sequences escapes; /* those that apply here, in the order of attachment */
  struct flow_node *dstep;       /* the d_step that it is inside of */
  bool is_linked;
  struct flow_node *to; /* where its step leads; NULL: nowhere (END) */
  struct flow_edges edges;
  uint32_t location; /* FLOW_NOWHERE: never reached */
};

#define FLOW_NOWHERE 0xFFFFFFFFu

struct flow_label {
  const struct promela_label *label;
  struct flow_node *node;
};

struct flow_exit {
  const struct promela_stmt *loop;
  struct flow_node *node;
};

struct flow {
  struct arena *arena;
  struct diag *diag;
  struct promela_model *model;
  struct promela_proctype *proctype;
  struct {
    struct flow_node **at;
    uint32_t n, capacity;
  } nodes; /* by number - 1 */
  struct {
    struct flow_label *at;
    uint32_t n, capacity;
  } labels;
  struct {
    struct flow_exit *at;
    uint32_t n, capacity;
  } exits;
  struct {
    const struct promela_label **at;
    uint32_t n, capacity;
  } remote; /* labels that other processes ask about */
  struct flow_sequence body;
  struct flow_node *start;
  uint32_t n_locations;
  struct flow_node **location; /* by number */
};

/* The automaton of the flow's proctype. False after a report. */
bool flow_make(struct flow *);

/* The node that the label is in front of. */
struct flow_node *flow_labelled(const struct flow *, const struct promela_label *);

/* Whether who is in front of the first is in front of the second, too: it is the same node, or
 * the first one in the block. */
bool flow_begins_with(const struct flow_node *, const struct flow_node *);

/* Where a process is that arrives at the node. */
struct flow_node *flow_arrive(struct flow *, struct flow_node *, unsigned status);

/* Of a DSTEP: the steps that it can begin with, in order. If there is one, the d_step's edge
 * does it and leads to where it leads; if there are more, the edge leads to a location
 * inside that chooses: *inside is its node, else NULL. */
const struct flow_edges *flow_guards(const struct flow_node *, struct flow_node **inside);
/* Whether this one of them is an option of a selection inside of the d_step. */
bool flow_chooses(const struct flow_node *, const struct flow_node *step);

/* ---- between the files ---- */

void flow_build(struct flow *);
bool flow_link(struct flow *);

/* Of CHOICE and GROUP: the node whose step (or steps) an option begins with. */
struct flow_node *flow_start(const struct flow_sequence *);

bool flow_is_constant(const struct flow_node *, int32_t value);

/* The escape applies at the sequence and all that is inside of it. */
void flow_attach(struct flow *, struct flow_sequence *to, struct flow_sequence *escape);
/* All of the sequence keeps control, and belongs to the d_step if there is one. */
void flow_walk_atomic(struct flow_sequence *, struct flow_node *dstep);
/* Control is given back after its last step. */
void flow_end_atomic(struct flow_sequence *);

/* Whether a SELECT is written the way that Spin makes one step of, if the values are not too
 * many. (An element or a field it refuses.) */
bool flow_is_plain_select(const struct promela_stmt *);
/* The number of values that one step chooses among; 0: it takes a loop. Notes where Spin
 * differs. */
uint32_t flow_select_values(struct flow *, const struct promela_stmt *);

#endif
