/* paint.c - colours in the bits of the store, or beside it. */
#include "search/paint.h"

#include "store/room/save.h"

#include "base/array.h"

static uint64_t path_name(const struct paint *c, const struct rows *rows, uint32_t i) {
  return c->in_store ? rows->ref[i] : rows->raw[i];
}

bool paint_open(struct paint *c, struct worker *w) {
  struct search *s = w->search;
  const struct store_config config = {.parameter = s->options->store.parameter,
                                      .size = s->options->store.size,
                                      .hash_bits = s->options->store.hash_bits,
                                      .rebuild = s->options->store.rebuild};
  *c = (struct paint){.worker = w,
                      .in_store = (s->store_kind->has & STORE_KEEPS_BITS) != 0,
                      .cyan.budget = s->budget};
  return c->in_store || (rows_open(&c->probe, s->shape, s->budget, 1) &&
                         search_open_store(w, s->store_kind, &config, &c->red, &c->red_work));
}

void paint_close(struct paint *c) {
  struct search *s = c->worker->search;
  array_free(s->budget, BUDGET_OPEN, c->path, c->room * sizeof *c->path);
  array_free(s->budget, BUDGET_OPEN, c->flags, c->flags_room);
  if (c->in_store)
    return;
  path_free(&c->cyan);
  rows_close(&c->probe, s->budget);
  if (c->red != NULL) {
    s->store_kind->end(c->red_work);
    s->store_kind->close(c->red);
  }
}

/* The path, and what is not in the bits of the store. */
bool paint_pass(struct paint *c, struct sink *sink) {
  struct search *s = c->worker->search;
  void *path = c->path, *flags = c->flags;
  uint64_t n = c->n;
  const bool fine =
      array_pass(sink, s->budget, BUDGET_OPEN, &path, &c->room, &c->n, sizeof *c->path) &&
      array_pass(sink, s->budget, BUDGET_OPEN, &flags, &c->flags_room, &n, 1);
  c->path = path;
  c->flags = flags;
  if (!fine || c->in_store)
    return fine;
  if (!path_pass(&c->cyan, sink))
    return false;
  if (sink_is_read(sink))
    return s->store_kind->load(c->red, sink);
  s->store_kind->save(c->red, sink);
  return true;
}

static bool make_room(struct paint *c) {
  struct budget *budget = c->worker->search->budget;
  if (c->n == c->room) {
    uint64_t *more = array_grow(budget, BUDGET_OPEN, c->path, &c->room, sizeof *c->path);
    if (more == NULL)
      return false;
    c->path = more;
  }
  if (c->n == c->flags_room) {
    uint8_t *more = array_grow(budget, BUDGET_OPEN, c->flags, &c->flags_room, 1);
    if (more == NULL)
      return false;
    c->flags = more;
  }
  return true;
}

bool paint_enter(struct paint *c, const struct rows *rows, uint32_t i, unsigned flags) {
  if ((c->n == c->room || c->n == c->flags_room) && !make_room(c))
    return false;
  c->path[c->n] = path_name(c, rows, i);
  c->flags[c->n++] = (uint8_t)(c->in_store ? flags : flags & ~(unsigned)PAINT_CLEAR);
  return c->in_store || path_push(&c->cyan, rows->raw[i]);
}

unsigned paint_leave(struct paint *c, uint64_t *name) {
  const struct store_kind *kind = c->worker->search->store_kind;
  const unsigned flags = c->flags[--c->n];
  *name = c->path[c->n];
  if (c->in_store)
    kind->set_bits(c->worker->store, *name,
                   (flags & PAINT_CLEAR) != 0 ? COLOUR_RED : COLOUR_BLUE);
  else
    path_pop(&c->cyan);
  return flags;
}

enum colour paint_of(struct paint *c, const struct rows *rows, uint32_t i) {
  const struct store_kind *kind = c->worker->search->store_kind;
  if (c->in_store)
    return (enum colour)kind->bits(c->worker->store, rows->ref[i]);
  if (path_has(&c->cyan, rows->raw[i]))
    return COLOUR_CYAN;
  rows_set(&c->probe, rows_at(rows, i), rows->batch.edge[i].length, rows->raw[i]);
  kind->find(c->red_work, &c->probe, 0, 1);
  return c->probe.answer[0] == STORE_OLD ? COLOUR_RED : COLOUR_BLUE;
}

uint64_t paint_place(const struct paint *c, const struct rows *rows, uint32_t i) {
  const uint64_t name = path_name(c, rows, i);
  uint64_t at = c->n - 1;
  while (at > 0 && c->path[at] != name)
    at--;
  return at;
}

bool paint_redden(struct paint *c, uint64_t name, const uint8_t *row, uint32_t length) {
  struct search *s = c->worker->search;
  if (c->in_store) {
    s->store_kind->set_bits(c->worker->store, name, COLOUR_RED);
    return true;
  }
  rows_set(&c->probe, row, length, hash_raw(s->hash, row, length));
  return s->store_kind->put(c->red_work, &c->probe, 0, 1) == 1;
}
