/* figures_json.c - a run as one JSON object.
 *
 * The keys of format 1 are fixed; where a run has nothing to say they are null.
 * docs/json.md describes them.
 */
#include "report/diagnostics.h"
#include "report/json.h"
#include "report/outcome.h"
#include "report/run_json.h"
#include "report/unreached.h"
#include "report/why.h"

#include <math.h>
#include <stdlib.h>

/* After how many events a cycle begins. */
static void write_cycle(struct json *json, uint32_t n_events, uint32_t n_cycle) {
  if (n_cycle > 0)
    json_unsigned(json, "cycle_start", n_events - n_cycle);
  else
    json_null(json, "cycle_start");
}

static void write_error(struct json *json, const struct outcome *run) {
  char text[600];
  if (run->result == NULL || !outcome_error_text(run, text, sizeof text)) {
    json_null(json, "error");
    return;
  }
  const struct search_error *error = &run->result->error;
  bool known = error->trail.initial != TS_NONE;
  json_object(json, "error", true);
  json_string(json, "kind", search_error_name(error->kind));
  json_string(json, "message", text);
  if (known)
    json_unsigned(json, "length", error->trail.n_events);
  else
    json_null(json, "length");
  write_cycle(json, known ? error->trail.n_events : 0, known ? error->trail.n_cycle : 0);
  json_string(json, "values", run->why == NULL ? NULL : run->why->values);
  json_close_object(json);
}

/* What was found of each claim. */
static void write_claims(struct json *json, const struct outcome *run) {
  json_array(json, "claims", true);
  for (uint32_t i = 0; i < run->n_claims; i++) {
    const struct outcome_claim *c = &run->claim[i];
    json_object(json, NULL, true);
    json_string(json, "name", c->name);
    json_string(json, "what", c->what);
    json_string(json, "verdict", outcome_verdict_name(c->verdict));
    json_string(json, "guarantee", search_guarantee_name(c->guarantee));
    json_string(json, "message", c->sentence);
    json_string(json, "error",
                c->error == SEARCH_NO_ERROR ? NULL : search_error_name(c->error));
    if (c->has_trail)
      json_unsigned(json, "length", c->length);
    else
      json_null(json, "length");
    write_cycle(json, c->length, c->n_cycle);
    json_unsigned(json, "stored", c->stored);
    json_unsigned(json, "events", c->events);
    json_real(json, "seconds", c->seconds);
    json_close_object(json);
  }
  json_close_array(json);
}

static void write_head(struct json *json, const struct outcome *run) {
  const struct search_result *r = run->result;
  json_unsigned(json, "format", 1);
  json_string(json, "cairn", run->version);
  json_string(json, "model", run->model);
  json_string(json, "verdict", outcome_verdict_name(run->verdict));
  json_string(json, "guarantee",
              r == NULL ? NULL : search_guarantee_name(outcome_guarantee(run)));
  if (r == NULL)
    json_null(json, "expected_wrong_matches");
  else
    json_real(json, "expected_wrong_matches", r->figures.expected_wrong_matches);
  write_error(json, run);
  why_write_json(run->why, json);
  if (run->replayed == NULL)
    json_null(json, "counterexample");
  else
    run_json_write(json, "counterexample", run->replayed, &r->error.trail, false, run->budget);
  if (r == NULL)
    json_null(json, "errors");
  else
    json_unsigned(json, "errors", r->figures.errors);
  json_array(json, "unchecked", true);
  for (uint32_t i = 0; run->shape != NULL && i < run->shape->n_unchecked; i++)
    json_string(json, NULL, run->shape->unchecked[i]);
  json_close_array(json);
}

void outcome_write_run(const struct outcome *run, struct json *json, const char *key) {
  json_object(json, key, false);
  json_unsigned(json, "format", 1);
  json_string(json, "cairn", run->version);
  json_string(json, "model", run->model);
  json_string(json, "trail", run->trail_file);
  write_error(json, run);
  why_write_json(run->why, json);
  run_json_write(json, "counterexample", run->replayed, &run->result->error.trail, true,
                 run->budget);
  json_close_object(json);
}

void outcome_write_run_json(const struct outcome *run, FILE *file) {
  struct json json;
  json_begin(&json, file);
  outcome_write_run(run, &json, NULL);
  json_end(&json);
}

/* A figure, or null where there was no search. */
static void figure(struct json *json, const char *key, const struct search_figures *f,
                   uint64_t value) {
  if (f == NULL)
    json_null(json, key);
  else
    json_unsigned(json, key, value);
}

/* Only of searches whose store may take a new state for an old one. */
static void write_estimate(struct json *json, const struct outcome *run) {
  const struct search_figures *f = run->result == NULL ? NULL : &run->result->figures;
  if (f == NULL || (f->memory.store.kept_bits == 0 && f->memory.store.set_bits == 0)) {
    json_null(json, "estimate");
    return;
  }
  json_object(json, "estimate", true);
  json_real(json, "coverage", outcome_coverage(f->stored, f->expected_wrong_matches));
  json_real(json, "chance_of_none", exp(-f->expected_wrong_matches));
  json_real(json, "chance_at_end", f->memory.store.wrong_chance);
  json_unsigned(json, "kept_bits", f->memory.store.kept_bits);
  json_unsigned(json, "set_bits", f->memory.store.set_bits);
  json_unsigned(json, "table_bits", f->memory.store.table_bits);
  if (run->n_runs > 1)
    json_real(json, "union_coverage", outcome_union_coverage(run));
  else
    json_null(json, "union_coverage");
  json_array(json, "runs", true);
  for (uint32_t i = 0; i < run->n_runs; i++) {
    json_object(json, NULL, true);
    json_unsigned(json, "seed", run->run[i].seed);
    json_unsigned(json, "stored", run->run[i].stored);
    json_real(json, "expected_wrong_matches", run->run[i].wrong_matches);
    json_bool(json, "complete", run->run[i].complete);
    json_close_object(json);
  }
  json_close_array(json);
  json_close_object(json);
}

/* Parts of the states reached. */
static void write_shares(struct json *json, const struct search_figures *f) {
  double reached = (double)outcome_reached(f);
  if (!f->forgetting.is_used || reached <= 0) {
    json_null(json, "stored_share");
    json_null(json, "visited_share");
    return;
  }
  json_real(json, "stored_share", (double)f->peak.stored / reached);
  json_real(json, "visited_share", (double)f->visited / reached);
}

static const char *const grade_name[SEARCH_GRADES] = {"alone", "chosen", "stubborn"};

/* How many states were expanded in part. */
static void write_choice(struct json *json, const struct search_figures *f) {
  if (f == NULL || !f->choice.is_used) {
    json_null(json, "reduced");
    return;
  }
  json_object(json, "reduced", true);
  for (uint32_t g = 0; g < SEARCH_GRADES; g++)
    json_unsigned(json, grade_name[g], f->choice.reduced[g]);
  json_unsigned(json, "refused", f->choice.refused);
  json_unsigned(json, "untried", f->choice.untried);
  json_unsigned(json, "left_out", f->choice.left_out);
  json_array(json, "stopped", true);
  for (uint32_t g = 0; g < SEARCH_GRADES; g++)
    if (f->choice.stopped[g])
      json_string(json, NULL, grade_name[g]);
  json_close_array(json);
  json_close_object(json);
}

static void write_answers(struct json *json, const struct outcome *run) {
  if (run->n_answers == 0)
    return;
  json_array(json, "queries", false);
  for (uint32_t i = 0; i < run->n_answers; i++) {
    json_object(json, NULL, true);
    json_string(json, "id", run->answer[i].id);
    json_string(json, "answer", run->answer[i].answer);
    json_string(json, "reason", run->answer[i].why);
    json_close_object(json);
  }
  json_close_array(json);
}

static void write_marking(struct json *json, const struct outcome *run) {
  if (run->marking == NULL)
    return;
  json_object(json, "marking", true);
  json_unsigned(json, "most", run->marking->most);
  json_unsigned(json, "most_in_place", run->marking->most_in_place);
  json_close_object(json);
}

/* What a first search took, which counted for the second one. */
static void write_first(struct json *json, const struct search_figures *f) {
  if (f == NULL || !f->first.is_used) {
    json_null(json, "first_pass");
    return;
  }
  json_object(json, "first_pass", true);
  json_unsigned(json, "visited", f->first.visited);
  json_unsigned(json, "events", f->first.events);
  json_real(json, "seconds", f->first.seconds);
  json_unsigned(json, "counters", f->first.bytes);
  json_bool(json, "complete", f->first.is_whole);
  json_unsigned(json, "uncounted", f->forgetting.uncounted);
  json_close_object(json);
}

static void write_counts(struct json *json, const struct search_figures *f) {
  static const struct search_figures none;
  const struct search_figures *v = f == NULL ? &none : f;
  const struct search_figures *leveled = v->level.known ? f : NULL;
  json_object(json, "states", true);
  figure(json, "stored", f, v->stored);
  figure(json, "visited", f, v->visited);
  figure(json, "matched", f, v->matched);
  figure(json, "open", f, v->open);
  figure(json, "peak_stored", f, v->peak.stored);
  figure(json, "peak_open", f, v->peak.open);
  const struct search_figures *treed = v->peak.tree > 0 ? f : NULL;
  figure(json, "peak_tree", treed, v->peak.tree);
  figure(json, "peak_stack", v->peak.stack > 0 ? f : NULL, v->peak.stack);
  figure(json, "forgotten", v->forgetting.is_used ? f : NULL, v->forgetting.states);
  const struct search_figures *kept = v->forgetting.kept_known ? f : NULL;
  figure(json, "kept_unreached", kept, v->stored - v->forgetting.full);
  figure(json, "kept_full", kept, v->forgetting.full);
  figure(json, "dropped_open", v->forgetting.is_used ? f : NULL, v->forgetting.dropped);
  figure(json, "reached", f, outcome_reached(v));
  figure(json, "revisited", v->forgetting.is_used ? f : NULL, v->forgetting.revisited);
  write_shares(json, v);
  figure(json, "persistent", v->sweep.is_used ? f : NULL, v->sweep.persistent);
  figure(json, "widest_class", v->sweep.is_used ? f : NULL, v->sweep.widest_class);
  figure(json, "rounds", v->sweep.is_used ? f : NULL, v->sweep.rounds);
  json_close_object(json);
  figure(json, "events", f, v->events);
  figure(json, "deadlocks", f, v->deadlocks);
  figure(json, "levels", leveled, v->level.n);
  const struct search_figures *backed = v->level.back_edges_known ? f : NULL;
  figure(json, "back_level_edges", backed, v->level.back_edges);
  figure(json, "longest_back_level_edge", backed, v->level.longest_back_edge);
  figure(json, "widest_level", leveled, v->level.widest);
  if (leveled == NULL || v->level.width == NULL) {
    json_null(json, "level_widths");
  } else {
    json_array(json, "level_widths", true);
    for (uint64_t i = 0; i < v->level.n; i++)
      json_unsigned(json, NULL, v->level.width[i]);
    json_close_array(json);
  }
  figure(json, "depth", f, v->depth);
  figure(json, "refired", v->memory.store.rebuilds ? f : NULL, v->memory.store.refired);
  figure(json, "nested", v->nested > 0 ? f : NULL, v->nested);
}

static void write_costs(struct json *json, const struct outcome *run,
                        const struct search_figures *f) {
  static const struct search_figures none;
  const struct search_figures *v = f == NULL ? &none : f;
  json_object(json, "seconds", true);
  json_real(json, "parse", run->parse_seconds);
  json_real(json, "compile", run->compile_seconds);
  json_real(json, "search", v->seconds);
  json_close_object(json);
  if (v->seconds > 0)
    json_real(json, "events_per_second", (double)v->events / v->seconds);
  else
    json_null(json, "events_per_second");
  json_object(json, "memory", true);
  json_unsigned(json, "peak_resident", run->peak_resident);
  figure(json, "store", f, v->memory.store.bytes);
  /* A move that was cut short has lost the states that the store does not have. */
  if (v->memory.store.states > 0 && (run->result == NULL || !run->result->cut_in_move))
    json_real(json, "bytes_per_state",
              (double)v->memory.store.bytes / (double)v->memory.store.states);
  else
    json_null(json, "bytes_per_state");
  figure(json, "store_index", f, v->memory.store.index_bytes);
  figure(json, "store_vectors", f, v->memory.store.vector_bytes);
  figure(json, "open", f, v->memory.open);
  figure(json, "parents", f, v->memory.parents);
  json_unsigned(json, "model", run->model_bytes);
  json_unsigned(json, "code", run->code_bytes);
  json_unsigned(json, "budget", run->memory_limit);
  json_close_object(json);
}

/* The store at the end, and those before it: from how many states and which moment on. What the
 * states would take in each store, as estimated. */
static void write_stores(struct json *json, const struct search_result *r) {
  json_string(json, "store_in_use", r == NULL || r->store == NULL ? NULL : r->store->name);
  json_array(json, "moves", true);
  for (uint32_t i = 0; r != NULL && i < r->n_moves; i++) {
    json_object(json, NULL, true);
    json_string(json, "to", r->move[i].to->name);
    json_unsigned(json, "states", r->move[i].states);
    json_real(json, "seconds", r->move[i].seconds);
    json_close_object(json);
  }
  json_close_array(json);
  json_array(json, "store_estimates", true);
  for (uint32_t i = 0; r != NULL && i < r->n_estimates; i++) {
    json_object(json, NULL, true);
    json_string(json, "store", r->estimate[i].kind->name);
    json_real(json, "bytes_per_state", r->estimate[i].bytes);
    json_real(json, "least", r->estimate[i].least);
    json_real(json, "most", r->estimate[i].most);
    json_unsigned(json, "states", r->estimate[i].states);
    json_unsigned(json, "bytes",
                  (uint64_t)(r->estimate[i].bytes * (double)outcome_reached(&r->figures)));
    json_close_object(json);
  }
  json_close_array(json);
}

/* How often and for how long files to go on from were written. */
static void write_checkpoints(struct json *json, const struct outcome_checkpoints *c) {
  json_object(json, "checkpoints", true);
  json_unsigned(json, "written", c->written);
  json_real(json, "seconds", c->seconds);
  json_unsigned(json, "bytes", c->bytes);
  json_close_object(json);
}

void outcome_write_json(const struct outcome *run, FILE *file) {
  struct json json;
  const struct search_result *r = run->result;
  const struct search_figures *f = r == NULL ? NULL : &r->figures;
  json_begin(&json, file);
  json_object(&json, NULL, false);
  write_head(&json, run);
  write_estimate(&json, run);
  write_counts(&json, f);
  write_marking(&json, run);
  write_answers(&json, run);
  write_claims(&json, run);
  write_costs(&json, run, f);
  unreached_write(&json, run);
  json_string(&json, "limit",
              r == NULL || r->limit == SEARCH_NO_LIMIT ? NULL : search_limit_text(r->limit));
  char *reason = outcome_reason(run);
  json_string(&json, "reason", reason);
  free(reason);
  diagnostics_write(&json, "diagnostics", run->diag);
  json_string(&json, "order", run->order);
  if (run->reduce != NULL)
    json_string(&json, "reduce", run->reduce);
  write_choice(&json, f);
  write_first(&json, f);
  if (run->merged == NULL)
    json_null(&json, "merged");
  else
    json_unsigned(&json, "merged", *run->merged);
  if (run->cleared == NULL)
    json_null(&json, "cleared");
  else
    json_unsigned(&json, "cleared", *run->cleared);
  json_string(&json, "forget", run->forget);
  json_string(&json, "strategy", run->strategy);
  json_string(&json, "progress", run->progress);
  json_string(&json, "store", run->store);
  write_stores(&json, r);
  write_checkpoints(&json, &run->checkpoints);
  json_string(&json, "compiler", run->compiler);
  json_string(&json, "trail", run->trail_file);
  json_close_object(&json);
  json_end(&json);
}
