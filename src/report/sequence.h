/* sequence.h - a run as a message chart: processes as columns, messages as arrows between them.
 */
#ifndef CAIRN_REPORT_SEQUENCE_H
#define CAIRN_REPORT_SEQUENCE_H

#include "base/arena.h"
#include "search/search.h"
#include "ts/ts.h"

#include <stdio.h>

struct sequence_pen;

/* Draws the run that the trail is; the arena's guard is jumped to where memory runs out. */
void sequence_draw(const struct ts *, const struct search_trail *, struct budget *,
                   struct arena *, const struct sequence_pen *);

/* With these: as text, for a terminal; as SVG, with one line as its title. */
struct sequence_pen sequence_text(FILE *);
struct sequence_pen sequence_svg(FILE *, const char *title);

#endif
