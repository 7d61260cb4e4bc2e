/* terminal.c - see terminal.h.
 *
 * A stream of its own between the program and the file (fopencookie): so that no printf of the
 * program has to know of widths. The C library hands over whole lines, as streams to terminals
 * are line-buffered.
 */
#include "base/terminal.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LEAST_COLUMNS 20u

static int file_of(FILE *stream) {
  return stream == stdout ? STDOUT_FILENO : stream == stderr ? STDERR_FILENO : fileno(stream);
}

bool terminal_is(FILE *stream) {
  return isatty(file_of(stream)) == 1;
}

uint32_t terminal_columns(FILE *stream) {
  const char *given = getenv("COLUMNS");
  struct winsize size;
  if (!terminal_is(stream))
    return 0;
  const unsigned long n = given == NULL ? 0 : strtoul(given, NULL, 10);
  if (n >= LEAST_COLUMNS && n < 100000)
    return (uint32_t)n;
  if (ioctl(file_of(stream), TIOCGWINSZ, &size) != 0 || size.ws_col < LEAST_COLUMNS)
    return 0;
  return size.ws_col;
}

/* ---- folding ------------------------------------------------------------------------ */

static bool put(const struct terminal_fold *fold, const char *text, size_t n) {
  while (n > 0) {
    const ssize_t written = write(fold->to, text, n);
    if (written < 0 && errno != EINTR)
      return false;
    if (written > 0) {
      text += written;
      n -= (size_t)written;
    }
  }
  return true;
}

static bool put_blanks(const struct terminal_fold *fold, uint32_t n) {
  for (; n > 0; n--)
    if (!put(fold, " ", 1))
      return false;
  return true;
}

/* Bytes that begin here and take no column: a sequence that sets the colour. */
static size_t invisible(const char *text, size_t n) {
  size_t at = 2;
  if (n < 2 || text[0] != '\033' || text[1] != '[')
    return 0;
  while (at < n && !(text[at] >= '@' && text[at] <= '~'))
    at++;
  return at < n ? at + 1 : n;
}

static uint32_t width_of(const char *text, size_t n) {
  uint32_t width = 0;
  for (size_t i = 0; i < n;) {
    const size_t skipped = invisible(text + i, n - i);
    width += skipped == 0 && utf8_begins(text[i]);
    i += skipped > 0 ? skipped : 1;
  }
  return width;
}

static size_t blanks(const char *text, size_t n) {
  size_t i = 0;
  while (i < n && text[i] == ' ')
    i++;
  return i;
}

static size_t word(const char *text, size_t n) {
  size_t i = 0;
  while (i < n && text[i] != ' ')
    i++;
  return i;
}

/* Where the line goes on: below what follows the last gap of two blanks in its first three
 * fifths, or four columns further in than it begins. */
static uint32_t hanging(const struct terminal_fold *fold, const char *text, size_t n) {
  const size_t first = blanks(text, n);
  const uint32_t most = fold->columns * 3 / 5;
  uint32_t column = (uint32_t)first + 4;
  for (size_t i = first; i < n;) {
    i += word(text + i, n - i);
    const size_t gap = blanks(text + i, n - i);
    const uint32_t after = width_of(text, i + gap);
    if (gap >= 2 && i + gap < n && after <= most)
      column = after;
    i += gap;
  }
  return column < most ? column : most;
}

/* The line has no newline. */
static bool put_folded(const struct terminal_fold *fold, const char *text, size_t n) {
  const uint32_t indent = hanging(fold, text, n);
  uint32_t column = 0;
  for (size_t i = 0; i < n;) {
    const size_t gap = blanks(text + i, n - i),
                 end = i + gap + word(text + i + gap, n - i - gap);
    const uint32_t width = width_of(text + i, end - i);
    const bool breaks = column > indent && column + width > fold->columns && end > i + gap;
    if (breaks && (!put(fold, "\n", 1) || !put_blanks(fold, indent)))
      return false;
    const size_t from = breaks ? i + gap : i;
    if (!put(fold, text + from, end - from))
      return false;
    column = breaks ? indent + width - (uint32_t)gap : column + width;
    i = end;
  }
  return true;
}

static bool put_line(struct terminal_fold *fold, const char *text, size_t n) {
  const bool whole = fold->is_copied || fold->is_begun || width_of(text, n) <= fold->columns;
  fold->is_begun = false;
  fold->is_copied = n > 0 && text[n - 1] == ':';
  return (whole ? put(fold, text, n) : put_folded(fold, text, n)) && put(fold, "\n", 1);
}

/* After a return to the first column what follows is a line of its own, if nothing is shown. */
static void begin_part(struct terminal_fold *fold, const char *text, size_t n) {
  const char *back = memrchr(text, '\r', n);
  const size_t from = back == NULL ? 0 : (size_t)(back - text) + 1;
  const bool shows = width_of(text + from, n - from) > 0;
  fold->is_begun = back == NULL ? fold->is_begun || shows : shows;
}

static ssize_t fold_write(void *cookie, const char *text, size_t n) {
  struct terminal_fold *fold = cookie;
  for (size_t i = 0; i < n;) {
    const char *newline = memchr(text + i, '\n', n - i);
    const size_t length = newline == NULL ? n - i : (size_t)(newline - text) - i;
    if (newline == NULL) {
      begin_part(fold, text + i, length);
      if (!put(fold, text + i, length))
        return 0;
    } else if (!put_line(fold, text + i, length)) {
      return 0;
    }
    i += length + (newline != NULL);
  }
  return (ssize_t)n;
}

FILE *terminal_fold(struct terminal_fold *fold, FILE *stream, uint32_t columns) {
  static const cookie_io_functions_t functions = {.write = fold_write};
  *fold = (struct terminal_fold){.to = file_of(stream), .columns = columns};
  fflush(stream);
  FILE *folded = fopencookie(fold, "w", functions);
  if (folded != NULL)
    setvbuf(folded, NULL, _IOLBF, 1u << 16);
  return folded;
}
