/* remark.h - notes where Spin departs from its own language reference.
 *
 * Cairn follows the reference, so that counts and verdicts may differ from Spin's at such
 * a place; docs/promela.md has the table. Each place is named once, however often it is
 * read (an inline that is called twice), unless the options turn the notes off.
 */
#ifndef CAIRN_LANG_PROMELA_PARSE_REMARK_H
#define CAIRN_LANG_PROMELA_PARSE_REMARK_H

#include "base/diag.h"
#include "lang/promela/parse/ast.h"

/* Notes `text`, which must live as long as the model, at the place; `hint` may be NULL. */
void promela_remark(struct promela_model *, struct diag *, struct span, const char *text,
                    const char *hint);

#endif
