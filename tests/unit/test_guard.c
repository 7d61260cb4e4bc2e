/* test_guard.c - calls that crash or never return, in several threads at once. */
#include "base/guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static void do_nothing(void *count) {
  ++*(int *)count;
}

static void fall(void *unused) {
  (void)unused;
  raise(SIGSEGV);
}

static void give_up(void *unused) {
  (void)unused;
  abort();
}

static void divide(void *unused) {
  (void)unused;
  raise(SIGFPE);
}

/* Deeper than any stack; the compiler is not to see that nothing comes of it. */
static unsigned dig(volatile unsigned *at) {
  volatile unsigned room[256] = {*at};
  *at += 1;
  return *at == 0 ? room[1] : dig(at) + room[*at % 256];
}

static void dig_deep(void *at) {
  dig(at);
}

static void never_return(void *unused) {
  (void)unused;
  for (volatile int i = 0;; i = !i)
    ;
}

/* No time of the processor goes by in this thread, so that only a signal to it can end it. */
static void wait_for_ever(void *unused) {
  (void)unused;
  for (;;)
    pause();
}

static bool asks_at_once(void *asked) {
  atomic_fetch_add((atomic_int *)asked, 1);
  return true;
}

static void test_crashes(void **state) {
  (void)state;
  int n = 0;
  unsigned depth = 0;
  guard_open();
  assert_int_equal(guard_call(fall, NULL), GUARD_SEGV);
  assert_int_equal(guard_call(do_nothing, &n), GUARD_FINE);
  assert_int_equal(guard_call(give_up, NULL), GUARD_ABORT);
  assert_int_equal(guard_call(divide, NULL), GUARD_FPE);
  assert_int_equal(guard_call(dig_deep, &depth), GUARD_SEGV);
  assert_int_equal(guard_call(dig_deep, &depth), GUARD_SEGV);
  assert_int_equal(guard_call(do_nothing, &n), GUARD_FINE);
  assert_int_equal(n, 2);
  guard_close();
}

/* ---- threads ----------------------------------------------------------------------------- */

struct task {
  atomic_int asked;
  bool ends;
  unsigned wrong;
};

static void *crash_often(void *argument) {
  struct task *t = argument;
  int n = 0;
  for (unsigned i = 0; i < 200; i++) {
    unsigned depth = 0;
    guard_open();
    t->wrong += guard_call(fall, NULL) != GUARD_SEGV;
    t->wrong += guard_call(do_nothing, &n) != GUARD_FINE;
    t->wrong += guard_call(divide, NULL) != GUARD_FPE;
    if (i % 50 == 0)
      t->wrong += guard_call(dig_deep, &depth) != GUARD_SEGV;
    guard_close();
  }
  t->wrong += n != 200;
  return NULL;
}

static void *stop_twice(void *argument) {
  struct task *t = argument;
  const struct guard_stop before = guard_stop_by((struct guard_stop){asks_at_once, &t->asked});
  for (unsigned i = 0; i < 2; i++) {
    guard_open();
    t->wrong += guard_call(i == 0 ? never_return : wait_for_ever, NULL) != GUARD_STOPPED;
    guard_close();
  }
  guard_stop_by(before);
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  enum { THREADS = 6 };
  struct task task[THREADS] = {0};
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(
        pthread_create(&thread[i], NULL, i % 2 == 0 ? crash_often : stop_twice, &task[i]), 0);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    assert_int_equal(task[i].wrong, 0);
    assert_int_equal(task[i].asked, i % 2 == 0 ? 0 : 2);
  }
}

/* ---- what was there before --------------------------------------------------------------- */

static sigjmp_buf back;
static volatile sig_atomic_t came, looks;

static void on_fall(int number) {
  came = number;
  siglongjmp(back, 1);
}

static void on_look(int number) {
  (void)number;
  looks++;
}

static void on_info(int number, siginfo_t *info, void *context) {
  (void)info;
  (void)context;
  came = number;
}

static void sleep_for(double seconds) {
  struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  while (nanosleep(&t, &t) != 0)
    ;
}

/* Handlers of the program get what is not the guard's, and come back after it. */
static void test_handlers_of_the_program(void **state) {
  (void)state;
  struct sigaction own = {.sa_handler = on_fall, .sa_flags = SA_NODEFER}, after, before[2];
  struct sigaction look = {.sa_handler = on_look};
  int n = 0;
  sigaction(SIGSEGV, &own, &before[0]);
  sigaction(SIGURG, &look, &before[1]);
  guard_open();
  for (volatile int i = 0; i < 2; i++) {
    came = 0;
    if (sigsetjmp(back, 1) == 0)
      raise(SIGSEGV);
    assert_int_equal(came, SIGSEGV);
    assert_int_equal(guard_call(fall, NULL), GUARD_SEGV);
  }
  assert_int_equal(guard_call(do_nothing, &n), GUARD_FINE);
  sleep_for(0.6); /* the guard looks by the same signal, and the program does not see it */
  assert_int_equal(looks, 0);
  raise(SIGURG);
  assert_int_equal(looks, 1);
  guard_close();
  sigaction(SIGSEGV, NULL, &after);
  assert_true(after.sa_handler == on_fall);
  sleep_for(0.6);
  assert_int_equal(looks, 1);
  /* One that the program installs meanwhile stays. */
  guard_open();
  sigaction(SIGSEGV, &(struct sigaction){.sa_sigaction = on_info, .sa_flags = SA_SIGINFO},
            NULL);
  guard_close();
  sigaction(SIGSEGV, NULL, &after);
  assert_true(after.sa_sigaction == on_info);
  sigaction(SIGSEGV, &before[0], NULL);
  sigaction(SIGURG, &before[1], NULL);
}

/* A thread that is there when the last model is closed, by another one: its timer ends then,
 * and is there again with the next model. */
static atomic_int stage;

static void wait_for(int at) {
  while (atomic_load(&stage) != at)
    sleep_for(0.01);
}

static void *stay(void *argument) {
  struct task *t = argument;
  int n = 0;
  guard_call(do_nothing, &n);
  atomic_store(&stage, 1);
  wait_for(2);
  guard_open();
  guard_stop_by((struct guard_stop){asks_at_once, &t->asked});
  t->wrong += guard_call(never_return, NULL) != GUARD_STOPPED;
  guard_close();
  return NULL;
}

static void test_closed_by_another_thread(void **state) {
  (void)state;
  struct sigaction before, look = {.sa_handler = on_look};
  struct task task = {0};
  pthread_t thread;
  looks = 0;
  sigaction(SIGURG, &look, &before);
  guard_open();
  assert_int_equal(pthread_create(&thread, NULL, stay, &task), 0);
  wait_for(1);
  guard_close();
  sleep_for(0.7);
  assert_int_equal(looks, 0);
  atomic_store(&stage, 2);
  pthread_join(thread, NULL);
  assert_int_equal(task.wrong, 0);
  assert_int_equal(task.asked, 1);
  sigaction(SIGURG, &before, NULL);
}

/* The alarm of the program is its own. */
static void test_alarm(void **state) {
  (void)state;
  struct sigaction before, look = {.sa_handler = on_look};
  looks = 0;
  sigaction(SIGALRM, &look, &before);
  guard_open();
  alarm(1);
  sleep_for(1.1);
  assert_int_equal(looks, 1);
  guard_close();
  sigaction(SIGALRM, &before, NULL);
}

/* A stack for handlers that the thread has is kept, and one that was made is taken away.
 * (Sanitizers give each thread one.) */
static void *look_at_stack(void *own) {
  stack_t stack = {.ss_sp = own, .ss_size = 65536}, before;
  int n = 0;
  if (own != NULL)
    sigaltstack(&stack, NULL);
  sigaltstack(NULL, &before);
  guard_open();
  guard_call(do_nothing, &n);
  guard_close();
  sigaltstack(NULL, &stack);
  const bool fine = stack.ss_flags == before.ss_flags &&
                    ((before.ss_flags & SS_DISABLE) != 0 || stack.ss_sp == before.ss_sp);
  if (own != NULL)
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  return fine ? NULL : "wrong";
}

static void test_stacks(void **state) {
  (void)state;
  void *own[2] = {NULL, malloc(65536)};
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    void *wrong;
    assert_int_equal(pthread_create(&thread, NULL, look_at_stack, own[i]), 0);
    pthread_join(thread, &wrong);
    assert_null(wrong);
  }
  free(own[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_crashes),
                                     cmocka_unit_test(test_threads),
                                     cmocka_unit_test(test_handlers_of_the_program),
                                     cmocka_unit_test(test_closed_by_another_thread),
                                     cmocka_unit_test(test_alarm),
                                     cmocka_unit_test(test_stacks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
