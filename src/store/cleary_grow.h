/* cleary_grow.h - making a cleary set larger in place. Private to this folder. */
#ifndef CAIRN_STORE_CLEARY_GROW_H
#define CAIRN_STORE_CLEARY_GROW_H

#include "store/cleary.h"

/* Makes room for one more entry: by a fifth, if memory does not allow that by a
 * fifteenth, and else by filling the table up to 95 percent. False: memory ran out, and
 * nothing changed or entries are lost. */
bool cleary_make_room(struct cleary *);

/* Makes slots wide enough for a key. Values that grew will grow on, so what a slot has
 * left goes to them as they come. False as above. */
bool cleary_widen(struct cleary *, struct cleary_key);

/* Spreads the entries over the set's layout, which is already the larger one, as is its
 * memory; they lie as `old` says. Strays that there is no memory for are lost. */
void cleary_spread(struct cleary *, const struct cleary_layout *old);

/* Room for so many strays in all. */
bool cleary_reserve_strays(struct cleary *, uint64_t strays);

/* Keeps an entry that has no place. If there is no memory for it, which can only be
 * while growing, it is lost. Then the set says for ever that memory ran out, and so
 * whoever misses the entry cannot take it for new. */
void cleary_add_stray(struct cleary *, const struct cleary_entry *);

/* Strays that have found a place after all leave the list. */
void cleary_settle_strays(struct cleary *);

#endif
