/* tcc.h - C text to machine code in memory, within milliseconds. */
#ifndef CAIRN_NATIVE_TCC_H
#define CAIRN_NATIVE_TCC_H

#include "base/budget.h"
#include "base/text.h"
#include "ts/ts.h"

struct tcc_code {
  void *memory; /* read and execute only */
  size_t bytes;
  const struct ts_code *code;
};

/* Compiles `text`, which defines `const struct ts_code cairn_code`. False with a
 * sentence appended to *why; a warning of the compiler is a failure. */
bool tcc_build(const char *text, struct budget *, struct tcc_code *, struct text *why);
void tcc_free(struct tcc_code *, struct budget *);

#endif
