/* survey.h - the largest marking that a search came across. */
#ifndef CAIRN_NET_SURVEY_H
#define CAIRN_NET_SURVEY_H

#include "net/model.h"

struct net_survey {
  const struct net_model *model;
  uint64_t constant; /* tokens in places that were dropped */
  bool is_wide;      /* bytes are summed by vector instructions */
  uint64_t most;     /* tokens in one marking */
  uint64_t most_in_place;
  const int64_t *growth; /* [action]: tokens that it puts less those that it takes */
  uint64_t from;         /* the marking that was looked at last as one to start from, */
  uint64_t tokens;       /* and how many it has */
};

void net_survey_begin(struct net_survey *, const struct net_model *);
void net_survey_state(struct net_survey *, const uint8_t *state);
/* The same of a marking reached by this action from one that was looked at, to which the number
 * `from` belongs in all calls. Takes less time for the second and later ones from it. */
void net_survey_event(struct net_survey *, const uint8_t *state, uint32_t action,
                      uint64_t from);

#endif
