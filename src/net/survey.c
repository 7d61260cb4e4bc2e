/* survey.c - the same: sums of bytes, for most places are counted in one. */
#include "net/survey.h"

void net_survey_begin(struct net_survey *s, const struct net_model *model) {
  const struct net *net = model->net;
  *s = (struct net_survey){.model = model};
  for (uint32_t i = 0; i < net->n_place_groups; i++) {
    s->constant += net->place_group[i].constant;
    if (net->place_group[i].most_constant > s->most_in_place)
      s->most_in_place = net->place_group[i].most_constant;
  }
  s->most = s->constant;
}

/* Slots of more than one byte come first. */
static uint64_t count_wide(struct net_survey *s, const uint8_t *state, uint32_t *most) {
  const struct net_layout *layout = s->model->layout;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < layout->n_slots && layout->slot[i].bytes > 1; i++) {
    const struct net_slot *slot = &layout->slot[i];
    uint32_t tokens = slot->is_unit ? 1 : net_tokens(layout, slot->place[0], state);
    sum += tokens;
    *most = tokens > *most ? tokens : *most;
  }
  return sum;
}

void net_survey_state(struct net_survey *s, const uint8_t *state) {
  const struct net_layout *layout = s->model->layout;
  uint32_t units = layout->counter_begin - layout->unit_begin, most = units > 0, sum = 0;
  uint8_t most_byte = 0;
  for (uint32_t i = layout->counter_begin; i < layout->counter_end; i++) {
    sum += state[i];
    most_byte = state[i] > most_byte ? state[i] : most_byte;
  }
  most = most_byte > most ? most_byte : most;
  uint64_t all = s->constant + units + sum + count_wide(s, state, &most);
  s->most = all > s->most ? all : s->most;
  s->most_in_place = most > s->most_in_place ? most : s->most_in_place;
}
