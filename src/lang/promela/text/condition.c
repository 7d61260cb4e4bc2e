/* condition.c - what follows #if: an integer expression as in C.
 *
 * `defined` is answered before macros are expanded; names that are left are 0.
 * Values have 64 bits, signed or not.
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

struct value {
  int64_t at;
  bool is_unsigned; /* as in C: then what it meets is taken without a sign, too */
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

static struct value read_choice(struct reader *r, bool counts);

static bool is_at(const struct reader *r, enum promela_token_kind kind) {
  return r->at < r->end && r->at->kind == kind;
}

static struct value of(int64_t at) {
  return (struct value){at, false};
}

static struct value fail(struct reader *r, const char *what) {
  promela_pp_fail(r->pp, r->at < r->end ? r->at->place.span : r->where, "%s", what);
  r->at = r->end;
  return of(0);
}

/* ---- values ---------------------------------------------------------------------- */

/* As in C: what does not fit in a signed number has no sign either. */
static struct value number(struct reader *r) {
  const struct promela_token *token = r->at++;
  const char *text = arena_text(r->pp->arena, token->text, token->length);
  char *end;
  const uint64_t value = strtoull(text, &end, 0);
  if (strspn(end, "uUlL") != strlen(end)) {
    r->at--;
    return fail(r, "this is no whole number");
  }
  return (struct value){(int64_t)value, value > INT64_MAX || strpbrk(end, "uU") != NULL};
}

/* 'c' and the simple escapes. */
static struct value character(struct reader *r) {
  const struct promela_token *token = r->at++;
  if (token->length < 3 || token->text[1] != '\\')
    return of(token->length < 3 ? 0 : (unsigned char)token->text[1]);
  static const char escapes[] = "n\nt\tr\rf\f0\0";
  for (size_t i = 0; i + 1 < sizeof escapes; i += 2)
    if (escapes[i] == token->text[2])
      return of(escapes[i + 1]);
  return of((unsigned char)token->text[2]);
}

static bool is_unary(enum promela_token_kind kind) {
  return kind == PROMELA_T_SEND || kind == PROMELA_T_MINUS || kind == PROMELA_T_PLUS ||
         kind == PROMELA_T_TILDE || kind == PROMELA_T_SORTED_SEND;
}

static struct value apply_unary(enum promela_token_kind kind, struct value a) {
  switch (kind) {
  case PROMELA_T_SEND:
    return of(a.at == 0);
  case PROMELA_T_SORTED_SEND:
    return of(a.at != 0);
  case PROMELA_T_MINUS:
    return (struct value){(int64_t)(0 - (uint64_t)a.at), a.is_unsigned};
  case PROMELA_T_TILDE:
    return (struct value){~a.at, a.is_unsigned};
  default:
    return a;
  }
}

/* unary: (choice) | - unary | + unary | ! unary | ~ unary | number | character | name */
static struct value read_unary(struct reader *r, bool counts) {
  if (r->at == r->end)
    return fail(r, "expected a value in this condition");
  if (++r->depth > MAX_DEPTH)
    return fail(r, "this condition is nested too deep");
  const enum promela_token_kind kind = r->at->kind;
  struct value value = of(0);
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
  } else if (is_unary(kind)) {
    r->at++;
    value = apply_unary(kind, read_unary(r, counts));
  } else {
    fail(r, "expected a value in this condition");
  }
  r->depth--;
  return value;
}

/* ---- operators ------------------------------------------------------------------- */

static struct value divide(struct reader *r, bool is_rest, struct value a, struct value b,
                           bool counts) {
  const bool is_unsigned = a.is_unsigned || b.is_unsigned;
  int64_t at;
  if (b.at == 0)
    return counts ? fail(r, "division by zero in this condition") : of(0);
  if (is_unsigned)
    at = (int64_t)(is_rest ? (uint64_t)a.at % (uint64_t)b.at : (uint64_t)a.at / (uint64_t)b.at);
  else if (b.at == -1)
    at = is_rest ? 0 : (int64_t)(0 - (uint64_t)a.at);
  else
    at = is_rest ? a.at % b.at : a.at / b.at;
  return (struct value){at, is_unsigned};
}

/* By a negative count, the other way; the result has the type of the left side. */
static struct value shift(struct value a, bool left, struct value b) {
  int64_t n = b.at;
  if (n < 0 && !b.is_unsigned) {
    left = !left;
    n = n < -64 ? 64 : -n;
  }
  const bool all = n < 0 || n > 63;
  if (left)
    a.at = all ? 0 : (int64_t)((uint64_t)a.at << n);
  else if (a.is_unsigned)
    a.at = all ? 0 : (int64_t)((uint64_t)a.at >> n);
  else if (all)
    a.at = a.at < 0 ? -1 : 0;
  else
    a.at >>= n;
  return a;
}

static int order(struct value a, struct value b) {
  if (a.is_unsigned || b.is_unsigned)
    return ((uint64_t)a.at > (uint64_t)b.at) - ((uint64_t)a.at < (uint64_t)b.at);
  return (a.at > b.at) - (a.at < b.at);
}

static int64_t compute(enum promela_token_kind kind, uint64_t a, uint64_t b) {
  switch (kind) {
  case PROMELA_T_BOR:
    return (int64_t)(a | b);
  case PROMELA_T_BXOR:
    return (int64_t)(a ^ b);
  case PROMELA_T_BAND:
    return (int64_t)(a & b);
  case PROMELA_T_PLUS:
    return (int64_t)(a + b);
  case PROMELA_T_MINUS:
    return (int64_t)(a - b);
  default:
    return (int64_t)(a * b);
  }
}

static struct value apply(struct reader *r, enum promela_token_kind kind, struct value a,
                          struct value b, bool counts) {
  switch (kind) {
  case PROMELA_T_OR:
    return of(a.at != 0 || b.at != 0);
  case PROMELA_T_AND:
    return of(a.at != 0 && b.at != 0);
  case PROMELA_T_EQ:
    return of(a.at == b.at);
  case PROMELA_T_NE:
    return of(a.at != b.at);
  case PROMELA_T_LT:
    return of(order(a, b) < 0);
  case PROMELA_T_LE:
    return of(order(a, b) <= 0);
  case PROMELA_T_GT:
    return of(order(a, b) > 0);
  case PROMELA_T_GE:
    return of(order(a, b) >= 0);
  case PROMELA_T_SHL:
  case PROMELA_T_SHR:
    return shift(a, kind == PROMELA_T_SHL, b);
  case PROMELA_T_SLASH:
  case PROMELA_T_PERCENT:
    return divide(r, kind == PROMELA_T_PERCENT, a, b, counts);
  default:
    return (struct value){compute(kind, (uint64_t)a.at, (uint64_t)b.at),
                          a.is_unsigned || b.is_unsigned};
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
static struct value read_binary(struct reader *r, int strength, bool counts) {
  struct value value = read_unary(r, counts);
  const struct sign *op;
  while (!r->pp->failed && (op = operator_at(r)) != NULL && op->strength >= strength) {
    r->at++;
    const bool decided = (op->kind == PROMELA_T_AND && value.at == 0) ||
                         (op->kind == PROMELA_T_OR && value.at != 0);
    const struct value right = read_binary(r, op->strength + 1, counts && !decided);
    value = apply(r, op->kind, value, right, counts);
  }
  return value;
}

/* choice: binary [? choice : choice] */
static struct value read_choice(struct reader *r, bool counts) {
  if (++r->depth > MAX_DEPTH)
    return fail(r, "this condition is nested too deep");
  struct value value = read_binary(r, 1, counts);
  if (is_at(r, PROMELA_T_RECEIVE)) {
    const bool holds = value.at != 0;
    r->at++;
    const struct value yes = read_choice(r, counts && holds);
    if (!is_at(r, PROMELA_T_COLON))
      return fail(r, "expected ':' in this condition");
    r->at++;
    const struct value no = read_choice(r, counts && !holds);
    value = (struct value){holds ? yes.at : no.at, yes.is_unsigned || no.is_unsigned};
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
      token.text = promela_pp_is_defined(pp, &at[name]) ? "1" : "0";
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
  const struct value value = read_choice(&r, true);
  if (r.at < r.end)
    fail(&r, "this does not belong to the condition");
  return !pp->failed && value.at != 0;
}
