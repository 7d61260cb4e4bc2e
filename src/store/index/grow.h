/* grow.h - making an index larger in place. Private to this folder. */
#ifndef CAIRN_STORE_INDEX_GROW_H
#define CAIRN_STORE_INDEX_GROW_H

#include "store/index/place.h"

/* Grows the table to about that many bytes; false if that is not worth it, or memory ran
 * out: then nothing changed, or entries are lost (index->lost). */
bool grow_to(struct index *, uint64_t bytes);

/* The whole pages that a table of about that many bytes would have. */
uint64_t grow_whole(uint64_t bytes);

#endif
