/* condition.c - what stands behind #if: an integer expression as in C.
 *
 * `defined` is answered before macros are expanded; names that are left are 0.
 * Values have 64 bits and a sign.
 */
#include "lang/promela/text/preprocess.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 200u

struct reader {
  struct promela_preprocessor *pp;
  const struct promela_token *at, *end;
  struct span where; /* the directive: for what is missing at its end */
  uint32_t depth;
};

struct sign {
  enum promela_token_kind kind;
  int strength;
};

static const struct sign operators[] = {
    {PROMELA_T_OR, 1},     {PROMELA_T_AND, 2},      {PROMELA_T_BOR, 3},   {PROMELA_T_BXOR, 4},
    {PROMELA_T_BAND, 5},   {PROMELA_T_EQ, 6},       {PROMELA_T_NE, 6},    {PROMELA_T_LT, 7},
    {PROMELA_T_LE, 7},     {PROMELA_T_GT, 7},       {PROMELA_T_GE, 7},    {PROMELA_T_SHL, 8},
    {PROMELA_T_SHR, 8},    {PROMELA_T_PLUS, 9},     {PROMELA_T_MINUS, 9}, {PROMELA_T_STAR, 10},
    {PROMELA_T_SLASH, 10}, {PROMELA_T_PERCENT, 10},
};

static int64_t read_choice(struct reader *r, bool counts);

static bool is_at(const struct reader *r, enum promela_token_kind kind) {
  return r->at < r->end && r->at->kind == kind;
}

static int64_t fail(struct reader *r, const char *what) {
  promela_pp_fail(r->pp, r->at < r->end ? r->at->place.span : r->where, "%s", what);
  r->at = r->end;
  return 0;
}

static int64_t number(struct reader *r) {
  const struct promela_token *token = r->at++;
  const char *text = arena_text(r->pp->arena, token->text, token->length);
  char *end;
  const int64_t value = (int64_t)strtoull(text, &end, 0);
  if (strspn(end, "uUlL") != strlen(end)) {
    r->at--;
    return fail(r, "this is no whole number");
  }
  return value;
}

/* 'c' and the simple escapes. */
static int64_t character(struct reader *r) {
  const struct promela_token *token = r->at++;
  if (token->length < 3 || token->text[1] != '\\')
    return token->length < 3 ? 0 : (unsigned char)token->text[1];
  static const char escapes[] = "n\nt\tr\rf\f0\0";
  for (size_t i = 0; i + 1 < sizeof escapes; i += 2)
    if (escapes[i] == token->text[2])
      return escapes[i + 1];
  return (unsigned char)token->text[2];
}

/* unary: (choice) | - unary | + unary | ! unary | ~ unary | number | character | name */
static int64_t read_unary(struct reader *r, bool counts) {
  if (r->at == r->end)
    return fail(r, "expected a value in this condition");
  if (++r->depth > MAX_DEPTH)
    return fail(r, "this condition is nested too deep");
  const enum promela_token_kind kind = r->at->kind;
  int64_t value = 0;
  if (kind == PROMELA_T_NUMBER) {
    value = number(r);
  } else if (kind == PROMELA_T_CHAR) {
    value = character(r);
  } else if (kind == PROMELA_T_NAME) {
    r->at++;
  } else if (kind == PROMELA_T_OPEN) {
    r->at++;
    value = read_choice(r, counts);
    if (is_at(r, PROMELA_T_CLOSE))
      r->at++;
    else
      fail(r, "expected ')' in this condition");
  } else if (kind == PROMELA_T_SEND || kind == PROMELA_T_MINUS || kind == PROMELA_T_PLUS ||
             kind == PROMELA_T_TILDE || kind == PROMELA_T_SORTED_SEND) {
    r->at++;
    value = read_unary(r, counts);
    value = kind == PROMELA_T_SEND          ? !value
            : kind == PROMELA_T_SORTED_SEND ? value != 0
            : kind == PROMELA_T_MINUS       ? (int64_t)(0 - (uint64_t)value)
            : kind == PROMELA_T_TILDE       ? ~value
                                            : value;
  } else {
    fail(r, "expected a value in this condition");
  }
  r->depth--;
  return value;
}

static int64_t divide(struct reader *r, bool is_rest, int64_t a, int64_t b, bool counts) {
  if (b == 0)
    return counts ? fail(r, "division by zero in this condition") : 0;
  if (b == -1)
    return is_rest ? 0 : (int64_t)(0 - (uint64_t)a);
  return is_rest ? a % b : a / b;
}

static int64_t apply(struct reader *r, enum promela_token_kind kind, int64_t a, int64_t b,
                     bool counts) {
  switch (kind) {
  case PROMELA_T_OR:
    return a != 0 || b != 0;
  case PROMELA_T_AND:
    return a != 0 && b != 0;
  case PROMELA_T_BOR:
    return a | b;
  case PROMELA_T_BXOR:
    return a ^ b;
  case PROMELA_T_BAND:
    return a & b;
  case PROMELA_T_EQ:
    return a == b;
  case PROMELA_T_NE:
    return a != b;
  case PROMELA_T_LT:
    return a < b;
  case PROMELA_T_LE:
    return a <= b;
  case PROMELA_T_GT:
    return a > b;
  case PROMELA_T_GE:
    return a >= b;
  case PROMELA_T_SHL:
    return (int64_t)((uint64_t)a << (b & 63));
  case PROMELA_T_SHR:
    return a >> (b & 63);
  case PROMELA_T_PLUS:
    return (int64_t)((uint64_t)a + (uint64_t)b);
  case PROMELA_T_MINUS:
    return (int64_t)((uint64_t)a - (uint64_t)b);
  case PROMELA_T_STAR:
    return (int64_t)((uint64_t)a * (uint64_t)b);
  default:
    return divide(r, kind == PROMELA_T_PERCENT, a, b, counts);
  }
}

static const struct sign *operator_at(const struct reader *r) {
  if (r->at < r->end)
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
      if (operators[i].kind == r->at->kind)
        return &operators[i];
  return NULL;
}

/* binary: unary {operator binary}, for operators of at least this strength */
static int64_t read_binary(struct reader *r, int strength, bool counts) {
  int64_t value = read_unary(r, counts);
  const struct sign *op;
  while (!r->pp->failed && (op = operator_at(r)) != NULL && op->strength >= strength) {
    r->at++;
    const bool decided =
        (op->kind == PROMELA_T_AND && value == 0) || (op->kind == PROMELA_T_OR && value != 0);
    const int64_t right = read_binary(r, op->strength + 1, counts && !decided);
    value = apply(r, op->kind, value, right, counts);
  }
  return value;
}

/* choice: binary [? choice : choice] */
static int64_t read_choice(struct reader *r, bool counts) {
  if (++r->depth > MAX_DEPTH)
    return fail(r, "this condition is nested too deep");
  int64_t value = read_binary(r, 1, counts);
  if (is_at(r, PROMELA_T_RECEIVE)) {
    r->at++;
    const int64_t yes = read_choice(r, counts && value != 0);
    if (!is_at(r, PROMELA_T_COLON))
      return fail(r, "expected ':' in this condition");
    r->at++;
    const int64_t no = read_choice(r, counts && value == 0);
    value = value != 0 ? yes : no;
  }
  r->depth--;
  return value;
}

/* Copies the line with `defined X` and `defined (X)` answered. */
static void answer_defined(struct promela_preprocessor *pp, const struct promela_token *at,
                           uint32_t n, struct promela_tokens *out) {
  for (uint32_t i = 0; i < n; i++) {
    struct promela_token token = at[i];
    if (token.kind == PROMELA_T_NAME && promela_spells(&token, "defined")) {
      const bool open = i + 1 < n && at[i + 1].kind == PROMELA_T_OPEN;
      const uint32_t name = i + 1 + open;
      if (name >= n || at[name].kind != PROMELA_T_NAME ||
          (open && (name + 1 >= n || at[name + 1].kind != PROMELA_T_CLOSE))) {
        promela_pp_fail(pp, token.place.span, "'defined' needs the name of a macro");
        return;
      }
      token.kind = PROMELA_T_NUMBER;
      token.text = promela_pp_find(pp, at[name].text, at[name].length) != NULL ? "1" : "0";
      token.length = 1;
      i = name + open;
    }
    *ARENA_PUSH(pp->arena, out) = token;
  }
}

bool promela_pp_condition(struct promela_preprocessor *pp, const struct promela_token *at,
                          uint32_t n, struct span where) {
  struct promela_tokens answered = {0};
  struct promela_tokens line = {0};
  answer_defined(pp, at, n, &answered);
  promela_pp_expand(pp, answered.at, answered.n, &line);
  if (pp->failed)
    return false;
  struct reader r = {pp, line.at, line.n == 0 ? line.at : line.at + line.n, where, 0};
  const int64_t value = read_choice(&r, true);
  if (r.at < r.end)
    fail(&r, "this does not belong to the condition");
  return !pp->failed && value != 0;
}
