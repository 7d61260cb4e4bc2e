/* kind.c - kinds of Büchi automata (Bloem, Ravi, Somenzi 1999). */
#include "lang/ltl/kind.h"

#include "lang/ltl/components.h"

#include <string.h>

static bool reads_all(const struct buchi *b, uint32_t s) {
  struct label all = {0};
  for (uint32_t i = b->first[s]; i < b->first[s + 1]; i++)
    all = label_or(b->arena, all, b->edge[i].label);
  return label_is_true(all);
}

/* Whether accepting components are closed, accept on every cycle, and read every letter. */
static bool is_terminal(const struct buchi *b, const struct components *c) {
  for (uint32_t s = 0; s < b->n_states; s++) {
    if (!c->accepting[c->of[s]])
      continue;
    if (!c->without_bad[c->of[s]] || !reads_all(b, s))
      return false;
    for (uint32_t i = b->first[s]; i < b->first[s + 1]; i++)
      if (!components_inside(c, &b->edge[i]))
        return false;
  }
  return true;
}

struct kind kind_of(const struct buchi *b) {
  const struct components *c = components_of(b);
  struct kind kind = {.safety = true, .weak = true};
  for (uint32_t i = 0; i < c->n; i++) {
    const bool good = c->accepting[i] && c->without_bad[i];
    kind.safety = kind.safety && (!c->cyclic[i] || good);
    kind.weak = kind.weak && (!c->accepting[i] || good);
  }
  kind.terminal = is_terminal(b, c);
  kind.deterministic = buchi_is_deterministic(b);
  kind.complete = buchi_is_complete(b);
  return kind;
}

const char *kind_words(struct arena *arena, const struct kind *kind) {
  const struct {
    bool is;
    const char *word;
  } part[] = {{kind->terminal, "terminal"},
              {kind->safety, "safety"},
              {kind->weak, "weak"},
              {kind->deterministic, "deterministic"},
              {kind->complete, "complete"}};
  const char *words = "";
  for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
    if (part[i].is)
      words = arena_printf(arena, "%s%s%s", words, *words != '\0' ? ", " : "", part[i].word);
  return words;
}
