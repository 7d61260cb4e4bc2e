/* counters.c - a language whose models are no ir: counters, in callbacks.
 *
 * The smallest model of src/lang/lang.h that is no checked model: a text of lines "NAME
 * MODULUS", one action for each counter, and conditions "NAME < NUMBER" on the command line. A
 * program with this list of languages is the real one otherwise; counters.py drives it.
 */
#include "lang/lang.h"
#include "ts/ts.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

extern const struct language language_dve;
static const struct language language_counters;

const struct language *const languages[] = {&language_counters, &language_dve, NULL};

enum { MOST = 8 };

struct condition { /* "a < 3" */
  uint32_t counter, below;
};

struct counters {
  struct ts ts;
  struct ts_shape shape;
  struct ts_notes notes;
  struct ts_words words;
  uint32_t n;
  char name[MOST][20];
  uint32_t modulus[MOST];
  struct condition condition[MOST];
  struct ts_slot slot[MOST];
  struct ts_variable variable[MOST];
  struct ts_component component[MOST];
  struct ts_mover mover[MOST];
  struct ts_action action[MOST];
  struct ts_property property[MOST];
  uint32_t row[MOST + 1], item[MOST];
};

static const struct counters *counters_of(const struct ts *ts) {
  return ts->self;
}

/* ---- behaviour --------------------------------------------------------------------------- */

static uint32_t initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  (void)which;
  (void)row;
  return counters_of(ts)->n;
}

static int32_t successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                          struct ts_event *cursor, const uint64_t *skip, struct ts_batch *out) {
  const struct counters *c = counters_of(ts);
  for (uint32_t a = cursor->action + (cursor->choice > 0); a < c->n; a++) {
    if (skip != NULL && (skip[a / 64] >> a % 64 & 1) != 0)
      continue;
    if (out->n == out->capacity) {
      *cursor = (struct ts_event){a, 0};
      return 1;
    }
    uint8_t *row = out->rows + out->n * out->stride;
    memset(row, 0, ts_stride(ts->shape));
    memcpy(row, state, length);
    row[a] = (uint8_t)((row[a] + 1) % c->modulus[a]);
    out->edge[out->n++] = (struct ts_edge){
        .event = {a, 0}, .length = length, .kind = TS_FINE, .changed = UINT64_C(1) << a};
  }
  return 0;
}

static uint32_t violated(const struct ts *ts, const uint8_t *state, uint32_t length,
                         uint32_t from, uint32_t *fault) {
  const struct counters *c = counters_of(ts);
  (void)length;
  *fault = TS_NONE;
  while (from < c->shape.n_properties &&
         state[c->condition[from].counter] < c->condition[from].below)
    from++;
  return from;
}

static const struct ts_code code = {
    .abi = TS_ABI, .initial = initial, .successors = successors, .violated = violated};

/* ---- words ---------------------------------------------------------------------------------
 */

static void print_value(const struct ts_shape *shape, uint32_t slot, const uint8_t *state,
                        char *text, size_t size) {
  snprintf(text, size, "%u of %u", state[slot], (unsigned)shape->variable[slot].extent[0]);
}

static void print_event(const struct ts_shape *shape, struct ts_event event,
                        const uint8_t *state, char *text, size_t size) {
  snprintf(text, size, "%s goes on from %u", shape->variable[event.action].name,
           state[event.action]);
}

/* ---- opening --------------------------------------------------------------------------------
 */

static uint32_t named(const struct counters *c, const char *name) {
  uint32_t i = 0;
  while (i < c->n && strcmp(c->name[i], name) != 0)
    i++;
  return i;
}

static bool read_counters(struct counters *c, struct diag *diag, const struct source *source) {
  int used = 0;
  for (const char *at = source->text;
       sscanf(at, " counter %19s %u%n", c->name[c->n], &c->modulus[c->n], &used) == 2;
       at += used)
    if (c->modulus[c->n] < 1 || c->modulus[c->n] > 255 || ++c->n == MOST)
      break;
  if (c->n == 0 || c->n == MOST)
    diag_error(diag, (struct span){source, 0, 1}, "lines 'counter NAME MODULUS' are expected");
  return diag_errors(diag) == 0;
}

static bool read_question(struct counters *c, struct diag *diag,
                          const struct language_question *question) {
  char name[20];
  struct condition *condition = &c->condition[c->shape.n_properties];
  const struct source *text = question->source;
  bool fine = !question->is_measure && c->shape.n_properties < MOST &&
              sscanf(text->text, " %19s < %u", name, &condition->below) == 2;
  condition->counter = fine ? named(c, name) : c->n;
  if (condition->counter == c->n) {
    diag_error(diag, (struct span){text, 0, 1}, "'NAME < NUMBER' is expected");
    return false;
  }
  c->property[c->shape.n_properties++] =
      (struct ts_property){TS_PROPERTY_INVARIANT, text->text, {0}};
  return true;
}

static void make_shape(struct counters *c) {
  for (uint32_t i = 0; i < c->n; i++) {
    c->slot[i] = (struct ts_slot){i, 0, i, 1, 8, false};
    c->variable[i] = (struct ts_variable){.name = c->name[i],
                                          .component = i,
                                          .first_slot = i,
                                          .n_slots = 1,
                                          .type = "counter",
                                          .extent = &c->modulus[i]};
    c->component[i] = (struct ts_component){c->name[i], i, 1, i, 1};
    c->mover[i] = (struct ts_mover){.component = i, .text = "goes on"};
    c->action[i] = (struct ts_action){1, &c->mover[i]};
    c->row[i] = c->item[i] = i;
  }
  c->row[c->n] = c->n;
  c->shape.max_bytes = c->shape.n_slots = c->shape.n_variables = c->n;
  c->shape.n_components = c->shape.n_actions = c->shape.most_events = c->n;
  c->shape.fixed_length = true;
  c->shape.n_initial = 1;
  c->shape.variable = c->variable;
  c->shape.slot = c->slot;
  c->shape.component = c->component;
  c->shape.action = c->action;
  c->shape.property = c->property;
  c->shape.reads = c->shape.writes = (struct ts_rows){c->row, c->item};
  c->words = (struct ts_words){.shape = &c->shape, .value = print_value, .event = print_event};
  c->notes.words = &c->words;
  c->shape.notes = &c->notes;
}

static struct ts *counters_open(struct arena *arena, struct diag *diag,
                                const struct source *source,
                                const struct language_options *options,
                                const struct language_question *question, uint32_t n) {
  struct counters *c = ARENA_NEW(arena, struct counters);
  (void)options;
  if (!read_counters(c, diag, source))
    return NULL;
  c->shape.name = source->name;
  c->shape.model_hash = XXH3_64bits(source->text, source->length);
  for (uint32_t i = 0; i < n; i++) {
    if (!read_question(c, diag, &question[i]))
      return NULL;
    c->shape.model_hash ^=
        XXH3_64bits_withSeed(question[i].source->text, question[i].source->length, i + 1);
  }
  make_shape(c);
  c->ts.shape = &c->shape;
  c->ts.self = c;
  atomic_store(&c->ts.code, &code);
  return &c->ts;
}

static bool recognises(const struct source *source) {
  return language_find_word(source, "counter", 0) > 0;
}

static const struct language language_counters = {.name = "counters",
                                                  .extensions = ".counters",
                                                  .summary = "counters in callbacks",
                                                  .traits = LANGUAGE_RUNS,
                                                  .open = counters_open,
                                                  .recognises = recognises};
