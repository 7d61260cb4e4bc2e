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
 * An entry lies in its home or, behind full buckets only, at most 14 buckets
 * farther on. So if it is found in bucket p, its home is one of the 15
 * buckets p-14 .. p, and its H in an interval of at most
 *   15 * (2^48 / homes) + 1 <= 15/16 * 2^(52 - floor(log2 homes)) + 1 <= 2^T
 * numbers, among which the tag names one. The bounds of the interval are worked
 * out a little too low (by at most 2), for which the missing sixteenth leaves
 * room. Position and tag share the work: as the table grows, positions tell more
 * bits, tags fewer, and ids may be longer; no hash is ever needed again.
 *
 * Growing from n to m > n homes is one sweep from the last bucket down. For an
 * entry in bucket p the new home is at least floor((p - 14) * m / n), which is
 * at least p from p = 14 m / (m - n) on; so it goes to a bucket that has been
 * read. What lies below that bound (a few hundred buckets at most) waits in a
 * buffer. While the sweep is at p, new homes lie between those of H at bucket
 * p - 14 and at p + 1, a window of fewer than 64 buckets, whose fill is counted in a
 * small ring; buckets the window has left are cleared behind their last entry.
 * So each line of the table is read once and written once.
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
 *
 * Invariants: (1) the used slots of a bucket come first; (2) all buckets between
 * an entry's home and its place are full; (3) all buckets within reach of a
 * stray are full.
 */
#include "store/index.h"

#include <assert.h>
#include <string.h>

#define INDEX_PAGE    4096u
#define INDEX_LARGE   (10 * BUDGET_HUGE) /* from here on whole huge pages */
#define INDEX_SPARE   (INDEX_REACH - 1)
#define INDEX_TOP     48u  /* bits of H */
#define INDEX_ID_BASE 12u  /* id_bits less log2 of homes */
#define INDEX_RING    64u  /* counts of the window, a power of two */
#define INDEX_FRONT   256u /* buckets that may have to wait in the buffer */
#define INDEX_SEARCH  256u /* buckets behind its home that are searched for a place */

static uint64_t bytes_for(uint64_t homes) {
  return (homes + INDEX_SPARE) * INDEX_SLOTS * sizeof(uint64_t);
}

uint64_t index_reserved(const struct index *index) {
  return bytes_for(index->homes) + index->stray_capacity * sizeof(struct index_stray);
}

/* Figures that follow from the number of homes. */
static void set_homes(struct index *index, uint64_t homes) {
  index->homes = homes;
  index->id_bits = INDEX_ID_BASE + 63 - (uint32_t)__builtin_clzll(homes);
  index->width = ((unsigned __int128)1 << (INDEX_TOP + 64)) / homes;
  index->grow_at = homes * INDEX_SLOTS / 25 * 21;
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
  set_homes(index, INDEX_PAGE / sizeof *index->bucket - INDEX_SPARE);
  return true;
}

void index_close(struct index *index) {
  budget_unmap(index->budget, index->purpose, index->bucket, bytes_for(index->homes));
  budget_free(index->budget, index->purpose, index->stray,
              index->stray_capacity * sizeof *index->stray);
  *index = (struct index){0};
}

/* At most 2 below the least H whose home is this bucket. */
static inline uint64_t least_top(unsigned __int128 width, uint64_t home) {
  return (uint64_t)(width * home >> 64);
}

/* The least H that an entry in bucket p can have, nearly. */
static inline uint64_t base_of(unsigned __int128 width, uint64_t p) {
  return p <= INDEX_SPARE ? 0 : least_top(width, p - INDEX_SPARE);
}

static inline uint64_t top_of(uint64_t slot, uint32_t id_bits, uint64_t base) {
  uint64_t mask = UINT64_MAX >> id_bits;
  return base + (((slot >> id_bits) - base) & mask);
}

static inline uint64_t id_of(const struct index *index, uint64_t slot) {
  return (slot & ((UINT64_C(1) << index->id_bits) - 1)) - 1;
}

static inline uint64_t slot_for(const struct index *index, uint64_t top, uint64_t id) {
  return top << index->id_bits | (id + 1);
}

static inline bool is_full(const uint64_t *bucket) {
  return bucket[INDEX_SLOTS - 1] != 0;
}

static uint32_t used_slots(const uint64_t *bucket) {
  uint32_t used = 0;
  while (used < INDEX_SLOTS && bucket[used] != 0)
    used++;
  return used;
}

/* Room for so many strays in all. */
static bool reserve_strays(struct index *index, uint64_t strays) {
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

/* While growing, an entry that has no place and no memory is lost. Then the index says
 * for ever that memory ran out, and so whoever misses the entry cannot take it for new. */
static void add_stray(struct index *index, uint64_t top, uint64_t id) {
  if (index->n_strays == index->stray_capacity && !reserve_strays(index, index->n_strays + 1)) {
    index->lost++;
    index->entries--;
    return;
  }
  index->stray[index->n_strays++] = (struct index_stray){top, id};
}

/* Puts an entry into the first bucket that is not full; false: none in reach. */
static bool place(struct index *index, uint64_t top, uint64_t id) {
  uint64_t home = index_home(index, top);
  for (uint32_t reach = 0; reach < INDEX_REACH; reach++) {
    uint64_t *bucket = index->bucket[home + reach];
    if (is_full(bucket))
      continue;
    bucket[index_used(bucket)] = slot_for(index, top, id);
    return true;
  }
  return false;
}

/* The home of slot i in bucket p. */
static uint64_t home_of(const struct index *index, uint64_t p, uint32_t i) {
  uint64_t top = top_of(index->bucket[p][i], index->id_bits, base_of(index->width, p));
  return index_home(index, top);
}

/* A slot behind bucket p, in a run of full buckets, whose entry may move back to
 * p; *from is set to its bucket. */
static uint64_t *mover_back(const struct index *index, uint64_t p, uint64_t *from) {
  uint64_t end = index->homes + INDEX_SPARE;
  for (uint64_t q = p + 1; q < end && q - p < INDEX_REACH; q++) {
    for (uint32_t i = 0; i < INDEX_SLOTS && index->bucket[q][i] != 0; i++) {
      if (home_of(index, q, i) <= p) {
        *from = q;
        return &index->bucket[q][i];
      }
    }
    if (!is_full(index->bucket[q]))
      break;
  }
  return NULL;
}

/* Frees a slot of bucket p and moves back what had passed it (invariants 1, 2). */
static void close_hole(struct index *index, uint64_t p, uint64_t *hole) {
  while (is_full(index->bucket[p])) {
    uint64_t *mover = mover_back(index, p, &p);
    if (!mover)
      break;
    *hole = *mover;
    hole = mover;
  }
  uint64_t *last = &index->bucket[p][used_slots(index->bucket[p]) - 1];
  *hole = *last;
  *last = 0;
}

/* A slot before bucket p whose entry may move on to p, the farther the better. */
static uint64_t *mover_on(const struct index *index, uint64_t p, uint64_t *from) {
  for (uint64_t q = p - INDEX_SPARE; q < p; q++) {
    for (uint32_t i = 0; i < INDEX_SLOTS; i++) {
      if (home_of(index, q, i) + INDEX_SPARE >= p) {
        *from = q;
        return &index->bucket[q][i];
      }
    }
  }
  return NULL;
}

/* Moves entries on towards the end of a run until a place within reach is free
 * (as in hopscotch hashing). False: not possible, or not looked for any farther. */
static bool make_place(struct index *index, uint64_t top, uint64_t id) {
  uint64_t home = index_home(index, top), p = home + INDEX_REACH, end = home + INDEX_SEARCH;
  if (end > index->homes + INDEX_SPARE)
    end = index->homes + INDEX_SPARE;
  while (p < end && is_full(index->bucket[p]))
    p++;
  if (p >= end)
    return false;
  uint64_t *hole = &index->bucket[p][used_slots(index->bucket[p])];
  while (p - home >= INDEX_REACH) {
    uint64_t *mover = mover_on(index, p, &p);
    if (!mover) {
      if (*hole != 0)
        close_hole(index, p, hole);
      return false;
    }
    *hole = *mover;
    hole = mover;
  }
  *hole = slot_for(index, top, id);
  return true;
}

/* Strays that have found a place after all leave the list. */
static void settle_strays(struct index *index) {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < index->n_strays; i++) {
    struct index_stray stray = index->stray[i];
    if (!place(index, stray.top, stray.id) && !make_place(index, stray.top, stray.id))
      index->stray[kept++] = stray;
  }
  index->n_strays = kept;
}

/* A sweep from `old` to the homes of `index`, which are already the new ones. */
struct sweep {
  struct index *index;
  uint64_t homes; /* the old figures */
  uint32_t id_bits;
  unsigned __int128 width;
  uint64_t front;           /* the first so many buckets wait */
  uint64_t low, end;        /* the window of buckets being filled */
  uint64_t strays;          /* a dry sweep counts them */
  uint8_t fill[INDEX_RING]; /* of bucket b at b modulo INDEX_RING */
};

static void start_sweep(struct sweep *s, struct index *index, const struct index *old) {
  uint64_t buckets = old->homes + INDEX_SPARE;
  uint64_t front = INDEX_SPARE * index->homes / (index->homes - old->homes) + 2;
  *s = (struct sweep){.index = index,
                      .homes = old->homes,
                      .id_bits = old->id_bits,
                      .width = old->width,
                      .front = front < buckets ? front : buckets,
                      .low = index->homes + INDEX_SPARE,
                      .end = index->homes + INDEX_SPARE};
  assert(s->front <= INDEX_FRONT);
}

/* Closes the window from `end` on and opens it down to bucket `low`. */
static inline void move_window(struct sweep *s, uint64_t low, uint64_t end, bool dry) {
  while (s->end > end) {
    bool opened = s->end-- > s->low;
    uint64_t *bucket = s->index->bucket[s->end];
    uint32_t used = opened ? s->fill[s->end % INDEX_RING] : 0;
    for (uint32_t i = used; !dry && i < INDEX_SLOTS; i++)
      bucket[i] = 0;
    s->low = opened ? s->low : s->end;
  }
  while (s->low > low)
    s->fill[--s->low % INDEX_RING] = 0;
  assert(s->end - s->low <= INDEX_RING);
}

/* The end of where entries of bucket p and of those before it may go. */
static inline uint64_t end_of(const struct sweep *s, uint64_t p) {
  if (p + 1 >= s->homes)
    return s->index->homes + INDEX_SPARE;
  return index_home(s->index, least_top(s->width, p + 1) + 2) + INDEX_REACH;
}

static inline void sweep_entry(struct sweep *s, uint64_t top, uint64_t id_part, bool dry) {
  struct index *index = s->index;
  uint64_t home = index_home(index, top);
  for (uint32_t reach = 0; reach < INDEX_REACH; reach++) {
    uint8_t *fill = &s->fill[(home + reach) % INDEX_RING];
    if (__builtin_expect(*fill == INDEX_SLOTS, 0))
      continue;
    if (!dry)
      index->bucket[home + reach][*fill] = top << index->id_bits | id_part;
    (*fill)++;
    return;
  }
  if (dry)
    s->strays++;
  else
    add_stray(index, top, id_part - 1);
}

/* Moves the entries of bucket p (its contents, not the place they came from). */
static inline void sweep_bucket(struct sweep *s, uint64_t p, bool dry) {
  uint64_t slot[INDEX_SLOTS], id_mask = (UINT64_C(1) << s->id_bits) - 1;
  uint64_t base = base_of(s->width, p);
  memcpy(slot, s->index->bucket[p], sizeof slot);
  move_window(s, index_home(s->index, base), end_of(s, p), dry);
  for (uint32_t i = 0; i < INDEX_SLOTS && slot[i] != 0; i++)
    sweep_entry(s, top_of(slot[i], s->id_bits, base), slot[i] & id_mask, dry);
}

static void sweep_down(struct sweep *s, bool dry) {
  for (uint64_t p = s->homes + INDEX_SPARE; p-- > s->front;)
    sweep_bucket(s, p, dry);
}

/* The first buckets: all are read before any is written. */
static void sweep_front(struct sweep *s) {
  struct index_stray waiting[INDEX_FRONT * INDEX_SLOTS];
  uint32_t n = 0;
  uint64_t id_mask = (UINT64_C(1) << s->id_bits) - 1;
  for (uint64_t p = 0; p < s->front; p++) {
    uint64_t *bucket = s->index->bucket[p];
    for (uint32_t i = 0; i < INDEX_SLOTS && bucket[i] != 0; i++)
      waiting[n++] = (struct index_stray){top_of(bucket[i], s->id_bits, base_of(s->width, p)),
                                          (bucket[i] & id_mask) - 1};
    memset(bucket, 0, sizeof *s->index->bucket);
  }
  for (uint32_t i = 0; i < n; i++) {
    if (!place(s->index, waiting[i].top, waiting[i].id))
      add_stray(s->index, waiting[i].top, waiting[i].id);
  }
}

/* Spreads the entries of `old`, an earlier image of `index`, whose memory is
 * already the larger one, over the new homes. */
static void spread(struct index *index, const struct index *old) {
  struct sweep s;
  start_sweep(&s, index, old);
  sweep_down(&s, false);
  move_window(&s, s.front, s.front, false);
  sweep_front(&s);
  settle_strays(index);
}

/* Takes room for the strays that a sweep to so many homes may make. */
static bool prepare_strays(struct index *index, uint64_t homes) {
  uint64_t strays = index->n_strays + homes / 4096 + 64;
  /* A small step leaves the table so full that the sweep, which meets high homes
   * first, pushes many entries far. */
  bool crowded = homes - index->homes < index->homes / 5;
  if (index->careful || index->n_strays > 0 || crowded) {
    struct index next = *index;
    struct sweep s;
    set_homes(&next, homes);
    start_sweep(&s, &next, index);
    sweep_down(&s, true);
    strays += s.strays + s.front * INDEX_SLOTS;
  }
  return reserve_strays(index, strays);
}

static bool grow_to(struct index *index, uint64_t bytes) {
  if (index->lost > 0)
    return false;
  if (bytes >= INDEX_LARGE)
    bytes = bytes / BUDGET_HUGE * BUDGET_HUGE;
  else
    bytes = (bytes + INDEX_PAGE - 1) / INDEX_PAGE * INDEX_PAGE;
  uint64_t homes = bytes / sizeof *index->bucket - INDEX_SPARE;
  if (homes < index->homes + index->homes / 16 || !prepare_strays(index, homes))
    return false;
  void *memory = budget_remap(index->budget, index->purpose, index->bucket,
                              bytes_for(index->homes), bytes, bytes >= BUDGET_HUGE);
  if (!memory)
    return false;
  struct index old = *index;
  index->bucket = memory;
  set_homes(index, homes);
  spread(index, &old);
  if (index->lost > 0)
    index->grow_at = 0;
  return index->lost == 0;
}

/* Makes room for one more entry: by a quarter, if memory does not allow that by
 * 1/15, and else by filling the table up to 15/16. */
static bool make_room(struct index *index, uint64_t id) {
  uint64_t bytes = bytes_for(index->homes), full = index->homes * INDEX_SLOTS / 16 * 15;
  if (grow_to(index, bytes / 4 * 5) || grow_to(index, bytes / 15 * 16))
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
  if (!place(index, top, id) && !make_place(index, top, id)) {
    if (!reserve_strays(index, index->n_strays + 1))
      return false;
    add_stray(index, top, id);
  }
  index->entries++;
  return true;
}

bool index_remove(struct index *index, uint64_t hash, uint64_t id) {
  uint64_t top = index_top(hash), home = index_home(index, top);
  uint64_t slot = slot_for(index, top, id);
  if ((id + 1) >> index->id_bits)
    return false;
  for (uint64_t p = home; p < home + INDEX_REACH; p++) {
    for (uint32_t i = 0; i < INDEX_SLOTS; i++) {
      if (index->bucket[p][i] == slot) {
        index->entries--;
        close_hole(index, p, &index->bucket[p][i]);
        settle_strays(index);
        return true;
      }
    }
    if (!is_full(index->bucket[p]))
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
  for (uint64_t p = 0; p < index->homes + INDEX_SPARE; p++) {
    for (uint32_t i = 0; i < INDEX_SLOTS && index->bucket[p][i] != 0; i++) {
      if (!visit(context, id_of(index, index->bucket[p][i])))
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
  while (n < p && n <= INDEX_REACH && is_full(index->bucket[p - n - 1]))
    n++;
  return n;
}

static const char *check_bucket(const struct index *index, uint64_t p) {
  uint32_t used = used_slots(index->bucket[p]);
  uint64_t full = full_before(index, p);
  for (uint32_t i = used; i < INDEX_SLOTS; i++) {
    if (index->bucket[p][i] != 0)
      return "index: a used slot follows a free one";
  }
  for (uint32_t i = 0; i < used; i++) {
    uint64_t home = home_of(index, p, i);
    if (home > p || p - home >= INDEX_REACH)
      return "index: an entry lies out of reach of its home";
    if (p - home > full)
      return "index: a bucket between an entry and its home is not full";
  }
  return NULL;
}

const char *index_check(const struct index *index) {
  uint64_t found = index->n_strays;
  for (uint64_t p = 0; p < index->homes + INDEX_SPARE; p++) {
    const char *broken = check_bucket(index, p);
    if (broken)
      return broken;
    found += used_slots(index->bucket[p]);
  }
  for (uint64_t i = 0; i < index->n_strays; i++) {
    uint64_t home = index_home(index, index->stray[i].top);
    if (full_before(index, home + INDEX_REACH) < INDEX_REACH)
      return "index: a stray has a place within reach";
  }
  return found == index->entries ? NULL : "index: the number of entries is wrong";
}
