/* rules.c - which parts of a search go together, and which do not: the table.
 *
 * Read first: the table itself, near the end. A sentence may hold marks in braces: {store} is
 * the name of the store in question, {stores that forget} a list of all stores that satisfy a
 * condition. So the ways out name a new method as soon as it is listed with its kind.
 */
#include "search/rules.h"

#include "search/forget/forget.h"
#include "search/frontier/frontier.h"
#include "search/reduce/reduce.h"

#include <stdio.h>
#include <string.h>

/* ---- what the kinds can do --------------------------------------------------------- */

static bool can_forget(const struct store_kind *store) {
  return (store->has & STORE_EXACT) && (store->has & STORE_REMOVES) &&
         (store->has & STORE_GETS);
}

static bool goes_by_progress(const struct forget_kind *forget) {
  return (forget->traits & FORGET_CLASSES) != 0;
}

static bool can_move(const struct frontier_kind *order) {
  return (order->traits & FRONTIER_MOVES) != 0;
}

static bool needs_parents(const struct frontier_kind *order) {
  return (order->traits & (FRONTIER_PATH | FRONTIER_TREE)) == 0;
}

static bool has_stack(const struct frontier_kind *order) {
  return (order->traits & FRONTIER_STACK) != 0;
}

static bool goes_by_path(const struct reduction_kind *reduction) {
  return (reduction->traits & REDUCTION_PATH) != 0;
}

/* ---- conditions -------------------------------------------------------------------- */

static bool no_method(const struct rules_case *c) {
  return c->search->order.kind == NULL || c->search->store.kind == NULL;
}

static bool negative_time(const struct rules_case *c) {
  return !(c->search->limit.seconds >= 0);
}

static bool order_without_numbers(const struct rules_case *c) {
  const struct search_options *s = c->search;
  uint64_t any = 0;
  for (uint32_t i = 0; i < s->order.kind->n_parameters; i++)
    any |= s->order.parameter[i];
  return s->order.kind->n_parameters > 0 && any == 0;
}

static bool order_without_expression(const struct rules_case *c) {
  return (c->search->order.kind->traits & FRONTIER_MEASURED) &&
         c->search->order.measure == NULL;
}

static bool number_without_use(const struct rules_case *c) {
  return c->search->store.parameter != 0 && c->search->store.kind->most == 0;
}

static bool number_out_of_range(const struct rules_case *c) {
  const struct store_kind *store = c->search->store.kind;
  uint32_t number = c->search->store.parameter;
  return number != 0 && store->most > 0 && (number < store->least || number > store->most);
}

static bool size_without_use(const struct rules_case *c) {
  return c->search->store.size != 0 && !c->search->store.kind->sized;
}

static bool table_too_large(const struct rules_case *c) {
  return c->memory > 0 && c->search->store.size >= c->memory;
}

static bool forgets_in_lossy(const struct rules_case *c) {
  return c->search->forget.kind != NULL && !(c->search->store.kind->has & STORE_EXACT);
}

static bool forgets_in_fixed(const struct rules_case *c) {
  return c->search->forget.kind != NULL && !forgets_in_lossy(c) &&
         !can_forget(c->search->store.kind);
}

static bool sweeps_without_progress(const struct rules_case *c) {
  return c->search->forget.kind != NULL && goes_by_progress(c->search->forget.kind) &&
         c->search->forget.progress == NULL;
}

static bool progress_without_use(const struct rules_case *c) {
  return c->search->forget.progress != NULL &&
         (c->search->forget.kind == NULL || !goes_by_progress(c->search->forget.kind));
}

static bool chains_without_use(const struct rules_case *c) {
  return c->search->forget.chain && c->search->forget.kind == NULL;
}

static bool never_moves(const struct search_options *s) {
  return !s->store.moves || s->forget.kind != NULL || !can_move(s->order.kind);
}

static bool lossy_without_moves(const struct rules_case *c) {
  return c->search->store.allow_lossy && never_moves(c->search);
}

static bool moves_after_without_moves(const struct rules_case *c) {
  return (c->asked & RULES_MOVE_AFTER) && never_moves(c->search);
}

static bool runs_without_use(const struct rules_case *c) {
  return (c->asked & RULES_RUNS) && (c->search->store.kind->has & STORE_EXACT) &&
         !c->search->store.allow_lossy;
}

static bool parents_without_use(const struct rules_case *c) {
  return (c->asked & RULES_NO_PARENTS) && !needs_parents(c->search->order.kind);
}

static bool reduces_without_stack(const struct rules_case *c) {
  return c->search->reduce.kind != NULL && goes_by_path(c->search->reduce.kind) &&
         !has_stack(c->search->order.kind);
}

static bool reduces_and_forgets(const struct rules_case *c) {
  return c->search->reduce.kind != NULL && goes_by_path(c->search->reduce.kind) &&
         c->search->forget.kind != NULL;
}

static bool reduction_out_of_range(const struct rules_case *c) {
  const struct reduction_kind *kind = c->search->reduce.kind;
  uint32_t number = c->search->reduce.parameter;
  return kind != NULL && (number < kind->least || number > kind->most);
}

static bool forces_without_use(const struct rules_case *c) {
  return c->search->reduce.forced &&
         (c->search->reduce.kind == NULL ||
          !reduction_may_lose(c->search->reduce.kind, c->search->reduce.parameter));
}

static bool ranks_without_use(const struct rules_case *c) {
  return c->search->reduce.action_rank != NULL && c->search->reduce.kind == NULL;
}

/* ---- the table --------------------------------------------------------------------- */

const struct rule rules[] = {
    {"no method", no_method, "a search needs an order and a store",
     "use --order bfs --store full", NULL, NULL},
    {"time", negative_time, "the time limit must not be negative", "use 0 for none", NULL,
     NULL},

    {"order, numbers", order_without_numbers,
     "the numbers of --order {order}:{order argument} must not be 0, nor all of them where "
     "there "
     "are several",
     "use 1", "--order bbfs:0", "--order bbfs:1"},
    {"order, expression", order_without_expression,
     "--order {order} goes by the value of an expression",
     "use --order {order}:EXPR, in the notation of the model", "--order best",
     "--order best:1"},

    {"store, number", number_without_use, "--store {store} takes no number",
     "leave the number out, or use --store {stores with a number}", "--store full:3",
     "--store full"},
    {"store, range", number_out_of_range,
     "--store {store}: {store parameter} must be from {store least} to {store most}",
     "use --store {store}:{store most}", "--store compact:65", "--store compact:64"},
    {"store, size", size_without_use, "--store {store} grows as it must and takes no size",
     "limit it by --memory, or use --store {stores with a size}", "--store full,1M",
     "--store full --memory 64M"},
    {"store, memory", table_too_large,
     "--store {store}: the table is larger than the memory budget",
     "use a smaller table or a larger --memory", "--store bitstate,64M --memory 64M",
     "--store bitstate,16M --memory 64M"},

    {"forgetting, lossy store", forgets_in_lossy,
     "--forget {forget} needs an exact store, because a new state that --store {store} takes "
     "for "
     "an old one would not be expanded, and nobody would find out",
     "use --store {stores that forget}, or leave out --forget",
     "--forget cache --store compact", "--forget cache --store tree"},
    {"forgetting, fixed store", forgets_in_fixed,
     "--store {store} cannot take states out again, so --forget {forget} could forget none",
     "use --store {stores that forget}, or leave out --forget",
     "--forget cache --store collapse", "--forget cache --store full"},
    {"forgetting, progress", sweeps_without_progress,
     "--forget {forget} needs to know how far a state is",
     "add --progress 'EXPR, EXPR' or --progress auto:LEVEL", "--forget sweep-line",
     "--forget sweep-line --progress auto:3"},
    {"progress", progress_without_use,
     "--progress only has an effect with --forget {forgetting by progress}",
     "add that, or leave out --progress", "--progress auto:3", ""},
    {"chain", chains_without_use,
     "--reduce chain spares states that are kept although others are forgotten, and only has "
     "an "
     "effect with --forget",
     "add --forget {forgetting}, or leave out --reduce chain", "--reduce chain",
     "--reduce chain --forget cache"},

    {"moves, lossy", lossy_without_moves,
     "--allow-lossy lets --store auto move states to stores that may miss some, and only has "
     "an "
     "effect with --store auto, with --order {orders that move} and without --forget",
     "use these, or leave out --allow-lossy", "--allow-lossy --store tree", "--allow-lossy"},
    {"moves, after", moves_after_without_moves,
     "--move-after only has an effect with --store auto, with --order {orders that move} and "
     "without --forget",
     "use these, or leave out --move-after", "--move-after 100 --store tree",
     "--move-after 100"},
    {"runs", runs_without_use,
     "--runs only has an effect with a store that may miss states, and --store {store} misses "
     "none",
     "use --store {lossy stores}, or leave out --runs", "--runs 2", "--runs 2 --store compact"},
    {"parents", parents_without_use,
     "--no-parents only has an effect with --order {orders with parents}, because --order "
     "{order} "
     "keeps no parents",
     "leave out --no-parents", "--no-parents --order dfs", "--no-parents"},

    {"reduction, number", reduction_out_of_range,
     "--reduce {reduction} needs a number from {reduction least} to {reduction most}",
     "use --reduce {reduction}:{reduction most}", NULL, NULL},
    {"reduction, force", forces_without_use,
     "--reduce {reduction} never loses a state, and :force only has an effect where one may be "
     "lost",
     "leave out :force", "--reduce edge-lean:force", "--reduce edge-lean"},
    {"reduction, order", reduces_without_stack,
     "--reduce {reduction} goes by the stack of a depth-first search, and --order {order} has "
     "none",
     "use --order {orders with a stack}, or --reduce {reductions for every order}",
     "--reduce tnf --order bfs", "--reduce tnf --order dfs"},
    {"reduction, forgetting", reduces_and_forgets,
     "--reduce {reduction} goes by how a state was first discovered, and a state that was "
     "forgotten "
     "is discovered again",
     "leave out --forget, or use --reduce {reductions for every order}",
     "--reduce tnf --order dfs --forget cache",
     "--reduce edge-lean --order dfs --forget cache"},
    {"actions", ranks_without_use,
     "--action-order says which of two events that commute comes first, and only has an effect "
     "with --reduce",
     "add --reduce {reductions}, or leave out --action-order", "--action-order reverse",
     "--action-order reverse --reduce edge-lean"},
    {0}};

const struct rule *rules_broken(const struct rules_case *c) {
  for (const struct rule *rule = rules; rule->name != NULL; rule++)
    if (rule->broken(c))
      return rule;
  return NULL;
}

const struct rule *search_refusal(const struct search_options *options) {
  return rules_broken(&(struct rules_case){.search = options});
}

/* ---- sentences --------------------------------------------------------------------- */

/* Lists: the i-th name, "" if that kind does not belong to the list, NULL beyond the end. */

static const char *store_if(uint32_t i, bool (*fits)(const struct store_kind *)) {
  return store_kinds[i] == NULL ? NULL : fits(store_kinds[i]) ? store_kinds[i]->name : "";
}

static const char *order_if(uint32_t i, bool (*fits)(const struct frontier_kind *)) {
  return frontier_kinds[i] == NULL ? NULL
         : fits(frontier_kinds[i]) ? frontier_kinds[i]->name
                                   : "";
}

static bool has_number(const struct store_kind *store) {
  return store->most > 0;
}

static bool has_size(const struct store_kind *store) {
  return store->sized;
}

static bool is_lossy(const struct store_kind *store) {
  return !(store->has & STORE_EXACT);
}

static const char *numbered(uint32_t i) {
  return store_if(i, has_number);
}

static const char *sized(uint32_t i) {
  return store_if(i, has_size);
}

static const char *lossy(uint32_t i) {
  return store_if(i, is_lossy);
}

static const char *forgettable(uint32_t i) {
  return store_if(i, can_forget);
}

static const char *moving(uint32_t i) {
  return order_if(i, can_move);
}

static const char *with_parents(uint32_t i) {
  return order_if(i, needs_parents);
}

static const char *with_stack(uint32_t i) {
  return order_if(i, has_stack);
}

static const char *forgetting(uint32_t i) {
  return forget_kinds[i] == NULL ? NULL : forget_kinds[i]->name;
}

static const char *by_progress(uint32_t i) {
  return forget_kinds[i] == NULL             ? NULL
         : goes_by_progress(forget_kinds[i]) ? forget_kinds[i]->name
                                             : "";
}

static const char *reductions(uint32_t i) {
  return reduction_kinds[i] == NULL ? NULL : reduction_kinds[i]->name;
}

static const char *everywhere(uint32_t i) {
  return reduction_kinds[i] == NULL          ? NULL
         : !goes_by_path(reduction_kinds[i]) ? reduction_kinds[i]->name
                                             : "";
}

static const struct {
  const char *mark;
  const char *(*item)(uint32_t i);
} lists[] = {{"stores with a number", numbered},
             {"stores with a size", sized},
             {"stores that forget", forgettable},
             {"lossy stores", lossy},
             {"orders that move", moving},
             {"orders with parents", with_parents},
             {"orders with a stack", with_stack},
             {"forgetting", forgetting},
             {"forgetting by progress", by_progress},
             {"reductions", reductions},
             {"reductions for every order", everywhere}};

struct writer {
  char *to;
  size_t room; /* with the 0 at the end */
};

static void write_text(struct writer *w, const char *text, size_t length) {
  size_t n = length < w->room ? length : w->room - 1;
  memcpy(w->to, text, n);
  w->to += n;
  w->room -= n;
  *w->to = '\0';
}

static void write_number(struct writer *w, uint32_t number) {
  char digits[16];
  int n = snprintf(digits, sizeof digits, "%u", number);
  write_text(w, digits, (size_t)n);
}

/* "a, b or c" */
static void write_list(struct writer *w, const char *(*item)(uint32_t i)) {
  const char *before = NULL, *name;
  bool any = false;
  for (uint32_t i = 0; (name = item(i)) != NULL; i++) {
    if (*name == '\0')
      continue;
    if (before != NULL) {
      write_text(w, ", ", any ? 2 : 0);
      write_text(w, before, strlen(before));
      any = true;
    }
    before = name;
  }
  write_text(w, " or ", any ? 4 : 0);
  if (before != NULL)
    write_text(w, before, strlen(before));
}

/* The name in question; NULL: there is none. */
static const char *name_of(const struct search_options *s, const char *mark, size_t n) {
  if (n == 5 && memcmp(mark, "store", n) == 0)
    return s->store.moves ? "auto" : s->store.kind->name;
  if (n == 5 && memcmp(mark, "order", n) == 0)
    return s->order.kind->name;
  if (n == 14 && memcmp(mark, "order argument", n) == 0)
    return s->order.kind->argument;
  if (n == 6 && memcmp(mark, "forget", n) == 0)
    return s->forget.kind == NULL ? NULL : s->forget.kind->name;
  if (n == 9 && memcmp(mark, "reduction", n) == 0)
    return s->reduce.kind == NULL ? NULL : s->reduce.kind->name;
  if (n == 15 && memcmp(mark, "store parameter", n) == 0)
    return s->store.kind->parameter;
  return NULL;
}

static bool write_bound(struct writer *w, const struct search_options *s, const char *mark,
                        size_t n) {
  bool least = n > 6 && memcmp(mark + n - 6, " least", 6) == 0;
  bool most = n > 5 && memcmp(mark + n - 5, " most", 5) == 0;
  if (!least && !most)
    return false;
  if (memcmp(mark, "store", 5) == 0)
    write_number(w, least ? s->store.kind->least : s->store.kind->most);
  else if (s->reduce.kind != NULL)
    write_number(w, least ? s->reduce.kind->least : s->reduce.kind->most);
  return true;
}

static void write_mark(struct writer *w, const struct search_options *s, const char *mark,
                       size_t n) {
  for (uint32_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (strlen(lists[i].mark) == n && memcmp(lists[i].mark, mark, n) == 0) {
      write_list(w, lists[i].item);
      return;
    }
  const char *name = name_of(s, mark, n);
  if (name != NULL)
    write_text(w, name, strlen(name));
  else if (!write_bound(w, s, mark, n))
    write_text(w, "NAME", 4);
}

static void write_filled(struct writer *w, const struct search_options *s, const char *text) {
  for (const char *at = text; *at != '\0';) {
    size_t n = strcspn(at, "{");
    write_text(w, at, n);
    at += n;
    if (*at == '\0')
      return;
    n = strcspn(++at, "}");
    write_mark(w, s, at, n);
    at += n + 1;
  }
}

void rules_print(const struct rule *rule, const struct rules_case *c, char *text, size_t size) {
  struct writer w = {text, size};
  *text = '\0';
  write_filled(&w, c->search, rule->why);
  write_text(&w, ": ", 2);
  write_filled(&w, c->search, rule->instead);
}
