/* layout.c - where every variable lives in the state vector.
 *
 * The vector is cut into components: the globals, each process (its control
 * location and its variables), each buffered channel. A component begins at the
 * alignment of its largest slot and holds its slots from the largest to the
 * smallest, so that they are naturally aligned without holes inside. Channels
 * are laid out by column (all first fields, then all second fields …): removing
 * the oldest message is one move of bytes per column.
 *
 * Everything that is counted here is counted in 64 bits: sizes come from the
 * user's text, and a vector that is too long must be refused, not wrapped.
 */
#include "ir/ir.h"

#include "base/bits.h"
#include "ts/ts.h"

struct layout {
  struct ir_model *model;
  struct arena *arena;
  uint64_t offset; /* next free byte */
  uint32_t slots, variables, components;
  struct ts_variable *variable;
  struct ts_slot *slot;
  struct ts_component *component;
};

static const struct ir_type any_type = {.name = "int32", .bits = 32, .is_signed = true};

/* ---- counting ---------------------------------------------------------------- */

static bool in_vector(const struct ir_variable *v) {
  return !v->is_const && v->length > 0;
}

/* Bits of a control location, and of a channel's count. */
static uint8_t location_bits(const struct ir_process *p) {
  return (uint8_t)bits_for(p->n_locations);
}

static uint8_t count_bits(const struct ir_channel *c) {
  return (uint8_t)bits_for((uint64_t)c->capacity + 1);
}

static uint32_t bytes_of_bits(uint32_t bits) {
  return bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
}

/* Slots and variables of the whole model; false if there are more than a vector
 * of the longest length can have. */
static bool count_all(const struct ir_model *m, uint64_t *slots, uint64_t *variables,
                      uint64_t *components) {
  *slots = *variables = 0;
  *components = m->n_globals > 0;
  for (uint32_t i = 0; i < m->n_globals; i++)
    if (in_vector(m->global[i]))
      *slots += m->global[i]->length, ++*variables;
  for (uint32_t p = 0; p < m->n_processes; p++) {
    const struct ir_process *process = m->process[p];
    if (process->is_property)
      continue;
    ++*components, ++*slots, ++*variables;
    for (uint32_t i = 0; i < process->n_variables; i++)
      if (in_vector(process->variable[i]))
        *slots += process->variable[i]->length, ++*variables;
  }
  for (uint32_t c = 0; c < m->n_channels; c++) {
    const struct ir_channel *channel = m->channel[c];
    if (!channel->capacity)
      continue;
    ++*components;
    *slots += 1 + (uint64_t)channel->capacity * channel->n_fields;
    *variables += 1 + (uint64_t)channel->n_fields;
    if (*slots > TS_MAX_BYTES)
      return false;
  }
  return *slots <= TS_MAX_BYTES;
}

/* ---- placing ------------------------------------------------------------------- */

/* Room for `n` slots of one variable at the next free bytes. */
static struct ts_variable *place_variable(struct layout *l, const char *name,
                                          const struct ir_type *type, uint32_t bits, uint32_t n,
                                          struct span span) {
  struct ts_variable *v = &l->variable[l->variables];
  uint32_t bytes = bytes_of_bits(bits);
  *v = (struct ts_variable){.name = name,
                            .component = l->components,
                            .first_slot = l->slots,
                            .n_slots = n,
                            .type = type->name,
                            .values = type->values,
                            .n_values = type->n_values,
                            .is_channel = type->is_channel,
                            .place = ir_place(span)};
  for (uint32_t i = 0; i < n; i++) {
    struct ts_slot *s = &l->slot[l->slots++];
    *s = (struct ts_slot){l->variables,   i, (uint32_t)l->offset, (uint8_t)bytes, (uint8_t)bits,
                          type->is_signed};
    l->offset += bytes;
  }
  l->variables++;
  return v;
}

static void place_ir_variable(struct layout *l, struct ir_variable *v) {
  const char *name =
      v->owner ? arena_printf(l->arena, "%s.%s", v->owner->name, v->name) : v->name;
  v->offset = (uint32_t)l->offset;
  v->first_slot = l->slots;
  v->variable = l->variables;
  struct ts_variable *x = place_variable(l, name, v->type, v->type->bits, v->length, v->span);
  x->is_array = v->is_array;
  x->element = v->element != NULL && v->owner != NULL
                   ? arena_printf(l->arena, "%s.%s", v->owner->name, v->element)
                   : v->element;
  x->extent = v->extent;
}

static void place_location(struct layout *l, struct ir_process *p) {
  static const struct ir_type type = {.name = "location", .bits = 32};
  const char **names = ARENA_ARRAY(l->arena, p->n_locations, const char *);
  for (uint32_t i = 0; i < p->n_locations; i++)
    names[i] = p->location[i].name;
  p->location_offset = (uint32_t)l->offset;
  p->location_slot = l->slots;
  struct ts_variable *v = place_variable(l, p->name, &type, location_bits(p), 1, p->span);
  v->is_location = true;
  v->values = names;
  v->n_values = p->n_locations;
}

static void open_component(struct layout *l, uint32_t alignment) {
  l->offset = (l->offset + alignment - 1) / alignment * alignment;
}

static void close_component(struct layout *l, const char *name, uint32_t first_slot,
                            uint32_t offset) {
  l->component[l->components++] = (struct ts_component){name, first_slot, l->slots - first_slot,
                                                        offset, (uint32_t)l->offset - offset};
}

/* Globals (process NULL) or one process. */
static void place_component(struct layout *l, struct ir_process *p, const char *name,
                            struct ir_variable *const *variable, uint32_t n) {
  uint32_t largest = p ? bytes_of_bits(location_bits(p)) : 1, first = l->slots;
  for (uint32_t i = 0; i < n; i++)
    if (in_vector(variable[i]) && ir_type_bytes(variable[i]->type) > largest)
      largest = ir_type_bytes(variable[i]->type);
  open_component(l, largest);
  uint32_t offset = (uint32_t)l->offset;
  if (p)
    p->component = l->components;
  for (uint32_t bytes = 4; bytes; bytes /= 2) {
    if (p && bytes_of_bits(location_bits(p)) == bytes) {
      p->location_bytes = bytes;
      place_location(l, p);
    }
    for (uint32_t i = 0; i < n; i++)
      if (in_vector(variable[i]) && ir_type_bytes(variable[i]->type) == bytes)
        place_ir_variable(l, variable[i]);
  }
  close_component(l, name, first, offset);
}

static void place_channel(struct layout *l, struct ir_channel *c) {
  static const struct ir_type count_type = {.name = "count", .bits = 32, .is_signed = false};
  uint32_t largest = c->count_bytes = bytes_of_bits(count_bits(c)), first = l->slots;
  for (uint32_t f = 0; f < c->n_fields; f++)
    if (ir_type_bytes(c->field[f]) > largest)
      largest = ir_type_bytes(c->field[f]);
  open_component(l, largest);
  uint32_t offset = c->data_offset = (uint32_t)l->offset;
  c->data_slot = l->slots;
  for (uint32_t bytes = 4; bytes; bytes /= 2) {
    for (uint32_t f = 0; f < c->n_fields; f++) {
      const struct ir_type *type = c->field[f] ? c->field[f] : &any_type;
      if (ir_type_bytes(type) != bytes)
        continue;
      place_variable(l, arena_printf(l->arena, "%s.%u", c->name, f), type, type->bits,
                     c->capacity, c->span)
          ->is_array = true;
    }
    if (c->count_bytes == bytes) {
      c->count_offset = (uint32_t)l->offset;
      c->count_slot = l->slots;
      place_variable(l, arena_printf(l->arena, "%s.count", c->name), &count_type, count_bits(c),
                     1, c->span);
    }
  }
  close_component(l, c->name, first, offset);
}

/* ---- the shape -------------------------------------------------------------------- */

static const struct ts_property *properties(struct layout *l) {
  const struct ir_model *m = l->model;
  struct ts_property *at = ARENA_ARRAY(l->arena, m->n_properties, struct ts_property);
  for (uint32_t i = 0; i < m->n_properties; i++) {
    const struct ir_property *p = &m->property[i];
    at[i].kind = p->is_assertion ? TS_PROPERTY_ASSERTION : TS_PROPERTY_INVARIANT;
    at[i].text = p->text;
    at[i].place = ir_place(p->span);
  }
  return at;
}

static const struct ts_measure *measures(struct layout *l) {
  const struct ir_model *m = l->model;
  struct ts_measure *at = ARENA_ARRAY(l->arena, m->n_measures, struct ts_measure);
  for (uint32_t i = 0; i < m->n_measures; i++) {
    struct ir_range range = ir_range(m->measure[i].value);
    at[i] = (struct ts_measure){m->measure[i].text, range.low, range.high};
    if (at[i].least > 0) /* what cannot be worked out is 0 */
      at[i].least = 0;
    if (at[i].most < 0)
      at[i].most = 0;
  }
  return at;
}

static const struct ts_atom *atoms(struct layout *l) {
  const struct ir_model *m = l->model;
  struct ts_atom *at = ARENA_ARRAY(l->arena, m->atoms.n, struct ts_atom);
  for (uint32_t i = 0; i < m->atoms.n; i++)
    at[i].text = m->atoms.at[i].text;
  return at;
}

/* The slots of all variables that a change assigns to. */
static struct ts_rows changes(struct layout *l) {
  const struct ir_changes *c = &l->model->changes;
  uint32_t *start = ARENA_ARRAY(l->arena, c->n + (size_t)1, uint32_t), n = 0;
  for (uint32_t i = 0; i < c->n; i++)
    for (uint32_t k = 0; k < c->at[i].n_effects; k++)
      n += c->at[i].effect[k].target->variable->length;
  uint32_t *item = ARENA_ARRAY(l->arena, n, uint32_t);
  n = 0;
  for (uint32_t i = 0; i < c->n; i++) {
    for (uint32_t k = 0; k < c->at[i].n_effects; k++) {
      const struct ir_variable *v = c->at[i].effect[k].target->variable;
      for (uint32_t s = 0; s < v->length; s++)
        item[n++] = v->first_slot + s;
    }
    start[i + 1] = n;
  }
  return (struct ts_rows){start, item};
}

static struct ts_shape *make_shape(struct layout *l) {
  const struct ir_model *m = l->model;
  struct ts_shape *shape = ARENA_NEW(l->arena, struct ts_shape);
  *shape = (struct ts_shape){.name = m->name,
                             .model_hash = m->hash,
                             .max_bytes = l->offset ? (uint32_t)l->offset : 1,
                             .fixed_length = !m->has_instances || !m->live_varies,
                             .deadlock_is_error = m->deadlock_is_error,
                             .unchecked = m->unchecked,
                             .n_unchecked = m->n_unchecked,
                             .n_initial = 1,
                             .places = m->places,
                             .n_variables = l->variables,
                             .n_slots = l->slots,
                             .n_components = l->components,
                             .n_properties = m->n_properties,
                             .most_events = TS_NONE,
                             .variable = l->variable,
                             .slot = l->slot,
                             .component = l->component,
                             .property = properties(l),
                             .n_measures = m->n_measures,
                             .measure = measures(l),
                             .n_atoms = m->atoms.n,
                             .atom = atoms(l),
                             .n_changes = m->changes.n,
                             .changes = changes(l),
                             .n_claims = m->claims.n,
                             .claim = m->claims.at};
  ir_channels(m, l->variable, shape);
  return shape;
}

/* At most four bytes a slot and three to align each component: this cannot wrap. */
static bool too_long(const struct layout *l) {
  return l->offset > TS_MAX_BYTES;
}

struct ts_shape *ir_layout(struct ir_model *m, const char **why) {
  struct layout l = {.model = m, .arena = m->arena};
  uint64_t slots, variables, components;
  bool fits;
  if (m->has_instances) {
    struct ir_frames frames = {0};
    fits = ir_frames(m, &frames);
    l.offset = frames.bytes;
    l.variable = frames.variable;
    l.slot = frames.slot;
    l.component = frames.component;
    l.variables = frames.n_variables;
    l.slots = frames.n_slots;
    l.components = frames.n_components;
  } else if ((fits = count_all(m, &slots, &variables, &components) && variables <= slots)) {
    l.variable = ARENA_ARRAY(l.arena, variables, struct ts_variable);
    l.slot = ARENA_ARRAY(l.arena, slots, struct ts_slot);
    l.component = ARENA_ARRAY(l.arena, components, struct ts_component);
    if (m->n_globals)
      place_component(&l, NULL, "globals", m->global, m->n_globals);
    for (uint32_t p = 0; p < m->n_processes; p++)
      if (!m->process[p]->is_property)
        place_component(&l, m->process[p], m->process[p]->name, m->process[p]->variable,
                        m->process[p]->n_variables);
    for (uint32_t c = 0; c < m->n_channels; c++)
      if (m->channel[c]->capacity)
        place_channel(&l, m->channel[c]);
    fits = !too_long(&l);
  }
  if (!fits) {
    *why =
        arena_printf(m->arena, "the state vector would be longer than %u bytes", TS_MAX_BYTES);
    return NULL;
  }
  return make_shape(&l);
}
