/* style.h - colour for terminals, or nothing. */
#ifndef CAIRN_REPORT_STYLE_H
#define CAIRN_REPORT_STYLE_H

#include <stdbool.h>

#define STYLE_GOOD "\033[1;32m"
#define STYLE_BAD  "\033[1;31m"
#define STYLE_WARN "\033[1;33m"
#define STYLE_DIM  "\033[2m"
#define STYLE_NAME "\033[36m"

static inline const char *style_on(bool color, const char *code) {
  return color ? code : "";
}

static inline const char *style_off(bool color) {
  return color ? "\033[0m" : "";
}

#endif
