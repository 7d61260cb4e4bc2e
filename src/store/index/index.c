/* index.c - a hash table of 64-byte buckets that grows in place by any factor.
 *
 * A slot holds a tag and an id. Looking up touches one cache line, seldom two,
 * and a tag that fits is right but for one time in millions. The table must
 * grow while it leaves neither room for a second copy of itself nor half of its
 * slots empty, and it cannot ask for an entry's hash again: the store does not
 * know the hash function. So the place of an entry has to give back its hash.
 *
 * Order-preserving places (quotienting, after Knuth, volume 3, section 6.4,
 * exercise 13, and Cleary, Compact hash tables using bidirectional linear
 * probing, 1984; here with buckets and any number of them).
 *   H      the highest 48 bits of the hash
 *   home   floor(H * homes / 2^48): monotone in H
 *   slot   id + 1 in the low id_bits = 12 + floor(log2 homes) bits, above them the
 *          tag: H modulo 2^T, T = 64 - id_bits
 * An entry is in its home or, after full buckets only, at most 14 buckets
 * farther on. So if it is found in bucket p, its home is one of the 15
 * buckets p-14 .. p, and its H in an interval of at most
 *   15 * (2^48 / homes) + 1 <= 15/16 * 2^(52 - floor(log2 homes)) + 1 <= 2^T
 * numbers, among which the tag names one. The bounds of the interval are worked
 * out a little too low (by at most 2), for which the missing sixteenth leaves
 * room. Position and tag share the work: as the table grows, positions tell more
 * bits, tags fewer, and ids may be longer; no hash is ever needed again.
 *
 * Invariants: (1) the used slots of a bucket come first; (2) all buckets between
 * an entry's home and its place are full; (3) all buckets within reach of a
 * stray are full.
 *
 * Where entries go when buckets are full is in place.c, how the table grows in grow.c.
 */
#include "store/index/index.h"
#include "store/index/grow.h"

#define INDEX_PAGE   4096u
/* From that many bytes of a table on, and below that many, it is doubled. */
#define INDEX_LITTLE (512u << 10)
#define INDEX_MUCH   (4u << 20)

uint64_t index_reserved(const struct index *index) {
  return place_bytes(index->homes) + index->stray_capacity * sizeof(struct index_stray);
}

bool index_open(struct index *index, struct budget *budget, enum budget_purpose purpose,
                bool careful) {
  *index = (struct index){.budget = budget, .purpose = purpose, .careful = careful};
#if defined(__x86_64__)
  index->wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                __builtin_cpu_supports("bmi2");
#endif
  index->bucket = budget_map(budget, purpose, INDEX_PAGE, false);
  if (!index->bucket)
    return false;
  place_set_homes(index, INDEX_PAGE / sizeof *index->bucket - PLACE_SPARE);
  return true;
}

void index_close(struct index *index) {
  budget_unmap(index->budget, index->purpose, index->bucket, place_bytes(index->homes));
  budget_free(index->budget, index->purpose, index->stray,
              index->stray_capacity * sizeof *index->stray);
  *index = (struct index){0};
}

/* The size after this one, if memory allows it. */
static uint64_t larger(const struct index *index, uint64_t bytes) {
  bool twice = bytes >= INDEX_LITTLE && bytes < INDEX_MUCH;
  return index->tight ? bytes / 6 * 7 : twice ? 2 * bytes : bytes / 4 * 5;
}

uint64_t index_bytes_for(const struct index *index, uint64_t entries) {
  struct index then = *index;
  while (then.grow_at < entries)
    place_set_homes(&then,
                    grow_whole(larger(index, place_bytes(then.homes))) / sizeof *index->bucket -
                        PLACE_SPARE);
  return place_bytes(then.homes);
}

/* Makes room for one more entry: by a quarter, or by as much again where that is little
 * memory but no longer little work, or, tight, by a sixth; if memory does not allow that by
 * 1/15, and else by filling the table up to 15/16. */
static bool make_room(struct index *index, uint64_t id) {
  uint64_t bytes = place_bytes(index->homes), full = index->homes * INDEX_SLOTS / 16 * 15;
  if (grow_to(index, larger(index, bytes)) || grow_to(index, bytes / 15 * 16))
    return true;
  if (index->lost > 0 || index->entries >= full || (id + 1) >> index->id_bits)
    return false;
  uint64_t next = index->entries + index->entries / 64 + 1;
  index->grow_at = next < full ? next : full;
  return true;
}

bool index_insert(struct index *index, uint64_t hash, uint64_t id) {
  uint64_t top = index_top(hash);
  while (index->entries >= index->grow_at || (id + 1) >> index->id_bits) {
    if (!make_room(index, id))
      return false;
  }
  if (!place_put(index, top, id) && !place_make(index, top, id)) {
    if (!place_reserve_strays(index, index->n_strays + 1))
      return false;
    place_add_stray(index, top, id);
  }
  index->entries++;
  return true;
}

bool index_remove(struct index *index, uint64_t hash, uint64_t id) {
  uint64_t top = index_top(hash), home = index_home(index, top);
  uint64_t slot = place_slot(index, top, id);
  if ((id + 1) >> index->id_bits)
    return false;
  for (uint64_t p = home; p < home + INDEX_REACH; p++) {
    for (uint32_t i = 0; i < INDEX_SLOTS; i++) {
      if (index->bucket[p][i] == slot) {
        index->entries--;
        place_close_hole(index, p, &index->bucket[p][i]);
        place_settle_strays(index);
        return true;
      }
    }
    if (!place_is_full(index->bucket[p]))
      return false;
  }
  for (uint64_t i = 0; i < index->n_strays; i++) {
    if (index->stray[i].top == top && index->stray[i].id == id) {
      index->stray[i] = index->stray[--index->n_strays];
      index->entries--;
      return true;
    }
  }
  return false;
}

bool index_each(const struct index *index, bool (*visit)(void *context, uint64_t id),
                void *context) {
  for (uint64_t p = 0; p < index->homes + PLACE_SPARE; p++) {
    for (uint32_t i = 0; i < INDEX_SLOTS && index->bucket[p][i] != 0; i++) {
      if (!visit(context, place_id(index, index->bucket[p][i])))
        return false;
    }
  }
  for (uint64_t i = 0; i < index->n_strays; i++) {
    if (!visit(context, index->stray[i].id))
      return false;
  }
  return true;
}

/* Full buckets in a row that end before bucket p. */
static uint64_t full_before(const struct index *index, uint64_t p) {
  uint64_t n = 0;
  while (n < p && n <= INDEX_REACH && place_is_full(index->bucket[p - n - 1]))
    n++;
  return n;
}

static const char *check_bucket(const struct index *index, uint64_t p) {
  uint32_t used = place_used(index->bucket[p]);
  uint64_t full = full_before(index, p);
  for (uint32_t i = used; i < INDEX_SLOTS; i++) {
    if (index->bucket[p][i] != 0)
      return "index: a used slot follows a free one";
  }
  for (uint32_t i = 0; i < used; i++) {
    uint64_t home = place_home(index, p, i);
    if (home > p || p - home >= INDEX_REACH)
      return "index: an entry is out of reach of its home";
    if (p - home > full)
      return "index: a bucket between an entry and its home is not full";
  }
  return NULL;
}

const char *index_check(const struct index *index) {
  uint64_t found = index->n_strays;
  for (uint64_t p = 0; p < index->homes + PLACE_SPARE; p++) {
    const char *broken = check_bucket(index, p);
    if (broken)
      return broken;
    found += place_used(index->bucket[p]);
  }
  for (uint64_t i = 0; i < index->n_strays; i++) {
    uint64_t home = index_home(index, index->stray[i].top);
    if (full_before(index, home + INDEX_REACH) < INDEX_REACH)
      return "index: a stray has a place within reach";
  }
  return found == index->entries ? NULL : "index: the number of entries is wrong";
}
