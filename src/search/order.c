/* order.c - opening the order of a search. */
#include "search/core.h"

#include "search/tree/tree.h"

#include "ts/patch.h"

/* Called within events of many steps. */
static int32_t tick(void *context) {
  struct worker *w = context;
  worker_check_limits(w);
  return w->search->stop;
}

/* Called where an order finds no memory. */
static bool relieve(void *context) {
  return worker_relieve(context);
}

/* Where a tree is kept, states may be forgotten, and no name is to be used any more; but not by
 * stores that cannot forget. */
static bool names_are_of_use(const struct search *s) {
  unsigned has = s->store_kind->has;
  bool uses = (has & STORE_USES_PARENTS) || ((has & STORE_PATCHES) && patch_is_long(s->shape));
  return (has & STORE_IDS) && uses && (!tree_names_states(s) || (has & STORE_REBUILDS));
}

bool worker_open_order(struct worker *w, bool begun) {
  struct search *s = w->search;
  const struct search_options *options = s->options;
  struct search_result *result = s->result;
  struct frontier_config config = {
      .shape = s->shape,
      .store_kind = s->store_kind,
      .store = w->store,
      .budget = s->budget,
      .truncated = result->truncated,
      .reached = result->reached,
      .endless = result->endless,
      .tick = tick,
      .relieve = relieve,
      .context = w,
      .figures = &w->figures,
      .names = names_are_of_use(s),
      .tells_by = options->reduce.kind != NULL,
      .tree = tree_nodes(s),
      .forgets = tree_forgets_once(w),
      .begun = begun,
      .measure = options->order.measure,
      .parameter = {options->order.parameter[0], options->order.parameter[1]},
      .seed = options->seed,
      .listener = w->listener};
  w->frontier = w->order->open(&config);
  return w->frontier != NULL;
}

void worker_close_order(struct worker *w) {
  if (w->frontier != NULL)
    w->order->close(w->frontier);
  w->frontier = NULL;
}
