/* seams.h - where the packed states of a shape are cut. See seams.c. */
#ifndef CAIRN_STORE_PARTS_SEAMS_H
#define CAIRN_STORE_PARTS_SEAMS_H

#include "store/store.h"

enum parts_form {
  PARTS_PAIR,      /* two trees that share the leaves evenly; leaves of about equal size */
  PARTS_COMPONENTS /* a tree over each component of the shape */
};

/* Bitmaps of the bits in front of which a slot or a component begins. */
struct seams {
  enum parts_form form;
  uint32_t bits, header; /* header: of the length in front */
  uint32_t middle;       /* where the second tree of a pair begins */
  uint64_t *slot, *component;
  uint64_t *front; /* masks of a row's words: the bits of the first tree of a pair; or NULL:
                    * they are those in front of the middle */
  size_t marks;    /* bytes of a bitmap */
  size_t size;
};

/* Finds them for packed states that begin with `header` bytes of length. False if the budget is
 * exhausted, and then there is nothing to close. */
bool seams_open(struct seams *, const struct store_config *, uint32_t header, enum parts_form);
void seams_close(struct seams *, struct budget *);

/* The end of the leaf that begins at bit `from`, and how many leaves there are. */
uint32_t seams_next(const struct seams *, uint32_t from);
uint32_t seams_count(const struct seams *);
/* The end of the component that bit `from` is in. The length, if there is one, counts
 * with the first. */
uint32_t seams_component_end(const struct seams *, uint32_t from);

#endif
