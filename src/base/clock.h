/* clock.h - seconds that never run backwards, and asking to stop.
 *
 * clock_stop_requested() turns true after SIGINT, SIGTERM or SIGHUP once
 * clock_watch_signals() was called; a second signal ends the process at once.
 */
#ifndef CAIRN_BASE_CLOCK_H
#define CAIRN_BASE_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>

double clock_now(void); /* seconds since an arbitrary moment */
void clock_watch_signals(void);
bool clock_stop_requested(void);

/* In this thread it is true as well while *own is (NULL: nothing more). Returns the one before.
 */
const atomic_bool *clock_stop_by(const atomic_bool *own);

#endif
