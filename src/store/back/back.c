/* back.c - adding states with their way back, and choosing which are kept whole.
 *
 * An anchor is a state that is kept whole although it has a way back. A new state becomes one
 * if it is `apart` events or more from the known one in front of it; if more than one of
 * `apart` states is one already, four times as many events, for where states branch, most can
 * be at one distance.
 *
 * Every way ends at a state without a way back, or at an anchor, which stays. So it need not
 * lead to an initial state: a backedge that was replaced by a shorter one (backedges_set) may
 * lead to a state that was reached from its own by way of an anchor.
 */
#include "store/back/back.h"

#include "store/room/save.h"

#include <assert.h>

bool back_open(struct back *b, const struct ts_shape *shape, const struct ts *ts,
               struct budget *budget) {
  *b = (struct back){.ts = ts, .budget = budget, .window_first = UINT64_MAX};
  b->pack = pack_open_sparse(shape, budget);
  events_init(&b->events, budget);
  backedges_init(&b->edges, budget);
  if (b->pack == NULL)
    return false;
  vectors_init(&b->whole, b->pack, budget);
  vectors_init(&b->window, b->pack, budget);
  b->window.data.purpose = b->window.places.purpose = BUDGET_OPEN;
  return true;
}

void back_close(struct back *b) {
  if (b->pack != NULL) {
    vectors_free(&b->whole);
    vectors_free(&b->window);
  }
  events_free(&b->events);
  backedges_free(&b->edges);
  pack_close(b->pack);
}

uint64_t back_distance(const struct back *b, uint64_t state, uint64_t most) {
  uint64_t distance = 0;
  for (; distance < most && !backedges_is_whole(&b->edges, state); distance++)
    state = backedges_get(&b->edges, state).parent;
  return distance;
}

/* ---- anchors ----------------------------------------------------------------------- */

/* Whether the next state, reached from this one, becomes an anchor. */
static bool is_anchor(const struct back *b, uint64_t parent) {
  enum { LOOK = 4, FAR = 4 }; /* one of LOOK states is looked at: to walk back takes time */
  uint64_t apart = b->apart;
  if (apart == 0 || b->edges.n % LOOK != 0)
    return false;
  if (b->edges.whole >= b->edges.n / apart)
    apart *= FAR;
  return back_distance(b, parent, apart - 1) >= apart - 1;
}

/* ---- adding ------------------------------------------------------------------------ */

bool back_make(struct back *b, struct back_way way, uint32_t bytes, struct back_next *next) {
  *next = (struct back_next){.edge.parent = BACKEDGES_NONE, .whole = true};
  if (b->ts != NULL && way.parent != BACKEDGES_NONE) {
    assert(way.parent < b->edges.n);
    next->edge.parent = way.parent;
    next->whole = is_anchor(b, way.parent);
    if (!events_number(&b->events, way.event, &next->edge.event))
      return false;
  }
  if (next->whole && vectors_reserve(&b->whole, bytes) == NULL)
    return false;
  if (b->window_first != UINT64_MAX && vectors_reserve(&b->window, bytes) == NULL)
    return false;
  return backedges_make(&b->edges, next->edge);
}

static void append(struct vectors *v, const uint8_t *packed, uint32_t bytes) {
  memcpy(v->at, packed, bytes);
  vectors_commit(v, bytes);
}

void back_add(struct back *b, const struct back_next *next, const uint8_t *packed,
              uint32_t bytes) {
  if (next->whole)
    append(&b->whole, packed, bytes);
  if (b->window_first != UINT64_MAX)
    append(&b->window, packed, bytes);
  backedges_add(&b->edges, next->edge, next->whole);
}

void back_shed(struct back *b, uint64_t first) {
  enum { BEFORE = 512 };
  if (b->window_first == UINT64_MAX)
    b->window_first = b->window_from = b->edges.n;
  uint64_t before = BEFORE + b->edges.n / pack_bytes(b->pack); /* a byte a state, and some */
  first = first > before ? first - before : 0;
  if (first <= b->window_first)
    return;
  b->window_first = first;
  if (first < b->edges.n)
    vectors_release(&b->window, first - b->window_from);
}

/* ---- the rest ---------------------------------------------------------------------- */

uint64_t back_reserved(const struct back *b) {
  return vectors_reserved(&b->whole) + events_reserved(&b->events) +
         backedges_reserved(&b->edges) + b->work_bytes;
}

const char *back_check(const struct back *b) {
  if (b->whole.n != b->edges.whole)
    return "back: the whole states are not those that are marked";
  for (uint64_t i = 0; i < b->edges.n; i++) {
    struct backedge edge = backedges_get(&b->edges, i);
    if (edge.parent != BACKEDGES_NONE && edge.event >= b->events.n)
      return "back: a state was reached by an event that does not exist";
  }
  return backedges_check(&b->edges);
}

void back_save(const struct back *b, struct sink *sink) {
  sink_put_number(sink, b->apart);
  sink_put_number(sink, b->fired);
  sink_put_number(sink, b->window_from);
  sink_put_number(sink, b->window_first);
  events_save(&b->events, sink);
  backedges_save(&b->edges, sink);
  vectors_save(&b->whole, sink);
  vectors_save(&b->window, sink);
}

bool back_load(struct back *b, struct sink *sink) {
  b->apart = sink_take_number(sink);
  b->fired = sink_take_number(sink);
  b->window_from = sink_take_number(sink);
  b->window_first = sink_take_number(sink);
  return events_load(&b->events, sink) && backedges_load(&b->edges, sink) &&
         vectors_load(&b->whole, sink) && vectors_load(&b->window, sink);
}
