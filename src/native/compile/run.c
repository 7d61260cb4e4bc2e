/* run.c - another program, started without a shell, bounded and killable.
 *
 * The child is made by vfork(): the search may hold most of the machine's memory
 * by then, and copying its page tables would stop it for long, or fail. Between
 * vfork() and exec only system calls are made. Everything the program starts is
 * in its process group, which is killed as a whole before its leader is reaped,
 * so that the group's number cannot belong to anybody else yet.
 */
#include "native/compile/run.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUN_SLICE 0.01 /* seconds between two looks at the child */

static void limit(__rlimit_resource_t what, uint64_t value) {
  struct rlimit now;
  rlim_t wanted = (rlim_t)value;
  if (getrlimit(what, &now) != 0)
    return;
  if (now.rlim_max == RLIM_INFINITY || now.rlim_max > wanted)
    now.rlim_max = wanted;
  if (now.rlim_cur == RLIM_INFINITY || now.rlim_cur > now.rlim_max)
    now.rlim_cur = now.rlim_max;
  setrlimit(what, &now);
}

/* Runs in the child, on the parent's memory. */
static void become(const struct run_order *order, int nothing) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpriority(PRIO_PROCESS, 0, 19);
  limit(RLIMIT_CPU, order->cpu_seconds);
  limit(RLIMIT_AS, order->memory_bytes);
  limit(RLIMIT_FSIZE, order->file_bytes);
  limit(RLIMIT_CORE, 0);
  if (dup2(nothing, 0) < 0 || dup2(order->output, 1) < 0 || dup2(order->output, 2) < 0)
    _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(order->argument[0], order->argument, order->environment);
  _exit(127);
}

/* Signals are held back, so that no handler of ours runs in the child. */
static pid_t start(const struct run_order *order) {
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0)
    return -1;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  /* The checker asks for posix_spawn(), which knows neither limits nor priorities;
   * what follows in the child is bounded system calls. */
  pid_t child = vfork(); // NOLINT(clang-analyzer-security.insecureAPI.vfork)
  if (child == 0)
    become(order, nothing); // NOLINT(clang-analyzer-unix.Vfork)
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(nothing);
  return child;
}

static enum run_result wait_for(const struct run_order *order, pid_t child) {
  double end = clock_now() + order->seconds;
  for (;;) {
    siginfo_t info = {0};
    int got = waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT);
    if (got < 0 && errno != EINTR)
      return RUN_DONE; /* the process ignores its children: the output shows */
    if (got == 0 && info.si_pid == child)
      return info.si_code == CLD_EXITED && info.si_status == 0 ? RUN_DONE : RUN_FAILED;
    if (clock_now() >= end)
      return RUN_TOO_LONG;
    if (order->stop(order->context, RUN_SLICE))
      return RUN_STOPPED;
  }
}

enum run_result run_program(const struct run_order *order) {
  pid_t child = start(order);
  if (child < 0)
    return RUN_NOT_STARTED;
  enum run_result result = wait_for(order, child);
  kill(-child, SIGKILL);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
    ;
  return result;
}
