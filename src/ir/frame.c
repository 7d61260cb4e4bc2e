/* frame.c - the state vector of a model with instances.
 *
 * The globals (with the number of live processes, where that varies, and the last
 * mover) come first, then each global buffered channel, then the process slots by
 * number. Every template has a frame, the same in each slot: the tag, if there are
 * any, its control location, its priority, its variables from the smallest to the
 * largest, and the buffered channels it makes. Frames of the templates that may sit in
 * one slot overlap. A variable of the door is made for each seat, and says when it is
 * there: as long as the tag has the seat's value, or else while that many processes live.
 */
#include "ir/ir.h"

#include "base/bits.h"
#include "ts/ts.h"

#define FRAMES_MOST_SLOTS (1u << 20)

struct frames {
  struct ir_model *model;
  struct arena *arena;
  struct ir_frames *out;
  struct {
    struct ts_variable *at;
    uint32_t n, capacity;
  } variables;
  struct {
    struct ts_slot *at;
    uint32_t n, capacity;
  } slots;
  struct {
    struct ts_component *at;
    uint32_t n, capacity;
  } components;
  /* what is being placed */
  uint64_t offset;
  uint32_t component, given, least, most;
  const char *prefix; /* of names */
};

static const struct ir_type count_type = {.name = "count", .bits = 32, .is_signed = false};
static const struct ir_type location_type = {
    .name = "location", .bits = 32, .is_signed = false};
static const struct ir_type tag_type = {.name = "proctype", .bits = 8, .is_signed = false};
static const struct ir_type byte_type = {.name = "byte", .bits = 8, .is_signed = false};
static const struct ir_type any_type = {.name = "int32", .bits = 32, .is_signed = true};

static uint32_t bytes_of(uint32_t bits) {
  return bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
}

static uint64_t align(uint64_t offset, uint32_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

static bool in_vector(const struct ir_variable *v) {
  return !v->is_const && v->length > 0;
}

/* ---- placing ------------------------------------------------------------------------- */

static struct ts_variable *place(struct frames *f, const char *name, const struct ir_type *type,
                                 uint32_t bits, uint32_t n, struct span span) {
  uint32_t bytes = bytes_of(bits), first = f->slots.n;
  f->offset = align(f->offset, bytes);
  for (uint32_t i = 0; i < n; i++, f->offset += bytes)
    *ARENA_PUSH(f->arena, &f->slots) = (struct ts_slot){
        f->variables.n, i, (uint32_t)f->offset, (uint8_t)bytes, (uint8_t)bits, type->is_signed};
  struct ts_variable *v = ARENA_PUSH(f->arena, &f->variables);
  *v = (struct ts_variable){.name = arena_printf(f->arena, "%s%s", f->prefix, name),
                            .component = f->component,
                            .first_slot = first,
                            .n_slots = n,
                            .type = type->name,
                            .values = type->values,
                            .n_values = type->n_values,
                            .is_channel = type->is_channel,
                            .place = ir_place(span),
                            .given = f->given,
                            .given_least = f->least,
                            .given_most = f->most};
  return v;
}

static void place_variable(struct frames *f, struct ir_variable *v) {
  const struct ir_type *type = v->type;
  struct ts_variable *x = place(f, v->name, type, type->bits, v->length, v->span);
  x->is_array = v->is_array;
  if (v->element != NULL)
    x->element = arena_printf(f->arena, "%s%s", f->prefix, v->element);
  x->extent = v->extent;
  if (v->is_hidden) /* its bytes are there, and zero */
    for (uint32_t i = 0; i < v->length; i++)
      f->slots.at[f->slots.n - 1 - i].bits = 0;
}

static uint64_t open_component(struct frames *f, uint32_t alignment) {
  f->offset = align(f->offset, alignment);
  return f->offset;
}

static void close_component(struct frames *f, const char *name, uint32_t first, uint64_t from) {
  *ARENA_PUSH(f->arena, &f->components) = (struct ts_component){
      name, first, f->slots.n - first, (uint32_t)from, (uint32_t)(f->offset - from)};
  f->component++;
}

/* The same order as in ir_channel_cell(). */
static void place_channel(struct frames *f, const struct ir_channel *c) {
  for (uint32_t bytes = 4; bytes; bytes /= 2) {
    for (uint32_t k = 0; k < c->n_fields; k++) {
      const struct ir_type *type = c->field[k] ? c->field[k] : &any_type;
      if (ir_type_bytes(type) == bytes)
        place(f, arena_printf(f->arena, "%s.%u", c->name, k), type, type->bits, c->capacity,
              c->span)
            ->is_array = true;
    }
    if (c->count_bytes == bytes)
      place(f, arena_printf(f->arena, "%s.count", c->name), &count_type,
            bits_for((uint64_t)c->capacity + 1), 1, c->span);
  }
}

static uint32_t channel_alignment(struct ir_channel *c) {
  uint32_t most = c->count_bytes = bytes_of(bits_for((uint64_t)c->capacity + 1));
  for (uint32_t k = 0; k < c->n_fields; k++)
    if (ir_type_bytes(c->field[k]) > most)
      most = ir_type_bytes(c->field[k]);
  return most;
}

/* Where the count is, from the beginning of the channel, in bytes and in slots. */
static void find_count(struct ir_channel *c) {
  uint32_t before = 0, slots = 0;
  for (uint32_t k = 0; k < c->n_fields; k++)
    if (ir_type_bytes(c->field[k]) >= c->count_bytes) {
      before += c->capacity * ir_type_bytes(c->field[k]);
      slots += c->capacity;
    }
  c->count_offset = c->data_offset + before;
  c->count_slot = c->data_slot + slots;
}

/* ---- globals ------------------------------------------------------------------------- */

static void place_globals(struct frames *f) {
  struct ir_model *m = f->model;
  const struct span nowhere = {0};
  bool any = m->live_varies || m->uses_last;
  m->live_slot = m->last_slot = TS_NONE;
  for (uint32_t i = 0; i < m->n_globals; i++)
    any |= in_vector(m->global[i]);
  if (!any)
    return;
  uint32_t first = f->slots.n;
  uint64_t from = open_component(f, 4);
  for (uint32_t bytes = 4; bytes; bytes /= 2) {
    for (uint32_t i = 0; i < m->n_globals; i++) {
      struct ir_variable *v = m->global[i];
      if (!in_vector(v) || ir_type_bytes(v->type) != bytes)
        continue;
      v->first_slot = f->slots.n;
      v->variable = f->variables.n;
      place_variable(f, v);
      v->offset = f->slots.at[v->first_slot].offset;
    }
  }
  if (m->live_varies) {
    m->live_slot = f->slots.n;
    m->live_offset = (uint32_t)f->offset;
    place(f, "processes", &byte_type, bits_for(m->n_slots + 1u), 1, nowhere);
  }
  if (m->uses_last) {
    m->last_slot = f->slots.n;
    m->last_offset = (uint32_t)f->offset;
    place(f, "_last", &byte_type, 8, 1, nowhere);
  }
  close_component(f, "globals", first, from);
}

static void place_global_channels(struct frames *f) {
  const struct ir_model *m = f->model;
  for (uint32_t i = 0; i < m->n_channels; i++) {
    struct ir_channel *c = m->channel[i];
    if (c->owner || !c->capacity)
      continue;
    uint32_t first = f->slots.n;
    uint64_t from = open_component(f, channel_alignment(c));
    c->data_offset = (uint32_t)from;
    c->data_slot = first;
    find_count(c);
    place_channel(f, c);
    close_component(f, c->name, first, from);
  }
}

/* ---- frames -------------------------------------------------------------------------- */

static void place_location(struct frames *f, const struct ir_process *p, const char *name) {
  const char **names = ARENA_ARRAY(f->arena, p->n_locations, const char *);
  for (uint32_t i = 0; i < p->n_locations; i++)
    names[i] = p->location[i].name;
  const char *prefix = f->prefix;
  f->prefix = "";
  struct ts_variable *v = place(f, name, &location_type, bits_for(p->n_locations), 1, p->span);
  f->prefix = prefix;
  v->is_location = true;
  v->values = names;
  v->n_values = p->n_locations;
}

static uint32_t frame_alignment(struct frames *f, const struct ir_process *p) {
  uint32_t most = bytes_of(bits_for(p->n_locations));
  for (uint32_t i = 0; i < p->n_variables; i++)
    if (in_vector(p->variable[i]) && ir_type_bytes(p->variable[i]->type) > most)
      most = ir_type_bytes(p->variable[i]->type);
  for (uint32_t i = 0; i < f->model->n_channels; i++) {
    struct ir_channel *c = f->model->channel[i];
    if (c->owner == p && c->capacity && channel_alignment(c) > most)
      most = channel_alignment(c);
  }
  return most;
}

static void place_own_channel(struct frames *f, struct ir_channel *c, uint64_t base,
                              bool first) {
  uint64_t from = open_component(f, channel_alignment(c));
  if (first) {
    c->data_offset = (uint32_t)(from - base);
    c->data_slot = f->slots.n;
    find_count(c);
  }
  place_channel(f, c);
}

/* The frame of p from `base` on; `first`: this seat is the one that p's fields tell of. */
static void place_frame(struct frames *f, struct ir_process *p, uint64_t base, bool first,
                        const char *name) {
  const struct ir_model *m = f->model;
  f->offset = base + m->has_tags;
  uint32_t frame_slot = f->slots.n, frame_variable = f->variables.n;
  if (m->uses_priority) {
    p->priority_offset = m->has_tags; /* the same in all frames */
    place(f, "_priority", &byte_type, 8, 1, p->span);
  }
  if (first) {
    p->frame_slot = frame_slot;
    p->frame_variable = frame_variable;
    p->location_slot = f->slots.n;
    p->component = f->component;
    p->location_bytes = bytes_of(bits_for(p->n_locations));
    p->location_offset = (uint32_t)(align(f->offset, p->location_bytes) - base);
  }
  place_location(f, p, name);
  for (uint32_t bytes = 1; bytes <= 4; bytes *= 2)
    for (uint32_t i = 0; i < p->n_variables; i++) {
      struct ir_variable *v = p->variable[i];
      if (!in_vector(v) || ir_type_bytes(v->type) != bytes)
        continue;
      uint32_t slot = f->slots.n;
      if (first) {
        v->first_slot = slot;
        v->variable = f->variables.n;
      }
      place_variable(f, v);
      if (first)
        v->offset = (uint32_t)(f->slots.at[slot].offset - base);
    }
  for (uint32_t i = 0; i < m->n_channels; i++)
    if (m->channel[i]->owner == p && m->channel[i]->capacity)
      place_own_channel(f, m->channel[i], base, first);
  p->frame_bytes = (uint32_t)(f->offset - base);
}

static void place_tag(struct frames *f, struct ir_slot *slot, uint32_t number) {
  const struct ir_model *m = f->model;
  const char **names = ARENA_ARRAY(f->arena, m->n_processes + (size_t)1, const char *);
  names[0] = "none";
  for (uint32_t i = 0; i < m->n_processes; i++)
    names[i + 1] = m->process[i]->name;
  f->prefix = "";
  f->least = f->most = 0;
  slot->tag_slot = f->slots.n;
  struct ts_variable *v = place(f, arena_printf(f->arena, "process %u", number), &tag_type,
                                bits_for(m->n_processes + 1u), 1, (struct span){0});
  v->values = names;
  v->n_values = m->n_processes + 1;
}

static void place_slot(struct frames *f, uint32_t number, bool *seen) {
  struct ir_model *m = f->model;
  struct ir_slot *slot = &m->slot[number];
  uint32_t alignment = 1, first = f->slots.n;
  for (uint32_t i = 0; i < slot->n_seats; i++)
    if (frame_alignment(f, slot->seat[i].process) > alignment)
      alignment = frame_alignment(f, slot->seat[i].process);
  uint64_t base = open_component(f, alignment), end = base + 1;
  slot->offset = (uint32_t)base;
  slot->component = f->component;
  slot->tag_slot = TS_NONE;
  if (slot->n_seats > 1)
    place_tag(f, slot, number);
  for (uint32_t i = 0; i < slot->n_seats; i++) {
    struct ir_seat *seat = &slot->seat[i];
    struct ir_process *p = seat->process;
    seat->first_slot = f->slots.n;
    seat->first_variable = f->variables.n;
    if (slot->n_seats > 1) {
      f->given = slot->tag_slot;
      f->least = f->most = p->index + 1;
    } else if (m->live_varies) {
      f->given = m->live_slot;
      f->least = number + 1;
      f->most = m->n_slots;
    }
    const char *name = arena_printf(f->arena, "%s[%u]", p->name, number);
    f->prefix = arena_printf(f->arena, "%s:", name);
    place_frame(f, p, base, !seen[p->index], name);
    seen[p->index] = true;
    end = f->offset > end ? f->offset : end;
  }
  f->prefix = "";
  f->least = f->most = f->given = 0;
  f->offset = end;
  slot->bytes = (uint32_t)(end - base);
  close_component(f,
                  slot->n_seats == 1
                      ? arena_printf(f->arena, "%s[%u]", slot->seat[0].process->name, number)
                      : arena_printf(f->arena, "process %u", number),
                  first, base);
}

/* Slots that would make the vector too long are left out: there is a model error where one
 * would be needed. */
static bool place_slots(struct frames *f) {
  struct ir_model *m = f->model;
  bool *seen = ARENA_ARRAY(f->arena, m->n_processes, bool);
  for (uint32_t i = 0; i < m->n_slots; i++) {
    struct frames before = *f;
    place_slot(f, i, seen);
    if (f->offset <= TS_MAX_BYTES && f->slots.n <= FRAMES_MOST_SLOTS)
      continue;
    if (i < m->n_active || i == 0)
      return false;
    f->slots.n = before.slots.n;
    f->variables.n = before.variables.n;
    f->components.n = before.components.n;
    f->offset = before.offset;
    m->n_slots = m->most_slots = i;
  }
  return true;
}

static uint64_t array_slots(const struct ir_model *m) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < m->n_globals; i++)
    n += m->global[i]->length;
  for (uint32_t i = 0; i < m->n_channels; i++)
    n += 1 + (uint64_t)m->channel[i]->capacity * m->channel[i]->n_fields;
  for (uint32_t p = 0; p < m->n_processes; p++)
    for (uint32_t i = 0; i < m->process[p]->n_variables; i++)
      n += m->process[p]->variable[i]->length;
  return n;
}

bool ir_frames(struct ir_model *m, struct ir_frames *out) {
  struct frames f = {.model = m, .arena = m->arena, .out = out, .prefix = ""};
  if (array_slots(m) > TS_MAX_BYTES || m->n_processes > IR_MAX_TEMPLATES)
    return false;
  ir_live(m);
  m->has_tags = false;
  for (uint32_t i = 0; i < m->n_slots; i++)
    m->has_tags |= m->slot[i].n_seats > 1;
  for (uint32_t p = 0; p < m->n_processes; p++) {
    m->process[p]->n_own_channels = 0;
    for (uint32_t i = 0; i < m->n_channels; i++)
      m->process[p]->n_own_channels += m->channel[i]->owner == m->process[p];
  }
  place_globals(&f);
  place_global_channels(&f);
  if (!place_slots(&f) || f.offset > TS_MAX_BYTES)
    return false;
  *out = (struct ir_frames){.variable = f.variables.at,
                            .slot = f.slots.at,
                            .component = f.components.at,
                            .n_variables = f.variables.n,
                            .n_slots = f.slots.n,
                            .n_components = f.components.n,
                            .bytes = (uint32_t)f.offset};
  return true;
}
