/* names.h - who is meant by a name.
 *
 * A table from (scope, name) to what was declared. Scopes are the model and
 * each process. States have a name space of their own, since they occur only
 * where no variable can: `P.s` alone could mean both, and there states win.
 */
#ifndef CAIRN_LANG_DVE_NAMES_H
#define CAIRN_LANG_DVE_NAMES_H

#include "base/arena.h"
#include "ir/ir.h"

enum dve_symbol_kind {
  DVE_SYMBOL_VARIABLE = 1,
  DVE_SYMBOL_CHANNEL = 2,
  DVE_SYMBOL_PROCESS = 4,
  DVE_SYMBOL_LOCATION = 8
};

struct dve_symbol {
  enum dve_symbol_kind kind;
  const struct ir_process *scope; /* NULL: the model */
  const char *name;
  struct span span;
  struct ir_variable *variable;
  struct ir_channel *channel;
  struct ir_process *process;
  uint32_t location;
};

struct dve_names;

struct dve_names *dve_names_open(struct arena *);

/* Enters a symbol (copied). If the name is taken in that scope nothing changes
 * and the older symbol is returned, else NULL. */
const struct dve_symbol *dve_names_add(struct dve_names *, const struct dve_symbol *);

/* The symbol of that name in just that scope: a location, or anything else. NULL: none. */
const struct dve_symbol *dve_names_find(const struct dve_names *,
                                        const struct ir_process *scope, bool location,
                                        struct span name);

/* The known name of one of the `kinds`, in the scope or in the model, that looks
 * most like the wrong one. NULL: none does. */
const char *dve_names_closest(const struct dve_names *, const struct ir_process *scope,
                              unsigned kinds, struct span wrong);

/* Any process that has a variable or location of this name. NULL: none. */
const struct dve_symbol *dve_names_elsewhere(const struct dve_names *, struct span name);

/* The names of a finished model. */
struct dve_names *dve_names_of_model(struct ir_model *);

#endif
