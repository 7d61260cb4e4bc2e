/* plan.c - the rows of a suite: every model with every run, variables filled in.
 *
 * `each` variables multiply those lines that mention them: a run is made once for
 * every combination of values of the variables that it or its model mention.
 */
#include "cli/bench/plan.h"

#include "base/text.h"
#include "cli/bench/formula.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define PLAN_MOST_EACH  16u /* variables that one row depends on */
#define PLAN_MOST_DEPTH 16u /* variables within values of variables */
#define PLAN_MOST_ROWS  100000u

struct choice { /* of an `each` line */
  const struct suite_line *line;
  uint32_t value; /* the cell */
};

struct planner {
  struct arena *arena;
  struct diag *diag;
  struct plan *plan;
  const struct suite_line *model, *run;
  struct choice choice[PLAN_MOST_EACH];
  uint32_t n_choices;
  struct span at; /* the cell that is being filled in */
  bool labels;    /* `each` variables stand for their labels, not for their values */
  uint32_t depth;
};

static const char *fill(struct planner *p, const char *text);

const char *plan_label(const struct plan_row *row, const char *name, size_t length) {
  for (uint32_t i = 0; i < row->labels.n; i++)
    if (strlen(row->labels.at[i].name) == length &&
        memcmp(row->labels.at[i].name, name, length) == 0)
      return row->labels.at[i].value;
  return NULL;
}

/* ---- variables ---------------------------------------------------------------- */

static bool same(const char *text, const char *name, size_t length) {
  return strlen(text) == length && memcmp(text, name, length) == 0;
}

static const char *value_of_each(struct planner *p, const struct choice *choice) {
  const char *label, *value;
  suite_split(p->arena, choice->line->cells.at[choice->value].text, &label, &value);
  return p->labels ? label : value;
}

static const char *label_text(const struct suite_line *line, const char *name, size_t length) {
  for (uint32_t i = 0; line != NULL && i < line->labels.n; i++)
    if (same(line->labels.at[i].key, name, length))
      return line->labels.at[i].value;
  return NULL;
}

/* As it was written, not yet filled in; NULL: there is none. */
static const char *raw_value(struct planner *p, const char *name, size_t length) {
  for (uint32_t i = 0; i < p->n_choices; i++)
    if (same(p->choice[i].line->cells.at[0].text, name, length))
      return value_of_each(p, &p->choice[i]);
  const char *found = label_text(p->run, name, length);
  if (found == NULL)
    found = label_text(p->model, name, length);
  const struct suite *s = p->plan->suite;
  for (uint32_t i = 0; i < s->lines.n && found == NULL; i++)
    if (s->lines.at[i].kind == SUITE_LET && same(s->lines.at[i].cells.at[0].text, name, length))
      found = s->lines.at[i].cells.at[1].text;
  return found != NULL ? found : getenv(arena_text(p->arena, name, length));
}

static struct formula_value look(const struct formula_scope *scope, const char *name,
                                 size_t length) {
  struct planner *p = *(struct planner *const *)scope->data;
  const char *raw = raw_value(p, name, length);
  if (raw == NULL)
    return (struct formula_value){0};
  const char *value = fill(p, raw);
  return formula_value_of(value, strlen(value));
}

/* What is between the braces: NAME, NAME:-DEFAULT or a formula. */
static const char *value_of(struct planner *p, const char *inside) {
  size_t n = formula_name(inside);
  const char *raw = n > 0 ? raw_value(p, inside, n) : NULL;
  bool fallback = n > 0 && strncmp(inside + n, ":-", 2) == 0;
  if (n > 0 && (inside[n] == '\0' || fallback)) {
    if (raw != NULL && (*raw != '\0' || !fallback))
      return fill(p, raw);
    if (fallback)
      return fill(p, inside + n + 2);
    diag_error(p->diag, p->at, "unknown variable '%.40s'", inside);
    return "";
  }
  struct formula_scope scope = {.look = look, .data = &p, .repeats = 1};
  struct formula_value v = formula_evaluate(inside, &scope);
  if (v.kind == FORMULA_NUMBER)
    return arena_printf(p->arena, "%.0f", v.number);
  diag_error(p->diag, p->at, "'%.60s' is no number", inside);
  return "";
}

/* The closing brace of the one at `open`, or NULL. */
static const char *closing(const char *open) {
  int depth = 0;
  for (const char *c = open; *c != '\0'; c++) {
    depth += *c == '{' ? 1 : *c == '}' ? -1 : 0;
    if (depth == 0)
      return c;
  }
  return NULL;
}

static const char *fill_inside(struct planner *p, const char *text) {
  const char *done = "";
  for (;;) {
    const char *mark = strstr(text, "${");
    const char *end = mark == NULL ? NULL : closing(mark + 1);
    if (end == NULL)
      return *done == '\0' ? text : arena_printf(p->arena, "%s%s", done, text);
    const char *inside = arena_text(p->arena, mark + 2, (size_t)(end - mark - 2));
    done =
        arena_printf(p->arena, "%s%.*s%s", done, (int)(mark - text), text, value_of(p, inside));
    text = end + 1;
    if (*text == '\0')
      return done;
  }
}

static const char *fill(struct planner *p, const char *text) {
  if (strstr(text, "${") == NULL)
    return text;
  if (p->depth >= PLAN_MOST_DEPTH) {
    diag_error(p->diag, p->at, "a variable refers to itself");
    return "";
  }
  p->depth++;
  const char *filled = fill_inside(p, text);
  p->depth--;
  return filled;
}

static const char *fill_at(struct planner *p, const char *text, struct span span) {
  p->at = span;
  return fill(p, text);
}

static const char *fill_cell(struct planner *p, const struct suite_cell *cell) {
  const char *text = fill_at(p, cell->text, cell->span);
  return strcmp(text, "-") == 0 ? "" : text;
}

static const char *fill_name(struct planner *p, const struct suite_cell *cell) {
  p->labels = true;
  const char *name = fill_at(p, cell->text, cell->span);
  p->labels = false;
  return name;
}

/* ---- what a line mentions ------------------------------------------------------- */

static bool mentions(const char *text, const char *name) {
  for (const char *c = strstr(text, "${"); c != NULL; c = strstr(c + 1, "${"))
    for (const char *d = c + 2; *d != '\0' && *d != '}'; d++) {
      size_t n = formula_name(d);
      if (n > 0 && same(name, d, n))
        return true;
      d += n > 0 ? n - 1 : 0;
    }
  return false;
}

static bool line_mentions(const struct suite_line *line, const char *name) {
  for (uint32_t i = 0; i < line->cells.n; i++)
    if (mentions(line->cells.at[i].text, name))
      return true;
  for (uint32_t i = 0; i < line->labels.n; i++)
    if (mentions(line->labels.at[i].value, name))
      return true;
  return false;
}

static void find_choices(struct planner *p) {
  const struct suite *s = p->plan->suite;
  p->n_choices = 0;
  for (uint32_t i = 0; i < s->lines.n; i++) {
    const struct suite_line *line = &s->lines.at[i];
    if (line->kind != SUITE_EACH || !(line_mentions(p->model, line->cells.at[0].text) ||
                                      line_mentions(p->run, line->cells.at[0].text)))
      continue;
    if (p->n_choices == PLAN_MOST_EACH) {
      diag_error(p->diag, line->cells.at[0].span, "a run depends on too many variables");
      return;
    }
    p->choice[p->n_choices++] = (struct choice){line, 1};
  }
}

/* The next combination, the last variable first. */
static bool next_choice(struct planner *p) {
  for (uint32_t i = p->n_choices; i-- > 0;) {
    if (++p->choice[i].value < p->choice[i].line->cells.n)
      return true;
    p->choice[i].value = 1;
  }
  return false;
}

/* ---- rows --------------------------------------------------------------------- */

static void add_label(struct planner *p, struct plan_row *row, const char *name,
                      const char *value) {
  if (plan_label(row, name, strlen(name)) == NULL)
    *ARENA_PUSH(p->arena, &row->labels) = (struct plan_label){name, value};
}

static void add_labels(struct planner *p, struct plan_row *row, const struct suite_line *line) {
  for (uint32_t i = 0; i < line->labels.n; i++) {
    const struct suite_label *l = &line->labels.at[i];
    if (strcmp(l->key, "for") != 0)
      add_label(p, row, l->key, fill_at(p, l->value, l->span));
  }
}

/* The word that begins at *at, without its quotes; NULL: there is none. */
static char *next_word(struct planner *p, const char **at) {
  const char *c = *at + strspn(*at, " ");
  char *word = arena_text(p->arena, c, strlen(c)), *to = word, quote = '\0';
  if (*c == '\0')
    return NULL;
  for (; *c != '\0' && (quote != '\0' || *c != ' '); c++) {
    if (quote == '\0' && (*c == '\'' || *c == '"'))
      quote = *c;
    else if (quote != '\0' && *c == quote)
      quote = '\0';
    else
      *to++ = *c;
  }
  *to = '\0';
  *at = c;
  if (quote != '\0')
    diag_error(p->diag, p->at, "a closing quote is missing");
  return word;
}

static void make_argv(struct planner *p, struct plan_row *row) {
  struct {
    char **at;
    uint32_t n, capacity;
  } words = {0};
  const struct suite_line *from[] = {p->model, p->run};
  const uint32_t cell[] = {2, 1};
  for (uint32_t i = 0; i < 2; i++) {
    if (cell[i] >= from[i]->cells.n)
      continue;
    const char *at = fill_cell(p, &from[i]->cells.at[cell[i]]);
    for (char *word; (word = next_word(p, &at)) != NULL;)
      *ARENA_PUSH(p->arena, &words) = word;
  }
  *ARENA_PUSH(p->arena, &words) = NULL;
  row->argv = words.at;
}

/* The shell sees every variable of the row, and the model. */
static void make_environment(struct planner *p, struct plan_row *row) {
  struct {
    char **at;
    uint32_t n, capacity;
  } pairs = {0};
  for (uint32_t i = 0; i < p->n_choices; i++) {
    const char *name = p->choice[i].line->cells.at[0].text;
    const char *value = fill(p, value_of_each(p, &p->choice[i]));
    *ARENA_PUSH(p->arena, &pairs) = arena_text(p->arena, name, strlen(name));
    *ARENA_PUSH(p->arena, &pairs) = arena_text(p->arena, value, strlen(value));
  }
  for (uint32_t i = p->n_choices; i < row->labels.n; i++) {
    const struct plan_label *l = &row->labels.at[i];
    bool each = false;
    for (uint32_t j = 0; j < p->n_choices; j++)
      each |= strcmp(p->choice[j].line->cells.at[0].text, l->name) == 0;
    if (each || strchr(l->name, '.') != NULL)
      continue;
    *ARENA_PUSH(p->arena, &pairs) = arena_text(p->arena, l->name, strlen(l->name));
    const char *value = strcmp(l->name, "model") == 0 ? row->model : l->value;
    *ARENA_PUSH(p->arena, &pairs) = arena_text(p->arena, value, strlen(value));
  }
  *ARENA_PUSH(p->arena, &pairs) = NULL;
  row->environment = pairs.at;
}

/* Text between blanks of `let` variables is filled in here, as the shell does not know
 * them; what it knows by itself is left to it. */
static const char *fill_lets(struct planner *p, const struct suite_cell *cell) {
  const struct suite *s = p->plan->suite;
  const char *text = strcmp(cell->text, "-") == 0 ? "" : cell->text;
  for (uint32_t i = 0; i < s->lines.n; i++) {
    const struct suite_line *line = &s->lines.at[i];
    if (line->kind != SUITE_LET)
      continue;
    const char *name = arena_printf(p->arena, "${%s}", line->cells.at[0].text);
    const char *value = fill_at(p, line->cells.at[1].text, cell->span);
    for (const char *at; (at = strstr(text, name)) != NULL && strstr(value, name) == NULL;)
      text =
          arena_printf(p->arena, "%.*s%s%s", (int)(at - text), text, value, at + strlen(name));
  }
  return text;
}

static const char *absolute(struct planner *p, const char *path) {
  return path[0] == '/' ? path : arena_printf(p->arena, "%s/%s", p->plan->suite->folder, path);
}

static void check_unique(struct planner *p, const char *key) {
  const struct plan *plan = p->plan;
  for (uint32_t i = 0; i < plan->rows.n; i++)
    if (strcmp(plan->rows.at[i].key, key) == 0) {
      diag_error(p->diag, p->run->cells.at[0].span,
                 "there are two rows '%.80s'; names must tell them apart", key);
      return;
    }
}

static bool wanted(const char *key, const char *const *only, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (fnmatch(only[i], key, 0) == 0)
      return true;
  return n == 0;
}

static void make_row(struct planner *p, const char *const *only, uint32_t n_only) {
  const char *model = fill_name(p, &p->model->cells.at[0]);
  const char *run = fill_name(p, &p->run->cells.at[0]);
  const char *fits = suite_label(p->run, "for");
  struct plan_row row = {.line = p->run};
  row.key = arena_printf(p->arena, "%s/%s", model, run);
  if ((fits != NULL && fnmatch(fits, model, 0) != 0) || !wanted(row.key, only, n_only))
    return;
  row.model = absolute(p, fill_cell(p, &p->model->cells.at[1]));
  add_label(p, &row, "model", model);
  add_label(p, &row, "run", run);
  p->labels = true;
  for (uint32_t i = 0; i < p->n_choices; i++)
    add_label(p, &row, p->choice[i].line->cells.at[0].text, value_of_each(p, &p->choice[i]));
  p->labels = false;
  add_labels(p, &row, p->run);
  add_labels(p, &row, p->model);
  if (p->run->kind == SUITE_RUN) {
    make_argv(p, &row);
  } else {
    make_environment(p, &row);
    row.build = fill_lets(p, &p->run->cells.at[1]);
    row.command = fill_lets(p, &p->run->cells.at[2]);
  }
  check_unique(p, row.key);
  *ARENA_PUSH(p->arena, &p->plan->rows) = row;
}

static void make_rows(struct planner *p, const char *const *only, uint32_t n_only) {
  find_choices(p);
  do {
    if (diag_errors(p->diag) > 0)
      return;
    if (p->plan->rows.n >= PLAN_MOST_ROWS) {
      diag_error(p->diag, p->run->cells.at[0].span, "more than %u rows", PLAN_MOST_ROWS);
      return;
    }
    make_row(p, only, n_only);
  } while (next_choice(p));
}

struct plan *plan_make(struct arena *arena, struct diag *diag, const struct suite *suite,
                       const char *const *only, uint32_t n_only) {
  struct plan *plan = ARENA_NEW(arena, struct plan);
  struct planner planner = {.arena = arena, .diag = diag, .plan = plan};
  plan->suite = suite;
  if (diag_errors(diag) > 0)
    return plan;
  for (uint32_t i = 0; i < suite->lines.n; i++)
    for (uint32_t j = 0; j < suite->lines.n; j++) {
      planner.model = &suite->lines.at[i];
      planner.run = &suite->lines.at[j];
      if (planner.model->kind == SUITE_MODEL &&
          (planner.run->kind == SUITE_RUN || planner.run->kind == SUITE_TOOL))
        make_rows(&planner, only, n_only);
    }
  return plan;
}
