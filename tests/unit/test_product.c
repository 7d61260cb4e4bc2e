/* test_product.c - products of small systems and small automata, made at random, against the
 * definition.
 *
 * A system is a table of edges behind the door, an automaton a table of edges; the product is
 * worked out by two plain loops. Batches of every size, single events and left-out actions must
 * give the same, and the self-check must find no wrong fact.
 */
#include "ts/check.h"
#include "ts/list.h"
#include "ts/product.h"

#include "base/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { STATES = 6, ACTIONS = 3, PROPERTIES = 2, ATOMS = 2, EDGES = 40, FAULTY = 1 };

struct system_edge {
  uint32_t from, to;
  struct ts_event event;
  uint16_t kind;
};

struct system {
  struct ts ts;
  struct ts_shape shape;
  struct ts_code code;
  struct system_edge edge[EDGES]; /* ascending by state and event */
  uint32_t n_edges;
  bool holds[PROPERTIES][STATES];
  bool atom[1 + ATOMS][STATES]; /* the claim asks about all but the first */
  uint32_t faulty_state;        /* atom 2 has no value there; STATES: it has everywhere */
};

static const struct ts_slot slots[] = {{.variable = 0, .offset = 0, .bytes = 1, .bits = 3},
                                       {.variable = 1, .offset = 2, .bytes = 2, .bits = 9}};
static const struct ts_variable variables[] = {{.name = "s", .n_slots = 1},
                                               {.name = "t", .first_slot = 1, .n_slots = 1}};
static const struct ts_component components[] = {
    {.name = "all", .first_slot = 0, .n_slots = 2, .offset = 0, .bytes = 4}};
static const struct ts_property properties[PROPERTIES];
static const struct ts_fault faults[FAULTY] = {{.message = "fault"}};
static const struct ts_mover mover = {.component = 0, .text = "step"};
static const struct ts_action actions[ACTIONS] = {{1, &mover}, {1, &mover}, {1, &mover}};
static const uint32_t row_start[ACTIONS + 1] = {0, 2, 4, 6};
static const uint32_t row_item[] = {0, 1, 0, 1, 2, 2}; /* 2: the group of both */
static const uint32_t group_start[] = {0, 1};
static const struct ts_range group[] = {{0, 2}};

static void put_state(uint8_t *row, uint32_t state) {
  memset(row, 0, 8);
  row[0] = (uint8_t)state;
  row[2] = (uint8_t)(state * 70);
  row[3] = (uint8_t)(state * 70 >> 8);
}

static uint32_t initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  (void)ts;
  put_state(row, which);
  return 4;
}

static bool is_before(struct ts_event a, struct ts_event b) {
  return a.action < b.action || (a.action == b.action && a.choice < b.choice);
}

static int32_t successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                          struct ts_event *cursor, const uint64_t *skip, struct ts_batch *out) {
  const struct system *s = ts->self;
  assert_int_equal(length, 4);
  for (uint32_t i = 0; i < s->n_edges; i++) {
    const struct system_edge *e = &s->edge[i];
    if (e->from != state[0] || is_before(e->event, *cursor) ||
        (skip != NULL && (skip[0] >> e->event.action & 1) != 0))
      continue;
    if (out->n == out->capacity) {
      *cursor = e->event;
      return 1;
    }
    assert_true(out->stride >= 8);
    put_state(out->rows + out->n * out->stride, e->to);
    out->edge[out->n++] = (struct ts_edge){
        .event = e->event, .length = 4, .kind = e->kind, .changed = e->from != e->to};
  }
  return 0;
}

static uint32_t violated(const struct ts *ts, const uint8_t *state, uint32_t length,
                         uint32_t from, uint32_t *fault) {
  const struct system *s = ts->self;
  (void)length;
  *fault = TS_NONE;
  while (from < PROPERTIES && s->holds[from][state[0]])
    from++;
  return from;
}

static uint64_t letter(const struct ts *ts, const uint8_t *state, uint32_t length,
                       uint32_t first, uint32_t n, uint32_t *fault) {
  const struct system *s = ts->self;
  uint64_t found = 0;
  (void)length;
  *fault = TS_NONE;
  for (uint32_t i = 0; i < n; i++) {
    const bool faulty = first + i == 2 && state[0] == s->faulty_state;
    found |= (uint64_t)(s->atom[first + i][state[0]] && !faulty) << i;
    *fault = faulty ? 0 : *fault;
  }
  return found;
}

static uint32_t below(uint64_t *random, uint32_t n) {
  return (uint32_t)(bits_next_random(random) % n);
}

static void make_system(struct system *s, uint64_t *random) {
  memset(s, 0, sizeof *s);
  for (uint32_t from = 0; from < STATES; from++)
    for (uint32_t a = 0; a < ACTIONS; a++) {
      const uint32_t n = below(random, 4) == 0 ? below(random, 4) : below(random, 2);
      for (uint32_t c = 0; c < n && s->n_edges < EDGES; c++)
        s->edge[s->n_edges++] =
            (struct system_edge){from,
                                 below(random, STATES),
                                 {a, 3 * c + below(random, 3)},
                                 (uint16_t)(below(random, 8) == 0 ? TS_ASSERTION : TS_FINE)};
    }
  for (uint32_t i = 0; i < PROPERTIES; i++)
    for (uint32_t k = 0; k < STATES; k++)
      s->holds[i][k] = below(random, 6) != 0;
  for (uint32_t i = 0; i <= ATOMS; i++)
    for (uint32_t k = 0; k < STATES; k++)
      s->atom[i][k] = below(random, 2) != 0;
  s->faulty_state = below(random, 2 * STATES);
  s->shape = (struct ts_shape){.name = "system",
                               .max_bytes = 4,
                               .fixed_length = true,
                               .n_initial = 2,
                               .n_variables = 2,
                               .n_slots = 2,
                               .n_components = 1,
                               .n_actions = ACTIONS,
                               .n_properties = PROPERTIES,
                               .n_atoms = 1 + ATOMS,
                               .n_faults = FAULTY,
                               .most_events = 12,
                               .variable = variables,
                               .slot = slots,
                               .component = components,
                               .action = actions,
                               .property = properties,
                               .fault = faults,
                               .reads = {row_start, row_item},
                               .writes = {row_start, row_item},
                               .n_groups = 1,
                               .group_start = group_start,
                               .group = group,
                               .deadlock_is_error = true};
  s->code = (struct ts_code){.abi = TS_ABI,
                             .initial = initial,
                             .successors = successors,
                             .violated = violated,
                             .letter = letter};
  s->ts.shape = &s->shape;
  s->ts.self = s;
  atomic_init(&s->ts.code, &s->code);
}

/* ---- the automaton ---------------------------------------------------------------------- */

struct table {
  struct claim automaton;
  struct claim_edge edge[EDGES];
  struct claim_cube cube[EDGES][2];
  uint32_t first[STATES + 1];
  uint8_t is_error[STATES];
};

static const struct ts_fault claim_faults[] = {{.message = "first"}, {.message = "second"}};

static void make_table(struct table *c, uint64_t *random) {
  memset(c, 0, sizeof *c);
  const uint32_t n = 1 + below(random, STATES);
  uint32_t edges = 0;
  for (uint32_t s = 0; s < n; s++) {
    c->first[s] = edges;
    for (uint32_t k = below(random, 6); k > 0 && edges < EDGES; k--, edges++) {
      for (int i = 0; i < 2; i++) {
        const uint64_t yes = below(random, 4);
        c->cube[edges][i] = (struct claim_cube){yes, below(random, 4) & ~yes};
      }
      c->edge[edges] = (struct claim_edge){s,
                                           below(random, n),
                                           below(random, 4),
                                           c->cube[edges],
                                           below(random, 3),
                                           below(random, 4) == 0 ? 1 + below(random, 2) : 0,
                                           0};
    }
  }
  c->first[n] = edges;
  c->automaton = (struct claim){.n_states = n,
                                .initial = below(random, n),
                                .n_marks = 2,
                                .edge = c->edge,
                                .first = c->first,
                                .n_atoms = ATOMS,
                                .first_atom = 1,
                                .n_faults = 2,
                                .fault = claim_faults};
  for (uint32_t s = 0; s < n; s++)
    c->is_error[s] = below(random, 4) == 0;
  if (below(random, 2) == 0)
    c->automaton.is_error = c->is_error;
}

static bool is_readable(const struct system *s, const struct claim_edge *e, uint32_t state) {
  const bool p = s->atom[1][state], q = s->atom[2][state];
  const uint64_t letter = (p ? 1u : 0u) | (q ? 2u : 0u);
  for (uint32_t i = 0; i < e->n_cubes; i++)
    if ((e->cube[i].yes & ~letter) == 0 && (e->cube[i].no & letter) == 0)
      return true;
  return false;
}

/* ---- the definition --------------------------------------------------------------------- */

struct expected {
  struct ts_event event;
  uint32_t state, claim;
  uint16_t kind;
  uint32_t fault;
  uint64_t marks;
};

static uint32_t most_edges(const struct table *c) {
  uint32_t most = 1;
  for (uint32_t s = 0; s < c->automaton.n_states; s++)
    most = c->first[s + 1] - c->first[s] > most ? c->first[s + 1] - c->first[s] : most;
  return most;
}

static uint32_t expect(const struct system *s, const struct table *c, uint32_t state,
                       uint32_t claim, struct expected *out) {
  uint32_t n = 0;
  bool ended = true;
  if (state == s->faulty_state) {
    out[0] = (struct expected){.event = {ACTIONS, 0}, .kind = TS_MODEL_ERROR};
    return 1;
  }
  for (uint32_t i = 0; i <= s->n_edges; i++) {
    struct system_edge stays = {state, state, {ACTIONS, 0}, TS_FINE};
    const struct system_edge *e = i < s->n_edges ? &s->edge[i] : &stays;
    if (e->from != state || (i == s->n_edges && !ended))
      continue;
    ended = false;
    for (uint32_t k = c->first[claim]; k < c->first[claim + 1]; k++) {
      if (!is_readable(s, &c->edge[k], state))
        continue;
      const uint32_t fails = e->kind == TS_MODEL_ERROR ? 0 : c->edge[k].fault;
      out[n++] = (struct expected){
          {e->event.action, e->event.choice * most_edges(c) + k - c->first[claim]},
          e->to,
          c->edge[k].to,
          fails > 0 ? TS_ASSERTION : e->kind,
          fails > 0 ? FAULTY + fails - 1 : 0,
          c->edge[k].marks};
    }
  }
  return n;
}

static void compare(const struct ts *product, const uint8_t *from, const struct ts_edge *edge,
                    const uint8_t *row, const struct expected *want) {
  uint8_t state[16] = {0};
  state[0] = (uint8_t)want->claim;
  put_state(state + 8, want->state);
  assert_int_equal(edge->event.action, want->event.action);
  assert_int_equal(edge->event.choice, want->event.choice);
  assert_int_equal(edge->kind, want->kind);
  assert_int_equal(edge->fault, want->fault);
  if (want->kind == TS_MODEL_ERROR)
    return;
  assert_int_equal(edge->length, 12);
  assert_memory_equal(row, state, 16);
  assert_true(ts_product_state(row) == want->claim && ts_product_system(row)[0] == want->state);
  assert_int_equal(ts_code(product)->marks(product, from, 12, edge->event), want->marks);
  const uint64_t changed =
      (want->claim != ts_product_state(from) ? 1u : 0u) | (want->state != from[8] ? 2u : 0u);
  assert_int_equal(edge->changed, changed);
}

/* All successors, by batches of this capacity. */
static uint32_t ask(const struct ts *product, const uint8_t *state, uint32_t capacity,
                    const uint64_t *skip, struct ts_edge *edge, uint8_t *rows) {
  struct ts_event cursor = {0, 0};
  uint32_t n = 0;
  for (int32_t answer = 1; answer == 1;) {
    struct ts_batch out = {
        .edge = edge + n, .rows = rows + 16 * (size_t)n, .stride = 16, .capacity = capacity};
    memset(out.rows, 0xa5, 16 * (size_t)capacity);
    answer = ts_code(product)->successors(product, state, 12, &cursor, skip, &out);
    assert_true(out.n <= capacity && (answer == 0 || out.n == capacity));
    n += out.n;
  }
  return n;
}

enum { ROOM = 200 };

static void try_state(const struct system *s, const struct table *c, const struct ts *product,
                      uint32_t system, uint32_t claim) {
  struct expected want[ROOM];
  struct ts_edge edge[2 * ROOM];
  static uint8_t rows[2 * ROOM * 16];
  uint8_t state[16] = {0};
  state[0] = (uint8_t)claim;
  put_state(state + 8, system);
  const uint32_t n = expect(s, c, system, claim, want);
  static const uint32_t capacity[] = {1, 2, 3, 5, 7, 64, ROOM};
  for (size_t k = 0; k < sizeof capacity / sizeof capacity[0]; k++) {
    assert_int_equal(ask(product, state, capacity[k], NULL, edge, rows), n);
    for (uint32_t i = 0; i < n; i++)
      compare(product, state, &edge[i], rows + 16 * (size_t)i, &want[i]);
  }
  for (uint32_t i = 0; i < n; i++) {
    assert_true(ts_fire(product, state, 12, want[i].event, edge, rows));
    compare(product, state, edge, rows, &want[i]);
  }
  for (uint64_t skip = 1; skip < 16; skip++) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++)
      left += (skip >> want[i].event.action & 1) == 0;
    assert_int_equal(ask(product, state, 3, &skip, edge, rows), left);
  }
}

/* The system's come first, then that the claim is in a state that is an error. */
static void try_properties(const struct system *s, const struct table *c,
                           const struct ts *product, uint32_t system, uint32_t claim) {
  uint8_t state[16] = {0};
  uint32_t fault = 7;
  state[0] = (uint8_t)claim;
  put_state(state + 8, system);
  const bool has = c->automaton.is_error != NULL;
  assert_int_equal(product->shape->n_properties, PROPERTIES + has);
  for (uint32_t from = 0; from <= PROPERTIES; from++) {
    uint32_t want = from;
    while (want < PROPERTIES && s->holds[want][system])
      want++;
    if (want == PROPERTIES && !(has && c->is_error[claim]))
      want = PROPERTIES + has;
    assert_int_equal(ts_code(product)->violated(product, state, 12, from, &fault), want);
    assert_int_equal(fault, TS_NONE);
  }
}

static void check_facts(const struct ts *product, struct budget *budget, uint64_t *random) {
  struct ts *check = ts_check_open(product, budget);
  struct list list;
  assert_true(check != NULL && list_open(&list, product->shape, 64, budget));
  for (uint32_t walk = 0; walk < 4; walk++) {
    uint8_t row[16] = {0};
    uint32_t length = ts_code(check)->initial(check, walk % 2, row);
    for (uint32_t step = 0; step < 20; step++) {
      assert_true(list_fill(&list, check, ts_code(check), row, length, NULL));
      if (list.batch.n == 0 || list.batch.edge[0].kind == TS_MODEL_ERROR)
        break;
      memcpy(row, list_row(&list, below(random, list.batch.n)), sizeof row);
    }
  }
  if (ts_check_complaint(check) != NULL)
    fail_msg("%s", ts_check_complaint(check));
  list_free(&list);
  ts_check_close(check);
}

static void test_random_products(void **state) {
  (void)state;
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  for (uint64_t seed = 0; seed < 300; seed++) {
    uint64_t random = seed;
    struct system s;
    struct table c;
    const char *why;
    make_system(&s, &random);
    make_table(&c, &random);
    struct ts *product = ts_product_open(&s.ts, &c.automaton, budget, &why);
    assert_non_null(product);
    for (uint32_t i = 0; i < STATES; i++) {
      for (uint32_t k = 0; k < c.automaton.n_states; k++) {
        try_properties(&s, &c, product, i, k);
        try_state(&s, &c, product, i, k);
      }
    }
    check_facts(product, budget, &random);
    ts_product_close(product);
  }
  budget_close(budget);
}

static void test_shape(void **state) {
  (void)state;
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  uint64_t random = 5;
  struct system s;
  struct table c;
  const char *why;
  make_system(&s, &random);
  make_table(&c, &random);
  struct ts *product = ts_product_open(&s.ts, &c.automaton, budget, &why);
  const struct ts_shape *shape = product->shape;
  char name[40];
  assert_true(shape->n_slots == 3 && shape->n_actions == ACTIONS + 1 && shape->max_bytes == 12);
  assert_false(shape->deadlock_is_error);
  ts_slot_name(shape, 0, name, sizeof name);
  assert_string_equal(name, "claim");
  ts_slot_name(shape, 2, name, sizeof name);
  assert_string_equal(name, "t");
  assert_true(shape->slot[2].offset == 10 && shape->action[0].mover[0].component == 1);
  uint8_t row[16] = {0};
  assert_int_equal(ts_code(product)->initial(product, 1, row), 12);
  assert_true(ts_product_state(row) == c.automaton.initial && ts_product_system(row)[0] == 1);
  const uint64_t hash = shape->model_hash;
  c.edge[0].marks ^= 1;
  struct ts *other = ts_product_open(&s.ts, &c.automaton, budget, &why);
  assert_true(other->shape->model_hash != hash);
  ts_product_close(other);
  ts_product_close(product);
  budget_close(budget);
}

/* Out of memory at any request: NULL, and nothing is lost. */
static void test_memory(void **state) {
  (void)state;
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  uint64_t random = 9;
  struct system s;
  struct table c;
  const char *why;
  make_system(&s, &random);
  make_table(&c, &random);
  const uint64_t before = budget_used_all(budget);
  for (uint64_t n = 1; n < 10; n++) {
    budget_fail_after(budget, n);
    struct ts *product = ts_product_open(&s.ts, &c.automaton, budget, &why);
    budget_fail_after(budget, 0);
    ts_product_close(product);
    assert_int_equal(budget_used_all(budget), before);
    if (n == 1)
      assert_null(product);
  }
  static struct claim_edge many[PRODUCT_EDGES + 1];
  const uint32_t first[] = {0, PRODUCT_EDGES + 1};
  const struct claim wide = {.n_states = 1, .edge = many, .first = first};
  assert_null(ts_product_open(&s.ts, &wide, budget, &why));
  assert_string_equal(why, "a state of the automaton has more than 1024 edges");
  budget_close(budget);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_products),
      cmocka_unit_test(test_shape),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
