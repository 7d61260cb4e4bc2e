/* command.h - the subcommands: each takes parsed options and returns the exit
 * status. */
#ifndef CAIRN_CLI_COMMAND_H
#define CAIRN_CLI_COMMAND_H

#include "cli/options.h"

int command_check(const struct options *);
int command_sim(const struct options *);
int command_trail(const struct options *);
int command_info(const struct options *);
int command_graph(const struct options *);

#endif
