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
};

void net_survey_begin(struct net_survey *, const struct net_model *);
void net_survey_state(struct net_survey *, const uint8_t *state);

#endif
