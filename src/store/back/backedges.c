/* backedges.c - backedges packed by blocks.
 *
 * Within a block all entries are equally wide, so that one is found by a multiplication. Blocks
 * are small, so that the one far or rare backedge costs 256 entries a few bits, and not all
 * that come later; and a block that must become wider is copied at once, which happens at most
 * as often as it has bits. Read backedges_get() in the header first.
 */
#include "store/back/backedges.h"

#include "store/room/save.h"

#include "base/array.h"

#include <assert.h>

void backedges_init(struct backedges *b, struct budget *budget) {
  *b = (struct backedges){.budget = budget};
}

/* Bytes of a block's entries, with room to read whole words. */
static size_t block_bytes(uint32_t distance_bits, uint32_t event_bits) {
  return (size_t)BACKEDGES_BLOCK / 8 * (distance_bits + event_bits) + 8;
}

static uint64_t blocks_of(const struct backedges *b) {
  return (b->n + BACKEDGES_BLOCK - 1) / BACKEDGES_BLOCK;
}

static void free_block(struct backedges *b, const struct backedges_block *block) {
  size_t bytes = block_bytes(block->distance_bits, block->event_bits);
  if (block->at == NULL)
    return;
  budget_free(b->budget, BUDGET_STORE, block->at, bytes);
  b->bytes -= bytes;
}

void backedges_free(struct backedges *b) {
  for (uint64_t i = 0; i < b->room; i++)
    free_block(b, &b->block[i]);
  array_free(b->budget, BUDGET_STORE, b->block, b->room * sizeof *b->block);
  backedges_init(b, b->budget);
}

/* As backedges_read(): one word holds the bits wherever in a byte they begin, because they are
 * at most 56; after the last entry block_bytes() has room for a whole one. */
static void write_bits(uint8_t *bytes, uint64_t at, uint32_t width, uint64_t value) {
  uint64_t word, mask = bits_lowest(width) << at % 8;
  memcpy(&word, bytes + at / 8, sizeof word);
  word = (word & ~mask) | value << at % 8;
  memcpy(bytes + at / 8, &word, sizeof word);
}

/* The distance of a backedge as it is kept: see backedges_get(). */
static uint64_t code_of(uint64_t state, uint64_t parent) {
  if (parent == BACKEDGES_NONE)
    return 0;
  return parent < state ? 2 * (state - parent) - 1 : 2 * (parent - state);
}

static void put(const struct backedges_block *block, uint32_t i, uint64_t code,
                uint32_t event) {
  uint64_t at = (uint64_t)i * (block->distance_bits + block->event_bits);
  write_bits(block->at, at, block->distance_bits, code);
  write_bits(block->at, at + block->distance_bits, block->event_bits, event);
}

static uint64_t code_at(const struct backedges_block *block, uint32_t i, uint32_t *event) {
  uint64_t at = (uint64_t)i * (block->distance_bits + block->event_bits);
  *event = (uint32_t)backedges_read(block->at, at + block->distance_bits, block->event_bits);
  return backedges_read(block->at, at, block->distance_bits);
}

/* The entries of a block with other widths; the first n are in use. The old ones stay until the
 * new ones are there: if memory runs out, nothing is lost. */
static bool widen(struct backedges *b, struct backedges_block *block, uint32_t n,
                  uint32_t distance_bits, uint32_t event_bits) {
  size_t bytes = block_bytes(distance_bits, event_bits);
  struct backedges_block wide = *block;
  wide.at = budget_alloc(b->budget, BUDGET_STORE, bytes);
  if (wide.at == NULL)
    return false;
  b->bytes += bytes;
  wide.distance_bits = (uint8_t)distance_bits;
  wide.event_bits = (uint8_t)event_bits;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t event;
    uint64_t code = code_at(block, i, &event);
    put(&wide, i, code, event);
  }
  free_block(b, block);
  *block = wide;
  return true;
}

/* Of a full block the widths that its entries need, which the next one begins with: they say
 * more of its future than its own first entry, and less than the widths of the block, which
 * began with those of the one before and would never become less. The highest bit of the
 * largest value is that of all values together. */
static void needed(const struct backedges_block *block, uint32_t *distance, uint32_t *event) {
  uint64_t codes = 0, events = 0;
  for (uint32_t i = 0; i < BACKEDGES_BLOCK; i++) {
    uint32_t number;
    codes |= code_at(block, i, &number);
    events |= number;
  }
  *distance = bits_for(codes + 1);
  *event = bits_for(events + 1);
}

/* Makes room for block number i, the next. */
static bool make_room(struct backedges *b, uint64_t i) {
  if (i < b->room)
    return true;
  struct backedges_block *more =
      array_grow(b->budget, BUDGET_STORE, b->block, &b->room, sizeof *more);
  if (more != NULL)
    b->block = more;
  return more != NULL;
}

static bool begin_block(struct backedges *b, uint32_t distance, uint32_t event) {
  uint64_t i = b->n / BACKEDGES_BLOCK;
  if (!make_room(b, i))
    return false;
  if (b->block[i].at != NULL)
    return true; /* made before, and then memory ran out elsewhere */
  if (i > 0) {
    uint32_t last_distance, last_event;
    needed(&b->block[i - 1], &last_distance, &last_event);
    distance = last_distance > distance ? last_distance : distance;
    event = last_event > event ? last_event : event;
  }
  b->block[i].rank = b->whole;
  return widen(b, &b->block[i], 0, distance, event);
}

/* Makes the widths of a block enough. Both only grow: the entries that are there need theirs.
 */
static bool fit(struct backedges *b, uint64_t state, uint32_t n, struct backedge edge) {
  struct backedges_block *block = &b->block[state / BACKEDGES_BLOCK];
  uint32_t distance = bits_for(code_of(state, edge.parent) + 1);
  uint32_t event = bits_for((uint64_t)edge.event + 1);
  assert(distance <= BACKEDGES_MOST);
  if (distance <= block->distance_bits && event <= block->event_bits)
    return true;
  distance = distance > block->distance_bits ? distance : block->distance_bits;
  event = event > block->event_bits ? event : block->event_bits;
  return widen(b, block, n, distance, event);
}

bool backedges_make(struct backedges *b, struct backedge edge) {
  uint32_t used = (uint32_t)(b->n % BACKEDGES_BLOCK);
  if (used == 0 && !begin_block(b, bits_for(code_of(b->n, edge.parent) + 1),
                                bits_for((uint64_t)edge.event + 1)))
    return false;
  return fit(b, b->n, used, edge);
}

void backedges_add(struct backedges *b, struct backedge edge, bool whole) {
  struct backedges_block *block = &b->block[b->n / BACKEDGES_BLOCK];
  uint32_t i = (uint32_t)(b->n % BACKEDGES_BLOCK);
  put(block, i, code_of(b->n, edge.parent), edge.event);
  if (whole)
    bits_set(block->whole, i);
  b->whole += whole;
  b->n++;
}

bool backedges_set(struct backedges *b, uint64_t state, struct backedge edge) {
  uint64_t block = state / BACKEDGES_BLOCK, left = b->n - block * BACKEDGES_BLOCK;
  uint32_t used = left < BACKEDGES_BLOCK ? (uint32_t)left : BACKEDGES_BLOCK;
  if (!fit(b, state, used, edge))
    return false;
  put(&b->block[block], state % BACKEDGES_BLOCK, code_of(state, edge.parent), edge.event);
  return true;
}

uint64_t backedges_reserved(const struct backedges *b) {
  uint64_t blocks = b->room * sizeof *b->block;
  return b->bytes + (blocks == 0 ? 0 : array_size(blocks));
}

const char *backedges_check(const struct backedges *b) {
  uint64_t whole = 0;
  for (uint64_t state = 0; state < b->n; state++) {
    struct backedge edge = backedges_get(b, state);
    if (state % BACKEDGES_BLOCK == 0 && b->block[state / BACKEDGES_BLOCK].rank != whole)
      return "backedges: the whole states in front of a block are miscounted";
    if (edge.parent == BACKEDGES_NONE && !backedges_is_whole(b, state))
      return "backedges: a state without a backedge is not kept whole";
    if (edge.parent != BACKEDGES_NONE && edge.parent >= b->n)
      return "backedges: a backedge leads to a state that does not exist";
    whole += backedges_is_whole(b, state);
  }
  return whole == b->whole ? NULL : "backedges: the whole states are miscounted";
}

void backedges_save(const struct backedges *b, struct sink *sink) {
  sink_put_number(sink, b->n);
  sink_put_number(sink, b->whole);
  for (uint64_t i = 0; i < blocks_of(b); i++) {
    struct backedges_block block = b->block[i];
    const uint8_t *at = block.at;
    block.at = NULL;
    sink_put(sink, &block, sizeof block);
    sink_put(sink, at, block_bytes(block.distance_bits, block.event_bits));
  }
}

bool backedges_load(struct backedges *b, struct sink *sink) {
  uint64_t n = sink_take_count(sink, SAVE_MOST), whole = sink_take_number(sink);
  for (b->n = 0; b->n < n && sink_is_fine(sink); b->n += BACKEDGES_BLOCK) {
    struct backedges_block read;
    sink_take(sink, &read, sizeof read);
    if (read.distance_bits > BACKEDGES_MOST || read.event_bits > 32)
      sink_refuse(sink, "has a backedge wider than any");
    if (!sink_is_fine(sink))
      return false;
    uint64_t i = b->n / BACKEDGES_BLOCK;
    if (!make_room(b, i))
      return false;
    struct backedges_block *block = &b->block[i];
    if (!widen(b, block, 0, read.distance_bits, read.event_bits))
      return false;
    memcpy(block->whole, read.whole, sizeof block->whole);
    block->rank = read.rank;
    sink_take(sink, block->at, block_bytes(block->distance_bits, block->event_bits));
  }
  b->n = n;
  b->whole = whole;
  return sink_is_fine(sink);
}
