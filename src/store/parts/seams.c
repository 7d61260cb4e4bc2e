/* seams.c - where the packed states of a shape are cut into leaves, and into two halves.
 *
 * A part is worth a table of its own if few of what it may be are ever seen. So leaves end
 * where a component ends, or at least a slot; and the two halves of a pair should vary
 * equally, for the larger number of different halves is what a state costs. How much a
 * slot varies is seen from a sample of states, if there is one; if not, it is guessed from
 * its type and from how many actions write it.
 *
 * Where no such place is good, the halves are chosen bit by bit (halves.c). The packed state is
 * then that of a row with all words twice: first with their bits in the front half, then with
 * the others. Nothing else changes.
 */
#include "store/parts/seams.h"

#include "store/parts/halves.h"

#include "ts/sets.h"

#include "base/bits.h"

#include <string.h>

#define SEAMS_LEAF 64u /* bits, at most */

/* How many bits of each byte of a row are packed. */
static void count_bits(const struct ts_shape *shape, uint8_t *width) {
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    const struct ts_slot *slot = &shape->slot[i];
    for (uint32_t k = 0; k < (slot->bits + 7u) / 8; k++) {
      uint8_t bits = (uint8_t)(slot->bits - 8 * k < 8 ? slot->bits - 8 * k : 8);
      uint8_t *at = &width[slot->offset + k];
      *at = *at < bits ? bits : *at; /* slots may share a place */
    }
  }
}

static bool is_back(const struct seams *m, uint32_t byte) {
  return m->front != NULL && (m->front[byte / 8] >> byte % 8 * 8 & 0xFF) == 0;
}

/* Where each byte of a row is in the packed state, and its end. */
static void place_bytes(struct seams *m, const uint8_t *width, uint32_t stride,
                        uint32_t *before) {
  uint32_t at[2] = {m->header, m->header};
  for (uint32_t i = 0; i < stride; i++)
    at[1] += is_back(m, i) ? 0 : width[i];
  if (m->front != NULL)
    m->middle = at[1];
  for (uint32_t i = 0; i < stride; i++) {
    bool back = is_back(m, i);
    before[i] = at[back];
    at[back] += width[i];
  }
  m->bits = before[stride] = m->front == NULL ? at[0] : at[1];
}

/* Marks where a component begins, in both halves. */
static void mark_component(struct seams *m, const struct ts_component *c, const uint8_t *width,
                           const uint32_t *before) {
  bool marked[2] = {false, false};
  for (uint32_t i = c->offset; i < c->offset + c->bytes; i++) {
    bool back = is_back(m, i);
    if (width[i] > 0 && !marked[back])
      bits_set(m->component, before[i]);
    marked[back] = marked[back] || width[i] > 0;
  }
}

static void find_seams(const struct ts_shape *shape, const uint8_t *width,
                       const uint32_t *before, struct seams *m) {
  memset(m->slot, 0, m->marks);
  memset(m->component, 0, m->marks);
  for (uint32_t i = 0; i < shape->n_slots; i++)
    bits_set(m->slot, before[shape->slot[i].offset]);
  for (uint32_t i = 0; i < shape->n_components; i++)
    mark_component(m, &shape->component[i], width, before);
}

/* The marked bit in [least, most] next to `target`, or `target`. */
static uint32_t nearest(const uint64_t *marks, uint32_t least, uint32_t most, uint32_t target) {
  for (uint32_t d = 0; d <= SEAMS_LEAF; d++) {
    if (target + d <= most && bits_test(marks, target + d))
      return target + d;
    if (target >= least + d && bits_test(marks, target - d))
      return target - d;
  }
  return target;
}

uint32_t seams_component_end(const struct seams *m, uint32_t from) {
  uint32_t end = from < m->header ? m->header + 1 : from + 1;
  while (end < m->bits && !bits_test(m->component, end))
    end++;
  return end < m->bits ? end : m->bits;
}

/* The end of the leaf that begins at bit `from` of a piece that ends at `limit`. Leaves are
 * of about equal size, no more than need be, and end where a component ends if one
 * does, else a slot. */
static uint32_t leaf_end(const struct seams *m, uint32_t from, uint32_t limit) {
  uint32_t rest = limit - from, parts = (rest + SEAMS_LEAF - 1) / SEAMS_LEAF;
  if (parts <= 1)
    return limit;
  uint32_t target = from + rest / parts, most = from + SEAMS_LEAF, least = from + 1;
  if (rest > (parts - 1) * SEAMS_LEAF)
    least = limit - (parts - 1) * SEAMS_LEAF;
  if (most >= limit)
    most = limit - 1;
  uint32_t end = nearest(m->component, least, most, target);
  return bits_test(m->component, end) ? end : nearest(m->slot, least, most, target);
}

/* How much a slot may vary, roughly, in bits: what its type allows, but not more than
 * the log of the number of actions that write it; nothing if none does. */
static void weigh_slots(const struct ts_shape *shape, uint32_t *weight) {
  const struct ts_rows *writes = &shape->writes;
  struct sets_walk walk;
  struct ts_range range;
  /* First only where ranges begin and end. */
  for (uint32_t a = 0; writes->start != NULL && a < shape->n_actions; a++)
    for (sets_begin(&walk, shape, writes, a); sets_next(&walk, &range);) {
      weight[range.first]++;
      if (range.first + range.n < shape->n_slots)
        weight[range.first + range.n]--;
    }
  for (uint32_t i = 0, writers = 0; i < shape->n_slots; i++) {
    writers += weight[i];
    uint32_t bits = shape->slot[i].bits, log = bits_for((uint64_t)writers + 1);
    weight[i] = writes->start == NULL || bits < log ? bits : log;
  }
}

/* A seam with about as much weight in front of it as after it. */
static uint32_t middle_by_weight(const struct ts_shape *shape, const uint32_t *before,
                                 const struct seams *m, uint32_t *weight) {
  uint64_t sum = 0, front = 0, best = UINT64_MAX;
  uint32_t middle = m->bits / 2;
  weigh_slots(shape, weight);
  for (uint32_t i = 0; i < shape->n_slots; i++)
    sum += weight[i];
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    uint32_t at = before[shape->slot[i].offset];
    uint64_t off = 2 * front > sum ? 2 * front - sum : sum - 2 * front;
    if (off < best && at > m->header && at < m->bits) {
      best = off;
      middle = at;
    }
    front += weight[i];
  }
  return middle;
}

enum {
  SAMPLE_FIRST = 512, /* states that are looked at */
  SAMPLE_SET = 2048   /* hashes that a set has room for */
};

/* How many of n numbers are different. */
static uint32_t count_different(const uint64_t *number, uint64_t flip, const uint64_t *other,
                                uint32_t n, uint64_t *set) {
  uint32_t count = 0;
  memset(set, 0, SAMPLE_SET * sizeof *set);
  for (uint32_t i = 0; i < n; i++) {
    uint64_t value = (number[i] ^ (other[i] & flip)) | 1, at = value >> 32;
    while (set[at % SAMPLE_SET] != 0 && set[at % SAMPLE_SET] != value)
      at++;
    count += set[at % SAMPLE_SET] == 0;
    set[at % SAMPLE_SET] = value;
  }
  return count;
}

/* Adds slot i of each row of the sample to its sum. */
static void add_slot(const struct ts_shape *shape, const struct ts_batch *sample, uint32_t n,
                     uint32_t i, uint64_t *sum) {
  const struct ts_slot *slot = &shape->slot[i];
  for (uint32_t r = 0; r < n; r++) {
    uint32_t value = 0;
    memcpy(&value, sample->rows + r * sample->stride + slot->offset, slot->bytes);
    uint64_t mixed = (value + 1) * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)i << 32;
    sum[r] ^= bits_next_random(&mixed);
  }
}

/* The seam for which the numbers of different halves in front and after are least, the
 * larger one first. Of a model with 2014 bits, cut in the middle of the bits, a state took
 * 15.4 bytes, because nearly all that varies was in one half; cut here, 6. The first
 * few hundred states lead to the same seam as a million does. */
static uint32_t middle_by_sample(const struct ts_shape *shape, const uint32_t *before,
                                 const struct seams *m, const struct ts_batch *sample) {
  uint64_t set[SAMPLE_SET], front[SAMPLE_FIRST] = {0}, all[SAMPLE_FIRST] = {0};
  uint32_t n = sample->n < SAMPLE_FIRST ? sample->n : SAMPLE_FIRST;
  uint64_t best = UINT64_MAX;
  uint32_t middle = m->bits / 2, last = 0;
  for (uint32_t i = 0; i < shape->n_slots; i++)
    add_slot(shape, sample, n, i, all);
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    uint32_t at = before[shape->slot[i].offset];
    if (at > last && at > m->header && at < m->bits) {
      uint64_t a = count_different(front, 0, all, n, set);
      uint64_t b = count_different(front, UINT64_MAX, all, n, set);
      uint64_t cost = a > b ? a << 32 | b : b << 32 | a;
      if (cost < best) {
        best = cost;
        middle = at;
      }
      last = at;
    }
    add_slot(shape, sample, n, i, front);
  }
  return middle;
}

uint32_t seams_next(const struct seams *m, uint32_t from) {
  if (m->form == PARTS_COMPONENTS)
    return leaf_end(m, from, seams_component_end(m, from));
  if (m->bits < SEAMS_LEAF)
    return m->bits;
  return leaf_end(m, from, from < m->middle ? m->middle : m->bits);
}

uint32_t seams_count(const struct seams *m) {
  uint32_t n = 1, at = 0;
  while ((at = seams_next(m, at)) < m->bits)
    n++;
  return n;
}

/* The halves are what is on either side of the middle, or better ones. */
static void choose_halves(struct seams *m, const struct store_config *config,
                          const uint32_t *before, uint64_t *front) {
  const struct ts_shape *shape = config->shape;
  for (uint32_t i = 0; i < ts_stride(shape); i++)
    if (before[i] < m->middle)
      front[i / 8] |= UINT64_C(0xFF) << i % 8 * 8;
  if (halves_choose(shape, config->sample, config->budget, front))
    m->front = front;
}

bool seams_open(struct seams *m, const struct store_config *config, uint32_t header,
                enum parts_form form) {
  const struct ts_shape *shape = config->shape;
  size_t stride = ts_stride(shape), marks = (stride * 8 + 8 * header) / 64 * 8 + 8;
  size_t size = 2 * marks + stride + (stride + 1 + shape->n_slots) * sizeof(uint32_t) + stride;
  uint64_t *block = budget_alloc(config->budget, BUDGET_OTHER, size);
  if (!block)
    return false;
  uint64_t *front = block + 2 * marks / sizeof *block;
  uint32_t *before = (uint32_t *)(front + stride / 8), *weight = before + stride + 1;
  uint8_t *width = (uint8_t *)(weight + shape->n_slots);
  *m = (struct seams){.form = form, .header = 8 * header, .slot = block, .size = size};
  m->component = block + marks / sizeof *block;
  m->marks = marks;
  count_bits(shape, width);
  place_bytes(m, width, (uint32_t)stride, before);
  bool sampled = config->sample && config->sample->n > 16;
  m->middle = sampled ? middle_by_sample(shape, before, m, config->sample)
                      : middle_by_weight(shape, before, m, weight);
  if (sampled && form == PARTS_PAIR && m->bits >= SEAMS_LEAF)
    choose_halves(m, config, before, front);
  if (m->front != NULL)
    place_bytes(m, width, (uint32_t)stride, before);
  find_seams(shape, width, before, m);
  return true;
}

void seams_close(struct seams *m, struct budget *budget) {
  budget_free(budget, BUDGET_OTHER, m->slot, m->size);
  *m = (struct seams){0};
}
