/* fold.h - cases of a switch on the location that differ in numbers only become one. */
#ifndef CAIRN_NATIVE_EMIT_FOLD_H
#define CAIRN_NATIVE_EMIT_FOLD_H

#include "native/emit/emit.h"

/* For the function `name` of a template: "process". NULL where there are too few edges for it
 * to pay: then nothing is folded. */
struct emit_fold *emit_fold_open(struct emit *, const struct ir_process *, const char *name);

/* The head of the switch, on a location as C text. */
void emit_fold_switch(struct emit *, const struct emit_fold *, const char *location);

/* Takes away what was printed since `from`: the code of a location, without the `case` and its
 * braces. `label` is the first number of a label that it may have used. */
void emit_fold_case(struct emit *, struct emit_fold *, uint32_t location, size_t from,
                    uint32_t label);

/* Prints the cases, and the table of what differs, and closes it. */
void emit_fold_close(struct emit *, struct emit_fold *);

#endif
