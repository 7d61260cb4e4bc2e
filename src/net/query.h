/* query.h - questions about all markings of a net, answered while a search visits them.
 *
 * Many questions share one search. Each is decided by the first marking that decides it (a
 * witness, a counterexample), and then costs nothing; what no marking decided has its
 * answer when all have been visited.
 */
#ifndef CAIRN_NET_QUERY_H
#define CAIRN_NET_QUERY_H

#include "net/model.h"

enum net_query_kind {
  NET_POSSIBLE,    /* some marking has the condition */
  NET_ALWAYS,      /* all markings have it */
  NET_BOUND,       /* the largest value */
  NET_ONE_SAFE,    /* no place, all its colours together, ever holds two tokens */
  NET_QUASI_LIVE,  /* every transition is enabled somewhere, for some colours */
  NET_STABLE,      /* some place, all its colours together, always holds as many tokens */
  NET_RUNS,        /* no run is accepted by the claim; a search of its own */
  NET_NOT_ANSWERED /* `why` says why not */
};

enum net_answer { NET_UNKNOWN, NET_TRUE, NET_FALSE, NET_NUMBER };

struct net_query {
  const char *id;
  enum net_query_kind kind;
  const struct net_term *term;
  const char *why;
  const struct claim *claim; /* RUNS: over these atoms; its name is the id */
  const struct net_atom *atom;
  bool inverted; /* RUNS: true is the answer if a run is accepted */
  enum net_answer answer;
  int64_t number;         /* BOUND: the largest so far */
  uint32_t *left, n_left; /* groups that QUASI_LIVE and STABLE still look at */
};

struct net_queries {
  const struct net_model *model;
  struct net_query *query;
  uint32_t n, n_open; /* open: a marking may still decide them */
  uint32_t *open;
  const uint8_t *initial; /* the first marking */
};

/* Queries to which no answer is needed from markings are decided at once. All in the net's
 * arena. */
void net_queries_begin(struct net_queries *, const struct net_model *, struct net_query *,
                       uint32_t n);
/* A marking that was not there before. False: everything is decided. */
bool net_queries_visit(struct net_queries *, const uint8_t *state);
/* What the search for a claim came to: whether a run is accepted. */
void net_queries_found(struct net_queries *, const char *id, bool accepted);
/* All markings were visited: what is open gets its answer. */
void net_queries_end(struct net_queries *);

#endif
