/* related.c - which steps are related to which. See related.h.
 *
 * Steps that wait for all others are left out: they are no part of what may happen as long as
 * an enabled step of a set is not fired (docs/por.md).
 */
#include "search/reduce/related.h"

#include "base/bits.h"

enum { STEPS_MOST = 4096 }; /* of a model, for the rows take room for the square of it */

/* ---- memory ---------------------------------------------------------------------------- */

bool related_open_rows(struct related *r, struct related_rows *rows, uint32_t n) {
  rows->n = n + 1;
  rows->at =
      budget_alloc(r->budget, BUDGET_OTHER, (size_t)rows->n * r->words * sizeof *rows->at);
  return rows->at != NULL;
}

static void close_rows(struct related *r, struct related_rows *rows) {
  if (rows->at == NULL)
    return;
  budget_free(r->budget, BUDGET_OTHER, rows->at, (size_t)rows->n * r->words * sizeof *rows->at);
}

static uint64_t *row_of(const struct related *r, const struct related_rows *rows, uint32_t i) {
  return rows->at + (size_t)i * r->words;
}

static uint32_t n_actions(const struct ts_shape *shape) {
  return shape->control->of.start[shape->n_actions];
}

static size_t first_bytes(const struct related *r) {
  return (r->control->n_steps + (size_t)2) * sizeof *r->first_action;
}

static size_t channel_bytes(const struct related *r) {
  return (r->control->n_steps + (size_t)1) * sizeof *r->channel;
}

static size_t action_bytes(const struct related *r) {
  return (n_actions(r->shape) + (size_t)1) * sizeof *r->action;
}

static size_t keys_bytes(uint32_t n) {
  return (n + (size_t)1) * sizeof(struct related_keys);
}

void related_close(struct related *r) {
  if (r == NULL)
    return;
  struct related_rows *rows[] = {&r->meets, &r->waits, &r->filled,
                                 &r->guard, &r->into,  &r->ahead};
  for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
    close_rows(r, rows[i]);
  budget_free(r->budget, BUDGET_OTHER, r->first_action, first_bytes(r));
  budget_free(r->budget, BUDGET_OTHER, r->action, action_bytes(r));
  budget_free(r->budget, BUDGET_OTHER, r->channel, channel_bytes(r));
  budget_free(r->budget, BUDGET_OTHER, r->step_keys, keys_bytes(r->control->n_steps));
  budget_free(r->budget, BUDGET_OTHER, r->guard_keys, keys_bytes(related_guards(r->control)));
  budget_free(r->budget, BUDGET_OTHER, r, sizeof *r);
}

static bool open_all(struct related *r) {
  const struct ts_control *c = r->control;
  r->first_action = budget_alloc(r->budget, BUDGET_OTHER, first_bytes(r));
  r->action = budget_alloc(r->budget, BUDGET_OTHER, action_bytes(r));
  r->channel = budget_alloc(r->budget, BUDGET_OTHER, channel_bytes(r));
  r->step_keys = budget_alloc(r->budget, BUDGET_OTHER, keys_bytes(c->n_steps));
  r->guard_keys = budget_alloc(r->budget, BUDGET_OTHER, keys_bytes(related_guards(c)));
  if (r->first_action == NULL || r->action == NULL || r->channel == NULL ||
      r->step_keys == NULL || r->guard_keys == NULL)
    return false;
  r->n_meets = c->n_steps;
  r->n_guards = related_guards(c);
  return related_open_rows(r, &r->waits, c->n_steps) &&
         related_open_rows(r, &r->filled, c->n_steps) &&
         related_open_rows(r, &r->into, c->n_locations) &&
         related_open_rows(r, &r->ahead, c->n_locations);
}

/* ---- tables ------------------------------------------------------------------------------ */

static bool waits(const struct ts_control *c, uint32_t step) {
  return c->step[step].flags & TS_STEP_WAITS;
}

/* What a step leads to: its place, and where processes begin that it starts. */
static void add_into(struct related *r, uint32_t step) {
  const struct ts_control *c = r->control;
  bits_set(row_of(r, &r->into, c->step[step].to), step);
  for (uint32_t i = c->starts.start[step]; i < c->starts.start[step + 1]; i++)
    bits_set(row_of(r, &r->into, c->process[c->starts.item[i]].initial), step);
}

static bool contains(const struct related *r, const uint64_t *all, const uint64_t *some) {
  for (uint32_t w = 0; w < r->words; w++)
    if (some[w] & ~all[w])
      return false;
  return true;
}

/* From each location its steps, and what can be reached from where they lead: until nothing
 * is added any more. */
static void make_ahead(struct related *r) {
  const struct ts_control *c = r->control;
  bool again = true;
  while (again) {
    again = false;
    for (uint32_t l = c->n_locations; l-- > 0;) {
      uint64_t *row = row_of(r, &r->ahead, l);
      for (uint32_t i = c->first_step[l]; i < c->first_step[l + 1]; i++) {
        if (waits(c, i))
          continue;
        uint32_t n = c->starts.start[i + 1] - c->starts.start[i];
        again |= !bits_test(row, i);
        bits_set(row, i);
        for (uint32_t k = 0; k <= n; k++) {
          uint32_t to = k == n ? c->step[i].to
                               : c->process[c->starts.item[c->starts.start[i] + k]].initial;
          if (contains(r, row, row_of(r, &r->ahead, to)))
            continue;
          bits_unite(r->words, row, row_of(r, &r->ahead, to));
          again = true;
        }
      }
    }
  }
}

/* The actions of each step, from the steps of each action. first_action[i + 1] is where those
 * of step i begin, and comes to where they end. */
static void make_actions(struct related *r) {
  const struct ts_rows *of = &r->control->of;
  for (uint32_t a = 0; a < r->shape->n_actions; a++)
    for (uint32_t i = of->start[a]; i < of->start[a + 1]; i++)
      r->first_action[of->item[i] + 2]++;
  for (uint32_t i = 1; i <= r->control->n_steps; i++)
    r->first_action[i + 1] += r->first_action[i];
  for (uint32_t a = 0; a < r->shape->n_actions; a++)
    for (uint32_t i = of->start[a]; i < of->start[a + 1]; i++)
      r->action[r->first_action[of->item[i] + 1]++] = a;
}

/* Where each step waits for a message. */
static void find_channels(struct related *r) {
  const struct ts_control *c = r->control;
  for (uint32_t k = 0; k < c->n_steps; k++) {
    r->channel[k] = TS_NONE;
    for (uint32_t i = c->first_touch[k]; i < c->first_touch[k + 1] && c->filled != NULL; i++)
      if (c->touch[i].guard == TS_RECEIVE && c->filled[c->touch[i].item] != TS_NONE)
        r->channel[k] = c->filled[c->touch[i].item];
  }
}

static void make_tables(struct related *r) {
  for (uint32_t i = 0; i < r->control->n_steps; i++)
    if (!waits(r->control, i))
      add_into(r, i);
  make_ahead(r);
  make_actions(r);
}

struct related *related_open(const struct ts_shape *shape, struct budget *budget) {
  struct related *r = budget_alloc(budget, BUDGET_OTHER, sizeof *r);
  if (r == NULL)
    return NULL;
  r->shape = shape;
  r->control = shape->control;
  r->budget = budget;
  r->words = r->control->n_steps > STEPS_MOST ? 0 : BITS_WORDS(r->control->n_steps + 1);
  if (open_all(r)) {
    find_channels(r);
    if (r->words > 0)
      make_tables(r);
    return r;
  }
  related_close(r);
  return NULL;
}
