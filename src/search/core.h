/* core.h - what the parts of one search share, and what each worker owns. Private to this
 * folder.
 *
 * A search has one transition system, one store, one budget and one result. A worker has an
 * order, a reduction, rows, figures, a clock and its part of the store; there is one worker
 * today. search.c opens both and judges; an engine (explore.c) moves the worker; step.c is what
 * engines are made of; order.c opens the order, limits.c decides when to give up, error/ notes
 * what is wrong and finds the way back, tree/ knows what is open where states may be forgotten,
 * move/ changes the store.
 */
#ifndef CAIRN_SEARCH_CORE_H
#define CAIRN_SEARCH_CORE_H

#include "search/engine.h"
#include "search/error/parents.h"
#include "search/error/way.h"
#include "search/frontier/frontier.h"
#include "search/reduce/reduce.h"
#include "search/reduce/worth.h"
#include "search/search.h"
#include "search/watch.h"

#include "ts/hash.h"

/* No range of candidates is longer. */
#define SEARCH_MOST_ROWS 4096u

/* Where the first error was found, until the trail is made. */
struct search_found {
  uint64_t number;       /* of the last state before it, or STORE_NONE */
  struct ts_event event; /* fired there; action TS_NONE and a number given: none */
  uint64_t length;       /* of the trail in events */
  uint64_t order;        /* among errors of one length */
};

/* States on their way from one store to the next, and when they go. */
struct search_moving {
  const struct store_kind *next; /* where to; NULL: nowhere */
  uint64_t at;                   /* that many states make it time */
  bool is_moving;
  bool estimated;      /* what other stores would take, or it was tried */
  double wrong_before; /* expected wrong matches of the stores before */
  uint64_t cursor;     /* of the states that have gone */
  struct rows rows;    /* the arrays that a store reads and fills */
  uint64_t *old_ref, *bits;
  size_t bytes;
};

struct tree;
struct worker;

struct search {
  const struct ts *ts;
  const struct ts_shape *shape;
  const struct search_options *options;
  struct budget *budget;
  struct search_result *result;
  struct hash *hash;
  bool stop; /* a limit was hit that ends the search */

  const struct store_kind *store_kind;
  struct store *store;
  uint32_t store_bits;              /* opaque bits per state */
  struct store_config store_config; /* what it was opened with, numbers only */
  bool resumes_tree; /* it was made when the search was saved that goes on here */
  struct search_moving moving;

  struct tree *tree; /* tree/tree.h; NULL: none is kept, nor will be */
  struct way way;    /* to a state */
  struct parents parents;
  struct search_found found;   /* the error of the result */
  struct ts_event *kept_trail; /* of an error that may not be the first after all */

  struct worker *worker;
  double began, before; /* before: seconds that it took in other processes */
};

/* When to look at the clock. */
struct worker_clock {
  double checked, next_progress;
  uint64_t work, next, step; /* events and expansions */
  double next_checkpoint;
  enum search_limit ending; /* this limit ends the search as soon as it was saved, */
  double ends_by;           /* or, if its order does not rest, at this time */
  bool is_saved;            /* for tests: once is enough */
};

/* How a state was fired with a reduction that chooses. */
enum choose_how {
  CHOOSE_NOT,  /* it was not tried, for of late it brought too little */
  CHOOSE_ALL,  /* nothing could be left out */
  CHOOSE_REST, /* something could, but all that was chosen leads back: the rest was fired too */
  CHOOSE_LEFT  /* + the grade: some events were left out */
};

/* What was fired ahead. */
struct worker_ahead {
  uint32_t n; /* rows */
  bool more;
  bool hashed;  /* no faults among them, and hashes made */
  uint32_t how; /* enum choose_how */
  struct ts_event cursor;
};

struct worker {
  struct search *search;
  struct store_work *store;
  const struct frontier_kind *order;
  struct frontier *frontier;
  const struct reduction_kind *reduction_kind;
  struct reduction *reduction; /* or NULL */
  const struct reduction_kind *beside_kind;
  struct reduction *beside; /* of one that chooses, by what is left of it; or NULL */
  bool puts_in_order;       /* it needs events in another order than that of firing */
  bool tells_fired;         /* it wants to know what was fired */
  bool chooses;             /* it chooses events: choose.c */
  bool may_ignore;          /* what is put off may matter: the rest may have to be fired */
  bool chooses_same;        /* in each state either what it always chooses there, or all */
  bool asks_to_fire;        /* and then asks the store whether they lead back */
  const uint64_t *spared;   /* what worker_skip() says of the state that is fired */
  uint32_t how;             /* enum choose_how: the last state was fired, ahead or not */
  struct worth worth;       /* of the grades of that reduction */
  struct watches watches;
  struct worker_ahead ahead;
  struct search_figures figures;
  uint64_t found;        /* states that were new */
  uint64_t lost;         /* events without a successor */
  uint64_t rows_settled; /* for search_found.order */
  struct worker_clock clock;
  bool attention; /* something is due before the next expansion */
  bool is_cut; /* a call of the model's own code was ended: what is found since means nothing */
  const struct open_range *asked; /* the order is told what was answered; or NULL */
  const struct engine *engine;
  void *engine_own;                         /* what the engine keeps */
  const struct frontier_listener *listener; /* that it has, or NULL */
  struct ts_batch walk;                     /* for trails: a few rows */
  size_t walk_bytes;
};

/* search.c */

/* One search: what search_run() does, without looking for what would have been better. */
void search_run_once(const struct ts *, const struct search_options *, struct budget *,
                     struct search_result *);

/* save.c */

/* What decides how parts are opened, and all the rest: saved, or loaded into parts that were
 * just opened. False if memory ran out or the sink refused. */
bool search_pass_head(struct search *, struct sink *);
bool search_pass(struct search *, struct sink *);
/* Between two expansions: saves the search if it is time and its order rests. */
void worker_checkpoint(struct worker *);

/* order.c */

/* Opens the order of the options. `begun`: the states that are open will be added. False if the
 * budget is exhausted. */
bool worker_open_order(struct worker *, bool begun);
void worker_close_order(struct worker *);

/* reduce/apply.c */

/* False if the budget is exhausted. */
bool worker_open_reduction(struct worker *);
void worker_close_reduction(struct worker *);
/* The actions that need not be fired in a state, because of how it was discovered, or NULL:
 * none. */
static inline const uint64_t *worker_skip(const struct worker *w, const struct open *open) {
  if (w->beside != NULL)
    return w->beside_kind->skip(w->beside, open);
  return w->reduction == NULL ? NULL : w->reduction_kind->skip(w->reduction, open);
}
/* With puts_in_order: rows [from, n) were fired; puts them in the order of actions. */
void worker_put_in_order(struct worker *, struct ts_batch *, uint32_t from);
/* With tells_fired: tells the reduction what was fired. */
void worker_reduction_fired(struct worker *, const struct open *, uint32_t from, bool done);
/* Whether anything is enabled in a state of which nothing was fired. */
bool worker_any_enabled(const struct worker *, const struct open *);

/* reduce/choose.c */

/* With `chooses`, of a state that is about to be fired from its beginning: whether it is worth
 * choosing. Then worker_fire_enough() follows. */
bool worker_tries(struct worker *, const struct open *);
/* Appends the successors of a state that are enough, from its beginning on, or
 * all of them, with hashes unless there are faults among them, and sets w->how. True: there are
 * more than fit, and *cursor says where to go on. */
bool worker_fire_enough(struct worker *, const struct open *, struct ts_event *cursor);
/* Counts how a state was fired, and with how many events. */
void worker_count_choice(struct worker *, uint32_t how, uint32_t events);
/* Rows [from, to) were answered: those that are new are known to be reached. */
void worker_see_reached(struct worker *, const struct rows *, uint32_t from, uint32_t to);
/* Rows of edges with this note (not 0) were fired by a choice: for a state on the way to an
 * error, the actions that were left out then. Valid until the next one. */
const uint64_t *worker_choose_again(struct worker *, const uint8_t *row, uint32_t length,
                                    uint32_t note);
/* Choices of one grade in a state, at most. Notes up to CHOOSE_MOST are those of choices, with
 * OPEN_OF_FEW; CHOOSE_BESIDE: nothing was chosen, but worker_skip() was left out. No note is
 * larger than CHOOSE_NOTES; other bits of an edge's note than these are an engine's. */
enum {
  CHOOSE_EACH = 4,
  CHOOSE_MOST = CHOOSE_EACH * SEARCH_GRADES,
  CHOOSE_BESIDE,
  CHOOSE_NOTES = CHOOSE_BESIDE,
  CHOOSE_NOTE = 0x7F
};
/* Rows from this one on are all that was fired but for worker_skip(). */
static inline void worker_note_beside(const struct worker *w, struct ts_batch *batch,
                                      uint32_t from) {
  for (uint32_t i = from; w->chooses && i < batch->n; i++)
    batch->edge[i].note = CHOOSE_BESIDE;
}

/* stop.c */

/* Records the first limit that was hit; all but some end the search. */
void search_limit(struct search *, enum search_limit);

/* limits.c */

void worker_begin_clock(struct worker *);
/* Time, interruption and progress; to be called when work >= next. */
void worker_check_limits(struct worker *);
/* A call of the model's own code lasts: whether it is to be ended. */
bool worker_asks_to_stop(void *worker);
/* Brings all figures of the result up to date. */
void search_report(struct search *);

/* error/errors.c */

/* Faults among the rows [from, n) just fired in `open`: notes them and takes rows
 * without a state out. */
void worker_note_faults(struct worker *, const struct open *, uint32_t from);
/* Checks the state properties of row i, a new state. */
void worker_check_state(struct worker *, const struct rows *, uint32_t i, uint64_t depth);
void worker_note_deadlock(struct worker *, const struct open *);
/* An error was found, and nothing is to be done about further ones. */
static inline bool search_is_decided(const struct search *s) {
  return s->result->error.kind != SEARCH_NO_ERROR && !s->options->keep_going;
}

/* error/ways.c */

/* Chooses one, unless the tree did. False if the budget is exhausted. */
bool way_open(struct search *);
/* Keeps parents from now on, before the first state. False if the budget is exhausted. */
bool way_keep_parents(struct search *);
/* From now on nobody knows. Parents kept so far stay, until they are freed. */
void way_close(struct search *);
/* Whether a state with this number among its parent's successors is of few (open.h). */
static inline bool way_is_of_few(const struct worker *w, uint32_t nth) {
  uint32_t note = w->chooses ? nth % (CHOOSE_NOTES + 1) : 0;
  return note > 0 && note <= CHOOSE_MOST;
}
/* The path that kept parents know, which the search need not go by any more. */
uint64_t way_of_parents(struct search *, uint64_t number, struct ts_event *);

/* error/trail.c */

/* Room to walk the way back, taken while there is memory. False: there is none. */
bool worker_open_walk(struct worker *);
void worker_close_walk(struct worker *);
/* Goes to an initial state, in a row of its own; *length is set. */
const uint8_t *worker_walk_initial(struct worker *, uint32_t which, uint32_t *length);
/* The event by which successor number nth comes from the state in `row` of this length, which
 * was itself discovered by an event of action `by`. The successor takes the place of what
 * worker_walk_initial() returned, and *length is its. False: there is none. */
bool worker_follow(struct worker *, const uint8_t *row, uint32_t *length, uint32_t by,
                   uint32_t nth, struct ts_event *event);
/* error/lasso.c */

/* Whether a trail is a lasso, in the room to walk. */
bool worker_trail_cycles(struct worker *, const struct search_trail *);
/* A cycle with all marks: n events, the first one naming the initial state, of which the last
 * n_cycle lead back to the state before them. Where the store may err it is gone again first,
 * and dropped if it is none. n is 0: there
 * is one, and nobody wants to know the way. False if memory ran out. */
bool worker_note_cycle(struct worker *, const struct ts_event *event, uint64_t n,
                       uint64_t n_cycle);

/* Whether worker_note_cycle() needs the events: not if it will only count one more, as an exact
 * store has been right about it. */
static inline bool worker_wants_cycle(const struct worker *w) {
  return w->search->result->error.kind == SEARCH_NO_ERROR ||
         !(w->search->store_kind->has & STORE_EXACT);
}

/* error/shorten.c */

/* Makes the trail of a cycle shorter. The store is of no use for it, and may be closed. */
void search_shorten_lasso(struct search *);

/* error/trail.c, continued */

/* Makes the trail of the error noted so far, if there is one and it was not made. */
void search_keep_trail(struct search *);
/* Makes the trail of the error just noted, in place of that of another one. */
void search_replace_trail(struct search *);
/* Makes the trail of the first error, if it was not kept, and replays it. */
void search_confirm_trail(struct search *);

/* move/move.c */

/* What a move will need; false: there is no memory for it. */
bool search_open_moving(struct search *);
void search_close_moving(struct search *);
/* Moves all states to the next store. Rows [from, to), or none, have been answered and
 * not told to the order yet. False: there is no next one (nothing happened), or states
 * were lost (then the limit is set). */
bool search_move(struct search *, struct rows *, uint32_t from, uint32_t to);
/* An order or an engine of a path found no memory, also while it hears what was answered: the
 * same, for the rows in question. */
bool worker_relieve(struct worker *);
/* Rows [from, to) were answered by the store that was left: what the new one calls them. The
 * answers stay. */
void search_ask_anew(struct search *, struct rows *, uint32_t from, uint32_t to);
/* Between two expansions: moves if memory is nearly out. */
void search_move_if_due(struct search *);

/* move/sample.c */

/* Opens a store with the shape, the budget and a sample; false: there is no memory. */
bool search_open_store(struct worker *, const struct store_kind *, const struct store_config *,
                       struct store **opened, struct store_work **work);

#endif
