/* store.h - the set of states seen so far.
 *
 * A store answers one question well, for a batch of states at a time: have I
 * seen these? Everything else that a search remembers about a state (parents,
 * colours, depth, counters) is kept by the search, by id where the store has
 * ids, else in the `bits` that travel with each entry. No store knows a search.
 *
 * An implementation is one file without a header and a line of kinds.def: it exports one
 * constant store_kind. What it can do it declares in `has`; impossible combinations are
 * refused in words before a run.
 */
#ifndef CAIRN_STORE_STORE_H
#define CAIRN_STORE_STORE_H

#include "store/rows.h"

#include "base/budget.h"
#include "base/sink.h"

#define STORE_NONE  UINT64_MAX
#define STORE_DRAIN 64u

enum store_answer { STORE_OLD, STORE_NEW };

/* What a kind can do; a function that goes with a trait is there if and only if that is
 * declared. */
enum store_has {
  STORE_EXACT = 1,          /* OLD is never a mistake */
  STORE_IDS = 2,            /* refs are dense, stable numbers from 0 in order of insertion */
  STORE_HANDLES = 4,        /* refs name states, but need not be dense */
  STORE_GETS = 8,           /* a ref gives the state back */
  STORE_REMOVES = 16,       /* states can be forgotten one by one */
  STORE_KEEPS_BITS = 32,    /* opaque bits per state, by ref */
  STORE_GUESSES = 64,       /* finds in two steps */
  STORE_DRAINS = 128,       /* states can be taken out, to go to another store */
  STORE_USES_PARENTS = 256, /* is faster or smaller for rows that have parents */
  STORE_SAVES = 512,        /* can be written to a file and read again */
  STORE_REBUILDS = 1024,    /* finds most states again by firing the events that led to them */
  STORE_PATCHES = 2048      /* is faster for long rows that have parents */
};

/* What a store does that rebuilds states; see comback.c. */
enum store_variants {
  STORE_SHORTENS = 1, /* ways back become shorter where a shorter one is found */
  STORE_NUMBERS = 2,  /* open states are rebuilt as all others */
  STORE_FORWARD = 4,  /* events are fired forward also where they can be undone */
  STORE_ACTIONS = 8,  /* ways back do not say by which choice of an action */
  STORE_BACKWARD = 16 /* the model is to be able to undo events, whatever that takes */
};

#define STORE_NO_ANCHORS UINT32_MAX
#define STORE_NO_CACHE   UINT32_MAX

struct store_rebuild {
  uint32_t
      cached; /* states that each worker has at hand; STORE_NO_CACHE; 0: the kind chooses */
  uint32_t anchors;  /* events from one to the next; STORE_NO_ANCHORS; 0: the kind chooses */
  uint32_t variants; /* of enum store_variants */
};

struct store_config {
  const struct ts_shape *shape;
  struct budget *budget;
  uint32_t bits;      /* opaque bits wanted per entry, 0 to 64 */
  bool recycles;      /* the room of removed states is used again, and so are their refs:
                       * ids stay below the most states that there were at a time */
  uint32_t hash_bits; /* for tests: only that many low bits of each hash are used; 0: all */
  uint32_t parameter; /* from the kind's least to its most; 0: the kind chooses */
  uint64_t size;      /* bytes of a table that does not grow; 0: the kind chooses */
  uint32_t
      kept_bits; /* only that many high bits of each hash are known, the others are 0; 0: all */
  uint64_t states; /* that many will be put at once; 0: not known */
  uint64_t room;   /* bytes that it may hope for, for those and more; 0: not known */
  const struct ts_batch *sample; /* some states of the model, read by open() only, for kinds
                                  * that fit themselves to what varies; or NULL */
  const struct ts *ts; /* for STORE_REBUILDS: fires the events of rows again. NULL: it is not
                        * known, and all states are kept whole */
  const struct hash *hash; /* by which rows are hashed. NULL: it is not known, and ways back say
                            * by which choice */
  struct store_rebuild rebuild;
};

struct store_usage {
  uint64_t states;
  uint64_t bytes;    /* of `reserved` what is in use: room to grow into is not, a table is */
  uint64_t reserved; /* taken from the budget, to the byte, each worker's part included */
  uint64_t index_bytes, vector_bytes;
  const struct index
      *index;           /* it has one: index_bytes_for() says how that will grow; or NULL */
  double wrong_matches; /* expected number for a uniform hash; 0 when exact */
  double wrong_chance;  /* that a new state put now would be called old */
  uint32_t kept_bits;   /* of each state's hash, where no more is kept; else 0 */
  uint32_t set_bits;    /* set for each state in a table of table_bits; else 0 */
  uint64_t table_bits;
  bool rebuilds;    /* states, by firing events: */
  uint64_t refired; /* events, by all workers that there are */
};

struct store;

/* What a worker uses of a store; a kind with memory of its own for each begins its struct with
 * this one. */
struct store_work {
  struct store *store;
};

struct store_kind {
  const char *name, *summary;
  unsigned has;
  uint32_t least, most;  /* of the parameter; most 0: there is none */
  const char *parameter; /* what it is */
  bool sized;            /* store_config.size has a meaning */
  uint32_t samples;      /* how many states of store_config.sample are of use, a power of two */

  /* Every kind has these. */

  /* Starts small. NULL if the budget is exhausted. */
  struct store *(*open)(const struct store_config *);
  void (*close)(struct store *);

  /* What one worker uses of the store; every worker ends before the store is closed. NULL if
   * the budget is exhausted. */
  struct store_work *(*begin)(struct store *);
  void (*end)(struct store_work *);

  /* Insert-or-find, and find only, of rows [from, to): reads the batch (a state is never
   * without bytes; its length is in its edge) and hash[i], the finished hash of row i, through
   * store_hash(), and, with STORE_USES_PARENTS or STORE_PATCHES, parent[i] if the rows have
   * parents (and with STORE_REBUILDS the event of the edge, which leads from there to the row);
   * fills answer[i] and ref[i] (find: STORE_NEW and STORE_NONE if it is not there; a kind
   * without STORE_IDS and STORE_HANDLES: 0 where it is there, and always after put). Equal
   * rows within a batch are found too. Returns the first row not answered: less
   * than `to` only if memory ran out, and then nothing of that row was stored. */
  uint32_t (*put)(struct store_work *, struct rows *, uint32_t from, uint32_t to);
  void (*find)(struct store_work *, struct rows *, uint32_t from, uint32_t to);

  /* Says that these hashes will be looked up soon. */
  void (*prefetch)(const struct store_work *, const uint64_t *hash, uint32_t n);
  /* Fills all of the figures; those that do not apply are 0. */
  void (*usage)(const struct store *, struct store_usage *);
  /* Walks the structure; a sentence naming the first broken invariant, or NULL. */
  const char *(*check)(struct store_work *);

  /* STORE_GUESSES: find in two steps, so that other work can be done while memory is waited
   * for. The first fills ref[i] with a guess from the hash alone, nearly always right,
   * STORE_NONE for none; the second, with nothing put or removed in between, is find. */
  void (*guess)(struct store_work *, struct rows *, uint32_t from, uint32_t to);
  void (*confirm)(struct store_work *, struct rows *, uint32_t from, uint32_t to);

  /* STORE_REBUILDS: all states before this ref are closed, and the others will be asked for by
   * get() one after the other. Called more than once, and for the first time before any is
   * stored, by orders of which this is true. */
  void (*shed)(struct store_work *, uint64_t ref);

  /* STORE_GETS: the state of a ref, into a row of the shape's stride; its length, or 0 if
   * it was removed and the ref not given out again. */
  uint32_t (*get)(struct store_work *, uint64_t ref, uint8_t *row);
  /* STORE_REMOVES: forgets a state; `hash` is the finished hash it was put with. Its ref is out
   * of use: one of STORE_IDS is never given out again (unless the config says so), a mere
   * handle may be, for the same state when it comes back or, later, for another. False, and it
   * stays, if memory ran out or there is no such state. */
  bool (*remove)(struct store_work *, uint64_t ref, uint64_t hash);

  /* STORE_KEEPS_BITS; 0 for a new state. */
  uint64_t (*bits)(const struct store_work *, uint64_t ref);
  void (*set_bits)(struct store_work *, uint64_t ref, uint64_t bits);

  /* STORE_DRAINS: all states, one after the other, so that they can go to another store;
   * nothing is changed. Those from *cursor on, which is 0 at first and goes on: at most as many
   * as `rows` has room for (STORE_DRAIN at least), in the order of their refs where they are
   * STORE_IDS; how many, 0: none is left. What belongs to state i is in row i, its edge's
   * length, ref[i] and bits[i]; a kind that keeps no states sets hash[i] alone, to the bits
   * that it kept. */
  uint32_t (*each)(struct store_work *, uint64_t *cursor, struct rows *, uint64_t *bits);
  /* Gives up for good the n states that each() has just handed out, up to this cursor, and
   * their memory bit by bit; with 0 and 0 only what is not needed for each(). After that there
   * is nothing but each() from there on, this, usage and close. */
  void (*release)(struct store_work *, uint64_t cursor, uint32_t n);

  /* STORE_SAVES: writes all that the store knows, when no worker is at work; and reads it into
   * one that was just opened with the same config. Then refs, ids, bits, answers and figures
   * are those that the saved store would give. Tables are copied as they are, through the
   * sink's buffer. load is false if memory ran out or the sink refused; the store can only be
   * closed then. */
  void (*save)(const struct store *, struct sink *);
  bool (*load)(struct store *, struct sink *);
};

/* Every kind, ended by NULL; the first is the default. */
extern const struct store_kind *const store_kinds[];

/* The first function of a kind that is missing, or is there undeclared; NULL: none. */
const char *store_broken(const struct store_kind *);

/* For tests, only some low bits of each hash are used: which; 0: all. Tables go by the high
 * bits, so a hash that is cut is spread again. */
static inline uint64_t store_hash_mask(const struct store_config *config) {
  return config->hash_bits > 0 && config->hash_bits < 64
             ? UINT64_MAX >> (64 - config->hash_bits)
             : 0;
}

static inline uint64_t store_hash(uint64_t mask, uint64_t hash) {
  if (__builtin_expect(mask != 0, 0))
    return (hash & mask) * UINT64_C(0x9E3779B97F4A7C15);
  return hash;
}

/* How many bits to set for each of that many states in a table of bits so that fewest states
 * are missed: ln 2 times the bits there are for each (Bloom 1970), but 1 to 64. */
uint32_t store_best_bits(uint64_t table_bits, uint64_t states);

/* The next states, and they are given up: each() and release(). */
static inline uint32_t store_drain(const struct store_kind *kind, struct store_work *work,
                                   uint64_t *cursor, struct rows *rows, uint64_t *bits) {
  uint32_t n = kind->each(work, cursor, rows, bits);
  kind->release(work, *cursor, n);
  return n;
}

/* The kind that a name, or a name with ":" or "," and more, means; NULL: no such kind. */
const struct store_kind *store_by_name(const char *name);

#endif
