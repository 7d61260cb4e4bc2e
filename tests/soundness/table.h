/* table.h - what is true of a tiny system, and the system behind the door.
 *
 * The reachable states are found by the plainest search there is: an array of states in
 * breadth-first order, and for each all of its events. Then every answer is known: which
 * states are deadlocks, where the nearest error is, whether there is a cycle, and which
 * letters are independent, by trying the diamond condition at every state. The ts
 * that searches get reads this table, and notes in it what they do.
 */
#ifndef CAIRN_TESTS_SOUNDNESS_TABLE_H
#define CAIRN_TESTS_SOUNDNESS_TABLE_H

#include "system.h"

#include "ts/control.h"

/* A step for each letter, part and value of it; an item for each part, and for each letter and
 * two parts. */
enum {
  TABLE_STEPS = SYSTEM_LETTERS * SYSTEM_CHOICES * SYSTEM_PARTS * SYSTEM_VALUES,
  TABLE_PROCESSES = SYSTEM_PARTS + SYSTEM_LETTERS,
  TABLE_ITEMS = SYSTEM_PARTS + SYSTEM_LETTERS * SYSTEM_PARTS * SYSTEM_PARTS
};

/* Who moves from where, as partial order reduction is told: see control.c. */
struct table_control {
  struct ts_control control;
  struct ts_process process[TABLE_PROCESSES];
  struct ts_step step[TABLE_STEPS];
  uint32_t first_step[TABLE_PROCESSES * SYSTEM_VALUES + 1], first_touch[TABLE_STEPS + 1];
  struct ts_touch touch[TABLE_STEPS * 3 * SYSTEM_PARTS], watched[2 * SYSTEM_BAD];
  uint32_t of_start[SYSTEM_LETTERS + 1], of_item[TABLE_STEPS], letter[TABLE_STEPS];
  uint32_t no_start[TABLE_STEPS + 1], filled[TABLE_ITEMS], first_guard[TABLE_STEPS + 1];
  struct ts_guard guard[TABLE_STEPS * SYSTEM_PARTS];
  struct ts_touch guard_touch[TABLE_STEPS * SYSTEM_PARTS];
  struct ts_term term[TABLE_STEPS * SYSTEM_PARTS * (2 + 4 * SYSTEM_VALUES)];
};

enum { TABLE_STATES = 1700, TABLE_EDGES = 16 * 1024, TABLE_STRIDE = 40 };

struct table_edge {
  uint16_t target; /* TABLE_STATES: none, a model error */
  uint8_t letter, choice, kind, fault;
};

struct table_state {
  uint32_t first_edge, n_edges;
  uint16_t depth;
  bool bad;
  uint8_t part[SYSTEM_PARTS];
  uint32_t incoming; /* edges */
  uint32_t phantom;  /* told beside these, as if from states that cannot be reached; TS_NONE: it
                      * cannot be told how many there are */
};

/* What a search does. */
struct table_watch {
  uint32_t round; /* expanded[i] == round: state i was, in this run */
  uint32_t expanded[TABLE_STATES];
  uint32_t n_expanded;    /* different states */
  uint64_t calls, most;   /* of successors(); beyond `most` no state has any */
  uint64_t events;        /* rows given out */
  const char *impossible; /* a question that no search may ask, or NULL */
};

struct table {
  const struct system *system;
  uint32_t n_states, n_edges, n_initials; /* n_initials: different ones */
  bool too_large;                         /* then nothing else is right */
  struct table_state state[TABLE_STATES];
  struct table_edge edge[TABLE_EDGES];
  uint32_t independent[SYSTEM_LETTERS]; /* bitmaps */
  bool acyclic;
  uint32_t kept; /* states that must stay, where it is not told how many edges lead there */

  uint32_t deadlocks, bad, levels;
  uint32_t failing, lost; /* edges that break an assertion, that are a model error */
  uint32_t shortest;      /* events to the nearest error, or TS_NONE */

  struct ts ts;
  struct ts_shape shape;
  /* Independence is handed over by read and write sets. To give any relation, two letters
   * that depend on each other both write a slot of no bits, after those of the parts. */
  struct ts_slot slot[SYSTEM_PARTS + SYSTEM_LETTERS * SYSTEM_LETTERS / 2];
  struct ts_component component[SYSTEM_PARTS];
  uint32_t read_start[SYSTEM_LETTERS + 1], write_start[SYSTEM_LETTERS + 1];
  uint32_t write_item[SYSTEM_LETTERS * SYSTEM_LETTERS];
  uint16_t number[SYSTEM_PRODUCT]; /* of the state with this code; TABLE_STATES: none */
  struct table_watch watch;
  struct table_control control;
};

/* Fills in the control of a table and hands it out; some of the parts are processes, which
 * depends on the seed. */
const struct ts_control *table_control(struct table *);

/* Fills in everything. The system must stay as it is. */
void table_fill(struct table *, const struct system *);

/* Forgets what was watched. */
void table_watch(struct table *);

/* The number of a state, or TABLE_STATES. */
uint32_t table_state(const struct table *, const uint8_t *row, uint32_t length);

void table_print(FILE *, const struct table *);

#endif
