/* asked.c - conditions and numbers of the command line join the model. */
#include "ir/ir.h"

#include <xxhash.h>

#define ASKED_WIDTH 200u /* bytes of a text that are shown */

static const char *text_of(const struct ir_model *m, const struct source *source) {
  return source_squeeze(m->arena, (struct span){source, 0, source->length}, ASKED_WIDTH);
}

void ir_add_invariant(struct ir_model *m, const struct source *source,
                      struct ir_expr *condition) {
  const uint32_t n = m->n_properties;
  struct ir_property *all = ARENA_ARRAY(m->arena, n + (size_t)1, struct ir_property);
  for (uint32_t i = 0; i < n; i++)
    all[i] = m->property[i];
  all[n] = (struct ir_property){
      .span = {source, 0, source->length}, .text = text_of(m, source), .condition = condition};
  m->property = all;
  m->n_properties = n + 1;
  m->hash = XXH3_64bits_withSeed(source->text, source->length, m->hash);
}

uint32_t ir_add_atom(struct ir_model *m, const char *text, struct span span,
                     struct ir_expr *condition) {
  *ARENA_PUSH(m->arena, &m->atoms) =
      (struct ir_property){.span = span, .text = text, .condition = condition};
  return m->atoms.n - 1;
}

void ir_add_acceptance(struct ir_model *m, const char *what, struct span span,
                       struct ir_expr *condition) {
  static const struct claim_cube cube[] = {{1, 0}, {0, 1}};
  static const struct claim_edge edge[] = {{0, 0, 1, &cube[0], 1, 0, 0},
                                           {0, 0, 0, &cube[1], 1, 0, 0}};
  static const uint32_t first[] = {0, 2};
  const uint32_t atom = ir_add_atom(m, "accept", span, condition);
  *ARENA_PUSH(m->arena, &m->claims) = (struct claim){.kind = CLAIM_ACCEPTANCE,
                                                     .name = "acceptance",
                                                     .what = what,
                                                     .n_states = 1,
                                                     .n_marks = 1,
                                                     .edge = edge,
                                                     .first = first,
                                                     .first_atom = atom,
                                                     .n_atoms = 1,
                                                     .stutters = true,
                                                     .has_cycles = true};
}

void ir_add_measure(struct ir_model *m, const struct source *source, struct ir_expr *value) {
  const uint32_t n = m->n_measures;
  struct ir_measure *all = ARENA_ARRAY(m->arena, n + (size_t)1, struct ir_measure);
  for (uint32_t i = 0; i < n; i++)
    all[i] = m->measure[i];
  all[n] = (struct ir_measure){.text = text_of(m, source), .value = value};
  m->measure = all;
  m->n_measures = n + 1;
}
