/* live.c - which processes may live at once, and where.
 *
 * A process has the number of the free place above the others, and place n of the
 * vector holds process n. So that the vector is no longer than it must be, this
 * works out an upper bound on the templates that may ever sit in each slot, from
 * what one instance of each template runs (follow.c) and how many instances there are.
 *
 * Where that bound is large, only some places are laid out at first (most_slots is how many
 * there may be); the search begins again with more when a process finds no place.
 *
 * The order matters too: where one process runs all others before anything can end,
 * the template of each slot is known. Else each slot above the last initial process
 * that cannot end may have whatever is run somewhere.
 */
#include "ir/follow.h"

#define PLACES_FEW   40u /* beyond the initial processes: all are laid out at once; */
#define PLACES_FIRST 8u  /* else that many, and more when they are needed */

struct living {
  struct ir_model *model;
  struct follow **follow; /* by template */
  uint32_t *instances;    /* by template: the most that are ever made */
  uint8_t *run;           /* by template: some process may run it */
  uint32_t total;
};

static uint32_t bounded_add(uint64_t a, uint64_t b) {
  return a + b > IR_MAX_LIVE ? IR_MAX_LIVE : (uint32_t)(a + b);
}

static void count_instances(struct living *l) {
  struct ir_model *m = l->model;
  uint32_t n = m->n_processes;
  for (bool again = true; again;) {
    again = false;
    l->total = 0;
    for (uint32_t q = 0; q < n; q++) {
      uint64_t made = 0;
      for (uint32_t i = 0; i < m->n_active; i++)
        made += m->active[i]->index == q;
      for (uint32_t p = 0; p < n; p++) {
        uint64_t runs = l->follow[p]->of[q];
        l->run[q] |= runs > 0 && l->instances[p] > 0;
        made = bounded_add(made, runs * l->instances[p]);
      }
      made = bounded_add(made, 0);
      if (made != l->instances[q])
        again = true;
      l->instances[q] = (uint32_t)made;
      l->total = bounded_add(l->total, made);
    }
  }
}

static void add_seat(struct ir_model *m, uint32_t slot, struct ir_process *p,
                     const struct ir_value *argument) {
  struct ir_slot *s = &m->slot[slot];
  for (uint32_t i = 0; i < s->n_seats; i++)
    if (s->seat[i].process == p)
      return;
  s->seat[s->n_seats++] = (struct ir_seat){.process = p, .argument = argument};
  p->n_seats++;
}

/* The only instance that runs others, if no process can end before it has run the last
 * one; then its run number k goes to slot n_active + k. UINT32_MAX: there is none. */
static uint32_t only_runner(const struct living *l) {
  const struct ir_model *m = l->model;
  uint32_t runner = UINT32_MAX, instances = 0, place = 0;
  for (uint32_t p = 0; p < m->n_processes; p++)
    if (l->instances[p] && l->follow[p]->any) {
      runner = p;
      instances += l->instances[p];
    }
  if (runner == UINT32_MAX || instances != 1 || l->follow[runner]->endless || l->run[runner])
    return UINT32_MAX;
  for (uint32_t i = 0; i < m->n_active; i++)
    if (m->active[i]->index == runner)
      place = i;
  for (uint32_t i = place + 1; i < m->n_active; i++)
    if (m->active[i]->can_end)
      return UINT32_MAX;
  if (!l->follow[runner]->apart)
    return runner;
  for (uint32_t p = 0; p < m->n_processes; p++)
    if (l->run[p] && m->process[p]->can_end)
      return UINT32_MAX;
  return runner;
}

static void seat_in_order(const struct living *l, uint32_t runner) {
  struct ir_model *m = l->model;
  const struct follow *f = l->follow[runner];
  for (uint32_t i = 0; i < m->n_active; i++)
    add_seat(m, i, m->active[i], NULL);
  for (uint32_t k = 0; m->n_active + k < m->n_slots; k++)
    for (uint32_t q = 0; q < m->n_processes; q++)
      if (f->run[k].may_be != NULL && f->run[k].may_be[q])
        add_seat(m, m->n_active + k, m->process[q], f->run[k].argument[q]);
}

/* What every run of template q gives it; NULL: not known. */
static const struct ir_value *always_given(const struct living *l, uint32_t q) {
  const struct ir_model *m = l->model;
  struct ir_value *all = NULL;
  for (uint32_t p = 0; p < m->n_processes; p++) {
    const struct follow *f = l->follow[p];
    if (f->endless && f->of[q] > 0)
      return NULL;
    for (uint32_t k = 0; f->any && k < IR_MAX_LIVE && f->run[k].may_be != NULL; k++)
      if (f->run[k].argument[q] != NULL)
        follow_join(m->arena, &all, f->run[k].argument[q], m->process[q]->n_parameters);
  }
  return all;
}

static void seat_anywhere(const struct living *l) {
  struct ir_model *m = l->model;
  uint32_t fixed = 0;
  for (uint32_t i = 0; i < m->n_active; i++) {
    add_seat(m, i, m->active[i], NULL);
    if (!m->active[i]->can_end)
      fixed = i + 1;
  }
  for (uint32_t q = 0; q < m->n_processes; q++) {
    const struct ir_value *given = l->run[q] ? always_given(l, q) : NULL;
    for (uint32_t i = fixed ? fixed : 1; l->run[q] && i < m->n_slots; i++)
      add_seat(m, i, m->process[q], given);
  }
}

/* How many places there are at first. A bound that was found is often reached, and a few places
 * cost little; but where there may be any number of processes, most models use few places, and
 * every state would take what the longest one needs while it is computed with. */
static uint32_t first_places(const struct ir_model *m) {
  return m->most_slots <= m->n_active + PLACES_FEW ? m->most_slots : m->n_active + PLACES_FIRST;
}

void ir_live(struct ir_model *m) {
  uint32_t n = m->n_processes;
  struct living l = {.model = m,
                     .follow = ARENA_ARRAY(m->arena, n, struct follow *),
                     .instances = ARENA_ARRAY(m->arena, n, uint32_t),
                     .run = ARENA_ARRAY(m->arena, n, uint8_t)};
  const struct follow_globals *globals = follow_globals(m);
  for (uint32_t p = 0; p < n; p++) {
    l.follow[p] = follow_process(m, m->process[p], globals);
    m->process[p]->n_seats = 0;
    m->process[p]->can_end = l.follow[p]->control->can_end;
  }
  count_instances(&l);
  uint32_t runner = only_runner(&l);
  m->most_slots = m->n_active;
  if (runner != UINT32_MAX)
    m->most_slots = bounded_add(m->n_active, l.follow[runner]->most);
  else if (l.total > m->n_active)
    m->most_slots = l.total;
  m->n_slots = m->places > 0 ? m->places : first_places(m);
  if (m->n_slots < m->n_active)
    m->n_slots = m->n_active;
  if (m->n_slots > m->most_slots)
    m->n_slots = m->most_slots;
  m->slot = ARENA_ARRAY(m->arena, m->n_slots, struct ir_slot);
  for (uint32_t i = 0; i < m->n_slots; i++)
    m->slot[i].seat = ARENA_ARRAY(m->arena, n, struct ir_seat);
  if (runner != UINT32_MAX)
    seat_in_order(&l, runner);
  else
    seat_anywhere(&l);
  m->live_varies = false;
  for (uint32_t p = 0; p < n; p++)
    m->live_varies |= l.instances[p] && (m->process[p]->can_end || l.run[p]);
}
