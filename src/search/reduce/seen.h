/* seen.h - which guards hold in the state looked at: each is worked out at most once.
 *
 * A guard is a list of terms (ts/control.h). Worked through term by term it takes as long as a
 * whole choice otherwise does, so before the search each becomes a few comparisons, each of
 * which says which one comes next: what `and` and `or` need not know is not looked at.
 */
#ifndef CAIRN_SEARCH_REDUCE_SEEN_H
#define CAIRN_SEARCH_REDUCE_SEEN_H

#include "base/budget.h"
#include "ts/control.h"

/* A slot beside a number or another slot; or a list of terms. */
struct seen_test {
  uint8_t relation; /* enum ts_term_kind; SEEN_TERMS: the terms */
  bool signs;       /* the slots are not single bytes from 0 on: they are read by `slot` */
  bool is_slot;     /* the other side is a slot */
  uint32_t slot;    /* the offset of the slot's byte, or with `signs` its number; */
  int32_t other;    /* and of the other one; of terms: how many, from `slot` on */
  uint32_t yes, no; /* the next test, SEEN_TRUE or SEEN_FALSE */
};

#define SEEN_TERMS 0xFF
#define SEEN_FALSE UINT32_MAX
#define SEEN_TRUE  (UINT32_MAX - 1)

struct seen {
  const struct ts_shape *shape;
  struct budget *budget;
  const uint8_t *row;     /* the state */
  uint32_t *looked;       /* by guard: `stamp` if it was looked at in this state, */
  bool *holds;            /* and what was found */
  uint32_t *first;        /* by guard: its first test */
  struct seen_test *test; /* of all guards */
  uint32_t n_tests, n_terms, n_guards;
  uint32_t stamp;
};

/* The slots of the shape are those of its control. False if the budget is exhausted; then it is
 * to be closed, too. */
bool seen_open(struct seen *, const struct ts_shape *, struct budget *);
void seen_close(struct seen *); /* not opened: nothing happens */

bool seen_look(const struct seen *, uint32_t guard);

static inline bool seen_holds(struct seen *s, uint32_t guard) {
  if (s->looked[guard] != s->stamp) {
    s->looked[guard] = s->stamp;
    s->holds[guard] = seen_look(s, guard);
  }
  return s->holds[guard];
}

#endif
