/* claim.h - a Büchi automaton as the search wing knows it: what runs beside a system.
 *
 * A claim accepts the runs that are errors. Its letters say of each of its atoms whether it
 * holds in the state that the system is in, and its marks are on edges: a run is accepted if it
 * passes each mark infinitely often, and any infinite run is if there is none. Besides, a state
 * of the claim may be an error when it is reached, and an edge may be an assertion that fails.
 *
 * A claim may have variables of its own. They are slots of the system that no action of it
 * reads or writes; an edge changes them by one of the system's changes. What the claim does
 * without the system moving in between goes through states that are left at once: its atoms are
 * asked again there, as they may have changed.
 */
#ifndef CAIRN_TS_CLAIM_H
#define CAIRN_TS_CLAIM_H

#include "ts/ts.h"

#include <stdbool.h>
#include <stdint.h>

struct claim_cube {
  uint64_t yes, no; /* bits of atoms that must hold, and must not */
};

struct claim_edge {
  uint32_t from, to;
  uint64_t marks;
  const struct claim_cube *cube; /* read if one of them fits */
  uint32_t n_cubes;
  uint32_t fault;  /* the assertion that fails, of the claim's faults, plus 1; 0: none */
  uint32_t change; /* what it does to the claim's variables, of the system's changes, plus 1; 0:
                    * nothing */
};

/* Where a claim comes from; it decides what an accepted run is called. */
enum claim_kind {
  CLAIM_FORMULA,    /* accepts what violates a formula */
  CLAIM_NEVER,      /* written as an automaton */
  CLAIM_AUTOMATON,  /* the same, of another tool */
  CLAIM_ACCEPTANCE, /* a label "accept" is passed again and again */
  CLAIM_PROGRESS    /* no label "progress" is */
};

struct claim {
  enum claim_kind kind;
  const char *name; /* as the user may ask for it; no two claims of a model have the same */
  const char *what; /* "ltl p", "never claim never_0" */
  bool is_asked;    /* by the user, not by the model */
  uint32_t n_states, initial, n_marks;
  uint32_t n_stops; /* states from this one on are left at once; 0: there are none such */
  const struct claim_edge *edge; /* by source */
  const uint32_t *first;         /* of a state's edges; n_states + 1 entries */
  uint32_t n_atoms, first_atom;  /* at most 64, from this one of the system on */
  const uint8_t *is_error;       /* [state]: 1 where reaching it is an error; NULL: nowhere */
  bool ends; /* runs of the system that come to an end are none of its business; else they stay
              * in their last state permanently */
  bool stutters;   /* a state that is repeated changes nothing: steps are not counted */
  bool has_cycles; /* an accepted run need not come to an error; else cycles need no search */
  /* The same language with more marks, and mostly fewer states, for searches that can use them:
   * only what belongs to the automaton is filled in; NULL: there is none. See
   * claim_general(). */
  const struct claim *general;
  bool is_general; /* made by that */
  uint32_t n_faults;
  const struct ts_fault *fault;
};

/* Whether it is about labels, and not a claim with a name. */
static inline bool claim_is_label(const struct claim *claim) {
  return claim->kind == CLAIM_ACCEPTANCE || claim->kind == CLAIM_PROGRESS;
}

/* The claim with its general automaton, which it has. */
static inline struct claim claim_general(const struct claim *claim) {
  struct claim general = *claim;
  general.n_states = claim->general->n_states;
  general.initial = claim->general->initial;
  general.n_marks = claim->general->n_marks;
  general.edge = claim->general->edge;
  general.first = claim->general->first;
  general.is_error = claim->general->is_error;
  general.has_cycles = claim->general->has_cycles;
  general.general = NULL;
  general.is_general = true;
  return general;
}

#endif
