/* names.c - the words that stand for verdicts, guarantees, errors and limits, and the
 * combinations that are refused.
 *
 * All names are those of the machine-readable output.
 */
#include "search/forget/forget.h"
#include "search/frontier/frontier.h"
#include "search/reduce/reduce.h"
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
  static const char *const name[] = {"none",      "assertion",   "deadlock",
                                     "invariant", "model-error", "invalid-end-state"};
  return name[kind];
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
      "an event led back to the stack, where this reduction may lose states"};
  return text[limit];
}

/* The rules: what an order or an option asks of the rest, each with its way out. */
struct rule {
  bool (*broken)(const struct search_options *);
  const char *why;
};

static bool no_order(const struct search_options *options) {
  return options->order.kind == NULL || options->store.kind == NULL;
}

static bool negative_time(const struct search_options *options) {
  return !(options->limit.seconds >= 0);
}

static bool parameter_without_use(const struct search_options *options) {
  return options->store.parameter != 0 && options->store.kind->most == 0;
}

static bool parameter_out_of_range(const struct search_options *options) {
  return options->store.parameter != 0 &&
         (options->store.parameter < options->store.kind->least ||
          options->store.parameter > options->store.kind->most);
}

static bool size_without_use(const struct search_options *options) {
  return options->store.size != 0 && !options->store.kind->sized;
}

static bool forgets(const struct search_options *options, unsigned has) {
  return options->forget.kind != NULL && !(options->store.kind->has & has);
}

static bool forgets_in_lossy(const struct search_options *options) {
  return forgets(options, STORE_EXACT);
}

static bool forgets_in_fixed(const struct search_options *options) {
  return forgets(options, STORE_REMOVES) ||
         (options->forget.kind != NULL && options->store.kind->get == NULL);
}

static bool sweeps_without_progress(const struct search_options *options) {
  return options->forget.kind != NULL && options->forget.kind->resume != NULL &&
         options->forget.progress == NULL;
}

static bool chains_for_nothing(const struct search_options *options) {
  return options->forget.chain && options->forget.kind == NULL;
}

/* Of two numbers one may be 0. */
static bool order_without_number(const struct search_options *options) {
  return options->order.kind != NULL && options->order.kind->n_parameters > 0 &&
         options->order.parameter[0] == 0 &&
         (options->order.kind->n_parameters == 1 || options->order.parameter[1] == 0);
}

static bool measures_nothing(const struct search_options *options) {
  return options->order.kind != NULL && (options->order.kind->traits & FRONTIER_MEASURED) &&
         options->order.measure == NULL;
}

static bool lossy_without_moves(const struct search_options *options) {
  return options->store.allow_lossy &&
         (!options->store.moves || options->forget.kind != NULL ||
          (options->order.kind != NULL && options->order.kind->move == NULL));
}

/* Some need a path; edge-lean goes with every order: docs/reductions.md. */
static bool reduces_without_stack(const struct search_options *options) {
  return options->reduce.kind != NULL && options->order.kind != NULL &&
         (options->reduce.kind->traits & REDUCTION_PATH) != 0 &&
         (options->order.kind->traits & FRONTIER_STACK) == 0;
}

static bool reduces_and_forgets(const struct search_options *options) {
  return options->reduce.kind != NULL && options->forget.kind != NULL &&
         (options->reduce.kind->traits & REDUCTION_PATH) != 0;
}

static bool order_without_use(const struct search_options *options) {
  return options->reduce.action_rank != NULL && options->reduce.kind == NULL;
}

static bool reduction_out_of_range(const struct search_options *options) {
  return options->reduce.kind != NULL &&
         (options->reduce.parameter < options->reduce.kind->least ||
          options->reduce.parameter > options->reduce.kind->most);
}

static const struct rule rules[] = {
    {no_order, "a search needs a store and an order: --store full --order bfs"},
    {parameter_without_use, "this store takes no number behind its name"},
    {parameter_out_of_range,
     "the number behind the store's name is out of range: compact keeps "
     "16 to 64 bits, bitstate and bitline set 1 to 64"},
    {size_without_use,
     "this store grows as it must and takes no size: only bitstate and bitline "
     "do; --memory limits all of them"},
    {forgets_in_lossy,
     "forgetting needs an exact store: a state that is wrongly taken for met would not be "
     "expanded, and forgetting would not find out; use --store full or tree"},
    {forgets_in_fixed, "this store cannot take states out again, so none can be forgotten: use "
                       "--store full or tree"},
    {sweeps_without_progress, "the sweep-line needs to know how far a state is: --progress "
                              "'EXPR, EXPR', or --progress auto:LEVEL"},
    {chains_for_nothing, "--reduce chain spares states that are kept although others are "
                         "forgotten, and has no effect without --forget"},
    {order_without_number,
     "this order needs numbers behind its name that are not 0: bbfs:W or alt:B,D"},
    {measures_nothing, "this order needs an expression: best:EXPR"},
    {lossy_without_moves,
     "--allow-lossy is for --store auto with --order bfs or dfs and without --forget: there it "
     "lets the states move to stores that may miss some"},
    {reduces_without_stack,
     "--reduce tnf and sleep go by the stack of a depth-first search: use --order dfs, or "
     "--reduce edge-lean"},
    {reduction_out_of_range, "--reduce sleep has two ways to remove: sleep:1 or sleep:2"},
    {order_without_use,
     "--action-order is for --reduce edge-lean, tnf and sleep, and has no effect "
     "without one of them"},
    {reduces_and_forgets,
     "--reduce tnf and sleep go by how a state was first discovered, and what is forgotten is "
     "discovered again: leave out --forget, or use --reduce edge-lean"},
    {negative_time, "the time limit must not be negative: 0 means none"},
};

const char *search_refusal(const struct search_options *options) {
  for (uint32_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (rules[i].broken(options))
      return rules[i].why;
  return NULL;
}
