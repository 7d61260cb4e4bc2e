/* program.h - a user's C text, or shared object, as running code. */
#ifndef CAIRN_FOREIGN_PROGRAM_H
#define CAIRN_FOREIGN_PROGRAM_H

#include "base/arena.h"
#include "native/native.h"

struct program_order {
  const char *path; /* of the text, for messages and #include */
  const char *text; /* C, or the bytes of a shared object */
  size_t length;
  bool is_object;
  const char *symbol;   /* of the structure that it exports, whose first word is its version */
  uint32_t abi, oldest; /* oldest: that is read, too; 0: none */
  const char *const *define; /* "NAME" or "NAME=VALUE" */
  uint32_t n_defines;
  enum native_compiler compiler; /* NATIVE_AUTO: cc, and libtcc where there is none */
};

/* The structure of that symbol; it and the code live as long as the arena. NULL with one
 * sentence in *why, in the arena, if it cannot be had; of a mistake in the text, the compiler's
 * words for it, with the number of its line in *line, else 0. */
const void *program_open(struct arena *, const struct program_order *, const char **why,
                         uint32_t *line);

#endif
