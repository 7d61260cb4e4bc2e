/* budget.h - all large memory, counted by purpose, under one limit.
 *
 * A model checker lives at the memory limit, so "how much, for what" has to be
 * exact, and running out has to be an ordinary event: every function here
 * returns NULL (or false) when the limit would be passed, and changes nothing.
 * One budget covers the whole process and is handed down from the entry; it is
 * safe to use from several threads.
 *
 * Three kinds of memory:
 *   budget_alloc / budget_free    blocks of any size, zeroed (small ones too)
 *   budget_map / budget_remap     page-aligned regions, zeroed, grown in place
 *                                 or moved by page tables, on huge pages from
 *                                 BUDGET_HUGE bytes on where the machine allows
 *   budget_claim / budget_return  memory that somebody else takes (a compiler
 *                                 process, a library): only the figures
 * An array that grows is base/array.h. To free NULL does nothing.
 */
#ifndef CAIRN_BASE_BUDGET_H
#define CAIRN_BASE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum budget_purpose {
  BUDGET_MODEL,   /* text, syntax, checked model, tables of the ts */
  BUDGET_CODE,    /* compiled code and the compilers */
  BUDGET_STORE,   /* visited states and their index */
  BUDGET_OPEN,    /* stack or queue of open states, successor batches */
  BUDGET_PARENTS, /* what is kept to find counterexamples again */
  BUDGET_OTHER,
  BUDGET_PURPOSES
};

#define BUDGET_HUGE ((size_t)2 << 20)

struct budget;

/* A budget of `limit` bytes; 0: the default, which is what the machine, its
 * cgroup and the process limits leave free, less a reserve of one sixteenth.
 * What the process occupies already, code and libraries included, counts as BUDGET_OTHER, so
 * nothing can be had under a limit smaller than that (3 to 4 MiB; more under a sanitizer).
 * NULL only if not even the bookkeeping can be allocated. */
struct budget *budget_open(uint64_t limit);
void budget_close(struct budget *);

uint64_t budget_limit(const struct budget *);
uint64_t budget_used(const struct budget *, enum budget_purpose);
uint64_t budget_used_all(const struct budget *);
const char *budget_purpose_name(enum budget_purpose);

/* Gives back to the system what was freed and the C library keeps for later: to be called
 * after something large that came in small blocks is gone. It takes some microseconds. */
void budget_trim(void);

/* Peak resident set of this process in bytes, as the kernel counts it. */
uint64_t budget_peak_resident(void);

void *budget_alloc(struct budget *, enum budget_purpose, size_t bytes);
/* Grows or shrinks; new bytes are zero. On failure NULL, the old block stays. */
void *budget_realloc(struct budget *, enum budget_purpose, void *old, size_t old_bytes,
                     size_t bytes);
void budget_free(struct budget *, enum budget_purpose, void *, size_t bytes);

/* Sizes are rounded up to pages; the rounded size is what is counted. `huge`
 * asks for huge pages (2 MiB alignment then). */
void *budget_map(struct budget *, enum budget_purpose, size_t bytes, bool huge);
void *budget_remap(struct budget *, enum budget_purpose, void *old, size_t old_bytes,
                   size_t bytes, bool huge);
void budget_unmap(struct budget *, enum budget_purpose, void *, size_t bytes);

bool budget_claim(struct budget *, enum budget_purpose, uint64_t bytes);
void budget_return(struct budget *, enum budget_purpose, uint64_t bytes);

/* For tests: the n-th further request fails, and all after it; 0: none does. */
void budget_fail_after(struct budget *, uint64_t n);

#endif
