/* frame.c - models with instances: who lives where.
 *
 * Process numbers are found by tables (where slot n begins and ends) and, where more
 * than one template may sit in a slot, by its tag.
 */
#include "native/emit/emit.h"

#include <stdio.h>

#define FRAME_STACK_BYTES ((uint64_t)1 << 20) /* for states that are not stored */
#define FRAME_STACK_LEAST 64u
#define FRAME_STACK_MOST  4096u

/* ---- the head ------------------------------------------------------------------------ */

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
  text_printf(out, "#define HELD %u\n#define FIELDS %u\n#define STATEMENTS %u\n", stack_rows(e),
              e->most_fields ? e->most_fields : 1, ts_notes(e->shape)->n_statements);
  if (e->most_zeroes > 0)
    text_printf(out, "#define ZEROES %u\n", e->most_zeroes);
  if (m->live_varies)
    text_printf(out, "#define LIVE(row) ((uint32_t)(row)[%u])\n", m->live_offset);
  else
    text_printf(out, "#define LIVE(row) %uu\n", m->n_active);
  text_printf(out, "#define LENGTH_NOW %s\n", m->live_varies ? "run->length" : "LENGTH");
  text_printf(out, "#define SLOTS %uu\n#define FIRST_SLOT %uu\n", m->n_slots,
              m->n_slots ? m->slot[0].component : 0);
  if (m->uses_priority)
    text_printf(out, "#define PRIORITY %u\n", m->has_tags);
  print_clear(m, out);
}

/* ---- tables and small functions ------------------------------------------------------ */

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
}

static void print_first_of(struct emit *e) {
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
void emit_locations(struct emit *e, const char *base) {
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
  emit_locations(e, "s");
  e->depth = 0;
  emit_line(e, "  return l + 1;\n}");
}

static void mark_progress(const struct ir_process *p, bool *flag) {
  for (uint32_t l = 0; l < p->n_locations; l++)
    flag[l] = (p->location[l].flags & IR_PROGRESS) != 0;
}

/* A table of a flag per template and location: 1 where `mark` sets it. */
void emit_flags(struct emit *e, const char *name,
                void (*mark)(const struct ir_process *, bool *flag)) {
  const struct ir_model *m = e->model;
  uint32_t first = 0;
  text_printf(&e->tables, "static const uint8_t %s[] = {", name);
  for (uint32_t p = 0; p < m->n_processes; p++) {
    bool *flag = ARENA_ARRAY(e->arena, m->process[p]->n_locations, bool);
    mark(m->process[p], flag);
    for (uint32_t l = 0; l < m->process[p]->n_locations; l++)
      text_puts(&e->tables, flag[l] ? "1," : "0,");
  }
  text_printf(&e->tables, "0};\nstatic const uint32_t %s_first[] = {0", name);
  for (uint32_t p = 0; p < m->n_processes; p++) {
    text_printf(&e->tables, ", %u", first);
    first += m->process[p]->n_locations;
  }
  text_puts(&e->tables, "};\n");
}

static void mark_accepting(const struct ir_process *p, bool *flag) {
  for (uint32_t l = 0; l < p->n_locations; l++)
    flag[l] = (p->location[l].flags & IR_ACCEPTING) != 0;
}

/* A function that is `found` if some process is at a place with a flag, and else the opposite.
 */
static void print_labelled(struct emit *e, const char *name, const char *table, int found) {
  emit_line(e, "\nstatic int32_t %s(const uint8_t *s) {", name);
  emit_line(e, "  int32_t i;");
  emit_line(e, "  for (i = 0; i < (int32_t)LIVE(s); i++)");
  emit_line(e, "    if (%s[%s_first[template_of(s, i)] + place_of(s, i) - 1])", table, table);
  emit_line(e, "      return %d;", found);
  emit_line(e, "  return %d;\n}", !found);
}

static void print_nonprogress(struct emit *e) {
  emit_flags(e, "progress", mark_progress);
  print_labelled(e, "nonprogress", "progress", 0);
}

static void print_accepted(struct emit *e) {
  emit_flags(e, "accepting", mark_accepting);
  print_labelled(e, "accepted", "accepting", 1);
}

void emit_frames(struct emit *e) {
  print_table(e, "slot_at", slot_at);
  if (e->model->live_varies) {
    print_table(e, "slot_end", slot_end);
    print_bytes(e);
  }
  print_table(e, "slot_template", slot_template);
}

void emit_frame_functions(struct emit *e) {
  e->out = &e->tables;
  print_template_of(e);
  print_place_of(e);
  if (e->helpers & EMIT_FIRST)
    print_first_of(e);
  if (e->helpers & EMIT_SEATS)
    print_can_seat(e);
  if (emit_in_model(e->model, IR_NONPROGRESS))
    print_nonprogress(e);
  if (emit_in_model(e->model, IR_ACCEPTED))
    print_accepted(e);
  e->out = &e->body;
}
