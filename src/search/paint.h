/* paint.h - the colours of a nested depth-first search, and the path that is cyan.
 *
 * A store that keeps bits for its states has the colours there. For all others, lossy ones too,
 * the path is known by the hashes of its states, and a second store of the same kind holds what
 * is red; so a colour is as certain as whether a state is stored. When the states move to such
 * a store, the colours go there.
 */
#ifndef CAIRN_SEARCH_PAINT_H
#define CAIRN_SEARCH_PAINT_H

#include "search/core.h"
#include "search/engine.h"
#include "search/reduce/on_stack.h"

enum colour {
  COLOUR_CYAN, /* on the path; of a state that was just stored, as it is entered at once */
  COLOUR_BLUE, /* left */
  COLOUR_RED   /* left, and visited by the second search */
};

#define PAINT_BITS 2u

/* What is kept of a state on the path, beside its name: a name may use all of 64 bits. */
enum paint_flags {
  PAINT_MARKED = 1, /* it was entered by an accepting event */
  PAINT_INSIDE = 2, /* from a state of the same part of the claim */
  PAINT_CLEAR = 4   /* all that it led to so far is red, or of another part */
};

struct paint {
  struct worker *worker;
  bool in_store;
  uint64_t *path, n, room; /* the store's names of the states on the path, or their hashes */
  uint8_t *flags;          /* of each, enum paint_flags */
  uint64_t flags_room;
  uint64_t moved;   /* of the path: so many are in the store that the states move to */
  struct path cyan; /* of hashes */
  const struct store_kind *red_kind;
  struct store *red;
  struct store_work *red_work;
  struct rows probe; /* one row */
};

/* False if memory ran out; it can be closed then, too. */
bool paint_open(struct paint *, struct worker *);
void paint_close(struct paint *);

/* Saves it, or loads it into one that was just opened. False if memory ran out or the sink
 * refused. */
bool paint_pass(struct paint *, struct sink *);

/* For engine.move and engine.moved: colours stay in bits, or leave them. They do not go there,
 * and a store beside does not move. */
bool paint_move(struct paint *, const struct store_kind *to);
bool paint_moved(struct paint *, const struct engine_moved *);

/* Row i was put, is new, and becomes the top of the path. False if memory ran out. */
bool paint_enter(struct paint *, const struct rows *, uint32_t i, unsigned flags);
/* The top of the path is left: red if it is clear and that can be noted in the store, else
 * blue. Returns its flags, without PAINT_CLEAR if it is blue. */
unsigned paint_leave(struct paint *, uint64_t *name);
/* The top of the path leads to something that is not red. */
static inline void paint_cloud(struct paint *c) {
  c->flags[c->n - 1] &= (uint8_t)~PAINT_CLEAR;
}
static inline bool paint_is_clear(const struct paint *c) {
  return (c->flags[c->n - 1] & PAINT_CLEAR) != 0;
}
/* Of row i, which is stored; ref is filled. */
enum colour paint_of(struct paint *, const struct rows *, uint32_t i);
/* Where on the path row i is, which is cyan: 0 is the initial state. */
uint64_t paint_place(const struct paint *, const struct rows *, uint32_t i);
/* The state of this name, which is blue, becomes red. False if memory ran out. */
bool paint_redden(struct paint *, uint64_t name, const uint8_t *row, uint32_t length);

#endif
