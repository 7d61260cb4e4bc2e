/* parse_trans.c - the transitions of a process.
 *
 * DiVinE 2 separates transitions by commas, ends them with `;` and lets all but
 * the first leave out where they start; DiVinE 3 makes commas and `;` optional.
 * Both are taken: what follows a transition decides.
 */
#include "lang/dve/parser.h"

/* guard = "guard" expr {"," expr} ";" */
static bool parse_guard(struct dve_parser *p, struct dve_transition *t) {
  if (!dve_parse_exprs(p, &t->guard))
    return false;
  if (dve_at(p, DVE_ASSIGN)) {
    if (DVE_PARSE_ERROR(p, dve_token_span(p), "'=' assigns, and a guard only compares"))
      diag_hint(p->diag, "did you mean '=='?");
    return false;
  }
  return dve_expect(p, DVE_SEMICOLON, "after the guard");
}

/* values = expr | "{" expr {"," expr} "}", or nothing */
static bool parse_values(struct dve_parser *p, struct dve_exprs *values) {
  if (dve_at(p, DVE_SEMICOLON))
    return true;
  if (dve_open_list(p))
    return dve_parse_exprs(p, values) && dve_close_list(p, "after the values");
  struct dve_expr *e = dve_parse_expr(p);
  if (e == NULL)
    return false;
  *ARENA_PUSH(p->arena, values) = e;
  if (dve_at(p, DVE_COMMA)) {
    if (DVE_PARSE_ERROR(p, dve_token_span(p), "several values need braces"))
      diag_hint(p->diag, "write them as {first, second}");
    return false;
  }
  return true;
}

/* sync = "sync" name ("!" | "?") values ";" */
static bool parse_sync(struct dve_parser *p, struct dve_transition *t, uint32_t begin) {
  if (!dve_expect_name(p, "the name of a channel", &t->channel))
    return false;
  if (dve_at(p, DVE_ARROW)) {
    if (DVE_PARSE_ERROR(p, dve_token_span(p),
                        "channels of other processes ('P->c') are not supported"))
      diag_hint(p->diag, "declare the channel outside the processes");
    return false;
  }
  if (!dve_at(p, DVE_EXCLAM) && !dve_at(p, DVE_QUESTION))
    return dve_unexpected(p, "'!' (send) or '?' (receive) after the channel");
  t->sync = dve_at(p, DVE_EXCLAM) ? IR_SEND : IR_RECEIVE;
  dve_advance(p);
  if (!parse_values(p, &t->values) ||
      !dve_expect(p, DVE_SEMICOLON, "after the channel operation"))
    return false;
  t->sync_span = dve_span_from(p, begin);
  t->sync_span.end--;
  return true;
}

static bool is_operator(const struct dve_parser *p) {
  return p->token.kind >= DVE_PLUS && p->token.kind <= DVE_CARET;
}

/* What is there in place of the '=' of an assignment. */
static bool no_assignment(struct dve_parser *p) {
  bool is_colon = dve_at(p, DVE_COLON);
  bool is_equal = dve_at(p, DVE_EQ);
  bool silent = p->panic;
  dve_unexpected(p, "'=' after the variable");
  if (silent)
    return false;
  if (is_equal || is_colon)
    diag_hint(p->diag, "an effect assigns with '='");
  else if (is_operator(p))
    diag_hint(p->diag, "an effect is written out, such as 'x = x + 1'");
  return false;
}

/* assignment = place "=" expr */
static bool parse_assignment(struct dve_parser *p, struct dve_assignments *list) {
  uint32_t begin = p->token.begin;
  struct dve_assignment a = {0};
  a.target = dve_parse_place(p);
  if (a.target == NULL)
    return false;
  if (!dve_take(p, DVE_ASSIGN))
    return no_assignment(p);
  a.value = dve_parse_expr(p);
  if (a.value == NULL)
    return false;
  a.span = dve_span_from(p, begin);
  *ARENA_PUSH(p->arena, list) = a;
  return true;
}

/* effect = "effect" assignment {"," assignment} ";" */
static bool parse_effect(struct dve_parser *p, struct dve_transition *t) {
  do {
    if (!parse_assignment(p, &t->effects))
      return false;
  } while (dve_take(p, DVE_COMMA));
  return dve_expect(p, DVE_SEMICOLON, "after the effect");
}

static bool parse_part(struct dve_parser *p, struct dve_transition *t) {
  uint32_t begin = p->token.begin;
  struct span keyword = dve_token_span(p);
  bool again = false;
  bool fine;
  switch (p->token.kind) {
  case DVE_GUARD:
    again = t->guard.n > 0;
    dve_advance(p);
    fine = parse_guard(p, t);
    break;
  case DVE_SYNC:
    again = t->sync != IR_NO_SYNC;
    dve_advance(p);
    fine = parse_sync(p, t, begin);
    break;
  case DVE_EFFECT:
    again = t->effects.n > 0;
    dve_advance(p);
    fine = parse_effect(p, t);
    break;
  default:
    return dve_unexpected(p, "'guard', 'sync', 'effect' or '}'");
  }
  if (fine && again) {
    (void)DVE_PARSE_ERROR(p, keyword, "a transition has one part of each kind");
    p->panic = false;
  }
  return fine;
}

/* body = "{" [guard] [sync] [effect] "}", the parts in any order. A name or an arrow
 * where a part should be is taken for the next transition: a '}' is missing. */
static bool parse_body(struct dve_parser *p, struct dve_transition *t) {
  if (!dve_expect(p, DVE_OPEN_BLOCK, "after the states of the transition"))
    return false;
  while (!dve_at(p, DVE_CLOSE_BLOCK) && !dve_at(p, DVE_END) && !dve_at_section(p)) {
    if (dve_at(p, DVE_ID) || dve_at(p, DVE_ARROW) || dve_at(p, DVE_COMMA)) {
      dve_unexpected(p, "'guard', 'sync', 'effect' or '}'");
      p->panic = false;
      return true;
    }
    if (!parse_part(p, t))
      dve_recover_part(p);
  }
  return dve_expect(p, DVE_CLOSE_BLOCK, "after the transition");
}

/* transition = [name] "->" name body; without a name it starts like the last one */
static bool parse_transition(struct dve_parser *p, struct dve_transitions *list) {
  uint32_t begin = p->token.begin;
  struct dve_transition t = {0};
  if (dve_at(p, DVE_ARROW) && list->n > 0)
    t.from = list->at[list->n - 1].from;
  else if (!dve_expect_name(p, "the state where a transition starts", &t.from))
    return false;
  if (dve_at(p, DVE_WIDE_ARROW)) {
    (void)DVE_PARSE_ERROR(p, dve_token_span(p),
                          "probabilistic transitions ('=>') are not supported");
    return false;
  }
  if (!dve_expect(p, DVE_ARROW, "between the states of a transition") ||
      !dve_expect_name(p, "the state where the transition leads", &t.to) || !parse_body(p, &t))
    return false;
  t.span = dve_span_from(p, begin);
  *ARENA_PUSH(p->arena, list) = t;
  return true;
}

/* Skips to after the broken transition. */
static void recover_transition(struct dve_parser *p) {
  p->panic = false;
  p->depth = 0;
  uint32_t blocks = 0;
  while (!dve_at(p, DVE_END) && !dve_at_section(p)) {
    if (blocks == 0 &&
        (dve_at(p, DVE_CLOSE_BLOCK) || dve_at(p, DVE_SEMICOLON) || dve_at(p, DVE_COMMA)))
      return;
    if (dve_at(p, DVE_OPEN_BLOCK))
      blocks++;
    if (dve_take(p, DVE_CLOSE_BLOCK)) {
      if (--blocks == 0)
        return;
      continue;
    }
    dve_advance(p);
  }
}

/* transitions = "trans" [transition {[","] transition}] [";"] */
void dve_parse_transitions(struct dve_parser *p, struct dve_transitions *list) {
  dve_advance(p);
  while (!dve_at(p, DVE_SEMICOLON) && !dve_at(p, DVE_CLOSE_BLOCK) && !dve_at(p, DVE_END) &&
         !dve_at_section(p)) {
    if (!parse_transition(p, list))
      recover_transition(p);
    (void)dve_take(p, DVE_COMMA);
  }
  (void)dve_take(p, DVE_SEMICOLON);
}
