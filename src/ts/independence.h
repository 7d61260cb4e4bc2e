/* independence.h - which actions commute, and may be fired in one order only.
 *
 * A symmetric, irreflexive relation with the diamond property of Bosnacki, Elkind, Genest
 * and Peled, "On commutativity based edge lean search", section 2: if a and then b leads
 * from a state to another one, b and then a leads there as well. It is worked out from the
 * read and write sets of the shape: two actions are independent if neither writes what the
 * other one reads or writes. Then the second one finds all that it looks at as it was
 * before the first: it is enabled there too, does the same and breaks the same.
 * The sets cover whole events, atomic sequences and both sides of a handshake included.
 *
 * Rows are made when first requested: of many actions most may never fire. Where a shape has no
 * such sets, no action is independent of any.
 */
#ifndef CAIRN_TS_INDEPENDENCE_H
#define CAIRN_TS_INDEPENDENCE_H

#include "ts/ts.h"

#include "base/budget.h"

struct independence;

/* `rank` gives each action its place in the order of actions; NULL: that of their numbers.
 * Shape and ranks must outlive it. NULL if the budget is exhausted. */
struct independence *independence_open(const struct ts_shape *, const uint32_t *rank,
                                       struct budget *);
void independence_close(struct independence *); /* NULL: nothing happens */

/* Bitmap of the actions that are independent of `action`; NULL if the budget is exhausted,
 * which is to be taken for none. Good until 63 further actions have been asked about. */
const uint64_t *independence_of(struct independence *, uint32_t action);
/* Of those the ones in front of `action` in the order of actions: after it they need not be
 * fired. NULL as above. */
const uint64_t *independence_before(struct independence *, uint32_t action);

#endif
