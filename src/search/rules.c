/* rules.c - which parts of a search go together, and which do not: the table.
 *
 * Read first: the table itself, near the end. A sentence may hold marks in braces, which
 * rules_text.c fills: {store} is the name of the store in question, {stores that forget} a list
 * of all stores that satisfy a condition.
 */
#include "search/rules.h"

#include "search/engine.h"
#include "search/rules_traits.h"

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

static bool order_without_counters(const struct rules_case *c) {
  const struct forget_kind *kind = c->search->forget.kind;
  return (c->search->order.kind->traits & FRONTIER_COUNTED) &&
         (kind == NULL || !rules_goes_backward(kind));
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
         !rules_can_forget(c->search->store.kind);
}

static bool sweeps_without_progress(const struct rules_case *c) {
  return c->search->forget.kind != NULL && rules_by_progress(c->search->forget.kind) &&
         c->search->forget.progress == NULL;
}

static bool forgets_backward(const struct rules_case *c) {
  return c->search->forget.kind != NULL && rules_goes_backward(c->search->forget.kind) &&
         (c->asked & RULES_FORWARD);
}

static bool undoes_forward(const struct rules_case *c) {
  return (c->search->store.rebuild.variants & STORE_BACKWARD) && (c->asked & RULES_FORWARD);
}

static bool progress_without_use(const struct rules_case *c) {
  return c->search->forget.progress != NULL &&
         (c->search->forget.kind == NULL || !rules_by_progress(c->search->forget.kind));
}

static bool chains_without_use(const struct rules_case *c) {
  const struct forget_kind *kind = c->search->forget.kind;
  return c->search->forget.chain && (kind == NULL || !rules_drops(kind));
}

static unsigned engine_needs(const struct rules_case *c) {
  return c->search->engine == NULL ? 0 : c->search->engine->needs;
}

static bool looks_for_cycles(const struct rules_case *c) {
  return (engine_needs(c) & ENGINE_CYCLES) != 0;
}

static bool never_moves(const struct rules_case *c) {
  const struct search_options *s = c->search;
  return !s->store.moves || s->forget.kind != NULL || !rules_can_move(s->order.kind);
}

static bool lossy_moves_in_cycles(const struct rules_case *c) {
  return c->search->store.moves && c->search->store.allow_lossy && looks_for_cycles(c) &&
         (engine_needs(c) & (ENGINE_BITS | ENGINE_GETS | ENGINE_NUMBERS)) != 0;
}

static bool lossy_without_moves(const struct rules_case *c) {
  return c->search->store.allow_lossy && never_moves(c);
}

static bool moves_after_without_moves(const struct rules_case *c) {
  return (c->asked & RULES_MOVE_AFTER) && never_moves(c);
}

static bool runs_without_use(const struct rules_case *c) {
  return (c->asked & RULES_RUNS) && (c->search->store.kind->has & STORE_EXACT) &&
         !c->search->store.allow_lossy;
}

static bool parents_without_use(const struct rules_case *c) {
  return (c->asked & RULES_NO_PARENTS) && !rules_needs_parents(c->search->order.kind);
}

/* What goes by how a state was discovered, alone or beside one that chooses, if there is one.
 */
static const struct reduction_kind *leaning(const struct rules_case *c) {
  return rules_leaning(&c->search->reduce);
}

static bool reduces_without_stack(const struct rules_case *c) {
  return leaning(c) != NULL && rules_by_path(leaning(c)) &&
         !rules_has_stack(c->search->order.kind);
}

static bool reduces_and_forgets(const struct rules_case *c) {
  return leaning(c) != NULL && rules_by_path(leaning(c)) && c->search->forget.kind != NULL;
}

static bool reduction_out_of_range(const struct rules_case *c) {
  const struct reduction_kind *kind = rules_numbered(&c->search->reduce);
  uint32_t number = c->search->reduce.parameter;
  return kind != NULL && (number < kind->least || number > kind->most);
}

static bool forces_without_use(const struct rules_case *c) {
  const struct reduction_kind *kind = rules_numbered(&c->search->reduce);
  return c->search->reduce.forced &&
         (kind == NULL || !reduction_may_lose(kind, c->search->reduce.parameter));
}

static bool ranks_without_use(const struct rules_case *c) {
  return c->search->reduce.action_rank != NULL && leaning(c) == NULL;
}

/* Beside one that chooses: only one that fires less, not one that needs to see all events. */
static bool reduces_what_is_chosen(const struct rules_case *c) {
  const struct reduction_kind *beside = c->search->reduce.beside;
  return beside != NULL &&
         (!(beside->traits & REDUCTION_BESIDE) || c->search->reduce.kind == NULL ||
          !rules_chooses(c->search->reduce.kind) ||
          (beside->exact_from > 0 && c->search->reduce.parameter >= beside->exact_from));
}

static bool saves_runs(const struct rules_case *c) {
  return (c->asked & RULES_CHECKPOINT) && (c->asked & RULES_RUNS);
}

static bool saves_checks(const struct rules_case *c) {
  return (c->asked & RULES_CHECKPOINT) && (c->asked & RULES_CHECKED);
}

static bool saves_formulas(const struct rules_case *c) {
  return (c->asked & RULES_CHECKPOINT) && (c->asked & RULES_FORMULAS);
}

static bool saves_several(const struct rules_case *c) {
  return (c->asked & RULES_CHECKPOINT) && (c->asked & RULES_SEVERAL);
}

static bool saves_without_form(const struct rules_case *c) {
  return (c->asked & RULES_CHECKPOINT) && !(c->search->store.kind->has & STORE_SAVES);
}

static bool formulas_of_a_part(const struct rules_case *c) {
  return (c->asked & RULES_FORMULAS) &&
         (c->search->reduce.kind != NULL || c->search->forget.kind != NULL);
}

static bool formulas_beside_claims(const struct rules_case *c) {
  return (c->asked & RULES_FORMULAS) && (c->asked & RULES_NAMED);
}

static bool checks_what_is_made(const struct rules_case *c) {
  return (c->asked & RULES_DOUBTED) != 0;
}

static bool merges_what_counts(const struct rules_case *c) {
  return (c->asked & RULES_MERGED) && (c->asked & RULES_COUNTS);
}

static bool cycles_without_runs(const struct rules_case *c) {
  return (c->asked & RULES_CYCLES) && (c->asked & RULES_STATES);
}

static bool deadlocks_without_states(const struct rules_case *c) {
  return (c->asked & RULES_DEADLOCKS) && (c->asked & RULES_RUNS_ONLY);
}

static bool cycles_without_path(const struct rules_case *c) {
  return (engine_needs(c) & ENGINE_PATH) && !rules_is_path(c->search->order.kind);
}

static bool cycles_out_of_order(const struct rules_case *c) {
  return (engine_needs(c) & ENGINE_AFTER) && !rules_is_numbered(c->search->order.kind);
}

static bool cycles_without_bits(const struct rules_case *c) {
  return (engine_needs(c) & ENGINE_BITS) && !rules_keeps_bits(c->search->store.kind);
}

static bool cycles_without_states(const struct rules_case *c) {
  return (engine_needs(c) & ENGINE_GETS) && !(c->search->store.kind->has & STORE_GETS);
}

static bool cycles_without_numbers(const struct rules_case *c) {
  return (engine_needs(c) & ENGINE_NUMBERS) && !rules_numbers(c->search->store.kind);
}

static bool fairness_not_judged(const struct rules_case *c) {
  return looks_for_cycles(c) && c->search->fairness != SEARCH_UNFAIR &&
         !(engine_needs(c) & ENGINE_FAIR);
}

static bool cycles_and_forgets(const struct rules_case *c) {
  return looks_for_cycles(c) && c->search->forget.kind != NULL;
}

static bool cycles_and_reduces(const struct rules_case *c) {
  return looks_for_cycles(c) && leaning(c) != NULL;
}

static bool fairness_and_reduces(const struct rules_case *c) {
  return looks_for_cycles(c) && c->search->fairness != SEARCH_UNFAIR &&
         c->search->reduce.kind != NULL;
}

/* ---- the table --------------------------------------------------------------------- */

const struct rule rules[] = {
    {"no method", no_method, "a search needs an order and a store",
     "use --order bfs --store full", NULL, NULL, false},
    {"time", negative_time, "the time limit must not be negative", "use 0 for none", NULL, NULL,
     false},

    {"order, numbers", order_without_numbers,
     "the numbers of --order {order}:{order argument} must not be 0, nor all of them where "
     "there "
     "are several",
     "use 1", "--order bbfs:0", "--order bbfs:1", false},
    {"order, expression", order_without_expression,
     "--order {order} goes by the value of an expression",
     "use --order {order}:EXPR, in the notation of the model", "--order best", "--order best:1",
     false},

    {"order, counters", order_without_counters,
     "--order {order} goes by the events that are still to come to a state, which only "
     "--forget "
     "{forgetting backward} counts",
     "add that, or use --order best:EXPR", "--order best:pseudo-root", "--order best:1", false},

    {"store, number", number_without_use, "--store {store} takes no number",
     "leave the number out, or use --store {stores with a number}", "--store full:3",
     "--store full", false},
    {"store, range", number_out_of_range,
     "--store {store}: {store parameter} must be from {store least} to {store most}",
     "use --store {store}:{store most}", "--store compact:65", "--store compact:64", false},
    {"store, size", size_without_use, "--store {store} grows as it must and takes no size",
     "limit it by --memory, or use --store {stores with a size}", "--store full,1M",
     "--store full --memory 64M", false},
    {"store, memory", table_too_large,
     "--store {store}: the table is larger than the memory budget",
     "use a smaller table or a larger --memory", "--store bitstate,64M --memory 64M",
     "--store bitstate,16M --memory 64M", false},

    {"forgetting, lossy store", forgets_in_lossy,
     "--forget {forget} needs an exact store, because a new state that --store {store} takes "
     "for "
     "an old one would not be expanded, and nobody would find out",
     "use --store {stores that forget}, or leave out --forget",
     "--forget cache --store compact", "--forget cache --store tree", false},
    {"forgetting, fixed store", forgets_in_fixed,
     "--store {store} cannot take states out again, so --forget {forget} could forget none",
     "use --store {stores that forget}, or leave out --forget",
     "--forget cache --store collapse", "--forget cache --store full", false},
    {"forgetting, progress", sweeps_without_progress,
     "--forget {forget} needs to know how far a state is",
     "add --progress 'EXPR, EXPR' or --progress auto:LEVEL", "--forget sweep-line",
     "--forget sweep-line --progress auto:3", false},
    {"cycles, forgetting", cycles_and_forgets,
     "a cycle may lead through states that were forgotten, and would not be seen",
     "leave out --forget, or ask for --property safety",
     "--ltl []<>x==0 --cycles ndfs --forget cache", "--forget cache", false},
    {"forgetting, backward", forgets_backward,
     "--forget {forget} counts what leads to a state: this model cannot go backward "
     "({why not backward})",
     "use --forget {forgetting forward}", "--forget pseudo-root --ltl []x<9",
     "--forget in-degree --ltl []x<9", false},
    {"store, backward", undoes_forward,
     "--store {store}:backward undoes events to find states again: this model cannot go "
     "backward ({why not backward})",
     "leave out backward", "--store comback:backward --ltl []x<9",
     "--store comback --ltl []x<9", true},
    {"progress", progress_without_use,
     "--progress only has an effect with --forget {forgetting by progress}",
     "add that, or leave out --progress", "--progress auto:3", "", true},
    {"chain", chains_without_use,
     "--reduce chain spares states that are kept although others are forgotten, and only has "
     "an "
     "effect with --forget {forgetting for room}",
     "add that, or leave out --reduce chain", "--reduce chain", "--reduce chain --forget cache",
     true},

    {"moves, cycles", lossy_moves_in_cycles,
     "--allow-lossy lets --store auto move states to stores that may miss some, and --cycles "
     "{cycles} notes of each state what they have no room for",
     "leave out --allow-lossy, or use --cycles ndfs",
     "--ltl []<>x==0 --cycles scc --allow-lossy", "--ltl []<>x==0 --cycles ndfs --allow-lossy",
     true},
    {"moves, lossy", lossy_without_moves,
     "--allow-lossy lets --store auto move states to stores that may miss some, and only has "
     "an "
     "effect with --store auto, with --order {orders that move} and without --forget",
     "use these, or leave out --allow-lossy", "--allow-lossy --store tree", "--allow-lossy",
     true},
    {"moves, after", moves_after_without_moves,
     "--move-after only has an effect with --store auto, with --order {orders that move} and "
     "without --forget",
     "use these, or leave out --move-after", "--move-after 100 --store tree",
     "--move-after 100", true},
    {"runs", runs_without_use,
     "--runs only has an effect with a store that may miss states, and --store {store} misses "
     "none",
     "use --store {lossy stores}, or leave out --runs", "--runs 2", "--runs 2 --store compact",
     true},
    {"parents", parents_without_use,
     "--no-parents only has an effect with --order {orders with parents}, because --order "
     "{order} "
     "keeps no parents",
     "leave out --no-parents", "--no-parents --order dfs", "--no-parents", true},

    {"reduction, number", reduction_out_of_range,
     "--reduce {reduction} needs a number from {reduction least} to {reduction most}",
     "use --reduce {reduction}:{reduction most}", NULL, NULL, false},
    {"reduction, force", forces_without_use,
     "--reduce {reduction} never loses a state, and :force only has an effect where one may be "
     "lost",
     "leave out :force", "--reduce edge-lean:force", "--reduce edge-lean", true},
    {"reduction, order", reduces_without_stack,
     "--reduce {reduction} goes by the stack of a depth-first search, and --order {order} has "
     "none",
     "use --order {orders with a stack}, or --reduce {reductions for every order}",
     "--reduce tnf --order bfs", "--reduce tnf --order dfs", false},
    {"reduction, forgetting", reduces_and_forgets,
     "--reduce {reduction} goes by how a state was first discovered, and a state that was "
     "forgotten "
     "is discovered again",
     "leave out --forget, or use --reduce {reductions for every order}",
     "--reduce tnf --order dfs --forget cache", "--reduce edge-lean --order dfs --forget cache",
     false},
    {"reductions", reduces_what_is_chosen,
     "--reduce {reduction} counts on all events of the states on the path, and {choice} leaves "
     "some out",
     "use --reduce {choice},edge-lean or {choice},sleep:1, or one of them alone",
     "--reduce por,tnf --order dfs", "--reduce por,sleep:1 --order dfs", false},
    {"actions", ranks_without_use,
     "--action-order says which of two events that commute comes first, and only has an effect "
     "with --reduce {reductions by order}",
     "add that, or leave out --action-order", "--action-order reverse",
     "--action-order reverse --reduce edge-lean", true},

    {"facts", checks_what_is_made,
     "--check merge and --check dead test facts in a search without the reduction that needs "
     "them",
     "leave out one of them", "--check merge --reduce merge", "--reduce merge", false},
    {"merging, claims", merges_what_counts,
     "--reduce merge makes one step of several, and this claim may count steps",
     "ask for a formula without X, or leave out --reduce merge", "--reduce merge --ltl X(true)",
     "--reduce merge --ltl true", false},
    {"formulas", formulas_of_a_part, "--queries needs a search that shows every marking",
     "leave out --reduce and --forget", "--queries FILE --reduce edge-lean",
     "--reduce edge-lean", false},
    {"formulas, claims", formulas_beside_claims,
     "--queries is answered by itself, and --ltl and --claim ask for searches of their own",
     "leave them out, or ask in another run", "--queries FILE --ltl true", "--ltl true", false},
    {"checkpoint, store", saves_without_form,
     "--checkpoint and --resume need a store that can be written to a file, and --store "
     "{store} "
     "cannot",
     "use --store {stores that are saved}", NULL, NULL, false},
    {"checkpoint, runs", saves_runs,
     "--checkpoint and --resume are for one search, and --runs asks for several",
     "leave out one of them", "--checkpoint FILE --store compact --runs 2",
     "--checkpoint FILE --store compact", false},
    {"checkpoint, checks", saves_checks,
     "what --self-check and --check find is not in the file of --checkpoint and --resume",
     "leave out one of them", "--checkpoint FILE --self-check", "--self-check", false},
    {"checkpoint, formulas", saves_formulas,
     "what was found of the formulas of --queries is not in the file of --checkpoint and "
     "--resume",
     "leave out one of them", "--checkpoint FILE --queries FILE", "--checkpoint FILE", false},
    {"checkpoint, questions", saves_several,
     "--checkpoint and --resume are for one search, and several questions take one each",
     "ask for --property safety, or for one formula with --claim NAME",
     "--checkpoint FILE --ltl true --ltl false", "--checkpoint FILE --ltl true", false},

    {"deadlocks", deadlocks_without_states,
     "--no-deadlock and --end-queues only have an effect where something is asked of states",
     "add --property safety, or leave them out", "--ltl []<>x==0 --no-deadlock",
     "--ltl []<>x==0 --no-deadlock --property safety", true},
    {"cycles", cycles_without_runs,
     "--cycles and --fairness only have an effect where something is asked of runs without end",
     "add --ltl, --claim or --property acceptance, or leave them out", "--cycles ndfs", "",
     true},
    {"cycles, order", cycles_without_path,
     "--cycles {cycles} follows the path of a depth-first search, and --order {order} has none",
     "use --order {orders with a path}", "--ltl []<>x==0 --cycles ndfs --order bfs",
     "--ltl []<>x==0 --cycles ndfs --order dfs", false},
    {"cycles, breadth", cycles_out_of_order,
     "--cycles {cycles} needs states that are expanded in the order in which they were found, "
     "which --order {order} does not do",
     "use --order {orders that number}", "--ltl []<>x==0 --cycles owcty --order dfs",
     "--ltl []<>x==0 --cycles owcty --order bfs", false},
    {"cycles, store", cycles_without_bits,
     "--cycles {cycles} notes the number of each state, and --store {store} has no room for "
     "that",
     "use --store {stores with bits}, or --cycles ndfs",
     "--ltl []<>x==0 --cycles scc --store compact",
     "--ltl []<>x==0 --cycles ndfs --store compact", false},
    {"cycles, states", cycles_without_states,
     "--cycles {cycles} fires stored states again, and --store {store} does not give them back",
     "use --store {stores that give back}", "--ltl []<>x==0 --cycles owcty --store automaton",
     "--ltl []<>x==0 --cycles owcty --store collapse", false},
    {"cycles, numbers", cycles_without_numbers,
     "--cycles {cycles} needs a store that numbers its states, and --store {store} does not",
     "use --store {stores that number}", "--ltl []<>x==0 --cycles owcty --store tree",
     "--ltl []<>x==0 --cycles owcty --store full", false},
    {"fairness", fairness_not_judged,
     "--fairness is judged on components, which --cycles {cycles} does not know",
     "use --cycles {engines that judge fairness}",
     "--ltl []<>x==0 --cycles ndfs --fairness weak",
     "--ltl []<>x==0 --cycles scc --fairness weak", false},
    {"cycles, reduction", cycles_and_reduces,
     "--reduce {reduction} leaves out events, and a cycle may need one of them",
     "leave out --reduce, or ask for --property safety",
     "--ltl []<>x==0 --cycles ndfs --reduce edge-lean", "--reduce edge-lean", false},
    {"fairness, reduction", fairness_and_reduces,
     "--fairness asks in which states a process could move, and --reduce {reduction} leaves "
     "out "
     "such states",
     "leave out one of them", "--ltl []<>x==0 --fairness weak --reduce por",
     "--ltl []<>x==0 --reduce por", false},
    {0}};

_Static_assert(sizeof rules / sizeof *rules <= 64, "a bit for each");

uint64_t rules_all_broken(const struct rules_case *c) {
  uint64_t broken = 0;
  for (uint32_t i = 0; rules[i].name != NULL; i++)
    broken |= (uint64_t)rules[i].broken(c) << i;
  return broken;
}

const struct rule *rules_broken(const struct rules_case *c) {
  for (const struct rule *rule = rules; rule->name != NULL; rule++)
    if (rule->broken(c))
      return rule;
  return NULL;
}

const struct rule *search_refusal(const struct search_options *options) {
  return rules_broken(&(struct rules_case){.search = options});
}
