/* sequence_pen.h - how a message chart is drawn: the lines of a run are handed to a pen. */
#ifndef CAIRN_REPORT_SEQUENCE_PEN_H
#define CAIRN_REPORT_SEQUENCE_PEN_H

#include <stdint.h>
#include <stdio.h>

/* What a process does by itself (from == to), or an arrow. Columns are counted from 0. */
struct sequence_mark {
  uint32_t from, to;
  const char *text;
};

struct sequence_row {
  uint32_t step, n;
  struct sequence_mark mark[2];
};

struct sequence_pen {
  FILE *out;
  const char *title; /* or NULL */
  /* Known before begin(): */
  uint32_t n_columns;
  const char *const *name;
  void (*begin)(struct sequence_pen *);
  void (*row)(struct sequence_pen *, const struct sequence_row *);
  void (*end)(struct sequence_pen *);
  /* The pen's own: */
  uint32_t width, n_rows;
  char *body;
  size_t size;
  FILE *to;
};

#endif
