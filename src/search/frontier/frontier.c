/* frontier.c - the list of orders, and what each must have. */
#include "search/frontier/frontier.h"

#include "base/seam.h"

#define ORDER(kind) extern const struct frontier_kind frontier_##kind;
#include "search/frontier/kinds.def"
#undef ORDER

const struct frontier_kind *const frontier_kinds[] = {
#define ORDER(kind) &frontier_##kind,
#include "search/frontier/kinds.def"
#undef ORDER
    NULL};

static const struct seam_function functions[] = {
    SEAM(frontier_kind, open, 0),
    SEAM(frontier_kind, close, 0),
    SEAM(frontier_kind, ready, 0),
    SEAM(frontier_kind, settled, 0),
    SEAM(frontier_kind, next, 0),
    SEAM(frontier_kind, push, 0),
    SEAM(frontier_kind, add, 0),
    SEAM(frontier_kind, rests, 0),
    SEAM(frontier_kind, pass, 0),
    SEAM(frontier_kind, report, 0),
    SEAM(frontier_kind, likely, FRONTIER_AHEAD),
    SEAM(frontier_kind, soon, FRONTIER_AHEAD),
    SEAM(frontier_kind, idle, FRONTIER_NUMBERED),
    SEAM(frontier_kind, first_open, FRONTIER_NUMBERED),
    SEAM(frontier_kind, path, FRONTIER_PATH),
    SEAM(frontier_kind, counted, FRONTIER_COUNTED),
    SEAM(frontier_kind, move_needs, FRONTIER_MOVES),
    SEAM(frontier_kind, move, FRONTIER_MOVES),
    SEAM(frontier_kind, moved, FRONTIER_MOVES),
    SEAM(frontier_kind, use, FRONTIER_MOVES),
    SEAM(frontier_kind, widths, FRONTIER_LEVELS),
};

const char *frontier_broken(const struct frontier_kind *kind) {
  return seam_broken(kind, kind->traits, functions, sizeof functions / sizeof *functions);
}

const struct frontier_kind *frontier_by_name(const char *name) {
  for (uint32_t i = 0; frontier_kinds[i] != NULL; i++)
    if (strcmp(frontier_kinds[i]->name, name) == 0)
      return frontier_kinds[i];
  for (uint32_t i = 0; frontier_kinds[i] != NULL; i++)
    if (seam_is_called(frontier_kinds[i]->name, name, ":"))
      return frontier_kinds[i];
  return NULL;
}
