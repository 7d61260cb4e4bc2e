/* checkpoint.h - the files of --checkpoint and --resume: when they are written, and to which
 * search they belong.
 *
 * Before what the search writes of itself (search_save()) a file has what must be the same
 * when it goes on: the model, its layout, and the options on which the search depends; and
 * numbers of the caller's that go with it.
 */
#ifndef CAIRN_CLI_CHECKPOINT_H
#define CAIRN_CLI_CHECKPOINT_H

#include "cli/loaded.h"

#include "base/sink.h"
#include "search/search.h"

struct checkpoint {
  const char *write, *resume; /* paths, or NULL */
  const char *options;        /* as a text */
  const struct ts_shape *shape;
  uint64_t *note[2]; /* numbers of the caller's, or NULL */
  struct sink *sink;
  uint64_t written, bytes; /* files, each over the one before; of the last one */
  double seconds;          /* that writing took */
  char failure[600];       /* why the last one that failed was not written; "": all were */
};

/* Reads both options, and the head of the file to go on from: loaded->places becomes what it
 * was. Texts are in the arena. Returns what is wrong, a sentence, or NULL. */
const char *checkpoint_open(struct checkpoint *, const struct options *, struct loaded *,
                            struct search_checkpoint_options *);
/* The model is known: may the search go on with it? As above. Notes are read. */
const char *checkpoint_begin(struct checkpoint *, const struct ts_shape *);
void checkpoint_close(struct checkpoint *);

#endif
