/* resolve.c - what can be resolved only when more of the text is known: gotos at the
 * end of their proctype; run, P[i]@label and P[i]:x at the end of the model.
 *
 * Labels belong to their block; those inside of an inline to the call, so that an inline
 * with a label may be called twice. A goto looks in the blocks around it, in its own call
 * first, then in the calls around it, then anywhere in the proctype.
 */
#include "lang/promela/parse/parser.h"

#include <string.h>

/* Another label of that name in this use of the text, the last one; NULL: none. */
static struct promela_label *last_label(const struct promela_name *name,
                                        const struct promela_proctype *owner,
                                        const struct promela_call *call) {
  for (uint32_t i = name->labels.n; i-- > 0;) {
    struct promela_label *label = name->labels.at[i];
    if (label->owner == owner && label->call == call)
      return label;
  }
  return NULL;
}

static struct promela_label *label_in_block(const struct promela_name *name,
                                            const struct promela_proctype *owner,
                                            const struct promela_call *call, uint32_t block) {
  for (uint32_t i = 0; i < name->labels.n; i++) {
    struct promela_label *label = name->labels.at[i];
    if (label->owner == owner && label->call == call && label->block == block)
      return label;
  }
  return NULL;
}

/* Blocks may each have a label of the name. False after a report. */
static bool check_label(struct promela_parser *p, const struct promela_name *name,
                        struct promela_place place, uint32_t block) {
  const struct promela_label *old = label_in_block(name, p->proctype, place.call, block);
  if (old != NULL) {
    if (promela_complain(p, place, "label '%s' is declared twice", name->text))
      diag_add(p->diag, DIAG_NOTE, old->span, "the first one");
    return false;
  }
  old = last_label(name, p->proctype, place.call);
  if (old != NULL) {
    diag_warning(p->diag, place.span, "another block of this process has a label '%s', too",
                 name->text);
    diag_add(p->diag, DIAG_NOTE, old->span, "the other one");
  }
  return true;
}

struct promela_label *promela_declare_label(struct promela_parser *p, struct promela_name *name,
                                            struct promela_place place,
                                            struct promela_stmt *stmt) {
  const uint32_t block = p->scopes.at[p->scopes.n - 1].block;
  if (!check_label(p, name, place, block))
    return NULL;
  struct promela_label *label = ARENA_NEW(p->arena, struct promela_label);
  *label = (struct promela_label){.name = name->text,
                                  .span = place.span,
                                  .call = place.call,
                                  .owner = p->proctype,
                                  .stmt = stmt,
                                  .d_step = p->d_step,
                                  .block = block,
                                  .is_end = strncmp(name->text, "end", 3) == 0,
                                  .is_accept = strncmp(name->text, "accept", 6) == 0,
                                  .is_progress = strncmp(name->text, "progress", 8) == 0};
  *ARENA_PUSH(p->arena, &name->labels) = label;
  *ARENA_PUSH(p->arena, &p->proctype->labels) = label;
  return label;
}

/* In one use of the text: of the blocks around the goto the innermost that has one, else the
 * last one, as in Spin. */
static struct promela_label *label_for(const struct promela_jump *jump,
                                       const struct promela_proctype *owner,
                                       const struct promela_call *call) {
  for (uint32_t i = 0; i < jump->n_blocks; i++) {
    struct promela_label *label = label_in_block(jump->name, owner, call, jump->block[i]);
    if (label != NULL)
      return label;
  }
  return last_label(jump->name, owner, call);
}

static struct promela_label *find_label(const struct promela_jump *jump,
                                        const struct promela_proctype *owner) {
  const struct promela_call *call = jump->place.call;
  struct promela_label *label = label_for(jump, owner, call);
  while (label == NULL && call != NULL) {
    call = call->outer;
    label = label_for(jump, owner, call);
  }
  for (uint32_t i = 0; i < jump->name->labels.n && label == NULL; i++)
    if (jump->name->labels.at[i]->owner == owner)
      label = jump->name->labels.at[i];
  return label;
}

static void report_unknown(struct promela_parser *p, const struct promela_jump *jump) {
  if (!promela_complain(p, jump->place, "there is no label '%s' in this process",
                        jump->name->text))
    return;
  if (jump->name->labels.n > 0) {
    promela_hint(p, "proctype '%s' has one, but a goto stays in its process",
                 jump->name->labels.at[0]->owner->name);
    return;
  }
  const struct promela_label_list *labels = &p->proctype->labels;
  const char **names = ARENA_ARRAY(p->arena, labels->n + 1, const char *);
  for (uint32_t i = 0; i < labels->n; i++)
    names[i] = labels->at[i]->name;
  const char *other = diag_closest(jump->name->text, names, labels->n);
  if (other != NULL)
    promela_hint(p, "did you mean '%s'?", other);
}

/* In front of a goto, a label that means something is a place of its own. */
static bool is_place(const struct promela_stmt *stmt) {
  for (uint32_t i = 0; i < stmt->labels.n; i++) {
    const struct promela_label *l = stmt->labels.at[i];
    if (l->is_end || l->is_accept || l->is_progress)
      return true;
  }
  return false;
}

/* Gotos that lead only to gotos go nowhere. */
static void check_cycle(struct promela_parser *p, const struct promela_jump *jump) {
  const struct promela_stmt *at = jump->stmt;
  for (uint32_t i = 0; i < 1000; i++) {
    if (at->kind != PROMELA_GOTO || at->label == NULL)
      return;
    at = at->label->stmt;
    if (is_place(at))
      return;
    if (at == jump->stmt) {
      promela_complain(p, jump->place, "this goto leads back to itself: nothing is ever done");
      return;
    }
  }
}

void promela_resolve_jumps(struct promela_parser *p) {
  for (uint32_t i = 0; i < p->jumps.n; i++) {
    const struct promela_jump *jump = &p->jumps.at[i];
    struct promela_label *label = find_label(jump, p->proctype);
    if (label == NULL) {
      report_unknown(p, jump);
      continue;
    }
    label->is_used = true;
    jump->stmt->label = label;
    const struct promela_stmt *d_step = label->d_step;
    if (d_step == jump->d_step)
      continue;
    if (promela_complain(p, jump->place,
                         d_step != NULL ? "a goto cannot jump into a d_step"
                                        : "a goto cannot jump out of a d_step"))
      promela_hint(p,
                   "a d_step is one step: it is entered at its beginning and left at its end");
  }
  for (uint32_t i = 0; i < p->jumps.n; i++)
    check_cycle(p, &p->jumps.at[i]);
  p->jumps.n = 0;
}

/* ---- at the end of the model ------------------------------------------------------ */

static uint32_t argument_scalars(const struct promela_exprs *list) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < list->n; i++)
    n += promela_scalars(&list->at[i]->type);
  return n;
}

static void resolve_run(struct promela_parser *p, const struct promela_late *late) {
  struct promela_proctype *proctype = late->name->proctype;
  if (proctype == NULL || proctype->kind != PROMELA_PROCTYPE) {
    if (promela_complain(p, late->place, "there is no proctype '%s'", late->name->text)) {
      const char **names = ARENA_ARRAY(p->arena, p->model->proctypes.n + 1, const char *);
      for (uint32_t i = 0; i < p->model->proctypes.n; i++)
        names[i] = p->model->proctypes.at[i]->name;
      const char *other = diag_closest(late->name->text, names, p->model->proctypes.n);
      if (other != NULL)
        promela_hint(p, "did you mean '%s'?", other);
    }
    return;
  }
  uint32_t wanted = 0;
  for (uint32_t i = 0; i < proctype->n_parameters; i++)
    wanted += promela_scalars(&proctype->variables.at[i]->type);
  late->expr->proctype = proctype;
  proctype->is_run = true;
  const uint32_t n = argument_scalars(&late->expr->arguments);
  if (n != wanted &&
      promela_complain(p, late->place, "proctype '%s' takes %u argument%s, not %u",
                       proctype->name, wanted, wanted == 1 ? "" : "s", n))
    diag_add(p->diag, DIAG_NOTE, proctype->span, "declared here");
}

static void resolve_remote(struct promela_parser *p, const struct promela_late *late) {
  struct promela_expr *e = late->expr;
  const struct promela_proctype *proctype = e->proctype;
  if (e->kind == PROMELA_REMOTE_LABEL) {
    for (uint32_t i = 0; i < proctype->labels.n; i++)
      if (strcmp(proctype->labels.at[i]->name, late->name->text) == 0) {
        e->label = proctype->labels.at[i];
        e->label->is_used = true;
      }
    if (e->label == NULL)
      promela_complain(p, late->place, "proctype '%s' has no label '%s'", proctype->name,
                       late->name->text);
    return;
  }
  if (strcmp(late->name->text, "_p") == 0 && e->a != NULL && e->b->a == NULL) {
    e->kind = PROMELA_PC_VALUE;
    p->model->uses_pc_value = true;
    return;
  }
  if (strcmp(late->name->text, "_pid") == 0 && e->b->a == NULL) {
    e->b->kind = PROMELA_PID_VALUE;
    e->type = (struct promela_type){.base = PROMELA_BYTE, .bits = 8};
    return;
  }
  for (uint32_t i = 0; i < proctype->variables.n && e->b->variable == NULL; i++)
    if (strcmp(proctype->variables.at[i]->name, late->name->text) == 0)
      e->b->variable = proctype->variables.at[i];
  const struct promela_variable *variable = e->b->variable;
  if (variable == NULL) {
    promela_complain(p, late->place, "proctype '%s' has no variable '%s'", proctype->name,
                     late->name->text);
    return;
  }
  e->type = e->b->type = variable->type;
  if (variable->is_array && e->b->a == NULL)
    promela_complain(p, late->place, "the array '%s' needs an index here", variable->name);
  else if (!variable->is_array && e->b->a != NULL)
    promela_complain(p, late->place, "'%s' is no array", variable->name);
}

void promela_resolve_lates(struct promela_parser *p) {
  for (uint32_t i = 0; i < p->lates.n; i++) {
    if (p->lates.at[i].expr->kind == PROMELA_RUN)
      resolve_run(p, &p->lates.at[i]);
    else
      resolve_remote(p, &p->lates.at[i]);
  }
}
