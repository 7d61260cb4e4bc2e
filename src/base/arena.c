/* arena.c - many small blocks with one lifetime.
 *
 * Chunks double in size up to a bound, so that a small model costs little and a
 * large one few calls. A block that would waste much of a fresh chunk gets a
 * chunk of its own after the current one, which stays in use. Where such a block is an
 * array that grows, the chunk grows, and nothing is left over.
 */
#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_ALIGN ((size_t)16)
#define ARENA_FIRST ((size_t)8 << 10)
#define ARENA_MOST  ((size_t)1 << 20)

struct chunk {
  struct chunk *next;
  size_t bytes;  /* header included */
  bool is_alone; /* one block, and no room after it */
  _Alignas(16) char data[];
};

struct ending {
  struct ending *next;
  void (*end)(void *);
  void *context;
};

struct arena {
  struct budget *budget;
  enum budget_purpose purpose;
  struct chunk *chunk; /* the one in use first */
  char *at;            /* free room in it */
  size_t room;
  size_t next_bytes;
  jmp_buf *guard, *last;
  const struct source *sources;
  struct ending *ending;
  struct arena *outer, *inside, *beside; /* the first inside of it, the next in the same */
};

struct arena *arena_open(struct budget *budget, enum budget_purpose purpose) {
  struct arena *arena = budget_alloc(budget, purpose, sizeof *arena);
  if (arena == NULL)
    return NULL;
  arena->budget = budget;
  arena->purpose = purpose;
  arena->next_bytes = ARENA_FIRST;
  return arena;
}

struct arena *arena_inside(struct arena *outer) {
  struct arena *arena = arena_open(outer->budget, outer->purpose);
  if (arena == NULL)
    arena_spent(outer);
  arena->outer = outer;
  arena->beside = outer->inside;
  outer->inside = arena;
  return arena;
}

static void leave_outer(struct arena *arena) {
  struct arena **place = &arena->outer->inside;
  while (*place != arena)
    place = &(*place)->beside;
  *place = arena->beside;
}

void arena_close(struct arena *arena) {
  if (arena == NULL)
    return;
  while (arena->inside != NULL)
    arena_close(arena->inside);
  for (struct ending *ending = arena->ending; ending != NULL; ending = ending->next)
    ending->end(ending->context);
  if (arena->outer != NULL)
    leave_outer(arena);
  struct budget *budget = arena->budget;
  const enum budget_purpose purpose = arena->purpose;
  for (struct chunk *chunk = arena->chunk, *next; chunk != NULL; chunk = next) {
    next = chunk->next;
    budget_free(budget, purpose, chunk, chunk->bytes);
  }
  budget_free(budget, purpose, arena, sizeof *arena);
}

jmp_buf *arena_guard(struct arena *arena, jmp_buf *at) {
  jmp_buf *before = arena->guard;
  arena->guard = at;
  return before;
}

void arena_guard_last(struct arena *arena, jmp_buf *at) {
  arena->last = at;
}

void arena_at_close(struct arena *arena, void (*end)(void *), void *context) {
  struct ending *ending = ARENA_NEW(arena, struct ending);
  *ending = (struct ending){arena->ending, end, context};
  arena->ending = ending;
}

struct budget *arena_budget(const struct arena *arena) {
  return arena->budget;
}

const struct source **arena_sources(struct arena *arena) {
  return &arena->sources;
}

_Noreturn void arena_spent(struct arena *arena) {
  while (arena->guard == NULL && arena->outer != NULL)
    arena = arena->outer;
  jmp_buf *at = arena->guard != NULL ? arena->guard : arena->last;
  if (at != NULL)
    longjmp(*at, 1);
  fputs("cairn: the memory budget is exhausted\n", stderr);
  exit(3);
}

static struct chunk *new_chunk(struct arena *arena, size_t bytes) {
  struct chunk *chunk = budget_alloc(arena->budget, arena->purpose, bytes);
  if (chunk == NULL)
    arena_spent(arena);
  chunk->bytes = bytes;
  return chunk;
}

static void *own_chunk(struct arena *arena, size_t bytes) {
  struct chunk *chunk = new_chunk(arena, sizeof *chunk + bytes);
  chunk->is_alone = true;
  struct chunk **place = arena->chunk == NULL ? &arena->chunk : &arena->chunk->next;
  chunk->next = *place;
  *place = chunk;
  return chunk->data;
}

void *arena_alloc(struct arena *arena, size_t bytes) {
  if (bytes > SIZE_MAX / 2)
    arena_spent(arena);
  bytes = ((bytes == 0 ? 1 : bytes) + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1);
  if (bytes > arena->room) {
    if (bytes > arena->next_bytes / 4)
      return own_chunk(arena, bytes);
    struct chunk *chunk = new_chunk(arena, arena->next_bytes);
    chunk->next = arena->chunk;
    arena->chunk = chunk;
    arena->at = chunk->data;
    arena->room = chunk->bytes - sizeof *chunk;
    if (arena->next_bytes < ARENA_MOST)
      arena->next_bytes *= 2;
  }
  void *block = arena->at;
  arena->at += bytes;
  arena->room -= bytes;
  return block;
}

void *arena_array(struct arena *arena, size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes))
    arena_spent(arena);
  return arena_alloc(arena, bytes);
}

char *arena_text(struct arena *arena, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 1);
  if (length > 0)
    memcpy(copy, text, length);
  return copy;
}

char *arena_printf(struct arena *arena, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0) {
    va_end(again);
    return arena_text(arena, "", 0);
  }
  char *text = arena_alloc(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

/* Where the list has the chunk of a block that is alone there, or NULL. */
static struct chunk **find_alone(struct arena *arena, const void *at) {
  for (struct chunk **place = &arena->chunk; *place != NULL; place = &(*place)->next)
    if ((*place)->data == at)
      return (*place)->is_alone ? place : NULL;
  return NULL;
}

/* A block that is alone in its chunk, with more room; NULL: it is not. */
static void *grow_alone(struct arena *arena, void *at, size_t bytes) {
  struct chunk **place = bytes > arena->next_bytes / 4 ? find_alone(arena, at) : NULL;
  if (place == NULL)
    return NULL;
  const size_t size = sizeof **place + bytes;
  struct chunk *chunk =
      budget_realloc(arena->budget, arena->purpose, *place, (*place)->bytes, size);
  if (chunk == NULL)
    arena_spent(arena);
  chunk->bytes = size;
  *place = chunk;
  return chunk->data;
}

void *arena_grow(struct arena *arena, void *at, uint32_t n, uint32_t *capacity, size_t size) {
  if (*capacity > UINT32_MAX / 2)
    arena_spent(arena);
  const uint32_t more = *capacity == 0 ? 8 : *capacity * 2;
  void *grown =
      n > 0 && more <= SIZE_MAX / 4 / size ? grow_alone(arena, at, more * size) : NULL;
  if (grown == NULL) {
    grown = arena_array(arena, more, size);
    if (n > 0)
      memcpy(grown, at, n * size);
  }
  *capacity = more;
  return grown;
}
