/* names.h - a table from names to numbers, for the ids of a file. */
#ifndef CAIRN_LANG_PNML_NAMES_H
#define CAIRN_LANG_PNML_NAMES_H

#include "base/arena.h"

struct names {
  struct arena *arena;
  uint32_t n, room; /* room: a power of two, or 0 */
  struct names_entry *at;
};

#define NAMES_NONE 0xFFFFFFFFu

/* The number that the name got, or NAMES_NONE. */
uint32_t names_find(const struct names *, const char *name);
/* Gives the name, which must outlive the table, this number. False if it has one already,
 * which it keeps. */
bool names_add(struct names *, const char *name, uint32_t number);

#endif
