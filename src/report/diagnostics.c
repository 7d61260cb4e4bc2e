/* diagnostics.c - messages about a model as JSON, in an array or line by line. */
#include "report/diagnostics.h"

static void number(struct json *json, const char *key, bool known, uint32_t value) {
  if (known)
    json_unsigned(json, key, value);
  else
    json_null(json, key);
}

static void write_item(void *context, const struct diag_item *item) {
  struct json *json = context;
  const bool known = item->file != NULL;
  json_object(json, NULL, true);
  json_string(json, "severity", item->severity);
  json_string(json, "file", item->file);
  number(json, "line", known, item->line);
  number(json, "column", known, item->column);
  number(json, "end_line", known, item->end_line);
  number(json, "end_column", known, item->end_column);
  json_string(json, "message", item->text);
  json_close_object(json);
}

void diagnostics_write(struct json *json, const char *key, const struct diag *diag) {
  json_array(json, key, false);
  if (diag != NULL)
    diag_each(diag, write_item, json);
  json_close_array(json);
}

static void print_item(void *context, const struct diag_item *item) {
  struct json json;
  json_begin(&json, context);
  write_item(&json, item);
  json_end(&json);
}

void diagnostics_print(const struct diag *diag, FILE *out) {
  diag_each(diag, print_item, out);
}
