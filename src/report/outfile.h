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

/* What the program writes into files of a kind, so that it knows its own. */
struct outfile_kind {
  const char *what;      /* "a trail" */
  const char *begins[4]; /* how such a file may begin; ended by NULL */
};

extern const struct outfile_kind outfile_trail, outfile_json, outfile_graph, outfile_chart,
    outfile_html, outfile_checkpoint; /* which base/sink.h writes */

/* Whether there is a file with something in it that is not of this kind. */
bool outfile_holds_other(const char *path, const struct outfile_kind *);

/* False, with errno set, if no file can be made there. */
bool outfile_open(struct outfile *, const char *path);
/* Ends it: the file appears, or nothing is left. False, with errno set, if
 * anything since outfile_open() could not be written. */
bool outfile_commit(struct outfile *);
/* Ends it and leaves no file. */
void outfile_abandon(struct outfile *);

#endif
