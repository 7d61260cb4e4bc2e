/* present.c - who is where in a state. See present.h. */
#include "search/reduce/present.h"

#include "search/reduce/alone.h"

#include <string.h>

/* ---- opening ----------------------------------------------------------------------------- */

static void *room(struct present *p, size_t n, size_t size) {
  return budget_alloc(p->budget, BUDGET_OTHER, (n + 1) * size);
}

static void give_back(struct present *p, void *at, size_t n, size_t size) {
  budget_free(p->budget, BUDGET_OTHER, at, (n + 1) * size);
}

void present_close(struct present *p) {
  const struct ts_control *c = p->control;
  if (c == NULL)
    return;
  give_back(p, p->alone, c->n_locations, sizeof *p->alone);
  give_back(p, p->finder, c->n_processes, sizeof *p->finder);
  give_back(p, p->step, p->n_steps, sizeof *p->step);
  give_back(p, p->location, c->n_processes, sizeof *p->location);
  give_back(p, p->process, c->n_processes, sizeof *p->process);
  give_back(p, p->guess, c->n_processes, sizeof *p->guess);
  give_back(p, p->enabled, c->n_steps, sizeof *p->enabled);
  give_back(p, p->at, p->conflict->words, sizeof *p->at);
  give_back(p, p->seat, c->n_locations, sizeof *p->seat);
  give_back(p, p->there, c->n_processes, sizeof *p->there);
}

static bool open_rooms(struct present *p) {
  const struct ts_control *c = p->control;
  p->alone = room(p, c->n_locations, sizeof *p->alone);
  p->finder = room(p, c->n_processes, sizeof *p->finder);
  p->step = room(p, p->n_steps, sizeof *p->step);
  p->location = room(p, c->n_processes, sizeof *p->location);
  p->process = room(p, c->n_processes, sizeof *p->process);
  p->guess = room(p, c->n_processes, sizeof *p->guess);
  p->enabled = room(p, c->n_steps, sizeof *p->enabled);
  p->at = room(p, p->conflict->words, sizeof *p->at);
  p->seat = room(p, c->n_locations, sizeof *p->seat);
  p->there = room(p, c->n_processes, sizeof *p->there);
  return p->alone != NULL && p->finder != NULL && p->step != NULL && p->location != NULL &&
         p->process != NULL && p->guess != NULL && p->enabled != NULL && p->at != NULL &&
         p->seat != NULL && p->there != NULL;
}

static void make_finders(struct present *p) {
  for (uint32_t i = 0; i < p->control->n_processes; i++) {
    const struct ts_process *it = &p->control->process[i];
    const struct ts_slot *at =
        it->location_slot == TS_NONE ? NULL : &p->shape->slot[it->location_slot];
    p->finder[i].first = it->first;
    p->finder[i].is_plain = at != NULL && at->bytes == 1 && !at->is_signed &&
                            it->live_slot == TS_NONE && it->tag_slot == TS_NONE;
    p->finder[i].offset = at == NULL ? 0 : at->offset;
  }
}

static void make_steps(struct present *p) {
  const struct ts_control *c = p->control;
  for (size_t i = 0; i < p->n_steps; i++) {
    uint32_t number = c->of.item[i];
    const struct ts_step *step = &c->step[number];
    uint32_t nth = number - c->first_step[step->from];
    p->step[i] =
        (struct present_step){number, step->process, step->from, p->conflict->bit[step->from],
                              nth < 64 ? UINT64_C(1) << nth : 0};
  }
}

/* The last seat is that of what a property looks at. */
static void make_seats(struct present *p) {
  p->is_wide = p->conflict->words > 1;
  p->bar = UINT64_C(1) << (p->is_wide ? PRESENT_SEATS - 1 : p->conflict->watch);
  for (uint32_t i = 0; i < p->control->n_processes && !p->is_wide; i++) {
    const struct ts_process *it = &p->control->process[i];
    for (uint32_t l = it->first; l < it->first + it->n_locations; l++)
      p->who[p->conflict->bit[l]] = i;
  }
}

/* Where nobody ever moves, all are there. */
static void find_still(struct present *p) {
  p->is_still = alone_still(p->control);
  p->n_there = p->is_still ? p->control->n_processes : 0;
  for (uint32_t i = 0; i < p->n_there; i++) {
    p->there[i] = i;
    p->location[i] = p->control->process[i].first;
    if (p->alone[p->location[i]])
      p->guess[p->n_guesses++] = i;
  }
}

bool present_open(struct present *p, const struct conflict *conflict, struct budget *budget) {
  const struct related *related = conflict->related;
  *p = (struct present){.shape = related->shape,
                        .control = related->control,
                        .conflict = conflict,
                        .budget = budget,
                        .n_steps = related->control->of.start[related->shape->n_actions]};
  if (!open_rooms(p))
    return false;
  make_finders(p);
  make_steps(p);
  make_seats(p);
  alone_locations(conflict, p->alone);
  find_still(p);
  return true;
}

/* ---- a state ----------------------------------------------------------------------------- */

static inline uint32_t value_of(const struct present *p, uint32_t slot, const uint8_t *row) {
  const struct ts_slot *s = &p->shape->slot[slot];
  return s->bytes == 1 && !s->is_signed ? row[s->offset] : (uint32_t)ts_value(s, row);
}

static bool is_there(const struct present *p, const struct ts_process *it, const uint8_t *row) {
  return (it->live_slot == TS_NONE || value_of(p, it->live_slot, row) > it->number) &&
         (it->tag_slot == TS_NONE || value_of(p, it->tag_slot, row) == it->tag);
}

/* Where process `i` is; TS_NONE: it is not there. */
static uint32_t find(const struct present *p, uint32_t i, const uint8_t *row) {
  const struct ts_process *it = &p->control->process[i];
  if (!is_there(p, it, row))
    return TS_NONE;
  return it->first + (it->location_slot == TS_NONE ? 0 : value_of(p, it->location_slot, row));
}

/* It takes a seat, if seats are given. */
static void sit_down(struct present *p, uint32_t i, uint32_t bit) {
  bits_set(p->at, bit);
  if (p->n_there >= PRESENT_SEATS - 1)
    return;
  p->seat[bit] = p->n_there;
  p->who[p->n_there] = i;
}

/* Who is there, and where. This is done in all states where sets are looked for, so pointers
 * are in variables: what is stored might else be one of them. */
static void look_around(struct present *p, const uint8_t *row) {
  const uint32_t *bit = p->conflict->bit;
  const struct present_finder *finder = p->finder;
  const bool *alone = p->alone;
  uint32_t *location = p->location, *guess = p->guess;
  struct present_process *process = p->process;
  uint64_t all = 0;
  for (uint32_t i = p->control->n_processes; i-- > 0;) {
    const struct present_finder *f = &finder[i];
    uint32_t at = f->is_plain ? f->first + row[f->offset] : find(p, i, row);
    location[i] = at;
    process[i].count = 0;
    process[i].steps = 0;
    if (at == TS_NONE)
      continue;
    all |= UINT64_C(1) << bit[at];
    if (alone[at])
      *guess++ = i;
  }
  p->n_guesses = (uint32_t)(guess - p->guess);
  p->at[0] = p->all = all;
}

static void look_around_many(struct present *p, const uint8_t *row) {
  memset(p->at, 0, p->conflict->words * sizeof *p->at);
  p->n_there = p->n_guesses = 0;
  for (uint32_t i = p->control->n_processes; i-- > 0;) {
    uint32_t at = find(p, i, row);
    p->location[i] = at;
    p->process[i] = (struct present_process){0, 0};
    if (at == TS_NONE)
      continue;
    sit_down(p, i, p->conflict->bit[at]);
    p->n_there++;
    if (p->alone[at])
      p->guess[p->n_guesses++] = i;
  }
  p->all = bits_lowest(p->n_there);
}

void present_look(struct present *p, const uint8_t *row) {
  p->stamp++;
  p->active = 0;
  if (p->is_still) {
    memset(p->process, 0, p->n_there * sizeof *p->process);
    return;
  }
  if (p->is_wide)
    look_around_many(p, row);
  else
    look_around(p, row);
}

void present_sees(struct present *p, const struct ts_edge *edge, uint32_t n) {
  const uint32_t *start = p->control->of.start, *location = p->location;
  struct present_process *process = p->process;
  uint64_t active = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t a = edge[i].event.action, before = TS_NONE;
    for (uint32_t k = start[a]; k < start[a + 1]; k++) {
      const struct present_step *step = &p->step[k];
      if (location[step->process] != step->from)
        continue;
      uint32_t seat = p->is_wide ? p->seat[step->seat] : step->seat;
      p->enabled[step->step] = p->stamp;
      process[step->process].count += step->process != before;
      process[step->process].steps |= step->bit;
      active |= UINT64_C(1) << seat % PRESENT_SEATS;
      before = step->process;
    }
  }
  p->active |= active;
}

const uint32_t *present_list(struct present *p) {
  if (p->is_still)
    return p->there;
  p->n_there = 0;
  for (uint32_t i = p->control->n_processes; i-- > 0;)
    if (p->location[i] != TS_NONE)
      p->there[p->n_there++] = i;
  return p->there;
}
