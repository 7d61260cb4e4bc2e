/* store_bench.c - how fast a store takes and finds states, and its size.
 *
 *   store_bench [MILLIONS [BATCH [random|clustered [BYTES [STORE]]]]]
 *
 * Puts new states until the table has that many millions, and at 1, 2, 5, 10, 20 … 50,
 * 100 … millions finds some old ones in random order. `random`: rows of BYTES random
 * bytes; `clustered`: counters with small digits, as models have them, two bytes to a
 * component. STORE as on the command line of cairn, a size in MiB (bitstate:3,512). Times are
 * processor times of hashing and storing; the rows are made before, in blocks. At most 3 GiB.
 */
#include "base/bits.h"
#include "base/budget.h"
#include "store/store.h"
#include "ts/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BENCH_MOST_BYTES 1024u
#define BENCH_MOST_BATCH 1024u
#define BENCH_BLOCK      4096u    /* rows made at a time, whole batches */
#define BENCH_FINDS      2048000u /* per measurement */
#define BENCH_SAMPLE     512u     /* rows shown to the store beforehand, as a search does */
#define BENCH_MEMORY     (UINT64_C(3) << 30)

struct bench {
  bool clustered;
  uint32_t bytes, stride, n; /* rows per batch */
  struct ts_shape shape;
  struct ts_slot slot[BENCH_MOST_BYTES];
  struct ts_component component[(BENCH_MOST_BYTES + 1) / 2];
  struct budget *budget;
  struct hash *hash;
  const struct store_kind *kind;
  struct store *store;
  struct store_work *work;
  uint8_t *block; /* BENCH_BLOCK and a batch of rows */
  struct rows rows;
  uint64_t key[BENCH_MOST_BATCH], ref[BENCH_MOST_BATCH];
  uint8_t answer[BENCH_MOST_BATCH];
};

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void make_row(const struct bench *b, uint64_t number, uint8_t *row) {
  uint64_t random = number;
  for (uint32_t i = 0; i < b->stride; i += 8) {
    uint64_t word = b->clustered ? 0 : bits_next_random(&random);
    for (uint32_t j = 0; b->clustered && j < 8; j++, number >>= 3)
      word |= (number & 7) << (8 * j);
    if (b->bytes - i < 8)
      word &= UINT64_MAX >> (64 - 8 * (b->bytes - i));
    memcpy(row + i, &word, 8);
  }
}

/* Makes the block from number `first` on, or of random numbers below `below`. */
static void make_block(struct bench *b, uint64_t first, uint64_t *random, uint64_t below) {
  for (uint32_t i = 0; i < BENCH_BLOCK; i++) {
    uint64_t number = random ? bits_next_random(random) % below : first + i;
    make_row(b, number, b->block + i * b->stride);
  }
}

enum bench_verb { BENCH_PUT, BENCH_FIND };

/* Asks for every row of the block; how many answers differ from the expected one. */
static uint32_t ask_block(struct bench *b, enum bench_verb verb, uint8_t expected) {
  uint32_t surprises = 0;
  for (uint32_t from = 0; from < BENCH_BLOCK; from += b->rows.batch.n) {
    b->rows.batch.n = BENCH_BLOCK - from < b->n ? BENCH_BLOCK - from : b->n;
    b->rows.batch.rows = b->block + from * b->stride;
    struct hash_parent parent = {b->rows.batch.rows, b->bytes, 0};
    hash_successors(b->hash, &parent, &b->rows.batch, 0, b->key, b->key);
    if (verb == BENCH_FIND) {
      b->kind->find(b->work, &b->rows, 0, b->rows.batch.n);
    } else if (b->kind->put(b->work, &b->rows, 0, b->rows.batch.n) < b->rows.batch.n) {
      fprintf(stderr, "the memory budget was reached\n");
      exit(3);
    }
    for (uint32_t i = 0; i < b->rows.batch.n; i++)
      surprises += b->answer[i] != expected;
  }
  return surprises;
}

/* Millions of old states per second among `states`. */
static double old_rate(struct bench *b, uint64_t states, enum bench_verb verb) {
  uint64_t random = states, missed = 0;
  double spent = 0;
  for (uint32_t done = 0; done < BENCH_FINDS; done += BENCH_BLOCK) {
    make_block(b, 0, &random, states);
    double start = seconds();
    missed += ask_block(b, verb, STORE_OLD);
    spent += seconds() - start;
  }
  if (missed > 0)
    printf("%llu states were not found\n", (unsigned long long)missed);
  return BENCH_FINDS / spent / 1e6;
}

static void report(struct bench *b, uint64_t states, double spent, uint64_t since) {
  struct store_usage usage;
  b->kind->usage(b->store, &usage);
  double rate = (double)(states - since) / spent / 1e6;
  double finds = old_rate(b, states, BENCH_FIND), old = old_rate(b, states, BENCH_PUT);
  printf("%9.1f %9.1f %9.1f %9.1f %9.2f %9.2f\n", (double)states / 1e6, rate, finds, old,
         (double)usage.reserved / (double)states, (double)usage.index_bytes / (double)states);
  fflush(stdout);
}

static uint64_t next_report(uint64_t millions) {
  static const uint64_t steps[] = {2, 5, 10, 20, 30, 40, 50};
  for (uint32_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
    if (millions < steps[i])
      return steps[i];
  return millions + 50;
}

/* A lossy store may call some new states old. */
static void run(struct bench *b, uint64_t most) {
  uint64_t states = 0, since = 0, next = 1;
  printf("%9s %9s %9s %9s %9s %9s\n", "M states", "M put/s", "M find/s", "M old/s", "B/state",
         "B index");
  double spent = 0;
  while (states < most) {
    make_block(b, states, NULL, 0);
    double start = seconds();
    ask_block(b, BENCH_PUT, STORE_NEW);
    spent += seconds() - start;
    states += BENCH_BLOCK;
    if (states < next * 1000000 && states < most)
      continue;
    report(b, states, spent, since);
    since = states;
    next = next_report(next);
    spent = 0;
  }
}

/* What the store is made from: its name, parameter and size, and the first rows. */
static bool open_store(struct bench *b, const char *name) {
  struct ts_edge edge[BENCH_SAMPLE];
  uint8_t *rows = calloc(BENCH_SAMPLE, b->stride);
  b->kind = store_by_name(name);
  if (!b->kind || !rows) {
    free(rows);
    return false;
  }
  for (uint32_t i = 0; i < BENCH_SAMPLE; i++) {
    edge[i] = (struct ts_edge){.length = b->bytes, .changed = UINT64_MAX};
    make_row(b, i, rows + i * b->stride);
  }
  struct ts_batch sample = {.edge = edge,
                            .rows = rows,
                            .stride = b->stride,
                            .n = BENCH_SAMPLE,
                            .capacity = BENCH_SAMPLE};
  struct store_config config = {.shape = &b->shape, .budget = b->budget, .sample = &sample};
  const char *colon = strchr(name, ':'), *comma = strchr(name, ',');
  config.parameter = colon ? (uint32_t)atoi(colon + 1) : 0;
  config.size = comma ? strtoull(comma + 1, NULL, 10) << 20 : 0;
  b->store = b->kind->open(&config);
  b->work = b->store ? b->kind->begin(b->store) : NULL;
  free(rows);
  return b->work != NULL;
}

static bool set_up(struct bench *b, const char *name) {
  b->stride = (b->bytes + 7) / 8 * 8;
  for (uint32_t i = 0; i < b->bytes; i++)
    b->slot[i] = (struct ts_slot){.offset = i, .bytes = 1, .bits = b->clustered ? 3 : 8};
  b->shape = (struct ts_shape){
      .max_bytes = b->bytes, .fixed_length = true, .n_slots = b->bytes, .slot = b->slot};
  b->shape.n_components = (b->bytes + 1) / 2;
  b->shape.component = b->component;
  for (uint32_t i = 0; i < b->shape.n_components; i++) {
    uint32_t n = b->bytes - 2 * i < 2 ? 1 : 2;
    b->component[i] = (struct ts_component){"part", 2 * i, n, 2 * i, n};
  }
  b->budget = budget_open(BENCH_MEMORY);
  b->hash = hash_open(&b->shape, 1, b->budget);
  if (!open_store(b, name))
    return false;
  b->rows = (struct rows){.hash = b->key, .ref = b->ref, .answer = b->answer};
  b->rows.batch = (struct ts_batch){
      .edge = calloc(b->n, sizeof(struct ts_edge)), .stride = b->stride, .capacity = b->n};
  b->block = calloc(BENCH_BLOCK, b->stride);
  for (uint32_t i = 0; i < b->n && b->rows.batch.edge; i++)
    b->rows.batch.edge[i] = (struct ts_edge){.length = b->bytes, .changed = UINT64_MAX};
  return b->hash && b->rows.batch.edge && b->block;
}

int main(int argc, char **argv) {
  static struct bench bench;
  uint64_t most = (argc > 1 ? strtoull(argv[1], NULL, 10) : 10) * 1000000;
  bench.n = argc > 2 ? (uint32_t)atoi(argv[2]) : 64;
  bench.clustered = argc > 3 && strcmp(argv[3], "clustered") == 0;
  bench.bytes = argc > 4 ? (uint32_t)atoi(argv[4]) : 14;
  if (bench.n < 1 || bench.n > BENCH_MOST_BATCH || bench.bytes < 1 ||
      bench.bytes > BENCH_MOST_BYTES || !set_up(&bench, argc > 5 ? argv[5] : "full")) {
    fprintf(stderr,
            "usage: store_bench [MILLIONS [BATCH [random|clustered [BYTES [STORE]]]]]\n");
    return 2;
  }
  run(&bench, most);
  return 0;
}
