/* dfs.c - depth-first, exact: the open states are always a path.
 *
 * At expansion the successors of a state are hashed, prefetched and looked up
 * by find only. Those already stored are dropped; the others wait on the pile
 * and are put into the store one by one, each when all below its elder
 * siblings is done. It may have become old by then. (Inserting all at
 * expansion is faster and gives another order, in which the stack is no path,
 * depth and first error differ, and neither the stack proviso of partial-order
 * reduction nor nested search works.)
 *
 * The first row that waits needs no place on the pile: its turn comes at once,
 * and it stays where it is, in one of two batches that are used in turn. For
 * most expansions it is the only one. Rows taken off the pile are looked up again,
 * all siblings at once: most have become old, and old they stay. (On a model of ten
 * events per state this was 44 % faster than one after the other.)
 *
 * The look-ups of one state are few, and its buckets and then its vectors would each be
 * waited for. So there are two steps: rows pushed or taken off the pile are pending;
 * from their tags alone the store guesses which of them is the next state, that state is
 * fired ahead, and while its successors' buckets come, the vectors of the pending rows
 * have come, which are compared then (sift). The guess is wrong only where two hashes
 * agree, and then what was fired ahead is dropped. Measured 2026-11-27 (2 cores, AMD EPYC
 * 9005-class at about 2.6 GHz, 2 MiB pages by madvise, 160 ns per miss): at.4 from 6.0
 * to 8.3, phils.6 from 5.4 to 8.0 million events per second. Asking for the buckets of
 * waiting rows before it is known that no child is new gained nothing.
 *
 * On the pile lies, for every open state from the root on, its frame, which says by which
 * event it was reached, and above it what waits of its successors, last event first. No
 * state is kept whole but one, that of the uppermost frame above which something waits, the
 * anchor. A waiting row holds its event and its difference to the anchor. When rows of
 * another state begin to wait, that one becomes the anchor, and its difference to the one
 * before is put into its frame: from there the way back is found. So nothing is asked of
 * the store: one that cannot give states back is as good, states may move to another one
 * meanwhile, and frames above which nothing waits cost four bytes. A waiting row also keeps
 * its raw hash, for its bucket is asked for while frames lie above it. A frame whose state
 * has more events than fit a batch is an anchor with a cursor above it, and fires the next
 * ones when those in front are done.
 *
 * Where states may be forgotten, the tree of open states (search/tree/tdtree.h) is the path: a
 * frame taken off leaves it at once.
 */
#include "search/frontier/frontier.h"

#include "search/stack/delta.h"
#include "search/stack/pile.h"
#include "ts/hash.h"

#include <assert.h>
#include <string.h>

/* Bits 0 and 1 of a record's kind: an anchor is a frame. The others tell what it has: an
 * event's choice if it is not 0, a length if it is not the anchor's. */
enum record_kind { PARTIAL, FRAME, WAITING, ANCHOR, KINDS = 3, CHOICE = 4, LENGTH = 8 };

static inline bool is_frame(struct pile_record record) {
  return record.kind & 1;
}

enum { CHANGED = 65 }; /* bytes, at most, of a list of what changed */
enum { TAKEN = 16 };   /* waiting rows that are looked up at once */
enum { NEAR = 8 };     /* frames on the pile that are looked under for them */

struct frontier {
  struct frontier_config config;
  size_t room;                      /* for the largest record */
  uint32_t words;                   /* of a row */
  uint32_t action_bytes, no_action; /* of an action on the pile; TS_NONE there */
  struct rows two[2], taken;        /* taken: rows taken off the pile */
  uint32_t turn;                    /* of two: where the next expansion goes */
  struct frontier_range pending;    /* rows to be looked up; or to = 0 */
  bool glanced, guessed;            /* the row `likely` of pending is probably next */
  uint32_t likely;
  struct frontier_range hot; /* the row whose turn is next; or to = 0 */
  struct frontier_open top;  /* the state of the top frame, if fresh */
  bool fresh;
  bool failed;           /* memory ran out; told when a range is settled */
  uint8_t *row, *anchor; /* the states of the top frame, while fresh, and of the anchor; of
                          * the root zeros, and no length */
  uint32_t length, anchor_length;
  bool has_ids;           /* the pile says what the store calls anchors, and what changed */
  uint64_t id, anchor_id; /* what it calls the top frame's state and the anchor */
  bool anchored;          /* the top frame's state is the anchor */
  struct pile pile;
  uint64_t frames; /* on the pile, with the root's */
  uint32_t node;   /* of the top frame, if a tree is kept; TDTREE_NONE: the root */
};

static void dfs_close(struct frontier *f) {
  struct budget *budget = f->config.budget;
  pile_free(&f->pile);
  rows_close(&f->two[0], budget);
  rows_close(&f->two[1], budget);
  rows_close(&f->taken, budget);
  budget_free(budget, BUDGET_OPEN, f->row, ts_stride(f->config.shape));
  budget_free(budget, BUDGET_OPEN, f->anchor, ts_stride(f->config.shape));
  budget_free(budget, BUDGET_OPEN, f, sizeof *f);
}

/* Both return the place behind what they wrote. */
static inline uint8_t *write_event(const struct frontier *f, struct ts_event event, uint8_t *at,
                                   uint32_t *kind) {
  memcpy(at, &event.action, sizeof event.action);
  at += f->action_bytes;
  if (event.choice != 0) {
    memcpy(at, &event.choice, sizeof event.choice);
    at += sizeof event.choice;
    *kind |= CHOICE;
  }
  return at;
}

static inline uint8_t *write_state(const struct frontier *f, const uint8_t *row,
                                   uint32_t length, uint8_t *at, uint32_t *kind) {
  length ^= f->anchor_length;
  if (length != 0) {
    memcpy(at, &length, sizeof length);
    at += sizeof length;
    *kind |= LENGTH;
  }
  return delta_write(f->anchor, row, f->words, at);
}

/* What changed, as a list of bits. Both return the place behind it. */
static inline uint8_t *write_changed(uint64_t changed, uint8_t *at) {
  uint8_t *list = at + 1;
  for (; changed != 0; changed &= changed - 1)
    *list++ = (uint8_t)__builtin_ctzll(changed);
  *at = (uint8_t)(list - at - 1);
  return list;
}

static inline const uint8_t *read_changed(const uint8_t *at, uint64_t *changed) {
  const uint8_t *end = at + 1 + *at;
  *changed = 0;
  for (at++; at < end; at++)
    *changed |= UINT64_C(1) << *at;
  return end;
}

/* Returns the place behind the event. */
static inline const uint8_t *read_event(const struct frontier *f, const uint8_t *at,
                                        uint32_t kind, struct ts_event *event) {
  memcpy(&event->action, at, sizeof event->action);
  event->action &= f->no_action;
  if (event->action == f->no_action)
    event->action = TS_NONE;
  event->choice = 0;
  at += f->action_bytes;
  if (kind & CHOICE) {
    memcpy(&event->choice, at, sizeof event->choice);
    at += sizeof event->choice;
  }
  return at;
}

/* Makes the anchor in `row`, or another place, the state of the record that ends at `end`;
 * returns what its length is xor the anchor's. */
static inline uint32_t read_state(const struct frontier *f, const uint8_t *at,
                                  const uint8_t *end, uint32_t kind, uint8_t *row) {
  uint32_t length = 0;
  if (kind & LENGTH) {
    memcpy(&length, at, sizeof length);
    at += sizeof length;
  }
  delta_apply(row, f->words, at, end);
  return length;
}

/* What the loop calls the state of the top frame. */
static inline uint64_t top_ref(const struct frontier *f) {
  return f->frames == 1 ? STORE_NONE : f->has_ids ? f->id : f->node;
}

/* The pile is often what takes most: where it finds no memory, the states may move. They can
 * at every such moment: what the store was asked about it has answered, and what it called
 * that is not used any more. */
static __attribute__((noinline, cold)) uint8_t *make_room(struct frontier *f) {
  uint8_t *at = NULL;
  while (at == NULL && f->config.relieve != NULL && f->config.relieve(f->config.context))
    at = pile_room(&f->pile, f->room);
  return at;
}

/* Room for the next record, or NULL. */
static inline uint8_t *record_room(struct frontier *f) {
  uint8_t *at = pile_room(&f->pile, f->room);
  return __builtin_expect(at != NULL, 1) ? at : make_room(f);
}

/* The frame of a state just stored, a successor of the top frame's, becomes the top. Its
 * node, if a tree is kept, or its id has the number `ref`. */
static bool push_frame(struct frontier *f, const struct ts_edge *edge, const uint8_t *row,
                       uint64_t ref) {
  uint8_t *at = record_room(f);
  uint32_t kind = FRAME;
  if (at == NULL)
    return false;
  const uint8_t *end = write_event(f, edge->event, at, &kind);
  pile_push(&f->pile, kind, (uint32_t)(end - at));
  memcpy(f->row, row, (size_t)8 * f->words);
  f->length = edge->length;
  f->anchored = false;
  f->frames++;
  f->fresh = true;
  f->node = f->config.tree == NULL ? TDTREE_NONE : (uint32_t)ref;
  f->id = ref;
  f->top.ref = top_ref(f);
  f->top.depth = f->frames - 2; /* wraps for the root, as the contract has it */
  f->top.cursor = (struct ts_event){0, 0};
  f->top.by = edge->event;
  if (f->frames >= 2) {
    struct search_figures *figures = f->config.figures;
    if (f->frames - 2 > figures->depth)
      figures->depth = f->frames - 2;
    if (f->frames - 1 > figures->peak.open)
      figures->peak.open = f->frames - 1;
  }
  return true;
}

/* The state of the top frame, which was pushed last, becomes the anchor. There is room for
 * that in its record. */
static void drop_anchor(struct frontier *f) {
  struct pile_record frame = pile_ending(f->pile.top);
  uint8_t *old = f->anchor;
  assert((frame.kind & KINDS) == FRAME);
  uint32_t kind = frame.kind | ANCHOR;
  uint8_t *at = frame.at + frame.bytes;
  if (f->has_ids) {
    memcpy(at, &f->anchor_id, sizeof f->anchor_id);
    at += sizeof f->anchor_id;
  }
  const uint8_t *end = write_state(f, f->row, f->length, at, &kind);
  f->pile.top = frame.at;
  pile_push(&f->pile, kind, (uint32_t)(end - frame.at));
  f->anchor = f->row;
  f->anchor_length = f->length;
  f->anchor_id = f->id;
  f->row = old;
  f->anchored = true;
}

/* The top frame's state is done: it leaves the tree, and the one below is the top. */
static inline void shut_node(struct frontier *f) {
  uint32_t pred = tdtree_at(f->config.tree, f->node)->pred;
  if (!tdtree_shut(f->config.tree, &f->node, 1))
    f->failed = true;
  f->node = pred;
}

/* Takes off the frames that are done; returns the record then on top. */
static struct pile_record pop_frames(struct frontier *f) {
  struct pile_record top = pile_top(&f->pile);
  for (; top.at != NULL && is_frame(top); top = pile_top(&f->pile)) {
    if ((top.kind & KINDS) == ANCHOR) {
      const uint8_t *at = top.at + f->action_bytes + (top.kind & CHOICE ? sizeof(uint32_t) : 0);
      if (f->has_ids) {
        memcpy(&f->anchor_id, at, sizeof f->anchor_id);
        at += sizeof f->anchor_id;
      }
      f->anchor_length ^= read_state(f, at, top.at + top.bytes, top.kind, f->anchor);
    }
    pile_pop(&f->pile, top);
    f->frames--;
    if (f->node != TDTREE_NONE)
      shut_node(f);
  }
  f->anchored = true;
  f->id = f->anchor_id;
  return top;
}

/* Whether the parents of rows are what the store calls them. */
static void say_parents(struct frontier *f, bool has_parents) {
  f->two[0].has_parents = f->two[1].has_parents = f->taken.has_parents = has_parents;
}

static struct frontier *dfs_open(const struct frontier_config *config) {
  struct budget *budget = config->budget;
  struct frontier *f = budget_alloc(budget, BUDGET_OPEN, sizeof *f);
  if (f == NULL)
    return NULL;
  f->config = *config;
  pile_init(&f->pile, budget);
  uint32_t capacity = rows_events(config->shape);
  f->words = ts_stride(config->shape) / 8;
  f->no_action = config->shape->n_actions < 0xFFFF ? 0xFFFF : TS_NONE;
  f->action_bytes = f->no_action == TS_NONE ? 4 : 2;
  f->has_ids = config->tree == NULL && (config->store_kind->has & STORE_IDS) &&
               (config->store_kind->has & STORE_USES_PARENTS);
  f->room = (f->has_ids ? CHANGED : 0) + sizeof(uint64_t) + 3 * sizeof(uint32_t) +
            (size_t)DELTA_MOST * f->words + DELTA_SLACK + PILE_TAIL;
  f->row = budget_alloc(budget, BUDGET_OPEN, ts_stride(config->shape));
  f->anchor = budget_alloc(budget, BUDGET_OPEN, ts_stride(config->shape));
  bool fine = f->row != NULL && f->anchor != NULL &&
              frontier_rows_open(&f->two[0], config, capacity) &&
              frontier_rows_open(&f->two[1], config, capacity) &&
              frontier_rows_open(&f->taken, config, capacity < TAKEN ? capacity : TAKEN);
  if (fine)
    fine = push_frame(f, &(struct ts_edge){.event = {TS_NONE, 0}}, f->row, TDTREE_NONE);
  say_parents(f, f->has_ids);
  if (fine)
    return f;
  dfs_close(f);
  return NULL;
}

static bool dfs_settled(struct frontier *f, const struct frontier_range *range) {
  struct rows *rows = range->rows;
  uint32_t i = range->from;
  if (f->failed)
    return false;
  if (range->to == i || rows->answer[i] == STORE_OLD)
    return true;
  f->top.row = rows->batch.rows + i * rows->batch.stride;
  f->top.length = rows->batch.edge[i].length;
  f->top.raw = rows->raw[i];
  f->top.hashed = true;
  f->top.ahead = f->guessed && i == f->likely;
  f->guessed = false;
  return push_frame(f, &rows->batch.edge[i], f->top.row,
                    f->config.tree == NULL && !f->has_ids ? TDTREE_NONE : rows->ref[i]);
}

static bool dfs_next(struct frontier *f, struct frontier_open *open) {
  if (!f->fresh) {
    uint32_t segment = f->pile.current;
    struct pile_record top = pile_top(&f->pile);
    if (top.at == NULL)
      return false;
    struct pile_record frame = pile_under(&f->pile, top, &segment);
    assert(frame.at != NULL && is_frame(frame));
    memcpy(&f->top.cursor, top.at, sizeof f->top.cursor);
    read_event(f, frame.at, frame.kind, &f->top.by);
    f->top.ref = top_ref(f);
    f->top.depth = f->frames - 2;
    f->top.row = f->anchor;
    f->top.length = f->anchor_length;
    f->top.hashed = f->top.ahead = false;
  }
  f->fresh = false;
  f->top.into = &f->two[f->turn];
  f->top.into->batch.n = 0;
  f->turn ^= 1;
  *open = f->top;
  return true;
}

/* Puts the cursor above the anchor, or takes it away. */
static bool set_partial(struct frontier *f, const struct frontier_open *open, bool done) {
  struct pile_record top = pile_ending(f->pile.top); /* the root's frame is never taken off */
  if ((top.kind & KINDS) == PARTIAL)
    pile_pop(&f->pile, top);
  if (done)
    return true;
  if (!f->anchored)
    drop_anchor(f);
  uint8_t *at = record_room(f);
  if (at == NULL)
    return false;
  memcpy(at, &open->cursor, sizeof open->cursor);
  pile_push(&f->pile, PARTIAL, sizeof open->cursor);
  return true;
}

static bool push_waiting(struct frontier *f, const struct rows *rows, uint32_t i) {
  if (!f->anchored)
    drop_anchor(f);
  uint8_t *from = record_room(f), *at = from;
  const struct ts_edge *edge = &rows->batch.edge[i];
  uint32_t kind = WAITING;
  if (at == NULL)
    return false;
  memcpy(at, &rows->raw[i], sizeof rows->raw[i]);
  at = write_event(f, edge->event, at + sizeof rows->raw[i], &kind);
  if (f->has_ids)
    at = write_changed(edge->changed, at);
  at = write_state(f, rows->batch.rows + i * rows->batch.stride, edge->length, at, &kind);
  pile_push(&f->pile, kind, (uint32_t)(at - from));
  return true;
}

static void tell_matched(const struct tdtree *tree, const struct rows *rows, uint32_t from) {
  for (uint32_t i = from; i < rows->batch.n; i++)
    if (rows->answer[i] == STORE_OLD)
      tree->hooks.matched(tree->hooks.context, rows->ref[i]);
}

/* Looks rows [from, n) up by find, drops those already stored, makes the first of the
 * others hot and lets the rest wait. False if memory ran out. */
static bool sift(struct frontier *f, struct rows *rows, uint32_t from) {
  uint32_t n = rows->batch.n, old = 0, first = n;
  bool root = f->frames == 1;
  const struct store_kind *kind = f->config.store_kind;
  (f->glanced ? kind->confirm : kind->find)(f->config.work, rows, from, n);
  for (uint32_t i = n; i-- > from;)
    if (rows->answer[i] == STORE_OLD)
      old++;
    else {
      if (first < n && !push_waiting(f, rows, first))
        return false;
      first = i;
    }
  if (f->config.tree != NULL && f->config.tree->hooks.matched != NULL)
    tell_matched(f->config.tree, rows, from);
  f->config.figures->matched += old;
  f->config.figures->events += root ? 0 : old;
  if (first < n)
    f->hot = (struct frontier_range){rows, first, first + 1, f->frames - 1};
  return true;
}

/* Rows [from, n) are to be looked up next. */
static void set_pending(struct frontier *f, struct rows *rows, uint32_t from) {
  f->pending = (struct frontier_range){rows, from, rows->batch.n, 0};
  f->glanced = f->guessed = false;
}

/* Asks for the buckets of the rows that wait next on the pile, unless they lie deep. */
static void prefetch_waiting(const struct frontier *f) {
  uint32_t segment = f->pile.current, n = 0, frames = 0;
  struct pile_record at = pile_top(&f->pile);
  uint64_t hash[TAKEN];
  while (at.at != NULL && is_frame(at) && frames++ < NEAR)
    at = pile_under(&f->pile, at, &segment);
  for (; at.at != NULL && (at.kind & KINDS) == WAITING && n < TAKEN;
       at = pile_under(&f->pile, at, &segment))
    hash[n++] = hash_finish(delta_load(at.at));
  f->config.store_kind->prefetch(f->config.work, hash, n);
}

/* The pending row that is not in the store by its tag and that no other precedes. */
static bool dfs_guess(struct frontier *f, struct frontier_open *open) {
  struct rows *rows = f->pending.rows;
  uint32_t i = f->pending.from, n = f->pending.to;
  if (n == 0 || i == n || !(f->config.store_kind->has & STORE_GUESSES))
    return false;
  f->config.store_kind->guess(f->config.work, rows, i, n);
  f->glanced = true;
  while (i < n && rows->ref[i] != STORE_NONE)
    i++;
  if (i == n) {
    prefetch_waiting(f);
    return false;
  }
  f->guessed = true;
  f->likely = i;
  *open = (struct frontier_open){.ref = STORE_NONE,
                                 .row = rows->batch.rows + i * rows->batch.stride,
                                 .length = rows->batch.edge[i].length,
                                 .raw = rows->raw[i],
                                 .hashed = true,
                                 .depth = f->frames - 1,
                                 .by = rows->batch.edge[i].event,
                                 .into = &f->two[f->turn]};
  open->into->batch.n = 0;
  return true;
}

static bool dfs_push(struct frontier *f, const struct frontier_open *open, uint32_t from,
                     bool done) {
  if (!set_partial(f, open, done))
    return false;
  set_pending(f, open->into, from);
  return true;
}

/* Takes the rows that wait on top of the pile, all of one parent, into f->taken. */
static void take_waiting(struct frontier *f) {
  struct rows *rows = &f->taken;
  struct pile_record top = pile_top(&f->pile);
  uint32_t n = 0;
  for (; (top.kind & KINDS) == WAITING && n < rows->batch.capacity; top = pile_top(&f->pile)) {
    struct ts_edge *edge = &rows->batch.edge[n];
    uint8_t *row = rows->batch.rows + n * rows->batch.stride;
    const uint8_t *at = read_event(f, top.at + sizeof *rows->raw, top.kind, &edge->event);
    if (f->has_ids)
      at = read_changed(at, &edge->changed);
    memcpy(row, f->anchor, (size_t)8 * f->words);
    edge->length = f->anchor_length ^ read_state(f, at, top.at + top.bytes, top.kind, row);
    rows->raw[n] = delta_load(top.at);
    rows->hash[n] = hash_finish(rows->raw[n]);
    rows->parent[n] = top_ref(f);
    n++;
    pile_pop(&f->pile, top);
  }
  rows->batch.n = n;
}

/* The next row's turn: the hot one, or, after the frames above it that are done, the
 * first on the pile. It and its siblings are pending then, and there is nothing yet. */
static bool dfs_ready(struct frontier *f, bool flush, struct frontier_range *range) {
  (void)flush;
  if (f->pending.to > 0) {
    f->failed = !sift(f, f->pending.rows, f->pending.from);
    f->pending.to = 0;
  }
  *range = (struct frontier_range){&f->taken, 0, 0, 0};
  if (f->failed)
    return true;
  if (f->hot.to > 0) {
    *range = f->hot;
    f->hot.to = 0;
    return true;
  }
  if (f->fresh)
    return false;
  struct pile_record top = pop_frames(f);
  if (f->failed)
    return true;
  if (top.at == NULL || (top.kind & KINDS) == PARTIAL)
    return false;
  take_waiting(f);
  set_pending(f, &f->taken, 0);
  return true;
}

static uint64_t dfs_path(const struct frontier *f, struct ts_event *event) {
  uint64_t n = f->frames - 1, left = event == NULL ? 0 : n;
  uint32_t segment = f->pile.current;
  struct pile_record at = pile_top(&f->pile);
  for (; left > 0; at = pile_under(&f->pile, at, &segment))
    if (is_frame(at))
      read_event(f, at.at, at.kind, &event[--left]);
  return n;
}

static uint64_t dfs_move_needs(const struct frontier *f, const struct store_kind *to) {
  (void)f;
  (void)to;
  return 0;
}

/* No ref is kept, and nothing is asked of the store but by row and hash. */
static bool dfs_move(struct frontier *f, const struct store_kind *to) {
  (void)f;
  (void)to;
  return true;
}

static bool dfs_moved(struct frontier *f, uint64_t old_ref, uint64_t ref, const uint8_t *row,
                      uint32_t length) {
  (void)f;
  (void)old_ref;
  (void)ref;
  (void)row;
  (void)length;
  return true;
}

static void dfs_use(struct frontier *f, const struct store_kind *kind,
                    struct store_work *work) {
  f->config.store_kind = kind;
  f->config.work = work;
  f->glanced = false;
  say_parents(f, false);
}

static void dfs_report(const struct frontier *f, struct search_figures *figures) {
  figures->open = f->frames < 2 ? 0 : f->frames - 1;
  figures->level.known = false;
  if (f->config.tree != NULL)
    figures->peak.stack = figures->peak.open;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): parts of a list of members */
#define DFS(other, with)                                                                       \
  .name = "dfs", .summary = "depth-first: follows one run to its end before the next",         \
  .traits = with, .with_tree = other, .open = dfs_open, .close = dfs_close,                    \
  .ready = dfs_ready, .settled = dfs_settled, .next = dfs_next, .guess = dfs_guess,            \
  .push = dfs_push, .report = dfs_report
/* NOLINTEND(bugprone-macro-parentheses) */

extern const struct frontier_kind frontier_dfs_tree;

static const struct frontier_kind on_tree = {
    DFS(&frontier_dfs_tree, FRONTIER_STACK | FRONTIER_GUESSES | FRONTIER_TREE),
};

const struct frontier_kind frontier_dfs = {
    DFS(&on_tree, FRONTIER_STACK | FRONTIER_GUESSES | FRONTIER_PATH | FRONTIER_MOVES),
    .path = dfs_path,
    .move_needs = dfs_move_needs,
    .move = dfs_move,
    .moved = dfs_moved,
    .use = dfs_use,
};
