/* library_said.c - what came of a run of the library, as text and as numbers.
 *
 * Each text is made when it is asked for, from the same outcome from which the command prints.
 */
#include "cli/library.h"

#include "report/json_read.h"

#include <stdlib.h>
#include <string.h>

const char *cairn_error(struct cairn *c) {
  return c->error;
}

const char *cairn_messages(struct cairn *c) {
  if (c->messages != NULL)
    fflush(c->messages);
  const char *said = c->said[LIBRARY_MESSAGES];
  return said == NULL ? "" : said;
}

static void write_sentence(struct cairn *c, FILE *out) {
  outcome_print_verdict(&c->check.now.outcome, out, false);
}

static void write_report(struct cairn *c, FILE *out) {
  if (c->check.now.outcome.verdict != OUTCOME_REJECTED)
    check_print(&c->check, out);
}

static void write_json(struct cairn *c, FILE *out) {
  outcome_write_json(&c->check.now.outcome, out);
}

static void write_run_json(struct cairn *c, FILE *out) {
  outcome_write_run_json(&c->check.now.outcome, out);
}

/* The text of that kind, made if it is not there yet; NULL: there was no run, or no memory. */
static const char *text_of(struct cairn *c, enum library_text kind,
                           void (*write)(struct cairn *, FILE *)) {
  if (c->said[kind] != NULL || !c->is_open)
    return c->said[kind];
  size_t size = 0;
  char *text = NULL;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL) {
    library_fail(c, "out of memory");
    return NULL;
  }
  library_enter(c);
  write(c, out);
  library_leave(c);
  const bool failed = ferror(out) != 0;
  if (fclose(out) != 0 || failed) {
    free(text);
    library_fail(c, "out of memory");
    return NULL;
  }
  return c->said[kind] = text;
}

const char *cairn_sentence(struct cairn *c) {
  const char *text = text_of(c, LIBRARY_SENTENCE, write_sentence);
  char *end = text == NULL ? NULL : strchr(text, '\n');
  if (end != NULL)
    *end = '\0';
  return text == NULL ? "" : text;
}

const char *cairn_report(struct cairn *c) {
  return text_of(c, LIBRARY_REPORT, write_report);
}

const char *cairn_json(struct cairn *c) {
  return text_of(c, LIBRARY_JSON, write_json);
}

const char *cairn_run_json(struct cairn *c) {
  return cairn_has_run(c) ? text_of(c, LIBRARY_RUN_JSON, write_run_json) : NULL;
}

/* ---- figures ---------------------------------------------------------------------------- */

struct asked {
  const char *name;
  bool found;
  double value;
};

static void look(void *context, const struct json_leaf *leaf) {
  struct asked *asked = context;
  char number[40];
  if (leaf->in_array || leaf->kind != JSON_NUMBER || strcmp(leaf->path, asked->name) != 0 ||
      leaf->length >= sizeof number)
    return;
  memcpy(number, leaf->text, leaf->length);
  number[leaf->length] = '\0';
  asked->value = strtod(number, NULL);
  asked->found = true;
}

int cairn_figure(struct cairn *c, const char *name, double *value) {
  struct asked asked = {.name = name};
  const char *json = cairn_json(c);
  if (json == NULL)
    return library_fail(c, "there is no run of which there could be figures");
  library_enter(c);
  json_read(json, strlen(json), look, &asked);
  library_leave(c);
  if (!asked.found)
    return library_fail(c, "the run has no figure '%.60s': docs/json.md lists them", name);
  *value = asked.value;
  return 0;
}
