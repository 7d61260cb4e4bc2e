/* check_inside.h - the self-check, for its own files. See check.c. */
#ifndef CAIRN_TS_CHECK_INSIDE_H
#define CAIRN_TS_CHECK_INSIDE_H

#include "ts/list.h"

#include <pthread.h>
#include <string.h>

#define CHECK_SEEN   8 /* states and values that are remembered */
#define CHECK_LENGTH 640

struct check {
  struct ts ts;
  struct ts_code code;
  const struct ts *inner;
  const struct ts_shape *shape;
  struct budget *budget;
  size_t stride;
  pthread_mutex_t mutex;
  uint64_t random;
  uint32_t next_slot;
  uint64_t untested;       /* times that memory ran out */
  struct list here, there; /* successors of the state, and of an altered one */
  uint8_t *altered, *row;
  uint8_t *seen; /* CHECK_SEEN states */
  uint32_t seen_length[CHECK_SEEN], n_seen;
  uint8_t *covered;          /* per byte of a state: 1 if some slot has it */
  uint8_t *given;            /* per slot: 1 if it says what is there; never altered */
  uint64_t *skip;            /* bitmap of actions */
  const struct ts_code *now; /* the inner code during one examination */
  char complaint[CHECK_LENGTH];
};

/* Remembers the first complaint; false, for the caller to return. */
bool check_complain(struct check *, const struct ts_event *, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns the name that it wrote. */
const char *check_slot_name(const struct check *, uint32_t slot, char name[160]);
/* All successors of a state but for those of the actions skipped; false: memory ran out, which
 * is counted, or a batch is wrong, which is complained about. */
bool check_fill(struct check *, struct list *, const uint8_t *state, uint32_t length,
                const uint64_t *skip);

/* Do the actions do here what they do in states that differ where they do not read? The
 * successors are in check->here. False after a complaint, or if memory ran out. */
bool check_reads(struct check *, const uint8_t *state, uint32_t length);
/* Does the model, if it goes backward, come back to the state from its successors? The same. */
bool check_backward(struct check *, const uint8_t *state, uint32_t length);
/* Keeps a sample of all states seen so far: each is as likely to be in it. */
void check_remember(struct check *, const uint8_t *state, uint32_t length);

static inline int check_compare(struct ts_event a, struct ts_event b) {
  if (a.action != b.action)
    return a.action < b.action ? -1 : 1;
  return a.choice == b.choice ? 0 : a.choice < b.choice ? -1 : 1;
}

static inline bool check_same(const uint8_t *a, const uint8_t *b, const struct ts_slot *slot) {
  return memcmp(a + slot->offset, b + slot->offset, slot->bytes) == 0;
}

#endif
