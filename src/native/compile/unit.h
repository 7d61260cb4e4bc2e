/* unit.h - a C text to be compiled, and where it is from. */
#ifndef CAIRN_NATIVE_COMPILE_UNIT_H
#define CAIRN_NATIVE_COMPILE_UNIT_H

#include <stdbool.h>
#include <stdint.h>

/* What both compilers make of it exports one structure, whose first word is a version. */
struct unit {
  const char *text;
  const char *symbol; /* of the structure */
  uint32_t abi;       /* its version, */
  uint32_t oldest;    /* or one from this on; 0: no other */
  /* Whether a user wrote it: then it has the headers and the library of the system, may write
   * to variables of its own, and what the compiler says is for the user. Ours needs nothing,
   * keeps no state, and an error in it is one of this program. */
  bool is_users;
  const char *folder[2]; /* a user's: where to look for headers; NULL: no more */
};

static inline bool unit_fits(const struct unit *unit, const void *symbol) {
  const uint32_t abi = *(const uint32_t *)symbol;
  return abi <= unit->abi && abi >= (unit->oldest == 0 ? unit->abi : unit->oldest);
}

#endif
