/* degeneralise.h - from several marks to one, on edges or on states. */
#ifndef CAIRN_LANG_LTL_DEGENERALISE_H
#define CAIRN_LANG_LTL_DEGENERALISE_H

#include "lang/ltl/buchi.h"

/* An automaton of the same language with exactly one mark; with `on_states`, all edges of a
 * state have it or none has (state_marks). The automaton given should be clean. `order` says
 * in which order the marks are waited for: n_marks entries. */
struct buchi *degeneralise(const struct buchi *, const uint8_t *order, bool on_states);

#endif
