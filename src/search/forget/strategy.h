/* strategy.h - which of the states that may be forgotten go first.
 *
 * A list of criteria joined by "+"; the first that differs decides:
 *
 *   in-degree     states to which few events led
 *   frequency     states reached seldom since they were closed
 *   out-degree    states with few successors, which are cheap to expand again
 *   near          states near to the initial ones; -near: far ones
 *   entry         states that became open early
 *   stratified/P[/O…]   states whose depth modulo P is none of O (0)
 *   share/N       states whose share is less than N: themselves and the shares of those that
 *                 they generated, except of those whose share is N or more
 *   age           states closed early (the rule where nothing else is given to decide)
 *   random        any
 *
 * A "-" in front turns a criterion round. "far" is "-near".
 */
#ifndef CAIRN_SEARCH_FORGET_STRATEGY_H
#define CAIRN_SEARCH_FORGET_STRATEGY_H

#include "search/forget/candidates.h"

#include "store/store.h"

#include <stddef.h>

enum strategy_what {
  STRATEGY_IN_DEGREE,
  STRATEGY_FREQUENCY,
  STRATEGY_OUT_DEGREE,
  STRATEGY_NEAR,
  STRATEGY_ENTRY,
  STRATEGY_STRATIFIED,
  STRATEGY_SHARE
};

struct strategy_part {
  enum strategy_what what;
  bool reversed;
  uint32_t shift, bits; /* in the rank */
};

struct strategy {
  uint32_t n;
  struct strategy_part part[4];
  uint32_t share;   /* from it on shares are equal; 0: nothing asks for them */
  uint32_t asks;    /* bit enum strategy_what: that criterion is among them */
  uint32_t period;  /* of the strata */
  uint64_t offsets; /* bit o: depth modulo period = o is kept */
  enum candidates_pick pick;
  bool picks;        /* the user says so */
  uint32_t counted;  /* bits of the counter kept with each state, or 0 */
  bool from_closing; /* the counter begins anew when a state is closed */
};

/* What is known of a state that leaves the tree. */
struct strategy_facts {
  uint64_t depth;
  uint32_t out_degree;
  uint32_t entry; /* strategy_step() of its number among the visits */
  uint32_t count;
  uint32_t share;
};

/* What an empty text means: the best on average where an order has no better one. */
#define STRATEGY_DEFAULT "share/16+random"

/* Parses the text up to its end or a ",". False: *why is a sentence. */
bool strategy_parse(struct strategy *, const char *text, const char **why);

uint32_t strategy_rank(const struct strategy *, const struct strategy_facts *);
/* One more in a state's counter, in the store's bits. */
void strategy_count(const struct strategy *, const struct store_kind *, struct store_work *,
                    uint64_t ref);
/* The rank with another counter. */
uint32_t strategy_recount(const struct strategy *, uint32_t rank, uint32_t count);

/* Any number in 8 bits, in steps that grow with it. */
uint32_t strategy_step(uint64_t number);

#endif
