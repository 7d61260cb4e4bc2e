/* judge.c - one search of one tiny system, and everything that must hold of it. */
#include "judge.h"

#include "resumed.h"

#include "base/bits.h"
#include "search/frontier/frontier.h"
#include "search/reduce/reduce.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

bool judge_open(struct judge *j) {
  *j = (struct judge){.budget = budget_open(0)};
  if (j->budget != NULL)
    j->base = budget_used_all(j->budget);
  return j->budget != NULL;
}

void judge_close(struct judge *j) {
  budget_close(j->budget);
}

__attribute__((format(printf, 2, 3))) static bool fail(struct judge *j, const char *format,
                                                       ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(j->why, sizeof j->why, format, arguments);
  va_end(arguments);
  return false;
}

/* What a figure must be. */
static bool equal(struct judge *j, const char *what, uint64_t is, uint64_t must) {
  return is == must || fail(j, "%s %" PRIu64 ", not %" PRIu64, what, is, must);
}

/* ---- the trail ------------------------------------------------------------------- */

static const struct table_edge *edge_of(const struct table *t, uint32_t state,
                                        struct ts_event event) {
  for (uint32_t e = 0; e < t->state[state].n_edges; e++) {
    const struct table_edge *edge = &t->edge[t->state[state].first_edge + e];
    if (edge->letter == event.action && edge->choice == event.choice)
      return edge;
  }
  return NULL;
}

/* Goes the trail in the table, and looks whether there is at its end what was claimed. */
static bool judge_trail(struct judge *j, const struct table *t,
                        const struct search_error *error) {
  const struct search_trail *trail = &error->trail;
  if (trail->initial >= t->shape.n_initial)
    return fail(j, "an error without a trail");
  uint8_t row[TABLE_STRIDE] = {0};
  uint32_t length = t->ts.code->initial(&t->ts, trail->initial, row);
  uint32_t state = table_state(t, row, length);
  const struct table_edge *edge = NULL;
  for (uint32_t i = 0; i < trail->n_events; i++) {
    edge = state == TABLE_STATES ? NULL : edge_of(t, state, trail->event[i]);
    if (edge == NULL)
      return fail(j, "event %u of the trail is not enabled", i);
    state = edge->target;
  }
  if (error->in_last_event) {
    uint32_t kind = error->kind == SEARCH_ASSERTION ? TS_ASSERTION : TS_MODEL_ERROR;
    return (edge != NULL && edge->kind == kind && edge->fault == error->index) ||
           fail(j, "the last event of the trail is not the error");
  }
  if (state == TABLE_STATES)
    return fail(j, "the trail ends nowhere");
  if (error->kind == SEARCH_DEADLOCK)
    return t->state[state].n_edges == 0 || fail(j, "the trail ends in no deadlock");
  const struct system_bad *bad = &t->system->bad[error->index];
  const uint8_t *part = t->state[state].part;
  return (error->kind == SEARCH_INVARIANT && part[bad->part[0]] == bad->value[0] &&
          part[bad->part[1]] == bad->value[1]) ||
         fail(j, "the invariant holds where the trail ends");
}

/* ---- one search ------------------------------------------------------------------ */

/* Whether states that do not matter may be left out. */
static bool chooses(const struct search_options *options) {
  return options->reduce.kind != NULL && (options->reduce.kind->traits & REDUCTION_CHOOSES);
}

/* Whether it may end at a cycle. */
static bool loses(const struct search_options *options) {
  const struct search_reduce_options *reduce = &options->reduce;
  const unsigned traits = (reduce->kind == NULL ? 0 : reduce->kind->traits) |
                          (reduce->beside == NULL ? 0 : reduce->beside->traits);
  return (traits & REDUCTION_LOSES) != 0;
}

/* Whether the first error must be a nearest one. The sweep-line goes by progress first. */
static bool is_shortest(const struct search_options *options) {
  return (options->order.kind->traits & FRONTIER_SHORTEST) && !chooses(options) &&
         (options->forget.kind == NULL || !(options->forget.kind->traits & FORGET_CLASSES));
}

/* What holds however a search ends. */
static bool judge_any(struct judge *j, const struct table *t,
                      const struct search_options *options,
                      const struct search_result *result) {
  const struct search_figures *f = &result->figures;
  bool has_error = t->shortest != TS_NONE;
  bool exact = options->store.kind->has & STORE_EXACT;
  if (t->watch.impossible != NULL)
    return fail(j, "%s", t->watch.impossible);
  if (t->watch.calls > t->watch.most)
    return fail(j, "no end after %" PRIu64 " expansions", t->watch.most);
  if (result->internal_error != NULL)
    return fail(j, "internal error: %s", result->internal_error);
  if (result->verdict == SEARCH_VERIFIED &&
      (has_error || !exact || result->limit != SEARCH_NO_LIMIT ||
       (t->watch.n_expanded != t->n_states && !chooses(options)) ||
       result->guarantee != SEARCH_EXACT))
    return fail(j, "verified without a reason: %u of %u states", t->watch.n_expanded,
                t->n_states);
  if ((result->error.kind != SEARCH_NO_ERROR) != (result->verdict == SEARCH_VIOLATED))
    return fail(j, "verdict %s with error %s", search_verdict_name(result->verdict),
                search_error_name(result->error.kind));
  if (result->limit != SEARCH_NO_LIMIT && result->guarantee != SEARCH_PARTIAL)
    return fail(j, "a limit was hit, and the guarantee is %s",
                search_guarantee_name(result->guarantee));
  if (f->stored > f->peak.stored || f->visited > f->events + t->n_states)
    return fail(j, "figures out of range");
  if (result->error.kind == SEARCH_NO_ERROR ||
      (result->limit == SEARCH_MEMORY && result->error.trail.initial == TS_NONE))
    return true;
  if (result->limit == SEARCH_NO_LIMIT && exact && is_shortest(options) &&
      !equal(j, "length of the trail", result->error.trail.n_events, t->shortest))
    return false;
  return judge_trail(j, t, &result->error);
}

/* What may come of a cache that is too small: what must be kept fills it, or states are
 * expanded again and again. */
static bool gives_up(enum search_limit limit) {
  return limit == SEARCH_TREE || limit == SEARCH_MAX_VISITS;
}

static bool judge_given_up(struct judge *j, const struct search_options *options,
                           const struct search_result *result) {
  const struct search_figures *f = &result->figures;
  uint64_t kept = f->peak.tree + f->sweep.persistent, size = options->forget.cache_size;
  j->gave_up = true;
  if (result->limit == SEARCH_MAX_VISITS) {
    j->count.visits++;
    return f->visited >= options->limit.visits || fail(j, "gave up before the limit on visits");
  }
  j->count.tree++;
  return kept >= size ||
         fail(j, "gave up with %" PRIu64 " states in the tree and room for %" PRIu64, kept,
              size);
}

/* The sweep-line alone visits each state at most once per round, and each further round has
 * a persistent state more. */
static bool must_end(const struct search_options *options) {
  return (options->forget.kind->traits & FORGET_CLASSES) && options->forget.cache_size == 0;
}

/* Where only states are forgotten that are not reached again, each is expanded once, but where
 * a first search counted too little: then twice at most. */
static bool judge_once(struct judge *j, const struct table *t,
                       const struct search_options *options, const struct search_figures *f) {
  const unsigned traits = options->forget.kind->traits;
  const bool sure = !(traits & FORGET_COUNTS) ||
                    (options->reduce.kind == NULL && options->store.hash_bits == 0);
  if (!(traits & FORGET_ONCE) || f->forgetting.caches)
    return true;
  const bool short_of_memory = f->forgetting.caches || f->forgetting.dropped > 0;
  if ((traits & FORGET_BACKWARD) && options->reduce.kind == NULL && !short_of_memory &&
      !equal(j, "states that stay", f->stored, t->kept))
    return false;
  if (f->forgetting.once && !chooses(options))
    return equal(j, "visited once", f->visited, t->n_states);
  return (f->forgetting.once || !sure || fail(j, "states are expanded again")) &&
         (f->visited <= 2 * (uint64_t)t->n_states || fail(j, "states are expanded often"));
}

/* What holds when everything was to be explored and nothing was in the way. */
static bool judge_whole(struct judge *j, const struct table *t,
                        const struct search_options *options,
                        const struct search_result *result) {
  const struct search_figures *f = &result->figures;
  uint64_t errors = t->failing + t->lost;
  if (result->limit == SEARCH_MAX_VISITS && must_end(options))
    return fail(j, "the sweep-line does not end");
  if (options->forget.kind != NULL && gives_up(result->limit))
    return judge_given_up(j, options, result);
  bool may_give_up = loses(options) && !options->reduce.forced;
  j->count.cycle_possible += may_give_up;
  if (result->limit == SEARCH_CYCLE && loses(options) && !t->acyclic) {
    j->count.cycle += may_give_up;
    return true;
  }
  if (result->limit != SEARCH_NO_LIMIT)
    return fail(j, "a limit without a cause: %s", search_limit_text(result->limit));
  if (!(options->store.kind->has & STORE_EXACT))
    return true;
  if (!equal(j, "guarantee", result->guarantee, SEARCH_EXACT) ||
      (!chooses(options) && !equal(j, "states expanded", t->watch.n_expanded, t->n_states)) ||
      !equal(j, "verdict", result->verdict,
             t->shortest == TS_NONE ? SEARCH_VERIFIED : SEARCH_VIOLATED))
    return false;
  j->count.whole++;
  j->count.forgetting += options->forget.kind != NULL;
  j->count.forgot += f->forgetting.states > 0;
  j->count.revisited += f->visited > t->n_states;
  if (options->forget.kind != NULL)
    return judge_once(j, t, options, f) &&
           equal(j, "stored and forgotten", f->stored + f->forgetting.states,
                 f->visited + f->forgetting.dropped) &&
           (f->forgetting.revisited <= f->forgetting.states ||
            fail(j, "more states reached again than forgotten")) &&
           (t->lost > 0 ||
            equal(j, "matched", f->matched,
                  f->events + t->system->n_initials - f->visited - f->forgetting.dropped)) &&
           (f->deadlocks >= t->deadlocks || fail(j, "too few deadlocks")) &&
           (options->forget.cache_size == 0 || options->store.move_after > 0 ||
            f->peak.stored <= options->forget.cache_size ||
            fail(j, "more states stored than the cache has room for"));
  if (chooses(options)) {
    j->count.chose++;
    j->count.fewer += f->stored < t->n_states;
    return (f->stored <= t->n_states || fail(j, "more states than there are")) &&
           equal(j, "visited", f->visited, f->stored) &&
           equal(j, "deadlocks", f->deadlocks, t->deadlocks) &&
           (t->lost > 0 ||
            equal(j, "matched", f->matched, f->events + t->system->n_initials - f->stored));
  }
  if (options->reduce.kind != NULL)
    return equal(j, "stored", f->stored, t->n_states) &&
           equal(j, "deadlocks", f->deadlocks, t->deadlocks) &&
           (f->events <= t->n_edges || fail(j, "more events than there are")) &&
           (t->lost > 0 ||
            equal(j, "matched", f->matched, f->events + t->system->n_initials - t->n_states));
  return equal(j, "stored", f->stored, t->n_states) &&
         equal(j, "visited", f->visited, t->n_states) &&
         equal(j, "deadlocks", f->deadlocks, t->deadlocks) &&
         equal(j, "events", f->events, t->n_edges) &&
         equal(j, "matched", f->matched,
               t->n_edges - t->lost + t->system->n_initials - t->n_states) &&
         (f->errors >= errors || fail(j, "too few errors"));
}

static bool run(struct judge *j, struct table *t, const struct search_options *options,
                bool whole) {
  struct search_result result;
  table_watch(t);
  t->watch.most = (options->forget.kind == NULL ? 50 : 400) * (1 + t->n_states + t->n_edges);
  search_run(&t->ts, options, j->budget, &result);
  j->searches++;
  j->expanded += result.figures.visited;
  j->events += result.figures.events;
  bool fine =
      judge_any(j, t, options, &result) && (!whole || judge_whole(j, t, options, &result));
  search_result_free(&result);
  if (fine && budget_used_all(j->budget) != j->base)
    fine = fail(j, "memory is not given back");
  return fine;
}

/* A limit of one kind or another. */
static bool run_limited(struct judge *j, struct table *t, struct search_options options,
                        uint64_t seed) {
  uint64_t luck = bits_next_random(&seed), kind = luck % 4, some = bits_next_random(&seed);
  options.keep_going = luck >> 8 & 1;
  if (kind == 0)
    options.limit.states = 1 + some % t->n_states;
  else if (kind == 1)
    options.limit.depth = 1 + some % (t->levels + 1);
  else
    budget_fail_after(j->budget, 1 + some % 40);
  bool fine = run(j, t, &options, false);
  budget_fail_after(j->budget, 0);
  return fine;
}

/* To the end. A search that gave up has not passed: it has a larger cache then. */
static bool run_whole(struct judge *j, struct table *t, struct search_options *options) {
  for (;;) {
    uint64_t *size = &options->forget.cache_size;
    j->gave_up = false;
    if (!run(j, t, options, true))
      return false;
    if (!j->gave_up)
      return true;
    if (*size > t->n_states)
      return fail(j, "gave up with room for all states");
    *size += (t->n_states + 2 - *size) / 2;
  }
}

/* Saved and resumed, of exact stores that say all about themselves. */
static bool run_resumed(struct judge *j, struct table *t, const struct combination *how,
                        struct search_options options, uint64_t seed) {
  bool is_saved = false;
  if (how->narrow || !(how->kind->has & STORE_EXACT))
    return true;
  options.store.kind = how->kind;
  options.keep_going = seed >> 8 & 1;
  table_watch(t);
  t->watch.most = UINT64_MAX;
  const char *why = resumed_differs(&t->ts, &options, j->budget, seed, &is_saved);
  j->count.saved += is_saved;
  return why == NULL || fail(j, "resumed: %s", why);
}

bool judge_search(struct judge *j, struct table *t, struct combination *how, uint64_t seed) {
  struct search_options options = combination_options(how, &t->ts, t->n_states, seed);
  options.deadlock_is_error = t->system->deadlock_is_error;
  options.keep_going = true;
  options.seed = seed;
  if (!run_whole(j, t, &options))
    return false;
  if ((j->resumes || seed % 8 == 1) && !run_resumed(j, t, how, options, seed))
    return false;
  options.keep_going = false;
  if (t->shortest != TS_NONE && !run(j, t, &options, false))
    return false;
  return seed % 4 != 0 || run_limited(j, t, options, seed);
}

/* Whether `some` of `all` is at most that many percent. */
static bool at_most(uint64_t some, uint64_t all, uint64_t percent) {
  return some * 100 <= all * percent;
}

const char *judge_counts(const struct judge *j, bool of_all) {
  const struct judge_count *c = &j->count;
  printf("%" PRIu64 " searches chose events, %" PRIu64 " of them met fewer states\n", c->chose,
         c->fewer);
  printf("%" PRIu64 " searches to the end; of %" PRIu64 " that may forget %" PRIu64
         " forgot and %" PRIu64 " expanded states again; caches too small (repeated with "
         "larger ones): %" PRIu64 " for the tree, %" PRIu64 " for visits; %" PRIu64
         " of %" PRIu64 " gave up at a cycle; %" PRIu64 " were saved and resumed\n",
         c->whole, c->forgetting, c->forgot, c->revisited, c->tree, c->visits, c->cycle,
         c->cycle_possible, c->saved);
  if (c->chose > 200 && at_most(c->fewer, c->chose, 15))
    return "too few searches that chose events met fewer states";
  if (!of_all || c->forgetting < 2000 || c->cycle_possible < 200)
    return NULL;
  if (!at_most(c->tree, c->forgetting, 18))
    return "too many searches gave up because the tree did not fit";
  if (!at_most(c->visits, c->forgetting, 1))
    return "too many searches gave up after many visits";
  if (!at_most(c->cycle, c->cycle_possible, 60))
    return "too many searches gave up at a cycle";
  if (at_most(c->forgot, c->forgetting, 65) || at_most(c->revisited, c->forgetting, 30))
    return "too few searches forgot states and expanded them again";
  return NULL;
}
