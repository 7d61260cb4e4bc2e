/* source.c - a model's text, and places in it.
 *
 * Line starts are found once; a place is then a binary search. A
 * text that ends with a newline has an empty last line, where "unexpected end
 * of file" points.
 */
#include "base/source.h"

#include "base/clock.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first byte of the next line, or NULL. A line ends with LF, CR LF or, in old files, a
 * lone CR. */
static const char *next_line(const char *at, const char *end) {
  while (at < end && *at != '\n' && *at != '\r')
    at++;
  if (at == end)
    return NULL;
  return at + 1 + (*at == '\r' && at + 1 < end && at[1] == '\n');
}

static uint32_t count_lines(const char *text, uint32_t length) {
  uint32_t n = 1;
  const char *end = text + length;
  for (const char *at = text; (at = next_line(at, end)) != NULL;)
    n++;
  return n;
}

struct source *source_make(struct arena *arena, const char *name, const char *text,
                           uint32_t length) {
  struct source *source = ARENA_NEW(arena, struct source);
  source->name = arena_text(arena, name, strlen(name));
  source->text = text;
  source->length = length;
  source->n_lines = count_lines(text, length);
  uint32_t *line = ARENA_ARRAY(arena, source->n_lines, uint32_t);
  uint32_t n = 1;
  const char *end = text + length;
  for (const char *at = text; (at = next_line(at, end)) != NULL;)
    line[n++] = (uint32_t)(at - text);
  source->line = line;
  return source;
}

static const char too_large[] = "it is larger than 256 MiB";

struct input { /* a file being read */
  int file;
  uint64_t device, inode;
  char *at;
  size_t length, capacity; /* capacity leaves room for a NUL */
};

static const char *no_model(const struct stat *status) {
  if (S_ISDIR(status->st_mode))
    return "it is a directory";
  if (S_ISBLK(status->st_mode) || S_ISSOCK(status->st_mode))
    return "it is no file of text";
  if (S_ISREG(status->st_mode) && status->st_size > (off_t)SOURCE_MAX)
    return too_large;
  return NULL;
}

static const char interrupted[] = "reading it was interrupted";

/* A terminal or a pipe may keep us waiting for as long as it likes, and the user may
 * lose patience; polling in short turns, no signal falls between looking and waiting. */
static bool wait_for_input(int file) {
  struct pollfd input = {.fd = file, .events = POLLIN};
  while (!clock_stop_requested())
    if (poll(&input, 1, 100) > 0)
      return true;
  return false;
}

/* Reads up to the end; if it cannot, says why. Sizes of pipes and of files that
 * grow meanwhile are not known before, hence the doubling. */
static bool read_all(struct arena *arena, struct input *in, const char **why) {
  for (;;) {
    if (in->length == in->capacity && in->capacity <= SOURCE_MAX) {
      char *larger = arena_alloc(arena, 2 * in->capacity + 1);
      memcpy(larger, in->at, in->length);
      in->at = larger;
      in->capacity *= 2;
    }
    if (!wait_for_input(in->file)) {
      *why = interrupted;
      return false;
    }
    const ssize_t n = read(in->file, in->at + in->length, in->capacity - in->length);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (n < 0)
      *why = strerror(errno);
    if (n <= 0)
      break;
    in->length += (size_t)n;
    if (in->length > SOURCE_MAX)
      break;
  }
  if (in->length > SOURCE_MAX)
    *why = too_large;
  return *why == NULL;
}

static bool read_input(struct arena *arena, struct input *in, const char **why) {
  struct stat status;
  if (fstat(in->file, &status) != 0)
    *why = strerror(errno);
  else
    *why = no_model(&status);
  if (*why != NULL)
    return false;
  in->device = status.st_dev;
  in->inode = status.st_ino;
  /* One byte more than the file, so that its end is seen without growing. */
  in->capacity = S_ISREG(status.st_mode) ? (size_t)status.st_size + 1 : (size_t)64 << 10;
  in->at = arena_alloc(arena, in->capacity + 1);
  return read_all(arena, in, why);
}

struct source *source_read(struct arena *arena, const char *path, const char **why) {
  const bool standard = strcmp(path, "-") == 0;
  /* Without O_NONBLOCK, opening a pipe that nobody writes to would not return. */
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  struct input in = {.file = standard ? STDIN_FILENO : open(path, flags)};
  if (in.file < 0) {
    *why = arena_printf(arena, "%s", strerror(errno));
    return NULL;
  }
  const bool good = read_input(arena, &in, why);
  if (!standard)
    close(in.file);
  if (!good) {
    *why = arena_printf(arena, "%s", *why);
    return NULL;
  }
  in.at[in.length] = '\0';
  struct source *source =
      source_make(arena, standard ? "<stdin>" : path, in.at, (uint32_t)in.length);
  source->device = in.device;
  source->inode = in.inode;
  source->earlier = *arena_sources(arena);
  *arena_sources(arena) = source;
  return source;
}

const struct source *source_of_name(struct arena *arena, const char *name) {
  const struct source *source = *arena_sources(arena);
  while (source != NULL && strcmp(source->name, name) != 0)
    source = source->earlier;
  return source;
}

/* The folder of a path. */
static bool stat_folder(const char *path, const char *base, struct stat *info) {
  char folder[4096];
  int n = snprintf(folder, sizeof folder, "%.*s.", (int)(base - path), path);
  return n > 0 && (size_t)n < sizeof folder && stat(folder, info) == 0;
}

static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

bool source_same_file(const char *a, const char *b) {
  struct stat x, y;
  if (strcmp(a, b) == 0)
    return true;
  bool there = stat(a, &x) == 0;
  if (there != (stat(b, &y) == 0))
    return false;
  if (there)
    return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
  return strcmp(base_of(a), base_of(b)) == 0 && stat_folder(a, base_of(a), &x) &&
         stat_folder(b, base_of(b), &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool source_was_read(struct arena *arena, const char *path) {
  struct stat status;
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
    return false;
  const struct source *source = *arena_sources(arena);
  while (source != NULL && (source->device != status.st_dev || source->inode != status.st_ino))
    source = source->earlier;
  return source != NULL;
}

uint32_t source_line(const struct source *source, uint32_t offset) {
  uint32_t low = 0, high = source->n_lines; /* line[low] <= offset < line[high] */
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (source->line[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low + 1;
}

uint32_t source_column(const struct source *source, uint32_t offset) {
  if (offset > source->length)
    offset = source->length;
  return offset - source->line[source_line(source, offset) - 1] + 1;
}

static bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The first byte after white space and comments. */
static const char *skip_blank(const char *at, const char *end) {
  for (;;) {
    if (at < end && is_space(*at)) {
      at++;
    } else if (end - at >= 2 && at[0] == '/' && at[1] == '/') {
      const char *line_end = next_line(at, end);
      at = line_end == NULL ? end : line_end;
    } else if (end - at >= 2 && at[0] == '/' && at[1] == '*') {
      const char *close = memmem(at + 2, (size_t)(end - at) - 2, "*/", 2);
      at = close == NULL ? end : close + 2;
    } else {
      return at;
    }
  }
}

/* Cuts before the character that byte `length` belongs to. */
static uint32_t whole_characters(const char *text, uint32_t length) {
  while (length > 0 && !utf8_begins(text[length]))
    length--;
  return length;
}

const char *source_squeeze(struct arena *arena, struct span span, uint32_t width) {
  if (span.source == NULL || span.begin >= span.end || span.begin >= span.source->length)
    return arena_text(arena, "", 0);
  const uint32_t stop = span.end < span.source->length ? span.end : span.source->length;
  const char *end = span.source->text + stop;
  const uint32_t most = stop - span.begin < width ? stop - span.begin : width;
  char *out = arena_alloc(arena, (size_t)most + sizeof "…" + 1);
  uint32_t n = 0;
  bool quoted = false;
  for (const char *at = skip_blank(span.source->text + span.begin, end); at < end;) {
    const char *next = quoted ? at : skip_blank(at, end);
    if (next == end && !quoted)
      break;
    const char c = next > at ? ' ' : *at;
    if (n == width) {
      out[n] = c; /* whether the cut falls inside a character */
      strcpy(out + whole_characters(out, n), "…");
      return out;
    }
    out[n++] = (unsigned char)c < ' ' || c == 0x7F ? '?' : c;
    quoted ^= c == '"';
    at = next > at ? next : at + 1;
  }
  out[n] = '\0';
  return out;
}
