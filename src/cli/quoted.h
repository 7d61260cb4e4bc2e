/* quoted.h - words as a shell takes them, and suites of `cairn bench`. */
#ifndef CAIRN_CLI_QUOTED_H
#define CAIRN_CLI_QUOTED_H

#include "base/arena.h"

/* In quotes if it has anything but letters, digits and ./_-+=:,@%. */
const char *quoted_word(struct arena *, const char *word);

#endif
