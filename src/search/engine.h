/* engine.h - what kind of search it is: which states are visited how often, and why.
 *
 * An engine moves a worker to the end of its search, or until search->stop. It is made of the
 * steps (step.h): a state is fired, rows are put or looked up. What it needs besides it
 * declares; search.c opens that before. An engine is one file that exports one constant
 * engine, and a line in engines.def.
 *
 * Engines of cycles look for a reachable cycle whose events have all marks of the shape
 * (ts_code.marks); each says by worker_note_cycle() what it found, and the way is gone again
 * before that is believed. There are two kinds. Those of a path (ENGINE_PATH) run the loop of
 * explore.c in depth-first order, and follow the path as its listener (frontier/frontier.h):
 * which state is entered, which one that was stored already an event leads to, which state is
 * left. They keep what they know of a state in bits of the store, or in arrays by its number.
 * The others (ENGINE_AFTER) let all states be visited in whatever order, and work on what is
 * stored then.
 */
#ifndef CAIRN_SEARCH_ENGINE_H
#define CAIRN_SEARCH_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

struct sink;
struct store_kind;
struct worker;

enum engine_needs {
  ENGINE_ORDER = 1,     /* an order that says which open state is next */
  ENGINE_CYCLES = 2,    /* looks for cycles */
  ENGINE_PATH = 4,      /* the order must be depth-first and exact: a path (FRONTIER_PATH) */
  ENGINE_GETS = 8,      /* the store must give states back */
  ENGINE_NUMBERS = 16,  /* and number them */
  ENGINE_ONE_MARK = 32, /* there must be one mark, not several */
  ENGINE_FAIR = 64,     /* can judge fairness */
  ENGINE_BITS = 256,    /* the store must keep bits */
  ENGINE_AFTER = 128    /* works on what is stored when all was visited */
};

/* A state that has gone to another store: what both call it, and its bits. */
struct engine_moved {
  uint64_t old_ref, ref, bits;
  const uint8_t *row;
  uint32_t length;
};

struct engine {
  const char *name, *summary;
  unsigned needs;
  uint32_t bits; /* of each state, in the store if it keeps any; ENGINE_BITS: it must */
  /* Opens what it has, after the store and before the order, and sets w->listener if it has
   * one; closes it, also after half an opening. False if memory ran out. NULL: nothing. */
  bool (*open)(struct worker *);
  void (*close)(struct worker *);
  void (*run)(struct worker *);
  /* Between two expansions, soon after w->attention was set by whoever. NULL: nothing. */
  void (*attend)(struct worker *);
  /* Saves what it has between two expansions, or loads it into an engine that was just opened,
   * when the store and the order have been loaded. False if memory ran out or the sink refused.
   * NULL: there is nothing to save. */
  bool (*pass)(struct worker *, struct sink *);
  /* The states are about to move to a store of this kind, and the old one can still be asked;
   * false: that cannot be, or there is no memory, and nothing happened. Then of each state, in
   * the old store's order; false if memory ran out. NULL: nothing is to be done. */
  bool (*move)(struct worker *, const struct store_kind *to);
  bool (*moved)(struct worker *, const struct engine_moved *);
};

/* Every engine, ended by NULL; the first is the default. */
extern const struct engine *const engines[];

/* The engine of a name; NULL: there is none. */
const struct engine *engine_by_name(const char *name);

/* The loop of explore.c, for engines that run it. */
void engine_explore_run(struct worker *);

/* Between two expansions: asks about all rows that were fired. */
void engine_explore_flush(struct worker *);

#endif
