/* reducing.c - reductions and the order of actions, as the command line names them. */
#include "cli/reducing.h"

#include "base/bits.h"
#include "search/reduce/reduce.h"

#include <stdlib.h>
#include <string.h>

/* The words of --reduce that name a way to leave events out. */
static const struct {
  uint64_t bit;
  const char *name;
  uint32_t parameter;
  bool forced;
} words[] = {
    {OPTIONS_EDGE_LEAN, "edge-lean", 0, false}, {OPTIONS_TNF, "tnf", 0, false},
    {OPTIONS_TNF_FORCE, "tnf", 0, true},        {OPTIONS_SLEEP_1, "sleep", 1, false},
    {OPTIONS_SLEEP_1_FORCE, "sleep", 1, true},  {OPTIONS_SLEEP_2, "sleep", 2, false},
};

static const struct reduction_kind *by_name(const char *name) {
  uint32_t i = 0;
  while (strcmp(reduction_kinds[i]->name, name) != 0)
    i++;
  return reduction_kinds[i];
}

const char *reducing_read(const struct options *o, struct search_options *search) {
  uint64_t asked = o->value[OPTION_REDUCE].number;
  search->forget.chain = (asked & OPTIONS_CHAIN) != 0;
  for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
    if ((asked & words[i].bit) == 0)
      continue;
    if (search->reduce.kind != NULL)
      return "--reduce: of edge-lean, tnf and sleep only one at a time";
    search->reduce.kind = by_name(words[i].name);
    search->reduce.parameter = words[i].parameter;
    search->reduce.forced = words[i].forced;
  }
  return NULL;
}

/* Every order is as likely as any other (Fisher and Yates). */
static void shuffle(uint32_t *rank, uint32_t n, uint64_t seed) {
  for (uint32_t i = n; i > 1; i--) {
    uint32_t k = (uint32_t)(((bits_next_random(&seed) >> 32) * i) >> 32), kept = rank[i - 1];
    rank[i - 1] = rank[k];
    rank[k] = kept;
  }
}

const char *reducing_order(const struct options *o, struct loaded *l, const struct ts *ts,
                           struct search_options *search) {
  const char *text = o->value[OPTION_ACTION_ORDER].text;
  uint32_t n = ts->shape->n_actions;
  bool reverse = strcmp(text, "reverse") == 0;
  char *end = NULL;
  uint64_t seed = 0;
  if (strcmp(text, "model") == 0)
    return NULL;
  if (!reverse && strcmp(text, "random") != 0) {
    if (strncmp(text, "random:", 7) == 0 && text[7] >= '0' && text[7] <= '9')
      seed = strtoull(text + 7, &end, 10);
    if (end == NULL || *end != '\0')
      return "--action-order is model, reverse or random:SEED";
  }
  uint32_t *rank = arena_array(l->arena, n + (size_t)1, sizeof *rank);
  if (rank == NULL)
    return "there is no memory for the order of actions";
  for (uint32_t a = 0; a < n; a++)
    rank[a] = reverse ? n - 1 - a : a;
  if (!reverse)
    shuffle(rank, n, seed);
  search->reduce.action_rank = rank;
  return NULL;
}
