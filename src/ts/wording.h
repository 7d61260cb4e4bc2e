/* wording.h - what a model itself says of its values, events and states (ts_words), from any ts
 * of it.
 *
 * A model knows its own states only; in a product they come after the claim's, and each of its
 * events once for each edge of the claim.
 */
#ifndef CAIRN_TS_WORDING_H
#define CAIRN_TS_WORDING_H

#include "ts/ts.h"

/* The value of a slot, and what an event does in a state. False: the model says nothing of it,
 * and the text is as it was. */
bool wording_value(const struct ts_shape *, uint32_t slot, const uint8_t *state, char *text,
                   size_t size);
bool wording_event(const struct ts_shape *, struct ts_event, const uint8_t *state, char *text,
                   size_t size);
/* A whole state, in lines that each end, without control characters. */
bool wording_state(const struct ts_shape *, const uint8_t *state, char *text, size_t size);

/* Room for it; more is cut. */
#define WORDING_STATE 4096u

#endif
