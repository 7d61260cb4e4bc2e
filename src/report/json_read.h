/* json_read.h - reading JSON: each number, word and text of it, with the way to it.
 *
 * No tree is built, as nobody here wants one: figures are looked up by their full
 * name ("states.stored").
 */
#ifndef CAIRN_REPORT_JSON_READ_H
#define CAIRN_REPORT_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

enum json_leaf_kind { JSON_NUMBER, JSON_TEXT, JSON_WORD /* true, false, null */ };

struct json_leaf {
  const char *path; /* keys joined by "."; elements of arrays have no key */
  bool in_array;
  enum json_leaf_kind kind;
  const char *text; /* as it is written; of a text without quotes, escapes kept */
  size_t length;
};

/* Reads one value and calls `leaf` for each of its parts in order. False if the text is
 * no JSON, or nested deeper than anything that Cairn writes; parts before the
 * mistake have been handed over by then. */
bool json_read(const char *text, size_t length, void (*leaf)(void *, const struct json_leaf *),
               void *data);

/* Copies a text of a leaf without its escapes, NUL-terminated, cut to `room` bytes.
 * What is no ASCII after an escape becomes "?". */
void json_unescape(const char *text, size_t length, char *to, size_t room);

#endif
