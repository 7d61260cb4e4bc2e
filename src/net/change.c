/* change.c - the same: rows of arcs merged, then sorted by place by counting. */
#include "net/change.h"

static uint32_t merge(const struct net *net, uint32_t transition, struct change *to) {
  uint32_t a = net->in.start[transition], a_end = net->in.start[transition + 1], n = 0;
  uint32_t b = net->out.start[transition], b_end = net->out.start[transition + 1];
  while (a < a_end || b < b_end) {
    uint32_t in = a < a_end ? net->in.at[a].place : TS_NONE;
    uint32_t out = b < b_end ? net->out.at[b].place : TS_NONE;
    uint32_t place = in < out ? in : out;
    int64_t by = 0;
    if (in == place)
      by -= net->in.at[a++].weight;
    if (out == place)
      by += net->out.at[b++].weight;
    if (by != 0)
      to[n++] = (struct change){place, transition, by};
  }
  return n;
}

void change_make(struct changes *c, const struct net *net) {
  struct arena *arena = net->arena;
  size_t most = (size_t)net->in.start[net->n_transitions] + net->out.start[net->n_transitions];
  c->start = ARENA_ARRAY(arena, (size_t)net->n_transitions + 1, uint32_t);
  c->place_start = ARENA_ARRAY(arena, (size_t)net->n_places + 2, uint32_t);
  c->at = ARENA_ARRAY(arena, most, struct change);
  uint32_t n = 0;
  for (uint32_t i = 0; i < net->n_transitions; i++) {
    n += merge(net, i, c->at + n);
    c->start[i + 1] = n;
  }
  c->by_place = ARENA_ARRAY(arena, n, struct change);
  uint32_t *end = c->place_start + 1; /* becomes the start of each row, then its end */
  for (uint32_t i = 0; i < n; i++)
    end[c->at[i].place + 1]++;
  for (uint32_t i = 0; i < net->n_places; i++)
    end[i + 1] += end[i];
  for (uint32_t i = 0; i < n; i++)
    c->by_place[end[c->at[i].place]++] = c->at[i];
}
