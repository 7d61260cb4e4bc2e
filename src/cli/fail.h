/* fail.h - errors of the command line, where there is no model loaded (else loaded_fail()). */
#ifndef CAIRN_CLI_FAIL_H
#define CAIRN_CLI_FAIL_H

#include <stdio.h>

/* Prints a text; control bytes of file names and the like must not reach a terminal, and become
 * "?". */
void fail_print_clean(FILE *, const char *text);

/* Says "error: …" on standard error; returns the status. */
int fail_with(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
