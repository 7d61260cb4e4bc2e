/* curve.c - what was seen of a store's growth is extended.
 *
 * An index that the store foresees is known. What else such a store has grows by nearly as much
 * for each state: how much more each doubling brought than the one before is extended. An index
 * with an entry for each state that is not foreseen gets entries that are a little shorter
 * (cleary.h): of what the steps show of that half is believed; what grows beside it more slowly
 * (parts that are seen again) goes on as the power of the number of states that it was over the
 * last two doublings. So does all of a store without such an index, the nodes of an automaton.
 *
 * How far off each way is was measured on 35 models (docs/estimates.md): for each doubling that
 * was not seen nine in ten are within the factors below.
 */
#include "search/move/curve.h"

#include "store/index/index.h"

#include <math.h>

enum {
  CURVE_LEAST = 64, /* states at the first look */
  CURVE_LOOKS = 4,  /* fewer say too little */
  CURVE_BACK = 2    /* doublings of which a power is taken */
};

/* Whatever grows with at least this power of the number of states is taken to be in proportion
 * to it. */
static const double CURVE_LINEAR = 0.9;
static const double CURVE_FORESEEN = 1.05, CURVE_INDEX = 1.12, CURVE_OTHER = 1.25;

void curve_begin(struct curve *c, const struct store_kind *kind, uint64_t states) {
  *c = (struct curve){.states = states, .has_index = (kind->has & STORE_GETS) != 0};
  while (states >> (c->octave + 1) >= CURVE_LEAST)
    c->octave++;
}

uint64_t curve_next(const struct curve *c) {
  return c->octave == CURVE_OCTAVES ? STORE_NONE : c->states >> c->octave;
}

void curve_look(struct curve *c, const struct store_kind *kind, const struct store *store) {
  struct store_usage usage;
  kind->usage(store, &usage);
  c->index[c->octave] = (double)usage.index_bytes;
  c->rest[c->octave] = (double)usage.bytes - c->index[c->octave];
  if (usage.index != NULL)
    c->index_at_end = (double)index_bytes_for(usage.index, c->states);
  c->last = c->octave;
  c->octave = c->octave == 0 ? CURVE_OCTAVES : c->octave - 1;
  c->looks++;
}

uint64_t curve_seen(const struct curve *c) {
  return c->looks < CURVE_LOOKS ? 0 : c->states >> c->last;
}

/* The power of the number of states as which bytes grew of late; 0: they did not. */
static double power_of(const double *late, uint32_t doublings) {
  return late[doublings] > 0 && late[0] > late[doublings]
             ? log2(late[0] / late[doublings]) / doublings
             : 0;
}

/* Bytes that grow as the power that they did. */
static double extend_power(const double *late, double least, uint32_t octaves) {
  const double power = power_of(late, CURVE_BACK);
  return late[0] * exp2((power >= least ? 1 : power) * octaves);
}

/* Bytes of which each doubling brings so many times more as it did of late, at most twice. */
static double extend_steps(const double *late, uint32_t octaves) {
  const double step[CURVE_BACK + 1] = {late[0] - late[1], late[1] - late[2], late[2] - late[3]};
  const double times = exp2(fmin(power_of(step, CURVE_BACK), 1));
  double bytes = late[0], more = fmax(step[0], 0);
  for (uint32_t i = 0; i < octaves; i++)
    bytes += more *= times;
  return bytes;
}

struct curve_end curve_extend(const struct curve *c) {
  const double *index = c->index + c->last, *rest = c->rest + c->last;
  double all[CURVE_BACK + 1], bytes, factor;
  for (uint32_t i = 0; i <= CURVE_BACK; i++)
    all[i] = index[i] + rest[i];
  if (c->last == 0) {
    bytes = all[0];
    factor = 1;
  } else if (c->index_at_end > 0) {
    bytes = c->index_at_end + extend_steps(rest, c->last);
    factor = CURVE_FORESEEN;
  } else if (c->has_index) {
    const double power = (1 + fmin(power_of(index, CURVE_BACK), 1)) / 2;
    bytes = index[0] * exp2(power * c->last) + extend_power(rest, CURVE_LINEAR, c->last);
    factor = CURVE_INDEX;
  } else {
    bytes = extend_power(all, 1, c->last);
    factor = CURVE_OTHER;
  }
  factor = pow(factor, c->last);
  return (struct curve_end){bytes, bytes / factor, bytes * factor};
}
