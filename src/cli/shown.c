/* shown.c - a counterexample from a file, in the form that the options ask for: step by step,
 * as a message chart, as JSON, as a page. */
#include "cli/shown.h"

#include "cli/written.h"

#include "report/page.h"
#include "report/sequence.h"
#include "report/sequence_pen.h"
#include "report/steps.h"
#include "report/why.h"

#include <stdlib.h>

struct showing {
  const struct shown *run;
  const struct options *o;
  struct outcome outcome;
  struct search_result result;
  struct why why;
};

static bool print_steps(struct showing *s) {
  struct budget *budget = s->run->loaded->budget;
  const struct search_trail *trail = &s->run->error->trail;
  struct steps steps;
  if (!steps_open(&steps, s->run->ts, stdout, budget))
    return loaded_fail(s->run->loaded, 3, "the memory budget was reached");
  steps.color = loaded_color(s->o, stdout);
  steps.full = s->o->value[OPTION_FULL].given;
  steps.n_events = trail->n_events;
  steps.n_cycle = trail->n_cycle;
  outcome_print_verdict(&s->outcome, stdout, steps.color);
  fputc('\n', stdout);
  search_replay(s->run->ts, trail, budget, steps_replay, &steps);
  if (s->outcome.why != NULL)
    why_print(s->outcome.why, &steps);
  steps_close(&steps, budget);
  return true;
}

static bool print_chart(struct showing *s) {
  outcome_print_verdict(&s->outcome, stdout, loaded_color(s->o, stdout));
  fputc('\n', stdout);
  const struct sequence_pen pen = sequence_text(stdout);
  sequence_draw(s->run->ts, &s->run->error->trail, s->run->loaded->budget,
                s->run->loaded->arena, &pen);
  return true;
}

static void write_json(void *context, FILE *out) {
  struct showing *s = context;
  outcome_write_run_json(&s->outcome, out);
}

static void write_page(void *context, FILE *out) {
  struct showing *s = context;
  page_write(&s->outcome, s->run->loaded->source, out);
}

/* "model.pml: assertion: x < 3 (model.pml:7) after 4 steps" */
static void write_svg(void *context, FILE *out) {
  struct showing *s = context;
  char *sentence = NULL;
  size_t size = 0;
  FILE *to = open_memstream(&sentence, &size);
  if (to == NULL)
    return;
  outcome_print_sentence(&s->outcome, to);
  const bool fine = fclose(to) == 0;
  struct arena *arena = s->run->loaded->arena;
  const char *title =
      arena_printf(arena, "%s: %s", s->run->loaded->path, fine ? sentence : "a counterexample");
  free(sentence);
  const struct sequence_pen pen = sequence_svg(out, title);
  sequence_draw(s->run->ts, &s->run->error->trail, s->run->loaded->budget, arena, &pen);
}

static bool print_all(struct showing *s) {
  const bool json = s->o->value[OPTION_JSON].given, page = s->o->value[OPTION_HTML].given;
  const bool svg = s->o->value[OPTION_SVG].given;
  bool fine = true;
  if (s->o->value[OPTION_SEQUENCE].given)
    fine = print_chart(s);
  else if (!page && !svg && !options_to_stdout(s->o, OPTION_JSON))
    fine = print_steps(s);
  if (fine && svg)
    fine = written_file(s->run->loaded, OPTION_SVG, &outfile_chart, write_svg, s);
  if (fine && json)
    fine = written_file(s->run->loaded, OPTION_JSON, &outfile_json, write_json, s);
  if (fine && page)
    fine = written_file(s->run->loaded, OPTION_HTML, &outfile_html, write_page, s);
  return fine;
}

bool shown_print(const struct shown *run) {
  struct loaded *l = run->loaded;
  struct showing *s = ARENA_NEW(l->arena, struct showing);
  jmp_buf spent;
  *s = (struct showing){.run = run, .o = l->o};
  s->result = (struct search_result){.verdict = SEARCH_VIOLATED, .error = *run->error};
  s->outcome = (struct outcome){.version = CAIRN_VERSION,
                                .model = l->path,
                                .shape = run->ts->shape,
                                .result = &s->result,
                                .verdict = OUTCOME_VIOLATED,
                                .trail_file = run->trail,
                                .replayed = run->ts,
                                .budget = l->budget};
  if (setjmp(spent) != 0)
    return loaded_spent(l);
  arena_guard(l->arena, &spent);
  if (why_find(run->ts, run->error, l->budget, l->arena, &s->why))
    s->outcome.why = &s->why;
  const bool fine = print_all(s);
  arena_guard(l->arena, NULL);
  return fine;
}
