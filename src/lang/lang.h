/* lang.h - the input languages.
 *
 * A language is one folder; it exports one constant struct language. Adding a
 * language is: write the folder, add one line to the list in lang.c.
 */
#ifndef CAIRN_LANG_LANG_H
#define CAIRN_LANG_LANG_H

#include "base/diag.h"
#include "ir/ir.h"

struct language {
  const char *name;      /* "dve" */
  const char *extension; /* ".dve" */
  const char *summary;

  /* Reads a model. NULL if there were errors; they are in the diag. Warnings may
   * be there in either case. */
  struct ir_model *(*parse)(struct arena *, struct diag *, const struct source *);

  /* Parses a condition over the model's names (local ones as Process.name or
   * Process->name) and adds it as an invariant. False if there were errors. */
  bool (*add_invariant)(struct ir_model *, struct diag *, const struct source *);
};

/* All languages, ended by NULL. */
extern const struct language *const languages[];

/* By the file name's ending; NULL if none fits. */
const struct language *language_of_file(const char *path);

#endif
