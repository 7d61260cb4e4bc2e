/* back.c - going backward from every state, against going forward from every state.
 *
 *   back [-n STATES] [-w WORK] MODEL…
 *
 * All states that the types of a small model have room for are listed, reachable or not, and
 * each is fired forward. So all events that lead to each state are known, and are compared with
 * what the model says when it goes backward: all of them exactly; those that it counts must be
 * among them, and none from a state that is reachable may be missing; both in small batches and
 * in large ones, and the numbers of both. Compiled code takes for granted that each two values
 * of a state come together in some state that is reachable; of others the number is not
 * compared. Models of more than STATES states (1,000,000) are passed over. Undoing what keeps
 * nothing of a value takes as long as there are values of its type, so backward not all states
 * are looked at, but WORK (4,000,000) divided by their number (an eighth of that where a
 * variable has more than eight bits), spread over all, and as many of those that are reachable.
 */
#include "lang/lang.h"
#include "native/native.h"
#include "net/model.h"
#include "ts/before.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct digit { /* the values of a slot */
  uint32_t slot;
  int64_t low;
  uint64_t n;
};

struct link { /* an event from one state to another */
  uint32_t to, from;
  struct ts_event event;
};

struct space {
  struct budget *budget;
  const struct ts *ts;
  const struct ts_shape *shape;
  struct digit *digit;
  uint8_t *row;
  uint64_t n;         /* rows; not all are states */
  uint8_t *reachable; /* [number] */
  struct link *link;  /* by `from`, */
  uint64_t n_links, capacity;
  struct link *back; /* and by `to` */
  uint64_t *first;   /* in `back`, by `to`; then room for the end */
  struct link *told;
  uint32_t room;
  bool is_wide;
  uint64_t n_chosen; /* of those that are reachable */
};

static struct totals {
  uint64_t models, passed_over, failed, states, events, not_told, counted_not_told, left_out;
} totals;
static uint64_t most = 1000000, work = 4000000;

static bool wrong(const char *path, uint64_t state, const char *what, uint64_t got,
                  uint64_t want) {
  printf("FAIL %s, state %" PRIu64 ": %s: %" PRIu64 ", not %" PRIu64 "\n", path, state, what,
         got, want);
  return false;
}

/* ---- all states ------------------------------------------------------------------------- */

static struct digit digit_of(const struct ts *ts, uint32_t i) {
  const struct ts_slot *s = &ts->shape->slot[i];
  const struct ts_variable *v = &ts->shape->variable[s->variable];
  const struct net_model *net = net_model_if(ts);
  const struct ts_notes *notes = ts_notes(ts->shape);
  const struct ts_channel *c = v->channel == 0 ? NULL : &notes->channel[v->channel - 1];
  const int64_t half = s->bits == 0 ? 0 : INT64_C(1) << (s->bits - 1);
  if (net != NULL)
    return (struct digit){i, 0, (uint64_t)net->layout->slot[i].most + 1};
  if (v->is_location)
    return (struct digit){i, 0, v->n_values};
  if (c != NULL && c->count == i)
    return (struct digit){i, 0, c->capacity + (uint64_t)1};
  return (struct digit){i, s->is_signed ? -half : 0, UINT64_C(1) << s->bits};
}

static void write_state(const struct space *s, uint64_t number, uint8_t *row) {
  memset(row, 0, ts_stride(s->shape));
  for (uint32_t i = 0; i < s->shape->n_slots; i++) {
    const struct digit *d = &s->digit[i];
    const struct ts_slot *slot = &s->shape->slot[i];
    ts_write(row + slot->offset, slot->bytes, (uint32_t)(d->low + (int64_t)(number % d->n)));
    number /= d->n;
  }
}

/* UINT64_MAX: the types have no room for it. */
static uint64_t number_of(const struct space *s, const uint8_t *row) {
  uint64_t number = 0;
  for (uint32_t i = s->shape->n_slots; i-- > 0;) {
    const struct digit *d = &s->digit[i];
    const int64_t value = ts_value(&s->shape->slot[i], row) - d->low;
    if (value < 0 || (uint64_t)value >= d->n)
      return UINT64_MAX;
    number = number * d->n + (uint64_t)value;
  }
  return number;
}

/* Whether there is nothing in a channel behind its messages. */
static bool is_state(const struct space *s, const uint8_t *row) {
  const struct ts_notes *notes = ts_notes(s->shape);
  for (uint32_t c = 0; c < notes->n_channels; c++) {
    const struct ts_channel *channel = &notes->channel[c];
    const int64_t n =
        channel->capacity == 0 ? 0 : ts_value(&s->shape->slot[channel->count], row);
    for (uint32_t m = (uint32_t)n; m < channel->capacity; m++)
      for (uint32_t f = 0; f < channel->n_fields; f++)
        if (ts_value(&s->shape->slot[channel->cells[f] + m], row) != 0)
          return false;
  }
  return true;
}

static bool open_space(struct space *s, const struct ts *ts, struct budget *budget) {
  *s = (struct space){.budget = budget, .ts = ts, .shape = ts->shape, .n = 1};
  s->digit = calloc(ts->shape->n_slots + (size_t)1, sizeof *s->digit);
  s->row = calloc(ts_stride(ts->shape) + (size_t)8, 1);
  for (uint32_t i = 0; i < ts->shape->n_slots; i++) {
    s->digit[i] = digit_of(ts, i);
    if (s->digit[i].n > most || (s->n *= s->digit[i].n) > most)
      return false;
    s->is_wide |= s->digit[i].n > 256;
  }
  s->reachable = calloc(s->n, 1);
  s->first = calloc(s->n + 2, sizeof *s->first);
  return true;
}

static void close_space(struct space *s) {
  free(s->digit);
  free(s->row);
  free(s->reachable);
  free(s->first);
  free(s->link);
  free(s->back);
  free(s->told);
}

/* ---- forward ---------------------------------------------------------------------------- */

static void add_link(struct space *s, struct link link) {
  if (s->n_links == s->capacity) {
    s->capacity = s->capacity == 0 ? 1024 : 2 * s->capacity;
    s->link = realloc(s->link, s->capacity * sizeof *s->link);
  }
  s->link[s->n_links++] = link;
}

static bool fire_all(struct space *s, struct list *list) {
  for (uint64_t i = 0; i < s->n; i++) {
    write_state(s, i, s->row);
    if (!is_state(s, s->row))
      continue;
    if (!list_fill(list, s->ts, ts_code(s->ts), s->row, s->shape->max_bytes, NULL))
      return false;
    for (uint32_t k = 0; k < list->batch.n; k++) {
      const struct ts_edge *edge = &list->batch.edge[k];
      const uint64_t to =
          edge->kind == TS_MODEL_ERROR ? UINT64_MAX : number_of(s, list_row(list, k));
      if (to != UINT64_MAX)
        add_link(s, (struct link){(uint32_t)to, (uint32_t)i, edge->event});
    }
  }
  return true;
}

/* Links by where they lead; those to one state stay in the order of where they come from. */
static void turn(struct space *s) {
  s->back = calloc(s->n_links + 1, sizeof *s->back);
  for (uint64_t i = 0; i < s->n_links; i++)
    s->first[s->link[i].to + 2]++;
  for (uint64_t i = 2; i < s->n + 2; i++)
    s->first[i] += s->first[i - 1];
  for (uint64_t i = 0; i < s->n_links; i++)
    s->back[s->first[s->link[i].to + 1]++] = s->link[i];
}

/* The first link from a state, or one after it. */
static uint64_t first_from(const struct space *s, uint64_t state) {
  uint64_t low = 0, high = s->n_links;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (s->link[middle].from < state)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void mark_reachable(struct space *s) {
  uint64_t *open = calloc(s->n, sizeof *open), n = 0;
  for (uint32_t i = 0; i < s->shape->n_initial; i++) {
    memset(s->row, 0, ts_stride(s->shape));
    ts_code(s->ts)->initial(s->ts, i, s->row);
    open[n++] = number_of(s, s->row);
    s->reachable[open[n - 1]] = 1;
  }
  while (n > 0) {
    const uint64_t from = open[--n];
    for (uint64_t i = first_from(s, from); i < s->n_links && s->link[i].from == from; i++)
      if (!s->reachable[s->link[i].to]) {
        s->reachable[s->link[i].to] = 1;
        open[n++] = s->link[i].to;
      }
  }
  free(open);
}

/* ---- backward --------------------------------------------------------------------------- */

static int by_source(const void *a, const void *b) {
  const struct link *x = a, *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  if (x->event.action != y->event.action)
    return x->event.action < y->event.action ? -1 : 1;
  return x->event.choice < y->event.choice ? -1 : x->event.choice > y->event.choice;
}

/* What is listed, in the order of `back`. False: some row is none of the states. */
static bool read_told(struct space *s, const struct list *list, uint64_t to) {
  const uint32_t n = list->batch.n;
  if (n > s->room) {
    s->room = 2 * n;
    s->told = realloc(s->told, s->room * sizeof *s->told);
  }
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t from = number_of(s, list_row(list, i));
    if (from == UINT64_MAX)
      return false;
    s->told[i] = (struct link){(uint32_t)to, (uint32_t)from, list->batch.edge[i].event};
  }
  if (n > 0)
    qsort(s->told, n, sizeof *s->told, by_source);
  return true;
}

static uint32_t sources(const struct link *link, uint64_t n) {
  uint32_t found = 0;
  for (uint64_t i = 0; i < n; i++)
    found += i == 0 || link[i].from != link[i - 1].from;
  return found;
}

/* The list that was read: all of `want`, or (`some`) at least those that are reachable. */
static bool compare(const char *path, const struct space *s, uint64_t to,
                    const struct list *list, bool some) {
  const struct link *want = s->back + s->first[to];
  const uint64_t n_want = s->first[to + 1] - s->first[to];
  uint32_t n = list->batch.n, k = 0, states;
  for (uint64_t i = 0; i < n_want; i++) {
    const bool is_told = k < n && by_source(&s->told[k], &want[i]) == 0;
    k += is_told;
    if (!is_told && (!some || s->reachable[want[i].from]))
      return wrong(path, to, some ? "counted, a state is missing" : "a state is missing",
                   want[i].from, want[i].event.action);
    totals.left_out += !is_told;
  }
  if (k < n)
    return wrong(path, to, "a state that does not lead here, by action", s->told[k].from,
                 s->told[k].event.action);
  if (!before_states(list, &states) || states != sources(s->told, n))
    return wrong(path, to, "different states", states, sources(s->told, n));
  return true;
}

/* Whether each two values of the row come together in some state that is reachable. Then
 * nothing that compiled code takes for granted of a state, without a look at it, is wrong of
 * this one. */
static bool is_like_reachable(const struct space *s, uint64_t to) {
  uint64_t beside[64] = {0}; /* by slot: others that had the same value together with it */
  const uint32_t n = s->shape->n_slots;
  for (uint64_t i = 0; i < s->n && n <= 64; i++) {
    uint64_t same = 0, rest = i, mine = to;
    for (uint32_t k = 0; s->reachable[i] && k < n; k++) {
      same |= (uint64_t)(rest % s->digit[k].n == mine % s->digit[k].n) << k;
      rest /= s->digit[k].n;
      mine /= s->digit[k].n;
    }
    for (uint32_t k = 0; same >> k != 0 && k < n; k++)
      beside[k] |= same >> k & 1 ? same : 0;
  }
  for (uint32_t k = 0; k < n; k++)
    if (n > 64 || beside[k] != UINT64_MAX >> (64 - n))
      return false;
  return true;
}

/* Events that lead to a state from those that are reachable. */
static uint64_t arrivals(const struct space *s, uint64_t to) {
  uint64_t n = 0;
  for (uint64_t i = s->first[to]; i < s->first[to + 1]; i++)
    n += s->reachable[s->back[i].from];
  return n;
}

static bool compare_counted(const char *path, struct space *s, struct list *list, uint64_t to) {
  const uint32_t n = ts_code(s->ts)->n_predecessors(s->ts, s->row, s->shape->max_bytes);
  if (n < arrivals(s, to))
    return wrong(path, to, "counted fewer than come", n, arrivals(s, to));
  switch (before_fill(list, s->ts, s->row, s->shape->max_bytes, BEFORE_COUNTED)) {
  case BEFORE_SPENT:
    return false;
  case BEFORE_NOT_TOLD:
    totals.counted_not_told++;
    return true;
  default:
    if (n != TS_NONE && n != list->batch.n && (s->reachable[to] || is_like_reachable(s, to)))
      return wrong(path, to, "counted", n, list->batch.n);
    return read_told(s, list, to) ? compare(path, s, to, list, true)
                                  : wrong(path, to, "no state", 0, 0);
  }
}

static bool compare_both(const char *path, struct space *s, struct list *list, uint64_t to) {
  totals.states++;
  totals.events += s->first[to + 1] - s->first[to];
  switch (before_fill(list, s->ts, s->row, s->shape->max_bytes, BEFORE_ALL)) {
  case BEFORE_SPENT:
    return false;
  case BEFORE_NOT_TOLD:
    totals.not_told++;
    break;
  default:
    if (!read_told(s, list, to))
      return wrong(path, to, "no state", 0, 0);
    if (!compare(path, s, to, list, false))
      return false;
  }
  return compare_counted(path, s, list, to);
}

/* A batch that grows goes on in the midst of an action: so each begins small, or large. */
static bool compare_state(const char *path, struct space *s, uint64_t to) {
  struct list list;
  write_state(s, to, s->row);
  if (!is_state(s, s->row))
    return true;
  const uint32_t large = s->is_wide ? 65536 : 512,
                 room = to % 2 == 0 && !s->is_wide ? 3 : large;
  if (!list_open(&list, s->shape, room, s->budget))
    return false;
  const bool fine = compare_both(path, s, &list, to);
  list_free(&list);
  return fine;
}

static bool is_chosen(struct space *s, uint64_t state) {
  const uint64_t n = work / s->n / (s->is_wide ? 8 : 1) + 1, step = n < s->n ? s->n / n : 1;
  if (s->reachable[state] && s->n_chosen < n) {
    s->n_chosen++;
    return true;
  }
  return state % step == step / 2;
}

/* ---- models ----------------------------------------------------------------------------- */

static void run_ts(const char *path, const struct ts *ts, struct budget *budget) {
  struct space s = {0};
  struct list list;
  if (ts_code(ts)->all_predecessors == NULL || !open_space(&s, ts, budget)) {
    totals.passed_over++;
  } else if (list_open(&list, ts->shape, 3, budget)) {
    bool fine = fire_all(&s, &list);
    list_free(&list);
    turn(&s);
    mark_reachable(&s);
    for (uint64_t i = 0; i < s.n && fine; i++)
      if (is_chosen(&s, i))
        fine = compare_state(path, &s, i);
    totals.models++;
    totals.failed += !fine;
  }
  close_space(&s);
}

static void run_model(const char *path, struct ir_model *model, struct budget *budget) {
  struct native_failure failure;
  const struct native_options options = {.compiler = NATIVE_TCC, .cache = ""};
  model->wants_backward = true;
  struct native *native = native_open(model, &options, budget, &failure);
  if (native == NULL)
    totals.passed_over++;
  else
    run_ts(path, native_ts(native), budget);
  native_close(native);
}

static void run(const char *path) {
  struct budget *budget = budget_open(0);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  struct diag *diag = diag_open(arena);
  const char *why = NULL;
  const struct language_options how = {.backward = true};
  const struct source *source = source_read(arena, path, &why);
  const struct language *language = language_of_file(path);
  if (source == NULL || language == NULL) {
    printf("FAIL %s: %s\n", path, why == NULL ? "of no language" : why);
    totals.failed++;
  } else if (language->traits & LANGUAGE_CHECKED) {
    struct ir_model *model = language->parse(arena, diag, source, &how);
    if (model != NULL)
      run_model(path, model, budget);
    totals.passed_over += model == NULL;
  } else {
    const struct ts *ts = language->open(arena, diag, source, &how, NULL, 0);
    if (ts != NULL)
      run_ts(path, ts, budget);
    totals.passed_over += ts == NULL;
  }
  arena_close(arena);
  budget_close(budget);
}

int main(int argc, char **argv) {
  int first = 1;
  for (; first + 1 < argc && argv[first][0] == '-'; first += 2)
    *(argv[first][1] == 'n' ? &most : &work) = strtoull(argv[first + 1], NULL, 10);
  for (int i = first; i < argc; i++)
    run(argv[i]);
  printf("%" PRIu64 " models, %" PRIu64 " passed over, %" PRIu64 " failed: %" PRIu64
         " states, %" PRIu64 " events; of %" PRIu64 " states not told, counted of %" PRIu64
         " not; %" PRIu64 " events left out\n",
         totals.models, totals.passed_over, totals.failed, totals.states, totals.events,
         totals.not_told, totals.counted_not_told, totals.left_out);
  return totals.failed > 0;
}
