/* show.c - tables and charts of what a suite's runs gave.
 *
 * Everything shown is a formula over the figures of one row. A table groups rows into
 * cells by labels, and shows of each cell its best row that satisfies a condition.
 */
#include "cli/bench/show.h"

#include <string.h>

#define SHOW_TIME   "100*min(cpu)/base(min(cpu))"
#define SHOW_MEMORY "100*min(peak)/base(min(peak))"

struct entry { /* a row and its runs */
  const struct show *show;
  const struct plan_row *row;
  const struct results_run **run; /* the good ones */
  uint32_t n, fastest;
  const struct results_run *last; /* of all, good or not; NULL: none */
  const struct entry *base;
};

struct show {
  struct arena *arena;
  const struct plan *plan;
  uint32_t repeat;
  bool relative;
  struct entry *entry; /* by row */
};

struct texts {
  const char **at;
  uint32_t n, capacity;
};

/* ---- what names mean --------------------------------------------------------------- */

static struct formula_value look(const struct formula_scope *scope, const char *name,
                                 size_t length) {
  const struct entry *e = scope->data;
  const char *label = plan_label(e->row, name, length);
  if (label != NULL)
    return formula_value_of(label, strlen(label));
  if (scope->repeat < e->n)
    return results_field(e->run[scope->repeat], name, length);
  return (struct formula_value){0};
}

static struct formula_scope scope_of(const struct entry *e) {
  return (struct formula_scope){.look = look, .data = e, .repeats = e->n, .repeat = e->fastest};
}

static struct formula_value value_of(const struct entry *e, const char *formula) {
  struct formula_scope scope = scope_of(e), base;
  if (e->base != NULL) {
    base = scope_of(e->base);
    scope.base = &base;
  }
  return formula_evaluate(formula, &scope);
}

static bool holds(const struct entry *e, const char *formula) {
  struct formula_value v = formula == NULL
                               ? (struct formula_value){.kind = FORMULA_NUMBER, .number = 1}
                               : value_of(e, formula);
  return (v.kind == FORMULA_NUMBER && v.number != 0) ||
         (v.kind == FORMULA_TEXT && v.length > 0);
}

static double number_of(const struct results_run *run, const char *name) {
  return results_field(run, name, strlen(name)).number;
}

/* ---- rows and their runs ------------------------------------------------------------ */

static void fill_entry(struct show *s, const struct results *results, struct entry *e) {
  e->show = s;
  e->run = ARENA_ARRAY(s->arena, s->repeat, const struct results_run *);
  for (uint32_t i = 0; i < s->repeat; i++) {
    const struct results_run *run = results_find(results, e->row->key, i, 0);
    e->last = run != NULL && (e->last == NULL || e->last->good) ? run : e->last;
    if (run != NULL && run->good)
      e->run[e->n++] = run;
  }
  for (uint32_t i = 1; i < e->n; i++)
    if (number_of(e->run[i], "cpu") < number_of(e->run[e->fastest], "cpu"))
      e->fastest = i;
}

/* The baseline's row of the same model, all labels but those of the run alike as far as
 * both have them: a grid may have one baseline per setting. */
static bool is_base_of(const struct plan_row *base, const struct plan_row *row,
                       const char *name) {
  return strcmp(plan_label(base, "run", 3), name) == 0 &&
         strcmp(plan_label(base, "model", 5), plan_label(row, "model", 5)) == 0;
}

struct show *show_open(struct arena *arena, const struct plan *plan,
                       const struct results *results, uint32_t repeat, const char *baseline) {
  struct show *s = ARENA_NEW(arena, struct show);
  *s = (struct show){arena, plan, repeat, baseline != NULL, NULL};
  s->entry = ARENA_ARRAY(arena, plan->rows.n, struct entry);
  for (uint32_t i = 0; i < plan->rows.n; i++) {
    s->entry[i].row = &plan->rows.at[i];
    fill_entry(s, results, &s->entry[i]);
  }
  for (uint32_t i = 0; baseline != NULL && i < plan->rows.n; i++)
    for (uint32_t j = 0; j < plan->rows.n && s->entry[i].base == NULL; j++)
      if (is_base_of(s->entry[j].row, s->entry[i].row, baseline))
        s->entry[i].base = &s->entry[j];
  return s;
}

uint32_t show_lacking(const struct show *s) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->plan->rows.n; i++)
    n += s->entry[i].n < s->repeat;
  return n;
}

/* What a row's runs came to, for people. */
static const char *ending_of(const struct entry *e) {
  struct arena *arena = e->show->arena;
  if (e->last == NULL)
    return "missing";
  if (!e->last->good) {
    struct formula_value end = results_field(e->last, "end", 3);
    int status = (int)number_of(e->last, "status");
    const char *name = end.kind == FORMULA_TEXT ? end.text : "failed";
    return strcmp(name, "time limit") == 0 ? name
                                           : arena_printf(arena, "FAILED: %s %d", name, status);
  }
  if (e->n < e->show->repeat)
    return arena_printf(arena, "%u of %u runs", e->n, e->show->repeat);
  struct formula_value verdict = results_field(e->run[0], "verdict", 7);
  return verdict.kind == FORMULA_TEXT ? verdict.text : "ended";
}

/* ---- tables ------------------------------------------------------------------------ */

static void put_value(struct table *table, struct arena *arena, struct formula_value v) {
  if (v.kind == FORMULA_NUMBER)
    table_number(table, v.number);
  else if (v.kind == FORMULA_TEXT)
    table_text(table, arena_text(arena, v.text, v.length));
  else
    table_unknown(table);
}

/* One line per row of the suite, with what is of interest everywhere. */
static void show_everything(const struct show *s, enum table_format format, FILE *out) {
  static const char *const column[][2] = {
      {"states", "states.stored"}, {"events", "events"},
      {"cpu, s", "min(cpu)"},      {"median", "median(cpu)"},
      {"clock, s", "min(wall)"},   {"peak, MiB", "min(peak)/1048576"},
      {"time, %", SHOW_TIME},      {"memory, %", SHOW_MEMORY},
  };
  uint32_t n = (uint32_t)(sizeof column / sizeof column[0]) - (s->relative ? 0 : 2);
  struct table *table = table_open(s->arena, s->plan->suite->path);
  table_column(table, "model");
  table_column(table, "run");
  for (uint32_t i = 0; i < n; i++)
    table_column(table, column[i][0]);
  table_column(table, "end");
  for (uint32_t i = 0; i < s->plan->rows.n; i++) {
    const struct entry *e = &s->entry[i];
    table_text(table, plan_label(e->row, "model", 5));
    table_text(table, plan_label(e->row, "run", 3));
    for (uint32_t j = 0; j < n; j++)
      put_value(table, s->arena, value_of(e, column[j][1]));
    table_text(table, ending_of(e));
  }
  table_write(table, format, out);
}

/* The labels of an entry by the names of a comma list, joined. */
static const char *tuple_of(const struct entry *e, const char *names, const char *between) {
  const char *tuple = "";
  for (const char *at = names; *at != '\0';) {
    size_t n = strcspn(at, ",");
    const char *label = plan_label(e->row, at, n);
    tuple = arena_printf(e->show->arena, "%s%s%s", tuple, at == names ? "" : between,
                         label == NULL ? "" : label);
    at += n + (at[n] == ',');
  }
  return tuple;
}

static void add_once(struct arena *arena, struct texts *texts, const char *text) {
  for (uint32_t i = 0; i < texts->n; i++)
    if (strcmp(texts->at[i], text) == 0)
      return;
  *ARENA_PUSH(arena, texts) = text;
}

struct grid { /* a `table` line */
  const struct show *s;
  const char *rows, *columns, *best, *condition;
  struct texts row, column; /* what is at the edges */
  struct texts label, show;
  const struct entry **cell; /* the best of each; NULL: none */
};

static bool better(const struct entry *a, const struct entry *b, const char *best) {
  struct formula_value x = value_of(a, best), y = value_of(b, best);
  if (x.kind != FORMULA_NUMBER || y.kind != FORMULA_NUMBER)
    return x.kind == FORMULA_NUMBER;
  return x.number < y.number;
}

static uint32_t index_of(const struct texts *texts, const char *text) {
  uint32_t i = 0;
  while (strcmp(texts->at[i], text) != 0)
    i++;
  return i;
}

/* Rows without a result take part in the edges, so that a gap is seen. */
static void fill_grid(struct grid *g) {
  const struct show *s = g->s;
  struct arena *arena = s->arena;
  for (uint32_t i = 0; i < s->plan->rows.n; i++) {
    add_once(arena, &g->row, tuple_of(&s->entry[i], g->rows, "\t"));
    add_once(arena, &g->column, tuple_of(&s->entry[i], g->columns, " "));
  }
  g->cell = ARENA_ARRAY(arena, (size_t)g->row.n * g->column.n, const struct entry *);
  for (uint32_t i = 0; i < s->plan->rows.n; i++) {
    const struct entry *e = &s->entry[i];
    if (e->n == 0 || !holds(e, g->condition))
      continue;
    const struct entry **cell =
        &g->cell[index_of(&g->row, tuple_of(e, g->rows, "\t")) * g->column.n +
                 index_of(&g->column, tuple_of(e, g->columns, " "))];
    if (*cell == NULL || better(e, *cell, g->best))
      *cell = e;
  }
}

static void put_heads(const struct grid *g, struct table *table) {
  struct arena *arena = g->s->arena;
  for (const char *at = g->rows; *at != '\0';) {
    size_t n = strcspn(at, ",");
    table_column(table, arena_text(arena, at, n));
    at += n + (at[n] == ',');
  }
  for (uint32_t i = 0; i < g->column.n; i++)
    for (uint32_t j = 0; j < g->show.n; j++)
      table_column(table, g->column.at[i][0] == '\0'
                              ? g->label.at[j]
                              : arena_printf(arena, "%s %s", g->column.at[i], g->label.at[j]));
}

static void put_tuple(const struct grid *g, struct table *table, const char *tuple) {
  for (;;) {
    size_t n = strcspn(tuple, "\t");
    table_text(table, arena_text(g->s->arena, tuple, n));
    if (tuple[n] == '\0')
      return;
    tuple += n + 1;
  }
}

static struct formula_value cell_value(const struct grid *g, uint32_t row, uint32_t column,
                                       uint32_t show) {
  const struct entry *e = g->cell[row * g->column.n + column];
  if (e == NULL)
    return (struct formula_value){0};
  return value_of(e, g->show.at[show]);
}

/* The mean of each column over the rows that have a number there. */
static void put_means(const struct grid *g, struct table *table) {
  const char *name = "mean";
  for (const char *c = g->rows; c != NULL;
       c = strchr(c, ','), c = c == NULL ? NULL : c + 1, name = "")
    table_text(table, name);
  for (uint32_t i = 0; i < g->column.n; i++)
    for (uint32_t j = 0; j < g->show.n; j++) {
      double sum = 0;
      uint32_t n = 0;
      for (uint32_t row = 0; row < g->row.n; row++) {
        struct formula_value v = cell_value(g, row, i, j);
        sum += v.kind == FORMULA_NUMBER ? v.number : 0;
        n += v.kind == FORMULA_NUMBER;
      }
      if (n > 0)
        table_number(table, sum / n);
      else
        table_unknown(table);
    }
}

static void show_grid(const struct show *s, const struct suite_line *line,
                      enum table_format format, FILE *out) {
  struct grid g = {.s = s};
  const char *rows = suite_label(line, "rows"), *columns = suite_label(line, "columns");
  const char *best = suite_label(line, "best");
  g.rows = rows != NULL ? rows : columns != NULL ? "model" : "model,run";
  g.columns = columns != NULL ? columns : "";
  g.best = best != NULL ? best : "min(cpu)";
  g.condition = suite_label(line, "if");
  for (uint32_t i = 0; i < line->labels.n; i++)
    if (strcmp(line->labels.at[i].key, "show") == 0) {
      const char *label, *value;
      suite_split(s->arena, line->labels.at[i].value, &label, &value);
      *ARENA_PUSH(s->arena, &g.label) = label;
      *ARENA_PUSH(s->arena, &g.show) = value;
    }
  fill_grid(&g);
  struct table *table = table_open(s->arena, line->cells.at[0].text);
  put_heads(&g, table);
  for (uint32_t row = 0; row < g.row.n; row++) {
    put_tuple(&g, table, g.row.at[row]);
    for (uint32_t i = 0; i < g.column.n; i++)
      for (uint32_t j = 0; j < g.show.n; j++)
        put_value(table, s->arena, cell_value(&g, row, i, j));
  }
  const char *mean = suite_label(line, "mean");
  if (mean != NULL && strcmp(mean, "yes") == 0)
    put_means(&g, table);
  table_write(table, format, out);
}

void show_tables(const struct show *s, enum table_format format, FILE *out) {
  const struct suite *suite = s->plan->suite;
  uint32_t n = 0;
  for (uint32_t i = 0; i < suite->lines.n; i++)
    n += suite->lines.at[i].kind == SUITE_TABLE;
  uint32_t all = n;
  if (format == TABLE_JSON)
    fputs("[\n", out);
  for (uint32_t i = 0; i < suite->lines.n; i++) {
    if (suite->lines.at[i].kind != SUITE_TABLE)
      continue;
    show_grid(s, &suite->lines.at[i], format, out);
    if (--n > 0)
      fputs(format == TABLE_JSON ? ",\n" : format == TABLE_TSV ? "\n" : "", out);
  }
  if (all == 0)
    show_everything(s, format, out);
  if (format == TABLE_JSON)
    fputs("]\n", out);
}

/* ---- charts ------------------------------------------------------------------------ */

static void add_points(const struct show *s, struct chart_plot *plot, const char *x,
                       const char *y, const char *condition) {
  for (uint32_t i = 0; i < s->plan->rows.n; i++) {
    const struct entry *e = &s->entry[i];
    struct formula_value at = value_of(e, x), up = value_of(e, y);
    if (at.kind == FORMULA_NUMBER && up.kind == FORMULA_NUMBER && holds(e, condition))
      *ARENA_PUSH(s->arena, &plot->points) =
          (struct chart_point){plan_label(e->row, "run", 3), at.number, up.number};
  }
}

enum chart_answer show_charts(const struct show *s, FILE *out) {
  const struct suite *suite = s->plan->suite;
  struct {
    struct chart_plot *at;
    uint32_t n, capacity;
  } plots = {0};
  for (uint32_t i = 0; i < suite->lines.n; i++) {
    const struct suite_line *line = &suite->lines.at[i];
    if (line->kind != SUITE_CHART)
      continue;
    const char *x, *y;
    struct chart_plot *plot = ARENA_PUSH(s->arena, &plots);
    plot->title = line->cells.at[0].text;
    suite_split(s->arena, suite_label(line, "x"), &plot->x, &x);
    suite_split(s->arena, suite_label(line, "y"), &plot->y, &y);
    add_points(s, plot, x, y, suite_label(line, "if"));
  }
  if (plots.n > 0)
    return chart_write(plots.at, plots.n, s->relative, out);
  struct chart_plot plot = {.title = suite->path};
  plot.x = s->relative ? "memory, % of the baseline" : "peak memory, MiB";
  plot.y = s->relative ? "time, % of the baseline" : "processor time, s";
  add_points(s, &plot, s->relative ? SHOW_MEMORY : "min(peak)/1048576",
             s->relative ? SHOW_TIME : "min(cpu)", NULL);
  return chart_write(&plot, 1, s->relative, out);
}

/* ---- what must hold ------------------------------------------------------------------ */

uint32_t show_differences(const struct show *s) {
  const struct suite *suite = s->plan->suite;
  uint32_t n = 0;
  for (uint32_t i = 0; i < suite->lines.n; i++)
    for (uint32_t j = 0; suite->lines.at[i].kind == SUITE_EXPECT && j < s->plan->rows.n; j++) {
      struct entry one = s->entry[j];
      bool fine = true;
      for (one.fastest = 0; one.fastest < one.n; one.fastest++)
        fine &= holds(&one, suite->lines.at[i].cells.at[0].text);
      if (!fine)
        fprintf(stderr, "differs: %s: %s does not hold\n", one.row->key,
                suite->lines.at[i].cells.at[0].text);
      n += !fine;
    }
  return n;
}
