/* options.h - the command line, parsed.
 *
 * Everything comes from options.def: see there for adding an option. A value
 * that is out of range, an option that the command has no use for, and a
 * missing operand are errors with one sentence; unknown names get a suggestion.
 */
#ifndef CAIRN_CLI_OPTIONS_H
#define CAIRN_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum command {
  COMMAND_NONE, /* the program itself: --version, --man … */
#define COMMAND(id, name, operands, least, most, summary) COMMAND_##id,
#define OPTION(...)
#include "cli/options.def"
#undef COMMAND
#undef OPTION
  COMMANDS
};

enum option {
#define COMMAND(...)
#define OPTION(id, ...) OPTION_##id,
#include "cli/options.def"
#undef COMMAND
#undef OPTION
  OPTIONS
};

/* Choices of CHOICE options, and bits of CHOICES options, in their order. */
enum options_check { OPTIONS_INDEPENDENCE, OPTIONS_MERGE, OPTIONS_DEAD };
enum options_shell { OPTIONS_BASH, OPTIONS_ZSH, OPTIONS_FISH };
enum options_diagnostics {
  OPTIONS_DIAGNOSTICS_TEXT,
  OPTIONS_DIAGNOSTICS_GCC,
  OPTIONS_DIAGNOSTICS_JSON
};
enum options_compiler { OPTIONS_TCC, OPTIONS_CC, OPTIONS_AUTO };
enum options_send_full { OPTIONS_BLOCK, OPTIONS_LOSE };
enum options_end_queues { OPTIONS_ANY, OPTIONS_EMPTY };
enum options_warn { OPTIONS_TRUNCATION = 1, OPTIONS_WARN_SPIN = 2, OPTIONS_WARN_NO_SPIN = 4 };
enum options_property {
  OPTIONS_DEADLOCK = 1,
  OPTIONS_SAFETY = 2,
  OPTIONS_ONE_SAFE = 4,
  OPTIONS_ACCEPTANCE = 8,
  OPTIONS_PROGRESS = 16,
  OPTIONS_BOUNDED = 32 /* `size`: by the least number given */
};
enum options_format { OPTIONS_DOT, OPTIONS_AUT, OPTIONS_NEVER, OPTIONS_HOA };
enum options_color { OPTIONS_COLOR_AUTO, OPTIONS_COLOR_ALWAYS, OPTIONS_COLOR_NEVER };

struct option_value {
  bool given;
  const char *text;
  uint64_t number; /* numbers, sizes; the choice's index, or a bitmap of choices */
  uint64_t size;   /* after the comma of a method, or in a choice; 0: none */
  double seconds;
};

struct option_given {
  enum option option;
  const char *text;
};

/* A model that a program which uses the library gives by itself. */
struct given_model {
  const struct language *language;
  const char *text; /* of it; NULL: it is functions */
  uint32_t length;
  const struct cairn_model *functions;
};

struct options {
  const char *program; /* as it was called */
  enum command command;
  uint32_t n_operands;
  const char *operand[2];            /* the first ones; all: options_operand() */
  struct option_given *last_operand; /* they are at the end of the room, backwards */
  struct option_value value[OPTIONS];
  struct option_given *given; /* in the order of the command line */
  uint32_t n_given;
  char problem[320]; /* what was wrong, one sentence */
  FILE *messages; /* errors, warnings and notes go there: standard error, but for the library */
  const struct given_model *model; /* in place of the file of that name; NULL: there is none */
  bool wants_help;
  enum option help_about; /* with wants_help: the option whose names are to be listed, or
                           * OPTIONS */
};

/* Parses the arguments; `room` has space for argc entries and must outlive the
 * result, like argv. False: see `problem`. --help wins over every other mistake
 * of a known command, and so does "help" in place of the name of a method. */
bool options_parse(struct options *, int argc, char **argv, struct option_given *room);

/* The first half of that: each word by itself, not yet whether they go together. */
bool options_read(struct options *, int argc, char **argv, struct option_given *room);

/* An operand, from 0 on, less than n_operands. */
const char *options_operand(const struct options *, uint32_t i);

/* One more word, "--NAME=VALUE" or "--NAME", as if it had been on the command line; `given`
 * must have room for it. */
bool options_add(struct options *, const char *word);

/* The next text given for a repeatable option, from *cursor on; NULL: no more. */
const char *options_next(const struct options *, enum option, uint32_t *cursor);

/* Whether an option that names a file was given with "-" for it. */
bool options_to_stdout(const struct options *, enum option);

/* Whether a repeatable option was given with this text. */
bool options_gives(const struct options *, enum option, const char *text);

/* The table itself, for help, manual and completion. */
enum option_kind {
  OPTION_FLAG,
  OPTION_TEXT,
  OPTION_TEXTS, /* repeatable */
  OPTION_NUMBER,
  OPTION_SIZE,
  OPTION_SECONDS,
  OPTION_CHOICE,
  OPTION_SPEC,   /* a name of seams.h, then perhaps more; who uses it knows all of it */
  OPTION_SPECS,  /* a comma list of such, repeatable */
  OPTION_METHOD, /* a name of seams.h, then perhaps :NUMBER and ,SIZE */
  OPTION_CHOICES /* a comma list, repeatable */
};

/* A bit of `commands` beside those of the commands: where --help has too many options for
 * a screen, it only names this one. */
#define OPTIONS_RARE (1u << 31)

/* Another one: the option changes what the model means, so a trail holds it. */
#define OPTIONS_MODEL (1u << 30)

struct option_entry {
  const char *name;
  char letter;
  enum option_kind kind;
  const char *argument;
  unsigned commands; /* bit per enum command, and OPTIONS_RARE */
  const char *fallback;
  uint64_t low, high;
  const char *help, *more;
};

struct command_entry {
  const char *name, *operands;
  uint32_t least, most;
  const char *summary;
};

const struct option_entry *options_entry(enum option);
const struct command_entry *options_command(enum command);

/* help.c: what is printed from the table. `all`: with rare options, and the names of methods.
 */
void options_help(enum command, bool all, FILE *);
void options_help_names(enum option, FILE *);
void options_man(FILE *, const char *version);
void options_completion(enum options_shell, FILE *);
/* The manual page as plain text. */
void options_man_plain(FILE *, const char *version);

/* Notes what is wrong, unless something is already. Always false. */
bool options_wrong(struct options *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
