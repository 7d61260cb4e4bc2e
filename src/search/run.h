/* run.h - what the parts of one search share. Private to this folder.
 *
 * search.c holds the loop, order.c opens the order, limits.c decides when to give up, errors.c
 * notes what is wrong, parents.c and trail.c find the way back, move.c changes the store.
 */
#ifndef CAIRN_SEARCH_RUN_H
#define CAIRN_SEARCH_RUN_H

#include "search/error/parents.h"
#include "search/forget/forget.h"
#include "search/frontier/frontier.h"
#include "search/reduce/reduce.h"
#include "search/search.h"

#include "ts/hash.h"

/* No range of candidates is longer. */
#define RUN_MOST_ROWS 4096u

/* Where the first error was met, until the trail is made. */
struct run_error {
  uint64_t parent;       /* the last state before it, as the frontier calls it, or STORE_NONE */
  struct ts_event event; /* fired there; action TS_NONE and parent given: none */
  uint64_t length;       /* of the trail in events */
  uint64_t order;        /* among errors of one length */
};

/* What was fired ahead. */
struct run_ahead {
  uint32_t n; /* rows */
  bool more;
  bool hashed; /* no faults among them, and hashes made */
  struct ts_event cursor;
};

/* States on their way from one store to the next. */
struct run_cargo {
  struct rows rows; /* hash, ref and answer are used */
  uint64_t *old_ref, *bits;
  size_t bytes;
};

struct run {
  const struct ts *ts;
  const struct ts_shape *shape;
  const struct search_options *options;
  struct budget *budget;
  struct search_result *result;
  struct search_figures *figures; /* the result's */

  const struct store_kind *store_kind;
  struct store *store;
  struct store_work *store_work;      /* the worker's part of it */
  uint32_t store_bits;                /* opaque bits per state */
  const struct store_kind *next_kind; /* where the states move; NULL: nowhere */
  uint64_t move_at;                   /* states */
  bool is_moving;
  double wrong_before; /* expected wrong matches of the stores before */
  struct run_cargo cargo;
  const struct frontier_kind *order;
  struct frontier *frontier;
  struct hash *hash;
  struct parents parents;
  bool keeps_parents;
  bool has_tree; /* states are called by their nodes */
  bool is_late;  /* will have, when it is due */
  struct tdtree tree;
  struct forget *forget;
  struct reduction *reduction; /* or NULL */
  bool puts_in_order;          /* it needs events in another order than that of firing */
  bool tells_fired;            /* it wants to know what was fired */
  uint8_t *distinct;           /* of searches that forget: see distinct.h */
  uint64_t reserve;            /* bytes kept back for the tree and the open states */
  uint64_t most_visits;        /* UINT64_MAX: no limit */
  uint64_t most_stored;        /* states at a time; UINT64_MAX: no limit */
  uint32_t fired;              /* successors of the state being expanded so far */
  uint32_t *fresh;             /* rows of the last range that are new */
  size_t fresh_bytes;

  struct run_ahead ahead;
  bool stop; /* a limit was hit that ends the search */
  struct run_error error;
  uint64_t lost;         /* events without a successor */
  uint64_t rows_settled; /* for run_error.order */
  uint64_t found;        /* rows that were new */

  struct ts_event *kept_trail; /* of an error that may not be the first after all */
  struct ts_batch walk;        /* for trails: a few rows */
  size_t walk_bytes;

  double began, next_progress, checked;
  uint64_t work, next_check, check_step; /* events and expansions */
};

/* Whether all events of the state were fired once before, and noted. */
static inline bool run_is_noted(const struct frontier_open *open) {
  return open->noted.action == TS_NONE;
}

/* caching.c: what the loop does where a tree is kept */

bool run_tree_open(struct run *);
void run_tree_close(struct run *);
/* Rows [from, to) have been put: the new ones get nodes, the others are told. Returns the
 * first row for whose node there was no memory. */
uint32_t run_tree_add(struct run *, struct rows *, uint32_t from, uint32_t to);
/* Rows [from, n) were fired in `open`; not `more`: they are the last. */
bool run_tree_fired(struct run *, const struct frontier_open *, uint32_t from, bool more);
/* Memory is short: the store is not to grow any more, and the reserve is free for others. */
void run_tree_short(struct run *);
/* The same, if little is left; to be called now and then. */
void run_tree_look(struct run *);
/* Nothing is open: takes up what waits. False: nothing does. */
bool run_tree_resume(struct run *);

/* late.c: the tree is made in the midst of a search */

/* Whether it may be. */
bool run_tree_may_wait(const struct run *);
/* Rows [from, to) have been put: counts for those that were stored, until it is made. */
void run_tree_count(struct run *, const struct rows *, uint32_t from, uint32_t to);
bool run_tree_is_due(const struct run *);
/* Makes it, unless the order has something in hand; then it is to be called again. */
void run_tree_make(struct run *);

/* order.c */

/* The form of the order that does what is asked of it. */
const struct frontier_kind *run_order(const struct search_options *);
/* Opens it. `begun`: the states that are open will be added. False if the budget is spent. */
bool run_order_open(struct run *, bool begun);

/* reduce/apply.c */

/* False if the budget is spent. */
bool run_reduction_open(struct run *);
void run_reduction_close(struct run *);
/* The actions that need not be fired in a state, or NULL: none. */
static inline const uint64_t *run_skip(const struct run *run,
                                       const struct frontier_open *open) {
  return run->reduction == NULL ? NULL : run->options->reduce.kind->skip(run->reduction, open);
}
/* With puts_in_order: rows [from, n) were fired; puts them in the order of actions. */
void run_put_in_order(struct run *, struct ts_batch *, uint32_t from);
/* With tells_fired: tells the reduction what was fired. */
void run_reduction_fired(struct run *, const struct frontier_open *, uint32_t from, bool done);
/* Whether anything is enabled in a state of which nothing was fired. */
bool run_any_enabled(const struct run *, const struct frontier_open *);

/* limits.c */

void run_limits_begin(struct run *);
/* Records the first limit that was hit; all but SEARCH_MAX_DEPTH end the search. */
void run_limit(struct run *, enum search_limit);
/* Time, interruption and progress; to be called when work >= next_check. */
void run_check_limits(struct run *);
/* Brings all figures up to date. */
void run_figures(struct run *);

/* errors.c */

/* Faults among the rows [from, n) just fired in `open`: notes them and takes rows
 * without a state out. */
void run_note_faults(struct run *, const struct frontier_open *, uint32_t from);
/* Checks the state properties of row i, a new state. */
void run_check_state(struct run *, const struct rows *, uint32_t i, uint64_t depth);
void run_note_deadlock(struct run *, const struct frontier_open *);
/* An error was found, and nothing is to be done about further ones. */
static inline bool run_is_decided(const struct run *run) {
  return run->result->error.kind != SEARCH_NO_ERROR && !run->options->keep_going;
}

/* move.c */

/* Opens a store with the shape, the budget and a sample; false: there is no memory. */
bool run_open_store(struct run *, const struct store_kind *, const struct store_config *,
                    struct store **opened, struct store_work **);
/* What a move will need; false: there is no memory for it. */
bool run_move_open(struct run *);
void run_move_close(struct run *);
/* Moves all states to the next store. Rows [from, to), or none, have been answered and
 * not told to the order yet. False: there is no next one (nothing happened), or states
 * were lost (then the limit is set). */
bool run_move(struct run *, struct rows *, uint32_t from, uint32_t to);
/* Between two expansions: moves if memory is nearly out. */
void run_move_if_due(struct run *);

/* sample.c */

/* Room for a sample of states, and filling it; false: there is no memory for one. */
bool run_sample_open(struct run *, struct ts_batch *rows, size_t *bytes);
void run_sample_fill(struct run *, struct ts_batch *rows);
void run_sample_close(struct run *, struct ts_batch *rows, size_t bytes);

/* trail.c */

/* Room to walk the way back, taken while there is memory. False: there is none. */
bool run_trail_open(struct run *);
void run_trail_close(struct run *);
/* The event by which successor number nth comes from the state stored under `ref`, which was
 * itself discovered by an event of action `by`; false: there is none. */
bool run_find_event(struct run *, uint64_t ref, uint32_t by, uint32_t nth, struct ts_event *);
/* Makes the trail of an error noted so far, before its parents go. */
void run_keep_trail(struct run *);
/* Keeps the path of the frontier's stack as the trail of the error just noted. */
void run_keep_path(struct run *);
/* Makes the trail of the first error, if it was not kept, and replays it. */
void run_make_trail(struct run *);

#endif
