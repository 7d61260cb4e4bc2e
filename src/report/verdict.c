/* verdict.c - what a run's answer is, and how it is said in one line.
 *
 * "Verified" needs a complete exact search and every property of the model
 * looked at, or an explicit request for less.
 */
#include "report/number.h"
#include "report/outcome.h"
#include "report/style.h"

#include "ts/claim.h"

#include <string.h>

static bool unchecked_matters(const struct outcome *run) {
  return run->shape != NULL && run->shape->n_unchecked > 0 && !run->asked;
}

/* Of questions the answers count, whatever else was found on the way. */
static void judge_answers(struct outcome *run) {
  run->verdict = OUTCOME_VERIFIED;
  for (uint32_t i = 0; i < run->n_answers; i++)
    if (run->answer[i].answer == NULL)
      run->verdict = OUTCOME_INCONCLUSIVE;
  if (run->reason != NULL)
    run->verdict = OUTCOME_INCONCLUSIVE;
  else if (run->verdict == OUTCOME_INCONCLUSIVE)
    run->reason = "not all formulas were answered";
}

void outcome_print_answers(const struct outcome *run, FILE *out) {
  for (uint32_t i = 0; i < run->n_answers; i++) {
    const struct outcome_answer *a = &run->answer[i];
    if (a->answer != NULL)
      fprintf(out, "FORMULA %s %s TECHNIQUES EXPLICIT\n", a->id, a->answer);
    else
      fprintf(out, "FORMULA %s CANNOT_COMPUTE\n", a->id);
  }
}

void outcome_judge(struct outcome *run) {
  if (run->result == NULL) {
    if (run->verdict != OUTCOME_INCONCLUSIVE)
      run->verdict = OUTCOME_REJECTED;
    return;
  }
  if (run->n_answers > 0) {
    judge_answers(run);
    return;
  }
  switch (run->result->verdict) {
  case SEARCH_VIOLATED:
    run->verdict = OUTCOME_VIOLATED;
    break;
  case SEARCH_VERIFIED:
    run->verdict = run->result->guarantee == SEARCH_EXACT && !unchecked_matters(run)
                       ? OUTCOME_VERIFIED
                       : OUTCOME_INCONCLUSIVE;
    break;
  case SEARCH_INCONCLUSIVE:
    run->verdict = OUTCOME_INCONCLUSIVE;
    break;
  }
  if (run->result->internal_error != NULL && run->reason == NULL)
    run->reason = run->result->internal_error;
  if (run->reason != NULL)
    run->verdict = OUTCOME_INCONCLUSIVE;
}

int outcome_verdict_status(enum outcome_verdict verdict) {
  static const int status[] = {[OUTCOME_VERIFIED] = 0,
                               [OUTCOME_VIOLATED] = 1,
                               [OUTCOME_REJECTED] = 2,
                               [OUTCOME_INCONCLUSIVE] = 3};
  return status[verdict];
}

int outcome_status(const struct outcome *run) {
  return outcome_verdict_status(run->verdict);
}

/* " (file:line)" where the place is known. */
static void add_place(char *text, size_t size, const struct ts_place *place) {
  size_t used = strlen(text);
  if (place->file != NULL && used < size)
    snprintf(text + used, size - used, " (%s:%u)", place->file, place->line);
}

/* An error is a fault of the last event, or a property of the last state. */
static bool is_fault(const struct search_error *error) {
  return error->kind == SEARCH_MODEL_ERROR || error->kind == SEARCH_EXCLUSIVE ||
         ((error->kind == SEARCH_ASSERTION || error->kind == SEARCH_CLAIM) &&
          error->in_last_event);
}

/* What a claim found; false: the error is none of the claim. */
static bool claim_text(const struct search_error *error, const struct claim *claim, char *text,
                       size_t size) {
  if (error->kind == SEARCH_CLAIM && error->in_last_event)
    return false;
  if (error->kind == SEARCH_CLAIM)
    snprintf(text, size,
             claim->kind == CLAIM_FORMULA     ? "%s does not hold"
             : claim->kind == CLAIM_AUTOMATON ? "%s accepts a run"
                                              : "%s has come to its end",
             claim->what);
  else if (error->kind == SEARCH_NONPROGRESS)
    snprintf(text, size, "a cycle without progress");
  else if (error->kind == SEARCH_ACCEPTANCE && claim->kind == CLAIM_ACCEPTANCE)
    snprintf(text, size, "a cycle through %s", claim->what);
  else if (error->kind == SEARCH_ACCEPTANCE && claim->kind == CLAIM_FORMULA)
    snprintf(text, size, "%s does not hold", claim->what);
  else if (error->kind == SEARCH_ACCEPTANCE)
    snprintf(text, size, "%s accepts a run", claim->what);
  else
    return false;
  return true;
}

bool outcome_error_text(const struct outcome *run, char *text, size_t size) {
  if (run->result == NULL || run->result->error.kind == SEARCH_NO_ERROR)
    return false;
  const struct search_error *error = &run->result->error;
  const struct ts_shape *shape = run->shape;
  const struct claim *claim = shape->product_of;
  if (claim != NULL && claim_text(error, claim, text, size))
    return true;
  if (error->kind == SEARCH_DEADLOCK) {
    snprintf(text, size, "deadlock");
  } else if (error->kind == SEARCH_INVALID_END) {
    snprintf(text, size, "invalid end state");
  } else if (is_fault(error) && error->index < shape->n_faults) {
    const struct ts_fault *fault = &shape->fault[error->index];
    snprintf(text, size, "%s: %s",
             fault->is_exclusive                 ? "exclusive use"
             : error->kind == SEARCH_MODEL_ERROR ? "model error"
             : fault->is_trace                   ? "trace"
                                                 : "assertion",
             fault->message);
    add_place(text, size, &fault->place);
  } else if (!is_fault(error) && error->index < shape->n_properties) {
    const struct ts_property *property = &shape->property[error->index];
    snprintf(text, size, "%s '%s' fails",
             property->kind == TS_PROPERTY_INVARIANT ? "invariant" : "assertion",
             property->text);
    if (property->kind == TS_PROPERTY_ASSERTION)
      add_place(text, size, &property->place);
  } else {
    snprintf(text, size, "%s", search_error_name(error->kind));
  }
  return true;
}

enum search_guarantee outcome_guarantee(const struct outcome *run) {
  return run->n_answers > 0 && run->verdict == OUTCOME_VERIFIED ? SEARCH_EXACT
                                                                : run->result->guarantee;
}

uint64_t outcome_reached(const struct search_figures *f) {
  return f->forgetting.states > 0 ? f->forgetting.reached : f->stored;
}

/* How many states were reached is an estimate. */
static bool is_estimated(const struct search_figures *f) {
  return f->forgetting.states > 0 && !f->forgetting.once;
}

static const char *about(const struct search_figures *f) {
  return is_estimated(f) ? "about " : "";
}

double outcome_coverage(uint64_t stored, double wrong_matches) {
  return stored == 0 ? 0 : (double)stored / ((double)stored + wrong_matches);
}

double outcome_union_coverage(const struct outcome *run) {
  double missed = 1;
  for (uint32_t i = 0; i < run->n_runs; i++)
    if (run->run[i].complete)
      missed *= 1 - outcome_coverage(run->run[i].stored, run->run[i].wrong_matches);
  return 1 - missed;
}

static bool is_lossy(const struct search_figures *f) {
  return f->memory.store.kept_bits > 0 || f->memory.store.set_bits > 0;
}

static void say_missed(const struct outcome *run, FILE *out) {
  const struct search_figures *f = &run->result->figures;
  fprintf(out, ", but states may have been missed: about %s wrongly counted as reached",
          number_rough(f->expected_wrong_matches).at);
  if (run->n_runs > 1)
    fprintf(out, " in this one of %u runs", run->n_runs);
  if (f->memory.store.wrong_chance > OUTCOME_ROUGH)
    fputs(", a rough estimate, for the store is too small", out);
}

static void say_unchecked(const struct outcome *run, FILE *out) {
  fputs("not checked in this version: ", out);
  for (uint32_t i = 0; i < run->shape->n_unchecked; i++)
    fprintf(out, "%s%s", i > 0 ? ", " : "", run->shape->unchecked[i]);
}

/* Why a search that changes its store ended all the same. */
static void say_unmoved(const struct search_result *r, FILE *out) {
  if (r->cut_in_move)
    fprintf(out, "; states were on their way to the store %s, and not all arrived",
            r->store->name);
  else if (r->next_kind != NULL)
    fprintf(out, "; there was no room to move the states to the store %s", r->next_kind->name);
}

/* Only breadth-first search, which knows levels, meets each state by a shortest way. */
static void say_inconclusive(const struct outcome *run, FILE *out) {
  const struct search_result *r = run->result;
  if (run->reason != NULL) { /* perhaps there was no search */
    fputs(run->reason, out);
    return;
  }
  const struct search_figures *f = &r->figures;
  const struct number n = number_grouped(outcome_reached(f));
  const char *plural = number_plural(outcome_reached(f));
  if (r->limit == SEARCH_MAX_DEPTH)
    fprintf(out, "%s; no error in the %s%s state%s %s", search_limit_text(r->limit), about(f),
            n.at, plural,
            f->level.known ? "within it" : "reached within it, where there may be others");
  else if (r->limit == SEARCH_CYCLE)
    fprintf(out, "%s; no error in the %s state%s reached", search_limit_text(r->limit), n.at,
            plural);
  else if (r->limit == SEARCH_REVISITS)
    fprintf(out, "%s, %.1f times on average, after about %s state%s; no error so far",
            search_limit_text(r->limit), (double)f->visited / (double)outcome_reached(f), n.at,
            plural);
  else if (r->limit != SEARCH_NO_LIMIT)
    fprintf(out, "%s after %s%s state%s; no error so far", search_limit_text(r->limit),
            about(f), n.at, plural);
  if (unchecked_matters(run)) {
    fputs(r->limit != SEARCH_NO_LIMIT ? "; " : "", out);
    say_unchecked(run, out);
  }
  if (r->limit == SEARCH_NO_LIMIT)
    fprintf(out, "%s error in %s%s state%s", unchecked_matters(run) ? "; no other" : "no",
            about(f), n.at, plural);
  if (is_lossy(f) && (r->limit == SEARCH_NO_LIMIT || r->limit == SEARCH_MAX_DEPTH))
    say_missed(run, out);
  say_unmoved(r, out);
}

/* That every state was seen is exact; how many there were need not be. */
static void say_verified(const struct outcome *run, FILE *out) {
  const struct search_figures *f = &run->result->figures;
  const struct number n = number_grouped(outcome_reached(f));
  const char *guarantee = search_guarantee_name(run->result->guarantee);
  if (is_estimated(f))
    fprintf(out, "no error in any state (%s), about %s state%s", guarantee, n.at,
            number_plural(outcome_reached(f)));
  else
    fprintf(out, "no error in %s state%s (%s)", n.at, number_plural(outcome_reached(f)),
            guarantee);
}

static void say_violated(const struct outcome *run, FILE *out) {
  const struct search_result *r = run->result;
  char text[600];
  if (outcome_error_text(run, text, sizeof text))
    fputs(text, out);
  if (r->error.trail.initial != TS_NONE && r->error.trail.n_events == 0)
    fputs(" in the initial state", out);
  else if (r->error.trail.initial != TS_NONE)
    fprintf(out, " after %s step%s", number_grouped(r->error.trail.n_events).at,
            number_plural(r->error.trail.n_events));
  if (r->error.trail.n_cycle > 0)
    fprintf(out, ", a cycle of %s", number_grouped(r->error.trail.n_cycle).at);
  if (run->counted_all && r->figures.errors > 1)
    fprintf(out,
            r->figures.forgetting.revisited > 0 ? "; errors were reached %s times"
                                                : "; %s errors in all",
            number_grouped(r->figures.errors).at);
}

char *outcome_reason(const struct outcome *run) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = run->verdict == OUTCOME_INCONCLUSIVE || run->verdict == OUTCOME_REJECTED
                  ? open_memstream(&text, &size)
                  : NULL;
  if (out == NULL)
    return NULL;
  if (run->result == NULL || run->reason != NULL)
    fputs(run->reason == NULL ? "" : run->reason, out);
  else
    say_inconclusive(run, out);
  fclose(out);
  return text;
}

void outcome_print_sentence(const struct outcome *run, FILE *out) {
  switch (run->verdict) {
  case OUTCOME_VERIFIED:
    say_verified(run, out);
    break;
  case OUTCOME_VIOLATED:
    say_violated(run, out);
    break;
  case OUTCOME_INCONCLUSIVE:
    say_inconclusive(run, out);
    break;
  case OUTCOME_REJECTED:
    fputs(run->reason, out);
    break;
  }
}

const char *outcome_verdict_name(enum outcome_verdict verdict) {
  static const char *const name[] = {"verified", "violated", "inconclusive", "rejected"};
  return name[verdict];
}

static void print_word(enum outcome_verdict verdict, FILE *out, bool color) {
  static const char *const code[] = {STYLE_GOOD, STYLE_BAD, STYLE_WARN, STYLE_BAD};
  fprintf(out, "%s%s%s: ", style_on(color, code[verdict]), outcome_verdict_name(verdict),
          style_off(color));
}

void outcome_print_verdict(const struct outcome *run, FILE *out, bool color) {
  print_word(run->verdict, out, color);
  outcome_print_sentence(run, out);
  fputc('\n', out);
}

void outcome_print_claims(const struct outcome *run, FILE *out, bool color) {
  for (uint32_t i = 0; i < run->n_claims; i++) {
    fprintf(out, "%s  ", run->claim[i].what);
    if (run->claim[i].is_undecided)
      fputs("undecided: its search ended at this error: ", out);
    else
      print_word(run->claim[i].verdict, out, color);
    fprintf(out, "%s\n", run->claim[i].sentence);
  }
}
