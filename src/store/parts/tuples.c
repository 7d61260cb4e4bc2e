/* tuples.c - tuples of bit fields whose widths grow. See tuples.h. */
#include "store/parts/tuples.h"

#include "base/array.h"

enum { BEHIND = 16 }; /* bytes that may be read after the data */

bool tuples_open(struct tuples *t, struct budget *budget, uint32_t fields) {
  *t = (struct tuples){.budget = budget, .fields = fields};
  t->ones = budget_alloc(budget, BUDGET_STORE, fields * (sizeof *t->ones + sizeof *t->field));
  if (t->ones == NULL)
    return false;
  t->field = (struct tuples_field *)(t->ones + fields);
  return true;
}

void tuples_close(struct tuples *t) {
  array_free(t->budget, BUDGET_STORE, t->data, t->capacity);
  budget_free(t->budget, BUDGET_STORE, t->epoch, t->room * sizeof *t->epoch);
  budget_free(t->budget, BUDGET_STORE, t->width, (size_t)t->room * t->fields);
  budget_free(t->budget, BUDGET_STORE, t->ones,
              t->fields * (sizeof *t->ones + sizeof *t->field));
  *t = (struct tuples){0};
}

static uint64_t tables(const struct tuples *t) {
  return t->room * (sizeof *t->epoch + t->fields) +
         t->fields * (sizeof *t->ones + sizeof *t->field);
}

uint64_t tuples_reserved(const struct tuples *t) {
  return t->capacity + tables(t);
}

uint64_t tuples_used(const struct tuples *t) {
  return t->end + tables(t);
}

/* Room for one epoch more; false if memory ran out. */
static bool reserve_epoch(struct tuples *t) {
  if (t->epochs < t->room)
    return true;
  uint32_t room = t->room + t->room / 2 + 8;
  struct tuples_epoch *epoch = budget_realloc(t->budget, BUDGET_STORE, t->epoch,
                                              t->room * sizeof *epoch, room * sizeof *epoch);
  if (!epoch)
    return false;
  t->epoch = epoch;
  uint8_t *width = budget_realloc(t->budget, BUDGET_STORE, t->width,
                                  (size_t)t->room * t->fields, (size_t)room * t->fields);
  if (!width) {
    /* Shrinking does not fail. */
    t->epoch = budget_realloc(t->budget, BUDGET_STORE, epoch, room * sizeof *epoch,
                              t->room * sizeof *epoch);
    return false;
  }
  t->width = width;
  t->room = room;
  return true;
}

void tuples_find_ones(struct tuples *t) {
  for (uint32_t k = 0; k < t->fields; k++) {
    tuples_pair ones = (tuples_pair)tuples_ones(t->field[k]) << t->field[k].at % 128;
    t->ones[k] = (struct tuples_ones){{(uint64_t)ones, (uint64_t)(ones >> 64)}};
  }
}

bool tuples_begin(struct tuples *t, const uint8_t *width) {
  if (!reserve_epoch(t))
    return false;
  uint8_t *next = t->width + (size_t)t->epochs * t->fields;
  uint32_t bits = 0;
  for (uint32_t k = 0; k < t->fields; k++) {
    struct tuples_field *field = &t->field[k]; /* at first of no bits */
    field->at = bits;
    field->width = field->width > width[k] ? field->width : width[k];
    next[k] = (uint8_t)field->width;
    bits += field->width;
  }
  tuples_find_ones(t);
  t->words = bits == 0 ? 1 : (bits + 63) / 64;
  t->mask = bits == 0 ? 0 : UINT64_MAX >> (64 * t->words - bits);
  t->last = (struct tuples_epoch){t->n, t->end, bits == 0 ? 1 : (bits + 7) / 8};
  t->epoch[t->epochs++] = t->last;
  return true;
}

bool tuples_reserve(struct tuples *t) {
  uint64_t needed = t->end + t->last.bytes + BEHIND;
  if (needed <= t->capacity)
    return true;
  uint64_t next = t->capacity + (t->capacity < 65536 ? t->capacity : t->capacity / 8);
  next = array_size(next < needed + 1024 ? needed + 1024 : next);
  uint8_t *data = array_resize(t->budget, BUDGET_STORE, t->data, t->capacity, next);
  if (!data)
    return false;
  t->data = data;
  t->capacity = next;
  return true;
}

void tuples_add(struct tuples *t, const uint64_t *tuple) {
  for (uint32_t i = 0; i < t->words; i++) /* whole words: nothing is after yet */
    memcpy(t->data + t->end + 8 * i, &tuple[i], sizeof *tuple);
  t->end += t->last.bytes;
  t->n++;
}

static uint32_t epoch_of(const struct tuples *t, uint64_t id) {
  uint32_t low = 0, high = t->epochs;
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (t->epoch[middle].first <= id)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* A field of up to 32 bits; bytes after the data may be read. */
static inline uint32_t field_at(const uint8_t *tuple, uint32_t from, uint32_t bits) {
  uint64_t word;
  memcpy(&word, tuple + from / 8, 8);
  return (uint32_t)(word >> (from % 8) & ((UINT64_C(1) << bits) - 1));
}

void tuples_numbers(const struct tuples *t, uint64_t id, const uint32_t *place,
                    uint32_t *number) {
  const struct tuples_field *field = t->field;
  if (tuples_is_last(t, id)) {
    const uint8_t *tuple = tuples_place(t, id);
    for (uint32_t k = 0; k < t->fields; k++)
      number[place[k]] = field_at(tuple, field[k].at, field[k].width);
    return;
  }
  uint32_t which = epoch_of(t, id), at = 0;
  const struct tuples_epoch *e = &t->epoch[which];
  const uint8_t *width = t->width + (size_t)which * t->fields;
  const uint8_t *tuple = t->data + e->offset + (id - e->first) * e->bytes;
  for (uint32_t k = 0; k < t->fields; at += width[k++])
    number[place[k]] = field_at(tuple, at, width[k]);
}

void tuples_load_old(const struct tuples *t, uint64_t id, uint64_t *out) {
  uint32_t which = epoch_of(t, id), at = 0;
  const struct tuples_epoch *e = &t->epoch[which];
  const uint8_t *width = t->width + (size_t)which * t->fields;
  const uint8_t *tuple = t->data + e->offset + (id - e->first) * e->bytes;
  memset(out, 0, (t->words + 2) * sizeof *out);
  for (uint32_t k = 0; k < t->fields; at += width[k++])
    tuples_set(out, t->field[k], field_at(tuple, at, width[k]));
}

const char *tuples_check(const struct tuples *t) {
  for (uint32_t i = 1; i < t->epochs; i++) {
    const struct tuples_epoch *e = &t->epoch[i - 1];
    if (e[1].offset != e->offset + (e[1].first - e->first) * e->bytes)
      return "tuples: an epoch does not begin where the one before it ends";
  }
  return NULL;
}
