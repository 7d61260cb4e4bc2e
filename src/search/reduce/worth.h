/* worth.h - what each grade of a reduction that chooses saves, and what it takes.
 *
 * A grade is one way to find out which events are enough; what it may leave out in a state
 * depends on the state alone, so any mixture of grades is sound, and each may stop at any time.
 * Three things are measured, all in events and never by a clock, so that the same search has
 * the same states again:
 *   - how often it leaves anything out. If that is seldom, it is tried in a sample of states
 *     only, ever fewer, until it does so more often;
 *   - which part of all states is visited. From some states a few events are taken, whichever
 *     they are, as in a search without reduction, and the end is noted by its hash: the part of
 *     these that is reached sooner or later is about the part of all states that is;
 *   - whether states that it left out stay away: a few of them are noted, too. If what is saved
 *     is less than what the tries take, it stops for good.
 */
#ifndef CAIRN_SEARCH_REDUCE_WORTH_H
#define CAIRN_SEARCH_REDUCE_WORTH_H

#include "search/search.h"

#include "base/bits.h"
#include "base/sink.h"

enum {
  WORTH_NOTES = 64, /* of states that were left out, */
  WORTH_WALKS = 64, /* and of ends of walks */
  WORTH_FILTER = 1 << 12
};

struct worth_grade {
  uint64_t tried, won;    /* of late: states where it was tried, and where it left events out */
  uint64_t wins;          /* since it was judged last; and of these: */
  uint64_t left, work;    /* events left out; steps looked at, in all tries */
  uint64_t nothing;       /* of those noted: where no event was left out after all */
  uint64_t noted, absent; /* states that were left out: noted, and not reached so far */
  bool stopped;
};

struct worth {
  struct worth_grade grade[SEARCH_GRADES];
  uint64_t turn;  /* states */
  uint64_t judge; /* at this turn the grades are judged; */
  uint64_t age; /* from this one on no more is noted, so that what is has time to be reached */
  uint64_t sample;                   /* one state of this many, where a grade is idle */
  uint64_t last_sample;              /* it does not become more */
  uint64_t next_look;                /* when `idle` is found out again */
  uint64_t few;                      /* tries that say nothing yet, */
  uint64_t few_notes;                /* and notes */
  bool idle;                         /* all grades are, or have stopped */
  uint64_t full_states, full_events; /* fired in full, of late */
  uint64_t judged;                   /* the turn at which they were judged last */
  uint32_t walks, lost;              /* walks since; their ends that were not reached so far */
  uint32_t n_notes;
  uint64_t note[WORTH_NOTES + WORTH_WALKS]; /* hashes; */
  uint8_t by[WORTH_NOTES + WORTH_WALKS];    /* the grade that left it out, or SEARCH_GRADES: the
                                             * end of a walk; */
  bool seen[WORTH_NOTES + WORTH_WALKS];     /* reached all the same */
  uint64_t filter[WORTH_FILTER / 64];       /* of the notes */
};

/* The grades are judged first at this turn; 0: when it is time. `without`: those that are not
 * used, 1 << grade. */
void worth_open(struct worth *, uint64_t first, unsigned without);

/* Whether a grade left something out often enough of late to be tried in all states. */
static inline bool worth_is_active(const struct worth *w, enum search_grade grade) {
  enum { WIN = 1024, WIN_DEAR = 8 };
  const struct worth_grade *g = &w->grade[grade];
  uint64_t win = grade == SEARCH_GRADE_STUBBORN ? WIN_DEAR : WIN;
  return !g->stopped && (g->tried < w->few || g->won * win >= g->tried);
}

/* Whether the state at hand is one of the sample. A division takes as long as a dozen looks, so
 * this is to be asked last, and not twice. */
static inline bool worth_samples(const struct worth *w) {
  return w->turn % w->sample == 0;
}

/* Whether a grade is worth a try in the state at hand. */
static inline bool worth_tries(const struct worth *w, enum search_grade grade) {
  return !w->grade[grade].stopped && (worth_is_active(w, grade) || worth_samples(w));
}

/* How many events are left out, as far as is known, where `fired` were fired. */
uint64_t worth_rest(const struct worth *, uint64_t fired);

/* A grade was tried, which took `work` looks at steps. */
void worth_tried(struct worth *, enum search_grade, uint64_t work);
/* And `left` events were left out. True: one of them is to be noted. */
bool worth_won(struct worth *, enum search_grade, uint64_t left);
/* A state of which events were left out has one that leads to a state with this hash, which is
 * in the store already, or not. */
void worth_note(struct worth *, enum search_grade, uint64_t raw, bool is_stored);
/* Whether it is time for a walk: a few events, of all that there are, from the state at hand.
 */
static inline bool worth_walks(const struct worth *w) {
  return w->turn < w->age && w->walks < WORTH_WALKS &&
         (w->turn - w->judged) * WORTH_WALKS >= w->walks * (w->age - w->judged);
}
/* It ended in a state with this hash. */
void worth_note_walk(struct worth *, uint64_t raw, bool is_stored);
/* It turned out that there was no such event. */
void worth_note_nothing(struct worth *, enum search_grade);
/* A state was fired, in full if nothing was left out, with its number of events. */
void worth_turn(struct worth *, bool in_full, uint64_t events);
/* A state with this hash has become known to be reached. */
void worth_reached(struct worth *, uint64_t raw);

/* Whether the hash may be one that is noted. */
static inline bool worth_may_know(const struct worth *w, uint64_t raw) {
  return bits_test(w->filter, (uint32_t)(raw >> 40) % WORTH_FILTER);
}

#endif
