/* undo_operate.c - undoing an operation on a channel that is given by its number.
 *
 * A message that was sent is taken out again, and one that was received is put back: in front,
 * or anywhere where any could have been received. Where that gives the same row from several
 * places, only one of them is gone on with. The receive of a handshake leaves an offer, that is
 * what is known of the message; a send of another process then takes it up.
 */
#include "ir/undo_walk.h"

/* ---- channels -------------------------------------------------------------------------- */

/* The channel with that number; NULL: there is none. */
static const struct ir_channel *channel_numbered(const struct walk *w, int32_t number) {
  const struct apart *a = w->u->seats->apart;
  if (number < 1)
    return NULL;
  uint32_t left = (uint32_t)number - 1;
  if (left < a->n_global_channels)
    return a->global_channel[left];
  left -= a->n_global_channels;
  for (uint32_t i = 0; i < undo_live(w) && i < a->plain->n_slots; i++)
    for (uint32_t s = a->first[i]; s < a->first[i + 1]; s++) {
      if (!undo_lives(w, s))
        continue;
      if (left < a->plain->process[s]->n_own_channels)
        return a->seat[s].channel[left];
      left -= a->plain->process[s]->n_own_channels;
    }
  return NULL;
}

static uint32_t cell(const struct ir_channel *c, uint32_t message, uint32_t field) {
  return ir_channel_cell(c, message, field).slot;
}

static int32_t field_of(const struct walk *w, const struct ir_channel *c, uint32_t message,
                        uint32_t field) {
  return holes_value(&w->row, cell(c, message, field));
}

/* Message `from` takes the place of message `to`. */
static void copy_message(struct walk *w, const struct ir_channel *c, uint32_t to,
                         uint32_t from) {
  for (uint32_t i = 0; i < c->n_fields; i++)
    holes_set(&w->row, cell(c, to, i), field_of(w, c, from, i));
}

static bool are_same(const struct walk *w, const struct ir_channel *c, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < c->n_fields; i++)
    if (field_of(w, c, a, i) != field_of(w, c, b, i))
      return false;
  return true;
}

/* ---- sends ----------------------------------------------------------------------------- */

/* What is left to be known of a value that was cut to the field, and then as it says. False:
 * there is no such value. */
static bool offered(const struct temporary *value, const struct ir_type *field,
                    struct temporary *t) {
  *t = *value;
  if (!value->known || (value->type != NULL && ir_type_bits(value->type) < ir_type_bits(field)))
    return true;
  t->value = values_cut_one(value->value, field);
  t->type = field;
  return values_cut_one(t->value, value->type) == value->value;
}

static void take_up(struct walk *w, uint32_t k, const struct ir_channel *c) {
  const struct small_step *step = &w->steps->at[k];
  const struct undo_offer offer = w->offer;
  if (offer.is != c)
    return;
  bool fits = true;
  for (uint32_t i = 0; i < step->n && fits; i++)
    fits = offered(&offer.value[i], c->field[i], &w->temporary[step->temporary + i]);
  if (!fits)
    return;
  w->offer.is = NULL;
  w->undo_before(w, k);
  w->offer = offer;
}

/* Message i was sent. */
static void take_out(struct walk *w, uint32_t k, const struct ir_channel *c, uint32_t i) {
  const struct small_step *step = &w->steps->at[k];
  const uint32_t n = (uint32_t)holes_value(&w->row, c->count_slot), mark = w->row.n_changes;
  for (uint32_t f = 0; f < step->n; f++)
    w->temporary[step->temporary + f] =
        (struct temporary){field_of(w, c, i, f), true, c->field[f]};
  for (; i + 1 < n; i++)
    copy_message(w, c, i, i + 1);
  for (uint32_t f = 0; f < c->n_fields; f++)
    holes_set(&w->row, cell(c, n - 1, f), 0);
  holes_set(&w->row, c->count_slot, (int32_t)n - 1);
  w->undo_before(w, k);
  holes_take_back(&w->row, mark);
}

static void undo_send(struct walk *w, uint32_t k, const struct ir_channel *c) {
  const uint32_t n = (uint32_t)holes_value(&w->row, c->count_slot);
  const bool is_sorted = w->steps->at[k].operation->sorted;
  if (w->offer.is != NULL)
    return;
  for (uint32_t i = is_sorted || n == 0 ? 0 : n - 1; i < n && !undo_is_over(w); i++)
    if (i + 1 == n || !are_same(w, c, i, i + 1)) /* it goes behind those that are the same */
      take_out(w, k, c, i);
}

/* ---- receives -------------------------------------------------------------------------- */

/* What field i of the message is known to have been. */
static struct temporary wanted(const struct walk *w, const struct small_step *step,
                               uint32_t i) {
  static const struct temporary any = {0, false, NULL};
  const struct ir_expr *e = step->operation->value[i];
  if (e->kind == IR_DROP)
    return any;
  if (e->kind != IR_MATCH && e->kind != IR_CONST)
    return w->temporary[step->temporary + i];
  const struct ir_value value = holes_known(&w->row, e->kind == IR_MATCH ? e->a : e);
  return value.known ? (struct temporary){value.at, true, NULL} : any;
}

static void offer(struct walk *w, uint32_t k, const struct ir_channel *c) {
  const struct small_step *step = &w->steps->at[k];
  if (w->offer.is != NULL || step->operation->keep)
    return;
  if (step->n > UNDO_MOST_FIELDS) {
    w->cannot = true;
    return;
  }
  for (uint32_t i = 0; i < step->n; i++)
    w->offer.value[i] = wanted(w, step, i);
  w->offer.is = c;
  w->offer.receiver = w->u->seats->apart->seat[step->process->index].number;
  w->undo_before(w, k);
  w->offer.is = NULL;
}

/* The message stayed. */
static void undo_copy(struct walk *w, uint32_t k, const struct ir_channel *c) {
  const struct small_step *step = &w->steps->at[k];
  if (holes_value(&w->row, c->count_slot) == 0)
    return;
  for (uint32_t i = 0; i < step->n && !step->operation->random; i++) {
    const struct temporary t = wanted(w, step, i);
    if (t.known && values_cut_one(field_of(w, c, 0, i), t.type) != t.value)
      return;
  }
  w->undo_before(w, k);
}

/* Message `at` is put back, its fields from i on. */
static void put_field(struct walk *w, uint32_t k, const struct ir_channel *c, uint32_t at,
                      uint32_t i) {
  const struct small_step *step = &w->steps->at[k];
  if (i == c->n_fields) {
    if (at == 0 || !are_same(w, c, at - 1, at)) /* the first of those that are the same */
      w->undo_before(w, k);
    return;
  }
  const struct temporary t = wanted(w, step, i);
  const uint32_t slot = cell(c, at, i), mark = w->row.n_changes;
  const struct values *values = bounds_ever(w->u->bounds, cell(c, 0, i));
  if (t.known && (t.type == NULL || ir_type_bits(c->field[i]) <= ir_type_bits(t.type))) {
    const int32_t only = values_cut_one(t.value, c->field[i]);
    if (values_cut_one(only, t.type) != t.value || !values_have(values, only))
      return;
    holes_set(&w->row, slot, only);
    put_field(w, k, c, at, i + 1);
    holes_take_back(&w->row, mark);
    return;
  }
  if (!undo_may_try(w, values))
    return;
  for (int64_t v = INT64_MIN; !undo_is_over(w) && values_next(values, &v);) {
    if (t.known && values_cut_one((int32_t)v, t.type) != t.value)
      continue;
    holes_set(&w->row, slot, (int32_t)v);
    put_field(w, k, c, at, i + 1);
    holes_take_back(&w->row, mark);
  }
}

static void undo_receive(struct walk *w, uint32_t k, const struct ir_channel *c) {
  const uint32_t n = (uint32_t)holes_value(&w->row, c->count_slot), mark = w->row.n_changes;
  const bool is_random = w->steps->at[k].operation->random;
  for (uint32_t at = 0; n < c->capacity && at <= (is_random ? n : 0) && !undo_is_over(w);
       at++) {
    holes_set(&w->row, c->count_slot, (int32_t)n + 1);
    for (uint32_t i = n; i > at; i--)
      copy_message(w, c, i, i - 1);
    put_field(w, k, c, at, 0);
    holes_take_back(&w->row, mark);
  }
}

void undo_operate(struct walk *w, uint32_t k, uint32_t unused) {
  const struct small_step *step = &w->steps->at[k];
  const struct ir_operation *o = step->operation;
  const struct ir_channel *c = step->channel;
  (void)unused;
  if (c == NULL) {
    const struct ir_value number = holes_known(&w->row, o->channel);
    if (!number.known) {
      undo_with_each(w, o->channel, undo_operate, k, 0);
      return;
    }
    c = channel_numbered(w, number.at);
  }
  if (c == NULL || c->n_fields != o->n_values) /* a model error */
    return;
  if (c->capacity == 0 && o->is_send)
    take_up(w, k, c);
  else if (c->capacity == 0)
    offer(w, k, c);
  else if (o->is_send)
    undo_send(w, k, c);
  else if (o->keep)
    undo_copy(w, k, c);
  else
    undo_receive(w, k, c);
}
