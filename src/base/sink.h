/* sink.h - binary files that are whole or refused, for what a search saves of itself.
 *
 * A stream of bytes in checked blocks after a header with a format number. It is written to
 * FILE.part beside the file, flushed to the disk and renamed only when it is complete, so a
 * process killed at any moment leaves the file of before or the new one. Reading refuses
 * foreign, older, truncated and damaged files; no byte is handed out before its block's
 * checksum was compared.
 *
 * The first failure is kept, and after it nothing more is written, and only zeros are read:
 * one look at the end is enough (but for numbers that decide how much memory is taken: see
 * sink_take_count()). sink_pass() goes in either direction, so that one function can save
 * and load. Numbers are written as this machine holds them; a machine of the other byte order
 * refuses the file.
 */
#ifndef CAIRN_BASE_SINK_H
#define CAIRN_BASE_SINK_H

#include "base/budget.h"

struct sink;

/* The sink has a buffer of a block, taken here so that it can be used when memory is short.
 * NULL: the budget is exhausted. Closing drops a file that was not committed. */
struct sink *sink_open(struct budget *);
void sink_close(struct sink *);

/* Begins a new file, or opens one for reading; `path` must stay until the sink is done with
 * it. False: sink_why(). */
bool sink_create(struct sink *, const char *path, uint32_t format);
bool sink_read(struct sink *, const char *path, uint32_t format);

/* Of a file being written: all that was put is on the disk under its name. Of one being read:
 * all was taken, and the file ends here. False if anything failed since it was begun; then a
 * file being written is gone, and one that it was to replace is as it was. */
bool sink_commit(struct sink *);

/* Ends it without that: a file being written is gone. */
void sink_drop(struct sink *);

/* False once something failed. */
bool sink_is_fine(const struct sink *);
/* A sentence without an end: what failed, with the path; valid until the next file. */
const char *sink_why(const struct sink *);
/* Bytes of the file so far. */
uint64_t sink_bytes(const struct sink *);
/* Fails the file for a reason of the user's of the sink: "FILE `what`". */
void sink_refuse(struct sink *, const char *what);

/* Whether it is being read. */
bool sink_is_read(const struct sink *);

/* A name of at most 15 characters between parts: written, or compared with what is there. */
void sink_section(struct sink *, const char *name);

void sink_put(struct sink *, const void *bytes, size_t n);
void sink_take(struct sink *, void *bytes, size_t n);
/* Puts or takes. */
void sink_pass(struct sink *, void *bytes, size_t n);

static inline void sink_put_number(struct sink *sink, uint64_t number) {
  sink_put(sink, &number, sizeof number);
}

static inline uint64_t sink_take_number(struct sink *sink) {
  uint64_t number = 0;
  sink_take(sink, &number, sizeof number);
  return number;
}

static inline void sink_pass_number(struct sink *sink, uint64_t *number) {
  sink_pass(sink, number, sizeof *number);
}

/* A number that is at most `most`, else the file is refused, and it is 0. */
uint64_t sink_take_count(struct sink *, uint64_t most);
/* The same in either direction. */
void sink_pass_count(struct sink *, uint64_t *, uint64_t most);

/* Puts a number, or compares it with what is there: refuses the file if they differ. */
void sink_same(struct sink *, uint64_t number, const char *what);

#endif
