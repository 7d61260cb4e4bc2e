/* check.h - one run of `cairn check`, for all parts of it, the command and the library.
 *
 * check.c loads, searches and judges; tell.c writes and prints what came of it.
 */
#ifndef CAIRN_CLI_CHECK_H
#define CAIRN_CLI_CHECK_H

#include "cli/checkpoint.h"
#include "cli/loaded.h"
#include "cli/methods.h"

#include "base/guard.h"
#include "net/query.h"
#include "net/survey.h"
#include "report/outcome.h"
#include "report/progress.h"
#include "report/why.h"

#include <setjmp.h>

/* One search: the properties of states, or a claim beside the model. */
struct check_task {
  uint32_t claim; /* of the shape; TS_NONE: none */
  struct outcome_claim answer;
};

/* The task in hand: what is searched, and what came of it. The one that will be shown is put
 * aside as a whole while others are searched. */
struct check_now {
  struct ts *base;    /* the model, or its product with the claim of the task */
  struct ts *product; /* the latter, or NULL */
  struct ts *ts;      /* what is searched: that, or the decorator around it */
  struct ts *checker; /* NULL without --self-check */
  struct ts *diamond; /* NULL without --check independence */
  struct ts *facts;   /* NULL without --check merge or dead */
  struct search_result result;
  struct outcome outcome;
};

/* What the caller does meanwhile. */
struct check_host {
  FILE *terminal; /* where a line says how far the search is; NULL: nowhere */
  /* Called some ten times per second while it searches; false: it is to stop. Or NULL. */
  bool (*progress)(void *context, const struct search_figures *);
  void *context;
};

struct check {
  const struct options *o;
  struct check_host host;
  jmp_buf spent; /* the last resort where an arena has no memory */
  double began;
  struct loaded loaded;
  const char *const *invariant;
  uint32_t n_invariants;
  struct check_task *task;
  uint32_t n_tasks;
  struct check_now now;
  struct search_options search;
  struct methods methods;
  struct checkpoint checkpoint;
  struct outcome_run *run; /* one per --runs */
  uint32_t n_runs;
  struct progress progress;
  struct native_figures native;
  struct net_survey net; /* of nets: the largest marking */
  struct outcome_marking marking;
  uint32_t n_merged, n_cleared; /* of the model (struct ir_model) */
  struct net_queries queries;   /* n is 0: none were given */
  struct why why;               /* the run that is shown ends as it does */
  bool silent;                  /* standard output belongs to the JSON */
  bool writes_trail;            /* a counterexample is written also where no file was named */
  /* Of a counterexample: where it goes, the options that its model needs ("NAME=VALUE"), and
   * what shows it again; made before the search. */
  const char *trail_path, *trail_command, *const *trail_option;
  uint32_t n_trail_options;
  bool model_is_gone; /* it came from a pipe */
};

static inline bool check_given(const struct check *c, enum option option) {
  return c->o->value[option].given;
}

/* Before anything else; check_close() is due in any case. The options must outlive it. */
void check_open(struct check *, const struct options *);
/* From now on this thread's calls of the model's own code end where the time does. Returns what
 * guard_stop_by() gets in the end. */
struct guard_stop check_limit_calls(struct check *);
/* The whole run: the outcome says what came of it. Nothing is printed but messages
 * (options.messages), and files are written that the options name. False if there was no run,
 * as the JSON could not be written; that was said. */
bool check_run(struct check *);
void check_close(struct check *);

/* Reads the formulas that the command line names, after the model. False after an error. */
bool check_read_queries(struct check *);
/* After the search: what it knows by then. */
void check_answer_queries(struct check *);

/* claims.c: which searches there will be, once the model is loaded: fills the list of tasks.
 * Then for each in turn: its product is opened; its answer is noted; and in the end all answers
 * go to the outcome. NULL, or a sentence about what is wrong. */
const char *claims_choose(struct check *);
const char *claims_begin(struct check *, const struct check_task *);
void claims_end(struct check *, struct check_task *);
void claims_tell(struct check *);

/* again.c: before the search, where the counterexample goes, its options, and the command that
 * shows it again, quoted for a shell. When it is to be written, another name if the file has
 * the run of another model. Then what the user reads of it. */
struct trailfile;
void again_prepare(struct check *);
void again_choose(struct check *, const struct trailfile *);
void again_print(const struct check *, FILE *);
/* wrap.c: puts the decorators that the options name around the model; false: no memory. */
bool check_wrap(struct check *);
/* Closes them, and the product. */
void check_unwrap(struct check *);
/* After the search: what they found, and what they had no memory for. */
void check_judge_facts(struct check *);
/* replay.c: after a search for which dead variables were set to zero, the counterexample
 * becomes one of the model without that, and so does c->base. */
void check_true_values(struct check *);
/* After the search: warnings, and the trail. */
void check_tell(struct check *);
/* The verdict, the counterexample, the figures. */
void check_print(struct check *, FILE *);
/* The JSON object, if asked. True unless it cannot be written, which is then said. */
bool check_write_json(struct check *);

#endif
