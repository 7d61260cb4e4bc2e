/* graph.c - `cairn graph`: the state space, or a part of it, in the format of another tool.
 *
 * States are found and numbered breadth-first. Those that are to be shown are chosen and
 * counted before anything is written, for a picture that is too large is refused, and AUT
 * begins with the numbers; then states and edges are written by number.
 */
#include "cli/beside.h"
#include "cli/command.h"
#include "cli/expand.h"
#include "cli/loaded.h"
#include "cli/target.h"

#include "base/clock.h"
#include "report/graph.h"
#include "report/inside.h"
#include "report/number.h"
#include "report/outfile.h"
#include "store/store.h"
#include "ts/hash.h"
#include "ts/product.h"

#include <errno.h>
#include <string.h>

/* Pictures of more states cannot be read. */
#define GRAPH_DOT_STATES 100u
/* Events from the state of --around, where --depth does not say. */
#define GRAPH_NEAR       2u

struct explore {
  const struct options *o;
  struct loaded loaded;
  struct graph graph;
  struct inside inside;
  const struct store_kind *kind;
  struct store *store;
  struct store_work *work;
  struct hash *hash;
  struct expand expand;
  struct ts *product;        /* of the model and a claim, or NULL */
  uint8_t *row;              /* the state that is looked at */
  uint64_t limit;            /* states that may be shown */
  bool has_depth, is_around; /* the options are given; neither: all states are shown */
  uint64_t depth, around;
  uint64_t n_found;          /* states that have a number; they are numbered level by level */
  uint64_t level, level_end; /* of the state that is expanded; the next level's first number */
  uint64_t n_first;          /* without --around: that many are shown, the first ones */
  uint32_t *distance;        /* [state]: else, from the state of --around */
  uint64_t n_measured;       /* of that array */
};

static bool out_of_memory(struct explore *e) {
  return loaded_fail(&e->loaded, 3, "the memory budget was reached");
}

static uint64_t hash_of(const struct explore *e, const uint8_t *row, uint32_t length) {
  return hash_finish(hash_raw(e->hash, row, length));
}

/* The id of row `i` of the successors, which is stored if it is new. */
static bool id_of(struct explore *e, uint32_t i, uint64_t *id) {
  const struct ts_batch *batch = &e->expand.batch;
  uint64_t hash = hash_of(e, expand_row(&e->expand, i), batch->edge[i].length);
  uint8_t answer;
  /* The store fills arrays by row: these are arrays of one, moved to row 0. */
  struct rows one = {.batch = *batch, .hash = &hash, .ref = id, .answer = &answer};
  one.batch.edge += i;
  one.batch.rows += i * batch->stride;
  one.batch.n = one.batch.capacity = 1;
  if (e->kind->put(e->work, &one, 0, 1) < 1)
    return out_of_memory(e);
  if (answer == STORE_NEW)
    e->n_found++;
  return true;
}

static bool is_picture(const struct explore *e) {
  return e->o->value[OPTION_FORMAT].number == OPTIONS_DOT;
}

/* The advice is to show what is near the beginning, as far as that can be read. */
static bool too_many(struct explore *e) {
  struct number most = number_grouped(e->limit);
  char part[120] = "";
  if (!is_picture(e))
    return loaded_fail(&e->loaded, 3,
                       "the model has more than %s states; --max-states allows more", most.at);
  if (e->has_depth || e->is_around)
    return loaded_fail(
        &e->loaded, 3,
        "more than %s states are within %llu events, and a picture of them cannot "
        "be read: try a smaller --depth; --max-states allows more",
        most.at, (unsigned long long)e->depth);
  if (e->level > 0)
    snprintf(part, sizeof part, "--depth %llu shows the first %llu, ",
             (unsigned long long)e->level, (unsigned long long)e->level_end);
  return loaded_fail(&e->loaded, 3,
                     "the model has more than %s states, and a picture of them cannot be read: "
                     "%s--around STATE those near a state, by its number; --max-states allows "
                     "more, and --format aut writes all of them for other tools",
                     most.at, part);
}

static bool put_initial(struct explore *e, uint32_t which, uint64_t *id) {
  struct ts_batch *batch = &e->expand.batch;
  memset(batch->rows, 0, batch->stride);
  batch->n = 1;
  batch->edge[0] = (struct ts_edge){
      .length = ts_code(e->graph.ts)->initial(e->graph.ts, which, batch->rows)};
  return id_of(e, 0, id);
}

static bool expand_id(struct explore *e, uint64_t id, uint32_t *length) {
  *length = e->kind->get(e->work, id, e->row);
  if (clock_stop_requested())
    return loaded_fail(&e->loaded, 3, "interrupted");
  return expand_state(&e->expand, e->row, *length) || out_of_memory(e);
}

static bool shows_all(const struct explore *e) {
  return !e->has_depth && !e->is_around;
}

/* Numbers the successors of a state. Where all are shown, so are its edges. */
static bool find_next(struct explore *e, uint64_t from) {
  uint64_t id;
  uint32_t length;
  if (!expand_id(e, from, &length))
    return false;
  for (uint32_t i = 0; i < e->expand.batch.n; i++) {
    const bool fails = e->expand.batch.edge[i].kind == TS_MODEL_ERROR;
    if (!fails && !id_of(e, i, &id))
      return false;
    e->graph.n_failed += shows_all(e) && fails;
    e->graph.n_edges += shows_all(e);
  }
  return true;
}

/* With --depth up to one level more than is shown, for the edges that lead there. */
static bool find_states(struct explore *e) {
  uint64_t id, from = 0;
  for (uint32_t i = 0; i < e->graph.ts->shape->n_initial; i++)
    if (!put_initial(e, i, &id))
      return false;
  for (e->level_end = e->n_found; from < e->n_found; from++) {
    if (from == e->level_end) {
      e->level++;
      e->level_end = e->n_found;
    }
    if (e->has_depth && !e->is_around && e->level > e->depth)
      break;
    if (!find_next(e, from))
      return false;
    const bool are_shown = !e->has_depth || e->level < e->depth;
    if (e->n_found > e->limit && are_shown && !e->is_around)
      return too_many(e);
  }
  e->n_first = from;
  return true;
}

/* ---- the part that is shown ------------------------------------------------------------ */

static bool is_shown(const struct explore *e, uint64_t id) {
  return e->is_around ? id < e->n_measured && e->distance[id] <= e->depth : id < e->n_first;
}

/* One event further from the states at a distance, forward and back. */
static bool widen(struct explore *e, uint64_t from, uint32_t distance) {
  uint64_t id;
  uint32_t length;
  if (!expand_id(e, from, &length))
    return false;
  for (uint32_t i = 0; i < e->expand.batch.n; i++) {
    if (e->expand.batch.edge[i].kind == TS_MODEL_ERROR)
      continue;
    if (!id_of(e, i, &id))
      return false;
    if (e->distance[from] == distance && e->distance[id] > distance)
      e->distance[id] = distance + 1;
    else if (e->distance[id] == distance && e->distance[from] > distance)
      e->distance[from] = distance + 1;
  }
  return true;
}

static bool measure(struct explore *e) {
  e->n_measured = e->n_found;
  e->distance = budget_alloc(e->loaded.budget, BUDGET_OTHER, e->n_found * sizeof *e->distance);
  if (e->distance == NULL)
    return out_of_memory(e);
  for (uint64_t i = 0; i < e->n_found; i++)
    e->distance[i] = i == e->around ? 0 : UINT32_MAX;
  for (uint32_t d = 0; d < e->depth; d++)
    for (uint64_t from = 0; from < e->n_measured; from++)
      if (!widen(e, from, d))
        return false;
  return true;
}

/* What is written has to be counted before. */
static bool count_edges(struct explore *e, uint64_t from) {
  uint64_t id;
  uint32_t length;
  if (!expand_id(e, from, &length))
    return false;
  for (uint32_t i = 0; i < e->expand.batch.n; i++) {
    const bool fails = e->expand.batch.edge[i].kind == TS_MODEL_ERROR;
    if (!fails && !id_of(e, i, &id))
      return false;
    e->graph.n_failed += fails;
    e->graph.n_edges += fails || is_shown(e, id);
  }
  return true;
}

static bool choose_states(struct explore *e) {
  const uint32_t n_initial = e->graph.ts->shape->n_initial;
  const uint64_t n = e->n_found;
  if (e->is_around && e->around >= n)
    return loaded_fail(&e->loaded, 2,
                       "--around %llu: the model has %s states, which are numbered from 0",
                       (unsigned long long)e->around, number_grouped(n).at);
  if (e->is_around && !measure(e))
    return false;
  e->graph.n_edges += n_initial == 1 ? 0 : n_initial;
  if (shows_all(e)) {
    e->graph.n_states = n;
    return true;
  }
  for (uint64_t from = 0; from < n; from++) {
    if (!is_shown(e, from))
      continue;
    if (++e->graph.n_states > e->limit)
      return too_many(e);
    if (!count_edges(e, from))
      return false;
  }
  return true;
}

/* The id of the successor by the event; false: there is none, or memory ran out. */
static bool follow(struct explore *e, struct ts_event event, uint64_t *id) {
  uint32_t length;
  if (!expand_id(e, *id, &length))
    return false;
  for (uint32_t i = 0; i < e->expand.batch.n; i++) {
    const struct ts_edge *edge = &e->expand.batch.edge[i];
    if (edge->event.action == event.action && edge->event.choice == event.choice)
      return edge->kind == TS_MODEL_ERROR || id_of(e, i, id);
  }
  return true; /* a replayed trail has it */
}

/* A run that the claim accepts will be red. */
static bool mark_run(struct explore *e) {
  struct search_result result;
  uint64_t id;
  if (e->product == NULL)
    return true;
  beside_search(&e->loaded, e->product, &result);
  const struct search_trail *trail = &result.error.trail;
  const bool found = result.error.kind != SEARCH_NO_ERROR && trail->initial != TS_NONE;
  struct graph_mark *mark =
      found ? arena_alloc(e->loaded.arena, (trail->n_events + (size_t)1) * sizeof *mark) : NULL;
  bool fine = !found || (mark != NULL ? put_initial(e, trail->initial, &id) : out_of_memory(e));
  for (uint32_t i = 0; fine && mark != NULL && i < trail->n_events; i++) {
    mark[i] = (struct graph_mark){id, trail->event[i]};
    fine = follow(e, trail->event[i], &id);
  }
  e->graph.mark = mark;
  e->graph.n_marks = found ? trail->n_events : 0;
  search_result_free(&result);
  return fine;
}

/* A state and its edges; whether some of them lead out of the part is known before they are
 * written. */
static bool write_state(struct explore *e, const struct graph_format *format, uint64_t from) {
  const struct graph *g = &e->graph;
  uint64_t id;
  uint32_t length;
  bool goes_on = false;
  if (!expand_id(e, from, &length))
    return false;
  for (uint32_t i = 0; i < e->expand.batch.n && !goes_on && !shows_all(e); i++) {
    if (e->expand.batch.edge[i].kind != TS_MODEL_ERROR && !id_of(e, i, &id))
      return false;
    goes_on = e->expand.batch.edge[i].kind != TS_MODEL_ERROR && !is_shown(e, id);
  }
  const bool stuck = e->expand.batch.n == 0 && !ts_ends(g->ts, e->row, length);
  format->state(g, from, e->row, length,
                stuck     ? GRAPH_DEADLOCK
                : goes_on ? GRAPH_GOES_ON
                          : GRAPH_PLAIN);
  for (uint32_t i = 0; i < e->expand.batch.n; i++) {
    const struct ts_edge *edge = &e->expand.batch.edge[i];
    id = STORE_NONE;
    if (edge->kind != TS_MODEL_ERROR && !id_of(e, i, &id))
      return false;
    if (edge->kind == TS_MODEL_ERROR || is_shown(e, id))
      format->edge(g, from, e->row, length, edge, id);
  }
  return true;
}

static bool write_graph(struct explore *e, const struct graph_format *format) {
  const struct graph *g = &e->graph;
  uint64_t id;
  format->begin(g);
  for (uint32_t i = 0; i < g->ts->shape->n_initial; i++) {
    if (!put_initial(e, i, &id))
      return false;
    if (is_shown(e, id))
      format->initial(g, id);
  }
  for (uint64_t from = 0, n = e->n_found; from < n && !ferror(g->out); from++)
    if (is_shown(e, from) && !write_state(e, format, from))
      return false;
  format->end(g);
  return true;
}

static bool write_file(struct explore *e) {
  static const struct graph_format *const format[] = {
      [OPTIONS_DOT] = &graph_dot, [OPTIONS_AUT] = &graph_aut};
  const char *path = e->o->value[OPTION_OUTPUT].text;
  const struct target target = {OPTION_OUTPUT, path == NULL ? "-" : path, &outfile_graph,
                                e->o->value[OPTION_FORCE].given};
  char why[TARGET_SENTENCE];
  struct outfile out;
  if (target_refused(&target, e->loaded.arena, why))
    return loaded_fail(&e->loaded, 2, "%s", why);
  if (!outfile_open(&out, target.path))
    return loaded_fail(&e->loaded, 2, "%s: %s", path, strerror(errno));
  e->graph.out = out.file;
  if (!write_graph(e, format[e->o->value[OPTION_FORMAT].number])) {
    outfile_abandon(&out);
    return false;
  }
  /* Standard output is flushed and looked at by main(). */
  if (out.file != stdout && !outfile_commit(&out))
    return loaded_fail(&e->loaded, 3, "%s: %s", path, strerror(errno));
  return true;
}

static bool open_parts(struct explore *e) {
  struct budget *budget = e->loaded.budget;
  if (!beside_open(&e->loaded, e->o, &e->product))
    return false;
  e->graph.ts = e->product != NULL ? e->product : e->loaded.ts;
  const struct ts_shape *shape = e->graph.ts->shape;
  struct store_config config = {.shape = shape, .budget = budget};
  bool inside = inside_open(&e->inside, e->graph.ts, budget);
  e->graph.inside = &e->inside;
  e->kind = store_by_name("full");
  e->store = e->kind->open(&config);
  if (e->store != NULL)
    e->work = e->kind->begin(e->store);
  e->hash = hash_open(shape, 0, budget);
  e->row = budget_alloc(budget, BUDGET_OTHER, ts_stride(shape) + 8u);
  bool expand = expand_open(&e->expand, e->graph.ts, budget);
  return (e->work != NULL && e->hash != NULL && e->row != NULL && expand && inside) ||
         out_of_memory(e);
}

static void close_parts(struct explore *e) {
  struct budget *budget = e->loaded.budget;
  if (e->work != NULL)
    e->kind->end(e->work);
  if (e->store != NULL)
    e->kind->close(e->store);
  if (e->hash != NULL)
    hash_close(e->hash);
  if (e->distance != NULL)
    budget_free(budget, BUDGET_OTHER, e->distance, e->n_measured * sizeof *e->distance);
  if (e->row != NULL)
    budget_free(budget, BUDGET_OTHER, e->row, ts_stride(e->graph.ts->shape) + 8u);
  if (e->inside.budget != NULL)
    inside_close(&e->inside);
  if (e->expand.budget != NULL)
    expand_close(&e->expand);
  ts_product_close(e->product);
}

int command_graph(const struct options *o) {
  struct explore e = {.o = o};
  e.limit = o->value[OPTION_MAX_STATES].number;
  if (!o->value[OPTION_MAX_STATES].given)
    e.limit = o->value[OPTION_FORMAT].number == OPTIONS_DOT ? GRAPH_DOT_STATES : UINT64_MAX;
  e.has_depth = o->value[OPTION_DEPTH].given;
  e.is_around = o->value[OPTION_AROUND].given;
  e.depth = e.has_depth ? o->value[OPTION_DEPTH].number : GRAPH_NEAR;
  e.around = o->value[OPTION_AROUND].number;
  clock_watch_signals();
  bool fine = loaded_start(&e.loaded, o) && loaded_parse(&e.loaded, NULL, 0);
  e.loaded.places = IR_MAX_LIVE;
  fine = fine && loaded_compile(&e.loaded, o, false);
  if (fine) {
    fine = open_parts(&e) && find_states(&e) && choose_states(&e) && mark_run(&e) &&
           write_file(&e);
    close_parts(&e);
  }
  loaded_close(&e.loaded);
  return fine ? 0 : e.loaded.status;
}
