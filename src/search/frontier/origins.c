/* origins.c - the ring of actions, and how it grows. */
#include "search/frontier/origins.h"

enum { FIRST_ROOM = 1024 }; /* more than any range has rows */

static size_t bytes_of(const struct origins *o, uint64_t room) {
  return room * (o->wide ? sizeof(uint32_t) : sizeof(uint16_t));
}

bool origins_open(struct origins *o, const struct ts_shape *shape, struct budget *budget) {
  *o = (struct origins){.budget = budget, .wide = shape->n_actions >= ORIGINS_NARROW};
  o->at = budget_alloc(budget, BUDGET_OPEN, bytes_of(o, FIRST_ROOM));
  o->room = o->at == NULL ? 0 : FIRST_ROOM;
  return o->at != NULL;
}

void origins_free(struct origins *o) {
  if (o->at != NULL)
    budget_free(o->budget, BUDGET_OPEN, o->at, bytes_of(o, o->room));
  o->at = NULL;
}

/* What is kept of an edge. */
static inline uint32_t kept(const struct ts_edge *edge, uint32_t none) {
  return (edge->event.action & none) | (open_is_of_few(edge) ? none + 1 : 0);
}

static void set(struct origins *o, uint64_t i, uint32_t action) {
  if (o->wide)
    ((uint32_t *)o->at)[i & (o->room - 1)] = action;
  else
    ((uint16_t *)o->at)[i & (o->room - 1)] = (uint16_t)action;
}

/* Room for `open` actions, those from `head` on stay. */
static bool grow(struct origins *o, uint64_t head, uint64_t open) {
  struct origins more = *o;
  while (more.room < open)
    more.room *= 2;
  more.at = budget_alloc(o->budget, BUDGET_OPEN, bytes_of(o, more.room));
  if (more.at == NULL)
    return false;
  for (uint64_t i = head; i < o->end; i++)
    set(&more, i, origins_at(o, i));
  origins_free(o);
  *o = more;
  return true;
}

/* The actions of rows that are not new are written, too, and then over them: a branch could
 * not be predicted. */
bool origins_add(struct origins *o, const struct open_range *range, uint64_t head) {
  const struct rows *rows = range->rows;
  const struct ts_edge *edge = rows->batch.edge;
  uint64_t open = o->end - head + (range->to - range->from);
  if (open > o->room && !grow(o, head, open))
    return false;
  uint64_t end = o->end, mask = o->room - 1;
  if (o->wide) {
    uint32_t *at = o->at;
    for (uint32_t i = range->from; i < range->to; i++) {
      at[end & mask] = kept(&edge[i], ORIGINS_WIDE);
      end += rows->answer[i] == STORE_NEW;
    }
  } else {
    uint16_t *at = o->at;
    for (uint32_t i = range->from; i < range->to; i++) {
      at[end & mask] = (uint16_t)kept(&edge[i], ORIGINS_NARROW);
      end += rows->answer[i] == STORE_NEW;
    }
  }
  o->end = end;
  return true;
}

bool origins_pass(struct origins *o, uint64_t head, struct sink *sink) {
  uint64_t end = o->end;
  sink_pass(sink, &end, sizeof end);
  if (end < head)
    sink_refuse(sink, "has fewer open states than none");
  if (sink_is_read(sink)) {
    o->end = head;
    if (!sink_is_fine(sink) || (end - head > o->room && !grow(o, head, end - head)))
      return false;
    o->end = end;
  }
  for (uint64_t i = head; i < end && sink_is_fine(sink); i++) {
    uint32_t action = sink_is_read(sink) ? 0 : origins_at(o, i);
    sink_pass(sink, &action, sizeof action);
    set(o, i, action);
  }
  return sink_is_fine(sink);
}
