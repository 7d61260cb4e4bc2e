/* pack.h - states without the bits that no value needs.
 *
 * A row is convenient for the compiled model (aligned, whole bytes); in memory
 * only the bits of the declared types are kept. Packing takes, from each 8-byte
 * word of a row, the bits of the word's mask (the instruction pext where the
 * processor has it, a portable loop elsewhere) and appends them to the packed
 * string; unpacking is the reverse (pdep, and sign extension of signed slots
 * narrower than their bytes). If lengths vary, a packed string begins with the
 * length in two or four bytes, and holds only the words up to it.
 */
#ifndef CAIRN_TS_PACK_H
#define CAIRN_TS_PACK_H

#include "ts/ts.h"

#include "base/budget.h"

struct pack;

/* NULL if the budget is spent. */
struct pack *pack_open(const struct ts_shape *, struct budget *);
void pack_close(struct pack *);

/* Most bytes that a packed state takes; all take exactly that many if the
 * shape's length is fixed. pack_row() may write up to 8 bytes more than it
 * returns, and pack_unrow() may read up to 8 more than the packed state has. */
uint32_t pack_bytes(const struct pack *);

/* Bytes of a row: the shape's stride. */
uint32_t pack_stride(const struct pack *);

uint32_t pack_row(const struct pack *, const uint8_t *row, uint32_t length, uint8_t *packed);

/* Bytes of the length in front of every packed state: 0 (fixed), 2 or 4. A length
 * of all ones does not occur. */
uint32_t pack_header(const struct pack *);

/* Bytes of this packed state. */
uint32_t pack_size(const struct pack *, const uint8_t *packed);

/* Writes the row up to the stride, zeros behind its end; returns its length. */
uint32_t pack_unrow(const struct pack *, const uint8_t *packed, uint8_t *row);

/* For tests: do without the processor's instructions for it. */
void pack_force_portable(struct pack *);

#endif
