/* utf8.h - characters of a text, which may be anything. */
#ifndef CAIRN_BASE_UTF8_H
#define CAIRN_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The length of the UTF-8 sequence at `text`, or 0: it is none (RFC 3629). */
static inline uint32_t utf8_length(const unsigned char *text) {
  unsigned char a = text[0];
  if (a < 0x80)
    return 1;
  if (a < 0xC2 || a > 0xF4)
    return 0;
  uint32_t length = a < 0xE0 ? 2 : a < 0xF0 ? 3 : 4;
  unsigned char low = a == 0xE0 ? 0xA0 : a == 0xF0 ? 0x90 : 0x80;
  unsigned char high = a == 0xED ? 0x9F : a == 0xF4 ? 0x8F : 0xBF;
  if (text[1] < low || text[1] > high)
    return 0;
  for (uint32_t i = 2; i < length; i++)
    if (text[i] < 0x80 || text[i] > 0xBF)
      return 0;
  return length;
}

/* The same of a text that ends after `room` bytes, of which there is one at least. */
static inline uint32_t utf8_length_within(const char *text, size_t room) {
  unsigned char copy[5] = {0};
  memcpy(copy, text, room < 4 ? room : 4);
  return utf8_length(copy);
}

/* Whether a character begins at this byte. */
static inline bool utf8_begins(char byte) {
  return ((unsigned char)byte & 0xC0) != 0x80;
}

/* How many begin in the text: its columns, as far as each takes one. */
static inline int utf8_width(const char *text) {
  int n = 0;
  for (; *text != '\0'; text++)
    n += utf8_begins(*text);
  return n;
}

#endif
