/* pool.c - lists of tokens that the preprocessor is done with, to be used again.
 *
 * Macros inside macros move the same tokens from list to list, level by level, and only the
 * last list is kept. Without this a text of a few kilobytes that expands to a hundred thousand
 * tokens takes ten times the memory of what it expands to. Lists double as they grow, so there
 * are few sizes, and for each a chain of free ones.
 */
#include "lang/promela/text/preprocess.h"

#include <string.h>

#define POOL_FIRST 8u /* tokens in the smallest list */

static uint32_t size_of(uint32_t capacity) {
  uint32_t i = 0;
  while (POOL_FIRST << i < capacity)
    i++;
  return i;
}

void promela_pp_release(struct promela_preprocessor *pp, struct promela_token *at,
                        uint32_t capacity) {
  if (capacity == 0)
    return;
  struct promela_token **chain = &pp->pool[size_of(capacity)];
  memcpy((void *)at, chain, sizeof *chain);
  *chain = at;
}

static struct promela_token *room_for(struct promela_preprocessor *pp, uint32_t capacity) {
  struct promela_token **chain = &pp->pool[size_of(capacity)], *at = *chain;
  if (at == NULL)
    return ARENA_ARRAY(pp->arena, capacity, struct promela_token);
  memcpy(chain, (void *)at, sizeof *chain);
  return at;
}

struct promela_token *promela_pp_add(struct promela_preprocessor *pp,
                                     struct promela_tokens *list) {
  if (list->n == list->capacity) {
    uint32_t capacity = list->capacity == 0 ? POOL_FIRST : 2 * list->capacity;
    struct promela_token *at = room_for(pp, capacity);
    if (list->n > 0)
      memcpy(at, list->at, list->n * sizeof *at);
    promela_pp_release(pp, list->at, list->capacity);
    list->at = at;
    list->capacity = capacity;
  }
  return &list->at[list->n++];
}
