/* rules_traits.h - what methods can do, as the rules and their sentences see it. */
#ifndef CAIRN_SEARCH_RULES_TRAITS_H
#define CAIRN_SEARCH_RULES_TRAITS_H

#include "search/forget/forget.h"
#include "search/frontier/frontier.h"
#include "search/reduce/reduce.h"

static inline bool rules_can_forget(const struct store_kind *store) {
  return (store->has & STORE_EXACT) && (store->has & STORE_REMOVES) &&
         (store->has & STORE_GETS);
}

static inline bool rules_by_progress(const struct forget_kind *forget) {
  return (forget->traits & FORGET_CLASSES) != 0;
}

/* States that may be reached again go when room is needed, from the beginning. */
static inline bool rules_drops(const struct forget_kind *forget) {
  return (forget->traits & FORGET_DROPS) != 0 && (forget->traits & FORGET_ONCE) == 0;
}

static inline bool rules_goes_backward(const struct forget_kind *forget) {
  return (forget->traits & FORGET_BACKWARD) != 0;
}

static inline bool rules_can_move(const struct frontier_kind *order) {
  return (order->traits & FRONTIER_MOVES) != 0;
}

static inline bool rules_needs_parents(const struct frontier_kind *order) {
  return (order->traits & (FRONTIER_PATH | FRONTIER_TREE)) == 0;
}

static inline bool rules_has_stack(const struct frontier_kind *order) {
  return (order->traits & FRONTIER_STACK) != 0;
}

static inline bool rules_by_path(const struct reduction_kind *reduction) {
  return (reduction->traits & REDUCTION_PATH) != 0;
}

static inline bool rules_chooses(const struct reduction_kind *reduction) {
  return (reduction->traits & REDUCTION_CHOOSES) != 0;
}

/* The reduction that goes by how states were discovered, or NULL. */
static inline const struct reduction_kind *rules_leaning(
    const struct search_reduce_options *reduce) {
  return reduce->beside != NULL || reduce->kind == NULL || rules_chooses(reduce->kind)
             ? reduce->beside
             : reduce->kind;
}

/* The one that number and force belong to, or NULL. */
static inline const struct reduction_kind *rules_numbered(
    const struct search_reduce_options *reduce) {
  return reduce->beside != NULL ? reduce->beside : reduce->kind;
}

static inline bool rules_is_path(const struct frontier_kind *order) {
  return (order->traits & FRONTIER_PATH) != 0 && (order->traits & FRONTIER_STACK) != 0;
}

static inline bool rules_gives_back(const struct store_kind *store) {
  return (store->has & STORE_KEEPS_BITS) != 0 && (store->has & STORE_GETS) != 0;
}

static inline bool rules_numbers(const struct store_kind *store) {
  return (store->has & STORE_IDS) != 0 && (store->has & STORE_GETS) != 0;
}

static inline bool rules_is_numbered(const struct frontier_kind *order) {
  return (order->traits & FRONTIER_NUMBERED) != 0;
}

static inline bool rules_keeps_bits(const struct store_kind *store) {
  return (store->has & STORE_KEEPS_BITS) != 0;
}

#endif
