/* json.c - writing JSON (RFC 8259), value by value. */
#include "report/json.h"

#include "base/utf8.h"

#include <math.h>
#include <string.h>

void json_begin(struct json *json, FILE *file) {
  *json = (struct json){.file = file, .first = true};
}

void json_end(struct json *json) {
  fputc('\n', json->file);
}

static bool is_compact(const struct json *json) {
  return json->depth < 64 && (json->compact >> json->depth & 1) != 0;
}

static void new_line(struct json *json) {
  if (is_compact(json))
    return;
  fprintf(json->file, "\n%*s", (int)(2 * json->depth), "");
}

static void write_string(FILE *file, const char *value) {
  fputc('"', file);
  for (const unsigned char *c = (const unsigned char *)value; *c != '\0';) {
    uint32_t length = utf8_length(c);
    if (length == 0) {
      fputs("\\ufffd", file);
      length = 1;
    } else if (*c == '"' || *c == '\\') {
      fprintf(file, "\\%c", *c);
    } else if (*c == '\n') {
      fputs("\\n", file);
    } else if (*c == '\t') {
      fputs("\\t", file);
    } else if (*c < 0x20 || *c == 0x7F) {
      fprintf(file, "\\u%04x", *c);
    } else {
      fwrite(c, 1, length, file);
    }
    c += length;
  }
  fputc('"', file);
}

/* Comma, line and key before a value. */
static void lead(struct json *json, const char *key) {
  if (json->depth > 0) {
    if (!json->first)
      fputs(is_compact(json) ? ", " : ",", json->file);
    new_line(json);
  }
  json->first = false;
  if (key != NULL) {
    write_string(json->file, key);
    fputs(": ", json->file);
  }
}

static void open_group(struct json *json, const char *key, bool compact, char bracket) {
  bool outer = is_compact(json);
  lead(json, key);
  fputc(bracket, json->file);
  json->depth++;
  if (json->depth < 64) {
    uint64_t bit = UINT64_C(1) << json->depth;
    json->compact = compact || outer ? json->compact | bit : json->compact & ~bit;
  }
  json->first = true;
}

static void close_group(struct json *json, char bracket) {
  bool inner_compact = is_compact(json), empty = json->first;
  json->depth--;
  if (!inner_compact && !empty)
    fprintf(json->file, "\n%*s", (int)(2 * json->depth), "");
  fputc(bracket, json->file);
  json->first = false;
}

void json_object(struct json *json, const char *key, bool compact) {
  open_group(json, key, compact, '{');
}

void json_array(struct json *json, const char *key, bool compact) {
  open_group(json, key, compact, '[');
}

void json_close_object(struct json *json) {
  close_group(json, '}');
}

void json_close_array(struct json *json) {
  close_group(json, ']');
}

void json_string(struct json *json, const char *key, const char *value) {
  lead(json, key);
  if (value == NULL)
    fputs("null", json->file);
  else
    write_string(json->file, value);
}

void json_unsigned(struct json *json, const char *key, uint64_t value) {
  lead(json, key);
  fprintf(json->file, "%llu", (unsigned long long)value);
}

void json_signed(struct json *json, const char *key, int64_t value) {
  lead(json, key);
  fprintf(json->file, "%lld", (long long)value);
}

void json_real(struct json *json, const char *key, double value) {
  lead(json, key);
  if (isfinite(value))
    fprintf(json->file, "%.9g", value);
  else
    fputs("null", json->file);
}

void json_bool(struct json *json, const char *key, bool value) {
  lead(json, key);
  fputs(value ? "true" : "false", json->file);
}

void json_null(struct json *json, const char *key) {
  lead(json, key);
  fputs("null", json->file);
}
