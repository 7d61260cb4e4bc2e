/* number.c - figures written for people: grouped, rounded, with units. */
#include "report/number.h"

#include <stdio.h>
#include <string.h>

struct number number_grouped(uint64_t value) {
  struct number text;
  char digits[24];
  int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
  char *to = text.at;
  for (int i = 0; i < n; i++) {
    if (i > 0 && (n - i) % 3 == 0)
      *to++ = ',';
    *to++ = digits[i];
  }
  *to = '\0';
  return text;
}

struct number number_bytes(uint64_t value) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  struct number text;
  double scaled = (double)value;
  unsigned unit = 0;
  while (scaled >= 1024 && unit < 6) {
    scaled /= 1024;
    unit++;
  }
  snprintf(text.at, sizeof text.at, unit == 0 ? "%.0f %s" : "%.1f %s", scaled, units[unit]);
  return text;
}

struct number number_short(double value) {
  struct number text;
  if (value >= 1e9)
    snprintf(text.at, sizeof text.at, "%.1f billion", value / 1e9);
  else if (value >= 1e6)
    snprintf(text.at, sizeof text.at, "%.1f million", value / 1e6);
  else if (value >= 1e4)
    snprintf(text.at, sizeof text.at, "%.0f thousand", value / 1e3);
  else
    snprintf(text.at, sizeof text.at, "%.0f", value);
  return text;
}

struct number number_seconds(double value) {
  struct number text;
  if (value < 1)
    snprintf(text.at, sizeof text.at, "%.1f ms", value * 1000);
  else
    snprintf(text.at, sizeof text.at, value < 10 ? "%.2f s" : "%.1f s", value);
  return text;
}

struct number number_rough(double value) {
  struct number text;
  snprintf(text.at, sizeof text.at, "%.3g", value);
  if (value < 999.5 || value > 1e15)
    return text;
  double unit = 1;
  while (value / unit >= 999.5)
    unit *= 10;
  return number_grouped((uint64_t)(value / unit + 0.5) * (uint64_t)unit);
}

const char *number_plural(uint64_t value) {
  return value == 1 ? "" : "s";
}
