/* system.h - tiny systems made at random: products of small automata.
 *
 * A part is an automaton or a shared variable: a number below `values`. A letter moves
 * the parts of its mask at once, each by a partial map of values, and in one or two ways
 * (choices); it is enabled where all of the maps are defined. So whatever a guard and
 * an assignment can say about one part at a time is there, and little enough that a
 * system can be printed on a few lines and made smaller piece by piece.
 *
 * What is true of a system (its states, errors, independence) is worked out by table.h.
 */
#ifndef CAIRN_TESTS_SOUNDNESS_SYSTEM_H
#define CAIRN_TESTS_SOUNDNESS_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
  SYSTEM_PARTS = 6,
  SYSTEM_VALUES = 5,
  SYSTEM_LETTERS = 12,
  SYSTEM_CHOICES = 2,
  SYSTEM_INITIALS = 3,
  SYSTEM_BAD = 2,
  SYSTEM_PRODUCT = 8192 /* no product has more states, reachable or not */
};

/* What happens to a letter where a part has a value. */
struct system_fault {
  uint8_t kind; /* enum ts_fault_kind; TS_FINE: none */
  uint8_t part, value;
};

struct system_letter {
  uint32_t mask; /* of parts */
  uint32_t n_choices;
  int8_t to[SYSTEM_CHOICES][SYSTEM_PARTS][SYSTEM_VALUES]; /* below 0: not enabled */
  struct system_fault fault;
};

/* States in which an invariant fails: where two parts have these values. */
struct system_bad {
  uint8_t part[2], value[2];
};

struct system {
  uint64_t seed;
  uint32_t n_parts, n_automata, n_letters, n_initials, n_bad;
  uint8_t values[SYSTEM_PARTS];
  struct system_letter letter[SYSTEM_LETTERS];
  uint8_t initial[SYSTEM_INITIALS][SYSTEM_PARTS];
  struct system_bad bad[SYSTEM_BAD];
  uint32_t denied[SYSTEM_LETTERS]; /* pairs that are to be dependent whatever they do */
  bool by_mask;                    /* letters are independent only if they share no part */
  bool deadlock_is_error;
  uint8_t form; /* how states are in memory: see table.c */
};

void system_random(struct system *, uint64_t seed);

/* The classical case: three automata with four locations, eight letters, no errors. */
void system_classical(struct system *, uint64_t seed);

/* Takes piece number `piece` out; false if there is no such piece. Pieces are counted
 * from 0, large ones first. *applied: whether anything changed. */
bool system_reduce(const struct system *, uint32_t piece, struct system *smaller,
                   bool *applied);

void system_print(FILE *, const struct system *);

#endif
