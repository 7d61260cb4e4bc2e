/* open.h - an open state as it is handed out to be expanded, and rows to be asked about. */
#ifndef CAIRN_SEARCH_OPEN_H
#define CAIRN_SEARCH_OPEN_H

#include "store/store.h"

struct open {
  uint64_t number; /* the search's: its place in the order of discovery, or its node where a
                    * tree is kept; STORE_NONE: the root */
  uint64_t name;   /* the store's, where into->has_parents; else anything */
  const uint8_t *row;
  uint32_t length;
  uint64_t raw;           /* its hash before hash_finish() */
  bool hashed;            /* raw is known */
  uint64_t depth;         /* events from an initial state; of the root UINT64_MAX */
  struct ts_event cursor; /* its first event that was not fired yet */
  struct ts_event noted;  /* events before this one were fired once already, and what is
                           * wrong with them is known; nearly always 0, 0 */
  struct ts_event by;     /* how it was discovered, action TS_NONE: as an initial state; of
                           * the root anything */
  bool of_few;            /* of the events of the state that it was discovered from some were
                           * left out by a choice: OPEN_OF_FEW */
  bool ahead;             /* fired ahead: step_ahead() */
  struct rows *into;
};

/* A number that the order does not keep: depth-first without a tree. */
#define OPEN_UNKNOWN (STORE_NONE - 1)

/* A state of which nothing is known yet, to be fired into these rows. Member by member: for a
 * whole struct of zeros compilers call on a string instruction, which takes longer than the
 * rest of handing a state out. */
static inline void open_clear(struct open *open, struct rows *into) {
  open->number = open->name = 0;
  open->row = NULL;
  open->length = 0;
  open->raw = open->depth = 0;
  open->hashed = open->of_few = open->ahead = false;
  open->cursor = open->noted = open->by = (struct ts_event){0, 0};
  open->into = into;
}

static inline void open_copy(struct open *to, const struct open *from) {
  to->number = from->number;
  to->name = from->name;
  to->row = from->row;
  to->length = from->length;
  to->raw = from->raw;
  to->hashed = from->hashed;
  to->depth = from->depth;
  to->cursor.action = from->cursor.action;
  to->cursor.choice = from->cursor.choice;
  to->noted.action = from->noted.action;
  to->noted.choice = from->noted.choice;
  to->by.action = from->by.action;
  to->by.choice = from->by.choice;
  to->of_few = from->of_few;
  to->ahead = from->ahead;
  to->into = from->into;
}

/* Nothing of it was fired yet. */
static inline bool open_begins(const struct open *open) {
  return open->cursor.action == 0 && open->cursor.choice == 0;
}

/* All of its events were fired once before, and noted. */
static inline bool open_is_noted(const struct open *open) {
  return open->noted.action == TS_NONE;
}

/* In the note of an edge: it is one of those that a choice left of a state's events. */
enum { OPEN_OF_FEW = 0x80 };

static inline bool open_is_of_few(const struct ts_edge *edge) {
  return (edge->note & OPEN_OF_FEW) != 0;
}

/* The fixed order of a state's events. */
static inline bool open_before(struct ts_event a, struct ts_event b) {
  return a.action < b.action || (a.action == b.action && a.choice < b.choice);
}

/* What is asked about rows. A row that is only looked up, and not there, comes again. */
enum open_ask {
  OPEN_PUT,   /* those that are not there are stored */
  OPEN_FIRST, /* all are looked up, then the first that is not there is stored */
  OPEN_PASS /* they are looked up, up to the first that is not there, where the range is cut */
};

/* Rows [from, to), for which it is time; of PUT and FIRST all of one depth. */
struct open_range {
  struct rows *rows;
  uint32_t from, to;
  enum open_ask ask;
  bool guessed;   /* of FIRST and PASS: by step_guess(), just before */
  uint32_t first; /* answered, of the same two: the first row that was not there, or `to` */
  uint64_t depth; /* events from an initial state */
};

/* An answer, besides those of the store: the state is new, but its turn comes otherwise. */
#define OPEN_LATER 2

#endif
