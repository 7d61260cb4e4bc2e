/* cache.h - results of the system compiler, kept from run to run.
 *
 * A cache never makes a run fail: where the folder cannot be made, written or
 * trusted there is none, and everything works without.
 */
#ifndef CAIRN_NATIVE_COMPILE_CACHE_H
#define CAIRN_NATIVE_COMPILE_CACHE_H

#include "base/text.h"

struct cache;

struct cache_key {
  uint64_t half[2];
};

/* The key of a text compiled by what `identity` names. */
struct cache_key cache_key(const char *text, const struct text *identity);

/* `folder` NULL: $XDG_CACHE_HOME/cairn or ~/.cache/cairn; "": no cache. NULL if
 * there is none; a sentence is appended to *remark if the user should know. */
struct cache *cache_open(const char *folder, struct budget *, struct text *remark);
void cache_close(struct cache *);

/* Appends the bytes kept under the key. False if there are none, or none that
 * can be trusted. */
bool cache_get(struct cache *, struct cache_key, struct text *object);

/* Keeps bytes under the key, whole or not at all; then removes what has not been
 * used for longest, as long as the folder holds more than `most` bytes. */
bool cache_put(struct cache *, struct cache_key, const struct text *object, uint64_t most);

#define CACHE_MOST ((uint64_t)256 << 20)

#endif
