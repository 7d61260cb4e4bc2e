/* resumed.h - a search saved at any moment and resumed is the search that was not. */
#ifndef CAIRN_TESTS_SOUNDNESS_RESUMED_H
#define CAIRN_TESTS_SOUNDNESS_RESUMED_H

#include "search/search.h"

/* A sentence what differs, or NULL. *is_saved: it was saved at all, at a moment that depends on
 * `seed`. */
const char *resumed_differs(const struct ts *, const struct search_options *, struct budget *,
                            uint64_t seed, bool *is_saved);

#endif
