/* outcome.h - what one run of `check` has to say: a verdict, an error, figures.
 *
 * The text and the JSON object are two views of one struct outcome, so that they
 * cannot contradict each other.
 */
#ifndef CAIRN_REPORT_OUTCOME_H
#define CAIRN_REPORT_OUTCOME_H

#include "search/search.h"

struct diag;
struct why;

#include <stdio.h>

enum outcome_verdict {
  OUTCOME_VERIFIED,
  OUTCOME_VIOLATED,
  OUTCOME_INCONCLUSIVE,
  OUTCOME_REJECTED
};

/* With such a chance that a new state counts as reached the estimate of those is rough. */
#define OUTCOME_ROUGH 0.05
/* An estimate of which the most is at most that many times the least is shown as one number. */
#define OUTCOME_SURE  1.25

/* One of several searches with different hash functions. */
struct outcome_run {
  uint64_t seed, stored;
  double wrong_matches; /* expected */
  bool complete;        /* no limit cut it short */
};

/* Of nets: the most tokens that were seen. */
struct outcome_marking {
  uint64_t most, most_in_place;
};

/* Of a question about all states. */
struct outcome_answer {
  const char *id;
  const char *answer; /* "TRUE", "FALSE", a number; NULL: none */
  const char *why;    /* there is none, or NULL */
};

/* What was found of a claim, or of the properties of states, where there were several searches
 * or one for a claim. */
struct outcome_claim {
  const char *name, *what; /* name NULL: the properties of states */
  const char *sentence;
  enum outcome_verdict verdict;
  enum search_guarantee guarantee;
  enum search_error_kind error;
  bool is_undecided; /* the error is none of the claim's own: an assertion, an end */
  bool has_trail;
  uint32_t length, n_cycle; /* of the trail */
  uint64_t stored, events;
  double seconds;
};

/* Files from which the search can go on. */
struct outcome_checkpoints {
  uint64_t written, bytes; /* each over the one before; of the last one */
  double seconds;          /* that writing took */
};

struct outcome {
  struct outcome_checkpoints checkpoints;
  const char *version, *model;   /* of the program; as the user gave it */
  const struct ts_shape *shape;  /* NULL: rejected before there was one */
  const struct ts_shape *system; /* the model's own, where that one is a product's; or NULL */
  struct search_result *result;  /* NULL: no search took place */
  const struct search_options *search; /* that it was made with; NULL as that is */
  enum outcome_verdict verdict;
  const char *reason; /* no search: why; else a doubt about the result, or NULL */
  bool asked;         /* for other properties than runs accept: unchecked ones do not matter */
  bool ends_are_errors; /* a deadlock or invalid end state is an error */
  bool counted_all;     /* --keep-going: the number of errors says something */
  const char *order, *store;
  const char *reduce;            /* what was asked not to be fired or kept, or NULL */
  const uint32_t *merged;        /* statements that were merged, or NULL: not asked */
  const uint32_t *cleared;       /* the same: places where dead variables are cleared */
  const char *forget, *progress; /* as the user gave them; NULL: nothing is forgotten */
  const char *strategy;          /* of forgetting, in use; or NULL */
  const struct ts *replayed;     /* whose run the counterexample is; NULL: there is none */
  struct budget *budget;         /* for that */
  const struct diag *diag;       /* what was said of the model, or NULL */
  const struct why *why;         /* of the counterexample; NULL: nothing is known */
  const char *trail_file;        /* where the counterexample went, or NULL */
  const struct outcome_marking *marking; /* NULL: the model is no net */
  const struct outcome_answer *answer; /* n_answers, to what was asked in place of a verdict */
  uint32_t n_answers;
  const struct outcome_claim
      *claim; /* n_claims, in the order in which they were searched for */
  uint32_t n_claims;
  const char *compiler; /* "tcc", "cc", … in use at the end; NULL: there is none */
  double parse_seconds, compile_seconds;
  uint64_t memory_limit, peak_resident;
  uint64_t model_bytes, code_bytes; /* of the budget, by purpose */
  const struct outcome_run *run;    /* result is that of the one which found an error, else
                                     * of the one that stored most */
  uint32_t n_runs;                  /* 0 or 1: there was no repetition */
};

/* Derives the verdict from the result, the unchecked properties and the doubt.
 * Never better than the search's own. */
void outcome_judge(struct outcome *);

/* "verified" and so on. */
const char *outcome_verdict_name(enum outcome_verdict);

/* 0, 1, 2 or 3. */
int outcome_status(const struct outcome *);
int outcome_verdict_status(enum outcome_verdict);

/* One sentence about the error found; false if there is none. */
bool outcome_error_text(const struct outcome *, char *text, size_t size);

/* Why the verdict is inconclusive or rejected, a sentence, to be freed; NULL if it is neither.
 */
char *outcome_reason(const struct outcome *);

/* Different states that were reached; where states are forgotten an estimate. */
uint64_t outcome_reached(const struct search_figures *);
/* Estimated part of the states reached that was stored: n of n + wrong. Of states that are
 * after an omitted one nothing can be known. */
double outcome_coverage(uint64_t stored, double wrong_matches);
/* The same for all complete runs together, their hash functions being independent. */
double outcome_union_coverage(const struct outcome *);
/* How far the verdict of a search is to be trusted: where all questions were answered, each
 * answer is proven, whatever the search has not seen. */
enum search_guarantee outcome_guarantee(const struct outcome *);

/* The answers as the Model Checking Contest writes them. */
void outcome_print_answers(const struct outcome *, FILE *);
/* The verdict in one line. */
void outcome_print_verdict(const struct outcome *, FILE *, bool color);
/* The same without the word for the verdict, and without a newline. */
void outcome_print_sentence(const struct outcome *, FILE *);
/* One line for each claim. */
void outcome_print_claims(const struct outcome *, FILE *, bool color);
/* The aligned table of figures: those that a user needs, or all. */
void outcome_print_figures(const struct outcome *, bool all, FILE *);
/* What was checked, or looked for up to an error, and what was not and how to ask for it. */
void outcome_print_checked(const struct outcome *, FILE *);
/* The statements that were never reached, if that is known; whether there are any. */
bool outcome_print_unreached(const struct outcome *, FILE *);
/* The run of the counterexample as JSON: an object by itself, or under a key. */
struct json;
void outcome_write_run_json(const struct outcome *, FILE *);
void outcome_write_run(const struct outcome *, struct json *, const char *key);
/* The whole JSON object. */
void outcome_write_json(const struct outcome *, FILE *);

#endif
