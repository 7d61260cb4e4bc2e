/* paint.c - colours in the bits of the store, or beside it. */
#include "search/paint.h"

#include "store/room/save.h"

#include "base/array.h"

static uint64_t path_name(const struct paint *c, const struct rows *rows, uint32_t i) {
  return c->in_store ? rows->ref[i] : rows->raw[i];
}

/* The store of what is red, of this kind. */
static bool open_beside(struct paint *c, const struct store_kind *kind) {
  struct search *s = c->worker->search;
  const struct store_config config = {.parameter = s->options->store.parameter,
                                      .size = s->options->store.size,
                                      .hash_bits = s->options->store.hash_bits,
                                      .rebuild = s->options->store.rebuild};
  const struct store_config of_search = s->store_config;
  c->red_kind = kind;
  const bool fine = rows_open(&c->probe, s->shape, s->budget, 1) &&
                    search_open_store(c->worker, kind, &config, &c->red, &c->red_work);
  s->store_config = of_search;
  return fine;
}

static void close_beside(struct paint *c) {
  path_free(&c->cyan);
  rows_close(&c->probe, c->worker->search->budget);
  if (c->red != NULL) {
    c->red_kind->end(c->red_work);
    c->red_kind->close(c->red);
  }
  c->red = NULL;
}

bool paint_open(struct paint *c, struct worker *w) {
  struct search *s = w->search;
  *c = (struct paint){.worker = w,
                      .in_store = (s->store_kind->has & STORE_KEEPS_BITS) != 0,
                      .cyan.budget = s->budget};
  return c->in_store || open_beside(c, s->store_kind);
}

void paint_close(struct paint *c) {
  struct search *s = c->worker->search;
  array_free(s->budget, BUDGET_OPEN, c->path, c->room * sizeof *c->path);
  array_free(s->budget, BUDGET_OPEN, c->flags, c->flags_room);
  if (!c->in_store)
    close_beside(c);
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
    return c->red_kind->load(c->red, sink);
  c->red_kind->save(c->red, sink);
  return true;
}

/* ---- when the states move -----------------------------------------------------------------
 */

/* The path by its hashes, as long as the old store gives its states. */
static bool hash_path(struct paint *c) {
  struct search *s = c->worker->search;
  uint8_t *row = rows_at(&c->probe, 0);
  for (uint64_t i = 0; i < c->n; i++) {
    const uint32_t length = s->store_kind->get(c->worker->store, c->path[i], row);
    if (!path_push(&c->cyan, hash_raw(s->hash, row, length)))
      return false;
  }
  return true;
}

bool paint_move(struct paint *c, const struct store_kind *to) {
  const unsigned has = c->worker->search->store_kind->has;
  c->moved = 0;
  if (!c->in_store)
    return false;
  if (to->has & STORE_KEEPS_BITS)
    return (has & STORE_IDS) != 0;
  if (!(has & STORE_GETS) || !open_beside(c, to) || !hash_path(c)) {
    close_beside(c);
    return false;
  }
  c->in_store = false;
  for (uint64_t i = 0; i < c->n; i++) {
    c->path[i] = c->cyan.at[i];
    c->flags[i] &= (uint8_t)~PAINT_CLEAR;
  }
  return true;
}

/* On the path are the states in the order in which they were stored, and so they come. */
bool paint_moved(struct paint *c, const struct engine_moved *state) {
  if (c->in_store) {
    if (c->moved < c->n && c->path[c->moved] == state->old_ref)
      c->path[c->moved++] = state->ref;
    return true;
  }
  return state->bits != COLOUR_RED || paint_redden(c, state->ref, state->row, state->length);
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
  while ((c->n == c->room || c->n == c->flags_room) && !make_room(c))
    if (!worker_relieve(c->worker))
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
  c->red_kind->find(c->red_work, &c->probe, 0, 1);
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
  return c->red_kind->put(c->red_work, &c->probe, 0, 1) == 1;
}
