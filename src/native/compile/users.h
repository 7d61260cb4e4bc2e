/* users.h - a user's C text as running code. */
#ifndef CAIRN_NATIVE_COMPILE_USERS_H
#define CAIRN_NATIVE_COMPILE_USERS_H

#include "native/compile/instant.h"
#include "native/compile/load.h"
#include "native/native.h"

struct users_code {
  struct instant_code tcc;
  struct load_code cc;
};

/* What stands before every such text (users.inc). */
extern const char users_prologue[];

/* Compiles a text of users, which is done once. `auto`: by cc, and by libtcc where there is
 * none. False with a sentence appended to *why. */
bool users_build(struct users_code *, const struct unit *, enum native_compiler,
                 struct budget *, struct reason *why);
void users_free(struct users_code *, struct budget *);
const void *users_symbol(const struct users_code *);

/* That sentence for the user, in the arena; of a mistake in the text the compiler's words for
 * it, with the number of its line in *line, else 0. */
const char *users_sentence(struct arena *, const struct reason *, uint32_t *line);

/* The directive that what follows is line `line` of the file. */
void users_put_line(struct text *, const char *path, uint32_t line);

#endif
