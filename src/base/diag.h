/* diag.h - messages at places in the user's text.
 *
 * Printed the way good compilers do:
 *
 *   bakery.dve:12:7: error: unknown variable 'chosing'
 *      12 |  NCS -> choose { effect chosing[0] = 1; },
 *         |                         ^~~~~~~
 *   hint: did you mean 'choosing'?
 *
 * Messages are collected and printed by the entry of the program. After
 * DIAG_MAX errors further ones are counted and dropped; a parser reports at
 * most one error per statement, so that one mistake makes no cascade.
 * Control bytes of the user's text are shown as "?", and long lines are cut
 * around the caret.
 */
#ifndef CAIRN_BASE_DIAG_H
#define CAIRN_BASE_DIAG_H

#include "base/source.h"

#include <stdio.h>

#define DIAG_MAX 10

/* A note goes with the message before it and is dropped with it; a remark is a note of its
 * own. */
enum diag_severity { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE, DIAG_REMARK };

struct diag;

struct diag *diag_open(struct arena *);
void diag_add(struct diag *, enum diag_severity, struct span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A hint below the last message. */
void diag_hint(struct diag *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Messages about `part`, whose text was taken out of a span of another source, perhaps with
 * blanks squeezed, are about places in that one from now on. */
void diag_place(struct diag *, const struct source *part, struct span);

uint32_t diag_errors(const struct diag *);
void diag_print(const struct diag *, FILE *, bool color);

/* A message for programs. Hints are passed one by one after it, as items of severity "hint" at
 * the same place. */
struct diag_item {
  const char *severity;                        /* "error", "warning", "note", "hint" */
  const char *file;                            /* NULL: no place; the numbers are 0 then */
  uint32_t line, column, end_line, end_column; /* from 1; the end is after the last byte */
  const char *text;
};

/* Calls `tell` with each message, in order. */
void diag_each(const struct diag *, void (*tell)(void *context, const struct diag_item *),
               void *context);

/* One line for each, as compilers write them: "bakery.dve:12:7: error: unknown variable". */
void diag_print_lines(const struct diag *, FILE *);

#define diag_error(diag, ...)   diag_add((diag), DIAG_ERROR, __VA_ARGS__)
#define diag_warning(diag, ...) diag_add((diag), DIAG_WARNING, __VA_ARGS__)

/* The name among `names` that looks most like `wrong`, or NULL if none does. */
const char *diag_closest(const char *wrong, const char *const *names, uint32_t n);

#endif
