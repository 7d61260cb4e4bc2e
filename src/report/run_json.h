/* run_json.h - a run as JSON: states and steps, for programs and for pages.
 *
 * The first state is written whole, of the others what changed, and the last one whole again.
 */
#ifndef CAIRN_REPORT_RUN_JSON_H
#define CAIRN_REPORT_RUN_JSON_H

#include "report/json.h"

#include "base/budget.h"
#include "search/search.h"
#include "ts/ts.h"

/* Longer runs are cut in the middle where `all` is not asked for. */
#define RUN_JSON_MOST 10000u

/* The object `key`, or null if it cannot be replayed. */
void run_json_write(struct json *, const char *key, const struct ts *,
                    const struct search_trail *, bool all, struct budget *);

#endif
