/* guards.h - what is known of the guards of steps. Private to this folder. */
#ifndef CAIRN_IR_GUARDS_H
#define CAIRN_IR_GUARDS_H

#include "ir/plain.h"
#include "ir/touch.h"

struct guards {
  const struct ir_model *model;
  struct marks *marks;
  struct touch *touch; /* of the instance at hand; NULL: of a model without instances */
  struct {
    struct ts_guard *at;
    uint32_t n, capacity;
  } guard;
  struct {
    struct ts_touch *at;
    uint32_t n, capacity;
  } touches;
  struct {
    struct ts_term *at;
    uint32_t n, capacity;
  } terms;
};

/* Appends the guards of an edge that are known, and notes in the marks how many parts of its
 * guard these are. The list of the marks is lost. */
void guards_add(struct guards *, const struct ir_edge *);

/* Whether the guard begins with `timeout`: nothing after it is looked at where that is false.
 */
bool guards_wait(const struct ir_edge *);
/* Whether some of these edges of one location are tried only if others are not executable. */
bool guards_are_tried_last(const struct ir_edge *const *edge, uint32_t n);

#endif
