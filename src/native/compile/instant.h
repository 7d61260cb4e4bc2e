/* instant.h - C text to machine code in memory, within milliseconds. */
#ifndef CAIRN_NATIVE_COMPILE_INSTANT_H
#define CAIRN_NATIVE_COMPILE_INSTANT_H

#include "native/compile/reason.h"
#include "native/compile/unit.h"

#include "base/budget.h"

#include <stddef.h>

struct instant_code {
  void *memory; /* read and execute only, but for texts of users */
  size_t bytes;
  const void *symbol; /* of the unit */
};

/* Compiles a text. False with a sentence appended to *why; a warning of the compiler is a
 * failure, but in texts of users. */
bool instant_build(const struct unit *, struct budget *, struct instant_code *,
                   struct reason *why);
void instant_free(struct instant_code *, struct budget *);

#endif
