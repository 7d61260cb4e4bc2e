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
#include "search/reduce/on_stack.h"
#include "search/reduce/stubborn.h"

#include "base/bits.h"

#include <string.h>

enum {
  CHOICES = 4, /* sets that are looked at in one state */
  MOST = 63    /* processes in a state: of more no sets are looked for */
};

#define ALL  UINT64_MAX
#define MANY UINT32_MAX

struct choice {
  uint32_t events;
  uint64_t set; /* of processes, by their places in `there` */
};

/* Who else has to be in a set with a process. */
struct need {
  uint32_t stamp;  /* of the state for which it is known: */
  uint64_t steps;  /* for its steps, and */
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
  uint32_t n_stubborn; /* sets found in this state */
  uint32_t words;      /* of a set of actions */
  uint64_t *rest;      /* by process: all actions that are not its own */
  bool *alone;         /* by location: no step conflicts with anything, ever */
  uint32_t *location;  /* by process, in the state looked at; TS_NONE: it is not there */
  uint32_t *there;     /* the processes that are, the youngest first */
  uint32_t n_there;
  uint32_t *count;      /* by process: its enabled events */
  uint32_t *enabled;    /* by step: stamp of the state in which it was */
  uint64_t *at;         /* where processes are, in the bits of conflict.h */
  uint32_t *place;      /* by bit, where a process is: its place in `there` */
  uint64_t active;      /* who has an enabled event, by places in `there` */
  uint64_t *mind;       /* locations that are minded: see needs_of() */
  struct need *need;    /* by place in `there` */
  struct seen seen;     /* guards */
  uint64_t *leave;      /* actions, as handed out */
  uint32_t stamp, next; /* next: of `there`, to be guessed */
  struct choice choice[CHOICES];
  uint32_t n_choices;
  uint64_t work; /* steps and processes looked at */
  bool has_sets, has_all_sets, has_stubborn;
  bool is_still; /* each process is always where it is: transitions of a net. A set of processes
                  * is one of steps then, which is found faster as such */
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

static size_t set_words(const struct reduction *r) {
  return r->conflict == NULL ? 0 : r->conflict->words;
}

static void close_rooms(struct reduction *r) {
  const struct ts_control *c = r->control;
  give_back(r, r->rest, (size_t)c->n_processes * r->words, sizeof *r->rest);
  give_back(r, r->alone, c->n_locations, sizeof *r->alone);
  give_back(r, r->location, c->n_processes, sizeof *r->location);
  give_back(r, r->there, c->n_processes, sizeof *r->there);
  give_back(r, r->count, c->n_processes, sizeof *r->count);
  give_back(r, r->enabled, c->n_steps, sizeof *r->enabled);
  give_back(r, r->at, set_words(r), sizeof *r->at);
  give_back(r, r->place, c->n_locations, sizeof *r->place);
  give_back(r, r->mind, set_words(r), sizeof *r->mind);
  give_back(r, r->need, c->n_processes, sizeof *r->need);
  give_back(r, r->seen.looked, related_guards(c), sizeof *r->seen.looked);
  give_back(r, r->seen.holds, related_guards(c), sizeof *r->seen.holds);
  give_back(r, r->leave, r->words, sizeof *r->leave);
}

static bool open_rooms(struct reduction *r) {
  const struct ts_control *c = r->control;
  r->rest = room(r, (size_t)c->n_processes * r->words, sizeof *r->rest);
  r->alone = room(r, c->n_locations, sizeof *r->alone);
  r->location = room(r, c->n_processes, sizeof *r->location);
  r->there = room(r, c->n_processes, sizeof *r->there);
  r->count = room(r, c->n_processes, sizeof *r->count);
  r->enabled = room(r, c->n_steps, sizeof *r->enabled);
  r->at = room(r, set_words(r), sizeof *r->at);
  r->place = room(r, c->n_locations, sizeof *r->place);
  r->mind = room(r, set_words(r), sizeof *r->mind);
  r->need = room(r, c->n_processes, sizeof *r->need);
  r->seen.looked = room(r, related_guards(c), sizeof *r->seen.looked);
  r->seen.holds = room(r, related_guards(c), sizeof *r->seen.holds);
  r->leave = room(r, r->words, sizeof *r->leave);
  return !r->spent;
}

static void por_close(struct reduction *r) {
  if (r->control != NULL)
    close_rooms(r);
  stubborn_close(r->stubborn);
  conflict_close(r->conflict);
  related_close(r->related);
  path_free(&r->path);
  budget_free(r->budget, BUDGET_OTHER, r, sizeof *r);
}

/* Where nobody ever moves, all are there. */
static void find_still(struct reduction *r) {
  r->is_still = alone_still(r->control);
  for (uint32_t i = 0; i < r->control->n_processes && r->is_still; i++) {
    r->there[i] = i;
    r->location[i] = r->control->process[i].first;
  }
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
  r->seen.shape = r->shape;
  r->related = related_open(r->shape, r->budget);
  if (r->related != NULL && accord_make(r->related))
    r->conflict = conflict_open(r->related, r->budget);
  if (r->conflict != NULL && fold_locations(r->conflict))
    r->stubborn = stubborn_open(r->related, r->conflict, r->budget);
  if (r->conflict != NULL && r->stubborn != NULL && open_rooms(r)) {
    alone_actions(r->shape, r->rest, r->words);
    alone_locations(r->conflict, r->alone);
    find_still(r);
    return r;
  }
  por_close(r);
  return NULL;
}

/* ---- a state -------------------------------------------------------------------- */

static inline uint32_t value_of(const struct reduction *r, uint32_t slot, const uint8_t *row) {
  const struct ts_slot *s = &r->shape->slot[slot];
  return s->bytes == 1 && !s->is_signed ? row[s->offset] : (uint32_t)ts_value(s, row);
}

static bool is_there(const struct reduction *r, const struct ts_process *p,
                     const uint8_t *row) {
  return (p->live_slot == TS_NONE || value_of(r, p->live_slot, row) > p->number) &&
         (p->tag_slot == TS_NONE || value_of(r, p->tag_slot, row) == p->tag);
}

/* Who is there, and where. */
static void look_around(struct reduction *r, const uint8_t *row) {
  uint32_t n = r->control->n_processes, n_there = 0;
  const struct ts_process *process = r->control->process;
  r->active = 0;
  memset(r->at, 0, r->conflict->words * sizeof *r->at);
  for (uint32_t i = n; i-- > 0;) {
    const struct ts_process *p = &process[i];
    uint32_t at = p->first;
    r->count[i] = 0;
    r->location[i] = TS_NONE;
    if (!is_there(r, p, row))
      continue;
    if (p->location_slot != TS_NONE)
      at += value_of(r, p->location_slot, row);
    r->location[i] = at;
    r->place[r->conflict->bit[at]] = n_there;
    bits_set(r->at, r->conflict->bit[at]);
    r->there[n_there++] = i;
  }
  r->n_there = n_there;
}

static uint64_t por_look(struct reduction *r, const uint8_t *row, uint32_t length) {
  (void)length;
  r->seen.row = row;
  r->has_sets = r->has_stubborn = false;
  r->n_there = r->next = 0;
  r->seen.stamp = ++r->stamp;
  if (r->is_still) {
    r->n_there = r->control->n_processes;
    memset(r->count, 0, r->n_there * sizeof *r->count);
    return 1;
  }
  if (r->control == NULL)
    return 0;
  look_around(r, row);
  return r->control->n_processes;
}

/* The path is brought up to this state. */
static void por_enter(struct reduction *r, const struct open *open) {
  while (r->on_stack && r->path.n > open->depth)
    path_pop(&r->path);
  if (r->on_stack && !path_push(&r->path, open->raw))
    r->spent = true;
}

static const uint64_t *por_guess(struct reduction *r) {
  while (r->next < r->n_there) {
    uint32_t p = r->there[r->next++];
    if (r->alone[r->location[p]])
      return r->rest + (size_t)p * r->words;
  }
  return NULL;
}

static void por_sees(struct reduction *r, const struct ts_edge *edge, uint32_t n) {
  const struct ts_control *c = r->control;
  for (uint32_t i = 0; i < n && c != NULL; i++) {
    uint32_t a = edge[i].event.action, before = TS_NONE;
    for (uint32_t k = c->of.start[a]; k < c->of.start[a + 1]; k++) {
      const struct ts_step *step = &c->step[c->of.item[k]];
      if (r->location[step->process] != step->from)
        continue;
      r->enabled[c->of.item[k]] = r->stamp;
      r->count[step->process] += step->process != before;
      r->active |= UINT64_C(1) << (r->place[r->conflict->bit[step->from]] & 63);
      before = step->process;
    }
  }
}

/* ---- the choice ----------------------------------------------------------------- */

/* How many are at a location of this set; MANY: a property is. */
static uint32_t count_there(const struct reduction *r, const uint64_t *set) {
  uint32_t count = 0;
  if (bits_test(set, r->conflict->watch))
    return MANY;
  for (uint32_t w = 0; w < r->conflict->words; w++)
    count += bits_count(set[w] & r->at[w]);
  return count;
}

/* Whose steps may enable a step that is not, as a set of locations: by the guard that does not
 * hold and that fewest can make true; where none is known to be false, by all that it touches.
 */
static const uint64_t *waits_for(struct reduction *r, uint32_t step) {
  const struct ts_control *c = r->control;
  const struct conflict *conflict = r->conflict;
  const uint64_t *best = NULL;
  uint32_t least = MANY;
  if (conflict->disabled[step] == 0)
    return conflict_set(conflict, 0);
  uint32_t end = related_first_guard(c, step + 1);
  for (uint32_t g = related_first_guard(c, step); g < end && least > 0; g++) {
    r->work += 3;
    if (seen_holds(&r->seen, g))
      continue;
    uint32_t row = related_guard(r->related, g, r->seen.row);
    const uint64_t *set = conflict_set(conflict, conflict->waits[row]);
    uint32_t count = count_there(r, set);
    if (count >= least)
      continue;
    best = set;
    least = count;
  }
  if (best != NULL)
    return best;
  bool filled = related_is_filled(r->related, step, r->seen.row);
  return conflict_set(conflict, filled ? conflict->filled[step] : conflict->disabled[step]);
}

/* The processes that are at a location of a set; ALL: a property is. */
static uint64_t who_is_at(const struct reduction *r, const uint64_t *set) {
  uint64_t who = 0;
  if (bits_test(set, r->conflict->watch))
    return ALL;
  for (uint32_t w = 0; w < r->conflict->words; w++)
    for (uint64_t rest = set[w] & r->at[w]; rest != 0; rest &= rest - 1)
      who |= UINT64_C(1) << r->place[64 * w + (uint32_t)__builtin_ctzll(rest)];
  return who;
}

/* The processes that the steps of the one at this place in `there` make necessary. */
static uint64_t needs_of(struct reduction *r, uint32_t i) {
  const struct ts_control *c = r->control;
  const struct conflict *conflict = r->conflict;
  uint32_t at = r->location[r->there[i]], end = c->first_step[at + 1];
  if (r->need[i].stamp == r->stamp)
    return r->need[i].steps;
  r->need[i].stamp = r->stamp;
  r->work += 3 + 2 * (end - c->first_step[at]);
  memset(r->mind, 0, conflict->words * sizeof *r->mind);
  for (uint32_t s = c->first_step[at]; s < end; s++) {
    bool enabled = r->enabled[s] == r->stamp, part = c->step[s].flags & TS_STEP_PART;
    uint32_t row = enabled ? related_step(r->related, s, r->seen.row) : s;
    if (enabled || part)
      bits_unite(r->conflict->words, r->mind, conflict_set(conflict, conflict->enabled[row]));
    if (!enabled || part)
      bits_unite(r->conflict->words, r->mind, waits_for(r, s));
  }
  r->need[i].steps = who_is_at(r, r->mind);
  return r->need[i].steps;
}

/* The set of processes that begins with this one; 0: none that is less than all. `full`: those
 * of which it is known that theirs is none. The set of each process in `closed` is known, and
 * is the least that any set has which it is in. */
static uint64_t close_set(struct reduction *r, uint32_t i, uint64_t full, uint64_t closed) {
  uint64_t all = bits_lowest(r->n_there), set = UINT64_C(1) << i, todo = set;
  while (todo != 0) {
    uint32_t k = (uint32_t)__builtin_ctzll(todo);
    uint64_t fresh = (closed >> k & 1 ? r->need[k].closed : needs_of(r, k)) & ~set;
    set |= fresh;
    if ((set & full) != 0 || (set & all) == all)
      return 0;
    todo = (closed >> k & 1 ? todo & ~r->need[k].closed : todo | fresh) & ~(UINT64_C(1) << k);
  }
  return set;
}

static uint32_t count_events(const struct reduction *r, uint64_t set) {
  uint32_t count = 0;
  for (set &= r->active; set != 0; set &= set - 1)
    count += r->count[r->there[__builtin_ctzll(set)]];
  return count;
}

static void leave_rest(struct reduction *r, uint64_t set) {
  memset(r->leave, 0xFF, r->words * sizeof *r->leave);
  for (; set != 0; set &= set - 1) {
    size_t process = r->there[__builtin_ctzll(set)];
    for (uint32_t w = 0; w < r->words; w++)
      r->leave[w] &= r->rest[process * r->words + w];
  }
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
 * do, so one of a single event ends it. */
static void find_sets(struct reduction *r, bool one) {
  uint64_t full = 0, closed = 0;
  r->n_choices = 0;
  r->has_sets = r->has_all_sets = true;
  if (r->is_still || r->n_there > MOST)
    return;
  uint32_t all = count_events(r, r->active); /* of two processes count twice, in sets, too */
  for (uint64_t rest = r->active; rest != 0; rest &= rest - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(rest);
    uint64_t set = close_set(r, i, full, closed);
    uint32_t events = set == 0 ? all : count_events(r, set);
    r->need[i].closed = set;
    *(set == 0 ? &full : &closed) |= UINT64_C(1) << i;
    if (events < all)
      note_set(r, set, events);
    if (one && r->n_choices > 0 && r->choice[0].events == 1) {
      r->has_all_sets = false;
      return;
    }
  }
}

/* The steps of the process that could be guessed as number `which`. */
static const uint64_t *guessed(const struct reduction *r, uint32_t which) {
  for (uint32_t i = 0; i < r->n_there; i++) {
    uint32_t p = r->there[i];
    if (r->alone[r->location[p]] && r->count[p] > 0 && which-- == 0)
      return r->rest + (size_t)p * r->words;
  }
  return NULL;
}

/* The actions that are in none of a set's steps. */
static const uint64_t *stubborn_set(struct reduction *r, uint32_t which, uint64_t *work) {
  struct stubborn_state state = {&r->seen,   r->location, r->there,   r->n_there,
                                 r->enabled, r->stamp,    r->is_still};
  if (!r->has_stubborn)
    r->n_stubborn = stubborn_find(r->stubborn, &state, work);
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
  leave_rest(r, r->choice[which].set);
  return r->leave;
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
