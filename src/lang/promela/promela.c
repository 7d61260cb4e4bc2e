/* promela.c - from text to a checked tree: the passes in order.
 *
 * A pass with errors is the last one, so that none is blamed on what an earlier one
 * could not understand.
 */
#include "lang/promela/promela.h"

#include "lang/lang.h"
#include "lang/promela/parse/parser.h"

static const struct promela_grammar grammar = {promela_parse_primary, promela_parse_receive,
                                               promela_parse_block};

static struct promela_parser *start(struct arena *arena, struct diag *diag,
                                    struct promela_model *model) {
  struct promela_parser *p = ARENA_NEW(arena, struct promela_parser);
  p->grammar = &grammar;
  p->arena = arena;
  p->tree = model->tree;
  p->diag = diag;
  p->model = model;
  promela_open_scope(p);
  return p;
}

/* Makes known what a model has declared. */
static void declare_all(struct promela_parser *p, const struct promela_model *model) {
  for (uint32_t i = 0; i < model->globals.n; i++) {
    struct promela_variable *variable = model->globals.at[i];
    promela_bind(p, promela_intern_text(p, variable->name), variable,
                 (struct promela_place){.span = variable->span});
  }
  for (uint32_t i = 0; i < model->mtypes.n; i++)
    for (uint32_t k = 0; k < model->mtypes.at[i]->symbols.n; k++) {
      struct promela_symbol *symbol = model->mtypes.at[i]->symbols.at[k];
      promela_intern_text(p, symbol->name)->symbol = symbol;
    }
  for (uint32_t i = 0; i < model->proctypes.n; i++) {
    struct promela_proctype *proctype = model->proctypes.at[i];
    if (proctype->kind == PROMELA_PROCTYPE)
      promela_intern_text(p, proctype->name)->proctype = proctype;
    for (uint32_t k = 0; k < proctype->labels.n; k++) {
      struct promela_label *label = proctype->labels.at[k];
      *ARENA_PUSH(p->arena, &promela_intern_text(p, label->name)->labels) = label;
    }
  }
}

struct promela_expr *promela_read_condition(struct promela_model *model, struct diag *diag,
                                            const struct source *source) {
  const uint32_t before = diag_errors(diag);
  struct promela_parser *p = start(model->arena, diag, model);
  struct arena *tokens;
  if (!promela_preprocess(model->arena, diag, source, (struct promela_defines){NULL, 0},
                          &p->text, &tokens))
    return NULL;
  declare_all(p, model);
  p->is_asked = true;
  promela_stream_start(p);
  struct promela_expr *e = promela_parse_condition(p);
  if (e != NULL && promela_check_value(p, e, false) && !promela_at(p, PROMELA_T_END)) {
    promela_unexpected(p, "nothing more after the condition");
    if (promela_at(p, PROMELA_T_COLON))
      promela_hint(p, "write the values of a choice in parentheses: (c -> (a) : b)");
  }
  promela_finish_notes(p);
  if (diag_errors(diag) > before)
    return NULL;
  promela_resolve_lates(p);
  promela_finish_notes(p);
  arena_close(tokens);
  return diag_errors(diag) > before ? NULL : e;
}

/* The tokens are in p->text. */
static bool read_tokens(struct promela_parser *p) {
  const uint32_t before = diag_errors(p->diag);
  promela_stream_start(p);
  promela_parse_units(p);
  if (!p->stopped && diag_errors(p->diag) == before)
    promela_parse_formulas(p);
  promela_finish_notes(p);
  if (diag_errors(p->diag) > before)
    return false;
  promela_resolve_lates(p);
  promela_check_model(p);
  promela_finish_notes(p);
  return diag_errors(p->diag) == before;
}

struct promela_model *promela_read(struct arena *arena, struct diag *diag,
                                   const struct source *source,
                                   const struct language_options *options) {
  struct promela_model *model = ARENA_NEW(arena, struct promela_model);
  model->arena = arena;
  model->tree = arena_inside(arena);
  model->source = source;
  model->as_spin = options->as_spin;
  model->no_remarks = options->no_remarks;
  struct promela_parser *p = start(arena, diag, model);
  struct arena *tokens;
  const bool fine =
      promela_preprocess(arena, diag, source,
                         (struct promela_defines){options->define, options->n_defines},
                         &p->text, &tokens) &&
      read_tokens(p);
  arena_close(tokens);
  return fine ? model : NULL;
}
