/* table.h - a table of texts and numbers, written for people or for programs. */
#ifndef CAIRN_REPORT_TABLE_H
#define CAIRN_REPORT_TABLE_H

#include "base/arena.h"

#include <stdio.h>

/* In the order of the choices of --table. */
enum table_format { TABLE_TEXT, TABLE_TSV, TABLE_JSON, TABLE_MARKDOWN };

struct table;

struct table *table_open(struct arena *, const char *title);
/* All columns first, then the cells row by row. Texts are copied. */
void table_column(struct table *, const char *header);
void table_text(struct table *, const char *);
void table_number(struct table *, double);
void table_unknown(struct table *);

/* TSV has full numbers and a line of headers; JSON is an object with `title` and `rows`,
 * objects by header, with counts in full. For people numbers are rounded, and unknown cells
 * show "-". */
void table_write(const struct table *, enum table_format, FILE *);

#endif
