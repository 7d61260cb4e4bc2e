/* emit.c - one C text per model.
 *
 * The order of the text: the door's abi.h, the helpers that the model needs, the
 * offsets by name, constant tables, one function per process, the functions of
 * the door, and the one exported constant. Straight-line code with everything
 * folded in, that a bare compiler takes: no headers, no builtins, and no warning
 * from tcc or gcc -Wall. Functions come first into a text of their own, because
 * only then is known which helpers and tables they use.
 */
#include "native/emit/emit.h"

#include "native/native.h"

#include "ir/undo_walk.h"

#include <stdio.h>

#define COPY_WORDS 16 /* longer rows are copied by memcpy under tcc too */

static void print_copy_words(struct text *out, uint32_t stride) {
  if (stride / 8 > COPY_WORDS)
    return;
  text_puts(out, "#define COPY_WORDS(to, from) do {");
  for (uint32_t i = 0; i < stride / 8; i++)
    text_printf(out, " (to)[%u] = (from)[%u];", i, i);
  text_puts(out, " } while (0)\n");
}

static void print_offset(struct text *out, uint32_t offset) {
  text_printf(out, " = %u,\n", offset);
}

static void print_variable(struct text *out, const struct ir_variable *v) {
  if (v->is_const || !v->length)
    return;
  text_puts(out, "  ");
  emit_variable_name(out, v);
  print_offset(out, v->offset);
}

static void print_process_offsets(struct text *out, const struct ir_process *p) {
  if (p->is_property)
    return;
  text_puts(out, "  ");
  emit_location_name(out, p);
  print_offset(out, p->location_offset);
  for (uint32_t i = 0; i < p->n_variables; i++)
    print_variable(out, p->variable[i]);
}

static void print_channel_offsets(struct text *out, const struct ir_channel *c) {
  if (!c->capacity)
    return;
  text_puts(out, "  ");
  emit_count_name(out, c);
  print_offset(out, c->count_offset);
  for (uint32_t f = 0; f < c->n_fields; f++) {
    text_puts(out, "  ");
    emit_channel_name(out, c, f);
    print_offset(out, ir_channel_cell(c, 0, f).offset);
  }
}

static void print_offsets(struct text *out, const struct ir_model *m) {
  text_puts(out,
            "/* Where things are: g globals, p processes and their locals, c channels. */\n"
            "enum {\n  end_of_state = LENGTH,\n");
  for (uint32_t i = 0; i < m->n_globals; i++)
    print_variable(out, m->global[i]);
  for (uint32_t p = 0; p < m->n_processes; p++)
    print_process_offsets(out, m->process[p]);
  for (uint32_t c = 0; c < m->n_channels; c++)
    print_channel_offsets(out, m->channel[c]);
  text_puts(out, "};\n\n");
}

/* ---- the initial state ------------------------------------------------------------- */

static void set_variable(uint8_t *row, const struct ir_variable *v) {
  uint32_t bytes = ir_type_bytes(v->type);
  for (uint32_t i = 0; v->initial && !v->is_const && i < v->length; i++)
    ts_write(row + v->offset + i * bytes, bytes, (uint32_t)v->initial[i]);
}

static void emit_initial(struct emit *e) {
  const struct ir_model *m = e->model;
  uint32_t length = e->shape->max_bytes;
  uint8_t *row = arena_alloc(e->arena, ts_stride(e->shape));
  for (uint32_t i = 0; i < m->n_globals; i++)
    set_variable(row, m->global[i]);
  for (uint32_t p = 0; p < m->n_processes; p++) {
    const struct ir_process *process = m->process[p];
    if (process->is_property)
      continue;
    ts_write(row + process->location_offset, process->location_bytes, process->initial);
    for (uint32_t i = 0; i < process->n_variables; i++)
      set_variable(row, process->variable[i]);
  }
  text_puts(e->out, "\nstatic const uint8_t first_state[LENGTH] = {");
  for (uint32_t i = 0; i < length; i++)
    text_printf(e->out, i % 24 ? " %u," : "\n  %u,", row[i]);
  text_puts(e->out,
            "\n};\n\n"
            "static uint32_t initial(const struct ts *ts, uint32_t which, uint8_t *row) "
            "{\n  memcpy(row, first_state, LENGTH);\n  return LENGTH;\n}\n");
}

/* ---- properties ---------------------------------------------------------------------- */

static void emit_violated(struct emit *e) {
  emit_line(e, "\nstatic uint32_t violated(const struct ts *ts, const uint8_t *s, uint32_t "
               "length, uint32_t from,\n                         uint32_t *fault) {");
  e->depth = 1;
  if (e->has_frames) {
    emit_line(e, "struct run nothing, *const run = &nothing;");
    emit_line(e, "memset(run, 0, sizeof *run);");
    emit_know_pieces(e, "run->");
  }
  emit_line(e, "*fault = TS_NONE;");
  emit_line(e, "switch (from) {");
  for (uint32_t i = 0; i < e->model->n_properties; i++) {
    char tail[48];
    snprintf(tail, sizeof tail, "; return %uu;", i);
    struct emit_context in = emit_context("s", "s");
    emit_escape(&in, 0, "*fault = ", tail);
    emit_line(e, "case %u: {", i);
    e->depth++;
    e->temps = 0;
    emit_begin_event(e);
    size_t from = e->expr.length;
    emit_truth(e, &in, e->model->property[i].condition, true);
    snprintf(tail, sizeof tail, "))\n      return %uu;", i);
    emit_statement(e, "if (!(", from, tail);
    e->depth--;
    emit_line(e, "} /* fall through */");
  }
  emit_line(e, "default:\n    return %uu;\n  }", e->model->n_properties);
  e->depth = 0;
  emit_line(e, "}");
}

/* One that cannot be worked out does not hold. */
static void emit_atoms(struct emit *e) {
  emit_line(e, "\nstatic int32_t holds(const struct ts *ts, const uint8_t *s, uint32_t length, "
               "uint32_t which,\n                     uint32_t *fault) {");
  e->depth = 1;
  if (e->has_frames) {
    emit_line(e, "struct run nothing, *const run = &nothing;");
    emit_line(e, "memset(run, 0, sizeof *run);");
    emit_know_pieces(e, "run->");
  }
  emit_line(e, "switch (which) {");
  for (uint32_t i = 0; i < e->model->atoms.n; i++) {
    struct emit_context in = emit_context("s", "s");
    emit_escape(&in, 0, "*fault = ", "; return 0;");
    emit_line(e, "case %u: {", i);
    e->depth++;
    e->temps = 0;
    emit_begin_event(e);
    size_t from = e->expr.length;
    emit_truth(e, &in, e->model->atoms.at[i].condition, true);
    emit_statement(e, "return (", from, ") != 0;");
    e->depth--;
    emit_line(e, "}");
  }
  emit_line(e, "default:\n    return 0;\n  }");
  e->depth = 0;
  emit_line(e, "}");
}

static void emit_letter(struct emit *e) {
  emit_atoms(e);
  emit_line(e,
            "\nstatic uint64_t letter(const struct ts *ts, const uint8_t *s, uint32_t length, "
            "uint32_t first,\n                       uint32_t n, uint32_t *fault) {\n"
            "  uint64_t found = 0;\n"
            "  *fault = TS_NONE;\n"
            "  for (uint32_t i = 0; i < n; i++)\n"
            "    found |= (uint64_t)holds(ts, s, length, first + i, fault) << i;\n"
            "  return found;\n}");
}

/* Each reads what it has written, and nothing is copied. */
static void emit_change(struct emit *e) {
  emit_line(e, "\nstatic uint32_t change(const struct ts *ts, uint8_t *row, uint32_t length, "
               "uint32_t which) {");
  e->depth = 1;
  emit_line(e, "const uint8_t *const s = row;");
  emit_line(e, "struct run nothing, *const run = &nothing;");
  emit_line(e, "memset(run, 0, sizeof *run);");
  emit_know_pieces(e, "run->");
  emit_line(e, "switch (which) {");
  for (uint32_t i = 0; i < e->model->changes.n; i++) {
    struct emit_context in = emit_context("s", "row");
    emit_escape(&in, 0, "return ", ";");
    emit_line(e, "case %u: {", i);
    e->depth++;
    e->temps = 0;
    emit_begin_event(e);
    emit_effect_list(e, &in, e->model->changes.at[i].effect, e->model->changes.at[i].n_effects);
    emit_line(e, "break;");
    e->depth--;
    emit_line(e, "}");
  }
  emit_line(e, "}");
  emit_line(e, "return TS_NONE;");
  e->depth = 0;
  emit_line(e, "}");
}

/* What cannot be worked out is 0. */
static void emit_measure(struct emit *e) {
  emit_line(e,
            "\nstatic int32_t measure(const struct ts *ts, const uint8_t *s, uint32_t length, "
            "uint32_t which) {");
  e->depth = 1;
  if (e->has_frames) {
    emit_line(e, "struct run nothing, *const run = &nothing;");
    emit_line(e, "memset(run, 0, sizeof *run);");
    emit_know_pieces(e, "run->");
  }
  emit_line(e, "switch (which) {");
  for (uint32_t i = 0; i < e->model->n_measures; i++) {
    struct emit_context in = emit_context("s", "s");
    emit_escape(&in, 0, "fault = ", "; return 0;");
    emit_line(e, "case %u: {", i);
    e->depth++;
    emit_line(e, "uint32_t fault = 0;");
    e->temps = 0;
    emit_begin_event(e);
    size_t from = e->expr.length;
    emit_operand(e, &in, e->model->measure[i].value);
    emit_statement(e, "if (fault) return 0;\n      return (int32_t)", from, ";");
    e->depth--;
    emit_line(e, "}");
  }
  emit_line(e, "default:\n    return 0;\n  }");
  e->depth = 0;
  emit_line(e, "}");
}

/* ---- the whole --------------------------------------------------------------------------- */

static void print_all(struct emit *e, struct text *out) {
  const struct ts_shape *shape = e->shape;
  text_puts(out, "#define CAIRN_GENERATED\n");
  text_puts(out, emit_abi_text);
  text_printf(out, "\n#define LENGTH %u\n#define STRIDE %u\n", shape->max_bytes,
              ts_stride(shape));
  print_copy_words(out, ts_stride(shape));
  emit_embedded(out, emit_common_text, e->helpers);
  text_puts(out, "\n");
  if (e->has_frames)
    emit_machine_head(e, out);
  emit_embedded(out, e->has_frames ? emit_machine_text : emit_plain_text, e->helpers);
  text_puts(out, "\n");
  print_offsets(out, e->model);
  text_add(out, e->tables.at, e->tables.length);
  text_add(out, e->body.at, e->body.length);
  text_printf(out,
              "\nextern const struct ts_code cairn_code;\n"
              "const struct ts_code cairn_code = {TS_ABI, initial, successors, violated, %s, "
              "%s, %s, %s, %s, %s%s};\n",
              e->model->synchronous ? "steps" : "0", e->has_frames ? "ends" : "0",
              e->has_frames && e->report_truncation ? "initial_cuts" : "0",
              e->model->n_measures > 0 ? "measure" : "0",
              e->model->atoms.n > 0 ? "letter" : "0", e->model->changes.n > 0 ? "change" : "0",
              e->counts_back ? ", .n_compiled = n_compiled" : "");
}

static void emit_body(struct emit *e, struct undo *undo) {
  const struct ir_model *m = e->model;
  if (m->synchronous) {
    emit_common_step(e);
  } else if (m->has_instances) {
    emit_instances(e);
  } else {
    for (uint32_t p = 0; p < m->n_processes; p++)
      emit_process(e, m->process[p]);
    emit_successors(e);
  }
  if (!m->has_instances)
    emit_initial(e);
  emit_violated(e);
  if (m->atoms.n > 0)
    emit_letter(e);
  if (m->changes.n > 0)
    emit_change(e);
  if (m->n_measures > 0)
    emit_measure(e);
  if (m->has_instances)
    emit_needed(e);
  if (e->counts_back)
    emit_before(e, undo);
}

static void open_lists(struct emit *e) {
  uint32_t most = 0;
  for (uint32_t p = 0; p < e->model->n_processes; p++)
    if (e->model->process[p]->n_locations > most)
      most = e->model->process[p]->n_locations;
  e->head = ARENA_ARRAY(e->arena, most, uint32_t);
  e->tail = ARENA_ARRAY(e->arena, most, uint32_t);
  if (!e->has_frames)
    e->next = ARENA_ARRAY(e->arena, e->actions->n, uint32_t);
  e->written = ARENA_ARRAY(e->arena, e->shape->n_variables, uint32_t);
}

bool native_emit(const struct ir_model *m, const struct ir_actions *actions,
                 struct ts_shape *shape, const struct native_options *options,
                 struct text *out) {
  struct emit e = {.model = m,
                   .actions = actions,
                   .shape = shape,
                   .arena = m->arena,
                   .report_truncation = options->report_truncation,
                   .fold_all = options->fold_all,
                   .has_frames = m->has_instances,
                   .counts_back = options->undo != NULL && options->undo->seats == NULL,
                   .special = emit_special};
  struct text *const own[] = {&e.body, &e.tables, &e.expr, &e.place};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    text_init(own[i], out->budget, out->purpose);
    text_add(own[i], "\n", 1); /* so that it has an address */
  }
  e.out = &e.body;
  open_lists(&e);
  if (m->has_instances && m->n_slots < m->most_slots)
    shape->no_place = 1 + emit_fault(&e, m, EMIT_FAULT, (struct span){NULL, 0, 0},
                                     "more processes live than there are places for");
  emit_body(&e, options->undo);
  bool good = true;
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    good = good && !own[i]->failed;
  if (good)
    print_all(&e, out);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    text_free(own[i]);
  shape->fault = e.faults.at;
  shape->n_faults = e.faults.n;
  if (e.prints.n > 0) {
    struct ts_notes *notes = ir_notes(e.model, shape);
    notes->print = e.prints.at;
    notes->n_prints = e.prints.n;
  }
  shape->truncation = e.truncations.at;
  shape->n_truncations = e.truncations.n;
  return good && !out->failed;
}
