/* product_ways.c - the step of a claim that has variables of its own.
 *
 * Its conditions read the variables of the claim beside those of the system, and what it does
 * changes them. So its step is no edge that is known beforehand: it is walked, in a copy of the
 * system's state, through the states that are left at once, and asks for a new letter in each.
 * Where several edges can be taken the walk goes back with the values that were there before;
 * the last one needs no way back, so that long loops take no room.
 *
 * A claim that never stops, or that could go on in too many ways, is a model error: of the
 * claim's faults the last two.
 */
#include "ts/product_ways.h"

#include <string.h>

enum {
  MOST_STEPS = 100000, /* within one step of the claim */
  MOST_DEPTH = 1000    /* choices */
};

struct walk {
  const struct ts *system;
  const struct ts_code *code;
  const struct claim *claim;
  const struct product_own *own;
  uint8_t *work;
  uint32_t length, steps;
  struct product_ways *ways;
};

/* ---- variables -------------------------------------------------------------------------- */

/* By slot: whether a change of the claim may write it. */
static const bool *written(struct arena *arena, const struct ts_shape *s,
                           const struct claim *c) {
  bool *may = ARENA_ARRAY(arena, s->n_slots + (size_t)1, bool);
  for (uint32_t i = 0; i < c->first[c->n_states]; i++) {
    const uint32_t change = c->edge[i].change;
    for (uint32_t k = change == 0 ? 0 : s->changes.start[change - 1];
         change != 0 && k < s->changes.start[change]; k++)
      may[s->changes.item[k]] = true;
  }
  return may;
}

static uint64_t component_bit(const struct ts_shape *s, uint32_t slot) {
  const uint32_t component = s->variable[s->slot[slot].variable].component;
  return UINT64_C(1) << (component < 63 ? component : 63);
}

const struct product_own *product_own(struct arena *arena, const struct ts_shape *s,
                                      const struct claim *c) {
  if (c->n_stops == 0)
    return NULL;
  struct product_own *own = ARENA_NEW(arena, struct product_own);
  const bool *may = written(arena, s, c);
  struct ts_range *part = ARENA_ARRAY(arena, s->n_slots + (size_t)1, struct ts_range);
  struct ts_range *slot = ARENA_ARRAY(arena, s->n_slots + (size_t)1, struct ts_range);
  for (uint32_t i = 0; i < s->n_slots; i++) {
    if (!may[i])
      continue;
    part[own->n_parts] = (struct ts_range){s->slot[i].offset, s->slot[i].bytes};
    slot[own->n_parts++] = (struct ts_range){i, 1};
    own->bytes += s->slot[i].bytes;
    own->changed |= component_bit(s, i);
  }
  own->part = part;
  own->slot = slot;
  return own;
}

static void keep(const struct product_own *own, const uint8_t *state, uint8_t *value) {
  for (uint32_t i = 0; i < own->n_parts; i++) {
    memcpy(value, state + own->part[i].first, own->part[i].n);
    value += own->part[i].n;
  }
}

void product_own_put(const struct product_own *own, const uint8_t *value, uint8_t *state) {
  for (uint32_t i = 0; i < own->n_parts; i++) {
    memcpy(state + own->part[i].first, value, own->part[i].n);
    value += own->part[i].n;
  }
}

/* ---- the walk --------------------------------------------------------------------------- */

static bool fail(const struct walk *w, uint32_t fault) {
  if (w->ways->fault == TS_NONE)
    w->ways->fault = fault;
  return false;
}

/* The last faults of the claim, which are not assertions. */
static bool fail_itself(const struct walk *w, uint32_t last) {
  return fail(w, w->system->shape->n_faults + w->claim->n_faults - last);
}

/* Does what the edge does; *so_far goes on. False after a fault. */
static bool step(const struct walk *w, const struct claim_edge *e, struct claim_edge *so_far) {
  if (e->change != 0) {
    const uint32_t fault = w->code->change(w->system, w->work, w->length, e->change - 1);
    if (fault != TS_NONE)
      return fail(w, fault);
  }
  so_far->to = e->to;
  so_far->change |= e->change != 0;
  so_far->marks |= e->marks;
  if (so_far->fault == 0)
    so_far->fault = e->fault;
  return true;
}

/* False: the claim goes on, or there was a fault. */
static bool stops(const struct walk *w, const struct claim_edge *so_far) {
  struct product_ways *ways = w->ways;
  if (so_far->to >= w->claim->n_stops)
    return false;
  if (ways->n == PRODUCT_WAYS)
    return !fail_itself(w, 2);
  keep(w->own, w->work, ways->value[ways->n]);
  ways->at[ways->n++] = *so_far;
  return true;
}

static bool letter_of(struct walk *w, uint64_t *letter) {
  const struct claim *c = w->claim;
  uint32_t fault = TS_NONE;
  *letter = c->n_atoms == 0 ? 0
                            : w->code->letter(w->system, w->work, w->length, c->first_atom,
                                              c->n_atoms, &fault);
  if (fault != TS_NONE)
    return fail(w, fault);
  return w->steps++ < MOST_STEPS || fail_itself(w, 1);
}

/* From the state that `so_far` leads to. */
static void go_on(struct walk *w, struct claim_edge so_far, uint32_t depth) {
  const struct claim *c = w->claim;
  uint8_t value[PRODUCT_OWN];
  for (uint64_t letter = 0; letter_of(w, &letter);) {
    const struct claim_edge *pending = NULL;
    const struct claim_edge before = so_far;
    keep(w->own, w->work, value);
    for (uint32_t i = c->first[before.to]; i < c->first[before.to + 1]; i++) {
      if (!product_reads(&c->edge[i], letter))
        continue;
      if (pending != NULL) {
        struct claim_edge next = before;
        if (depth == MOST_DEPTH && !fail_itself(w, 1))
          return;
        if (!step(w, pending, &next))
          return;
        if (!stops(w, &next))
          go_on(w, next, depth + 1);
        if (w->ways->fault != TS_NONE)
          return;
        product_own_put(w->own, value, w->work);
      }
      pending = &c->edge[i];
    }
    if (pending == NULL || !step(w, pending, &so_far) || stops(w, &so_far))
      return;
  }
}

void product_ways(const struct ts *system, const struct claim *claim,
                  const struct product_own *own, uint32_t state, uint8_t *work, uint32_t length,
                  struct product_ways *ways) {
  struct walk w = {.system = system,
                   .code = ts_code(system),
                   .claim = claim,
                   .own = own,
                   .work = work,
                   .length = length,
                   .ways = ways};
  ways->n = 0;
  ways->fault = TS_NONE;
  go_on(&w, (struct claim_edge){.from = state, .to = state}, 0);
  if (ways->fault != TS_NONE)
    ways->n = 0;
}
