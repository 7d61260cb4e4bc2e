/* hoa_label.c - label expressions, as unions of cubes.
 *
 *   label  and {"|" and}
 *   and    unary {"&" unary}
 *   unary  "!" unary | "(" label ")" | t | f | NUMBER | ALIAS
 */
#include "lang/ltl/hoa_label.h"

#include <string.h>

#define LABEL_DEPTH 500u

/* Before it is tidy, a conjunction may have this many cubes. */
#define LABEL_PRODUCT 1024u

static bool read_or(struct hoa_label_reader *r, struct hoa_label *out);

static bool is_small(struct hoa_label l) {
  return l.is.n <= LABEL_CUBES && l.not_.n <= LABEL_CUBES;
}

/* a & b; a | b is the same of negations. */
static bool join(struct hoa_label_reader *r, struct hoa_label a, struct hoa_label b,
                 struct hoa_label *out) {
  if (a.is.n * b.is.n > LABEL_PRODUCT)
    return hoa_text_refuse(r->text, "this label is too complex");
  out->is = label_and(r->arena, a.is, b.is);
  out->not_ = label_or(r->arena, a.not_, b.not_);
  return is_small(*out) || hoa_text_refuse(r->text, "this label is too complex");
}

static struct hoa_label negated(struct hoa_label a) {
  return (struct hoa_label){a.not_, a.is};
}

static bool read_alias(struct hoa_label_reader *r, struct hoa_label *out) {
  const struct hoa_token t = r->text->token;
  for (uint32_t i = 0; i < r->aliases->n; i++) {
    const struct hoa_token name = r->aliases->at[i].name;
    if (name.end - name.begin == t.end - t.begin &&
        memcmp(r->text->source->text + name.begin, r->text->source->text + t.begin,
               t.end - t.begin) == 0) {
      *out = r->aliases->at[i].label;
      hoa_text_take(r->text);
      return true;
    }
  }
  return hoa_text_refuse(r->text, "this alias is not defined before");
}

static bool read_atom(struct hoa_label_reader *r, struct hoa_label *out) {
  if (r->text->token.value >= r->n_atoms)
    return hoa_text_refuse(r->text, "there are not as many atomic propositions (AP:)");
  const uint64_t bit = UINT64_C(1) << r->text->token.value;
  out->is = label_of_cube(r->arena, (struct label_cube){bit, 0});
  out->not_ = label_of_cube(r->arena, (struct label_cube){0, bit});
  hoa_text_take(r->text);
  return true;
}

static bool read_unary(struct hoa_label_reader *r, struct hoa_label *out) {
  const bool is_true = hoa_text_spells(r->text, "t");
  if (is_true || hoa_text_spells(r->text, "f")) {
    *out = (struct hoa_label){0};
    *(is_true ? &out->is : &out->not_) = label_true;
    hoa_text_take(r->text);
    return true;
  }
  if (r->text->token.kind == HOA_T_NUMBER)
    return read_atom(r, out);
  if (r->text->token.kind == HOA_T_ALIAS)
    return read_alias(r, out);
  if (hoa_text_at_sign(r->text, '!')) {
    hoa_text_take(r->text);
    if (r->depth++ > LABEL_DEPTH)
      return hoa_text_refuse(r->text, "this label is nested too deeply");
    if (!read_unary(r, out))
      return false;
    r->depth--;
    *out = negated(*out);
    return true;
  }
  if (!hoa_text_at_sign(r->text, '('))
    return hoa_text_refuse(r->text,
                           "a label is expected here: t, f, !, (, the number of an atomic "
                           "proposition, or an alias");
  hoa_text_take(r->text);
  if (!read_or(r, out))
    return false;
  if (!hoa_text_at_sign(r->text, ')'))
    return hoa_text_refuse(r->text, "'&', '|' or ')' is expected here");
  hoa_text_take(r->text);
  return true;
}

static bool read_and(struct hoa_label_reader *r, struct hoa_label *out) {
  if (!read_unary(r, out))
    return false;
  while (hoa_text_at_sign(r->text, '&')) {
    struct hoa_label right = {0};
    hoa_text_take(r->text);
    if (!read_unary(r, &right) || !join(r, *out, right, out))
      return false;
  }
  return true;
}

static bool read_or(struct hoa_label_reader *r, struct hoa_label *out) {
  if (r->depth++ > LABEL_DEPTH)
    return hoa_text_refuse(r->text, "this label is nested too deeply");
  if (!read_and(r, out))
    return false;
  while (hoa_text_at_sign(r->text, '|')) {
    struct hoa_label right = {0};
    struct hoa_label both = {0};
    hoa_text_take(r->text);
    if (!read_and(r, &right) || !join(r, negated(*out), negated(right), &both))
      return false;
    *out = negated(both);
  }
  r->depth--;
  return true;
}

bool hoa_label_read(struct hoa_label_reader *r, struct hoa_label *out) {
  r->depth = 0;
  return read_or(r, out);
}
