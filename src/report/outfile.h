/* outfile.h - files that appear whole or not at all.
 *
 * What is written goes to a temporary file in the folder of the target and
 * takes the target's name only when it is complete. A target that exists and is
 * no regular file (a pipe, a terminal, /dev/null) is written to directly, and
 * "-" means standard output.
 */
#ifndef CAIRN_REPORT_OUTFILE_H
#define CAIRN_REPORT_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

struct outfile {
  FILE *file;
  const char *path; /* the caller's */
  char *temporary;  /* NULL: written directly */
};

/* False, with errno set, if no file can be made there. */
bool outfile_open(struct outfile *, const char *path);
/* Ends it: the file appears, or nothing is left. False, with errno set, if
 * anything since outfile_open() could not be written. */
bool outfile_commit(struct outfile *);
/* Ends it and leaves nothing behind. */
void outfile_abandon(struct outfile *);

#endif
