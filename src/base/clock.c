/* clock.c - time, and asking to stop.
 *
 * The flag is a mutable variable outside of any structure, as a signal handler has no other way
 * to leave word. Who searches in several threads stops each by a flag of its own, which is the
 * thread's, so that whatever waits in it need not be handed the flag.
 */
#include "base/clock.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

static atomic_bool stop_requested;
static _Thread_local const atomic_bool *own_stop;

double clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A user who asks twice does not want to wait for a clean end. */
static void on_signal(int number) {
  (void)number;
  atomic_store(&stop_requested, true);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
}

/* What was ignored when the program began stays so: nohup and a shell's background rely on it.
 */
static void watch(int number, const struct sigaction *action) {
  struct sigaction before;
  if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
    sigaction(number, action, NULL);
}

void clock_watch_signals(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  watch(SIGINT, &action);
  watch(SIGTERM, &action);
  watch(SIGHUP, &action);
}

bool clock_stop_requested(void) {
  return atomic_load_explicit(&stop_requested, memory_order_relaxed) ||
         (own_stop != NULL && atomic_load_explicit(own_stop, memory_order_relaxed));
}

const atomic_bool *clock_stop_by(const atomic_bool *own) {
  const atomic_bool *before = own_stop;
  own_stop = own;
  return before;
}
