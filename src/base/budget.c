/* budget.c - counted memory.
 *
 * The counters are plain atomics: one sum that is compared with the limit, and
 * one per purpose for the report. A request is charged before the memory is
 * taken and given back if the kernel refuses, so the limit is never passed, not
 * even for a moment by two threads at once.
 *
 * Large regions are moved by their page tables (mremap) instead of by copying.
 * The kernel moves a huge page whole only if the old and the new address are
 * both multiples of its size; hence the aligned reservation as the target.
 */
#include "base/budget.h"

#include "base/machine.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <unistd.h>

/* When the kernel says nothing: what any machine of today has. */
#define BUDGET_UNKNOWN (UINT64_C(1) << 30)

struct budget {
  uint64_t limit;
  size_t page;
  _Atomic uint64_t all;
  _Atomic uint64_t used[BUDGET_PURPOSES];
  _Atomic uint64_t fail; /* requests until failure begins, that one counted; 0: never */
};

struct budget *budget_open(uint64_t limit) {
  struct budget *budget = calloc(1, sizeof *budget);
  if (budget == NULL)
    return NULL;
  const uint64_t own = machine_own_memory();
  if (limit == 0) {
    uint64_t free_bytes = machine_free_memory("");
    if (free_bytes == UINT64_MAX)
      free_bytes = BUDGET_UNKNOWN;
    limit = free_bytes - free_bytes / 16 + own;
  }
  budget->limit = limit;
  budget->page = (size_t)sysconf(_SC_PAGESIZE);
  atomic_init(&budget->all, own);
  atomic_init(&budget->used[BUDGET_OTHER], own);
  return budget;
}

void budget_close(struct budget *budget) {
  free(budget);
}

void budget_trim(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

uint64_t budget_limit(const struct budget *budget) {
  return budget->limit;
}

uint64_t budget_used(const struct budget *budget, enum budget_purpose purpose) {
  return atomic_load_explicit(&budget->used[purpose], memory_order_relaxed);
}

uint64_t budget_used_all(const struct budget *budget) {
  return atomic_load_explicit(&budget->all, memory_order_relaxed);
}

const char *budget_purpose_name(enum budget_purpose purpose) {
  static const char *const name[BUDGET_PURPOSES] = {
      [BUDGET_MODEL] = "model", [BUDGET_CODE] = "code",       [BUDGET_STORE] = "store",
      [BUDGET_OPEN] = "open",   [BUDGET_PARENTS] = "parents", [BUDGET_OTHER] = "other",
  };
  return name[purpose];
}

uint64_t budget_peak_resident(void) {
  return machine_peak_resident();
}

/* Does the injected failure strike this request? */
static bool struck(struct budget *budget) {
  uint64_t n = atomic_load_explicit(&budget->fail, memory_order_relaxed);
  while (n > 1)
    if (atomic_compare_exchange_weak_explicit(&budget->fail, &n, n - 1, memory_order_relaxed,
                                              memory_order_relaxed))
      return false;
  return n == 1;
}

void budget_fail_after(struct budget *budget, uint64_t n) {
  atomic_store_explicit(&budget->fail, n, memory_order_relaxed);
}

bool budget_claim(struct budget *budget, enum budget_purpose purpose, uint64_t bytes) {
  if (struck(budget))
    return false;
  uint64_t all = atomic_load_explicit(&budget->all, memory_order_relaxed);
  do {
    if (all > budget->limit || bytes > budget->limit - all)
      return false;
  } while (!atomic_compare_exchange_weak_explicit(&budget->all, &all, all + bytes,
                                                  memory_order_relaxed, memory_order_relaxed));
  atomic_fetch_add_explicit(&budget->used[purpose], bytes, memory_order_relaxed);
  return true;
}

void budget_return(struct budget *budget, enum budget_purpose purpose, uint64_t bytes) {
  assert(budget_used(budget, purpose) >= bytes);
  atomic_fetch_sub_explicit(&budget->used[purpose], bytes, memory_order_relaxed);
  atomic_fetch_sub_explicit(&budget->all, bytes, memory_order_relaxed);
}

void *budget_alloc(struct budget *budget, enum budget_purpose purpose, size_t bytes) {
  if (!budget_claim(budget, purpose, bytes))
    return NULL;
  void *block = calloc(1, bytes == 0 ? 1 : bytes);
  if (block == NULL)
    budget_return(budget, purpose, bytes);
  return block;
}

void *budget_realloc(struct budget *budget, enum budget_purpose purpose, void *old,
                     size_t old_bytes, size_t bytes) {
  if (old == NULL)
    return budget_alloc(budget, purpose, bytes);
  if (bytes > old_bytes && !budget_claim(budget, purpose, bytes - old_bytes))
    return NULL;
  char *block = realloc(old, bytes == 0 ? 1 : bytes);
  if (bytes <= old_bytes) {
    /* Giving back cannot fail: at worst the block stays as large as it was. */
    budget_return(budget, purpose, old_bytes - bytes);
    if (block == NULL)
      return old;
  } else if (block == NULL) {
    budget_return(budget, purpose, bytes - old_bytes);
  } else {
    memset(block + old_bytes, 0, bytes - old_bytes);
  }
  return block;
}

void budget_free(struct budget *budget, enum budget_purpose purpose, void *block,
                 size_t bytes) {
  if (block == NULL)
    return;
  free(block);
  budget_return(budget, purpose, bytes);
}

/* Rounded up to pages; 0 if that is more than can be addressed. */
static size_t pages(const struct budget *budget, size_t bytes) {
  const size_t rest = budget->page - 1;
  return bytes > SIZE_MAX / 2 ? 0 : ((bytes == 0 ? 1 : bytes) + rest) & ~rest;
}

/* Address space of `bytes` at a multiple of BUDGET_HUGE. */
static char *reserve_aligned(size_t bytes, int protection) {
  char *at = mmap(NULL, bytes + BUDGET_HUGE, protection,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    return NULL;
  const size_t before = (size_t)(-(uintptr_t)at & (BUDGET_HUGE - 1));
  if (before > 0)
    munmap(at, before);
  munmap(at + before + bytes, BUDGET_HUGE - before);
  return at + before;
}

static bool is_aligned(const void *at) {
  return ((uintptr_t)at & (BUDGET_HUGE - 1)) == 0;
}

void *budget_map(struct budget *budget, enum budget_purpose purpose, size_t bytes, bool huge) {
  const size_t size = pages(budget, bytes);
  if (size == 0 || !budget_claim(budget, purpose, size))
    return NULL;
  char *at;
  if (huge && size >= BUDGET_HUGE) {
    at = reserve_aligned(size, PROT_READ | PROT_WRITE);
    if (at != NULL)
      madvise(at, size, MADV_HUGEPAGE); /* only faster: a refusal does not matter */
  } else {
    at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
              -1, 0);
    at = at == MAP_FAILED ? NULL : at;
  }
  if (at == NULL)
    budget_return(budget, purpose, size);
  return at;
}

/* Moves a region to an aligned place and grows it; NULL: it stays where it was. */
static char *move_aligned(char *old, size_t old_size, size_t size) {
  char *target = reserve_aligned(size, PROT_NONE);
  if (target == NULL)
    return NULL;
  char *at = mremap(old, old_size, size, MREMAP_MAYMOVE | MREMAP_FIXED, target);
  if (at != MAP_FAILED)
    return at;
  munmap(target, size);
  return NULL;
}

static char *grow_region(char *old, size_t old_size, size_t size, bool huge) {
  if (!huge || size < BUDGET_HUGE) {
    char *at = mremap(old, old_size, size, MREMAP_MAYMOVE);
    return at == MAP_FAILED ? NULL : at;
  }
  char *at = MAP_FAILED;
  if (is_aligned(old))
    at = mremap(old, old_size, size, 0);
  if (at == MAP_FAILED)
    at = move_aligned(old, old_size, size);
  if (at != NULL)
    madvise(at, size, MADV_HUGEPAGE);
  return at;
}

void *budget_remap(struct budget *budget, enum budget_purpose purpose, void *old,
                   size_t old_bytes, size_t bytes, bool huge) {
  if (old == NULL)
    return budget_map(budget, purpose, bytes, huge);
  const size_t old_size = pages(budget, old_bytes);
  const size_t size = pages(budget, bytes);
  if (size == 0)
    return NULL;
  if (size <= old_size) {
    /* What is after the new end must read as zero if it grows again. */
    if (bytes < old_bytes)
      memset((char *)old + bytes, 0, (old_bytes < size ? old_bytes : size) - bytes);
    if (size < old_size) {
      munmap((char *)old + size, old_size - size);
      budget_return(budget, purpose, old_size - size);
    }
    return old;
  }
  if (!budget_claim(budget, purpose, size - old_size))
    return NULL;
  char *at = grow_region(old, old_size, size, huge);
  if (at == NULL)
    budget_return(budget, purpose, size - old_size);
  return at;
}

void budget_unmap(struct budget *budget, enum budget_purpose purpose, void *at, size_t bytes) {
  if (at == NULL)
    return;
  const size_t size = pages(budget, bytes);
  munmap(at, size);
  budget_return(budget, purpose, size);
}
