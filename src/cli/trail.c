/* trail.c - `cairn trail`: show a counterexample from a file.
 *
 * The file is believed only as far as the model confirms it: the hash must be
 * that of the model, every event must be enabled, and the error it names must be
 * there at the end.
 */
#include "cli/command.h"
#include "cli/expand.h"
#include "cli/loaded.h"
#include "cli/shown.h"

#include "base/clock.h"
#include "report/trailfile.h"
#include "ts/product.h"

#include <string.h>

struct show {
  const struct options *o;
  struct loaded loaded;
  const struct ts *ts;  /* the model, or */
  struct claim claim;   /* that ran beside it */
  struct ts *product;   /* its product with the claim */
  struct options asked; /* the user's options, and those of the file that he did not give */
  struct trailfile file;
  /* what the replay came to */
  uint8_t *state; /* the last one */
  uint32_t length;
  uint32_t n_events;
  struct ts_edge edge; /* the last one */
};

static bool read_file(struct show *s) {
  struct loaded *l = &s->loaded;
  const char *path = s->o->operand[1], *why = NULL;
  const struct source *source = source_read(l->arena, path, &why);
  if (source == NULL)
    return loaded_fail(l, clock_stop_requested() ? 3 : 2, "%s: %s", path, why);
  struct diag *diag = diag_open(l->arena);
  if (trailfile_read(l->arena, diag, source, &s->file))
    return true;
  loaded_say(l, diag);
  l->status = 2;
  return false;
}

static bool out_of_memory(struct show *s) {
  return loaded_fail(&s->loaded, 3, "the memory budget was reached");
}

static bool is_given(const struct options *o, const char *word) {
  for (uint32_t i = 0; i < o->n_given; i++) {
    const char *name = options_entry(o->given[i].option)->name;
    if (strncmp(word, name, strlen(name)) == 0 &&
        (word[strlen(name)] == '=' || word[strlen(name)] == '\0'))
      return true;
  }
  return false;
}

static bool changes_the_model(const char *word) {
  size_t length = strcspn(word, "=");
  for (uint32_t i = 0; i < OPTIONS; i++) {
    const struct option_entry *e = options_entry((enum option)i);
    if (strlen(e->name) == length && memcmp(e->name, word, length) == 0)
      return (e->commands & OPTIONS_MODEL) != 0;
  }
  return false;
}

/* Takes the options of the file as if they had been given, but for those that the user gave. */
static bool take_options(struct show *s) {
  const struct options *o = s->o;
  struct arena *arena = s->loaded.arena;
  s->asked = *o;
  s->asked.given =
      ARENA_ARRAY(arena, o->n_given + (size_t)s->file.n_options + 1, struct option_given);
  memcpy(s->asked.given, o->given, o->n_given * sizeof *o->given);
  for (uint32_t i = 0; i < s->file.n_options; i++) {
    const char *word = s->file.option[i];
    if (!changes_the_model(word) ||
        (!is_given(o, word) && !options_add(&s->asked, arena_printf(arena, "--%s", word))))
      return loaded_fail(&s->loaded, 2, "%s: this version has no option '%.60s' for a model",
                         o->operand[1], word);
  }
  loaded_read_how(&s->loaded, &s->asked);
  if (s->file.claim != NULL) {
    s->loaded.how.acceptance = strcmp(s->file.claim, "acceptance") == 0;
    s->loaded.how.progress = strcmp(s->file.claim, "progress") == 0;
  }
  return true;
}

/* One that the user gave beside those that the file has, or NULL. */
static const char *own_option(const struct options *o) {
  for (uint32_t i = 0; i < o->n_given; i++)
    if (options_entry(o->given[i].option)->commands & OPTIONS_MODEL)
      return options_entry(o->given[i].option)->name;
  return NULL;
}

static bool is_no_trail(struct show *s) {
  const char *own = own_option(s->o);
  return loaded_fail(&s->loaded, 2,
                     "%s is no trail of %s: it belongs to another model, or to another "
                     "version of '%s'%s%s%s",
                     s->o->operand[1], s->loaded.path, s->file.model,
                     own == NULL ? "" : "; or leave out --", own == NULL ? "" : own,
                     own == NULL ? "" : ", as the file has the options of its run");
}

/* The same where invariants are read with the model. */
static bool load_asked(struct show *s) {
  return (loaded_open_again(&s->loaded, s->file.invariant, s->file.n_invariants) &&
          loaded_hash(&s->loaded) == s->file.model_hash) ||
         is_no_trail(s);
}

/* A trail's invariants may name what only another model has: then it is that
 * model's trail, and no mistake of this one. */
static bool load_model(struct show *s) {
  struct loaded *l = &s->loaded;
  l->how.asked = s->file.invariant;
  l->how.n_asked = s->file.n_invariants;
  if (!loaded_parse(l, NULL, 0))
    return false;
  if (!loaded_is_compiled(l))
    return load_asked(s);
  struct diag *quiet = diag_open(l->arena);
  bool same = true;
  for (uint32_t i = 0; same && i < s->file.n_invariants; i++) {
    const char *text = s->file.invariant[i];
    same = language_add_invariant(
        l->language, l->model, quiet,
        source_make(l->arena, "--invariant", text, (uint32_t)strlen(text)));
  }
  if (!same || l->model->hash != s->file.model_hash)
    return is_no_trail(s);
  l->places = s->file.places;
  l->reductions = s->file.merges ? IR_MERGE : 0;
  return loaded_compile(l, s->o, false);
}

/* The claim that ran beside the model runs again. */
static bool open_product(struct show *s) {
  const struct ts_shape *shape = s->loaded.ts->shape;
  const char *why = NULL;
  s->ts = s->loaded.ts;
  if (s->file.claim == NULL)
    return true;
  for (uint32_t i = 0; i < shape->n_claims; i++)
    if (strcmp(shape->claim[i].name, s->file.claim) == 0) {
      if (s->file.general && shape->claim[i].general == NULL)
        break;
      s->claim = s->file.general ? claim_general(&shape->claim[i]) : shape->claim[i];
      s->ts = s->product = ts_product_open(s->loaded.ts, &s->claim, s->loaded.budget, &why);
      return s->product != NULL || loaded_fail(&s->loaded, 3, "%s: %s", s->o->operand[1], why);
    }
  return loaded_fail(&s->loaded, 2, "%s: the model has no claim '%.60s'%s", s->o->operand[1],
                     s->file.claim, s->file.general ? " with several marks" : "");
}

/* ---- does the model confirm it? -------------------------------------------------------- */

static bool remember(void *context, uint32_t n, const struct ts_edge *edge,
                     const uint8_t *state, uint32_t length) {
  struct show *s = context;
  s->n_events = n;
  if (edge != NULL)
    s->edge = *edge;
  if (edge == NULL || edge->kind != TS_MODEL_ERROR) {
    ts_copy(s->ts->shape, s->state, state, length);
    s->length = length;
    return true;
  }
  return n == s->file.error.trail.n_events; /* nothing follows a model error */
}

static bool is_deadlock(struct show *s) {
  struct expand expand;
  bool fine = expand_open(&expand, s->ts, s->loaded.budget) &&
              expand_state(&expand, s->state, s->length);
  bool none = expand.batch.n == 0;
  expand_close(&expand);
  return fine && none && !ts_ends(s->ts, s->state, s->length);
}

static bool property_fails(struct show *s, enum search_error_kind kind, uint32_t index) {
  const struct ts *ts = s->ts;
  uint32_t fault = TS_NONE;
  return index < ts->shape->n_properties &&
         search_property_error(&ts->shape->property[index]) == kind &&
         ts_code(ts)->violated(ts, s->state, s->length, index, &fault) == index &&
         fault == TS_NONE;
}

static bool working_out_fails(struct show *s, uint32_t index) {
  const struct ts *ts = s->ts;
  uint32_t i = 0;
  while (i < ts->shape->n_properties) {
    uint32_t fault = TS_NONE;
    i = ts_code(ts)->violated(ts, s->state, s->length, i, &fault);
    if (fault != TS_NONE)
      return fault == index;
    i++;
  }
  return false;
}

/* The error that the file names is there. */
static bool error_holds(struct show *s) {
  const struct search_error *error = &s->file.error;
  if (error->in_last_event)
    return s->edge.kind != TS_FINE && s->edge.fault == error->index &&
           search_fault_error(s->ts->shape, &s->edge) == error->kind;
  if (error->trail.n_cycle > 0)
    return error->index == TS_NONE &&
           (error->kind == SEARCH_ACCEPTANCE || error->kind == SEARCH_NONPROGRESS) &&
           search_trail_cycles(s->ts, &error->trail, s->loaded.budget);
  switch (error->kind) {
  case SEARCH_DEADLOCK:
  case SEARCH_INVALID_END:
    return error->index == TS_NONE && is_deadlock(s);
  case SEARCH_ASSERTION:
  case SEARCH_INVARIANT:
  case SEARCH_CLAIM:
    return property_fails(s, error->kind, error->index);
  case SEARCH_MODEL_ERROR:
    return working_out_fails(s, error->index);
  case SEARCH_ACCEPTANCE:
  case SEARCH_NONPROGRESS:
  case SEARCH_EXCLUSIVE:
  case SEARCH_NO_ERROR:
    break;
  }
  return false;
}

static bool trail_holds(struct show *s) {
  const struct search_trail *trail = &s->file.error.trail;
  const struct ts_shape *shape = s->ts->shape;
  const char *path = s->o->operand[1];
  if (trail->initial >= shape->n_initial)
    return loaded_fail(&s->loaded, 2, "%s: the model has no initial state %u", path,
                       trail->initial);
  for (uint32_t i = 0; i < trail->n_events; i++)
    if (trail->event[i].action >= shape->n_actions)
      return loaded_fail(&s->loaded, 2, "%s: step %u: the model has no action %u", path, i + 1,
                         trail->event[i].action);
  if (!search_replay(s->ts, trail, s->loaded.budget, remember, s) ||
      s->n_events != trail->n_events)
    return loaded_fail(&s->loaded, 2, "%s: step %u cannot be taken in this model", path,
                       s->n_events + 1);
  if (!error_holds(s))
    return loaded_fail(&s->loaded, 2, "%s: the run does not end in the error that it names",
                       path);
  return true;
}

static bool confirm_and_show(struct show *s) {
  struct budget *budget = s->loaded.budget;
  size_t bytes = ts_stride(s->ts->shape) + 8u;
  s->state = budget_alloc(budget, BUDGET_OTHER, bytes);
  if (s->state == NULL)
    return out_of_memory(s);
  const struct shown shown = {&s->loaded, s->ts, &s->file.error, s->o->operand[1]};
  bool fine = trail_holds(s) && shown_print(&shown);
  budget_free(budget, BUDGET_OTHER, s->state, bytes);
  return fine;
}

int command_trail(const struct options *o) {
  struct show s = {.o = o};
  bool fine = loaded_start(&s.loaded, o) && read_file(&s) && take_options(&s) &&
              load_model(&s) && open_product(&s) && confirm_and_show(&s);
  ts_product_close(s.product);
  loaded_close(&s.loaded);
  return fine ? 0 : s.loaded.status;
}
