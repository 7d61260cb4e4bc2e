/* words.c - the same. */
#include "ts/words.h"

bool words_of_parts(const struct ts_shape *shape, uint32_t words, struct words_range *part) {
  uint32_t reached = 0;
  bool ordered = true;
  for (uint32_t i = 0; i < WORDS_PARTS; i++)
    part[i] = (struct words_range){words, 0};
  for (uint32_t i = 0; i < shape->n_components; i++) {
    const struct ts_component *c = &shape->component[i];
    struct words_range *own = &part[i < WORDS_PARTS - 1 ? i : WORDS_PARTS - 1];
    if (c->bytes == 0)
      continue;
    ordered = ordered && c->offset >= reached;
    reached = c->offset + c->bytes;
    if (c->offset / 8 < own->from)
      own->from = c->offset / 8;
    if ((reached + 7) / 8 > own->to)
      own->to = (reached + 7) / 8;
  }
  return ordered;
}
