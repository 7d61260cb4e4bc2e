/* sim_shown.c - a run of `cairn sim` as a message chart, a picture of it, and JSON, once it is
 * over. */
#include "cli/sim.h"

#include "cli/written.h"

#include "report/run_json.h"
#include "report/sequence.h"
#include "report/sequence_pen.h"

static struct search_trail trail_of(const struct sim *s) {
  return (struct search_trail){
      .initial = s->initial, .n_events = (uint32_t)s->n_events, .event = s->event};
}

static void write_json(void *context, FILE *out) {
  const struct sim *s = context;
  static const char *const end[] = {[SIM_LIMIT] = "steps",
                                    [SIM_PROPER] = "end",
                                    [SIM_STUCK] = "deadlock",
                                    [SIM_REFUSED] = "claim-accepts-nothing",
                                    [SIM_MODEL_ERROR] = "model-error",
                                    [SIM_QUIT] = "quit"};
  const struct search_trail trail = trail_of(s);
  struct json json;
  json_begin(&json, out);
  json_object(&json, NULL, false);
  json_unsigned(&json, "format", 1);
  json_string(&json, "cairn", CAIRN_VERSION);
  json_string(&json, "model", s->loaded.path);
  if (s->by_hand)
    json_null(&json, "seed");
  else
    json_unsigned(&json, "seed", s->seed);
  json_string(&json, "end", end[s->end]);
  if (*s->error == '\0') {
    json_null(&json, "error");
  } else {
    json_object(&json, "error", true);
    json_unsigned(&json, "step", s->error_step);
    json_string(&json, "message", s->error);
    json_close_object(&json);
  }
  why_write_json(&s->why, &json);
  run_json_write(&json, "run", s->ts, &trail, true, s->loaded.budget);
  json_close_object(&json);
  json_end(&json);
}

static void draw(const struct sim *s, const struct sequence_pen *pen) {
  const struct search_trail trail = trail_of(s);
  sequence_draw(s->ts, &trail, s->loaded.budget, s->loaded.arena, pen);
}

/* "model.pml: a run with seed 5: assertion: x < 3 (model.pml:7)" */
static void write_svg(void *context, FILE *out) {
  const struct sim *s = context;
  char which[40] = "a run by hand";
  if (!s->by_hand)
    snprintf(which, sizeof which, "a run with seed %llu", (unsigned long long)s->seed);
  const struct sequence_pen pen =
      sequence_svg(out, arena_printf(s->loaded.arena, "%s: %s%s%s", s->loaded.path, which,
                                     *s->error == '\0' ? "" : ": ", s->error));
  draw(s, &pen);
}

bool sim_show(struct sim *s) {
  const struct option_value *v = s->o->value;
  jmp_buf spent;
  if (setjmp(spent) != 0)
    return loaded_spent(&s->loaded);
  arena_guard(s->loaded.arena, &spent);
  if (v[OPTION_SEQUENCE].given) {
    const struct sequence_pen pen = sequence_text(stdout);
    draw(s, &pen);
  }
  const bool fine = (!v[OPTION_SVG].given ||
                     written_file(&s->loaded, OPTION_SVG, &outfile_chart, write_svg, s)) &&
                    (!v[OPTION_JSON].given ||
                     written_file(&s->loaded, OPTION_JSON, &outfile_json, write_json, s));
  arena_guard(s->loaded.arena, NULL);
  return fine;
}
