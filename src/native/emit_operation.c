/* emit_operation.c - operations on channels that are given by number.
 *
 * A constant number, the usual case, becomes straight code with constant offsets.
 * Otherwise the number is looked up, in a table or (where processes with channels of
 * their own come and go) by a function, and the code is printed for each kind of
 * channel that is laid out alike, with the offset in a variable.
 *
 * Conditions look at `e->now`; operations write `row`. Received values are kept in
 * temporaries before the message is taken out, because a row may be changed in place.
 */
#include "native/emit.h"

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
  }
  return c;
}

bool emit_search_channel(struct emit *e, const struct ir_expr *x, struct emit_place *place,
                         char kind[24]) {
  size_t from = e->expr.length;
  uint32_t label = e->labels++;
  uint32_t fault = emit_fault(e, x, EMIT_FAULT, x->span, "no such channel");
  emit_operand(e, x);
  emit_spill(e, from);
  snprintf(place->number, sizeof place->number, "%s", e->expr.failed ? "0" : e->expr.at + from);
  emit_drop(e, from);
  snprintf(place->at, sizeof place->at, "at%u", label);
  snprintf(place->component, sizeof place->component, "of%u", label);
  snprintf(kind, 24, "kind%u", label);
  e->needs_place = true;
  if (e->has_own_channels) {
    emit_line(e, "uint32_t at%u = 0, of%u = 0;", label, label);
    emit_line(e, "uint32_t kind%u = find_channel(%s, %s, &at%u, &of%u);", label, e->now,
              place->number, label, label);
    emit_check(e, fault, "kind%u == TS_NONE", label);
  } else {
    emit_check(e, fault, "(uint32_t)(%s - 1) >= %uu", place->number, e->n_global_channels);
    emit_line(
        e, "uint32_t at%u = channel_at[%s], of%u = channel_of[%s], kind%u = channel_kind[%s];",
        label, place->number, label, place->number, label, place->number);
  }
  return e->n_kinds > 1;
}

static void print_tables(struct emit *e) {
  const struct ir_model *m = e->model;
  static const char *const name[] = {"uint32_t channel_at", "uint32_t channel_of",
                                     "uint8_t channel_kind"};
  for (int t = 0; t < 3; t++) {
    text_printf(&e->tables, "static const %s[] = {0", name[t]);
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

/* Own channels are numbered behind the global ones, by the numbers of their processes. */
void emit_find_channel(struct emit *e) {
  const struct ir_model *m = e->model;
  print_tables(e);
  if (!e->has_own_channels)
    return;
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
}

/* ---- cells --------------------------------------------------------------------------- */

static uint32_t column(const struct ir_channel *c, uint32_t f) {
  return ir_channel_cell(c, 0, f, NULL) - c->data_offset;
}

static bool is_signed_field(const struct ir_channel *c, uint32_t f) {
  return !c->field[f] || c->field[f]->is_signed;
}

/* Field f of message `index` as C text in out. */
static const char *cell(char *out, size_t size, const struct emit_place *p, const char *base,
                        uint32_t f, const char *index) {
  const struct ir_channel *c = p->channel;
  uint32_t bytes = ir_type_bytes(c->field[f]);
  bool s = is_signed_field(c, f);
  char place[80];
  if (strcmp(index, "0") == 0)
    snprintf(place, sizeof place, "%s + %u", p->at, column(c, f));
  else if (bytes == 1)
    snprintf(place, sizeof place, "%s + %u + (uint32_t)(%s)", p->at, column(c, f), index);
  else
    snprintf(place, sizeof place, "%s + %u + %u * (uint32_t)(%s)", p->at, column(c, f), bytes,
             index);
  if (bytes == 1 && !s)
    snprintf(out, size, "%s[%s]", base, place);
  else
    snprintf(out, size, "%c%u(%s, %s)", s || bytes == 4 ? 'I' : 'U', bytes * 8, base, place);
  return out;
}

static const char *count(char *out, size_t size, const struct emit_place *p, const char *base) {
  const struct ir_channel *c = p->channel;
  uint32_t at = c->count_offset - c->data_offset;
  if (c->count_bytes == 1)
    snprintf(out, size, "%s[%s + %u]", base, p->at, at);
  else
    snprintf(out, size, "%c%u(%s, %s + %u)", c->count_bytes == 4 ? 'I' : 'U',
             c->count_bytes * 8, base, p->at, at);
  return out;
}

static bool is_match(const struct ir_expr *x) {
  return x->kind == IR_MATCH || x->kind == IR_CONST;
}

static uint32_t used_values(const struct ir_operation *o, const struct ir_channel *c) {
  return o->n_values < c->n_fields ? o->n_values : c->n_fields;
}

/* ---- conditions ---------------------------------------------------------------------- */

/* Values to match, each as text that may be repeated. */
static const char **match_values(struct emit *e, const struct ir_operation *o, uint32_t n) {
  const char **value = ARENA_ARRAY(e->arena, n + (size_t)1, const char *);
  for (uint32_t i = 0; i < n; i++) {
    if (!is_match(o->value[i]))
      continue;
    size_t from = e->expr.length;
    emit_operand(e, o->value[i]);
    if (ir_range(o->value[i]).low != ir_range(o->value[i]).high)
      emit_spill(e, from);
    value[i] =
        e->expr.failed ? "0" : arena_text(e->arena, e->expr.at + from, e->expr.length - from);
    emit_drop(e, from);
  }
  return value;
}

static void put_matches(struct emit *e, struct text *out, const struct emit_place *p,
                        const char **value, uint32_t n, const char *index) {
  char text[160];
  for (uint32_t i = 0; i < n; i++)
    if (value[i])
      text_printf(out, " && %s == %s", cell(text, sizeof text, p, e->now, i, index), value[i]);
}

static void can_receive(struct emit *e, const struct ir_operation *o,
                        const struct emit_place *p, char at[24]) {
  uint32_t n = used_values(o, p->channel);
  const char **value = match_values(e, o, n);
  bool any = false;
  char number[96];
  for (uint32_t i = 0; i < n; i++)
    any |= value[i] != NULL;
  count(number, sizeof number, p, e->now);
  if (!o->random || !any || p->channel->capacity == 1) {
    snprintf(at, 24, "0");
    text_printf(&e->expr, "(%s > 0", number);
    put_matches(e, &e->expr, p, value, n, "0");
    text_puts(&e->expr, ")");
    return;
  }
  snprintf(at, 24, "m%u", e->labels++);
  emit_line(e, "int32_t %s = 0;", at);
  size_t from = e->expr.length;
  text_puts(&e->expr, "1");
  put_matches(e, &e->expr, p, value, n, at);
  char head[160];
  snprintf(head, sizeof head, "while (%s < %s && !(", at, number);
  emit_statement(e, head, from, "))");
  emit_line(e, "  %s++;", at);
  text_printf(&e->expr, "(%s < %s)", at, number);
}

void emit_can(struct emit *e, const struct ir_operation *o, const struct emit_place *p,
              char at[24]) {
  char text[96];
  snprintf(at, 24, "0");
  if (!o->is_send)
    can_receive(e, o, p, at);
  else if (e->model->lossy)
    text_puts(&e->expr, "1");
  else
    text_printf(&e->expr, "(%s < %u)", count(text, sizeof text, p, e->now),
                p->channel->capacity);
}

/* ---- operations ---------------------------------------------------------------------- */

/* The sent values in temporaries, cut to the fields; those that are not given are 0. */
static const char **sent_values(struct emit *e, const struct ir_operation *o,
                                const struct ir_channel *c) {
  const char **value = ARENA_ARRAY(e->arena, c->n_fields + (size_t)1, const char *);
  for (uint32_t i = 0; i < c->n_fields; i++) {
    value[i] = "0";
    if (i >= o->n_values)
      continue;
    size_t from = e->expr.length;
    emit_bare(e, o->value[i]);
    emit_fit(e, from, ir_range(o->value[i]), c->field[i], o->value[i], o->value[i]->span);
    emit_spill(e, from);
    value[i] =
        e->expr.failed ? "0" : arena_text(e->arena, e->expr.at + from, e->expr.length - from);
    emit_drop(e, from);
  }
  return value;
}

static void trace_message(struct emit *e, bool sent, const char *number, const char **value,
                          uint32_t n) {
  emit_line(e, "if (run->trace && !run->muted) {");
  emit_line(e, "  word(run->trace, %s);", sent ? "TS_TRACE_SEND" : "TS_TRACE_RECEIVE");
  emit_line(e, "  word(run->trace, %u);", n + 1);
  emit_line(e, "  word(run->trace, (uint32_t)%s);", number);
  for (uint32_t i = 0; i < n; i++)
    emit_line(e, "  word(run->trace, (uint32_t)%s);", value[i]);
  emit_line(e, "}");
}

/* Columns of messages [m, m + n) move by one cell. */
static void shift(struct emit *e, const struct emit_place *p, const char *m, const char *n,
                  bool up) {
  const struct ir_channel *c = p->channel;
  for (uint32_t f = 0; f < c->n_fields; f++) {
    uint32_t bytes = ir_type_bytes(c->field[f]);
    emit_line(e,
              "memmove(row + %s + %u + %u * (uint32_t)(%s%s), row + %s + %u + %u * "
              "(uint32_t)(%s%s), (uint32_t)(%s) * %u);",
              p->at, column(c, f), bytes, m, up ? " + 1" : "", p->at, column(c, f), bytes, m,
              up ? "" : " + 1", n, bytes);
  }
}

/* m: where the message goes, in front of the first greater one. */
static void sorted_place(struct emit *e, const struct emit_place *p, const char **value,
                         const char *m, const char *number) {
  const struct ir_channel *c = p->channel;
  char text[160];
  emit_line(e, "int32_t %s = 0;", m);
  emit_line(e, "for (; %s < %s; %s++) {", m, number, m);
  for (uint32_t f = 0; f < c->n_fields; f++) {
    cell(text, sizeof text, p, "row", f, m);
    emit_line(e, "  if (%s > %s) break;", text, value[f]);
    emit_line(e, "  if (%s < %s) continue;", text, value[f]);
  }
  emit_line(e, "}");
}

static void send(struct emit *e, const struct ir_operation *o, const struct emit_place *p) {
  const struct ir_channel *c = p->channel;
  const char **value = sent_values(e, o, c);
  char text[160], number[24], m[24];
  uint32_t label = e->labels++;
  snprintf(number, sizeof number, "c%u", label);
  snprintf(m, sizeof m, "%s%u", o->sorted ? "m" : "c", label);
  trace_message(e, true, p->number, value, c->n_fields);
  emit_line(e, "int32_t %s = %s;", number, count(text, sizeof text, p, "row"));
  if (e->model->lossy) {
    emit_line(e, "if (%s < %u) {", number, c->capacity);
    e->depth++;
  }
  if (o->sorted) {
    sorted_place(e, p, value, m, number);
    char n[56];
    snprintf(n, sizeof n, "%s - %s", number, m);
    shift(e, p, m, n, true);
  }
  for (uint32_t f = 0; f < c->n_fields; f++)
    emit_line(e, "%s = %s;", cell(text, sizeof text, p, "row", f, c->capacity == 1 ? "0" : m),
              value[f]);
  emit_line(e, "%s = %s + 1;", count(text, sizeof text, p, "row"), number);
  if (e->model->lossy) {
    e->depth--;
    emit_line(e, "}");
  }
}

static void take_out(struct emit *e, const struct emit_place *p, const char *at) {
  const struct ir_channel *c = p->channel;
  char text[160], number[24], n[64];
  snprintf(number, sizeof number, "c%u", e->labels++);
  emit_line(e, "int32_t %s = %s - 1;", number, count(text, sizeof text, p, "row"));
  if (c->capacity > 1) {
    if (strcmp(at, "0") == 0)
      snprintf(n, sizeof n, "%s", number);
    else
      snprintf(n, sizeof n, "%s - %s", number, at);
    shift(e, p, at, n, false);
  }
  for (uint32_t f = 0; f < c->n_fields; f++)
    emit_line(e, "%s = 0;",
              cell(text, sizeof text, p, "row", f, c->capacity == 1 ? "0" : number));
  emit_line(e, "%s = %s;", count(text, sizeof text, p, "row"), number);
}

/* Assigns received values, each in a temporary. */
static void assign(struct emit *e, const struct ir_operation *o, const char **value,
                   const struct ir_channel *c, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const struct ir_expr *x = o->value[i];
    if (is_match(x) || x->kind == IR_DROP)
      continue;
    emit_store(e, x, value[i], ir_type_range(c->field[i]), x->span);
  }
}

static void take(struct emit *e, const struct ir_operation *o, const struct emit_place *p,
                 const char *at) {
  const struct ir_channel *c = p->channel;
  uint32_t n = used_values(o, c);
  const char **value = ARENA_ARRAY(e->arena, c->n_fields + (size_t)1, const char *);
  for (uint32_t i = 0; i < c->n_fields; i++) {
    char text[160];
    value[i] = arena_printf(e->arena, "t%u", e->temps++);
    emit_line(e, "int32_t %s = %s;", value[i], cell(text, sizeof text, p, "row", i, at));
  }
  trace_message(e, false, p->number, value, c->n_fields);
  if (!o->keep)
    take_out(e, p, at);
  assign(e, o, value, c, n);
}

void emit_do(struct emit *e, const struct ir_operation *o, const struct emit_place *p,
             const char *at) {
  if (o->is_send)
    send(e, o, p);
  else
    take(e, o, p, at);
}

/* ---- handshakes ---------------------------------------------------------------------- */

void emit_give(struct emit *e, const struct ir_operation *o, const struct emit_place *p) {
  const struct ir_channel *c = p->channel;
  const char **value = sent_values(e, o, c);
  for (uint32_t i = 0; i < c->n_fields; i++)
    emit_line(e, "run->value[%u] = %s;", i, value[i]);
  emit_line(e, "run->fields = %u;", c->n_fields);
  emit_line(e, "run->channel = %s;", p->number);
}

void emit_matches(struct emit *e, const struct ir_operation *o) {
  const char **value = match_values(e, o, o->n_values);
  text_puts(&e->expr, "1");
  for (uint32_t i = 0; i < o->n_values && i < e->most_fields; i++)
    if (value[i])
      text_printf(&e->expr, " && (%uu >= run->fields || run->value[%u] == %s)", i, i, value[i]);
}

/* What is known of field i of the message that was given: its range, and whether every
 * rendezvous channel has it. */
static struct ir_range given_range(const struct emit *e, const struct ir_channel *c, uint32_t i,
                                   bool *always) {
  struct ir_range all = {INT32_MAX, INT32_MIN};
  *always = true;
  for (uint32_t k = 0; k < e->n_kinds; k++) {
    const struct ir_channel *one = c ? c : e->kind[k];
    if (one->capacity)
      continue;
    *always &= i < one->n_fields;
    struct ir_range r = {0, 0};
    if (i < one->n_fields)
      r = ir_type_range(one->field[i]);
    all.low = r.low < all.low ? r.low : all.low;
    all.high = r.high > all.high ? r.high : all.high;
  }
  return all;
}

void emit_take(struct emit *e, const struct ir_operation *o) {
  struct emit_place place;
  const struct ir_channel *c = emit_constant_channel(e, o->channel, &place);
  emit_line(e, "if (run->trace && !run->muted) tell_values(run, TS_TRACE_RECEIVE);");
  for (uint32_t i = 0; i < o->n_values && i < e->most_fields; i++) {
    const struct ir_expr *x = o->value[i];
    bool always;
    char value[32];
    struct ir_range range = given_range(e, c, i, &always);
    if (is_match(x) || x->kind == IR_DROP)
      continue;
    if (!always) {
      emit_line(e, "if (%u < run->fields) {", i);
      e->depth++;
    }
    snprintf(value, sizeof value, "run->value[%u]", i);
    emit_store(e, x, value, range, x->span);
    if (!always) {
      e->depth--;
      emit_line(e, "}");
    }
  }
}
