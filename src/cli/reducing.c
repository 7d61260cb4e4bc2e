/* reducing.c - reductions and the order of actions, as the command line names them. */
#include "cli/reducing.h"

#include "cli/seams.h"

#include "base/bits.h"
#include "search/reduce/reduce.h"

#include <stdlib.h>
#include <string.h>

#define NAME_CHAIN "chain"
#define NAME_NONE  "none"
#define NAME_AUTO  "auto"
#define NAME_MERGE "merge"
#define NAME_DEAD  "dead"

/* Fewer states, and it costs little where it brings nothing. */
static const struct reduction_kind *automatic(void) {
  uint32_t i = 0;
  while (reduction_kinds[i] != NULL && !(reduction_kinds[i]->traits & REDUCTION_CHOOSES))
    i++;
  return reduction_kinds[i];
}

static const struct reduction_kind *by_name(const char *name, size_t length) {
  for (uint32_t i = 0; reduction_kinds[i] != NULL; i++)
    if (strlen(reduction_kinds[i]->name) == length &&
        memcmp(reduction_kinds[i]->name, name, length) == 0)
      return reduction_kinds[i];
  return NULL;
}

/* The ":N" and ":force" of a word that ends at `end`. */
static bool read_rest(const struct reduction_kind *kind, const char *text, const char *end,
                      struct search_reduce_options *r) {
  char *after;
  if (kind->most > 0) {
    if (*text != ':' || text[1] < '0' || text[1] > '9')
      return false;
    unsigned long number = strtoul(text + 1, &after, 10);
    r->parameter = number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
    text = after;
  }
  bool forced = end - text == 6 && memcmp(text, ":force", 6) == 0;
  if (forced && r->beside != NULL && kind == r->kind)
    return false; /* it is for the other one */
  r->forced |= forced;
  return forced || text == end;
}

/* Sets it, or, if there is one already, one of them beside the other. If neither can be: the
 * one whose place it would need. */
static const struct reduction_kind *add_kind(const struct reduction_kind *kind,
                                             struct search_reduce_options *r) {
  bool chooses = (kind->traits & REDUCTION_CHOOSES) != 0;
  bool is_first = r->kind != NULL && (r->kind->traits & REDUCTION_CHOOSES) != 0;
  if (r->kind == NULL)
    r->kind = kind;
  else if (chooses == is_first)
    return r->kind;
  else if (r->beside != NULL)
    return r->beside;
  else {
    r->beside = chooses ? r->kind : kind;
    r->kind = chooses ? kind : r->kind;
  }
  return NULL;
}

static bool is_word(const char *word, size_t length, const char *name) {
  return length == strlen(name) && memcmp(word, name, length) == 0;
}

/* A reduction, NAME[:N][:force], which ends at `end`. */
static const char *read_kind(struct loaded *l, const char *word, const char *end,
                             struct search_options *search) {
  size_t length = (size_t)(end - word), name = strcspn(word, ":,");
  int shown = length > 60 ? 60 : (int)length;
  bool is_auto = is_word(word, length, NAME_AUTO);
  const struct reduction_kind *kind = is_auto ? automatic() : by_name(word, name);
  search->reduce.automatic |= is_auto;
  char names[300];
  seams_names(OPTION_REDUCE, names, sizeof names);
  if (kind == NULL)
    return arena_printf(l->arena, "--reduce: there is no '%.*s', but %s; see --reduce help",
                        shown, word, names);
  const struct reduction_kind *other = add_kind(kind, &search->reduce);
  if (other != NULL && search->reduce.automatic && other == kind)
    return arena_printf(
        l->arena, "--reduce auto takes %s itself, where it is sound: leave out one of them",
        kind->name);
  if (other != NULL)
    return arena_printf(l->arena, "--reduce %s and %s: only one at a time", other->name,
                        kind->name);
  if (search->reduce.automatic && search->reduce.beside != NULL)
    return arena_printf(l->arena,
                        "--reduce auto takes what is sound, and %s only if it is named: use "
                        "--reduce %s,%s, or leave out one of them",
                        search->reduce.beside->name, search->reduce.kind->name,
                        search->reduce.beside->name);
  l->wants_control |= (kind->traits & REDUCTION_CHOOSES) != 0;
  if (read_rest(kind, word + name, end, &search->reduce))
    return NULL;
  if (kind->most > 0)
    return arena_printf(l->arena, "--reduce %.*s: write %s:N, with N from %u to %u", shown,
                        word, kind->name, kind->least, kind->most);
  return arena_printf(l->arena, "--reduce %.*s: %s after %s: leave it out", shown, word,
                      kind->traits & REDUCTION_LOSES ? "there can only be :force"
                                                     : "there is nothing to be said",
                      kind->name);
}

/* One word of --reduce, which ends at `end`. */
static const char *read_word(struct loaded *l, const char *word, const char *end,
                             struct search_options *search) {
  size_t length = (size_t)(end - word);
  if (is_word(word, length, NAME_CHAIN))
    search->forget.chain = true;
  else if (is_word(word, length, NAME_MERGE))
    l->reductions |= IR_MERGE;
  else if (is_word(word, length, NAME_DEAD))
    l->reductions |= IR_DEAD;
  else if (!is_word(word, length, NAME_NONE))
    return read_kind(l, word, end, search);
  return NULL;
}

/* Whether the word is one of the list, and not the only one. */
static bool has_beside(const char *list, const char *word) {
  size_t n = strlen(word);
  for (const char *at = list; at != NULL; at = strchr(at, ',')) {
    at += *at == ',';
    if (strncmp(at, word, n) == 0 && (at[n] == ',' || at[n] == '\0'))
      return strcmp(list, word) != 0;
  }
  return false;
}

const char *reducing_read(const struct options *o, struct loaded *l,
                          struct search_options *search, const char **text) {
  uint32_t cursor = 0;
  for (const char *list; (list = options_next(o, OPTION_REDUCE, &cursor)) != NULL;) {
    *text = *text == NULL ? list : arena_printf(l->arena, "%s,%s", *text, list);
    if (has_beside(*text, NAME_NONE))
      return "--reduce none leaves nothing out, and goes with no other name: leave out one of "
             "them";
    for (const char *at = list;; at++) {
      const char *end = at + strcspn(at, ","), *why = read_word(l, at, end, search);
      if (why != NULL)
        return why;
      at = end;
      if (*at == '\0')
        break;
    }
  }
  if (search->reduce.automatic && o->value[OPTION_QUERIES].given)
    search->reduce.kind = NULL;
  /* Until the model is loaded: any order but that of the model. */
  static const uint32_t unknown;
  if (strcmp(o->value[OPTION_ACTION_ORDER].text, "model") != 0)
    search->reduce.action_rank = &unknown;
  return NULL;
}

void reducing_choose_kind(struct search_options *search, const struct rules_case *judged,
                          const struct reduction_kind *kind) {
  struct search_reduce_options *reduce = &search->reduce;
  reduce->kind = NULL;
  const uint64_t before = rules_all_broken(judged);
  reduce->kind = kind;
  if (rules_all_broken(judged) & ~before)
    reduce->kind = NULL;
}

/* The same of what is done to the model before the search. */
static void choose_of_model(struct loaded *l, struct rules_case *judged, unsigned reduction,
                            unsigned asked) {
  const uint64_t before = rules_all_broken(judged);
  const unsigned old = judged->asked;
  judged->asked |= asked | (l->checked & reduction ? RULES_DOUBTED : 0u);
  if (rules_all_broken(judged) & ~before)
    judged->asked = old;
  else
    l->reductions |= reduction;
}

void reducing_choose(struct loaded *l, struct search_options *search,
                     struct rules_case *judged) {
  const bool merges = (l->reductions & IR_MERGE) != 0;
  reducing_choose_kind(search, judged, search->reduce.kind);
  choose_of_model(l, judged, IR_MERGE, RULES_MERGED);
  choose_of_model(l, judged, IR_DEAD, 0);
  l->merges_unless_counted = !merges && (l->reductions & IR_MERGE);
  const uint64_t before = rules_all_broken(judged);
  const bool chains = search->forget.chain;
  search->forget.chain = true;
  search->forget.chain = chains || (rules_all_broken(judged) & ~before) == 0;
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
