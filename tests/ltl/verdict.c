/* verdict.c - whether a model satisfies a formula, by the plainest search of the product.
 *
 *    verdict MODEL FORMULA
 *
 * The whole way from two texts to an answer: the formula's expressions are read by the model's
 * language and become properties, the automaton of the negation runs beside the compiled
 * model, under the self-check, and the states of the product are listed one by one and
 * searched for a component that accepts. Prints "ok" or "acceptance-cycle", and how many states
 * there were. Exit status 1 after a message, 2 if the self-check complains.
 */
#include "base/bits.h"
#include "lang/lang.h"
#include "lang/ltl/components.h"
#include "native/native.h"
#include "ts/check.h"
#include "ts/list.h"
#include "ts/product.h"

#include <stdlib.h>
#include <string.h>

#define MOST_STATES 100000u

struct work {
  struct budget *budget;
  struct arena *arena;
  struct diag *diag;
  const struct language *language;
  struct ir_model *model;
};

static int give_up(const struct work *w, const char *why) {
  diag_print(w->diag, stderr, false);
  fprintf(stderr, "error: %s\n", why);
  return 1;
}

/* ---- the search ------------------------------------------------------------------------- */

struct state {
  uint8_t *row;
  uint32_t length;
};

struct search {
  const struct work *w;
  const struct ts *product, *checked;
  uint32_t stride;
  struct {
    struct state *at;
    uint32_t n, capacity;
  } states;
  uint32_t *slot; /* number + 1 */
  struct buchi_edges edges;
};

static uint32_t number_of(struct search *s, const uint8_t *row, uint32_t length) {
  uint64_t hash = length;
  for (uint32_t i = 0; i < length; i++) {
    hash ^= row[i];
    hash = bits_next_random(&hash);
  }
  uint32_t at = (uint32_t)hash % (2 * MOST_STATES);
  for (; s->slot[at] != 0; at = (at + 1) % (2 * MOST_STATES)) {
    const struct state *other = &s->states.at[s->slot[at] - 1];
    if (other->length == length && memcmp(other->row, row, length) == 0)
      return s->slot[at] - 1;
  }
  struct state *state = ARENA_PUSH(s->w->arena, &s->states);
  state->row = arena_alloc(s->w->arena, s->stride);
  state->length = length;
  memcpy(state->row, row, s->stride);
  s->slot[at] = s->states.n;
  return s->states.n - 1;
}

static bool expand(struct search *s, struct list *list, uint32_t from) {
  const struct state state = s->states.at[from];
  if (!list_fill(list, s->checked, ts_code(s->checked), state.row, state.length, NULL))
    return false;
  for (uint32_t i = 0; i < list->batch.n; i++) {
    const struct ts_edge *e = &list->batch.edge[i];
    if (e->kind == TS_MODEL_ERROR)
      continue;
    const uint32_t to = number_of(s, list_row(list, i), e->length);
    *ARENA_PUSH(s->w->arena, &s->edges) = (struct buchi_edge){
        from, to, ts_code(s->product)->marks(s->product, state.row, state.length, e->event),
        label_true};
  }
  return s->states.n < MOST_STATES;
}

static bool explore(struct search *s) {
  struct list list;
  if (!list_open(&list, s->product->shape, 64, s->w->budget))
    return false;
  uint8_t *row = arena_alloc(s->w->arena, s->stride);
  number_of(s, row, ts_code(s->checked)->initial(s->checked, 0, row));
  bool fine = true;
  for (uint32_t i = 0; fine && i < s->states.n; i++)
    fine = expand(s, &list, i);
  list_free(&list);
  return fine;
}

static bool has_accepting_cycle(struct search *s, uint32_t n_marks) {
  const struct buchi like = {.arena = s->w->arena, .n_marks = n_marks};
  const struct buchi *graph = buchi_make(&like, s->states.n, 0, &s->edges);
  const struct components *c = components_of(graph);
  for (uint32_t i = 0; i < c->n; i++)
    if (c->accepting[i])
      return true;
  return false;
}

static int search_product(struct work *w, const struct ts *system, const struct claim *claim) {
  const char *why = NULL;
  struct ts *product = ts_product_open(system, claim, w->budget, &why);
  struct ts *checked = product == NULL ? NULL : ts_check_open(product, w->budget);
  if (checked == NULL)
    return give_up(w, why);
  struct search s = {
      .w = w, .product = product, .checked = checked, .stride = ts_stride(product->shape)};
  s.slot = ARENA_ARRAY(w->arena, 2 * MOST_STATES, uint32_t);
  const bool fine = explore(&s);
  if (fine)
    printf("%s\t%u\n", has_accepting_cycle(&s, claim->n_marks) ? "acceptance-cycle" : "ok",
           s.states.n);
  const char *complaint = ts_check_complaint(checked);
  if (complaint != NULL)
    fprintf(stderr, "the self-check says: %s\n", complaint);
  const int status = complaint != NULL ? 2 : fine ? 0 : give_up(w, "too many states");
  ts_check_close(checked);
  ts_product_close(product);
  return status;
}

/* ---- from texts ------------------------------------------------------------------------- */

static int run(struct work *w, const char *path, const char *text) {
  static const char *const none[] = {"none"};
  const struct language_options how = {.claim = none, .n_claims = 1};
  struct native_options compile = {.compiler = NATIVE_TCC, .cache = ""};
  struct native_failure failure = {0};
  const char *why = NULL;
  const struct source *source = source_read(w->arena, path, &why);
  w->language = language_of_file(path);
  if (source == NULL || w->language == NULL)
    return give_up(w, why == NULL ? "the name has no known ending" : why);
  w->model = w->language->parse(w->arena, w->diag, source, &how);
  if (w->model == NULL)
    return give_up(w, "the model has errors");
  if (!language_add_formula(w->language, w->model, w->diag,
                            source_make(w->arena, "formula", text, (uint32_t)strlen(text))))
    return give_up(w, "the formula has errors");
  struct native *native = native_open(w->model, &compile, w->budget, &failure);
  if (native == NULL)
    return give_up(w, failure.why);
  const int status = search_product(w, native_ts(native), &w->model->claims.at[0]);
  native_close(native);
  return status;
}

int main(int argc, char **argv) {
  struct work w = {.budget = budget_open(0)};
  w.arena = arena_open(w.budget, BUDGET_MODEL);
  w.diag = diag_open(w.arena);
  if (argc != 3) {
    fputs("usage: verdict MODEL FORMULA\n", stderr);
    return 1;
  }
  const int status = run(&w, argv[1], argv[2]);
  arena_close(w.arena);
  budget_close(w.budget);
  return status;
}
