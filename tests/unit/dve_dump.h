/* dve_dump.h - a checked model as text, for tests of the front end: what it says
 * in full, with every operator in parentheses. */
#ifndef CAIRN_TESTS_UNIT_DVE_DUMP_H
#define CAIRN_TESTS_UNIT_DVE_DUMP_H

#include "ir/ir.h"

#include <stdio.h>

void dump_model(FILE *, const struct ir_model *);
void dump_expr(FILE *, const struct ir_expr *);

#endif
