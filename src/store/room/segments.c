/* segments.c - where segments come from.
 *
 * Small ones from the heap, so that a small store takes few pages; larger ones
 * are mappings of their own, on huge pages from BUDGET_HUGE bytes on. (A huge
 * mapping is rounded up to ordinary pages only, so its size wastes nothing.)
 */
#include "store/room/segments.h"

#include "base/bits.h"

#define SEGMENTS_PAGE 4096u
#define SEGMENTS_MAP  (64 * SEGMENTS_PAGE) /* bytes from which on a mapping is used */

void segments_init(struct segments *s, struct budget *budget, enum budget_purpose purpose,
                   uint32_t item, uint64_t least) {
  *s = (struct segments){.budget = budget, .purpose = purpose, .item = item};
  s->shift = SEGMENTS_PARTS + bits_for((least + item - 1) / item);
  s->first = UINT64_C(1) << s->shift;
  s->bias = (1u << SEGMENTS_PARTS) + ((s->shift - SEGMENTS_PARTS) << SEGMENTS_PARTS);
}

static uint64_t bytes_of(const struct segments *s, uint32_t segment) {
  uint32_t log = s->shift + (segment >> SEGMENTS_PARTS) - SEGMENTS_PARTS;
  uint64_t bytes = ((uint64_t)s->item << log) + SEGMENTS_BEHIND;
  if (bytes < SEGMENTS_MAP)
    return bytes;
  return (bytes + SEGMENTS_PAGE - 1) / SEGMENTS_PAGE * SEGMENTS_PAGE;
}

static void free_some(struct segments *s, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    uint64_t bytes = s->base[i] ? bytes_of(s, i) : 0;
    if (bytes >= SEGMENTS_MAP)
      budget_unmap(s->budget, s->purpose, s->base[i], bytes);
    else if (bytes > 0)
      budget_free(s->budget, s->purpose, s->base[i], bytes);
    s->base[i] = NULL;
    s->reserved -= bytes;
  }
}

void segments_free(struct segments *s) {
  free_some(s, SEGMENTS_MAX);
}

void segments_release(struct segments *s, uint64_t i) {
  free_some(s, segments_place(s, i).segment);
}

uint8_t *segments_make(struct segments *s, uint64_t i) {
  struct segments_place place = segments_place(s, i);
  if (place.segment >= SEGMENTS_MAX)
    return NULL;
  if (!s->base[place.segment]) {
    uint64_t bytes = bytes_of(s, place.segment);
    uint8_t *base = bytes < SEGMENTS_MAP
                        ? budget_alloc(s->budget, s->purpose, bytes)
                        : budget_map(s->budget, s->purpose, bytes, bytes >= BUDGET_HUGE);
    if (!base)
      return NULL;
    s->base[place.segment] = base;
    s->reserved += bytes;
  }
  return s->base[place.segment] + place.offset * s->item;
}
