/* exclusive.c - where a process may use a channel that another one claims for itself.
 *
 * Most claims are kept, and that can be seen from the channels that instances know permanently:
 * then nothing is asked while the model runs. For the other uses the channel's number becomes
 * an EXCLUSIVE, with a list of the instances whose claims it may meet.
 */
#include "ir/touch.h"
#include "ir/which.h"

#include <string.h>

/* The channel of an expression, for the instance in a seat. */
struct named {
  struct ir_value number;       /* of a global one, */
  const struct ir_channel *own; /* or one of its own; neither: it is not known */
};

static struct named name_of(struct value_births *births, const struct ir_seat *seat,
                            uint32_t number, const struct ir_expr *e) {
  return (struct named){value_for(births, seat, number, e),
                        value_own_channel(births, seat, number, e)};
}

/* Of two instances. */
static bool may_be_same(const struct named *a, const struct named *b) {
  if (a->own != NULL || b->own != NULL) /* others know its number only if it is told to them */
    return !a->number.known && !b->number.known && (a->own == NULL || b->own == NULL);
  return !a->number.known || !b->number.known || a->number.at == b->number.at;
}

/* Whether an instance of the user in another slot than the claimant's may use its channel. */
static bool may_meet(const struct ir_model *m, struct value_births *births,
                     const struct ir_exclusive_use *use, const struct ir_rival *rival,
                     const struct named *claimed) {
  for (uint32_t i = 0; i < m->n_slots; i++)
    for (uint32_t k = 0; k < m->slot[i].n_seats && i != rival->number; k++) {
      const struct ir_seat *seat = &m->slot[i].seat[k];
      if (seat->process != use->process)
        continue;
      struct named used = name_of(births, seat, i, &use->plain);
      if (may_be_same(&used, claimed))
        return true;
    }
  return false;
}

struct rivals {
  struct ir_rival *at;
  uint32_t n, capacity;
};

static void add_rivals(const struct ir_model *m, struct value_births *births,
                       const struct ir_exclusive_use *use,
                       const struct ir_exclusive_claim *claim, struct rivals *list) {
  for (uint32_t i = 0; i < m->n_slots; i++)
    for (uint32_t k = 0; k < m->slot[i].n_seats; k++) {
      const struct ir_seat *seat = &m->slot[i].seat[k];
      if (seat->process != claim->process)
        continue;
      struct named claimed = name_of(births, seat, i, claim->channel);
      struct ir_rival rival = {claim, i, claimed.number};
      if (may_meet(m, births, use, &rival, &claimed))
        *ARENA_PUSH(m->arena, list) = rival;
    }
}

static void ask(const struct ir_model *m, const struct ir_exclusive_use *use,
                const struct rivals *list) {
  struct ir_exclusion *exclusion = ARENA_NEW(m->arena, struct ir_exclusion);
  struct ir_expr *plain = ARENA_NEW(m->arena, struct ir_expr);
  *exclusion = (struct ir_exclusion){use->process, list->n, list->at};
  *plain = use->plain;
  *use->channel = (struct ir_expr){
      .kind = IR_EXCLUSIVE, .span = plain->span, .exclusion = exclusion, .a = plain};
}

void ir_exclude(struct ir_model *m) {
  if (m->exclusives.use.n == 0)
    return;
  struct value_births *births = value_births(m);
  for (uint32_t i = 0; i < m->exclusives.use.n; i++) {
    const struct ir_exclusive_use *use = &m->exclusives.use.at[i];
    struct rivals list = {NULL, 0, 0};
    for (uint32_t k = 0; k < m->exclusives.claim.n; k++)
      if (m->exclusives.claim.at[k].use & use->use)
        add_rivals(m, births, use, &m->exclusives.claim.at[k], &list);
    if (list.n > 0)
      ask(m, use, &list);
  }
}

void ir_include(struct ir_model *m) {
  for (uint32_t i = 0; i < m->exclusives.use.n; i++)
    *m->exclusives.use.at[i].channel = m->exclusives.use.at[i].plain;
}

/* Of channels that are there permanently: what others do to them while the instance lives is an
 * error that comes before all else. */
void exclusive_keep(const struct touch *t) {
  const struct ir_model *m = t->model;
  memset(t->marks->apart, 0, m->n_channels * sizeof *t->marks->apart);
  for (uint32_t i = 0; i < m->exclusives.claim.n; i++) {
    const struct ir_exclusive_claim *claim = &m->exclusives.claim.at[i];
    if (claim->process != t->seat->process)
      continue;
    struct which which = which_channels(m, t->births, t->seat, t->number, claim->channel);
    if (which.one != NULL && which.one->owner == NULL)
      t->marks->apart[which.one->index] |= claim->use == IR_RECEIVES
                                               ? TS_READ | TS_RECEIVE | TS_ANY
                                               : TS_READ | TS_SEND | TS_ROOM;
  }
}
