/* launch.h - one measured run: a process of its own, watched until it ends. */
#ifndef CAIRN_CLI_BENCH_LAUNCH_H
#define CAIRN_CLI_BENCH_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

struct launch {
  char *const *argv;
  char *const *environment; /* NAME, VALUE, NAME, VALUE, …, NULL: added to what is there */
  const char *folder;       /* where it runs */
  const char *out, *err;    /* files for what it prints */
  double seconds;           /* on the clock; 0: no limit */
  uint64_t memory;          /* of address space, in bytes; 0: no limit */
  void (*tick)(void *, double seconds); /* called some times a second, or NULL */
  void *data;
};

enum launch_end {
  LAUNCH_EXITED,      /* `status` is what it ended with */
  LAUNCH_SIGNALLED,   /* `status` is the signal */
  LAUNCH_TIME,        /* stopped at the limit */
  LAUNCH_INTERRUPTED, /* we were asked to stop, and so was it */
  LAUNCH_NOT_STARTED  /* `status` is errno */
};

struct launch_result {
  enum launch_end end;
  int status;
  double wall, cpu; /* seconds; cpu: user and system, processes it waited for included */
  uint64_t peak;    /* largest resident set among these, in bytes */
};

/* Blocks the signals that ask to stop, so that launch_run() can take them when it has
 * ended its run. Due once before; nothing undoes it but the end of the process. */
void launch_hold_signals(void);

/* True if one of them waits, or came during a run. */
bool launch_asked_to_stop(void);

struct launch_result launch_run(const struct launch *);

#endif
