/* facts.c - what the generated code refers to by number.
 *
 * Model errors and notes of cut values are numbered once per place in the model,
 * however often the code there is printed (a receiver's effects appear in each
 * of its handshakes); constant arrays become tables when first used, because a
 * table that nobody reads would be a warning.
 */
#include "native/emit/emit.h"

#include <string.h>

static uint32_t slot_of(const struct emit_map *map, const void *key, uint32_t use) {
  uint64_t hash = ((uint64_t)(uintptr_t)key + use) * UINT64_C(0x9E3779B97F4A7C15);
  uint32_t i = (uint32_t)(hash >> 32) & (map->capacity - 1);
  while (map->key[i] && (map->key[i] != key || map->use[i] != use))
    i = (i + 1) & (map->capacity - 1);
  return i;
}

static void grow_map(struct emit *e) {
  struct emit_map old = e->map, *map = &e->map;
  map->capacity = old.capacity ? old.capacity * 2 : 64;
  map->key = ARENA_ARRAY(e->arena, map->capacity, const void *);
  map->number = ARENA_ARRAY(e->arena, map->capacity, uint32_t);
  map->use = ARENA_ARRAY(e->arena, map->capacity, uint8_t);
  for (uint32_t i = 0; i < old.capacity; i++)
    if (old.key[i]) {
      uint32_t to = slot_of(map, old.key[i], old.use[i]);
      map->key[to] = old.key[i];
      map->number[to] = old.number[i];
      map->use[to] = old.use[i];
    }
}

/* The number under which `key` is known for this use; `next` if it is new. */
static uint32_t number_of(struct emit *e, const void *key, enum emit_use use, uint32_t next) {
  if (e->map.n * 2 >= e->map.capacity)
    grow_map(e);
  uint32_t i = slot_of(&e->map, key, use);
  if (!e->map.key[i]) {
    e->map.n++;
    e->map.key[i] = key;
    e->map.use[i] = (uint8_t)use;
    e->map.number[i] = next;
  }
  return e->map.number[i];
}

uint32_t emit_fault(struct emit *e, const void *key, enum emit_use use, struct span span,
                    const char *message) {
  uint32_t number = number_of(e, key, use, e->faults.n);
  if (number == e->faults.n)
    *ARENA_PUSH(e->arena, &e->faults) = (struct ts_fault){
        .message = arena_text(e->arena, message, strlen(message)), .place = ir_place(span)};
  return number;
}

uint32_t emit_truncation(struct emit *e, const void *key, struct span span) {
  uint32_t number = number_of(e, key, EMIT_TRUNCATION, e->truncations.n);
  if (number == e->truncations.n)
    *ARENA_PUSH(e->arena, &e->truncations) = ir_place(span);
  return number;
}

static const char *table_type(const struct ir_variable *v) {
  uint32_t bytes = ir_type_bytes(v->type);
  if (bytes == 4)
    return "int32_t";
  if (bytes == 2)
    return v->type->is_signed ? "int16_t" : "uint16_t";
  return v->type->is_signed ? "int8_t" : "uint8_t";
}

uint32_t emit_table(struct emit *e, const struct ir_variable *v) {
  uint32_t number = number_of(e, v, EMIT_TABLE, e->n_tables);
  if (number != e->n_tables)
    return number;
  e->n_tables++;
  text_printf(&e->tables, "static const __attribute__((unused)) %s table_%u[%u] = {",
              table_type(v), number, v->length);
  for (uint32_t i = 0; i < v->length; i++) {
    int32_t value = v->initial ? v->initial[i] : 0;
    text_puts(&e->tables, i % 16 ? " " : "\n  ");
    if (value == INT32_MIN)
      text_puts(&e->tables, "(-2147483647 - 1),");
    else
      text_printf(&e->tables, "%d,", (int)value);
  }
  text_puts(&e->tables, "\n};\n");
  return number;
}
