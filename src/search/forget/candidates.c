/* candidates.c - states that may be forgotten, by rank: the lowest goes first.
 *
 * For each rank a queue of blocks of refs that can be reached by position, so that one
 * may be taken from either end or from the middle (where the last takes its place). A
 * bitmap shows which ranks have any.
 */
#include "search/forget/candidates.h"

#include "base/bits.h"

#include <string.h>

#define BLOCK      128u /* refs in a block: a power of two */
#define RANK_WORDS (CANDIDATES_RANKS / 64)

struct queue {
  uint8_t **block; /* a ring of `room` places; those in use begin at `first` */
  uint64_t first, room;
  uint64_t from, n; /* position of the first ref in the first block, and refs */
};

struct candidates {
  struct budget *budget;
  uint32_t bytes; /* of a ref */
  uint8_t *spare; /* a block that is free */
  uint64_t random, n;
  uint64_t any[RANK_WORDS];
  struct queue queue[CANDIDATES_RANKS];
};

struct candidates *candidates_open(struct budget *budget, uint32_t ref_bytes, uint64_t seed) {
  struct candidates *c = budget_alloc(budget, BUDGET_STORE, sizeof *c);
  if (c == NULL)
    return NULL;
  c->budget = budget;
  c->bytes = ref_bytes;
  c->random = seed;
  return c;
}

static size_t block_bytes(const struct candidates *c) {
  return BLOCK * c->bytes + 8;
}

static void free_block(struct candidates *c, uint8_t *block) {
  if (c->spare == NULL)
    c->spare = block;
  else
    budget_free(c->budget, BUDGET_STORE, block, block_bytes(c));
}

void candidates_close(struct candidates *c) {
  if (c == NULL)
    return;
  for (uint32_t r = 0; r < CANDIDATES_RANKS; r++) {
    struct queue *q = &c->queue[r];
    uint64_t blocks = q->n == 0 ? 0 : (q->from + q->n + BLOCK - 1) / BLOCK;
    for (uint64_t i = 0; i < blocks; i++)
      budget_free(c->budget, BUDGET_STORE, q->block[(q->first + i) % q->room], block_bytes(c));
    budget_free(c->budget, BUDGET_STORE, q->block, q->room * sizeof *q->block);
  }
  budget_free(c->budget, BUDGET_STORE, c->spare, block_bytes(c));
  budget_free(c->budget, BUDGET_STORE, c, sizeof *c);
}

/* The last block has no room: one more after it. */
static bool extend(struct candidates *c, struct queue *q) {
  uint64_t blocks = (q->from + q->n) / BLOCK;
  if (blocks == q->room) {
    uint64_t room = q->room == 0 ? 4 : 2 * q->room;
    uint8_t **ring = budget_alloc(c->budget, BUDGET_STORE, room * sizeof *ring);
    if (ring == NULL)
      return false;
    for (uint64_t i = 0; i < blocks; i++)
      ring[i] = q->block[(q->first + i) % q->room];
    budget_free(c->budget, BUDGET_STORE, q->block, q->room * sizeof *ring);
    q->block = ring;
    q->room = room;
    q->first = 0;
  }
  uint8_t *block = c->spare;
  c->spare = NULL;
  if (block == NULL)
    block = budget_alloc(c->budget, BUDGET_STORE, block_bytes(c));
  if (block != NULL)
    q->block[(q->first + blocks) % q->room] = block;
  return block != NULL;
}

static uint8_t *place(const struct candidates *c, const struct queue *q, uint64_t i) {
  uint64_t at = q->from + i;
  return q->block[(q->first + at / BLOCK) % q->room] + at % BLOCK * c->bytes;
}

bool candidates_add(struct candidates *c, uint32_t rank, uint64_t ref) {
  struct queue *q = &c->queue[rank];
  if ((q->from + q->n) % BLOCK == 0 && !extend(c, q))
    return false;
  memcpy(place(c, q, q->n), &ref, c->bytes);
  q->n++;
  c->n++;
  c->any[rank / 64] |= UINT64_C(1) << (rank % 64);
  return true;
}

static void take_first(struct candidates *c, struct queue *q) {
  q->n--;
  if (++q->from == BLOCK) {
    free_block(c, q->block[q->first]);
    q->first = (q->first + 1) % q->room;
    q->from = 0;
  }
}

static void take_last(struct candidates *c, struct queue *q) {
  q->n--;
  if ((q->from + q->n) % BLOCK == 0)
    free_block(c, q->block[(q->first + (q->from + q->n) / BLOCK) % q->room]);
}

bool candidates_take(struct candidates *c, enum candidates_pick pick, uint32_t *rank,
                     uint64_t *ref) {
  uint32_t word = 0;
  while (word < RANK_WORDS && c->any[word] == 0)
    word++;
  if (word == RANK_WORDS)
    return false;
  *rank = word * 64 + (uint32_t)__builtin_ctzll(c->any[word]);
  struct queue *q = &c->queue[*rank];
  uint64_t i = pick == CANDIDATES_OLDEST     ? 0
               : pick == CANDIDATES_YOUNGEST ? q->n - 1
                                             : bits_next_random(&c->random) % q->n;
  uint8_t *at = place(c, q, i);
  *ref = 0;
  memcpy(ref, at, c->bytes);
  if (pick == CANDIDATES_RANDOM)
    memmove(at, place(c, q, q->n - 1), c->bytes);
  if (pick == CANDIDATES_OLDEST)
    take_first(c, q);
  else
    take_last(c, q);
  if (q->n == 0) {
    if (q->from % BLOCK != 0) /* a block that is begun and has none left */
      free_block(c, q->block[q->first]);
    q->from = 0;
    c->any[word] &= ~(UINT64_C(1) << (*rank % 64));
  }
  c->n--;
  return true;
}

uint64_t candidates_count(const struct candidates *c) {
  return c->n;
}

static bool take_rank(struct candidates *c, uint32_t rank, struct sink *sink) {
  uint64_t ref = 0;
  for (uint64_t left = sink_take_number(sink); left > 0 && sink_is_fine(sink); left--) {
    sink_take(sink, &ref, c->bytes);
    if (!candidates_add(c, rank, ref))
      return false;
  }
  return sink_is_fine(sink);
}

/* In the order of each rank; blocks need not begin where they did. */
bool candidates_pass(struct candidates *c, struct sink *sink) {
  sink_section(sink, "candidates");
  sink_same(sink, c->bytes, "has names of another size");
  sink_pass(sink, &c->random, sizeof c->random);
  for (uint32_t rank = 0; rank < CANDIDATES_RANKS; rank++) {
    const struct queue *q = &c->queue[rank];
    if (sink_is_read(sink)) {
      if (!take_rank(c, rank, sink))
        return false;
      continue;
    }
    sink_put_number(sink, q->n);
    for (uint64_t i = 0; i < q->n; i++)
      sink_put(sink, place(c, q, i), c->bytes);
  }
  return true;
}
