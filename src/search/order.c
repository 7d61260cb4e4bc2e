/* order.c - which form of an order a search uses, and opening it.
 *
 * An order may have several forms: one that is fastest, one that keeps a tree of open states,
 * and one that takes open states from outside as well.
 */
#include "search/run.h"

const struct frontier_kind *run_order(const struct search_options *options) {
  const struct frontier_kind *order = options->order.kind;
  bool tree = options->forget.kind != NULL,
       adds = tree && (options->forget.kind->traits & FORGET_CLASSES);
  while (order->with_tree != NULL && ((tree && !(order->traits & FRONTIER_TREE)) ||
                                      (adds && !(order->traits & FRONTIER_ADDS))))
    order = order->with_tree;
  return order;
}

/* Called within events of many steps. */
static int32_t tick(void *context) {
  struct run *run = context;
  run_check_limits(run);
  return run->stop;
}

/* Called where an order finds no memory. */
static bool relieve(void *context) {
  return run_move(context, NULL, 0, 0);
}

bool run_order_open(struct run *run, bool begun) {
  const struct search_options *options = run->options;
  struct search_result *result = run->result;
  struct frontier_config frontier = {
      .shape = run->shape,
      .store_kind = run->store_kind,
      .work = run->store_work,
      .budget = run->budget,
      .truncated = result->truncated,
      .reached = result->reached,
      .endless = result->endless,
      .tick = tick,
      .relieve = relieve,
      .context = run,
      .figures = run->figures,
      .tells_by = options->reduce.kind != NULL,
      .tree = run->has_tree ? &run->tree : NULL,
      .begun = begun,
      .measure = options->order.measure,
      .parameter = {options->order.parameter[0], options->order.parameter[1]},
      .seed = options->seed};
  run->frontier = run->order->open(&frontier);
  return run->frontier != NULL;
}
