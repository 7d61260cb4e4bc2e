/* ways.c - choosing who knows the way, and keeping parents. */
#include "search/core.h"

#include <string.h>

enum { FRESH_BYTES = SEARCH_MOST_ROWS * sizeof(uint32_t) };

static uint64_t stack_path(struct search *s, uint64_t number, struct ts_event *event) {
  (void)number; /* what it has in hand */
  return s->worker->order->path(s->worker->frontier, event);
}

/* Follows the parents back to an initial state, then goes forwards from there. The store is
 * not asked: it need not be able to give states back. */
uint64_t way_of_parents(struct search *s, uint64_t number, struct ts_event *event) {
  struct parents_cursor cursor = {0};
  uint64_t n = 0;
  for (uint64_t id = number; id != STORE_NONE; n++)
    id = parents_get(&s->parents, &cursor, id).parent;
  if (event == NULL || n == 0)
    return n;
  cursor = (struct parents_cursor){0};
  for (uint64_t i = n, id = number; i-- > 0;) {
    struct parents_step step = parents_get(&s->parents, &cursor, id);
    event[i] = (struct ts_event){TS_NONE, step.nth};
    id = step.parent;
  }
  uint32_t length = 0;
  const uint8_t *row = worker_walk_initial(s->worker, event[0].choice, &length);
  for (uint64_t i = 1; i < n; i++)
    if (!worker_follow(s->worker, row, &length, event[i - 1].action, event[i].choice,
                       &event[i]))
      return WAY_BROKEN;
  return n;
}

/* Where events are chosen, it is told apart among which of them a row is the nth. */
static bool keep_parent(struct search *s, const struct rows *rows, uint32_t i) {
  const struct ts_edge *edge = &rows->batch.edge[i];
  uint32_t nth = edge->source;
  if (rows->pred[i] == STORE_NONE)
    return parents_add_initial(&s->parents, nth);
  return parents_add(&s->parents, rows->pred[i],
                     s->worker->chooses ? (CHOOSE_NOTES + 1) * nth + (edge->note & CHOOSE_NOTE)
                                        : nth);
}

/* The watch of the parents. All rows are answered in the order in which they were fired, so
 * which successor of its state a row is can be counted here. */
static uint32_t keep_parents(void *context, struct rows *rows, uint32_t from, uint32_t to,
                             bool put) {
  struct search *s = context;
  struct way *way = &s->way;
  uint64_t pred = way->pred;
  uint32_t *fresh = way->fresh, n = 0, nth = way->nth;
  assert(to - from <= SEARCH_MOST_ROWS && put);
  for (uint32_t i = from; i < to && put; i++) {
    uint32_t same = rows->pred[i] == pred; /* without branches: none could be predicted */
    nth = (nth + 1) & (0 - same);
    pred = rows->pred[i];
    rows->batch.edge[i].source = nth;
    fresh[n] = i;
    n += rows->answer[i];
  }
  for (uint32_t k = 0; k < n; k++)
    if (!keep_parent(s, rows, fresh[k])) {
      uint32_t end = fresh[k]; /* from there on again */
      if (end > from) {
        way->pred = rows->pred[end - 1];
        way->nth = rows->batch.edge[end - 1].source;
      }
      return end;
    }
  way->pred = pred;
  way->nth = nth;
  return to;
}

bool way_keep_parents(struct search *s) {
  s->way = (struct way){
      .of = WAY_PARENTS, .lasts = true, .path = way_of_parents, .pred = OPEN_UNKNOWN};
  s->way.fresh = budget_alloc(s->budget, BUDGET_OPEN, FRESH_BYTES);
  watches_add(&s->worker->watches,
              (struct watch){.hears = WATCH_ANSWERED, .context = s, .answered = keep_parents});
  return s->way.fresh != NULL;
}

void way_close(struct search *s) {
  if (s->way.of == WAY_PARENTS) {
    budget_free(s->budget, BUDGET_OPEN, s->way.fresh, FRESH_BYTES);
    watches_remove(&s->worker->watches, s);
  }
  s->way = (struct way){.of = WAY_NONE, .lasts = true};
}

bool way_open(struct search *s) {
  if (s->way.of != WAY_NONE)
    return true;
  s->way.lasts = true;
  if (s->worker->order->traits & FRONTIER_PATH)
    s->way = (struct way){.of = WAY_STACK, .path = stack_path};
  else if (s->options->parents)
    return way_keep_parents(s);
  return true;
}
