/* source.h - a model's text, and places in it.
 *
 * A span is a half-open byte range of one source; lines and columns are worked
 * out only when something is printed. Columns count bytes from 1, tabs as one.
 */
#ifndef CAIRN_BASE_SOURCE_H
#define CAIRN_BASE_SOURCE_H

#include "base/arena.h"

struct source {
  const char *name; /* as the user gave it; "<stdin>" for standard input */
  const char *text; /* NUL-terminated after `length`; may hold NULs */
  uint32_t length;
  const uint32_t *line; /* start of each line */
  uint32_t n_lines;
  const struct source *earlier; /* of those that were read from files into the same arena */
  uint64_t device, inode;       /* of that file */
};

struct span {
  const struct source *source; /* NULL: no place */
  uint32_t begin, end;
};

/* The largest text taken, in bytes. */
#define SOURCE_MAX (256u << 20)

/* Makes a source of bytes that outlive the arena (they are not copied). */
struct source *source_make(struct arena *, const char *name, const char *text, uint32_t length);

/* Reads a file ("-": standard input) into the arena. NULL with a message in
 * *why (arena-owned) if it cannot be read, is no regular text, or is too long. */
struct source *source_read(struct arena *, const char *path, const char **why);

/* The text that was read into this arena from a file of this name, or NULL. */
const struct source *source_of_name(struct arena *, const char *name);

/* Whether two names stand for one file: equal, or both of one that is there, or would be. */
bool source_same_file(const char *a, const char *b);

/* Whether there is a file of this name and it was read into this arena, by any name. */
bool source_was_read(struct arena *, const char *path);

uint32_t source_line(const struct source *, uint32_t offset);   /* from 1 */
uint32_t source_column(const struct source *, uint32_t offset); /* from 1 */

/* The text of a span on one line: white space and comments (// and slash-star)
 * squeezed to one space, cut with "…" beyond `width` bytes. Arena-owned. */
const char *source_squeeze(struct arena *, struct span, uint32_t width);

#endif
