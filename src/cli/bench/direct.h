/* direct.h - a bench without a suite file: models and methods from the command line. */
#ifndef CAIRN_CLI_BENCH_DIRECT_H
#define CAIRN_CLI_BENCH_DIRECT_H

#include "cli/options.h"

#include "base/source.h"

/* Whether the operands are models; else the only one is a suite. */
bool direct_asked(const struct options *);

/* The suite that stands for the command line: every model with every store, order and reduction
 * that was named. NULL, and a sentence, if an option or a name does not fit. */
const struct source *direct_suite(struct arena *, const struct options *, const char **why);

/* An option that needs models in place of the suite; OPTIONS: none was given. */
enum option direct_option(const struct options *);

#endif
