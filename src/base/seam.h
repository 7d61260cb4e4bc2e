/* seam.h - whether a kind says of itself what it is, and what it is called.
 *
 * A seam is a constant struct of functions, and which of them an implementation has follows
 * from the traits that it declares, never from a function left NULL. For each seam there is a
 * list of its functions with the trait that each goes with; a unit test holds every kind
 * against it.
 */
#ifndef CAIRN_BASE_SEAM_H
#define CAIRN_BASE_SEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A function of a kind: its name, where its pointer is, and the traits any of which it goes
 * with; 0: every kind must have it. */
struct seam_function {
  const char *name;
  size_t at;
  unsigned traits;
};

#define SEAM(kind, function, with)                                                             \
  { #function, offsetof(struct kind, function), with }

/* The first function that is missing, or is there although no trait declares it; NULL: all is
 * as declared. */
static inline const char *seam_broken(const void *kind, unsigned traits,
                                      const struct seam_function *list, size_t n) {
  for (size_t i = 0; i < n; i++) {
    void (*function)(void);
    memcpy(&function, (const char *)kind + list[i].at, sizeof function);
    if ((function != NULL) != (list[i].traits == 0 || (traits & list[i].traits) != 0))
      return list[i].name;
  }
  return NULL;
}

/* Whether `asked`, up to the first of the characters `ends`, is this name. */
static inline bool seam_is_called(const char *name, const char *asked, const char *ends) {
  size_t n = strcspn(asked, ends);
  return strncmp(name, asked, n) == 0 && name[n] == '\0';
}

#endif
