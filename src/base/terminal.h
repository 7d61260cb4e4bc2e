/* terminal.h - how wide the terminal is, and lines that fit it.
 *
 * What is printed for people is written without regard to width; where it goes to a terminal,
 * lines that are too long are broken between words on their way there. Pipes and files get it
 * as it is.
 */
#ifndef CAIRN_BASE_TERMINAL_H
#define CAIRN_BASE_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Columns of the terminal that the stream goes to, at least 20; 0: it goes to none, or to one
 * of unknown width. The variable COLUMNS of the environment takes precedence over what the
 * terminal says. Streams of terminal_fold() are known as well if they are stdout or stderr. */
uint32_t terminal_columns(FILE *);

/* Whether the stream goes to a terminal; the same streams are known. */
bool terminal_is(FILE *);

/* What such a stream knows. */
struct terminal_fold {
  int to;
  uint32_t columns;
  bool is_copied; /* the line before ended in a colon */
  bool is_begun;  /* a part of this line was written already */
};

/* A stream to the same file, whose lines are broken at that width; NULL: no memory. It is open
 * until the program ends, and flushed by what ends it, so the structure has to last as long. A
 * line goes on below its text where it has a name in front of that, else four columns further
 * in. Left whole: a line after one that ends in a colon, which is there to be copied; a line of
 * which a part was flushed before; words that are too long. */
FILE *terminal_fold(struct terminal_fold *, FILE *, uint32_t columns);

#endif
