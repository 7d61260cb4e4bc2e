/* dump.c - prints the automata of a Promela model, for comparison with those of Spin.
 *
 *     promela_dump MODEL [-DNAME=VALUE …]
 *
 *     proctype NAME START
 *     L number flags(e end, p progress, d inside a d_step) name
 *     E from to flags(A keeps control) escape text
 */
#include "lang/lang.h"

#include <stdio.h>
#include <string.h>

static void print_process(struct arena *arena, const struct ir_process *p) {
  printf("proctype %s %u\n", p->name, p->initial);
  for (uint32_t i = 0; i < p->n_locations; i++) {
    unsigned flags = p->location[i].flags;
    printf("L %u %s%s%s- %s\n", i, (flags & IR_VALID_END) != 0 ? "e" : "",
           (flags & IR_PROGRESS) != 0 ? "p" : "", (flags & IR_IN_DSTEP) != 0 ? "d" : "",
           p->location[i].name);
  }
  for (uint32_t i = 0; i < p->n_edges; i++) {
    const struct ir_edge *e = &p->edge[i];
    const char *text = e->span.source == NULL ? "" : source_squeeze(arena, e->span, 60);
    printf("E %u %u %s%s- %u %s\n", e->from, e->to, (e->flags & IR_KEEPS) != 0 ? "A" : "",
           (e->flags & IR_ENDS) != 0 ? "E" : "", e->escape, text);
  }
}

int main(int argc, char **argv) {
  struct budget *budget = budget_open(UINT64_C(1) << 32);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  struct diag *diag = diag_open(arena);
  const char *why = NULL;
  const char **define = ARENA_ARRAY(arena, (size_t)argc, const char *);
  struct language_options options = {.define = define, .as_spin = true, .no_remarks = true};
  for (int i = 2; i < argc; i++)
    define[options.n_defines++] = argv[i] + (strncmp(argv[i], "-D", 2) == 0 ? 2 : 0);
  const struct source *source = argc < 2 ? NULL : source_read(arena, argv[1], &why);
  if (source == NULL) {
    fprintf(stderr, "promela_dump: %s\n", why == NULL ? "no model given" : why);
    return 2;
  }
  const struct language *promela = language_of_file("m.pml");
  struct ir_model *model = promela->parse(arena, diag, source, &options);
  diag_print(diag, stderr, false);
  for (uint32_t i = 0; model != NULL && i < model->n_processes; i++)
    print_process(arena, model->process[i]);
  arena_close(arena);
  budget_close(budget);
  return model == NULL ? 2 : 0;
}
