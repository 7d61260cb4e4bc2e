/* results.c - the file of runs that have ended: one line of JSON for each. */
#include "cli/bench/results.h"

#include "report/json.h"
#include "report/json_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static const char *end_name(enum launch_end end) {
  static const char *const names[] = {[LAUNCH_EXITED] = "exited",
                                      [LAUNCH_SIGNALLED] = "signal",
                                      [LAUNCH_TIME] = "time limit",
                                      [LAUNCH_INTERRUPTED] = "interrupted",
                                      [LAUNCH_NOT_STARTED] = "not started"};
  return names[end];
}

/* ---- reading ------------------------------------------------------------------ */

struct reading {
  struct arena *arena;
  struct results_run run;
  bool fields;
};

static bool is(const struct json_leaf *leaf, const char *path) {
  return strcmp(leaf->path, path) == 0;
}

static const char *text_of(struct arena *arena, const struct json_leaf *leaf) {
  char *text = arena_alloc(arena, leaf->length + 1);
  json_unescape(leaf->text, leaf->length, text, leaf->length + 1);
  return text;
}

static void add_field(struct reading *r, const struct json_leaf *leaf) {
  static const char prefix[] = "figures.";
  bool own = strncmp(leaf->path, prefix, sizeof prefix - 1) == 0;
  const char *name = own ? leaf->path + sizeof prefix - 1 : leaf->path;
  struct formula_value value = {.kind = FORMULA_TEXT};
  if (leaf->in_array || (leaf->kind == JSON_WORD && leaf->length > 0 && leaf->text[0] == 'n'))
    return;
  if (leaf->kind == JSON_NUMBER) {
    value = formula_value_of(leaf->text, leaf->length);
  } else if (leaf->kind == JSON_WORD) {
    value = (struct formula_value){.kind = FORMULA_NUMBER, .number = leaf->text[0] == 't'};
  } else {
    value.text = text_of(r->arena, leaf);
    value.length = strlen(value.text);
  }
  *ARENA_PUSH(r->arena, &r->run.fields) =
      (struct results_field){arena_text(r->arena, name, strlen(name)), value};
}

static void take_leaf(void *data, const struct json_leaf *leaf) {
  struct reading *r = data;
  if (is(leaf, "key"))
    r->run.key = text_of(r->arena, leaf);
  else if (is(leaf, "repeat"))
    r->run.repeat = (uint32_t)strtoul(leaf->text, NULL, 10);
  else if (is(leaf, "fingerprint"))
    r->run.fingerprint = strtoull(leaf->text, NULL, 16);
  else if (is(leaf, "good"))
    r->run.good = leaf->length == 4;
  else if (r->fields)
    add_field(r, leaf);
}

struct results *results_read(struct arena *arena, const char *path, bool fields) {
  struct results *results = ARENA_NEW(arena, struct results);
  FILE *file = fopen(path, "r");
  if (file == NULL)
    return errno == ENOENT ? results : NULL;
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  while ((length = getline(&line, &room, file)) > 0) {
    struct reading r = {.arena = arena, .fields = fields};
    if (!json_read(line, (size_t)length, take_leaf, &r) || r.run.key == NULL)
      results->damaged += length > 1;
    else
      *ARENA_PUSH(arena, &results->runs) = r.run;
  }
  bool failed = ferror(file) != 0;
  free(line);
  fclose(file);
  errno = EIO;
  return failed ? NULL : results;
}

const struct results_run *results_find(const struct results *r, const char *key,
                                       uint32_t repeat, uint64_t fingerprint) {
  for (uint32_t i = r->runs.n; i-- > 0;) {
    const struct results_run *run = &r->runs.at[i];
    if (run->repeat == repeat && (fingerprint == 0 || run->fingerprint == fingerprint) &&
        strcmp(run->key, key) == 0)
      return run;
  }
  return NULL;
}

struct formula_value results_field(const struct results_run *run, const char *name,
                                   size_t length) {
  for (uint32_t i = 0; i < run->fields.n; i++)
    if (strlen(run->fields.at[i].name) == length &&
        memcmp(run->fields.at[i].name, name, length) == 0)
      return run->fields.at[i].value;
  return (struct formula_value){0};
}

/* ---- writing ------------------------------------------------------------------ */

/* A line that was cut off gets its end, so that the next one is a line of its own. */
static bool end_last_line(FILE *file) {
  if (fseek(file, -1, SEEK_END) != 0)
    return true;
  int last = fgetc(file);
  return fseek(file, 0, SEEK_END) == 0 && (last == '\n' || fputc('\n', file) != EOF);
}

enum results_answer results_append(const char *path, bool fresh, FILE **file) {
  *file = fopen(path, "a+");
  if (*file == NULL)
    return RESULTS_FAILED;
  int why = flock(fileno(*file), LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
  if (why == 0 && fresh && ftruncate(fileno(*file), 0) != 0)
    why = errno;
  if (why == 0 && end_last_line(*file))
    return RESULTS_FINE;
  fclose(*file);
  errno = why;
  return why == EWOULDBLOCK ? RESULTS_IN_USE : RESULTS_FAILED;
}

/* All but the figures, which are there as text already. */
static void write_head(FILE *out, const struct results_line *l) {
  struct json json;
  char fingerprint[20], date[32] = "";
  time_t now = time(NULL);
  struct tm utc;
  if (gmtime_r(&now, &utc) != NULL)
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
  snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, l->fingerprint);
  json_begin(&json, out);
  json_object(&json, NULL, true);
  json_unsigned(&json, "format", 1);
  json_string(&json, "key", l->key);
  json_unsigned(&json, "repeat", l->repeat);
  json_string(&json, "fingerprint", fingerprint);
  json_string(&json, "date", date);
  json_bool(&json, "good", l->good);
  json_string(&json, "end", end_name(l->how.end));
  json_signed(&json, "status", l->how.status);
  json_real(&json, "wall", l->how.wall);
  json_real(&json, "cpu", l->how.cpu);
  json_unsigned(&json, "peak", l->how.peak);
  json_real(&json, "load", l->load);
  json_string(&json, "message", l->message);
  json_close_object(&json);
}

/* Line breaks and indentation between values are left out; a text has none. */
static void write_flat(FILE *out, const char *json) {
  bool quoted = false;
  for (const char *c = json; *c != '\0'; c++) {
    quoted ^= *c == '"';
    if (*c == '\\' && quoted && c[1] != '\0')
      fputc(*c++, out);
    else if (!quoted && (*c == '\n' || *c == ' '))
      continue;
    fputc(*c, out);
  }
}

bool results_write(FILE *file, const struct results_line *l) {
  char *head = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&head, &length);
  if (out == NULL)
    return false;
  write_head(out, l);
  if (fclose(out) != 0 || length == 0) {
    free(head);
    return false;
  }
  fwrite(head, 1, length - 1, file); /* without the closing brace */
  free(head);
  fputs(", \"figures\": ", file);
  write_flat(file, l->figures);
  fputs("}\n", file);
  return fflush(file) == 0 && !ferror(file);
}
