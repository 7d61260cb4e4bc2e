/* guard.c - calls into a user's code that may crash or never return.
 *
 * Signal handlers can leave word in static variables only; so the innermost guard of a thread
 * is one. A crash outside of any guard is one of this program, and ends it as ever.
 *
 * The mask of signals is not saved (that is a system call): the handlers let their own signal
 * through instead. They run on a stack of their own, as the usual one may be what is exhausted.
 */
#include "base/guard.h"

#include "base/clock.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/time.h>

#define GUARD_STACK ((size_t)64 << 10)

/* A call that is under way. */
struct guard {
  sigjmp_buf at;
  struct guard *outer;
  volatile enum guard_crash crash;
  struct guard_stop stop;
};

static const int guard_signal[GUARD_CRASHES] = {[GUARD_SEGV] = SIGSEGV,
                                                [GUARD_BUS] = SIGBUS,
                                                [GUARD_FPE] = SIGFPE,
                                                [GUARD_ILL] = SIGILL,
                                                [GUARD_ABORT] = SIGABRT};

const char *const guard_sentence[GUARD_CRASHES] = {
    [GUARD_SEGV] = "the model's C code reads or writes where it has no memory, or is out of "
                   "stack (SIGSEGV)",
    [GUARD_BUS] = "the model's C code reads or writes beyond the end of a file (SIGBUS)",
    [GUARD_FPE] = "the model's C code divides by zero, or out of range (SIGFPE)",
    [GUARD_ILL] = "the model's C code runs into an invalid instruction (SIGILL)",
    [GUARD_ABORT] = "the model's C code calls exit or abort, or one of its asserts fails "
                    "(SIGABRT)"};

static _Thread_local struct guard *innermost;
static _Thread_local struct guard *lasting;            /* that at the last alarm, */
static _Thread_local unsigned entered, entered_before; /* and how many had begun by then */
static _Thread_local char other_stack[GUARD_STACK];

static unsigned opened;
static struct sigaction before[GUARD_CRASHES], alarm_before;

static void leave_with(enum guard_crash crash) {
  struct guard *guard = innermost;
  guard->crash = crash;
  siglongjmp(guard->at, 1);
}

static void on_crash(int number) {
  for (uint32_t i = GUARD_SEGV; i < GUARD_CRASHES; i++) {
    if (guard_signal[i] != number)
      continue;
    if (innermost != NULL)
      leave_with((enum guard_crash)i);
    sigaction(number, &before[i], NULL);
    raise(number);
  }
}

/* A call that goes on since the last alarm may be one that never ends. */
static void on_alarm(int number) {
  (void)number;
  struct guard *guard = innermost;
  const bool lasts = guard != NULL && guard == lasting && entered == entered_before;
  lasting = guard;
  entered_before = entered;
  if (lasts && (clock_stop_requested() ||
                (guard->stop.tick != NULL && guard->stop.tick(guard->stop.context) != 0)))
    leave_with(GUARD_STOPPED);
}

static void set_alarm(long milliseconds) {
  const struct timeval every = {milliseconds / 1000, milliseconds % 1000 * 1000};
  const struct itimerval timer = {every, every};
  setitimer(ITIMER_REAL, &timer, NULL);
}

void guard_open(void) {
  if (opened++ > 0)
    return;
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_NODEFER | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (uint32_t i = GUARD_SEGV; i < GUARD_CRASHES; i++)
    sigaction(guard_signal[i], &action, &before[i]);
  action.sa_handler = on_alarm;
  action.sa_flags = SA_NODEFER | SA_ONSTACK | SA_RESTART;
  sigaction(SIGALRM, &action, &alarm_before);
  set_alarm(500);
}

void guard_close(void) {
  if (opened == 0 || --opened > 0)
    return;
  set_alarm(0);
  for (uint32_t i = GUARD_SEGV; i < GUARD_CRASHES; i++)
    sigaction(guard_signal[i], &before[i], NULL);
  sigaction(SIGALRM, &alarm_before, NULL);
}

static _Thread_local bool has_stack;

static void make_stack(void) {
  const stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
  has_stack = sigaltstack(&stack, NULL) == 0;
}

enum guard_crash guard_call(void (*call)(void *), void *argument, struct guard_stop stop) {
  struct guard guard = {.outer = innermost, .stop = stop};
  if (!has_stack)
    make_stack();
  entered++;
  if (sigsetjmp(guard.at, 0) == 0) {
    innermost = &guard;
    call(argument);
  }
  innermost = guard.outer;
  return guard.crash;
}
