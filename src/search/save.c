/* save.c - writing down what a search knows, and going on from there.
 *
 * A search is saved between two expansions when its order rests, that is has nothing in hand.
 * Each part says in one function what it consists of, for both directions (sink_pass). What
 * decides how parts are opened comes first: which store the states have moved to, and whether
 * the tree of open states has been made. The rest is read into parts that were opened as
 * always.
 *
 * Nothing depends on when a search was saved: counts, orders and drawn numbers go on as if it
 * had not been. Only what goes by the clock or by free memory may happen at other moments.
 */
#include "search/core.h"
#include "search/tree/tree.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/sink.h"

static void pass_store_kind(const struct store_kind **kind, struct sink *sink) {
  uint32_t n = 0, which = 0;
  for (; store_kinds[n] != NULL; n++)
    if (store_kinds[n] == *kind)
      which = n;
  sink_pass(sink, &which, sizeof which);
  if (which >= n)
    sink_refuse(sink, "has a store that is not known");
  else
    *kind = store_kinds[which];
}

bool search_pass_head(struct search *s, struct sink *sink) {
  struct search_result *result = s->result;
  struct store_config *config = &s->store_config;
  bool is_made = tree_is_made(s);
  sink_section(sink, "search");
  pass_store_kind(&s->store_kind, sink);
  sink_pass(sink, &config->parameter, sizeof config->parameter);
  sink_pass(sink, &config->size, sizeof config->size);
  sink_pass(sink, &config->hash_bits, sizeof config->hash_bits);
  sink_pass(sink, &config->rebuild, sizeof config->rebuild);
  sink_pass(sink, &config->kept_bits, sizeof config->kept_bits);
  sink_pass(sink, &config->states, sizeof config->states);
  sink_pass(sink, &config->room, sizeof config->room);
  sink_pass(sink, &is_made, sizeof is_made);
  s->resumes_tree = is_made && sink_is_read(sink);
  sink_pass(sink, &result->n_moves, sizeof result->n_moves);
  if (result->n_moves > SEARCH_MOST_MOVES)
    sink_refuse(sink, "has more moves of states than there can be");
  for (uint32_t i = 0; i < result->n_moves && sink_is_fine(sink); i++) {
    struct search_move *move = &result->move[i];
    pass_store_kind(&move->to, sink);
    sink_pass(sink, &move->states, sizeof move->states);
    sink_pass(sink, &move->seconds, sizeof move->seconds);
  }
  return sink_is_fine(sink);
}

/* The first error and its trail, if it was made. */
static bool pass_error(struct search *s, struct sink *sink) {
  struct search_error *error = &s->result->error;
  bool has_trail = error->trail.event != NULL;
  sink_pass(sink, &error->kind, sizeof error->kind);
  sink_pass(sink, &error->index, sizeof error->index);
  sink_pass(sink, &error->in_last_event, sizeof error->in_last_event);
  sink_pass(sink, &s->found, sizeof s->found);
  sink_pass(sink, &has_trail, sizeof has_trail);
  if (!has_trail)
    return sink_is_fine(sink);
  sink_pass(sink, &error->trail.initial, sizeof error->trail.initial);
  sink_pass(sink, &error->trail.n_events, sizeof error->trail.n_events);
  sink_pass(sink, &error->trail.n_cycle, sizeof error->trail.n_cycle);
  uint64_t bytes = (error->trail.n_events + UINT64_C(1)) * sizeof *error->trail.event;
  if (sink_is_read(sink)) {
    error->trail.event =
        sink_is_fine(sink) ? budget_alloc(s->budget, BUDGET_OTHER, bytes) : NULL;
    if (error->trail.event == NULL)
      return false;
    s->kept_trail = error->trail.event;
    s->result->trail_bytes = bytes;
  }
  sink_pass(sink, error->trail.event, error->trail.n_events * sizeof *error->trail.event);
  return sink_is_fine(sink);
}

/* What the rows of events have noted. */
static void pass_notes(struct search *s, struct sink *sink) {
  struct search_result *result = s->result;
  sink_same(sink, result->truncated_bytes, "is of another model");
  sink_same(sink, result->n_statements, "is of another model");
  if (result->truncated != NULL)
    sink_pass(sink, result->truncated, result->truncated_bytes);
  if (result->reached != NULL) {
    sink_pass(sink, result->reached, result->n_statements);
    sink_pass(sink, result->endless, result->n_statements);
  }
}

static bool pass_figures(struct search *s, struct sink *sink) {
  struct worker *w = s->worker;
  double now = clock_now(), seconds = s->before + (now - s->began);
  sink_section(sink, "figures");
  sink_same(sink, sizeof w->figures, "was written by another version of this program");
  sink_pass(sink, &w->figures, sizeof w->figures);
  sink_pass(sink, &w->worth, sizeof w->worth);
  sink_pass(sink, &w->asks_to_fire, sizeof w->asks_to_fire);
  sink_pass(sink, &seconds, sizeof seconds);
  sink_pass(sink, &w->found, sizeof w->found);
  sink_pass(sink, &w->lost, sizeof w->lost);
  sink_pass(sink, &w->rows_settled, sizeof w->rows_settled);
  sink_pass(sink, &w->clock.work, sizeof w->clock.work);
  sink_pass(sink, &s->moving.wrong_before, sizeof s->moving.wrong_before);
  sink_pass(sink, &s->moving.at, sizeof s->moving.at);
  sink_pass(sink, &s->result->limit, sizeof s->result->limit);
  if (sink_is_read(sink)) {
    w->figures.level.width = NULL;
    s->before = seconds;
    w->clock.next = w->clock.work;
  }
  return pass_error(s, sink);
}

static bool pass_store(struct search *s, struct sink *sink) {
  sink_section(sink, "store");
  if (!(s->store_kind->has & STORE_SAVES))
    sink_refuse(sink, "cannot hold a store of this kind");
  if (!sink_is_fine(sink))
    return false;
  if (sink_is_read(sink))
    return s->store_kind->load(s->store, sink);
  s->store_kind->save(s->store, sink);
  return true;
}

bool search_pass(struct search *s, struct sink *sink) {
  struct worker *w = s->worker;
  if (!pass_figures(s, sink))
    return false;
  pass_notes(s, sink);
  if (!pass_store(s, sink) || !tree_pass(s, sink))
    return false;
  if (s->way.of == WAY_PARENTS && !parents_pass(&s->parents, sink))
    return false;
  sink_section(sink, w->order->name);
  if (!w->order->pass(w->frontier, sink))
    return false;
  if (w->reduction != NULL && !w->reduction_kind->pass(w->reduction, sink))
    return false;
  if (w->beside != NULL && !w->beside_kind->pass(w->beside, sink))
    return false;
  sink_section(sink, w->engine->name);
  if (w->engine->pass != NULL && !w->engine->pass(w, sink))
    return false;
  sink_section(sink, "end");
  return sink_is_fine(sink);
}

void search_save(struct search *s, struct sink *sink) {
  if (search_pass_head(s, sink))
    search_pass(s, sink);
}

void worker_checkpoint(struct worker *w) {
  struct search *s = w->search;
  const struct search_checkpoint_options *options = &s->options->checkpoint;
  struct worker_clock *clock = &w->clock;
  bool ending = clock->ending != SEARCH_NO_LIMIT;
  if (options->write == NULL || s->stop)
    return;
  bool by_visits = options->visits > 0 && !clock->is_saved;
  bool due = by_visits ? w->figures.visited >= options->visits
                       : options->seconds > 0 && clock_now() >= clock->next_checkpoint;
  due |= ending;
  w->attention |= by_visits || due; /* again at once, unless it is done now */
  if (!due || search_is_decided(s) || !w->order->rests(w->frontier))
    return;
  if (!options->write(options->context, s))
    search_limit(s, SEARCH_INTERRUPTED);
  if (ending)
    search_limit(s, clock->ending);
  clock->is_saved = true;
  clock->next_checkpoint = clock_now() + options->seconds;
  w->attention = false;
}
