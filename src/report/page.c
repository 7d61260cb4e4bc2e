/* page.c - a counterexample as a page for a browser. */
#include "report/page.h"

#include "report/json.h"

#include <stdlib.h>
#include <string.h>

/* Within a script nothing may look like its end. */
static void put_escaped(const char *text, size_t size, FILE *out) {
  for (size_t i = 0; i < size; i++)
    if (text[i] == '<')
      fputs("\\u003c", out);
    else
      fputc(text[i], out);
}

static void write_source(struct json *json, const struct source *source) {
  if (source == NULL || source->length > PAGE_SOURCE) {
    json_null(json, "source");
    return;
  }
  json_array(json, "source", false);
  for (uint32_t i = 0; i < source->n_lines; i++) {
    const char *line = source->text + source->line[i];
    const char *end = memchr(line, '\n', source->length - source->line[i]);
    const size_t n =
        end == NULL ? (size_t)(source->length - source->line[i]) : (size_t)(end - line);
    char *text = strndup(line, n);
    json_string(json, NULL, text == NULL ? "" : text);
    free(text);
  }
  json_close_array(json);
}

static void write_data(const struct outcome *run, const struct source *source, FILE *out) {
  struct json json;
  json_begin(&json, out);
  json_object(&json, NULL, false);
  json_string(&json, "file", source == NULL ? NULL : source->name);
  write_source(&json, source);
  outcome_write_run(run, &json, "run");
  json_close_object(&json);
  json_end(&json);
}

void page_write(const struct outcome *run, const struct source *source, FILE *out) {
  static const char mark[] = "@DATA@";
  const char *at = strstr(page_text, mark);
  char *data = NULL;
  size_t size = 0;
  FILE *inner = open_memstream(&data, &size);
  if (inner == NULL)
    return;
  write_data(run, source, inner);
  if (fclose(inner) == 0) {
    fwrite(page_text, 1, (size_t)(at - page_text), out);
    put_escaped(data, size, out);
    fputs(at + strlen(mark), out);
  }
  free(data);
}
