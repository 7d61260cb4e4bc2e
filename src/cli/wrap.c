/* wrap.c - the decorators around the model that test what is said of it (--self-check,
 * --check). */
#include "cli/check.h"

#include "ts/check.h"
#include "ts/diamond.h"
#include "ts/facts.h"
#include "ts/product.h"

bool check_wrap(struct check *c) {
  c->ts = c->base;
  c->outcome.shape = c->base->shape;
  if (check_given(c, OPTION_SELF_CHECK))
    c->ts = c->checker = ts_check_open(c->ts, c->loaded.budget);
  if (c->ts != NULL && check_given(c, OPTION_CHECK) &&
      c->o->value[OPTION_CHECK].number == OPTIONS_INDEPENDENCE)
    c->ts = c->diamond = ts_diamond_open(c->ts, c->loaded.budget);
  if (c->ts != NULL && c->ts->shape->facts != NULL)
    c->ts = c->facts = ts_facts_open(c->ts, c->loaded.budget);
  if (c->ts != NULL)
    return true;
  loaded_spent(&c->loaded);
  c->outcome.reason = c->loaded.why;
  c->outcome.verdict = OUTCOME_INCONCLUSIVE;
  return false;
}

void check_unwrap(struct check *c) {
  ts_facts_close(c->facts);
  ts_diamond_close(c->diamond);
  if (c->checker != NULL)
    ts_check_close(c->checker);
  ts_product_close(c->product);
  c->facts = c->diamond = c->checker = c->product = NULL;
}

/* Of --check merge and dead: how many states were not tested. */
static uint64_t judge_reductions(struct check *c) {
  if (c->facts == NULL)
    return 0;
  const char *complaint = ts_facts_complaint(c->facts);
  if (complaint != NULL) {
    fprintf(stderr, "internal error: %s\n", complaint);
    c->outcome.reason = "what a reduction takes for granted is wrong";
  } else if (!check_given(c, OPTION_QUIET)) {
    fprintf(stderr, "note: %llu facts about states hold\n",
            (unsigned long long)ts_facts_tested(c->facts));
  }
  return ts_facts_untested(c->facts);
}

/* What the decorators found, and what they had no memory for. */
void check_judge_facts(struct check *c) {
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
  } else if (c->diamond != NULL && !check_given(c, OPTION_QUIET)) {
    fprintf(stderr, "note: %llu pairs of independent events commute\n",
            (unsigned long long)ts_diamond_pairs(c->diamond));
  }
  untested += judge_reductions(c);
  if (untested > 0 && c->outcome.reason == NULL)
    c->outcome.reason = "memory ran out while facts about the model were tested: not all were";
}
