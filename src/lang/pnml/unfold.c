/* unfold.c - from colours to places, without trying all bindings.
 *
 * What a place may hold is worked out as a database works out the consequences of rules
 * (semi-naive evaluation of Datalog): a token's colour becomes active, and each input arc
 * that it may serve is matched with it; the other variables are bound by joining the
 * colours that are active already, and by the condition (joins.c). Each binding that comes
 * out is a transition, and makes the colours that it puts out possible. So each binding
 * is found once, when the last of the colours that it needs has become active, and
 * bindings that can never be enabled are mostly never seen. How many tokens there are is
 * not asked; net_trim() drops what is left over.
 *
 * Transitions without variables, which is all of a place/transition net, need no join:
 * they count the colours that they wait for.
 */
#include "lang/pnml/unfold.h"

#include "lang/pnml/instances.h"
#include "lang/pnml/joins.h"

#include <string.h>

struct watcher { /* an atom that a colour of its place may match */
  uint32_t transition;
  const struct joins *plan;
  struct watcher *next;
};

struct waiter { /* a transition without variables that waits for a colour */
  uint32_t transition, next;
};

struct unfolding {
  const struct symmetric_net *net;
  struct instances build;
  struct colours colours;
  struct joins_transition *transition;
  struct watcher **watcher; /* [place] */
  struct {
    struct waiter *at;
    uint32_t n, capacity;
  } waiter;
  struct {
    uint32_t *at; /* [colour]: first waiter + 1 */
    uint32_t n, capacity;
  } first_waiter;
  uint32_t *waits;  /* [transition]: colours not yet active */
  uint32_t current; /* the colour that has just become active */
  uint32_t binding[SYMMETRIC_CELLS];
};

/* ---- values
 * ---------------------------------------------------------------------------------- */

/* As it is compared: ranges of integers by what is written. */
static int64_t compared(const struct symmetric_cell *cell, const uint32_t *binding) {
  const struct symmetric_sort *sort = cell->part != NULL ? cell->part : cell->sort;
  return sort->first + instances_value(cell, binding);
}

static bool holds(const struct symmetric_condition *c, const uint32_t *binding) {
  if (c->kind >= SYMMETRIC_EQ) {
    bool equal = true;
    for (uint32_t i = 0; i < c->n_cells; i++)
      equal = equal && compared(&c->left[i], binding) == compared(&c->right[i], binding);
    if (c->kind == SYMMETRIC_EQ || c->kind == SYMMETRIC_NE)
      return equal == (c->kind == SYMMETRIC_EQ);
    int64_t left = compared(c->left, binding), right = compared(c->right, binding);
    return c->kind == SYMMETRIC_LT   ? left < right
           : c->kind == SYMMETRIC_LE ? left <= right
           : c->kind == SYMMETRIC_GT ? left > right
                                     : left >= right;
  }
  switch (c->kind) {
  case SYMMETRIC_AND:
    return holds(c->a, binding) && holds(c->b, binding);
  case SYMMETRIC_OR:
    return holds(c->a, binding) || holds(c->b, binding);
  case SYMMETRIC_IMPLY:
    return !holds(c->a, binding) || holds(c->b, binding);
  case SYMMETRIC_NOT:
    return !holds(c->a, binding);
  default:
    return c->kind == SYMMETRIC_TRUE;
  }
}

/* ---- joining
 * ------------------------------------------------------------------------------------ */

/* Matches an atom with a colour; binds what is not in `bound`, and adds it. */
static bool match(struct unfolding *u, const struct joins_atom *atom, const uint32_t *colour,
                  uint64_t *bound) {
  uint32_t n = u->net->place[atom->place].sort->n_cells;
  for (uint32_t i = 0; i < n; i++) {
    const struct symmetric_cell *cell = &atom->cell[i];
    if (cell->kind == SYMMETRIC_CONST) {
      if (colour[i] != cell->value)
        return false;
      continue;
    }
    uint32_t values = cell->sort->n_values;
    uint32_t value = (colour[i] + values - cell->shift) % values;
    if (*bound >> cell->value & 1) {
      if (u->binding[cell->value] != value)
        return false;
    } else {
      u->binding[cell->value] = value;
      *bound |= UINT64_C(1) << cell->value;
    }
  }
  return true;
}

/* The variable's value that makes both sides equal. */
static bool assign(struct unfolding *u, const struct joins_step *step) {
  const struct symmetric_condition *c = step->condition;
  const struct symmetric_cell *target = step->is_left ? c->left : c->right;
  int64_t value =
      compared(step->is_left ? c->right : c->left, u->binding) - target->sort->first;
  uint32_t n = target->sort->n_values;
  if (value < 0 || value >= n)
    return false;
  u->binding[step->variable] = ((uint32_t)value + n - target->shift) % n;
  return true;
}

static void run(struct unfolding *u, uint32_t t, const struct joins *plan, uint32_t at,
                uint64_t bound);

static void join(struct unfolding *u, uint32_t t, const struct joins *plan, uint32_t at,
                 uint64_t bound) {
  const struct joins_step *step = &plan->at[at];
  const struct joins_atom *atom = &u->transition[t].atom.at[step->atom];
  uint32_t wanted[SYMMETRIC_CELLS] = {0}, n = u->net->place[atom->place].sort->n_cells;
  for (uint32_t i = 0; i < n; i++)
    if (atom->cell[i].kind == SYMMETRIC_CONST || (bound >> atom->cell[i].value & 1))
      wanted[i] = instances_value(&atom->cell[i], u->binding);
  for (uint32_t k = colours_first(&u->colours, atom->place, step->index, wanted);
       k != COLOURS_NONE; k = colours_next(&u->colours, atom->place, step->index, k, wanted)) {
    uint32_t number = colours_at(&u->colours, atom->place, step->index, k);
    /* A binding that uses the new colour twice is found by its first atom alone. */
    if (number == u->current && step->atom < plan->start && plan->start != JOINS_NO_ATOM)
      continue;
    uint64_t more = bound;
    if (match(u, atom, u->colours.all.at[number].cell, &more))
      run(u, t, plan, at + 1, more);
  }
}

/* Does the steps from `at` on. */
static void run(struct unfolding *u, uint32_t t, const struct joins *plan, uint32_t at,
                uint64_t bound) {
  for (; at < plan->n; at++) {
    const struct joins_step *step = &plan->at[at];
    if (step->kind == JOINS_JOIN) {
      join(u, t, plan, at, bound);
      return;
    }
    if (step->kind == JOINS_EACH) {
      uint32_t n = u->net->transition[t].cell[step->variable]->n_values;
      for (uint32_t i = 0; i < n; i++) {
        u->binding[step->variable] = i;
        run(u, t, plan, at + 1, bound | UINT64_C(1) << step->variable);
      }
      return;
    }
    if (step->kind == JOINS_CHECK ? !holds(step->condition, u->binding) : !assign(u, step))
      return;
    if (step->kind == JOINS_ASSIGN)
      bound |= UINT64_C(1) << step->variable;
  }
  instances_transition(&u->build, &u->colours, t, u->binding);
}

/* ---- what becomes active
 * ---------------------------------------------------------------------------- */

static void activate(struct unfolding *u, uint32_t number) {
  colours_activate(&u->colours, number);
  u->current = number;
  uint32_t place = u->colours.all.at[number].place;
  for (const struct watcher *w = u->watcher[place]; w != NULL; w = w->next) {
    uint64_t bound = 0;
    if (match(u, &u->transition[w->transition].atom.at[w->plan->start],
              u->colours.all.at[number].cell, &bound))
      run(u, w->transition, w->plan, 0, bound);
  }
  uint32_t k = number < u->first_waiter.n ? u->first_waiter.at[number] : 0;
  for (; k != 0; k = u->waiter.at[k - 1].next) {
    uint32_t t = u->waiter.at[k - 1].transition;
    if (--u->waits[t] == 0)
      instances_transition(&u->build, &u->colours, t, u->binding);
  }
}

/* ---- before the first colour
 * ---------------------------------------------------------------------------- */

static bool holds_all(const struct unfolding *u, const struct joins_transition *t) {
  for (uint32_t i = 0; i < t->conjunct.n; i++)
    if (!holds(t->conjunct.at[i], u->binding))
      return false;
  return true;
}

static void wait_for(struct unfolding *u, uint32_t t, const struct joins_atom *atom) {
  uint32_t cell[SYMMETRIC_CELLS], n = u->net->place[atom->place].sort->n_cells;
  for (uint32_t i = 0; i < n; i++)
    cell[i] = atom->cell[i].value;
  uint32_t number = colours_number(&u->colours, atom->place, cell);
  while (u->first_waiter.n <= number)
    *ARENA_PUSH(u->net->arena, &u->first_waiter) = 0;
  *ARENA_PUSH(u->net->arena, &u->waiter) = (struct waiter){t, u->first_waiter.at[number]};
  u->first_waiter.at[number] = u->waiter.n;
  u->waits[t]++;
}

static void prepare(struct unfolding *u, uint32_t t) {
  struct joins_transition *transition = &u->transition[t];
  struct arena *arena = u->net->arena;
  joins_open(transition, arena, &u->net->transition[t]);
  if (u->net->transition[t].n_cells == 0) {
    if (holds_all(u, transition))
      for (uint32_t i = 0; i < transition->atom.n; i++)
        wait_for(u, t, &transition->atom.at[i]);
    return;
  }
  for (uint32_t i = 0; i < transition->atom.n; i++) {
    struct joins *plan = ARENA_NEW(arena, struct joins);
    struct watcher *watcher = ARENA_NEW(arena, struct watcher);
    joins_make(plan, transition, &u->colours, i);
    uint32_t place = transition->atom.at[i].place;
    *watcher = (struct watcher){t, plan, u->watcher[place]};
    u->watcher[place] = watcher;
  }
}

/* Transitions that wait for no colour. */
static void run_free(struct unfolding *u, uint32_t t) {
  const struct joins_transition *transition = &u->transition[t];
  if (transition->atom.n > 0)
    return;
  if (u->net->transition[t].n_cells == 0) {
    if (holds_all(u, transition))
      instances_transition(&u->build, &u->colours, t, u->binding);
    return;
  }
  struct joins plan;
  joins_make(&plan, transition, &u->colours, JOINS_NO_ATOM);
  run(u, t, &plan, 0, 0);
}

struct net *unfold(const struct symmetric_net *net, struct diag *diag) {
  struct arena *arena = net->arena;
  struct unfolding *u = ARENA_NEW(arena, struct unfolding);
  u->net = net;
  u->current = COLOURS_NONE;
  instances_open(&u->build, net, diag);
  colours_open(&u->colours, net);
  u->transition = ARENA_ARRAY(arena, net->n_transitions, struct joins_transition);
  u->watcher = ARENA_ARRAY(arena, net->n_places, struct watcher *);
  u->waits = ARENA_ARRAY(arena, net->n_transitions, uint32_t);
  for (uint32_t t = 0; t < net->n_transitions; t++)
    prepare(u, t);
  instances_initial(&u->build, &u->colours);
  for (uint32_t t = 0; t < net->n_transitions; t++)
    run_free(u, t);
  for (uint32_t i = 0; i < u->colours.queue.n && !u->build.failed; i++)
    activate(u, u->colours.queue.at[i]);
  return instances_net(&u->build, &u->colours);
}
