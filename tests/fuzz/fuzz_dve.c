/* fuzz_dve.c - any bytes as a model, and what follows its last "//" as a condition:
 * there is a model, or there are messages, and never both errors and a model. */
#include "fuzz_model.h"

#include "lang/lang.h"

/* What every pass after the front end relies on. */
static void examine(const struct ir_model *model) {
  for (uint32_t p = 0; p < model->n_processes; p++) {
    const struct ir_process *process = model->process[p];
    fuzz_require(process->index == p && process->initial < process->n_locations);
    for (uint32_t e = 0; e < process->n_edges; e++) {
      const struct ir_edge *edge = &process->edge[e];
      fuzz_require(edge->from < process->n_locations && edge->to < process->n_locations);
      fuzz_require(edge->sync == IR_NO_SYNC || edge->n_values == 0 ||
                   edge->n_values == edge->channel->n_fields);
      for (uint32_t i = 0; i < edge->n_effects; i++)
        fuzz_require(!edge->effect[i].target->variable->is_const);
    }
  }
}

void fuzz_read_model(struct arena *arena, const char *text, uint32_t length) {
  const struct language *dve = language_of_file("m.dve");
  struct diag *diag = diag_open(arena);
  struct ir_model *model =
      dve->parse(arena, diag, source_make(arena, "m.dve", text, length), NULL);
  fuzz_require((model == NULL) == (diag_errors(diag) > 0));
  if (model != NULL) {
    examine(model);
    const char *line = fuzz_last_comment(text, length);
    const uint32_t rest = length - (uint32_t)(line - text);
    const uint32_t n = model->n_properties;
    const bool added =
        language_add_invariant(dve, model, diag, source_make(arena, "i", line, rest));
    fuzz_require(added == (diag_errors(diag) == 0) && model->n_properties == n + added);
  }
  fuzz_print(diag);
}
