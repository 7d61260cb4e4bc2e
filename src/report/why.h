/* why.h - why the run of a counterexample ends as it does.
 *
 * Of a deadlock: where each process is, and what it waits for. Of anything that fails: the
 * values with which it did. Worked out once, after the search, from the trail.
 */
#ifndef CAIRN_REPORT_WHY_H
#define CAIRN_REPORT_WHY_H

#include "report/steps.h"

#include "search/search.h"
#include "ts/explain.h"

struct why {
  bool is_stuck;             /* a deadlock or invalid end state: */
  struct ts_waiters waiters; /* who waits for what */
  const char *values;        /* with which something failed, or NULL */
};

/* Replays the trail of the error. What is found is in the arena, whose guard is jumped to
 * where memory runs out. False: nothing is known. */
bool why_find(const struct ts *, const struct search_error *, struct budget *, struct arena *,
              struct why *);

/* After the last step. */
void why_print(const struct why *, const struct steps *);

/* The array "stuck", or null; the struct may be NULL. */
struct json;
void why_write_json(const struct why *, struct json *);

#endif
