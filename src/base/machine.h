/* machine.h - how much memory this process may still take, asked of the kernel.
 *
 * Only budget.c needs it; apart because it is all parsing of small kernel files,
 * and can be tested with a made-up tree of them.
 */
#ifndef CAIRN_BASE_MACHINE_H
#define CAIRN_BASE_MACHINE_H

#include <stdint.h>

/* The least of what the machine has available, what every control group above
 * the process (version 1 and 2) leaves, and what RLIMIT_AS and RLIMIT_DATA
 * leave. `root` is put before the paths /proc and /sys; "" in earnest.
 * UINT64_MAX if nothing could be found out. */
uint64_t machine_free_memory(const char *root);

/* What the machine has, with swap; UINT64_MAX if that is not known. */
uint64_t machine_total_memory(const char *root);

/* Memory of the process in bytes: data, stack, and the code of program and libraries. */
uint64_t machine_own_memory(void);

/* Peak resident set of the process, in bytes. */
uint64_t machine_peak_resident(void);

#endif
