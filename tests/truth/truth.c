/* truth.c - do the stores that may miss states say truthfully how many?
 *
 *   truth [-r SEEDS] [-o bfs|dfs] [-f FIRST] [-n STATES] [-m MODELS] [-t] [-s ROOT]
 *         MODEL-OR-FOLDER...
 *
 * Each model is searched with each lossy store, once per seed, and an exact store is
 * asked beside it: a state that the exact one has not reached and the lossy one calls old
 * is a direct wrong match. (What is after it, and is then never reached, is counted
 * apart, as lost.) The mean number of wrong matches must be within three standard
 * errors of the mean of the printed estimates. The error is that of the estimate's
 * own model: a state stored with the odds q = p / (1 - p) of having been omitted adds
 * q * (1 + q) to the variance of what is counted less what is printed; a sample of
 * twenty could not be trusted to give it where wrong matches are rare.
 *
 * Parameters are chosen by the model's size so that there is something to count:
 * about 4 to 60 wrong matches per run. -t prints a table for the documentation.
 * -n and -m: only models of 200 to STATES states, and not more than that many of them, one
 * of each family first. -s: the BEEM models of the folder CAIRN_SHARED, or else of
 * ROOT/../shared. Exit 77, skipped, without models.
 */
#include "lang/lang.h"
#include "native/native.h"
#include "search/frontier/frontier.h"
#include "search/search.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a store that asks two ------------------------------------------------------ */

struct store {
  const struct store_kind *kind, *exact_kind;
  struct store *asked, *exact;
  struct store_work work, *asked_work, *exact_work;
};

/* The kind under test, and what was counted: store_kind has no room for them. */
static const struct store_kind *tested;
static struct {
  uint64_t wrong, contradictions;
  double variance;
} counted;

static void witness_close(struct store *s) {
  if (s->asked_work != NULL)
    s->kind->end(s->asked_work);
  if (s->exact_work != NULL)
    s->exact_kind->end(s->exact_work);
  if (s->asked != NULL)
    s->kind->close(s->asked);
  if (s->exact != NULL)
    s->exact_kind->close(s->exact);
  free(s);
}

static struct store *witness_open(const struct store_config *config) {
  struct store *s = calloc(1, sizeof *s);
  struct store_config exact = {.shape = config->shape, .budget = config->budget};
  if (s == NULL)
    return NULL;
  s->kind = tested;
  s->exact_kind = store_by_name("full");
  s->asked = s->kind->open(config);
  s->exact = s->exact_kind->open(&exact);
  s->work.store = s;
  if (s->asked != NULL)
    s->asked_work = s->kind->begin(s->asked);
  if (s->exact != NULL)
    s->exact_work = s->exact_kind->begin(s->exact);
  if (s->asked_work != NULL && s->exact_work != NULL)
    return s;
  witness_close(s);
  return NULL;
}

static struct store_work *witness_begin(struct store *s) {
  return &s->work;
}

static void witness_end(struct store_work *work) {
  (void)work;
}

/* Notes what the exact store says of row i, to which the other gave its answer. */
static bool witness(struct store *s, const struct rows *rows, uint32_t i) {
  uint8_t truth, answer = rows->answer[i];
  uint64_t ref;
  struct rows one = {
      .batch = rows->batch, .hash = rows->hash + i, .answer = &truth, .ref = &ref};
  one.batch.rows = rows_at(rows, i);
  one.batch.edge += i;
  one.batch.n = 1;
  if (s->exact_kind->put(s->exact_work, &one, 0, 1) == 0)
    return false;
  counted.wrong += answer == STORE_OLD && truth == STORE_NEW;
  counted.contradictions += answer == STORE_NEW && truth == STORE_OLD;
  return true;
}

static uint32_t witness_put(struct store_work *work, struct rows *rows, uint32_t from,
                            uint32_t to) {
  struct store *s = work->store;
  struct store_usage before, after;
  for (; from < to; from++) {
    s->kind->usage(s->asked, &before);
    if (s->kind->put(s->asked_work, rows, from, from + 1) == from || !witness(s, rows, from))
      return from;
    s->kind->usage(s->asked, &after);
    double odds = after.wrong_matches - before.wrong_matches;
    counted.variance += odds * (1 + odds);
  }
  return to;
}

/* A new state that is called old here is dropped and will not be put. */
static void witness_find(struct store_work *work, struct rows *rows, uint32_t from,
                         uint32_t to) {
  struct store *s = work->store;
  s->kind->find(s->asked_work, rows, from, to);
  for (; from < to; from++)
    if (rows->answer[from] == STORE_OLD)
      witness(s, rows, from);
}

static void witness_prefetch(const struct store_work *work, const uint64_t *hash, uint32_t n) {
  const struct store *s = work->store;
  s->kind->prefetch(s->asked_work, hash, n);
}

static void witness_usage(const struct store *s, struct store_usage *usage) {
  s->kind->usage(s->asked, usage);
}

static const char *witness_check(struct store_work *work) {
  const struct store *s = work->store;
  const char *broken = s->kind->check(s->asked_work);
  return broken != NULL ? broken : s->exact_kind->check(s->exact_work);
}

static const struct store_kind store_witness = {.name = "witness",
                                                .summary = "asks two stores",
                                                .least = 1,
                                                .most = 64,
                                                .sized = true,
                                                .open = witness_open,
                                                .close = witness_close,
                                                .begin = witness_begin,
                                                .end = witness_end,
                                                .put = witness_put,
                                                .find = witness_find,
                                                .prefetch = witness_prefetch,
                                                .usage = witness_usage,
                                                .check = witness_check};

/* ---- searches ------------------------------------------------------------------------ */

struct plan {
  uint32_t seeds, first, most_models;
  uint64_t most_states;
  bool table;
  const struct frontier_kind *order;
};

struct totals {
  uint32_t models, rows, failed;
  double z_squares;
};

static struct totals totals;

static uint64_t search(const struct ts *ts, const struct plan *plan, struct budget *budget,
                       const struct store_config *store, uint64_t seed, double *estimate) {
  struct search_options options = {.store.kind =
                                       tested == NULL ? store_by_name("full") : &store_witness,
                                   .order.kind = plan->order,
                                   .store.parameter = store->parameter,
                                   .store.size = store->size,
                                   .keep_going = true,
                                   .limit.states = tested == NULL ? plan->most_states + 1 : 0,
                                   .seed = seed};
  struct search_result result;
  search_run(ts, &options, budget, &result);
  uint64_t stored = result.figures.stored;
  if (estimate != NULL)
    *estimate = result.figures.expected_wrong_matches;
  if (tested != NULL && result.guarantee != SEARCH_PROBABLE)
    counted.contradictions++;
  search_result_free(&result);
  return stored;
}

static void judge(const struct ts *ts, const struct plan *plan, struct budget *budget,
                  const struct store_config *store, uint64_t states) {
  double estimates = 0, lost = 0, n = plan->seeds;
  memset(&counted, 0, sizeof counted);
  for (uint32_t i = 0; i < plan->seeds; i++) {
    double estimate = 0;
    uint64_t stored = search(ts, plan, budget, store, plan->first + i, &estimate);
    estimates += estimate;
    lost += (double)states - (double)stored;
  }
  double error = sqrt(counted.variance) / n;
  double z = error > 0 ? ((double)counted.wrong - estimates) / n / error : 0;
  bool fine = fabs(z) <= 3 && counted.contradictions == 0;
  char name[40];
  if (store->size > 0)
    snprintf(name, sizeof name, "%s:%u,%llu", tested->name, store->parameter,
             (unsigned long long)store->size);
  else
    snprintf(name, sizeof name, "%s:%u", tested->name, store->parameter);
  const char *slash = strrchr(ts->shape->name, '/');
  const char *model = slash == NULL ? ts->shape->name : slash + 1;
  const char *form = plan->table ? "| %s | %llu | %s | %.2f | %.2f | %.2f | %+.1f | %.1f |%s\n"
                                 : "%-18s %8llu  %-20s %8.2f %8.2f %6.2f %+5.1f %9.1f%s\n";
  printf(form, model, (unsigned long long)states, name, (double)counted.wrong / n,
         estimates / n, error, z, lost / n, fine ? "" : " FAIL");
  fflush(stdout);
  totals.rows++;
  totals.failed += !fine;
  totals.z_squares += z * z;
}

/* As many bits that about 30 of n states are omitted: n^2 / 2^(bits + 1). */
static uint32_t bits_for_states(uint64_t n) {
  double bits = floor(2 * log2((double)n) - 1 - log2(30.0));
  return bits < 16 ? 16 : (uint32_t)bits;
}

static void judge_model(const struct ts *ts, const struct plan *plan, struct budget *budget) {
  tested = NULL;
  uint64_t n = search(ts, plan, budget, &(struct store_config){0}, 0, NULL);
  if (n < 200 || n > plan->most_states || totals.models >= plan->most_models)
    return;
  totals.models++;
  tested = store_by_name("compact");
  judge(ts, plan, budget, &(struct store_config){.parameter = bits_for_states(n)}, n);
  /* 20 bits per state and 3 set: three of a thousand; few states get less room. */
  uint64_t size = n < 4000 ? n : n * 5 / 2;
  tested = store_by_name("bitstate");
  judge(ts, plan, budget, &(struct store_config){.parameter = 3, .size = size}, n);
  judge(ts, plan, budget, &(struct store_config){.parameter = 2, .size = n / 3}, n);
  tested = store_by_name("bitline");
  judge(ts, plan, budget, &(struct store_config){.parameter = 3, .size = size}, n);
}

/* ---- models -------------------------------------------------------------------------- */

static void judge_file(const char *path, const struct plan *plan) {
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  struct diag *diag = diag_open(arena);
  const char *why = NULL;
  const struct source *source = source_read(arena, path, &why);
  const struct language *language = language_of_file(path);
  struct ir_model *model =
      source != NULL && language != NULL ? language->parse(arena, diag, source, NULL) : NULL;
  struct native_options options = {.compiler = NATIVE_TCC, .cache = ""};
  struct native_failure failure;
  struct native *native = model == NULL ? NULL : native_open(model, &options, budget, &failure);
  if (native != NULL) {
    judge_model(native_ts(native), plan, budget);
    native_close(native);
  }
  arena_close(arena);
  budget_close(budget);
}

static int is_model(const struct dirent *entry) {
  return language_of_file(entry->d_name) != NULL && strstr(entry->d_name, ".prop") == NULL;
}

/* The models of a folder by rounds: the first of each family, the second of each … */
static void judge_folder(const char *path, const struct plan *plan) {
  struct dirent **entry;
  int n = scandir(path, &entry, is_model, alphasort);
  if (n < 0) {
    judge_file(path, plan);
    return;
  }
  for (int version = '1'; version <= '9'; version++)
    for (int i = 0; i < n && totals.models < plan->most_models; i++) {
      const char *dot = strchr(entry[i]->d_name, '.');
      char name[4096];
      if (dot[1] != version && !(version == '1' && strchr(dot + 1, '.') == NULL))
        continue;
      snprintf(name, sizeof name, "%s/%s", path, entry[i]->d_name);
      judge_file(name, plan);
    }
  for (int i = 0; i < n; i++)
    free(entry[i]);
  free(entry);
}

static void judge_shared(const char *root, const struct plan *plan) {
  char path[4096];
  const char *shared = getenv("CAIRN_SHARED");
  snprintf(path, sizeof path, "%s%s/models/dve", shared != NULL ? shared : root,
           shared != NULL ? "" : "/../shared");
  judge_folder(path, plan);
}

int main(int argc, char **argv) {
  struct plan plan = {.seeds = 20,
                      .first = 1,
                      .most_models = UINT32_MAX,
                      .most_states = 100000,
                      .order = frontier_by_name("dfs")};
  for (int i = 1; i < argc; i++) {
    const char *value = argv[i][0] == '-' && i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "-t") == 0)
      plan.table = true;
    else if (argv[i][0] != '-')
      judge_folder(argv[i], &plan);
    else {
      uint32_t number = (uint32_t)strtoul(value, NULL, 10);
      switch (argv[i++][1]) {
      case 'r':
        plan.seeds = number;
        break;
      case 'f':
        plan.first = number;
        break;
      case 'm':
        plan.most_models = number;
        break;
      case 'n':
        plan.most_states = number;
        break;
      case 'o':
        plan.order = frontier_by_name(value);
        break;
      case 's':
        judge_shared(value, &plan);
        break;
      default:
        return 2;
      }
    }
  }
  printf("%u models, %u rows, %u off by more than three standard errors or wrong; mean square "
         "of z %.2f\n",
         totals.models, totals.rows, totals.failed,
         totals.rows > 0 ? totals.z_squares / totals.rows : 0);
  return totals.failed > 0 ? 1 : totals.models == 0 ? 77 : 0;
}
