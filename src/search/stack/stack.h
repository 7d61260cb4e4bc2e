/* stack.h - the stack of a depth-first search: records, the path, and the state on top.
 *
 * On a pile (pile.h) is, for every open state from the root on, its frame, which says by which
 * event it was reached, and above it what waits of its successors, last event first. No
 * state is kept whole but two: the one on top, and that of the uppermost frame above which
 * something waits, the anchor. A waiting row holds its event and its difference to the anchor.
 * When rows of another state begin to wait, that one becomes the anchor, and its difference to
 * the one before is put into its frame: from there the way back is found. So nothing is asked
 * of the store: one that cannot give states back is as good, states may move to another one
 * meanwhile, and frames above which nothing waits cost four bytes. A waiting row also keeps
 * its raw hash, for its bucket is prefetched while frames are above it. A frame whose state
 * has more events than fit a batch is an anchor with a cursor above it.
 *
 * Searches with several stacks open several.
 */
#ifndef CAIRN_SEARCH_STACK_STACK_H
#define CAIRN_SEARCH_STACK_STACK_H

#include "search/open.h"
#include "search/stack/pile.h"

#include "store/rows.h"

struct stack_config {
  const struct ts_shape *shape;
  struct budget *budget;
  bool keeps_names; /* what the store calls the states of anchors, and what changed in rows */
  /* Called where memory ran out: true if there is more now. */
  bool (*relieve)(void *context);
  void *context;
};

struct stack {
  struct stack_config config;
  size_t room;                      /* for the largest record */
  uint32_t words;                   /* of a row */
  uint32_t action_bytes, no_action; /* of an action on the pile; TS_NONE there */
  uint32_t of_few;                  /* a bit above it: of an edge with OPEN_OF_FEW */
  struct pile pile;
  uint64_t frames;       /* on the pile, with the root's */
  uint8_t *row, *anchor; /* the states of the frame pushed last, and of the anchor; of the root
                          * zeros, and no length */
  uint32_t length, anchor_length;
  uint64_t name, anchor_name; /* of the same two, if kept */
  bool anchored;              /* the top frame's state is the anchor */
};

/* Bits 0 and 1 of a record's kind on the pile: an anchor is a frame. Bit 2: it has its event's
 * choice, which is not 0. */
enum stack_record {
  STACK_RECORD_PARTIAL,
  STACK_RECORD_FRAME,
  STACK_RECORD_WAITING,
  STACK_RECORD_ANCHOR,
  STACK_KINDS = 3,
  STACK_CHOICE = 4
};

/* What is on top. */
enum stack_top { STACK_EMPTY, STACK_FRAME, STACK_WAITING, STACK_PARTIAL };

/* False if the budget is exhausted; it can be closed then, too. */
bool stack_open(struct stack *, const struct stack_config *);
void stack_close(struct stack *);

/* Slow path of stack_room(): the pile is often what takes most, and where it finds no memory,
 * there may be some after all. */
uint8_t *stack_make_room(struct stack *) __attribute__((cold));
/* Room for the next record, or NULL. */
static inline uint8_t *stack_room(struct stack *s) {
  uint8_t *at = pile_room(&s->pile, s->room);
  return __builtin_expect(at != NULL, 1) ? at : stack_make_room(s);
}

/* Writes the event of an edge as part of a record; returns the place after it. */
static inline uint8_t *stack_write_event(const struct stack *s, const struct ts_edge *edge,
                                         uint8_t *at, uint32_t *kind) {
  uint32_t action =
      (edge->event.action & s->no_action) | (open_is_of_few(edge) ? s->of_few : 0);
  memcpy(at, &action, sizeof action);
  at += s->action_bytes;
  if (edge->event.choice != 0) {
    memcpy(at, &edge->event.choice, sizeof edge->event.choice);
    at += sizeof edge->event.choice;
    *kind |= STACK_CHOICE;
  }
  return at;
}

/* A frame for a state reached by this edge becomes the top; `name`: what the store calls it, if
 * names are kept. False if memory ran out; the same below. */
static inline bool stack_push(struct stack *s, const struct ts_edge *edge, const uint8_t *row,
                              uint64_t name) {
  uint8_t *at = stack_room(s);
  uint32_t kind = STACK_RECORD_FRAME;
  if (at == NULL)
    return false;
  const uint8_t *end = stack_write_event(s, edge, at, &kind);
  pile_push(&s->pile, kind, (uint32_t)(end - at));
  memcpy(s->row, row, (size_t)8 * s->words);
  s->length = edge->length;
  s->name = name;
  s->anchored = false;
  s->frames++;
  return true;
}
/* The state of the top frame, which was pushed last, will be there when it is on top again. */
void stack_keep(struct stack *);
/* The state of the top frame as long as nothing above it was taken off, or if it was kept; its
 * length goes to *length. */
static inline const uint8_t *stack_state(const struct stack *s, uint32_t *length) {
  *length = s->anchored ? s->anchor_length : s->length;
  return s->anchored ? s->anchor : s->row;
}
/* Whether the state of the top frame is there: rows wait above none but the anchor. */
static inline bool stack_has_state(const struct stack *s) {
  return !s->anchored || (pile_ending(s->pile.top).kind & STACK_KINDS) != STACK_RECORD_FRAME;
}
/* Row i, a successor of the top frame's state, waits. */
bool stack_wait(struct stack *, const struct rows *rows, uint32_t i);
/* The top frame's state has events left, from this one on. Nothing of it waits. */
bool stack_put_cursor(struct stack *, struct ts_event cursor);
/* Takes that away again, if it is there and on top. */
static inline void stack_take_cursor(struct stack *s) {
  struct pile_record top = pile_ending(s->pile.top); /* the root's frame is below */
  if ((top.kind & STACK_KINDS) == STACK_RECORD_PARTIAL)
    pile_pop(&s->pile, top);
}

static inline enum stack_top stack_top(const struct stack *s) {
  static const uint8_t top[] = {STACK_PARTIAL, STACK_FRAME, STACK_WAITING, STACK_FRAME};
  struct pile_record record = pile_top(&s->pile);
  return record.at == NULL ? STACK_EMPTY : (enum stack_top)top[record.kind & STACK_KINDS];
}
/* Slow path of stack_pop(): the frame on top is an anchor, and the one before is it again. */
void stack_lift_anchor(struct stack *, struct pile_record top);
/* Takes the frame on top off. The state of the one below is on top then if all that waits
 * above it comes next. */
static inline void stack_pop(struct stack *s) {
  struct pile_record top = pile_ending(s->pile.top);
  if ((top.kind & STACK_KINDS) == STACK_RECORD_ANCHOR)
    stack_lift_anchor(s, top);
  pile_pop(&s->pile, top);
  s->frames--;
  s->anchored = true;
  s->name = s->anchor_name;
}
/* Takes all off. */
void stack_empty(struct stack *);
/* Takes rows that wait on top, all of one parent, as many as there is room for. */
void stack_take(struct stack *, struct rows *rows);

/* The state with a cursor on top; see open.h. */
void stack_resume(const struct stack *, struct open *);
/* What the store calls the top frame's state, if names are kept. */
static inline uint64_t stack_name(const struct stack *s) {
  return s->frames == 1 ? UINT64_MAX : s->name;
}

/* Saves it, or loads it into one that was just opened, and may have the root's frame. False if
 * memory ran out or the sink refused. */
bool stack_pass(struct stack *, struct sink *);

/* Hashes of the rows that wait next, unless they are deep; how many. */
uint32_t stack_soon(const struct stack *, uint64_t *hash, uint32_t most);
/* The events to the top frame's state, the first one naming the initial state: returns how
 * many, and writes them unless `event` is NULL. */
uint64_t stack_path(const struct stack *, struct ts_event *event);

#endif
