/* combination.c - one way to search: an order, a store, and what may be forgotten. */
#include "combination.h"

#include "base/bits.h"
#include "search/frontier/frontier.h"
#include "search/reduce/reduce.h"
#include "search/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kind whose hashes are made narrow: open() has no other way to know. */
static const struct store_kind *narrowed;

static struct store *open_narrow(const struct store_config *config) {
  struct store_config narrow = *config;
  narrow.hash_bits = 8;
  return narrowed->open(&narrow);
}

/* What is made so far. */
struct making {
  struct combination *list, one;
  uint32_t n, room;
  char order[24];
};

static void make_room(struct making *m) {
  if (m->n < m->room)
    return;
  m->room = m->room == 0 ? 1024 : 2 * m->room;
  m->list = realloc(m->list, m->room * sizeof *m->list);
  if (m->list == NULL) {
    fputs("there is no memory for the list of all ways to search\n", stderr);
    exit(2);
  }
}

static void add(struct making *m, const char *strategy) {
  struct combination *one = &m->one;
  const struct search_options *options = &one->options;
  if (search_refusal(options) != NULL)
    return;
  make_room(m);
  struct combination *to = &m->list[m->n++];
  *to = *one;
  snprintf(to->name, sizeof to->name, "%s/%s%s%s/%s%s%s%s", m->order, one->kind->name,
           one->narrow ? "~" : "", options->store.moves ? ">" : "",
           options->forget.kind == NULL ? "none" : options->forget.kind->name,
           strategy == NULL ? "" : ":", strategy == NULL ? "" : strategy,
           options->forget.chain ? "^" : "");
  if (options->reduce.kind == NULL)
    return;
  static const char *const orders[] = {"", "<", "?"};
  char *end = to->name + strlen(to->name);
  const struct reduction_kind *beside = options->reduce.beside;
  snprintf(end, sizeof to->name - strlen(to->name), "/%s%s%s%.0u%s%s",
           options->reduce.kind->name, beside == NULL ? "" : "+",
           beside == NULL ? "" : beside->name, options->reduce.parameter,
           options->reduce.forced ? "!" : "", orders[one->action_order]);
}

/* Every way to forget, and not to. */
static void add_forgetting(struct making *m) {
  static const char *const strategies[] = {"age",    "-in-degree", "frequency+out-degree",
                                           "far",    "entry",      "stratified/3/1+random",
                                           "share/3"};
  static const struct measure any;
  const char *why;
  m->one.options.forget.kind = NULL;
  m->one.options.forget.progress = NULL;
  m->one.options.forget.chain = false;
  add(m, NULL);
  for (uint32_t f = 0; forget_kinds[f] != NULL; f++)
    for (uint32_t s = 0; s < sizeof strategies / sizeof *strategies; s++)
      for (uint32_t chain = 0; chain < 2; chain++) {
        struct search_options *options = &m->one.options;
        options->forget.kind = forget_kinds[f];
        options->forget.chain = chain;
        options->forget.strategy = &m->one.strategy;
        if ((options->forget.kind->traits & FORGET_ONCE) && s > 0)
          continue; /* it knows no strategies */
        options->forget.progress = options->forget.kind->traits & FORGET_CLASSES ? &any : NULL;
        if (strategy_parse(&m->one.strategy, strategies[s], &why))
          add(m, strategies[s]);
      }
}

/* The number after this one that is tried: the first, one between, and the last are enough. */
static uint32_t next_number(const struct reduction_kind *kind, uint32_t number) {
  uint32_t middle = kind->least + (kind->most - kind->least) / 2;
  return number == kind->most ? number + 1 : number < middle ? middle : kind->most;
}

/* The same beside each one that chooses. */
static void add_beside(struct making *m) {
  struct search_reduce_options *reduce = &m->one.options.reduce;
  const struct reduction_kind *kind = reduce->kind;
  for (uint32_t r = 0; reduction_kinds[r] != NULL; r++)
    if ((reduction_kinds[r]->traits & REDUCTION_CHOOSES) && reduction_kinds[r] != kind) {
      reduce->kind = reduction_kinds[r];
      reduce->beside = kind;
      add_forgetting(m);
    }
  reduce->kind = kind;
  reduce->beside = NULL;
}

/* Every reduction with every order of actions, and none. */
static void add_reductions(struct making *m) {
  static const uint32_t any;
  struct search_options *options = &m->one.options;
  options->reduce.kind = NULL;
  options->reduce.action_rank = NULL;
  m->one.action_order = 0;
  add_forgetting(m);
  for (uint32_t r = 0; reduction_kinds[r] != NULL; r++)
    for (uint32_t p = reduction_kinds[r]->least; p <= reduction_kinds[r]->most;
         p = next_number(reduction_kinds[r], p))
      for (uint32_t forced = 0; forced < 2; forced++)
        for (uint32_t order = 0; order < 3; order++) {
          if (forced && !(reduction_kinds[r]->traits & REDUCTION_LOSES))
            continue;
          options->reduce.kind = reduction_kinds[r];
          options->reduce.parameter = p;
          options->reduce.forced = forced;
          options->reduce.action_rank = order == 0 ? NULL : &any;
          m->one.action_order = order;
          add_forgetting(m);
          add_beside(m);
        }
  options->reduce.kind = NULL;
  options->reduce.action_rank = NULL;
  options->reduce.forced = false;
  m->one.action_order = 0;
}

static void add_stores(struct making *m) {
  for (uint32_t s = 0; store_kinds[s] != NULL; s++)
    for (uint32_t narrow = 0; narrow < 2; narrow++)
      for (uint32_t moves = 0; moves < 2; moves++) {
        const struct store_kind *kind = store_kinds[s];
        if (((narrow || moves) && !(kind->has & STORE_EXACT)) || (narrow && moves) ||
            (moves && s > 0))
          continue;
        m->one.kind = m->one.options.store.kind = kind;
        m->one.narrow = narrow;
        m->one.options.store.moves = moves;
        m->one.options.store.size = kind->sized ? 4096 : 0;
        add_reductions(m);
      }
}

struct combination *combination_all(uint32_t *n) {
  static const uint64_t numbers[][2] = {{1, 1}, {2, 3}, {0, 2}};
  static const struct measure any;
  static struct making m;
  m = (struct making){.list = NULL};
  m.one.options.parents = true;
  for (uint32_t o = 0; frontier_kinds[o] != NULL; o++) {
    const struct frontier_kind *order = frontier_kinds[o];
    m.one.options.order.kind = order;
    m.one.options.order.measure = order->traits & FRONTIER_MEASURED ? &any : NULL;
    for (uint32_t i = 0; i < (order->n_parameters == 0 ? 1u : order->n_parameters + 1); i++) {
      for (uint32_t k = 0; k < 2; k++)
        m.one.options.order.parameter[k] = k < order->n_parameters ? numbers[i][k] : 0;
      if (order->n_parameters == 1)
        snprintf(m.order, sizeof m.order, "%s:%u", order->name, (unsigned)numbers[i][0]);
      else if (order->n_parameters == 2)
        snprintf(m.order, sizeof m.order, "%s:%u,%u", order->name, (unsigned)numbers[i][0],
                 (unsigned)numbers[i][1]);
      else
        snprintf(m.order, sizeof m.order, "%s", order->name);
      add_stores(&m);
    }
  }
  *n = m.n;
  return m.list;
}

uint32_t combination_keep(struct combination *list, uint32_t n, const char *part) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++)
    if (strcmp(list[i].name, part) == 0) {
      list[0] = list[i];
      return 1;
    }
  for (uint32_t i = 0; i < n; i++)
    if (strstr(list[i].name, part) != NULL)
      list[kept++] = list[i];
  return kept;
}

/* Some of the slots, some of them falling. */
static void some_measure(struct measure *measure, const struct ts *ts, uint64_t *random) {
  *measure = (struct measure){.ts = ts};
  for (uint32_t n = 1 + (uint32_t)(bits_next_random(random) % 3); n-- > 0;)
    measure_add_slot(measure, (uint32_t)(bits_next_random(random) % ts->shape->n_variables),
                     bits_next_random(random) % 4 == 0);
}

/* Backwards, or any. */
static void rank_actions(struct combination *one, uint32_t n, uint64_t *random) {
  for (uint32_t a = 0; a < n; a++)
    one->rank[a] = n - 1 - a;
  for (uint32_t i = n; one->action_order == 2 && i > 1; i--) {
    uint32_t k = (uint32_t)(bits_next_random(random) % i), kept = one->rank[i - 1];
    one->rank[i - 1] = one->rank[k];
    one->rank[k] = kept;
  }
}

/* Of three numbers up to `most` the largest: small caches seldom have room for the tree. */
static uint64_t some_size(uint64_t most, uint64_t *random) {
  uint64_t size = 0;
  for (uint32_t i = 0; i < 3; i++) {
    uint64_t one = 1 + bits_next_random(random) % most;
    size = one > size ? one : size;
  }
  return size;
}

enum { SAMPLES = 512 }; /* states that a store looks at beforehand */

struct search_options combination_options(struct combination *one, const struct ts *ts,
                                          uint32_t n_states, uint64_t seed) {
  uint64_t random = seed ^ 77;
  one->store = *one->kind;
  if (one->store.samples > SAMPLES) /* most of that room would be taken for nothing */
    one->store.samples = SAMPLES;
  if (one->narrow) {
    narrowed = one->kind;
    one->store.open = open_narrow;
  }
  struct search_options options = one->options;
  options.store.kind = one->options.store.moves ? one->kind : &one->store;
  options.store.move_after = options.store.moves ? 1 + bits_next_random(&random) % n_states : 0;
  /* So few states need no more, and they take each other's places. */
  options.store.rebuild.cached = 1 + (uint32_t)(seed % 64);
  options.forget.strategy = options.forget.kind == NULL ? NULL : &one->strategy;
  if (options.order.measure != NULL) {
    some_measure(&one->order_measure, ts, &random);
    options.order.measure = &one->order_measure;
  }
  if (options.forget.progress != NULL) {
    some_measure(&one->progress, ts, &random);
    options.forget.progress = &one->progress;
  }
  options.reduce.action_rank = NULL;
  /* Graphs of many actions are there to press on memory, whatever the order. */
  if (one->action_order > 0 && ts->shape->n_actions <= COMBINATION_ACTIONS) {
    rank_actions(one, ts->shape->n_actions, &random);
    options.reduce.action_rank = one->rank;
  }
  if (options.reduce.kind != NULL && bits_next_random(&random) % 2 == 0)
    options.reduce.without =
        (unsigned)(bits_next_random(&random) % ((1u << SEARCH_GRADES) - 1));
  if (options.reduce.kind != NULL && bits_next_random(&random) % 2 == 0)
    options.reduce.judge_at = 4 + bits_next_random(&random) % 32; /* grades rest, and stop */
  if (options.forget.kind != NULL) {
    if ((options.forget.kind->traits & FORGET_DROPS) &&
        (!(options.forget.kind->traits & FORGET_ONCE) || bits_next_random(&random) % 2 == 0))
      options.forget.cache_size = some_size(n_states + 3, &random);
    if (options.forget.kind->traits & FORGET_COUNTS) { /* some are shared */
      options.forget.parameter =
          options.forget.kind->least + (uint32_t)(bits_next_random(&random) % 4);
      options.store.hash_bits = one->narrow ? 6 : 0; /* the first search misses states */
    }
    options.limit.visits = 300 * (uint64_t)n_states;
    if (bits_next_random(&random) % 2 == 0) /* the tree is made later, where that can be */
      options.store.move_after = 1 + bits_next_random(&random) % n_states;
    if (options.forget.progress != NULL && bits_next_random(&random) % 2 == 0)
      options.forget.cache_size = 0;
  }
  return options;
}
