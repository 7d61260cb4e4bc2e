/* run.h - another program, started without a shell, bounded and killable. */
#ifndef CAIRN_NATIVE_COMPILE_RUN_H
#define CAIRN_NATIVE_COMPILE_RUN_H

#include <stdbool.h>
#include <stdint.h>

struct run_order {
  char *const *argument;    /* argument[0]: path of the program; ended by NULL */
  char *const *environment; /* ended by NULL */
  int output;               /* descriptor for what it prints */
  uint32_t cpu_seconds;     /* each process of it */
  uint64_t memory_bytes;    /* address space, each process of it */
  uint64_t file_bytes;      /* longest file */
  double seconds;           /* by the clock, all of it */
  bool (*stop)(void *context, double wait); /* waits up to `wait` seconds; true: give up */
  void *context;
};

enum run_result { RUN_DONE, RUN_FAILED, RUN_NOT_STARTED, RUN_TOO_LONG, RUN_STOPPED };

/* Runs it at the lowest priority, in a process group of its own, and waits. In
 * every case none of its processes is left when this returns. */
enum run_result run_program(const struct run_order *);

#endif
