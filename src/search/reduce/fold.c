/* fold.c - sets of locations in fewer bits.
 *
 * Who can reach something from one location of a cycle can do so from each. So most processes
 * have few kinds of locations, and the sets for a state are united and compared in a word.
 */
#include "search/reduce/fold.h"

#include "base/bits.h"

#include <string.h>

static bool test(const struct conflict *c, uint32_t set, uint32_t location) {
  return bits_test(conflict_set(c, set), location);
}

/* Of each location a hash of which sets it is in. */
static void hash_columns(const struct conflict *c, uint64_t *hash) {
  uint64_t random = 0;
  for (uint32_t i = 0; i < c->n_sets; i++) {
    uint64_t number = bits_next_random(&random);
    for (uint32_t l = 0; l < c->control->n_locations; l++)
      hash[l] ^= test(c, i, l) ? number : 0;
  }
}

static bool is_same_column(const struct conflict *c, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < c->n_sets; i++)
    if (test(c, i, a) != test(c, i, b))
      return false;
  return true;
}

/* Gives each location its bit, those of the youngest process first; one of each bit's locations
 * goes to `first`. */
static void number_columns(struct conflict *c, const uint64_t *hash, uint32_t *first) {
  uint32_t n = 0;
  for (uint32_t p = c->control->n_processes; p-- > 0;) {
    const struct ts_process *it = &c->control->process[p];
    uint32_t own = n;
    for (uint32_t l = it->first; l < it->first + it->n_locations; l++) {
      uint32_t k = own;
      while (k < n && (hash[first[k]] != hash[l] || !is_same_column(c, first[k], l)))
        k++;
      c->bit[l] = k;
      if (k == n)
        first[n++] = l;
    }
  }
  c->watch = n;
}

/* The sets with these bits. */
static bool fold_sets(struct conflict *c, const uint32_t *first, uint64_t *row) {
  uint32_t old = c->words, words = BITS_WORDS(c->watch + 1);
  for (uint32_t i = 0; i < c->n_sets; i++) {
    memset(row, 0, words * sizeof *row);
    for (uint32_t k = 0; k < c->watch; k++)
      if (test(c, i, first[k]))
        bits_set(row, k);
    if (test(c, i, c->control->n_locations))
      bits_set(row, c->watch);
    memcpy(c->set + (size_t)i * words, row, words * sizeof *row);
  }
  uint64_t *set =
      budget_realloc(c->budget, BUDGET_OTHER, c->set, c->most_sets * old * sizeof *set,
                     c->n_sets * words * sizeof *set);
  c->words = words;
  c->set = set == NULL ? c->set : set;
  c->most_sets = c->n_sets;
  return set != NULL;
}

bool fold_locations(struct conflict *c) {
  uint32_t n = c->control->n_locations + 1;
  uint64_t *hash = budget_alloc(c->budget, BUDGET_OTHER, n * sizeof *hash);
  uint32_t *first = budget_alloc(c->budget, BUDGET_OTHER, n * sizeof *first);
  uint64_t *row = budget_alloc(c->budget, BUDGET_OTHER, c->words * sizeof *row);
  size_t row_bytes = c->words * sizeof *row;
  bool fine = hash != NULL && first != NULL && row != NULL;
  if (fine) {
    hash_columns(c, hash);
    number_columns(c, hash, first);
    fine = fold_sets(c, first, row);
  }
  budget_free(c->budget, BUDGET_OTHER, hash, n * sizeof *hash);
  budget_free(c->budget, BUDGET_OTHER, first, n * sizeof *first);
  budget_free(c->budget, BUDGET_OTHER, row, row_bytes);
  return fine;
}
