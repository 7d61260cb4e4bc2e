/* toy.h - a complete model checker in a hundred lines: read it first.
 *
 * It does by the shortest way what the program does by the fast one, over the
 * same door (src/ts/ts.h), and says what must come out: an oracle for tests.
 */
#ifndef CAIRN_TESTS_TOY_H
#define CAIRN_TESTS_TOY_H

#include "ts/ts.h"

#define TOY_NONE UINT64_MAX

struct toy_result {
  uint64_t states, events, matched, deadlocks;
  uint64_t errors;   /* failed assertions, model errors, violated properties, deadlocks
                      * if they are errors; each occurrence */
  uint64_t shortest; /* events of a shortest run that ends in an error, or TOY_NONE */
  uint64_t levels, widest_level;
  uint64_t back_level_edges, longest_back_level_edge;
};

/* Visits every reachable state. False if memory ran out. */
bool toy_check(const struct ts *, bool deadlock_is_error, struct toy_result *);

#endif
