/* instant.h - C text to machine code in memory, within milliseconds. */
#ifndef CAIRN_NATIVE_COMPILE_INSTANT_H
#define CAIRN_NATIVE_COMPILE_INSTANT_H

#include "native/compile/reason.h"

#include "base/budget.h"
#include "ts/ts.h"

struct instant_code {
  void *memory; /* read and execute only */
  size_t bytes;
  const struct ts_code *code;
};

/* Compiles `text`, which defines `const struct ts_code cairn_code`. False with a
 * sentence appended to *why; a warning of the compiler is a failure. */
bool instant_build(const char *text, struct budget *, struct instant_code *,
                   struct reason *why);
void instant_free(struct instant_code *, struct budget *);

#endif
