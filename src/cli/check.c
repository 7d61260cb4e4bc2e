/* check.c - one run of `cairn check`: load, search, judge.
 *
 * Whatever happens on the way, there is one outcome. The command (checked.c) and the library
 * (library.c) both call check_run(), so that they cannot differ.
 */
#include "cli/check.h"
#include "cli/target.h"

#include "base/clock.h"
#include "base/source.h"
#include "report/outfile.h"
#include "search/frontier/frontier.h"
#include "ts/product.h"

#include <errno.h>
#include <string.h>

/* ---- before the search ------------------------------------------------------------ */

/* A file that cannot be written should not be found out after hours. */
static bool json_is_writable(struct check *c) {
  const char *path = c->o->value[OPTION_JSON].text;
  struct outfile probe;
  if (path == NULL || strcmp(path, "-") == 0)
    return true;
  const struct target target = {OPTION_JSON, path, &outfile_json, check_given(c, OPTION_FORCE)};
  char why[TARGET_SENTENCE];
  if (target_refused(&target, NULL, why)) {
    fprintf(c->o->messages, "error: %s\n", why);
    return false;
  }
  if (!outfile_open(&probe, path)) {
    c->now.outcome.reason = "the JSON file cannot be written";
    fprintf(c->o->messages, "error: --json %s: %s\n", path, strerror(errno));
    return false;
  }
  outfile_abandon(&probe);
  return true;
}

static bool refuse(struct check *c, const char *why) {
  fprintf(c->o->messages, "error: %s\n", why);
  c->now.outcome.reason = why;
  c->now.outcome.verdict = OUTCOME_REJECTED;
  return false;
}

/* Of two targets, or a target and the file that the search goes on from. A checkpoint may go
 * over the one before. */
static bool clashes(const struct target *target, uint32_t n, const char *resume, char *why) {
  for (uint32_t i = 0; i < n; i++) {
    const char *path = target[i].path, *name = options_entry(target[i].option)->name;
    if (path == NULL || strcmp(path, "-") == 0)
      continue;
    if (resume != NULL && target[i].option != OPTION_CHECKPOINT &&
        source_same_file(path, resume)) {
      snprintf(why, TARGET_SENTENCE, "--%s and --resume name the same file", name);
      return true;
    }
    for (uint32_t k = i + 1; k < n; k++)
      if (target[k].path != NULL && source_same_file(path, target[k].path)) {
        snprintf(why, TARGET_SENTENCE, "--%s and --%s name the same file", name,
                 options_entry(target[k].option)->name);
        return true;
      }
  }
  return false;
}

/* What the model read is known now: no file of it is written, nor any other of the user's.
 * Where he did not say where a counterexample goes, that is a warning when there is one. */
static bool targets_are_fine(struct check *c) {
  const struct target target[] = {
      {OPTION_JSON, c->o->value[OPTION_JSON].text, &outfile_json, check_given(c, OPTION_FORCE)},
      {OPTION_TRAIL, c->o->value[OPTION_TRAIL].text, &outfile_trail,
       check_given(c, OPTION_FORCE)},
      {OPTION_CHECKPOINT, c->checkpoint.write, &outfile_checkpoint,
       check_given(c, OPTION_FORCE)}};
  char why[TARGET_SENTENCE];
  bool refused = clashes(target, 3, c->o->value[OPTION_RESUME].text, why);
  for (uint32_t i = 0; i < 3 && !refused; i++)
    refused = target[i].path != NULL && target_refused(&target[i], c->loaded.arena, why);
  return !refused || refuse(c, arena_text(c->loaded.arena, why, strlen(why)));
}

static bool reports_truncation(const struct check *c) {
  return (c->o->value[OPTION_WARN].number & OPTIONS_TRUNCATION) != 0;
}

static bool load(struct check *c) {
  struct loaded *l = &c->loaded;
  bool fine = loaded_start(l, c->o);
  if (fine) {
    arena_guard_last(l->arena, &c->spent);
    c->invariant = loaded_invariants(l, c->o, &c->n_invariants);
    c->n_runs = (uint32_t)c->o->value[OPTION_RUNS].number;
    const char *why = methods_read(&c->methods, c->o, l, &c->search);
    if (why == NULL)
      why = checkpoint_open(&c->checkpoint, c->o, l, &c->search.checkpoint);
    if (why != NULL)
      return refuse(c, why);
    c->now.outcome.strategy = c->methods.strategy_text;
    c->now.outcome.reduce = c->methods.reduce_text;
    fine = loaded_parse(l, c->invariant, c->n_invariants) && check_read_queries(c);
    if (fine && !targets_are_fine(c))
      return false;
    fine = fine && loaded_compile(l, c->o, reports_truncation(c));
  }
  if (!fine) {
    c->now.outcome.reason = l->why;
    c->now.outcome.verdict = l->status == 3 ? OUTCOME_INCONCLUSIVE : OUTCOME_REJECTED;
    return false;
  }
  c->now.outcome.shape = l->ts->shape;
  const char *why = claims_choose(c);
  return why == NULL || refuse(c, why);
}

/* Of a product the event may be one of the claim alone. */
static bool survey(void *visitor, const struct search_visited *visited) {
  struct check *c = visitor;
  if (c->now.product != NULL) {
    net_survey_state(&c->net, ts_product_system(visited->state));
    return true;
  }
  if (visited->from == STORE_NONE)
    net_survey_state(&c->net, visited->state);
  else
    net_survey_event(&c->net, visited->state, visited->by.action, visited->from);
  return c->queries.n == 0 || net_queries_visit(&c->queries, visited->state);
}

static bool show_progress(void *context, const struct search_figures *figures) {
  struct check *c = context;
  progress_show(&c->progress, figures);
  if (c->host.progress != NULL && !c->host.progress(c->host.context, figures))
    return false;
  return !clock_stop_requested();
}

static bool prepare(struct check *c) {
  const struct option_value *v = c->o->value;
  again_prepare(c); /* before the search, as there may be no memory afterwards */
  uint64_t property = v[OPTION_PROPERTY].number;
  struct search_options *search = &c->search;
  search->deadlock_is_error =
      (property & OPTIONS_DEADLOCK) != 0 ||
      (c->now.ts->shape->deadlock_is_error && !v[OPTION_NO_DEADLOCK].given);
  c->now.outcome.ends_are_errors = search->deadlock_is_error;
  search->keep_going = v[OPTION_KEEP_GOING].given;
  search->parents = !v[OPTION_NO_PARENTS].given;
  search->store.move_after = v[OPTION_MOVE_AFTER].number;
  search->limit.states = v[OPTION_MAX_STATES].number;
  search->limit.depth = v[OPTION_MAX_DEPTH].number;
  search->limit.seconds = v[OPTION_TIME].seconds;
  search->seed = v[OPTION_SEED].number;
  search->progress = show_progress;
  search->context = c;
  if (loaded_net(&c->loaded) != NULL) {
    net_survey_begin(&c->net, loaded_net(&c->loaded));
    c->checkpoint.note[0] = &c->net.most;
    c->checkpoint.note[1] = &c->net.most_in_place;
    search->visit = survey;
    search->visitor = c;
  }
  if (c->queries.n > 0 && c->now.product == NULL) {
    search->keep_going = true;
    search->deadlock_is_error = search->parents = false;
  }
  const char *broken = checkpoint_begin(&c->checkpoint, c->now.ts->shape);
  if (broken != NULL)
    return refuse(c, broken);
  const char *why = methods_measure(&c->methods, c->o, &c->loaded, c->now.ts, search);
  if (why != NULL)
    return refuse(c, why);
  c->run = arena_alloc(c->loaded.arena, c->n_runs * sizeof *c->run);
  return c->run != NULL || refuse(c, "too little memory for that many runs");
}

/* ---- the search -------------------------------------------------------------------- */

/* Of two results the one to report: an error, else the one with more states. */
static bool tells_more(const struct search_result *a, const struct search_result *b) {
  bool error = a->error.kind != SEARCH_NO_ERROR, other = b->error.kind != SEARCH_NO_ERROR;
  return error != other ? error : a->figures.stored > b->figures.stored;
}

/* Where the user leaves the bits of bitstate hashing open, the first run shows how many states
 * there are about, and so how many bits are best for the runs after it. */
static void choose_bits(struct check *c, const struct search_result *first) {
  const struct store_usage *store = &first->figures.memory.store;
  bool chosen = first->store == c->search.store.kind; /* not one that states moved to */
  chosen &= first->limit != SEARCH_PLACES;            /* nor one that does not count */
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
    search_run(c->now.ts, &c->search, c->loaded.budget, &result);
    c->run[i] = (struct outcome_run){.seed = c->search.seed,
                                     .stored = result.figures.stored,
                                     .wrong_matches = result.figures.expected_wrong_matches,
                                     .complete = result.limit == SEARCH_NO_LIMIT};
    c->now.outcome.n_runs = i + 1;
    bool last = result.error.kind != SEARCH_NO_ERROR || result.limit == SEARCH_INTERRUPTED ||
                result.limit == SEARCH_PLACES || result.guarantee == SEARCH_EXACT;
    if (seconds > 0) {
      c->search.limit.seconds = began + seconds - clock_now();
      last |= c->search.limit.seconds <= 0;
    }
    choose_bits(c, &result);
    struct search_result worse = result;
    if (i == 0 || result.limit == SEARCH_PLACES || tells_more(&result, &c->now.result)) {
      worse = c->now.result;
      c->now.result = result;
    }
    if (i > 0)
      search_result_free(&worse);
    if (last)
      break;
  }
  c->search.limit.seconds = seconds; /* of all tasks, of which another may follow */
  c->now.outcome.run = c->run;
}

/* More processes live than the model was laid out for: it is compiled again, with more places.
 * What has been found so far does not count, the time that it took does. */
static bool grow(struct check *c) {
  search_result_free(&c->now.result);
  c->now.result = (struct search_result){.limit = SEARCH_MEMORY};
  check_unwrap(c);
  bool fine = loaded_grow(&c->loaded, c->o, reports_truncation(c));
  if (!fine) {
    c->now.outcome.reason = c->loaded.why;
    c->now.outcome.verdict = c->loaded.status == 3 ? OUTCOME_INCONCLUSIVE : OUTCOME_REJECTED;
    return false;
  }
  c->search.checkpoint.resume = NULL;
  c->checkpoint.resume = NULL;
  return true;
}

/* What was made of the model before the search. */
static void note_reductions(struct check *c) {
  if (c->loaded.model == NULL)
    return;
  c->n_merged = c->loaded.model->n_merged;
  c->n_cleared = c->loaded.model->n_cleared;
  c->now.outcome.merged = c->loaded.reductions & IR_MERGE ? &c->n_merged : NULL;
  c->now.outcome.cleared = c->loaded.reductions & IR_DEAD ? &c->n_cleared : NULL;
}

/* What a run says beside its result. */
static void note_run(struct check *c) {
  c->now.outcome.checkpoints = (struct outcome_checkpoints){
      c->checkpoint.written, c->checkpoint.bytes, c->checkpoint.seconds};
  if (c->loaded.native != NULL)
    native_figures(c->loaded.native, &c->native);
  c->now.outcome.result = &c->now.result;
  c->now.outcome.search = &c->search;
  note_reductions(c);
  if (c->net.model != NULL &&
      !c->now.result.figures.choice.is_used) { /* all markings were seen */
    c->marking = (struct outcome_marking){c->net.most, c->net.most_in_place};
    c->now.outcome.marking = &c->marking;
  }
  bool by_cc = c->native.swapped || c->o->value[OPTION_COMPILER].number == OPTIONS_CC;
  c->now.outcome.compiler = c->loaded.native == NULL ? NULL : by_cc ? "cc" : "tcc";
  check_judge_facts(c);
  check_answer_queries(c);
  if (c->queries.n == 0)
    outcome_judge(&c->now.outcome);
  else /* once all searches have been made */
    c->now.outcome.verdict =
        c->now.outcome.reason == NULL ? OUTCOME_VERIFIED : OUTCOME_INCONCLUSIVE;
}

/* One task, from its product to its answer. False after an error; where the model is too small,
 * it is for the caller to make a larger one. */
static bool search_task(struct check *c, struct check_task *task, double began) {
  c->now.outcome.reason = NULL;
  c->now.outcome.verdict = OUTCOME_REJECTED;
  c->now.outcome.result = NULL; /* the one of the task before was taken off */
  c->now.result = (struct search_result){.budget = c->loaded.budget};
  const char *why = claims_begin(c, task);
  if (why != NULL)
    return refuse(c, why);
  if (!check_wrap(c) || !prepare(c))
    return false;
  const double left = began + c->search.limit.seconds - clock_now();
  if (c->search.limit.seconds > 0)
    c->search.limit.seconds = left > 0.001 ? left : 0.001;
  search_all(c);
  if (c->now.result.limit == SEARCH_PLACES)
    return true;
  if (c->now.result.limit == SEARCH_UNREADABLE) {
    search_result_free(&c->now.result);
    return refuse(c, sink_why(c->checkpoint.sink));
  }
  if (c->checkpoint.failure[0] != '\0')
    fprintf(c->o->messages, "warning: a checkpoint was not written: %s\n",
            c->checkpoint.failure);
  note_run(c);
  claims_end(c, task);
  return true;
}

static struct check_now take_off(struct check *c) {
  const struct check_now taken = c->now;
  c->now.product = c->now.checker = c->now.diamond = c->now.facts = NULL;
  return taken;
}

static void drop(struct check *c) {
  search_result_free(&c->now.result);
  check_unwrap(c);
}

/* An error is shown before a doubt, and either before a success; of equals the first. */
static bool matters_more(enum outcome_verdict a, enum outcome_verdict b) {
  static const uint8_t weight[] = {[OUTCOME_VERIFIED] = 0,
                                   [OUTCOME_INCONCLUSIVE] = 1,
                                   [OUTCOME_VIOLATED] = 2,
                                   [OUTCOME_REJECTED] = 3};
  return weight[a] > weight[b];
}

/* All tasks; the one that matters most is what is shown. *again: the model has to be larger,
 * and nothing is known. */
static bool search_tasks(struct check *c, double began, bool *again) {
  struct check_now shown = {0};
  bool fine = true;
  *again = false;
  for (uint32_t i = 0; i < c->n_tasks && fine && !*again; i++) {
    fine = search_task(c, &c->task[i], began);
    *again = fine && c->now.result.limit == SEARCH_PLACES;
    const struct check_now now = take_off(c);
    const bool better =
        i == 0 || !fine || *again || matters_more(now.outcome.verdict, shown.outcome.verdict);
    if (i > 0) {
      c->now = better ? shown : now;
      drop(c);
    }
    if (better)
      shown = now;
  }
  c->now = shown;
  return fine;
}

static bool search(struct check *c) {
  bool fine = true, again = false;
  double began = clock_now();
  progress_begin(&c->progress, c->host.terminal, &c->search.limit,
                 budget_limit(c->loaded.budget));
  do
    fine = fine && search_tasks(c, began, &again);
  while (fine && again && (fine = grow(c)));
  progress_end(&c->progress);
  if (fine && c->queries.n > 0) {
    check_answer_queries(c);
    outcome_judge(&c->now.outcome);
  } else if (fine) {
    claims_tell(c);
  }
  return fine;
}

/* What a model says of its runs and nobody can check does not matter then. */
static bool asks_of_states_only(const struct options *o) {
  const struct option_value *property = &o->value[OPTION_PROPERTY];
  return property->given && (property->number & OPTIONS_ACCEPTANCE) == 0;
}

void check_open(struct check *c, const struct options *o) {
  *c = (struct check){.o = o, .began = clock_now()};
  /* Rejected, until there is something better to say. */
  c->now.outcome = (struct outcome){.version = CAIRN_VERSION,
                                    .model = o->operand[0],
                                    .verdict = OUTCOME_REJECTED,
                                    .asked = asks_of_states_only(o),
                                    .counted_all = o->value[OPTION_KEEP_GOING].given,
                                    .order = o->value[OPTION_ORDER].text,
                                    .reduce = o->value[OPTION_REDUCE].text,
                                    .forget = o->value[OPTION_FORGET].text,
                                    .progress = o->value[OPTION_PROGRESS].text,
                                    .store = o->value[OPTION_STORE].text};
}

/* Before and after searches, too, a call of the model's own code that lasts has its limit. */
static bool is_time_up(void *check) {
  const struct check *c = check;
  const double seconds = c->o->value[OPTION_TIME].seconds;
  return clock_stop_requested() || (seconds > 0 && clock_now() >= c->began + seconds);
}

struct guard_stop check_limit_calls(struct check *c) {
  return guard_stop_by((struct guard_stop){is_time_up, c});
}

bool check_run(struct check *c) {
  if (!json_is_writable(c))
    return false;
  if (setjmp(c->spent) != 0) {
    c->now.outcome.result = NULL;
    c->now.outcome.reason = "the memory budget was reached";
    c->now.outcome.verdict = OUTCOME_INCONCLUSIVE;
  } else if (load(c) && search(c)) {
    check_tell(c);
  }
  if (c->loaded.arena != NULL)
    arena_guard_last(c->loaded.arena, NULL);
  c->now.outcome.peak_resident = budget_peak_resident();
  c->now.outcome.diag = c->loaded.diag;
  return true;
}

void check_close(struct check *c) {
  if (c->now.outcome.result != NULL)
    search_result_free(&c->now.result);
  check_unwrap(c);
  checkpoint_close(&c->checkpoint);
  loaded_close(&c->loaded);
}
