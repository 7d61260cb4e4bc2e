/* test_ltl.c - formulas of linear temporal logic: how they are read, what is said about
 * mistakes, how they are simplified, what kinds their automata are, and automata in files. */
#include "lang/ltl/format.h"
#include "lang/ltl/hoa.h"
#include "lang/ltl/parse.h"
#include "lang/ltl/rewrite.h"
#include "lang/ltl/stutter.h"
#include "lang/ltl/translate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct reading {
  struct budget *budget;
  struct arena *arena;
  struct diag *diag;
  const struct source *source;
};

static void open_reading(struct reading *r, const char *text, size_t length) {
  r->budget = budget_open((uint64_t)1 << 31);
  r->arena = arena_open(r->budget, BUDGET_MODEL);
  r->diag = diag_open(r->arena);
  r->source = source_make(r->arena, "formula", text, (uint32_t)length);
}

static void close_reading(struct reading *r) {
  arena_close(r->arena);
  budget_close(r->budget);
}

/* ---- reading -------------------------------------------------------------------------------
 */

static const char *const sign[] = {"true", "false", "",   "!",   "X", "<>", "[]",
                                   "&&",   "||",    "->", "<->", "U", "W",  "V"};

/* With every operand in brackets. */
static const char *shape(struct arena *arena, const struct ltl_formula *f,
                         const struct ltl_node *n) {
  if (n->a == NULL)
    return n->op == LTL_ATOM ? f->atom[n->atom] : sign[n->op];
  const char *a = shape(arena, f, n->a);
  if (n->b == NULL)
    return arena_printf(arena, "%s{%s}", sign[n->op], a);
  return arena_printf(arena, "{%s} %s {%s}", a, sign[n->op], shape(arena, f, n->b));
}

static void expect_shape(const char *text, const char *expected) {
  struct reading r;
  open_reading(&r, text, strlen(text));
  const struct ltl_formula *f = ltl_parse(r.arena, r.diag, r.source, NULL);
  assert_non_null(f);
  assert_string_equal(shape(r.arena, f, f->root), expected);
  close_reading(&r);
}

static void test_precedence(void **state) {
  (void)state;
  expect_shape("[] a U b", "{[]{a}} U {b}");
  expect_shape("a U [] b U c", "{{a} U {[]{b}}} U {c}");
  expect_shape("a || b && c U d", "{a} || {{b} && {{c} U {d}}}");
  expect_shape("a -> b -> c", "{{a} -> {b}} -> {c}");
  expect_shape("a -> b <-> c", "{{a} -> {b}} <-> {c}");
  expect_shape("a W b V c U d", "{{{a} W {b}} V {c}} U {d}");
  expect_shape("! a U b", "{!{a}} U {b}");
  expect_shape("X [] !<> a", "X{[]{!{<>{a}}}}");
  expect_shape("always (a implies eventually b)", "[]{{a} -> {<>{b}}}");
  expect_shape("a until b stronguntil c weakuntil d release e equivalent next f",
               "{{{{{a} U {b}} U {c}} W {d}} V {e}} <-> {X{f}}");
  expect_shape("a /\\ b \\/ true", "{{a} && {b}} || {true}");
}

static void test_expressions(void **state) {
  (void)state;
  expect_shape("[] x == 1", "[]{x == 1}");
  expect_shape("x+1 == y U z", "{x+1 == y} U {z}");
  expect_shape("(x + 1) * 2 == y && (p)", "{(x + 1) * 2 == y} && {p}");
  expect_shape("!x == 1", "!x == 1");
  expect_shape("!(x == 1)", "!{x == 1}");
  expect_shape("!!P[1]:v && !Q@cs", "{!{!{P[1]:v}}} && {!{Q@cs}}");
  expect_shape("f(a && b) -> m[i || j] < 3", "{f(a && b)} -> {m[i || j] < 3}");
  expect_shape("Xa && nexta || U1", "{{Xa} && {nexta}} || {U1}");
  expect_shape("a and not b U c or d", "{a and not b} U {c or d}");
  expect_shape("a <= b /* c */ && q ? [x] // d", "{a <= b} && {q ? [x]}");
  expect_shape("1 U (0 || skip)", "{true} U {{false} || {true}}");
  expect_shape("c == 'U' && s == \")\"", "{c == 'U'} && {s == \")\"}");
}

static void test_same_text_is_same_atom(void **state) {
  (void)state;
  struct reading r;
  const char *text = "x == 1 U (x  ==  1 || y)";
  open_reading(&r, text, strlen(text));
  const struct ltl_formula *f = ltl_parse(r.arena, r.diag, r.source, NULL);
  assert_int_equal(f->n_atoms, 2);
  assert_int_equal(f->root->a->atom, f->root->b->a->atom);
  close_reading(&r);
}

/* An embedding language that knows one name, with several spellings. */
static bool only_p(void *context, struct diag *diag, struct span span, uint32_t *number) {
  ++*(int *)context;
  if (span.source->text[span.begin] != 'p')
    diag_error(diag, span, "not known here");
  *number = 0;
  return span.source->text[span.begin] == 'p';
}

static void test_reader(void **state) {
  (void)state;
  struct reading r;
  int asked = 0;
  const struct ltl_reader reader = {only_p, &asked};
  open_reading(&r, "p1 U p2", 7);
  const struct ltl_formula *f = ltl_parse(r.arena, r.diag, r.source, &reader);
  assert_true(f != NULL && f->n_atoms == 1 && asked == 2);
  assert_int_equal(f->place[0].begin, 0);
  const struct source *wrong = source_make(r.arena, "formula", "[] q && p", 9);
  assert_null(ltl_parse(r.arena, r.diag, wrong, &reader));
  assert_int_equal(diag_errors(r.diag), 1);
  close_reading(&r);
}

static void expect_message(const char *text, size_t length, const char *message,
                           uint32_t column) {
  struct reading r;
  char *said = NULL;
  size_t n = 0;
  open_reading(&r, text, length);
  assert_null(ltl_parse(r.arena, r.diag, r.source, NULL));
  assert_int_equal(diag_errors(r.diag), 1);
  FILE *out = open_memstream(&said, &n);
  diag_print(r.diag, out, false);
  fclose(out);
  const char *place = arena_printf(r.arena, "formula:1:%u: error: %s\n", column, message);
  if (strncmp(said, place, strlen(place)) != 0)
    print_error("%s said %s\n", place, said);
  assert_int_equal(strncmp(said, place, strlen(place)), 0);
  free(said);
  close_reading(&r);
}

static void expect_error(const char *text, const char *message, uint32_t column) {
  expect_message(text, strlen(text), message, column);
}

static void test_messages(void **state) {
  (void)state;
  expect_error("", "the formula ends where an operand is expected", 1);
  expect_error("[] (p -> ", "this bracket is not closed", 4);
  expect_error("p U", "the formula ends where an operand is expected", 4);
  expect_error("p && && q", "unexpected '&&': an operand is expected here", 6);
  expect_error("p q", "unexpected 'q': an operator is expected here", 3);
  expect_error("p R q", "unexpected 'R': an operator is expected here", 3);
  expect_error("p [] q", "unexpected '[]': an operator is expected here", 3);
  expect_error("(p) q", "unexpected 'q': an operator is expected here", 5);
  expect_error("p)", "unexpected ')': an operator is expected here", 2);
  expect_error("(p U q) == 1", "a temporal operator cannot be used inside an expression", 4);
  expect_error("f(<> p)", "a temporal operator cannot be used inside an expression", 3);
  expect_error("! ", "the formula ends where an operand is expected", 3);
}

/* Deep and long formulas end in a message, or are read; never in a crash. */
static void test_limits(void **state) {
  (void)state;
  const size_t n = 60000;
  char *text = malloc(n + 1);
  assert_non_null(text);
  memset(text, '!', n);
  expect_message(text, n, "this formula nests more than 1000 operators", 1001);
  memset(text, '(', n);
  expect_message(text, n, "this bracket is not closed", 1);
  for (size_t i = 0; i < n; i++)
    text[i] = "X "[i % 2];
  expect_message(text, n, "this formula nests more than 1000 operators", 2001);
  for (size_t i = 0; i < n; i++)
    text[i] = "p&& "[i % 4];
  expect_message(text, n - 3, "this formula nests more than 1000 operators", 1);
  memset(text, ' ', n);
  free(text);
  text = calloc(70001, 1);
  assert_non_null(text);
  memset(text, ' ', 70000);
  expect_message(text, 70000, "this formula is longer than 65536 bytes", 1);
  free(text);
}

static void test_warning(void **state) {
  (void)state;
  const struct {
    const char *text;
    bool warns;
  } try[] = {{"[] p -> q", true}, {"[] (p -> q)", false}, {"([] p) -> q", false}};
  for (size_t i = 0; i < sizeof try / sizeof try[0]; i++) {
    struct reading r;
    char *said = NULL;
    size_t n = 0;
    open_reading(&r, try[i].text, strlen(try[i].text));
    assert_non_null(ltl_parse(r.arena, r.diag, r.source, NULL));
    FILE *out = open_memstream(&said, &n);
    diag_print(r.diag, out, false);
    fclose(out);
    assert_int_equal(strstr(said, "warning: '[]' binds stronger") != NULL, try[i].warns);
    free(said);
    close_reading(&r);
  }
}

/* ---- simplification --------------------------------------------------------------------- */

/* Whether two formulas over p, q, r become the same one. Atoms are numbered by the first. */
static bool become_same(const char *a, const char *b) {
  struct reading r;
  const char *both = "";
  char *joined = malloc(strlen(a) + strlen(b) + 40);
  assert_non_null(joined);
  sprintf(joined, "(p && q && r) || ((%s) -> (%s))%s", a, b, both);
  open_reading(&r, joined, strlen(joined));
  const struct ltl_formula *f = ltl_parse(r.arena, r.diag, r.source, NULL);
  assert_non_null(f);
  struct core_set *set = core_open(r.arena);
  const struct ltl_node *pair = f->root->b;
  const struct core *x = rewrite_simplify(set, core_of(set, pair->a, false));
  const struct core *y = rewrite_simplify(set, core_of(set, pair->b, false));
  const struct core *nx = rewrite_simplify(set, core_of(set, pair->a, true));
  const bool same = x == y && core_negation(set, x) == nx;
  close_reading(&r);
  free(joined);
  return same;
}

static void test_rewriting(void **state) {
  (void)state;
  static const char *const equal[][2] = {
      {"<> <> p", "<> p"},
      {"[] <> [] <> p", "[] <> p"},
      {"<> (p U q)", "<> q"},
      {"X [] <> p", "[] <> p"},
      {"[] <> X p", "[] <> p"},
      {"X p && X q", "X (p && q)"},
      {"X p U X q", "X (p U q)"},
      {"(p U r) && (q U r)", "(p && q) U r"},
      {"(p U q) || (p U r)", "p U (q || r)"},
      {"[] p && [] q", "[] (p && q)"},
      {"<> p || <> q", "<> (p || q)"},
      {"[] <> p || [] <> q", "[] <> (p || q)"},
      {"p U (q && [] <> r)", "(p U q) && [] <> r"},
      {"p U (q || <> r)", "(p U q) || <> r"},
      {"[] (p || [] <> q)", "[] p || [] <> q"},
      {"[] <> (p && <> q)", "[] <> p && [] <> q"},
      {"p U (p U q)", "p U q"},
      {"(p U q) U q", "p U q"},
      {"[] p || p U q", "p W q"},
      {"<> p && p V q", "q U (p && q)"},
      {"p U p", "p"},
      {"p V p", "p"},
      {"p V (p || q)", "p V (q || p)"},
      {"!p U p", "<> p"},
      {"<> p && p", "p"},
      {"(p && q) || p", "p"},
      {"p && (!p || q)", "p && q"},
      {"p && !p", "false"},
      {"<> p && [] !p", "false"},
      {"<> p || [] !p", "true"},
      {"p -> p", "true"},
      {"p <-> q", "(!p || q) && (p || !q) || false && r"},
  };
  for (size_t i = 0; i + 1 < sizeof equal / sizeof equal[0]; i++)
    if (!become_same(equal[i][0], equal[i][1]))
      fail_msg("%s and %s stay apart", equal[i][0], equal[i][1]);
  assert_false(become_same("<> p && <> q", "<> (p && q)"));
  assert_false(become_same("[] p || [] q", "[] (p || q)"));
}

/* ---- kinds ------------------------------------------------------------------------------ */

static struct buchi *automaton(struct reading *r, const char *text, bool negated) {
  const struct translate_options o = {
      .negated = negated, .steps = TRANSLATE_ALL, .acceptance = TRANSLATE_GENERALISED};
  const char *why = NULL;
  const struct source *source = source_make(r->arena, "f", text, (uint32_t)strlen(text));
  const struct ltl_formula *f = ltl_parse(r->arena, r->diag, source, NULL);
  assert_non_null(f);
  struct buchi *b = translate(r->arena, f->root, &o, &why);
  assert_non_null(b);
  return b;
}

static void expect_kind(const char *text, const char *words) {
  struct reading r;
  open_reading(&r, "", 0);
  const struct kind kind = kind_of(automaton(&r, text, false));
  if (strcmp(kind_words(r.arena, &kind), words) != 0)
    fail_msg("%s is %s, not %s", text, kind_words(r.arena, &kind), words);
  close_reading(&r);
}

static void test_kinds(void **state) {
  (void)state;
  expect_kind("<> p", "terminal, weak, deterministic, complete");
  expect_kind("[] p", "safety, weak, deterministic");
  expect_kind("true", "terminal, safety, weak, deterministic, complete");
  expect_kind("p U q", "terminal, weak, deterministic");
  expect_kind("<> [] p", "weak");
  expect_kind("[] <> p", "deterministic, complete");
  expect_kind("[] (p -> <> q)", "deterministic, complete");
  expect_kind("p V q", "safety, weak, deterministic");
  expect_kind("<> p && [] <> q", "deterministic, complete");
}

static void expect_stutter(const char *text, bool invariant) {
  struct reading r;
  open_reading(&r, "", 0);
  struct buchi *yes = automaton(&r, text, false);
  if (stutter_is_invariant(yes, automaton(&r, text, true)) != invariant)
    fail_msg("%s is taken for %sstutter-invariant", text, invariant ? "not " : "");
  close_reading(&r);
}

static void test_stutter(void **state) {
  (void)state;
  expect_stutter("X p", false);
  expect_stutter("<> (p && X !p)", true);
  expect_stutter("<> (p && X p)", false);
  expect_stutter("[] <> (p && X q)", false);
  expect_stutter("[] <> (p && X (p && X (!p U q)))", false);
  expect_stutter("[] <> (p && X <> !p)", true);
  expect_stutter("p U q", true);
  expect_stutter("<> (p && X (p U q))", false);
  expect_stutter("<> (p && !q && X (p U q))", true);
}

/* Repeated conjunctions grow fast: in the end they are refused, and in time. */
static void test_too_large(void **state) {
  (void)state;
  struct reading r;
  char text[4000] = "";
  open_reading(&r, "", 0);
  for (int i = 0; i < 40; i++)
    sprintf(text + strlen(text), "%s<> (a%d && X b%d)", i > 0 ? " && " : "", i % 20,
            i % 20 + 20);
  const struct source *source = source_make(r.arena, "f", text, (uint32_t)strlen(text));
  const struct ltl_formula *f = ltl_parse(r.arena, r.diag, source, NULL);
  const struct translate_options o = {.steps = TRANSLATE_ALL};
  const char *why = NULL;
  assert_non_null(f);
  assert_null(translate(r.arena, f->root, &o, &why));
  assert_non_null(why);
  close_reading(&r);
}

/* Of many promises, one is kept at a time: an edge for each, and one for none. */
static void test_many_promises(void **state) {
  (void)state;
  struct reading r;
  char text[4000] = "";
  open_reading(&r, "", 0);
  for (int i = 0; i < 60; i++)
    sprintf(text + strlen(text), "%s[] <> a%d", i > 0 ? " && " : "", i);
  const struct buchi *b = automaton(&r, text, false);
  assert_true(b->n_states == 1 && b->n_marks == 60 && b->n_edges == 61);
  close_reading(&r);
}

/* ---- files ------------------------------------------------------------------------------ */

static struct hoa *read_hoa(struct reading *r, const char *text) {
  open_reading(r, text, strlen(text));
  return hoa_read(r->arena, r->diag, r->source);
}

#define HEAD "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"p\" \"x < \\\"1\\\"\"\n"

static void test_hoa_labels(void **state) {
  (void)state;
  struct reading r;
  const struct hoa *hoa =
      read_hoa(&r, HEAD "Alias: @a 0&!1 /* in /* each */ other */\nAlias: @b !(@a | 1)\n"
                        "acc-name: Buchi\nAcceptance: 1 Inf(0)\nproperties: x y\n--BODY--\n"
                        "State: 0 \"zero\" {0}\n[@a] 1\n[@b | f] 0 {0}\n"
                        "State: [t] 1\n0\n--END--\nHOA: v1 garbage");
  assert_non_null(hoa);
  const struct buchi *b = hoa->buchi;
  assert_true(b->n_states == 2 && b->n_edges == 3 && b->n_marks == 1 && b->initial == 0);
  assert_string_equal(hoa->atom[1], "x < \"1\"");
  assert_true(b->edge[0].to == 0 && b->edge[0].marks == 1 && b->edge[0].label.n == 1);
  assert_true(b->edge[0].label.at[0].yes == 0 && b->edge[0].label.at[0].no == 3);
  assert_true(b->edge[1].label.at[0].yes == 1 && b->edge[1].label.at[0].no == 2);
  assert_true(label_is_true(b->edge[2].label) && b->edge[2].marks == 0);
  close_reading(&r);
}

static void test_hoa_implicit(void **state) {
  (void)state;
  struct reading r;
  const struct hoa *hoa = read_hoa(&r, HEAD "Acceptance: 2 (Inf(!1) & t) & Inf(0)\n--BODY--\n"
                                            "State: 0 0 {1} 1 {0 1} 0 1 {0}\n--END--");
  assert_non_null(hoa);
  const struct buchi *b = hoa->buchi;
  assert_int_equal(b->n_marks, 2); /* the first is what set 1 lacks */
  for (uint32_t i = 0; i < b->n_edges; i++) {
    const struct buchi_edge *e = &b->edge[i];
    const uint64_t letter = e->label.at[0].yes;
    assert_int_equal(e->label.at[0].no, 3 & ~letter);
    assert_int_equal(e->to, letter & 1);
    const uint64_t marks[] = {0, 2, 1, 3};
    assert_int_equal(e->marks, marks[letter]);
  }
  assert_int_equal(b->n_edges, 4);
  close_reading(&r);
}

static void test_hoa_starts(void **state) {
  (void)state;
  struct reading r;
  const struct hoa *two =
      read_hoa(&r, "HOA: v1\nStart: 0\nStart: 1\nAP: 1 \"p\"\nAcceptance: 0 t\n--BODY--\n"
                   "State: 0 [0] 0\nState: 1 [!0] 1\n--END--");
  assert_non_null(two);
  assert_true(two->buchi->n_states == 3 && two->buchi->initial == 2 &&
              two->buchi->n_edges == 4);
  close_reading(&r);
  const struct hoa *none =
      read_hoa(&r, "HOA: v1\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0 [t] "
                   "0\n--END--");
  assert_non_null(none);
  assert_true(none->buchi->first[none->buchi->initial] ==
              none->buchi->first[none->buchi->initial + 1]);
  close_reading(&r);
  const struct hoa *nothing = read_hoa(
      &r, "HOA: v1\nStart: 0\nAcceptance: 1 Inf(0) & f\n--BODY--\nState: 0 [t] 0 {0}\n--END--");
  assert_non_null(nothing);
  assert_true(nothing->buchi->n_marks == 1 && nothing->buchi->edge[0].marks == 0);
  close_reading(&r);
}

static void expect_refused(const char *text, const char *message) {
  struct reading r;
  char *said = NULL;
  size_t n = 0;
  assert_null(read_hoa(&r, text));
  assert_int_equal(diag_errors(r.diag), 1);
  FILE *out = open_memstream(&said, &n);
  diag_print(r.diag, out, false);
  fclose(out);
  if (strstr(said, message) == NULL)
    fail_msg("%s is not in %s", message, said);
  free(said);
  close_reading(&r);
}

static void test_hoa_messages(void **state) {
  (void)state;
  expect_refused("", "formula:1:1: error: an automaton in this format begins with HOA: v1");
  expect_refused("HOA: v2", "formula:1:6: error: only version v1");
  expect_refused("HOA: v1\nStart: 0&1", "an alternating automaton cannot be read");
  expect_refused("HOA: v1\nAcceptance: 1 Inf(1)",
                 "2:19: error: the number of a set is expected");
  expect_refused("HOA: v1\nAcceptance: 1 Fin 0", "as Inf(0), and below the number of sets");
  expect_refused("HOA: v1\nAcceptance: 1 Fin(0", "')' is expected here");
  expect_refused("HOA: v1\nAcceptance: 1 (Fin(0) Inf(0))", "'&', '|' or ')' is expected here");
  expect_refused("HOA: v1\nAcceptance: 1 !Fin(0)", "2:15: error: a condition of acceptance is");
  expect_refused("HOA: v1\nAcceptance: many", "the number of sets of acceptance is expected");
  expect_refused("HOA: v1\nFairness: 1", "formula:2:1: error: this part of the header is not");
  expect_refused("HOA: v1\nAP: 65", "at most 64");
  expect_refused("HOA: v1\nAP: 2 \"p\" \"p\"", "this atomic proposition is there twice");
  expect_refused("HOA: v1\nAlias: @a @b", "this alias is not defined before");
  expect_refused("HOA: v1\n--BODY--", "the header lacks Acceptance:");
  expect_refused("HOA: v1\nStates: 2000000", "at most 1000000");
#define BODY HEAD "Acceptance: 1 Inf(0)\n--BODY--\n"
  expect_refused(BODY "State: 2", "formula:7:8: error: the number of a state is expected");
  expect_refused(BODY "State: 0 [2] 0", "there are not as many atomic propositions");
  expect_refused(BODY "State: 0 [0 0", "'&', '|' or ']' is expected");
  expect_refused(BODY "State: 0 [0] 0&1", "an alternating automaton cannot be read");
  expect_refused(BODY "State: 0 [0] 0 {1}", "the number of a set or '}'");
  expect_refused(BODY "State: 0 [0] 0 1", "some edges of this state have a label");
  expect_refused(BODY "State: [0] 0 [1] 1", "the state and this edge both have a label");
  expect_refused(BODY "State: 0 0 1", "edges without labels must be as many");
  expect_refused(BODY "State: 0 State: 0", "this state is there twice");
  expect_refused(BODY "State: 0 --ABORT--", "gave up");
  expect_refused(BODY "State: 0", "--END-- is expected");
}

/* The header of n pairs Fin(2i) | Inf(2i + 1), or of their sets one after the other. */
static void expect_conditions(uint32_t n, bool pairs, const char *message) {
  struct reading r;
  open_reading(&r, "", 0);
  const char *text = arena_printf(r.arena, "HOA: v1\nStart: 0\nAcceptance: %u t", 2 * n);
  for (uint32_t i = 0; i < n; i++)
    text = arena_printf(r.arena, pairs ? "%s&(Fin(%u)|Inf(%u))" : "%s&Fin(%u)&Inf(%u)", text,
                        2 * i, 2 * i + 1);
  text = arena_printf(r.arena, "%s\n--BODY--\nState: 0 [t] 0 {1}\n--END--", text);
  if (message != NULL)
    expect_refused(text, message);
  else
    assert_non_null(
        hoa_read(r.arena, r.diag, source_make(r.arena, "hoa", text, (uint32_t)strlen(text))));
  close_reading(&r);
}

static void test_hoa_conditions(void **state) {
  (void)state;
  struct reading r;
  expect_conditions(8, true, NULL);
  expect_conditions(9, true, "more than 256 alternatives when it is multiplied out");
  expect_conditions(32, false, NULL);
  expect_conditions(33, false, "over more than 64 sets of acceptance");
  char deep[1100];
  memset(deep, '(', sizeof deep);
  memcpy(deep, "HOA: v1\nAcceptance: 0 ", 22);
  deep[sizeof deep - 1] = '\0';
  expect_refused(deep, "this condition is nested too deeply");
  /* Of an alternative without Fin there is no copy, and of the others what can accept. */
  const struct hoa *hoa =
      read_hoa(&r, HEAD "Acceptance: 2 Inf(0) | Fin(1)\n--BODY--\nState: 0\n"
                        "[0] 0 {1}\n[!0] 1\nState: 1 {1}\n[t] 1\n[0] 0\n"
                        "--END--");
  assert_non_null(hoa);
  assert_true(hoa->buchi->n_states == 2 && hoa->buchi->n_marks == 1);
  close_reading(&r);
  /* What differs in Inf only is one conjunction of unions, where these are few. */
  const struct {
    const char *condition;
    uint32_t states, marks;
  } put[] = {{"8 Inf(0) | Inf(1) | Inf(2)", 1, 1},
             {"8 (Inf(0) & Inf(1)) | (Inf(2) & Inf(3))", 1, 4},
             {"8 (Inf(0) & Inf(1)) | (Inf(0) & Inf(3))", 1, 2},
             {"8 (Inf(0) & Inf(1) & Inf(2)) | (Inf(3) & Inf(4) & Inf(5))", 2, 3},
             {"8 Fin(7) & (Inf(0) | Inf(1))", 2, 1},
             {"8 Fin(7) | Inf(0) | Inf(1)", 2, 1}};
  for (uint32_t i = 0; i < sizeof put / sizeof put[0]; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "HOA: v1\nStart: 0\nAcceptance: %s\n--BODY--\nState: 0 [t] 0 {0 1 2 3 4 5}\n"
             "--END--",
             put[i].condition);
    hoa = read_hoa(&r, text);
    assert_non_null(hoa);
    assert_int_equal(hoa->buchi->n_states, put[i].states);
    assert_int_equal(hoa->buchi->n_marks, put[i].marks);
    close_reading(&r);
  }
  /* The same sets in several places are one mark. */
  hoa = read_hoa(&r, HEAD "Acceptance: 3 (Inf(2)|Inf(0)&t)&Inf(2) | f\n--BODY--\n--END--");
  assert_non_null(hoa);
  assert_true(hoa->buchi->n_states == 2 && hoa->buchi->n_marks == 1);
  close_reading(&r);
}

static void expect_never(const char *text, const char *expected) {
  struct reading r;
  char *written = NULL;
  size_t n = 0;
  const struct translate_options o = {.steps = TRANSLATE_ALL, .acceptance = TRANSLATE_STATES};
  const char *why = NULL;
  open_reading(&r, text, strlen(text));
  const struct ltl_formula *f = ltl_parse(r.arena, r.diag, r.source, NULL);
  const struct format_automaton a = {.buchi = translate(r.arena, f->root, &o, &why),
                                     .formula = text,
                                     .n_atoms = f->n_atoms,
                                     .atom = f->atom};
  FILE *out = open_memstream(&written, &n);
  format_never(out, &a);
  fclose(out);
  assert_string_equal(written, expected);
  free(written);
  close_reading(&r);
}

static void test_never(void **state) {
  (void)state;
  expect_never("<> (x == 1)", "never { /* <> (x == 1) */\nT0_init:\n  do\n"
                              "  :: (!(x == 1)) -> goto T0_init\n"
                              "  :: (x == 1) -> goto accept_all\n  od;\n"
                              "accept_all:\n  skip\n}\n");
  expect_never("p && !p /* */", "never { /* p && !p /* * / */\nT0_init:\n  false;\n}\n");
  expect_never("[] p", "never { /* [] p */\naccept_init:\n  do\n"
                       "  :: (p) -> goto accept_init\n  od;\n}\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_precedence),
      cmocka_unit_test(test_expressions),
      cmocka_unit_test(test_same_text_is_same_atom),
      cmocka_unit_test(test_reader),
      cmocka_unit_test(test_messages),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_warning),
      cmocka_unit_test(test_rewriting),
      cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_stutter),
      cmocka_unit_test(test_too_large),
      cmocka_unit_test(test_many_promises),
      cmocka_unit_test(test_hoa_labels),
      cmocka_unit_test(test_hoa_implicit),
      cmocka_unit_test(test_hoa_starts),
      cmocka_unit_test(test_hoa_messages),
      cmocka_unit_test(test_hoa_conditions),
      cmocka_unit_test(test_never),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
