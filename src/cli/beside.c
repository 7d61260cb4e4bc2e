/* beside.c - the same: which claim it is, and a search for what it accepts. */
#include "cli/beside.h"

#include "cli/claim_names.h"

#include "search/engine.h"
#include "search/frontier/frontier.h"
#include "store/store.h"
#include "ts/product.h"

#include <string.h>

/* Whether something is asked for that there is not. */
static bool asks_for_any(const struct options *o) {
  uint32_t cursor = 0;
  for (const char *text; (text = options_next(o, OPTION_CLAIM, &cursor)) != NULL;)
    if (strcmp(text, "none") != 0)
      return true;
  return o->value[OPTION_LTL].given;
}

bool beside_open(struct loaded *l, const struct options *o, struct ts **product) {
  const struct ts_shape *shape = l->ts->shape;
  const struct claim *claim = NULL;
  const char *why = NULL;
  *product = NULL;
  why = claim_names_unknown(l->arena, shape, o);
  if (why != NULL)
    return loaded_fail(l, 2, "%s", why);
  for (uint32_t i = 0; i < shape->n_claims; i++) {
    if (!shape->claim[i].is_asked && !options_gives(o, OPTION_CLAIM, shape->claim[i].name))
      continue;
    if (claim != NULL)
      return loaded_fail(l, 2, "one claim at a time can run beside the model: leave out --%s",
                         shape->claim[i].is_asked ? "ltl" : "claim");
    claim = &shape->claim[i];
  }
  if (claim == NULL)
    return !asks_for_any(o) || loaded_fail(l, 2, "the model has no such claim");
  *product = ts_product_open(l->ts, claim, l->budget, &why);
  return *product != NULL || loaded_fail(l, 3, "%s", why);
}

void beside_search(struct loaded *l, const struct ts *product, struct search_result *result) {
  const bool cycles = product->shape->product_of->has_cycles;
  const struct search_options options = {.engine = cycles ? engine_by_name("scc") : NULL,
                                         .order.kind = frontier_by_name(cycles ? "dfs" : "bfs"),
                                         .store.kind = store_by_name("full"),
                                         .parents = true};
  search_run(product, &options, l->budget, result);
}
