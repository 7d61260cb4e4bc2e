/* fuzz_model.h - what the targets that read models share. */
#ifndef CAIRN_TESTS_FUZZ_FUZZ_MODEL_H
#define CAIRN_TESTS_FUZZ_FUZZ_MODEL_H

#include "base/diag.h"

/* Ends the program if it does not hold. */
void fuzz_require(bool);

/* Prints the messages where nobody sees them. */
void fuzz_print(const struct diag *);

/* Behind the last "//", or the end. */
const char *fuzz_last_comment(const char *text, uint32_t length);

/* The target's own: reads a text, after which there is a NUL. */
void fuzz_read_model(struct arena *, const char *text, uint32_t length);

#endif
