/* sleep.c - sleep sets, without splitting states.
 *
 * The generic algorithm of Bosnacki, Elkind, Genest, Peled, "On commutativity based edge lean
 * search", section 5. A state's sleep set are actions not fired there. What was in it and what
 * was fired before an action goes on to the state that this action discovers, if it is
 * independent of that action. Two of its remove functions:
 *
 *   sleep:1 removes nothing (Godefroid and Wolper, CAV 1991): as trace normal forms. States may
 * be lost only where an event leads back to the stack. sleep:2 removes what leads to a state on
 * the stack (Godefroid, Holzmann and Pirottin, "State-space caching revisited"): loses no
 * states, but has to look where sleeping events lead, so they are fired and then dropped before
 * they are looked up in the store.
 *
 * For each state of the stack three sets: asleep, passed on, and removed for good.
 */
#include "search/reduce/reduce.h"

#include "base/array.h"
#include "search/reduce/on_stack.h"
#include "store/room/save.h"
#include "ts/independence.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

struct reduction {
  struct independence *independence;
  struct budget *budget;
  uint32_t words;
  bool removes, cycle, spent;
  struct path path;
  uint64_t *set; /* three rows for each state in the path */
  uint64_t room; /* states */
};

enum { ASLEEP, PASSED, REMOVED, SETS };

static uint64_t *set_of(struct reduction *r, uint64_t depth, uint32_t which) {
  return r->set + (depth * SETS + which) * r->words;
}

/* Of one state. */
static uint32_t sets_bytes(const struct reduction *r) {
  return SETS * r->words * (uint32_t)sizeof *r->set;
}

static void sleep_close(struct reduction *r) {
  independence_close(r->independence);
  path_free(&r->path);
  array_free(r->budget, BUDGET_OPEN, r->set, r->room * sets_bytes(r));
  budget_free(r->budget, BUDGET_OTHER, r, sizeof *r);
}

static struct reduction *sleep_open(const struct reduction_config *config) {
  struct reduction *r = budget_alloc(config->budget, BUDGET_OTHER, sizeof *r);
  if (r == NULL)
    return NULL;
  r->budget = r->path.budget = config->budget;
  r->words = BITS_WORDS(config->shape->n_actions);
  if (r->words == 0)
    r->words = 1; /* so that there are sets, be they empty, without any action */
  r->removes = config->parameter != 1;
  r->independence = independence_open(config->shape, config->rank, config->budget);
  if (r->independence != NULL)
    return r;
  sleep_close(r);
  return NULL;
}

/* The sets of the state just pushed, from those of the one below. */
static void inherit(struct reduction *r, uint64_t depth, uint32_t action) {
  uint64_t *asleep = set_of(r, depth, ASLEEP);
  memset(asleep, 0, SETS * r->words * sizeof *asleep);
  if (depth == 0)
    return;
  const uint64_t *of = independence_of(r->independence, action);
  const uint64_t *smaller = independence_before(r->independence, action);
  if (of == NULL)
    return;
  const uint64_t *slept = set_of(r, depth - 1, ASLEEP), *passed = set_of(r, depth - 1, PASSED);
  const uint64_t *removed = set_of(r, depth - 1, REMOVED);
  for (uint32_t w = 0; w < r->words; w++)
    asleep[w] = passed[w] & ~removed[w] & ((slept[w] & of[w]) | smaller[w]);
  if (!r->removes)
    memcpy(set_of(r, depth, PASSED), asleep, r->words * sizeof *asleep);
}

static bool push(struct reduction *r, const struct open *open) {
  if (r->path.n == r->room) {
    uint64_t *set = array_grow(r->budget, BUDGET_OPEN, r->set, &r->room, sets_bytes(r));
    if (set == NULL)
      return false;
    r->set = set;
  }
  if (!path_push(&r->path, open->raw))
    return false;
  inherit(r, r->path.n - 1, open->by.action);
  return true;
}

static const uint64_t *sleep_skip(struct reduction *r, const struct open *open) {
  bool begins = open_begins(open);
  uint64_t keep = open->depth + !begins;
  while (r->path.n > keep)
    path_pop(&r->path);
  if (r->spent)
    return NULL;
  assert(r->path.n == keep && (!begins || open->hashed));
  if (begins && !push(r, open)) {
    r->spent = true;
    return NULL;
  }
  return r->removes ? NULL : set_of(r, open->depth, ASLEEP);
}

/* An action of which events are still to come is not passed on yet. */
static void sleep_fired(struct reduction *r, const struct open *open, uint32_t from,
                        bool done) {
  struct rows *rows = open->into;
  uint32_t kept = from;
  if (r->spent || rows->batch.n == from)
    return;
  uint64_t *asleep = set_of(r, open->depth, ASLEEP), *passed = set_of(r, open->depth, PASSED);
  uint64_t *removed = set_of(r, open->depth, REMOVED);
  for (uint32_t i = from; i < rows->batch.n; i++) {
    uint32_t a = rows->batch.edge[i].event.action;
    bool back = (r->removes || !r->cycle) && path_has(&r->path, rows->raw[i]);
    r->cycle |= back;
    if (back && r->removes)
      bits_set(removed, a);
    if (done || a != open->cursor.action)
      bits_set(passed, a);
    if (!r->removes || !bits_test(asleep, a))
      rows_move(rows, kept++, i);
  }
  rows->batch.n = kept;
}

static bool sleep_pass(struct reduction *r, struct sink *sink) {
  void *set = r->set;
  sink_section(sink, "sleep");
  sink_pass(sink, &r->cycle, sizeof r->cycle);
  if (!path_pass(&r->path, sink))
    return false;
  if (!sink_is_read(sink)) {
    array_save(sink, r->set, r->room, r->path.n, sets_bytes(r));
    return true;
  }
  bool fine =
      array_load(sink, r->budget, BUDGET_OPEN, &set, &r->room, r->path.n, sets_bytes(r));
  r->set = set;
  return fine;
}

static bool sleep_may_lose(const struct reduction *r) {
  return r->cycle && !r->removes;
}

static bool sleep_failed(const struct reduction *r) {
  return r->spent;
}

const struct reduction_kind reduction_sleep = {
    .name = "sleep",
    .summary = "sleep sets: 1 as tnf; 2 exact everywhere, but looks where every event leads",
    .traits = REDUCTION_PATH | REDUCTION_ORDERED | REDUCTION_HEARS | REDUCTION_LOSES |
              REDUCTION_FAILS | REDUCTION_BESIDE,
    .least = 1,
    .most = 2,
    .exact_from = 2,
    .open = sleep_open,
    .close = sleep_close,
    .skip = sleep_skip,
    .pass = sleep_pass,
    .fired = sleep_fired,
    .may_lose = sleep_may_lose,
    .failed = sleep_failed,
};
