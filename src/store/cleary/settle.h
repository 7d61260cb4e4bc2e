/* settle.h - places for the entries of a cleary set. Private to this folder. */
#ifndef CAIRN_STORE_CLEARY_SETTLE_H
#define CAIRN_STORE_CLEARY_SETTLE_H

#include "store/cleary/set.h"

/* Puts an entry that is not there into a bucket. False: no place was
 * found. Others may have moved either way. */
bool cleary_settle(struct cleary *, const struct cleary_entry *);

/* Frees a slot of bucket p and moves back what had passed it. */
void cleary_close_hole(struct cleary *, uint64_t p, uint32_t hole);

/* Room for that many strays in all. */
bool cleary_reserve_strays(struct cleary *, uint64_t strays);

/* Keeps an entry that has no place. If there is no memory for it, which can only be
 * while growing, it is lost. Then the set says permanently that memory ran out, and so
 * whoever misses the entry cannot take it for new. */
void cleary_add_stray(struct cleary *, const struct cleary_entry *);

/* Strays that have found a place after all leave the list. */
void cleary_settle_strays(struct cleary *);

#endif
