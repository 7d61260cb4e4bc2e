/* guard.h - calls into a user's code that may crash or never return.
 *
 * A signal that the code raises (an access out of bounds, a division by zero, abort(), no stack
 * left) ends the call and not the program. What the code has changed by then stays changed: it
 * is given memory that does not matter. A call that lasts for more than a second is ended when
 * somebody asks to stop. Threads may make such calls at the same time.
 */
#ifndef CAIRN_BASE_GUARD_H
#define CAIRN_BASE_GUARD_H

#include <stdbool.h>
#include <stdint.h>

enum guard_crash {
  GUARD_FINE,
  GUARD_SEGV,
  GUARD_BUS,
  GUARD_FPE,
  GUARD_ILL,
  GUARD_ABORT,
  GUARD_CRASHES,
  GUARD_STOPPED = GUARD_CRASHES /* it was asked to stop */
};

/* Who says whether a call that lasts is to be ended: asks(context), which is called by a signal
 * handler, in the midst of whatever the code does. NULL: only the user may, see base/clock.h.
 */
struct guard_stop {
  bool (*asks)(void *context);
  void *context;
};

/* One sentence for each crash, without the place. */
extern const char *const guard_sentence[GUARD_CRASHES];

/* Takes over the signals of the process, and gives them back when it was called as often. */
void guard_open(void);
void guard_close(void);

/* For calls of this thread from now on. Returns the one before. */
struct guard_stop guard_stop_by(struct guard_stop);

/* Calls, and says how it ended. */
enum guard_crash guard_call(void (*call)(void *), void *argument);

#endif
