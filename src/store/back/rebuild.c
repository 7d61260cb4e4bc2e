/* rebuild.c - walking parts of the spanning tree.
 *
 * Ways are gathered from their ends backwards until a known state, or a node that is there
 * already. When the tree is walked, a node's child below which most is wanted comes last and
 * takes the place of its parent's row; the others are fired into rows of their own, and below
 * each of them at most half as much is wanted. So there are never more rows than the number of
 * wants has bits, however long the ways are.
 *
 * Nothing here fails: where there is no memory for more nodes, less is done together, and a
 * single way that is longer than all room is gone in pieces, each found by walking back from
 * the end anew.
 */
#include "store/back/rebuild.h"

#include "store/back/choices.h"
#include "store/index/index.h"

#include "base/array.h"

#include <assert.h>
#include <stdlib.h>

enum {
  FEWEST = 64, /* nodes */
  MOST_NODES = 1 << 16,
  MOST_WANTS = 1 << 14
};

/* ---- opening ----------------------------------------------------------------------- */

static uint64_t bytes_of_nodes(uint64_t room) {
  return room * (sizeof(struct rebuild_node) + sizeof(uint64_t) + 2 * sizeof(uint32_t));
}

static uint64_t bytes_of_wants(uint64_t room) {
  return room * (sizeof(struct rebuild_want) + sizeof(uint32_t));
}

/* Takes memory, and counts it. */
static uint8_t *take(struct rebuild *r, uint64_t bytes) {
  uint8_t *at = array_resize(r->back->budget, BUDGET_STORE, NULL, 0, bytes);
  r->back->work_bytes += at == NULL ? 0 : array_size(bytes);
  return at;
}

static void give_back(struct rebuild *r, void *at, uint64_t bytes) {
  array_free(r->back->budget, BUDGET_STORE, at, bytes);
  r->back->work_bytes -= at == NULL ? 0 : array_size(bytes);
}

/* Other room for nodes, of which there are none. */
static bool make_nodes(struct rebuild *r, uint64_t room) {
  uint8_t *at = take(r, bytes_of_nodes(room));
  if (at == NULL)
    return false;
  give_back(r, r->node, bytes_of_nodes(r->room));
  r->node = (struct rebuild_node *)(void *)at;
  r->path = (uint64_t *)(void *)(r->node + room);
  r->slot = (uint32_t *)(void *)(r->path + room);
  r->room = room;
  return true;
}

static bool make_wants(struct rebuild *r, uint64_t room) {
  uint8_t *at = take(r, bytes_of_wants(room));
  if (at == NULL)
    return false;
  give_back(r, r->want, bytes_of_wants(r->want_room));
  r->want = (struct rebuild_want *)(void *)at;
  r->first = (uint32_t *)(void *)(r->want + room);
  r->want_room = room;
  return true;
}

static uint64_t bytes_of_cache(const struct rebuild_cache *c) {
  return c->places * (sizeof *c->state + c->room);
}

static bool open_cache(struct rebuild *r, uint64_t places) {
  struct rebuild_cache *c = &r->cache;
  c->room = (pack_bytes(r->back->pack) + 7) / 8 * 8 + 8;
  c->places = places;
  if (places == 0)
    return true;
  c->state = (uint64_t *)(void *)take(r, bytes_of_cache(c));
  if (c->state == NULL)
    return false;
  c->packed = (uint8_t *)(c->state + places);
  return true;
}

bool rebuild_open(struct rebuild *r, struct back *back, uint64_t cached) {
  uint32_t stride = pack_stride(back->pack);
  *r = (struct rebuild){.back = back};
  r->rows = take(r, (uint64_t)REBUILD_ROWS * stride);
  for (uint32_t i = 0; i < REBUILD_ROWS && r->rows != NULL; i++)
    r->row[i] = r->rows + (size_t)i * stride;
  return r->rows != NULL && make_nodes(r, FEWEST) && make_wants(r, FEWEST) &&
         open_cache(r, cached);
}

void rebuild_close(struct rebuild *r) {
  give_back(r, r->rows, (uint64_t)REBUILD_ROWS * pack_stride(r->back->pack));
  give_back(r, r->node, bytes_of_nodes(r->room));
  give_back(r, r->want, bytes_of_wants(r->want_room));
  give_back(r, r->cache.state, bytes_of_cache(&r->cache));
}

void rebuild_keep(struct rebuild *r, uint64_t state, const uint8_t *packed, uint32_t bytes) {
  struct rebuild_cache *c = &r->cache;
  if (c->places == 0)
    return;
  c->state[state % c->places] = state + 1;
  memcpy(c->packed + state % c->places * c->room, packed, bytes);
}

/* ---- one state --------------------------------------------------------------------- */

static const uint8_t *find_known(const struct rebuild *r, uint64_t state) {
  const uint8_t *packed = back_known(r->back, state);
  return packed != NULL ? packed : rebuild_cached(r, state);
}

/* Fires an event, which has led to a state. That it cannot be fired would mean that the model's
 * code or the store is wrong: no answer is better than a wrong one. Where its outcome is not
 * found since the state table has lost entries, for want of memory, its length is 0, as is that
 * of what follows: no row is that, and nothing can be stored any more. */
static uint32_t fire(struct rebuild *r, uint64_t reached, uint32_t number, const uint8_t *from,
                     uint32_t length, uint8_t *to) {
  struct back *b = r->back;
  struct ts_event event = b->events.event[number];
  struct ts_edge edge = {.length = 0};
  if (length == 0)
    return 0;
  if (b->hash != NULL && event.choice > 0) {
    edge.length = choices_fire(b, reached, from, length, event, to);
    if (edge.length == 0 && b->index->lost == 0)
      abort();
    return edge.length;
  }
  b->fired++;
  if (!ts_fire(b->ts, from, length, event, &edge, to))
    abort();
  return edge.length;
}

/* The state N backedges in front of this one. */
static uint64_t ancestor(const struct back *b, uint64_t state, uint64_t steps) {
  for (; steps > 0; steps--)
    state = backedges_get(&b->edges, state).parent;
  return state;
}

uint32_t rebuild_state(struct rebuild *r, uint64_t state, uint8_t *row) {
  const struct back *b = r->back;
  uint8_t *here = row, *next = r->row[REBUILD_ROWS - 1];
  const uint8_t *packed;
  uint64_t left = 0, at = state;
  for (; (packed = find_known(r, at)) == NULL; left++)
    at = backedges_get(&b->edges, at).parent;
  uint32_t length = pack_unrow(b->pack, packed, here);
  while (left > 0) {
    uint64_t piece = left < r->room ? left : r->room;
    at = ancestor(b, state, left - piece);
    for (uint64_t i = piece; i-- > 0;) {
      r->path[i] = at;
      at = backedges_get(&b->edges, at).parent;
    }
    for (uint64_t i = 0; i < piece; i++) {
      const uint32_t event = backedges_get(&b->edges, r->path[i]).event;
      length = fire(r, r->path[i], event, here, length, next);
      uint8_t *last = here;
      here = next;
      next = last;
    }
    left -= piece;
  }
  if (here != row)
    memcpy(row, here, pack_stride(b->pack));
  return length;
}

bool rebuild_undoes(const struct rebuild *r) {
  return r->back->ts != NULL && r->back->hash == NULL && ts_code(r->back->ts)->undo != NULL;
}

enum rebuild_answer rebuild_is(struct rebuild *r, uint64_t state, const uint8_t *row,
                               uint32_t length) {
  struct back *b = r->back;
  const struct ts_code *code = ts_code(b->ts);
  uint8_t *here = r->row[0], *next = r->row[1];
  const uint8_t *packed;
  memcpy(here, row, pack_stride(b->pack));
  for (; (packed = find_known(r, state)) == NULL; b->fired++) {
    struct backedge edge = backedges_get(&b->edges, state);
    length = code->undo(b->ts, here, length, b->events.event[edge.event], next);
    if (length == 0)
      return REBUILD_OTHER;
    if (length == TS_NONE)
      return REBUILD_OPEN;
    uint8_t *last = here;
    here = next;
    next = last;
    state = edge.parent;
  }
  bool same = pack_unrow(b->pack, packed, next) == length &&
              memcmp(here, next, pack_stride(b->pack)) == 0;
  return same ? REBUILD_SAME : REBUILD_OTHER;
}

/* ---- gathering --------------------------------------------------------------------- */

static uint32_t *slot_of(const struct rebuild *r, uint64_t state) {
  uint64_t at = state * UINT64_C(0x9E3779B97F4A7C15) >> 32;
  for (;; at++) {
    uint32_t *slot = &r->slot[at & (2 * r->room - 1)];
    if (*slot == 0 || r->node[*slot - 1].state == state)
      return slot;
  }
}

/* Nodes from this one on are gone. */
static void drop_nodes(struct rebuild *r, uint64_t from) {
  for (uint64_t i = r->n; i-- > from;)
    *slot_of(r, r->node[i].state) = 0; /* last in, first out: no chain is cut */
  r->n = from;
}

/* Adds the nodes of a way; false: there is no room, and none was added. */
static bool add_way(struct rebuild *r, uint64_t state) {
  const struct back *b = r->back;
  uint64_t start = r->n;
  uint32_t child = REBUILD_NONE;
  for (;;) {
    uint32_t *slot = slot_of(r, state);
    if (child != REBUILD_NONE)
      r->node[child].parent = *slot != 0 ? *slot - 1 : (uint32_t)r->n;
    if (*slot != 0)
      return true;
    if (r->n == r->room) {
      drop_nodes(r, start);
      return false;
    }
    child = (uint32_t)r->n++;
    *slot = child + 1;
    r->node[child] = (struct rebuild_node){.state = state,
                                           .parent = REBUILD_NONE,
                                           .heavy = REBUILD_NONE,
                                           .light = REBUILD_NONE,
                                           .next = REBUILD_NONE,
                                           .want = REBUILD_NONE};
    if (find_known(r, state) != NULL)
      return true;
    struct backedge edge = backedges_get(&b->edges, state);
    r->node[child].event = edge.event;
    state = edge.parent;
  }
}

bool rebuild_add(struct rebuild *r, uint64_t state, uint32_t row) {
  uint64_t start = r->n;
  if (r->n_wants == r->want_room || !add_way(r, state)) {
    r->is_short = true;
    return false;
  }
  if (r->n > start)
    r->first[r->n_ways++] = (uint32_t)start;
  struct rebuild_node *node = &r->node[*slot_of(r, state) - 1];
  r->want[r->n_wants] = (struct rebuild_want){row, node->want};
  node->want = (uint32_t)r->n_wants++;
  return true;
}

/* ---- walking ----------------------------------------------------------------------- */

/* A node whose children are all linked becomes its parent's child. */
static void link_node(struct rebuild *r, uint32_t i) {
  struct rebuild_node *node = &r->node[i];
  node->wanted += node->want != REBUILD_NONE;
  if (node->parent == REBUILD_NONE)
    return;
  struct rebuild_node *parent = &r->node[node->parent];
  uint32_t lighter = i;
  parent->wanted += node->wanted;
  if (parent->heavy == REBUILD_NONE || node->wanted > r->node[parent->heavy].wanted) {
    lighter = parent->heavy;
    parent->heavy = i;
  }
  if (lighter != REBUILD_NONE) {
    r->node[lighter].next = parent->light;
    parent->light = lighter;
  }
}

/* A way ends at a node of an earlier one: from the last way to the first, and along each, a
 * node comes after all that is below it. */
static void link_all(struct rebuild *r) {
  uint64_t end = r->n;
  for (uint64_t way = r->n_ways; way-- > 0;) {
    for (uint64_t i = r->first[way]; i < end; i++)
      link_node(r, (uint32_t)i);
    end = r->first[way];
  }
}

struct walk {
  struct rebuild *r;
  void (*found)(void *context, uint64_t state, uint32_t want, const uint8_t *row,
                uint32_t length);
  void *context;
};

/* The state of this node is in row[depth]. */
static void reach(const struct walk *w, uint32_t i, uint32_t depth) {
  const struct rebuild *r = w->r;
  const struct rebuild_node *node = &r->node[i];
  if (node->want != REBUILD_NONE)
    w->found(w->context, node->state, node->want, r->row[depth], r->length[depth]);
}

/* Fires a child of the state in row[depth] into row[to], by the event that was gathered: it may
 * have got another way since then, which does not begin here. */
static void descend(const struct walk *w, uint32_t child, uint32_t depth, uint32_t to) {
  struct rebuild *r = w->r;
  const struct rebuild_node *node = &r->node[child];
  r->length[to] =
      fire(r, node->state, node->event, r->row[depth], r->length[depth], r->row[to]);
}

/* The child in row[depth + 1] takes the place of its parent. */
static void replace(struct rebuild *r, uint32_t depth) {
  uint8_t *row = r->row[depth];
  r->row[depth] = r->row[depth + 1];
  r->row[depth + 1] = row;
  r->length[depth] = r->length[depth + 1];
}

/* All below the node whose state is in row[0]. */
static void walk_down(const struct walk *w, uint32_t top) {
  struct rebuild *r = w->r;
  uint32_t up[REBUILD_ROWS], depth = 0, here = top;
  reach(w, here, 0);
  for (;;) {
    struct rebuild_node *node = &r->node[here];
    uint32_t child = node->light;
    bool light = child != REBUILD_NONE;
    if (!light)
      child = node->heavy;
    if (child == REBUILD_NONE) {
      if (depth == 0)
        return;
      here = up[--depth];
      continue;
    }
    assert(depth + 2 < REBUILD_ROWS);
    descend(w, child, depth, depth + 1);
    if (light) {
      node->light = r->node[child].next;
      up[depth++] = here;
    } else {
      replace(r, depth);
    }
    here = child;
    reach(w, here, depth);
  }
}

/* More room, as long as it is little for each state that there is, and if there is memory. */
static void grow(struct rebuild *r) {
  enum { FEW = 1 << 17, SHARE = 4 }; /* of few states, other things take a byte each already */
  uint64_t states = r->back->edges.n, nodes = 2 * r->room, wants = 2 * r->want_room;
  uint64_t most = states < FEW ? states / SHARE : states;
  r->is_short = false;
  if (nodes <= MOST_NODES && bytes_of_nodes(nodes) <= most)
    make_nodes(r, nodes);
  if (wants <= MOST_WANTS && bytes_of_wants(wants) <= most)
    make_wants(r, wants);
}

void rebuild_all(struct rebuild *r,
                 void (*found)(void *context, uint64_t state, uint32_t want, const uint8_t *row,
                               uint32_t length),
                 void *context) {
  const struct walk w = {r, found, context};
  link_all(r);
  for (uint32_t i = 0; i < r->n; i++)
    if (r->node[i].parent == REBUILD_NONE) {
      r->length[0] = rebuild_state(r, r->node[i].state, r->row[0]);
      walk_down(&w, i);
    }
  drop_nodes(r, 0);
  r->n_wants = r->n_ways = 0;
  if (r->is_short)
    grow(r);
}
