/* lower.c - from the syntax tree to the checked model: the order of the passes. */
#include "lang/dve/lower.h"

static struct ir_process *find_property(struct dve_lower *l, const struct dve_file *file) {
  if (!dve_present(file->property))
    return NULL;
  const struct dve_symbol *s = dve_names_find(l->names, NULL, false, file->property);
  return s != NULL && s->kind == DVE_SYMBOL_PROCESS ? s->process : NULL;
}

static void report_property(struct dve_lower *l, const struct dve_file *file) {
  l->failed = false;
  if (DVE_LOWER_ERROR(l, file->property, "unknown process '%.*s'", DVE_NAME(file->property)))
    dve_suggest(l, DVE_SYMBOL_PROCESS, NULL, file->property);
}

static void lower_processes(struct dve_lower *l, const struct dve_file *file) {
  struct ir_model *model = l->model;
  const struct dve_processes *list = &file->processes;
  model->process = ARENA_ARRAY(l->arena, list->n, struct ir_process *);
  model->n_processes = list->n;
  for (uint32_t i = 0; i < list->n; i++) {
    model->process[i] = dve_lower_process_names(l, list->at[i]);
    model->process[i]->index = i;
  }
  struct ir_process *property = find_property(l, file);
  if (property != NULL)
    property->is_property = true;
  dve_lower_arity(l, file);
  for (uint32_t i = 0; i < list->n; i++)
    dve_lower_process_body(l, list->at[i], model->process[i]);
  if (property == NULL && dve_present(file->property))
    report_property(l, file);
}

/* NULL: it can be run. */
static const char *claim_of(struct dve_lower *l, struct ir_process *p,
                            const struct dve_process *d) {
  const char *why = dve_lower_claim(l, p, d);
  return why == NULL ? NULL : arena_printf(l->arena, "property %s (%s)", p->name, why);
}

/* The property becomes a claim; which parts of the model say something that nobody checks yet.
 */
static void lower_claims(struct dve_lower *l, const struct dve_file *file, bool acceptance) {
  struct ir_model *model = l->model;
  model->unchecked = ARENA_ARRAY(l->arena, model->n_processes + 1u, const char *);
  for (uint32_t i = 0; i < model->n_processes; i++) {
    const char *text = NULL;
    if (model->process[i]->is_property)
      text = claim_of(l, model->process[i], file->processes.at[i]);
    if (text != NULL)
      model->unchecked[model->n_unchecked++] = text;
  }
  const char *why = acceptance ? dve_lower_acceptance(l, file) : NULL;
  if (why != NULL)
    model->unchecked[model->n_unchecked++] =
        arena_printf(l->arena, "what processes accept (%s)", why);
}

/* All processes move at once in a synchronous system, each on its own. */
static void warn_of_syncs(struct dve_lower *l, const struct dve_file *file) {
  bool warned = false;
  for (uint32_t i = 0; i < file->processes.n; i++) {
    struct dve_transitions *list = &file->processes.at[i]->transitions;
    for (uint32_t j = 0; j < list->n; j++) {
      if (list->at[j].sync != IR_NO_SYNC && !warned)
        diag_warning(l->diag, list->at[j].sync_span,
                     "channel operations are ignored in a synchronous system");
      warned |= list->at[j].sync != IR_NO_SYNC;
    }
  }
}

static void check_size(struct dve_lower *l) {
  for (uint32_t i = 0; i < l->model->n_processes; i++)
    if (!l->model->process[i]->is_property)
      return;
  const struct source *source = l->model->source;
  diag_error(l->diag, ((struct span){source, source->length, source->length}),
             "the model has no process that could run");
}

struct ir_model *dve_lower_file(struct arena *arena, struct diag *diag,
                                const struct source *source, const struct dve_file *file,
                                const struct language_options *options) {
  uint32_t errors = diag_errors(diag);
  struct ir_model *model = ARENA_NEW(arena, struct ir_model);
  struct dve_lower l = {.arena = arena,
                        .diag = diag,
                        .model = model,
                        .names = dve_names_open(arena),
                        .channels = &file->channels};
  model->arena = arena;
  model->name = source->name;
  model->language = "dve";
  model->source = source;
  model->synchronous = file->synchronous;
  model->global = dve_lower_variables(&l, &file->variables, NULL, &model->n_globals);
  dve_lower_channels(&l, &file->channels);
  lower_processes(&l, file);
  check_size(&l);
  model->property = l.properties.at;
  model->n_properties = l.properties.n;
  if (diag_errors(diag) > errors)
    return NULL;
  lower_claims(&l, file, options != NULL && options->acceptance);
  if (file->synchronous)
    warn_of_syncs(&l, file);
  else
    dve_check_handshakes(&l);
  return model;
}
