/* check.c - `cairn check`: load, search, judge, tell.
 *
 * Whatever happens on the way, there is one outcome, and every path out of here
 * tells it: as text, as JSON if asked, and as the exit status.
 */
#include "cli/command.h"
#include "cli/loaded.h"
#include "cli/methods.h"

#include "base/clock.h"
#include "report/outcome.h"
#include "report/outfile.h"
#include "report/progress.h"
#include "report/steps.h"
#include "report/style.h"
#include "report/trailfile.h"
#include "search/frontier/frontier.h"
#include "ts/check.h"
#include "ts/diamond.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Longer counterexamples are cut in the middle; `cairn trail` shows all of them. */
#define CHECK_STEPS_HEAD 50u
#define CHECK_STEPS_TAIL 100u

struct check {
  const struct options *o;
  struct loaded loaded;
  const char *const *invariant;
  uint32_t n_invariants;
  struct ts *ts;      /* what is searched: the model, or the decorator around it */
  struct ts *checker; /* NULL without --self-check */
  struct ts *diamond; /* NULL without --check independence */
  struct search_options search;
  struct methods methods;
  struct search_result result;
  struct outcome_run *run; /* one per --runs */
  uint32_t n_runs;
  struct progress progress;
  struct outcome outcome;
  struct native_figures native;
  bool silent; /* standard output belongs to the JSON */
};

static bool given(const struct check *c, enum option option) {
  return c->o->value[option].given;
}

/* ---- before the search ------------------------------------------------------------ */

/* A file that cannot be written should not be found out after hours. */
static bool json_is_writable(struct check *c) {
  const char *path = c->o->value[OPTION_JSON].text;
  struct outfile probe;
  if (path == NULL || strcmp(path, "-") == 0)
    return true;
  if (!outfile_open(&probe, path)) {
    c->outcome.reason = "the JSON file cannot be written";
    fprintf(stderr, "error: --json %s: %s\n", path, strerror(errno));
    return false;
  }
  outfile_abandon(&probe);
  return true;
}

static bool refuse(struct check *c, const char *why) {
  fprintf(stderr, "error: %s\n", why);
  c->outcome.reason = why;
  c->outcome.verdict = OUTCOME_REJECTED;
  return false;
}

static bool load(struct check *c) {
  struct loaded *l = &c->loaded;
  bool fine = loaded_start(l, c->o);
  if (fine) {
    c->invariant = loaded_invariants(l, c->o, &c->n_invariants);
    c->n_runs = (uint32_t)c->o->value[OPTION_RUNS].number;
    const char *why = methods_read(&c->methods, c->o, l, &c->search);
    if (why != NULL)
      return refuse(c, why);
    fine = loaded_parse(l, c->invariant, c->n_invariants) &&
           loaded_compile(l, c->o, c->o->value[OPTION_WARN].number & OPTIONS_TRUNCATION);
  }
  if (!fine) {
    c->outcome.reason = l->why;
    c->outcome.verdict = l->status == 3 ? OUTCOME_INCONCLUSIVE : OUTCOME_REJECTED;
    return false;
  }
  c->ts = l->ts;
  c->outcome.shape = l->ts->shape;
  return true;
}

static bool wrap(struct check *c) {
  if (given(c, OPTION_SELF_CHECK))
    c->ts = c->checker = ts_check_open(c->ts, c->loaded.budget);
  if (c->ts != NULL && given(c, OPTION_CHECK))
    c->ts = c->diamond = ts_diamond_open(c->ts, c->loaded.budget);
  if (c->ts != NULL)
    return true;
  loaded_spent(&c->loaded);
  c->outcome.reason = c->loaded.why;
  c->outcome.verdict = OUTCOME_INCONCLUSIVE;
  return false;
}

static bool show_progress(void *context, const struct search_figures *figures) {
  struct check *c = context;
  progress_show(&c->progress, figures);
  return !clock_stop_requested();
}

static bool prepare(struct check *c) {
  const struct option_value *v = c->o->value;
  uint64_t property = v[OPTION_PROPERTY].number;
  struct search_options *search = &c->search;
  search->deadlock_is_error = (property & OPTIONS_DEADLOCK) != 0 ||
                              (c->ts->shape->deadlock_is_error && !v[OPTION_NO_DEADLOCK].given);
  search->keep_going = v[OPTION_KEEP_GOING].given;
  search->parents = !v[OPTION_NO_PARENTS].given;
  search->store.move_after = v[OPTION_MOVE_AFTER].number;
  search->limit.states = v[OPTION_MAX_STATES].number;
  search->limit.depth = v[OPTION_MAX_DEPTH].number;
  search->limit.seconds = v[OPTION_TIME].seconds;
  search->seed = v[OPTION_SEED].number;
  search->progress = show_progress;
  search->context = c;
  const char *why = methods_measure(&c->methods, c->o, &c->loaded, c->ts, search);
  if (why != NULL)
    return refuse(c, why);
  c->run = arena_alloc(c->loaded.arena, c->n_runs * sizeof *c->run);
  return c->run != NULL || refuse(c, "too little memory for so many runs");
}

/* ---- the search -------------------------------------------------------------------- */

/* Of two results the one to tell about: an error, else the one with more states. */
static bool tells_more(const struct search_result *a, const struct search_result *b) {
  bool error = a->error.kind != SEARCH_NO_ERROR, other = b->error.kind != SEARCH_NO_ERROR;
  return error != other ? error : a->figures.stored > b->figures.stored;
}

/* Where the user leaves the bits of bitstate hashing open, the first run tells how many states
 * there are about, and so how many bits are best for the runs behind it. */
static void choose_bits(struct check *c, const struct search_result *first) {
  const struct store_usage *store = &first->figures.memory.store;
  bool chosen = first->store == c->search.store.kind; /* not one that states moved to */
  if (chosen && c->search.store.parameter == 0 && store->set_bits > 0)
    c->search.store.parameter = store_best_bits(store->table_bits, first->figures.stored);
}

/* All runs, each with its own hash function, until one finds an error, or misses nothing. */
static void search_all(struct check *c) {
  uint64_t seed = c->search.seed;
  double seconds = c->search.limit.seconds, began = clock_now();
  for (uint32_t i = 0; i < c->n_runs; i++) {
    struct search_result result;
    c->search.seed = seed + i;
    search_run(c->ts, &c->search, c->loaded.budget, &result);
    c->run[i] = (struct outcome_run){.seed = c->search.seed,
                                     .stored = result.figures.stored,
                                     .wrong_matches = result.figures.expected_wrong_matches,
                                     .complete = result.limit == SEARCH_NO_LIMIT};
    c->outcome.n_runs = i + 1;
    bool last = result.error.kind != SEARCH_NO_ERROR || result.limit == SEARCH_INTERRUPTED ||
                result.guarantee == SEARCH_EXACT;
    if (seconds > 0) {
      c->search.limit.seconds = began + seconds - clock_now();
      last |= c->search.limit.seconds <= 0;
    }
    choose_bits(c, &result);
    struct search_result worse = result;
    if (i == 0 || tells_more(&result, &c->result)) {
      worse = c->result;
      c->result = result;
    }
    if (i > 0)
      search_result_free(&worse);
    if (last)
      break;
  }
  c->outcome.run = c->run;
}

/* What the decorators found, and what they had no memory for. */
static void judge_facts(struct check *c) {
  uint64_t untested = c->checker == NULL ? 0 : ts_check_untested(c->checker);
  const char *complaint = c->checker == NULL ? NULL : ts_check_complaint(c->checker);
  if (complaint != NULL) {
    fprintf(stderr, "internal error: a fact about the model is wrong: %s\n", complaint);
    c->outcome.reason = "a compiled fact about the model is wrong";
  }
  complaint = c->diamond == NULL ? NULL : ts_diamond_complaint(c->diamond);
  untested += c->diamond == NULL ? 0 : ts_diamond_untested(c->diamond);
  if (complaint != NULL) {
    fprintf(stderr, "internal error: %s\n", complaint);
    c->outcome.reason = "actions that are said to be independent do not commute";
  } else if (c->diamond != NULL && !given(c, OPTION_QUIET)) {
    fprintf(stderr, "note: %llu pairs of independent events commute\n",
            (unsigned long long)ts_diamond_pairs(c->diamond));
  }
  if (untested > 0 && c->outcome.reason == NULL)
    c->outcome.reason = "memory ran out while facts about the model were tested: not all were";
}

static void search(struct check *c) {
  progress_begin(&c->progress, stderr, isatty(STDERR_FILENO));
  search_all(c);
  progress_end(&c->progress);
  native_figures(c->loaded.native, &c->native);
  c->outcome.result = &c->result;
  bool by_cc = c->native.swapped || c->o->value[OPTION_COMPILER].number == OPTIONS_CC;
  c->outcome.compiler = by_cc ? "cc" : "tcc";
  judge_facts(c);
  outcome_judge(&c->outcome);
}

/* ---- after the search ---------------------------------------------------------------- */

static bool has_trail(const struct check *c) {
  return c->outcome.verdict == OUTCOME_VIOLATED && c->result.error.kind != SEARCH_NO_ERROR &&
         c->result.error.trail.initial != TS_NONE;
}

/* "dir/bakery.3.dve" -> "bakery.3.trail" */
static const char *trail_path(struct check *c) {
  if (given(c, OPTION_TRAIL))
    return c->o->value[OPTION_TRAIL].text;
  const char *path = strcmp(c->loaded.path, "-") == 0 ? "model" : c->loaded.path;
  const char *slash = strrchr(path, '/');
  const char *base = slash == NULL ? path : slash + 1;
  const char *dot = strrchr(base, '.');
  int length = dot == NULL || dot == base ? (int)strlen(base) : (int)(dot - base);
  return arena_printf(c->loaded.arena, "%.*s.trail", length, base);
}

/* A trail that cannot be written leaves the verdict as it is. */
static void write_trail(struct check *c) {
  struct trailfile trail = {.model = c->ts->shape->name,
                            .model_hash = c->ts->shape->model_hash,
                            .n_invariants = c->n_invariants,
                            .invariant = c->invariant,
                            .error = c->result.error};
  const char *path = trail_path(c);
  struct outfile out;
  bool fine = outfile_open(&out, path);
  if (fine) {
    trailfile_write(out.file, &trail);
    fine = outfile_commit(&out);
  }
  if (fine)
    c->outcome.trail_file = path;
  else
    fprintf(stderr, "warning: the counterexample cannot be written to %s: %s\n", path,
            strerror(errno));
}

static void print_counterexample(struct check *c) {
  const struct search_trail *trail = &c->result.error.trail;
  struct steps steps;
  if (!steps_open(&steps, c->loaded.ts, stdout, c->loaded.budget)) {
    fputs("warning: too little memory is left to show the counterexample\n", stderr);
    return;
  }
  steps.color = loaded_color(c->o, stdout);
  if (trail->n_events > CHECK_STEPS_HEAD + CHECK_STEPS_TAIL) {
    steps.skip_from = CHECK_STEPS_HEAD + 1;
    steps.skip_to = trail->n_events - CHECK_STEPS_TAIL + 1;
  }
  fputc('\n', stdout);
  search_replay(c->loaded.ts, trail, c->loaded.budget, steps_replay, &steps);
  if (c->outcome.trail_file != NULL)
    printf("\nwritten to %s; cairn trail %s %s shows it again\n", c->outcome.trail_file,
           c->loaded.path, c->outcome.trail_file);
  steps_close(&steps, c->loaded.budget);
}

/* Places of the model name a file, which may be an included one. */
static const struct source *source_named(const struct check *c, const char *name) {
  const char *why;
  return strcmp(name, c->loaded.source->name) == 0 ? c->loaded.source
                                                   : source_read(c->loaded.arena, name, &why);
}

static void add_warning(const struct check *c, struct diag *diag, struct ts_place place,
                        const char *text) {
  const struct source *source = source_named(c, place.file);
  if (source == NULL || place.line > source->n_lines) { /* it has changed meanwhile */
    diag_warning(diag, (struct span){0}, "%s:%u:%u: %s", place.file, place.line, place.column,
                 text);
    return;
  }
  uint32_t at = source->line[place.line - 1] + place.column - 1;
  diag_warning(diag, (struct span){source, at, at + 1}, "%s", text);
}

static void add_truncations(const struct check *c, struct diag *diag) {
  const struct ts_shape *shape = c->outcome.shape;
  const struct ts_code *code = ts_code(c->loaded.ts);
  if (c->result.truncated == NULL)
    return;
  if (code->initial_cuts != NULL)
    code->initial_cuts(c->loaded.ts, c->result.truncated);
  for (uint32_t i = 0; i < shape->n_truncations; i++)
    if (c->result.truncated[i >> 6] >> (i & 63) & 1)
      add_warning(c, diag, shape->truncation[i],
                  "an assigned value was cut to the variable's range");
}

/* Such a run has no stored successor, and nothing is wrong with that. */
static void add_endless(const struct check *c, struct diag *diag) {
  const struct ts_shape *shape = c->outcome.shape;
  for (uint32_t i = 0; c->result.endless != NULL && i < shape->n_statements; i++)
    if (c->result.endless[i] != 0 && shape->statement[i].place.file != NULL)
      add_warning(c, diag, shape->statement[i].place,
                  "an atomic sequence can go on for ever here, without letting others move");
}

/* What the search noted at places of the model. */
static void print_warnings(const struct check *c) {
  jmp_buf spent;
  if (setjmp(spent) == 0) {
    arena_guard(c->loaded.arena, &spent);
    struct diag *diag = diag_open(c->loaded.arena);
    add_truncations(c, diag);
    add_endless(c, diag);
    diag_print(diag, stderr, c->loaded.color);
  } else {
    fputs("warning: no memory was left to show the warnings of this run\n", stderr);
  }
  arena_guard(c->loaded.arena, NULL);
}

static void print_text(struct check *c) {
  bool quiet = given(c, OPTION_QUIET);
  outcome_print_verdict(&c->outcome, stdout, loaded_color(c->o, stdout));
  if (quiet || c->outcome.result == NULL)
    return;
  if (has_trail(c))
    print_counterexample(c);
  else if (c->outcome.verdict == OUTCOME_VIOLATED && given(c, OPTION_NO_PARENTS))
    puts("(no counterexample: --no-parents)");
  fputc('\n', stdout);
  outcome_print_figures(&c->outcome, stdout);
  outcome_print_unreached(&c->outcome, stdout);
}

/* True unless the file could not be written, which is then said. */
static bool write_json(struct check *c) {
  const char *path = c->o->value[OPTION_JSON].text;
  struct outfile out;
  if (path == NULL)
    return true;
  bool fine = outfile_open(&out, path);
  if (fine) {
    outcome_write_json(&c->outcome, out.file);
    /* Standard output is flushed and looked at by main(). */
    fine = out.file == stdout || outfile_commit(&out);
  }
  if (!fine)
    fprintf(stderr, "error: --json %s: %s\n", path, strerror(errno));
  return fine;
}

static void tell_result(struct check *c) {
  struct budget *budget = c->loaded.budget;
  print_warnings(c);
  if (c->native.remark != NULL && !given(c, OPTION_QUIET))
    fprintf(stderr, "note: %s\n", c->native.remark);
  if (has_trail(c))
    write_trail(c);
  c->outcome.parse_seconds = c->loaded.parse_seconds;
  c->outcome.compile_seconds = c->loaded.compile_seconds;
  c->outcome.memory_limit = budget_limit(budget);
  c->outcome.model_bytes = budget_used(budget, BUDGET_MODEL);
  c->outcome.code_bytes = budget_used(budget, BUDGET_CODE);
}

/* Rejected, until there is something better to say. */
static struct outcome first_outcome(const struct options *o) {
  return (struct outcome){.version = CAIRN_VERSION,
                          .model = o->operand[0],
                          .verdict = OUTCOME_REJECTED,
                          .asked = o->value[OPTION_PROPERTY].given,
                          .counted_all = o->value[OPTION_KEEP_GOING].given,
                          .order = o->value[OPTION_ORDER].text,
                          .reduce = o->value[OPTION_REDUCE].text,
                          .forget = o->value[OPTION_FORGET].text,
                          .progress = o->value[OPTION_PROGRESS].text,
                          .store = o->value[OPTION_STORE].text};
}

void command_check_refused(const struct options *o) {
  const char *path = o->value[OPTION_JSON].text;
  struct outcome outcome = first_outcome(o);
  struct outfile out;
  outcome.reason = o->problem;
  outcome.peak_resident = budget_peak_resident();
  bool overwrites =
      path != NULL && o->operand[0] != NULL && options_same_file(path, o->operand[0]);
  if (path == NULL || *path == '\0' || overwrites || !outfile_open(&out, path))
    return;
  outcome_write_json(&outcome, out.file);
  if (out.file != stdout)
    outfile_commit(&out);
}

int command_check(const struct options *o) {
  struct check c = {.o = o, .outcome = first_outcome(o)};
  const char *json = o->value[OPTION_JSON].text;
  c.silent = json != NULL && strcmp(json, "-") == 0;
  if (!json_is_writable(&c))
    return 2;
  clock_watch_signals();
  if (load(&c) && wrap(&c) && prepare(&c)) {
    search(&c);
    tell_result(&c);
  }
  c.outcome.peak_resident = budget_peak_resident();
  if (!c.silent && c.outcome.verdict != OUTCOME_REJECTED)
    print_text(&c);
  int status = outcome_status(&c.outcome);
  if (!write_json(&c))
    status = 3;
  if (c.outcome.result != NULL)
    search_result_free(&c.result);
  ts_diamond_close(c.diamond);
  if (c.checker != NULL)
    ts_check_close(c.checker);
  loaded_close(&c.loaded);
  return status;
}
