/* claim_names.c - see claim_names.h */
#include "cli/claim_names.h"

#include "ts/claim.h"

#include <string.h>

static bool has_claim(const struct ts_shape *shape, const char *name) {
  for (uint32_t i = 0; i < shape->n_claims; i++)
    if (!claim_is_label(&shape->claim[i]) && strcmp(shape->claim[i].name, name) == 0)
      return true;
  for (uint32_t i = 0; i < shape->n_unchecked; i++)
    if (strstr(shape->unchecked[i], name) != NULL)
      return true;
  return false;
}

/* The names that there are, for whoever named another one. */
static const char *known_names(struct arena *arena, const struct ts_shape *shape) {
  const struct ts_notes *notes = ts_notes(shape);
  const char *names = "";
  for (uint32_t i = 0; i < shape->n_claims + notes->n_unasked; i++) {
    const bool asked = i < shape->n_claims;
    if (asked && (claim_is_label(&shape->claim[i]) || shape->claim[i].is_asked))
      continue;
    names = arena_printf(arena, "%s%s%s", names, *names == '\0' ? "" : ", ",
                         asked ? shape->claim[i].name : notes->unasked[i - shape->n_claims]);
  }
  return names;
}

const char *claim_names_unknown(struct arena *arena, const struct ts_shape *shape,
                                const struct options *o) {
  uint32_t cursor = 0;
  for (const char *text; (text = options_next(o, OPTION_CLAIM, &cursor)) != NULL;) {
    if (strcmp(text, "none") == 0 || has_claim(shape, text))
      continue;
    const char *names = known_names(arena, shape);
    return arena_printf(
        arena, "the model has no claim '%.200s'%s%.600s", text,
        *names == '\0' ? ", nor any other: --ltl asks about a formula" : ": it has ", names);
  }
  return NULL;
}
