/* shape.c - what a model written in C says of itself, as facts at the door.
 *
 * Every byte of a state is part of a slot: where no variable is declared, bytes are variables
 * of their own, so that no store takes them for unused ones. A component is what the model
 * names so, in a row; there are no more than a search's marks can tell apart.
 */
#include "foreign/foreign.h"

#include <ctype.h>
#include <string.h>

#define MOST_COMPONENTS 63u
#define MOST_ACTIONS    (UINT32_C(1) << 20)

struct shaping {
  struct foreign *f;
  struct arena *arena;
  struct diag *diag;
  const struct foreign_order *order;
  const struct cairn_model *model;
  uint32_t *at;    /* [byte]: the variable it begins or belongs to, plus 1; 0: none */
  uint32_t *group; /* [variable of the model]: the item of its group */
};

static bool complain(const struct shaping *s, const char *sentence) {
  diag_error(s->diag, (struct span){0}, "%s: cairn_model: %s", s->order->source->name,
             sentence);
  return false;
}

/* ---- whether it is in order ------------------------------------------------------------- */

static bool is_name(const char *name) {
  if (name == NULL || (!isalpha((unsigned char)*name) && *name != '_'))
    return false;
  for (const char *c = name; *c != '\0'; c++)
    if (!isalnum((unsigned char)*c) && *c != '_')
      return false;
  return true;
}

static bool check_variable(struct shaping *s, uint32_t i) {
  const struct cairn_variable *v = &s->model->variable[i];
  const uint64_t n = v->n == 0 ? 1 : v->n, end = v->offset + n * v->bytes;
  if (!is_name(v->name))
    return complain(s, arena_printf(s->arena, "the name of variable %u is no name of C", i));
  if (v->bytes != 1 && v->bytes != 2 && v->bytes != 4)
    return complain(
        s,
        arena_printf(s->arena, "variable '%s' has elements of %u bytes: 1, 2 or 4 are possible",
                     v->name, v->bytes));
  if (v->offset % v->bytes != 0)
    return complain(
        s, arena_printf(s->arena,
                        "variable '%s' is at byte %u, which is no multiple of its %u bytes",
                        v->name, v->offset, v->bytes));
  if (end > s->model->state_bytes)
    return complain(s,
                    arena_printf(s->arena, "variable '%s' ends after the %u bytes of a state",
                                 v->name, s->model->state_bytes));
  for (uint64_t k = v->offset; k < end; k++) {
    if (s->at[k] != 0)
      return complain(s,
                      arena_printf(s->arena, "variables '%s' and '%s' share byte %u", v->name,
                                   s->model->variable[s->at[k] - 1].name, (unsigned)k));
    s->at[k] = i + 1;
  }
  return true;
}

static bool check_action(const struct shaping *s, uint32_t i) {
  const struct cairn_action *a = &s->model->action[i];
  if (a->name == NULL)
    return complain(s, arena_printf(s->arena, "action %u has no name", i));
  for (uint32_t side = 0; side < 2 && a->knows != 0; side++) {
    const uint32_t n = side == 0 ? a->n_reads : a->n_writes;
    const uint32_t *of = side == 0 ? a->reads : a->writes;
    for (uint32_t k = 0; k < n; k++)
      if (of == NULL || of[k] >= s->model->n_variables)
        return complain(s,
                        arena_printf(s->arena,
                                     "action '%s' reads or writes a variable that there is not",
                                     a->name));
  }
  return true;
}

static bool check_conditions(const struct shaping *s) {
  const struct cairn_model *m = s->model;
  for (uint32_t i = 0; i < m->n_invariants; i++)
    if (m->invariant[i].name == NULL || m->invariant[i].holds == NULL)
      return complain(s, arena_printf(s->arena, "invariant %u has no name, or no function", i));
  for (uint32_t i = 0; i < m->n_labels; i++)
    if (!is_name(m->label[i].name) || m->label[i].holds == NULL)
      return complain(
          s,
          arena_printf(s->arena, "label %u has no function, or its name is no name of C", i));
  for (uint32_t i = 0; i < m->n_errors; i++)
    if (m->error[i] == NULL)
      return complain(s, arena_printf(s->arena, "error %u has no text", i));
  return true;
}

static bool check_all(struct shaping *s) {
  const struct cairn_model *m = s->model;
  if (m->initial == NULL || m->successors == NULL)
    return complain(s, "it needs the functions initial and successors");
  if (m->state_bytes == 0 || m->state_bytes > TS_MAX_BYTES)
    return complain(s, arena_printf(s->arena, "a state has %u bytes: 1 to %u are possible",
                                    m->state_bytes, TS_MAX_BYTES));
  if (m->n_actions > MOST_ACTIONS)
    return complain(s, arena_printf(s->arena, "%u actions: at most %u are possible",
                                    m->n_actions, MOST_ACTIONS));
  s->at = ARENA_ARRAY(s->arena, m->state_bytes, uint32_t);
  for (uint32_t i = 0; i < m->n_variables; i++)
    if (!check_variable(s, i))
      return false;
  for (uint32_t i = 0; m->action != NULL && i < m->n_actions; i++)
    if (!check_action(s, i))
      return false;
  return check_conditions(s);
}

/* ---- variables, slots, components ------------------------------------------------------- */

/* Room for what is built byte by byte: there are no more of each than bytes. */
struct building {
  struct ts_variable *variable;
  struct ts_slot *slot;
  struct ts_component *component;
  uint32_t *number, n_variables, n_slots, n_components;
  const char *component_name;
};

static void add_component(struct shaping *s, struct building *b, const char *name,
                          uint32_t offset) {
  const bool same = b->n_components > 0 && strcmp(name, b->component_name) == 0;
  if (same || b->n_components == MOST_COMPONENTS)
    return;
  b->component_name = name;
  b->component[b->n_components++] =
      (struct ts_component){.name = arena_text(s->arena, name, strlen(name)),
                            .first_slot = b->n_slots,
                            .offset = offset};
}

static void add_declared(struct shaping *s, struct building *b, uint32_t i) {
  const struct cairn_variable *v = &s->model->variable[i];
  const uint32_t n = v->n == 0 ? 1 : v->n;
  add_component(s, b, v->component == NULL ? "state" : v->component, v->offset);
  b->number[b->n_variables] = i;
  b->variable[b->n_variables] = (struct ts_variable){.name = v->name,
                                                     .component = b->n_components - 1,
                                                     .first_slot = b->n_slots,
                                                     .n_slots = n,
                                                     .is_array = v->n > 0,
                                                     .values = v->value,
                                                     .n_values = v->n_values,
                                                     .type = v->is_signed ? "int" : "unsigned"};
  for (uint32_t k = 0; k < n; k++)
    b->slot[b->n_slots++] = (struct ts_slot){.variable = b->n_variables,
                                             .index = k,
                                             .offset = v->offset + k * v->bytes,
                                             .bytes = (uint8_t)v->bytes,
                                             .bits = (uint8_t)(8 * v->bytes),
                                             .is_signed = v->is_signed != 0};
  b->n_variables++;
}

/* Bytes up to the next variable, as an array. */
static uint32_t add_undeclared(struct shaping *s, struct building *b, uint32_t from) {
  uint32_t to = from;
  while (to < s->model->state_bytes && s->at[to] == 0)
    to++;
  add_component(s, b, b->n_components == 0 ? "state" : b->component_name, from);
  b->number[b->n_variables] = TS_NONE;
  b->variable[b->n_variables] =
      (struct ts_variable){.name = b->n_variables == 0 && to == s->model->state_bytes
                                       ? "byte"
                                       : arena_printf(s->arena, "byte_%u", from),
                           .component = b->n_components - 1,
                           .first_slot = b->n_slots,
                           .n_slots = to - from,
                           .is_array = true,
                           .is_hidden = s->model->print_state != NULL,
                           .type = "byte"};
  for (uint32_t k = from; k < to; k++)
    b->slot[b->n_slots++] = (struct ts_slot){
        .variable = b->n_variables, .index = k - from, .offset = k, .bytes = 1, .bits = 8};
  b->n_variables++;
  return to;
}

static void end_components(const struct shaping *s, struct building *b) {
  for (uint32_t i = 0; i < b->n_components; i++) {
    const bool is_last = i + 1 == b->n_components;
    struct ts_component *c = &b->component[i];
    c->n_slots = (is_last ? b->n_slots : c[1].first_slot) - c->first_slot;
    c->bytes = (is_last ? s->model->state_bytes : c[1].offset) - c->offset;
  }
}

static void add_slots(struct shaping *s) {
  const uint32_t bytes = s->model->state_bytes;
  struct building b = {.variable = ARENA_ARRAY(s->arena, bytes, struct ts_variable),
                       .slot = ARENA_ARRAY(s->arena, bytes, struct ts_slot),
                       .component = ARENA_ARRAY(s->arena, MOST_COMPONENTS, struct ts_component),
                       .number = ARENA_ARRAY(s->arena, bytes, uint32_t)};
  for (uint32_t at = 0; at < bytes;) {
    if (s->at[at] == 0) {
      at = add_undeclared(s, &b, at);
      continue;
    }
    const struct cairn_variable *v = &s->model->variable[s->at[at] - 1];
    add_declared(s, &b, s->at[at] - 1);
    at += (v->n == 0 ? 1 : v->n) * v->bytes;
  }
  end_components(s, &b);
  struct ts_shape *shape = &s->f->shape;
  shape->variable = b.variable;
  shape->n_variables = b.n_variables;
  shape->slot = b.slot;
  shape->n_slots = b.n_slots;
  shape->component = b.component;
  shape->n_components = b.n_components;
  s->f->number = b.number;
}

static void add_changes(struct shaping *s) {
  const struct ts_shape *shape = &s->f->shape;
  uint64_t *changed = ARENA_ARRAY(s->arena, ts_stride(shape) / 8, uint64_t);
  for (uint32_t i = 0; i < shape->n_components; i++) {
    const struct ts_component *c = &shape->component[i];
    for (uint32_t w = c->offset / 8; w <= (c->offset + c->bytes - 1) / 8; w++)
      changed[w] |= UINT64_C(1) << i;
  }
  s->f->changed = changed;
}

/* ---- actions, faults -------------------------------------------------------------------- */

static void add_actions(struct shaping *s) {
  const struct cairn_model *m = s->model;
  const uint32_t own = m->n_actions == 0 ? 1 : m->n_actions;
  struct ts_action *action = ARENA_ARRAY(s->arena, own + 1, struct ts_action);
  struct ts_mover *mover = ARENA_ARRAY(s->arena, own + 1, struct ts_mover);
  for (uint32_t i = 0; i <= own; i++) {
    const struct cairn_action *a = m->action == NULL || i == own ? NULL : &m->action[i];
    mover[i] = (struct ts_mover){.component = TS_NONE, .name = "model"};
    action[i] = (struct ts_action){1, &mover[i]};
    if (a == NULL) {
      mover[i].text = i == own ? "(the model's code fails)" : "step";
      if (m->n_actions > 1 && i < own)
        mover[i].text = arena_printf(s->arena, "action %u", i);
      continue;
    }
    mover[i].name = a->process == NULL ? "model" : a->process;
    mover[i].text = a->name;
    if (a->line > 0)
      mover[i].place = (struct ts_place){s->order->source->name, a->line, 1};
  }
  s->f->shape.action = action;
  s->f->shape.n_actions = own + 1;
  s->f->crash_action = own;
}

/* Group 0 is all slots, group v + 1 variable v of the shape. */
static void add_groups(struct shaping *s) {
  struct ts_shape *shape = &s->f->shape;
  struct ts_range *group = ARENA_ARRAY(s->arena, shape->n_variables + 1u, struct ts_range);
  uint32_t *start = ARENA_ARRAY(s->arena, shape->n_variables + 2u, uint32_t);
  group[0] = (struct ts_range){0, shape->n_slots};
  s->group = ARENA_ARRAY(s->arena, s->model->n_variables, uint32_t);
  for (uint32_t i = 0; i < shape->n_variables; i++) {
    group[i + 1] = (struct ts_range){shape->variable[i].first_slot, shape->variable[i].n_slots};
    if (s->f->number[i] != TS_NONE)
      s->group[s->f->number[i]] = shape->n_slots + 1 + i;
  }
  for (uint32_t i = 0; i < shape->n_variables + 2u; i++)
    start[i] = i;
  shape->group = group;
  shape->group_start = start;
  shape->n_groups = shape->n_variables + 1;
}

static void add_sets(struct shaping *s, struct ts_rows *rows, bool writes) {
  const struct foreign *f = s->f;
  const struct cairn_action *action = s->model->action;
  uint64_t most = f->shape.n_actions;
  for (uint32_t i = 0; action != NULL && i < f->crash_action; i++)
    most += writes ? action[i].n_writes : action[i].n_reads;
  uint32_t *start = ARENA_ARRAY(s->arena, f->shape.n_actions + 1u, uint32_t);
  uint32_t *item = ARENA_ARRAY(s->arena, most, uint32_t), n = 0;
  for (uint32_t i = 0; i < f->shape.n_actions; i++) {
    const struct cairn_action *a = action == NULL || i == f->crash_action ? NULL : &action[i];
    if (a == NULL || a->knows == 0) {
      if (i != f->crash_action || !writes)
        item[n++] = f->shape.n_slots;
    } else {
      const uint32_t *of = writes ? a->writes : a->reads;
      for (uint32_t k = 0; k < (writes ? a->n_writes : a->n_reads); k++)
        item[n++] = s->group[of[k]];
    }
    start[i + 1] = n;
  }
  *rows = (struct ts_rows){start, item};
}

static void add_faults(struct shaping *s) {
  static const char *const own[FOREIGN_FAULTS] = {
      [FOREIGN_NO_ACTION] = "the model gives a successor of an action that it does not have "
                            "(see n_actions)",
      [FOREIGN_NO_ERROR] = "the model fails with an error that it does not have (see n_errors)",
      [FOREIGN_ORDER] = "the model gives a successor of an earlier action than the one before: "
                        "they must come in ascending order of their actions"};
  const uint32_t n = s->model->n_errors;
  struct ts_fault *fault =
      ARENA_ARRAY(s->arena, n + FOREIGN_FAULTS + GUARD_CRASHES, struct ts_fault);
  for (uint32_t i = 0; i < n; i++)
    fault[i] = (struct ts_fault){.message = s->model->error[i]};
  for (uint32_t i = 0; i < FOREIGN_FAULTS; i++)
    fault[n + i] = (struct ts_fault){.message = own[i]};
  s->f->crash_fault = n + FOREIGN_FAULTS;
  for (uint32_t i = GUARD_SEGV; i < GUARD_CRASHES; i++)
    fault[s->f->crash_fault + i - GUARD_SEGV] = (struct ts_fault){.message = guard_sentence[i]};
  s->f->shape.fault = fault;
  s->f->shape.n_faults = s->f->crash_fault + GUARD_CRASHES - GUARD_SEGV;
}

bool foreign_shape(struct foreign *f, struct arena *arena, struct diag *diag,
                   const struct foreign_order *order) {
  struct shaping s = {.f = f, .arena = arena, .diag = diag, .order = order, .model = f->model};
  if (!check_all(&s))
    return false;
  f->shape = (struct ts_shape){.name = order->source->name,
                               .model_hash = order->hash,
                               .max_bytes = f->model->state_bytes,
                               .fixed_length = true,
                               .deadlock_is_error = f->model->deadlock_is_error != 0,
                               .has_ends = f->model->ends != NULL,
                               .n_initial = f->model->n_initial == 0 ? 1 : f->model->n_initial,
                               .most_events = TS_NONE,
                               .notes = &f->notes};
  f->words =
      (struct ts_words){.shape = &f->shape,
                        .value = foreign_word_value,
                        .event = f->model->print_event == NULL ? NULL : foreign_word_event,
                        .state = f->model->print_state == NULL ? NULL : foreign_word_state};
  f->explain =
      (struct ts_explain){.model = f,
                          .shape = &f->shape,
                          .waiters = f->model->explain == NULL ? NULL : foreign_waiters,
                          .property = foreign_values};
  f->notes = (struct ts_notes){.words = &f->words, .explain = &f->explain};
  add_slots(&s);
  add_changes(&s);
  add_actions(&s);
  add_groups(&s);
  add_sets(&s, &f->shape.reads, false);
  add_sets(&s, &f->shape.writes, true);
  add_faults(&s);
  return true;
}
