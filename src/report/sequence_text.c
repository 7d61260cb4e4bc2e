/* sequence_text.c - a message chart as text. */
#include "report/sequence.h"

#include "report/sequence_pen.h"
#include "report/steps.h"

#include "base/terminal.h"

#include <string.h>

#define TEXT_NUMBER 6u /* columns of the step's number */
#define TEXT_LEAST  14u
#define TEXT_MOST   30u
#define TEXT_WIDTH  (TEXT_NUMBER + 64u * TEXT_MOST)

struct line {
  const struct sequence_pen *pen;
  char text[TEXT_WIDTH + 1];
};

static uint32_t place_of(const struct line *line, uint32_t column) {
  return TEXT_NUMBER + column * line->pen->width;
}

/* Text from `at` on, at most `most` bytes; what has no place of one column is a "?". */
static void put(struct line *line, uint32_t at, const char *text, uint32_t most) {
  uint32_t n = 0;
  for (; text[n] != '\0' && n < most && at + n < TEXT_WIDTH; n++)
    line->text[at + n] = text[n] < ' ' || text[n] > '~' ? '?' : text[n];
  if (text[n] != '\0' && n > 1)
    line->text[at + n - 1] = '~';
}

static void print(struct line *line) {
  uint32_t end = TEXT_WIDTH;
  while (end > 0 && line->text[end - 1] == ' ')
    end--;
  fprintf(line->pen->out, "%.*s\n", (int)end, line->text);
}

static void arrow(struct line *line, const struct sequence_mark *m) {
  const uint32_t a = place_of(line, m->from), b = place_of(line, m->to);
  const uint32_t low = a < b ? a : b, high = a < b ? b : a;
  memset(line->text + low, '-', high - low);
  line->text[a] = line->text[b] = '*';
  if (a < b)
    line->text[b - 1] = '>';
  else
    line->text[b + 1] = '<';
  if (high > low + 8)
    put(line, low + 4, m->text, high - low - 7);
}

/* As wide as lines allow, and not narrower than is of use. */
static void begin(struct sequence_pen *pen) {
  struct line line = {.pen = pen};
  const uint32_t n = pen->n_columns;
  const uint32_t room = n == 0 ? 0 : ((uint32_t)steps_columns(pen->out) - TEXT_NUMBER) / n;
  const uint32_t least = terminal_columns(pen->out) == 0 ? TEXT_LEAST : TEXT_LEAST / 2;
  pen->width = room < least ? least : room > TEXT_MOST ? TEXT_MOST : room;
  memset(line.text, ' ', TEXT_WIDTH);
  for (uint32_t i = 0; i < n; i++)
    put(&line, place_of(&line, i), pen->name[i], pen->width - 1);
  print(&line);
}

static void row(struct sequence_pen *pen, const struct sequence_row *row) {
  struct line line = {.pen = pen};
  char number[16];
  memset(line.text, ' ', TEXT_WIDTH);
  for (uint32_t i = 0; i < pen->n_columns; i++)
    line.text[place_of(&line, i)] = '|';
  for (uint32_t i = 0; i < row->n; i++) {
    const struct sequence_mark *m = &row->mark[i];
    if (m->from != m->to) {
      arrow(&line, m);
      continue;
    }
    line.text[place_of(&line, m->from)] = '*';
    put(&line, place_of(&line, m->from) + 2, m->text, pen->width - 3);
  }
  snprintf(number, sizeof number, "%4u", row->step);
  put(&line, 0, number, TEXT_NUMBER - 1);
  print(&line);
}

static void end(struct sequence_pen *pen) {
  (void)pen;
}

struct sequence_pen sequence_text(FILE *out) {
  return (struct sequence_pen){.out = out, .begin = begin, .row = row, .end = end};
}
