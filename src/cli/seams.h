/* seams.h - the values of those options that name methods, from the lists of their kinds.
 *
 * Help, manual, completion, messages and docs/combinations.md name orders, stores, reductions
 * and ways to forget through here, so that a method that is listed with its seam is known
 * everywhere.
 */
#ifndef CAIRN_CLI_SEAMS_H
#define CAIRN_CLI_SEAMS_H

#include "cli/options.h"

struct seams_value {
  const char *name;    /* "bbfs" */
  char form[48];       /* as it is written: "bbfs:W", "compact[:N]" */
  char word[32];       /* to complete: "bbfs:" where something must follow */
  const char *summary; /* half a sentence */
  char argument[96];   /* about what follows the name, or "" */
  char sample[48];     /* an example for all, with the options that it needs */
};

/* The i-th value of an option; false: there are no more, or it names no methods. */
bool seams_value(enum option, uint32_t i, struct seams_value *);

/* "bfs, dfs, …": the names, cut to `size`. */
void seams_names(enum option, char *text, size_t size);

#endif
