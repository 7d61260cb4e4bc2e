/* combinations.h - docs/combinations.md, made by trying everything. */
#ifndef CAIRN_CLI_COMBINATIONS_H
#define CAIRN_CLI_COMBINATIONS_H

#include <stdio.h>

/* Prints the page; the exit status. */
int combinations_print(FILE *);

#endif
