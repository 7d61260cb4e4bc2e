/* sink.c - blocks with checksums, and a file that appears whole.
 *
 *   file    header block* end
 *   header  magic[8] format:4 order:4 check:8
 *   block   bytes:4 serial:4 check:8 payload[bytes]
 *   end     a block of no bytes, and then the file ends
 *
 * A block's checksum (XXH3, 64 bits) is seeded with its size and its place, so that blocks
 * that were exchanged, repeated or left out are found, too.
 */
#include "base/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define SINK_BLOCK ((uint32_t)256 << 10)
#define SINK_ORDER 0x01020304u

static const char magic[8] = {(char)0x89, 'c', 'a', 'i', 'r', 'n', '\n', '\0'};

struct header {
  char magic[8];
  uint32_t format, order;
  uint64_t check;
};

struct block {
  uint32_t bytes, serial;
  uint64_t check;
};

enum direction { IDLE, WRITES, READS };

struct sink {
  struct budget *budget;
  enum direction direction;
  bool failed;
  int file;
  const char *path;
  char *part;    /* the name of the file until it is complete */
  uint64_t done; /* bytes written or read */
  uint32_t serial;
  uint32_t at, end; /* of the buffer: next byte to write or read; bytes there are to read */
  char why[512];
  uint8_t buffer[SINK_BLOCK];
};

struct sink *sink_open(struct budget *budget) {
  struct sink *sink = budget_map(budget, BUDGET_OTHER, sizeof *sink, false);
  if (sink == NULL)
    return NULL;
  sink->budget = budget;
  sink->file = -1;
  return sink;
}

/* Keeps the first failure. */
static __attribute__((format(printf, 2, 3))) void fail(struct sink *sink, const char *form,
                                                       ...) {
  if (sink->failed)
    return;
  sink->failed = true;
  va_list list;
  va_start(list, form);
  vsnprintf(sink->why, sizeof sink->why, form, list);
  va_end(list);
}

static void fail_damaged(struct sink *sink) {
  fail(sink, "%.300s is damaged before byte %llu", sink->path, (unsigned long long)sink->done);
}

/* Closes the file; what was not renamed is removed. */
static void drop(struct sink *sink) {
  if (sink->file >= 0)
    close(sink->file);
  if (sink->part != NULL)
    unlink(sink->part);
  free(sink->part);
  sink->part = NULL;
  sink->file = -1;
  sink->direction = IDLE;
}

void sink_close(struct sink *sink) {
  if (sink == NULL)
    return;
  drop(sink);
  budget_unmap(sink->budget, BUDGET_OTHER, sink, sizeof *sink);
}

static void begin(struct sink *sink, const char *path, enum direction direction) {
  drop(sink);
  sink->path = path;
  sink->direction = direction;
  sink->failed = false;
  sink->why[0] = '\0';
  sink->done = 0;
  sink->serial = sink->at = sink->end = 0;
}

static void write_all(struct sink *sink, const void *bytes, size_t n) {
  const uint8_t *at = bytes;
  while (n > 0 && !sink->failed) {
    ssize_t written = write(sink->file, at, n);
    if (written < 0 && errno != EINTR)
      fail(sink, "%.300s cannot be written: %s", sink->path, strerror(errno));
    if (written <= 0)
      continue;
    at += written;
    n -= (size_t)written;
    sink->done += (uint64_t)written;
  }
}

/* Fewer bytes only at the end of the file. */
static size_t read_all(struct sink *sink, void *bytes, size_t n) {
  uint8_t *at = bytes;
  size_t left = n;
  while (left > 0 && !sink->failed) {
    ssize_t got = read(sink->file, at, left);
    if (got < 0 && errno != EINTR)
      fail(sink, "%.300s cannot be read: %s", sink->path, strerror(errno));
    if (got == 0)
      break;
    if (got < 0)
      continue;
    at += got;
    left -= (size_t)got;
    sink->done += (uint64_t)got;
  }
  return n - left;
}

static uint64_t header_check(const struct header *header) {
  return XXH3_64bits(header, offsetof(struct header, check));
}

static uint64_t block_check(const struct block *block, const void *payload) {
  return XXH3_64bits_withSeed(payload, block->bytes,
                              (uint64_t)block->serial << 32 | block->bytes);
}

/* "FILE.part"; NULL if memory ran out. */
static char *part_name(const char *path) {
  size_t n = strlen(path);
  char *name = malloc(n + sizeof ".part");
  if (name != NULL) {
    strcpy(name, path);
    strcpy(name + n, ".part");
  }
  return name;
}

bool sink_create(struct sink *sink, const char *path, uint32_t format) {
  struct header header = {.format = format, .order = SINK_ORDER};
  struct stat info;
  begin(sink, path, WRITES);
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
    fail(sink, "%.300s is not a regular file", path);
    return false;
  }
  sink->part = part_name(path);
  if (sink->part != NULL)
    sink->file = open(sink->part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (sink->file < 0) {
    fail(sink, "%.300s cannot be written: %s", path, strerror(errno));
    free(sink->part); /* whatever has this name is not ours */
    sink->part = NULL;
    return false;
  }
  memcpy(header.magic, magic, sizeof magic);
  header.check = header_check(&header);
  write_all(sink, &header, sizeof header);
  if (sink->failed)
    drop(sink);
  return !sink->failed;
}

bool sink_read(struct sink *sink, const char *path, uint32_t format) {
  struct header header;
  begin(sink, path, READS);
  sink->file = open(path, O_RDONLY | O_CLOEXEC);
  if (sink->file < 0) {
    fail(sink, "%.300s cannot be read: %s", path, strerror(errno));
    return false;
  }
  size_t got = read_all(sink, &header, sizeof header);
  if (got < sizeof magic || memcmp(header.magic, magic, sizeof magic) != 0)
    fail(sink, "%.300s is no file that this program wrote", path);
  else if (got < sizeof header || header.check != header_check(&header))
    fail_damaged(sink);
  else if (header.order != SINK_ORDER)
    fail(sink, "%.300s was written on a machine of another byte order", path);
  else if (header.format != format)
    fail(sink, "%.300s was written by %s version of this program", path,
         header.format < format ? "an older" : "a newer");
  return !sink->failed;
}

/* Writes what is in the buffer as a block. */
static void write_block(struct sink *sink) {
  struct block block = {.bytes = sink->at, .serial = sink->serial++};
  block.check = block_check(&block, sink->buffer);
  write_all(sink, &block, sizeof block);
  write_all(sink, sink->buffer, sink->at);
  sink->at = 0;
}

/* The next block comes into the buffer; false: it is the end, or something failed. */
static bool read_block(struct sink *sink) {
  struct block block;
  sink->at = sink->end = 0;
  bool whole = read_all(sink, &block, sizeof block) == sizeof block;
  if (whole && (block.bytes > SINK_BLOCK || block.serial != sink->serial)) {
    fail_damaged(sink);
    return false;
  }
  whole = whole && read_all(sink, sink->buffer, block.bytes) == block.bytes;
  if (!whole)
    fail(sink, "%.300s is not whole: it ends after %llu bytes", sink->path,
         (unsigned long long)sink->done);
  else if (block.check != block_check(&block, sink->buffer))
    fail_damaged(sink);
  if (sink->failed)
    return false;
  sink->serial++;
  sink->end = block.bytes;
  return block.bytes > 0;
}

void sink_put(struct sink *sink, const void *bytes, size_t n) {
  const uint8_t *from = bytes;
  while (n > 0 && !sink->failed) {
    size_t room = SINK_BLOCK - sink->at, some = n < room ? n : room;
    memcpy(sink->buffer + sink->at, from, some);
    sink->at += (uint32_t)some;
    from += some;
    n -= some;
    if (sink->at == SINK_BLOCK)
      write_block(sink);
  }
}

void sink_take(struct sink *sink, void *bytes, size_t n) {
  uint8_t *to = bytes;
  while (n > 0 && !sink->failed) {
    size_t left = sink->end - sink->at, some = n < left ? n : left;
    if (left == 0 && !read_block(sink)) {
      fail_damaged(sink); /* the end, where more was expected */
      break;
    }
    memcpy(to, sink->buffer + sink->at, some);
    sink->at += (uint32_t)some;
    to += some;
    n -= some;
  }
  if (sink->failed)
    memset(to, 0, n);
}

void sink_pass(struct sink *sink, void *bytes, size_t n) {
  if (sink->direction == READS)
    sink_take(sink, bytes, n);
  else
    sink_put(sink, bytes, n);
}

static bool commit_read(struct sink *sink) {
  uint8_t more;
  if (!sink->failed && (sink->at < sink->end || read_block(sink)))
    fail(sink, "%.300s has more in it than this program knows", sink->path);
  if (!sink->failed && read_all(sink, &more, 1) > 0)
    fail_damaged(sink);
  drop(sink);
  return !sink->failed;
}

/* The new name of a file is in its folder, which is written apart from it. */
static void flush_folder(const struct sink *sink) {
  char *folder = strdup(sink->path);
  char *slash = folder == NULL ? NULL : strrchr(folder, '/');
  if (slash != NULL)
    slash[slash == folder ? 1 : 0] = '\0';
  int file = folder == NULL ? -1 : open(slash == NULL ? "." : folder, O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    (void)fsync(file);
    close(file);
  }
  free(folder);
}

static bool commit_written(struct sink *sink) {
  if (sink->at > 0)
    write_block(sink);
  write_block(sink);
  if (!sink->failed && (fsync(sink->file) != 0 || rename(sink->part, sink->path) != 0))
    fail(sink, "%.300s cannot be written: %s", sink->path, strerror(errno));
  if (!sink->failed) {
    free(sink->part); /* there is no file of this name any more */
    sink->part = NULL;
    flush_folder(sink);
  }
  drop(sink);
  return !sink->failed;
}

bool sink_commit(struct sink *sink) {
  if (sink->direction == IDLE) /* it was done */
    return !sink->failed;
  return sink->direction == READS ? commit_read(sink) : commit_written(sink);
}

void sink_drop(struct sink *sink) {
  drop(sink);
}

bool sink_is_fine(const struct sink *sink) {
  return !sink->failed;
}

bool sink_is_read(const struct sink *sink) {
  return sink->direction == READS;
}

const char *sink_why(const struct sink *sink) {
  return sink->why;
}

uint64_t sink_bytes(const struct sink *sink) {
  return sink->done + (sink->direction == WRITES ? sink->at : 0);
}

void sink_refuse(struct sink *sink, const char *what) {
  fail(sink, "%.300s %.150s", sink->path, what);
}

void sink_section(struct sink *sink, const char *name) {
  char own[16] = "", found[16];
  strncpy(own, name, sizeof own - 1);
  memcpy(found, own, sizeof own);
  sink_pass(sink, found, sizeof found);
  if (memcmp(found, own, sizeof own) != 0)
    fail(sink, "%.300s has something else where its part \"%s\" should begin", sink->path, own);
}

uint64_t sink_take_count(struct sink *sink, uint64_t most) {
  uint64_t number = sink_take_number(sink);
  if (number <= most)
    return number;
  fail_damaged(sink);
  return 0;
}

void sink_pass_count(struct sink *sink, uint64_t *number, uint64_t most) {
  if (sink->direction == READS)
    *number = sink_take_count(sink, most);
  else
    sink_put_number(sink, *number);
}

void sink_same(struct sink *sink, uint64_t number, const char *what) {
  uint64_t found = number;
  sink_pass(sink, &found, sizeof found);
  if (found != number)
    sink_refuse(sink, what);
}
