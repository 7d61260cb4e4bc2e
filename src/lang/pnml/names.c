/* names.c - the same: open addressing, half full at most. */
#include "lang/pnml/names.h"

#include <string.h>
#include <xxhash.h>

struct names_entry {
  const char *name;
  uint32_t number;
};

static struct names_entry *find(const struct names *names, const char *name) {
  uint32_t at = (uint32_t)XXH3_64bits(name, strlen(name)) & (names->room - 1);
  while (names->at[at].name != NULL && strcmp(names->at[at].name, name) != 0)
    at = (at + 1) & (names->room - 1);
  return &names->at[at];
}

uint32_t names_find(const struct names *names, const char *name) {
  if (names->room == 0)
    return NAMES_NONE;
  const struct names_entry *entry = find(names, name);
  return entry->name == NULL ? NAMES_NONE : entry->number;
}

static void grow(struct names *names) {
  struct names larger = {.arena = names->arena,
                         .room = names->room == 0 ? 64 : 2 * names->room};
  larger.at = ARENA_ARRAY(names->arena, larger.room, struct names_entry);
  for (uint32_t i = 0; i < names->room; i++)
    if (names->at[i].name != NULL)
      *find(&larger, names->at[i].name) = names->at[i];
  larger.n = names->n;
  *names = larger;
}

bool names_add(struct names *names, const char *name, uint32_t number) {
  if (2 * names->n >= names->room)
    grow(names);
  struct names_entry *entry = find(names, name);
  if (entry->name != NULL)
    return false;
  *entry = (struct names_entry){name, number};
  names->n++;
  return true;
}
