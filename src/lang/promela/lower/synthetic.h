/* synthetic.h - statements that stand for what a for, a select or a declaration does. */
#ifndef CAIRN_LANG_PROMELA_LOWER_SYNTHETIC_H
#define CAIRN_LANG_PROMELA_LOWER_SYNTHETIC_H

#include "base/arena.h"
#include "lang/promela/parse/ast.h"

/* `like` gives the place; NULL: none. */
struct promela_stmt *synthetic_skip(struct arena *, const struct promela_stmt *like);
/* Leaves `loop`. */
struct promela_stmt *synthetic_break(struct arena *, const struct promela_stmt *loop);
/* The target of a select gets one of its values. */
struct promela_stmt *synthetic_choice(struct arena *, const struct promela_stmt *select,
                                      int32_t value);
/* A DECLARE of one variable of `like`. */
struct promela_stmt *synthetic_declaration(struct arena *, const struct promela_stmt *like,
                                           struct promela_variable *);

/* What FOR, FOR_IN and SELECT are made of. Over a channel each message is taken out and
 * given back; a counter for that is added to the proctype's variables. Each part has a text of
 * its own for those who read a run. `otherwise`, which leaves the loop, is NULL of a SELECT. */
struct synthetic_for {
  struct promela_stmt *start, *condition, *take, *give_back, *increment, *otherwise;
};
struct synthetic_for synthetic_for(struct arena *, struct promela_proctype *,
                                   const struct promela_stmt *);

#endif
