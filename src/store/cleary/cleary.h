/* cleary.h - a set of numbers that keeps only what their place does not tell.
 *
 * For the stores of this folder whose states are one number each (the pair of
 * children of a tree's root). A key is given in three parts: `order`, a number of
 * up to 32 bits that must look random, and two integers a and b. Its place determines
 * the high bits of `order`; the rest is kept, in as few bits as the largest a and
 * b so far ask for. Each entry may carry opaque bits along. See cleary.c.
 */
#ifndef CAIRN_STORE_CLEARY_CLEARY_H
#define CAIRN_STORE_CLEARY_CLEARY_H

#include "store/cleary/set.h"

#include "base/sink.h"

enum cleary_answer { CLEARY_OLD, CLEARY_NEW, CLEARY_SPENT };

/* Starts with one page. False if the budget is exhausted. Orders have `total_bits` bits,
 * at most 32. */
bool cleary_open(struct cleary *, struct budget *, enum budget_purpose, uint32_t total_bits,
                 uint32_t extra_bits);
void cleary_close(struct cleary *);

/* Bytes taken from the budget. */
uint64_t cleary_reserved(const struct cleary *);

void cleary_prefetch(const struct cleary *, uint32_t order);
bool cleary_has(const struct cleary *, struct cleary_key);
/* SPENT: memory ran out, and nothing changed; permanently, if it ran out so badly that an
 * entry was lost. */
enum cleary_answer cleary_put(struct cleary *, struct cleary_key);
/* False if it is not there. */
bool cleary_remove(struct cleary *, struct cleary_key);

/* The opaque bits of a key that is there; 0 at first. */
uint64_t cleary_extra(const struct cleary *, struct cleary_key);
void cleary_set_extra(struct cleary *, struct cleary_key, uint64_t extra);

#define CLEARY_LISTED 32u
/* The entries from *cursor on, which is 0 at first and goes on: at most CLEARY_LISTED; how
 * many, 0: none is left. */
uint32_t cleary_list(const struct cleary *, uint64_t *cursor, struct cleary_entry *);
/* Gives up for good the n entries that were listed last, up to this cursor, and their memory.
 * After that there is only listing from there on, this and closing. */
void cleary_release(struct cleary *, uint64_t cursor, uint32_t n);

/* Calls `visit` with every entry until it returns false; then false. */
bool cleary_each(const struct cleary *,
                 bool (*visit)(void *context, const struct cleary_entry *), void *context);

/* See room/save.h. */
void cleary_save(const struct cleary *, struct sink *);
bool cleary_load(struct cleary *, struct sink *);

/* A sentence naming the first broken invariant, or NULL. */
const char *cleary_check(const struct cleary *);

#endif
