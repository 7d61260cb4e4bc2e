/* json_read.c - reading JSON by recursive descent (RFC 8259). */
#include "report/json_read.h"

#include <stdlib.h>
#include <string.h>

#define JSON_READ_DEPTH 32u
#define JSON_READ_PATH  512u

struct input {
  const char *at, *end;
  void (*leaf)(void *, const struct json_leaf *);
  void *data;
  char path[JSON_READ_PATH];
  size_t path_length;
  unsigned depth, arrays;
};

static bool read_value(struct input *in);

static bool one_of(char c, const char *marks) {
  return c != '\0' && strchr(marks, c) != NULL;
}

static void skip_space(struct input *in) {
  while (in->at < in->end && one_of(*in->at, " \t\r\n"))
    in->at++;
}

static bool take(struct input *in, char mark) {
  skip_space(in);
  if (in->at == in->end || *in->at != mark)
    return false;
  in->at++;
  return true;
}

static bool hand_over(struct input *in, enum json_leaf_kind kind, const char *text,
                      size_t length) {
  struct json_leaf leaf = {in->path, in->arrays > 0, kind, text, length};
  in->leaf(in->data, &leaf);
  return true;
}

static bool hexadecimal(char c) {
  return one_of(c, "0123456789abcdefABCDEF");
}

/* After a backslash. */
static bool read_escape(struct input *in) {
  if (in->at == in->end)
    return false;
  char kind = *in->at++;
  if (kind != 'u')
    return one_of(kind, "\"\\/bfnrt");
  for (unsigned i = 0; i < 4; i++)
    if (in->at == in->end || !hexadecimal(*in->at++))
      return false;
  return true;
}

/* After the opening quote; *length: up to the closing one. */
static bool read_text(struct input *in, const char **text, size_t *length) {
  *text = in->at;
  while (in->at < in->end && *in->at != '"') {
    char c = *in->at++;
    if ((unsigned char)c < 32 || (c == '\\' && !read_escape(in)))
      return false;
  }
  *length = (size_t)(in->at - *text);
  return take(in, '"');
}

/* Takes one of the marks if it comes next, without blanks before it. */
static bool take_one(struct input *in, const char *marks) {
  bool there = in->at < in->end && one_of(*in->at, marks);
  in->at += there;
  return there;
}

static bool take_digits(struct input *in) {
  const char *begin = in->at;
  while (take_one(in, "0123456789"))
    continue;
  return in->at > begin;
}

/* A sign, digits (no zero before others), a fraction, an exponent. */
static bool read_number(struct input *in) {
  const char *begin = in->at;
  take_one(in, "-");
  if (!take_one(in, "0") && !take_digits(in))
    return false;
  if (take_one(in, ".") && !take_digits(in))
    return false;
  if (take_one(in, "eE") && (take_one(in, "+-"), !take_digits(in)))
    return false;
  return hand_over(in, JSON_NUMBER, begin, (size_t)(in->at - begin));
}

static bool read_word(struct input *in) {
  static const char *const words[] = {"true", "false", "null"};
  for (unsigned i = 0; i < 3; i++) {
    size_t n = strlen(words[i]);
    if ((size_t)(in->end - in->at) >= n && memcmp(in->at, words[i], n) == 0) {
      in->at += n;
      return hand_over(in, JSON_WORD, in->at - n, n);
    }
  }
  return false;
}

static bool read_member(struct input *in) {
  const char *key;
  size_t length, before = in->path_length;
  if (!take(in, '"') || !read_text(in, &key, &length) || !take(in, ':') ||
      before + length + 2 > sizeof in->path)
    return false;
  if (before > 0)
    in->path[in->path_length++] = '.';
  memcpy(in->path + in->path_length, key, length);
  in->path_length += length;
  in->path[in->path_length] = '\0';
  bool fine = read_value(in);
  in->path_length = before;
  in->path[before] = '\0';
  return fine;
}

static bool read_list(struct input *in, bool (*item)(struct input *), char end) {
  if (take(in, end))
    return true;
  do
    if (!item(in))
      return false;
  while (take(in, ','));
  return take(in, end);
}

static bool read_array(struct input *in) {
  in->arrays++;
  bool fine = read_list(in, read_value, ']');
  in->arrays--;
  return fine;
}

static bool read_value(struct input *in) {
  const char *text;
  size_t length;
  if (in->depth >= JSON_READ_DEPTH)
    return false;
  in->depth++;
  bool fine;
  if (take(in, '{'))
    fine = read_list(in, read_member, '}');
  else if (take(in, '['))
    fine = read_array(in);
  else if (take(in, '"'))
    fine = read_text(in, &text, &length) && hand_over(in, JSON_TEXT, text, length);
  else
    fine = in->at < in->end && (read_word(in) || read_number(in));
  in->depth--;
  return fine;
}

bool json_read(const char *text, size_t length, void (*leaf)(void *, const struct json_leaf *),
               void *data) {
  struct input in = {.at = text, .end = text + length, .leaf = leaf, .data = data};
  bool fine = read_value(&in);
  skip_space(&in);
  return fine && in.at == in.end;
}

static char escaped(char c) {
  static const char marks[] = "n\nt\tr\rb\bf\f\"\"\\\\//";
  for (const char *m = marks; *m != '\0'; m += 2)
    if (m[0] == c)
      return m[1];
  return '?';
}

/* Of \uXXXX, after the "u". */
static char unicode(const char *digits, size_t n) {
  char four[5] = {0}, *end;
  memcpy(four, digits, n < 4 ? n : 4);
  unsigned long code = strtoul(four, &end, 16);
  return code > 0 && code < 128 && end == four + 4 ? (char)code : '?';
}

void json_unescape(const char *text, size_t length, char *to, size_t room) {
  size_t n = 0;
  for (size_t i = 0; i < length && n + 1 < room; i++) {
    if (text[i] != '\\' || i + 1 == length) {
      to[n++] = text[i];
    } else if (text[++i] == 'u') {
      to[n++] = unicode(text + i + 1, length - i - 1);
      i += length - i - 1 < 4 ? length - i - 1 : 4;
    } else {
      to[n++] = escaped(text[i]);
    }
  }
  to[n] = '\0';
}
