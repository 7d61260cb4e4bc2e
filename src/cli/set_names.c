/* set_names.c - the names in a read or write set, for people. */
#include "cli/set_names.h"

#include <stdio.h>

void set_names_of_row(struct set_names *n, const struct ts_shape *shape,
                      const struct ts_rows *rows, uint32_t row) {
  *n = (struct set_names){.shape = shape,
                          .item = rows->item + rows->start[row],
                          .end = rows->item + rows->start[row + 1]};
}

void set_names_of_group(struct set_names *n, const struct ts_shape *shape, uint32_t group) {
  *n = (struct set_names){.shape = shape,
                          .range = shape->group + shape->group_start[group],
                          .range_end = shape->group + shape->group_start[group + 1]};
}

static const struct ts_variable *variable_at(const struct ts_shape *shape, uint32_t slot) {
  return &shape->variable[shape->slot[slot].variable];
}

bool set_names_group_is_apart(const struct ts_shape *shape, uint32_t group) {
  const struct ts_range *r = &shape->group[shape->group_start[group]];
  return shape->group_start[group] + 1 != shape->group_start[group + 1] ||
         variable_at(shape, r->first) != variable_at(shape, r->first + r->n - 1);
}

/* The first name of the range, which is taken out of it. */
static void name_of_rest(struct set_names *n, char *name, size_t size) {
  const struct ts_variable *v = variable_at(n->shape, n->rest.first);
  uint32_t taken = 1;
  if (v->is_array && n->rest.first == v->first_slot && n->rest.n >= v->n_slots) {
    taken = v->n_slots;
    snprintf(name, size, "%s[]", v->name);
  } else {
    ts_slot_name(n->shape, n->rest.first, name, size);
  }
  n->rest = (struct ts_range){n->rest.first + taken, n->rest.n - taken};
}

bool set_names_next(struct set_names *n, char *name, size_t size) {
  if (n->rest.n == 0 && n->range == n->range_end) {
    if (n->item == n->end)
      return false;
    uint32_t item = *n->item++, group = item - n->shape->n_slots;
    if (item >= n->shape->n_slots && set_names_group_is_apart(n->shape, group)) {
      snprintf(name, size, "@%u", group);
      return true;
    }
    n->rest = item < n->shape->n_slots ? (struct ts_range){item, 1}
                                       : n->shape->group[n->shape->group_start[group]];
  } else if (n->rest.n == 0) {
    n->rest = *n->range++;
  }
  name_of_rest(n, name, size);
  return true;
}
