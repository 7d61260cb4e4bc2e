/* hoa_acceptance.c - conditions of acceptance: Inf and Fin of sets, in any combination.
 *
 *   acceptance  NUMBER or
 *   or          and {"|" and}
 *   and         unary {"&" unary}
 *   unary       "(" or ")" | t | f | ("Inf" | "Fin") "(" ["!"] NUMBER ")"
 */
#include "lang/ltl/hoa_acceptance.h"

#define CONDITION_DEPTH 500u

static bool read_or(struct hoa_acceptance_reader *r, struct acceptance *out);

static bool too_many(struct hoa_acceptance_reader *r) {
  return hoa_text_refuse(
      r->text, arena_printf(r->arena,
                            "this condition has more than %u alternatives when it is "
                            "multiplied out: let another tool rewrite it to fewer, or to "
                            "Büchi acceptance",
                            ACCEPTANCE_ALTERNATIVES));
}

/* The mark of a set or of its complement; 64: there are too many. */
static uint32_t mark_of(struct hoa_acceptance *a, uint32_t set, bool inverted) {
  for (uint32_t m = 0; m < a->n_marks; m++)
    if (a->set[m] == set && (a->inverted >> m & 1) == (uint64_t)inverted)
      return m;
  if (a->n_marks == 64)
    return 64;
  a->set[a->n_marks] = set;
  a->inverted |= (uint64_t)inverted << a->n_marks;
  return a->n_marks++;
}

/* After Inf or Fin. */
static bool read_set(struct hoa_acceptance_reader *r, bool is_inf, struct acceptance *out) {
  static const char *const wrong =
      "the number of a set is expected here, in parentheses, as Inf(0), and below the number "
      "of sets";
  if (!hoa_text_take_sign(r->text, '('))
    return hoa_text_refuse(r->text, wrong);
  const bool inverted = hoa_text_take_sign(r->text, '!');
  if (r->text->token.kind != HOA_T_NUMBER || r->text->token.value >= r->out->n_sets)
    return hoa_text_refuse(r->text, wrong);
  const uint32_t mark = mark_of(r->out, r->text->token.value, inverted);
  if (mark == 64)
    return hoa_text_refuse(r->text,
                           "a condition over more than 64 sets of acceptance cannot be read");
  hoa_text_take(r->text);
  const uint64_t bit = UINT64_C(1) << mark;
  *out = acceptance_of(r->arena, is_inf ? (struct acceptance_alternative){bit, 0}
                                        : (struct acceptance_alternative){0, bit});
  return hoa_text_take_sign(r->text, ')') || hoa_text_refuse(r->text, "')' is expected here");
}

static bool read_unary(struct hoa_acceptance_reader *r, struct acceptance *out) {
  const struct hoa_token word = r->text->token;
  if (hoa_text_take_sign(r->text, '('))
    return read_or(r, out) && (hoa_text_take_sign(r->text, ')') ||
                               hoa_text_refuse(r->text, "'&', '|' or ')' is expected here"));
  hoa_text_take(r->text);
  if (hoa_token_spells(r->text->source, word, "t")) {
    *out = acceptance_of(r->arena, (struct acceptance_alternative){0, 0});
    return true;
  }
  if (hoa_token_spells(r->text->source, word, "f")) {
    *out = (struct acceptance){0};
    return true;
  }
  const bool is_inf = hoa_token_spells(r->text->source, word, "Inf");
  if (is_inf || hoa_token_spells(r->text->source, word, "Fin"))
    return read_set(r, is_inf, out);
  r->text->token = word;
  return hoa_text_refuse(r->text,
                         "a condition of acceptance is expected here: Inf, Fin, t, f or '('");
}

static bool read_and(struct hoa_acceptance_reader *r, struct acceptance *out) {
  if (!read_unary(r, out))
    return false;
  while (hoa_text_take_sign(r->text, '&')) {
    struct acceptance right = {0};
    if (!read_unary(r, &right))
      return false;
    if (!acceptance_and(r->arena, out, &right))
      return too_many(r);
  }
  return true;
}

static bool read_or(struct hoa_acceptance_reader *r, struct acceptance *out) {
  if (r->depth++ > CONDITION_DEPTH)
    return hoa_text_refuse(r->text, "this condition is nested too deeply");
  if (!read_and(r, out))
    return false;
  while (hoa_text_take_sign(r->text, '|')) {
    struct acceptance right = {0};
    if (!read_and(r, &right))
      return false;
    if (!acceptance_or(r->arena, out, &right))
      return too_many(r);
  }
  r->depth--;
  return true;
}

bool hoa_acceptance_read(struct hoa_acceptance_reader *r) {
  *r->out = (struct hoa_acceptance){0};
  r->depth = 0;
  if (r->text->token.kind != HOA_T_NUMBER || r->text->token.value == UINT32_MAX)
    return hoa_text_refuse(r->text, "the number of sets of acceptance is expected here");
  r->out->n_sets = r->text->token.value;
  hoa_text_take(r->text);
  return read_or(r, &r->out->condition);
}

uint64_t hoa_acceptance_in(const struct hoa_acceptance *a, uint32_t set) {
  uint64_t in = 0;
  for (uint32_t m = 0; m < a->n_marks; m++)
    if (a->set[m] == set)
      in |= UINT64_C(1) << m;
  return in;
}
