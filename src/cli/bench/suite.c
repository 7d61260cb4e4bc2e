/* suite.c - a suite file: what is to be measured, as it is written. */
#include "cli/bench/suite.h"

#include "cli/bench/formula.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#define SUITE_REST ((size_t)INT32_MAX) /* up to the end of the cell */

struct kind {
  const char *name;
  uint32_t least, most; /* cells */
  const char *keys;     /* those that labels may have; "*": any; NULL: no labels */
  const char *usage;
};

static const struct kind kinds[SUITE_KINDS] = {
    [SUITE_SET] = {"set", 2, 2, NULL, "set NAME VALUE"},
    [SUITE_LET] = {"let", 2, 2, NULL, "let NAME VALUE"},
    [SUITE_EACH] = {"each", 2, 1000, NULL, "each NAME VALUE ..."},
    [SUITE_MODEL] = {"model", 2, 3, "*", "model NAME FILE [OPTIONS [LABEL=VALUE ...]]"},
    [SUITE_RUN] = {"run", 2, 2, "*", "run NAME OPTIONS [LABEL=VALUE ...]"},
    [SUITE_TOOL] = {"tool", 3, 3, "*", "tool NAME BUILD COMMAND [LABEL=VALUE ...]"},
    [SUITE_FIGURE] = {"figure", 2, 3, NULL, "figure NAME PATTERN [FORMULA]"},
    [SUITE_EXPECT] = {"expect", 1, 1, NULL, "expect FORMULA"},
    [SUITE_TABLE] = {"table", 1, 1, " rows columns best if show mean ",
                     "table TITLE [rows= columns= best= if= show= mean=]"},
    [SUITE_CHART] = {"chart", 1, 1, " x y if ", "chart TITLE x=FORMULA y=FORMULA [if=FORMULA]"},
};

struct parser {
  struct arena *arena;
  struct diag *diag;
  struct suite *suite;
};

const char *suite_label(const struct suite_line *line, const char *key) {
  for (uint32_t i = 0; i < line->labels.n; i++)
    if (strcmp(line->labels.at[i].key, key) == 0)
      return line->labels.at[i].value;
  return NULL;
}

void suite_split(struct arena *arena, const char *text, const char **label,
                 const char **value) {
  const char *mark = strstr(text, ":=");
  *label = mark == NULL ? text : arena_text(arena, text, (size_t)(mark - text));
  *value = mark == NULL ? text : mark + 2;
}

static struct span part_of(struct span span, size_t from, size_t length) {
  span.begin += (uint32_t)from;
  uint32_t end = span.begin + (uint32_t)length;
  span.end = end > span.end ? span.end : end;
  return span;
}

static void check_formula(struct parser *p, const char *text, struct span span) {
  uint32_t at;
  const char *problem = formula_problem(text, &at);
  if (problem != NULL)
    diag_error(p->diag, part_of(span, at, 1), "%s", problem);
}

static bool is_name(const char *text) {
  return formula_name(text) > 0 && text[formula_name(text)] == '\0';
}

static void check_name(struct parser *p, const struct suite_cell *cell) {
  if (!is_name(cell->text))
    diag_error(p->diag, cell->span, "'%.40s' is no name: letters, digits and _", cell->text);
}

static void check_pattern(struct parser *p, const struct suite_cell *cell) {
  regex_t regex;
  char why[200];
  int answer = regcomp(&regex, cell->text, REG_EXTENDED | REG_NEWLINE);
  if (answer != 0) {
    regerror(answer, &regex, why, sizeof why);
    diag_error(p->diag, cell->span, "the pattern is wrong: %s", why);
    return;
  }
  if (regex.re_nsub < 1)
    diag_error(p->diag, cell->span, "the pattern needs a group (…) around the number");
  regfree(&regex);
}

/* ---- settings ----------------------------------------------------------------- */

/* Digits, perhaps with a fraction, then perhaps K, M, G or T; 0: no such thing. */
static double amount(const char *text, bool unit) {
  static const char units[] = "KMGT";
  char *end;
  if (text[0] < '0' || text[0] > '9')
    return 0;
  double value = strtod(text, &end);
  const char *mark = unit && *end != '\0' ? strchr(units, *end) : NULL;
  if (mark != NULL)
    for (const char *u = units; end++, u <= mark; u++, end--)
      value *= 1024;
  return *end == '\0' && value < 1e15 ? value : 0;
}

static void take_setting(struct parser *p, const struct suite_cell *name,
                         const struct suite_cell *value) {
  static const char *const names[] = {"repeat", "seconds", "memory", "baseline"};
  struct suite *s = p->suite;
  double number = amount(value->text, strcmp(name->text, "memory") == 0);
  if (strcmp(name->text, "baseline") == 0) {
    s->baseline = value->text;
    return;
  }
  if (strcmp(name->text, "repeat") == 0)
    s->repeat = number > FORMULA_MOST_REPEATS ? 0 : (uint32_t)number;
  else if (strcmp(name->text, "seconds") == 0)
    s->seconds = number;
  else if (strcmp(name->text, "memory") == 0)
    s->memory = (uint64_t)number;
  else {
    diag_error(p->diag, name->span, "unknown setting '%.40s'", name->text);
    const char *closest = diag_closest(name->text, names, 4);
    if (closest != NULL)
      diag_hint(p->diag, "did you mean '%s'?", closest);
    return;
  }
  if (number <= 0 || s->repeat == 0)
    diag_error(p->diag, value->span, "'%.40s' is no %s", value->text,
               strcmp(name->text, "repeat") == 0    ? "number from 1 to 1000"
               : strcmp(name->text, "seconds") == 0 ? "number of seconds"
                                                    : "size such as 512M");
}

/* ---- lines -------------------------------------------------------------------- */

static void check_labels(struct parser *p, const struct suite_line *line, struct span whole) {
  for (uint32_t i = 0; i < line->labels.n; i++) {
    const struct suite_label *l = &line->labels.at[i];
    const char *label, *value;
    bool formula = strcmp(l->key, "best") == 0 || strcmp(l->key, "if") == 0 ||
                   strcmp(l->key, "show") == 0 || strcmp(l->key, "x") == 0 ||
                   strcmp(l->key, "y") == 0;
    if ((line->kind != SUITE_TABLE && line->kind != SUITE_CHART) || !formula)
      continue;
    suite_split(p->arena, l->value, &label, &value);
    check_formula(p, value, part_of(l->span, (size_t)(value - l->value), SUITE_REST));
  }
  if (line->kind == SUITE_CHART &&
      (suite_label(line, "x") == NULL || suite_label(line, "y") == NULL))
    diag_error(p->diag, whole, "a chart needs x= and y=");
}

static void check_line(struct parser *p, const struct suite_line *line, struct span whole) {
  const struct suite_cell *cell = line->cells.at;
  if (cell == NULL)
    return; /* every kind has a cell, but no checker of code can know that */
  switch (line->kind) {
  case SUITE_SET:
    take_setting(p, cell, cell + 1);
    break;
  case SUITE_LET:
  case SUITE_EACH:
    check_name(p, cell);
    break;
  case SUITE_FIGURE:
    check_name(p, cell);
    check_pattern(p, cell + 1);
    if (line->cells.n > 2)
      check_formula(p, cell[2].text, cell[2].span);
    break;
  case SUITE_EXPECT:
    check_formula(p, cell->text, cell->span);
    break;
  default:
    check_labels(p, line, whole);
    break;
  }
}

/* KEY=VALUE with a key that the line can have. */
static bool take_label(struct parser *p, struct suite_line *line, struct suite_cell cell) {
  size_t n = formula_name(cell.text);
  const char *allowed = kinds[line->kind].keys;
  if (allowed == NULL || n == 0 || cell.text[n] != '=')
    return false;
  struct suite_label *label = ARENA_PUSH(p->arena, &line->labels);
  label->key = arena_text(p->arena, cell.text, n);
  label->value = cell.text + n + 1;
  label->span = part_of(cell.span, n + 1, SUITE_REST);
  if (allowed[0] != '*' && strstr(allowed, arena_printf(p->arena, " %s ", label->key)) == NULL)
    diag_error(p->diag, part_of(cell.span, 0, n), "unknown key '%.40s'; these are known:%s",
               label->key, allowed);
  return true;
}

static bool find_kind(struct parser *p, struct suite_cell cell, enum suite_kind *kind) {
  const char *names[SUITE_KINDS];
  for (uint32_t i = 0; i < SUITE_KINDS; i++) {
    names[i] = kinds[i].name;
    *kind = (enum suite_kind)i;
    if (strcmp(cell.text, names[i]) == 0)
      return true;
  }
  diag_error(p->diag, cell.span, "unknown kind of line '%.40s'", cell.text);
  const char *closest = diag_closest(cell.text, names, SUITE_KINDS);
  if (closest != NULL)
    diag_hint(p->diag, "did you mean '%s'?", closest);
  else if (strchr(cell.text, ' ') != NULL)
    diag_hint(p->diag, "cells are parted by tabs, not by blanks");
  return false;
}

/* The next cell of a line from `at` on, without blanks around it. */
static struct suite_cell next_cell(struct parser *p, const struct source *s, uint32_t at,
                                   uint32_t end) {
  const char *tab = memchr(s->text + at, '\t', end - at);
  uint32_t stop = tab == NULL ? end : (uint32_t)(tab - s->text);
  while (at < stop && s->text[at] == ' ')
    at++;
  while (stop > at && (s->text[stop - 1] == ' ' || s->text[stop - 1] == '\r'))
    stop--;
  return (struct suite_cell){arena_text(p->arena, s->text + at, stop - at), {s, at, stop}};
}

/* Several tabs in a row are one, so that columns can be lined up. */
static void parse_line(struct parser *p, const struct source *s, uint32_t at, uint32_t end) {
  struct suite_line line = {0};
  struct span whole = {s, at, end};
  bool first = true;
  for (uint32_t next; at < end; at = next) {
    const char *tab = memchr(s->text + at, '\t', end - at);
    next = tab == NULL ? end : (uint32_t)(tab - s->text) + 1;
    struct suite_cell cell = next_cell(p, s, at, end);
    if (cell.text[0] == '\0')
      continue;
    if (strlen(cell.text) != cell.span.end - cell.span.begin) {
      diag_error(p->diag, cell.span, "a NUL byte in a suite");
      return;
    }
    if (first && (cell.text[0] == '#' || !find_kind(p, cell, &line.kind)))
      return;
    if (!first && !(line.cells.n >= kinds[line.kind].least && take_label(p, &line, cell)))
      *ARENA_PUSH(p->arena, &line.cells) = cell;
    first = false;
  }
  if (first)
    return;
  const struct kind *kind = &kinds[line.kind];
  if (line.cells.n < kind->least)
    diag_error(p->diag, (struct span){s, end, end}, "a cell is missing: %s", kind->usage);
  else if (line.cells.n > kind->most)
    diag_error(p->diag, line.cells.at[kind->most].span, "a cell too many: %s", kind->usage);
  else
    check_line(p, &line, whole);
  *ARENA_PUSH(p->arena, &p->suite->lines) = line;
}

struct suite *suite_parse(struct arena *arena, struct diag *diag, const struct source *source,
                          const char *folder) {
  struct suite *suite = ARENA_NEW(arena, struct suite);
  struct parser parser = {arena, diag, suite};
  suite->path = source->name;
  suite->folder = folder;
  suite->repeat = 1;
  for (uint32_t i = 0; i < source->n_lines; i++) {
    uint32_t end = i + 1 < source->n_lines ? source->line[i + 1] - 1 : source->length;
    parse_line(&parser, source, source->line[i], end);
  }
  return suite;
}
