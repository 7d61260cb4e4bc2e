/* step.h - what every engine is made of: firing a state, and asking the store about rows.
 *
 * Every event is counted here when its row is answered, new states are checked against the
 * properties, and the watches are told. Room for states is made here as well, by forgetting or
 * by moving to a smaller store.
 */
#ifndef CAIRN_SEARCH_STEP_H
#define CAIRN_SEARCH_STEP_H

#include "search/core.h"

/* Appends to open->into the successors of an open state, or of the root the initial states,
 * from its cursor on: hashed, with faults noted and rows without a state left out. True: there
 * are more than fit, and open->cursor says where to go on. */
bool step_fire(struct worker *, struct open *);

/* Fires a state that is not stored yet, into an empty batch. If it does come next, it is fired
 * with `ahead` set, and nothing happens twice; what is wrong is noted then. */
void step_ahead(struct worker *, struct open *);

/* Only looks whether an open state is a deadlock, and notes it. Its batch is empty then. */
void step_check_deadlock(struct worker *, struct open *);

/* Puts the rows of a range, or looks them up, by range->ask. Where a limit was hit, or at PASS,
 * the range is cut after the last row answered; of FIRST before the row that is not stored. */
void step_ask(struct worker *, struct open_range *);

/* Before PASS and FIRST: the row of the range that is most likely the first that is not there,
 * or range->to. Then the range is to be asked about before anything else happens. */
uint32_t step_guess(struct worker *, struct open_range *);

#endif
