/* undone.h - `cairn info --backward`: how each action of a model is undone. */
#ifndef CAIRN_CLI_UNDONE_H
#define CAIRN_CLI_UNDONE_H

#include "cli/loaded.h"

#include "ir/undo.h"

#include "report/json.h"

struct undone {
  bool asked, exactly;     /* exactly: all actions, whatever `undo` says */
  bool has_claims;         /* the model goes backward only while none of them is checked */
  const char *why_not;     /* NULL: the model can go backward, */
  const struct undo *undo; /* with each action as this says */
};

/* `actions`: NULL of a model that is not compiled. Nothing unless the options ask for it; nor
 * do the others then write anything. */
void undone_find(struct undone *, struct loaded *, const struct ir_actions *,
                 const struct ts_shape *);
void undone_print(const struct undone *);
void undone_print_action(const struct undone *, uint32_t action);
void undone_json(const struct undone *, struct json *);
void undone_json_action(const struct undone *, struct json *, uint32_t action);

#endif
