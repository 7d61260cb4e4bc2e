/* levels.h - a stack of levels of open states: what bbfs and alt share. See levels.c. */
#ifndef CAIRN_SEARCH_FRONTIER_LEVELS_H
#define CAIRN_SEARCH_FRONTIER_LEVELS_H

#include "search/frontier/frontier.h"

/* How many states the level above one of this depth takes, from the order's parameters. */
typedef uint64_t levels_width(const uint64_t *parameter, uint64_t depth);

/* As in struct frontier_kind. */
struct frontier *levels_open(const struct frontier_config *, levels_width *);
void levels_close(struct frontier *);
bool levels_ready(struct frontier *, bool flush, struct open_range *);
bool levels_settled(struct frontier *, const struct open_range *);
bool levels_next(struct frontier *, struct open *);
bool levels_push(struct frontier *, const struct open *, uint32_t from, bool done);
bool levels_add(struct frontier *, uint32_t node);
bool levels_rests(const struct frontier *);
bool levels_pass(struct frontier *, struct sink *);
void levels_report(const struct frontier *, struct search_figures *);

/* All functions of a kind but open. */
#define LEVELS_FUNCTIONS                                                                       \
  .close = levels_close, .ready = levels_ready, .settled = levels_settled,                     \
  .next = levels_next, .push = levels_push, .add = levels_add, .rests = levels_rests,          \
  .pass = levels_pass, .report = levels_report

#endif
