/* event.c - the events of one process.
 *
 * One function per process, one case per control location, one block per edge.
 * A guard is evaluated once. After it comes one test, `n < run->limit`, which
 * holds as long as there is room and the caller wants nothing special. If some
 * actions are to be skipped a bit is tested instead, and only else (the batch is full,
 * or the call resumes at a cursor) wanted() is asked. Handshakes are found from the sender: its
 * guard once, then for each receiving process a switch on its location.
 */
#include "native/emit/emit.h"

#include "ts/sets.h"

#include <stdio.h>

static bool is_committed(const struct ir_process *p, uint32_t location) {
  return p->location[location].flags & IR_COMMITTED;
}

uint64_t emit_changed(const struct emit *e, uint32_t action) {
  struct sets_walk walk;
  struct ts_range range;
  uint64_t mask = 0;
  for (sets_begin(&walk, e->shape, &e->shape->writes, action); sets_next(&walk, &range);)
    for (uint32_t i = range.first; i < range.first + range.n; i++) {
      uint32_t c = e->shape->variable[e->shape->slot[i].variable].component;
      mask |= UINT64_C(1) << (c < 63 ? c : 63);
    }
  return mask;
}

static bool has_committed(const struct ir_model *m) {
  for (uint32_t p = 0; p < m->n_processes; p++)
    for (uint32_t i = 0; !m->process[p]->is_property && i < m->process[p]->n_locations; i++)
      if (is_committed(m->process[p], i))
        return true;
  return false;
}

enum { WANTED_ROOM = 160 };

/* The test after a guard. Written out, for an instant compiler does not inline. */
static void wanted_text(char *out, uint32_t action) {
  snprintf(out, WANTED_ROOM,
           "(n < run->limit || (n < run->sieve && !(run->skip[%u] >> %u & 1)) ||"
           " (n >= run->sieve && wanted(run, n, %uu)))",
           action >> 6, action & 63, action);
}

/* What to do when a guard fails, for the event of `action`. */
static void escape_guard(struct emit_context *in, uint32_t action) {
  char head[96], tail[48];
  snprintf(head, sizeof head,
           "if (n < run->limit || wanted(run, n, %uu)) { n = failed(run, n, %uu, ", action,
           action);
  snprintf(tail, sizeof tail, "); } goto after_%u;", action);
  emit_escape(in, EMIT_WANTED | EMIT_FAILED, head, tail);
}

/* The same inside the effects. */
static void escape_effect(struct emit_context *in, uint32_t action) {
  char head[48], tail[48];
  snprintf(head, sizeof head, "n = failed(run, n, %uu, ", action);
  snprintf(tail, sizeof tail, "); goto after_%u;", action);
  emit_escape(in, EMIT_FAILED, head, tail);
}

/* Appends " && enough room in the channel" to the guard in `expr`. */
static void add_channel_guard(struct emit *e, const struct ir_edge *edge, bool first) {
  const struct ir_channel *c = edge->channel;
  text_puts(&e->expr, first ? "" : " && ");
  emit_cell(&e->expr, "s", c->count_bytes, false);
  emit_count_name(&e->expr, c);
  text_puts(&e->expr, emit_cell_end(c->count_bytes, false));
  if (edge->sync == IR_SEND)
    text_printf(&e->expr, " < %u", c->capacity);
  else
    text_puts(&e->expr, " > 0");
}

/* `if (guard && room) {` and the copy of the row; the context is then that of the effects. True
 * if a block was opened in front of it, for temporaries. */
static bool open_event(struct emit *e, struct emit_context *in, const struct ir_edge *guarded,
                       bool buffered, uint32_t action) {
  size_t from = e->expr.length, statements = e->out->length;
  char tail[WANTED_ROOM + 16], wanted[WANTED_ROOM], head[] = "if (";
  const char *gap = "";
  e->escaped = false;
  escape_guard(in, action);
  if (emit_decide(e, in, guarded->guard) != EMIT_ALWAYS) {
    e->depth++;
    emit_truth(e, in, guarded->guard, false);
    e->depth--;
    gap = " && ";
  }
  if (buffered) {
    add_channel_guard(e, guarded, !*gap);
    gap = " && ";
  }
  bool block = e->out->length > statements;
  if (block) {
    emit_insert(e, statements, "{");
    e->depth++;
  }
  wanted_text(wanted, action);
  snprintf(tail, sizeof tail, "%s%s) {", gap, wanted);
  e->helpers |= EMIT_WANTED;
  emit_statement(e, head, from, tail);
  e->depth++;
  emit_line(e, "uint8_t *const row = ROW(n);");
  emit_line(e, "COPY(row, s);");
  escape_effect(in, action);
  return block;
}

static void close_event(struct emit *e, uint32_t action, bool block) {
  e->helpers |= EMIT_TELL;
  emit_line(e, "TELL(%uu, 0x%llxull);", action, (unsigned long long)emit_changed(e, action));
  e->depth--;
  emit_line(e, "}");
  if (block) {
    e->depth--;
    emit_line(e, "}");
  }
  if (e->escaped)
    emit_line(e, "after_%u:;", action);
}

/* An edge that moves alone. */
static void single_event(struct emit *e, uint32_t action) {
  const struct ir_move *m = e->actions->at[action].move;
  bool buffered = m->edge->sync != IR_NO_SYNC;
  struct emit_context in = emit_context("s", "row");
  emit_begin_event(e);
  emit_edge_comment(e, "", m->process, m->edge);
  if (emit_decide(e, &in, m->edge->guard) == EMIT_NEVER)
    return;
  bool block = open_event(e, &in, m->edge, buffered, action);
  if (buffered && !m->edge->late)
    emit_channel(e, &in, m->edge);
  emit_move(e, &in, m->process, m->edge);
  emit_effects(e, &in, m->edge);
  if (buffered && m->edge->late)
    emit_channel(e, &in, m->edge);
  close_event(e, action, block);
}

/* ---- handshakes -------------------------------------------------------------------- */

static void pair_event(struct emit *e, uint32_t action, bool held) {
  const struct ir_move *m = e->actions->at[action].move;
  char wanted[WANTED_ROOM];
  struct emit_context in = emit_context("s", "row");
  emit_begin_event(e);
  emit_edge_comment(e, "with ", m[1].process, m[1].edge);
  if (!held && emit_decide(e, &in, m[1].edge->guard) == EMIT_NEVER)
    return;
  if (held) {
    emit_line(e, "if (held != TS_NONE) {");
    wanted_text(wanted, action);
    emit_line(e, "  if %s", wanted);
    emit_line(e, "    n = failed(run, n, %uu, held);", action);
    emit_line(e, "} else {");
    e->depth++;
  }
  bool block = open_event(e, &in, m[1].edge, false, action);
  emit_pass(e, &in, m[0].edge, m[1].edge);
  emit_move(e, &in, m[1].process, m[1].edge);
  emit_effects(e, &in, m[1].edge);
  emit_move(e, &in, m[0].process, m[0].edge);
  emit_effects(e, &in, m[0].edge);
  bool labelled = e->escaped;
  e->escaped = labelled && !held;
  close_event(e, action, block);
  if (held) {
    e->depth--;
    emit_line(e, "}");
    if (labelled)
      emit_line(e, "after_%u:;", action);
  }
}

static void location_head(struct emit *e, const char *format, const struct ir_process *p) {
  size_t from = e->expr.length;
  emit_cell(&e->expr, "s", p->location_bytes, false);
  emit_location_name(&e->expr, p);
  text_puts(&e->expr, emit_cell_end(p->location_bytes, false));
  emit_statement(e, format, from, ") {");
}

/* Actions [i, end) of one sending edge and one receiving process, by the receiver's
 * location. */
static void receiving_process(struct emit *e, uint32_t i, uint32_t end, bool held) {
  const struct ir_action *at = e->actions->at;
  const struct ir_process *p = at[i].move[1].process;
  for (uint32_t k = i; k < end; k++)
    e->head[at[k].move[1].edge->from] = TS_NONE;
  for (uint32_t k = i; k < end; k++) {
    uint32_t from = at[k].move[1].edge->from;
    e->next[k] = TS_NONE;
    if (e->head[from] == TS_NONE)
      e->head[from] = k;
    else
      e->next[e->tail[from]] = k;
    e->tail[from] = k;
  }
  location_head(e, "switch (", p);
  for (uint32_t k = i; k < end; k++) {
    uint32_t from = at[k].move[1].edge->from;
    if (e->head[from] != k)
      continue;
    emit_line(e, "case %u:", from);
    e->depth++;
    for (uint32_t j = k; j != TS_NONE; j = e->next[j])
      pair_event(e, j, held);
    emit_line(e, "break;");
    e->depth--;
  }
  emit_line(e, "default:");
  emit_line(e, "  break;");
  emit_line(e, "}");
}

/* The sender's guard; true if it may fail: then `held` holds the fault, which is
 * that of each handshake whose receiver is in place. */
static bool sender_guard(struct emit *e, const struct ir_edge *edge, uint32_t action) {
  size_t from = e->expr.length, statements = e->out->length;
  char tail[48];
  snprintf(tail, sizeof tail, "; goto try_%u;", action);
  struct emit_context in = emit_context("s", "row");
  emit_escape(&in, EMIT_WANTED | EMIT_FAILED, "held = ", tail);
  e->escaped = false;
  e->depth++;
  if (emit_decide(e, &in, edge->guard) == EMIT_ALWAYS)
    text_puts(&e->expr, "1");
  else
    emit_truth(e, &in, edge->guard, true);
  e->depth--;
  if (!e->escaped) {
    emit_insert(e, statements, "{");
    e->depth++;
    emit_statement(e, "if (", from, ") {");
    return false;
  }
  emit_insert(e, statements, "{ uint32_t held = TS_NONE; int32_t open = 1;");
  e->depth++;
  emit_statement(e, "open = ", from, ";");
  emit_line(e, "try_%u:", action);
  emit_line(e, "if (open) {");
  return true;
}

/* Actions [i, end) of one sending edge. */
static void handshakes(struct emit *e, uint32_t i, uint32_t end) {
  const struct ir_action *at = e->actions->at;
  struct emit_context in = emit_context("s", "row");
  emit_begin_event(e);
  emit_edge_comment(e, "", at[i].move[0].process, at[i].move[0].edge);
  if (emit_decide(e, &in, at[i].move[0].edge->guard) == EMIT_NEVER)
    return;
  bool held = sender_guard(e, at[i].move[0].edge, i);
  e->depth++;
  while (i < end) {
    uint32_t j = i + 1;
    while (j < end && at[j].move[1].process == at[i].move[1].process)
      j++;
    receiving_process(e, i, j, held);
    i = j;
  }
  e->depth--;
  emit_line(e, "}");
  e->depth--;
  emit_line(e, "}");
}

/* ---- processes --------------------------------------------------------------------------- */

/* Actions [i, end) of one location. */
static void location_events(struct emit *e, uint32_t i, uint32_t end) {
  const struct ir_action *at = e->actions->at;
  while (i < end) {
    uint32_t j = i + 1;
    e->temps = 0;
    if (at[i].n_moves == 1) {
      single_event(e, i);
    } else {
      while (j < end && at[j].move[0].edge == at[i].move[0].edge)
        j++;
      handshakes(e, i, j);
    }
    i = j;
  }
}

void emit_process(struct emit *e, const struct ir_process *p) {
  const struct ir_action *at = e->actions->at;
  uint32_t i = e->actions->first[p->index], end = e->actions->first[p->index + 1];
  bool committed = has_committed(e->model);
  if (i == end)
    return;
  emit_line(e,
            "\nstatic uint32_t process_%u(struct run *const run, const uint8_t *restrict "
            "const s, uint32_t n) {",
            p->index);
  e->depth = 1;
  location_head(e, "switch (", p);
  while (i < end) {
    uint32_t from = at[i].move[0].edge->from, j = i;
    while (j < end && at[j].move[0].edge->from == from)
      j++;
    emit_line(e, "case %u:", from);
    e->depth++;
    if (committed && !is_committed(p, from))
      emit_line(e, "if (run->committed)\n      break;");
    location_events(e, i, j);
    emit_line(e, "break;");
    e->depth--;
    i = j;
  }
  emit_line(e, "default:\n    break;");
  emit_line(e, "}");
  emit_line(e, "return n;");
  e->depth = 0;
  emit_line(e, "}");
}

/* Whether some process is at a committed location: per process a mask of its
 * locations, or comparisons where there are more than 64. */
static void committed_test(struct emit *e, const struct ir_process *p) {
  uint64_t mask = 0;
  size_t from = e->expr.length;
  emit_cell(&e->expr, "state", p->location_bytes, false);
  emit_location_name(&e->expr, p);
  text_puts(&e->expr, emit_cell_end(p->location_bytes, false));
  for (uint32_t i = 0; i < p->n_locations; i++) {
    if (!is_committed(p, i))
      continue;
    mask |= UINT64_C(1) << (i & 63);
    if (p->n_locations > 64)
      emit_line(e, "if (%s == %u)\n    run.committed = 1;",
                e->expr.failed ? "0" : e->expr.at + from, i);
  }
  if (mask && p->n_locations <= 64)
    emit_line(e, "run.committed |= (int32_t)((0x%llxull >> %s) & 1);", (unsigned long long)mask,
              e->expr.failed ? "0" : e->expr.at + from);
  emit_drop(e, from);
}

void emit_successors(struct emit *e) {
  const struct ir_model *m = e->model;
  emit_line(e,
            "\nstatic int32_t successors(const struct ts *ts, const uint8_t *state, uint32_t "
            "length,\n                          struct ts_event *cursor, const uint64_t "
            "*skip, struct ts_batch *out) {");
  e->depth = 1;
  emit_line(
      e, "struct run run = {out->edge, out->rows, out->stride, out->capacity, out->capacity, "
         "cursor->action, cursor->choice,");
  emit_line(e, "                  0, 0, skip, cursor, out->truncated, 0};");
  emit_line(e, "uint32_t n = out->n;");
  emit_line(e, "if (skip || cursor->action || cursor->choice) {");
  emit_line(e, "  run.limit = 0;");
  emit_line(e, "  if (!cursor->action && !cursor->choice) run.sieve = run.capacity;\n  }");
  for (uint32_t p = 0; has_committed(m) && p < m->n_processes; p++)
    if (!m->process[p]->is_property)
      committed_test(e, m->process[p]);
  for (uint32_t p = 0; p < m->n_processes; p++)
    if (e->actions->first[p] != e->actions->first[p + 1])
      emit_line(e, "n = process_%u(&run, state, n);", p);
  emit_line(e, "out->n = n;");
  emit_line(e, "return run.full;");
  e->depth = 0;
  emit_line(e, "}");
}
