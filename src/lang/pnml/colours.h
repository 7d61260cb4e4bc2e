/* colours.h - the colours that each place may hold, found one after the other.
 *
 * A colour of a place is a row of cells, and gets a number, counted over all places. It is
 * possible once some transition may put it there (or the initial marking does), and active
 * once its consequences are being worked out: unfold.c makes them active one by one. A
 * lookup asks for the active colours of a place whose cells in a mask have given values;
 * the masks are announced before the first colour comes.
 */
#ifndef CAIRN_LANG_PNML_COLOURS_H
#define CAIRN_LANG_PNML_COLOURS_H

#include "lang/pnml/symmetric.h"

#define COLOURS_NONE 0xFFFFFFFFu

struct colour {
  uint32_t place;
  bool is_possible;
  int64_t initial; /* tokens */
  const uint32_t *cell;
};

struct colours {
  struct arena *arena;
  const struct symmetric_net *net;
  struct {
    struct colour *at;
    uint32_t n, capacity;
  } all;
  struct {
    uint32_t *at; /* possible ones in the order in which they became so */
    uint32_t n, capacity;
  } queue;
  struct colours_table *table; /* [place] */
};

void colours_open(struct colours *, const struct symmetric_net *);

/* The index by the cells in the mask, made if need be: a number for colours_first(). */
uint32_t colours_index(struct colours *, uint32_t place, uint64_t mask);

/* The colour's number, made if need be. */
uint32_t colours_number(struct colours *, uint32_t place, const uint32_t *cell);
/* Marks it as possible and queues it, if it is not yet. */
void colours_mark(struct colours *, uint32_t number);
/* Enters it in the indices of its place. */
void colours_activate(struct colours *, uint32_t number);

/* The active colours whose cells in the index's mask are those of `cell`: the first
 * position, and the one after another; COLOURS_NONE at the end. Meanwhile no
 * colour may become active. */
uint32_t colours_first(const struct colours *, uint32_t place, uint32_t index,
                       const uint32_t *cell);
uint32_t colours_next(const struct colours *, uint32_t place, uint32_t index, uint32_t position,
                      const uint32_t *cell);
/* The number of the colour at a position. */
uint32_t colours_at(const struct colours *, uint32_t place, uint32_t index, uint32_t position);

#endif
