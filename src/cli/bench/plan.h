/* plan.h - the rows of a suite: every model with every run, variables filled in. */
#ifndef CAIRN_CLI_BENCH_PLAN_H
#define CAIRN_CLI_BENCH_PLAN_H

#include "cli/bench/suite.h"

struct plan_label {
  const char *name, *value;
};

struct plan_row {
  const char *key;               /* MODEL/RUN, unlike those of the other rows */
  const char *model;             /* absolute path of the model's file */
  const struct suite_line *line; /* its `run` or `tool` */
  struct {
    struct plan_label *at;
    uint32_t n, capacity;
  } labels;                    /* `model` and `run` are the first two */
  char **argv;                 /* of `run`: what follows "check"; NULL-terminated */
  const char *build, *command; /* of `tool`: lines for the shell; build "": none */
  char **environment;          /* of `tool`: NAME, VALUE, …, NULL */
};

struct plan {
  const struct suite *suite;
  struct {
    struct plan_row *at;
    uint32_t n, capacity;
  } rows;
};

/* Mistakes go to diag; if there are some already, there are no rows. `only`: patterns (fnmatch)
 * for keys, n of them; 0: all rows. */
struct plan *plan_make(struct arena *, struct diag *, const struct suite *,
                       const char *const *only, uint32_t n_only);

const char *plan_label(const struct plan_row *, const char *name, size_t length);

#endif
