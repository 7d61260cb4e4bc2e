/* forward.h - what decorators share that only look at the states that are expanded. Private to
 * this folder.
 */
#ifndef CAIRN_TS_FORWARD_H
#define CAIRN_TS_FORWARD_H

#include "ts/ts.h"

/* A ts that does all that the inner one does; first member of the decorator, which puts its own
 * function in place of code.successors. */
struct forward {
  struct ts ts;
  struct ts_code code;
  const struct ts *inner;
};

/* ts.self becomes the decorator that this begins. */
void forward_open(struct forward *, const struct ts *inner);

/* The decorator; a search knows it as constant, what it remembers is not. */
static inline void *forward_of(const struct ts *ts) {
  return (void *)(uintptr_t)ts->self;
}

#endif
