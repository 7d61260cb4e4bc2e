/* pack.h - states without the bits that no value needs.
 *
 * A row is convenient for the compiled model (aligned, whole bytes); in memory
 * only the bits of the declared types are kept. Packing takes, from each 8-byte
 * word of a row, the bits of the word's mask (the instruction pext where the
 * processor has it, a portable loop elsewhere) and appends them to the packed
 * string; unpacking is the reverse (pdep, and sign extension of signed slots
 * narrower than their bytes). If lengths vary, a packed string begins with the
 * length in two or four bytes, and holds only the words up to it.
 *
 * Long rows are mostly empty: channels without messages, arrays not yet written. In
 * the sparse form a bit per word shows which words are not zero, and only these follow,
 * each in whole bytes. Reading that form is as simple, and there is less to compare,
 * and less memory to be touched for the first time.
 */
#ifndef CAIRN_TS_PACK_H
#define CAIRN_TS_PACK_H

#include "ts/ts.h"

#include "base/budget.h"

struct pack;

/* NULL if the budget is exhausted. */
struct pack *pack_open(const struct ts_shape *, struct budget *);
/* The same, and sparse where rows are long. */
struct pack *pack_open_sparse(const struct ts_shape *, struct budget *);
void pack_close(struct pack *);

/* Most bytes that a packed state takes; all take exactly that many if the header has
 * none. pack_row() may write up to 8 bytes more than that, and pack_unrow() may read up
 * to 8 more than the packed state has. */
uint32_t pack_bytes(const struct pack *);
bool pack_is_sparse(const struct pack *);
/* Whether the processor's instructions for it are used: pext, and 32-byte vectors. */
bool pack_is_native(const struct pack *);

/* Bytes of a row: the shape's stride. */
uint32_t pack_stride(const struct pack *);

uint32_t pack_row(const struct pack *, const uint8_t *row, uint32_t length, uint8_t *packed);

/* Bytes from one packed row to the next in pack_rows(). */
uint32_t pack_room(const struct pack *);
/* Packs rows [from, to) of a batch to `packed` + k * pack_room(), k from 0 on, and says
 * how long each is. */
void pack_rows(const struct pack *, const struct ts_batch *, uint32_t from, uint32_t to,
               uint8_t *packed, uint32_t *bytes);

/* Bytes in front of every packed state that tell its size: 0 (all are equally long), or
 * the length in 2 or 4 and the marks of the sparse form. */
uint32_t pack_header(const struct pack *);

/* Bytes of this packed state. */
uint32_t pack_size(const struct pack *, const uint8_t *packed);

/* Writes the row up to the stride, zeros after its end; returns its length. */
uint32_t pack_unrow(const struct pack *, const uint8_t *packed, uint8_t *row);

/* The same for a row whose bits are already in place: copies the signs of narrow slots.
 * Of `packed` only the length is read. */
uint32_t pack_finish(const struct pack *, const uint8_t *packed, uint8_t *row);

/* For tests: do without the processor's instructions for it. */
void pack_force_portable(struct pack *);

#endif
