/* fire.h - the tables by which a net is run.
 *
 * Actions are transitions in another order, so that those to look at are ranges. Each is
 * watched by one slot, which must have one value (a unit) or must not be zero (a counter);
 * actions are numbered by the slot that watches them, then by the value. So the actions
 * that a state may have enabled are read off its slots, one range for each, and what is
 * not watched there is never looked at. The watch is the input place that holds a token
 * most rarely, as far as the layout says.
 */
#ifndef CAIRN_NET_FIRE_H
#define CAIRN_NET_FIRE_H

#include "net/layout.h"

struct fire_guard { /* of a slot of one byte: low <= value <= low + span */
  uint16_t offset;
  uint8_t low, span;
};

struct fire_effect { /* on a slot of one byte: += by, modulo 256 */
  uint16_t offset;
  uint8_t by;
};

struct fire_wide { /* the same of a slot of 2 or 4 bytes */
  uint32_t offset, bytes;
  uint32_t low, most;
  uint32_t by;
};

struct fire_limit { /* a counter without a proven bound: its value may be `most` before */
  uint32_t offset, bytes, most, fault;
  bool never; /* not even 0: more is added than there is room for */
};

enum fire_watching { FIRE_UNWATCHED, FIRE_BYTE, FIRE_WIDE };

struct fire_action {
  uint64_t changed; /* components */
  uint32_t guard, effect;
  uint32_t wide_guard, wide_effect, limit; /* its first ones */
  uint32_t n_guards, n_effects;
  uint16_t n_wide_guards, n_wide_effects, n_limits; /* mostly none */
  uint16_t watching; /* what the watch wants is the guard before the first one of its kind */
};

struct fire_unit { /* value v watches the actions range[first + v] to range[first + v + 1] */
  uint32_t offset, bytes, first, values;
  bool is_counter; /* of 2 or 4 bytes: values above 0 watch those of value 1 */
};

struct fire {
  const struct net *net;
  const struct net_layout *layout;
  uint32_t n_actions, n_always; /* the first n_always have no input place */
  const struct fire_action *action;
  const struct fire_guard *guard;
  const struct fire_effect *effect;
  const struct fire_wide *wide_guard, *wide_effect;
  const struct fire_limit *limit;
  const uint32_t *range;
  uint32_t n_wide, n_units; /* slots that watch: of 2 and 4 bytes, then units of one */
  const struct fire_unit *wide, *unit;
  /* Then counters of one byte, a word at a time. Of word i, mask[i] has the highest bit
   * of each byte that watches; byte k of all these words has actions counter[k] to
   * counter[k + 1]. */
  uint32_t counter_offset, n_words;
  const uint64_t *mask;
  const uint32_t *counter;
  const uint32_t *transition, *number; /* of an action; and back, TS_NONE: never enabled */
  uint32_t bytes;                      /* of a state */
};

/* In the net's arena. `component_words`: 8-byte words of a component; fault[slot]: its
 * number among the faults. */
struct fire *fire_make(const struct net *, const struct net_layout *, uint32_t component_words,
                       const uint32_t *fault);

/* Whether an action is enabled. */
bool fire_enabled(const struct fire *, uint32_t action, const uint8_t *state);

/* The only state from which an action can have led to this one, into a row. False: it cannot
 * have, for it is not enabled there. */
bool fire_undo(const struct fire *, uint32_t action, const uint8_t *state, uint8_t *row);

/* How many actions are enabled that are not in the bitmap `skip` (or NULL), and lead to a state
 * that there is room for. */
uint32_t fire_count(const struct fire *, const uint8_t *state, const uint64_t *skip);

/* No state has more of them enabled; TS_NONE: that is not known. */
uint32_t fire_most(const struct fire *);

/* Whether any action is. */
bool fire_any(const struct fire *, const uint8_t *state);

/* The successors of a state, as ts_code.successors(). */
int32_t fire_successors(const struct fire *, const uint8_t *state, struct ts_event *cursor,
                        const uint64_t *skip, struct ts_batch *out);

#endif
