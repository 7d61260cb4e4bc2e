/* product.h - a decorator that runs a Büchi automaton beside a transition system.
 *
 * A state of the product is a state of the system with one of the automaton in front. In one
 * step the automaton reads the state that the system is in, and the system moves; so runs of
 * the product that pass all marks again and again are runs of the system whose sequence of
 * states the automaton accepts. A system that has come to its end stays there, and the
 * automaton goes on reading its last state: this step is one more action, the last one.
 *
 * The actions of the system keep their numbers, and its slots and components move up by one:
 * slot and component 0 are the automaton's. Of an event, choice / edges is the choice of the
 * system, and the remainder the edge of the automaton, counted among those of its state, where
 * `edges` is the most that one state has.
 *
 * What the automaton reads are atoms of the system. Where one has no value, the product has one
 * event, a model error. The properties of the system are the product's as well; if states of
 * the claim are errors, one more comes after them, which they violate. Of the faults those of
 * the claim come last.
 */
#ifndef CAIRN_TS_PRODUCT_H
#define CAIRN_TS_PRODUCT_H

#include "ts/claim.h"
#include "ts/ts.h"

#include "base/budget.h"

/* The most edges that one state of an automaton may have. */
#define PRODUCT_EDGES 1024u

/* The system and the automaton must outlive it. NULL, with a reason in *why, if the budget is
 * exhausted or the automaton has too many edges. */
struct ts *ts_product_open(const struct ts *system, const struct claim *, struct budget *,
                           const char **why);
void ts_product_close(struct ts *);

/* Of a state of the product: the automaton's state, and the system's state in it. */
uint32_t ts_product_state(const uint8_t *state);
const uint8_t *ts_product_system(const uint8_t *state);

#endif
