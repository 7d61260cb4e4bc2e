/* model.c - the ts of a net: what it says of itself, and its functions. */
#include "net/model.h"

#include "net/backward.h"
#include "net/control.h"
#include "net/explain.h"
#include "net/fire.h"

#include "ts/patch.h"

#include <string.h>

struct shaping {
  const struct net *net;
  const struct net_layout *layout;
  const struct fire *fire;
  struct ts_shape *shape;
  uint32_t component_words;
  uint32_t *fault; /* [slot] */
};

/* ---- variables, slots, components -------------------------------------------------------- */

static const char *slot_name(const struct shaping *s, const struct net_slot *slot) {
  const char *first = s->net->place[slot->place[0]].name;
  if (!slot->is_unit)
    return first;
  const char *last = s->net->place[slot->place[slot->n_places - 1]].name;
  return slot->n_places == 2 ? arena_printf(s->net->arena, "%s|%s", first, last)
                             : arena_printf(s->net->arena, "%s|..|%s", first, last);
}

static uint8_t bits_of(const struct net_slot *slot) {
  return (uint8_t)(slot->most == 0 ? 0 : 32 - __builtin_clz(slot->most));
}

static void add_variable(struct shaping *s, uint32_t i, struct ts_variable *variable,
                         struct ts_slot *ts_slot) {
  const struct net_slot *slot = &s->layout->slot[i];
  uint32_t component = slot->offset / 8 / s->component_words;
  const struct net_group *group = &s->net->place_group[s->net->place[slot->place[0]].group];
  *variable = (struct ts_variable){.name = slot_name(s, slot),
                                   .component = component,
                                   .first_slot = i,
                                   .n_slots = 1,
                                   .is_location = slot->is_unit,
                                   .type = slot->is_unit ? "unit" : "tokens",
                                   .place = group->where};
  *ts_slot = (struct ts_slot){
      .variable = i, .offset = slot->offset, .bytes = slot->bytes, .bits = bits_of(slot)};
  if (!slot->is_unit)
    return;
  const char **value = ARENA_ARRAY(s->net->arena, slot->n_places, const char *);
  for (uint32_t k = 0; k < slot->n_places; k++)
    value[k] = s->net->place[slot->place[k]].name;
  variable->values = value;
  variable->n_values = slot->n_places;
}

/* Components are ranges of whole words, so that a search that hashes what changed looks at
 * one range for each; there are no more than its marks can tell apart. */
static void add_components(struct shaping *s) {
  uint32_t bytes = 8 * s->component_words, slot = 0;
  uint32_t n = (s->layout->bytes + bytes - 1) / bytes;
  struct ts_component *component = ARENA_ARRAY(s->net->arena, n, struct ts_component);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t end = (i + 1) * bytes, first = slot;
    while (slot < s->layout->n_slots && s->layout->slot[slot].offset < end)
      slot++;
    uint32_t last = end < s->layout->bytes ? end : s->layout->bytes;
    component[i] = (struct ts_component){
        .name = n == 1 ? "marking" : arena_printf(s->net->arena, "part %u", i + 1),
        .first_slot = first,
        .n_slots = slot - first,
        .offset = i * bytes,
        .bytes = last - i * bytes};
  }
  s->shape->n_components = n;
  s->shape->component = component;
}

static void add_slots(struct shaping *s) {
  uint32_t n = s->layout->n_slots;
  struct ts_variable *variable = ARENA_ARRAY(s->net->arena, n, struct ts_variable);
  struct ts_slot *slot = ARENA_ARRAY(s->net->arena, n, struct ts_slot);
  for (uint32_t i = 0; i < n; i++)
    add_variable(s, i, &variable[i], &slot[i]);
  s->shape->n_variables = s->shape->n_slots = n;
  s->shape->variable = variable;
  s->shape->slot = slot;
}

static void add_faults(struct shaping *s) {
  struct arena *arena = s->net->arena;
  uint32_t n = s->layout->n_slots;
  struct ts_fault *fault = ARENA_ARRAY(arena, n, struct ts_fault);
  s->fault = ARENA_ARRAY(arena, n, uint32_t);
  for (uint32_t i = 0; i < n; i++) {
    const struct net_slot *slot = &s->layout->slot[i];
    if (slot->is_bounded)
      continue;
    const struct net_place *place = &s->net->place[slot->place[0]];
    s->fault[i] = s->shape->n_faults;
    fault[s->shape->n_faults++] = (struct ts_fault){
        .message = slot->bytes == 4
                       ? arena_printf(arena, "place %s would hold more than %u tokens",
                                      place->name, slot->most)
                       : arena_printf(arena,
                                      "place %s would hold more than the %u tokens that there "
                                      "is room for: try --token-bits %u",
                                      place->name, slot->most, slot->bytes == 1 ? 16 : 32),
        .place = s->net->place_group[place->group].where};
  }
  s->shape->fault = fault;
}

/* ---- actions
 * --------------------------------------------------------------------------------- */

static void add_actions(struct shaping *s) {
  const struct fire *f = s->fire;
  struct ts_action *action = ARENA_ARRAY(s->net->arena, f->n_actions, struct ts_action);
  struct ts_mover *mover = ARENA_ARRAY(s->net->arena, f->n_actions, struct ts_mover);
  for (uint32_t i = 0; i < f->n_actions; i++) {
    const struct net_transition *t = &s->net->transition[f->transition[i]];
    mover[i] = (struct ts_mover){.component = TS_NONE,
                                 .name = "net",
                                 .text = t->name,
                                 .place = s->net->transition_group[t->group].where};
    action[i] = (struct ts_action){1, &mover[i]};
  }
  s->shape->n_actions = f->n_actions;
  s->shape->action = action;
}

/* The slots of a transition's arcs; of `changed` ones those whose value it may change. */
static void add_sets(struct shaping *s, struct ts_rows *rows, bool writes) {
  const struct fire *f = s->fire;
  const struct net *net = s->net;
  size_t most = (size_t)net->in.start[net->n_transitions] + net->out.start[net->n_transitions];
  uint32_t *start = ARENA_ARRAY(net->arena, (size_t)f->n_actions + 1, uint32_t);
  uint32_t *item = ARENA_ARRAY(net->arena, most, uint32_t), n = 0;
  uint32_t *seen = ARENA_ARRAY(net->arena, s->layout->n_slots, uint32_t);
  int64_t *by = ARENA_ARRAY(net->arena, s->layout->n_slots, int64_t);
  for (uint32_t i = 0; i < f->n_actions; i++) {
    uint32_t t = f->transition[i], from = n;
    for (uint32_t side = 0; side < 2; side++) {
      const struct net_arcs *arcs = side == 0 ? &net->in : &net->out;
      for (uint32_t k = arcs->start[t]; k < arcs->start[t + 1]; k++) {
        struct net_spot spot = s->layout->spot[arcs->at[k].place];
        bool is_unit = s->layout->slot[spot.slot].is_unit;
        int64_t amount = is_unit ? spot.value : arcs->at[k].weight;
        if (seen[spot.slot] != i + 1)
          item[n++] = spot.slot;
        by[spot.slot] =
            (seen[spot.slot] == i + 1 ? by[spot.slot] : 0) + (side == 0 ? -amount : amount);
        seen[spot.slot] = i + 1;
      }
    }
    uint32_t kept = from;
    for (uint32_t k = from; k < n; k++)
      if (!writes || by[item[k]] != 0)
        item[kept++] = item[k];
    n = kept;
    start[i + 1] = n;
  }
  *rows = (struct ts_rows){start, item};
}

/* The words of what each action writes: ascending, each once. */
static void add_words(struct shaping *s) {
  const struct ts_rows *writes = &s->shape->writes;
  const uint32_t n_actions = s->shape->n_actions;
  struct arena *arena = s->net->arena;
  uint32_t *start = ARENA_ARRAY(arena, (size_t)n_actions + 1, uint32_t);
  uint32_t *item = ARENA_ARRAY(arena, (size_t)writes->start[n_actions] + 1, uint32_t), n = 0;
  for (uint32_t i = 0; i < n_actions; i++) {
    for (uint32_t k = writes->start[i]; k < writes->start[i + 1]; k++) {
      uint32_t word = s->shape->slot[writes->item[k]].offset / 8, at = n;
      while (at > start[i] && item[at - 1] > word)
        at--;
      if (at > start[i] && item[at - 1] == word)
        continue;
      memmove(item + at + 1, item + at, (n++ - at) * sizeof *item);
      item[at] = word;
    }
    start[i + 1] = n;
  }
  s->shape->words = (struct ts_rows){start, item};
}

/* ---- properties
 * --------------------------------------------------------------------------------- */

static void add_properties(struct shaping *s, const struct net_options *options) {
  struct ts_property *property =
      ARENA_ARRAY(s->net->arena, options->n_properties, struct ts_property);
  for (uint32_t i = 0; i < options->n_properties; i++)
    property[i] = (struct ts_property){TS_PROPERTY_INVARIANT, options->property[i].text, {0}};
  s->shape->n_properties = options->n_properties;
  s->shape->property = property;
  struct ts_measure *number =
      ARENA_ARRAY(s->net->arena, options->n_measures, struct ts_measure);
  for (uint32_t i = 0; i < options->n_measures; i++)
    number[i] = (struct ts_measure){options->measure[i].text, INT32_MIN, INT32_MAX};
  s->shape->n_measures = options->n_measures;
  s->shape->measure = number;
}

static uint32_t violated(const struct ts *ts, const uint8_t *state, uint32_t length,
                         uint32_t from, uint32_t *fault) {
  const struct net_model *model = net_model_of(ts);
  (void)length;
  *fault = TS_NONE;
  uint32_t i = from;
  while (i < model->n_properties &&
         net_evaluate(model->fire, model->property[i].holds, state) != 0)
    i++;
  return i;
}

/* Measures are 32 bits wide: what is beyond is cut to the last one. */
static int32_t measure(const struct ts *ts, const uint8_t *state, uint32_t length,
                       uint32_t which) {
  const struct net_model *model = net_model_of(ts);
  (void)length;
  int64_t value = net_evaluate(model->fire, model->measure[which].value, state);
  return value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : (int32_t)value;
}

/* ---- claims ----------------------------------------------------------------------------- */

void net_add_claims(struct ts *ts, const struct net_atom *atom, uint32_t n_atoms,
                    const struct claim *claim, uint32_t n_claims) {
  struct net_model *model = (struct net_model *)ts; /* of which it is the first member */
  struct arena *arena = model->net->arena;
  struct ts_shape *shape = model->shape;
  const uint32_t atoms = shape->n_atoms, claims = shape->n_claims;
  struct net_atom *all = ARENA_ARRAY(arena, atoms + (size_t)n_atoms, struct net_atom);
  struct ts_atom *text = ARENA_ARRAY(arena, atoms + (size_t)n_atoms, struct ts_atom);
  struct claim *list = ARENA_ARRAY(arena, claims + (size_t)n_claims, struct claim);
  for (uint32_t i = 0; i < atoms + n_atoms; i++) {
    all[i] = i < atoms ? model->atom[i] : atom[i - atoms];
    text[i].text = all[i].text;
  }
  for (uint32_t i = 0; i < claims + n_claims; i++) {
    list[i] = i < claims ? shape->claim[i] : claim[i - claims];
    list[i].first_atom += i < claims ? 0 : atoms;
  }
  model->atom = all;
  shape->atom = text;
  shape->n_atoms = atoms + n_atoms;
  shape->claim = list;
  shape->n_claims = claims + n_claims;
}

static uint64_t letter(const struct ts *ts, const uint8_t *state, uint32_t length,
                       uint32_t first, uint32_t n, uint32_t *fault) {
  const struct net_model *model = net_model_of(ts);
  uint64_t found = 0;
  (void)length;
  *fault = TS_NONE;
  for (uint32_t i = 0; i < n; i++)
    found |= (uint64_t)(net_evaluate(model->fire, model->atom[first + i].holds, state) != 0)
             << i;
  return found;
}

/* ---- the model
 * ------------------------------------------------------------------------------------- */

static uint32_t initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  const struct net_layout *layout = net_model_of(ts)->layout;
  (void)which;
  for (uint32_t i = 0; i < layout->n_slots; i++) {
    const struct net_slot *slot = &layout->slot[i];
    ts_write(row + slot->offset, slot->bytes, slot->initial);
  }
  return layout->bytes;
}

static int32_t successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                          struct ts_event *cursor, const uint64_t *skip, struct ts_batch *out) {
  (void)length;
  return fire_successors(net_model_of(ts)->fire, state, cursor, skip, out);
}

static uint32_t undo(const struct ts *ts, const uint8_t *state, uint32_t length,
                     struct ts_event event, uint8_t *row) {
  return fire_undo(net_model_of(ts)->fire, event.action, state, row) ? length : 0;
}

static int32_t predecessors(const struct ts *ts, const uint8_t *state, uint32_t length,
                            struct ts_event *cursor, struct ts_batch *out) {
  (void)length;
  return net_predecessors(net_model_of(ts)->backward, state, cursor, out);
}

static uint32_t n_predecessors(const struct ts *ts, const uint8_t *state, uint32_t length) {
  (void)length;
  return net_n_predecessors(net_model_of(ts)->backward, state);
}

static int32_t all_predecessors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                struct ts_event *cursor, struct ts_batch *out) {
  (void)length;
  return net_all_predecessors(net_model_of(ts)->backward, state, cursor, out);
}

static const struct ts_code net_code = {.abi = TS_ABI,
                                        .initial = initial,
                                        .successors = successors,
                                        .violated = violated,
                                        .measure = measure,
                                        .letter = letter,
                                        .undo = undo};

static void make_shape(struct shaping *s, const struct net_options *options) {
  *s->shape = (struct ts_shape){.name = s->net->name,
                                .model_hash = s->net->hash,
                                .max_bytes = s->layout->bytes,
                                .fixed_length = true,
                                .n_initial = 1};
  add_slots(s);
  add_components(s);
  add_faults(s);
  s->fire = fire_make(s->net, s->layout, s->component_words, s->fault);
  add_actions(s);
  add_sets(s, &s->shape->reads, false);
  add_sets(s, &s->shape->writes, true);
  if (patch_is_long(s->shape))
    add_words(s);
  s->shape->most_events = fire_most(s->fire);
  add_properties(s, options);
  s->shape->control = net_control(s->net, s->layout, s->fire, options->n_properties > 0);
}

static void add_explanations(struct shaping *s, const struct net_options *options) {
  struct arena *arena = s->net->arena;
  struct ts_notes *notes = ARENA_NEW(arena, struct ts_notes);
  const struct net_term **holds =
      ARENA_ARRAY(arena, options->n_properties + (size_t)1, const struct net_term *);
  for (uint32_t i = 0; i < options->n_properties; i++)
    holds[i] = options->property[i].holds;
  notes->explain = net_explain(s->net, s->layout, s->shape, holds, s->fire->transition);
  s->shape->notes = notes;
}

struct net_model *net_open(const struct net *net, const struct net_options *options,
                           const char **why) {
  uint32_t bits = options->counter_bits == 0 ? 8 : options->counter_bits;
  const struct net_layout *layout = net_layout(net, bits, why);
  if (layout == NULL)
    return NULL;
  struct net_model *model = ARENA_NEW(net->arena, struct net_model);
  struct shaping s = {.net = net,
                      .layout = layout,
                      .shape = ARENA_NEW(net->arena, struct ts_shape),
                      .component_words = (layout->bytes / 8 + 62) / 63};
  if (s.component_words == 0)
    s.component_words = 1;
  make_shape(&s, options);
  model->net = net;
  model->layout = layout;
  model->fire = s.fire;
  model->property = options->property;
  model->measure = options->measure;
  model->n_properties = options->n_properties;
  model->shape = s.shape;
  add_explanations(&s, options);
  model->ts.shape = s.shape;
  model->ts.self = model;
  model->code = net_code;
  if (options->backward) {
    model->backward = net_backward_make(net, layout, s.component_words, s.fault, s.fire);
    s.shape->most_predecessors = net_most_predecessors(model->backward);
    model->code.predecessors = predecessors;
    model->code.n_predecessors = n_predecessors;
    model->code.all_predecessors = all_predecessors;
  }
  atomic_store_explicit(&model->ts.code, &model->code, memory_order_release);
  net_add_claims(&model->ts, options->atom, options->n_atoms, options->claim,
                 options->n_claims);
  return model;
}

const struct net_model *net_model_if(const struct ts *ts) {
  return ts_code(ts)->successors == successors ? net_model_of(ts) : NULL;
}

bool net_enabled(const struct net_model *model, uint32_t transition, const uint8_t *state) {
  uint32_t action = model->fire->number[transition];
  return action != TS_NONE && fire_enabled(model->fire, action, state);
}
