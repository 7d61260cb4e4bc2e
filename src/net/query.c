/* query.c - the same. */
#include "net/query.h"

#include "net/fire.h"

#include <string.h>

/* ---- groups that are not decided yet ---------------------------------------------------- */

static void keep_all(const struct net_queries *q, struct net_query *query, uint32_t n) {
  query->left = ARENA_ARRAY(q->model->net->arena, n, uint32_t);
  query->n_left = n;
  for (uint32_t i = 0; i < n; i++)
    query->left[i] = i;
}

static bool is_fireable(const struct net_queries *q, uint32_t group, const uint8_t *state) {
  const struct net_group *g = &q->model->net->transition_group[group];
  for (uint32_t i = 0; i < g->n; i++)
    if (net_enabled(q->model, g->first + i, state))
      return true;
  return false;
}

/* Tokens of all colours, as everywhere in the contest's questions. */
static uint64_t tokens_of(const struct net_queries *q, uint32_t group, const uint8_t *state) {
  const struct net_group *g = &q->model->net->place_group[group];
  uint64_t tokens = g->constant;
  for (uint32_t i = 0; i < g->n; i++)
    tokens += net_tokens(q->model->layout, g->first + i, state);
  return tokens;
}

/* Groups that the marking does not decide stay. */
static void sieve(const struct net_queries *q, struct net_query *query, const uint8_t *state) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < query->n_left; i++) {
    bool stays = query->kind == NET_STABLE ? tokens_of(q, query->left[i], state) ==
                                                 tokens_of(q, query->left[i], q->initial)
                                           : !is_fireable(q, query->left[i], state);
    if (stays)
      query->left[n++] = query->left[i];
  }
  query->n_left = n;
}

static bool is_one_safe(const struct net_queries *q, const uint8_t *state) {
  const struct net *net = q->model->net;
  for (uint32_t i = 0; i < net->n_place_groups; i++)
    if (tokens_of(q, i, state) > 1)
      return false;
  return true;
}

/* ---- one query and one marking --------------------------------------------------------------
 */

static void look(const struct net_queries *q, struct net_query *query, const uint8_t *state) {
  int64_t value = 0;
  switch (query->kind) {
  case NET_POSSIBLE:
    if (net_evaluate(q->model->fire, query->term, state) != 0)
      query->answer = NET_TRUE;
    break;
  case NET_ALWAYS:
    if (net_evaluate(q->model->fire, query->term, state) == 0)
      query->answer = NET_FALSE;
    break;
  case NET_BOUND:
    value = net_evaluate(q->model->fire, query->term, state);
    query->number = value > query->number ? value : query->number;
    break;
  case NET_ONE_SAFE:
    if (!is_one_safe(q, state))
      query->answer = NET_FALSE;
    break;
  default:
    sieve(q, query, state);
    if (query->n_left == 0)
      query->answer = query->kind == NET_STABLE ? NET_FALSE : NET_TRUE;
  }
}

/* A place without tokens that change is stable; a transition without any instance left is
 * never enabled. */
static void begin(const struct net_queries *q, struct net_query *query) {
  const struct net *net = q->model->net;
  if (query->kind == NET_STABLE) {
    keep_all(q, query, net->n_place_groups);
    for (uint32_t i = 0; i < net->n_place_groups; i++)
      if (net->place_group[i].n == 0)
        query->answer = NET_TRUE;
  } else if (query->kind == NET_QUASI_LIVE) {
    keep_all(q, query, net->n_transition_groups);
    for (uint32_t i = 0; i < net->n_transition_groups; i++)
      if (net->transition_group[i].n == 0)
        query->answer = NET_FALSE;
    if (net->n_transition_groups == 0)
      query->answer = NET_TRUE;
  }
}

void net_queries_begin(struct net_queries *q, const struct net_model *model,
                       struct net_query *query, uint32_t n) {
  struct arena *arena = model->net->arena;
  uint8_t *initial = arena_alloc(arena, model->layout->bytes + 8u);
  *q = (struct net_queries){.model = model, .query = query, .n = n, .initial = initial};
  q->open = ARENA_ARRAY(arena, n, uint32_t);
  ts_code(&model->ts)->initial(&model->ts, 0, initial);
  for (uint32_t i = 0; i < n; i++) {
    query[i].number = INT64_MIN;
    query[i].answer = NET_UNKNOWN;
    begin(q, &query[i]);
    if (query[i].kind < NET_RUNS && query[i].answer == NET_UNKNOWN)
      q->open[q->n_open++] = i;
  }
}

bool net_queries_visit(struct net_queries *q, const uint8_t *state) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < q->n_open; i++) {
    struct net_query *query = &q->query[q->open[i]];
    look(q, query, state);
    if (query->answer == NET_UNKNOWN)
      q->open[n++] = q->open[i];
  }
  q->n_open = n;
  return n > 0;
}

void net_queries_found(struct net_queries *q, const char *id, bool accepted) {
  for (uint32_t i = 0; i < q->n; i++)
    if (q->query[i].kind == NET_RUNS && strcmp(q->query[i].id, id) == 0)
      q->query[i].answer = accepted != q->query[i].inverted ? NET_FALSE : NET_TRUE;
}

void net_queries_end(struct net_queries *q) {
  static const enum net_answer answer[] = {
      [NET_POSSIBLE] = NET_FALSE, [NET_ALWAYS] = NET_TRUE,      [NET_BOUND] = NET_NUMBER,
      [NET_ONE_SAFE] = NET_TRUE,  [NET_QUASI_LIVE] = NET_FALSE, [NET_STABLE] = NET_TRUE};
  for (uint32_t i = 0; i < q->n_open; i++)
    q->query[q->open[i]].answer = answer[q->query[q->open[i]].kind];
  q->n_open = 0;
}
