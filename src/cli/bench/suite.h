/* suite.h - a suite file: what is to be measured, as it is written.
 *
 * Tab-separated cells; what a line means is said by its first cell. docs/bench.md
 * describes the format. Here lines are cut, counted and checked by themselves; what the
 * variables in them stand for is a matter of plan.h.
 */
#ifndef CAIRN_CLI_BENCH_SUITE_H
#define CAIRN_CLI_BENCH_SUITE_H

#include "base/diag.h"

enum suite_kind {
  SUITE_SET,    /* set NAME VALUE */
  SUITE_LET,    /* let NAME VALUE */
  SUITE_EACH,   /* each NAME VALUE… */
  SUITE_MODEL,  /* model NAME FILE OPTIONS [LABEL=VALUE…] */
  SUITE_RUN,    /* run NAME OPTIONS [LABEL=VALUE…] */
  SUITE_TOOL,   /* tool NAME BUILD COMMAND [LABEL=VALUE…] */
  SUITE_FIGURE, /* figure NAME PATTERN [FORMULA] */
  SUITE_EXPECT, /* expect FORMULA */
  SUITE_TABLE,  /* table TITLE [rows=… columns=… best=… if=… show=… mean=…] */
  SUITE_CHART,  /* chart TITLE x=… y=… [if=…] */
  SUITE_KINDS
};

struct suite_cell {
  const char *text;
  struct span span;
};

struct suite_label { /* of a cell KEY=VALUE */
  const char *key, *value;
  struct span span; /* of the value */
};

struct suite_line {
  enum suite_kind kind;
  struct {
    struct suite_cell *at;
    uint32_t n, capacity;
  } cells; /* without the first, and without labels */
  struct {
    struct suite_label *at;
    uint32_t n, capacity;
  } labels;
};

struct suite {
  const char *path;
  const char *folder; /* of the file, absolute: relative names start there */
  struct {
    struct suite_line *at;
    uint32_t n, capacity;
  } lines;
  uint32_t repeat; /* runs of each row */
  double seconds;  /* limit of one run; 0: none */
  uint64_t memory; /* the same, in bytes */
  const char *baseline;
};

/* Mistakes go to diag; the suite is complete if there are none. */
struct suite *suite_parse(struct arena *, struct diag *, const struct source *,
                          const char *folder);

/* The value of the label, or NULL. */
const char *suite_label(const struct suite_line *, const char *key);

/* Cuts "LABEL:=VALUE" in two; without the mark both are the whole. */
void suite_split(struct arena *, const char *text, const char **label, const char **value);

#endif
