/* fuzz_promela.c - any bytes as a Promela model, what follows its last "//" as a condition:
 * there is a checked tree, or there are messages, and never both errors and a tree. */
#include "lang/promela/promela.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
  if (!good)
    abort();
}

/* ---- what the passes behind the tree rely on ---- */

static void examine_expr(const struct promela_expr *e) {
  require(e->height >= 1 && e->height <= 4 * PROMELA_MAX_DEPTH);
  const struct promela_expr *const parts[] = {e->a, e->b, e->c};
  for (size_t i = 0; i < 3; i++)
    if (parts[i] != NULL) {
      require(parts[i]->height < e->height);
      examine_expr(parts[i]);
    }
  for (uint32_t i = 0; i < e->arguments.n; i++)
    examine_expr(e->arguments.at[i]);
  require((e->kind != PROMELA_VARIABLE && e->kind != PROMELA_FIELD) || e->variable != NULL);
  require((e->kind != PROMELA_RUN && e->kind != PROMELA_REMOTE_LABEL) || e->proctype != NULL);
  require(e->kind != PROMELA_REMOTE_LABEL || e->label != NULL);
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
  require(stmt->code != NULL);
  require(stmt->kind != PROMELA_GOTO || (stmt->label != NULL && stmt->label->stmt != NULL));
  require(stmt->kind != PROMELA_BREAK || stmt->loop != NULL);
  require((stmt->kind != PROMELA_IF && stmt->kind != PROMELA_DO) || stmt->options.n > 0);
}

static void examine_sequence(const struct promela_sequence *sequence) {
  require(sequence->n > 0);
  for (uint32_t i = 0; i < sequence->n; i++)
    examine_stmt(sequence->at[i]);
}

static void examine(const struct promela_model *model) {
  for (uint32_t i = 0; i < model->globals.n; i++) {
    const struct promela_variable *variable = model->globals.at[i];
    require(variable->index == i && variable->owner == NULL && variable->length > 0);
    if (variable->initial != NULL)
      examine_expr(variable->initial);
  }
  for (uint32_t i = 0; i < model->proctypes.n; i++) {
    const struct promela_proctype *proctype = model->proctypes.at[i];
    require(proctype->index == i && proctype->n_parameters <= proctype->variables.n);
    examine_sequence(&proctype->body);
  }
  for (uint32_t i = 0; i < model->formulas.n; i++)
    examine_expr(model->formulas.at[i]->formula);
}

static void print_nowhere(const struct diag *diag) {
  FILE *out = fopen("/dev/null", "w");
  require(out != NULL);
  diag_print(diag, out, false);
  fclose(out);
}

/* Behind the last "//", or the end. */
static const char *last_comment(const char *text, uint32_t length) {
  for (uint32_t i = length; i >= 2; i--)
    if (text[i - 1] == '/' && text[i - 2] == '/')
      return text + i;
  return text + length;
}

static void read_model(struct arena *arena, const char *text, uint32_t length) {
  static const char *const defines[] = {"N=3", "DEBUG"};
  struct diag *diag = diag_open(arena);
  const struct source *source = source_make(arena, "none/m.pml", text, length);
  struct promela_model *model = promela_read(arena, diag, source, defines, 2);
  require((model == NULL) == (diag_errors(diag) > 0));
  if (model != NULL) {
    examine(model);
    const char *line = last_comment(text, length);
    const uint32_t rest = length - (uint32_t)(line - text);
    const struct promela_expr *e =
        promela_read_condition(model, diag, source_make(arena, "i", line, rest));
    require((e == NULL) == (diag_errors(diag) > 0));
    if (e != NULL)
      examine_expr(e);
  }
  print_nowhere(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct budget *budget = budget_open((uint64_t)1 << 32);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  jmp_buf at;
  if (setjmp(at) == 0) {
    arena_guard(arena, &at);
    read_model(arena, arena_text(arena, (const char *)data, size), (uint32_t)size);
  }
  arena_close(arena);
  budget_close(budget);
  return 0;
}
