/* checkpoint.c - the options --checkpoint FILE[,SECONDS] and --resume FILE. See checkpoint.h.
 *
 * The options on which a search depends are kept as a text, so that a mistake can be explained.
 * Which options these are not is said here: limits of time and memory, what is printed and
 * where it goes.
 */
#include "cli/checkpoint.h"

#include "base/bits.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 11, EVERY = 600 /* seconds */, MOST_TEXT = 4096 };

/* The search is the same without it. */
static bool is_beside(enum option option) {
  static const enum option beside[] = {OPTION_CHECKPOINT, OPTION_RESUME,     OPTION_MEMORY,
                                       OPTION_TIME,       OPTION_MAX_STATES, OPTION_MAX_VISITS,
                                       OPTION_JSON,       OPTION_TRAIL,      OPTION_FORCE,
                                       OPTION_QUIET,      OPTION_COLOR,      OPTION_COMPILER};
  for (uint32_t i = 0; i < sizeof beside / sizeof *beside; i++)
    if (beside[i] == option)
      return true;
  return false;
}

/* "--order dfs --store tree", in the order of the table. NULL: memory ran out. */
static const char *options_text(const struct options *o, struct arena *arena) {
  const char *text = "";
  for (uint32_t option = 0; option < OPTIONS && text != NULL; option++)
    for (uint32_t i = 0; i < o->n_given && text != NULL; i++) {
      const struct option_given *given = &o->given[i];
      if (given->option != (enum option)option || is_beside(given->option))
        continue;
      const char *name = options_entry(given->option)->name, *space = *text ? " " : "";
      text = given->text == NULL
                 ? arena_printf(arena, "%s%s--%s", text, space, name)
                 : arena_printf(arena, "%s%s--%s %s", text, space, name, given->text);
    }
  return text;
}

/* Of the whole text: the file holds only its beginning. */
static uint64_t text_hash(const char *text) {
  uint64_t hash = strlen(text);
  for (; *text != '\0'; text++) {
    hash ^= (uint8_t)*text;
    hash = bits_next_random(&hash);
  }
  return hash;
}

/* ---- the file ------------------------------------------------------------------------- */

static void put_head(const struct checkpoint *c, struct sink *sink) {
  size_t n = strnlen(c->options, MOST_TEXT);
  sink_section(sink, "checkpoint");
  sink_put_number(sink, c->shape->places);
  sink_put_number(sink, n);
  sink_put(sink, c->options, n);
  sink_put_number(sink, text_hash(c->options));
  sink_put_number(sink, c->shape->model_hash);
  sink_put_number(sink, ts_stride(c->shape));
  sink_put_number(sink, c->shape->n_actions);
  for (uint32_t i = 0; i < 2; i++)
    if (c->note[i] != NULL)
      sink_put_number(sink, *c->note[i]);
}

/* The part that can be read before the model. */
static void take_head(struct checkpoint *c, uint32_t *places) {
  struct sink *sink = c->sink;
  char found[MOST_TEXT + 1], why[160];
  sink_section(sink, "checkpoint");
  *places = (uint32_t)sink_take_count(sink, UINT32_MAX);
  uint64_t n = sink_take_count(sink, MOST_TEXT);
  sink_take(sink, found, n);
  found[n] = '\0';
  uint64_t hash = sink_take_number(sink);
  if (strncmp(found, c->options, MOST_TEXT) == 0 && hash == text_hash(c->options))
    return;
  snprintf(why, sizeof why, "was written with other options: %.100s%s", n == 0 ? "none" : found,
           n > 100 ? "..." : "");
  sink_refuse(sink, why);
}

/* Called between two expansions, when it is time. That a file cannot be written is no reason to
 * end the search. */
static bool write_file(void *context, struct search *search) {
  struct checkpoint *c = context;
  double began = clock_now();
  if (sink_create(c->sink, c->write, FORMAT)) {
    put_head(c, c->sink);
    search_save(search, c->sink);
  }
  if (sink_commit(c->sink)) {
    c->written++;
    c->bytes = sink_bytes(c->sink);
  } else {
    snprintf(c->failure, sizeof c->failure, "%s", sink_why(c->sink));
  }
  c->seconds += clock_now() - began;
  return true;
}

/* ---- the options ---------------------------------------------------------------------- */

/* Cuts ",SECONDS" off the name of the file. */
static const char *cut_seconds(char *text, double *seconds) {
  char *comma = strrchr(text, ','), *end = NULL;
  double found = comma == NULL ? 0 : strtod(comma + 1, &end);
  if (comma == NULL || end == comma + 1 || *end != '\0')
    return NULL; /* a name with a comma */
  *comma = '\0';
  *seconds = found;
  return found > 0 && found <= 1e9 ? NULL
                                   : "--checkpoint takes a number of seconds from 0.000001 to "
                                     "1000000000 after the comma";
}

static const char *open_write(struct checkpoint *c, const char *given, struct arena *arena,
                              struct search_checkpoint_options *options) {
  char *text = arena_text(arena, given, strlen(given));
  if (text == NULL)
    return "too little memory for --checkpoint";
  options->seconds = EVERY;
  const char *why = cut_seconds(text, &options->seconds);
  if (why != NULL || *text == '\0')
    return why != NULL ? why : "--checkpoint needs the name of a file";
  c->write = text;
  options->write = write_file;
  options->context = c;
  /* A file that cannot be written should not be found out after hours. */
  bool fine = sink_create(c->sink, c->write, FORMAT);
  sink_drop(c->sink);
  return fine ? NULL : sink_why(c->sink);
}

const char *checkpoint_open(struct checkpoint *c, const struct options *o, struct loaded *l,
                            struct search_checkpoint_options *options) {
  const char *write = o->value[OPTION_CHECKPOINT].text, *why = NULL;
  c->resume = o->value[OPTION_RESUME].text;
  if (write == NULL && c->resume == NULL)
    return NULL;
  c->options = options_text(o, l->arena);
  c->sink = sink_open(l->budget);
  if (c->options == NULL || c->sink == NULL)
    return "too little memory for --checkpoint";
  if (write != NULL)
    why = open_write(c, write, l->arena, options);
  if (why != NULL || c->resume == NULL)
    return why;
  if (sink_read(c->sink, c->resume, FORMAT))
    take_head(c, &l->places);
  options->resume = c->sink;
  return sink_is_fine(c->sink) ? NULL : sink_why(c->sink);
}

const char *checkpoint_begin(struct checkpoint *c, const struct ts_shape *shape) {
  c->shape = shape;
  if (c->resume == NULL)
    return NULL;
  sink_same(c->sink, shape->model_hash, "was written for another model");
  sink_same(c->sink, ts_stride(shape), "was written for another layout of the model");
  sink_same(c->sink, shape->n_actions, "was written for another layout of the model");
  for (uint32_t i = 0; i < 2; i++)
    if (c->note[i] != NULL)
      *c->note[i] = sink_take_number(c->sink);
  return sink_is_fine(c->sink) ? NULL : sink_why(c->sink);
}

void checkpoint_close(struct checkpoint *c) {
  sink_close(c->sink);
  c->sink = NULL;
}
