/* languages.c - the list of languages: one line for each.
 *
 * Apart from lang.c, so that a program with other languages brings a list of its own.
 */
#include "lang/lang.h"

extern const struct language language_c, language_dve, language_promela, language_pnml;

const struct language *const languages[] = {&language_dve, &language_promela, &language_pnml,
                                            &language_c, NULL};
