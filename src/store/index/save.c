/* save.c - an index in a file, as it is in memory. */
#include "store/room/save.h"
#include "store/index/index.h"

void index_save(const struct index *index, struct sink *sink) {
  sink_section(sink, "index");
  sink_put_number(sink, index->homes);
  sink_put_number(sink, index->id_bits);
  sink_put_number(sink, index->entries);
  sink_put_number(sink, index->grow_at);
  sink_put_number(sink, index->lost);
  sink_put_number(sink, index->n_strays);
  sink_put_number(sink, index->stray_capacity);
  sink_put(sink, index->stray, index->n_strays * sizeof *index->stray);
  sink_put(sink, index->bucket, place_bytes(index->homes));
}

/* The table of that many homes in place of the one that there is. */
static bool take_table(struct index *index, uint64_t homes) {
  uint64_t bytes = place_bytes(homes);
  uint64_t(*bucket)[INDEX_SLOTS] =
      budget_remap(index->budget, index->purpose, index->bucket, place_bytes(index->homes),
                   bytes, bytes >= BUDGET_HUGE);
  if (!bucket)
    return false;
  index->bucket = bucket;
  place_set_homes(index, homes);
  return true;
}

static bool take_strays(struct index *index, struct sink *sink) {
  uint64_t n = sink_take_count(sink, SAVE_MOST), room = sink_take_count(sink, SAVE_MOST);
  if (room < n)
    sink_refuse(sink, "has more entries in an index than there is room for");
  if (!sink_is_fine(sink))
    return false;
  if (room > 0) {
    index->stray = budget_alloc(index->budget, index->purpose, room * sizeof *index->stray);
    if (!index->stray)
      return false;
    index->stray_capacity = room;
  }
  index->n_strays = n;
  sink_take(sink, index->stray, n * sizeof *index->stray);
  return sink_is_fine(sink);
}

bool index_load(struct index *index, struct sink *sink) {
  sink_section(sink, "index");
  uint64_t homes = sink_take_count(sink, SAVE_MOST);
  if (homes < index->homes)
    sink_refuse(sink, "has an index without a table");
  if (!sink_is_fine(sink) || !take_table(index, homes))
    return false;
  sink_same(sink, index->id_bits, "has an index of another form");
  index->entries = sink_take_number(sink);
  index->grow_at = sink_take_number(sink);
  index->lost = sink_take_number(sink);
  if (!take_strays(index, sink))
    return false;
  sink_take(sink, index->bucket, place_bytes(homes));
  return sink_is_fine(sink);
}
