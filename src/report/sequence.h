/* sequence.h - a run as a message chart: processes as columns, messages as arrows between them.
 */
#ifndef CAIRN_REPORT_SEQUENCE_H
#define CAIRN_REPORT_SEQUENCE_H

#include "base/arena.h"
#include "search/search.h"
#include "ts/ts.h"

#include <stdio.h>

/* Prints the run that the trail is; the arena's guard is jumped to where memory runs out. */
void sequence_print(const struct ts *, const struct search_trail *, struct budget *,
                    struct arena *, FILE *);

#endif
