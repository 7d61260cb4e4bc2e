/* written.h - a file that an option names, written whole. */
#ifndef CAIRN_CLI_WRITTEN_H
#define CAIRN_CLI_WRITTEN_H

#include "cli/loaded.h"

#include "report/outfile.h"

/* Opens the file, lets `write` write it, and puts it in its place; "-" is standard output.
 * What the run was read from is never written, and files of other kinds are left alone
 * (target.h). False after an error, which was said. */
bool written_file(struct loaded *, enum option, const struct outfile_kind *,
                  void (*write)(void *context, FILE *), void *context);

#endif
