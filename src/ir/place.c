/* place.c - where things are: cells in the state vector, and lines in the text.
 *
 * Both layouts (of a fixed system, and of frames), the files that tell what actions read
 * and write, and the generated code count with the same sizes.
 */
#include "ir/ir.h"

#include "ts/ts.h"

uint32_t ir_type_bytes(const struct ir_type *type) {
  if (!type)
    return 4;
  return type->bits <= 8 ? 1 : type->bits <= 16 ? 2 : 4;
}

struct ts_place ir_place(struct span span) {
  struct ts_place place = {NULL, 0, 0};
  if (span.source) {
    place.file = span.source->name;
    place.line = source_line(span.source, span.begin);
    place.column = source_column(span.source, span.begin);
  }
  return place;
}

/* Cells are sorted by their sizes, the widest first; the count comes before those that are less
 * wide. */
struct ir_cell ir_channel_cell(const struct ir_channel *c, uint32_t message, uint32_t field) {
  const uint32_t bytes = ir_type_bytes(c->field[field]);
  struct ir_cell cell = {c->data_offset + message * bytes, c->data_slot + message};
  for (uint32_t f = 0; f < c->n_fields; f++) {
    const uint32_t other = ir_type_bytes(c->field[f]);
    if (other > bytes || (other == bytes && f < field)) {
      cell.offset += other * c->capacity;
      cell.slot += c->capacity;
    }
  }
  if (c->count_bytes > bytes) {
    cell.offset += c->count_bytes;
    cell.slot++;
  }
  return cell;
}
