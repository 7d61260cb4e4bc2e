/* vacant.c - places of removed states, to be used again.
 *
 * A bit per state marks the removed ones. Where all places are equally large, the first one is
 * taken: a bit per word says whether it has any, and so on, so that few words are looked at
 * wherever it is, although states are removed here and there between. Where
 * lengths vary, places are rounded up to 16 bytes; those of one size are a list, whose
 * links are in the places themselves.
 */
#include "store/room/vacant.h"

#include <string.h>

enum { UNIT = 16, ABOVE_BYTES = (VACANT_LEVELS - 1) * sizeof(struct segments) };

static void add_level(struct vacant *v, struct segments *level) {
  segments_init(level, v->budget, BUDGET_STORE, sizeof(uint64_t), 1024);
  v->level[v->levels++] = level;
}

bool vacant_open(struct vacant *v, struct vectors *vectors, struct budget *budget,
                 bool reuses) {
  *v = (struct vacant){.budget = budget, .vectors = vectors, .reuses = reuses};
  add_level(v, &v->marks);
  if (reuses && vectors->fixed) {
    v->above = budget_alloc(budget, BUDGET_STORE, ABOVE_BYTES);
    for (uint32_t i = 1; i < VACANT_LEVELS && v->above != NULL; i++)
      add_level(v, &v->above[i - 1]);
    return v->above != NULL;
  }
  if (!reuses)
    return true;
  v->classes = vectors->bytes / UNIT + 2;
  v->head = budget_alloc(budget, BUDGET_STORE, v->classes * sizeof *v->head);
  return v->head != NULL;
}

void vacant_close(struct vacant *v) {
  if (v->budget == NULL)
    return;
  for (uint32_t i = 0; i < v->levels; i++)
    segments_free(v->level[i]);
  if (v->above != NULL)
    budget_free(v->budget, BUDGET_STORE, v->above, ABOVE_BYTES);
  budget_free(v->budget, BUDGET_STORE, v->head, v->classes * sizeof *v->head);
}

uint64_t vacant_bytes(const struct vacant *v) {
  uint64_t bytes = v->above == NULL ? 0 : ABOVE_BYTES;
  for (uint32_t i = 0; i < v->levels; i++)
    bytes += v->level[i]->reserved;
  return bytes;
}

static uint64_t *word_at(const struct vacant *v, uint32_t level, uint64_t i) {
  return (uint64_t *)(void *)segments_at(v->level[level], i);
}

bool vacant_has(const struct vacant *v, uint64_t id) {
  return v->n > 0 && segments_has(&v->marks, id / 64) &&
         (*word_at(v, 0, id / 64) >> (id % 64) & 1);
}

static uint8_t *place(const struct vacant *v, uint64_t id) {
  return (uint8_t *)(uintptr_t)vectors_at(v->vectors, id);
}

bool vacant_make_room(struct vacant *v, uint64_t id) {
  for (uint32_t i = 0; i < v->levels; i++)
    if (segments_make(v->level[i], (id /= 64)) == NULL)
      return false;
  return true;
}

static void mark(struct vacant *v, uint64_t id) {
  for (uint32_t i = 0; i < v->levels; i++, id /= 64)
    *word_at(v, i, id / 64) |= UINT64_C(1) << (id % 64);
  v->top = id + 1 > v->top ? id + 1 : v->top;
}

static void unmark(struct vacant *v, uint64_t id) {
  for (uint32_t i = 0; i < v->levels; i++, id /= 64) {
    uint64_t *word = word_at(v, i, id / 64);
    *word &= ~(UINT64_C(1) << (id % 64));
    if (*word != 0)
      return;
  }
}

bool vacant_add(struct vacant *v, uint64_t id) {
  if (!vacant_make_room(v, id))
    return false;
  if (v->head != NULL) {
    uint64_t *head = &v->head[(pack_size(v->vectors->pack, place(v, id)) + UNIT - 1) / UNIT];
    memcpy(place(v, id), head, sizeof *head);
    *head = id + 1;
  }
  mark(v, id);
  v->n++;
  return true;
}

/* The first removed state, of which there is one. */
static uint64_t first(const struct vacant *v) {
  uint64_t i = 0;
  const uint32_t last = v->levels - 1;
  while (i < v->top && (!segments_has(v->level[last], i) || *word_at(v, last, i) == 0))
    i++;
  for (uint32_t level = v->levels; level-- > 0;)
    i = i * 64 + (uint64_t)__builtin_ctzll(*word_at(v, level, i));
  return i;
}

bool vacant_take(struct vacant *v, uint32_t bytes, uint64_t *id) {
  if (!v->reuses || v->n == 0)
    return false;
  if (v->head == NULL) {
    *id = first(v);
  } else {
    uint64_t *head = &v->head[(bytes + UNIT - 1) / UNIT];
    if (*head == 0)
      return false;
    *id = *head - 1;
    memcpy(head, place(v, *id), sizeof *head);
  }
  unmark(v, *id);
  v->n--;
  return true;
}

static bool is_packed_well(const struct vectors *vectors, uint64_t id, uint8_t *row,
                           uint8_t *packed) {
  const uint8_t *at = vectors_at(vectors, id);
  uint32_t length = pack_unrow(vectors->pack, at, row);
  uint32_t bytes = pack_row(vectors->pack, row, length, packed);
  return memcmp(at, packed, bytes) == 0;
}

const char *vacant_check(const struct vacant *v) {
  const struct vectors *vectors = v->vectors;
  size_t stride = pack_stride(vectors->pack), room = stride + pack_bytes(vectors->pack) + 16;
  uint8_t *row = budget_alloc(v->budget, BUDGET_OTHER, room);
  const char *broken = NULL;
  for (uint64_t id = 0; row != NULL && broken == NULL && id < vectors->n; id++) {
    if (!vacant_has(v, id) && !is_packed_well(vectors, id, row, row + stride))
      broken = "full: a stored state is not what packing makes";
  }
  budget_free(v->budget, BUDGET_OTHER, row, room);
  return broken;
}
