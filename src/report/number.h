/* number.h - figures written for people.
 *
 * Each returns a small struct by value, to be used within one expression:
 * fprintf(out, "%s states", number_grouped(n).at).
 */
#ifndef CAIRN_REPORT_NUMBER_H
#define CAIRN_REPORT_NUMBER_H

#include <stdint.h>

struct number {
  char at[40];
};

struct number number_grouped(uint64_t); /* 39,354 */
struct number number_bytes(uint64_t);   /* 1.2 MiB */
struct number number_short(double);     /* 12.3 million */
struct number number_seconds(double);   /* 12.0 ms, 3.41 s */
struct number number_rough(double);     /* three digits that count: 4.2e-11, 0.198, 2,130 */

/* "" for one, "s" for any other number. */
const char *number_plural(uint64_t);

#endif
