/* emit_frame.c - models with instances: who lives where, and the functions of the door.
 *
 * Process numbers are found by tables (where slot n begins and ends) and, where more
 * than one template may sit in a slot, by its tag. The order of events is that of
 * process numbers, from the highest down; where the number of processes varies, the
 * code falls through from the case of the youngest one.
 */
#include "native/emit.h"

#include <stdio.h>

#define FRAME_STACK_BYTES ((uint64_t)1 << 20) /* for states that are not stored */
#define FRAME_STACK_LEAST 64u
#define FRAME_STACK_MOST  4096u

/* ---- the head ------------------------------------------------------------------------- */

static bool has_hidden(const struct ir_model *m, struct text *out) {
  bool any = false;
  for (uint32_t i = 0; i < m->n_globals; i++) {
    const struct ir_variable *v = m->global[i];
    if (!v->is_hidden || v->is_const || !v->length)
      continue;
    if (out)
      text_printf(out, " \\\n  memset((row) + %u, 0, %u);", v->offset,
                  v->length * ir_type_bytes(v->type));
    any = true;
  }
  return any;
}

static void print_clear(const struct ir_model *m, struct text *out) {
  if (!has_hidden(m, NULL)) {
    text_puts(out, "#define CLEAR(row) (void)0\n");
    return;
  }
  text_puts(out, "#define CLEAR(row) do {");
  has_hidden(m, out);
  text_puts(out, " } while (0)\n");
}

static uint32_t stack_rows(const struct emit *e) {
  uint64_t rows = FRAME_STACK_BYTES / ts_stride(e->shape);
  rows = rows < FRAME_STACK_LEAST ? FRAME_STACK_LEAST : rows;
  return rows > FRAME_STACK_MOST ? FRAME_STACK_MOST : (uint32_t)rows;
}

void emit_machine_head(struct emit *e, struct text *out) {
  const struct ir_model *m = e->model;
  text_puts(out, "#define NOINLINE __attribute__((noinline))\n");
  text_printf(out, "#define HELD %u\n#define FIELDS %u\n#define STATEMENTS %u\n", stack_rows(e),
              e->most_fields ? e->most_fields : 1, e->shape->n_statements);
  if (m->live_varies)
    text_printf(out, "#define LIVE(row) ((uint32_t)(row)[%u])\n", m->live_offset);
  else
    text_printf(out, "#define LIVE(row) %uu\n", m->n_active);
  text_printf(out, "#define LENGTH_NOW %s\n", m->live_varies ? "run->length" : "LENGTH");
  text_printf(out, "#define SLOTS %uu\n#define FIRST_SLOT %uu\n", m->n_slots,
              m->n_slots ? m->slot[0].component : 0);
  text_printf(out, "#define PRIORITY %u\n#define WATCHED %d\n", m->has_tags, e->is_watched);
  text_puts(out, e->helpers & EMIT_CUT ? "#define CUTS 1\n" : "");
  text_puts(out, e->uses_runs ? "#define RUNS 1\n" : "");
  text_puts(out, e->uses_circles ? "#define CIRCLES 1\n" : "");
  text_puts(out, e->uses_handshakes ? "#define HANDSHAKES 1\n" : "");
  print_clear(m, out);
  text_puts(out,
            "struct run;\nstatic uint32_t template_of(const uint8_t *s, int32_t number);\n"
            "static int32_t can_move(struct run *run, const uint8_t *s, int32_t number);\n"
            "static void note_endless(struct run *run, const uint8_t *s, uint32_t number);\n");
}

/* ---- tables and small functions -----------------------------------------------------------
 */

static void print_table(struct emit *e, const char *name,
                        uint32_t (*value)(const struct ir_slot *)) {
  const struct ir_model *m = e->model;
  text_printf(&e->tables, "static const uint32_t %s[] = {", name);
  for (uint32_t i = 0; i < m->n_slots; i++)
    text_printf(&e->tables, "%s%u", i ? ", " : "", value(&m->slot[i]));
  text_puts(&e->tables, m->n_slots ? "};\n" : "0};\n");
}

static uint32_t slot_at(const struct ir_slot *s) {
  return s->offset;
}

static uint32_t slot_end(const struct ir_slot *s) {
  return s->offset + s->bytes;
}

/* The template that sits there, plus one; 0: see the tag. */
static uint32_t slot_template(const struct ir_slot *s) {
  return s->n_seats == 1 ? s->seat[0].process->index + 1 : 0;
}

/* What the vector gets shorter by, when the youngest process goes: up to the end of the
 * slot before, whose alignment is free. */
static void print_bytes(struct emit *e) {
  const struct ir_model *m = e->model;
  text_puts(&e->tables, "static const uint32_t slot_bytes[] = {");
  for (uint32_t i = 0; i < m->n_slots; i++) {
    uint32_t before = i ? slot_end(&m->slot[i - 1]) : m->slot[0].offset;
    text_printf(&e->tables, "%s%u", i ? ", " : "", slot_end(&m->slot[i]) - before);
  }
  text_puts(&e->tables, m->n_slots ? "};\n" : "0};\n");
}

static void print_template_of(struct emit *e) {
  emit_line(e, "\n/* The template of a process, plus one; 0: there is no such process. */");
  emit_line(e, "static uint32_t template_of(const uint8_t *s, int32_t number) {");
  emit_line(e, "  if (number < 0 || (uint32_t)number >= LIVE(s)) return 0;");
  if (e->model->has_tags)
    emit_line(e,
              "  return slot_template[number] ? slot_template[number] : s[slot_at[number]];");
  else
    emit_line(e, "  return slot_template[number];");
  emit_line(e, "}");
  emit_line(e, "\nstatic int32_t first_of(const uint8_t *s, uint32_t template) {");
  emit_line(e, "  int32_t i;");
  emit_line(e, "  for (i = 0; i < (int32_t)LIVE(s); i++)");
  emit_line(e, "    if (template_of(s, i) == template) return i;");
  emit_line(e, "  return -1;\n}");
}

static void print_can_seat(struct emit *e) {
  const struct ir_model *m = e->model;
  emit_line(e, "\nstatic int32_t can_seat(uint32_t number, uint32_t template) {");
  emit_line(e, "  if (number >= SLOTS) return 0;");
  emit_line(e, "  if (slot_template[number]) return slot_template[number] == template;");
  if (m->has_tags) {
    emit_line(e, "  switch (number) {");
    for (uint32_t i = 0; i < m->n_slots; i++) {
      if (m->slot[i].n_seats < 2)
        continue;
      emit_line(e, "  case %u:", i);
      text_puts(e->out, "    return ");
      for (uint32_t k = 0; k < m->slot[i].n_seats; k++)
        text_printf(e->out, "%stemplate == %u", k ? " || " : "",
                    m->slot[i].seat[k].process->index + 1);
      text_puts(e->out, ";\n");
    }
    emit_line(e, "  }");
  }
  emit_line(e, "  return 0;\n}");
}

/* `format` is the text for a process at a location; the location is `l` there. */
static void print_locations(struct emit *e, const char *base) {
  const struct ir_model *m = e->model;
  emit_line(e, "switch (template_of(%s, (int32_t)i)) {", base);
  for (uint32_t p = 0; p < m->n_processes; p++) {
    const struct ir_process *process = m->process[p];
    if (!process->n_seats)
      continue;
    size_t from = e->expr.length;
    emit_cell(&e->expr, base, process->location_bytes, false);
    text_printf(&e->expr, "slot_at[i] + %u", process->location_offset);
    text_puts(&e->expr, emit_cell_end(process->location_bytes, false));
    emit_line(e, "case %u:", p + 1);
    emit_statement(e, "  l = ", from, ";\n    break;");
  }
  emit_line(e, "default:\n    break;\n  }");
}

static void print_place_of(struct emit *e) {
  emit_line(e, "\nstatic int32_t place_of(const uint8_t *s, int32_t i) {");
  emit_line(e, "  int32_t l = -1;");
  e->depth = 1;
  print_locations(e, "s");
  e->depth = 0;
  emit_line(e, "  return l + 1;\n}");
}

/* A table of a flag per template and location: 1 where `has` says so. */
static bool has_progress(const struct ir_process *p, uint32_t l) {
  return p->location[l].flags & IR_PROGRESS;
}

static bool is_end(const struct ir_process *p, uint32_t l) {
  if (p->location[l].flags & IR_VALID_END)
    return true;
  for (uint32_t i = 0; i < p->n_edges; i++)
    if (p->edge[i].from == l && (p->edge[i].flags & IR_ENDS))
      return true;
  return false;
}

static void print_flags(struct emit *e, const char *name,
                        bool (*has)(const struct ir_process *, uint32_t)) {
  const struct ir_model *m = e->model;
  uint32_t first = 0;
  text_printf(&e->tables, "static const uint8_t %s[] = {", name);
  for (uint32_t p = 0; p < m->n_processes; p++)
    for (uint32_t l = 0; l < m->process[p]->n_locations; l++)
      text_puts(&e->tables, has(m->process[p], l) ? "1," : "0,");
  text_printf(&e->tables, "0};\nstatic const uint32_t %s_first[] = {0", name);
  for (uint32_t p = 0; p < m->n_processes; p++) {
    text_printf(&e->tables, ", %u", first);
    first += m->process[p]->n_locations;
  }
  text_puts(&e->tables, "};\n");
}

static void print_nonprogress(struct emit *e) {
  print_flags(e, "progress", has_progress);
  emit_line(e, "\nstatic int32_t nonprogress(const uint8_t *s) {");
  emit_line(e, "  int32_t i;");
  emit_line(e, "  for (i = 0; i < (int32_t)LIVE(s); i++)");
  emit_line(e, "    if (progress[progress_first[template_of(s, i)] + place_of(s, i) - 1])");
  emit_line(e, "      return 0;");
  emit_line(e, "  return 1;\n}");
}

/* ---- ends
 * ------------------------------------------------------------------------------------ */

static void print_empty(struct emit *e, const struct ir_channel *c) {
  char tail[64];
  size_t from = e->expr.length;
  emit_cell(&e->expr, "s", c->count_bytes, false);
  if (c->owner)
    text_puts(&e->expr, "slot_at[i] + ");
  text_printf(&e->expr, "%u", c->count_offset);
  text_puts(&e->expr, emit_cell_end(c->count_bytes, false));
  snprintf(tail, sizeof tail, ") return 0;");
  if (c->owner) {
    char head[64];
    snprintf(head, sizeof head, "if (template_of(s, i) == %uu && ", c->owner->index + 1);
    emit_statement(e, head, from, tail);
  } else {
    emit_statement(e, "if (", from, tail);
  }
}

static void print_ends(struct emit *e) {
  const struct ir_model *m = e->model;
  print_flags(e, "proper_end", is_end);
  emit_line(e,
            "\nstatic int32_t ends(const struct ts *ts, const uint8_t *s, uint32_t length) {");
  e->depth = 1;
  emit_line(e, "int32_t i;");
  if (e->uses_runs) {
    emit_line(e, "struct ts_event cursor = {0, 0};");
    emit_line(e, "struct ts_batch none;");
    emit_line(e, "uint32_t any = 0;");
    emit_line(e, "memset(&none, 0, sizeof none);");
    emit_line(e, "look(s, length, &cursor, 0, &none, &any);");
    emit_line(e, "if (any) return 1;");
  }
  for (uint32_t c = 0; m->end_needs_empty && c < m->n_channels; c++)
    if (m->channel[c]->capacity && !m->channel[c]->owner)
      print_empty(e, m->channel[c]);
  emit_line(e, "for (i = 0; i < (int32_t)LIVE(s); i++) {");
  emit_line(e, "  if (!proper_end[proper_end_first[template_of(s, i)] + place_of(s, i) - 1])");
  emit_line(e, "    return 0;");
  for (uint32_t c = 0; m->end_needs_empty && c < m->n_channels; c++)
    if (m->channel[c]->capacity && m->channel[c]->owner && m->channel[c]->owner->n_seats)
      print_empty(e, m->channel[c]);
  emit_line(e, "}");
  emit_line(e, "return 1;");
  e->depth = 0;
  emit_line(e, "}");
}

/* ---- the making of a process
 * ------------------------------------------------------------------ */

static void store_bytes(struct emit *e, uint32_t bytes, uint32_t offset, const char *value) {
  if (bytes == 1)
    emit_line(e, "row[at + %u] = (uint8_t)(%s);", offset, value);
  else
    emit_line(e, "%s(row, at + %u) = (%s)(%s);", bytes == 2 ? "U16" : "I32", offset,
              bytes == 2 ? "uint16_t" : "int32_t", value);
}

static void start_variable(struct emit *e, const struct ir_variable *v) {
  uint32_t bytes = ir_type_bytes(v->type);
  for (uint32_t k = 0; v->initial && !v->is_const && k < v->length; k++) {
    char value[24];
    if (!v->initial[k])
      continue;
    snprintf(value, sizeof value, "%d", (int)v->initial[k]);
    store_bytes(e, bytes, v->offset + k * bytes,
                v->initial[k] == INT32_MIN ? "-2147483647 - 1" : value);
  }
}

static void start_parameter(struct emit *e, struct ir_process *p, uint32_t i) {
  struct ir_expr *target = ARENA_NEW(e->arena, struct ir_expr);
  *target = (struct ir_expr){
      .kind = IR_VARIABLE, .span = p->variable[i]->span, .variable = p->variable[i]};
  char value[24];
  snprintf(value, sizeof value, "a%u", i);
  if (!p->variable[i]->is_const && p->variable[i]->length)
    emit_store(e, target, value, (struct ir_range){INT32_MIN, INT32_MAX}, target->span);
}

static void start_channels(struct emit *e, const struct ir_process *p) {
  const struct ir_model *m = e->model;
  bool any = false;
  for (uint32_t i = 0, k = 0; i < m->n_channels; i++) {
    const struct ir_channel *c = m->channel[i];
    if (c->owner != p)
      continue;
    if (!any)
      emit_line(e, "const uint32_t first = own_channels(row, self);");
    any = true;
    if (c->handle && !c->handle->is_const && c->handle->length) {
      char value[48];
      uint32_t bytes = ir_type_bytes(c->handle->type);
      snprintf(value, sizeof value, "first + %u", k);
      store_bytes(e, bytes, c->handle->offset + c->handle_element * bytes, value);
    }
    k++;
  }
}

/* The row already counts the process as live. */
static void print_start(struct emit *e, struct ir_process *p) {
  e->self = p;
  e->temps = 0;
  emit_line(e,
            "\nstatic uint32_t start_%u(struct run *const run, uint8_t *const row, const "
            "uint32_t at,\n                      const uint32_t self",
            p->index);
  for (uint32_t i = 0; i < p->n_parameters; i++)
    emit_line(e, "    , const int32_t a%u", i);
  emit_line(e, ") {");
  e->depth = 1;
  emit_line(e, "const uint8_t *const s = row;");
  emit_line(e, "uint32_t length = 0, broken = TS_NONE;");
  emit_line(e, "uint64_t changed = 0;");
  e->now = "row";
  emit_begin_event(e, "row");
  emit_escape(e, 0, "return ", ";");
  if (e->model->has_tags)
    emit_line(e, "if (!slot_template[self]) row[at] = %u;", p->index + 1);
  if (e->model->live_varies)
    emit_line(e, "row[%u] = (uint8_t)(self + 1);", e->model->live_offset);
  if (e->model->uses_priority)
    emit_line(e, "row[at + PRIORITY] = 1;");
  if (p->initial) {
    char value[24];
    snprintf(value, sizeof value, "%u", p->initial);
    store_bytes(e, p->location_bytes, p->location_offset, value);
  }
  for (uint32_t i = p->n_parameters; i < p->n_variables; i++)
    start_variable(e, p->variable[i]);
  for (uint32_t i = 0; i < p->n_parameters; i++)
    start_parameter(e, p, i);
  start_channels(e, p);
  emit_effect_list(e, p->start, p->n_starts);
  emit_line(e, "return TS_NONE;");
  e->depth = 0;
  emit_line(e, "}");
}

/* The number of the first channel that process `self` has of its own. */
static void print_own_channels(struct emit *e) {
  const struct ir_model *m = e->model;
  emit_line(e, "\nstatic uint32_t own_channels(const uint8_t *s, uint32_t self) {");
  emit_line(e, "  static const uint32_t made[] = {0");
  for (uint32_t p = 0; p < m->n_processes; p++)
    emit_line(e, "    , %u", m->process[p]->n_own_channels);
  emit_line(e, "  };");
  emit_line(e, "  uint32_t i, n = %u;", e->n_global_channels + 1);
  emit_line(e, "  for (i = 0; i < self; i++)");
  emit_line(e, "    n += made[template_of(s, (int32_t)i)];");
  emit_line(e, "  return n;\n}");
}

/* ---- the initial state
 * -------------------------------------------------------------------------- */

static void start_global(struct emit *e, const struct ir_variable *v) {
  uint32_t bytes = ir_type_bytes(v->type);
  for (uint32_t k = 0; v->initial && !v->is_const && k < v->length; k++)
    if (v->initial[k] && !v->is_hidden)
      emit_line(e, "%s(row, %u) = (%s)%u;",
                bytes == 1   ? "I8"
                : bytes == 2 ? "I16"
                             : "I32",
                v->offset + k * bytes,
                bytes == 1   ? "int8_t"
                : bytes == 2 ? "int16_t"
                             : "int32_t",
                (unsigned)v->initial[k]);
}

static void start_handles(struct emit *e) {
  const struct ir_model *m = e->model;
  for (uint32_t i = 0, k = 0; i < m->n_channels; i++) {
    const struct ir_channel *c = m->channel[i];
    if (c->owner)
      continue;
    k++;
    const struct ir_variable *v = c->handle;
    if (!v || v->is_const || !v->length)
      continue;
    uint32_t bytes = ir_type_bytes(v->type);
    if (bytes == 1)
      emit_line(e, "row[%u] = %u;", v->offset + c->handle_element, k);
    else
      emit_line(e, "%s(row, %u) = %u;", bytes == 2 ? "U16" : "I32",
                v->offset + c->handle_element * bytes, k);
  }
}

static void print_initial(struct emit *e) {
  const struct ir_model *m = e->model;
  emit_line(e,
            "\nstatic uint32_t initial(const struct ts *ts, uint32_t which, uint8_t *row) {");
  e->depth = 1;
  emit_line(e, "struct run nothing, *const run = &nothing;");
  emit_line(e, "memset(run, 0, sizeof *run);");
  for (uint32_t i = 0; i < m->n_globals; i++)
    start_global(e, m->global[i]);
  start_handles(e);
  for (uint32_t i = 0; i < m->n_active; i++) {
    const struct ir_process *p = m->active[i];
    text_printf(e->out, "  start_%u(run, row, slot_at[%u], %u", p->index, i, i);
    for (uint32_t k = 0; k < p->n_parameters; k++)
      text_puts(e->out, ", 0");
    text_puts(e->out, ");\n");
    if (m->uses_priority)
      emit_line(e, "row[slot_at[%u] + PRIORITY] = %u;", i, (unsigned)(p->priority & 255));
  }
  emit_line(e, "CLEAR(row);");
  if (m->live_varies)
    emit_line(e, "return LIVE(row) ? slot_end[LIVE(row) - 1] : slot_at[0];");
  else
    emit_line(e, "return LENGTH;");
  e->depth = 0;
  emit_line(e, "}");
}

/* ---- dispatch
 * ------------------------------------------------------------------------------------- */

static void print_call(struct emit *e, uint32_t slot, const char *function, const char *run,
                       const char *state,
                       bool (*has)(const struct emit *, const struct ir_process *)) {
  const struct ir_slot *s = &e->model->slot[slot];
  bool switched = s->n_seats > 1;
  if (switched)
    emit_line(e, "switch (%s[%u]) {", state, s->offset);
  for (uint32_t k = 0; k < s->n_seats; k++) {
    const struct ir_process *p = s->seat[k].process;
    if (has && !has(e, p))
      continue;
    if (switched)
      emit_line(e, "case %u:", p->index + 1);
    emit_line(e, "%sn = %s_%u(%s, %s, n, %u, %u, %u);", switched ? "  " : "", function,
              p->index, run, state, s->offset, s->seat[k].first_action, slot);
    if (switched)
      emit_line(e, "  break;");
  }
  if (switched)
    emit_line(e, "default:\n    break;\n  }");
}

static bool takes(const struct emit *e, const struct ir_process *p) {
  bool rendezvous = false;
  for (uint32_t k = 0; k < e->n_kinds; k++)
    rendezvous |= !e->kind[k]->capacity;
  for (uint32_t i = 0; i < p->n_edges; i++) {
    const struct ir_operation *o = p->edge[i].operation;
    struct emit_place place;
    if (!o || o->is_send || o->keep)
      continue;
    const struct ir_channel *c = emit_constant_channel(e, o->channel, &place);
    if (c ? !c->capacity : rendezvous)
      return true;
  }
  return false;
}

static void print_dispatch(struct emit *e, const char *name, const char *function,
                           bool (*has)(const struct emit *, const struct ir_process *)) {
  emit_line(
      e,
      "\nstatic uint32_t %s(struct run *run, const uint8_t *s, uint32_t n, uint32_t number) {",
      name);
  emit_line(e, "  switch (number) {");
  e->depth = 1;
  for (uint32_t i = 0; i < e->model->n_slots; i++) {
    emit_line(e, "case %u:", i);
    e->depth++;
    print_call(e, i, function, "run", "s", has);
    emit_line(e, "break;");
    e->depth--;
  }
  e->depth = 0;
  emit_line(e, "  default:\n    break;\n  }\n  return n;\n}");
}

static void print_all_moves(struct emit *e) {
  const struct ir_model *m = e->model;
  if (m->live_varies)
    emit_line(e, "switch (LIVE(state)) {");
  for (uint32_t i = m->n_slots; i-- > 0;) {
    if (m->live_varies)
      emit_line(e, "case %u:", i + 1);
    e->depth += m->live_varies;
    print_call(e, i, "process", "&run", "state", NULL);
    e->depth -= m->live_varies;
    if (m->live_varies)
      emit_line(e, "  /* fall through */");
  }
  if (m->live_varies)
    emit_line(e, "default:\n    break;\n  }");
}

static bool in_expr(const struct ir_expr *x, enum ir_expr_kind kind) {
  if (!x)
    return false;
  if (x->kind == kind || in_expr(x->a, kind) || in_expr(x->b, kind) || in_expr(x->c, kind))
    return true;
  for (uint32_t i = 0; x->operation && i < x->operation->n_values; i++)
    if (in_expr(x->operation->value[i], kind))
      return true;
  return x->operation && in_expr(x->operation->channel, kind);
}

static bool in_edge(const struct ir_edge *e, enum ir_expr_kind kind) {
  bool found = in_expr(e->guard, kind);
  for (uint32_t i = 0; i < e->n_effects; i++)
    found = found || in_expr(e->effect[i].value, kind) || in_expr(e->effect[i].target, kind);
  for (uint32_t i = 0; e->operation && i < e->operation->n_values; i++)
    found = found || in_expr(e->operation->value[i], kind);
  return found || (e->operation && in_expr(e->operation->channel, kind));
}

static bool in_model(const struct ir_model *m, enum ir_expr_kind kind) {
  for (uint32_t p = 0; p < m->n_processes; p++) {
    if (in_expr(m->process[p]->provided, kind))
      return true;
    for (uint32_t i = 0; i < m->process[p]->n_edges; i++)
      if (in_edge(&m->process[p]->edge[i], kind))
        return true;
  }
  for (uint32_t i = 0; i < m->n_properties; i++)
    if (in_expr(m->property[i].condition, kind))
      return true;
  return false;
}

/* Whether anything was executable is told apart: a run without end has no successor. */
static void print_successors(struct emit *e) {
  bool timeout = in_model(e->model, IR_TIMEOUT);
  emit_line(e, "\nstatic int32_t look(const uint8_t *state, uint32_t length, struct ts_event "
               "*cursor,\n                    const uint64_t *skip, struct ts_batch *out, "
               "uint32_t *any) {");
  e->depth = 1;
  emit_line(e, "struct run run;");
  emit_line(e, "uint8_t unasked[STATEMENTS + 1];");
  emit_line(e, "uint32_t n = out->n;");
  if (e->uses_runs) {
    emit_line(e, "struct held held[HELD + 1];");
    emit_line(e, "uint64_t stack[(HELD + 2) * (STRIDE / 8)];");
    emit_line(e, "run.held = held;");
    emit_line(e, "run.stack = (uint8_t *)stack;");
  }
  emit_line(e, "run.edges = out->edge;");
  emit_line(e, "run.rows = out->rows;");
  emit_line(e, "run.capacity = run.limit = out->capacity;");
  emit_line(e, "run.first = cursor->action;");
  emit_line(e, "run.first_choice = cursor->choice;");
  emit_line(e, "run.full = 0;");
  emit_line(e, "run.skip = skip;");
  emit_line(e, "run.cursor = cursor;");
  emit_line(e, "run.truncated = out->truncated;");
  emit_line(e, "run.reached = out->reached ? out->reached : unasked;");
  emit_line(e, "run.endless = out->endless;");
  emit_line(e, "run.trace = out->trace;");
  emit_line(e, "run.length = length;");
  emit_line(e, "run.any = run.timeout = run.inside = run.muted = run.probe = run.top = 0;");
  emit_line(e, "run.channel = 0;");
  emit_line(e, "if (skip || cursor->action || cursor->choice || out->trace)");
  emit_line(e, "  run.limit = 0;");
  print_all_moves(e);
  if (timeout) {
    emit_line(e, "if (n == out->n && !run.any) {");
    emit_line(e, "  run.timeout = 1;");
    e->depth++;
    print_all_moves(e);
    e->depth--;
    emit_line(e, "}");
  }
  emit_line(e, "*any = run.any;");
  emit_line(e, "out->n = n;");
  emit_line(e, "return run.full;");
  e->depth = 0;
  emit_line(e, "}");
  emit_line(e,
            "\nstatic int32_t successors(const struct ts *ts, const uint8_t *state, uint32_t "
            "length,\n                          struct ts_event *cursor, const uint64_t "
            "*skip, struct ts_batch *out) {");
  emit_line(e, "  uint32_t any;");
  emit_line(e, "  return look(state, length, cursor, skip, out, &any);\n}");
}

/* ---- conditions on other processes
 * --------------------------------------------------------------- */

/* A process that is asked about while its own conditions are tried counts as blocked: a
 * circle of questions has an end. */
/* enabled() asks for an executable edge and not whether `provided` allows it (probe 1); the
 * rule of priorities asks for both (2). */
static void print_can_move(struct emit *e) {
  const struct ir_model *m = e->model;
  emit_line(e, "\nstatic int32_t probe_move(struct run *run, const uint8_t *s, int32_t number, "
               "uint32_t kind) {");
  emit_line(e, "  struct run probe;");
  emit_line(e, "  if (number < 0 || (uint32_t)number >= LIVE(s))\n    return 0;");
  emit_line(e, "  probe = *run;");
  emit_line(e, "  probe.inside = probe.muted = 1;");
  emit_line(e, "  probe.probe = kind;");
  emit_line(e, "  probe.limit = probe.any = 0;");
  emit_line(e, "  move(&probe, s, 0, (uint32_t)number);");
  emit_line(e, "  return probe.any != 0;\n}");
  emit_line(e,
            "\nstatic int32_t can_move(struct run *run, const uint8_t *s, int32_t number) {");
  emit_line(e, "  return probe_move(run, s, number, 1);\n}");
  if (!m->uses_priority)
    return;
  emit_line(e,
            "\nstatic int32_t is_highest(struct run *run, const uint8_t *s, uint32_t self) {");
  emit_line(e, "  uint32_t i;");
  emit_line(e, "  for (i = 0; i < LIVE(s); i++)");
  emit_line(e, "    if (s[slot_at[i] + PRIORITY] > s[slot_at[self] + PRIORITY] &&");
  emit_line(e, "        probe_move(run, s, (int32_t)i, 2))");
  emit_line(e, "      return 0;");
  emit_line(e, "  return 1;\n}");
}

/* A run that turns in a circle is told by the statements that begin where it does. */
static void print_note_endless(struct emit *e) {
  const struct ir_model *m = e->model;
  emit_line(e, "\nstatic void note_endless(struct run *run, const uint8_t *s, uint32_t i) {");
  emit_line(e, "  int32_t l = 0;");
  emit_line(e, "  if (!run->endless) return;");
  e->depth = 1;
  print_locations(e, "s");
  emit_line(e, "switch (template_of(s, (int32_t)i)) {");
  for (uint32_t p = 0; p < m->n_processes; p++) {
    const struct ir_process *process = m->process[p];
    if (!process->n_seats)
      continue;
    emit_line(e, "case %u:", p + 1);
    emit_line(e, "  switch (l) {");
    uint8_t *seen = ARENA_ARRAY(e->arena, process->n_locations, uint8_t);
    for (uint32_t k = 0; k < process->n_edges; k++) {
      if (seen[process->edge[k].from]++)
        continue;
      emit_line(e, "  case %u:\n      run->endless[%u] = 1;\n      break;",
                process->edge[k].from, e->statement[p] + k);
    }
    emit_line(e, "  }\n    break;");
  }
  emit_line(e, "}");
  e->depth = 0;
  emit_line(e, "}");
}

/* ---- the whole
 * -------------------------------------------------------------------------------------- */

static void number_statements(struct emit *e) {
  const struct ir_model *m = e->model;
  e->statement = ARENA_ARRAY(e->arena, m->n_processes + (size_t)1, uint32_t);
  for (uint32_t p = 0; p < m->n_processes; p++)
    e->statement[p + 1] = e->statement[p] + m->process[p]->n_edges;
}

void emit_instances(struct emit *e) {
  const struct ir_model *m = e->model;
  number_statements(e);
  emit_find_kinds(e);
  e->is_watched = in_model(m, IR_LOCATED) || in_model(m, IR_PLACE) || in_model(m, IR_ENABLED) ||
                  in_model(m, IR_NONPROGRESS) || m->uses_priority;
  print_table(e, "slot_at", slot_at);
  print_table(e, "slot_end", slot_end);
  print_table(e, "slot_template", slot_template);
  print_bytes(e);
  print_template_of(e);
  print_can_seat(e);
  print_place_of(e);
  if (in_model(m, IR_NONPROGRESS))
    print_nonprogress(e);
  if (m->uses_priority)
    emit_line(e,
              "\nstatic int32_t is_highest(struct run *run, const uint8_t *s, uint32_t self);");
  emit_find_channel(e);
  print_own_channels(e);
  for (uint32_t p = 0; p < m->n_processes; p++)
    if (m->process[p]->n_seats)
      print_start(e, m->process[p]);
  for (uint32_t p = 0; p < m->n_processes; p++)
    if (m->process[p]->n_seats)
      emit_steps(e, m->process[p]);
  print_dispatch(e, "move", "process", NULL);
  print_dispatch(e, "receive", "take", takes);
  print_can_move(e);
  print_note_endless(e);
  print_successors(e);
  print_ends(e);
  print_initial(e);
}
