/* formula.c - small expressions over figures of runs: recursive descent by the
 * grammar of the header, evaluated while it is read. */
#include "cli/bench/formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parentheses and signs within each other: more is a mistake, and must not eat the stack. */
#define FORMULA_MOST_DEPTH 100u

struct reader {
  const char *at;
  const struct formula_scope *scope; /* NULL: only the grammar is looked at */
  const char *problem;               /* the first one */
  const char *where;
  uint32_t depth;
  bool repeating; /* within min, max or median */
};

static struct formula_value read_formula(struct reader *r);
static struct formula_value read_factor(struct reader *r);

static struct formula_value unknown(void) {
  return (struct formula_value){0};
}

static struct formula_value number_of(double number) {
  return isfinite(number) ? (struct formula_value){.kind = FORMULA_NUMBER, .number = number}
                          : unknown();
}

static void fail(struct reader *r, const char *problem) {
  if (r->problem == NULL) {
    r->problem = problem;
    r->where = r->at;
  }
}

static void skip_blanks(struct reader *r) {
  while (*r->at == ' ')
    r->at++;
}

/* Takes the mark if it comes next. */
static bool take(struct reader *r, const char *mark) {
  skip_blanks(r);
  size_t length = strlen(mark);
  if (strncmp(r->at, mark, length) != 0)
    return false;
  r->at += length;
  return true;
}

static bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool digit(char c) {
  return c >= '0' && c <= '9';
}

size_t formula_name(const char *text) {
  size_t n = 0;
  if (letter(text[0]))
    for (n = 1; letter(text[n]) || digit(text[n]) ||
                (text[n] == '.' && (letter(text[n + 1]) || digit(text[n + 1])));)
      n++;
  return n;
}

struct formula_value formula_value_of(const char *text, size_t length) {
  char copy[64], *end;
  if (length > 0 && length < sizeof copy &&
      (digit(text[0]) || (text[0] == '-' && length > 1 && digit(text[1])))) {
    memcpy(copy, text, length);
    copy[length] = '\0';
    double number = strtod(copy, &end);
    if (*end == '\0' && isfinite(number))
      return number_of(number);
  }
  return (struct formula_value){.kind = FORMULA_TEXT, .text = text, .length = length};
}

static bool truth(struct formula_value v) {
  return v.kind == FORMULA_TEXT ? v.length > 0 : v.kind == FORMULA_NUMBER && v.number != 0;
}

/* ---- functions over repetitions ------------------------------------------------- */

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

enum reader_function { READER_MIN, READER_MAX, READER_MEDIAN, READER_BASE, READER_NONE };

static double pick(enum reader_function function, double *value, uint32_t n) {
  qsort(value, n, sizeof *value, compare_numbers);
  switch (function) {
  case READER_MIN:
    return value[0];
  case READER_MAX:
    return value[n - 1];
  default:
    return (value[(n - 1) / 2] + value[n / 2]) / 2;
  }
}

/* The same text is read once for each repetition, with another meaning of its names. */
static struct formula_value over_repeats(struct reader *r, enum reader_function function) {
  const struct formula_scope *scope = r->scope;
  const char *begin = r->at;
  double value[FORMULA_MOST_REPEATS];
  uint32_t n = 0, repeats = scope == NULL ? 0 : scope->repeats;
  if (r->repeating)
    fail(r, "min, max and median cannot be nested");
  r->repeating = true;
  for (uint32_t i = 0; i < repeats && i < FORMULA_MOST_REPEATS; i++) {
    struct formula_scope one = *scope;
    one.repeat = i;
    r->scope = &one;
    r->at = begin;
    struct formula_value v = read_formula(r);
    if (v.kind == FORMULA_NUMBER)
      value[n++] = v.number;
  }
  if (repeats == 0) {
    r->scope = NULL;
    read_formula(r);
  }
  r->scope = scope;
  r->repeating = false;
  return n == 0 ? unknown() : number_of(pick(function, value, n));
}

static struct formula_value of_baseline(struct reader *r) {
  const struct formula_scope *scope = r->scope;
  r->scope = scope == NULL ? NULL : scope->base;
  struct formula_value v = read_formula(r);
  r->scope = scope;
  return v;
}

static struct formula_value call(struct reader *r, enum reader_function function) {
  struct formula_value v = function == READER_BASE ? of_baseline(r) : over_repeats(r, function);
  if (!take(r, ")"))
    fail(r, "a closing parenthesis is missing");
  return v;
}

static enum reader_function function_of(const char *name, size_t length) {
  static const char *const names[] = {"min", "max", "median", "base"};
  for (uint32_t i = 0; i < READER_NONE; i++)
    if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
      return (enum reader_function)i;
  return READER_NONE;
}

/* ---- the grammar ------------------------------------------------------------------ */

static struct formula_value read_name(struct reader *r) {
  const char *name = r->at;
  size_t length = formula_name(name);
  r->at += length;
  enum reader_function function = function_of(name, length);
  if (function != READER_NONE && take(r, "("))
    return call(r, function);
  return r->scope == NULL ? unknown() : r->scope->look(r->scope, name, length);
}

static struct formula_value read_text(struct reader *r) {
  const char *begin = ++r->at;
  const char *end = strchr(begin, '"');
  if (end == NULL) {
    fail(r, "a closing quote is missing");
    return unknown();
  }
  r->at = end + 1;
  return (struct formula_value){
      .kind = FORMULA_TEXT, .text = begin, .length = (size_t)(end - begin)};
}

static struct formula_value read_number(struct reader *r) {
  size_t n = 0;
  while (digit(r->at[n]) || r->at[n] == '.' || r->at[n] == 'e' ||
         (n > 0 && r->at[n - 1] == 'e' && (r->at[n] == '-' || r->at[n] == '+')))
    n++;
  struct formula_value v = formula_value_of(r->at, n);
  if (v.kind != FORMULA_NUMBER)
    fail(r, "this is no number");
  r->at += n;
  return v;
}

static struct formula_value read_factor_inside(struct reader *r) {
  if (take(r, "(")) {
    struct formula_value v = read_formula(r);
    if (!take(r, ")"))
      fail(r, "a closing parenthesis is missing");
    return v;
  }
  if (take(r, "-")) {
    struct formula_value v = read_factor(r);
    return v.kind == FORMULA_NUMBER ? number_of(-v.number) : unknown();
  }
  if (take(r, "!")) {
    struct formula_value v = read_factor(r);
    return v.kind == FORMULA_UNKNOWN ? v : number_of(!truth(v));
  }
  if (*r->at == '"')
    return read_text(r);
  if (digit(*r->at))
    return read_number(r);
  if (formula_name(r->at) > 0)
    return read_name(r);
  fail(r,
       *r->at == '\0' ? "something is missing at the end" : "a figure or a number is expected");
  return unknown();
}

static struct formula_value read_factor(struct reader *r) {
  if (r->problem != NULL)
    return unknown();
  if (r->depth >= FORMULA_MOST_DEPTH) {
    fail(r, "this is nested too deeply");
    return unknown();
  }
  r->depth++;
  struct formula_value v = read_factor_inside(r);
  r->depth--;
  return v;
}

static struct formula_value arithmetic(char sign, struct formula_value a,
                                       struct formula_value b) {
  if (a.kind != FORMULA_NUMBER || b.kind != FORMULA_NUMBER)
    return unknown();
  switch (sign) {
  case '+':
    return number_of(a.number + b.number);
  case '-':
    return number_of(a.number - b.number);
  case '*':
    return number_of(a.number * b.number);
  default:
    return number_of(a.number / b.number);
  }
}

/* Parts with signs between them, from the left. */
static struct formula_value read_row(struct reader *r, const char *signs,
                                     struct formula_value (*part)(struct reader *)) {
  struct formula_value v = part(r);
  for (;;) {
    skip_blanks(r);
    char sign = *r->at;
    if (sign == '\0' || strchr(signs, sign) == NULL)
      return v;
    r->at++;
    v = arithmetic(sign, v, part(r));
  }
}

static struct formula_value read_product(struct reader *r) {
  return read_row(r, "*/", read_factor);
}

static struct formula_value read_sum(struct reader *r) {
  return read_row(r, "+-", read_product);
}

/* Less than 0, 0 or more: a against b; only of the same kind. */
static int order_of(struct formula_value a, struct formula_value b) {
  if (a.kind == FORMULA_NUMBER)
    return (a.number > b.number) - (a.number < b.number);
  size_t n = a.length < b.length ? a.length : b.length;
  int order = n == 0 ? 0 : memcmp(a.text, b.text, n);
  return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static struct formula_value read_comparison(struct reader *r) {
  static const char *const marks[] = {"==", "!=", "<=", ">=", "<", ">"};
  struct formula_value a = read_sum(r);
  uint32_t which = 0;
  while (which < 6 && !take(r, marks[which]))
    which++;
  if (which == 6)
    return a;
  struct formula_value b = read_sum(r);
  if (a.kind == FORMULA_UNKNOWN || b.kind == FORMULA_UNKNOWN)
    return unknown();
  if (a.kind != b.kind)
    return number_of(which == 1);
  int order = order_of(a, b);
  bool holds[] = {order == 0, order != 0, order <= 0, order >= 0, order<0, order> 0};
  return number_of(holds[which]);
}

/* One side that is known may decide: a false one of "and", a true one of "or". */
static struct formula_value joined(struct formula_value a, struct formula_value b,
                                   bool deciding) {
  bool known[] = {a.kind != FORMULA_UNKNOWN, b.kind != FORMULA_UNKNOWN};
  if ((known[0] && truth(a) == deciding) || (known[1] && truth(b) == deciding))
    return number_of(deciding);
  return known[0] && known[1] ? number_of(!deciding) : unknown();
}

static struct formula_value read_and(struct reader *r) {
  struct formula_value v = read_comparison(r);
  while (take(r, "&&"))
    v = joined(v, read_comparison(r), false);
  return v;
}

static struct formula_value read_formula(struct reader *r) {
  struct formula_value v = read_and(r);
  while (take(r, "||"))
    v = joined(v, read_and(r), true);
  return v;
}

static struct formula_value read_whole(struct reader *r) {
  struct formula_value v = read_formula(r);
  skip_blanks(r);
  if (*r->at != '\0')
    fail(r, "an operator is expected");
  return r->problem == NULL ? v : unknown();
}

struct formula_value formula_evaluate(const char *text, const struct formula_scope *scope) {
  struct reader r = {.at = text, .scope = scope};
  return read_whole(&r);
}

bool formula_holds(const char *text, const struct formula_scope *scope) {
  return truth(formula_evaluate(text, scope));
}

const char *formula_problem(const char *text, uint32_t *at) {
  struct reader r = {.at = text};
  read_whole(&r);
  *at = r.problem == NULL ? 0 : (uint32_t)(r.where - text);
  return r.problem;
}
