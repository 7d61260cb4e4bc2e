/* test_ways.c - claims with variables of their own, made at random, against the definition.
 *
 * A state of the system is two bytes: its own, which its events change, and one that only the
 * claim changes. The claim has places where it stops and others that it leaves at once; the
 * ways of one step are worked out by plain recursion. Batches of every size, single events and
 * left-out actions must give the same, and the self-check must find no wrong fact.
 */
#include "ts/check.h"
#include "ts/list.h"
#include "ts/product.h"

#include "base/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum {
  STATES = 4,
  VALUES = 4,
  ACTIONS = 2,
  ATOMS = 3,
  EDGES = 64,
  ROOM = 400,
  STOPS = 3,
  PASSES = 3
};

struct system {
  struct ts ts;
  struct ts_shape shape;
  struct ts_code code;
  uint8_t to[STATES][ACTIONS]; /* STATES: the action is not enabled */
};

struct table {
  struct claim claim;
  struct claim_edge edge[EDGES];
  struct claim_cube cube[EDGES];
  uint32_t first[STOPS + PASSES + 1];
};

static const struct ts_slot slots[] = {{.variable = 0, .offset = 0, .bytes = 1, .bits = 8},
                                       {.variable = 1, .offset = 4, .bytes = 1, .bits = 8}};
static const struct ts_variable variables[] = {
    {.name = "s", .n_slots = 1}, {.name = "v", .component = 1, .first_slot = 1, .n_slots = 1}};
static const struct ts_component components[] = {
    {.name = "s", .n_slots = 1, .bytes = 1},
    {.name = "v", .first_slot = 1, .n_slots = 1, .offset = 4, .bytes = 1}};
static const struct ts_mover mover = {.component = 0, .text = "step"};
static const struct ts_action actions[ACTIONS] = {{1, &mover}, {1, &mover}};
static const uint32_t row_start[] = {0, 1, 2}, row_item[] = {0, 0};
static const uint32_t change_start[] = {0, 1, 2, 3}, change_item[] = {1, 1, 1};
static const struct ts_fault system_faults[] = {{.message = "no value"}};
static const struct ts_fault claim_faults[] = {
    {.message = "first"}, {.message = "second"}, {.message = "many"}, {.message = "long"}};

/* ---- the system ------------------------------------------------------------------------- */

static uint32_t initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  (void)ts;
  (void)which;
  row[0] = row[4] = 0;
  return 8;
}

static int32_t successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                          struct ts_event *cursor, const uint64_t *skip, struct ts_batch *out) {
  const struct system *s = ts->self;
  for (uint32_t a = cursor->action; a < ACTIONS; a++) {
    if (s->to[state[0]][a] == STATES || (skip != NULL && (skip[0] >> a & 1) != 0))
      continue;
    if (out->n == out->capacity) {
      *cursor = (struct ts_event){a, 0};
      return 1;
    }
    uint8_t *row = out->rows + (size_t)out->n * out->stride;
    memcpy(row, state, 8);
    row[0] = s->to[state[0]][a];
    out->edge[out->n++] =
        (struct ts_edge){.event = {a, 0}, .length = length, .changed = row[0] != state[0]};
  }
  return 0;
}

static uint32_t violated(const struct ts *ts, const uint8_t *state, uint32_t length,
                         uint32_t from, uint32_t *fault) {
  (void)ts;
  (void)state;
  (void)length;
  *fault = TS_NONE;
  return from;
}

/* Atoms: the state is odd; the value is odd; the value is at least 2. */
static uint64_t letter_of(uint32_t state, uint32_t value) {
  return (uint64_t)(state & 1) | (uint64_t)(value & 1) << 1 | (uint64_t)(value >= 2) << 2;
}

static uint64_t letter(const struct ts *ts, const uint8_t *state, uint32_t length,
                       uint32_t first, uint32_t n, uint32_t *fault) {
  (void)ts;
  (void)length;
  assert_true(first == 0 && n == ATOMS);
  *fault = TS_NONE;
  return letter_of(state[0], state[4]);
}

/* The value goes up, becomes 0, or the state's; up from 3 there is none. */
static bool changed_value(uint32_t change, uint32_t state, uint32_t *value) {
  *value = change == 0 ? *value + 1 : change == 1 ? 0 : state;
  return *value < VALUES;
}

static uint32_t change(const struct ts *ts, uint8_t *state, uint32_t length, uint32_t which) {
  uint32_t value = state[4];
  (void)ts;
  (void)length;
  if (!changed_value(which, state[0], &value))
    return 0;
  state[4] = (uint8_t)value;
  return TS_NONE;
}

static uint32_t below(uint64_t *random, uint32_t n) {
  return (uint32_t)(bits_next_random(random) % n);
}

static void make_system(struct system *s, uint64_t *random) {
  memset(s, 0, sizeof *s);
  for (uint32_t i = 0; i < STATES; i++)
    for (uint32_t a = 0; a < ACTIONS; a++)
      s->to[i][a] = (uint8_t)below(random, STATES + 1);
  s->shape = (struct ts_shape){.name = "system",
                               .max_bytes = 8,
                               .fixed_length = true,
                               .n_initial = 1,
                               .n_variables = 2,
                               .n_slots = 2,
                               .n_components = 2,
                               .n_actions = ACTIONS,
                               .n_atoms = ATOMS,
                               .n_faults = 1,
                               .most_events = ACTIONS,
                               .variable = variables,
                               .slot = slots,
                               .component = components,
                               .action = actions,
                               .fault = system_faults,
                               .n_changes = 3,
                               .changes = {change_start, change_item},
                               .reads = {row_start, row_item},
                               .writes = {row_start, row_item}};
  s->code = (struct ts_code){.abi = TS_ABI,
                             .initial = initial,
                             .successors = successors,
                             .violated = violated,
                             .letter = letter,
                             .change = change};
  s->ts.shape = &s->shape;
  s->ts.self = s;
  atomic_init(&s->ts.code, &s->code);
}

/* ---- the claim -------------------------------------------------------------------------- */

/* Mostly one atom or none. */
static uint64_t few(uint64_t *random) {
  const uint64_t some = below(random, 8);
  return some & below(random, 8);
}

/* Places that are left at once lead to later ones or to where it stops: each step ends. */
static void make_table(struct table *c, uint64_t *random) {
  uint32_t n = 0;
  memset(c, 0, sizeof *c);
  for (uint32_t s = 0; s < STOPS + PASSES; s++) {
    c->first[s] = n;
    for (uint32_t k = below(random, 4); k > 0; k--, n++) {
      const uint32_t later = s < STOPS ? STOPS : s + 1;
      const bool on = later < STOPS + PASSES && below(random, 3) > 0;
      const uint64_t yes = few(random);
      c->cube[n] = (struct claim_cube){yes, few(random) & ~yes};
      c->edge[n] = (struct claim_edge){
          .from = s,
          .to = on ? later + below(random, STOPS + PASSES - later) : below(random, STOPS),
          .marks = s < STOPS ? below(random, 2) : 0,
          .cube = &c->cube[n],
          .n_cubes = 1,
          .fault = below(random, 5) == 0 ? 1 + below(random, 2) : 0,
          .change = below(random, 4)};
    }
  }
  c->first[STOPS + PASSES] = n;
  c->claim = (struct claim){.kind = CLAIM_NEVER,
                            .name = "claim",
                            .what = "claim",
                            .n_states = STOPS + PASSES,
                            .n_stops = STOPS,
                            .n_marks = 1,
                            .edge = c->edge,
                            .first = c->first,
                            .n_atoms = ATOMS,
                            .has_cycles = true,
                            .n_faults = 4,
                            .fault = claim_faults};
}

/* ---- the definition --------------------------------------------------------------------- */

struct way {
  uint32_t to, value, fault;
  uint64_t marks;
};

struct ways {
  struct way at[ROOM];
  uint32_t n;
  bool faulty;
};

static void go(const struct table *c, uint32_t state, struct way here, struct ways *out) {
  const uint64_t l = letter_of(state, here.value);
  for (uint32_t i = c->first[here.to]; i < c->first[here.to + 1] && !out->faulty; i++) {
    const struct claim_edge *e = &c->edge[i];
    struct way next = here;
    if ((l & e->cube->yes) != e->cube->yes || (l & e->cube->no) != 0)
      continue;
    if (e->change > 0 && !changed_value(e->change - 1, state, &next.value)) {
      out->faulty = true;
      return;
    }
    next.to = e->to;
    next.marks |= e->marks;
    next.fault = next.fault != 0 ? next.fault : e->fault;
    if (e->to < STOPS)
      out->at[out->n++] = next;
    else
      go(c, state, next, out);
  }
}

static void compare(const struct ts *product, const uint8_t *from, const struct ts_edge *edge,
                    const uint8_t *row, uint32_t action, uint32_t choice, uint32_t state,
                    const struct way *way) {
  assert_int_equal(edge->event.action, action);
  assert_int_equal(edge->event.choice, choice);
  assert_int_equal(edge->kind, way->fault > 0 ? TS_ASSERTION : TS_FINE);
  assert_true(way->fault == 0 || edge->fault == way->fault);
  const uint8_t want[16] = {(uint8_t)way->to,   0, 0, 0, 0, 0, 0, 0, (uint8_t)state, 0, 0, 0,
                            (uint8_t)way->value};
  assert_memory_equal(row, want, sizeof want);
  for (uint32_t i = 0; i < 3; i++) {
    const uint32_t at = i == 0 ? 0 : 4 + 4 * i;
    assert_true(row[at] == from[at] || (edge->changed >> i & 1) != 0);
  }
  assert_int_equal(ts_code(product)->marks(product, from, 16, edge->event), way->marks);
}

static void try_batches(const struct system *s, const struct table *c, const struct ts *product,
                        const uint8_t *from, uint64_t skip) {
  static struct ways ways;
  static struct ts_edge edge[2 * ROOM];
  static uint8_t rows[2 * ROOM * 16];
  const uint32_t state = from[8];
  ways.n = 0;
  ways.faulty = false;
  go(c, state, (struct way){.to = from[0], .value = from[12]}, &ways);
  for (uint32_t capacity = 1; capacity < 40; capacity += 1 + capacity / 5) {
    struct ts_event cursor = {0, 0};
    uint32_t n = 0, seen = 0;
    for (int32_t answer = 1; answer == 1;) {
      struct ts_batch out = {
          .edge = edge + n, .rows = rows + 16 * (size_t)n, .stride = 16, .capacity = capacity};
      answer = ts_code(product)->successors(product, from, 16, &cursor, &skip, &out);
      n += out.n;
    }
    if (ways.faulty) {
      assert_int_equal(n, (skip >> ACTIONS & 1) == 0);
      assert_true(n == 0 || (edge[0].kind == TS_MODEL_ERROR && edge[0].fault == 0));
      continue;
    }
    bool ended = true;
    for (uint32_t a = 0; a <= ACTIONS; a++) {
      const bool can = a < ACTIONS ? s->to[state][a] < STATES : ended;
      ended = ended && !can;
      if (!can || (skip >> a & 1) != 0)
        continue;
      for (uint32_t k = 0; k < ways.n; k++, seen++)
        compare(product, from, &edge[seen], rows + 16 * (size_t)seen, a, k,
                a < ACTIONS ? s->to[state][a] : state, &ways.at[k]);
    }
    assert_int_equal(seen, n);
  }
}

static void check_facts(const struct ts *product, struct budget *budget, uint64_t *random) {
  struct ts *check = ts_check_open(product, budget);
  struct list list;
  assert_true(check != NULL && list_open(&list, product->shape, 64, budget));
  uint8_t row[16] = {0};
  const uint32_t length = ts_code(check)->initial(check, 0, row);
  for (uint32_t step = 0; step < 20; step++) {
    assert_true(list_fill(&list, check, ts_code(check), row, length, NULL));
    if (list.batch.n == 0 || list.batch.edge[0].kind == TS_MODEL_ERROR)
      break;
    memcpy(row, list_row(&list, below(random, list.batch.n)), sizeof row);
  }
  if (ts_check_complaint(check) != NULL)
    fail_msg("%s", ts_check_complaint(check));
  list_free(&list);
  ts_check_close(check);
}

static void test_random_claims(void **unused) {
  (void)unused;
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  for (uint64_t seed = 0; seed < 400; seed++) {
    uint64_t random = seed;
    struct system s;
    struct table c;
    const char *why;
    make_system(&s, &random);
    make_table(&c, &random);
    struct ts *product = ts_product_open(&s.ts, &c.claim, budget, &why);
    assert_non_null(product);
    for (uint32_t i = 0; i < STOPS * STATES * VALUES; i++) {
      uint8_t from[16] = {0};
      from[0] = (uint8_t)(i % STOPS);
      from[8] = (uint8_t)(i / STOPS % STATES);
      from[12] = (uint8_t)(i / STOPS / STATES);
      for (uint64_t skip = 0; skip < 8; skip++)
        try_batches(&s, &c, product, from, skip);
    }
    check_facts(product, budget, &random);
    ts_product_close(product);
  }
  budget_close(budget);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_claims)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
