/* asks.h - conditions and numbers about the states of a model written in C, compiled.
 *
 * They are expressions of C over the names of the model's variables and labels: `--invariant
 * 'head - tail <= 4'`, `--ltl '[] (full -> <> !full)'`.
 */
#ifndef CAIRN_FOREIGN_ASKS_H
#define CAIRN_FOREIGN_ASKS_H

#include <cairn/model.h>

#include "foreign/program.h"
#include "ts/ts.h"

#define ASKS_ABI 1u

struct asks {
  uint32_t abi, n;
  int64_t (*const *value)(const struct cairn_model *, const unsigned char *state);
};

/* NULL with one sentence in *why if one of them, that with this number (TS_NONE: not known),
 * is no expression over the model. */
const struct asks *asks_open(struct arena *, const struct cairn_model *,
                             const char *const *expression, uint32_t n, enum native_compiler,
                             const char **why, uint32_t *number);

#endif
