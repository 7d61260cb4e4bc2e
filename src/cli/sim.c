/* sim.c - `cairn sim`: one run of a model, at random or chosen by hand.
 *
 * By hand, the states of the run are kept on a stack, so that a step can be taken
 * back; a random run keeps only the last one.
 */
#include "cli/beside.h"
#include "cli/command.h"
#include "cli/expand.h"
#include "cli/loaded.h"

#include "base/bits.h"
#include "report/steps.h"
#include "ts/product.h"

#include <stdlib.h>
#include <string.h>

/* More events than this are not listed, though their numbers are taken. */
#define SIM_LISTED 100u

struct sim {
  const struct options *o;
  struct loaded loaded;
  const struct ts *ts; /* the model, or its product with a claim */
  struct ts *product;  /* the latter, or NULL */
  struct steps steps;
  struct expand expand;
  bool by_hand;
  bool broke;      /* the run broke a property, or an event ended in a model error */
  uint8_t *states; /* the run so far, or its last state: one row each */
  uint32_t *length;
  uint64_t n, capacity;
  uint64_t taken; /* steps */
  uint64_t random;
};

enum sim_answer { SIM_EVENT, SIM_UNDO, SIM_QUIT };

static uint8_t *state_at(const struct sim *s, uint64_t i) {
  return s->states + i * s->expand.batch.stride;
}

/* ---- the run ------------------------------------------------------------------------ */

static bool make_room(struct sim *s) {
  if (s->n < s->capacity)
    return true;
  uint64_t new = s->capacity == 0 ? 64 : 2 * s->capacity;
  size_t stride = s->expand.batch.stride;
  void *states = budget_realloc(s->loaded.budget, BUDGET_OTHER, s->states, s->capacity * stride,
                                new *stride);
  if (states == NULL)
    return false;
  s->states = states;
  void *length = budget_realloc(s->loaded.budget, BUDGET_OTHER, s->length,
                                s->capacity * sizeof *s->length, new * sizeof *s->length);
  if (length == NULL)
    return false;
  s->length = length;
  s->capacity = new;
  return true;
}

static bool push_state(struct sim *s, const uint8_t *row, uint32_t length) {
  if (!s->by_hand)
    s->n = 0;
  if (!make_room(s))
    return false;
  memcpy(state_at(s, s->n), row, s->expand.batch.stride);
  s->length[s->n++] = length;
  return true;
}

/* Names every property that the last state breaks. */
static void name_violations(struct sim *s) {
  const struct ts_shape *shape = s->ts->shape;
  const uint8_t *state = state_at(s, s->n - 1);
  uint32_t length = s->length[s->n - 1], fault = TS_NONE;
  const struct ts_code *code = ts_code(s->ts);
  for (uint32_t i = 0; i < shape->n_properties; i++) {
    i = code->violated(s->ts, state, length, i, &fault);
    if (fault == TS_NONE && i >= shape->n_properties)
      return;
    s->broke = true;
    if (fault != TS_NONE) {
      printf("      model error: %s\n", shape->fault[fault].message);
      return;
    }
    static const struct {
      const char *before, *after;
    } said[] = {[TS_PROPERTY_ASSERTION] = {"assertion '", "' fails here"},
                [TS_PROPERTY_INVARIANT] = {"invariant '", "' fails here"},
                [TS_PROPERTY_CLAIM] = {"", " has come to its end"},
                [TS_PROPERTY_FORMULA] = {"", ": whatever follows, this run is an error"}};
    const enum ts_property_kind kind = shape->property[i].kind;
    printf("      %s%s%s\n", said[kind].before, shape->property[i].text, said[kind].after);
  }
}

static bool begin(struct sim *s) {
  const struct ts_shape *shape = s->ts->shape;
  uint8_t *row = s->expand.batch.rows;
  memset(row, 0, s->expand.batch.stride);
  uint32_t which =
      shape->n_initial < 2 ? 0 : (uint32_t)(bits_next_random(&s->random) % shape->n_initial);
  uint32_t length = ts_code(s->ts)->initial(s->ts, which, row);
  if (!push_state(s, row, length))
    return false;
  printf("%*u  initial state\n", s->steps.number_width, 0);
  steps_state(&s->steps, state_at(s, 0), false);
  name_violations(s);
  return true;
}

/* The event has all marks of the claim. */
static bool is_accepting(const struct sim *s, struct ts_event event) {
  const struct ts_code *code = ts_code(s->ts);
  if (s->product == NULL || !s->ts->shape->product_of->has_cycles)
    return false;
  const uint64_t all = ~UINT64_C(0) >> (64 - s->ts->shape->n_marks);
  return (code->marks(s->ts, state_at(s, s->n - 1), s->length[s->n - 1], event) & all) == all;
}

/* Fires successor `i`. False: memory ran out. *over: the run ends with it. */
static bool take(struct sim *s, uint32_t i, bool *over) {
  const struct ts_edge *edge = &s->expand.batch.edge[i];
  const uint8_t *row = expand_row(&s->expand, i);
  uint64_t last = s->n - 1;
  *over = edge->kind == TS_MODEL_ERROR;
  s->broke |= edge->kind != TS_FINE;
  steps_step(&s->steps, s->taken + 1, edge, state_at(s, last), s->length[last],
             *over ? NULL : row);
  if (*over)
    return true;
  if (is_accepting(s, edge->event))
    puts("      (the claim accepts if this happens again and again)");
  if (!push_state(s, row, edge->length))
    return false;
  s->taken++;
  name_violations(s);
  return true;
}

static bool is_proper_end(const struct sim *s) {
  return ts_ends(s->ts, state_at(s, s->n - 1), s->length[s->n - 1]);
}

static void say_deadlock(const struct sim *s) {
  unsigned long long n = s->taken;
  if (s->product != NULL) {
    printf("%s accepts no run that goes on from here, after %llu step%s\n",
           s->ts->shape->product_of->what, n, n == 1 ? "" : "s");
    return;
  }
  if (is_proper_end(s)) {
    printf("the run ends properly after %llu step%s\n", n, n == 1 ? "" : "s");
    return;
  }
  printf("deadlock: no event is enabled after %llu step%s\n", n, n == 1 ? "" : "s");
}

static bool run_random(struct sim *s) {
  uint64_t steps = s->o->value[OPTION_STEPS].number;
  bool over = false;
  while (!over && s->taken < steps && !ferror(stdout)) {
    if (!expand_state(&s->expand, state_at(s, s->n - 1), s->length[s->n - 1]))
      return false;
    if (s->expand.batch.n == 0) {
      say_deadlock(s);
      s->broke |= s->ts->shape->deadlock_is_error && !is_proper_end(s);
      return true;
    }
    uint32_t i = (uint32_t)(bits_next_random(&s->random) % s->expand.batch.n);
    if (!take(s, i, &over))
      return false;
  }
  return true;
}

/* ---- by hand -------------------------------------------------------------------------- */

static void list_events(const struct sim *s) {
  const struct ts_batch *b = &s->expand.batch;
  char label[400];
  for (uint32_t i = 0; i < b->n && i < SIM_LISTED; i++) {
    steps_label(s->ts, s->steps.inside, state_at(s, s->n - 1), s->length[s->n - 1],
                b->edge[i].event, label, sizeof label);
    printf("  %3u) %s%s\n", i + 1, label,
           b->edge[i].kind == TS_MODEL_ERROR ? "   (model error)" : "");
  }
  if (b->n > SIM_LISTED)
    printf("       … up to %u\n", b->n);
  if (b->n == 0)
    say_deadlock(s);
}

/* A line of input; what does not fit is dropped. False at the end. */
static bool read_line(char *line, int size) {
  if (fgets(line, size, stdin) == NULL)
    return false;
  size_t length = strlen(line);
  if (length > 0 && line[length - 1] == '\n') {
    line[length - 1] = '\0';
    return true;
  }
  for (int c = getchar(); c != '\n' && c != EOF;)
    c = getchar();
  return true;
}

/* The word on a line without blanks around it. */
static char *trim(char *line) {
  line += strspn(line, " \t\r");
  line[strcspn(line, " \t\r")] = '\0';
  return line;
}

static enum sim_answer ask(const struct sim *s, uint32_t *event) {
  char line[40];
  uint32_t n = s->expand.batch.n;
  while (!ferror(stdout)) {
    if (n > 0)
      printf("event 1 to %u, u undo, q quit: ", n);
    else
      printf("u undo, q quit: ");
    fflush(stdout);
    if (!read_line(line, sizeof line)) {
      fputc('\n', stdout);
      return SIM_QUIT;
    }
    char *word = trim(line), *end;
    if (strcmp(word, "q") == 0)
      return SIM_QUIT;
    if (strcmp(word, "u") == 0 && s->n > 1)
      return SIM_UNDO;
    unsigned long number = strtoul(word, &end, 10);
    if (*word >= '0' && *word <= '9' && *end == '\0' && number >= 1 && number <= n) {
      *event = (uint32_t)number - 1;
      return SIM_EVENT;
    }
    if (strcmp(word, "u") == 0)
      puts("this is the initial state");
    else
      puts("this is none of them");
  }
  return SIM_QUIT;
}

static bool run_by_hand(struct sim *s) {
  for (;;) {
    uint32_t event;
    bool over;
    if (!expand_state(&s->expand, state_at(s, s->n - 1), s->length[s->n - 1]))
      return false;
    list_events(s);
    switch (ask(s, &event)) {
    case SIM_QUIT:
      return true;
    case SIM_UNDO:
      s->n--;
      printf("back after step %llu\n", (unsigned long long)--s->taken);
      break;
    case SIM_EVENT:
      if (!take(s, event, &over))
        return false;
      if (over)
        puts("      (no state follows; still before this event)");
      break;
    }
  }
}

static bool run(struct sim *s) {
  s->by_hand = s->o->value[OPTION_INTERACTIVE].given;
  if (!beside_open(&s->loaded, s->o, &s->product))
    return false;
  s->ts = s->product != NULL ? s->product : s->loaded.ts;
  s->random = s->o->value[OPTION_SEED].number;
  bool fine = steps_open(&s->steps, s->ts, stdout, s->loaded.budget) &&
              expand_open(&s->expand, s->ts, s->loaded.budget);
  s->steps.color = loaded_color(s->o, stdout);
  fine = fine && begin(s) && (s->by_hand ? run_by_hand(s) : run_random(s));
  if (!fine)
    loaded_fail(&s->loaded, 3, "the memory budget was reached");
  return fine;
}

static void free_run(struct sim *s) {
  struct budget *budget = s->loaded.budget;
  if (s->states != NULL)
    budget_free(budget, BUDGET_OTHER, s->states, s->capacity * s->expand.batch.stride);
  if (s->length != NULL)
    budget_free(budget, BUDGET_OTHER, s->length, s->capacity * sizeof *s->length);
  if (s->expand.budget != NULL)
    expand_close(&s->expand);
  steps_close(&s->steps, budget);
  ts_product_close(s->product);
}

int command_sim(const struct options *o) {
  struct sim s = {.o = o};
  uint32_t n = 0;
  bool fine = loaded_start(&s.loaded, o);
  if (fine) {
    const char *const *invariant = loaded_invariants(&s.loaded, o, &n);
    s.loaded.places = IR_MAX_LIVE;
    fine = loaded_parse(&s.loaded, invariant, n) && loaded_compile(&s.loaded, o, false);
  }
  if (fine) {
    fine = run(&s);
    free_run(&s);
  }
  loaded_close(&s.loaded);
  if (!fine)
    return s.loaded.status;
  return s.broke && !s.by_hand ? 1 : 0; /* by hand, the user has seen it */
}
