/* promela.h - the front half of Promela: from text to a checked tree.
 *
 * The preprocessor (preprocess.h) runs over the whole text; then semicolons are put in
 * and inlines entered while the parser reads (stream.c, parser.h).
 */
#ifndef CAIRN_LANG_PROMELA_PROMELA_H
#define CAIRN_LANG_PROMELA_PROMELA_H

#include "base/diag.h"
#include "lang/promela/parse/ast.h"

struct language_options;

/* Reads a model as the options (lang.h) say. Files named by #include are read relative to
 * the folder of the file that includes them. NULL if there were errors: they are in the
 * diag. Warnings may be there in either case. */
struct promela_model *promela_read(struct arena *, struct diag *, const struct source *,
                                   const struct language_options *);

/* A condition over a model's globals, and remote references: for invariants of the command
 * line. NULL after a report. */
struct promela_expr *promela_read_condition(struct promela_model *, struct diag *,
                                            const struct source *);

#endif
