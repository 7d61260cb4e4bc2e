/* results.h - the file of runs that have ended: one line of JSON for each.
 *
 * A line is written when its run ends, so whatever ends the suite, what was measured
 * stays. A run is not repeated if a line has its key, its repetition and its fingerprint,
 * a hash of everything that the run depends on.
 */
#ifndef CAIRN_CLI_BENCH_RESULTS_H
#define CAIRN_CLI_BENCH_RESULTS_H

#include "base/arena.h"
#include "cli/bench/formula.h"
#include "cli/bench/launch.h"

#include <stdio.h>

struct results_field {
  const char *name;
  struct formula_value value;
};

struct results_run {
  const char *key;
  uint32_t repeat; /* from 0 */
  uint64_t fingerprint;
  bool good; /* it ended as a run should, so its figures count */
  struct {
    struct results_field *at;
    uint32_t n, capacity;
  } fields; /* `end`, `status`, `wall`, `cpu`, `peak`, `load`, `message`, and its own figures */
};

struct results {
  struct {
    struct results_run *at;
    uint32_t n, capacity;
  } runs;
  uint32_t damaged; /* lines that are no JSON: the end of a write that was cut off */
};

/* NULL with errno set if the file cannot be read. No file is an empty one. Without
 * `fields` only what distinguishes runs is kept. */
struct results *results_read(struct arena *, const char *path, bool fields);

/* The last run with this key and repetition, and if `fingerprint` is not 0 with it; NULL: none.
 */
const struct results_run *results_find(const struct results *, const char *key, uint32_t repeat,
                                       uint64_t fingerprint);

struct formula_value results_field(const struct results_run *, const char *name, size_t length);

struct results_line {
  const char *key;
  uint32_t repeat;
  uint64_t fingerprint;
  bool good;
  struct launch_result how;
  double load;
  const char *message; /* NULL: none */
  const char *figures; /* a JSON object */
};

enum results_answer { RESULTS_FINE, RESULTS_IN_USE, RESULTS_FAILED };

/* Opens the file for further lines, emptied if `fresh`. Only one suite may at a time. */
enum results_answer results_append(const char *path, bool fresh, FILE **);
/* False, with errno set, if the line could not be written. */
bool results_write(FILE *, const struct results_line *);

#endif
