/* hoa.c - reading the Hanoi omega-automata format (Babiak and others 2015).
 *
 *   automaton  HOA: v1 header --BODY-- {state {edge}} --END--
 *   state      State: [label] NUMBER [STRING] [marks]
 *   edge       [label] NUMBER [marks]
 *   label      "[" expression "]"
 *   marks      "{" {NUMBER} "}"
 *
 * Sets of acceptance become marks in the order in which the condition names them, and what is
 * not of Büchi's kind becomes so (remove_fin.h).
 */
#include "lang/ltl/hoa.h"

#include "lang/ltl/hoa_acceptance.h"
#include "lang/ltl/hoa_label.h"
#include "lang/ltl/remove_fin.h"
#include "lang/ltl/stutter.h"

#include <ctype.h>
#include <string.h>

/* Implicit labels: a state then has an edge for each letter. */
#define IMPLICIT_ATOMS 16u

struct reader {
  struct arena *arena;
  struct hoa_text text;
  struct hoa *hoa;
  struct hoa_aliases aliases;
  struct hoa_acceptance acceptance;
  struct buchi_edges edges;
  struct {
    uint32_t *at;
    uint32_t n, capacity;
  } start;
  struct {
    bool *at; /* of a state: its edges are there */
    uint32_t n, capacity;
  } defined;
  uint32_t n_states;        /* as announced; UINT32_MAX: not */
  uint32_t highest;         /* number of a state, + 1 */
  struct hoa_token stutter; /* where the file says so */
  bool has_acceptance, has_atoms;
};

static bool expect_sign(struct reader *r, char sign, const char *what) {
  return hoa_text_take_sign(&r->text, sign) || hoa_text_refuse(&r->text, what);
}

static bool expect_number(struct reader *r, uint32_t below, uint32_t *value, const char *what) {
  if (r->text.token.kind != HOA_T_NUMBER || r->text.token.value >= below)
    return hoa_text_refuse(&r->text, what);
  *value = hoa_text_take(&r->text).value;
  return true;
}

/* The text of a string without quotes and escapes. */
static const char *text_of(struct reader *r, struct hoa_token t) {
  char *text = arena_alloc(r->arena, t.end - t.begin + 1u);
  uint32_t n = 0;
  for (uint32_t i = t.begin + 1; i + 1 < t.end; i++) {
    if (r->text.source->text[i] == '\\' && i + 2 < t.end)
      i++;
    const unsigned char c = (unsigned char)r->text.source->text[i];
    text[n++] = c < 32 || c == 127 ? ' ' : (char)c;
  }
  return text;
}

static bool read_expression(struct reader *r, struct hoa_label *out) {
  struct hoa_label_reader labels = {
      .arena = r->arena, .text = &r->text, .aliases = &r->aliases, .n_atoms = r->hoa->n_atoms};
  return hoa_label_read(&labels, out);
}

/* ---- the header ----------------------------------------------------------------------------
 */

static bool read_states(struct reader *r) {
  return expect_number(r, HOA_STATES + 1, &r->n_states,
                       "the number of states is expected here, at most 1000000");
}

static bool read_start(struct reader *r) {
  uint32_t *state = ARENA_PUSH(r->arena, &r->start);
  if (!expect_number(r, HOA_STATES, state, "the number of an initial state is expected here"))
    return false;
  if (hoa_text_at_sign(&r->text, '&'))
    return hoa_text_refuse(
        &r->text, "an alternating automaton cannot be read: write one without '&' between "
                  "states");
  return true;
}

static bool read_atoms(struct reader *r) {
  struct hoa *hoa = r->hoa;
  if (r->has_atoms)
    return hoa_text_refuse(&r->text, "AP: is given twice");
  r->has_atoms = true;
  if (!expect_number(r, LTL_ATOMS + 1, &hoa->n_atoms,
                     "the number of atomic propositions is expected here, at most 64"))
    return false;
  for (uint32_t i = 0; i < hoa->n_atoms; i++) {
    if (r->text.token.kind != HOA_T_STRING)
      return hoa_text_refuse(&r->text, "an atomic proposition is expected here, in quotes");
    const struct hoa_token place = hoa_text_take(&r->text);
    hoa->place[i] = (struct span){r->text.source, place.begin, place.end};
    hoa->atom[i] = text_of(r, place);
    for (uint32_t k = 0; k < i; k++)
      if (strcmp(hoa->atom[i], hoa->atom[k]) == 0)
        return hoa_text_refuse_at(&r->text, place, "this atomic proposition is there twice");
  }
  return true;
}

static bool read_alias(struct reader *r) {
  if (r->text.token.kind != HOA_T_ALIAS)
    return hoa_text_refuse(&r->text, "an alias is expected here, as @a");
  struct hoa_alias alias = {.name = hoa_text_take(&r->text)};
  if (!read_expression(r, &alias.label))
    return false;
  *ARENA_PUSH(r->arena, &r->aliases) = alias;
  return true;
}

static bool read_acceptance(struct reader *r) {
  struct hoa_acceptance_reader acceptance = {
      .arena = r->arena, .text = &r->text, .out = &r->acceptance};
  if (r->has_acceptance)
    return hoa_text_refuse(&r->text, "Acceptance: is given twice");
  r->has_acceptance = true;
  return hoa_acceptance_read(&acceptance);
}

/* What is only informative. */
static void skip_values(struct reader *r) {
  while (r->text.token.kind == HOA_T_NAME || r->text.token.kind == HOA_T_NUMBER ||
         r->text.token.kind == HOA_T_STRING)
    hoa_text_take(&r->text);
}

static bool read_name(struct reader *r) {
  if (r->text.token.kind != HOA_T_STRING)
    return hoa_text_refuse(&r->text, "a name is expected here, in quotes");
  r->hoa->name = text_of(r, hoa_text_take(&r->text));
  return true;
}

/* All but one are what the automaton shows by itself, or nothing that is made use of. */
static bool read_properties(struct reader *r) {
  while (r->text.token.kind == HOA_T_NAME) {
    const bool stutter = hoa_text_spells(&r->text, "stutter-invariant");
    const struct hoa_token word = hoa_text_take(&r->text);
    r->hoa->stutter_invariant |= stutter;
    if (stutter)
      r->stutter = word;
  }
  return true;
}

/* An unknown header that begins with a capital letter may change the meaning. */
static bool read_item(struct reader *r) {
  const struct hoa_token header = hoa_text_take(&r->text);
  static const struct {
    const char *name;
    bool (*read)(struct reader *);
  } known[] = {
      {"States", read_states},        {"Start", read_start},           {"AP", read_atoms},
      {"Alias", read_alias},          {"Acceptance", read_acceptance}, {"name", read_name},
      {"properties", read_properties}};
  r->text.token = hoa_token_at(r->text.source, header.end + 1);
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (hoa_token_spells(r->text.source, header, known[i].name))
      return known[i].read(r);
  if (isupper((unsigned char)r->text.source->text[header.begin]))
    return hoa_text_refuse_at(&r->text, header,
                              "this part of the header is not known, and may change what the "
                              "automaton means");
  skip_values(r);
  return true;
}

static bool read_header(struct reader *r) {
  if (r->text.token.kind != HOA_T_HEADER || !hoa_text_spells(&r->text, "HOA"))
    return hoa_text_refuse(&r->text, "an automaton in this format begins with HOA: v1");
  r->text.token = hoa_token_at(r->text.source, r->text.token.end + 1);
  if (!hoa_text_spells(&r->text, "v1"))
    return hoa_text_refuse(&r->text, "only version v1 of the format can be read");
  hoa_text_take(&r->text);
  while (r->text.token.kind == HOA_T_HEADER)
    if (!read_item(r))
      return false;
  if (!hoa_text_spells(&r->text, "--BODY--"))
    return hoa_text_refuse(&r->text, "a part of the header or --BODY-- is expected here");
  if (!r->has_acceptance)
    return hoa_text_refuse(&r->text, "the header lacks Acceptance:");
  hoa_text_take(&r->text);
  return true;
}

/* ---- the body ------------------------------------------------------------------------------
 */

/* {0 2}: adds these sets. */
static bool read_sets(struct reader *r, uint64_t *in) {
  if (!hoa_text_take_sign(&r->text, '{'))
    return true;
  while (!hoa_text_take_sign(&r->text, '}')) {
    uint32_t set = 0;
    if (!expect_number(r, r->acceptance.n_sets, &set,
                       "the number of a set or '}' is expected here"))
      return false;
    *in |= hoa_acceptance_in(&r->acceptance, set);
  }
  return true;
}

static bool read_label(struct reader *r, struct hoa_label *out, bool *there) {
  *there = hoa_text_take_sign(&r->text, '[');
  return !*there ||
         (read_expression(r, out) && expect_sign(r, ']', "'&', '|' or ']' is expected here"));
}

static bool read_state_number(struct reader *r, uint32_t *state, const char *what) {
  const uint32_t below = r->n_states == UINT32_MAX ? HOA_STATES : r->n_states;
  if (!expect_number(r, below, state, what))
    return false;
  if (*state >= r->highest)
    r->highest = *state + 1;
  return true;
}

static bool define(struct reader *r, struct hoa_token place, uint32_t state) {
  while (r->defined.n <= state)
    *ARENA_PUSH(r->arena, &r->defined) = false;
  if (r->defined.at[state])
    return hoa_text_refuse_at(&r->text, place, "this state is there twice");
  r->defined.at[state] = true;
  return true;
}

/* The letter that the i-th edge of a state reads, if labels are implicit. */
static struct label implicit(struct reader *r, uint32_t i) {
  const uint64_t all = (UINT64_C(1) << r->hoa->n_atoms) - 1;
  return label_of_cube(r->arena, (struct label_cube){i, all & ~(uint64_t)i});
}

struct state {
  uint32_t number;
  struct hoa_label label;
  bool has_label;
  uint64_t marks;
  uint32_t n_implicit, n_explicit;
};

static bool read_edge(struct reader *r, struct state *s) {
  struct buchi_edge e = {.from = s->number, .marks = s->marks};
  struct hoa_label label = {0};
  bool has_label;
  const struct hoa_token place = r->text.token;
  if (!read_label(r, &label, &has_label) ||
      !read_state_number(r, &e.to, "the number of a state is expected here"))
    return false;
  if (hoa_text_at_sign(&r->text, '&'))
    return hoa_text_refuse(
        &r->text, "an alternating automaton cannot be read: write one without '&' between "
                  "states");
  if (!read_sets(r, &e.marks))
    return false;
  if (has_label && s->has_label)
    return hoa_text_refuse_at(&r->text, place, "the state and this edge both have a label");
  e.label = has_label ? label.is : s->label.is;
  if (has_label || s->has_label) {
    s->n_explicit++;
  } else {
    if (r->hoa->n_atoms > IMPLICIT_ATOMS || s->n_implicit >> r->hoa->n_atoms != 0)
      return hoa_text_refuse_at(&r->text, place,
                                "this edge has no label, and there are more than letters");
    e.label = implicit(r, s->n_implicit++);
  }
  if (s->n_explicit > 0 && s->n_implicit > 0)
    return hoa_text_refuse_at(&r->text, place,
                              "some edges of this state have a label and some have none");
  e.marks = hoa_acceptance_marks(&r->acceptance, e.marks);
  *ARENA_PUSH(r->arena, &r->edges) = e;
  return true;
}

static bool read_state(struct reader *r) {
  struct state s = {0};
  const struct hoa_token place = hoa_text_take(&r->text);
  r->text.token = hoa_token_at(r->text.source, place.end + 1);
  if (!read_label(r, &s.label, &s.has_label) ||
      !read_state_number(r, &s.number,
                         "the number of a state is expected here, below States:") ||
      !define(r, place, s.number))
    return false;
  if (r->text.token.kind == HOA_T_STRING)
    hoa_text_take(&r->text);
  if (!read_sets(r, &s.marks))
    return false;
  while (r->text.token.kind == HOA_T_NUMBER || hoa_text_at_sign(&r->text, '['))
    if (!read_edge(r, &s))
      return false;
  return s.n_implicit == 0 || s.n_implicit >> r->hoa->n_atoms != 0 ||
         hoa_text_refuse_at(&r->text, place,
                            "edges without labels must be as many as there are letters");
}

static bool read_body(struct reader *r) {
  while (r->text.token.kind == HOA_T_HEADER && hoa_text_spells(&r->text, "State"))
    if (!read_state(r))
      return false;
  if (hoa_text_spells(&r->text, "--ABORT--"))
    return hoa_text_refuse(&r->text, "whoever wrote this automaton gave up");
  if (!hoa_text_spells(&r->text, "--END--"))
    return hoa_text_refuse(&r->text, "State:, an edge or --END-- is expected here");
  return true;
}

/* ---- the automaton --------------------------------------------------------------------------
 */

/* Several initial states: one more, which has the edges of all. */
static uint32_t initial_state(struct reader *r, uint32_t *n_states) {
  if (r->start.n == 1)
    return r->start.at[0];
  const uint32_t initial = (*n_states)++;
  const uint32_t n = r->edges.n;
  bool *is_start = ARENA_ARRAY(r->arena, *n_states, bool);
  for (uint32_t i = 0; i < r->start.n; i++)
    is_start[r->start.at[i]] = true;
  for (uint32_t i = 0; i < n; i++)
    if (is_start[r->edges.at[i].from]) {
      struct buchi_edge e = r->edges.at[i];
      e.from = initial;
      *ARENA_PUSH(r->arena, &r->edges) = e;
    }
  return initial;
}

/* What the file says is believed where it cannot be found out. */
static bool check_stutter(struct reader *r) {
  struct hoa *hoa = r->hoa;
  const enum stutter is = stutter_of(hoa->buchi);
  if (hoa->stutter_invariant && is == STUTTER_SENSITIVE)
    return hoa_text_refuse_at(&r->text, r->stutter,
                              "the automaton is not stutter-invariant: leave this word out");
  hoa->stutter_invariant |= is == STUTTER_INVARIANT;
  return true;
}

static bool finish(struct reader *r) {
  uint32_t n_states = r->n_states == UINT32_MAX ? r->highest : r->n_states;
  for (uint32_t i = 0; i < r->start.n; i++)
    if (r->start.at[i] >= n_states) {
      if (r->n_states != UINT32_MAX)
        return hoa_text_refuse(&r->text, "an initial state is not below States:");
      n_states = r->start.at[i] + 1;
    }
  const uint32_t initial = initial_state(r, &n_states);
  r->hoa->buchi = remove_fin(r->arena, n_states, initial, &r->edges, &r->acceptance.condition);
  if (r->hoa->buchi == NULL)
    return hoa_text_refuse(
        &r->text, "the automaton is too large for its condition of acceptance, which has "
                  "many alternatives: let another tool rewrite it to Büchi acceptance");
  return check_stutter(r);
}

struct hoa *hoa_read(struct arena *arena, struct diag *diag, const struct source *source) {
  struct reader r = {
      .arena = arena, .text = {diag, source, hoa_token_at(source, 0)}, .n_states = UINT32_MAX};
  r.hoa = ARENA_NEW(arena, struct hoa);
  r.hoa->name = "";
  return read_header(&r) && read_body(&r) && finish(&r) ? r.hoa : NULL;
}
