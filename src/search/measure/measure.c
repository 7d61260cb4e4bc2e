/* measure.c - the value of a state: some of its values as one number. */
#include "search/measure/measure.h"

static uint8_t bits_for(uint64_t most) {
  return (uint8_t)(most == 0 ? 0 : 64 - __builtin_clzll(most));
}

static bool add(struct measure *m, struct measure_part part, int64_t most) {
  part.bits = bits_for((uint64_t)most - (uint64_t)part.least);
  if (part.bits + m->bits > 64 || m->n == MEASURE_PARTS)
    return false;
  m->bits += part.bits;
  m->part[m->n++] = part;
  return true;
}

bool measure_add_expression(struct measure *m, uint32_t which) {
  const struct ts_measure *from = &m->ts->shape->measure[which];
  return add(m, (struct measure_part){.expression = which, .least = from->least}, from->most);
}

bool measure_add_slot(struct measure *m, uint32_t slot, bool falls) {
  const struct ts_slot *s = &m->ts->shape->slot[slot];
  int64_t span = s->bits == 0 ? 0 : (int64_t)(UINT64_MAX >> (64 - s->bits));
  int64_t least = s->is_signed ? -(span / 2) - (span > 0) : 0;
  return measure_add_range(m, slot, falls, least, least + span);
}

bool measure_add_range(struct measure *m, uint32_t slot, bool falls, int64_t least,
                       int64_t most) {
  return add(m,
             (struct measure_part){
                 .expression = TS_NONE, .slot = slot, .least = least, .falls = falls},
             most);
}

uint64_t measure_of(const struct measure *m, const uint8_t *state, uint32_t length) {
  const struct ts_code *code = ts_code(m->ts);
  uint64_t key = 0;
  for (uint32_t i = 0; i < m->n; i++) {
    const struct measure_part *part = &m->part[i];
    if (part->bits == 0)
      continue;
    int64_t value = part->expression != TS_NONE
                        ? code->measure(m->ts, state, length, part->expression)
                        : ts_value(&m->ts->shape->slot[part->slot], state);
    uint64_t most = UINT64_MAX >> (64 - part->bits);
    uint64_t above = value < part->least ? 0 : (uint64_t)value - (uint64_t)part->least;
    above = above > most ? most : above;
    key = (part->bits == 64 ? 0 : key << part->bits) | (part->falls ? most - above : above);
  }
  return key;
}
