/* page.h - a counterexample as a page for a browser.
 *
 * The page (page.html, which is part of the program) needs nothing but itself: the run and the
 * text of the model are in it, as JSON, and it is stepped through by keys and mouse.
 */
#ifndef CAIRN_REPORT_PAGE_H
#define CAIRN_REPORT_PAGE_H

#include "report/outcome.h"

#include "base/source.h"

/* Of an outcome with a run; longer texts than PAGE_SOURCE bytes are left out. */
#define PAGE_SOURCE (UINT32_C(200) << 10)

extern const char page_text[]; /* page.html */

void page_write(const struct outcome *, const struct source *, FILE *);

#endif
