/* instances.c - the same.
 *
 * Inscriptions are evaluated here: rows under a binding become colours with numbers of
 * tokens, rows of one colour are added up, and what is less than one token falls away.
 */
#include "lang/pnml/instances.h"

#include "lang/pnml/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The most places, and the most transitions. */
#define INSTANCES_MOST (1u << 26)

void instances_open(struct instances *b, const struct symmetric_net *net, struct diag *diag) {
  *b = (struct instances){.net = net, .diag = diag};
}

uint32_t instances_value(const struct symmetric_cell *cell, const uint32_t *binding) {
  uint32_t value = cell->value;
  if (cell->kind == SYMMETRIC_VARIABLE)
    value = (binding[cell->value] + cell->shift) % cell->sort->n_values;
  return cell->part != NULL ? cell->part->part[value] : value;
}

/* ---- sums under a binding ------------------------------------------------------------------
 */

static void add_arc(struct instances *b, struct colours *c, uint32_t place,
                    const uint32_t *cell, int64_t weight) {
  *ARENA_PUSH(b->net->arena, &b->arc) =
      (struct instances_arc){colours_number(c, place, cell), weight};
}

/* One row: cells that are `all` take every value, as the wheels of a counter. */
static void add_row(struct instances *b, struct colours *c, uint32_t place,
                    const struct symmetric_row *row, const uint32_t *binding) {
  uint32_t n = b->net->place[place].sort->n_cells, cell[SYMMETRIC_CELLS];
  for (uint32_t i = 0; i < n; i++)
    cell[i] = row->cell[i].kind == SYMMETRIC_ALL ? 0 : instances_value(&row->cell[i], binding);
  for (bool more = true; more && !b->failed;) {
    add_arc(b, c, place, cell, row->count);
    more = false;
    for (uint32_t i = n; i > 0 && !more; i--) {
      if (row->cell[i - 1].kind != SYMMETRIC_ALL)
        continue;
      more = ++cell[i - 1] < row->cell[i - 1].sort->n_values;
      if (!more)
        cell[i - 1] = 0;
    }
    b->failed = c->all.n > INSTANCES_MOST;
  }
}

static int by_colour(const void *left, const void *right) {
  const struct instances_arc *a = left, *b = right;
  return a->colour < b->colour ? -1 : a->colour > b->colour;
}

/* Adds up arcs of one colour from `from` on; none stays that is not above 0. */
static void merge(struct instances *b, uint32_t from) {
  struct instances_arc *arc = b->arc.at;
  if (b->arc.n > from + 1)
    qsort(arc + from, b->arc.n - from, sizeof *arc, by_colour);
  uint32_t n = from;
  for (uint32_t i = from; i < b->arc.n;) {
    struct instances_arc sum = arc[i];
    for (i++; i < b->arc.n && arc[i].colour == sum.colour; i++)
      sum.weight += arc[i].weight;
    if (sum.weight > 0)
      arc[n++] = sum;
  }
  b->arc.n = n;
}

/* The arcs of one side under a binding, in the arena. */
static const struct instances_arc *evaluate(struct instances *b, struct colours *c,
                                            const struct symmetric_arcs *arcs,
                                            const uint32_t *binding, uint32_t *n) {
  b->arc.n = 0;
  for (uint32_t i = 0; i < arcs->n; i++) {
    uint32_t from = b->arc.n;
    for (uint32_t k = 0; k < arcs->at[i].sum.n; k++)
      add_row(b, c, arcs->at[i].place, &arcs->at[i].sum.at[k], binding);
    merge(b, from);
  }
  merge(b, 0);
  *n = b->arc.n;
  struct instances_arc *copy = ARENA_ARRAY(b->net->arena, b->arc.n, struct instances_arc);
  if (b->arc.n > 0)
    memcpy(copy, b->arc.at, b->arc.n * sizeof *copy);
  return copy;
}

void instances_initial(struct instances *b, struct colours *c) {
  for (uint32_t i = 0; i < b->net->n_places; i++) {
    const struct symmetric_place *place = &b->net->place[i];
    b->arc.n = 0;
    for (uint32_t k = 0; k < place->initial.n; k++)
      add_row(b, c, i, &place->initial.at[k], NULL);
    merge(b, 0);
    for (uint32_t k = 0; k < b->arc.n; k++) {
      c->all.at[b->arc.at[k].colour].initial = b->arc.at[k].weight;
      colours_mark(c, b->arc.at[k].colour);
    }
  }
}

void instances_transition(struct instances *b, struct colours *c, uint32_t transition,
                          const uint32_t *binding) {
  const struct symmetric_transition *t = &b->net->transition[transition];
  struct instances_instance instance = {.transition = transition};
  if (b->failed || b->instance.n == INSTANCES_MOST) {
    b->failed = true;
    return;
  }
  if (t->n_cells > 0) {
    uint32_t *copy = ARENA_ARRAY(b->net->arena, t->n_cells, uint32_t);
    memcpy(copy, binding, t->n_cells * sizeof *copy);
    instance.binding = copy;
  }
  instance.in = evaluate(b, c, &t->in, binding, &instance.n_in);
  instance.out = evaluate(b, c, &t->out, binding, &instance.n_out);
  for (uint32_t i = 0; i < instance.n_out; i++)
    colours_mark(c, instance.out[i].colour);
  *ARENA_PUSH(b->net->arena, &b->instance) = instance;
}

/* ---- names
 * ------------------------------------------------------------------------------------- */

/* Appends a value; cut where there is no more room. */
static void name_value(char *text, size_t size, const struct symmetric_sort *sort,
                       uint32_t value) {
  size_t used = strlen(text);
  if (sort->value != NULL)
    snprintf(text + used, size - used, "%s", sort->value[value]);
  else
    snprintf(text + used, size - used, "%" PRId64, sort->first + value);
}

static void name_text(char *text, size_t size, const char *more) {
  size_t used = strlen(text);
  snprintf(text + used, size - used, "%s", more);
}

/* "eat<3>", "at<2,left>" */
static const char *place_name(const struct instances *b, const char *name,
                              const struct symmetric_sort *sort, const uint32_t *cell) {
  char text[1000];
  if (sort->n_cells == 0)
    return name;
  snprintf(text, sizeof text, "%s", name);
  for (uint32_t i = 0; i < sort->n_cells; i++) {
    name_text(text, sizeof text, i == 0 ? "<" : ",");
    name_value(text, sizeof text, sort->cell[i], cell[i]);
  }
  name_text(text, sizeof text, ">");
  return arena_text(b->net->arena, text, strlen(text));
}

/* "take<x=3,y=left>" */
static const char *transition_name(const struct instances *b, const char *name,
                                   const struct instances_instance *instance) {
  const struct symmetric_transition *t = &b->net->transition[instance->transition];
  char text[1000];
  if (t->use.n == 0)
    return name;
  snprintf(text, sizeof text, "%s", name);
  for (uint32_t i = 0; i < t->use.n; i++) {
    const struct symmetric_use *use = &t->use.at[i];
    uint32_t n = use->variable->sort->n_cells;
    name_text(text, sizeof text, i == 0 ? "<" : ",");
    name_text(text, sizeof text, use->variable->name);
    for (uint32_t k = 0; k < n; k++) {
      name_text(text, sizeof text, k > 0 ? "," : n > 1 ? "=<" : "=");
      name_value(text, sizeof text, use->variable->sort->cell[k],
                 instance->binding[use->first + k]);
    }
    name_text(text, sizeof text, n > 1 ? ">" : "");
  }
  name_text(text, sizeof text, ">");
  return arena_text(b->net->arena, text, strlen(text));
}

/* Names where they differ, else ids. */
static bool place_names_differ(const struct symmetric_net *net) {
  struct names seen = {.arena = net->arena};
  for (uint32_t i = 0; i < net->n_places; i++)
    if (!names_add(&seen, net->place[i].name, i))
      return false;
  return true;
}

static bool transition_names_differ(const struct symmetric_net *net) {
  struct names seen = {.arena = net->arena};
  for (uint32_t i = 0; i < net->n_transitions; i++)
    if (!names_add(&seen, net->transition[i].name, i))
      return false;
  return true;
}

/* ---- order
 * --------------------------------------------------------------------------------------- */

static int compare_rows(const uint32_t *a, const uint32_t *b, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

static int by_place(const void *left, const void *right, void *context) {
  const struct colours *c = context;
  const struct colour *a = &c->all.at[*(const uint32_t *)left];
  const struct colour *b = &c->all.at[*(const uint32_t *)right];
  if (a->place != b->place)
    return a->place < b->place ? -1 : 1;
  return compare_rows(a->cell, b->cell, c->net->place[a->place].sort->n_cells);
}

static int by_transition(const void *left, const void *right, void *context) {
  const struct instances *build = context;
  const struct instances_instance *a = left, *b = right;
  if (a->transition != b->transition)
    return a->transition < b->transition ? -1 : 1;
  return compare_rows(a->binding, b->binding, build->net->transition[a->transition].n_cells);
}

/* ---- the net
 * --------------------------------------------------------------------------------------- */

static bool too_large(struct instances *b, struct span span, const char *what,
                      const char *name) {
  diag_error(b->diag, span, "%s '%s': there are more than %d tokens", what, name, INT32_MAX);
  return false;
}

/* Places in order; number[colour] is where each went. */
static bool make_places(struct instances *b, struct colours *c, struct net *net,
                        uint32_t *number) {
  struct arena *arena = b->net->arena;
  bool by_name = place_names_differ(b->net), fine = true;
  uint32_t *order = ARENA_ARRAY(arena, c->all.n, uint32_t);
  for (uint32_t i = 0; i < c->all.n; i++)
    order[i] = i;
  if (c->all.n > 1)
    qsort_r(order, c->all.n, sizeof *order, by_place, c);
  net->n_places = c->all.n;
  net->place = ARENA_ARRAY(arena, c->all.n, struct net_place);
  for (uint32_t i = 0; i < c->all.n; i++) {
    const struct colour *colour = &c->all.at[order[i]];
    const struct symmetric_place *place = &b->net->place[colour->place];
    number[order[i]] = i;
    if (colour->initial > INT32_MAX)
      fine = too_large(b, place->span, "place", place->name);
    net->place[i] = (struct net_place){
        .name = place_name(b, by_name ? place->name : place->id, place->sort, colour->cell),
        .group = colour->place,
        .initial = (uint32_t)colour->initial};
  }
  return fine;
}

static int by_number(const void *left, const void *right) {
  const struct net_arc *a = left, *b = right;
  return a->place < b->place ? -1 : a->place > b->place;
}

static bool make_arcs(struct instances *b, struct net *net, bool out, const uint32_t *number) {
  struct net_arcs *arcs = out ? &net->out : &net->in;
  bool fine = true;
  uint64_t total = 0;
  for (uint32_t i = 0; i < b->instance.n; i++)
    total += out ? b->instance.at[i].n_out : b->instance.at[i].n_in;
  if (total > UINT32_MAX)
    arena_spent(b->net->arena);
  arcs->start = ARENA_ARRAY(b->net->arena, (size_t)b->instance.n + 1, uint32_t);
  arcs->at = ARENA_ARRAY(b->net->arena, total, struct net_arc);
  uint32_t n = 0;
  for (uint32_t i = 0; i < b->instance.n; i++) {
    const struct instances_instance *instance = &b->instance.at[i];
    const struct symmetric_transition *t = &b->net->transition[instance->transition];
    uint32_t degree = out ? instance->n_out : instance->n_in;
    const struct instances_arc *arc = out ? instance->out : instance->in;
    for (uint32_t k = 0; k < degree; k++) {
      if (arc[k].weight > INT32_MAX)
        fine = too_large(b, t->span, "an arc of transition", t->name);
      arcs->at[n + k] = (struct net_arc){number[arc[k].colour], (uint32_t)arc[k].weight};
    }
    if (degree > 1)
      qsort(arcs->at + n, degree, sizeof *arcs->at, by_number);
    n += degree;
    arcs->start[i + 1] = n;
  }
  return fine;
}

static void make_transitions(struct instances *b, struct net *net) {
  bool by_name = transition_names_differ(b->net);
  net->n_transitions = b->instance.n;
  net->transition = ARENA_ARRAY(b->net->arena, b->instance.n, struct net_transition);
  for (uint32_t i = 0; i < b->instance.n; i++) {
    const struct instances_instance *instance = &b->instance.at[i];
    const struct symmetric_transition *t = &b->net->transition[instance->transition];
    net->transition[i] =
        (struct net_transition){.name = transition_name(b, by_name ? t->name : t->id, instance),
                                .group = instance->transition};
  }
}

static struct ts_place place_of(struct span span) {
  return (struct ts_place){.file = span.source->name,
                           .line = source_line(span.source, span.begin),
                           .column = source_column(span.source, span.begin)};
}

static void make_groups(struct instances *b, struct net *net) {
  struct arena *arena = b->net->arena;
  net->n_place_groups = b->net->n_places;
  net->n_transition_groups = b->net->n_transitions;
  net->place_group = ARENA_ARRAY(arena, net->n_place_groups, struct net_group);
  net->transition_group = ARENA_ARRAY(arena, net->n_transition_groups, struct net_group);
  for (uint32_t i = 0; i < net->n_place_groups; i++) {
    const struct symmetric_place *place = &b->net->place[i];
    net->place_group[i] = (struct net_group){
        .id = place->id, .name = place->name, .where = place_of(place->span)};
  }
  for (uint32_t i = 0; i < net->n_transition_groups; i++) {
    const struct symmetric_transition *t = &b->net->transition[i];
    net->transition_group[i] =
        (struct net_group){.id = t->id, .name = t->name, .where = place_of(t->span)};
  }
}

struct net *instances_net(struct instances *b, struct colours *c) {
  struct arena *arena = b->net->arena;
  if (b->failed) {
    diag_error(b->diag, (struct span){b->net->source, 0, 0},
               "the net is too large: unfolded, it has more than %u places or transitions",
               INSTANCES_MOST);
    return NULL;
  }
  struct net *net = ARENA_NEW(arena, struct net);
  net->arena = arena;
  net->name = b->net->name;
  uint32_t *number = ARENA_ARRAY(arena, c->all.n, uint32_t);
  bool fine = make_places(b, c, net, number);
  if (b->instance.n > 1)
    qsort_r(b->instance.at, b->instance.n, sizeof *b->instance.at, by_transition, b);
  make_transitions(b, net);
  fine = make_arcs(b, net, false, number) && fine;
  fine = make_arcs(b, net, true, number) && fine;
  make_groups(b, net);
  return fine ? net : NULL;
}
