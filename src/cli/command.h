/* command.h - the subcommands: each takes parsed options and returns the exit
 * status. */
#ifndef CAIRN_CLI_COMMAND_H
#define CAIRN_CLI_COMMAND_H

#include "cli/options.h"

int command_check(const struct options *);
/* For a command line of `check` that has a mistake: writes the JSON object that it asks
 * for, if that much of it was understood. Prints nothing. */
void command_check_refused(const struct options *);
int command_sim(const struct options *);
int command_trail(const struct options *);
int command_info(const struct options *);
int command_graph(const struct options *);
int command_automaton(const struct options *);
int command_bench(const struct options *);

#endif
