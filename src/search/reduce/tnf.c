/* tnf.c - only paths in trace normal form are followed.
 *
 * Bosnacki, Elkind, Genest, Peled, "On commutativity based edge lean search", section 4: of
 * all paths that differ in the order of events that commute, the least one. Whether one
 * event more keeps a path normal depends on its summary, the actions in the order of their
 * last occurrence (lemma 4): action a may be left out if some action b after it in the order
 * of actions, and all that come after b in the summary, are independent of a. The summary is
 * here a list linked both ways, so that an action goes to its end in one step, and back by one
 * number kept for each state of the stack. All actions that may be left out are found at
 * once, from the end of the summary on until nothing commutes any more.
 *
 * States may be lost only where an event leads back to the stack.
 */
#include "search/reduce/reduce.h"

#include "base/array.h"
#include "search/reduce/on_stack.h"
#include "store/room/save.h"
#include "ts/independence.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

#define END    UINT32_MAX        /* no action: the end of the list */
#define ABSENT (UINT32_MAX - 1u) /* not in the list */

struct link {
  uint32_t before, after;
};

/* What brings the summary back: the action that went to its end, and what followed it. */
struct step {
  uint32_t action, after;
};

struct reduction {
  struct independence *independence;
  struct budget *budget;
  uint32_t n_actions, last;
  bool by_rank, cycle, spent;
  struct link *link;
  uint64_t *skip, *all; /* bitmaps */
  struct path path;
  struct step *step; /* as many as there are states in the path */
  uint64_t room;
};

static size_t row_bytes(const struct reduction *r) {
  return (BITS_WORDS(r->n_actions) + (size_t)1) * sizeof(uint64_t);
}

static void tnf_close(struct reduction *r) {
  independence_close(r->independence);
  path_free(&r->path);
  array_free(r->budget, BUDGET_OPEN, r->step, r->room * sizeof *r->step);
  budget_free(r->budget, BUDGET_OTHER, r->skip, row_bytes(r));
  budget_free(r->budget, BUDGET_OTHER, r->all, row_bytes(r));
  budget_free(r->budget, BUDGET_OTHER, r->link, (r->n_actions + (size_t)1) * sizeof *r->link);
  budget_free(r->budget, BUDGET_OTHER, r, sizeof *r);
}

static struct reduction *tnf_open(const struct reduction_config *config) {
  struct budget *budget = config->budget;
  struct reduction *r = budget_alloc(budget, BUDGET_OTHER, sizeof *r);
  if (r == NULL)
    return NULL;
  r->budget = r->path.budget = budget;
  r->n_actions = config->shape->n_actions;
  r->by_rank = config->rank != NULL;
  r->last = END;
  r->independence = independence_open(config->shape, config->rank, budget);
  r->skip = budget_alloc(budget, BUDGET_OTHER, row_bytes(r));
  r->all = budget_alloc(budget, BUDGET_OTHER, row_bytes(r));
  r->link = budget_alloc(budget, BUDGET_OTHER, (r->n_actions + (size_t)1) * sizeof *r->link);
  if (r->independence == NULL || r->skip == NULL || r->all == NULL || r->link == NULL) {
    tnf_close(r);
    return NULL;
  }
  for (uint32_t a = 0; a < r->n_actions; a++)
    r->link[a].after = ABSENT;
  return r;
}

static void unlink_action(struct reduction *r, uint32_t a) {
  struct link *link = &r->link[a];
  if (link->before != END)
    r->link[link->before].after = link->after;
  if (link->after != END)
    r->link[link->after].before = link->before;
  else
    r->last = link->before;
  link->after = ABSENT;
}

/* Puts an action in front of another one, or at the end. */
static void link_action(struct reduction *r, uint32_t a, uint32_t after) {
  struct link *link = &r->link[a];
  link->after = after;
  link->before = after == END ? r->last : r->link[after].before;
  if (link->before != END)
    r->link[link->before].after = a;
  if (after == END)
    r->last = a;
  else
    r->link[after].before = a;
}

static void pop(struct reduction *r) {
  struct step step = r->step[r->path.n - 1];
  path_pop(&r->path);
  if (step.action == TS_NONE)
    return;
  unlink_action(r, step.action);
  if (step.after != ABSENT)
    link_action(r, step.action, step.after);
}

static bool push(struct reduction *r, uint32_t action, uint64_t raw) {
  if (r->path.n == r->room) {
    struct step *step = array_grow(r->budget, BUDGET_OPEN, r->step, &r->room, sizeof *step);
    if (step == NULL)
      return false;
    r->step = step;
  }
  if (!path_push(&r->path, raw))
    return false;
  struct step *step = &r->step[r->path.n - 1];
  *step = (struct step){action, ABSENT};
  if (action == TS_NONE)
    return true;
  step->after = r->link[action].after;
  if (step->after != ABSENT)
    unlink_action(r, action);
  link_action(r, action, END);
  return true;
}

/* Lemma 4 for all actions at once. */
static const uint64_t *left_out(struct reduction *r) {
  uint32_t words = BITS_WORDS(r->n_actions);
  uint64_t found = 0;
  memset(r->skip, 0, words * sizeof *r->skip);
  memset(r->all, 0xFF, words * sizeof *r->all);
  for (uint32_t b = r->last; b != END; b = r->link[b].before) {
    const uint64_t *of = independence_of(r->independence, b);
    const uint64_t *smaller = independence_before(r->independence, b);
    uint64_t left = 0;
    if (of == NULL)
      break;
    for (uint32_t w = 0; w < words; w++) {
      r->all[w] &= of[w];
      r->skip[w] |= r->all[w] & smaller[w];
      left |= r->all[w];
      found |= r->skip[w];
    }
    if (left == 0)
      break;
  }
  return found == 0 ? NULL : r->skip;
}

static const uint64_t *tnf_skip(struct reduction *r, const struct open *open) {
  bool begins = open_begins(open);
  uint64_t keep = open->depth + !begins;
  while (r->path.n > keep)
    pop(r);
  if (r->spent)
    return NULL;
  assert(r->path.n == keep && (!begins || open->hashed));
  if (begins && !push(r, open->by.action, open->raw)) {
    r->spent = true;
    return NULL;
  }
  return left_out(r);
}

static void tnf_fired(struct reduction *r, const struct open *open, uint32_t from, bool done) {
  const struct rows *rows = open->into;
  if (r->by_rank && !done)
    r->cycle = true; /* they could not be put in order as a whole */
  for (uint32_t i = from; i < rows->batch.n && !r->cycle; i++)
    r->cycle = path_has(&r->path, rows->raw[i]);
}

static bool tnf_pass(struct reduction *r, struct sink *sink) {
  void *step = r->step;
  sink_section(sink, "tnf");
  sink_pass(sink, &r->last, sizeof r->last);
  sink_pass(sink, &r->cycle, sizeof r->cycle);
  sink_pass(sink, r->link, r->n_actions * sizeof *r->link);
  if (!path_pass(&r->path, sink))
    return false;
  if (!sink_is_read(sink)) {
    array_save(sink, r->step, r->room, r->path.n, sizeof *r->step);
    return true;
  }
  bool fine =
      array_load(sink, r->budget, BUDGET_OPEN, &step, &r->room, r->path.n, sizeof *r->step);
  r->step = step;
  return fine;
}

static bool tnf_may_lose(const struct reduction *r) {
  return r->cycle;
}

static bool tnf_failed(const struct reduction *r) {
  return r->spent;
}

const struct reduction_kind reduction_tnf = {
    .name = "tnf",
    .summary = "only paths in trace normal form; exact where no event leads back to the stack",
    .traits = REDUCTION_PATH | REDUCTION_ORDERED | REDUCTION_HEARS | REDUCTION_LOSES |
              REDUCTION_FAILS,
    .open = tnf_open,
    .close = tnf_close,
    .skip = tnf_skip,
    .pass = tnf_pass,
    .fired = tnf_fired,
    .may_lose = tnf_may_lose,
    .failed = tnf_failed,
};
