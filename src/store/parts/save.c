/* save.c - parts, their numbers, and tuples of them in a file, as they are in memory. */
#include "store/room/save.h"
#include "store/parts/parts.h"
#include "store/parts/tuples.h"

static void nodes_save(const struct nodes *t, struct sink *sink) {
  sink_put_number(sink, t->n);
  sink_put_number(sink, t->n_free);
  sink_put_number(sink, t->free);
  sink_put_number(sink, t->id_bits);
  array_save(sink, t->key, t->capacity, t->n, sizeof *t->key);
  array_save(sink, t->slot, t->slots, t->slots, sizeof *t->slot);
  uint64_t words = t->dead_capacity / 64;
  array_save(sink, t->dead, words, words, sizeof *t->dead);
}

/* An array all of whose items are in use. */
static bool load_whole(struct sink *sink, struct budget *budget, void **array, uint64_t *n,
                       uint32_t item) {
  return array_load(sink, budget, BUDGET_STORE, array, n, 0, item) &&
         (sink_take(sink, *array, *n * item), sink_is_fine(sink));
}

static bool nodes_load(struct nodes *t, struct budget *budget, struct sink *sink) {
  uint64_t words = t->dead_capacity / 64;
  void *key = t->key, *slot = t->slot, *dead = t->dead;
  t->n = sink_take_count(sink, SAVE_MOST);
  t->n_free = sink_take_count(sink, t->n);
  t->free = (uint32_t)sink_take_number(sink);
  t->id_bits = (uint32_t)sink_take_count(sink, 32);
  bool fine =
      array_load(sink, budget, BUDGET_STORE, &key, &t->capacity, t->n, sizeof *t->key) &&
      load_whole(sink, budget, &slot, &t->slots, sizeof *t->slot) &&
      load_whole(sink, budget, &dead, &words, sizeof *t->dead);
  t->key = key;
  t->slot = slot;
  t->dead = dead;
  t->dead_capacity = words * 64;
  return fine;
}

/* Where states are cut must be the same. */
static void same_places(const struct parts *p, struct sink *sink) {
  static const char other[] = "has states that are cut into other parts";
  sink_section(sink, "parts");
  sink_same(sink, p->places, other);
  for (uint32_t k = 0; k < p->places; k++) {
    sink_same(sink, p->place[k].left, other);
    sink_same(sink, p->place[k].right, other);
  }
  for (uint32_t i = 0; i < p->cut.start[p->cut.words]; i++)
    sink_same(sink, p->cut.piece[i].mask, other);
}

void parts_save(const struct parts *p, struct sink *sink) {
  same_places(p, sink);
  for (uint32_t k = 0; k < p->places; k++)
    nodes_save(&p->place[k].nodes, sink);
}

bool parts_load(struct parts *p, struct sink *sink) {
  same_places(p, sink);
  for (uint32_t k = 0; k < p->places; k++) {
    if (!nodes_load(&p->place[k].nodes, p->budget, sink))
      return false;
  }
  return sink_is_fine(sink);
}

void tuples_save(const struct tuples *t, struct sink *sink) {
  sink_section(sink, "tuples");
  sink_same(sink, t->fields, "has tuples of another length");
  sink_put_number(sink, t->n);
  sink_put_number(sink, t->end);
  sink_put_number(sink, t->epochs);
  sink_put_number(sink, t->room);
  sink_put_number(sink, t->words);
  sink_put_number(sink, t->mask);
  sink_put(sink, &t->last, sizeof t->last);
  sink_put(sink, t->field, t->fields * sizeof *t->field);
  sink_put(sink, t->epoch, t->epochs * sizeof *t->epoch);
  sink_put(sink, t->width, (size_t)t->epochs * t->fields);
  array_save(sink, t->data, t->capacity, t->end, 1);
}

static bool load_epochs(struct tuples *t, struct sink *sink) {
  enum { MOST = 1 << 20 };
  uint32_t epochs = (uint32_t)sink_take_count(sink, MOST);
  uint32_t room = (uint32_t)sink_take_count(sink, MOST);
  t->words = (uint32_t)sink_take_count(sink, tuples_most_words(t));
  t->mask = sink_take_number(sink);
  sink_take(sink, &t->last, sizeof t->last);
  sink_take(sink, t->field, t->fields * sizeof *t->field);
  for (uint32_t k = 0; k < t->fields; k++)
    if (t->field[k].width > 32)
      sink_refuse(sink, "has numbers of more than 32 bits");
  if (epochs > room)
    sink_refuse(sink, "has more epochs than there is room for");
  if (!sink_is_fine(sink))
    return false;
  tuples_find_ones(t);
  if (room > 0) {
    t->epoch = budget_alloc(t->budget, BUDGET_STORE, room * sizeof *t->epoch);
    t->width =
        t->epoch ? budget_alloc(t->budget, BUDGET_STORE, (size_t)room * t->fields) : NULL;
    if (!t->width) {
      budget_free(t->budget, BUDGET_STORE, t->epoch, room * sizeof *t->epoch);
      t->epoch = NULL;
      return false;
    }
    t->room = room;
  }
  t->epochs = epochs;
  sink_take(sink, t->epoch, epochs * sizeof *t->epoch);
  sink_take(sink, t->width, (size_t)epochs * t->fields);
  return sink_is_fine(sink);
}

bool tuples_restore(struct tuples *t, struct sink *sink) {
  sink_section(sink, "tuples");
  sink_same(sink, t->fields, "has tuples of another length");
  t->n = sink_take_count(sink, SAVE_MOST);
  t->end = sink_take_count(sink, SAVE_MOST);
  void *data = t->data;
  if (!load_epochs(t, sink))
    return false;
  bool fine = array_load(sink, t->budget, BUDGET_STORE, &data, &t->capacity, t->end, 1);
  t->data = data;
  return fine;
}
