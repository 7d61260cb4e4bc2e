/* pairs_ask.c - whether a row has two values that never come together. */
#include "ir/pairs.h"

static uint8_t read_one(const struct pairs *p, const struct holes *row, uint32_t number) {
  const uint32_t slot = p->slot[number];
  return holes_is(row, slot) ? PAIRS_HOLE
                             : (uint8_t)pairs_index(p, number, holes_value(row, slot));
}

void pairs_read(const struct pairs *p, const struct holes *row, uint8_t *now) {
  for (uint32_t i = 0; i < p->n; i++)
    now[i] = read_one(p, row, i);
}

static bool goes_with_all(const struct pairs *p, const uint8_t *now, uint32_t number) {
  if (now[number] == PAIRS_HOLE)
    return true;
  if (now[number] == PAIRS_NO_VALUE)
    return false;
  const uint64_t *with = pairs_row(p, number, now[number]);
  for (uint32_t t = 0; t < p->n; t++)
    if (now[t] < PAIRS_VALUES && !(with[t] >> now[t] & 1))
      return false;
  return true;
}

/* Reads again what was changed; `before`: to take that back. */
static void read_changes(const struct pairs *p, const struct holes *row, uint8_t *now,
                         uint8_t *before) {
  for (uint32_t i = 0; i < row->n_changes; i++) {
    const uint32_t number = p->number[row->change[i].slot];
    before[i] = number == TS_NONE ? PAIRS_NO_VALUE : now[number];
    if (number != TS_NONE)
      now[number] = read_one(p, row, number);
  }
}

static void forget_changes(const struct pairs *p, const struct holes *row, uint8_t *now,
                           const uint8_t *before) {
  for (uint32_t i = row->n_changes; i-- > 0;)
    if (p->number[row->change[i].slot] != TS_NONE)
      now[p->number[row->change[i].slot]] = before[i];
}

bool pairs_allow(const struct pairs *p, const struct holes *row, uint8_t *now) {
  uint8_t before[HOLES_CHANGES];
  bool allow = true;
  read_changes(p, row, now, before);
  for (uint32_t i = 0; allow && i < row->n_changes; i++) {
    const uint32_t number = p->number[row->change[i].slot];
    allow = number == TS_NONE || goes_with_all(p, now, number);
  }
  forget_changes(p, row, now, before);
  return allow;
}

uint64_t pairs_left(const struct pairs *p, const struct holes *row, uint8_t *now,
                    uint32_t slot) {
  uint8_t before[HOLES_CHANGES];
  uint64_t left = UINT64_MAX;
  read_changes(p, row, now, before);
  for (uint32_t t = 0; t < p->n && left != 0; t++)
    if (now[t] < PAIRS_VALUES)
      left &= pairs_row(p, t, now[t])[p->number[slot]];
  forget_changes(p, row, now, before);
  return left;
}

bool pairs_have(const struct pairs *p, uint64_t left, uint32_t slot, int32_t value) {
  const uint32_t index = pairs_index(p, p->number[slot], value);
  return index < PAIRS_VALUES && (left >> index & 1);
}
