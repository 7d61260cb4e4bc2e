/* together.c - options that contradict each other, or of which one has no effect beside
 * another.
 *
 * What a search makes of its options is judged by the rules of src/search/rules.h, and what a
 * language has a use for by cli/loaded.c; here is what the command line alone can say.
 */
#include "cli/options.h"

#include "base/source.h"

#include <string.h>

/* ---- files ------------------------------------------------------------------------- */

/* What writes a file, by its name or to standard output. */
static const enum option written[] = {OPTION_TRAIL, OPTION_JSON, OPTION_OUTPUT, OPTION_RESULTS,
                                      OPTION_CHART, OPTION_SVG,  OPTION_HTML};

/* Two of them in one file. */
static bool check_targets(struct options *o) {
  for (uint32_t i = 0; i < sizeof written / sizeof written[0]; i++)
    for (uint32_t k = i + 1; k < sizeof written / sizeof written[0]; k++)
      if (o->value[written[i]].given && o->value[written[k]].given &&
          source_same_file(o->value[written[i]].text, o->value[written[k]].text))
        return options_wrong(o, "--%s and --%s name the same file",
                             options_entry(written[i])->name, options_entry(written[k])->name);
  return true;
}

/* What is shown on standard output, where a file goes there already. */
static bool check_stdout(struct options *o) {
  static const enum option file[] = {OPTION_JSON, OPTION_SVG, OPTION_HTML};
  const enum option shown[] = {OPTION_INTERACTIVE, OPTION_SEQUENCE, OPTION_STATS,
                               o->command == COMMAND_SIM ? OPTION_QUIET : OPTION_STATS};
  for (uint32_t i = 0; i < sizeof file / sizeof file[0]; i++)
    for (uint32_t k = 0; k < sizeof shown / sizeof shown[0]; k++)
      if (options_to_stdout(o, file[i]) && o->value[shown[k]].given)
        return options_wrong(
            o, "--%s writes to standard output: name a file with --%s in place of -",
            options_entry(shown[k])->name, options_entry(file[i])->name);
  return true;
}

/* A file that is written, where another one is meant. */
static bool check_files(struct options *o) {
  if (options_to_stdout(o, OPTION_TRAIL))
    return options_wrong(
        o, "--trail needs a file; standard output shows the counterexample anyway");
  if (!check_targets(o) || !check_stdout(o))
    return false;
  for (uint32_t i = 0; i < sizeof written / sizeof written[0]; i++)
    for (uint32_t k = 0; k < o->n_operands && (k == 0 || o->command == COMMAND_CHECK); k++)
      if (o->value[written[i]].given &&
          source_same_file(o->value[written[i]].text, options_operand(o, k)))
        return options_wrong(o, "--%s names the %s itself", options_entry(written[i])->name,
                             o->command == COMMAND_BENCH ? "suite" : "model");
  if (o->n_operands == 2 && o->command == COMMAND_TRAIL && strcmp(o->operand[0], "-") == 0 &&
      strcmp(o->operand[1], "-") == 0)
    return options_wrong(o, "only one of MODEL and FILE can come from standard input");
  if (o->value[OPTION_INTERACTIVE].given && strcmp(o->operand[0], "-") == 0)
    return options_wrong(
        o, "--interactive reads standard input, so the model cannot come from there");
  return true;
}

/* ---- values ------------------------------------------------------------------------ */

static bool check_values(struct options *o) {
  const struct option_value *format = &o->value[OPTION_FORMAT];
  const uint64_t warn = o->value[OPTION_WARN].number;
  if (o->command == COMMAND_GRAPH && format->number > OPTIONS_AUT)
    return options_wrong(o, "--format %s is for cairn automaton; cairn graph writes dot or aut",
                         format->text);
  if (o->command == COMMAND_GRAPH && format->number == OPTIONS_AUT &&
      o->value[OPTION_AROUND].given)
    return options_wrong(
        o, "--around is for pictures: --format aut numbers states from 0 without gaps");
  if (o->command == COMMAND_AUTOMATON && format->given && format->number == OPTIONS_AUT)
    return options_wrong(
        o, "--format aut is for cairn graph; cairn automaton writes dot, never or hoa");
  if (o->value[OPTION_NO_DEADLOCK].given &&
      (o->value[OPTION_PROPERTY].number & OPTIONS_DEADLOCK) != 0)
    return options_wrong(o, "--no-deadlock and --property deadlock contradict each other");
  if ((warn & OPTIONS_WARN_SPIN) && (warn & OPTIONS_WARN_NO_SPIN))
    return options_wrong(o, "--warn spin and --warn no-spin contradict each other");
  if ((warn & OPTIONS_TRUNCATION) && o->command != COMMAND_CHECK)
    return options_wrong(o, "--warn truncation has no effect with this command");
  return true;
}

static bool check_together(struct options *o) {
  static const struct {
    enum command command;
    enum option a, b;
    const char *why;
  } clash[] = {
      {COMMAND_CHECK, OPTION_NO_PARENTS, OPTION_TRAIL, "without parents there is no trail"},
      {COMMAND_SIM, OPTION_INTERACTIVE, OPTION_SEED, "nothing is random by hand"},
      {COMMAND_SIM, OPTION_INTERACTIVE, OPTION_STEPS, "by hand the user ends the run"},
      {COMMAND_SIM, OPTION_INTERACTIVE, OPTION_QUIET, "the user chooses from what is shown"},
      {COMMAND_SIM, OPTION_QUIET, OPTION_SEQUENCE, "only what the model prints is shown"},
      {COMMAND_CHECK, OPTION_QUIET, OPTION_STATS, "only the verdict is printed"},
      {COMMAND_TRAIL, OPTION_SEQUENCE, OPTION_FULL, "a chart has no states"},
      {COMMAND_TRAIL, OPTION_SVG, OPTION_FULL, "a chart has no states"},
      {COMMAND_TRAIL, OPTION_HTML, OPTION_FULL, "the page has all of the states"},
      {COMMAND_INFO, OPTION_CODE, OPTION_JSON, "the C text is no JSON"},
      {COMMAND_INFO, OPTION_CODE, OPTION_BACKWARD, "only the C text is printed"},
      {COMMAND_BENCH, OPTION_SHOW, OPTION_FRESH, "there would be nothing to show"},
      {COMMAND_BENCH, OPTION_LIST, OPTION_SHOW, "only rows are listed"},
  };
  for (uint32_t i = 0; i < sizeof clash / sizeof clash[0]; i++)
    if (o->command == clash[i].command && o->value[clash[i].a].given &&
        o->value[clash[i].b].given)
      return options_wrong(o, "--%s has no effect with --%s: %s",
                           options_entry(clash[i].b)->name, options_entry(clash[i].a)->name,
                           clash[i].why);
  return check_files(o) && check_values(o);
}

bool options_parse(struct options *o, int argc, char **argv, struct option_given *room) {
  return options_read(o, argc, argv, room) && (o->wants_help || check_together(o));
}
