/* save.c - arrays, segments, packed states and vacant places in a file. See save.h. */
#include "store/room/save.h"

#include "base/array.h"

void array_save(struct sink *sink, const void *array, uint64_t capacity, uint64_t n,
                uint32_t item) {
  sink_put_number(sink, capacity);
  sink_put(sink, array, n * item);
}

bool array_load(struct sink *sink, struct budget *budget, enum budget_purpose purpose,
                void **array, uint64_t *capacity, uint64_t n, uint32_t item) {
  uint64_t saved = sink_take_count(sink, SAVE_MOST);
  if (saved < n)
    sink_refuse(sink, "holds an array that is larger than its room");
  if (!sink_is_fine(sink))
    return false;
  if (saved > 0) {
    void *next = array_resize(budget, purpose, *array, *capacity * item, saved * item);
    if (!next)
      return false;
    *array = next;
    *capacity = saved;
  }
  sink_take(sink, *array, n * item);
  return sink_is_fine(sink);
}

void segments_save(const struct segments *s, struct sink *sink, uint64_t n) {
  for (uint64_t i = 0, next; i < n && sink_is_fine(sink); i = next) {
    next = segments_next(s, i);
    bool made = segments_has(s, i);
    uint64_t end = next < n ? next : n;
    sink_put_number(sink, made);
    if (made)
      sink_put(sink, segments_at(s, i), (end - i) * s->item);
  }
}

bool segments_load(struct segments *s, struct sink *sink, uint64_t n) {
  for (uint64_t i = 0, next; i < n && sink_is_fine(sink); i = next) {
    next = segments_next(s, i);
    bool made = sink_take_count(sink, 1) != 0;
    uint64_t end = next < n ? next : n;
    uint8_t *at = made ? segments_make(s, i) : NULL;
    if (made && !at)
      return false;
    if (made)
      sink_take(sink, at, (end - i) * s->item);
  }
  return sink_is_fine(sink);
}

static uint64_t blocks_of(const struct vectors *v) {
  return v->fixed ? 0 : (v->n + VECTORS_BLOCK - 1) / VECTORS_BLOCK;
}

void vectors_save(const struct vectors *v, struct sink *sink) {
  sink_section(sink, "vectors");
  sink_same(sink, v->bytes, "has states of another length");
  sink_put_number(sink, v->n);
  sink_put_number(sink, v->end);
  sink_put_number(sink, v->left);
  segments_save(&v->data, sink, v->end);
  segments_save(&v->places, sink, blocks_of(v));
}

bool vectors_load(struct vectors *v, struct sink *sink) {
  sink_section(sink, "vectors");
  sink_same(sink, v->bytes, "has states of another length");
  v->n = sink_take_count(sink, SAVE_MOST);
  v->end = sink_take_count(sink, SAVE_MOST);
  v->left = sink_take_number(sink);
  if (!segments_load(&v->data, sink, v->end) || !segments_load(&v->places, sink, blocks_of(v)))
    return false;
  if (v->left > 0) {
    v->at = segments_make(&v->data, v->end);
    if (!v->at)
      return false;
    if (v->left != segments_next(&v->data, v->end) - v->end)
      sink_refuse(sink, "has states where there is no room");
  }
  if (!v->fixed && v->n % VECTORS_BLOCK != 0)
    v->place = segments_at(&v->places, v->n / VECTORS_BLOCK);
  return sink_is_fine(sink);
}

void vacant_save(const struct vacant *v, struct sink *sink) {
  uint64_t words = v->vectors->n;
  sink_section(sink, "vacant");
  sink_put_number(sink, v->n);
  sink_put_number(sink, v->top);
  for (uint32_t i = 0; i < v->levels; i++)
    segments_save(v->level[i], sink, words = (words + 63) / 64);
  sink_same(sink, v->classes, "has places of other sizes");
  sink_put(sink, v->head, v->classes * sizeof *v->head);
}

bool vacant_load(struct vacant *v, struct sink *sink) {
  uint64_t words = v->vectors->n;
  sink_section(sink, "vacant");
  v->n = sink_take_count(sink, SAVE_MOST);
  v->top = sink_take_count(sink, SAVE_MOST);
  for (uint32_t i = 0; i < v->levels; i++)
    if (!segments_load(v->level[i], sink, words = (words + 63) / 64))
      return false;
  sink_same(sink, v->classes, "has places of other sizes");
  sink_take(sink, v->head, v->classes * sizeof *v->head);
  return sink_is_fine(sink);
}

bool array_pass(struct sink *sink, struct budget *budget, enum budget_purpose purpose,
                void **array, uint64_t *capacity, uint64_t *n, uint32_t item) {
  sink_pass(sink, n, sizeof *n);
  if (sink_is_read(sink))
    return array_load(sink, budget, purpose, array, capacity, *n, item);
  array_save(sink, *array, *capacity, *n, item);
  return sink_is_fine(sink);
}
