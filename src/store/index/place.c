/* place.c - places in an index whose buckets are full.
 *
 * Load is 0.84 before and 0.672 after growing (4/5), so 8-byte slots cost
 * between 9.5 and 11.9 bytes per entry. Runs of full buckets are often longer than
 * the reach at that load, so an entry that finds no place within reach makes one:
 * others move on towards the run's end, as in hopscotch hashing (Herlihy, Shavit,
 * Tzafrir, Hopscotch hashing, DISC 2008). That fails only where more than 14
 * buckets' worth of entries is waiting, which for a uniform hash has a
 * probability of about e^-37 per bucket. What finds no place all the same is a
 * stray: kept in a plain list that is looked at when all buckets within reach are
 * full. A sweep puts what has no place at once (about one entry in a million) on
 * that list, for which room is taken before anything moves, and places it at the
 * end. Where hashes are not to be trusted a dry sweep counts beforehand how much
 * room that takes. If it is too little all the same, the list grows; if there is no
 * memory for that, the entry is lost and the index is out of memory from then on.
 */
#include "store/index/place.h"

#define PLACE_SEARCH 256u /* buckets after its home that are searched for a place */

void place_set_homes(struct index *index, uint64_t homes) {
  index->homes = homes;
  index->id_bits = PLACE_ID_BASE + 63 - (uint32_t)__builtin_clzll(homes);
  index->width = ((unsigned __int128)1 << (PLACE_TOP + 64)) / homes;
  index->grow_at = homes * INDEX_SLOTS / 25 * 21;
}

bool place_reserve_strays(struct index *index, uint64_t strays) {
  if (strays <= index->stray_capacity)
    return true;
  uint64_t capacity = strays + strays / 2;
  struct index_stray *stray =
      budget_realloc(index->budget, index->purpose, index->stray,
                     index->stray_capacity * sizeof *stray, capacity * sizeof *stray);
  if (!stray)
    return false;
  index->stray = stray;
  index->stray_capacity = capacity;
  return true;
}

void place_add_stray(struct index *index, uint64_t top, uint64_t id) {
  if (index->n_strays == index->stray_capacity &&
      !place_reserve_strays(index, index->n_strays + 1)) {
    index->lost++;
    index->entries--;
    return;
  }
  index->stray[index->n_strays++] = (struct index_stray){top, id};
}

bool place_put(struct index *index, uint64_t top, uint64_t id) {
  uint64_t home = index_home(index, top);
  for (uint32_t reach = 0; reach < INDEX_REACH; reach++) {
    uint64_t *bucket = index->bucket[home + reach];
    if (place_is_full(bucket))
      continue;
    bucket[index_used(bucket)] = place_slot(index, top, id);
    return true;
  }
  return false;
}

/* A slot after bucket p, in a run of full buckets, whose entry may move back to
 * p; *from is set to its bucket. */
static uint64_t *mover_back(const struct index *index, uint64_t p, uint64_t *from) {
  uint64_t end = index->homes + PLACE_SPARE;
  for (uint64_t q = p + 1; q < end && q - p < INDEX_REACH; q++) {
    for (uint32_t i = 0; i < INDEX_SLOTS && index->bucket[q][i] != 0; i++) {
      if (place_home(index, q, i) <= p) {
        *from = q;
        return &index->bucket[q][i];
      }
    }
    if (!place_is_full(index->bucket[q]))
      break;
  }
  return NULL;
}

void place_close_hole(struct index *index, uint64_t p, uint64_t *hole) {
  while (place_is_full(index->bucket[p])) {
    uint64_t *mover = mover_back(index, p, &p);
    if (!mover)
      break;
    *hole = *mover;
    hole = mover;
  }
  uint64_t *last = &index->bucket[p][place_used(index->bucket[p]) - 1];
  *hole = *last;
  *last = 0;
}

/* A slot before bucket p whose entry may move on to p, the farther the better. */
static uint64_t *mover_on(const struct index *index, uint64_t p, uint64_t *from) {
  for (uint64_t q = p - PLACE_SPARE; q < p; q++) {
    for (uint32_t i = 0; i < INDEX_SLOTS; i++) {
      if (place_home(index, q, i) + PLACE_SPARE >= p) {
        *from = q;
        return &index->bucket[q][i];
      }
    }
  }
  return NULL;
}

bool place_make(struct index *index, uint64_t top, uint64_t id) {
  uint64_t home = index_home(index, top), p = home + INDEX_REACH, end = home + PLACE_SEARCH;
  if (end > index->homes + PLACE_SPARE)
    end = index->homes + PLACE_SPARE;
  while (p < end && place_is_full(index->bucket[p]))
    p++;
  if (p >= end)
    return false;
  uint64_t *hole = &index->bucket[p][place_used(index->bucket[p])];
  while (p - home >= INDEX_REACH) {
    uint64_t *mover = mover_on(index, p, &p);
    if (!mover) {
      if (*hole != 0)
        place_close_hole(index, p, hole);
      return false;
    }
    *hole = *mover;
    hole = mover;
  }
  *hole = place_slot(index, top, id);
  return true;
}

void place_settle_strays(struct index *index) {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < index->n_strays; i++) {
    struct index_stray stray = index->stray[i];
    if (!place_put(index, stray.top, stray.id) && !place_make(index, stray.top, stray.id))
      index->stray[kept++] = stray;
  }
  index->n_strays = kept;
}
