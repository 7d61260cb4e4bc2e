/* explain.h - who waits for what in a state, and the values of a condition: for people.
 *
 * A language knows what its statements need; the door only passes on what it says. Nothing of
 * this is called during a search. All texts are made in the arena that is given; where its
 * memory runs out it jumps to its guard.
 */
#ifndef CAIRN_TS_EXPLAIN_H
#define CAIRN_TS_EXPLAIN_H

#include "ts/ts.h"

#include "base/arena.h"

/* A statement that cannot be executed now. */
struct ts_need {
  const char *statement; /* on one line; "" where there is nothing to say of it */
  const char *why;       /* "fork[right] == 0, is 1"; "" where that is not known */
  struct ts_place place;
};

/* A process, or of a net everything. */
struct ts_waiter {
  const char *process;      /* its name */
  const char *at;           /* its label or control location, or NULL */
  struct ts_place place;    /* of the statement that comes next */
  bool is_at_end;           /* it may stay there permanently */
  uint32_t n_needs, n_more; /* n_more are left out */
  const struct ts_need *need;
};

struct ts_waiters {
  uint32_t n;
  const struct ts_waiter *at;
};

/* What happened up to a fault: the statements of the event, by their actions. */
struct ts_event_part {
  const uint32_t *action;
  uint32_t n;
  struct ts_place place; /* of the fault */
};

/* What a language puts into the notes of its shapes; NULL functions: it has nothing to say. */
struct ts_explain {
  const void *model;
  const struct ts_shape *shape; /* whose states it knows */
  void (*waiters)(const struct ts_explain *, const uint8_t *state, struct arena *,
                  struct ts_waiters *);
  /* "x = 3, y = 0", or NULL. */
  const char *(*property)(const struct ts_explain *, uint32_t property, const uint8_t *state,
                          struct arena *);
  const char *(*fault)(const struct ts_explain *, const uint8_t *before,
                       const struct ts_event_part *, struct arena *);
};

/* Of any ts, also of a product. Nobody, or NULL, where the model has nothing to say. */
void ts_explain_waiters(const struct ts *, const uint8_t *state, struct arena *,
                        struct ts_waiters *);
const char *ts_explain_property(const struct ts *, uint32_t property, const uint8_t *state,
                                struct arena *);
/* The values with which the last one of the statements failed; `before`: the state before the
 * event. */
const char *ts_explain_fault(const struct ts *, const uint8_t *before,
                             const struct ts_event_part *, struct arena *);

#endif
