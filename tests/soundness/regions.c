/* regions.c - what a search takes from the system, at the price of a function call.
 *
 * A search of twenty states takes a dozen regions of memory, touches a page of each, gives them
 * back, and asks how large the process is: half of its time. The linker puts these functions in
 * front of those of base/ (--wrap). Regions of up to KEPT_BYTES are kept for the next
 * search and counted as before. What was given back is filled with a pattern, so that whoever
 * looks there yet finds no state, and is zero when it is taken again, as if it were new.
 */
#include "base/budget.h"

#include <stdint.h>
#include <string.h>

enum {
  PAGE = 4096, /* where the system's are larger, nothing of less is asked for twice */
  KEPT_BYTES = 64 << 10,
  SIZES = KEPT_BYTES / PAGE + 1,
  KEPT = 32
};

static struct {
  void *region[KEPT];
  uint32_t n;
} kept[SIZES]; /* by pages */

void *__real_budget_map(struct budget *, enum budget_purpose, size_t bytes, bool huge);
void __real_budget_unmap(struct budget *, enum budget_purpose, void *at, size_t bytes);
void *__wrap_budget_map(struct budget *, enum budget_purpose, size_t bytes, bool huge);
void __wrap_budget_unmap(struct budget *, enum budget_purpose, void *at, size_t bytes);
uint64_t __wrap_budget_peak_resident(void);

static size_t pages(size_t bytes) {
  return bytes == 0 ? 1 : (bytes + PAGE - 1) / PAGE;
}

void *__wrap_budget_map(struct budget *budget, enum budget_purpose purpose, size_t bytes,
                        bool huge) {
  const size_t n = bytes > KEPT_BYTES ? 0 : pages(bytes);
  if (n == 0 || kept[n].n == 0)
    return __real_budget_map(budget, purpose, bytes, huge);
  if (!budget_claim(budget, purpose, n * PAGE))
    return NULL;
  return memset(kept[n].region[--kept[n].n], 0, n * PAGE);
}

void __wrap_budget_unmap(struct budget *budget, enum budget_purpose purpose, void *at,
                         size_t bytes) {
  const size_t n = bytes > KEPT_BYTES ? 0 : pages(bytes);
  if (at == NULL || n == 0 || kept[n].n == KEPT) {
    __real_budget_unmap(budget, purpose, at, bytes);
    return;
  }
  kept[n].region[kept[n].n++] = memset(at, 0xA5, n * PAGE);
  budget_return(budget, purpose, n * PAGE);
}

uint64_t __wrap_budget_peak_resident(void) {
  return 0;
}
