/* names.c - the words for verdicts, guarantees, errors and limits.
 *
 * All names are those of the machine-readable output.
 */
#include "search/search.h"

const char *search_verdict_name(enum search_verdict verdict) {
  static const char *const name[] = {"verified", "violated", "inconclusive"};
  return name[verdict];
}

const char *search_guarantee_name(enum search_guarantee guarantee) {
  static const char *const name[] = {"exact", "probable", "partial"};
  return name[guarantee];
}

const char *search_error_name(enum search_error_kind kind) {
  static const char *const name[] = {"none",
                                     "assertion",
                                     "deadlock",
                                     "invariant",
                                     "model-error",
                                     "invalid-end-state",
                                     "claim-violated",
                                     "acceptance-cycle",
                                     "nonprogress-cycle",
                                     "exclusive-channel"};
  return name[kind];
}

enum search_error_kind search_property_error(const struct ts_property *property) {
  static const enum search_error_kind kind[] = {[TS_PROPERTY_ASSERTION] = SEARCH_ASSERTION,
                                                [TS_PROPERTY_INVARIANT] = SEARCH_INVARIANT,
                                                [TS_PROPERTY_CLAIM] = SEARCH_CLAIM,
                                                [TS_PROPERTY_FORMULA] = SEARCH_CLAIM};
  return kind[property->kind];
}

enum search_error_kind search_fault_error(const struct ts_shape *shape,
                                          const struct ts_edge *edge) {
  const struct ts_fault none = {0};
  const struct ts_fault *fault =
      edge->fault < shape->n_faults ? &shape->fault[edge->fault] : &none;
  if (edge->kind == TS_MODEL_ERROR)
    return fault->is_exclusive ? SEARCH_EXCLUSIVE : SEARCH_MODEL_ERROR;
  return fault->is_trace ? SEARCH_CLAIM : SEARCH_ASSERTION;
}

const char *search_limit_text(enum search_limit limit) {
  static const char *const text[] = {
      "no limit was reached",
      "the memory budget was reached",
      "the time limit was reached",
      "the limit on stored states was reached",
      "the depth limit left states out",
      "the search was interrupted",
      "the tree of open states no longer fits the cache",
      "the limit on visits was reached",
      "more processes live than there are places for",
      "states were visited too often",
      "the search to be resumed could not be read",
      "all questions were answered",
      "an event led back to the stack, where this reduction may lose states"};
  return text[limit];
}
