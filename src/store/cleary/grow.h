/* grow.h - making a cleary set larger in place. Private to this folder. */
#ifndef CAIRN_STORE_CLEARY_GROW_H
#define CAIRN_STORE_CLEARY_GROW_H

#include "store/cleary/set.h"

/* Makes room for one more entry: by a fifth, if memory does not allow that by a
 * fifteenth, and else by filling the table up to 95 percent. False: memory ran out, and
 * nothing changed or entries are lost. */
bool cleary_make_room(struct cleary *);

/* Makes slots wide enough for a key. Values that grew will grow on, so what a slot has
 * left goes to them as they come. False as above. */
bool cleary_widen(struct cleary *, struct cleary_key);

/* Spreads the entries over the set's layout, which is already the larger one, as is its
 * memory; they are as `old` says. Strays that there is no memory for are lost. */
void cleary_spread(struct cleary *, const struct cleary_layout *old);

#endif
