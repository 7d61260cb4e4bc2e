/* arena.h - many small blocks with one lifetime, freed whole.
 *
 * The language wing lives in one arena. Allocation never returns NULL: when the
 * budget is exhausted it jumps to the place set by arena_guard(), so that parsers
 * and passes need no checks on every node. Blocks are zeroed and aligned to 16.
 */
#ifndef CAIRN_BASE_ARENA_H
#define CAIRN_BASE_ARENA_H

#include "base/budget.h"

#include <setjmp.h>
#include <stdarg.h>

struct arena;

struct arena *arena_open(struct budget *, enum budget_purpose);
void arena_close(struct arena *);
/* For what only one step needs: an arena that may be closed before `outer` is, and is closed
 * with it otherwise, also where memory runs out and the outer one's guard is jumped to. */
struct arena *arena_inside(struct arena *outer);

/* Where to go when memory runs out: `jmp_buf at; if (setjmp(at)) …out of memory…;
 * arena_guard(arena, &at);`. Without a guard the process ends with a message and status 3.
 * Returns the guard before, for those who clean up and go on to it by arena_spent(). */
jmp_buf *arena_guard(struct arena *, jmp_buf *);
/* The same for whatever has no guard: for one who calls all the others, and sets it once. */
void arena_guard_last(struct arena *, jmp_buf *);
_Noreturn void arena_spent(struct arena *);

/* Calls back when it is closed, before its memory is gone: for what it does not own. The last
 * comes first. */
void arena_at_close(struct arena *, void (*end)(void *), void *context);

/* Where its memory comes from. */
struct budget *arena_budget(const struct arena *);

/* Where the list of texts begins that were read into it: see source.h. */
const struct source **arena_sources(struct arena *);

void *arena_alloc(struct arena *, size_t bytes);
/* For arrays: count * size, checked for overflow. */
void *arena_array(struct arena *, size_t count, size_t size);
char *arena_text(struct arena *, const char *text, size_t length); /* copy, NUL added */
char *arena_printf(struct arena *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(arena, type)          ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, count, type) ((type *)arena_array((arena), (count), sizeof(type)))

/* A growing array inside an arena: struct { T *at; uint32_t n, capacity; }.
 * ARENA_PUSH gives a pointer to the new, zeroed last element. */
void *arena_grow(struct arena *, void *at, uint32_t n, uint32_t *capacity, size_t size);
#define ARENA_PUSH(arena, vec)                                                                 \
  ((vec)->at = (vec)->n == (vec)->capacity ? arena_grow((arena), (vec)->at, (vec)->n,          \
                                                        &(vec)->capacity, sizeof *(vec)->at)   \
                                           : (vec)->at,                                        \
   &(vec)->at[(vec)->n++])

#endif
