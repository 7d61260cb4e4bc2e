/* set_names.h - the names in a read or write set, for people. */
#ifndef CAIRN_CLI_SET_NAMES_H
#define CAIRN_CLI_SET_NAMES_H

#include "ts/ts.h"

/* Goes through names: of slots, of whole arrays ("a[]"), and of groups that span
 * more than one variable ("@3"), which are listed once, apart. */
struct set_names {
  const struct ts_shape *shape;
  const uint32_t *item, *end;
  const struct ts_range *range, *range_end;
  struct ts_range rest; /* of the range that is gone through */
};

void set_names_of_row(struct set_names *, const struct ts_shape *, const struct ts_rows *,
                      uint32_t row);
void set_names_of_group(struct set_names *, const struct ts_shape *, uint32_t group);
bool set_names_next(struct set_names *, char *name, size_t size);

/* Whether the group is named "@…" in sets. */
bool set_names_group_is_apart(const struct ts_shape *, uint32_t group);

#endif
