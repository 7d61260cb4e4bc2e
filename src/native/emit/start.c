/* start.c - models with instances: how a process is made, and the initial state.
 *
 * One function per template writes the fields of a new process into its frame; the initial
 * state is what comes of it for the processes that are there from the beginning.
 */
#include "native/emit/emit.h"

#include <stdio.h>

/* The number of the first channel that process `self` has of its own. */
static void own_channels(struct emit *e) {
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

static void start_parameter(struct emit *e, const struct emit_context *in, struct ir_process *p,
                            uint32_t i) {
  struct ir_expr *target = ARENA_NEW(e->arena, struct ir_expr);
  *target = (struct ir_expr){
      .kind = IR_VARIABLE, .span = p->variable[i]->span, .variable = p->variable[i]};
  char value[24];
  snprintf(value, sizeof value, "a%u", i);
  if (!p->variable[i]->is_const && p->variable[i]->length)
    emit_store(e, in, target,
               &(struct emit_value){value, {INT32_MIN, INT32_MAX}, target->span});
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
  e->temps = 0;
  emit_line(e,
            "\nstatic uint32_t start_%u(struct run *const run, uint8_t *const row, const "
            "uint32_t at,\n                      const uint32_t self",
            p->index);
  for (uint32_t i = 0; i < p->n_parameters; i++)
    emit_line(e, "    , const int32_t a%u", i);
  emit_line(e, ") {");
  e->depth = 1;
  size_t begin = e->out->length;
  struct emit_context in = emit_context("row", "row");
  emit_begin_event(e);
  emit_escape(&in, 0, "return ", ";");
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
    start_parameter(e, &in, p, i);
  start_channels(e, p);
  emit_effect_list(e, &in, p->start, p->n_starts);
  emit_line(e, "return TS_NONE;");
  emit_declare(e, begin, "s", "const uint8_t *const s = row;");
  emit_declare(e, begin, "length", "uint32_t length = 0;");
  emit_declare(e, begin, "broken", "uint32_t broken = TS_NONE;");
  emit_declare(e, begin, "changed", "uint64_t changed = 0;");
  e->depth = 0;
  emit_line(e, "}");
}

void emit_starts(struct emit *e) {
  const struct ir_model *m = e->model;
  if (e->has_own_channels)
    own_channels(e);
  for (uint32_t p = 0; p < m->n_processes; p++)
    if (m->process[p]->n_seats)
      print_start(e, m->process[p]);
}

/* ---- the initial state --------------------------------------------------------------- */

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
  emit_line(e,
            "\nstatic uint32_t initial(const struct ts *ts, uint32_t which, uint8_t *row) {");
  emit_line(e, "  struct run nothing;");
  emit_line(e, "  memset(&nothing, 0, sizeof nothing);");
  emit_know_pieces(e, "nothing.");
  emit_line(e, "  return make_first(&nothing, row);\n}");
  if (!e->report_truncation)
    return;
  emit_line(e, "\nstatic void initial_cuts(const struct ts *ts, uint64_t *truncated) {");
  emit_line(e, "  struct run only;");
  emit_line(e, "  uint64_t row[STRIDE / 8];");
  emit_line(e, "  memset(&only, 0, sizeof only);");
  emit_know_pieces(e, "only.");
  emit_line(e, "  memset(row, 0, sizeof row);");
  emit_line(e, "  only.truncated = truncated;");
  emit_line(e, "  make_first(&only, (uint8_t *)row);\n}");
}

void emit_first(struct emit *e) {
  const struct ir_model *m = e->model;
  emit_line(e, "\nstatic uint32_t make_first(struct run *const run, uint8_t *row) {");
  e->depth = 1;
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
  print_initial(e);
}
