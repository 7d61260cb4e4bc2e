/* rebuilding.c - how a store rebuilds states, as the command line says it.
 *
 * "comback:cache=1000+anchors=8+shorten": words in any order, some with a number.
 */
#include "cli/rebuilding.h"

#include <stdlib.h>
#include <string.h>

struct word {
  const char *name;
  bool number;
  uint32_t least, most;
};

enum { CACHE, ANCHORS, HASH, SHORTEN, NUMBERS, FORWARD, BACKWARD, ACTIONS, WORDS };

static const struct word words[WORDS] = {
    [CACHE] = {"cache", true, 0, 1u << 30}, [ANCHORS] = {"anchors", true, 0, 1u << 30},
    [HASH] = {"hash", true, 1, 64},         [SHORTEN] = {"shorten", false, 0, 0},
    [NUMBERS] = {"numbers", false, 0, 0},   [FORWARD] = {"forward", false, 0, 0},
    [BACKWARD] = {"backward", false, 0, 0}, [ACTIONS] = {"actions", false, 0, 0},
};

static void set(struct search_store_options *store, int word, uint32_t number) {
  switch (word) {
  case CACHE:
    store->rebuild.cached = number == 0 ? STORE_NO_CACHE : number;
    break;
  case ANCHORS:
    store->rebuild.anchors = number == 0 ? STORE_NO_ANCHORS : number;
    break;
  case HASH:
    store->hash_bits = number;
    break;
  case SHORTEN:
    store->rebuild.variants |= STORE_SHORTENS;
    break;
  case NUMBERS:
    store->rebuild.variants |= STORE_NUMBERS;
    break;
  case FORWARD:
    store->rebuild.variants |= STORE_FORWARD;
    break;
  case BACKWARD:
    store->rebuild.variants |= STORE_BACKWARD;
    break;
  default:
    store->rebuild.variants |= STORE_ACTIONS;
    break;
  }
}

/* Sets what the word that `n` characters are says, number and all, and which it is; WORDS:
 * none. */
static int read_word(const char *text, size_t n, struct search_store_options *store) {
  size_t length = strcspn(text, "=+");
  length = length < n ? length : n;
  for (int i = 0; i < WORDS; i++) {
    const struct word *word = &words[i];
    char *end;
    if (strlen(word->name) != length || memcmp(word->name, text, length) != 0)
      continue;
    if (!word->number && length == n) {
      set(store, i, 0);
      return i;
    }
    const char *digit = text + length + 1;
    if (!word->number || length == n || *digit < '0' || *digit > '9')
      return WORDS;
    unsigned long long number = strtoull(digit, &end, 10);
    if (end != text + n || number < word->least || number > word->most)
      return WORDS;
    set(store, i, (uint32_t)number);
    return i;
  }
  return WORDS;
}

const char *rebuilding_read(struct arena *arena, const char *text,
                            struct search_store_options *store) {
  const char *at = text + strcspn(text, ":");
  uint32_t seen = 0;
  if (*at == '\0' || at[1] < 'a' || at[1] > 'z')
    return NULL;
  if (!(store->kind->has & STORE_REBUILDS))
    return arena_printf(arena, "--store %.60s: after the colon there must be a number", text);
  for (at++;; at++) {
    size_t n = strcspn(at, "+");
    const int word = read_word(at, n, store);
    if (word == WORDS)
      return arena_printf(
          arena,
          "--store %.80s: after the colon there must be some of cache=N, "
          "anchors=N, shorten, numbers, forward, backward, actions and hash=N, joined by +",
          text);
    if (seen >> word & 1)
      return arena_printf(arena, "--store %.60s: %s is there twice: leave one out", text,
                          words[word].name);
    seen |= 1u << word;
    at += n;
    if (*at == '\0')
      break;
  }
  const uint32_t variants = store->rebuild.variants;
  if ((variants & STORE_BACKWARD) && (variants & (STORE_FORWARD | STORE_ACTIONS)))
    return arena_printf(
        arena, "--store %.80s: events are undone, or fired %s: leave out one of the two", text,
        variants & STORE_FORWARD ? "forward" : "as actions");
  return NULL;
}
