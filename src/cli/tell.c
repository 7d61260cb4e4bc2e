/* tell.c - what `cairn check` writes and prints when the search is over. */
#include "cli/check.h"

#include "cli/target.h"

#include "base/source.h"
#include "report/outfile.h"
#include "report/steps.h"
#include "report/trailfile.h"
#include "ts/claim.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Longer counterexamples are cut in the middle; `cairn trail` shows all of them. */
#define CHECK_STEPS_HEAD 50u
#define CHECK_STEPS_TAIL 100u
/* After so many seconds the answer is looked for where the cursor is. */
#define CHECK_LONG       1.0

/* Whether the run ended in an error that can be shown. */
static bool has_trail(const struct check *c) {
  return c->now.outcome.verdict == OUTCOME_VIOLATED &&
         c->now.result.error.kind != SEARCH_NO_ERROR &&
         c->now.result.error.trail.initial != TS_NONE;
}

/* Whether the trail may be written; if not, that is said. */
static bool may_write_trail(const struct check *c) {
  const struct target target = {check_given(c, OPTION_TRAIL) ? OPTION_TRAIL : OPTIONS,
                                c->trail_path, &outfile_trail, check_given(c, OPTION_FORCE)};
  const char *json = c->o->value[OPTION_JSON].text;
  char why[TARGET_SENTENCE];
  bool refused = target_refused(&target, c->loaded.arena, why);
  if (!refused && json != NULL && source_same_file(json, c->trail_path)) {
    snprintf(why, sizeof why, "%.400s is for the JSON: name another file with --trail",
             c->trail_path);
    refused = true;
  }
  if (refused)
    fprintf(c->o->messages, "warning: the counterexample is not written: %s\n", why);
  return !refused;
}

/* Whether what was written can be read again: not from /dev/null, or a pipe. */
static bool is_kept(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* A trail that cannot be written leaves the verdict as it is. */
static void write_trail(struct check *c) {
  struct trailfile trail = {
      .model = c->now.ts->shape->name,
      .model_hash = c->loaded.ts->shape->model_hash,
      .claim = c->now.ts->shape->product_of == NULL ? NULL : c->now.ts->shape->product_of->name,
      .general =
          c->now.ts->shape->product_of != NULL && c->now.ts->shape->product_of->is_general,
      .n_options = c->n_trail_options,
      .option = c->trail_option,
      .n_invariants = c->n_invariants,
      .invariant = c->invariant,
      .places = c->now.ts->shape->places,
      .merges = (c->loaded.reductions & IR_MERGE) != 0,
      .error = c->now.result.error};
  struct outfile out;
  again_choose(c, &trail);
  if (!may_write_trail(c))
    return;
  bool fine = outfile_open(&out, c->trail_path);
  if (fine) {
    trailfile_write(out.file, &trail);
    fine = outfile_commit(&out);
  }
  if (fine && is_kept(c->trail_path))
    c->now.outcome.trail_file = c->trail_path;
  else if (!fine)
    fprintf(c->o->messages, "warning: the counterexample cannot be written to %s: %s\n",
            c->trail_path, strerror(errno));
}

static void print_counterexample(struct check *c, FILE *out) {
  const struct search_trail *trail = &c->now.result.error.trail;
  struct steps steps;
  if (!steps_open(&steps, c->now.base, out, c->loaded.budget)) {
    fputs("warning: too little memory is left to show the counterexample\n", c->o->messages);
    return;
  }
  steps.color = loaded_color(c->o, out);
  if (trail->n_events > CHECK_STEPS_HEAD + CHECK_STEPS_TAIL) {
    steps.skip_from = CHECK_STEPS_HEAD + 1;
    steps.skip_to = trail->n_events - CHECK_STEPS_TAIL + 1;
  }
  fputc('\n', out);
  steps.n_events = trail->n_events;
  steps.n_cycle = trail->n_cycle;
  search_replay(c->now.base, trail, c->loaded.budget, steps_replay, &steps);
  if (c->now.outcome.why != NULL)
    why_print(c->now.outcome.why, &steps);
  if (c->now.outcome.trail_file != NULL)
    again_print(c, out);
  steps_close(&steps, c->loaded.budget);
}

static void add_warning(const struct check *c, struct diag *diag, struct ts_place place,
                        const char *text) {
  const struct source *source = source_of_name(c->loaded.arena, place.file);
  if (source == NULL || place.line > source->n_lines) {
    diag_warning(diag, (struct span){0}, "%s:%u:%u: %s", place.file, place.line, place.column,
                 text);
    return;
  }
  uint32_t at = source->line[place.line - 1] + place.column - 1;
  diag_warning(diag, (struct span){source, at, at + 1}, "%s", text);
}

/* Of the values that an assignment cut the first one that was met stands for all. */
static void add_truncations(const struct check *c, struct diag *diag) {
  const struct ts_shape *shape = c->now.outcome.shape;
  const struct ts_code *code = ts_code(c->loaded.ts);
  if (c->now.result.truncated == NULL)
    return;
  if (code->initial_cuts != NULL)
    code->initial_cuts(c->loaded.ts, c->now.result.truncated);
  for (uint32_t i = 0; i < shape->n_truncations; i++) {
    const uint64_t cut = c->now.result.truncated[i];
    if (cut != 0)
      add_warning(c, diag, shape->truncation[i],
                  arena_printf(c->loaded.arena,
                               "an assigned value was cut to the variable's range: %d, "
                               "and maybe others",
                               (int)(int32_t)cut));
  }
}

/* Such a run has no stored successor, and nothing is wrong with that. */
static void add_endless(const struct check *c, struct diag *diag) {
  const struct ts_shape *shape = c->now.outcome.shape;
  for (uint32_t i = 0; c->now.result.endless != NULL && i < ts_notes(shape)->n_statements; i++)
    if (c->now.result.endless[i] != 0 && ts_notes(shape)->statement[i].place.file != NULL)
      add_warning(c, diag, ts_notes(shape)->statement[i].place,
                  "an atomic sequence may never end here, and lets no other process move");
}

/* What the search noted at places of the model. */
static void print_warnings(const struct check *c) {
  jmp_buf spent;
  if (setjmp(spent) == 0) {
    arena_guard(c->loaded.arena, &spent);
    struct diag *diag = diag_open(c->loaded.arena);
    add_truncations(c, diag);
    add_endless(c, diag);
    loaded_say(&c->loaded, diag);
  } else {
    fputs("warning: no memory was left to show the warnings of this run\n", c->o->messages);
  }
  arena_guard(c->loaded.arena, NULL);
}

/* Without memory for it the counterexample is shown without its reasons. */
static void find_why(struct check *c) {
  jmp_buf spent;
  if (setjmp(spent) == 0) {
    arena_guard(c->loaded.arena, &spent);
    if (why_find(c->now.base, &c->now.result.error, c->loaded.budget, c->loaded.arena, &c->why))
      c->now.outcome.why = &c->why;
  }
  arena_guard(c->loaded.arena, NULL);
}

/* The answer. */
static void print_verdict(const struct check *c, FILE *out) {
  if (c->now.outcome.n_answers > 0)
    outcome_print_answers(&c->now.outcome, out);
  else
    outcome_print_verdict(&c->now.outcome, out, loaded_color(c->o, out));
  if (c->now.outcome.n_claims > 1)
    outcome_print_claims(&c->now.outcome, out, loaded_color(c->o, out));
}

/* The answer comes first, and where much is printed after it, or the user has waited for it,
 * once more as the last line. */
void check_print(struct check *c, FILE *out) {
  const struct outcome *outcome = &c->now.outcome;
  const bool all = check_given(c, OPTION_STATS);
  bool much = all;
  print_verdict(c, out);
  if (check_given(c, OPTION_QUIET) || outcome->result == NULL)
    return;
  if (has_trail(c)) {
    print_counterexample(c, out);
    much = true;
  } else if (outcome->verdict == OUTCOME_VIOLATED && check_given(c, OPTION_NO_PARENTS)) {
    fputs("(no counterexample: --no-parents)\n", out);
  }
  fputc('\n', out);
  outcome_print_figures(outcome, all, out);
  outcome_print_checked(outcome, out);
  much |= outcome_print_unreached(outcome, out);
  much |= outcome->result->figures.seconds >= CHECK_LONG;
  if (much && outcome->n_answers == 0) {
    fputc('\n', out);
    outcome_print_verdict(outcome, out, loaded_color(c->o, out));
  }
}

/* True unless the file could not be written, which is then said. */
bool check_write_json(struct check *c) {
  const char *path = c->o->value[OPTION_JSON].text;
  struct outfile out;
  if (path == NULL)
    return true;
  /* A model with mistakes may not have been read to its end: --force does not count then. */
  const struct target target = {OPTION_JSON, path, &outfile_json,
                                check_given(c, OPTION_FORCE) &&
                                    c->now.outcome.verdict != OUTCOME_REJECTED};
  char why[TARGET_SENTENCE];
  if (target_refused(&target, c->loaded.arena, why)) {
    if (c->now.outcome.reason == NULL ||
        strstr(c->now.outcome.reason, "--json") == NULL) /* not said yet */
      fprintf(c->o->messages, "error: %s\n", why);
    return false;
  }
  bool fine = outfile_open(&out, path);
  if (fine) {
    outcome_write_json(&c->now.outcome, out.file);
    /* Standard output is flushed and looked at by main(). */
    fine = out.file == stdout || outfile_commit(&out);
  }
  if (!fine)
    fprintf(c->o->messages, "error: --json %s: %s\n", path, strerror(errno));
  return fine;
}

void check_tell(struct check *c) {
  struct budget *budget = c->loaded.budget;
  print_warnings(c);
  if (c->native.remark != NULL && !check_given(c, OPTION_QUIET))
    fprintf(c->o->messages, "note: %s\n", c->native.remark);
  if (has_trail(c))
    check_true_values(c);
  if (has_trail(c)) {
    if (c->writes_trail || check_given(c, OPTION_TRAIL))
      write_trail(c);
    find_why(c);
    c->now.outcome.replayed = c->now.base;
    c->now.outcome.budget = budget;
  }
  c->now.outcome.parse_seconds = c->loaded.parse_seconds;
  c->now.outcome.compile_seconds = c->loaded.compile_seconds;
  c->now.outcome.memory_limit = budget_limit(budget);
  c->now.outcome.model_bytes = budget_used(budget, BUDGET_MODEL);
  c->now.outcome.code_bytes = budget_used(budget, BUDGET_CODE);
}
