/* place.c - channels that are given by number: which one, its cells, and whether an
 * operation on it can be done.
 *
 * A constant number, the usual case, becomes straight code with constant offsets.
 * Otherwise the number is looked up, in a table or (where processes with channels of
 * their own come and go) by a function, and the code is printed for each kind of
 * channel that is laid out alike, with the offset in a variable. Conditions look at
 * `now`.
 */
#include "native/emit/emit.h"

#include <stdio.h>
#include <string.h>

/* ---- kinds of channels --------------------------------------------------------------- */

static bool alike(const struct ir_channel *a, const struct ir_channel *b) {
  if (a->capacity != b->capacity || a->n_fields != b->n_fields)
    return false;
  for (uint32_t f = 0; f < a->n_fields; f++) {
    const struct ir_type *x = a->field[f], *y = b->field[f];
    if (x != y && (!x || !y || x->bits != y->bits || x->is_signed != y->is_signed))
      return false;
  }
  return true;
}

void emit_find_kinds(struct emit *e) {
  const struct ir_model *m = e->model;
  e->kind = ARENA_ARRAY(e->arena, m->n_channels + (size_t)1, const struct ir_channel *);
  e->kind_number = ARENA_ARRAY(e->arena, m->n_channels + (size_t)1, uint32_t);
  for (uint32_t i = 0; i < m->n_channels; i++) {
    const struct ir_channel *c = m->channel[i];
    uint32_t k = 0;
    while (k < e->n_kinds && !alike(e->kind[k], c))
      k++;
    if (k == e->n_kinds)
      e->kind[e->n_kinds++] = c;
    e->kind_number[i] = k;
    e->n_global_channels += !c->owner;
    e->has_own_channels |= c->owner && c->owner->n_seats;
    if (c->n_fields > e->most_fields)
      e->most_fields = c->n_fields;
  }
}

/* The component of a global buffered channel: they follow the globals, in order. */
static uint32_t component_of(const struct emit *e, const struct ir_channel *c) {
  if (!c->capacity)
    return 0;
  return e->shape->variable[e->shape->slot[c->data_slot].variable].component;
}

static const struct ir_channel *by_number(const struct emit *e, int32_t number) {
  for (uint32_t i = 0, k = 0; i < e->model->n_channels; i++)
    if (!e->model->channel[i]->owner && (int32_t)++k == number)
      return e->model->channel[i];
  return NULL;
}

const struct ir_channel *emit_constant_channel(const struct emit *e, const struct ir_expr *x,
                                               struct emit_place *place) {
  struct ir_range r = ir_range(x);
  if (r.low != r.high)
    return NULL;
  const struct ir_channel *c = by_number(e, r.low);
  if (c) {
    place->channel = c;
    snprintf(place->at, sizeof place->at, "%u", c->data_offset);
    snprintf(place->component, sizeof place->component, "%u", component_of(e, c));
    snprintf(place->number, sizeof place->number, "%d", (int)r.low);
    place->value = (uint32_t)r.low;
  }
  return c;
}

bool emit_search_channel(struct emit *e, const struct emit_context *in, const struct ir_expr *x,
                         struct emit_place *place, char kind[24]) {
  size_t from = e->expr.length;
  uint32_t label = e->labels++;
  uint32_t fault = emit_fault(e, x, EMIT_FAULT, x->span, "no such channel");
  emit_operand(e, in, x);
  emit_spill(e, from);
  snprintf(place->number, sizeof place->number, "%s", e->expr.failed ? "0" : e->expr.at + from);
  emit_drop(e, from);
  snprintf(place->at, sizeof place->at, "atL%u", label);
  snprintf(place->component, sizeof place->component, "ofL%u", label);
  snprintf(kind, 24, "kindL%u", label);
  place->value = 0;
  e->helpers |= EMIT_CHANNELS;
  if (e->has_own_channels) {
    emit_line(e, "uint32_t atL%u = 0, ofL%u = 0;", label, label);
    emit_line(e, "uint32_t kindL%u = find_channel(%s, %s, &atL%u, &ofL%u);", label, in->now,
              place->number, label, label);
    emit_check(e, in, fault, "kindL%u == TS_NONE", label);
  } else {
    emit_check(e, in, fault, "(uint32_t)(%s - 1) >= %uu", place->number, e->n_global_channels);
  }
  place->searched = e->out->length;
  return e->n_kinds > 1;
}

/* Tables by the number of a channel. */
static const struct {
  const char *type, *name;
  unsigned helper;
} channel_table[] = {{"uint32_t", "channel_at", EMIT_CHANNEL_AT},
                     {"uint32_t", "channel_of", EMIT_CHANNEL_OF},
                     {"uint8_t", "channel_kind", EMIT_CHANNEL_KIND}};

void emit_end_search(struct emit *e, const struct emit_place *place, const char *kind) {
  const char *const word[] = {place->at, place->component, kind};
  char line[120];
  if (e->has_own_channels) {
    e->helpers |= EMIT_CHANNEL_AT | EMIT_CHANNEL_OF | EMIT_CHANNEL_KIND;
    return;
  }
  for (int t = 0; t < 3; t++) {
    snprintf(line, sizeof line, "const uint32_t %s = %s[%s];", word[t], channel_table[t].name,
             place->number);
    if (emit_declare(e, place->searched, word[t], line))
      e->helpers |= channel_table[t].helper;
  }
}

static void print_tables(struct emit *e) {
  const struct ir_model *m = e->model;
  for (int t = 0; t < 3; t++) {
    if (!(e->helpers & channel_table[t].helper))
      continue;
    text_printf(&e->tables, "static const %s %s[] = {0", channel_table[t].type,
                channel_table[t].name);
    for (uint32_t i = 0; i < m->n_channels; i++) {
      const struct ir_channel *c = m->channel[i];
      if (!c->owner)
        text_printf(&e->tables, ", %u",
                    t == 0   ? c->data_offset
                    : t == 1 ? component_of(e, c)
                             : e->kind_number[i]);
    }
    text_puts(&e->tables, "};\n");
  }
}

static void print_own_channels(struct emit *e, const struct ir_process *p) {
  const struct ir_model *m = e->model;
  emit_line(e, "case %u:", p->index + 1);
  emit_line(e, "  if (number < %u)", p->n_own_channels);
  emit_line(e, "    switch (number) {");
  for (uint32_t i = 0, k = 0; i < m->n_channels; i++) {
    const struct ir_channel *c = m->channel[i];
    if (c->owner != p)
      continue;
    emit_line(e, "    case %u:", k++);
    emit_line(e, "      *at = slot_at[k] + %u;", c->capacity ? c->data_offset : 0);
    emit_line(e, "      return %u;", e->kind_number[i]);
  }
  emit_line(e, "    }");
  emit_line(e, "  number -= %u;", p->n_own_channels);
  emit_line(e, "  break;");
}

/* Own channels are numbered after the global ones, by the numbers of their processes. */
void emit_find_channel(struct emit *e) {
  const struct ir_model *m = e->model;
  print_tables(e);
  if (!e->has_own_channels)
    return;
  e->out = &e->tables;
  emit_line(e, "\nstatic uint32_t find_channel(const uint8_t *s, int32_t number, uint32_t *at, "
               "uint32_t *of) {");
  e->depth = 1;
  emit_line(e, "uint32_t k;");
  emit_line(e, "if (number < 1) return TS_NONE;");
  emit_line(e, "if (number <= %u) {", e->n_global_channels);
  emit_line(e, "  *at = channel_at[number];");
  emit_line(e, "  *of = channel_of[number];");
  emit_line(e, "  return channel_kind[number];");
  emit_line(e, "}");
  emit_line(e, "number -= %u;", e->n_global_channels + 1);
  emit_line(e, "for (k = 0; k < LIVE(s); k++) {");
  emit_line(e, "  *of = FIRST_SLOT + k;");
  emit_line(e, "  switch (template_of(s, (int32_t)k)) {");
  for (uint32_t p = 0; p < m->n_processes; p++)
    if (m->process[p]->n_own_channels && m->process[p]->n_seats)
      print_own_channels(e, m->process[p]);
  emit_line(e, "  default:\n      break;");
  emit_line(e, "  }");
  emit_line(e, "}");
  emit_line(e, "return TS_NONE;");
  e->depth = 0;
  emit_line(e, "}");
  e->out = &e->body;
}

/* ---- cells --------------------------------------------------------------------------- */

uint32_t emit_place_column(const struct ir_channel *c, uint32_t f) {
  return ir_channel_cell(c, 0, f).offset - c->data_offset;
}

static bool is_signed_field(const struct ir_channel *c, uint32_t f) {
  return !c->field[f] || c->field[f]->is_signed;
}

const char *emit_place_cell(char *out, size_t size, const struct emit_place *p,
                            const char *base, uint32_t f, const char *index) {
  const struct ir_channel *c = p->channel;
  uint32_t bytes = ir_type_bytes(c->field[f]);
  bool s = is_signed_field(c, f);
  char place[80];
  if (strcmp(index, "0") == 0)
    snprintf(place, sizeof place, "%s + %u", p->at, emit_place_column(c, f));
  else if (bytes == 1)
    snprintf(place, sizeof place, "%s + %u + (uint32_t)(%s)", p->at, emit_place_column(c, f),
             index);
  else
    snprintf(place, sizeof place, "%s + %u + %u * (uint32_t)(%s)", p->at,
             emit_place_column(c, f), bytes, index);
  if (bytes == 1 && !s)
    snprintf(out, size, "%s[%s]", base, place);
  else
    snprintf(out, size, "%c%u(%s, %s)", s || bytes == 4 ? 'I' : 'U', bytes * 8, base, place);
  return out;
}

const char *emit_place_count(char *out, size_t size, const struct emit_place *p,
                             const char *base) {
  const struct ir_channel *c = p->channel;
  uint32_t at = c->count_offset - c->data_offset;
  if (c->count_bytes == 1)
    snprintf(out, size, "%s[%s + %u]", base, p->at, at);
  else
    snprintf(out, size, "%c%u(%s, %s + %u)", c->count_bytes == 4 ? 'I' : 'U',
             c->count_bytes * 8, base, p->at, at);
  return out;
}

bool emit_is_match(const struct ir_expr *x) {
  return x->kind == IR_MATCH || x->kind == IR_CONST;
}

uint32_t emit_used_values(const struct ir_operation *o, const struct ir_channel *c) {
  return o->n_values < c->n_fields ? o->n_values : c->n_fields;
}

/* ---- conditions ---------------------------------------------------------------------- */

/* Values to match, each as text that may be repeated. */
static const char **match_values(struct emit *e, const struct emit_context *in,
                                 const struct ir_operation *o, uint32_t n) {
  const char **value = ARENA_ARRAY(e->arena, n + (size_t)1, const char *);
  for (uint32_t i = 0; i < n; i++) {
    if (!emit_is_match(o->value[i]))
      continue;
    size_t from = e->expr.length;
    emit_operand(e, in, o->value[i]);
    if (ir_range(o->value[i]).low != ir_range(o->value[i]).high)
      emit_spill(e, from);
    value[i] =
        e->expr.failed ? "0" : arena_text(e->arena, e->expr.at + from, e->expr.length - from);
    emit_drop(e, from);
  }
  return value;
}

static void put_matches(const struct emit_context *in, struct text *out,
                        const struct emit_place *p, const char **value, uint32_t n,
                        const char *index) {
  char text[160];
  for (uint32_t i = 0; i < n; i++)
    if (value[i])
      text_printf(out, " && %s == %s", emit_place_cell(text, sizeof text, p, in->now, i, index),
                  value[i]);
}

static void can_receive(struct emit *e, const struct emit_context *in,
                        const struct ir_operation *o, const struct emit_place *p, char at[24]) {
  uint32_t n = emit_used_values(o, p->channel);
  const char **value = match_values(e, in, o, n);
  bool any = false;
  char number[96];
  for (uint32_t i = 0; i < n; i++)
    any |= value[i] != NULL;
  emit_place_count(number, sizeof number, p, in->now);
  if (!o->random || !any || p->channel->capacity == 1) {
    snprintf(at, 24, "0");
    text_printf(&e->expr, "(%s > 0", number);
    put_matches(in, &e->expr, p, value, n, "0");
    text_puts(&e->expr, ")");
    return;
  }
  snprintf(at, 24, "mL%u", e->labels++);
  emit_line(e, "int32_t %s = 0;", at);
  size_t from = e->expr.length;
  text_puts(&e->expr, "1");
  put_matches(in, &e->expr, p, value, n, at);
  char head[160];
  snprintf(head, sizeof head, "while (%s < %s && !(", at, number);
  emit_statement(e, head, from, "))");
  emit_line(e, "  %s++;", at);
  text_printf(&e->expr, "(%s < %s)", at, number);
}

void emit_can(struct emit *e, const struct emit_context *in, const struct ir_operation *o,
              const struct emit_place *p, char at[24]) {
  char text[96];
  snprintf(at, 24, "0");
  if (!o->is_send)
    can_receive(e, in, o, p, at);
  else if (e->model->lossy)
    text_puts(&e->expr, "1");
  else
    text_printf(&e->expr, "(%s < %u)", emit_place_count(text, sizeof text, p, in->now),
                p->channel->capacity);
}

bool emit_matches(struct emit *e, const struct emit_context *in, const struct ir_operation *o) {
  const char **value = match_values(e, in, o, o->n_values);
  bool any = false;
  for (uint32_t i = 0; i < o->n_values && i < e->most_fields; i++)
    if (value[i]) {
      text_printf(&e->expr, "%s(%uu >= run->fields || run->value[%u] == %s)", any ? " && " : "",
                  i, i, value[i]);
      any = true;
    }
  return any;
}
