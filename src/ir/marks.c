/* marks.c - what one step touches, while it is worked out.
 *
 * A send to a channel with room and a receive of a message that is there commute, so they are
 * ways of their own. In the midst of an atomic sequence they are not: there a channel that is
 * full or empty ends the sequence, which then does something else; unless its first guard has
 * found room, or a message, for the one operation on that channel (nfull, nempty). The same
 * holds where the question is whether an operation is impossible (else, unless). A sorted send
 * may go in front of the message that a receive would take, and a send that may lose its
 * message always can be done, but does not always do the same.
 */
#include "ir/marks.h"

#include <string.h>

static void count_locations(struct marks *m, const struct ir_process *p, uint32_t *n) {
  m->first[*n + 1] = m->first[*n] + p->n_locations;
  ++*n;
}

static void find_first(struct marks *m) {
  const struct ir_model *model = m->model;
  uint32_t n = model->n_processes;
  for (uint32_t i = 0; model->has_instances && i < model->n_slots; i++)
    n += model->slot[i].n_seats;
  m->first = ARENA_ARRAY(m->arena, n + (size_t)1, uint32_t);
  n = 0;
  for (uint32_t i = 0; model->has_instances && i < model->n_slots; i++)
    for (uint32_t k = 0; k < model->slot[i].n_seats; k++)
      count_locations(m, model->slot[i].seat[k].process, &n);
  for (uint32_t i = 0; !model->has_instances && i < model->n_processes; i++)
    if (!model->process[i]->is_property)
      count_locations(m, model->process[i], &n);
  m->n_items = m->n_slots + 2 + 2 * model->n_channels + m->first[n];
}

void marks_open(struct marks *m, const struct ir_model *model, const struct ts_shape *shape) {
  *m = (struct marks){.model = model, .arena = model->arena, .n_slots = shape->n_slots};
  find_first(m);
  m->place = ARENA_ARRAY(m->arena, m->n_items, uint32_t);
  m->apart = ARENA_ARRAY(m->arena, model->n_channels + (size_t)1, uint16_t);
  m->granted = ARENA_ARRAY(m->arena, model->n_channels, uint16_t);
  m->uses = ARENA_ARRAY(m->arena, 2 * (size_t)model->n_channels, uint32_t);
  set_groups_open(&m->groups, m->arena, shape);
  set_open(&m->reads, &m->groups);
  set_open(&m->writes, &m->groups);
}

void marks_begin(struct marks *m) {
  for (uint32_t i = 0; i < m->list.n; i++)
    m->place[m->list.at[i].item] = 0;
  m->list.n = 0;
  m->guard = m->inner = m->negative = m->once = false;
  for (uint32_t i = 0; i < m->model->n_channels && m->grants; i++)
    m->granted[i] = 0;
  m->grants = false;
  set_begin(&m->reads);
  set_begin(&m->writes);
}

void marks_add(struct marks *m, uint32_t item, unsigned ways) {
  if (m->place[item] == 0) {
    uint32_t channel = item - marks_first_channel(m); /* of others it is too large */
    bool is_channel = channel < m->model->n_channels;
    *ARENA_PUSH(m->arena, &m->list) =
        (struct ts_touch){.item = item, .apart = is_channel ? m->apart[channel] : 0};
    m->place[item] = m->list.n;
  }
  struct ts_touch *touch = &m->list.at[m->place[item] - 1];
  touch->ways |= (uint16_t)ways;
  if (m->guard)
    touch->guard |= (uint16_t)ways;
}

static void take(struct marks *m, struct set *set, unsigned way) {
  const struct set_groups *g = &m->groups;
  for (uint32_t i = 0; i < set->n; i++) {
    if (set->at[i] < g->n_slots) {
      marks_add(m, set->at[i], way);
      continue;
    }
    uint32_t group = set->at[i] - g->n_slots;
    uint32_t end = group + 1 < g->starts.n ? g->starts.at[group + 1] : g->ranges.n;
    for (uint32_t r = g->starts.at[group]; r < end; r++)
      for (uint32_t s = 0; s < g->ranges.at[r].n; s++)
        marks_add(m, g->ranges.at[r].first + s, way);
  }
  set->n = 0;
  set_begin(set);
}

void marks_take(struct marks *m) {
  take(m, &m->reads, TS_READ);
  take(m, &m->writes, TS_WRITE);
}

const struct ts_touch *marks_keep(const struct marks *m) {
  struct ts_touch *at = ARENA_ARRAY(m->arena, m->list.n + (size_t)1, struct ts_touch);
  if (m->list.n > 0)
    memcpy(at, m->list.at, m->list.n * sizeof *at);
  return at;
}

void marks_located(struct marks *m, const struct ir_process *p, uint32_t location) {
  const struct ir_model *model = m->model;
  uint32_t n = 0;
  for (uint32_t i = 0; model->has_instances && i < model->n_slots; i++)
    for (uint32_t k = 0; k < model->slot[i].n_seats; k++, n++)
      if (model->slot[i].seat[k].process == p)
        marks_add(m, marks_location(m, n, location), TS_READ);
  for (uint32_t i = 0; !model->has_instances && i < model->n_processes; i++) {
    if (model->process[i] == p)
      marks_add(m, marks_location(m, n, location), TS_READ);
    n += !model->process[i]->is_property;
  }
}

static void on_rendezvous(struct marks *m, const struct ir_channel *c,
                          const struct ir_operation *o) {
  if (m->negative) {
    if (o->is_send) /* a receive alone is never possible */
      marks_add(m, marks_offer(m, c), TS_READ);
    return;
  }
  if (o->is_send && m->inner)
    marks_add(m, marks_offer(m, c), TS_READ);
  marks_add(m, marks_channel(m, c), o->is_send ? TS_CALL : TS_ANSWER);
}

void marks_grant(struct marks *m, const struct ir_channel *c, unsigned way) {
  m->granted[c->index] |= (uint16_t)way;
  m->grants = true;
}

/* Whether it is possible in the midst of a sequence whatever others have done before. */
static bool is_granted(const struct marks *m, const struct ir_channel *c,
                       const struct ir_operation *o) {
  return m->once && m->certain && !o->random && m->uses[2 * c->index + o->is_send] == 1 &&
         (m->granted[c->index] & (o->is_send ? TS_ROOM : TS_ANY));
}

void marks_operation(struct marks *m, const struct ir_channel *c,
                     const struct ir_operation *o) {
  unsigned way = o->is_send ? TS_SEND : TS_RECEIVE;
  if (c->capacity == 0) {
    on_rendezvous(m, c, o);
    return;
  }
  if (m->negative || (!o->is_send && o->keep))
    way = TS_READ;
  else if ((m->inner && !is_granted(m, c, o)) || o->sorted || (o->is_send && m->model->lossy))
    way = TS_WRITE;
  marks_add(m, marks_channel(m, c), way);
  if (m->guard && way == TS_RECEIVE && o->random) /* a message that is sent may be the one */
    m->list.at[m->place[marks_channel(m, c)] - 1].guard |= TS_READ;
}
