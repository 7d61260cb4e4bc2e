/* test_ir.c - layout, actions, read and write sets, ranges of the checked model.
 *
 * One small model by hand, with everything in it whose place can be said
 * beforehand, and random models for what must hold of all.
 */
#include "ir_random.h"

#include "base/bits.h"
#include "ts/sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct ir_type byte_type = {.name = "byte", .bits = 8, .is_signed = false};
static const struct ir_type int_type = {.name = "int", .bits = 16, .is_signed = true};

/* byte b; int a[3]; const byte k[2]; channel c {byte, int}[2]; channel r[0];
 * P: int x; locations p, q; p -> q c!b,x; q -> p r!
 * Q: 300 locations; 0 -> 1 guard a[1] == 2 effect a[b] = 3; 1 -> 0 r?; 2 -> 0 r? */
struct sample {
  struct ir_variable b, a, k, x, *globals[3], *locals[1];
  struct ir_channel c, r, *channels[2];
  const struct ir_type *fields[2];
  struct ir_expr use_b, use_x, one, two, three, at_one, at_b, equal, *values[2];
  struct ir_effect effect;
  struct ir_location p_locations[2], q_locations[300];
  struct ir_edge p_edges[2], q_edges[3];
  struct ir_process p, q, *processes[2];
  struct ir_model model;
};

static void make_expressions(struct sample *s) {
  s->use_b = (struct ir_expr){.kind = IR_VARIABLE, .variable = &s->b};
  s->use_x = (struct ir_expr){.kind = IR_VARIABLE, .variable = &s->x};
  s->one = (struct ir_expr){.kind = IR_CONST, .value = 1};
  s->two = (struct ir_expr){.kind = IR_CONST, .value = 2};
  s->three = (struct ir_expr){.kind = IR_CONST, .value = 3};
  s->at_one = (struct ir_expr){.kind = IR_ELEMENT, .variable = &s->a, .a = &s->one};
  s->at_b = (struct ir_expr){.kind = IR_ELEMENT, .variable = &s->a, .a = &s->use_b};
  s->equal = (struct ir_expr){.kind = IR_EQ, .a = &s->at_one, .b = &s->two};
  s->values[0] = &s->use_b;
  s->values[1] = &s->use_x;
  s->effect = (struct ir_effect){.target = &s->at_b, .value = &s->three};
}

static void make_processes(struct sample *s) {
  s->p_locations[0].name = "p";
  s->p_locations[1].name = "q";
  for (uint32_t i = 0; i < 300; i++)
    s->q_locations[i].name = "l";
  s->p_edges[0] = (struct ir_edge){.from = 0,
                                   .to = 1,
                                   .sync = IR_SEND,
                                   .channel = &s->c,
                                   .n_values = 2,
                                   .value = s->values,
                                   .late = true};
  s->p_edges[1] = (struct ir_edge){.from = 1, .to = 0, .sync = IR_SEND, .channel = &s->r};
  s->q_edges[0] = (struct ir_edge){.from = 2, .to = 0, .sync = IR_RECEIVE, .channel = &s->r};
  s->q_edges[1] = (struct ir_edge){.from = 1, .to = 0, .sync = IR_RECEIVE, .channel = &s->r};
  s->q_edges[2] = (struct ir_edge){
      .from = 0, .to = 1, .guard = &s->equal, .n_effects = 1, .effect = &s->effect};
  s->p = (struct ir_process){.name = "P",
                             .index = 0,
                             .n_variables = 1,
                             .variable = s->locals,
                             .n_locations = 2,
                             .location = s->p_locations,
                             .n_edges = 2,
                             .edge = s->p_edges};
  s->q = (struct ir_process){.name = "Q",
                             .index = 1,
                             .n_locations = 300,
                             .location = s->q_locations,
                             .n_edges = 3,
                             .edge = s->q_edges};
  s->processes[0] = &s->p;
  s->processes[1] = &s->q;
}

static void make_sample(struct sample *s, struct arena *arena) {
  memset(s, 0, sizeof *s);
  s->b = (struct ir_variable){.name = "b", .type = &byte_type, .length = 1};
  s->a = (struct ir_variable){.name = "a", .type = &int_type, .length = 3, .is_array = true};
  s->k = (struct ir_variable){
      .name = "k", .type = &byte_type, .length = 2, .is_array = true, .is_const = true};
  s->x = (struct ir_variable){.name = "x", .type = &int_type, .length = 1, .owner = &s->p};
  s->globals[0] = &s->b;
  s->globals[1] = &s->k;
  s->globals[2] = &s->a;
  s->locals[0] = &s->x;
  s->fields[0] = &byte_type;
  s->fields[1] = &int_type;
  s->c = (struct ir_channel){
      .name = "c", .capacity = 2, .n_fields = 2, .field = s->fields, .typed = true, .index = 0};
  s->r = (struct ir_channel){.name = "r", .index = 1};
  s->channels[0] = &s->c;
  s->channels[1] = &s->r;
  make_expressions(s);
  make_processes(s);
  s->model = (struct ir_model){.arena = arena,
                               .name = "m",
                               .n_globals = 3,
                               .global = s->globals,
                               .n_channels = 2,
                               .channel = s->channels,
                               .n_processes = 2,
                               .process = s->processes};
}

struct opened {
  struct budget *budget;
  struct arena *arena;
};

static struct opened open_arena(void) {
  struct opened o = {.budget = budget_open(0)};
  o.arena = arena_open(o.budget, BUDGET_MODEL);
  return o;
}

static void close_arena(struct opened o) {
  arena_close(o.arena);
  budget_close(o.budget);
}

/* ---- layout ----------------------------------------------------------------------- */

static void test_layout(void **unused) {
  (void)unused;
  struct opened o = open_arena();
  struct sample s;
  const char *why = NULL;
  make_sample(&s, o.arena);
  struct ts_shape *shape = ir_layout(&s.model, &why);
  assert_non_null(shape);
  /* globals: a at 0, b at 6; P: x at 8, location at 10; Q: location (two bytes) at
   * 12; c: ints at 14, bytes at 18, count at 20 */
  assert_int_equal(s.a.offset, 0);
  assert_int_equal(s.b.offset, 6);
  assert_int_equal(s.x.offset, 8);
  assert_int_equal(s.p.location_offset, 10);
  assert_int_equal(s.q.location_offset, 12);
  assert_int_equal(s.q.location_bytes, 2);
  assert_int_equal(ir_channel_cell(&s.c, 1, 1).offset, 16);
  assert_int_equal(ir_channel_cell(&s.c, 1, 0).offset, 19);
  assert_int_equal(s.c.count_offset, 20);
  assert_int_equal(shape->max_bytes, 21);
  assert_int_equal(shape->n_components, 4);
  assert_int_equal(shape->n_slots, 4 + 2 + 1 + 5);
  assert_int_equal(shape->slot[s.q.location_slot].bits, 9);
  assert_int_equal(shape->slot[s.p.location_slot].bits, 1);
  assert_string_equal(shape->variable[s.x.variable].name, "P.x");
  const struct ts_variable *location =
      &shape->variable[shape->slot[s.p.location_slot].variable];
  assert_string_equal(location->name, "P");
  assert_string_equal(location->values[1], "q");
  close_arena(o);
}

/* Slots do not overlap, are aligned, and are inside their components. */
static void check_shape(const struct ts_shape *shape) {
  uint8_t *used = calloc(1, shape->max_bytes);
  assert_non_null(used);
  for (uint32_t c = 0, slot = 0; c < shape->n_components; c++) {
    const struct ts_component *component = &shape->component[c];
    assert_int_equal(component->first_slot, slot);
    for (slot = 0; slot < component->n_slots; slot++) {
      const struct ts_slot *s = &shape->slot[component->first_slot + slot];
      assert_int_equal(s->offset % s->bytes, 0);
      assert_true(s->bits <= 8 * s->bytes);
      assert_true(s->offset >= component->offset);
      assert_true(s->offset + s->bytes <= component->offset + component->bytes);
      for (uint32_t i = 0; i < s->bytes; i++)
        assert_int_equal(used[s->offset + i]++, 0);
    }
    slot = component->first_slot + component->n_slots;
  }
  free(used);
}

static void test_random_layout(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    struct opened o = open_arena();
    const char *why = NULL;
    struct ir_model *m = random_model(o.arena, seed);
    struct ts_shape *shape = ir_layout(m, &why);
    assert_non_null(shape);
    check_shape(shape);
    close_arena(o);
  }
}

static void test_too_long(void **unused) {
  (void)unused;
  static const uint32_t lengths[] = {TS_MAX_BYTES / 2, TS_MAX_BYTES, UINT32_MAX};
  for (uint32_t i = 0; i < 3; i++) {
    struct opened o = open_arena();
    struct sample s;
    const char *why = NULL;
    make_sample(&s, o.arena);
    s.a.length = lengths[i];
    assert_null(ir_layout(&s.model, &why));
    assert_non_null(strstr(why, "longer than"));
    make_sample(&s, o.arena);
    s.c.capacity = lengths[i];
    assert_null(ir_layout(&s.model, &why));
    close_arena(o);
  }
}

/* ---- actions and sets ------------------------------------------------------------------ */

static void test_actions(void **unused) {
  (void)unused;
  struct opened o = open_arena();
  struct sample s;
  const char *why = NULL;
  make_sample(&s, o.arena);
  struct ts_shape *shape = ir_layout(&s.model, &why);
  const struct ir_actions *actions = ir_actions(&s.model, &why);
  assert_non_null(actions);
  assert_int_equal(actions->n, 4);
  assert_ptr_equal(actions->at[0].move[0].edge, &s.p_edges[0]);
  assert_int_equal(actions->at[1].n_moves, 2);
  assert_ptr_equal(actions->at[1].move[1].edge, &s.q_edges[0]);
  assert_ptr_equal(actions->at[2].move[1].edge, &s.q_edges[1]);
  assert_ptr_equal(actions->at[3].move[0].edge, &s.q_edges[2]);
  ir_access(&s.model, actions, shape);
  assert_int_equal(shape->most_events, 2);
  assert_int_equal(shape->action[1].n_movers, 2);
  assert_string_equal(shape->action[1].mover[0].from, "q");
  assert_string_equal(shape->action[0].mover[0].text, "c!b, P.x");
  assert_string_equal(shape->action[3].mover[0].text, "a[1] == 2; a[b] = 3");
  assert_true(sets_have(shape, &shape->reads, 0, s.b.first_slot));
  assert_true(sets_have(shape, &shape->reads, 0, s.c.count_slot));
  assert_true(sets_have(shape, &shape->writes, 0, s.c.count_slot));
  assert_false(sets_have(shape, &shape->writes, 0, s.x.first_slot));
  assert_true(sets_have(shape, &shape->reads, 3, s.a.first_slot + 1));
  assert_true(sets_have(shape, &shape->writes, 3, s.a.first_slot + 2));
  assert_true(sets_have(shape, &shape->reads, 3, s.b.first_slot));
  assert_false(sets_have(shape, &shape->writes, 3, s.b.first_slot));
  assert_true(sets_have(shape, &shape->writes, 1, s.q.location_slot));
  close_arena(o);
}

/* A committed sender never meets a receiver that is not. */
static void test_committed(void **unused) {
  (void)unused;
  struct opened o = open_arena();
  struct sample s;
  const char *why = NULL;
  make_sample(&s, o.arena);
  s.p_locations[1].flags = IR_COMMITTED;
  s.q_locations[2].flags = IR_COMMITTED;
  struct ts_shape *shape = ir_layout(&s.model, &why);
  const struct ir_actions *actions = ir_actions(&s.model, &why);
  assert_int_equal(actions->n, 3);
  assert_ptr_equal(actions->at[1].move[1].edge, &s.q_edges[0]);
  ir_access(&s.model, actions, shape);
  assert_true(sets_have(shape, &shape->reads, 2, s.p.location_slot));
  close_arena(o);
}

static void test_too_many_actions(void **unused) {
  (void)unused;
  struct opened o = open_arena();
  struct sample s;
  const char *why = NULL;
  make_sample(&s, o.arena);
  uint32_t n = 1100;
  struct ir_edge *send = calloc(n, sizeof *send), *receive = calloc(n, sizeof *receive);
  assert_true(send && receive);
  for (uint32_t i = 0; i < n; i++) {
    send[i] = s.p_edges[1];
    receive[i] = s.q_edges[0];
  }
  s.p.edge = send;
  s.q.edge = receive;
  s.p.n_edges = s.q.n_edges = n;
  assert_null(ir_actions(&s.model, &why));
  assert_non_null(strstr(why, "actions"));
  free(send);
  free(receive);
  close_arena(o);
}

/* ---- ranges -------------------------------------------------------------------------------
 */

static void check_range(const struct ir_expr *e, const uint8_t *row) {
  bool fault = false;
  if (!e)
    return;
  int32_t value = slow_value(e, row, &fault);
  struct ir_range r = ir_range(e);
  if (!fault)
    assert_true(value >= r.low && value <= r.high);
  check_range(e->a, row);
  check_range(e->b, row);
  check_range(ir_third(e), row);
}

static void fill_slot(uint8_t *row, const struct ts_slot *s, uint64_t value) {
  if (!s->bits)
    return;
  value <<= 64 - s->bits;
  value = s->is_signed ? (uint64_t)((int64_t)value >> (64 - s->bits)) : value >> (64 - s->bits);
  for (uint32_t k = 0; k < s->bytes; k++)
    row[s->offset + k] = (uint8_t)(value >> (8 * k));
}

/* Values that the types allow; counts are no larger than their channels. */
static void fill_state(uint8_t *row, const struct ir_model *m, const struct ts_shape *shape,
                       uint64_t *random) {
  for (uint32_t i = 0; i < shape->n_slots; i++)
    fill_slot(row, &shape->slot[i], bits_next_random(random));
  for (uint32_t c = 0; c < m->n_channels; c++)
    if (m->channel[c]->capacity) {
      uint8_t *count = &row[m->channel[c]->count_offset];
      *count = (uint8_t)(*count % (m->channel[c]->capacity + 1));
    }
}

static void check_ranges(const struct ir_process *p, const uint8_t *row) {
  for (uint32_t i = 0; i < p->n_edges; i++) {
    check_range(p->edge[i].guard, row);
    for (uint32_t k = 0; k < p->edge[i].n_effects; k++)
      check_range(p->edge[i].effect[k].value, row);
  }
}

/* Any value that the types allow is within the range. */
static void test_ranges(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    struct opened o = open_arena();
    const char *why = NULL;
    struct ir_model *m = random_model(o.arena, seed);
    struct ts_shape *shape = ir_layout(m, &why);
    uint64_t random = seed;
    uint8_t *row = calloc(1, shape->max_bytes);
    assert_non_null(row);
    for (uint32_t round = 0; round < 20; round++) {
      fill_state(row, m, shape, &random);
      for (uint32_t p = 0; p < m->n_processes; p++)
        check_ranges(m->process[p], row);
    }
    free(row);
    close_arena(o);
  }
}

/* ---- constants -----------------------------------------------------------------------------
 */

static void check_fold(enum ir_expr_kind kind, int32_t a, int32_t b, int32_t want) {
  int32_t value = ~want;
  assert_true(ir_fold(kind, a, b, &value));
  assert_int_equal(value, want);
}

/* The corners of 32 bits, which C leaves undefined. */
static void test_fold(void **unused) {
  (void)unused;
  int32_t value;
  check_fold(IR_DIV, INT32_MIN, -1, INT32_MIN);
  check_fold(IR_MOD, INT32_MIN, -1, 0);
  check_fold(IR_DIV, -7, 2, -3);
  check_fold(IR_MOD, -7, 2, -1);
  check_fold(IR_NEG, INT32_MIN, 0, INT32_MIN);
  check_fold(IR_ADD, INT32_MAX, 1, INT32_MIN);
  check_fold(IR_SUB, INT32_MIN, 1, INT32_MAX);
  check_fold(IR_MUL, 65536, 65536, 0);
  check_fold(IR_SHL, -1, 31, INT32_MIN);
  check_fold(IR_SHR, INT32_MIN, 31, -1);
  check_fold(IR_IMPLY, 0, 0, 1);
  check_fold(IR_IMPLY, 5, 0, 0);
  assert_false(ir_fold(IR_DIV, 1, 0, &value));
  assert_false(ir_fold(IR_MOD, 1, 0, &value));
  assert_false(ir_fold(IR_SHL, 1, 32, &value));
  assert_false(ir_fold(IR_SHL, 1, -1, &value));
  assert_false(ir_fold(IR_SHR, 1, INT32_MIN, &value));
  assert_false(ir_fold(IR_SHR, 1, INT32_MAX, &value));
  assert_false(ir_fold(IR_COND, 1, 1, &value));
}

/* ---- texts ---------------------------------------------------------------------------------
 */

static void test_text(void **unused) {
  (void)unused;
  struct opened o = open_arena();
  struct sample s;
  make_sample(&s, o.arena);
  struct ir_expr sum = {.kind = IR_ADD, .a = &s.use_b, .b = &s.one};
  struct ir_expr product = {.kind = IR_MUL, .a = &sum, .b = &s.two};
  struct ir_expr difference = {.kind = IR_SUB, .a = &s.use_x, .b = &sum};
  struct ir_expr at = {.kind = IR_AT, .process = &s.p, .location = 1};
  struct ir_expr no = {.kind = IR_NOT, .a = &at};
  struct ir_expr both = {.kind = IR_AND, .a = &no, .b = &s.equal};
  assert_string_equal(ir_expr_text(o.arena, &product), "(b + 1) * 2");
  assert_string_equal(ir_expr_text(o.arena, &difference), "P.x - (b + 1)");
  assert_string_equal(ir_expr_text(o.arena, &both), "!P.q && a[1] == 2");
  close_arena(o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layout),    cmocka_unit_test(test_random_layout),
      cmocka_unit_test(test_too_long),  cmocka_unit_test(test_actions),
      cmocka_unit_test(test_committed), cmocka_unit_test(test_too_many_actions),
      cmocka_unit_test(test_ranges),    cmocka_unit_test(test_text),
      cmocka_unit_test(test_fold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
