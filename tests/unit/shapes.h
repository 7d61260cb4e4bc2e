/* shapes.h - made-up shapes and random rows for tests of packing, hashing, storing. */
#ifndef CAIRN_TESTS_SHAPES_H
#define CAIRN_TESTS_SHAPES_H

#include "base/bits.h"
#include "ts/ts.h"

#include <string.h>

#define SHAPES_SLOTS 400

struct shapes {
  struct ts_shape shape;
  struct ts_slot slot[SHAPES_SLOTS];
  struct ts_component component[SHAPES_SLOTS];
};

/* Adds a slot after the last one, aligned, and a component for each `per` slots. */
static inline void shapes_add(struct shapes *s, uint8_t bytes, uint8_t bits, bool is_signed) {
  uint32_t offset = (s->shape.max_bytes + bytes - 1u) / bytes * bytes;
  s->slot[s->shape.n_slots++] =
      (struct ts_slot){.offset = offset, .bytes = bytes, .bits = bits, .is_signed = is_signed};
  s->shape.max_bytes = offset + bytes;
  s->shape.slot = s->slot;
}

/* Cuts the slots into components of `per` slots. */
static inline void shapes_cut(struct shapes *s, uint32_t per) {
  for (uint32_t i = 0; i < s->shape.n_slots; i += per) {
    uint32_t n = i + per < s->shape.n_slots ? per : s->shape.n_slots - i;
    const struct ts_slot *last = &s->slot[i + n - 1];
    s->component[s->shape.n_components++] =
        (struct ts_component){.first_slot = i,
                              .n_slots = n,
                              .offset = s->slot[i].offset,
                              .bytes = last->offset + last->bytes - s->slot[i].offset};
  }
  s->shape.component = s->component;
}

/* `n` slots of one byte, all bits used. */
static inline void shapes_bytes(struct shapes *s, uint32_t n, bool fixed) {
  memset(s, 0, sizeof *s);
  for (uint32_t i = 0; i < n; i++)
    shapes_add(s, 1, 8, false);
  shapes_cut(s, 3);
  s->shape.fixed_length = fixed;
}

/* A random mixture of up to `n` slots. */
static inline void shapes_random(struct shapes *s, uint32_t n, bool fixed, uint64_t *random) {
  memset(s, 0, sizeof *s);
  for (uint32_t i = 0; i < n; i++) {
    uint8_t bytes = (uint8_t)(1u << bits_next_random(random) % 3);
    uint8_t bits = (uint8_t)(bits_next_random(random) % (8u * bytes + 1u));
    if (bits_next_random(random) % 4 == 0)
      bits = (uint8_t)(8 * bytes);
    shapes_add(s, bytes, bits, bits_next_random(random) % 2 == 0);
  }
  shapes_cut(s, 1 + (uint32_t)(bits_next_random(random) % 4));
  s->shape.fixed_length = fixed;
}

static inline void shapes_set(const struct ts_slot *slot, uint8_t *row, uint64_t random) {
  uint32_t value = slot->bits == 0 ? 0 : (uint32_t)random & (UINT32_MAX >> (32 - slot->bits));
  if (slot->is_signed && slot->bits > 0 && value >> (slot->bits - 1) & 1 && slot->bits < 32)
    value |= UINT32_MAX << slot->bits;
  memcpy(row + slot->offset, &value, slot->bytes);
}

/* A random state; its length is the end of a slot where lengths vary. */
static inline uint32_t shapes_row(const struct shapes *s, uint8_t *row, uint64_t *random) {
  uint32_t n = s->shape.n_slots;
  memset(row, 0, ts_stride(&s->shape));
  if (!s->shape.fixed_length)
    n = 1 + (uint32_t)(bits_next_random(random) % n);
  for (uint32_t i = 0; i < n; i++)
    shapes_set(&s->slot[i], row, bits_next_random(random));
  return s->shape.fixed_length ? s->shape.max_bytes
                               : s->slot[n - 1].offset + s->slot[n - 1].bytes;
}

/* Fills a batch with states in which slot i of the first half of the slots, which has few
 * values, determines slot i of the other half. */
static inline void shapes_paired(const struct shapes *s, struct ts_batch *batch, uint32_t n,
                                 uint64_t *random) {
  uint32_t half = s->shape.n_slots / 2;
  for (batch->n = 0; batch->n < n; batch->n++) {
    uint8_t *row = batch->rows + batch->n * batch->stride;
    batch->edge[batch->n].length = s->shape.max_bytes;
    for (uint32_t i = 0; i < half; i++) {
      uint64_t value = bits_next_random(random) % 4;
      shapes_set(&s->slot[i], row, value);
      shapes_set(&s->slot[half + i], row, 3 - value);
    }
  }
}

/* For actions 0, 1, ... the words in which a row differs from another one, and some others. */
struct shapes_words {
  struct ts_rows rows;
  uint32_t start[33], item[32 * SHAPES_SLOTS];
};

static inline void shapes_list(struct shapes_words *w, uint32_t action, const uint8_t *old,
                               const uint8_t *new, uint32_t words, uint64_t *random) {
  uint32_t n = action == 0 ? 0 : w->start[action];
  w->start[action] = n;
  for (uint32_t i = 0; i < words; i++)
    if (memcmp(old + 8 * (size_t)i, new + 8 * (size_t)i, 8) != 0 ||
        bits_next_random(random) % 8 == 0)
      w->item[n++] = i;
  w->start[action + 1] = n;
  w->rows = (struct ts_rows){w->start, w->item};
}

#endif
