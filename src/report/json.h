/* json.h - writing JSON, value by value.
 *
 * The writer keeps commas, indentation and escapes right; the caller keeps the
 * shape right (a key before each value of an object). Bytes that are no UTF-8
 * become the replacement character, so that the result is always valid.
 */
#ifndef CAIRN_REPORT_JSON_H
#define CAIRN_REPORT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
  FILE *file;
  uint32_t depth;
  uint64_t compact; /* bit d: what is d deep is on one line */
  bool first;       /* nothing yet at this depth */
};

void json_begin(struct json *, FILE *);
void json_end(struct json *); /* a final newline */

/* Key NULL: an element of an array. `compact` puts the content on one line. */
void json_object(struct json *, const char *key, bool compact);
void json_array(struct json *, const char *key, bool compact);
void json_close_object(struct json *);
void json_close_array(struct json *);

void json_string(struct json *, const char *key, const char *value); /* NULL: null */
void json_unsigned(struct json *, const char *key, uint64_t value);
void json_signed(struct json *, const char *key, int64_t value);
void json_real(struct json *, const char *key, double value);
void json_bool(struct json *, const char *key, bool value);
void json_null(struct json *, const char *key);

#endif
