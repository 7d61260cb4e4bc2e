/* automaton_nodes.c - hash-consed nodes in one array, freed when nothing leads there.
 *
 * A node's hash is the sum of its edges' hashes, so that of a node which differs from another
 * in a few edges takes a few steps; with it the node is looked for before anything is
 * copied. Free nodes wait in lists by size: exact up to 32 edges, then four sizes to each
 * doubling.
 */
#include "store/automaton_nodes.h"

#include "base/array.h"
#include "store/room/save.h"

#include <string.h>

#define HEAD_UNITS 2u
#define EXACT      32u

static inline struct automaton_node *node_at(const struct automaton_nodes *t, uint32_t id) {
  return automaton_node(t, id);
}

/* The list of nodes with room for n edges, and how many edges that is. */
static uint32_t size_class(uint32_t n, uint32_t *room) {
  if (n <= EXACT) {
    *room = n;
    return n;
  }
  uint32_t log = 31u - (uint32_t)__builtin_clz(n - 1), step = 1u << (log - 2);
  uint32_t part = (n - 1 - (1u << log)) / step;
  *room = (1u << log) + (part + 1) * step;
  return EXACT + 1 + 4 * (log - 5) + part;
}

static uint32_t room_of(uint32_t n) {
  uint32_t room;
  size_class(n, &room);
  return room;
}

static inline uint32_t edge_hash(struct automaton_edge e) {
  uint64_t x = ((uint64_t)e.low << 32 | e.child) + UINT64_C(0x9E3779B97F4A7C15);
  x = (x ^ x >> 29) * UINT64_C(0xA0761D6478BD642F);
  return (uint32_t)(x >> 32 ^ x);
}

static inline uint32_t *slot_of(const struct automaton_nodes *t, uint32_t hash) {
  uint64_t own = (hash & t->hash_mask) * UINT64_C(0x9E3779B97F4A7C15) >> 32;
  return t->slot + (own & (t->slots - 1));
}

bool automaton_nodes_open(struct automaton_nodes *t, struct budget *budget,
                          uint64_t hash_mask) {
  *t = (struct automaton_nodes){.budget = budget, .hash_mask = hash_mask};
  t->end = 2; /* the numbers AUTOMATON_DEAD and AUTOMATON_WORD */
  t->slots = 64;
  t->slot = array_resize(budget, BUDGET_STORE, NULL, 0, t->slots * sizeof *t->slot);
  t->unit =
      t->slot ? array_resize(budget, BUDGET_STORE, NULL, 0, 1024 * sizeof *t->unit) : NULL;
  t->capacity = 1024;
  if (t->unit)
    return true;
  if (t->slot)
    array_free(budget, BUDGET_STORE, t->slot, t->slots * sizeof *t->slot);
  return false;
}

void automaton_nodes_close(struct automaton_nodes *t) {
  if (!t->unit)
    return;
  array_free(t->budget, BUDGET_STORE, t->unit, t->capacity * sizeof *t->unit);
  array_free(t->budget, BUDGET_STORE, t->slot, t->slots * sizeof *t->slot);
}

void automaton_nodes_save(const struct automaton_nodes *t, struct sink *sink) {
  sink_section(sink, "nodes");
  sink_put_number(sink, t->end);
  sink_put_number(sink, t->nodes);
  sink_put_number(sink, t->free_units);
  sink_put_number(sink, t->widest);
  sink_put(sink, t->free, sizeof t->free);
  array_save(sink, t->unit, t->capacity, t->end, sizeof *t->unit);
  array_save(sink, t->slot, t->slots, 0, sizeof *t->slot);
  sink_put(sink, t->slot, t->slots * sizeof *t->slot);
}

bool automaton_nodes_load(struct automaton_nodes *t, struct sink *sink) {
  void *unit = t->unit, *slot = t->slot;
  sink_section(sink, "nodes");
  t->end = sink_take_count(sink, UINT32_MAX);
  t->nodes = sink_take_count(sink, t->end);
  t->free_units = sink_take_count(sink, t->end);
  t->widest = (uint32_t)sink_take_count(sink, UINT32_MAX);
  sink_take(sink, t->free, sizeof t->free);
  bool fine =
      array_load(sink, t->budget, BUDGET_STORE, &unit, &t->capacity, t->end, sizeof *t->unit) &&
      array_load(sink, t->budget, BUDGET_STORE, &slot, &t->slots, 0, sizeof *t->slot);
  t->unit = unit;
  t->slot = slot;
  if (fine)
    sink_take(sink, t->slot, t->slots * sizeof *t->slot);
  if ((t->slots & (t->slots - 1)) != 0)
    sink_refuse(sink, "has nodes in a table of another form");
  return fine && sink_is_fine(sink);
}

/* Twice as many slots, in place: a list goes to the slot of its own number or that after the
 * old end. */
static bool grow_slots(struct automaton_nodes *t) {
  uint64_t bytes = t->slots * sizeof *t->slot, old = t->slots;
  uint32_t *slot = array_resize(t->budget, BUDGET_STORE, t->slot, bytes, 2 * bytes);
  if (!slot)
    return false;
  t->slot = slot;
  t->slots = 2 * old;
  for (uint64_t i = 0; i < old; i++) {
    uint32_t id = slot[i], next;
    slot[i] = 0;
    for (; id != 0; id = next) {
      struct automaton_node *node = node_at(t, id);
      uint32_t *home = slot_of(t, node->hash);
      next = node->next;
      node->next = *home;
      *home = id;
    }
  }
  return true;
}

bool automaton_nodes_reserve(struct automaton_nodes *t, uint64_t nodes, uint64_t edges) {
  while (t->nodes + nodes > t->slots) {
    if (!grow_slots(t))
      return false;
  }
  /* The rooms of long nodes are up to a quarter longer than need be. */
  uint64_t needed = t->end + nodes * (HEAD_UNITS + 1) + edges + edges / 4;
  if (needed <= t->capacity)
    return true;
  if (needed > UINT32_MAX)
    return false;
  uint64_t bytes = t->capacity * sizeof *t->unit, next = t->capacity + t->capacity / 8;
  next = array_size((next < needed + 512 ? needed + 512 : next) * sizeof *t->unit);
  uint64_t *unit = array_resize(t->budget, BUDGET_STORE, t->unit, bytes, next);
  if (!unit)
    return false;
  t->unit = unit;
  t->capacity = next / sizeof *t->unit;
  return true;
}

/* Appends an edge to those that come, unless it leads where the last one does. */
static void add(struct automaton_change *c, uint32_t low, uint32_t child) {
  uint32_t last = c->come > 0 ? c->edge[c->come - 1].child : AUTOMATON_DEAD;
  if ((c->come > 0 || c->from == 0) && last == child)
    return;
  c->edge[c->come++] = (struct automaton_edge){low, child};
}

void automaton_change(struct automaton_change *c, const struct automaton_node *old,
                      uint32_t symbol, uint32_t child) {
  uint32_t n = old ? old->n : 0, at = old ? automaton_edge_of(old, symbol) : 0, to;
  uint32_t low = 0, before = AUTOMATON_DEAD, hash = old ? old->hash : 0;
  bool inside = n > 0 && at < n;
  if (inside) {
    low = old->edge[at].low;
    before = old->edge[at].child;
    to = at + 1;
  } else {
    at = to = 0;
  }
  c->old = old;
  c->come = 0;
  c->from = inside && at > 0 ? at - 1 : at;
  if (c->from < at)
    add(c, old->edge[c->from].low, old->edge[c->from].child);
  if (inside && low < symbol)
    add(c, low, before);
  add(c, symbol, child);
  if (to == n || old->edge[to].low > symbol + 1)
    add(c, symbol + 1, before);
  if (to < n) {
    add(c, old->edge[to].low, old->edge[to].child);
    to++;
  }
  c->gone = to - c->from;
  for (uint32_t i = 0; i < c->gone; i++)
    hash -= edge_hash(old->edge[c->from + i]);
  for (uint32_t i = 0; i < c->come; i++)
    hash += edge_hash(c->edge[i]);
  c->hash = hash;
}

static inline uint32_t edges_after(const struct automaton_change *c) {
  return (c->old ? c->old->n : 0) - c->gone + c->come;
}

/* The mask, without which tests would never get past the hash, costs one instruction. */
static bool is_it(const struct automaton_nodes *t, const struct automaton_node *node,
                  const struct automaton_change *c) {
  const struct automaton_edge *edge = node->edge;
  uint32_t n = edges_after(c), rest = c->from + c->come, size = sizeof *edge;
  if (((node->hash ^ c->hash) & t->hash_mask) != 0 || node->n != n)
    return false;
  for (uint32_t i = 0; i < c->come; i++) {
    if (edge[c->from + i].low != c->edge[i].low || edge[c->from + i].child != c->edge[i].child)
      return false;
  }
  if (!c->old)
    return true;
  return (c->from == 0 || memcmp(edge, c->old->edge, c->from * size) == 0) &&
         (n == rest ||
          memcmp(edge + rest, c->old->edge + c->from + c->gone, (n - rest) * size) == 0);
}

static uint32_t look_up(const struct automaton_nodes *t, const struct automaton_change *c) {
  uint32_t id = *slot_of(t, c->hash);
  while (id != 0 && !is_it(t, node_at(t, id), c))
    id = node_at(t, id)->next;
  return id;
}

static inline void hold(const struct automaton_nodes *t, uint32_t id) {
  if (id > AUTOMATON_WORD)
    node_at(t, id)->refs++;
}

static void link_node(struct automaton_nodes *t, uint32_t id) {
  struct automaton_node *node = node_at(t, id);
  uint32_t *slot = slot_of(t, node->hash);
  node->next = *slot;
  *slot = id;
  t->nodes++;
}

static void unlink_node(struct automaton_nodes *t, uint32_t id) {
  struct automaton_node *node = node_at(t, id);
  uint32_t *from = slot_of(t, node->hash);
  while (*from != id)
    from = &node_at(t, *from)->next;
  *from = node->next;
  t->nodes--;
}

static uint32_t take_room(struct automaton_nodes *t, uint32_t n) {
  uint32_t room, list = size_class(n, &room), id = t->free[list];
  if (id != 0) {
    t->free[list] = node_at(t, id)->next;
    t->free_units -= HEAD_UNITS + room;
    return id;
  }
  id = (uint32_t)t->end;
  t->end += HEAD_UNITS + room;
  return id;
}

/* The depth of this recursion is that of the automaton. */
void automaton_drop(struct automaton_nodes *t, uint32_t id) {
  if (id <= AUTOMATON_WORD)
    return;
  struct automaton_node *node = node_at(t, id);
  if (--node->refs > 0)
    return;
  unlink_node(t, id);
  for (uint32_t i = 0; i < node->n; i++)
    automaton_drop(t, node->edge[i].child);
  uint32_t room, list = size_class(node->n, &room);
  t->free_units += HEAD_UNITS + room;
  node->next = t->free[list];
  node->refs = 0;
  t->free[list] = id;
}

/* A new node with the changed edges. */
static uint32_t copy(struct automaton_nodes *t, const struct automaton_change *c) {
  uint32_t n = edges_after(c), rest = c->from + c->come, id = take_room(t, n);
  struct automaton_node *node = node_at(t, id);
  node->refs = 1;
  node->hash = c->hash;
  node->n = n;
  t->widest = n > t->widest ? n : t->widest;
  memcpy(node->edge + c->from, c->edge, c->come * sizeof *c->edge);
  if (c->old) {
    memcpy(node->edge, c->old->edge, c->from * sizeof *c->edge);
    memcpy(node->edge + rest, c->old->edge + c->from + c->gone, (n - rest) * sizeof *c->edge);
  }
  for (uint32_t i = 0; i < n; i++)
    hold(t, node->edge[i].child);
  link_node(t, id);
  return id;
}

/* Changes a node where it is. */
static void change_in_place(struct automaton_nodes *t, uint32_t id,
                            const struct automaton_change *c) {
  struct automaton_node *node = node_at(t, id);
  uint32_t n = edges_after(c), rest = c->from + c->come;
  uint32_t old[5];
  unlink_node(t, id);
  for (uint32_t i = 0; i < c->come; i++)
    hold(t, c->edge[i].child);
  for (uint32_t i = 0; i < c->gone; i++)
    old[i] = node->edge[c->from + i].child;
  memmove(node->edge + rest, node->edge + c->from + c->gone, (n - rest) * sizeof *c->edge);
  memcpy(node->edge + c->from, c->edge, c->come * sizeof *c->edge);
  node->n = n;
  t->widest = n > t->widest ? n : t->widest;
  node->hash = c->hash;
  link_node(t, id);
  for (uint32_t i = 0; i < c->gone; i++)
    automaton_drop(t, old[i]);
}

uint32_t automaton_make(struct automaton_nodes *t, uint32_t id, bool own,
                        const struct automaton_change *c, uint32_t child) {
  uint32_t made = look_up(t, c);
  if (made != 0) {
    hold(t, made);
  } else if (own && room_of(edges_after(c)) == room_of(c->old->n)) {
    change_in_place(t, id, c);
    made = id;
  } else {
    made = copy(t, c);
  }
  automaton_drop(t, child);
  return made;
}

uint64_t automaton_nodes_reserved(const struct automaton_nodes *t) {
  return t->capacity * sizeof *t->unit + t->slots * sizeof *t->slot;
}

uint64_t automaton_nodes_used(const struct automaton_nodes *t) {
  return (t->end - t->free_units) * sizeof *t->unit + t->slots * sizeof *t->slot;
}

/* A node's edges are in order, merged and hashed; whatever follows it differs from it. */
static const char *check_node(const struct automaton_nodes *t, uint32_t id) {
  const struct automaton_node *node = node_at(t, id);
  uint32_t hash = 0, last = AUTOMATON_DEAD;
  for (uint32_t i = 0; i < node->n; i++) {
    if (i > 0 && node->edge[i].low <= node->edge[i - 1].low)
      return "automaton: edges are out of order";
    if (node->edge[i].child == last)
      return "automaton: neighbouring edges lead to the same node";
    last = node->edge[i].child;
    if (last >= t->end)
      return "automaton: an edge leads beyond the last node";
    hash += edge_hash(node->edge[i]);
  }
  if (hash != node->hash)
    return "automaton: a node's hash is not that of its edges";
  if (node->n > 0 && last != AUTOMATON_DEAD)
    return "automaton: a range without end";
  for (uint32_t i = node->next; i != 0; i = node_at(t, i)->next) {
    const struct automaton_node *other = node_at(t, i);
    if (other->n == node->n &&
        memcmp(other->edge, node->edge, node->n * sizeof *node->edge) == 0)
      return "automaton: two nodes are equal";
  }
  return NULL;
}

/* All nodes in their slots. A slot's list is no longer than there are nodes. */
static const char *check_slots(const struct automaton_nodes *t, uint64_t *units) {
  uint64_t found = 0;
  for (uint64_t i = 0; i < t->slots; i++) {
    for (uint32_t id = t->slot[i]; id != 0; id = node_at(t, id)->next) {
      if (id >= t->end || ++found > t->nodes)
        return "automaton: the list of a slot is broken";
      if (slot_of(t, node_at(t, id)->hash) != t->slot + i)
        return "automaton: a node is in another's slot";
      *units += HEAD_UNITS + room_of(node_at(t, id)->n);
    }
  }
  return found == t->nodes ? NULL : "automaton: the number of nodes is wrong";
}

/* The free nodes, and with those in use they are all of the array. */
static const char *check_free(const struct automaton_nodes *t, uint64_t used) {
  uint64_t units = 0;
  for (uint32_t list = 0; list < AUTOMATON_SIZES; list++) {
    for (uint32_t id = t->free[list]; id != 0; id = node_at(t, id)->next) {
      uint32_t room;
      if (id >= t->end || units > t->end || size_class(node_at(t, id)->n, &room) != list)
        return "automaton: a list of free nodes is broken";
      units += HEAD_UNITS + room;
    }
  }
  return units == t->free_units && units + used + 2 == t->end
             ? NULL
             : "automaton: nodes in use and free ones are not all there are";
}

/* Words from a node on, kept by its number once known. */
static uint64_t count(const struct automaton_nodes *t, uint32_t id, uint64_t *known,
                      uint32_t *refs) {
  if (id <= AUTOMATON_WORD)
    return id;
  const struct automaton_node *node = node_at(t, id);
  refs[id]++;
  if (known[id] != 0)
    return known[id];
  for (uint32_t i = 0; i + 1 < node->n; i++)
    known[id] += (node->edge[i + 1].low - node->edge[i].low) *
                 count(t, node->edge[i].child, known, refs);
  return known[id];
}

/* Every node by itself; of no edge is its number trusted before. */
static const char *check_nodes(const struct automaton_nodes *t) {
  const char *broken = NULL;
  for (uint64_t i = 0; !broken && i < t->slots; i++) {
    for (uint32_t id = t->slot[i]; !broken && id != 0; id = node_at(t, id)->next)
      broken = check_node(t, id);
  }
  return broken;
}

static const char *check_refs(const struct automaton_nodes *t, const uint32_t *refs) {
  for (uint64_t i = 0; i < t->slots; i++) {
    for (uint32_t id = t->slot[i]; id != 0; id = node_at(t, id)->next) {
      if (node_at(t, id)->refs != refs[id])
        return "automaton: a node's references are miscounted";
    }
  }
  return NULL;
}

const char *automaton_nodes_check(const struct automaton_nodes *t, uint32_t root,
                                  uint64_t *words) {
  uint64_t used = 0;
  const char *broken = check_slots(t, &used);
  if (!broken)
    broken = check_free(t, used);
  if (!broken)
    broken = check_nodes(t);
  if (broken)
    return broken;
  size_t size = t->end * (sizeof(uint64_t) + sizeof(uint32_t));
  uint64_t *known = budget_alloc(t->budget, BUDGET_OTHER, size);
  if (!known)
    return NULL;
  uint32_t *refs = (uint32_t *)(known + t->end);
  *words = count(t, root, known, refs);
  broken = check_refs(t, refs);
  budget_free(t->budget, BUDGET_OTHER, known, size);
  return broken;
}
