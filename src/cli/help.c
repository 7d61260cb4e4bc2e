/* help.c - what the table of options says to people and to shells.
 *
 * One screen of 24 lines and 80 columns per command, or all options and the names that they
 * take; a manual page in troff. All of it is printed from options.def.
 */
#include "cli/seams.h"

#include "base/terminal.h"

#include <string.h>

#define HELP_COLUMN   31
#define HELP_WIDTH    79 /* where there is no terminal, or a wide one */
#define NAMES_COLUMN  24
#define VALUES_COLUMN 16
#define HELP_NAMES    400
#define HELP_MOST     20u

static int width_for(FILE *out) {
  const uint32_t columns = terminal_columns(out);
  return columns > 0 && columns < HELP_WIDTH ? (int)columns : HELP_WIDTH;
}

static bool takes(enum command command, uint32_t option) {
  return options_entry((enum option)option)->commands >> command & 1;
}

/* "  -o, --output FILE", padded to the column of the help texts. Choices that do not fit in
   front of it are left to the man page. */
static void help_left(const struct option_entry *e, FILE *out) {
  int n = e->letter != '\0' ? fprintf(out, "  -%c, --%s", e->letter, e->name)
                            : fprintf(out, "  --%s", e->name);
  if (e->kind != OPTION_FLAG) {
    bool fits = n + 1 + (int)strlen(e->argument) < HELP_COLUMN;
    n += fprintf(out, " %s", fits ? e->argument : "WHAT");
  }
  fprintf(out, "%*s", n < HELP_COLUMN ? HELP_COLUMN - n : 1, "");
}

/* Whether the command has more options than fit; then rare ones are only named. */
static bool is_crowded(enum command command) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < OPTIONS; i++)
    n += takes(command, i);
  return n > HELP_MOST;
}

static void help_rare(enum command command, FILE *out) {
  int column = fprintf(out, "More, see cairn help %s:", options_command(command)->name);
  for (uint32_t i = 0; i < OPTIONS; i++) {
    const struct option_entry *e = options_entry((enum option)i);
    if (!takes(command, i) || !(e->commands & OPTIONS_RARE))
      continue;
    if (column + 3 + (int)strlen(e->name) > width_for(out))
      column = fprintf(out, "\n ") - 1;
    column += fprintf(out, " --%s", e->name);
  }
  fputc('\n', out);
}

static void help_options(enum command command, bool all, FILE *out) {
  const bool crowded = !all && is_crowded(command);
  for (uint32_t i = 0; i < OPTIONS; i++) {
    const struct option_entry *e = options_entry((enum option)i);
    if (!takes(command, i) || (crowded && (e->commands & OPTIONS_RARE)))
      continue;
    help_left(e, out);
    if (e->fallback[0] != '\0')
      fprintf(out, "%s [%s]\n", e->help, e->fallback);
    else
      fprintf(out, "%s\n", e->help);
  }
  if (crowded)
    help_rare(command, out);
}

/* Words, from the column on at which the line is; further lines begin at `left`. */
static void help_wrapped(const char *text, int left, int *column, FILE *out) {
  const int width = width_for(out);
  while (*text != '\0') {
    int n = (int)strcspn(text, " ");
    if (*column > left && *column + 1 + n > width) {
      fprintf(out, "\n%*s", left, "");
      *column = left;
    }
    *column += fprintf(out, "%s%.*s", *column > left ? " " : "", n, text);
    text += n + (text[n] == ' ');
  }
}

/* The names of methods that options take; --store help and its like say what each is. */
static void help_values(enum command command, FILE *out) {
  char names[HELP_NAMES], left[HELP_NAMES];
  for (uint32_t i = 0; i < OPTIONS; i++) {
    struct seams_value v;
    if (!takes(command, i) || !seams_value((enum option)i, 0, &v))
      continue;
    seams_names((enum option)i, names, sizeof names);
    snprintf(left, sizeof left, "--%s:", options_entry((enum option)i)->name);
    int column = fprintf(out, "%-*s", VALUES_COLUMN, left);
    help_wrapped(names, VALUES_COLUMN, &column, out);
    fputc('\n', out);
  }
}

void options_help(enum command command, bool all, FILE *out) {
  const struct command_entry *c = options_command(command);
  if (command != COMMAND_NONE) {
    fprintf(out, "cairn %s %s: %s\n", c->name, c->operands, c->summary);
    help_options(command, all, out);
    if (all)
      help_values(command, out);
    if (command == COMMAND_CHECK)
      fputs("Exit: 0 verified, 1 violated, 2 command or model wrong, 3 inconclusive\n", out);
    return;
  }
  fprintf(out, "cairn: %s\n\n", c->summary);
  for (uint32_t i = 1; i < COMMANDS; i++) {
    c = options_command((enum command)i);
    int n = fprintf(out, "  cairn %s %s", c->name, c->operands);
    fprintf(out, "%*s%s\n", HELP_COLUMN - n, "", c->summary);
  }
  fputs("\n", out);
  help_options(COMMAND_NONE, all, out);
  fputs("\ncairn help COMMAND lists a command's options; start with cairn check MODEL\n", out);
}

void options_help_names(enum option option, FILE *out) {
  const struct option_entry *e = options_entry(option);
  struct seams_value v;
  int column = 0;
  fprintf(out, "--%s: %s\n", e->name, e->help);
  for (uint32_t i = 0; seams_value(option, i, &v); i++) {
    int n =
        fprintf(out, "  %s%s", v.form, strcmp(v.form, e->fallback) == 0 ? " (default)" : "");
    if (n >= NAMES_COLUMN)
      n = fprintf(out, "\n") - 1;
    fprintf(out, "%*s", NAMES_COLUMN - n, "");
    column = NAMES_COLUMN;
    help_wrapped(v.summary, NAMES_COLUMN, &column, out);
    if (v.argument[0] != '\0')
      column += fprintf(out, ";");
    help_wrapped(v.argument, NAMES_COLUMN, &column, out);
    fputc('\n', out);
  }
  column = 0;
  help_wrapped(e->more, 0, &column, out);
  fputs(column > 0 ? "\n" : "", out);
}

/* ---- manual page ---------------------------------------------------------------- */

/* Text for troff: hyphens and backslashes escaped, no line may begin with a dot
 * or a quote. */
static void man_text(const char *text, FILE *out) {
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '-')
      fputs("\\-", out);
    else if (*c == '\\')
      fputs("\\e", out);
    else if (c == text && (*c == '.' || *c == '\''))
      fprintf(out, "\\&%c", *c);
    else
      fputc(*c, out);
  }
}

static void man_option(enum option option, FILE *out) {
  const struct option_entry *e = options_entry(option);
  struct seams_value v;
  fputs(".TP\n.B ", out);
  if (e->letter != '\0')
    fprintf(out, "\\-%c, ", e->letter);
  fputs("\\-\\-", out);
  man_text(e->name, out);
  if (e->kind != OPTION_FLAG)
    fprintf(out, " \\fI%s\\fR", e->argument);
  fputs("\n", out);
  man_text(e->help, out);
  fputs(".\n", out);
  if (e->more[0] != '\0') {
    man_text(e->more, out);
    fputs("\n", out);
  }
  for (uint32_t i = 0; seams_value(option, i, &v); i++) {
    fputs(".br\n\\fB", out);
    man_text(v.form, out);
    fputs("\\fR: ", out);
    man_text(v.summary, out);
    fputs(v.argument[0] != '\0' ? "; " : "", out);
    man_text(v.argument, out);
    fputs(".\n", out);
  }
  if (e->fallback[0] != '\0') {
    fputs(".br\nDefault: ", out);
    man_text(e->fallback, out);
    fputs(".\n", out);
  }
  fputs("Commands:", out);
  const char *comma = "";
  for (uint32_t i = 1; i < COMMANDS; i++)
    if (e->commands >> i & 1) {
      fprintf(out, "%s %s", comma, options_command((enum command)i)->name);
      comma = ",";
    }
  fputs(".\n", out);
}

void options_man(FILE *out, const char *version) {
  fprintf(out, ".TH CAIRN 1 \"\" \"cairn %s\" \"User Commands\"\n.SH NAME\n", version);
  fprintf(out, "cairn \\- ");
  man_text(options_command(COMMAND_NONE)->summary, out);
  fputs("\n.SH SYNOPSIS\n", out);
  for (uint32_t i = 1; i < COMMANDS; i++) {
    const struct command_entry *c = options_command((enum command)i);
    fprintf(out, ".B cairn %s\n[\\fIoptions\\fR] \\fI%s\\fR\n.br\n", c->name, c->operands);
  }
  fputs(
      ".SH DESCRIPTION\n"
      "Cairn reads a model, visits every reachable state, and either proves the model's\n"
      "properties or shows a run that breaks one. The verdict says how far it holds: a search\n"
      "that a limit cut short is inconclusive, never verified.\n.SH COMMANDS\n",
      out);
  for (uint32_t i = 1; i < COMMANDS; i++) {
    const struct command_entry *c = options_command((enum command)i);
    fprintf(out, ".TP\n.B %s \\fI%s\\fR\n", c->name, c->operands);
    man_text(c->summary, out);
    fputs(".\n", out);
  }
  fputs(".SH OPTIONS\n", out);
  for (uint32_t i = 0; i < OPTIONS; i++)
    if (options_entry((enum option)i)->commands != 1u << COMMAND_NONE)
      man_option((enum option)i, out);
  fputs(".SH EXIT STATUS\n"
        ".TP\n.B 0\nVerified: exact, and no error. Other commands: done.\n"
        ".TP\n.B 1\nA property is violated; a random run of sim came across an error.\n"
        ".TP\n.B 2\nThe command or the model is wrong.\n"
        ".TP\n.B 3\nInconclusive: a limit was reached, the search was interrupted, a property\n"
        "of the model was not checked, a store that may miss states found no error, or the\n"
        "output could not be written.\n"
        ".SH EXAMPLES\n"
        ".nf\ncairn check model.dve\n"
        "cairn check \\-\\-invariant 'P_0.CS + P_1.CS <= 1' \\-\\-json \\- model.dve\n"
        "cairn trail model.dve model.trail\n.fi\n",
        out);
}
