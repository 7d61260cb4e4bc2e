/* figures.c - the figures of a run, for people. */
#include "report/number.h"
#include "report/outcome.h"

#include "search/rules.h"
#include "search/rules_traits.h"
#include "ts/claim.h"

#include <math.h>
#include <string.h>

/* At most this many level widths are printed; the JSON has all. */
#define FIGURES_WIDTHS 16u
/* Of fewer states bytes for each say nothing: most of them are the store's first ones. */
#define FIGURES_MANY   1000u
/* Rates of shorter searches (seconds) say nothing. */
#define FIGURES_LONG   0.1

static void print_widths(const struct search_figures *f, FILE *out) {
  if (f->level.width == NULL || f->level.n < 2)
    return;
  fputs("widths      ", out);
  for (uint64_t i = 0; i < f->level.n; i++) {
    if (f->level.n > FIGURES_WIDTHS && i == FIGURES_WIDTHS / 2) {
      i = f->level.n - FIGURES_WIDTHS / 2;
      fputs(" …", out);
    }
    fprintf(out, "%s%s", i > 0 ? " " : "", number_grouped(f->level.width[i]).at);
  }
  fputc('\n', out);
}

static void print_shape(const struct search_figures *f, FILE *out) {
  if (f->level.known) {
    fprintf(out, "levels      %s, the widest %s\n", number_grouped(f->level.n).at,
            number_grouped(f->level.widest).at);
    print_widths(f, out);
  }
  if (f->level.back_edges_known) {
    fprintf(out, "back edges  %s back-level edge%s", number_grouped(f->level.back_edges).at,
            f->level.back_edges == 1 ? "" : "s");
    if (f->level.back_edges > 0)
      fprintf(out, ", the longest %s", number_grouped(f->level.longest_back_edge).at);
    fputc('\n', out);
  }
}

/* What forgetting is measured by: memory won, and work done again. */
static void print_shares(const struct search_figures *f, FILE *out) {
  double reached = (double)outcome_reached(f);
  if (reached > 0)
    fprintf(out, "of all      at most %.1f %% stored at a time; %.1f %% visited\n",
            100 * (double)f->peak.stored / reached, 100 * (double)f->visited / reached);
}

/* How much smaller the model was made. */
static void print_model(const struct outcome *run, FILE *out) {
  if (run->merged != NULL)
    fprintf(out, "merged      %s step%s of the model %s with the next one\n",
            number_grouped(*run->merged).at, number_plural(*run->merged),
            *run->merged == 1 ? "is one event" : "are one event each");
  if (run->cleared != NULL)
    fprintf(out, "dead        %s variable%s set to zero after steps of the model\n",
            number_grouped(*run->cleared).at, *run->cleared == 1 ? " is" : "s are");
}

/* States that a complete search that goes backward has kept to its end: what was counted as
 * leading there did not come. */
static void print_kept(const struct search_figures *f, FILE *out) {
  if (!f->forgetting.kept_known)
    return;
  const uint64_t full = f->forgetting.full;
  fprintf(out, "kept        %s state%s only for predecessors that were never reached",
          number_grouped(f->stored - full).at, number_plural(f->stored - full));
  if (full > 0)
    fprintf(out, "; %s with a full counter", number_grouped(full).at);
  fputc('\n', out);
}

/* What a search says that keeps a tree of open states, or forgets others. */
static void print_forgotten(const struct search_figures *f, FILE *out) {
  if (f->peak.tree > 0) {
    fprintf(out, "tree        at most %s state%s of which something is open",
            number_grouped(f->peak.tree).at, number_plural(f->peak.tree));
    if (f->peak.stack > 0)
      fprintf(out, "; at most %s level%s", number_grouped(f->peak.stack).at,
              number_plural(f->peak.stack));
    fputc('\n', out);
  }
  if (f->forgetting.is_used) {
    fprintf(out, "forgotten   %s state%s left memory; ",
            number_grouped(f->forgetting.states).at, number_plural(f->forgetting.states));
    if (f->forgetting.once)
      fprintf(out, "none was expanded again\n");
    else
      fprintf(out, "about %s expanded again\n", number_grouped(f->forgetting.revisited).at);
    print_shares(f, out);
    if (f->forgetting.dropped > 0)
      fprintf(out, "dropped     %s open state%s for want of room, to be reached again\n",
              number_grouped(f->forgetting.dropped).at, number_plural(f->forgetting.dropped));
    print_kept(f, out);
  }
  if (f->first.is_used)
    fprintf(out, "first pass  %s state%s, %s event%s in %s%s; %s of counters\n",
            number_grouped(f->first.visited).at, number_plural(f->first.visited),
            number_grouped(f->first.events).at, number_plural(f->first.events),
            number_seconds(f->first.seconds).at, f->first.is_whole ? "" : ", not all",
            number_bytes(f->first.bytes).at);
  if (f->choice.is_used)
    fprintf(
        out,
        "reduced     %s state%s by steps that concern nobody else, %s by sets of processes, "
        "%s by stubborn sets; %s could be, but all that was left led back\n",
        number_grouped(f->choice.reduced[SEARCH_GRADE_ALONE]).at,
        number_plural(f->choice.reduced[SEARCH_GRADE_ALONE]),
        number_grouped(f->choice.reduced[SEARCH_GRADE_CLUSTER]).at,
        number_grouped(f->choice.reduced[SEARCH_GRADE_STUBBORN]).at,
        number_grouped(f->choice.refused).at);
  if (f->sweep.is_used)
    fprintf(out,
            "sweep-line  %s persistent state%s, %s round%s; at most %s state%s of one class\n",
            number_grouped(f->sweep.persistent).at, number_plural(f->sweep.persistent),
            number_grouped(f->sweep.rounds).at, number_plural(f->sweep.rounds),
            number_grouped(f->sweep.widest_class).at, number_plural(f->sweep.widest_class));
}

/* A probability or part, with as many nines as it takes; never "100 %" of less. */
static void print_percent(double part, FILE *out) {
  enum { MOST_DIGITS = 9 };
  int digits = 1;
  for (double left = 1 - part; left < 0.05 && digits < MOST_DIGITS; left *= 10)
    digits++;
  if (digits == MOST_DIGITS)
    fputs("more than 99.9999999 %", out);
  else
    fprintf(out, "%.*f %%", digits, 100 * part);
}

/* How many bits of a table there are for each state, and whether as many as are best for
 * that are set: ln 2 times the factor. */
static void print_factor(const struct store_usage *store, uint64_t stored, FILE *out) {
  double factor = (double)store->table_bits / (double)(stored > 0 ? stored : 1);
  uint32_t best = store_best_bits(store->table_bits, stored);
  fprintf(out, "kept        %u bit%s per state; hash factor %s (bits of the table per state)",
          store->set_bits, number_plural(store->set_bits), number_rough(factor).at);
  if (best < 64 && best != store->set_bits)
    fprintf(out, ", for which %u would be best", best);
  fputc('\n', out);
}

/* What a search whose store may take a new state for an old one can claim. */
static void print_estimate(const struct outcome *run, FILE *out) {
  const struct search_figures *f = &run->result->figures;
  const struct store_usage *store = &f->memory.store;
  if (run->result->guarantee == SEARCH_EXACT || (store->kept_bits == 0 && store->set_bits == 0))
    return;
  if (store->kept_bits > 0)
    fprintf(out, "kept        %u bits of each state's hash\n", store->kept_bits);
  else
    print_factor(store, f->stored, out);
  fprintf(out, "omitted     %s states expected to have wrongly counted as reached; none: ",
          number_rough(f->expected_wrong_matches).at);
  print_percent(exp(-f->expected_wrong_matches), out);
  fputc('\n', out);
  fputs("coverage    ", out);
  print_percent(outcome_coverage(f->stored, f->expected_wrong_matches), out);
  fputs(" of the states reached, as estimated; what follows an omitted one is unseen\n", out);
  if (store->wrong_chance > OUTCOME_ROUGH) {
    fputs("too small   a new state would now wrongly count as reached with a chance of ", out);
    print_percent(store->wrong_chance, out);
    fputs(": the estimate is rough\n", out);
  }
}

static void print_runs(const struct outcome *run, FILE *out) {
  if (run->n_runs < 2)
    return;
  for (uint32_t i = 0; i < run->n_runs; i++) {
    const struct outcome_run *r = &run->run[i];
    fprintf(out, "run %-8u%s states with seed %llu, %s expected omitted%s\n", i + 1,
            number_grouped(r->stored).at, (unsigned long long)r->seed,
            number_rough(r->wrong_matches).at, r->complete ? "" : " (cut short)");
  }
  fputs("all runs    ", out);
  print_percent(outcome_union_coverage(run), out);
  fputs(" of what every run reached was stored by one at least, as estimated for independent "
        "hashes\n",
        out);
}

/* The stores that were used, one after the other. */
static void print_stores(const struct outcome *run, FILE *out) {
  const struct search_result *r = run->result;
  fputs(run->store, out);
  for (uint32_t i = 0; i < r->n_moves; i++)
    fprintf(out, "%s %s from %s states on", i == 0 ? ":" : ",", r->move[i].to->name,
            number_grouped(r->move[i].states).at);
}

static void print_memory(const struct outcome *run, bool all, FILE *out) {
  const struct search_figures *f = &run->result->figures;
  if (all)
    fprintf(out, "open        at most %s state%s, %s\n", number_grouped(f->peak.open).at,
            f->peak.open == 1 ? "" : "s", number_bytes(f->memory.open).at);
  fputs("store       ", out);
  print_stores(run, out);
  fprintf(out, ", %s", number_bytes(f->memory.store.bytes).at);
  if (f->memory.store.states >= FIGURES_MANY)
    fprintf(out, ", %.1f bytes per state",
            (double)f->memory.store.bytes / (double)f->memory.store.states);
  if (all)
    fprintf(out, "; at most %s state%s", number_grouped(f->peak.stored).at,
            f->peak.stored == 1 ? "" : "s");
  fputc('\n', out);
  if (all && f->memory.parents > 0)
    fprintf(out, "parents     %s\n", number_bytes(f->memory.parents).at);
  fprintf(out, "memory      %s at most resident, of a budget of %s\n",
          number_bytes(run->peak_resident).at, number_bytes(run->memory_limit).at);
}

/* Whether a store would do in place of the one in use: exact, and not refused. */
static bool would_do(const struct outcome *run, const struct store_kind *kind) {
  struct search_options other = *run->search;
  other.store = (struct search_store_options){.kind = kind};
  return (kind->has & STORE_EXACT) && search_refusal(&other) == NULL;
}

/* Small ones with two digits. */
static void print_bytes(double bytes, FILE *out) {
  fprintf(out, bytes < 1 ? "%.2f" : "%.1f", bytes);
}

/* "NAME (about N bytes per state, N MiB for these)"; where that is not so sure, "N to N bytes
 * per state, N MiB to N MiB for these". */
static void print_store(const struct outcome *run, const struct search_estimate *e, FILE *out) {
  const double states = (double)outcome_reached(&run->result->figures);
  const uint64_t least = (uint64_t)(e->least * states), most = (uint64_t)(e->most * states);
  const bool sure = e->most <= OUTCOME_SURE * e->least;
  fprintf(out, "%s (%s", e->kind->name, sure ? "about " : "");
  print_bytes(sure ? e->bytes : e->least, out);
  if (!sure) {
    fputs(" to ", out);
    print_bytes(e->most, out);
  }
  fprintf(out, " bytes per state, %s%s%s for these)",
          number_bytes(sure ? (uint64_t)(e->bytes * states) : least).at, sure ? "" : " to ",
          sure ? "" : number_bytes(most).at);
}

/* How what was printed is known: the same search with these stores, or its beginning. */
static void print_seen(const struct search_result *r, FILE *out) {
  uint64_t all = 0, least = UINT64_MAX;
  for (uint32_t i = 0; i < r->n_estimates; i++) {
    const uint64_t states = r->estimate[i].states;
    all = states > all ? states : all;
    least = states < least ? states : least;
  }
  if (least == outcome_reached(&r->figures))
    fputs(",\n            as the same search with these took", out);
  else
    fprintf(out, ",\n            as estimated from the first %s%s%s states",
            number_grouped(least).at, all > least ? " to " : "",
            all > least ? number_grouped(all).at : "");
}

/* The exact stores that are estimated to take less than the one in use, or, if there is none,
 * what the others would take. False: there are no estimates. */
static bool print_smaller_stores(const struct outcome *run, FILE *out) {
  const struct search_result *r = run->result;
  const double now = search_estimated(r, r->store);
  uint32_t smaller = 0, n = 0;
  for (uint32_t i = 0; i < r->n_estimates; i++)
    smaller += would_do(run, r->estimate[i].kind) && r->estimate[i].bytes < now;
  for (uint32_t i = 0; i < r->n_estimates; i++) {
    const struct search_estimate *e = &r->estimate[i];
    if (!would_do(run, e->kind) || (smaller > 0 && e->bytes >= now))
      continue;
    fputs(n++ > 0       ? ",\n            "
          : smaller > 0 ? "advice      try --store "
                        : "estimates   ",
          out);
    print_store(run, e, out);
  }
  if (n > 0 && now > 0 && (smaller > 0 || !would_do(run, r->store)))
    fprintf(out, ";\n            %s takes about %.1f here", r->store->name, now);
  if (n > 0) {
    print_seen(r, out);
    fputs(smaller > 0 ? ";\n" : "\n", out);
  }
  return smaller > 0;
}

/* What else there is to try: the ways that keep an answer exact first. Nothing is named that
 * would be refused. */
static void print_other_ways(const struct outcome *run, bool after, FILE *out) {
  const struct claim *claim = run->shape->product_of;
  const char *before = after ? "            or " : "advice      try ";
  const bool exact = (run->result->store->has & STORE_EXACT) != 0;
  const bool is_auto = strcmp(run->store, "auto") == 0;
  const bool forgets = run->result->figures.forgetting.is_used;
  const bool cycles = claim != NULL && claim->has_cycles;
  const bool can_forget = is_auto || rules_can_forget(run->result->store);
  const char *way[] = {
      exact && !is_auto && !cycles && run->result->n_estimates == 0 ? "--store auto" : NULL,
      run->reduce == NULL && !cycles ? "--reduce auto" : NULL,
      forgets || cycles ? NULL
      : can_forget      ? "--forget cache"
                        : "--forget cache --store tree",
      "more --memory",
      !exact || forgets || cycles ? NULL
      : is_auto                   ? "--allow-lossy, which may miss states"
                                  : "--store auto --allow-lossy, which may miss states"};
  for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
    if (way[i] == NULL)
      continue;
    fprintf(out, "%s%s", before, way[i]);
    before = ", ";
  }
  fputc('\n', out);
}

static bool wants_memory(const struct outcome *run) {
  const bool sized = run->forget != NULL && strstr(run->forget, "size=") != NULL;
  const enum search_limit limit = run->result->limit;
  return limit == SEARCH_MEMORY || (limit == SEARCH_TREE && !sized);
}

/* Ways to forget are in the order in which they helped where it was measured: docs/caching.md.
 */
static void print_advice(const struct outcome *run, FILE *out) {
  const struct search_result *r = run->result;
  if (wants_memory(run))
    print_other_ways(run, print_smaller_stores(run, out), out);
  if (r->limit != SEARCH_REVISITS)
    return;
  fprintf(out,
          "advice      try %sa cache a quarter larger, or --forget "
          "cache:share/16+in-degree+random;\n            --max-visits 0 goes on as before\n",
          run->reduce == NULL ? "--reduce edge-lean, " : "");
}

static void print_states(const struct search_figures *f, bool all, FILE *out) {
  if (all || f->forgetting.is_used)
    fprintf(out, "states      %s stored, %s visited, %s matched\n",
            number_grouped(f->stored).at, number_grouped(f->visited).at,
            number_grouped(f->matched).at);
  else
    fprintf(out, "states      %s\n", number_grouped(f->stored).at);
  fprintf(out, "events      %s\n", number_grouped(f->events).at);
  if (f->events > 0 && f->seconds > (all ? 0 : FIGURES_LONG))
    fprintf(out, "rate        %s events per second\n",
            number_short((double)f->events / f->seconds).at);
  if (all || f->deadlocks > 0)
    fprintf(out, "deadlocks   %s%s\n", number_grouped(f->deadlocks).at,
            f->deadlocks > 0 && f->forgetting.revisited > 0
                ? " reached, some perhaps several times"
                : "");
}

static void print_time(const struct outcome *run, bool all, FILE *out) {
  const double search = run->result->figures.seconds;
  if (!all) {
    fprintf(out, "time        %s\n",
            number_seconds(run->parse_seconds + run->compile_seconds + search).at);
    return;
  }
  fprintf(out, "time        parse %s", number_seconds(run->parse_seconds).at);
  if (run->compiler != NULL)
    fprintf(out, ", compile %s (%s)", number_seconds(run->compile_seconds).at, run->compiler);
  fprintf(out, ", search %s\n", number_seconds(search).at);
}

void outcome_print_figures(const struct outcome *run, bool all, FILE *out) {
  if (run->result == NULL)
    return;
  const struct search_figures *f = &run->result->figures;
  print_states(f, all, out);
  if (run->marking != NULL)
    fprintf(out, "marking     at most %s token%s, %s in a place\n",
            number_grouped(run->marking->most).at, run->marking->most == 1 ? "" : "s",
            number_grouped(run->marking->most_in_place).at);
  if (all)
    print_shape(f, out);
  fprintf(out, "depth       %s\n", number_grouped(f->depth).at);
  print_model(run, out);
  print_forgotten(f, out);
  print_estimate(run, out);
  print_runs(run, out);
  print_memory(run, all, out);
  print_time(run, all, out);
  print_advice(run, out);
}
