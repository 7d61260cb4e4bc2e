/* product_shape.h - the facts of a product; see product.h. */
#ifndef CAIRN_TS_PRODUCT_SHAPE_H
#define CAIRN_TS_PRODUCT_SHAPE_H

#include "ts/claim.h"
#include "ts/claim_parts.h"
#include "ts/product_ways.h"
#include "ts/ts.h"

#include "base/arena.h"

/* Bytes of the automaton's state, in front of the system's. */
#define PRODUCT_BYTES 8u

/* The most edges that one state of the automaton has; at least 1. */
uint32_t product_most_edges(const struct claim *);

/* product_control.c: who moves from where in the product; NULL: it is not known, or no use. */
const struct ts_control *product_control(struct arena *, const struct ts_shape *system,
                                         const struct claim *);

/* product_closing.c: gives some of the control's steps, of which `step` is a copy, the flag
 * TS_STEP_CLOSES. */
struct ts_control;
struct ts_step;
void product_close(struct arena *, const struct ts_control *, struct ts_step *);

/* In the arena; refers to the system's shape and to what it is given. */
struct ts_shape *product_shape(struct arena *, const struct ts_shape *system,
                               const struct claim *, const struct product_own *,
                               const struct claim_part *);

#endif
