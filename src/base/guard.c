/* guard.c - calls into a user's code that may crash or never return.
 *
 * Signal handlers can leave word in static variables only; so the innermost guard of a thread
 * is one, and the handlers, which are the process's, are installed once. A crash outside of any
 * guard goes where it would have gone without them.
 *
 * The mask of signals is not saved (that is a system call): the handlers let their own signal
 * through instead. They run on a stack of their own, as the usual one may be what is exhausted.
 *
 * Each thread has a timer that interrupts it and no other. Its signal is one that is ignored
 * where nobody asked for it, for it may still be on the way when the handlers have gone.
 */
#include "base/guard.h"

#include "base/clock.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define GUARD_STACK ((size_t)64 << 10)
enum { GUARD_LOOK = SIGURG, LOOKS_MS = 500 };

/* A call that is under way. */
struct guard {
  sigjmp_buf at;
  struct guard *outer;
  volatile enum guard_crash crash;
};

/* What a thread needs for its calls. */
struct guard_thread {
  struct guard_thread *next, *before;
  void *stack; /* for handlers; NULL: it had one */
  timer_t timer;
  bool has_timer;
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

/* Reached by handlers: it must be there without being made when it is first used. */
static _Thread_local struct {
  struct guard *innermost;
  struct guard *lasting;            /* that at the last look, */
  unsigned entered, entered_before; /* and how many calls had begun by then */
  struct guard_stop stop;
  struct guard_thread *thread;
  unsigned round;
} mine __attribute__((tls_model("initial-exec")));

/* All that follows is changed under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned opened;
static atomic_uint round_now; /* how often the first one opened: timers are of one round */
static struct guard_thread *threads;
static struct sigaction former[GUARD_CRASHES], former_look;
static pthread_key_t thread_key;
static bool has_key;

/* ---- handlers --------------------------------------------------------------------------- */

static void leave_with(enum guard_crash crash) {
  struct guard *guard = mine.innermost;
  guard->crash = crash;
  siglongjmp(guard->at, 1);
}

/* To whom the signal would have gone. False: nobody. */
static bool pass_on(const struct sigaction *to, int number, siginfo_t *info, void *context) {
  if (to->sa_flags & SA_SIGINFO)
    to->sa_sigaction(number, info, context);
  else if (to->sa_handler != SIG_DFL && to->sa_handler != SIG_IGN)
    to->sa_handler(number);
  else
    return false;
  return true;
}

/* What it does is done again after the return, unless somebody sent the signal. */
static void end_with(int number, const siginfo_t *info) {
  signal(number, SIG_DFL);
  if (info->si_code <= 0)
    raise(number);
}

static void on_crash(int number, siginfo_t *info, void *context) {
  for (uint32_t i = GUARD_SEGV; i < GUARD_CRASHES; i++) {
    if (guard_signal[i] != number)
      continue;
    if (mine.innermost != NULL)
      leave_with((enum guard_crash)i);
    if (!pass_on(&former[i], number, info, context))
      end_with(number, info);
  }
}

static bool is_to_stop(void) {
  return mine.stop.asks == NULL ? clock_stop_requested() : mine.stop.asks(mine.stop.context);
}

/* A call that goes on since the last look may be one that never ends. */
static void on_look(int number, siginfo_t *info, void *context) {
  if (info->si_code != SI_TIMER) {
    pass_on(&former_look, number, info, context);
    return;
  }
  struct guard *guard = mine.innermost;
  const bool lasts =
      guard != NULL && guard == mine.lasting && mine.entered == mine.entered_before;
  mine.lasting = guard;
  mine.entered_before = mine.entered;
  if (lasts && is_to_stop())
    leave_with(GUARD_STOPPED);
}

/* ---- threads ---------------------------------------------------------------------------- */

static void start_timer(struct guard_thread *t) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = GUARD_LOOK};
  const struct timespec every = {LOOKS_MS / 1000, LOOKS_MS % 1000 * 1000000L};
  const struct itimerspec times = {every, every};
  event.sigev_notify_thread_id = gettid();
  if (t->has_timer || timer_create(CLOCK_MONOTONIC, &event, &t->timer) != 0)
    return;
  t->has_timer = true;
  timer_settime(t->timer, 0, &times, NULL);
}

static void end_timer(struct guard_thread *t) {
  if (t->has_timer)
    timer_delete(t->timer);
  t->has_timer = false;
}

/* Somebody else's stack for handlers is as good. */
static void make_stack(struct guard_thread *t) {
  stack_t stack;
  if (sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE))
    return;
  t->stack = malloc(GUARD_STACK);
  stack = (stack_t){.ss_sp = t->stack, .ss_size = GUARD_STACK};
  if (t->stack != NULL)
    sigaltstack(&stack, NULL);
}

static void drop_stack(struct guard_thread *t) {
  stack_t stack;
  if (t->stack == NULL || sigaltstack(NULL, &stack) != 0)
    return;
  if (stack.ss_sp == t->stack)
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  free(t->stack);
}

/* This thread's, by itself. */
static void drop_thread(struct guard_thread *t) {
  end_timer(t);
  if (t->before != NULL)
    t->before->next = t->next;
  else
    threads = t->next;
  if (t->next != NULL)
    t->next->before = t->before;
  drop_stack(t);
  free(t);
  mine.thread = NULL;
  mine.round = 0;
}

static void on_thread_end(void *thread) {
  pthread_mutex_lock(&lock);
  drop_thread(thread);
  pthread_mutex_unlock(&lock);
}

static struct guard_thread *add_thread(void) {
  struct guard_thread *t = calloc(1, sizeof *t);
  if (t == NULL)
    return NULL;
  make_stack(t);
  t->next = threads;
  if (threads != NULL)
    threads->before = t;
  threads = t;
  if (has_key)
    pthread_setspecific(thread_key, t);
  return t;
}

/* Before the first call of a round. Without memory calls are guarded all the same, but for a
 * stack that is exhausted, and those that never end. */
static __attribute__((noinline)) void begin_round(void) {
  pthread_mutex_lock(&lock);
  if (mine.thread == NULL)
    mine.thread = add_thread();
  if (mine.thread != NULL && opened > 0)
    start_timer(mine.thread);
  mine.round = round_now;
  pthread_mutex_unlock(&lock);
}

/* ---- opening and closing ---------------------------------------------------------------- */

typedef void handler(int, siginfo_t *, void *);

static void take(int number, handler *by, int flags, struct sigaction *before) {
  struct sigaction action = {.sa_sigaction = by,
                             .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | flags};
  sigemptyset(&action.sa_mask);
  sigaction(number, NULL, before);
  sigaction(number, &action, NULL);
}

/* Unless somebody has taken it since. */
static void give_back(int number, handler *by, const struct sigaction *before) {
  struct sigaction now;
  if (sigaction(number, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
      now.sa_sigaction == by)
    sigaction(number, before, NULL);
}

static void open_first(void) {
  has_key = has_key || pthread_key_create(&thread_key, on_thread_end) == 0;
  atomic_fetch_add(&round_now, 1);
  for (uint32_t i = GUARD_SEGV; i < GUARD_CRASHES; i++)
    take(guard_signal[i], on_crash, 0, &former[i]);
  take(GUARD_LOOK, on_look, SA_RESTART, &former_look);
}

static void close_last(void) {
  for (struct guard_thread *t = threads; t != NULL; t = t->next)
    end_timer(t);
  for (uint32_t i = GUARD_SEGV; i < GUARD_CRASHES; i++)
    give_back(guard_signal[i], on_crash, &former[i]);
  give_back(GUARD_LOOK, on_look, &former_look);
  if (mine.thread == NULL)
    return;
  if (has_key)
    pthread_setspecific(thread_key, NULL);
  drop_thread(mine.thread);
}

void guard_open(void) {
  pthread_mutex_lock(&lock);
  if (opened++ == 0)
    open_first();
  pthread_mutex_unlock(&lock);
}

void guard_close(void) {
  pthread_mutex_lock(&lock);
  if (opened > 0 && --opened == 0)
    close_last();
  pthread_mutex_unlock(&lock);
}

/* ---- calls ------------------------------------------------------------------------------ */

struct guard_stop guard_stop_by(struct guard_stop stop) {
  const struct guard_stop before = mine.stop;
  mine.stop = stop;
  return before;
}

enum guard_crash guard_call(void (*call)(void *), void *argument) {
  struct guard guard; /* the registers are not filled with zeros, as they are 200 bytes */
  guard.outer = mine.innermost;
  guard.crash = GUARD_FINE;
  if (mine.round != atomic_load_explicit(&round_now, memory_order_relaxed))
    begin_round();
  mine.entered++;
  if (sigsetjmp(guard.at, 0) == 0) {
    mine.innermost = &guard;
    call(argument);
  }
  mine.innermost = guard.outer;
  return guard.crash;
}
