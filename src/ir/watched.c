/* watched.c - what conditions of states look at: the properties, and the atoms of claims.
 *
 * A step that conflicts with none of that changes none of their values (docs/por.md).
 */
#include "ir/watched.h"

#include "ir/plain.h"

struct touches {
  struct ts_touch *at;
  uint32_t n, capacity;
};

/* Appends what one condition looks at. */
static void look(struct touch *touch, struct marks *marks, const struct ir_expr *condition,
                 struct touches *list) {
  const struct ir_model *m = marks->model;
  struct plain plain = {m, &marks->reads, &marks->writes, marks};
  marks_begin(marks);
  if (m->has_instances)
    touch_expr(touch, condition);
  else
    plain_expr(&plain, condition);
  marks_take(marks);
  for (uint32_t i = 0; i < marks->list.n; i++)
    *ARENA_PUSH(m->arena, list) = marks->list.at[i];
}

void watched_find(struct touch *touch, struct marks *marks, struct ts_control *control) {
  const struct ir_model *m = marks->model;
  struct touches properties = {NULL, 0, 0}, atoms = {NULL, 0, 0};
  uint32_t *first = ARENA_ARRAY(m->arena, m->atoms.n + (size_t)1, uint32_t);
  for (uint32_t i = 0; i < m->n_properties; i++)
    look(touch, marks, m->property[i].condition, &properties);
  for (uint32_t i = 0; i < m->atoms.n; i++) {
    look(touch, marks, m->atoms.at[i].condition, &atoms);
    first[i + 1] = atoms.n;
  }
  control->watched = properties.at;
  control->n_watched = properties.n;
  control->first_asked = first;
  control->asked = atoms.at;
}
