/* sync.c - the common step of a synchronous system.
 *
 * Every process takes one of its enabled edges at once. The generated code lists
 * the enabled edges per process; an event's choice, read as a number whose digits
 * count the edges of each process (the last process varies fastest), selects one
 * combination. Each edge is evaluated on a copy of the old state, and the results
 * are merged in one row. A guard that fails makes the whole step one model error.
 */
#include "native/emit/emit.h"

#include <stdio.h>

static bool takes_part(const struct emit *e, uint32_t p) {
  return !e->model->process[p]->is_property;
}

static void location_switch(struct emit *e, const struct ir_process *p) {
  size_t from = e->expr.length;
  emit_cell(&e->expr, "s", p->location_bytes, false);
  emit_location_name(&e->expr, p);
  text_puts(&e->expr, emit_cell_end(p->location_bytes, false));
  emit_statement(e, "switch (", from, ") {");
}

/* The enabled edges of a process, as actions. */
static void enabled_edges(struct emit *e, const struct ir_process *p) {
  const struct ir_action *at = e->actions->at;
  uint32_t i = e->actions->first[p->index], end = e->actions->first[p->index + 1];
  emit_line(e,
            "\nstatic uint32_t enabled_%u(const uint8_t *const s, uint32_t *list, uint32_t "
            "*fault) {",
            p->index);
  e->depth = 1;
  emit_line(e, "uint32_t n = 0;");
  location_switch(e, p);
  struct emit_context in = emit_context("s", "s");
  emit_escape(&in, 0, "*fault = ", "; return 0;");
  for (uint32_t last = TS_NONE; i < end; i++) {
    const struct ir_edge *edge = at[i].move->edge;
    if (edge->from != last)
      emit_line(e, last == TS_NONE ? "case %u:" : "  break;\n  case %u:", edge->from);
    last = edge->from;
    e->depth++;
    emit_begin_event(e);
    emit_edge_comment(e, "", p, edge);
    emit_line(e, "{");
    e->depth++;
    e->temps = 0;
    size_t from = e->expr.length;
    if (edge->guard)
      emit_truth(e, &in, edge->guard, true);
    else
      text_puts(&e->expr, "1");
    emit_statement(e, "if (", from, ")");
    emit_line(e, "  list[n++] = %uu;", i);
    e->depth--;
    emit_line(e, "}");
    e->depth--;
    if (i + 1 == end)
      emit_line(e, "  break;");
  }
  emit_line(e, "default:\n    break;\n  }");
  emit_line(e, "return n;");
  e->depth = 0;
  emit_line(e, "}");
}

/* What an edge of the process, which is number `mover` from 1, does on its own copy and on the
 * row. */
static void take_edge(struct emit *e, const struct ir_process *p, uint32_t mover) {
  const struct ir_action *at = e->actions->at;
  emit_line(e,
            "\nstatic uint32_t take_%u(struct run *const run, const uint8_t *const s, uint8_t "
            "*own, uint8_t *row,\n                        uint32_t *mark, uint32_t action) {",
            p->index);
  e->depth = 1;
  emit_line(e, "switch (action) {");
  struct emit_context in = emit_context("s", "own");
  emit_escape(&in, 0, "return ", ";");
  in.mover = mover;
  for (uint32_t i = e->actions->first[p->index]; i < e->actions->first[p->index + 1]; i++) {
    const struct ir_edge *edge = at[i].move->edge;
    emit_line(e, "case %uu: {", i);
    e->depth++;
    e->temps = 0;
    emit_edge_comment(e, "", p, edge);
    emit_begin_event(e);
    emit_move(e, &in, p, edge);
    emit_effects(e, &in, edge);
    emit_line(e, "break;");
    e->depth--;
    emit_line(e, "}");
  }
  emit_line(e, "default:\n    break;\n  }");
  emit_line(e, "return TS_NONE;");
  e->depth = 0;
  emit_line(e, "}");
}

/* Most edges of one location: the room for a list of enabled ones. */
static uint32_t most_edges(const struct emit *e, uint32_t p) {
  uint32_t most = 1, here = 0;
  for (uint32_t i = e->actions->first[p]; i < e->actions->first[p + 1]; i++) {
    const struct ir_edge *edge = e->actions->at[i].move->edge;
    bool same =
        i > e->actions->first[p] && e->actions->at[i - 1].move->edge->from == edge->from;
    here = same ? here + 1 : 1;
    most = here > most ? here : most;
  }
  return most;
}

/* combinations(): the lists, and how many events they make. */
static void combinations(struct emit *e, uint32_t n_processes) {
  uint32_t total = 0, ordinal = 0;
  for (uint32_t p = 0; p < e->model->n_processes; p++)
    if (takes_part(e, p))
      total += most_edges(e, p);
  emit_line(e, "\nstruct lists {\n  uint32_t count[%u], *list[%u], item[%u];\n};", n_processes,
            n_processes, total);
  emit_line(e,
            "\nstatic uint64_t combinations(const uint8_t *const s, struct lists *l, uint32_t "
            "*fault) {");
  e->depth = 1;
  emit_line(e, "uint64_t total = 1;\n  *fault = TS_NONE;");
  total = 0;
  for (uint32_t p = 0; p < e->model->n_processes; p++) {
    if (!takes_part(e, p))
      continue;
    emit_line(e, "l->list[%u] = l->item + %u;", ordinal, total);
    emit_line(e, "l->count[%u] = enabled_%u(s, l->list[%u], fault);", ordinal, p, ordinal);
    emit_line(e, "if (*fault != TS_NONE)\n    return 1;");
    total += most_edges(e, p);
    ordinal++;
  }
  uint32_t fault = emit_fault(e, e->model, EMIT_FAULT, (struct span){NULL, 0, 0},
                              "a common step has more than 2^32 combinations of edges");
  emit_line(e, "for (uint32_t i = 0; i < %u; i++)\n    if (l->count[i] == 0)\n      return 0;",
            n_processes);
  emit_line(e, "for (uint32_t i = 0; i < %u; i++) {", n_processes);
  emit_line(e, "  total *= l->count[i];\n    if (total > 0xFFFFFFFFull) {");
  emit_line(e, "    *fault = %uu;\n      return 1;\n    }\n  }", fault);
  emit_line(e, "return total;");
  e->depth = 0;
  emit_line(e, "}\n");
  emit_line(e, "static void pick(const struct lists *l, uint32_t choice, uint32_t *action) {");
  emit_line(e, "  for (uint32_t i = %u; i-- > 0; choice /= l->count[i])", n_processes);
  emit_line(e, "    action[i] = l->list[i][choice %% l->count[i]];\n}");
}

static void combine(struct emit *e, uint32_t n_marks) {
  uint32_t ordinal = 0;
  emit_line(e, "\nstatic uint32_t combine(struct run *const run, const uint8_t *const s, const "
               "uint32_t *action,\n                        uint8_t *row, uint64_t *changed) {");
  e->depth = 1;
  emit_line(e, "uint64_t copy[STRIDE / 8];\n  uint32_t mark[%u], fault = TS_NONE;", n_marks);
  emit_line(e, "uint8_t *const own = (uint8_t *)copy;");
  emit_line(e, "memset(mark, 0, sizeof mark);\n  memcpy(row, s, STRIDE);\n  *changed = 0;");
  for (uint32_t p = 0; p < e->model->n_processes; p++) {
    if (!takes_part(e, p))
      continue;
    emit_line(e, "if (fault == TS_NONE) {");
    emit_line(e, "  memcpy(own, s, STRIDE);");
    emit_line(e, "  fault = take_%u(run, s, own, row, mark, action[%u]);", p, ordinal);
    emit_line(e, "  *changed |= changed_by[action[%u]];\n  }", ordinal);
    ordinal++;
  }
  emit_line(e, "return fault;");
  e->depth = 0;
  emit_line(e, "}");
}

static void changed_table(struct emit *e) {
  emit_line(e, "\nstatic const uint64_t changed_by[] = {");
  for (uint32_t i = 0; i + 1 < e->actions->n; i++)
    emit_line(e, "  0x%llxull,", (unsigned long long)emit_changed(e, i));
  emit_line(e, "  0ull\n};");
}

static void common_successors(struct emit *e, uint32_t n_processes) {
  uint32_t action = e->actions->n - 1;
  emit_line(e, "\nstatic int32_t successors(const struct ts *ts, const uint8_t *s, uint32_t "
               "length,\n                          struct ts_event *cursor, const uint64_t "
               "*skip, struct ts_batch *out) {");
  e->depth = 1;
  emit_line(e, "struct run state = {out->edge, out->rows, out->stride, out->capacity, "
               "out->capacity, 0, 0, 0, "
               "0, skip, cursor,\n                      out->truncated, 0};");
  emit_line(e, "struct run *const run = &state;");
  emit_line(e, "struct lists lists;\n  uint32_t action[%u], fault, n = out->n;", n_processes);
  emit_line(e, "if (cursor->action > %uu || (skip && ((skip[%u] >> %u) & 1)))\n    return 0;",
            action, action / 64, action % 64);
  emit_line(e, "const uint64_t total = combinations(s, &lists, &fault);");
  emit_line(e, "uint32_t choice = cursor->action == %uu ? cursor->choice : 0;", action);
  emit_line(e, "for (; choice < total; choice++) {");
  emit_line(e, "  uint64_t changed = 0;\n    uint32_t broken = fault;");
  emit_line(e,
            "  if (n >= out->capacity) {\n      cursor->action = %uu;\n      cursor->choice = "
            "choice;\n      out->n = n;\n      return 1;\n    }",
            action);
  emit_line(e, "  if (broken == TS_NONE) {\n      pick(&lists, choice, action);");
  emit_line(e, "    broken = combine(run, s, action, ROW(n), &changed);\n    }");
  emit_line(e, "  if (broken == TS_NONE)\n      TELL(%uu, changed);", action);
  emit_line(e, "  else\n      n = failed(run, n, %uu, broken);", action);
  emit_line(e, "  out->edge[n - 1].event.choice = choice;\n  }");
  emit_line(e, "out->n = n;\n  return 0;\n}");
  e->depth = 0;
}

static void steps(struct emit *e, uint32_t n_processes) {
  emit_line(e,
            "\nstatic uint32_t steps(const struct ts *ts, const uint8_t *s, uint32_t length, "
            "struct ts_event event,\n                      uint32_t *action, uint32_t "
            "capacity) {");
  emit_line(e, "  struct lists lists;\n  uint32_t fault, all[%u];", n_processes);
  emit_line(e, "  const uint64_t total = combinations(s, &lists, &fault);");
  emit_line(e,
            "  if (fault != TS_NONE || event.action != %uu || event.choice >= total)\n    "
            "return 0;",
            e->actions->n - 1);
  emit_line(e, "  pick(&lists, event.choice, all);");
  emit_line(e, "  for (uint32_t i = 0; i < %u && i < capacity; i++)\n    action[i] = all[i];",
            n_processes);
  emit_line(e, "  return %u;\n}", n_processes);
}

void emit_common_step(struct emit *e) {
  uint32_t n_processes = 0, n_marks = 1;
  e->helpers |= EMIT_FAILED | EMIT_TELL;
  for (uint32_t p = 0; p < e->model->n_processes; p++) {
    if (!takes_part(e, p))
      continue;
    enabled_edges(e, e->model->process[p]);
    take_edge(e, e->model->process[p], ++n_processes);
  }
  if (e->model->n_globals && e->shape->component[0].bytes)
    n_marks = e->shape->component[0].bytes;
  changed_table(e);
  combinations(e, n_processes);
  combine(e, n_marks);
  common_successors(e, n_processes);
  steps(e, n_processes);
}
