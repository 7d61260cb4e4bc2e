/* ask_read.c - expressions over markings, as the command line gives them.
 *
 *   or      = and { ("||" | "or") and }
 *   and     = not { ("&&" | "and") not }
 *   not     = ("!" | "not") not | compare
 *   compare = sum [ ("<" | "<=" | ">" | ">=" | "==" | "=" | "!=") sum ]
 *   sum     = product { ("+" | "-") product }
 *   product = unary { "*" unary }
 *   unary   = "-" unary | integer | "true" | "false" | "(" or ")" | place
 *           | "fireable" "(" transition ")" | "bounded" "(" integer ")"
 *
 * A name with a colour looks like a comparison: "eat<3>". It is read as a name if what
 * is there up to the ">", without blanks, is the name of a place or transition, or can be
 * nothing else, for a comparison is not compared again.
 */
#include "lang/pnml/ask.h"

#include <ctype.h>
#include <string.h>

/* Parentheses and signs, one in the other. */
#define ASK_DEEP 200u

struct parse {
  struct ask *ask;
  const char *at, *begin, *end;
  uint32_t deep;
};

static const struct net_term *read_or(struct parse *);

static const struct net_term *fail(struct parse *p, const char *from, const char *message) {
  if (diag_errors(p->ask->diag) == 0) {
    uint32_t begin = (uint32_t)(from - p->begin), end = (uint32_t)(p->at - p->begin);
    diag_error(p->ask->diag, (struct span){p->ask->source, begin, end < begin ? begin : end},
               "%s", message);
  }
  return NULL;
}

static void skip_blanks(struct parse *p) {
  while (p->at < p->end && isspace((unsigned char)*p->at))
    p->at++;
}

static bool is_of_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Takes a symbol, or a word on its own. */
static bool take(struct parse *p, const char *text) {
  size_t n = strlen(text);
  skip_blanks(p);
  if ((size_t)(p->end - p->at) < n || memcmp(p->at, text, n) != 0 ||
      (is_of_name(text[0]) && p->at + n < p->end && is_of_name(p->at[n])))
    return false;
  p->at += n;
  return true;
}

/* ---- names ------------------------------------------------------------------------------ */

static bool is_known(struct parse *p, const char *name) {
  const struct ask *a = p->ask;
  return names_find(&a->place, name) != NAMES_NONE ||
         names_find(&a->dropped, name) != NAMES_NONE ||
         names_find(&a->place_group, name) != NAMES_NONE ||
         names_find(&a->transition, name) != NAMES_NONE ||
         names_find(&a->transition_group, name) != NAMES_NONE;
}

static const char *name_to(struct parse *p, const char *from, const char *to) {
  return arena_text(p->ask->arena, from, (size_t)(to - from));
}

static const char *read_quoted(struct parse *p) {
  const char *from = p->at + 1, *to = memchr(from, *p->at, (size_t)(p->end - from));
  if (to == NULL) {
    fail(p, p->at, "a quoted name has no end");
    return NULL;
  }
  p->at = to + 1;
  return name_to(p, from, to);
}

/* Whether this can only be the colours of a name. */
static bool is_colour(const char *from, const char *to) {
  const char *at = from;
  while (at < to && (is_of_name(*at) || *at == ',' || *at == '='))
    at++;
  return at == to && from < to;
}

static const char *read_name(struct parse *p) {
  skip_blanks(p);
  if (p->at < p->end && (*p->at == '"' || *p->at == '\''))
    return read_quoted(p);
  const char *from = p->at, *to = from;
  while (to < p->end && is_of_name(*to))
    to++;
  p->at = to;
  if (to == from)
    return NULL;
  const char *close = to;
  while (close < p->end && *close != '>' && !isspace((unsigned char)*close))
    close++;
  if (to < p->end && *to == '<' && close < p->end && *close == '>') {
    const char *name = name_to(p, from, close + 1);
    if (is_known(p, name) || is_colour(to + 1, close)) {
      p->at = close + 1;
      return name;
    }
  }
  return name_to(p, from, to);
}

static const struct net_term *wrong_name(struct parse *p, const char *from, const char *kind,
                                         const char *name, const struct net_group *group,
                                         uint32_t n) {
  const char **names = ARENA_ARRAY(p->ask->arena, n, const char *);
  const char *colour = strchr(name, '<');
  const char *base = colour == NULL ? NULL : name_to(p, name, colour);
  if (base != NULL && is_known(p, base))
    return fail(p, from,
                arena_printf(p->ask->arena, "%s '%s' never has the colours %s: see cairn info",
                             kind, base, colour));
  for (uint32_t i = 0; i < n; i++)
    names[i] = group[i].name;
  fail(p, from, arena_printf(p->ask->arena, "there is no %s '%s'", kind, name));
  const char *close = diag_closest(name, names, n);
  if (close != NULL)
    diag_hint(p->ask->diag, "did you mean '%s'?", close);
  return NULL;
}

static const struct net_term *read_place(struct parse *p) {
  const char *from = p->at;
  const char *name = read_name(p);
  if (name == NULL)
    return fail(p, from,
                p->at == p->end ? "something is missing at the end"
                                : "a place, a number or '(' is expected here");
  const struct net_term *term = ask_tokens(p->ask, name);
  const struct net *net = p->ask->net;
  return term != NULL
             ? term
             : wrong_name(p, from, "place", name, net->place_group, net->n_place_groups);
}

static const struct net_term *read_fireable(struct parse *p) {
  const char *from = p->at;
  const char *name = take(p, "(") ? read_name(p) : NULL;
  if (name == NULL || !take(p, ")"))
    return fail(p, from, "'fireable' is followed by a transition in parentheses");
  const struct net_term *term = ask_fireable(p->ask, name);
  const struct net *net = p->ask->net;
  return term != NULL ? term
                      : wrong_name(p, from, "transition", name, net->transition_group,
                                   net->n_transition_groups);
}

/* ---- expressions ---------------------------------------------------------------------------
 */

static const struct net_term *read_number(struct parse *p) {
  const char *from = p->at;
  int64_t value = 0;
  for (; p->at < p->end && isdigit((unsigned char)*p->at); p->at++) {
    value = 10 * value + (*p->at - '0');
    if (value > INT64_MAX / 20)
      return fail(p, from, "this number is too large");
  }
  return ask_constant(p->ask, value);
}

static const struct net_term *read_bounded(struct parse *p) {
  const char *from = p->at;
  if (take(p, "(")) {
    skip_blanks(p);
    const struct net_term *most = read_number(p);
    if (most != NULL && take(p, ")")) {
      struct net_term *term = ARENA_NEW(p->ask->arena, struct net_term);
      *term = (struct net_term){.kind = NET_BOUNDED, .value = most->value};
      return term;
    }
  }
  return fail(p, from, "'bounded' is followed by a number of tokens in parentheses");
}

static const struct net_term *read_unary(struct parse *p) {
  const struct net_term *term = NULL;
  skip_blanks(p);
  const char *from = p->at;
  if (p->deep == ASK_DEEP)
    return fail(p, from, "this is nested too deep");
  p->deep++;
  if (take(p, "-"))
    term = (term = read_unary(p)) == NULL ? NULL : ask_binary(p->ask, NET_NEG, term, NULL);
  else if (take(p, "(")) {
    term = read_or(p);
    if (term != NULL && !take(p, ")"))
      term = fail(p, from, "this parenthesis is not closed");
  } else if (take(p, "true"))
    term = ask_constant(p->ask, 1);
  else if (take(p, "false"))
    term = ask_constant(p->ask, 0);
  else if (take(p, "fireable"))
    term = read_fireable(p);
  else if (take(p, "bounded"))
    term = read_bounded(p);
  else if (p->at < p->end && isdigit((unsigned char)*p->at))
    term = read_number(p);
  else
    term = read_place(p);
  p->deep--;
  return term;
}

typedef const struct net_term *read_operand(struct parse *);

/* Operands with one of two operators between them, from the left. */
static const struct net_term *read_chain(struct parse *p, read_operand *operand,
                                         const char *const operator[2],
                                         const enum net_term_kind kind[2]) {
  const struct net_term *term = operand(p);
  for (uint32_t n = 0; term != NULL; n++) {
    int which = take(p, operator[0]) ? 0 : take(p, operator[1]) ? 1 : -1;
    if (which < 0)
      return term;
    const struct net_term *right = operand(p);
    if (n > 1000)
      return fail(p, p->at, "this expression is too long");
    term = right == NULL ? NULL : ask_binary(p->ask, kind[which], term, right);
  }
  return NULL;
}

static const struct net_term *read_product(struct parse *p) {
  static const char *const operator[2] = {"*", "*"};
  return read_chain(p, read_unary, operator,(const enum net_term_kind[2]){NET_MUL, NET_MUL});
}

static const struct net_term *read_sum(struct parse *p) {
  static const char *const operator[2] = {"+", "-"};
  return read_chain(p, read_product, operator,(const enum net_term_kind[2]){NET_ADD, NET_SUB});
}

static const struct net_term *read_compare(struct parse *p) {
  static const struct {
    const char *text;
    enum net_term_kind kind;
    bool turned; /* operands change places */
  } operators[] = {{"<=", NET_LE, false}, {"<", NET_LT, false},  {">=", NET_LE, true},
                   {">", NET_LT, true},   {"==", NET_EQ, false}, {"=", NET_EQ, false},
                   {"!=", NET_NE, false}};
  const struct net_term *left = read_sum(p);
  for (size_t i = 0; left != NULL && i < sizeof operators / sizeof *operators; i++) {
    if (!take(p, operators[i].text))
      continue;
    const struct net_term *right = read_sum(p);
    if (right == NULL)
      return NULL;
    return operators[i].turned ? ask_binary(p->ask, operators[i].kind, right, left)
                               : ask_binary(p->ask, operators[i].kind, left, right);
  }
  return left;
}

static const struct net_term *read_not(struct parse *p) {
  skip_blanks(p);
  bool negated = take(p, "not") || (p->at < p->end && *p->at == '!' && take(p, "!"));
  if (!negated)
    return read_compare(p);
  if (p->deep == ASK_DEEP)
    return fail(p, p->at, "this is nested too deep");
  p->deep++;
  const struct net_term *term = read_not(p);
  p->deep--;
  return term == NULL ? NULL : ask_binary(p->ask, NET_NOT, term, NULL);
}

static const struct net_term *read_and(struct parse *p) {
  static const char *const operator[2] = {"&&", "and"};
  return read_chain(p, read_not, operator,(const enum net_term_kind[2]){NET_AND, NET_AND});
}

static const struct net_term *read_or(struct parse *p) {
  static const char *const operator[2] = {"||", "or"};
  return read_chain(p, read_and, operator,(const enum net_term_kind[2]){NET_OR, NET_OR});
}

const struct net_term *ask_read(struct ask *ask, const struct source *source) {
  struct parse p = {.ask = ask,
                    .at = source->text,
                    .begin = source->text,
                    .end = source->text + source->length};
  ask->source = source;
  const struct net_term *term = read_or(&p);
  skip_blanks(&p);
  bool ends = p.at == p.end;
  if (term != NULL && !ends)
    fail(&p, p.at, "the expression should end here");
  return ends ? term : NULL;
}
