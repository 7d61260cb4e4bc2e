/* scan.c - what is assigned, and which labels are asked about, anywhere.
 *
 * A channel variable that nothing assigns to is a constant: the operations on it then name
 * their channel. A label that other processes ask about must be a place where a process
 * can be, even in front of a goto.
 */
#include "lang/lang.h"
#include "lang/promela/lower/lower.h"

#include <string.h>

static void scan_expr(struct promela_lower *l, const struct promela_expr *e);

/* All labels of the name are asked about. */
static void ask_label(struct promela_lower *l, const struct promela_proctype *p,
                      const char *name, uint32_t length) {
  struct flow *f = &l->frame[p->index].flow;
  for (uint32_t i = 0; i < p->labels.n; i++)
    if (strlen(p->labels.at[i]->name) == length &&
        memcmp(p->labels.at[i]->name, name, length) == 0)
      *ARENA_PUSH(l->arena, &f->remote) = p->labels.at[i];
}

/* What the command line asks is read when the automata are there: each name after an @ may
 * be a label of any process. */
static void scan_asked(struct promela_lower *l, const char *text) {
  for (const char *at = strchr(text, '@'); at != NULL; at = strchr(at, '@')) {
    at += 1 + strspn(at + 1, " \t");
    const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                                     "0123456789");
    for (uint32_t i = 0; i < l->model->proctypes.n; i++)
      ask_label(l, l->model->proctypes.at[i], at, (uint32_t)length);
  }
}

static void scan_exprs(struct promela_lower *l, const struct promela_exprs *list) {
  for (uint32_t i = 0; i < list->n; i++)
    scan_expr(l, list->at[i]);
}

static void scan_expr(struct promela_lower *l, const struct promela_expr *e) {
  if (e == NULL)
    return;
  if (e->kind == PROMELA_REMOTE_LABEL && e->label != NULL)
    ask_label(l, e->proctype, e->label->name, (uint32_t)strlen(e->label->name));
  if (e->kind == PROMELA_VARIABLE && e->variable != NULL && e->variable->owner == NULL)
    (l->in_claim ? l->claimed : l->used)[e->variable->index] = true;
  if (e->kind == PROMELA_C_EXPR) {
    lower_note_c(l, e->text, e->span);
    lower_note_c(l, e->precondition, e->span);
  }
  scan_expr(l, e->a);
  scan_expr(l, e->b);
  scan_expr(l, e->c);
  scan_exprs(l, &e->arguments);
}

static void scan_target(struct promela_lower *l, const struct promela_expr *e) {
  while (e != NULL && e->kind == PROMELA_FIELD)
    e = e->b;
  if (e != NULL && e->kind == PROMELA_VARIABLE && e->variable->owner == NULL)
    l->assigned[e->variable->index] = true;
}

static void scan_sequence(struct promela_lower *l, const struct promela_sequence *s);

static void scan_stmt(struct promela_lower *l, const struct promela_stmt *s) {
  scan_target(l, s->target);
  for (uint32_t i = 0; s->kind == PROMELA_RECEIVE && i < s->arguments.n; i++)
    scan_target(l, s->arguments.at[i]);
  scan_expr(l, s->target);
  scan_expr(l, s->a);
  scan_expr(l, s->b);
  scan_exprs(l, &s->arguments);
  if (s->kind == PROMELA_C_CODE) {
    lower_note_c(l, s->text, s->span);
    lower_note_c(l, s->precondition, s->span);
  }
  for (uint32_t i = 0; s->kind == PROMELA_DECLARE && i < s->variables.n; i++)
    scan_expr(l, s->variables.at[i]->initial);
  for (uint32_t i = 0; i < s->options.n; i++)
    scan_sequence(l, s->options.at[i]);
  scan_sequence(l, s->body);
  scan_sequence(l, s->escape);
}

static void scan_sequence(struct promela_lower *l, const struct promela_sequence *s) {
  for (uint32_t i = 0; s != NULL && i < s->n; i++)
    scan_stmt(l, s->at[i]);
}

void lower_scan(struct promela_lower *l, const struct language_options *options) {
  lower_note_parts(l);
  for (uint32_t i = 0; i < options->n_asked; i++)
    scan_asked(l, options->asked[i]);
  for (uint32_t i = 0; i < options->n_formulas; i++)
    scan_asked(l, options->formula[i]);
  for (uint32_t i = 0; i < l->model->proctypes.n; i++) {
    const struct promela_proctype *p = l->model->proctypes.at[i];
    l->in_claim = l->frame[i].process == NULL;
    scan_sequence(l, &p->body);
    scan_expr(l, p->provided);
  }
  l->in_claim = true;
  for (uint32_t i = 0; i < l->model->formulas.n; i++)
    scan_expr(l, l->model->formulas.at[i]->formula);
}
