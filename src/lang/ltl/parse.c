/* parse.c - formulas by recursive descent.
 *
 *   formula  operand {binary operand}, by strength; all associate to the left
 *   operand  (! | [] | <> | X) operand | "(" formula ")" | expression
 *
 * An expression belongs to another language, and is only delimited here: it reaches to the
 * next operator of the logic outside of all brackets. So "(" is the question: a group that an
 * operator of the logic or the end follows is a formula, as (p U q) && r, and any other group
 * begins an expression, as (x + 1) == y. The same holds for "!", which binds stronger than all
 * of an expression: !p negates an atom, but !x == 1 is one expression.
 */
#include "lang/ltl/parse.h"
#include "lang/ltl/lexer.h"

#include <ctype.h>
#include <string.h>

struct parser {
  struct arena *arena;
  struct diag *diag;
  const struct source *source;
  const struct ltl_reader *reader;
  struct ltl_formula *formula;
  struct ltl_token token; /* the next one */
  uint32_t end;           /* of the last one taken */
  uint32_t depth;
};

static struct span span_of(const struct parser *p, uint32_t begin, uint32_t end) {
  return (struct span){p->source, begin, end};
}

static void take(struct parser *p) {
  p->end = p->token.end;
  p->token = ltl_token_at(p->source, p->token.end);
}

static struct ltl_token after(const struct parser *p, struct ltl_token t) {
  return ltl_token_at(p->source, t.end);
}

static struct ltl_node *refuse(struct parser *p, struct ltl_token t, const char *what) {
  if (t.kind == LTL_T_END)
    diag_error(p->diag, span_of(p, t.begin, t.end), "the formula ends where %s is expected",
               what);
  else
    diag_error(p->diag, span_of(p, t.begin, t.end), "unexpected '%.*s': %s is expected here",
               (int)(t.end - t.begin < 40 ? t.end - t.begin : 40), p->source->text + t.begin,
               what);
  return NULL;
}

struct ltl_node *ltl_node_make(struct arena *arena, enum ltl_op op, const struct ltl_node *a,
                               const struct ltl_node *b, struct span span) {
  struct ltl_node *node = ARENA_NEW(arena, struct ltl_node);
  *node = (struct ltl_node){.op = op, .a = a, .b = b, .span = span, .height = 1};
  if (a != NULL)
    node->height = a->height + 1;
  if (b != NULL && b->height >= node->height)
    node->height = b->height + 1;
  return node;
}

static struct ltl_node *join(struct parser *p, enum ltl_op op, const struct ltl_node *a,
                             const struct ltl_node *b, uint32_t begin) {
  struct ltl_node *node = ltl_node_make(p->arena, op, a, b, span_of(p, begin, p->end));
  if (node->height <= LTL_HEIGHT)
    return node;
  diag_error(p->diag, node->span, "this formula nests more than %u operators", LTL_HEIGHT);
  return NULL;
}

/* ---- expressions ------------------------------------------------------------------------ */

/* Groups are looked through once at each level. */
#define FORMULA_BYTES 65536u

/* Whether an expression ends before this token. */
static bool ends_expression(struct ltl_token t) {
  return t.kind == LTL_T_END || t.kind == LTL_T_BINARY || t.kind == LTL_T_CLOSE;
}

/* From an opening bracket to the one that closes it; a temporal operator must not be inside,
 * except where the group itself may be a formula. False after a message. */
static bool skip_group(struct parser *p, bool may_be_formula, struct ltl_token *t) {
  const struct ltl_token open = *t;
  uint32_t depth = 0;
  for (;; *t = after(p, *t)) {
    const bool temporal =
        t->kind == LTL_T_UNARY || (t->kind == LTL_T_BINARY && t->op >= LTL_UNTIL);
    if (temporal && !may_be_formula) {
      diag_error(p->diag, span_of(p, t->begin, t->end),
                 "a temporal operator cannot be used inside an expression");
      return false;
    }
    if (t->kind == LTL_T_END) {
      diag_error(p->diag, span_of(p, open.begin, open.end), "this bracket is not closed");
      return false;
    }
    depth += t->kind == LTL_T_OPEN || t->kind == LTL_T_BRACKET;
    depth -= t->kind == LTL_T_CLOSE || t->kind == LTL_T_BACK;
    if (depth == 0)
      return true;
  }
}

static bool is_operator_word(const struct parser *p, struct ltl_token t) {
  static const char *const word[] = {"and", "or", "not", "imply", "xor", "mod"};
  for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
    if (ltl_token_spells(p->source, t, word[i]))
      return true;
  return false;
}

static bool is_operand(const struct parser *p, struct ltl_token t) {
  return (t.kind == LTL_T_WORD && !is_operator_word(p, t)) || t.kind == LTL_T_QUOTED;
}

/* How far the expression reaches whose first token is `t`: its last token. *simple: it is one
 * name, with what is joined to it. False after a message. */
static bool delimit(struct parser *p, struct ltl_token t, struct ltl_token *last,
                    bool *simple) {
  bool operand = false; /* the token before was one */
  *simple = is_operand(p, t);
  *last = t;
  for (; !ends_expression(t); t = after(p, t)) {
    if (t.kind == LTL_T_UNARY || t.kind == LTL_T_BACK || (operand && is_operand(p, t)))
      return refuse(p, t, "an operator") != NULL;
    *simple = *simple && t.kind != LTL_T_SIGN && t.kind != LTL_T_NOT &&
              (t.kind != LTL_T_WORD || !is_operator_word(p, t));
    operand = is_operand(p, t) || t.kind == LTL_T_OPEN || t.kind == LTL_T_BRACKET;
    if ((t.kind == LTL_T_OPEN || t.kind == LTL_T_BRACKET) && !skip_group(p, false, &t))
      return false;
    *last = t;
  }
  return true;
}

/* The number of an expression where no language gives it one: that of the same text. */
static uint32_t number_of(const struct ltl_formula *f, const char *text) {
  uint32_t i = 0;
  while (i < f->n_atoms && strcmp(f->atom[i], text) != 0)
    i++;
  return i;
}

static struct ltl_node *make_atom(struct parser *p, struct span span) {
  struct ltl_formula *f = p->formula;
  const char *text = source_squeeze(p->arena, span, UINT32_MAX);
  uint32_t number = 0;
  if (p->reader == NULL)
    number = number_of(f, text);
  else if (!p->reader->atom(p->reader->context, p->diag, span, &number))
    return NULL;
  if (number >= LTL_ATOMS) {
    diag_error(p->diag, span, "this formula has more than %u different expressions", LTL_ATOMS);
    return NULL;
  }
  if (number >= f->n_atoms) {
    f->n_atoms = number + 1;
    f->atom[number] = text;
    f->place[number] = span;
  }
  struct ltl_node *node = ltl_node_make(p->arena, LTL_ATOM, NULL, NULL, span);
  node->atom = number;
  return node;
}

/* expression: true | false | 1 | 0 | skip | whatever the language takes */
static struct ltl_node *parse_expression(struct parser *p, struct ltl_token last) {
  static const char *const constant[] = {"true", "1", "skip", "false", "0"};
  const struct ltl_token first = p->token;
  p->token = last;
  take(p);
  for (size_t i = 0; i < sizeof constant / sizeof constant[0]; i++)
    if (first.begin == last.begin && ltl_token_spells(p->source, first, constant[i]))
      return ltl_node_make(p->arena, i < 3 ? LTL_TRUE : LTL_FALSE, NULL, NULL,
                           span_of(p, first.begin, last.end));
  return make_atom(p, span_of(p, first.begin, last.end));
}

/* ---- operators -------------------------------------------------------------------------- */

static struct ltl_node *parse_operand(struct parser *p);

static int strength(enum ltl_op op) {
  switch (op) {
  case LTL_IMPLIES:
  case LTL_EQUIVALENT:
    return 1;
  case LTL_OR:
    return 2;
  case LTL_AND:
    return 3;
  default:
    return 4;
  }
}

static struct ltl_node *parse_binary(struct parser *p, int least) {
  const uint32_t begin = p->token.begin;
  struct ltl_node *left = parse_operand(p);
  while (left != NULL && p->token.kind == LTL_T_BINARY && strength(p->token.op) >= least) {
    const enum ltl_op op = p->token.op;
    take(p);
    const struct ltl_node *right = parse_binary(p, strength(op) + 1);
    left = right == NULL ? NULL : join(p, op, left, right, begin);
  }
  return left;
}

static struct ltl_node *parse_group(struct parser *p) {
  take(p);
  struct ltl_node *node = parse_binary(p, 1);
  if (node == NULL)
    return NULL;
  if (p->token.kind != LTL_T_CLOSE)
    return refuse(p, p->token, "an operator or ')'");
  take(p);
  node->grouped = true;
  return node;
}

static bool is_name(const struct parser *p, struct ltl_token t) {
  return t.kind == LTL_T_WORD && !isdigit((unsigned char)p->source->text[t.begin]);
}

/* Whether the closed group is (condition -> value : value). A ':' between two names, or after
 * an index, joins the parts of one name. */
static bool is_choice(const struct parser *p, struct ltl_token t) {
  struct ltl_token last = t;
  bool arrow = false;
  for (uint32_t depth = 0;; last = t, t = after(p, t)) {
    depth += t.kind == LTL_T_OPEN || t.kind == LTL_T_BRACKET;
    depth -= t.kind == LTL_T_CLOSE || t.kind == LTL_T_BACK;
    if (depth == 0)
      return false;
    if (depth > 1)
      continue;
    arrow |= t.kind == LTL_T_BINARY && t.op == LTL_IMPLIES;
    const bool joins = (is_name(p, last) || last.kind == LTL_T_BACK) && is_name(p, after(p, t));
    if (arrow && t.kind == LTL_T_JOIN && p->source->text[t.begin] == ':' && !joins)
      return true;
  }
}

/* Whether the group that `t` opens is a formula. False after a message also. */
static bool is_formula_group(struct parser *p, struct ltl_token t, bool *formula) {
  const struct ltl_token open = t;
  if (!skip_group(p, true, &t))
    return false;
  *formula = ends_expression(after(p, t)) && !is_choice(p, open);
  return true;
}

static struct ltl_node *parse_unary(struct parser *p, enum ltl_op op) {
  const uint32_t begin = p->token.begin;
  take(p);
  const struct ltl_node *a = parse_operand(p);
  return a == NULL ? NULL : join(p, op, a, NULL, begin);
}

/* What follows one "!" or several decides whether they negate a formula or begin an
 * expression. */
static struct ltl_node *parse_not(struct parser *p) {
  struct ltl_token t = p->token;
  struct ltl_token last;
  bool formula = true;
  while (t.kind == LTL_T_NOT)
    t = after(p, t);
  if (t.kind == LTL_T_OPEN && !is_formula_group(p, t, &formula))
    return NULL;
  if (t.kind != LTL_T_OPEN && t.kind != LTL_T_UNARY && !ends_expression(t) &&
      !delimit(p, t, &last, &formula))
    return NULL;
  if (formula)
    return parse_unary(p, LTL_NOT);
  return delimit(p, p->token, &last, &formula) ? parse_expression(p, last) : NULL;
}

static struct ltl_node *parse_by_token(struct parser *p) {
  struct ltl_token last;
  bool formula = false;
  switch (p->token.kind) {
  case LTL_T_UNARY:
    return parse_unary(p, p->token.op);
  case LTL_T_NOT:
    return parse_not(p);
  case LTL_T_OPEN:
    if (!is_formula_group(p, p->token, &formula))
      return NULL;
    if (formula)
      return parse_group(p);
    break;
  case LTL_T_END:
  case LTL_T_BINARY:
  case LTL_T_CLOSE:
  case LTL_T_BACK:
    return refuse(p, p->token, "an operand");
  default:
    break;
  }
  return delimit(p, p->token, &last, &formula) ? parse_expression(p, last) : NULL;
}

static struct ltl_node *parse_operand(struct parser *p) {
  if (p->depth == LTL_HEIGHT) {
    diag_error(p->diag, span_of(p, p->token.begin, p->token.end),
               "this formula nests more than %u operators", LTL_HEIGHT);
    return NULL;
  }
  p->depth++;
  struct ltl_node *node = parse_by_token(p);
  p->depth--;
  return node;
}

/* An implication whose left side is only a part of what was meant. */
static void check_implication(struct parser *p, const struct ltl_node *root) {
  if (root->op != LTL_IMPLIES || root->a->op != LTL_ALWAYS || root->a->grouped)
    return;
  const bool signs = p->source->text[root->a->span.begin] == '[';
  const char *always = signs ? "[]" : "always";
  const char *implies = signs ? "->" : "implies";
  diag_warning(p->diag, root->span,
               "'%s' binds stronger than '%s': only what is left of '%s' has to hold always",
               always, implies, implies);
  diag_hint(p->diag, "if the implication is meant to hold always, write %s (p %s q)", always,
            implies);
}

/* Letters that other notations have for operators. */
static void hint_at_letters(struct parser *p) {
  struct ltl_token t = ltl_token_at(p->source, 0);
  for (; t.kind != LTL_T_END; t = after(p, t))
    if (ltl_token_spells(p->source, t, "F") || ltl_token_spells(p->source, t, "G")) {
      diag_hint(p->diag, "here G, always, is written [], and F, eventually, <>");
      return;
    }
}

struct ltl_formula *ltl_parse(struct arena *arena, struct diag *diag,
                              const struct source *source, const struct ltl_reader *reader) {
  struct parser p = {.arena = arena, .diag = diag, .source = source, .reader = reader};
  if (source->length > FORMULA_BYTES) {
    diag_error(diag, (struct span){source, 0, 0}, "this formula is longer than %u bytes",
               FORMULA_BYTES);
    return NULL;
  }
  p.formula = ARENA_NEW(arena, struct ltl_formula);
  p.token = ltl_token_at(source, 0);
  struct ltl_node *root = parse_binary(&p, 1);
  if (root != NULL && p.token.kind != LTL_T_END)
    root = refuse(&p, p.token, "an operator");
  if (root == NULL) {
    hint_at_letters(&p);
    return NULL;
  }
  check_implication(&p, root);
  p.formula->root = root;
  return p.formula;
}
