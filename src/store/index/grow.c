/* grow.c - an index grows by one sweep over itself, from the last bucket down.
 *
 * Growing from n to m > n homes is one sweep from the last bucket down. For an
 * entry in bucket p the new home is at least floor((p - 14) * m / n), which is
 * at least p from p = 14 m / (m - n) on; so it goes to a bucket that has been
 * read. What is below that bound (a few hundred buckets at most) waits in a
 * buffer. While the sweep is at p, new homes are between those of H at bucket
 * p - 14 and at p + 1, a window of fewer than 64 buckets, whose fill is counted in a
 * small ring; buckets the window has left are cleared after their last entry.
 * So each line of the table is read once and written once.
 */
#include "store/index/grow.h"

#include <assert.h>
#include <string.h>

#define GROW_PAGE  4096u
#define GROW_LARGE (10 * BUDGET_HUGE) /* from here on whole huge pages */
#define GROW_RING  64u                /* counts of the window, a power of two */
#define GROW_FRONT 256u               /* buckets that may have to wait in the buffer */

/* A sweep from `old` to the homes of `index`, which are already the new ones. */
struct sweep {
  struct index *index;
  uint64_t homes; /* the old figures */
  uint32_t id_bits;
  unsigned __int128 width;
  uint64_t front;          /* the first N buckets wait */
  uint64_t low, end;       /* the window of buckets being filled */
  uint64_t strays;         /* a dry sweep counts them */
  uint8_t fill[GROW_RING]; /* of bucket b at b modulo GROW_RING */
};

static void start_sweep(struct sweep *s, struct index *index, const struct index *old) {
  uint64_t buckets = old->homes + PLACE_SPARE;
  uint64_t front = PLACE_SPARE * index->homes / (index->homes - old->homes) + 2;
  *s = (struct sweep){.index = index,
                      .homes = old->homes,
                      .id_bits = old->id_bits,
                      .width = old->width,
                      .front = front < buckets ? front : buckets,
                      .low = index->homes + PLACE_SPARE,
                      .end = index->homes + PLACE_SPARE};
  assert(s->front <= GROW_FRONT);
}

/* Closes the window from `end` on and opens it down to bucket `low`. */
static inline void move_window(struct sweep *s, uint64_t low, uint64_t end, bool dry) {
  while (s->end > end) {
    bool opened = s->end-- > s->low;
    uint64_t *bucket = s->index->bucket[s->end];
    uint32_t used = opened ? s->fill[s->end % GROW_RING] : 0;
    for (uint32_t i = used; !dry && i < INDEX_SLOTS; i++)
      bucket[i] = 0;
    s->low = opened ? s->low : s->end;
  }
  while (s->low > low)
    s->fill[--s->low % GROW_RING] = 0;
  assert(s->end - s->low <= GROW_RING);
}

/* The end of where entries of bucket p and of those before it may go. */
static inline uint64_t end_of(const struct sweep *s, uint64_t p) {
  if (p + 1 >= s->homes)
    return s->index->homes + PLACE_SPARE;
  return index_home(s->index, place_least_top(s->width, p + 1) + 2) + INDEX_REACH;
}

/* An entry that finds its first bucket full. */
static void sweep_on(struct sweep *s, uint64_t home, uint64_t top, uint64_t id_part, bool dry) {
  struct index *index = s->index;
  for (uint32_t reach = 1; reach < INDEX_REACH; reach++) {
    uint8_t *fill = &s->fill[(home + reach) % GROW_RING];
    if (*fill == INDEX_SLOTS)
      continue;
    if (!dry)
      index->bucket[home + reach][*fill] = top << index->id_bits | id_part;
    (*fill)++;
    return;
  }
  if (dry)
    s->strays++;
  else
    place_add_stray(index, top, id_part - 1);
}

/* Moves the entries of bucket p (its contents, not the place they came from). What the
 * loop needs is at hand, as for all the compiler knows a bucket might be part of it. */
static inline void sweep_bucket(struct sweep *s, uint64_t p, bool dry) {
  uint64_t slot[INDEX_SLOTS], id_mask = (UINT64_C(1) << s->id_bits) - 1;
  uint64_t base = place_base(s->width, p);
  const struct index to = {.homes = s->index->homes, .bucket = s->index->bucket};
  uint32_t old_bits = s->id_bits, new_bits = s->index->id_bits;
  memcpy(slot, s->index->bucket[p], sizeof slot);
  move_window(s, index_home(&to, base), end_of(s, p), dry);
  for (uint32_t i = 0; i < INDEX_SLOTS && slot[i] != 0; i++) {
    uint64_t top = place_top(slot[i], old_bits, base), home = index_home(&to, top);
    uint8_t *fill = &s->fill[home % GROW_RING], used = *fill;
    if (__builtin_expect(used == INDEX_SLOTS, 0)) {
      sweep_on(s, home, top, slot[i] & id_mask, dry);
      continue;
    }
    *fill = used + 1;
    if (!dry)
      to.bucket[home][used] = top << new_bits | (slot[i] & id_mask);
  }
}

static void sweep_down(struct sweep *s, bool dry) {
  for (uint64_t p = s->homes + PLACE_SPARE; p-- > s->front;)
    sweep_bucket(s, p, dry);
}

/* The first buckets: all are read before any is written. */
static void sweep_front(struct sweep *s) {
  struct index_stray waiting[GROW_FRONT * INDEX_SLOTS];
  uint32_t n = 0;
  uint64_t id_mask = (UINT64_C(1) << s->id_bits) - 1;
  for (uint64_t p = 0; p < s->front; p++) {
    uint64_t *bucket = s->index->bucket[p];
    for (uint32_t i = 0; i < INDEX_SLOTS && bucket[i] != 0; i++)
      waiting[n++] = (struct index_stray){
          place_top(bucket[i], s->id_bits, place_base(s->width, p)), (bucket[i] & id_mask) - 1};
    memset(bucket, 0, sizeof *s->index->bucket);
  }
  for (uint32_t i = 0; i < n; i++) {
    if (!place_put(s->index, waiting[i].top, waiting[i].id))
      place_add_stray(s->index, waiting[i].top, waiting[i].id);
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
  place_settle_strays(index);
}

/* Takes room for the strays that a sweep to that many homes may make. */
static bool prepare_strays(struct index *index, uint64_t homes) {
  uint64_t strays = index->n_strays + homes / 4096 + 64;
  /* A small step leaves the table so full that the sweep, which meets high homes
   * first, pushes many entries far. */
  bool crowded = homes - index->homes < index->homes / 5;
  if (index->careful || index->n_strays > 0 || crowded) {
    struct index next = *index;
    struct sweep s;
    place_set_homes(&next, homes);
    start_sweep(&s, &next, index);
    sweep_down(&s, true);
    strays += s.strays + s.front * INDEX_SLOTS;
  }
  return place_reserve_strays(index, strays);
}

uint64_t grow_whole(uint64_t bytes) {
  return bytes >= GROW_LARGE ? bytes / BUDGET_HUGE * BUDGET_HUGE
                             : (bytes + GROW_PAGE - 1) / GROW_PAGE * GROW_PAGE;
}

bool grow_to(struct index *index, uint64_t bytes) {
  if (index->lost > 0)
    return false;
  bytes = grow_whole(bytes);
  uint64_t homes = bytes / sizeof *index->bucket - PLACE_SPARE;
  /* A step for which the ring would be too small is never asked for. */
  if (homes < index->homes + index->homes / 16 || homes > 3 * index->homes ||
      !prepare_strays(index, homes))
    return false;
  void *memory = budget_remap(index->budget, index->purpose, index->bucket,
                              place_bytes(index->homes), bytes, bytes >= BUDGET_HUGE);
  if (!memory)
    return false;
  struct index old = *index;
  index->bucket = memory;
  place_set_homes(index, homes);
  spread(index, &old);
  if (index->lost > 0)
    index->grow_at = 0;
  return index->lost == 0;
}
