/* wrap.c - the decorators around the model that test what is said of it (--self-check,
 * --check). */
#include "cli/check.h"

#include "ts/check.h"
#include "ts/diamond.h"
#include "ts/facts.h"
#include "ts/product.h"
#include "ts/unmatched.h"

bool check_wrap(struct check *c) {
  c->now.ts = c->now.base;
  c->now.outcome.shape = c->now.base->shape;
  c->now.outcome.system = c->loaded.ts->shape;
  if (check_given(c, OPTION_SELF_CHECK))
    c->now.ts = c->now.checker = ts_check_open(c->now.ts, c->loaded.budget);
  if (c->now.ts != NULL && check_given(c, OPTION_CHECK) &&
      c->o->value[OPTION_CHECK].number == OPTIONS_INDEPENDENCE)
    c->now.ts = c->now.diamond = ts_diamond_open(c->now.ts, c->loaded.budget);
  if (c->now.ts != NULL && c->now.ts->shape->facts != NULL)
    c->now.ts = c->now.facts = ts_facts_open(c->now.ts, c->loaded.budget);
  if (c->now.ts != NULL)
    return true;
  loaded_spent(&c->loaded);
  c->now.outcome.reason = c->loaded.why;
  c->now.outcome.verdict = OUTCOME_INCONCLUSIVE;
  return false;
}

void check_unwrap(struct check *c) {
  ts_facts_close(c->now.facts);
  ts_diamond_close(c->now.diamond);
  if (c->now.checker != NULL)
    ts_check_close(c->now.checker);
  ts_product_close(c->now.product);
  c->now.facts = c->now.diamond = c->now.checker = c->now.product = NULL;
}

/* Of --check merge and dead: how many states were not tested. */
static uint64_t judge_reductions(struct check *c) {
  if (c->now.facts == NULL)
    return 0;
  const char *complaint = ts_facts_complaint(c->now.facts);
  if (complaint != NULL) {
    fprintf(c->o->messages, "internal error: %s\n", complaint);
    c->now.outcome.reason = "what a reduction takes for granted is wrong";
  } else if (!check_given(c, OPTION_QUIET)) {
    fprintf(c->o->messages, "note: %llu facts about states hold\n",
            (unsigned long long)ts_facts_tested(c->now.facts));
  }
  return ts_facts_untested(c->now.facts);
}

/* What the decorators found, and what they had no memory for. */
void check_judge_facts(struct check *c) {
  if (c->now.ts->remembers != NULL && unmatched_is_spent(c->now.ts->remembers))
    c->now.outcome.reason = "memory ran out for what c_track keeps of each state";
  uint64_t untested = c->now.checker == NULL ? 0 : ts_check_untested(c->now.checker);
  const char *complaint = c->now.checker == NULL ? NULL : ts_check_complaint(c->now.checker);
  if (complaint != NULL) {
    fprintf(c->o->messages, "internal error: a fact about the model is wrong: %s\n", complaint);
    c->now.outcome.reason = "a compiled fact about the model is wrong";
  }
  complaint = c->now.diamond == NULL ? NULL : ts_diamond_complaint(c->now.diamond);
  untested += c->now.diamond == NULL ? 0 : ts_diamond_untested(c->now.diamond);
  if (complaint != NULL) {
    fprintf(c->o->messages, "internal error: %s\n", complaint);
    c->now.outcome.reason = "actions that are said to be independent do not commute";
  } else if (c->now.diamond != NULL && !check_given(c, OPTION_QUIET)) {
    fprintf(c->o->messages, "note: %llu pairs of independent events commute\n",
            (unsigned long long)ts_diamond_pairs(c->now.diamond));
  }
  untested += judge_reductions(c);
  if (untested > 0 && c->now.outcome.reason == NULL)
    c->now.outcome.reason =
        "memory ran out while facts about the model were tested: not all were";
}
