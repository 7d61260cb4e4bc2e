/* queries.c - `cairn check NET --queries FILE`: formulas of the Model Checking Contest.
 *
 * Answers take the place of the verdict. An answer that one marking gives is right however
 * the search ended; the others need all markings, from an exact search.
 */
#include "cli/check.h"

#include "lang/pnml/queries.h"

#include <inttypes.h>
#include <string.h>

/* A name of a question, or a file. */
static bool read_one(struct check *c, const char *text, struct queries_list *list) {
  struct loaded *l = &c->loaded;
  const struct net *net = loaded_net(l)->net;
  if (queries_named(list, net, text))
    return true;
  const char *why = NULL;
  const struct source *source = source_read(l->arena, text, &why);
  if (source == NULL)
    return loaded_fail(l, 2, "--queries %s: %s", text, why);
  struct diag *diag = diag_open(l->arena);
  bool fine = queries_read(list, net, diag, source);
  loaded_say(l, diag);
  if (!fine) {
    l->status = 2;
    l->why = "the formulas have errors";
  }
  return fine;
}

static bool read_all(struct check *c) {
  struct loaded *l = &c->loaded;
  struct queries_list list = {.n = 0};
  uint32_t cursor = 0;
  if (loaded_net(l) == NULL)
    return loaded_fail(l, 2, "--queries is for Petri nets, and %s is none", l->path);
  for (const char *text; (text = options_next(c->o, OPTION_QUERIES, &cursor)) != NULL;)
    if (!read_one(c, text, &list))
      return false;
  if (list.n == 0)
    return loaded_fail(l, 2, "--queries: there is no formula in it");
  net_queries_begin(&c->queries, loaded_net(l), list.at, list.n);
  for (uint32_t i = 0; i < list.n; i++)
    if (list.at[i].kind == NET_RUNS)
      net_add_claims(l->ts, list.at[i].atom, list.at[i].claim->n_atoms, list.at[i].claim, 1);
  return true;
}

bool check_read_queries(struct check *c) {
  jmp_buf at;
  if (!check_given(c, OPTION_QUERIES))
    return true;
  if (setjmp(at) != 0)
    return loaded_spent(&c->loaded);
  arena_guard(c->loaded.arena, &at);
  bool fine = read_all(c);
  arena_guard(c->loaded.arena, NULL);
  return fine;
}

static const char *answer_text(struct check *c, const struct net_query *query) {
  switch (query->answer) {
  case NET_TRUE:
    return "TRUE";
  case NET_FALSE:
    return "FALSE";
  case NET_NUMBER:
    return arena_printf(c->loaded.arena, "%" PRId64, query->number);
  default:
    return NULL;
  }
}

/* The search has found a run that its claim accepts. */
static bool is_accepted(const struct check *c) {
  const enum search_error_kind kind = c->now.result.error.kind;
  return (kind == SEARCH_CLAIM || kind == SEARCH_ACCEPTANCE) && c->now.outcome.reason == NULL &&
         c->now.result.internal_error == NULL;
}

void check_answer_queries(struct check *c) {
  const struct search_result *r = &c->now.result;
  if (c->queries.n == 0)
    return;
  const bool complete = r->limit == SEARCH_NO_LIMIT && r->guarantee == SEARCH_EXACT &&
                        r->error.kind == SEARCH_NO_ERROR && c->now.outcome.reason == NULL;
  if (c->now.product == NULL && complete)
    net_queries_end(&c->queries);
  else if (c->now.product != NULL && (complete || is_accepted(c)))
    net_queries_found(&c->queries, c->now.product->shape->product_of->name, !complete);
  struct outcome_answer *answer =
      ARENA_ARRAY(c->loaded.arena, c->queries.n, struct outcome_answer);
  for (uint32_t i = 0; i < c->queries.n; i++) {
    const struct net_query *query = &c->queries.query[i];
    answer[i].id = query->id;
    answer[i].answer = answer_text(c, query);
    if (answer[i].answer == NULL)
      answer[i].why = query->why != NULL ? query->why : "not all markings were visited";
  }
  c->now.outcome.answer = answer;
  c->now.outcome.n_answers = c->queries.n;
}
