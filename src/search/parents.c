/* parents.c - segments of parents: the first holds 4096, each further one as many as
 * all before it, up to a million.
 */
#include "search/parents.h"

enum { FIRST_BITS = 12, MOST_BITS = 20 };

void parents_init(struct parents *parents, struct budget *budget) {
  *parents = (struct parents){.budget = budget};
}

void parents_free(struct parents *parents) {
  struct budget *budget = parents->budget;
  for (uint64_t i = 0; i < parents->n; i++) {
    struct parents_segment *s = &parents->segment[i];
    budget_unmap(budget, BUDGET_PARENTS, s->low, s->capacity * sizeof *s->low);
    if (s->high != NULL)
      budget_unmap(budget, BUDGET_PARENTS, s->high, s->capacity);
  }
  budget_free(budget, BUDGET_PARENTS, parents->segment,
              parents->room * sizeof *parents->segment);
  parents_init(parents, budget);
}

static bool grow_table(struct parents *parents) {
  if (parents->n < parents->room)
    return true;
  uint64_t room = parents->room == 0 ? 64 : 2 * parents->room;
  struct parents_segment *segment =
      budget_realloc(parents->budget, BUDGET_PARENTS, parents->segment,
                     parents->room * sizeof *segment, room * sizeof *segment);
  if (segment == NULL)
    return false;
  parents->segment = segment;
  parents->room = room;
  return true;
}

bool parents_extend(struct parents *parents) {
  if (!grow_table(parents))
    return false;
  uint64_t bits = parents->n == 0 ? FIRST_BITS : FIRST_BITS + parents->n - 1;
  uint64_t capacity = UINT64_C(1) << (bits > MOST_BITS ? MOST_BITS : bits);
  size_t bytes = capacity * sizeof(uint32_t);
  uint32_t *low = budget_map(parents->budget, BUDGET_PARENTS, bytes, bytes >= BUDGET_HUGE);
  if (low == NULL)
    return false;
  parents->segment[parents->n++] = (struct parents_segment){low, NULL, capacity};
  parents->next = low;
  parents->end = low + capacity;
  return true;
}

bool parents_set_high(struct parents *parents, uint64_t parent) {
  struct parents_segment *s = &parents->segment[parents->n - 1];
  if (s->high == NULL)
    s->high = budget_map(parents->budget, BUDGET_PARENTS, s->capacity, false);
  if (s->high == NULL)
    return false;
  s->high[parents->next - s->low] = (uint8_t)(parent >> 32);
  return true;
}

uint64_t parents_get(const struct parents *parents, uint64_t id) {
  uint64_t segment, at;
  if (id >> FIRST_BITS == 0) {
    segment = 0;
    at = id;
  } else if (id >> MOST_BITS == 0) {
    uint64_t bits = 63 - (uint64_t)__builtin_clzll(id);
    segment = bits - FIRST_BITS + 1;
    at = id - (UINT64_C(1) << bits);
  } else {
    segment = MOST_BITS - FIRST_BITS + (id >> MOST_BITS);
    at = id & ((UINT64_C(1) << MOST_BITS) - 1);
  }
  const struct parents_segment *s = &parents->segment[segment];
  return s->low[at] | (s->high == NULL ? 0 : (uint64_t)s->high[at] << 32);
}
