/* priority.h - open states by a key: what best, counted and random share. See priority.c. */
#ifndef CAIRN_SEARCH_FRONTIER_PRIORITY_H
#define CAIRN_SEARCH_FRONTIER_PRIORITY_H

#include "search/frontier/frontier.h"

/* Where the key of a state comes from: what the measure says, a random number, or how many
 * events are still to come to it. */
enum priority_key { PRIORITY_MEASURED, PRIORITY_DRAWN, PRIORITY_COUNTED };

/* As in struct frontier_kind. */
struct frontier *priority_open(const struct frontier_config *, enum priority_key);
void priority_close(struct frontier *);
bool priority_ready(struct frontier *, bool flush, struct open_range *);
bool priority_settled(struct frontier *, const struct open_range *);
bool priority_next(struct frontier *, struct open *);
bool priority_push(struct frontier *, const struct open *, uint32_t from, bool done);
bool priority_add(struct frontier *, uint32_t node);
void priority_counted(struct frontier *, uint32_t node, uint32_t left);
bool priority_rests(const struct frontier *);
bool priority_pass(struct frontier *, struct sink *);
void priority_report(const struct frontier *, struct search_figures *);

/* All functions of a kind but open, and counted of those that have it. */
#define PRIORITY_FUNCTIONS                                                                     \
  .close = priority_close, .ready = priority_ready, .settled = priority_settled,               \
  .next = priority_next, .push = priority_push, .add = priority_add, .rests = priority_rests,  \
  .pass = priority_pass, .report = priority_report

#endif
