/* por.c - partial order reduction: in each state the steps of as few processes as are enough.
 *
 * The steps of a set of processes are enough if whatever the others can do without them neither
 * meets nor enables one of them, and one of them is enabled: a persistent set (Godefroid,
 * "Partial-order methods for the verification of concurrent systems", LNCS 1032, 1996, section
 * 4), or a strong stubborn set (Valmari). Found from one process by adding, for each of its
 * steps, the processes that have a conflict with it in their future from where they are; the
 * tables say which (conflict.c). Tried from each process that has an enabled step; the fewest
 * events win, and the first among equals.
 *
 * A process at a location of whose steps none ever conflicts with anything needs no search: its
 * steps are a guess, and the others are not even tried (the static reduction of Holzmann and
 * Peled, "An improvement in formal verification", 1994). What a property looks at counts as the
 * future of a process that must never be added.
 *
 * The choice depends on the state alone, so that the way to an error can be gone again.
 */
#include "search/reduce/reduce.h"

#include "search/reduce/accord.h"
#include "search/reduce/alone.h"
#include "search/reduce/fold.h"
#include "search/reduce/needs.h"
#include "search/reduce/on_stack.h"
#include "search/reduce/present.h"
#include "search/reduce/stubborn.h"

#include "base/bits.h"

#include <string.h>

enum {
  CHOICES = 4,   /* sets that are looked at in one state */
  LOOKS_FIND = 8 /* finding what a process needs takes */
};

struct choice {
  uint32_t events;
  uint64_t set; /* of seats */
};

/* Who else has to be in a set with a process. */
struct need {
  uint32_t stamp;  /* of the state for which it is known: */
  uint64_t steps;  /* for its steps; */
  uint64_t most;   /* no others than these may come in */
  uint64_t open;   /* because of these steps (needs.h); */
  uint64_t closed; /* the whole set that begins with it */
};

struct reduction {
  struct ts_shape view;             /* the shape, its slots counted as those of the control */
  const struct ts_shape *shape;     /* that */
  const struct ts_control *control; /* NULL: nothing is known, and nothing left out */
  struct budget *budget;
  struct related *related;
  struct conflict *conflict;
  struct stubborn *stubborn;
  struct needs *needs;
  uint32_t n_stubborn;    /* sets found in this state */
  uint32_t words;         /* of a set of actions */
  uint64_t *rest;         /* by process: all actions that are not its own */
  struct present present; /* the state looked at: who is where, */
  struct seen seen;       /* which guards hold, */
  struct need need[PRESENT_SEATS];
  uint64_t *leave; /* actions, as handed out */
  uint32_t next;   /* of the guesses */
  struct choice choice[CHOICES];
  uint32_t n_choices;
  uint64_t work; /* steps and processes looked at */
  bool has_sets, has_all_sets, has_stubborn;
  bool on_stack, spent;
  struct path path;
};

/* ---- opening --------------------------------------------------------------------------- */

static void *room(struct reduction *r, size_t n, size_t size) {
  void *at = budget_alloc(r->budget, BUDGET_OTHER, (n + 1) * size);
  r->spent |= at == NULL;
  return at;
}

static void give_back(struct reduction *r, void *at, size_t n, size_t size) {
  budget_free(r->budget, BUDGET_OTHER, at, (n + 1) * size);
}

static void close_rooms(struct reduction *r) {
  const struct ts_control *c = r->control;
  give_back(r, r->rest, (size_t)c->n_processes * r->words, sizeof *r->rest);
  give_back(r, r->leave, r->words, sizeof *r->leave);
}

static bool open_rooms(struct reduction *r) {
  const struct ts_control *c = r->control;
  r->rest = room(r, (size_t)c->n_processes * r->words, sizeof *r->rest);
  r->leave = room(r, r->words, sizeof *r->leave);
  return !r->spent;
}

static void por_close(struct reduction *r) {
  if (r->control != NULL)
    close_rooms(r);
  needs_close(r->needs);
  present_close(&r->present);
  seen_close(&r->seen);
  stubborn_close(r->stubborn);
  conflict_close(r->conflict);
  related_close(r->related);
  path_free(&r->path);
  budget_free(r->budget, BUDGET_OTHER, r, sizeof *r);
}

static struct reduction *por_open(const struct reduction_config *config) {
  struct reduction *r = budget_alloc(config->budget, BUDGET_OTHER, sizeof *r);
  if (r == NULL)
    return NULL;
  r->view = *config->shape;
  r->shape = &r->view;
  r->control = config->shape->control;
  r->budget = r->path.budget = config->budget;
  r->on_stack = config->on_stack;
  r->words = BITS_WORDS(config->shape->n_actions);
  if (r->control == NULL)
    return r;
  r->view.slot += r->control->first_slot;
  r->related = related_open(r->shape, r->budget);
  if (r->related != NULL && accord_make(r->related))
    r->conflict = conflict_open(r->related, r->budget);
  if (r->conflict != NULL && fold_locations(r->conflict))
    r->stubborn = stubborn_open(r->related, r->conflict, r->budget);
  if (r->conflict != NULL && r->stubborn != NULL && open_rooms(r) &&
      present_open(&r->present, r->conflict, r->budget) &&
      seen_open(&r->seen, r->shape, r->budget))
    r->needs = needs_open(r->conflict, &r->seen, r->present.enabled, r->budget);
  if (r->needs != NULL) {
    alone_actions(r->shape, r->rest, r->words);
    return r;
  }
  por_close(r);
  return NULL;
}

/* ---- a state -------------------------------------------------------------------- */

static uint64_t por_look(struct reduction *r, const uint8_t *row, uint32_t length) {
  (void)length;
  if (r->control == NULL)
    return 0;
  r->has_sets = r->has_stubborn = false;
  r->next = 0;
  present_look(&r->present, row);
  r->seen.row = row;
  r->seen.stamp = r->present.stamp;
  return r->present.is_still ? 1 : r->control->n_processes;
}

/* The path is brought up to this state. */
static void por_enter(struct reduction *r, const struct open *open) {
  while (r->on_stack && r->path.n > open->depth)
    path_pop(&r->path);
  if (r->on_stack && !path_push(&r->path, open->raw))
    r->spent = true;
}

static const uint64_t *por_guess(struct reduction *r) {
  if (r->next == r->present.n_guesses)
    return NULL;
  return r->rest + (size_t)r->present.guess[r->next++] * r->words;
}

static void por_sees(struct reduction *r, const struct ts_edge *edge, uint32_t n) {
  if (r->control != NULL)
    present_sees(&r->present, edge, n);
}

/* ---- the choice ----------------------------------------------------------------- */

static struct needs_of needs_at(const struct reduction *r, uint32_t seat) {
  uint32_t process = r->present.who[seat];
  return (struct needs_of){r->present.location[process], r->present.process[process].steps};
}

/* Who has to be in a set with the process on this seat, as far as no guard is looked at. */
static struct need *need_of(struct reduction *r, uint32_t seat) {
  struct need *need = &r->need[seat];
  if (need->stamp == r->present.stamp)
    return need;
  struct needs_known known = needs_find(r->needs, needs_at(r, seat));
  r->work += LOOKS_FIND;
  need->stamp = r->present.stamp;
  need->steps = present_at(&r->present, known.least);
  need->most = present_at(&r->present, known.most);
  need->open = known.open;
  return need;
}

/* The same of one that may need more than is in the set, with all that there is to know. */
static uint64_t settle_need(struct reduction *r, uint32_t seat) {
  struct need *need = &r->need[seat];
  const uint64_t *more =
      needs_settle(r->needs, needs_at(r, seat), need->open, r->present.at, &r->work);
  need->steps |= present_at(&r->present, more);
  need->most = need->steps;
  return need->steps;
}

/* The set of processes that begins with this one; 0: none that is less than all. `full`: those
 * of which it is known that theirs is none. The set of each process in `closed` is known, and
 * is the least that any set has which it is in. Guards are looked at when nothing else is left
 * to do, for most sets have become too large by then. */
static uint64_t close_set(struct reduction *r, uint32_t seat, uint64_t full, uint64_t closed) {
  uint64_t set = UINT64_C(1) << seat, todo = set, open = 0;
  for (;;) {
    while (todo != 0) {
      uint32_t k = (uint32_t)__builtin_ctzll(todo);
      bool known = closed >> k & 1;
      struct need *need = known ? &r->need[k] : need_of(r, k);
      uint64_t fresh = (known ? need->closed : need->steps) & ~set;
      set |= fresh;
      if ((set & full) != 0 || set == r->present.all)
        return 0;
      todo = known ? todo & ~need->closed : (todo | fresh) & ~(UINT64_C(1) << k);
      open |= (uint64_t)(!known && need->most != need->steps) << k;
    }
    while (todo == 0 && open != 0) {
      uint32_t k = (uint32_t)__builtin_ctzll(open);
      open &= open - 1;
      if ((r->need[k].most & ~set) != 0)
        todo = settle_need(r, k) & ~set;
    }
    if (todo == 0)
      return set;
    set |= todo;
    if ((set & full) != 0 || set == r->present.all)
      return 0;
  }
}

static uint32_t count_events(const struct reduction *r, uint64_t set) {
  uint32_t count = 0;
  for (set &= r->present.active; set != 0; set &= set - 1)
    count += r->present.process[r->present.who[__builtin_ctzll(set)]].count;
  return count;
}

/* All actions that are of no process in the set. */
static const uint64_t *leave_rest(struct reduction *r, uint64_t set) {
  const uint64_t *one = r->rest + (size_t)r->present.who[__builtin_ctzll(set)] * r->words;
  if ((set & (set - 1)) == 0)
    return one;
  memcpy(r->leave, one, r->words * sizeof *r->leave);
  for (set &= set - 1; set != 0; set &= set - 1) {
    const uint64_t *next = r->rest + (size_t)r->present.who[__builtin_ctzll(set)] * r->words;
    for (uint32_t w = 0; w < r->words; w++)
      r->leave[w] &= next[w];
  }
  return r->leave;
}

/* Notes a set, unless it is known, before those with more events. */
static void note_set(struct reduction *r, uint64_t set, uint32_t events) {
  uint32_t at = r->n_choices;
  for (uint32_t i = 0; i < r->n_choices; i++)
    if (r->choice[i].set == set)
      return;
  for (; at > 0 && r->choice[at - 1].events > events; at--)
    if (at < CHOICES)
      r->choice[at] = r->choice[at - 1];
  if (at < CHOICES)
    r->choice[at] = (struct choice){events, set};
  r->n_choices += r->n_choices < CHOICES;
}

/* The best sets, of all that begin with a process that has an event. `one`: the very best will
 * do, so those are not looked for that must have as many events as one that is known. */
static void find_sets(struct reduction *r, bool one) {
  uint64_t full = r->present.bar, closed = 0;
  r->n_choices = 0;
  r->has_sets = true;
  r->has_all_sets = !one;
  if (!present_has_seats(&r->present))
    return;
  uint32_t all =
      count_events(r, r->present.active); /* of two processes count twice, in sets, too */
  uint32_t least = all;
  for (uint64_t rest = r->present.active; rest != 0; rest &= rest - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(rest);
    if (one && r->present.process[r->present.who[i]].count >= least)
      continue;
    uint64_t set = close_set(r, i, full, closed);
    uint32_t events = set == 0 ? all : count_events(r, set);
    r->need[i].closed = set;
    *(set == 0 ? &full : &closed) |= UINT64_C(1) << i;
    if (events < all)
      note_set(r, set, events);
    least = events < least ? events : least;
  }
}

/* The steps of the process that could be guessed as number `which`. */
static const uint64_t *guessed(const struct reduction *r, uint32_t which) {
  for (uint32_t i = 0; i < r->present.n_guesses; i++) {
    uint32_t p = r->present.guess[i];
    if (r->present.process[p].count > 0 && which-- == 0)
      return r->rest + (size_t)p * r->words;
  }
  return NULL;
}

/* The actions that are in none of a set's steps. */
static const uint64_t *stubborn_set(struct reduction *r, uint32_t which, uint64_t *work) {
  const struct present *p = &r->present;
  if (!r->has_stubborn) {
    const uint32_t *there = present_list(&r->present);
    struct stubborn_state state = {&r->seen,   p->location, there,      p->n_there,
                                   p->enabled, p->stamp,    p->is_still};
    r->n_stubborn = stubborn_find(r->stubborn, &state, work);
  }
  r->has_stubborn = true;
  if (which >= r->n_stubborn)
    return NULL;
  memset(r->leave, 0xFF, r->words * sizeof *r->leave);
  stubborn_keep(r->stubborn, which, r->leave);
  return r->leave;
}

static const uint64_t *por_choose(struct reduction *r, enum search_grade grade, uint32_t which,
                                  uint64_t *work) {
  if (grade == SEARCH_GRADE_ALONE)
    return guessed(r, which);
  if (r->control == NULL)
    return NULL;
  if (grade == SEARCH_GRADE_STUBBORN)
    return stubborn_set(r, which, work);
  r->work = 0;
  if (!r->has_sets || (which > 0 && !r->has_all_sets))
    find_sets(r, which == 0);
  *work += r->work;
  if (which >= r->n_choices)
    return NULL;
  return leave_rest(r, r->choice[which].set);
}

/* ---- the rest ------------------------------------------------------------------- */

static bool por_leads_back(const struct reduction *r, uint64_t raw) {
  return path_has(&r->path, raw);
}

static const uint64_t *por_skip(struct reduction *r, const struct open *open) {
  (void)r;
  (void)open;
  return NULL;
}

static void por_leave_stack(struct reduction *r) {
  path_free(&r->path);
  r->path = (struct path){.budget = r->budget};
  r->on_stack = false;
}

static bool por_pass(struct reduction *r, struct sink *sink) {
  sink_section(sink, "por");
  sink_pass(sink, &r->on_stack, sizeof r->on_stack);
  return path_pass(&r->path, sink);
}

static bool por_failed(const struct reduction *r) {
  return r->spent;
}

const struct reduction_kind reduction_por = {
    .name = "por",
    .summary = "partial order reduction: fewer states, with all deadlocks and errors",
    .traits = REDUCTION_CHOOSES | REDUCTION_FAILS,
    .open = por_open,
    .close = por_close,
    .skip = por_skip,
    .enter = por_enter,
    .leave_stack = por_leave_stack,
    .look = por_look,
    .guess = por_guess,
    .sees = por_sees,
    .choose = por_choose,
    .leads_back = por_leads_back,
    .pass = por_pass,
    .failed = por_failed,
};
