/* test_compiled.c - the language wing from text to code, under the self-check.
 *
 *   test_compiled [-n STATES] [-c] [-f] [-s ROOT] MODEL-OR-FOLDER…
 *
 * Each model is compiled by libtcc and visited breadth-first, up to that many
 * states, through ts_check(): facts that its code does not bear out are found.
 * With -c the system's compiler compiles the same text, and has to give the same
 * successors for every state, in batches of another size. With -f that is code in which
 * locations share what they can, by libtcc without -c. -s adds the BEEM models
 * of the folder CAIRN_SHARED, or else of ROOT/../shared. Texts that are no model
 * are passed over: other tests are about those. Exit 77, skipped, without models.
 */
#include "lang/lang.h"
#include "native/native.h"
#include "ts/check.h"
#include "ts/list.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct visit { /* states seen, in order; a table of their numbers + 1 */
  struct budget *budget;
  const struct ts_shape *shape;
  size_t stride;
  uint32_t n, most, mask;
  uint8_t *states;
  uint32_t *lengths, *table;
  uint64_t edges;
};

static struct how {
  uint32_t most;
  bool with_cc, folded;
} how = {.most = 500};

static struct totals { uint32_t models, passed_over, failed; } totals;

static bool open_visit(struct visit *visit, struct budget *budget, const struct ts_shape *shape,
                       uint32_t most) {
  *visit = (struct visit){.budget = budget,
                          .shape = shape,
                          .stride = ts_stride(shape) > 0 ? ts_stride(shape) : 8,
                          .most = most,
                          .mask = 1};
  while (visit->mask < 2 * most)
    visit->mask = 2 * visit->mask + 1;
  visit->states = budget_alloc(budget, BUDGET_OTHER, most * visit->stride);
  visit->lengths = budget_alloc(budget, BUDGET_OTHER, most * sizeof(uint32_t));
  visit->table = budget_alloc(budget, BUDGET_OTHER, (visit->mask + 1) * sizeof(uint32_t));
  return visit->states != NULL && visit->lengths != NULL && visit->table != NULL;
}

static void close_visit(struct visit *visit) {
  budget_free(visit->budget, BUDGET_OTHER, visit->states, visit->most * visit->stride);
  budget_free(visit->budget, BUDGET_OTHER, visit->lengths, visit->most * sizeof(uint32_t));
  budget_free(visit->budget, BUDGET_OTHER, visit->table, (visit->mask + 1) * sizeof(uint32_t));
}

static uint8_t *state_at(const struct visit *visit, uint32_t i) {
  return visit->states + i * visit->stride;
}

static void add(struct visit *visit, const uint8_t *row, uint32_t length) {
  uint64_t hash = length;
  for (size_t i = 0; i < ts_stride(visit->shape); i++)
    hash = (hash ^ row[i]) * UINT64_C(0x100000001B3);
  uint32_t at = (uint32_t)(hash ^ hash >> 32) & visit->mask;
  for (; visit->table[at] != 0; at = (at + 1) & visit->mask) {
    uint32_t other = visit->table[at] - 1;
    if (visit->lengths[other] == length && memcmp(state_at(visit, other), row, length) == 0)
      return;
  }
  if (visit->n == visit->most)
    return;
  memcpy(state_at(visit, visit->n), row, ts_stride(visit->shape));
  visit->lengths[visit->n++] = length;
  visit->table[at] = visit->n;
}

/* The same successors from both, or the first difference in words. */
static const char *compare(const struct list *a, const struct list *b) {
  if (a->batch.n != b->batch.n)
    return "the compilers disagree on the number of events";
  for (uint32_t i = 0; i < a->batch.n; i++) {
    const struct ts_edge *one = &a->batch.edge[i], *other = &b->batch.edge[i];
    if (memcmp(&one->event, &other->event, sizeof one->event) != 0 ||
        one->kind != other->kind || (one->kind != TS_FINE && one->fault != other->fault))
      return "the compilers disagree on an event";
    if (one->kind != TS_MODEL_ERROR &&
        (one->length != other->length || one->changed != other->changed ||
         memcmp(list_row(a, i), list_row(b, i), a->batch.stride) != 0))
      return "the compilers disagree on a successor";
  }
  return NULL;
}

static uint32_t violated(const struct ts *ts, const uint8_t *state, uint32_t length,
                         uint32_t *fault) {
  *fault = TS_NONE;
  return ts_code(ts)->violated(ts, state, length, 0, fault);
}

/* Expands one state by `ts`, and by `other` if there is one. */
static const char *expand(struct visit *visit, const struct ts *ts, const struct ts *other,
                          struct list *list, struct list *second, uint32_t i) {
  const uint8_t *state = state_at(visit, i);
  uint32_t length = visit->lengths[i], fault, other_fault;
  if (!list_fill(list, ts, ts_code(ts), state, length, NULL))
    return "out of memory";
  uint32_t property = violated(ts, state, length, &fault);
  if (other != NULL) {
    if (!list_fill(second, other, ts_code(other), state, length, NULL))
      return "out of memory";
    const char *difference = compare(list, second);
    if (difference != NULL)
      return difference;
    if (property != violated(other, state, length, &other_fault) || fault != other_fault)
      return "the compilers disagree on a property";
  }
  visit->edges += list->batch.n;
  for (uint32_t k = 0; k < list->batch.n; k++)
    if (list->batch.edge[k].kind != TS_MODEL_ERROR)
      add(visit, list_row(list, k), list->batch.edge[k].length);
  return ts_check_complaint(ts);
}

static const char *walk(struct visit *visit, const struct ts *ts, const struct ts *other) {
  struct list list, second;
  const char *wrong = "out of memory";
  if (!list_open(&list, visit->shape, 3, visit->budget))
    return wrong;
  if (list_open(&second, visit->shape, 64, visit->budget)) {
    wrong = NULL;
    for (uint32_t i = 0; i < visit->shape->n_initial; i++) {
      memset(list.batch.rows, 0, visit->stride);
      uint32_t length = ts_code(ts)->initial(ts, i, list.batch.rows);
      add(visit, list.batch.rows, length);
    }
    for (uint32_t i = 0; i < visit->n && wrong == NULL; i++)
      wrong = expand(visit, ts, other, &list, &second, i);
    list_free(&second);
  }
  list_free(&list);
  return wrong;
}

/* Walks through a compiled model; prints what is wrong, if anything. */
static bool check(const char *path, struct native *native, struct native *other,
                  struct budget *budget, uint32_t most) {
  const struct ts *inner = native_ts(native);
  struct ts *ts = ts_check_open(inner, budget);
  struct visit visit;
  const char *wrong = "out of memory";
  if (open_visit(&visit, budget, inner->shape, most) && ts != NULL)
    wrong = walk(&visit, ts, other != NULL ? native_ts(other) : NULL);
  struct native_figures figures, later = {0};
  native_figures(native, &figures);
  if (other != NULL)
    native_figures(other, &later);
  printf("%s %s: %u states, %llu events; emit %.1f ms, tcc %.1f ms, cc %.0f ms%s%s\n",
         wrong == NULL ? "ok  " : "FAIL", path, visit.n, (unsigned long long)visit.edges,
         figures.emit * 1e3, figures.tcc * 1e3, later.cc * 1e3, wrong == NULL ? "" : "\n     ",
         wrong == NULL ? "" : wrong);
  close_visit(&visit);
  ts_check_close(ts);
  return wrong == NULL;
}

static bool compile_and_check(const char *path, struct ir_model *model, struct budget *budget) {
  const bool with_other = how.with_cc || how.folded;
  struct native_failure failure;
  struct native_options options = {.compiler = NATIVE_TCC, .cache = ""};
  struct native *native = native_open(model, &options, budget, &failure), *other = NULL;
  options.compiler = how.with_cc ? NATIVE_CC : NATIVE_TCC;
  options.fold_all = how.folded;
  if (native != NULL && with_other)
    other = native_open(model, &options, budget, &failure);
  bool good = native != NULL && (other != NULL || !with_other);
  if (!good)
    printf("FAIL %s: %s\n", path, failure.why);
  good = good && check(path, native, other, budget, how.most);
  native_close(other);
  native_close(native);
  return good;
}

static void run_file(const char *path) {
  struct budget *budget = budget_open(0);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  struct diag *diag = diag_open(arena);
  const char *why = NULL;
  const struct source *source = source_read(arena, path, &why);
  const struct language *language = language_of_file(path);
  struct ir_model *model =
      source != NULL && language != NULL ? language->parse(arena, diag, source, NULL) : NULL;
  if (model == NULL) {
    totals.passed_over++;
  } else {
    totals.models++;
    totals.failed += !compile_and_check(path, model, budget);
  }
  arena_close(arena);
  budget_close(budget);
}

static int is_model(const struct dirent *entry) {
  const struct language *language = language_of_file(entry->d_name);
  return language != NULL && language->parse != NULL; /* else its models are not compiled */
}

static void run(const char *path) {
  struct dirent **entry;
  int n = scandir(path, &entry, is_model, alphasort);
  if (n < 0) {
    run_file(path);
    return;
  }
  for (int i = 0; i < n; i++) {
    char name[4096];
    snprintf(name, sizeof name, "%s/%s", path, entry[i]->d_name);
    run_file(name);
    free(entry[i]);
  }
  free(entry);
}

static void run_shared(const char *root) {
  char path[4096];
  const char *shared = getenv("CAIRN_SHARED");
  if (shared != NULL)
    snprintf(path, sizeof path, "%s/models/dve", shared);
  else
    snprintf(path, sizeof path, "%s/../shared/models/dve", root);
  run(path);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-c") == 0)
      how.with_cc = true;
    else if (strcmp(argv[i], "-f") == 0)
      how.folded = true;
    else if (strcmp(argv[i], "-n") == 0 && i + 1 < argc)
      how.most = (uint32_t)strtoul(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "-s") == 0 && i + 1 < argc)
      run_shared(argv[++i]);
    else
      run(argv[i]);
    fflush(stdout);
  }
  printf("%u models, %u texts passed over, %u failed\n", totals.models, totals.passed_over,
         totals.failed);
  return totals.failed > 0 ? 1 : totals.models == 0 ? 77 : 0;
}
