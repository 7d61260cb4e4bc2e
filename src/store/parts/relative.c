/* relative.c - which tops an event may change, and epochs. See relative.h. */
#include "store/parts/relative.h"

#include "base/bits.h"

#include <string.h>

/* The bytes of rows that a top's bits are in. */
static struct relative_range bytes_of(const struct parts *p, uint32_t top) {
  const struct cut *c = &p->cut;
  const struct cut_piece *first = &c->of[c->first[p->span[top].leaf]];
  const struct cut_piece *end = &c->of[c->first[p->span[top].leaf_end]];
  if (first == end)
    return (struct relative_range){0, 0};
  const struct cut_piece *last = end - 1;
  return (struct relative_range){8u * first->word + (uint32_t)__builtin_ctzll(first->mask) / 8,
                                 8u * last->word +
                                     (63u - (uint32_t)__builtin_clzll(last->mask)) / 8 + 1};
}

static void find_touched(struct relative_tables *t, const struct ts_shape *shape) {
  for (uint32_t i = 0; i < shape->n_components; i++) {
    const struct ts_component *c = &shape->component[i];
    struct relative_range *bit = &t->touched[i < RELATIVE_BITS - 1 ? i : RELATIVE_BITS - 1];
    for (uint32_t k = 0; k < t->parts.tops; k++) {
      struct relative_range bytes = bytes_of(&t->parts, k);
      if (bytes.from >= c->offset + c->bytes || c->offset >= bytes.to)
        continue;
      bit->from = bit->to == 0 || k < bit->from ? k : bit->from;
      bit->to = k + 1 > bit->to ? k + 1 : bit->to;
    }
  }
  if (!shape->fixed_length) { /* the first top has the length */
    t->touched[0].from = 0;
    t->touched[0].to += t->touched[0].to == 0;
    t->always = 1;
  }
  for (uint32_t i = 0; i < RELATIVE_BITS; i++)
    t->n_touched += t->touched[i].to - t->touched[i].from;
}

bool relative_open(struct relative_tables *t, const struct store_config *config) {
  if (!parts_open(&t->parts, config, PARTS_COMPONENTS))
    return false;
  if (!tuples_open(&t->tuples, config->budget, t->parts.tops)) {
    parts_close(&t->parts);
    return false;
  }
  find_touched(t, config->shape);
  return true;
}

void relative_close(struct relative_tables *t) {
  tuples_close(&t->tuples);
  parts_close(&t->parts);
}

bool relative_begin(struct relative *w, struct relative_tables *t) {
  size_t tops = t->parts.tops, words = tuples_most_words(&t->tuples);
  size_t changed = t->n_touched < tops ? tops : t->n_touched;
  struct budget *budget = t->parts.budget;
  *w = (struct relative){.tables = t, .base_id = STORE_NONE};
  w->size = 4 * words * sizeof(uint64_t) + (changed + tops) * sizeof(uint32_t) + tops;
  w->block = budget_alloc(budget, BUDGET_STORE, w->size);
  if (!w->block)
    return false;
  if (!parts_begin(&w->parts, &t->parts)) {
    budget_free(budget, BUDGET_STORE, w->block, w->size);
    return false;
  }
  w->from = w->block;
  w->tuple = w->from + words;
  w->seen = w->tuple + words;
  w->differs = w->seen + words;
  w->changed = (uint32_t *)(w->differs + words);
  w->number = w->changed + changed;
  w->width = (uint8_t *)(w->number + tops);
  return true;
}

void relative_end(struct relative *w) {
  parts_end(&w->parts);
  budget_free(w->tables->parts.budget, BUDGET_STORE, w->block, w->size);
}

bool relative_widen(struct relative *w) {
  struct relative_tables *s = w->tables;
  uint64_t base = w->base_id;
  memset(w->width, 0, s->parts.tops);
  for (uint32_t i = 0; i < w->n_changed; i++) {
    uint32_t k = w->changed[i];
    w->width[k] = (uint8_t)bits_for((uint64_t)w->number[k] + 1);
  }
  if (!tuples_begin(&s->tuples, w->width))
    return false;
  w->base_id = s->tuples.n; /* no state's yet */
  relative_to(s, w, base);
  memcpy(w->tuple, w->from, s->tuples.words * sizeof *w->tuple);
  for (uint32_t i = 0; i < w->n_changed; i++) {
    uint32_t k = w->changed[i];
    tuples_clear(w->tuple, s->tuples.field[k]);
    tuples_set(w->tuple, s->tuples.field[k], w->number[k]);
  }
  return true;
}

static const char *check_states(const struct relative *w) {
  const struct relative_tables *s = w->tables;
  size_t size = parts_check_room(&s->parts);
  uint8_t *room = budget_alloc(s->parts.budget, BUDGET_OTHER, size);
  const char *broken = NULL;
  for (uint64_t id = 0; room && !broken && id < s->tuples.n; id++)
    broken = relative_assemble(w, id) ? parts_check_row(&w->parts, room)
                                      : "relative: a state has a part that does not exist";
  budget_free(s->parts.budget, BUDGET_OTHER, room, size);
  return broken;
}

const char *relative_check(const struct relative *w) {
  const char *broken = parts_check(&w->tables->parts);
  if (!broken)
    broken = tuples_check(&w->tables->tuples);
  return broken ? broken : check_states(w);
}
