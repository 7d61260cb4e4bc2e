/* door.c - models with instances: the events of a state, and its being an end.
 *
 * The order of events is that of process numbers, from the highest down; where the
 * number of processes varies, the code falls through from the case of the youngest one.
 * Where no event is executable and the model asks for it, all processes are tried again
 * with `timeout` true.
 */
#include "native/emit/emit.h"

#include <stdio.h>

/* Only C text of the model is called through the ts. */
static const char *knows(const struct emit *e, const char *parameter) {
  return e->model->embedded != NULL ? parameter : "";
}

/* ---- ends ---------------------------------------------------------------------------- */

static void mark_ends(const struct ir_process *p, bool *flag) {
  for (uint32_t l = 0; l < p->n_locations; l++)
    flag[l] = (p->location[l].flags & IR_VALID_END) != 0;
  for (uint32_t i = 0; i < p->n_edges; i++)
    if (p->edge[i].flags & IR_ENDS)
      flag[p->edge[i].from] = true;
}

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
  emit_flags(e, "proper_end", mark_ends);
  emit_line(e,
            "\nstatic int32_t ends(const struct ts *ts, const uint8_t *s, uint32_t length) {");
  e->depth = 1;
  emit_line(e, "int32_t i;");
  if (e->helpers & EMIT_RUNS) {
    emit_line(e, "struct ts_event cursor = {0, 0};");
    emit_line(e, "struct ts_batch none;");
    emit_line(e, "uint32_t any = 0;");
    emit_line(e, "memset(&none, 0, sizeof none);");
    emit_line(e, "look(%ss, length, &cursor, 0, &none, &any);", knows(e, "ts, "));
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

/* ---- dispatch ------------------------------------------------------------------------ */

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

#define DOOR_FEW 4u /* with that many processes all of them are asked again */

/* A call that goes on after an event begins with the process whose action it is: of a state
 * with thousands of events, many processes would be asked in vain each time. Where nothing
 * may be executable and a timeout waits for that, it has to be found out again. */
static bool print_first(struct emit *e, bool timeout) {
  const struct ir_model *m = e->model;
  bool resumes = !timeout && m->n_slots > DOOR_FEW;
  if (!resumes && !m->live_varies)
    return false;
  if (!resumes) {
    emit_line(e, "const uint32_t first = LIVE(state);");
    return true;
  }
  text_puts(&e->tables, "static const uint32_t slot_action[] = {");
  for (uint32_t i = 0; i < m->n_slots; i++)
    text_printf(&e->tables, "%s%u", i > 0 ? ", " : "",
                m->slot[i].n_seats > 0 ? m->slot[i].seat[0].first_action : 0);
  text_puts(&e->tables, "};\n");
  emit_line(e, "uint32_t first = LIVE(state);");
  emit_line(e, "if (run.first) {");
  emit_line(e, "  run.any = 1;");
  emit_line(e, "  while (first > 1 && slot_action[first - 2] <= run.first) first--;");
  emit_line(e, "}");
  return true;
}

/* From the youngest process down, or from process number first - 1. */
static void print_all_moves(struct emit *e, bool has_first) {
  const struct ir_model *m = e->model;
  if (has_first)
    emit_line(e, "switch (first) {");
  for (uint32_t i = m->n_slots; i-- > 0;) {
    if (has_first)
      emit_line(e, "case %u:", i + 1);
    e->depth += has_first;
    print_call(e, i, "process", "&run", "state", NULL);
    e->depth -= has_first;
    if (has_first)
      emit_line(e, "  /* fall through */");
  }
  if (has_first)
    emit_line(e, "default:\n    break;\n  }");
}

/* Whether anything was executable is reported apart: an endless sequence has no successor.
 * *any is 1 if something was, and 2 if that is only so as nothing else was. */
static void print_successors(struct emit *e) {
  bool timeout = emit_in_model(e->model, IR_TIMEOUT);
  emit_line(e,
            "\nstatic int32_t look(%sconst uint8_t *state, uint32_t length, struct ts_event "
            "*cursor,\n                    const uint64_t *skip, struct ts_batch *out, "
            "uint32_t *any) {",
            knows(e, "const struct ts *ts, "));
  e->depth = 1;
  emit_line(e, "struct run run;");
  emit_line(e, "uint8_t unasked[STATEMENTS + 1];");
  emit_line(e, "uint32_t n = out->n;");
  if (e->helpers & EMIT_RUNS) {
    emit_line(e, "struct held held[HELD + 1];");
    emit_line(e, "uint64_t stack[(HELD + 2) * (STRIDE / 8)];");
    emit_line(e, "run.held = held;");
    emit_line(e, "run.stack = (uint8_t *)stack;");
  }
  emit_line(e, "run.edges = out->edge;");
  emit_line(e, "run.rows = out->rows;");
  emit_line(e, "run.stride = out->stride;");
  emit_line(e, "run.capacity = run.limit = out->capacity;");
  emit_line(e, "run.first = cursor->action;");
  emit_line(e, "run.first_choice = cursor->choice;");
  emit_line(e, "run.sieve = run.full = run.stopped = run.ticks = 0;");
  emit_line(e, "run.out = out;");
  emit_line(e, "run.skip = skip;");
  emit_line(e, "run.cursor = cursor;");
  emit_line(e, "run.truncated = out->truncated;");
  emit_line(e, "run.reached = out->reached ? out->reached : unasked;");
  emit_line(e, "run.endless = out->endless;");
  emit_line(e, "run.trace = out->trace;");
  emit_line(e, "run.length = length;");
  emit_line(e, "run.any = run.timeout = run.inside = run.muted = run.probe = run.top = 0;");
  emit_line(e,
            e->helpers & EMIT_ZEROES ? "run.channel = run.n_zeroes = 0;" : "run.channel = 0;");
  emit_know_pieces(e, "run.");
  emit_line(e, "if (skip || cursor->action || cursor->choice || out->trace)");
  emit_line(e, "  run.limit = 0;");
  emit_line(e, "if (skip && !cursor->action && !cursor->choice && !out->trace)");
  emit_line(e, "  run.sieve = out->capacity;");
  bool has_first = print_first(e, timeout);
  print_all_moves(e, has_first);
  if (timeout) {
    emit_line(e, "if (n == out->n && !run.any) {");
    emit_line(e, "  run.timeout = 1;");
    e->depth++;
    print_all_moves(e, has_first);
    e->depth--;
    emit_line(e, "}");
  }
  emit_line(e, "*any = run.any << run.timeout;");
  emit_line(e, "out->n = n;");
  emit_line(e, "return run.stopped ? 2 : (int32_t)run.full;");
  e->depth = 0;
  emit_line(e, "}");
}

static void print_entry(struct emit *e) {
  emit_line(e,
            "\nstatic int32_t successors(const struct ts *ts, const uint8_t *state, uint32_t "
            "length,\n                          struct ts_event *cursor, const uint64_t "
            "*skip, struct ts_batch *out) {");
  emit_line(e, "  uint32_t any;");
  emit_line(e, "  return look(%sstate, length, cursor, skip, out, &any);\n}", knows(e, "ts, "));
}

/* Claims and properties ask for timeout before any process is tried. */
static void print_is_stuck(struct emit *e) {
  if (!emit_in_model(e->model, IR_STUCK))
    return;
  emit_line(e, "\nstatic int32_t is_stuck(const struct ts *ts, const uint8_t *s, "
               "uint32_t length) {");
  emit_line(e, "  struct ts_event cursor = {0, 0};");
  emit_line(e, "  struct ts_batch none;");
  emit_line(e, "  uint32_t any = 0;");
  emit_line(e, "  memset(&none, 0, sizeof none);");
  emit_line(e, "  look(%ss, length, &cursor, 0, &none, &any);", knows(e, "ts, "));
  emit_line(e, "  return any != 1;\n}");
}

/* ---- conditions on other processes --------------------------------------------------- */

/* A process that is asked about while its own conditions are tried counts as blocked: a
 * cycle of questions has an end. enabled() asks for an executable edge and not whether
 * `provided` allows it (probe 1); the rule of priorities asks for both (2). */
static void print_can_move(struct emit *e) {
  const struct ir_model *m = e->model;
  emit_line(e, "\nstatic int32_t probe_move(struct run *run, const uint8_t *s, int32_t number, "
               "uint32_t kind) {");
  emit_line(e, "  struct run probe;");
  emit_line(e, "  uint32_t i;");
  emit_line(e, "  if (number < 0 || (uint32_t)number >= LIVE(s))\n    return 0;");
  emit_line(e, "  probe = *run;");
  emit_line(e, "  for (i = 0; !run->probe && i < 8; i++) probe.asked[i] = 0;");
  emit_line(e, "  if (probe.asked[number >> 5] >> (number & 31) & 1) return 0;");
  emit_line(e, "  probe.asked[number >> 5] |= 1u << (number & 31);");
  emit_line(e, "  probe.inside = probe.muted = 1;");
  emit_line(e, "  probe.probe = kind;");
  emit_line(e, "  probe.limit = probe.sieve = probe.any = 0;");
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

/* By location of a template, the first statement that begins there, from 1 on; 0: none does. */
static void print_begins(struct emit *e, const struct ir_process *p) {
  uint32_t *first = ARENA_ARRAY(e->arena, p->n_locations, uint32_t);
  for (uint32_t k = p->n_edges; k-- > 0;)
    first[p->edge[k].from] = e->statement[p->index] + k + 1;
  text_printf(&e->tables, "static const uint32_t begins_%u[] = {", p->index);
  for (uint32_t i = 0; i < p->n_locations; i++)
    text_printf(&e->tables, i % 16 ? "%u," : "\n  %u,", first[i]);
  text_puts(&e->tables, "\n};\n");
}

/* A sequence that runs in a cycle is shown by the statements that begin where it does. */
static void print_note_endless(struct emit *e) {
  const struct ir_model *m = e->model;
  emit_line(e, "\nstatic void note_endless(struct run *run, const uint8_t *s, uint32_t i) {");
  emit_line(e, "  int32_t l = 0;");
  emit_line(e, "  uint32_t first = 0;");
  emit_line(e, "  if (!run->endless) return;");
  e->depth = 1;
  emit_locations(e, "s");
  emit_line(e, "switch (template_of(s, (int32_t)i)) {");
  for (uint32_t p = 0; p < m->n_processes; p++) {
    if (!m->process[p]->n_seats)
      continue;
    print_begins(e, m->process[p]);
    emit_line(e, "case %u:\n    first = begins_%u[l];\n    break;", p + 1, p);
  }
  emit_line(e, "}");
  emit_line(e, "if (first > 0) run->endless[first - 1] = 1;");
  e->depth = 0;
  emit_line(e, "}");
}

void emit_door(struct emit *e) {
  print_successors(e);
  print_entry(e);
  print_is_stuck(e);
  print_ends(e);
}

void emit_door_needed(struct emit *e) {
  if (e->helpers & (EMIT_RUNS | EMIT_PROBES))
    print_dispatch(e, "move", "process", NULL);
  if (e->helpers & EMIT_HANDSHAKES)
    print_dispatch(e, "receive", "take", takes);
  if (e->helpers & EMIT_PROBES)
    print_can_move(e);
  if (e->helpers & EMIT_RUNS)
    print_note_endless(e);
}
