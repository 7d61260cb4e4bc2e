/* search.h - visit every reachable state, or find a run that breaks a property.
 *
 * One loop, the general state exploring algorithm (Evangelista and Kristensen,
 * "Search-order independent state space caching", figure 1), over seams: a ts
 * gives successors, a store remembers states, a frontier says which open state
 * is next. The result says what was found, how far to trust it, and how to get
 * there; what a limit cut short is never called verified.
 */
#ifndef CAIRN_SEARCH_SEARCH_H
#define CAIRN_SEARCH_SEARCH_H

#include "store/store.h"
#include "ts/ts.h"

#include "base/budget.h"

enum search_verdict { SEARCH_VERIFIED, SEARCH_VIOLATED, SEARCH_INCONCLUSIVE };
enum search_guarantee { SEARCH_EXACT, SEARCH_PROBABLE, SEARCH_PARTIAL };

/* Why a search ended before it had seen everything. */
enum search_limit {
  SEARCH_NO_LIMIT,
  SEARCH_MEMORY,
  SEARCH_TIME,
  SEARCH_MAX_STATES,
  SEARCH_MAX_DEPTH, /* went on, but left out what is deeper */
  SEARCH_INTERRUPTED,
  SEARCH_TREE, /* what must not be forgotten is more than there is room for */
  SEARCH_MAX_VISITS,
  SEARCH_PLACES,   /* the model is laid out for fewer processes than live: see ts_shape.no_place
                    */
  SEARCH_REVISITS, /* states are visited again and again */
  SEARCH_UNREADABLE, /* what was to be resumed is refused: the sink says why */
  SEARCH_ANSWERED,   /* who was shown each state has seen enough */
  SEARCH_CYCLE /* an event led back to the stack, and the reduction may lose states then */
};

enum search_error_kind {
  SEARCH_NO_ERROR,
  SEARCH_ASSERTION,
  SEARCH_DEADLOCK,
  SEARCH_INVARIANT,
  SEARCH_MODEL_ERROR,
  SEARCH_INVALID_END, /* a deadlock, where states may end properly and this one does not */
  SEARCH_CLAIM,       /* a claim has come to its end, or a formula fails whatever follows */
  SEARCH_ACCEPTANCE,  /* a cycle with all marks */
  SEARCH_NONPROGRESS, /* the same of the claim that there is progress */
  SEARCH_EXCLUSIVE /* a model error: a channel is used that another process claims for itself */
};

struct counters;
struct curve;
struct forget_kind;
struct frontier_kind;
struct measure;
struct reduction_kind;
struct search_figures;
struct strategy;
struct watch;

/* The options of a search, by seam. Zero is the default throughout. */

struct search_order_options {
  const struct frontier_kind *kind;
  uint64_t parameter[2];
  const struct measure *measure; /* of orders that go by one */
};

struct search_store_options {
  const struct store_kind *kind;
  uint32_t parameter; /* as in struct store_config; 0: the store chooses */
  uint64_t size;
  struct store_rebuild rebuild;
  uint32_t hash_bits;  /* for tests; as in struct store_config */
  bool moves;          /* to smaller stores, exact ones, when memory is short */
  bool allow_lossy;    /* and on to such as may miss states */
  uint64_t move_after; /* for tests: after that many states each time, or, if states may be
                        * forgotten, making a tree later; 0: when memory is short */
};

struct search_forget_options {
  const struct forget_kind *kind;  /* NULL: nothing is forgotten */
  const struct strategy *strategy; /* what goes first */
  uint64_t cache_size;             /* states kept at most; 0: what memory allows */
  const struct measure *progress;  /* for the sweep-line */
  bool chain;                      /* states with one successor need not be kept */
  uint32_t parameter;              /* of the kind; 0: it chooses */
  struct counters *counters;       /* search_run() sets it */
};

/* Of events that commute. */
struct search_reduce_options {
  const struct reduction_kind *kind;   /* NULL: all events are fired */
  const struct reduction_kind *beside; /* of a kind that chooses: leaves out more, by how states
                                        * were discovered; or NULL */
  bool automatic;                      /* the kind was not named, and may be left out */
  uint32_t parameter;                  /* of the kind, or of the one beside it; as `forced` */
  bool forced;                 /* goes on where it may lose states, and is partial then */
  const uint32_t *action_rank; /* place of each action in the order; NULL: its number */
  unsigned without;            /* for tests: grades that are not used, 1 << enum search_grade */
  uint64_t judge_at; /* for tests: one that chooses is judged after that many states; 0: when it
                      * is time */
};

#define SEARCH_FEW_VISITS 10000u

struct search_limit_options { /* 0: no limit */
  uint64_t states, visits;
  uint64_t visits_per_state; /* where states are forgotten, on average; so far, from
                              * SEARCH_FEW_VISITS on */
  uint64_t depth;            /* events from an initial state */
  double seconds;
};

struct search;
struct sink;

/* Saving a search between two expansions, so that another process can go on with it. */
struct search_checkpoint_options {
  double seconds;  /* between two; 0: never */
  uint64_t visits; /* for tests: once, after that many; 0: never */
  /* Called when it is time: search_save() what goes where. False asks to stop
   * (SEARCH_INTERRUPTED). */
  bool (*write)(void *context, struct search *);
  void *context;
  /* A file begun by the same options and model, read up to what search_save() wrote, with which
   * it ends: the search goes on from there. Where the sink refuses it, or memory runs out, it
   * ends at once, with SEARCH_UNREADABLE or SEARCH_MEMORY. NULL: it begins anew. */
  struct sink *resume;
};

/* Which runs count as errors: those in which no process is kept from moving that could move,
 * from some moment on always (weak), or again and again (strong). */
enum search_fairness { SEARCH_UNFAIR, SEARCH_WEAK, SEARCH_STRONG };

struct engine;

struct search_visited { /* a state that was just stored */
  const uint8_t *state;
  uint32_t length;
  struct ts_event by; /* the event that led to it, */
  uint64_t from;      /* from the state that this number stands for in the whole search;
                       * STORE_NONE: from none, or it is not known */
};

struct search_options {
  const struct engine *engine; /* NULL: that of states */
  enum search_fairness fairness;
  struct search_order_options order;
  struct search_store_options store;
  struct search_forget_options forget;
  struct search_reduce_options reduce;
  struct search_limit_options limit;
  bool deadlock_is_error;
  bool keep_going;      /* count all errors, report the first */
  bool parents;         /* bfs: keep what counterexamples need (1.3 bytes per state) */
  bool as_found;        /* for benchmarks: a cycle is not made shorter */
  uint64_t seed;        /* of the hash function */
  struct curve *growth; /* what the store takes is noted there, for an estimate; or NULL */
  struct search_checkpoint_options checkpoint;
  const struct watch *watch; /* told what happens (watch.h); or NULL */
  /* Called about ten times per second, with the figures so far; may be NULL.
   * False asks to stop (SEARCH_INTERRUPTED). */
  bool (*progress)(void *context, const struct search_figures *);
  void *context;
  /* Called with each state that was just stored; may be NULL. False: has seen enough
   * (SEARCH_ANSWERED). */
  bool (*visit)(void *visitor, const struct search_visited *);
  void *visitor;
};

/* The figures, by what they are about. */

struct search_peaks {
  uint64_t stored, open; /* states */
  uint64_t stack;        /* most levels of open states; 0: the order has no such stack */
  uint64_t tree;         /* most states in the tree of open states, where one is kept */
};

struct search_forgetting {
  bool is_used;       /* states may be forgotten; else the others are 0 */
  uint64_t reached;   /* different states, as estimated where any was forgotten */
  uint64_t states;    /* that left memory */
  uint64_t revisited; /* expansions of states that had been forgotten, as estimated */
  bool once;          /* none of those, and `reached` is no estimate */
  uint64_t uncounted; /* events that a first search did not count, as far as that is noticed */
  uint64_t dropped;   /* of those that left, open ones, which were not expanded yet */
  bool caches;        /* memory was short, and states went that may be reached again */
  bool kept_known;    /* all was expanded, and what is stored waits for what never came */
  uint64_t
      full; /* of them those that stay anyway: too much leads there, or it cannot be told */
};

struct search_first { /* of a first search, which counted */
  bool is_used;
  bool is_whole; /* it hit no limit */
  uint64_t visited, events;
  uint64_t bytes; /* of the counters */
  double seconds;
};

struct search_sweep { /* of the sweep-line */
  bool is_used;
  uint64_t persistent, widest_class, rounds;
};

/* How it was found out which events of a state are enough, the cheapest first. */
enum search_grade {
  SEARCH_GRADE_ALONE,    /* steps that concern nobody else, ever */
  SEARCH_GRADE_CLUSTER,  /* all steps of some processes */
  SEARCH_GRADE_STUBBORN, /* some steps of some processes */
  SEARCH_GRADES
};

struct search_choice { /* of a reduction that chooses: states */
  bool is_used;
  uint64_t reduced[SEARCH_GRADES]; /* of which some events were left out */
  uint64_t refused;                /* of which none was, for all that was chosen led back */
  uint64_t untried;            /* where no grade was tried, for that had brought too little */
  uint64_t left_out;           /* events, as far as they were fired to know */
  bool stopped[SEARCH_GRADES]; /* it took more than it saved */
};

struct search_levels { /* breadth-first only */
  bool known;
  bool back_edges_known; /* the two figures about them: needs numbered states */
  uint64_t n, widest, back_edges, longest_back_edge;
  const uint64_t *width; /* n numbers, owned by the search_result; NULL in progress */
};

struct search_memory {
  struct store_usage store;
  uint64_t open, parents; /* bytes, peak */
  uint64_t resident;      /* peak of the process, bytes */
};

struct search_figures {
  uint64_t stored;    /* states in memory at the end */
  uint64_t open;      /* states seen and not fully expanded, at the end */
  uint64_t visited;   /* expansions */
  uint64_t matched;   /* events that led to a stored state */
  uint64_t events;    /* followed: fired, and their successor looked up */
  uint64_t deadlocks; /* states without events that are no proper ends */
  uint64_t errors;    /* erroneous events and states, each occurrence */
  uint64_t depth;     /* longest path from an initial state that was followed, in events */
  uint64_t nested;    /* expansions of the second search, where cycles are looked for */
  double seconds;
  double expected_wrong_matches;
  struct search_peaks peak;
  struct search_forgetting forgetting;
  struct search_sweep sweep;
  struct search_first first;
  struct search_choice choice;
  struct search_levels level;
  struct search_memory memory;
};

/* How to reach the error: the initial state, then events; of a lasso, the last ones are a
 * cycle, which leads back to the state where it begins. */
struct search_trail {
  uint32_t initial; /* TS_NONE: no trail was kept, or memory ran out before it was made */
  uint32_t n_events;
  uint32_t n_cycle; /* events of the cycle; 0: there is none */
  struct ts_event *event;
};

struct search_error {
  enum search_error_kind kind;
  uint32_t index; /* of a model error of either kind, and of an assertion that an event broke:
                   * into shape->fault; else into shape->property; of a deadlock TS_NONE */
  bool in_last_event; /* the last event is itself the error and may have no successor;
                       * else the state that the trail reaches is */
  struct search_trail trail;
};

/* The states moved to another store. */
struct search_move {
  const struct store_kind *to;
  uint64_t states; /* stored by then */
  double seconds;  /* since the search began, when it was done */
};

#define SEARCH_MOST_MOVES 4u

/* What the states would take in a store, as the first ones show: bytes per state, and likely
 * between the least and the most. */
struct search_estimate {
  const struct store_kind *kind;
  double bytes, least, most;
  uint64_t states; /* the first ones; all: it was measured */
};

#define SEARCH_MOST_ESTIMATES 8u

struct search_result;
/* What was estimated for a store; 0: nothing was. */
double search_estimated(const struct search_result *, const struct store_kind *);

struct search_result {
  enum search_verdict verdict;
  enum search_guarantee guarantee;
  enum search_limit limit; /* the first that was hit */
  struct search_error
      error; /* the first found; with bfs, a shortest (not with the sweep-line) */
  struct search_figures figures;
  const struct store_kind *store; /* in use at the end */
  struct search_move move[SEARCH_MOST_MOVES];
  uint32_t n_moves;
  struct search_estimate estimate[SEARCH_MOST_ESTIMATES]; /* the smallest first, for the states
                                                           * found; made for a move, or after
                                                           * memory has run out */
  uint32_t n_estimates;
  bool cut_in_move;                   /* the last move lost states, and the search ended */
  const struct store_kind *next_kind; /* memory ran out, and the states could have moved here,
                                       * had there been room for that; or NULL */
  uint64_t *truncated;                /* as in a batch (ts/abi.h), or NULL */
  uint8_t *reached;                   /* a byte per statement that was done, or NULL */
  uint8_t *endless;           /* the same: a sequence of steps without end passed there */
  const char *internal_error; /* a sentence if the counterexample did not replay, which is
                               * a fault of this program, or NULL; then inconclusive */
  struct budget *budget;
  size_t truncated_bytes, level_bytes, trail_bytes; /* for search_result_free */
  uint32_t n_statements;
};

/* From struct search_checkpoint_options.write: writes all that the search needs to go on. What
 * fails is kept by the sink. */
void search_save(struct search *, struct sink *);

/* Always fills *result; running out of memory is a result. A counterexample has
 * been replayed. */
void search_run(const struct ts *, const struct search_options *, struct budget *,
                struct search_result *);
void search_result_free(struct search_result *);

/* Replays a trail from the initial state: calls `step` with each state in turn,
 * the first with edge NULL. False if an event is not enabled; step may stop the
 * replay by returning false (then the result is true). False as well if the
 * budget is exhausted. */
bool search_replay(const struct ts *, const struct search_trail *, struct budget *,
                   bool (*step)(void *context, uint32_t n, const struct ts_edge *edge,
                                const uint8_t *state, uint32_t length),
                   void *context);

/* Whether a trail with a cycle can be gone, comes back to where the cycle begins, and the cycle
 * has all marks. */
bool search_trail_cycles(const struct ts *, const struct search_trail *, struct budget *);

const char *search_verdict_name(enum search_verdict);     /* "verified" … */
const char *search_guarantee_name(enum search_guarantee); /* "exact" … */
const char *search_error_name(enum search_error_kind); /* as in the JSON: "model-error" … */
/* What it is called that a state violates the property. */
enum search_error_kind search_property_error(const struct ts_property *);
/* What it is called that an event has a fault. */
enum search_error_kind search_fault_error(const struct ts_shape *, const struct ts_edge *);
const char *search_limit_text(enum search_limit); /* "the memory budget was reached" … */

#endif
