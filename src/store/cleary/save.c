/* save.c - a cleary set in a file, as it is in memory. */
#include "store/room/save.h"
#include "store/cleary/cleary.h"
#include "store/cleary/slots.h"

void cleary_save(const struct cleary *set, struct sink *sink) {
  sink_section(sink, "cleary");
  sink_put_number(sink, set->layout.homes);
  sink_put_number(sink, set->layout.a_bits);
  sink_put_number(sink, set->layout.b_bits);
  sink_put_number(sink, set->entries);
  sink_put_number(sink, set->grow_at);
  sink_put_number(sink, set->lost);
  sink_put_number(sink, set->n_strays);
  sink_put_number(sink, set->stray_capacity);
  sink_put(sink, set->stray, set->n_strays * sizeof *set->stray);
  sink_put(sink, set->memory, slots_bytes(set->layout.homes));
}

/* The memory of a layout in place of the one that there is. */
static bool take_memory(struct cleary *set, const struct cleary_layout *layout) {
  uint64_t bytes = slots_bytes(layout->homes);
  uint8_t *memory = budget_remap(set->budget, set->purpose, set->memory,
                                 slots_bytes(set->layout.homes), bytes, bytes >= BUDGET_HUGE);
  if (!memory)
    return false;
  set->memory = memory;
  set->layout = *layout;
  return true;
}

static bool take_strays(struct cleary *set, struct sink *sink) {
  uint64_t n = sink_take_count(sink, SAVE_MOST), room = sink_take_count(sink, SAVE_MOST);
  if (room < n)
    sink_refuse(sink, "has more entries in a set than there is room for");
  if (!sink_is_fine(sink))
    return false;
  if (room > 0) {
    set->stray = budget_alloc(set->budget, set->purpose, room * sizeof *set->stray);
    if (!set->stray)
      return false;
    set->stray_capacity = room;
  }
  set->n_strays = n;
  sink_take(sink, set->stray, n * sizeof *set->stray);
  return sink_is_fine(sink);
}

bool cleary_load(struct cleary *set, struct sink *sink) {
  sink_section(sink, "cleary");
  uint64_t homes = sink_take_count(sink, SAVE_MOST);
  uint32_t a_bits = (uint32_t)sink_take_count(sink, 32);
  uint32_t b_bits = (uint32_t)sink_take_count(sink, 33);
  if (homes < set->layout.homes)
    sink_refuse(sink, "has a set without a table");
  if (!sink_is_fine(sink))
    return false;
  struct cleary_layout layout = slots_layout(set, homes, a_bits, b_bits);
  if (!take_memory(set, &layout))
    return false;
  set->entries = sink_take_number(sink);
  set->grow_at = sink_take_number(sink);
  set->lost = sink_take_number(sink);
  if (!take_strays(set, sink))
    return false;
  sink_take(sink, set->memory, slots_bytes(homes));
  return sink_is_fine(sink);
}
