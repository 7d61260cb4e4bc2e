/* test_promela_front.c - the front half of Promela: what the preprocessor makes of text,
 * what the tree holds, what is said about mistakes, and that no text breaks it.
 *
 * tests/promela/errors/NAME.pml has its messages in NAME.txt. After a wanted change,
 * write them anew with CAIRN_UPDATE=1 and read the difference.
 */
#include "golden.h"

#include "base/bits.h"
#include "lang/lang.h"
#include "lang/promela/promela.h"
#include "lang/promela/text/token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct reading {
  struct budget *budget;
  struct arena *arena;
  struct diag *diag;
  struct promela_model *model;
};

static void open_reading(struct reading *r) {
  r->budget = budget_open((uint64_t)1 << 31);
  r->arena = arena_open(r->budget, BUDGET_MODEL);
  r->diag = diag_open(r->arena);
  r->model = NULL;
}

static void close_reading(struct reading *r) {
  arena_close(r->arena);
  budget_close(r->budget);
}

static void read_bytes(struct reading *r, const char *name, const char *text, size_t length) {
  open_reading(r);
  const struct source *source = source_make(r->arena, name, text, (uint32_t)length);
  r->model = promela_read(r->arena, r->diag, source, &(struct language_options){0});
  assert_int_equal(r->model == NULL, diag_errors(r->diag) > 0);
}

static void read_good(struct reading *r, const char *text) {
  read_bytes(r, "m.pml", text, strlen(text));
  if (r->model == NULL)
    diag_print(r->diag, stderr, false);
  assert_non_null(r->model);
}

/* The messages. The caller frees. */
static char *messages(const struct reading *r) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  diag_print(r->diag, out, false);
  fclose(out);
  return text;
}

static void require_in(const char *said, const char *wanted) {
  const bool there = said != NULL && strstr(said, wanted) != NULL;
  if (!there)
    print_error("'%s' is not in the messages: %s", wanted, said == NULL ? "" : said);
  assert_true(there);
}

/* ---- the preprocessor ------------------------------------------------------------ */

/* What is left of a text, on one line. */
static void check_preprocessed(const char *text, const char *wanted) {
  static const char *const defines[] = {"OUT", "VALUE=2 + 3", "ADD(a,b)=a+b"};
  struct reading r;
  open_reading(&r);
  const struct source *source = source_make(r.arena, "m.pml", text, (uint32_t)strlen(text));
  struct promela_tokens out = {0};
  struct arena *tokens;
  if (promela_preprocess(r.arena, r.diag, source, (struct promela_defines){defines, 3}, &out,
                         &tokens)) {
    char *line = arena_alloc(r.arena, 1);
    for (uint32_t i = 0; i + 1 < out.n; i++)
      line = arena_printf(r.arena, "%s%s%.*s", line, i > 0 ? " " : "", (int)out.at[i].length,
                          out.at[i].text);
    assert_string_equal(wanted, line);
  } else {
    char *said = messages(&r);
    require_in(said, wanted);
    free(said);
  }
  close_reading(&r);
}

static void test_macros(void **state) {
  (void)state;
  check_preprocessed("#define N 3\nx 1..N 1 .. N", "x 1 .. 3 1 .. 3");
  check_preprocessed("OUT VALUE ADD(1, 2)", "1 2 + 3 1 + 2");
  check_preprocessed("#define A B\n#define B A\nA B", "A B");
  check_preprocessed("#define f(x) x*g\n#define g f\nf(2)(3)", "2 * f ( 3 )");
  check_preprocessed("#define f(x) (x)\nf f(1) f (2) f((1,2))", "f ( 1 ) ( 2 ) ( ( 1 , 2 ) )");
  check_preprocessed("#define f(x) x\nf(f(f(1)))", "1");
  check_preprocessed(
      "#define S(x) #x\n#define T(x) S(x)\n#define N 3\nS(N) T(N) S(a  \"b\\n\")",
      "\"N\" \"3\" \"a \\\"b\\\\n\\\"\"");
  check_preprocessed("#define C(a,b) a##b\n#define xy 7\nC(x,y) C(1,2) C(,z) C(z,)",
                     "7 12 z z");
  check_preprocessed("#define V(f, ...) f(__VA_ARGS__)\nV(g, 1, 2) V(h)", "g ( 1 , 2 ) h ( )");
  check_preprocessed("#define E()\n#define F\nE() F x", "x");
  check_preprocessed("#define A 1\n#undef A\nA", "A");
  check_preprocessed("#define LONG a \\\n b\nLONG\nwo\\\nrd", "a b word");
  check_preprocessed("/* a */ x // b\ny", "x y");
  check_preprocessed("__LINE__\n__LINE__ __FILE__", "1 2 \"m.pml\"");
  check_preprocessed("x?\?<y> a-->b", "x ?\? < y > a --> b");
}

static void test_conditions(void **state) {
  (void)state;
  check_preprocessed("#if 1\na\n#else\nb\n#endif\nc", "a c");
  check_preprocessed("#if 0\na 'b \"c\n#elif defined(OUT) && VALUE == 5\nd\n#else\ne\n#endif",
                     "d");
  check_preprocessed("#ifdef NOT\na\n#if 1\nb\n#endif\n#elif 1\nc\n#else\nd\n#endif", "c");
  check_preprocessed("#ifndef NOT\na\n#endif", "a");
  check_preprocessed("#if 0 && 1 / 0\n#elif (2 > 1 ? 3 : 1/0) == 3 && -7 / 2 == -3\na\n#endif",
                     "a");
  check_preprocessed("#if unknown || ~0 != -1 || 'a' != 97 || 0x10 != 16\n#else\na\n#endif",
                     "a");
  check_preprocessed("# if 1 << 4 == 16\na\n# endif", "a");
  check_preprocessed("#if 1 / 0\n#endif", "division by zero");
  check_preprocessed("#if (1\n#endif", "expected ')'");
  check_preprocessed("#if\n#endif", "expected a value");
  check_preprocessed("#else", "there is no #if");
  check_preprocessed("#if 1\n#else\n#else\n#endif", "after #else");
}

static void test_lines(void **state) {
  (void)state;
  struct reading r;
  read_good(&r, "#define TWO b = 1; b = 2\nbyte b;\ninit { b = 3\nTWO\n(b == 2) /*\n*/ b++ }");
  assert_int_equal(r.model->proctypes.at[0]->body.n, 5);
  close_reading(&r);
}

/* ---- the tree ---------------------------------------------------------------------- */

static const struct promela_sequence *body_of(const struct reading *r, uint32_t i) {
  assert_true(i < r->model->proctypes.n);
  return &r->model->proctypes.at[i]->body;
}

static void test_declarations(void **state) {
  (void)state;
  struct reading r;
  read_good(&r, "mtype = { a, b, c }; mtype = { d }; mtype:x = { e, f };\n"
                "typedef T { byte p; short q[3] }; typedef U { T t[2]; bit z }\n"
                "hidden int i = 3 + 4 * 2; unsigned u : 5 = 1; U s[4];\n"
                "chan q[2] = [3] of { byte, U, mtype:x }; byte l[3] = { 1, 2 };\n"
                "active [2] proctype P(byte m, n; bit o) priority 4 provided (i > 0) { skip }");
  const struct promela_model *model = r.model;
  assert_int_equal(model->mtypes.n, 2);
  assert_int_equal(model->mtypes.at[0]->symbols.at[0]->value, 3);
  assert_int_equal(model->mtypes.at[0]->symbols.at[3]->value, 4);
  assert_int_equal(model->mtypes.at[1]->symbols.at[0]->value, 2);
  assert_int_equal(model->globals.n, 5);
  assert_int_equal(model->globals.at[0]->visibility, PROMELA_HIDDEN);
  assert_int_equal(model->globals.at[1]->type.bits, 5);
  assert_int_equal(model->globals.at[2]->length, 4);
  assert_int_equal(model->globals.at[3]->channel->capacity, 3);
  assert_int_equal(model->globals.at[3]->channel->n_scalars, 1 + 2 * (1 + 3) + 1 + 1);
  assert_int_equal(model->globals.at[4]->list.n, 2);
  const struct promela_proctype *p = model->proctypes.at[0];
  assert_int_equal(p->n_parameters, 3);
  assert_int_equal(p->n_active, 2);
  assert_int_equal(p->priority->value, 4);
  assert_non_null(p->provided);
  close_reading(&r);
}

static void test_scopes(void **state) {
  (void)state;
  struct reading r;
  read_good(&r, "byte x;\nproctype P(byte x) { { byte x; x = 1 } x = 2; { byte x; x = 3 } }\n"
                "init { x = 4; byte x; x = 5; run P(1) }");
  const struct promela_proctype *p = r.model->proctypes.at[0];
  assert_int_equal(p->variables.n, 3);
  assert_ptr_equal(p->body.at[0]->body->at[1]->target->variable, p->variables.at[1]);
  assert_ptr_equal(p->body.at[1]->target->variable, p->variables.at[0]);
  assert_ptr_equal(p->body.at[2]->body->at[1]->target->variable, p->variables.at[2]);
  const struct promela_sequence *body = body_of(&r, 1);
  assert_ptr_equal(body->at[0]->target->variable, r.model->globals.at[0]);
  assert_int_equal(body->at[1]->kind, PROMELA_DECLARE);
  assert_false(body->at[1]->at_start);
  assert_ptr_equal(body->at[2]->target->variable->owner, r.model->proctypes.at[1]);
  close_reading(&r);
}

static void test_control(void **state) {
  (void)state;
  struct reading r;
  read_good(&r, "byte x; init { end_1: progress: do :: x < 3 -> x++ :: else -> break od\n"
                "unless { x == 9; goto end_1 }; for (x : 1 .. 2) { break }; L: ; atomic { if "
                ":: skip fi } }");
  const struct promela_sequence *body = body_of(&r, 0);
  assert_int_equal(body->n, 4);
  assert_int_equal(body->at[0]->kind, PROMELA_UNLESS);
  const struct promela_stmt *loop = body->at[0]->body->at[0];
  assert_int_equal(loop->kind, PROMELA_DO);
  assert_int_equal(loop->labels.n, 2);
  assert_true(loop->labels.at[0]->is_end && loop->labels.at[1]->is_progress);
  assert_int_equal(loop->options.n, 2);
  assert_int_equal(loop->options.at[1]->at[0]->kind, PROMELA_ELSE);
  assert_ptr_equal(loop->options.at[1]->at[1]->loop, loop);
  assert_ptr_equal(body->at[0]->escape->at[0]->body->at[1]->label, loop->labels.at[0]);
  assert_int_equal(body->at[1]->kind, PROMELA_FOR);
  assert_string_equal(body->at[1]->code, "for (x : 1 .. 2)");
  assert_ptr_equal(body->at[1]->body->at[0]->loop, body->at[1]);
  assert_int_equal(body->at[2]->kind, PROMELA_EXPR);
  assert_string_equal(body->at[2]->labels.at[0]->name, "L");
  assert_int_equal(body->at[3]->kind, PROMELA_ATOMIC);
  close_reading(&r);
}

static void test_messages(void **state) {
  (void)state;
  struct reading r;
  read_good(
      &r, "chan q = [2] of { byte, byte };\nbyte x;\n"
          "init { q!1(x); q!!1,2; q?x,_; q??eval(x + 1)(-3); q?<x,1>; (q?[x,1] && nfull(q)) }");
  const struct promela_sequence *body = body_of(&r, 0);
  assert_int_equal(body->at[0]->arguments.n, 2);
  assert_true(body->at[1]->sorted && !body->at[0]->sorted);
  assert_int_equal(body->at[2]->arguments.at[1]->kind, PROMELA_SCRATCH);
  assert_true(body->at[3]->random);
  assert_int_equal(body->at[3]->arguments.at[0]->kind, PROMELA_EVAL);
  assert_int_equal(body->at[3]->arguments.at[1]->value, -3);
  assert_true(body->at[4]->peek);
  assert_int_equal(body->at[5]->a->a->kind, PROMELA_POLL);
  close_reading(&r);
}

static void test_inlines(void **state) {
  (void)state;
  struct reading r;
  read_good(&r, "inline set(v, e) {\n  byte t = e;\n  v = t;\n  again: if :: v > 9 -> goto "
                "again :: else fi }\n"
                "inline both(v) { set(v, v + 1) }\ninline sum(a, b) { return a + b }\n"
                "init { byte x[2]; set(x[0], 3); both(x[1]); x[0] = sum(1, 2) }");
  const struct promela_sequence *body = body_of(&r, 0);
  const struct promela_stmt *call = body->at[1];
  assert_int_equal(call->kind, PROMELA_BLOCK);
  assert_string_equal(call->inlined->name, "set");
  assert_string_equal(call->code, "set(x[0], 3)");
  assert_string_equal(call->body->at[1]->code, "x[0] = t");
  /* A statement is where the inline has it, an argument where it was written. */
  assert_int_equal(source_line(r.model->source, call->body->at[1]->span.begin), 3);
  assert_int_equal(source_line(r.model->source, call->body->at[1]->target->span.begin), 7);
  assert_ptr_equal(call->body->at[1]->call, call->inlined);
  const struct promela_stmt *inner = body->at[2]->body->at[0];
  assert_string_equal(inner->inlined->outer->name, "both");
  assert_string_equal(inner->body->at[0]->code, "byte t = x[1] + 1");
  /* Each call has labels of its own. */
  assert_ptr_not_equal(call->body->at[2]->labels.at[0], inner->body->at[2]->labels.at[0]);
  assert_int_equal(body->at[3]->body->at[0]->kind, PROMELA_ASSIGN);
  close_reading(&r);
}

static void test_expressions(void **state) {
  (void)state;
  struct reading r;
  read_good(&r, "byte a, b; init { a = 1 + 2 * 3 - 4; a = !a == b & 3; (a -> b : 1 + 1) > 0; a "
                "- 1 - 2 }");
  const struct promela_sequence *body = body_of(&r, 0);
  assert_int_equal(body->at[0]->a->kind, PROMELA_SUB);
  assert_int_equal(body->at[0]->a->a->b->kind, PROMELA_MUL);
  assert_int_equal(body->at[1]->a->kind, PROMELA_BAND);
  assert_int_equal(body->at[1]->a->a->kind, PROMELA_EQ);
  assert_int_equal(body->at[1]->a->a->a->kind, PROMELA_NOT);
  assert_int_equal(body->at[2]->a->a->kind, PROMELA_COND);
  assert_int_equal(body->at[3]->a->a->kind, PROMELA_SUB);
  close_reading(&r);
}

static void test_formulas(void **state) {
  (void)state;
  struct reading r;
  read_good(&r, "ltl p { [] (x -> <> y) }\nltl { x U y && !x W (X y) <-> P[1]@L }\n"
                "byte x, y;\nactive proctype P() { L: x = 1 }\nltl q { always (eventually x "
                "implies y) }");
  assert_int_equal(r.model->formulas.n, 3);
  const struct promela_expr *p = r.model->formulas.at[0]->formula;
  assert_int_equal(p->kind, PROMELA_ALWAYS);
  assert_int_equal(p->a->kind, PROMELA_IMPLIES);
  assert_int_equal(p->a->b->kind, PROMELA_EVENTUALLY);
  assert_string_equal(r.model->formulas.at[1]->name, "ltl_1");
  const struct promela_expr *q = r.model->formulas.at[1]->formula;
  assert_int_equal(q->kind, PROMELA_EQUIVALENT);
  assert_int_equal(q->a->kind, PROMELA_AND);
  assert_int_equal(q->a->a->kind, PROMELA_UNTIL);
  assert_int_equal(q->a->b->kind, PROMELA_WEAK_UNTIL);
  assert_int_equal(q->b->kind, PROMELA_REMOTE_LABEL);
  assert_int_equal(r.model->formulas.at[2]->formula->a->kind, PROMELA_IMPLIES);
  close_reading(&r);
}

/* [] x == 1 speaks of x == 1; the sign is stronger than && all the same. */
static void test_formulas_of_values(void **state) {
  (void)state;
  struct reading r;
  read_good(&r, "byte x, y;\nactive proctype P() { x = 1 }\n"
                "ltl p { [] x == 1 && <> y + 1 > x }\nltl q { [] ! x U y | 1 }");
  const struct promela_expr *p = r.model->formulas.at[0]->formula;
  assert_int_equal(p->kind, PROMELA_AND);
  assert_int_equal(p->a->kind, PROMELA_ALWAYS);
  assert_int_equal(p->a->a->kind, PROMELA_EQ);
  assert_int_equal(p->b->kind, PROMELA_EVENTUALLY);
  assert_int_equal(p->b->a->kind, PROMELA_GT);
  const struct promela_expr *q = r.model->formulas.at[1]->formula;
  assert_int_equal(q->kind, PROMELA_UNTIL);
  assert_int_equal(q->a->kind, PROMELA_ALWAYS);
  assert_int_equal(q->a->a->kind, PROMELA_NOT);
  assert_int_equal(q->b->kind, PROMELA_BOR);
  close_reading(&r);
}

static void test_embedded_c(void **state) {
  (void)state;
  struct reading r;
  read_good(
      &r,
      "c_decl { typedef struct { int a; } S; }\nc_state \"S s\" \"Global\"\n"
      "c_track \"&s\" \"sizeof(S)\" \"Matched\"\n"
      "init { c_code [now.s.a > 1] { now.s.a = 'x' + \"}\"[0]; }\nc_expr { now.s.a == 1 } }");
  assert_int_equal(r.model->c_parts.n, 3);
  assert_string_equal(r.model->c_parts.at[1].text[1], "Global");
  assert_string_equal(r.model->c_parts.at[2].text[2], "Matched");
  assert_string_equal(body_of(&r, 0)->at[0]->precondition, "now.s.a > 1");
  assert_non_null(strstr(body_of(&r, 0)->at[0]->text, "now.s.a = 'x' + \"}\"[0];"));
  assert_int_equal(body_of(&r, 0)->at[1]->a->kind, PROMELA_C_EXPR);
  assert_true(r.model->uses_c_code);
  close_reading(&r);
}

static void test_condition(void **state) {
  (void)state;
  struct reading r;
  read_good(&r, "mtype = { a }; mtype m; active proctype P() { byte y; L: skip }");
  const char text[] = "m == a && !(P[0]@L && P[0]:y > 1)";
  const struct source *source = source_make(r.arena, "i", text, sizeof text - 1);
  assert_non_null(promela_read_condition(r.model, r.diag, source));
  source = source_make(r.arena, "i", "m == b", 6);
  assert_null(promela_read_condition(r.model, r.diag, source));
  source = source_make(r.arena, "i", "m == a)", 7);
  assert_null(promela_read_condition(r.model, r.diag, source));
  close_reading(&r);
}

/* ---- files ------------------------------------------------------------------------- */

static char *say_mistakes(const char *name, const char *text, size_t length) {
  struct reading r;
  read_bytes(&r, name, text, length);
  char *found = messages(&r);
  assert_null(r.model);
  close_reading(&r);
  return found;
}

static void test_mistakes(void **state) {
  (void)state;
  assert_true(golden_check("tests/promela/errors", ".pml", say_mistakes) >= 40);
}

/* ---- limits ------------------------------------------------------------------------- */

/* `before`, then `part` n times, then `after`: one clean error that says `wanted`. */
static void check_limit(const char *before, const char *part, uint32_t n, const char *after,
                        const char *wanted) {
  const size_t length = strlen(part);
  char *text = malloc(strlen(before) + length * n + strlen(after) + 1);
  assert_non_null(text);
  strcpy(text, before);
  char *at = text + strlen(before);
  for (uint32_t i = 0; i < n; i++, at += length)
    memcpy(at, part, length);
  strcpy(at, after);
  struct reading r;
  read_bytes(&r, "m.pml", text, strlen(text));
  assert_int_equal(diag_errors(r.diag), 1);
  char *said = messages(&r);
  require_in(said, wanted);
  free(said);
  close_reading(&r);
  free(text);
}

static void test_limits(void **state) {
  (void)state;
  check_limit("init { ", "{ ", 10000, "skip", "nested more than");
  check_limit("init { ", "if :: ", 10000, "skip", "nested more than");
  check_limit("byte x; init { x = ", "(", 10000, "1", "nested more than");
  check_limit("init { 1", " && 1", 10000, "}", "too many operators");
  check_limit("byte ", "a", 1000000, "; init { skip }", "at most 1000");
  check_limit("init { skip", "; skip", 1100000, "}", "more than 2097152 tokens");
  check_limit(
      "#define A x x x x x x x x\n#define B A A A A A A A A\n#define C B B B B B B B B\n"
      "#define D C C C C C C C C\n#define E D D D D D D D D\n#define F E E E E E E E E\n"
      "#define G F F F F F F F F\n#define H G G G G G G G G\ninit { ",
      "H ", 1, "}", "macros expand to more than");
  check_limit("#if ", "(", 10000, "1\n#endif", "nested too deep");
  check_limit("#define F(x) x\ninit { ", "F(", 1000, "1", "");
}

/* Bytes changed at random: an error or a tree, never anything else. */
static void test_random(void **state) {
  (void)state;
  static const char model[] =
      "#define N 2\nmtype = { m, n }; typedef T { byte a; bit b[2] }\nchan q = [N] of { mtype, "
      "T };\n"
      "inline f(x) { x = x + 1; if :: x > N -> x = 0 :: else fi }\nactive [N] proctype P() {\n"
      "  byte v; T t; do :: atomic { q!m(t); f(v) } :: q?eval(n),t -> t.b[v % 2] = 1\n"
      "  :: timeout -> break od unless { v == 9 }; end: (v -> 1 : 0) }\nltl l { [] (len(q) < "
      "2) }\n";
  uint64_t seed = 1;
  for (uint32_t i = 0; i < 3000; i++) {
    char text[sizeof model];
    memcpy(text, model, sizeof model);
    const uint64_t changes = 1 + bits_next_random(&seed) % 3;
    for (uint64_t k = 0; k < changes; k++) {
      const size_t at = bits_next_random(&seed) % (sizeof model - 1);
      text[at] = model[bits_next_random(&seed) % (sizeof model - 1)];
    }
    struct reading r;
    read_bytes(&r, "m.pml", text, sizeof model - 1);
    free(messages(&r));
    close_reading(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_macros),
      cmocka_unit_test(test_conditions),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_declarations),
      cmocka_unit_test(test_scopes),
      cmocka_unit_test(test_control),
      cmocka_unit_test(test_messages),
      cmocka_unit_test(test_inlines),
      cmocka_unit_test(test_expressions),
      cmocka_unit_test(test_formulas),
      cmocka_unit_test(test_formulas_of_values),
      cmocka_unit_test(test_embedded_c),
      cmocka_unit_test(test_condition),
      cmocka_unit_test(test_mistakes),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
