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
  m->guard = m->inner = m->negative = m->once = m->tests = m->picks = m->early = false;
  for (uint32_t i = 0; i < m->model->n_channels && m->grants; i++)
    m->granted[i] = 0;
  m->grants = false;
  set_begin(&m->reads);
  set_begin(&m->writes);
}

/* Of `ways`, which come in now, some are not so far done in another manner than this; `only`:
 * those that were done in no other. */
static uint16_t add_only(const struct ts_touch *touch, uint16_t only, unsigned ways, bool so) {
  unsigned otherwise = touch->ways & ~(unsigned)only;
  return (uint16_t)(so ? only | (ways & ~otherwise) : only & ~ways);
}

static struct ts_touch *add(struct marks *m, uint32_t item, unsigned ways) {
  if (m->place[item] == 0) {
    uint32_t channel = item - marks_first_channel(m); /* of others it is too large */
    bool is_channel = channel < m->model->n_channels;
    *ARENA_PUSH(m->arena, &m->list) =
        (struct ts_touch){.item = item, .apart = is_channel ? m->apart[channel] : 0};
    m->place[item] = m->list.n;
  }
  struct ts_touch *touch = &m->list.at[m->place[item] - 1];
  touch->tested = add_only(touch, touch->tested, ways, m->tests);
  touch->picked = add_only(touch, touch->picked, ways, m->picks);
  touch->ways |= (uint16_t)ways;
  if (m->guard)
    touch->guard |= (uint16_t)ways;
  return touch;
}

void marks_add(struct marks *m, uint32_t item, unsigned ways) {
  struct ts_touch *touch = add(m, item, ways);
  touch->bounded &= !(ways & TS_WRITE);
}

void marks_write(struct marks *m, uint32_t slot, uint32_t n, const struct ir_range *range) {
  for (uint32_t i = 0; i < n; i++) {
    const struct ts_touch *known =
        m->place[slot + i] == 0 ? NULL : &m->list.at[m->place[slot + i] - 1];
    bool again = known != NULL && (known->ways & TS_WRITE);
    struct ts_touch *touch = add(m, slot + i, TS_WRITE);
    if (range == NULL || (again && !touch->bounded)) {
      touch->bounded = false;
      continue;
    }
    touch->low = again && touch->low < range->low ? touch->low : range->low;
    touch->high = again && touch->high > range->high ? touch->high : range->high;
    touch->bounded = true;
  }
}

const struct ir_expr *marks_index_variable(const struct ir_expr *index, int32_t *offset) {
  enum { FAR = 1 << 16 };
  *offset = 0;
  if ((index->kind == IR_ADD || index->kind == IR_SUB) && index->b->kind == IR_CONST &&
      index->b->value > -FAR && index->b->value < FAR) {
    *offset = index->kind == IR_ADD ? index->b->value : -index->b->value;
    index = index->a;
  }
  bool fine = (index->kind == IR_VARIABLE || index->kind == IR_ELEMENT) &&
              !index->variable->is_const && !index->variable->is_hidden &&
              index->variable->length > 0;
  return fine ? index : NULL;
}

static bool is_written(const struct marks *m, uint32_t item) {
  return m->place[item] != 0 && (m->list.at[m->place[item] - 1].ways & TS_WRITE);
}

bool marks_pick(struct marks *m, struct marks_index index, struct ts_range elements,
                unsigned way, const struct ir_range *range) {
  if (!m->early || is_written(m, index.slot))
    return false;
  *ARENA_PUSH(m->arena, &m->pick) =
      (struct ts_pick){index.slot, index.offset, elements.first, elements.n, (uint16_t)way};
  m->picks = true;
  for (uint32_t i = 0; i < elements.n && way == TS_READ; i++)
    marks_add(m, elements.first + i, TS_READ);
  if (way == TS_WRITE)
    marks_write(m, elements.first, elements.n, range);
  m->picks = false;
  return true;
}

const struct ir_range *marks_stored(const struct ir_range *range, const struct ir_type *type) {
  struct ir_range fits = ir_type_range(type);
  return range->low >= fits.low && range->high <= fits.high ? range : NULL;
}

void marks_begin_part(struct marks *m) {
  marks_take(m);
  m->tests = m->left > 0;
  m->left -= m->left > 0;
}

void marks_end_part(struct marks *m) {
  marks_take(m);
  m->tests = false;
}

bool marks_begin_index(struct marks *m, const struct ir_expr *element) {
  bool tests = m->tests;
  struct ir_range range = ir_range(element->a);
  if (tests && (range.low < 0 || (int64_t)range.high >= (int64_t)element->variable->length)) {
    marks_take(m);
    m->tests = false;
  }
  return tests;
}

void marks_end_index(struct marks *m, bool tests) {
  if (tests != m->tests)
    marks_take(m);
  m->tests = tests;
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
