/* product_shape.c - the facts of a product.
 *
 * Everything that names a slot or a component of the system is copied and moved up by one.
 * Every action reads all there is, for what the atoms read is not known, and changes the state
 * and the variables of the automaton besides what it changes in the system.
 */
#include "ts/product_shape.h"

#include "base/bits.h"

#include <string.h>

#define COPY(arena, from, n) copy((arena), (from), (n), sizeof *(from))

/* A copy with room for one more before and one after; gives the place of the first. */
static void *copy(struct arena *arena, const void *from, size_t n, size_t size) {
  char *to = arena_array(arena, n + 2, size);
  if (n > 0)
    memcpy(to + size, from, n * size);
  return to;
}

uint32_t product_most_edges(const struct claim *a) {
  uint32_t most = 1;
  if (a->n_stops > 0)
    return PRODUCT_WAYS;
  for (uint32_t s = 0; s < a->n_states; s++)
    if (a->first[s + 1] - a->first[s] > most)
      most = a->first[s + 1] - a->first[s];
  return most;
}

/* Models with different automata must not be taken for one another. */
static uint64_t hash_of(uint64_t hash, const struct claim *a) {
  const uint32_t head[] = {a->n_states, a->initial, a->n_marks, a->n_atoms};
  for (size_t i = 0; i < sizeof head / sizeof head[0]; i++) {
    hash ^= head[i];
    hash = bits_next_random(&hash);
  }
  for (uint32_t i = 0; i < a->first[a->n_states]; i++) {
    const struct claim_edge *e = &a->edge[i];
    hash ^= (uint64_t)e->from << 32 ^ e->to ^ e->marks << 16 ^ (uint64_t)e->fault << 8 ^
            (uint64_t)e->change << 24;
    hash = bits_next_random(&hash);
    for (uint32_t k = 0; k < e->n_cubes; k++) {
      hash ^= e->cube[k].yes;
      hash = bits_next_random(&hash) ^ e->cube[k].no;
      hash = bits_next_random(&hash);
    }
  }
  for (uint32_t i = 0; a->is_error != NULL && i < a->n_states; i++) {
    hash ^= a->is_error[i];
    hash = bits_next_random(&hash);
  }
  return hash;
}

static void make_slots(struct arena *arena, struct ts_shape *p, const struct ts_shape *s,
                       const struct claim *a) {
  struct ts_slot *slot = COPY(arena, s->slot, s->n_slots);
  struct ts_variable *variable = COPY(arena, s->variable, s->n_variables);
  struct ts_component *component = COPY(arena, s->component, s->n_components);
  const uint32_t bits = bits_for(a->n_states);
  for (uint32_t i = 1; i <= s->n_slots; i++) {
    slot[i].variable++;
    slot[i].offset += PRODUCT_BYTES;
  }
  for (uint32_t i = 1; i <= s->n_variables; i++) {
    variable[i].component++;
    variable[i].first_slot++;
    variable[i].given++;
  }
  for (uint32_t i = 1; i <= s->n_components; i++) {
    component[i].first_slot++;
    component[i].offset += PRODUCT_BYTES;
  }
  slot[0] = (struct ts_slot){.bytes = 4, .bits = (uint8_t)bits};
  variable[0] = (struct ts_variable){.name = "claim", .n_slots = 1, .type = "state"};
  component[0] = (struct ts_component){.name = "claim", .n_slots = 1, .bytes = 4};
  p->slot = slot;
  p->variable = variable;
  p->component = component;
  p->n_slots++;
  p->n_variables++;
  p->n_components++;
}

/* The system's, and the step of a system that has ended. */
static void make_actions(struct arena *arena, struct ts_shape *p, const struct ts_shape *s) {
  static const struct ts_mover ended = {.name = "claim", .text = "(the system has ended)"};
  struct ts_action *action = ARENA_ARRAY(arena, s->n_actions + 1u, struct ts_action);
  for (uint32_t i = 0; i < s->n_actions; i++) {
    struct ts_mover *mover = ARENA_ARRAY(arena, s->action[i].n_movers + 1u, struct ts_mover);
    for (uint32_t k = 0; k < s->action[i].n_movers; k++) {
      mover[k] = s->action[i].mover[k];
      mover[k].component += mover[k].component != TS_NONE;
    }
    action[i] = (struct ts_action){s->action[i].n_movers, mover};
  }
  action[s->n_actions] = (struct ts_action){1, &ended};
  p->action = action;
  p->n_actions++;
}

/* Group 0 is all slots; the system's groups follow; the last one is the claim's variables. */
static void make_groups(struct arena *arena, struct ts_shape *p, const struct ts_shape *s,
                        const struct product_own *own) {
  const uint32_t n = s->n_groups == 0 ? 0 : s->group_start[s->n_groups];
  const uint32_t n_own = own == NULL ? 0 : own->n_parts;
  uint32_t *start = ARENA_ARRAY(arena, s->n_groups + 3u, uint32_t);
  struct ts_range *group = ARENA_ARRAY(arena, n + n_own + (size_t)1, struct ts_range);
  for (uint32_t i = 0; i < n; i++)
    group[i + 1] = s->group[i];
  for (uint32_t i = 0; i < n_own; i++)
    group[n + 1 + i] = (struct ts_range){own->slot[i].first + 1, 1};
  group[0] = (struct ts_range){0, p->n_slots};
  for (uint32_t i = 1; i <= n; i++)
    group[i].first++;
  for (uint32_t g = 0; g <= s->n_groups; g++)
    start[g + 1] = (s->n_groups == 0 ? 0 : s->group_start[g]) + 1;
  start[s->n_groups + 2] = n + 1 + n_own;
  p->group = group;
  p->group_start = start;
  p->n_groups = s->n_groups + 1 + (n_own > 0);
}

static void make_reads(struct arena *arena, struct ts_shape *p) {
  uint32_t *start = ARENA_ARRAY(arena, p->n_actions + 1u, uint32_t);
  uint32_t *item = ARENA_ARRAY(arena, p->n_actions, uint32_t);
  for (uint32_t i = 0; i < p->n_actions; i++) {
    start[i + 1] = i + 1;
    item[i] = p->n_slots; /* group 0 */
  }
  p->reads = (struct ts_rows){start, item};
}

static void make_writes(struct arena *arena, struct ts_shape *p, const struct ts_shape *s,
                        const struct product_own *own) {
  const uint32_t n = s->writes.start[s->n_actions];
  uint32_t *start = ARENA_ARRAY(arena, p->n_actions + 1u, uint32_t);
  uint32_t *item = ARENA_ARRAY(arena, (size_t)n + 2 * (size_t)p->n_actions, uint32_t);
  uint32_t used = 0;
  for (uint32_t i = 0; i < p->n_actions; i++) {
    item[used++] = 0;
    for (uint32_t k = s->writes.start[i]; i < s->n_actions && k < s->writes.start[i + 1]; k++)
      item[used++] = s->writes.item[k] + (s->writes.item[k] < s->n_slots ? 1 : 2);
    if (own != NULL && own->n_parts > 0)
      item[used++] = p->n_slots + p->n_groups - 1;
    start[i + 1] = used;
  }
  p->writes = (struct ts_rows){start, item};
}

static void make_notes(struct arena *arena, struct ts_shape *p, const struct ts_shape *s) {
  if (s->notes == NULL)
    return;
  struct ts_notes *notes = ARENA_NEW(arena, struct ts_notes);
  *notes = *s->notes;
  struct ts_channel *channel = ARENA_ARRAY(arena, notes->n_channels + 1u, struct ts_channel);
  for (uint32_t i = 0; i < notes->n_channels; i++) {
    struct ts_channel *c = &channel[i];
    *c = s->notes->channel[i];
    c->first++;
    c->count++;
    c->given++;
    if (c->cells == NULL)
      continue;
    uint32_t *cells = ARENA_ARRAY(arena, c->n_fields + 1u, uint32_t);
    for (uint32_t f = 0; f < c->n_fields; f++)
      cells[f] = c->cells[f] + 1;
    c->cells = cells;
  }
  notes->channel = channel;
  p->notes = notes;
}

static void make_errors(struct arena *arena, struct ts_shape *p, const struct ts_shape *s,
                        const struct claim *a) {
  if (a->is_error != NULL) {
    struct ts_property *property = ARENA_ARRAY(arena, s->n_properties + 1u, struct ts_property);
    for (uint32_t i = 0; i < s->n_properties; i++)
      property[i] = s->property[i];
    property[p->n_properties++] = (struct ts_property){
        .kind = a->kind == CLAIM_NEVER ? TS_PROPERTY_CLAIM : TS_PROPERTY_FORMULA,
        .text = a->what};
    p->property = property;
  }
  if (a->n_faults > 0) {
    struct ts_fault *fault = ARENA_ARRAY(arena, s->n_faults + a->n_faults, struct ts_fault);
    for (uint32_t i = 0; i < s->n_faults + a->n_faults; i++)
      fault[i] = i < s->n_faults ? s->fault[i] : a->fault[i - s->n_faults];
    p->fault = fault;
    p->n_faults += a->n_faults;
  }
}

struct ts_shape *product_shape(struct arena *arena, const struct ts_shape *system,
                               const struct claim *a, const struct product_own *own,
                               const struct claim_part *part) {
  struct ts_shape *p = ARENA_NEW(arena, struct ts_shape);
  const uint64_t most =
      (uint64_t)(system->most_events == 0 ? 1 : system->most_events) * product_most_edges(a);
  *p = *system;
  p->model_hash = hash_of(system->model_hash, a);
  p->n_marks = a->n_marks;
  p->claim_part = part;
  p->product_of = a;
  p->n_claims = p->n_atoms = p->n_changes = 0;
  p->max_bytes += PRODUCT_BYTES;
  p->deadlock_is_error = false;
  p->facts = NULL;
  p->words = (struct ts_rows){NULL, NULL};
  p->control = own == NULL ? product_control(arena, system, a) : NULL;
  p->most_events = system->most_events == TS_NONE || most >= TS_NONE ? TS_NONE : (uint32_t)most;
  make_slots(arena, p, system, a);
  make_actions(arena, p, system);
  make_groups(arena, p, system, own);
  make_reads(arena, p);
  make_writes(arena, p, system, own);
  make_notes(arena, p, system);
  make_errors(arena, p, system, a);
  return p;
}
