/* golden.h - folders of models, each with what should be said of it in a file beside it. */
#ifndef CAIRN_TESTS_UNIT_GOLDEN_H
#define CAIRN_TESTS_UNIT_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

/* A whole file, with a NUL after it; "PATH is not there" if it cannot be read. The caller
 * frees. */
char *golden_read(const char *path, size_t *length);

/* For each file of the folder (below the project's root) whose name has the ending of four
 * letters: compares what `say` makes of it, and frees, with NAME.txt, or writes that anew with
 * CAIRN_UPDATE=1. How many there were. */
uint32_t golden_check(const char *folder, const char *ending,
                      char *(*say)(const char *name, const char *text, size_t length));

#endif
