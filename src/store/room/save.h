/* save.h - what the parts of a store write of themselves, and read again.
 *
 * Each X_save(x, sink) has an X_load(x, sink) for an x that was just opened with the same
 * config; that is false if memory ran out or the sink refused. Tables are copied as they are,
 * so that the loaded store answers, grows and names states exactly as the saved one would.
 */
#ifndef CAIRN_STORE_ROOM_SAVE_H
#define CAIRN_STORE_ROOM_SAVE_H

#include "store/room/segments.h"
#include "store/room/vacant.h"
#include "store/room/vectors.h"

#include "base/sink.h"

/* No count in a file is larger, so that sizes cannot overflow. */
#define SAVE_MOST (UINT64_C(1) << 48)

/* An array (array.h) of `capacity` items with the first n of them in use. Loaded in place of
 * *array of *capacity items. */
void array_save(struct sink *, const void *array, uint64_t capacity, uint64_t n, uint32_t item);
bool array_load(struct sink *, struct budget *, enum budget_purpose, void **array,
                uint64_t *capacity, uint64_t n, uint32_t item);

/* The items before number n; segments that were never made, or released, stay so. */
void segments_save(const struct segments *, struct sink *, uint64_t n);
bool segments_load(struct segments *, struct sink *, uint64_t n);

void vectors_save(const struct vectors *, struct sink *);
bool vectors_load(struct vectors *, struct sink *);

/* Of vectors that were saved or loaded before. */
void vacant_save(const struct vacant *, struct sink *);
bool vacant_load(struct vacant *, struct sink *);

/* Saves how many items there are and the items, or loads them into an array that is empty.
 * False if memory ran out or the sink refused. */
bool array_pass(struct sink *, struct budget *, enum budget_purpose, void **array,
                uint64_t *capacity, uint64_t *n, uint32_t item);

#endif
