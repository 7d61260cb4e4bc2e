/* sequence_svg.c - a message chart as SVG.
 *
 * The file works alone, in a browser as in a text: no script, no font, no other file. What is
 * cut to fit is whole in the title of its mark, which browsers show under the pointer.
 */
#include "report/sequence.h"

#include "report/sequence_pen.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define SVG_NUMBER 44u  /* width of the steps' numbers */
#define SVG_COLUMN 190u /* from one process to the next */
#define SVG_TOP    70u  /* where the first row is */
#define SVG_ROW    24u
#define SVG_LETTER 7.3 /* width of a letter of the font, a little more than most have */

/* Text, of which at most `most` characters are shown. What is no character is shown as one. */
static void put(FILE *out, const char *text, uint32_t most) {
  uint32_t n = 0;
  for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; n++) {
    const uint32_t length = utf8_length(c);
    if (n + 1 == most && c[length == 0 ? 1 : length] != '\0') {
      fputs("…", out);
      return;
    }
    if (length == 0 || *c < 32 || *c == 127)
      fputs("\xEF\xBF\xBD", out);
    else if (*c == '&' || *c == '<' || *c == '>' || *c == '"')
      fprintf(out, "&#%u;", *c);
    else
      fwrite(c, 1, length, out);
    c += length == 0 ? 1 : length;
  }
}

static uint32_t x_of(uint32_t column) {
  return SVG_NUMBER + 20 + column * SVG_COLUMN;
}

static uint32_t letters(uint32_t width) {
  return (uint32_t)(width / SVG_LETTER);
}

/* Rows go to a text of their own, as their number comes first in the file. */
static void begin(struct sequence_pen *pen) {
  pen->to = open_memstream(&pen->body, &pen->size);
}

static void put_mark(FILE *to, const struct sequence_mark *m, uint32_t y) {
  const uint32_t a = x_of(m->from), b = x_of(m->to);
  const uint32_t low = a < b ? a : b, high = a < b ? b : a;
  fputs("<g><title>", to);
  put(to, m->text, UINT32_MAX);
  fputs("</title>", to);
  if (a == b)
    fprintf(to, "<circle cx=\"%u\" cy=\"%u\" r=\"4\"/><text x=\"%u\" y=\"%u\">", a, y, a + 9,
            y + 4);
  else
    fprintf(to,
            "<circle cx=\"%u\" cy=\"%u\" r=\"3\"/><path class=\"m\" d=\"M%u %uH%u\"/>"
            "<text x=\"%u\" y=\"%u\" text-anchor=\"middle\">",
            a, y, a, y, a < b ? b - 2 : b + 2, (low + high) / 2, y - 4);
  put(to, m->text, letters(a == b ? SVG_COLUMN - 16 : high - low - 24));
  fputs("</text></g>\n", to);
}

static void row(struct sequence_pen *pen, const struct sequence_row *row) {
  const uint32_t y = SVG_TOP + SVG_ROW * pen->n_rows++;
  if (pen->to == NULL)
    return;
  fprintf(pen->to, "<text class=\"n\" x=\"%u\" y=\"%u\" text-anchor=\"end\">%u</text>\n",
          SVG_NUMBER - 8, y + 4, row->step);
  for (uint32_t i = 0; i < row->n; i++)
    put_mark(pen->to, &row->mark[i], y);
}

static void put_head(const struct sequence_pen *pen) {
  FILE *out = pen->out;
  const uint32_t title = (uint32_t)(20 + SVG_LETTER * (double)strlen(pen->title));
  const uint32_t columns = SVG_NUMBER + 20 + pen->n_columns * SVG_COLUMN;
  const uint32_t width = columns > title ? columns : title;
  const uint32_t height = SVG_TOP + SVG_ROW * pen->n_rows;
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
          "viewBox=\"0 0 %u %u\" font-family=\"ui-monospace, monospace\" "
          "font-size=\"12\">\n<title>",
          width, height, width, height);
  put(out, pen->title, UINT32_MAX);
  fputs("</title>\n<style>.n{fill:#777}.m{fill:none;stroke:#1560a8;stroke-width:1.5;"
        "marker-end:url(#a)}.l{stroke:#bbb}.p{font-weight:bold}"
        "text{paint-order:stroke;stroke:#fff;stroke-width:3px}</style>\n"
        "<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
        "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#1560a8\"/>"
        "</marker></defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        "<text x=\"10\" y=\"18\">",
        out);
  put(out, pen->title, UINT32_MAX);
  fputs("</text>\n", out);
  for (uint32_t i = 0; i < pen->n_columns; i++) {
    const uint32_t x = x_of(i);
    fprintf(out, "<path class=\"l\" d=\"M%u %uV%u\"/><text class=\"p\" x=\"%u\" y=\"44\">", x,
            50u, height - 8, x - 6);
    put(out, pen->name[i], letters(SVG_COLUMN - 10));
    fputs("</text>\n", out);
  }
}

static void end(struct sequence_pen *pen) {
  if (pen->to == NULL || fclose(pen->to) != 0)
    return;
  put_head(pen);
  fwrite(pen->body, 1, pen->size, pen->out);
  fputs("</svg>\n", pen->out);
  free(pen->body);
}

struct sequence_pen sequence_svg(FILE *out, const char *title) {
  return (struct sequence_pen){
      .out = out, .title = title, .begin = begin, .row = row, .end = end};
}
