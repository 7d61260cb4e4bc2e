/* checked.c - `cairn check`: one run, and what is printed and written of it.
 *
 * Every path out of here says what the outcome is: as text, as JSON if asked, and as the exit
 * status.
 */
#include "cli/check.h"
#include "cli/command.h"
#include "cli/several.h"
#include "cli/target.h"

#include "base/clock.h"
#include "base/source.h"
#include "report/outfile.h"

#include <unistd.h>

void command_check_refused(const struct options *o) {
  const char *path = o->value[OPTION_JSON].text;
  struct check c;
  struct outfile out;
  check_open(&c, o);
  struct outcome *outcome = &c.now.outcome;
  outcome->reason = o->problem;
  outcome->peak_resident = budget_peak_resident();
  /* What the model would have read is not known: --force does not count. */
  const struct target target = {OPTION_JSON, path, &outfile_json, false};
  char why[TARGET_SENTENCE];
  bool overwrites =
      path != NULL && o->operand[0] != NULL && source_same_file(path, o->operand[0]);
  if (path == NULL || *path == '\0' || overwrites || target_refused(&target, NULL, why) ||
      !outfile_open(&out, path))
    return;
  outcome_write_json(outcome, out.file);
  if (out.file != stdout)
    outfile_commit(&out);
}

int command_check(const struct options *o) {
  if (several_asked(o))
    return several_check(o);
  struct check c;
  check_open(&c, o);
  c.silent = options_to_stdout(o, OPTION_JSON);
  c.writes_trail = true;
  c.host.terminal = isatty(STDERR_FILENO) ? stderr : NULL;
  clock_watch_signals();
  const struct guard_stop outer = check_limit_calls(&c);
  if (!check_run(&c))
    return 2;
  if (!c.silent && c.now.outcome.verdict != OUTCOME_REJECTED)
    check_print(&c, stdout);
  int status = outcome_status(&c.now.outcome);
  if (!check_write_json(&c) && status == 0)
    status = 3;
  guard_stop_by(outer);
  check_close(&c);
  return status;
}
