/* promela.c - from text to a checked tree: the passes in order.
 *
 * A pass with errors is the last one, so that none is blamed on what an earlier one
 * could not understand.
 */
#include "lang/promela/promela.h"

#include "lang/promela/parser.h"

static struct promela_parser *start(struct arena *arena, struct diag *diag,
                                    struct promela_model *model) {
  struct promela_parser *p = ARENA_NEW(arena, struct promela_parser);
  p->arena = arena;
  p->diag = diag;
  p->model = model;
  promela_open_scope(p);
  return p;
}

struct promela_model *promela_read(struct arena *arena, struct diag *diag,
                                   const struct source *source, const char *const *defines,
                                   uint32_t n_defines) {
  const uint32_t before = diag_errors(diag);
  struct promela_model *model = ARENA_NEW(arena, struct promela_model);
  model->arena = arena;
  model->source = source;
  struct promela_parser *p = start(arena, diag, model);
  if (!promela_preprocess(arena, diag, source, defines, n_defines, &p->text))
    return NULL;
  promela_stream_start(p);
  promela_parse_units(p);
  if (!p->stopped && diag_errors(diag) == before)
    promela_parse_formulas(p);
  promela_finish_notes(p);
  if (diag_errors(diag) > before)
    return NULL;
  promela_resolve_lates(p);
  promela_check_model(p);
  promela_finish_notes(p);
  return diag_errors(diag) > before ? NULL : model;
}
