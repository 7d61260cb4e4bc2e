/* product_control.c - who moves from where in a product, for partial order reduction.
 *
 * If the claim does not count steps, runs of the system that differ by repeated letters, and in
 * the order of steps that change no letter, are the same to it. So the steps of the product are
 * those of the system; what the claim's atoms look at is watched, as properties are.
 *
 * No event may be put off permanently. Whether one is must not depend on the state of the
 * claim, for then a run that the claim accepts might not be among those that are left
 * (docs/por.md). So it is decided before the search: each process leaves out nothing where it
 * goes back, to a location that does not come later, or starts another process. (Kurshan,
 * Levin, Minea, Peled and Yenigün, "Static partial order reduction", TACAS 1998.)
 */
#include "ts/product_shape.h"

#include "ts/control.h"

static const struct ts_step *closing_steps(struct arena *arena, const struct ts_control *c) {
  struct ts_step *step = ARENA_ARRAY(arena, c->n_steps, struct ts_step);
  for (uint32_t i = 0; i < c->n_steps; i++)
    step[i] = c->step[i];
  product_close(arena, c, step);
  return step;
}

/* The step of a system that has ended is nobody's. */
static struct ts_rows more_actions(struct arena *arena, const struct ts_rows *of, uint32_t n) {
  uint32_t *start = ARENA_ARRAY(arena, n + (size_t)2, uint32_t);
  for (uint32_t a = 0; a <= n; a++)
    start[a] = of->start[a];
  start[n + 1] = start[n];
  return (struct ts_rows){start, of->item};
}

/* What the properties look at, and the atoms of the claim. */
static void watch_atoms(struct arena *arena, struct ts_control *p, const struct claim *claim) {
  const uint32_t from = p->first_asked[claim->first_atom];
  const uint32_t n = p->first_asked[claim->first_atom + claim->n_atoms] - from;
  struct ts_touch *watched = ARENA_ARRAY(arena, p->n_watched + (size_t)n, struct ts_touch);
  for (uint32_t i = 0; i < p->n_watched; i++)
    watched[i] = p->watched[i];
  for (uint32_t i = 0; i < n; i++)
    watched[p->n_watched + i] = p->asked[from + i];
  p->watched = watched;
  p->n_watched += n;
  p->first_asked = NULL;
}

const struct ts_control *product_control(struct arena *arena, const struct ts_shape *system,
                                         const struct claim *claim) {
  const struct ts_control *c = system->control;
  if (c == NULL || c->first_asked == NULL || !claim->stutters)
    return NULL;
  struct ts_control *p = ARENA_NEW(arena, struct ts_control);
  *p = *c;
  p->first_slot = 1;
  p->step = closing_steps(arena, c);
  p->of = more_actions(arena, &c->of, system->n_actions);
  watch_atoms(arena, p, claim);
  return p;
}
