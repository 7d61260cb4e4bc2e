/* table.c - a table of texts and numbers, written for people or for programs.
 *
 * Widths count code points, not bytes, so that a "µ" does not bend a column.
 */
#include "report/table.h"

#include "report/json.h"
#include "report/number.h"

#include "base/utf8.h"

#include <math.h>
#include <string.h>

enum cell_kind { CELL_UNKNOWN, CELL_NUMBER, CELL_TEXT };

struct cell {
  enum cell_kind kind;
  double number;
  const char *text; /* as people see it */
};

struct table {
  struct arena *arena;
  const char *title;
  struct {
    const char **at;
    uint32_t n, capacity;
  } columns;
  struct {
    struct cell *at;
    uint32_t n, capacity;
  } cells;
};

struct table *table_open(struct arena *arena, const char *title) {
  struct table *t = ARENA_NEW(arena, struct table);
  t->arena = arena;
  t->title = arena_text(arena, title, strlen(title));
  return t;
}

void table_column(struct table *t, const char *header) {
  const char **column = ARENA_PUSH(t->arena, &t->columns);
  *column = arena_text(t->arena, header, strlen(header));
}

/* Control bytes would bend lines, and a tab would be another cell. */
void table_text(struct table *t, const char *text) {
  char *copy = arena_text(t->arena, text, strlen(text));
  for (char *c = copy; *c != '\0'; c++)
    if ((unsigned char)*c < 32 || *c == 127)
      *c = ' ';
  struct cell *cell = ARENA_PUSH(t->arena, &t->cells);
  *cell = (struct cell){.kind = CELL_TEXT, .text = copy};
}

/* Three or four digits say all that a measurement knows; counts are in full. */
static const char *rounded(struct arena *arena, double v) {
  double size = fabs(v);
  if (size < 1e15 && (size >= 999.5 || floor(size) == size))
    return arena_printf(arena, "%s%s", v <= -0.5 ? "-" : "",
                        number_grouped((uint64_t)(size + 0.5)).at);
  if (size >= 1e15)
    return arena_printf(arena, "%.4g", v);
  return arena_printf(arena, "%.*f", size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3, v);
}

void table_number(struct table *t, double number) {
  struct cell *cell = ARENA_PUSH(t->arena, &t->cells);
  *cell = (struct cell){CELL_NUMBER, number, NULL};
  cell->text = rounded(t->arena, number);
}

void table_unknown(struct table *t) {
  struct cell *cell = ARENA_PUSH(t->arena, &t->cells);
  *cell = (struct cell){.kind = CELL_UNKNOWN, .text = "-"};
}

static const struct cell *cell_at(const struct table *t, uint32_t row, uint32_t column) {
  return &t->cells.at[row * t->columns.n + column];
}

static uint32_t rows_of(const struct table *t) {
  return t->columns.n == 0 ? 0 : t->cells.n / t->columns.n;
}

/* A column is of numbers if one of its cells is. */
static bool numeric(const struct table *t, uint32_t column) {
  for (uint32_t i = 0; i < rows_of(t); i++)
    if (cell_at(t, i, column)->kind == CELL_NUMBER)
      return true;
  return false;
}

static int column_width(const struct table *t, uint32_t column) {
  int most = utf8_width(t->columns.at[column]);
  for (uint32_t i = 0; i < rows_of(t); i++) {
    int width = utf8_width(cell_at(t, i, column)->text);
    most = width > most ? width : most;
  }
  return most;
}

static void pad(FILE *out, const char *text, int width, bool right, bool last) {
  int missing = width - utf8_width(text);
  fprintf(out, "%*s%s%*s", right ? missing : 0, "", text, right || last ? 0 : missing, "");
}

static void write_text(const struct table *t, FILE *out) {
  uint32_t n = t->columns.n;
  fprintf(out, "%s\n\n", t->title);
  for (uint32_t row = 0; row <= rows_of(t); row++)
    for (uint32_t i = 0; i < n; i++) {
      pad(out, row == 0 ? t->columns.at[i] : cell_at(t, row - 1, i)->text, column_width(t, i),
          numeric(t, i), i + 1 == n);
      fputs(i + 1 == n ? "\n" : "  ", out);
    }
  fputc('\n', out);
}

/* A bar within a cell would end it. */
static void put_markdown(FILE *out, const char *text) {
  for (; *text != '\0'; text++)
    fprintf(out, "%s%c", *text == '|' ? "\\" : "", *text);
}

static void write_markdown(const struct table *t, FILE *out) {
  fprintf(out, "**%s**\n\n", t->title);
  for (uint32_t row = 0; row <= rows_of(t); row++) {
    for (uint32_t i = 0; i < t->columns.n; i++) {
      fputs("| ", out);
      put_markdown(out, row == 0 ? t->columns.at[i] : cell_at(t, row - 1, i)->text);
      fputc(' ', out);
    }
    fputs("|\n", out);
    for (uint32_t i = 0; row == 0 && i < t->columns.n; i++)
      fprintf(out, "%s%s", numeric(t, i) ? "|---:" : "|---",
              i + 1 == t->columns.n ? "|\n" : "");
  }
  fputc('\n', out);
}

static void write_tsv(const struct table *t, FILE *out) {
  for (uint32_t i = 0; i < t->columns.n; i++)
    fprintf(out, "%s%c", t->columns.at[i], i + 1 == t->columns.n ? '\n' : '\t');
  for (uint32_t row = 0; row < rows_of(t); row++)
    for (uint32_t i = 0; i < t->columns.n; i++) {
      const struct cell *cell = cell_at(t, row, i);
      if (cell->kind == CELL_NUMBER)
        fprintf(out, "%.15g", cell->number);
      else if (cell->kind == CELL_TEXT)
        fputs(cell->text, out);
      fputc(i + 1 == t->columns.n ? '\n' : '\t', out);
    }
}

/* Written without rounding: a count, or bytes. */
static bool exact_count(double number) {
  return fabs(number) < 9e15 && floor(number) == number;
}

static void write_json(const struct table *t, FILE *out) {
  struct json json;
  json_begin(&json, out);
  json_object(&json, NULL, false);
  json_string(&json, "title", t->title);
  json_array(&json, "rows", false);
  for (uint32_t row = 0; row < rows_of(t); row++) {
    json_object(&json, NULL, true);
    for (uint32_t i = 0; i < t->columns.n; i++) {
      const struct cell *cell = cell_at(t, row, i);
      if (cell->kind == CELL_NUMBER && exact_count(cell->number))
        json_signed(&json, t->columns.at[i], (int64_t)cell->number);
      else if (cell->kind == CELL_NUMBER)
        json_real(&json, t->columns.at[i], cell->number);
      else
        json_string(&json, t->columns.at[i], cell->kind == CELL_TEXT ? cell->text : NULL);
    }
    json_close_object(&json);
  }
  json_close_array(&json);
  json_close_object(&json);
  json_end(&json);
}

void table_write(const struct table *t, enum table_format format, FILE *out) {
  switch (format) {
  case TABLE_TEXT:
    write_text(t, out);
    break;
  case TABLE_TSV:
    write_tsv(t, out);
    break;
  case TABLE_JSON:
    write_json(t, out);
    break;
  case TABLE_MARKDOWN:
    write_markdown(t, out);
    break;
  }
}
