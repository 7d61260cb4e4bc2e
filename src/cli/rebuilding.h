/* rebuilding.h - the words after `--store comback:`. */
#ifndef CAIRN_CLI_REBUILDING_H
#define CAIRN_CLI_REBUILDING_H

#include "base/arena.h"

#include "search/search.h"

/* Reads "NAME:WORD+WORD=N" into the options of a store of this kind; a sentence that says what
 * is wrong, or NULL. A text without words, or with a number, is left alone. */
const char *rebuilding_read(struct arena *, const char *text, struct search_store_options *);

#endif
