/* seen.h - which guards hold in the state looked at: each is worked out at most once. */
#ifndef CAIRN_SEARCH_REDUCE_SEEN_H
#define CAIRN_SEARCH_REDUCE_SEEN_H

#include "ts/control.h"

struct seen {
  const struct ts_shape *shape;
  const uint8_t *row; /* the state */
  uint32_t *looked;   /* by guard: `stamp` if it was looked at in this state, */
  bool *holds;        /* and what was found */
  uint32_t stamp;
};

static inline bool seen_holds(struct seen *s, uint32_t guard) {
  if (s->looked[guard] != s->stamp) {
    s->looked[guard] = s->stamp;
    s->holds[guard] = ts_guard_holds(s->shape, &s->shape->control->guard[guard], s->row);
  }
  return s->holds[guard];
}

#endif
