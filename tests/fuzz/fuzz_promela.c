/* fuzz_promela.c - any bytes as a Promela model, what follows its last "//" as a condition:
 * there is a checked tree, or there are messages, and never both errors and a tree. */
#include "fuzz_model.h"

#include "lang/lang.h"
#include "lang/promela/promela.h"

/* ---- what the passes after the tree rely on ---- */

static void examine_expr(const struct promela_expr *e) {
  fuzz_require(e->height >= 1 && e->height <= 4 * PROMELA_MAX_DEPTH);
  const struct promela_expr *const parts[] = {e->a, e->b, e->c};
  for (size_t i = 0; i < 3; i++)
    if (parts[i] != NULL) {
      fuzz_require(parts[i]->height < e->height);
      examine_expr(parts[i]);
    }
  for (uint32_t i = 0; i < e->arguments.n; i++)
    examine_expr(e->arguments.at[i]);
  fuzz_require((e->kind != PROMELA_VARIABLE && e->kind != PROMELA_FIELD) ||
               e->variable != NULL);
  fuzz_require((e->kind != PROMELA_RUN && e->kind != PROMELA_REMOTE_LABEL) ||
               e->proctype != NULL);
  fuzz_require(e->kind != PROMELA_REMOTE_LABEL || e->label != NULL);
}

static void examine_sequence(const struct promela_sequence *sequence);

static void examine_stmt(const struct promela_stmt *stmt) {
  const struct promela_expr *const parts[] = {stmt->target, stmt->a, stmt->b};
  for (size_t i = 0; i < 3; i++)
    if (parts[i] != NULL)
      examine_expr(parts[i]);
  for (uint32_t i = 0; i < stmt->arguments.n; i++)
    examine_expr(stmt->arguments.at[i]);
  for (uint32_t i = 0; i < stmt->options.n; i++)
    examine_sequence(stmt->options.at[i]);
  if (stmt->body != NULL)
    examine_sequence(stmt->body);
  if (stmt->escape != NULL)
    examine_sequence(stmt->escape);
  fuzz_require(stmt->code != NULL);
  fuzz_require(stmt->kind != PROMELA_GOTO ||
               (stmt->label != NULL && stmt->label->stmt != NULL));
  fuzz_require(stmt->kind != PROMELA_BREAK || stmt->loop != NULL);
  fuzz_require((stmt->kind != PROMELA_IF && stmt->kind != PROMELA_DO) || stmt->options.n > 0);
}

static void examine_sequence(const struct promela_sequence *sequence) {
  fuzz_require(sequence->n > 0);
  for (uint32_t i = 0; i < sequence->n; i++)
    examine_stmt(sequence->at[i]);
}

static void examine(const struct promela_model *model) {
  for (uint32_t i = 0; i < model->globals.n; i++) {
    const struct promela_variable *variable = model->globals.at[i];
    fuzz_require(variable->index == i && variable->owner == NULL && variable->length > 0);
    if (variable->initial != NULL)
      examine_expr(variable->initial);
  }
  for (uint32_t i = 0; i < model->proctypes.n; i++) {
    const struct promela_proctype *proctype = model->proctypes.at[i];
    fuzz_require(proctype->index == i && proctype->n_parameters <= proctype->variables.n);
    examine_sequence(&proctype->body);
  }
  for (uint32_t i = 0; i < model->formulas.n; i++)
    examine_expr(model->formulas.at[i]->formula);
}

void fuzz_read_model(struct arena *arena, const char *text, uint32_t length) {
  static const char *const defines[] = {"N=3", "DEBUG"};
  struct diag *diag = diag_open(arena);
  const struct source *source = source_make(arena, "none/m.pml", text, length);
  struct promela_model *model = promela_read(
      arena, diag, source, &(struct language_options){.define = defines, .n_defines = 2});
  fuzz_require((model == NULL) == (diag_errors(diag) > 0));
  if (model != NULL) {
    examine(model);
    const char *line = fuzz_last_comment(text, length);
    const uint32_t rest = length - (uint32_t)(line - text);
    const struct promela_expr *e =
        promela_read_condition(model, diag, source_make(arena, "i", line, rest));
    fuzz_require((e == NULL) == (diag_errors(diag) > 0));
    if (e != NULL)
      examine_expr(e);
  }
  fuzz_print(diag);
}
