/* entries.c - the table of options.def as constants, and where a mistake is noted.
 *
 * Apart from options.c, which reads words by it, because others look options up, too, and are
 * asked by options.c.
 */
#include "cli/options.h"

#include <stdarg.h>

#define IN_NONE      (1u << COMMAND_NONE)
#define IN_CHECK     (1u << COMMAND_CHECK)
#define IN_SIM       (1u << COMMAND_SIM)
#define IN_TRAIL     (1u << COMMAND_TRAIL)
#define IN_INFO      (1u << COMMAND_INFO)
#define IN_GRAPH     (1u << COMMAND_GRAPH)
#define IN_AUTOMATON (1u << COMMAND_AUTOMATON)
#define IN_BENCH     (1u << COMMAND_BENCH)
#define RARE         OPTIONS_RARE
#define MODEL        OPTIONS_MODEL

static const struct option_entry option_table[OPTIONS] = {
#define COMMAND(...)
#define OPTION(id, name, letter, kind, argument, commands, fallback, low, high, help, more)    \
  [OPTION_##id] = {name,     letter, OPTION_##kind, argument, commands,                        \
                   fallback, low,    high,          help,     more},
#include "cli/options.def"
#undef COMMAND
#undef OPTION
};

static const struct command_entry command_table[COMMANDS] = {
    [COMMAND_NONE] = {"", "COMMAND", 0, 0, "an explicit-state model checker"},
#define COMMAND(id, name, operands, least, most, summary)                                      \
  [COMMAND_##id] = {#name, operands, least, most, summary},
#define OPTION(...)
#include "cli/options.def"
#undef COMMAND
#undef OPTION
};

const struct option_entry *options_entry(enum option option) {
  return &option_table[option];
}

const struct command_entry *options_command(enum command command) {
  return &command_table[command];
}

/* Bytes that could disturb a terminal become "?". */
bool options_wrong(struct options *o, const char *format, ...) {
  if (o->problem[0] != '\0')
    return false;
  va_list list;
  va_start(list, format);
  vsnprintf(o->problem, sizeof o->problem, format, list);
  va_end(list);
  for (char *c = o->problem; *c != '\0'; c++)
    if ((unsigned char)*c < 32 || *c == 127)
      *c = '?';
  return false;
}
