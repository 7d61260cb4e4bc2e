/* macros.c - the macros by name: a table of fixed size with chains. */
#include "lang/promela/text/preprocess.h"

#include <stdio.h>
#include <string.h>

bool promela_pp_fail(struct promela_preprocessor *pp, struct span span, const char *format,
                     ...) {
  if (pp->failed)
    return false;
  pp->failed = true;
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  diag_error(pp->diag, span, "%s", text);
  return false;
}

static uint32_t bucket_of(const char *name, uint32_t length) {
  uint32_t hash = 2166136261u;
  for (uint32_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)name[i]) * 16777619u;
  return hash % PROMELA_BUCKETS;
}

struct promela_macro *promela_pp_find(const struct promela_preprocessor *pp, const char *name,
                                      uint32_t length) {
  struct promela_macro *macro = pp->bucket[bucket_of(name, length)];
  while (macro != NULL && !(macro->length == length && memcmp(macro->name, name, length) == 0))
    macro = macro->next;
  if (macro != NULL)
    macro->is_used = true;
  return macro;
}

bool promela_pp_is_defined(struct promela_preprocessor *pp, const struct promela_token *name) {
  *ARENA_PUSH(pp->arena, &pp->asked) = arena_text(pp->arena, name->text, name->length);
  return promela_pp_find(pp, name->text, name->length) != NULL;
}

/* A later definition comes before an earlier one. */
void promela_pp_define(struct promela_preprocessor *pp, struct promela_macro *macro) {
  struct promela_macro **bucket = &pp->bucket[bucket_of(macro->name, macro->length)];
  macro->next = *bucket;
  *bucket = macro;
}

void promela_pp_undefine(struct promela_preprocessor *pp, const struct promela_token *name) {
  struct promela_macro **at = &pp->bucket[bucket_of(name->text, name->length)];
  while (*at != NULL) {
    if ((*at)->length == name->length && memcmp((*at)->name, name->text, name->length) == 0) {
      (*at)->is_used = true;
      *at = (*at)->next;
    } else {
      at = &(*at)->next;
    }
  }
}
