/* fuzz_dve.c - any bytes as a model, and what follows its last "//" as a condition:
 * there is a model, or there are messages, and never both errors and a model. */
#include "lang/lang.h"

#include <setjmp.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
  if (!good)
    abort();
}

/* What every pass behind the front end relies on. */
static void examine(const struct ir_model *model) {
  for (uint32_t p = 0; p < model->n_processes; p++) {
    const struct ir_process *process = model->process[p];
    require(process->index == p && process->initial < process->n_locations);
    for (uint32_t e = 0; e < process->n_edges; e++) {
      const struct ir_edge *edge = &process->edge[e];
      require(edge->from < process->n_locations && edge->to < process->n_locations);
      require(edge->sync == IR_NO_SYNC || edge->n_values == 0 ||
              edge->n_values == edge->channel->n_fields);
      for (uint32_t i = 0; i < edge->n_effects; i++)
        require(!edge->effect[i].target->variable->is_const);
    }
  }
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
  const struct language *dve = language_of_file("m.dve");
  struct diag *diag = diag_open(arena);
  struct ir_model *model =
      dve->parse(arena, diag, source_make(arena, "m.dve", text, length), NULL);
  require((model == NULL) == (diag_errors(diag) > 0));
  if (model != NULL) {
    examine(model);
    const char *line = last_comment(text, length);
    const uint32_t rest = length - (uint32_t)(line - text);
    const uint32_t n = model->n_properties;
    const bool added = dve->add_invariant(model, diag, source_make(arena, "i", line, rest));
    require(added == (diag_errors(diag) == 0) && model->n_properties == n + added);
  }
  print_nowhere(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct budget *budget = budget_open((uint64_t)1 << 32);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  jmp_buf at;
  if (setjmp(at) == 0) {
    arena_guard(arena, &at);
    /* A copy with a NUL behind it, as sources have. */
    read_model(arena, arena_text(arena, (const char *)data, size), (uint32_t)size);
  }
  arena_close(arena);
  budget_close(budget);
  return 0;
}
