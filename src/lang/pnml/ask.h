/* ask.h - names of places and transitions in what the user asks. */
#ifndef CAIRN_LANG_PNML_ASK_H
#define CAIRN_LANG_PNML_ASK_H

#include "lang/pnml/names.h"
#include "net/marking.h"

#include "base/diag.h"

struct ask {
  struct arena *arena;
  const struct net *net; /* trimmed */
  struct diag *diag;
  const struct source *source; /* of the question */
  struct names place, dropped, place_group, transition, transition_group;
};

/* The names and ids of a net. */
void ask_open(struct ask *, const struct net *, struct diag *);

/* Tokens in all colours of a place, by id or name; NULL: there is none. A name that is an
 * id as well is taken for the id. */
const struct net_term *ask_tokens(struct ask *, const char *name);
/* Whether a transition is enabled, for some colours. */
const struct net_term *ask_fireable(struct ask *, const char *name);

const struct net_term *ask_constant(struct ask *, int64_t value);
const struct net_term *ask_binary(struct ask *, enum net_term_kind, const struct net_term *left,
                                  const struct net_term *right);

/* Reads an expression over the net: places by name (eat, eat<3>; in quotes where they hold
 * other characters), fireable(t), bounded(k), integers, + - *, comparisons, and or not && || !.
 * NULL after an error, which is in the diag. */
const struct net_term *ask_read(struct ask *, const struct source *);

#endif
