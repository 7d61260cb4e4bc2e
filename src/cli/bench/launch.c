/* launch.c - one measured run: a process of its own, watched until it ends.
 *
 * The run leads a process group, so that compilers and shells that it starts end with
 * it, and so that a Ctrl-C at the terminal reaches us alone. Signals are blocked and taken
 * in a loop instead of being handled: there is then no moment at which a signal
 * could end us and leave a run alive. What is measured comes from wait4(): the
 * kernel's own sums over the process and those that it waited for. (Its peak is
 * never less than our own, as a new program inherits that figure; ours is a few MiB.)
 */
#include "cli/bench/launch.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Between the request to end and the end by force. */
#define LAUNCH_GRACE 2.0

static void signals_to_hold(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
  sigaddset(set, SIGHUP);
  sigaddset(set, SIGCHLD);
}

void launch_hold_signals(void) {
  sigset_t set;
  signals_to_hold(&set);
  sigprocmask(SIG_BLOCK, &set, NULL);
}

bool launch_asked_to_stop(void) {
  sigset_t waiting;
  sigpending(&waiting);
  return sigismember(&waiting, SIGINT) || sigismember(&waiting, SIGTERM) ||
         sigismember(&waiting, SIGHUP);
}

static void replace(int fd, const char *path, int flags) {
  int file = open(path, flags | O_CLOEXEC, 0666);
  if (file < 0 || dup2(file, fd) < 0)
    _exit(127);
}

/* In the child, up to the new program. */
static void become(const struct launch *l, pid_t parent, int report) {
  sigset_t none;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(127);
  replace(STDIN_FILENO, "/dev/null", O_RDONLY);
  replace(STDOUT_FILENO, l->out, O_WRONLY | O_CREAT | O_TRUNC);
  replace(STDERR_FILENO, l->err, O_WRONLY | O_CREAT | O_TRUNC);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  struct rlimit core = {0, 0}, space = {l->memory, l->memory};
  setrlimit(RLIMIT_CORE, &core);
  if (l->memory > 0)
    setrlimit(RLIMIT_AS, &space);
  for (char *const *e = l->environment; e != NULL && *e != NULL; e += 2)
    setenv(e[0], e[1], 1);
  if (chdir(l->folder) == 0)
    execvp(l->argv[0], l->argv);
  int why = errno;
  (void)!write(report, &why, sizeof why);
  _exit(127);
}

/* The process, or -1 with errno set, also if the program could not be started: a pipe
 * that closes when it starts carries the reason. */
static pid_t start(const struct launch *l) {
  int report[2], why = 0;
  if (pipe2(report, O_CLOEXEC) != 0)
    return -1;
  pid_t parent = getpid(), pid = fork();
  if (pid == 0)
    become(l, parent, report[1]);
  why = pid < 0 ? errno : 0;
  close(report[1]);
  if (pid > 0) {
    setpgid(pid, pid);
    while (read(report[0], &why, sizeof why) < 0 && errno == EINTR)
      ;
  }
  close(report[0]);
  if (pid > 0 && why != 0)
    waitpid(pid, NULL, 0);
  errno = why;
  return why == 0 ? pid : -1;
}

static bool has_ended(pid_t pid) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid;
}

/* A moment's sleep, or until a child ends; true if we are asked to stop. */
static bool rest(void) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  struct timespec moment = {0, 100000000};
  sigtimedwait(&child, NULL, &moment);
  return launch_asked_to_stop();
}

/* Waits for the end, and sees to it. */
static enum launch_end watch(const struct launch *l, pid_t pid, double begin) {
  enum launch_end end = LAUNCH_EXITED;
  double asked = 0;
  while (!has_ended(pid)) {
    bool stop = rest();
    double now = clock_now();
    if (stop) {
      kill(-pid, SIGKILL);
      end = LAUNCH_INTERRUPTED;
    } else if (end == LAUNCH_EXITED && l->seconds > 0 && now - begin > l->seconds) {
      kill(-pid, SIGTERM);
      end = LAUNCH_TIME;
      asked = now;
    } else if (end == LAUNCH_TIME && now - asked > LAUNCH_GRACE) {
      kill(-pid, SIGKILL);
    }
    if (l->tick != NULL)
      l->tick(l->data, now - begin);
  }
  return end;
}

static double seconds_of(struct timeval t) {
  return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

struct launch_result launch_run(const struct launch *l) {
  struct launch_result result = {0};
  struct rusage used = {0};
  int status = 0;
  double begin = clock_now();
  pid_t pid = start(l);
  if (pid < 0)
    return (struct launch_result){.end = LAUNCH_NOT_STARTED, .status = errno};
  result.end = watch(l, pid, begin);
  result.wall = clock_now() - begin;
  kill(-pid, SIGKILL); /* what it left alive; its own number is not yet free */
  while (wait4(pid, &status, 0, &used) < 0 && errno == EINTR)
    ;
  result.cpu = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  result.peak = (uint64_t)used.ru_maxrss * 1024;
  if (result.end == LAUNCH_EXITED && WIFSIGNALED(status))
    result.end = LAUNCH_SIGNALLED;
  result.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}
