/* table.c - what is true of a tiny system, and the system behind the door.
 *
 * Independence is the largest relation for which the diamond condition holds (Bosnacki,
 * Elkind, Genest, Peled, "On commutativity based edge lean search", section 2) at every
 * reachable state, with faults: if a then b is possible, so is b then a with the same
 * result and the same faults; and a model error of a that is there after b was there
 * before b. Some systems use a smaller relation: that of letters without a common part,
 * or one from which pairs were taken out at random.
 */
#include "table.h"

#include "base/bits.h"

#include <string.h>

/* ---- the plain search ------------------------------------------------------------ */

static uint32_t code_of(const struct system *s, const uint8_t *part) {
  uint32_t code = 0;
  for (uint32_t p = 0; p < s->n_parts; p++)
    code = code * s->values[p] + part[p];
  return code;
}

/* The number of a state, which may be a new one. */
static uint32_t find_state(struct table *t, const uint8_t *part, uint32_t depth) {
  uint16_t *number = &t->number[code_of(t->system, part)];
  if (*number != TABLE_STATES)
    return *number;
  if (t->n_states == TABLE_STATES) {
    t->too_large = true;
    return 0;
  }
  struct table_state *state = &t->state[t->n_states];
  *state = (struct table_state){.depth = (uint16_t)depth};
  memcpy(state->part, part, sizeof state->part);
  for (uint32_t i = 0; i < t->system->n_bad; i++) {
    const struct system_bad *bad = &t->system->bad[i];
    state->bad |= part[bad->part[0]] == bad->value[0] && part[bad->part[1]] == bad->value[1];
  }
  *number = (uint16_t)t->n_states;
  return t->n_states++;
}

/* The parts after a letter; false if it is not enabled. */
static bool move(const struct system *s, uint32_t a, uint32_t choice, const uint8_t *part,
                 uint8_t *next) {
  const struct system_letter *letter = &s->letter[a];
  memcpy(next, part, SYSTEM_PARTS);
  for (uint32_t p = 0; p < s->n_parts; p++)
    if (letter->mask >> p & 1) {
      int8_t to = letter->to[choice][p][part[p]];
      if (to < 0)
        return false;
      next[p] = (uint8_t)to;
    }
  return true;
}

static void add_edge(struct table *t, uint32_t i, uint32_t a, uint32_t choice) {
  const struct system_fault *fault = &t->system->letter[a].fault;
  uint8_t next[SYSTEM_PARTS], kind = TS_FINE;
  if (!move(t->system, a, choice, t->state[i].part, next))
    return;
  if (t->n_edges == TABLE_EDGES) {
    t->too_large = true;
    return;
  }
  if (fault->kind != TS_FINE && t->state[i].part[fault->part] == fault->value)
    kind = fault->kind;
  uint32_t target =
      kind == TS_MODEL_ERROR ? TABLE_STATES : find_state(t, next, t->state[i].depth + 1u);
  t->edge[t->n_edges++] = (struct table_edge){(uint16_t)target, (uint8_t)a, (uint8_t)choice,
                                              kind, (uint8_t)(kind != TS_FINE ? a : 0)};
}

static void note_error(struct table *t, uint32_t length) {
  if (length < t->shortest)
    t->shortest = length;
}

static void judge_state(struct table *t, uint32_t i) {
  const struct table_state *state = &t->state[i];
  bool deadlock = state->n_edges == 0;
  t->deadlocks += deadlock;
  t->bad += state->bad;
  if (state->bad || (deadlock && t->system->deadlock_is_error))
    note_error(t, state->depth);
  for (uint32_t e = 0; e < state->n_edges; e++) {
    uint32_t kind = t->edge[state->first_edge + e].kind;
    t->failing += kind == TS_ASSERTION;
    t->lost += kind == TS_MODEL_ERROR;
    if (kind != TS_FINE)
      note_error(t, state->depth + 1u);
  }
}

static void explore(struct table *t) {
  const struct system *s = t->system;
  t->n_states = t->n_edges = 0;
  t->too_large = false;
  t->deadlocks = t->bad = t->failing = t->lost = 0;
  t->shortest = TS_NONE;
  for (uint32_t i = 0; i < s->n_initials; i++)
    find_state(t, s->initial[i], 0);
  t->n_initials = t->n_states;
  for (uint32_t i = 0; i < t->n_states && !t->too_large; i++) {
    t->state[i].first_edge = t->n_edges;
    for (uint32_t a = 0; a < s->n_letters; a++)
      for (uint32_t choice = 0; choice < s->letter[a].n_choices; choice++)
        add_edge(t, i, a, choice);
    t->state[i].n_edges = t->n_edges - t->state[i].first_edge;
    judge_state(t, i);
  }
  t->levels = t->n_states == 0 ? 0 : t->state[t->n_states - 1].depth + 1u;
}

/* States are taken away that no state left leads to, until none are left, or only cycles
 * and what is after them. */
static bool is_acyclic(const struct table *t) {
  uint16_t incoming[TABLE_STATES] = {0}, stack[TABLE_STATES];
  uint32_t n = 0, taken = 0;
  for (uint32_t e = 0; e < t->n_edges; e++)
    if (t->edge[e].target != TABLE_STATES)
      incoming[t->edge[e].target]++;
  for (uint32_t i = 0; i < t->n_states; i++)
    if (incoming[i] == 0)
      stack[n++] = (uint16_t)i;
  while (n > 0) {
    const struct table_state *state = &t->state[stack[--n]];
    taken++;
    for (uint32_t e = 0; e < state->n_edges; e++) {
      uint32_t target = t->edge[state->first_edge + e].target;
      if (target != TABLE_STATES && --incoming[target] == 0)
        stack[n++] = (uint16_t)target;
    }
  }
  return taken == t->n_states;
}

/* Of one system in three it is told exactly how many edges lead to a state. */
static void count_incoming(struct table *t) {
  uint64_t random = t->system->seed ^ 5;
  bool exact = bits_next_random(&random) % 3 == 0;
  t->kept = 0;
  for (uint32_t e = 0; e < t->n_edges; e++)
    if (t->edge[e].target != TABLE_STATES)
      t->state[t->edge[e].target].incoming++;
  for (uint32_t i = 0; i < t->n_states && !exact; i++) {
    uint64_t one = bits_next_random(&random) % 8;
    t->state[i].phantom = one == 0 ? TS_NONE : one == 1 ? 1 : one == 2 ? 200 : 0;
    t->kept += t->state[i].phantom > 0;
  }
}

/* ---- independence ---------------------------------------------------------------- */

/* Whether b and then a lead from a state to the target of `last`, with the faults of
 * `first`, an edge of a, and `last`, one of b. */
static bool commutes(const struct table *t, const struct table_state *from,
                     const struct table_edge *first, const struct table_edge *last) {
  for (uint32_t i = 0; i < from->n_edges; i++) {
    const struct table_edge *b = &t->edge[from->first_edge + i];
    if (b->letter != last->letter || b->kind != last->kind || b->target == TABLE_STATES)
      continue;
    const struct table_state *between = &t->state[b->target];
    for (uint32_t k = 0; k < between->n_edges; k++) {
      const struct table_edge *a = &t->edge[between->first_edge + k];
      if (a->letter == first->letter && a->kind == first->kind && a->target == last->target)
        return true;
    }
  }
  return false;
}

static bool has_error(const struct table *t, const struct table_state *state, uint32_t letter) {
  for (uint32_t e = 0; e < state->n_edges; e++) {
    const struct table_edge *edge = &t->edge[state->first_edge + e];
    if (edge->letter == letter && edge->target == TABLE_STATES)
      return true;
  }
  return false;
}

static void set_dependent(struct table *t, uint32_t a, uint32_t b) {
  t->independent[a] &= ~(1u << b);
  t->independent[b] &= ~(1u << a);
}

static void try_diamonds(struct table *t, const struct table_state *from) {
  for (uint32_t i = 0; i < from->n_edges; i++) {
    const struct table_edge *first = &t->edge[from->first_edge + i];
    if (first->target == TABLE_STATES)
      continue;
    const struct table_state *between = &t->state[first->target];
    for (uint32_t k = 0; k < between->n_edges; k++) {
      const struct table_edge *last = &t->edge[between->first_edge + k];
      if (!(t->independent[first->letter] >> last->letter & 1))
        continue;
      bool holds = last->target == TABLE_STATES ? has_error(t, from, last->letter)
                                                : commutes(t, from, first, last);
      if (!holds)
        set_dependent(t, first->letter, last->letter);
    }
  }
}

static void find_independence(struct table *t) {
  const struct system *s = t->system;
  uint32_t reads[SYSTEM_LETTERS];
  for (uint32_t a = 0; a < s->n_letters; a++) {
    const struct system_letter *l = &s->letter[a];
    reads[a] = l->mask | (l->fault.kind != TS_FINE ? 1u << l->fault.part : 0);
    t->independent[a] = (1u << s->n_letters) - 1;
  }
  for (uint32_t a = 0; a < s->n_letters; a++)
    for (uint32_t b = 0; b < s->n_letters; b++)
      if (a == b || (s->denied[a] >> b & 1) || (s->by_mask && (reads[a] & reads[b]) != 0))
        set_dependent(t, a, b);
  /* Letters without a common part need no trial, and get one all the same. */
  for (uint32_t i = 0; i < t->n_states; i++)
    try_diamonds(t, &t->state[i]);
}

/* The slot that two letters share; a < b. */
static uint32_t shared_slot(const struct system *s, uint32_t a, uint32_t b) {
  return s->n_parts + b * (b - 1) / 2 + a;
}

static void write_sets(struct table *t) {
  const struct system *s = t->system;
  uint32_t n = 0;
  for (uint32_t a = 0; a < s->n_letters; a++) {
    t->write_start[a] = n;
    for (uint32_t b = 0; b < s->n_letters; b++)
      if (a != b && !(t->independent[a] >> b & 1))
        t->write_item[n++] = a < b ? shared_slot(s, a, b) : shared_slot(s, b, a);
  }
  t->write_start[s->n_letters] = n;
  for (uint32_t i = 0; i < s->n_letters * (s->n_letters - 1) / 2; i++)
    t->slot[s->n_parts + i] = (struct ts_slot){.variable = 0, .bytes = 1};
  t->shape.n_slots = s->n_parts + s->n_letters * (s->n_letters - 1) / 2;
  t->shape.reads = (struct ts_rows){t->read_start, t->write_item};
  t->shape.writes = (struct ts_rows){t->write_start, t->write_item};
}

/* ---- behind the door ------------------------------------------------------------- */

static uint32_t write_state(const struct table *t, uint32_t i, uint8_t *row) {
  memset(row, 0, ts_stride(&t->shape));
  for (uint32_t p = 0; p < t->system->n_parts; p++)
    row[t->slot[p].offset] = t->state[i].part[p];
  uint32_t last = t->system->n_parts - 1;
  bool shorter = !t->shape.fixed_length && t->state[i].part[last] == 0;
  return shorter ? t->component[last].offset : t->shape.max_bytes;
}

uint32_t table_state(const struct table *t, const uint8_t *row, uint32_t length) {
  uint8_t part[SYSTEM_PARTS] = {0}, copy[TABLE_STRIDE];
  for (uint32_t p = 0; p < t->system->n_parts; p++) {
    part[p] = row[t->slot[p].offset];
    if (part[p] >= t->system->values[p])
      return TABLE_STATES;
  }
  uint32_t i = t->number[code_of(t->system, part)];
  if (i < TABLE_STATES && (write_state(t, i, copy) != length || memcmp(copy, row, length) != 0))
    return TABLE_STATES;
  return i;
}

/* The only way from a const ts to what is watched: it is in the same table. */
static struct table *table_of(const struct ts *ts) {
  return (struct table *)(uintptr_t)ts->self;
}

static uint32_t table_initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  const struct table *t = table_of(ts);
  return write_state(t, t->number[code_of(t->system, t->system->initial[which])], row);
}

static uint64_t changed_parts(const struct table *t, uint32_t from, uint32_t to) {
  uint64_t changed = 0;
  for (uint32_t p = 0; p < t->system->n_parts; p++)
    if (t->state[from].part[p] != t->state[to].part[p])
      for (uint32_t c = 0; c < t->shape.n_components; c++)
        if (p >= t->component[c].first_slot &&
            p < t->component[c].first_slot + t->component[c].n_slots)
          changed |= UINT64_C(1) << c;
  return changed;
}

/* Notes that state i is expanded; false: too often. */
static bool watched(struct table *t, uint32_t i, const struct ts_event *cursor) {
  struct table_watch *watch = &t->watch;
  if (i >= TABLE_STATES) {
    watch->impossible = "successors of a state that is not reachable were asked for";
    return false;
  }
  bool begins = cursor->action == 0 && cursor->choice == 0;
  if (begins && watch->expanded[i] != watch->round) {
    watch->expanded[i] = watch->round;
    watch->n_expanded++;
  }
  return ++watch->calls <= watch->most;
}

static void write_row(struct table *t, uint32_t from, const struct table_edge *edge,
                      struct ts_batch *out) {
  uint8_t *row = out->rows + out->n * out->stride;
  struct ts_edge *to = &out->edge[out->n++];
  *to = (struct ts_edge){
      .event = {edge->letter, edge->choice}, .kind = edge->kind, .fault = edge->fault};
  t->watch.events++;
  if (edge->kind == TS_MODEL_ERROR) {
    memset(row, 0xA5, ts_stride(&t->shape));
    return;
  }
  to->length = write_state(t, edge->target, row);
  to->changed = changed_parts(t, from, edge->target);
}

static int32_t table_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                struct ts_event *cursor, const uint64_t *skip,
                                struct ts_batch *out) {
  struct table *t = table_of(ts);
  uint32_t i = table_state(t, state, length);
  if (!watched(t, i, cursor))
    return 0;
  for (uint32_t e = 0; e < t->state[i].n_edges; e++) {
    const struct table_edge *edge = &t->edge[t->state[i].first_edge + e];
    if (edge->letter < cursor->action ||
        (edge->letter == cursor->action && edge->choice < cursor->choice) ||
        (skip != NULL && bits_test(skip, edge->letter)))
      continue;
    if (out->n == out->capacity) {
      *cursor = (struct ts_event){edge->letter, edge->choice};
      return 1;
    }
    write_row(t, i, edge, out);
  }
  return 0;
}

static uint32_t table_violated(const struct ts *ts, const uint8_t *state, uint32_t length,
                               uint32_t from, uint32_t *fault) {
  const struct table *t = table_of(ts);
  uint32_t i = table_state(t, state, length);
  (void)fault;
  for (uint32_t b = from; b < t->system->n_bad && i < TABLE_STATES; b++) {
    const struct system_bad *bad = &t->system->bad[b];
    if (t->state[i].part[bad->part[0]] == bad->value[0] &&
        t->state[i].part[bad->part[1]] == bad->value[1])
      return b;
  }
  return t->system->n_bad;
}

static uint32_t table_n_predecessors(const struct ts *ts, const uint8_t *state,
                                     uint32_t length) {
  struct table *t = table_of(ts);
  uint32_t i = table_state(t, state, length);
  if (i >= TABLE_STATES) {
    t->watch.impossible = "predecessors of a state that is not reachable were asked for";
    return TS_NONE;
  }
  return t->state[i].phantom == TS_NONE ? TS_NONE : t->state[i].incoming + t->state[i].phantom;
}

/* Those that are reachable. */
static int32_t table_predecessors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                  struct ts_event *cursor, struct ts_batch *out) {
  struct table *t = table_of(ts);
  uint32_t target = table_state(t, state, length), n = 0;
  for (uint32_t i = 0; i < t->n_states; i++)
    for (uint32_t e = t->state[i].first_edge; e < t->state[i].first_edge + t->state[i].n_edges;
         e++) {
      if (t->edge[e].kind == TS_MODEL_ERROR || t->edge[e].target != target ||
          n++ < cursor->choice)
        continue;
      if (out->n == out->capacity) {
        cursor->choice = n - 1;
        return 1;
      }
      struct ts_edge *to = &out->edge[out->n];
      *to = (struct ts_edge){.event = {t->edge[e].letter, t->edge[e].choice}};
      to->length = write_state(t, i, out->rows + out->n++ * out->stride);
    }
  return 0;
}

static const struct ts_code table_code = {.abi = TS_ABI,
                                          .initial = table_initial,
                                          .successors = table_successors,
                                          .violated = table_violated,
                                          .predecessors = table_predecessors,
                                          .n_predecessors = table_n_predecessors};

/* Where the parts are: a byte each (form 0), two bytes each and far apart (1), two parts
 * to a component (2), or with a last part that is missing where it is 0 (3). */
static void lay_out(struct table *t) {
  const struct system *s = t->system;
  uint32_t far = s->form == 1 ? 6 : 1, group = s->form == 2 ? 2 : 1;
  t->shape.n_components = (s->n_parts + group - 1) / group;
  for (uint32_t p = 0; p < s->n_parts; p++)
    t->slot[p] = (struct ts_slot){.variable = p,
                                  .offset = p * far,
                                  .bytes = s->form == 1 ? 2 : 1,
                                  .bits = (uint8_t)bits_for(s->values[p])};
  for (uint32_t c = 0; c < t->shape.n_components; c++) {
    uint32_t first = c * group, n = s->n_parts - first < group ? s->n_parts - first : group;
    t->component[c] = (struct ts_component){"part", first, n, first * far, n * far};
  }
  t->shape.max_bytes = s->n_parts * far;
  t->shape.fixed_length = s->form != 3 || s->n_parts == 1;
}

void table_fill(struct table *t, const struct system *s) {
  static const struct ts_variable variable[SYSTEM_PARTS];
  static const struct ts_property property[SYSTEM_BAD] = {{.kind = TS_PROPERTY_INVARIANT},
                                                          {.kind = TS_PROPERTY_INVARIANT}};
  static const struct ts_fault fault[SYSTEM_LETTERS];
  static const struct ts_action action[SYSTEM_LETTERS];
  t->system = s;
  for (uint32_t i = 0; i < SYSTEM_PRODUCT; i++)
    t->number[i] = TABLE_STATES;
  explore(t);
  if (t->too_large)
    return;
  t->acyclic = is_acyclic(t);
  count_incoming(t);
  find_independence(t);
  t->shape = (struct ts_shape){.name = "system",
                               .model_hash = s->seed,
                               .n_initial = s->n_initials,
                               .n_variables = s->n_parts,
                               .n_slots = s->n_parts,
                               .n_actions = s->n_letters,
                               .n_properties = s->n_bad,
                               .n_faults = s->n_letters,
                               .most_events = TS_NONE,
                               .variable = variable,
                               .slot = t->slot,
                               .component = t->component,
                               .action = action,
                               .property = property,
                               .fault = fault};
  lay_out(t);
  write_sets(t);
  t->shape.control = table_control(t);
  t->ts.shape = &t->shape;
  t->ts.code = &table_code;
  t->ts.self = t;
  table_watch(t);
}

void table_watch(struct table *t) {
  if (++t->watch.round == 0) {
    memset(t->watch.expanded, 0, sizeof t->watch.expanded);
    t->watch.round = 1;
  }
  t->watch.n_expanded = 0;
  t->watch.calls = t->watch.events = 0;
  t->watch.most = UINT64_MAX;
  t->watch.impossible = NULL;
}

void table_print(FILE *out, const struct table *t) {
  const struct system *s = t->system;
  system_print(out, s);
  fprintf(out, "  independent:");
  for (uint32_t a = 0; a < s->n_letters; a++)
    for (uint32_t b = a + 1; b < s->n_letters; b++)
      if (t->independent[a] >> b & 1)
        fprintf(out, " %c%c", (int)('a' + a), (int)('a' + b));
  fprintf(out, "\n  %u states, %u events, %s cycle, %u deadlocks, nearest error ", t->n_states,
          t->n_edges, t->acyclic ? "no" : "a", t->deadlocks);
  if (t->shortest == TS_NONE)
    fprintf(out, "none\n");
  else
    fprintf(out, "after %u\n", t->shortest);
  if (t->n_states > 30)
    return;
  for (uint32_t i = 0; i < t->n_states; i++) {
    fprintf(out, "  s%u%s:", i, t->state[i].bad ? " (bad)" : "");
    for (uint32_t e = 0; e < t->state[i].n_edges; e++) {
      const struct table_edge *edge = &t->edge[t->state[i].first_edge + e];
      fprintf(out, " %c->", (int)('a' + edge->letter));
      if (edge->target == TABLE_STATES)
        fprintf(out, "error");
      else
        fprintf(out, "s%u%s", edge->target, edge->kind == TS_FINE ? "" : "!");
    }
    fputc('\n', out);
  }
}
