/* reason.h - why something of this folder did not work, and whose matter that is.
 *
 * A limit (memory, disk, time, a request to stop) leaves the question open, and
 * another run may answer it; all else is a mistake of the model, of the machine or
 * of this program.
 */
#ifndef CAIRN_NATIVE_COMPILE_REASON_H
#define CAIRN_NATIVE_COMPILE_REASON_H

#include "base/text.h"

struct reason {
  struct text text;
  bool is_limit; /* some part of it was a limit */
};

static inline void reason_init(struct reason *reason, struct budget *budget) {
  text_init(&reason->text, budget, BUDGET_CODE);
  reason->is_limit = false;
}

static inline void reason_free(struct reason *reason) {
  text_free(&reason->text);
}

/* Appends a sentence about a limit. */
static inline void reason_limit(struct reason *reason, const char *sentence) {
  text_puts(&reason->text, sentence);
  reason->is_limit = true;
}

#endif
