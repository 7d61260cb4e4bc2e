/* formula.h - small expressions over figures of runs.
 *
 *   formula = and {"||" and}      and = comparison {"&&" comparison}
 *   comparison = sum [("==" | "!=" | "<" | "<=" | ">" | ">=") sum]
 *   sum = product {("+" | "-") product}     product = factor {("*" | "/") factor}
 *   factor = number | "text" | name | ("-" | "!") factor | "(" formula ")"
 *          | ("min" | "max" | "median" | "base") "(" formula ")"
 *
 * A name is a figure, a label or a variable; what it means is asked of a scope. min, max
 * and median go over the repetitions of a run, base asks the baseline's run. What is not
 * known makes everything that needs it not known, also "!"; of "&&" and "||" one side may
 * decide. A condition that is not known in the end is false. The text is worked on directly:
 * formulas are a line long and evaluated a few thousand times, so a tree of them would only be
 * one more thing to explain.
 */
#ifndef CAIRN_CLI_BENCH_FORMULA_H
#define CAIRN_CLI_BENCH_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum formula_kind { FORMULA_UNKNOWN, FORMULA_NUMBER, FORMULA_TEXT };

struct formula_value {
  enum formula_kind kind;
  double number;
  const char *text; /* of FORMULA_TEXT: `length` bytes that the scope or the formula owns */
  size_t length;
};

struct formula_scope {
  struct formula_value (*look)(const struct formula_scope *, const char *name, size_t length);
  const void *data;
  uint32_t repeats;                 /* how many runs min, max and median go over */
  uint32_t repeat;                  /* the one that a name outside of them means */
  const struct formula_scope *base; /* NULL: there is no baseline */
};

/* More repetitions than this are not looked at. */
#define FORMULA_MOST_REPEATS 1000u

struct formula_value formula_evaluate(const char *text, const struct formula_scope *);
bool formula_holds(const char *text, const struct formula_scope *);

/* NULL if the text is a formula, else what is wrong, and at which byte of it. */
const char *formula_problem(const char *text, uint32_t *at);

/* The length of the name that the text begins with; 0: none. */
size_t formula_name(const char *text);

/* A text that may be a number. */
struct formula_value formula_value_of(const char *text, size_t length);

#endif
