/* heap.c - open nodes of which the one with the least key comes first: a binary heap. */
#include "search/tree/heap.h"

#include "base/array.h"
#include "store/room/save.h"

void heap_free(struct heap *heap) {
  array_free(heap->budget, BUDGET_OPEN, heap->at, heap->room * sizeof *heap->at);
  heap->at = NULL;
  heap->n = heap->room = 0;
}

static bool precedes(struct heap_item a, struct heap_item b) {
  return a.key < b.key || (a.key == b.key && a.age < b.age);
}

bool heap_add(struct heap *heap, uint64_t key, uint32_t node) {
  if (heap->n == heap->room) {
    struct heap_item *at =
        array_grow(heap->budget, BUDGET_OPEN, heap->at, &heap->room, sizeof *at);
    if (at == NULL)
      return false;
    heap->at = at;
  }
  struct heap_item item = {key, heap->age++, node};
  uint64_t i = heap->n++;
  for (; i > 0 && precedes(item, heap->at[(i - 1) / 2]); i = (i - 1) / 2)
    heap->at[i] = heap->at[(i - 1) / 2];
  heap->at[i] = item;
  return true;
}

void heap_take(struct heap *heap) {
  struct heap_item item = heap->at[--heap->n];
  uint64_t i = 0;
  for (uint64_t child; (child = 2 * i + 1) < heap->n; i = child) {
    child += child + 1 < heap->n && precedes(heap->at[child + 1], heap->at[child]);
    if (precedes(item, heap->at[child]))
      break;
    heap->at[i] = heap->at[child];
  }
  heap->at[i] = item;
}

bool heap_pass(struct heap *heap, struct sink *sink) {
  void *at = heap->at;
  sink_pass(sink, &heap->n, sizeof heap->n);
  sink_pass(sink, &heap->age, sizeof heap->age);
  if (!sink_is_read(sink)) {
    array_save(sink, heap->at, heap->room, heap->n, sizeof *heap->at);
    return true;
  }
  bool fine =
      array_load(sink, heap->budget, BUDGET_OPEN, &at, &heap->room, heap->n, sizeof *heap->at);
  heap->at = at;
  return fine;
}
