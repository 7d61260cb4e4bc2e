/* pieces.c - C text of a model, compiled and callable.
 *
 * It is a unit apart from the code that is generated for the model: with the headers of the
 * system, its names do not meet ours, and its variables stay where they are when ours is
 * compiled again, or laid out anew. The price is a call through a pointer and some copies of
 * variables.
 *
 * Each call is guarded: what crashes in it is an error of the model.
 */
#include "native/pieces.h"

#include "native/compile/reason.h"
#include "native/compile/users.h"

#include "base/guard.h"
#include "ir/embedded.h"

#include <libgen.h>
#include <string.h>

struct pieces {
  struct ts_pieces door; /* first: the compiled model gives it back */
  struct budget *budget;
  struct users_code code;
  const struct pieces_table *table;
};

/* ---- calls ------------------------------------------------------------------------------ */

struct calling {
  const struct pieces_table *table;
  uint8_t *row;
  uint32_t piece, frame, self, live;
  int32_t *value;
  int holds;
};

static void call_piece(void *context) {
  struct calling *c = context;
  c->holds = c->table->call[c->piece](c->row, c->frame, c->self, c->live, c->value);
}

static uint32_t call(const struct ts_pieces *door, uint32_t piece, uint8_t *row, uint32_t frame,
                     uint32_t self, uint32_t live, int32_t *value) {
  const struct pieces *p = (const struct pieces *)(const void *)door;
  struct calling c = {.table = p->table,
                      .row = row,
                      .piece = piece,
                      .frame = frame,
                      .self = self,
                      .live = live,
                      .value = value};
  const enum guard_crash crash = guard_call(call_piece, &c);
  if (crash == GUARD_STOPPED)
    return TS_PIECE_STOPPED;
  return crash != GUARD_FINE ? (uint32_t)crash : c.holds ? 0 : TS_PIECE_REFUSED;
}

/* ---- opening ---------------------------------------------------------------------------- */

static void pieces_close(void *context) {
  struct pieces *p = context;
  guard_close();
  users_free(&p->code, p->budget);
}

static bool compile(const struct ir_model *model, const struct native_options *options,
                    struct pieces *p, struct reason *why) {
  struct text text;
  text_init(&text, p->budget, BUDGET_CODE);
  pieces_text(model, &text);
  bool done = false;
  if (text.failed) {
    reason_limit(why, "the memory budget has no room for the text");
  } else {
    const char *beside = dirname(arena_text(model->arena, model->name, strlen(model->name)));
    const struct unit unit = {.text = text.at,
                              .symbol = "cairn_pieces",
                              .abi = PIECES_VERSION,
                              .is_users = true,
                              .folder = {beside}};
    done = users_build(&p->code, &unit, options->compiler, p->budget, why);
  }
  text_free(&text);
  return done;
}

static void fail(struct ir_model *model, const struct reason *why,
                 struct native_failure *failure) {
  uint32_t line;
  const char *sentence = users_sentence(model->arena, why, &line);
  failure->is_limit = why->is_limit;
  failure->why =
      line > 0 ? arena_printf(model->arena, "%s:%u: the embedded C cannot be compiled: %s",
                              model->name, line, sentence)
               : arena_printf(model->arena, "the embedded C cannot be compiled: %s", sentence);
}

#define PIECES_MOST_BYTES 65536u

struct beginning {
  struct ir_model *model;
  const struct pieces_table *table;
  const char *why;
};

static void take_bytes(struct beginning *b, uint32_t k) {
  struct ir_model *model = b->model;
  struct ir_variable *x = model->embedded->kept.at[k].variable;
  const uint32_t n = b->table->size[k];
  uint8_t *bytes = ARENA_ARRAY(model->arena, n + (size_t)1, uint8_t);
  int32_t *initial = ARENA_ARRAY(model->arena, n + (size_t)1, int32_t);
  uint32_t *extent = ARENA_ARRAY(model->arena, 1, uint32_t);
  b->table->initial(k, bytes);
  for (uint32_t i = 0; i < n; i++)
    initial[i] = bytes[i];
  extent[0] = n;
  x->length = n;
  x->initial = initial;
  x->extent = extent;
}

static void begin(void *context) {
  struct beginning *b = context;
  b->table->begin();
  for (uint32_t k = 0; k < b->model->embedded->kept.n; k++) {
    if (b->table->size[k] > PIECES_MOST_BYTES) {
      b->why = "is too large";
      return;
    }
    take_bytes(b, k);
  }
}

/* Where what C keeps is as long as it is, its view is. */
static void set_opaque(struct ir_embedded *c) {
  for (uint32_t i = 0; i < c->views.n; i++)
    if (c->views.at[i]->is_opaque)
      c->views.at[i]->n = c->views.at[i]->variable->length;
}

static bool start(struct ir_model *model, struct pieces *p, struct native_failure *failure) {
  struct beginning b = {model, p->table, NULL};
  const enum guard_crash crash = guard_call(begin, &b);
  if (crash != GUARD_FINE)
    b.why = crash == GUARD_STOPPED ? "the search was stopped" : guard_sentence[crash];
  if (b.why == NULL) {
    set_opaque(model->embedded);
    return true;
  }
  failure->is_limit = crash == GUARD_STOPPED;
  failure->why =
      crash == GUARD_FINE
          ? "what c_state or c_track keeps in the state is too large: 65536 bytes are allowed"
          : arena_printf(model->arena, "the initial values of c_state and c_track: %s", b.why);
  return false;
}

bool pieces_open(struct ir_model *model, const struct native_options *options,
                 struct budget *budget, struct native_failure *failure) {
  if (model->embedded->loaded != NULL)
    return true;
  struct pieces *p = ARENA_NEW(model->arena, struct pieces);
  *p = (struct pieces){.door = {call}, .budget = budget, .code.cc = LOAD_NONE};
  struct reason why;
  reason_init(&why, budget);
  guard_open();
  arena_at_close(model->arena, pieces_close, p);
  const bool done = compile(model, options, p, &why);
  if (!done)
    fail(model, &why, failure);
  reason_free(&why);
  if (!done)
    return false;
  p->table = users_symbol(&p->code);
  if (!start(model, p, failure))
    return false;
  model->embedded->loaded = p;
  return true;
}

void pieces_place(struct ir_model *model) {
  const struct ir_embedded *c = model->embedded;
  const struct pieces *p = c->loaded;
  for (uint32_t i = 0; i < c->views.n; i++) {
    const struct ir_view *v = c->views.at[i];
    p->table->at[i] = v->variable->offset + v->first * ir_type_bytes(v->variable->type);
  }
  for (uint32_t k = 0; k < c->kept.n; k++)
    p->table->at[c->views.n + k] = c->kept.at[k].variable->offset;
}

const struct ts_range *pieces_unmatched(const struct ir_model *model, uint32_t *n) {
  const struct ir_embedded *c = model->embedded;
  struct ts_range *range = ARENA_ARRAY(model->arena, c->kept.n + (size_t)1, struct ts_range);
  *n = 0;
  for (uint32_t k = 0; k < c->kept.n; k++) {
    const struct ir_variable *x = c->kept.at[k].variable;
    if (c->kept.at[k].is_unmatched && x->length > 0)
      range[(*n)++] = (struct ts_range){x->first_slot, x->length};
  }
  return *n > 0 ? range : NULL;
}

const struct ts_pieces *pieces_door(const struct ir_model *model) {
  return &((const struct pieces *)model->embedded->loaded)->door;
}
