/* model.h - a net that runs: its ts, and what may be asked of it. */
#ifndef CAIRN_NET_MODEL_H
#define CAIRN_NET_MODEL_H

#include "net/layout.h"
#include "net/marking.h"
#include "ts/claim.h"

struct net_backward;

struct net_property { /* must hold in every marking */
  const char *text;
  const struct net_term *holds;
};

struct net_measure { /* what the user wants to know of each marking */
  const char *text;
  const struct net_term *value;
};

struct net_atom { /* that claims ask about */
  const char *text;
  const struct net_term *holds;
};

struct net_options {
  bool backward;         /* it is to go backward, too */
  uint32_t counter_bits; /* of places without a proven bound: 8, 16 or 32; 0: 8 */
  uint32_t n_properties, n_measures;
  const struct net_property *property;
  const struct net_measure *measure;
  uint32_t n_atoms, n_claims;
  const struct net_atom *atom;
  const struct claim *claim;
};

struct net_model {
  struct ts ts;
  struct ts_code code;
  const struct net *net;
  const struct net_layout *layout;
  const struct fire *fire;
  const struct net_backward *backward; /* NULL: not asked for */
  const struct net_property *property;
  const struct net_measure *measure;
  uint32_t n_properties;
  struct ts_shape *shape; /* that of the ts */
  const struct net_atom *atom;
};

/* Makes the net run; it is trimmed first, which renumbers, by net_trim(). All in the net's
 * arena. NULL, with a sentence in *why, if it is too large. */
struct net_model *net_open(const struct net *, const struct net_options *, const char **why);

/* More claims, which come after those that there are; their atoms are from `atom` on. */
void net_add_claims(struct ts *, const struct net_atom *atom, uint32_t n_atoms,
                    const struct claim *, uint32_t n_claims);

/* The model of a ts that net_open() made. */
static inline const struct net_model *net_model_of(const struct ts *ts) {
  return (const struct net_model *)ts->self;
}

/* The same of any ts: NULL if it is no net. */
const struct net_model *net_model_if(const struct ts *);

/* Whether a transition is enabled. */
bool net_enabled(const struct net_model *, uint32_t transition, const uint8_t *state);

#endif
