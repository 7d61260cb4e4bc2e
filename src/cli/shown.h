/* shown.h - a counterexample from a file, in the form that the options ask for. */
#ifndef CAIRN_CLI_SHOWN_H
#define CAIRN_CLI_SHOWN_H

#include "cli/loaded.h"

#include "report/outcome.h"

/* A run that the model has confirmed. */
struct shown {
  struct loaded *loaded;
  const struct ts *ts; /* the model, or its product */
  const struct search_error *error;
  const char *trail; /* the file */
};

/* False after a failure, which has been printed. */
bool shown_print(const struct shown *);

#endif
