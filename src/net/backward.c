/* backward.c - nets go backward: the net with all arcs turned round.
 *
 * A transition leads from M' to M exactly if M has the tokens of its output arcs, and M' is M
 * without those and with those of its input arcs; then it is enabled in M'. So the markings
 * before M are the successors of M in the net whose arcs are turned round, which the same
 * tables and the same interpreter give.
 *
 * Of those many can never be reached. Sums of tokens that stay the same (units) rule none of
 * them out: a transition that keeps a sum keeps it in either direction, so a marking before
 * one with the right sums has the right sums, too. Sums that may only become less, or only
 * more, do (sums.c); what is more than a place can hold is never reached either, and does not
 * count. Neither does what a place without a proven bound has no room for: the search cannot
 * have stored it.
 *
 * Transitions that the layout shows never to be enabled are left out. The fixed order of rows
 * is that of the turned net; events are numbered as always.
 */
#include "net/backward.h"

#include "net/sums.h"

#include "base/bits.h"

#include <string.h>

struct net_backward {
  struct net turned;
  const struct fire *fire;
  const uint32_t *action; /* forward, of an action of the turned net; TS_NONE: never enabled */
  uint64_t *never;        /* a bitmap of those, or NULL: there are none */
  const struct net_sums *sums; /* that rule out more, or NULL */
};

/* The same layout, but what each counter may hold is to be looked at: no bound is proven for
 * this direction. */
static const struct net_layout *without_bounds(const struct net *net,
                                               const struct net_layout *layout) {
  struct net_layout *copy = ARENA_NEW(net->arena, struct net_layout);
  struct net_slot *slot = ARENA_ARRAY(net->arena, layout->n_slots, struct net_slot);
  for (uint32_t i = 0; i < layout->n_slots; i++) {
    slot[i] = layout->slot[i];
    slot[i].is_bounded = slot[i].is_unit;
  }
  *copy = *layout;
  copy->slot = slot;
  return copy;
}

const struct net_backward *net_backward_make(const struct net *net,
                                             const struct net_layout *layout,
                                             uint32_t component_words, const uint32_t *fault,
                                             const struct fire *forward) {
  struct net_backward *b = ARENA_NEW(net->arena, struct net_backward);
  b->turned = *net;
  b->turned.in = net->out;
  b->turned.out = net->in;
  b->fire = fire_make(&b->turned, without_bounds(net, layout), component_words, fault);
  const uint32_t n = b->fire->n_actions;
  uint32_t *action = ARENA_ARRAY(net->arena, n + (size_t)1, uint32_t);
  for (uint32_t i = 0; i < n; i++) {
    action[i] = forward->number[b->fire->transition[i]];
    if (action[i] != TS_NONE)
      continue;
    if (b->never == NULL)
      b->never = ARENA_ARRAY(net->arena, BITS_WORDS(n), uint64_t);
    bits_set(b->never, i);
  }
  b->action = action;
  b->sums = net_sums_make(net, &b->turned, layout, b->fire);
  return b;
}

/* The actions that do not lead back to a marking that can be reached: `room`, or a bitmap kept.
 */
static const uint64_t *ruled_out(const struct net_backward *b, const uint8_t *state,
                                 uint64_t room[SUMS_WORDS]) {
  if (b->sums == NULL)
    return b->never;
  for (uint32_t i = 0; i < BITS_WORDS(b->fire->n_actions); i++)
    room[i] = b->never == NULL ? 0 : b->never[i];
  net_sums_rule_out(b->sums, state, room);
  return room;
}

/* Leaves out the actions in the bitmap. */
static int32_t list(const struct net_backward *b, const uint8_t *state, struct ts_event *cursor,
                    const uint64_t *skip, struct ts_batch *out) {
  uint32_t kept = out->n, from = kept;
  int32_t left = fire_successors(b->fire, state, cursor, skip, out);
  for (uint32_t i = from; i < out->n; i++) {
    if (out->edge[i].kind == TS_MODEL_ERROR)
      continue;
    if (kept < i)
      memcpy(out->rows + kept * out->stride, out->rows + i * out->stride, out->stride);
    out->edge[kept] = out->edge[i];
    out->edge[kept++].event.action = b->action[out->edge[i].event.action];
  }
  out->n = kept;
  return left;
}

int32_t net_predecessors(const struct net_backward *b, const uint8_t *state,
                         struct ts_event *cursor, struct ts_batch *out) {
  uint64_t room[SUMS_WORDS];
  return list(b, state, cursor, ruled_out(b, state, room), out);
}

int32_t net_all_predecessors(const struct net_backward *b, const uint8_t *state,
                             struct ts_event *cursor, struct ts_batch *out) {
  return list(b, state, cursor, b->never, out);
}

uint32_t net_n_predecessors(const struct net_backward *b, const uint8_t *state) {
  uint64_t room[SUMS_WORDS];
  return fire_count(b->fire, state, ruled_out(b, state, room));
}

uint32_t net_most_predecessors(const struct net_backward *b) {
  return fire_most(b->fire);
}
