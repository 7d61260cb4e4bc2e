/* foreign.c - a model written in C is opened, and gets what the command line asks. */
#include "foreign/foreign.h"

#include "base/clock.h"

#include <string.h>

static void let_go(void *unused) {
  (void)unused;
  guard_close();
}

/* All initial states, in one call, so that it meets a limit as any other. */
struct beginnings {
  const struct foreign *f;
  uint8_t *row;
  volatile uint32_t at;
};

static void begin_all(void *context) {
  struct beginnings *b = context;
  for (; b->at < b->f->shape.n_initial; b->at++) {
    memset(b->row, 0, ts_stride(&b->f->shape));
    b->f->model->initial(b->at, b->row);
  }
}

/* What crashes before a search has nobody to report it to but its user. What meets the time
 * limit does so again in the search, which can say so. */
static bool begins(const struct foreign *f, struct arena *arena, struct diag *diag,
                   const struct foreign_order *order) {
  struct beginnings b = {f, ARENA_ARRAY(arena, ts_stride(&f->shape), uint8_t), 0};
  const enum guard_crash crash = foreign_call(f, begin_all, &b);
  if (crash == GUARD_FINE || (crash == GUARD_STOPPED && !clock_stop_requested()))
    return true;
  diag_error(diag, (struct span){0}, "%s: the function initial: %s%s", order->source->name,
             b.at == 0 ? "" : arena_printf(arena, "of state %u: ", b.at),
             crash == GUARD_STOPPED ? "it was stopped" : guard_sentence[crash]);
  return false;
}

/* A line without the blanks in front; 0: no place. */
static struct span span_of(const struct source *source, uint32_t line) {
  if (line == 0 || line > source->n_lines)
    return (struct span){0};
  uint32_t begin = source->line[line - 1];
  uint32_t end = line < source->n_lines ? source->line[line] - 1 : source->length;
  while (begin < end && (source->text[begin] == ' ' || source->text[begin] == '\t'))
    begin++;
  return (struct span){source, begin, end};
}

/* The model, compiled or loaded, with the guard that its calls need. */
static const struct cairn_model *open_program(struct arena *arena, struct diag *diag,
                                              const struct foreign_order *order) {
  const struct program_order program = {.path = order->source->name,
                                        .text = order->source->text,
                                        .length = order->source->length,
                                        .is_object = order->is_object,
                                        .symbol = "cairn_model",
                                        .abi = CAIRN_MODEL_ABI,
                                        .oldest = FOREIGN_OLDEST,
                                        .define = order->define,
                                        .n_defines = order->n_defines,
                                        .compiler = order->compiler};
  const char *why = NULL;
  uint32_t line = 0;
  const struct cairn_model *model = program_open(arena, &program, &why, &line);
  if (model == NULL) {
    diag_error(diag, span_of(order->source, line), "%s", why);
    return NULL;
  }
  guard_open();
  arena_at_close(arena, let_go, NULL);
  return model;
}

static const struct cairn_model *take_functions(struct diag *diag,
                                                const struct foreign_order *order) {
  const struct cairn_model *model = order->functions;
  if (model->abi <= CAIRN_MODEL_ABI && model->abi >= FOREIGN_OLDEST)
    return model;
  diag_error(diag, (struct span){0},
             "%s: the functions are of another version of cairn/model.h (%u, here %u)",
             order->source->name, model->abi, CAIRN_MODEL_ABI);
  return NULL;
}

/* A model of an earlier number of the header, without what that had not. */
static const struct cairn_model *complete(struct arena *arena,
                                          const struct cairn_model *model) {
  static const size_t bytes[] = {[FOREIGN_OLDEST] = offsetof(struct cairn_model, print_state),
                                 [CAIRN_MODEL_ABI] = sizeof *model};
  struct cairn_model *all = ARENA_NEW(arena, struct cairn_model);
  memcpy(all, model, bytes[model->abi]);
  return all;
}

struct foreign *foreign_open(struct arena *arena, struct diag *diag,
                             const struct foreign_order *order) {
  struct foreign *f = ARENA_NEW(arena, struct foreign);
  f->is_trusted = order->functions != NULL;
  f->model = f->is_trusted ? take_functions(diag, order) : open_program(arena, diag, order);
  if (f->model == NULL)
    return NULL;
  f->model = complete(arena, f->model);
  f->words_are_endless = ARENA_NEW(arena, bool);
  return foreign_shape(f, arena, diag, order) && begins(f, arena, diag, order) ? f : NULL;
}

void foreign_finish(struct foreign *f, struct arena *arena, const struct foreign_asked *asked) {
  struct ts_shape *shape = &f->shape;
  const uint32_t own = f->model->n_invariants, n = own + asked->n_invariants;
  struct ts_property *property = ARENA_ARRAY(arena, n, struct ts_property);
  struct ts_measure *measure = ARENA_ARRAY(arena, asked->n_measures, struct ts_measure);
  struct ts_atom *atom = ARENA_ARRAY(arena, asked->n_atoms, struct ts_atom);
  const char *const *text = asked->text;
  for (uint32_t i = 0; i < n; i++)
    property[i] = (struct ts_property){
        TS_PROPERTY_INVARIANT, i < own ? f->model->invariant[i].name : *text++, {0}};
  for (uint32_t i = 0; i < asked->n_measures; i++)
    measure[i] = (struct ts_measure){*text++, INT32_MIN, INT32_MAX};
  for (uint32_t i = 0; i < asked->n_atoms; i++)
    atom[i].text = *text++;
  shape->n_properties = n;
  shape->property = property;
  shape->n_measures = asked->n_measures;
  shape->measure = measure;
  shape->n_atoms = asked->n_atoms;
  shape->atom = atom;
  shape->claim = asked->claim;
  shape->n_claims = asked->n_claims;
  f->asks = asked->asks;
  f->ts.shape = shape;
  f->ts.self = f;
  f->code = foreign_code;
  if (f->model->ends == NULL)
    f->code.ends = NULL;
  atomic_store_explicit(&f->ts.code, &f->code, memory_order_release);
}
