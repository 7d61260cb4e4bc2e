/* checked.c - what was looked at in a search, and what was not, for people.
 *
 * A verdict says little to those who do not know what was asked. So it names what was, and what
 * the model has besides, with the option that asks for it. A search that ended at an error has
 * checked nothing to the end: it has looked for errors up to this one.
 */
#include "report/number.h"
#include "report/outcome.h"

#include "ts/claim.h"

#include <string.h>

#define CHECKED_MOST 6u /* claims that are named */

/* Items of a list with commas, after a word that begins the line. */
struct list {
  FILE *out;
  const char *head;
  uint32_t n;
};

static void begin_item(struct list *list) {
  fprintf(list->out, "%s", list->n++ == 0 ? list->head : ", ");
}

static void end_list(struct list *list) {
  if (list->n > 0)
    fputc('\n', list->out);
}

static void item(struct list *list, const char *text) {
  begin_item(list);
  fputs(text, list->out);
}

static void counted(struct list *list, uint32_t n, const char *what) {
  if (n == 0)
    return;
  begin_item(list);
  fprintf(list->out, "%s %s%s", number_grouped(n).at, what, number_plural(n));
}

/* Whether a search was made for the claim. */
static bool was_searched(const struct outcome *run, const struct claim *claim) {
  for (uint32_t i = 0; i < run->n_claims; i++)
    if (run->claim[i].name != NULL && strcmp(run->claim[i].name, claim->name) == 0)
      return true;
  return false;
}

/* Whether there was a search for the properties of states beside the one that is shown. */
static bool states_were_searched(const struct outcome *run) {
  for (uint32_t i = 0; i < run->n_claims; i++)
    if (run->claim[i].name == NULL)
      return true;
  return false;
}

static uint32_t invariants(const struct ts_shape *shape) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < shape->n_properties; i++)
    n += shape->property[i].kind == TS_PROPERTY_INVARIANT;
  return n;
}

static bool has_trace(const struct ts_shape *shape) {
  for (uint32_t i = 0; i < shape->n_faults; i++)
    if (shape->fault[i].is_trace)
      return true;
  return false;
}

/* Whether the search ended at the error that is shown. */
static bool ended_early(const struct outcome *run) {
  return run->verdict == OUTCOME_VIOLATED && !run->counted_all;
}

static void print_checked(const struct outcome *run, FILE *out) {
  struct list list = {out, ended_early(run) ? "looked for  " : "checked     ", 0};
  counted(&list, ts_notes(run->system)->n_asserts, "assertion");
  counted(&list, invariants(run->system), "invariant");
  if (run->ends_are_errors)
    item(&list, run->system->has_ends ? "invalid end states" : "deadlocks");
  else if (states_were_searched(run))
    item(&list, "properties of states");
  if (has_trace(run->system))
    item(&list, "the trace");
  for (uint32_t i = 0, named = 0; i < run->n_claims; i++)
    if (run->claim[i].name != NULL && named++ < CHECKED_MOST)
      item(&list, run->claim[i].what);
  item(&list, "model errors");
  if (ended_early(run))
    fputs("; the search ended at this error", out);
  end_list(&list);
}

static void add_claim(struct list *list, const char *what, const char *name, uint32_t *named) {
  if ((*named)++ >= CHECKED_MOST)
    return;
  begin_item(list);
  fprintf(list->out, "%s (--claim %s)", what, name);
}

/* What the model says of its runs and nobody asked about. */
static void add_claims(const struct outcome *run, struct list *list) {
  uint32_t named = 0;
  for (uint32_t i = 0; i < run->system->n_claims; i++) {
    const struct claim *claim = &run->system->claim[i];
    if (!claim_is_label(claim) && !was_searched(run, claim))
      add_claim(list, claim->what, claim->name, &named);
  }
  for (uint32_t i = 0; i < ts_notes(run->system)->n_unasked; i++)
    add_claim(list, ts_notes(run->system)->unasked[i], ts_notes(run->system)->unasked[i],
              &named);
  if (named > CHECKED_MOST) {
    begin_item(list);
    fprintf(list->out, "%u more claims", named - CHECKED_MOST);
  }
}

/* A search for a claim does not look at the ends of runs. */
static bool skips_ends(const struct outcome *run) {
  return run->system->deadlock_is_error && !run->ends_are_errors && run->n_claims > 0 &&
         !states_were_searched(run) && run->result->figures.deadlocks == 0;
}

static void add_labels(const struct outcome *run, struct list *list) {
  bool accepts = false, progresses = false;
  for (uint32_t i = 0; i < run->system->n_claims; i++) {
    const struct claim *claim = &run->system->claim[i];
    accepts |= claim->kind == CLAIM_ACCEPTANCE && was_searched(run, claim);
    progresses |= claim->kind == CLAIM_PROGRESS && was_searched(run, claim);
  }
  if (ts_notes(run->system)->has_accepting && !accepts)
    item(list, "labels 'accept' (--property acceptance)");
  if (ts_notes(run->system)->has_progress && !progresses)
    item(list, "labels 'progress' (--property progress)");
}

static void print_unchecked(const struct outcome *run, FILE *out) {
  const uint64_t deadlocks = run->result->figures.deadlocks;
  struct list list = {out, "not checked ", 0};
  if (!run->ends_are_errors && deadlocks > 0) {
    begin_item(&list);
    fprintf(out, "%s %s%s (%s)", number_grouped(deadlocks).at,
            run->system->has_ends ? "invalid end state" : "deadlock", number_plural(deadlocks),
            run->system->has_ends ? "without --no-deadlock" : "--property deadlock");
  }
  if (skips_ends(run))
    item(&list, "invalid end states (without --claim)");
  add_claims(run, &list);
  add_labels(run, &list);
  for (uint32_t i = 0; i < run->system->n_unchecked; i++)
    item(&list, run->system->unchecked[i]);
  end_list(&list);
  if (run->system->n_unchecked > 0 && !run->asked && run->verdict != OUTCOME_VIOLATED)
    fputs(
        "advice      --property safety asks for no more than was checked; --claim none leaves "
        "out formulas and claims\n",
        out);
}

void outcome_print_checked(const struct outcome *run, FILE *out) {
  if (run->result == NULL || run->system == NULL || run->n_answers > 0)
    return;
  print_checked(run, out);
  print_unchecked(run, out);
}
