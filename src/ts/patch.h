/* patch.h - a packed state from that of the state which it was reached from.
 *
 * An event changes a few components of a state. Where rows are long, most of the time of
 * packing goes to words that are as they were. So the state that was expanded is looked at
 * once, for where each of its words is; of its successors the words of changed components are
 * packed, and all else is copied.
 */
#ifndef CAIRN_TS_PATCH_H
#define CAIRN_TS_PATCH_H

#include "ts/pack.h"

struct patch; /* a worker's own */

/* Whether rows of this shape are so long that packing them so may be faster. */
bool patch_is_long(const struct ts_shape *);
/* Whether it is: they are also packed in the sparse form, and components ascend. */
bool patch_is_of_use(const struct pack *, const struct ts_shape *);

/* NULL if the budget is exhausted. */
struct patch *patch_open(const struct pack *, const struct ts_shape *, struct budget *);
void patch_close(struct patch *);
/* Bytes that one takes. */
size_t patch_bytes(const struct pack *);

/* The packed state that following rows were reached from; it stays where it is. */
void patch_from(struct patch *, const uint8_t *packed);

/* The same as pack_row() of a row that this event led to from that state. */
uint32_t patch_row(const struct patch *, const uint8_t *row, const struct ts_edge *,
                   uint8_t *packed);

#endif
