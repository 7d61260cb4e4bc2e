/* channel_wait.c - what a channel operation waits for: room, a message, a partner. */
#include "ir/channel_wait.h"

#include <stdio.h>

#define MESSAGE_WIDTH 200u

/* An operation of either kind: on a channel that the edge names, or one given by number. */
struct deed {
  uint32_t channel; /* an index into the notes; TS_NONE: none */
  bool sends;
};

static struct deed deed_of(const struct evaluation *e, const struct ir_edge *edge) {
  struct deed deed = {TS_NONE, false};
  if (edge->operation != NULL) {
    deed.channel = evaluate_channel(e, edge->operation->channel);
    deed.sends = edge->operation->is_send;
  } else if (edge->sync != IR_NO_SYNC) {
    deed.channel = edge->channel->index;
    deed.sends = edge->sync == IR_SEND;
  }
  if (deed.channel >= ts_notes(e->shape)->n_channels)
    deed.channel = TS_NONE;
  return deed;
}

/* ---- messages ------------------------------------------------------------------------- */

static uint32_t count(const struct evaluation *e, const struct ts_channel *c) {
  return (uint32_t)ts_value(&e->shape->slot[c->count], e->state);
}

static const char *field_text(struct arena *arena, const struct evaluation *e,
                              const struct ts_channel *c, uint32_t field, int64_t value) {
  const struct ts_field *f = &c->field[field];
  const uint32_t channel =
      f->is_channel && value > 0 ? ts_channel_numbered(e->shape, value, e->state) : TS_NONE;
  if (channel != TS_NONE)
    return ts_notes(e->shape)->channel[channel].name;
  if (f->values != NULL && value >= 0 && value < (int64_t)f->n_values &&
      f->values[value] != NULL)
    return f->values[value];
  return arena_printf(arena, "%lld", (long long)value);
}

static const char *message_text(struct arena *arena, const struct evaluation *e,
                                const struct ts_channel *c, uint32_t message) {
  const char *text = "";
  for (uint32_t i = 0; i < c->n_fields; i++)
    text = arena_printf(
        arena, "%s%s%s", text, i > 0 ? ", " : "",
        field_text(arena, e, c, i, ts_value(&e->shape->slot[c->cells[i] + message], e->state)));
  return text;
}

/* What the receive asks of a message: the values that are not constants. */
static const char *wanted(struct arena *arena, const struct evaluation *e,
                          const struct ir_operation *o) {
  const char *text = "";
  for (uint32_t i = 0; i < o->n_values; i++) {
    const struct ir_expr *x = o->value[i];
    const struct ir_value value =
        x->kind == IR_MATCH ? evaluate(e, x->a) : (struct ir_value){0, false};
    if (value.known && x->a->kind != IR_CONST)
      text = arena_printf(arena, "%s%s%s = %s", text, *text == '\0' ? " (" : ", ",
                          reason_text(arena, x->a), reason_value(arena, e, x->a, value.at));
  }
  return *text == '\0' ? "" : arena_printf(arena, "%s)", text);
}

static const char *receive(struct arena *arena, const struct evaluation *e,
                           const struct ts_channel *c, const struct ir_operation *o) {
  const uint32_t n = count(e, c);
  if (n == 0)
    return arena_printf(arena, "a message in %s, which is empty", c->name);
  if (o == NULL)
    return "";
  for (uint32_t i = 0; i < n && (i == 0 || o->random); i++)
    if (evaluate_fits(e, o, c, i))
      return "";
  return o->random ? arena_printf(arena, "such a message in %s, which has none%s among its %u",
                                  c->name, wanted(arena, e, o), n)
                   : arena_printf(arena, "such a message%s: the first in %s is %s",
                                  wanted(arena, e, o), c->name, message_text(arena, e, c, 0));
}

static const char *send(struct arena *arena, const struct evaluation *e,
                        const struct ts_channel *c) {
  const uint32_t n = count(e, c);
  if (n < c->capacity || e->model->lossy)
    return "";
  return arena_printf(arena, "room in %s, which is full: %u message%s", c->name, n,
                      n == 1 ? "" : "s");
}

/* ---- handshakes ----------------------------------------------------------------------- */

struct partner {
  const char *name; /* of who waits for the other half; NULL: nobody does */
  bool is_open;     /* and its guard holds */
  uint32_t line;
};

/* Whether the process of `other` has an edge here that is the other half. */
static void find_in(const struct evaluation *e, const struct evaluation *other,
                    const struct ir_process *p, const char *name, struct deed deed,
                    struct partner *out) {
  const uint32_t at = evaluate_location(other, p, other->seat);
  (void)e;
  for (uint32_t i = 0; i < p->n_edges && !out->is_open; i++) {
    const struct ir_edge *edge = &p->edge[i];
    if (edge->from != at)
      continue;
    const struct deed half = deed_of(other, edge);
    if (half.channel != deed.channel || half.sends == deed.sends)
      continue;
    const struct ir_value guard =
        edge->guard == NULL ? (struct ir_value){1, true} : evaluate(other, edge->guard);
    *out = (struct partner){name, !guard.known || guard.at != 0, ir_place(edge->span).line};
  }
}

static struct partner find_partner(struct arena *arena, const struct evaluation *e,
                                   struct deed deed) {
  const struct ir_model *m = e->model;
  struct partner found = {0};
  struct evaluation other = *e;
  const uint32_t n = m->has_instances ? m->n_slots : m->n_processes;
  for (uint32_t i = 0; i < n && !found.is_open; i++) {
    other.self = i;
    other.seat = m->has_instances ? evaluate_seat(m, e->shape, e->state, i) : NULL;
    if (i == e->self || (m->has_instances ? other.seat == NULL : m->process[i]->is_property))
      continue;
    const struct ir_process *p = m->has_instances ? other.seat->process : m->process[i];
    find_in(e, &other, p,
            m->has_instances ? arena_printf(arena, "%s[%u]", p->name, i) : p->name, deed,
            &found);
  }
  return found;
}

static const char *handshake(struct arena *arena, const struct evaluation *e,
                             const struct ts_channel *c, struct deed deed) {
  const struct partner p = find_partner(arena, e, deed);
  const char *half = deed.sends ? "receives from" : "sends to";
  if (p.name == NULL)
    return arena_printf(arena, "a partner that %s %s: nobody does now", half, c->name);
  return p.is_open
             ? arena_printf(arena,
                            "a partner that %s %s: %s (line %u) does not fit the message", half,
                            c->name, p.name, p.line)
             : arena_printf(arena, "a partner that %s %s: the guard of %s (line %u) is false",
                            half, c->name, p.name, p.line);
}

const char *channel_wait(struct arena *arena, const struct evaluation *e,
                         const struct ir_edge *edge) {
  const struct deed deed = deed_of(e, edge);
  if (deed.channel == TS_NONE)
    return edge->operation == NULL ? ""
                                   : arena_printf(arena, "a channel: %s is none",
                                                  reason_text(arena, edge->operation->channel));
  const struct ts_channel *c = &ts_notes(e->shape)->channel[deed.channel];
  if (e->model->synchronous)
    return "";
  if (c->capacity == 0)
    return handshake(arena, e, c, deed);
  return deed.sends ? send(arena, e, c) : receive(arena, e, c, edge->operation);
}
