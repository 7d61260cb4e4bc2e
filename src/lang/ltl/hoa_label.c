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

static bool refuse(struct hoa_label_reader *r, const char *what) {
  diag_error(r->diag, (struct span){r->source, r->token.begin, r->token.end}, "%s", what);
  return false;
}

static void take(struct hoa_label_reader *r) {
  r->token = hoa_token_at(r->source, r->token.end);
}

static bool at_sign(const struct hoa_label_reader *r, char sign) {
  return hoa_token_is_sign(r->source, r->token, sign);
}

static bool is_small(struct hoa_label l) {
  return l.is.n <= LABEL_CUBES && l.not_.n <= LABEL_CUBES;
}

/* a & b; a | b is the same of negations. */
static bool join(struct hoa_label_reader *r, struct hoa_label a, struct hoa_label b,
                 struct hoa_label *out) {
  if (a.is.n * b.is.n > LABEL_PRODUCT)
    return refuse(r, "this label is too complex");
  out->is = label_and(r->arena, a.is, b.is);
  out->not_ = label_or(r->arena, a.not_, b.not_);
  return is_small(*out) || refuse(r, "this label is too complex");
}

static struct hoa_label negated(struct hoa_label a) {
  return (struct hoa_label){a.not_, a.is};
}

static bool read_alias(struct hoa_label_reader *r, struct hoa_label *out) {
  const struct hoa_token t = r->token;
  for (uint32_t i = 0; i < r->aliases->n; i++) {
    const struct hoa_token name = r->aliases->at[i].name;
    if (name.end - name.begin == t.end - t.begin &&
        memcmp(r->source->text + name.begin, r->source->text + t.begin, t.end - t.begin) == 0) {
      *out = r->aliases->at[i].label;
      take(r);
      return true;
    }
  }
  return refuse(r, "this alias is not defined before");
}

static bool read_atom(struct hoa_label_reader *r, struct hoa_label *out) {
  if (r->token.value >= r->n_atoms)
    return refuse(r, "there are not as many atomic propositions (AP:)");
  const uint64_t bit = UINT64_C(1) << r->token.value;
  out->is = label_of_cube(r->arena, (struct label_cube){bit, 0});
  out->not_ = label_of_cube(r->arena, (struct label_cube){0, bit});
  take(r);
  return true;
}

static bool read_unary(struct hoa_label_reader *r, struct hoa_label *out) {
  const bool is_true = hoa_token_spells(r->source, r->token, "t");
  if (is_true || hoa_token_spells(r->source, r->token, "f")) {
    *out = (struct hoa_label){0};
    *(is_true ? &out->is : &out->not_) = label_true;
    take(r);
    return true;
  }
  if (r->token.kind == HOA_T_NUMBER)
    return read_atom(r, out);
  if (r->token.kind == HOA_T_ALIAS)
    return read_alias(r, out);
  if (at_sign(r, '!')) {
    take(r);
    if (r->depth++ > LABEL_DEPTH)
      return refuse(r, "this label is nested too deeply");
    if (!read_unary(r, out))
      return false;
    r->depth--;
    *out = negated(*out);
    return true;
  }
  if (!at_sign(r, '('))
    return refuse(r, "a label is expected here: t, f, !, (, the number of an atomic "
                     "proposition, or an alias");
  take(r);
  if (!read_or(r, out))
    return false;
  if (!at_sign(r, ')'))
    return refuse(r, "'&', '|' or ')' is expected here");
  take(r);
  return true;
}

static bool read_and(struct hoa_label_reader *r, struct hoa_label *out) {
  if (!read_unary(r, out))
    return false;
  while (at_sign(r, '&')) {
    struct hoa_label right = {0};
    take(r);
    if (!read_unary(r, &right) || !join(r, *out, right, out))
      return false;
  }
  return true;
}

static bool read_or(struct hoa_label_reader *r, struct hoa_label *out) {
  if (r->depth++ > LABEL_DEPTH)
    return refuse(r, "this label is nested too deeply");
  if (!read_and(r, out))
    return false;
  while (at_sign(r, '|')) {
    struct hoa_label right = {0};
    struct hoa_label both = {0};
    take(r);
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
