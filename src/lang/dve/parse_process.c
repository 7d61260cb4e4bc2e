/* parse_process.c - a process and its sections.
 *
 * DiVinE fixes an order of the sections; here they may come in any order, since
 * names are resolved only after the whole text is read. Only the local
 * declarations of channels, which DiVinE 3 has, are refused.
 */
#include "lang/dve/parser.h"

/* names = name {"," name} */
static bool parse_names(struct dve_parser *p, struct dve_names_list *list) {
  do {
    struct span name;
    if (!dve_expect_name(p, "the name of a state", &name))
      return false;
    *ARENA_PUSH(p->arena, list) = name;
  } while (dve_take(p, DVE_COMMA));
  return true;
}

/* Every kind of section that lists states: names ";" */
static bool parse_state_list(struct dve_parser *p, struct dve_names_list *list) {
  dve_advance(p);
  return parse_names(p, list) && dve_expect(p, DVE_SEMICOLON, "after the states");
}

/* init = "init" name ";" */
static bool parse_init(struct dve_parser *p, struct dve_process *process) {
  struct span keyword = dve_token_span(p);
  dve_advance(p);
  if (dve_present(process->init)) {
    if (DVE_PARSE_ERROR(p, keyword, "a process has one initial state"))
      diag_add(p->diag, DIAG_NOTE, process->init, "it was given here");
    return false;
  }
  struct span name;
  if (!dve_expect_name(p, "the name of the initial state", &name))
    return false;
  process->init = name;
  if (dve_at(p, DVE_COMMA)) {
    (void)DVE_PARSE_ERROR(p, dve_token_span(p), "a process has one initial state");
    return false;
  }
  return dve_expect(p, DVE_SEMICOLON, "after the initial state");
}

static void end_set(struct dve_parser *p, struct dve_acceptance *acceptance) {
  *ARENA_PUSH(p->arena, &acceptance->sets) = acceptance->states.n;
}

/* set = "(" [names] ")"; pair = "(" [names] ";" [names] ")" */
static bool parse_acceptance_set(struct dve_parser *p, struct dve_acceptance *acceptance,
                                 bool is_pair) {
  if (!dve_expect(p, DVE_OPEN, "before a set of states"))
    return false;
  if (dve_at(p, DVE_ID) && !parse_names(p, &acceptance->states))
    return false;
  end_set(p, acceptance);
  if (is_pair) {
    if (!dve_expect(p, DVE_SEMICOLON, "between the sets of a pair"))
      return false;
    if (dve_at(p, DVE_ID) && !parse_names(p, &acceptance->states))
      return false;
    end_set(p, acceptance);
  }
  return dve_expect(p, DVE_CLOSE, "after a set of states");
}

static enum dve_accepts kind_of(enum dve_token_kind kind) {
  return kind == DVE_GENBUCHI  ? DVE_ACCEPTS_GENBUCHI
         : kind == DVE_MULLER  ? DVE_ACCEPTS_MULLER
         : kind == DVE_RABIN   ? DVE_ACCEPTS_RABIN
         : kind == DVE_STREETT ? DVE_ACCEPTS_STREETT
                               : DVE_ACCEPTS_BUCHI;
}

/* accept = "accept" ["buchi"] names ";"
 *        | "accept" ("genbuchi" | "muller") set {"," set} ";"
 *        | "accept" ("rabin" | "streett") pair {"," pair} ";" */
static bool parse_accept(struct dve_parser *p, struct dve_acceptance *acceptance) {
  dve_advance(p);
  const enum dve_accepts kind = kind_of(p->token.kind);
  if (acceptance->states.n + acceptance->sets.n > 0 && acceptance->kind != kind) {
    (void)DVE_PARSE_ERROR(p, dve_token_span(p),
                          "a process has one kind of acceptance, and another was given before");
    return false;
  }
  acceptance->kind = kind;
  if (acceptance->kind == DVE_ACCEPTS_BUCHI) {
    (void)dve_take(p, DVE_BUCHI);
    if (!parse_names(p, &acceptance->states))
      return false;
  } else {
    const bool is_pair =
        acceptance->kind == DVE_ACCEPTS_RABIN || acceptance->kind == DVE_ACCEPTS_STREETT;
    acceptance->span = dve_token_span(p);
    dve_advance(p);
    do {
      if (!parse_acceptance_set(p, acceptance, is_pair))
        return false;
    } while (dve_take(p, DVE_COMMA));
  }
  return dve_expect(p, DVE_SEMICOLON, "after the accepting states");
}

/* assert = "assert" name ":" expr {"," name ":" expr} ";" */
static bool parse_assert(struct dve_parser *p, struct dve_assertions *list) {
  dve_advance(p);
  do {
    uint32_t begin = p->token.begin;
    struct dve_assertion a = {0};
    if (!dve_expect_name(p, "the name of a state", &a.state) ||
        !dve_expect(p, DVE_COLON, "after the state of an assertion"))
      return false;
    a.condition = dve_parse_expr(p);
    if (a.condition == NULL)
      return false;
    a.span = dve_span_from(p, begin);
    *ARENA_PUSH(p->arena, list) = a;
  } while (dve_take(p, DVE_COMMA));
  if (dve_at(p, DVE_ASSIGN)) {
    if (DVE_PARSE_ERROR(p, dve_token_span(p), "'=' assigns, and an assertion only compares"))
      diag_hint(p->diag, "did you mean '=='?");
    return false;
  }
  return dve_expect(p, DVE_SEMICOLON, "after the assertion");
}

static bool parse_local_channel(struct dve_parser *p) {
  if (DVE_PARSE_ERROR(p, dve_token_span(p), "a channel cannot be declared inside a process"))
    diag_hint(p->diag, "declare it outside the processes");
  dve_advance(p);
  return false;
}

static bool parse_section(struct dve_parser *p, struct dve_process *process) {
  switch (p->token.kind) {
  case DVE_STATE:
    return parse_state_list(p, &process->states);
  case DVE_COMMIT:
    return parse_state_list(p, &process->commits);
  case DVE_INIT:
    return parse_init(p, process);
  case DVE_ACCEPT:
    return parse_accept(p, &process->acceptance);
  case DVE_ASSERT:
    return parse_assert(p, &process->assertions);
  case DVE_CHANNEL:
    return parse_local_channel(p);
  case DVE_TRANS:
    dve_parse_transitions(p, &process->transitions);
    return true;
  default:
    return dve_unexpected(p, "a declaration, 'state', 'init', 'trans' or '}'");
  }
}

static bool parse_header(struct dve_parser *p, struct dve_process *process) {
  dve_advance(p);
  if (!dve_expect_name(p, "the name of the process", &process->name))
    return false;
  if (dve_at(p, DVE_OPEN)) {
    (void)DVE_PARSE_ERROR(p, dve_token_span(p), "processes have no parameters");
    return false;
  }
  return dve_expect(p, DVE_OPEN_BLOCK, "after the name of the process");
}

/* Skips to after the '{' where the process begins after all. */
static void recover_header(struct dve_parser *p) {
  p->panic = false;
  while (!dve_at(p, DVE_OPEN_BLOCK) && !dve_at(p, DVE_SEMICOLON) && !dve_at(p, DVE_STATE) &&
         !dve_at(p, DVE_PROCESS) && !dve_at(p, DVE_SYSTEM) && !dve_at(p, DVE_END))
    dve_advance(p);
  (void)dve_take(p, DVE_OPEN_BLOCK);
}

/* process = "process" name "{" {variables | section} "}" */
void dve_parse_process(struct dve_parser *p, struct dve_processes *list) {
  struct dve_process *process = ARENA_NEW(p->arena, struct dve_process);
  *ARENA_PUSH(p->arena, list) = process;
  if (!parse_header(p, process))
    recover_header(p);
  while (!dve_at(p, DVE_CLOSE_BLOCK) && !dve_at(p, DVE_END) && !dve_at(p, DVE_PROCESS) &&
         !dve_at(p, DVE_SYSTEM)) {
    if (dve_at_variables(p))
      dve_parse_variables(p, &process->variables);
    else if (!parse_section(p, process))
      dve_recover(p);
  }
  if (!dve_expect(p, DVE_CLOSE_BLOCK, "to end the process"))
    p->panic = false;
}
