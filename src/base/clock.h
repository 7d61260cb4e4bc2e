/* clock.h - seconds that never run backwards, and asking to stop.
 *
 * clock_stop_requested() turns true after SIGINT, SIGTERM or SIGHUP once
 * clock_watch_signals() was called; a second signal ends the process at once.
 */
#ifndef CAIRN_BASE_CLOCK_H
#define CAIRN_BASE_CLOCK_H

#include <stdbool.h>

double clock_now(void); /* seconds since an arbitrary moment */
void clock_watch_signals(void);
bool clock_stop_requested(void);

#endif
