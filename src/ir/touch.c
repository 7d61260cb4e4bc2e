/* touch.c - what the steps of a model with instances read and write.
 *
 * The sets of a step are those of its edge, for the instance in its slot; channels and
 * indices that this instance has permanently count as constants. References to other
 * processes take all seats of the template. A process is there only as long as the number
 * of processes and its tag say so: every action reads both. sequence.c makes whole actions
 * of steps.
 */
#include "ir/touch.h"

#include "ir/which.h"

/* ---- expressions --------------------------------------------------------------------- */

static struct ir_value fixed(const struct touch *t, const struct ir_expr *e) {
  return value_for(t->births, t->seat, t->number, e);
}

static void add_reference(struct touch *t, struct set *set, const struct ir_expr *e, bool own) {
  const struct ir_variable *v = e->variable;
  uint32_t first = v->first_slot, n = 1;
  if (v->is_const || !v->length || (t->born != NULL && v->owner == t->born))
    return;
  struct ir_value index = e->kind == IR_ELEMENT ? fixed(t, e->a) : value_known(0);
  if (!index.known)
    n = v->length;
  else if (index.at >= 0 && (uint32_t)index.at < v->length)
    first += (uint32_t)index.at;
  if (!v->owner)
    set_add_slots(set, first, n);
  else if (own && t->seat && t->seat->process == v->owner)
    touch_in_seat(t, set, t->seat, first, n);
  else
    touch_in_all_seats(t, set, v->owner, first, n);
}

/* The one slot of a reference, of all processes or the own one; TS_NONE: it may be several. */
static uint32_t slot_of(const struct touch *t, const struct ir_expr *e) {
  const struct ir_variable *v = e->variable;
  struct ir_value at = e->kind == IR_ELEMENT ? fixed(t, e->a) : value_known(0);
  bool own = t->seat != NULL && v->owner != NULL && t->seat->process == v->owner;
  if (v->is_const || !at.known || at.at < 0 || (uint32_t)at.at >= v->length ||
      (v->owner != NULL && !own))
    return TS_NONE;
  uint32_t slot = v->first_slot + (uint32_t)at.at;
  return own ? t->seat->first_slot + (slot - v->owner->frame_slot) : slot;
}

/* Adds an element by an index whose value before the step is known in each state; false: it is
 * none, and nothing is added. */
static bool pick_element(struct touch *t, const struct ir_expr *e, unsigned way,
                         const struct ir_range *range) {
  const struct ir_variable *array = e->variable;
  bool own = t->seat != NULL && array->owner != NULL && t->seat->process == array->owner;
  int32_t offset;
  if (t->marks == NULL || e->kind != IR_ELEMENT || array->is_const || !array->length ||
      fixed(t, e->a).known || (array->owner != NULL && !own) || t->born != NULL)
    return false;
  const struct ir_expr *v = marks_index_variable(e->a, &offset);
  uint32_t slot = v == NULL ? TS_NONE : slot_of(t, v), first = array->first_slot;
  if (own)
    first = t->seat->first_slot + (first - array->owner->frame_slot);
  return slot != TS_NONE && marks_pick(t->marks, (struct marks_index){slot, offset},
                                       (struct ts_range){first, array->length}, way, range);
}

static uint32_t channel_slots(const struct ir_channel *c) {
  return c->capacity ? 1 + c->capacity * c->n_fields : 0;
}

static void add_channel(struct touch *t, struct set *set, const struct ir_channel *c) {
  if (!c->capacity)
    return;
  if (c->owner)
    touch_in_all_seats(t, set, c->owner, c->data_slot, channel_slots(c));
  else
    set_add_slots(set, c->data_slot, channel_slots(c));
}

static void add_all_channels(struct touch *t, struct set *set) {
  const void *key = &t->model->n_channels;
  uint32_t item;
  if (!set_find(t->groups, key, 0, 0, &item)) {
    struct set all;
    set_open(&all, t->groups);
    set_begin(&all);
    for (uint32_t i = 0; i < t->model->n_channels; i++)
      add_channel(t, &all, t->model->channel[i]);
    item = set_take(&all, 0);
    set_keep(t->groups, key, 0, 0, item);
  }
  set_add(set, item);
}

/* The same for an operation, or NULL: the channel is read. */
static void mark_channel(struct touch *t, const struct ir_channel *c,
                         const struct ir_operation *o) {
  if (o != NULL)
    marks_operation(t->marks, c, o);
  else if (c->capacity > 0)
    marks_add(t->marks, marks_channel(t->marks, c), TS_READ);
}

static struct which which_of(const struct touch *t, const struct ir_expr *number) {
  return which_channels(t->model, t->births, t->seat, t->number, number);
}

static void mark_number(struct touch *t, const struct ir_expr *number,
                        const struct ir_operation *o) {
  struct which which = which_of(t, number);
  int32_t k = 0;
  t->marks->certain = which.one != NULL;
  for (uint32_t i = 0; i < t->model->n_channels; i++) {
    const struct ir_channel *c = t->model->channel[i];
    k += !c->owner;
    if (which_has(&which, c, k))
      mark_channel(t, c, o);
  }
  if (!which_is_known(&which))
    touch_living(t, t->reads);
}

/* The channel of a number: one, or any. */
static void add_number(struct touch *t, struct set *set, const struct ir_expr *number) {
  struct ir_value which = fixed(t, number);
  int32_t k = 0;
  bool found = false;
  if (t->marks != NULL) {
    mark_number(t, number, NULL);
    return;
  }
  for (uint32_t i = 0; which.known && i < t->model->n_channels; i++) {
    const struct ir_channel *c = t->model->channel[i];
    k += !c->owner;
    if (c->owner || k != which.at)
      continue;
    found = true;
    add_channel(t, set, c);
  }
  if (found)
    return;
  add_all_channels(t, set);
  touch_living(t, t->reads);
}

static void read_operation(struct touch *t, const struct ir_operation *o) {
  touch_expr(t, o->channel);
  add_number(t, t->reads, o->channel);
  for (uint32_t i = 0; i < o->n_values; i++)
    touch_expr(t, o->value[i]);
}

/* What an operation takes to be possible, where the channel is marked. */
static void mark_operation(struct touch *t, const struct ir_operation *o) {
  touch_expr(t, o->channel);
  mark_number(t, o->channel, o);
  for (uint32_t i = 0; i < o->n_values; i++)
    if (o->is_send || o->value[i]->kind == IR_MATCH)
      touch_expr(t, o->value[i]);
}

/* Who lives, and what they have claimed. */
static void touch_rivals(struct touch *t, const struct ir_exclusion *x) {
  touch_living(t, t->reads);
  for (uint32_t i = 0; i < x->n; i++) {
    const struct ir_expr *e = x->rival[i].claim->channel;
    if (!x->rival[i].channel.known && (e->kind == IR_VARIABLE || e->kind == IR_ELEMENT))
      add_reference(t, t->reads, e, false);
  }
}

static void read_index(struct touch *t, const struct ir_expr *e) {
  bool tests = t->marks != NULL && marks_begin_index(t->marks, e);
  touch_expr(t, e->a);
  if (t->marks != NULL)
    marks_end_index(t->marks, tests);
}

/* Whether any process is at a location with the flag. */
static void touch_labels(struct touch *t, unsigned flag) {
  const struct ir_model *m = t->model;
  if (t->marks == NULL) {
    touch_everything(t, t->reads);
    return;
  }
  touch_living(t, t->reads);
  for (uint32_t i = 0; i < m->n_processes; i++)
    for (uint32_t l = 0; l < m->process[i]->n_locations; l++)
      if (m->process[i]->location[l].flags & flag)
        marks_located(t->marks, m->process[i], l);
}

static void read_foreign(struct touch *t, const struct ir_expr *e) {
  touch_living(t, t->reads);
  touch_expr(t, e->a);
  touch_expr(t, e->b->a);
  add_reference(t, t->reads, e->b, false);
}

void touch_expr(struct touch *t, const struct ir_expr *e) {
  if (!e)
    return;
  switch (e->kind) {
  case IR_VARIABLE:
    add_reference(t, t->reads, e, true);
    break;
  case IR_ELEMENT:
    if (!pick_element(t, e, TS_READ, NULL))
      add_reference(t, t->reads, e, true);
    read_index(t, e);
    return;
  case IR_FOREIGN:
    read_foreign(t, e);
    return;
  case IR_LOCATED:
    touch_living(t, t->reads);
    if (t->marks != NULL)
      marks_located(t->marks, e->process, e->location);
    else
      touch_in_all_seats(t, t->reads, e->process, e->process->location_slot, 1);
    break;
  case IR_LIVE:
  case IR_NUMBER:
    touch_living(t, t->reads);
    break;
  case IR_LAST:
    set_add(t->reads, t->model->last_slot);
    break;
  case IR_C_EXPR: /* and memory that nobody else sees */
  case IR_PLACE:
  case IR_ENABLED:
  case IR_STUCK:
  case IR_PRIORITY:
  case IR_TIMEOUT:
    touch_everything(t, t->reads);
    break;
  case IR_NONPROGRESS:
  case IR_ACCEPTED:
    touch_labels(t, e->kind == IR_ACCEPTED ? IR_ACCEPTING : IR_PROGRESS);
    break;
  case IR_EXCLUSIVE:
    touch_rivals(t, e->exclusion);
    break;
  case IR_LENGTH:
  case IR_ROOM:
    add_number(t, t->reads, e->a);
    break;
  case IR_POLL:
    read_operation(t, e->operation);
    if (t->marks != NULL && touch_is_rendezvous(t, e->operation))
      touch_everything(t, t->reads);
    break;
  default:
    break;
  }
  touch_expr(t, e->a);
  touch_expr(t, e->b);
  touch_expr(t, ir_third(e));
}

/* ---- edges --------------------------------------------------------------------------- */

/* Range: of the value; NULL: any. */
static void write_target(struct touch *t, const struct ir_expr *target,
                         const struct ir_range *range) {
  if (!target || target->kind == IR_DROP || target->kind == IR_MATCH ||
      target->kind == IR_CONST)
    return;
  if (target->kind == IR_FOREIGN) {
    read_foreign(t, target);
    add_reference(t, t->writes, target->b, false);
    return;
  }
  bool picked = pick_element(t, target, TS_WRITE, range);
  uint32_t slot = t->marks == NULL ? TS_NONE : slot_of(t, target);
  if (slot != TS_NONE)
    marks_write(t->marks, slot, 1, range);
  else if (!picked)
    add_reference(t, t->writes, target, true);
  if (target->kind == IR_ELEMENT) {
    touch_expr(t, target->a);
    if (!fixed(t, target->a).known && !picked)
      add_reference(t, t->reads, target, true);
  }
}

/* Making and ending a process writes the whole frame; what makes one reads it too, for the
 * bytes may have been another's. */
static void write_birth(struct touch *t, const struct ir_process *p) {
  uint32_t n = touch_frame_slots(t->model, p);
  touch_living(t, t->reads);
  touch_living(t, t->writes);
  t->born = t->marks != NULL ? p : NULL;
  if (p->n_seats > 0 && t->marks == NULL) {
    touch_in_all_seats(t, t->writes, p, p->frame_slot, n);
    touch_in_all_seats(t, t->reads, p, p->frame_slot, n);
  }
  for (uint32_t i = 0; i < p->n_starts; i++)
    touch_expr(t, p->start[i].value);
  t->born = NULL;
}

/* Where marks are kept: what was touched so far was done before what comes. */
static void take(struct touch *t) {
  if (t->marks != NULL)
    marks_take(t->marks);
}

/* The target gets the value. */
static void touch_assigned(struct touch *t, const struct ir_effect *e) {
  struct ir_value value = e->kind == IR_ASSIGN ? fixed(t, e->value) : (struct ir_value){0};
  struct ir_range range = {value.at, value.at};
  bool plain = e->target->kind == IR_VARIABLE || e->target->kind == IR_ELEMENT;
  if (!value.known && e->kind == IR_ASSIGN)
    range = ir_range(e->value);
  take(t);
  write_target(t, e->target,
               plain && e->kind == IR_ASSIGN ? marks_stored(&range, e->target->variable->type)
                                             : NULL);
  take(t);
}

static void touch_effect(struct touch *t, const struct ir_effect *e) {
  touch_expr(t, e->value);
  for (uint32_t i = 0; i < e->n_arguments; i++)
    touch_expr(t, e->argument[i]);
  if (e->target != NULL)
    touch_assigned(t, e);
  if (e->kind == IR_RUN)
    write_birth(t, e->process);
  if (e->kind == IR_SET_PRIORITY || e->kind == IR_C_CODE) {
    touch_everything(t, t->reads);
    touch_everything(t, t->writes);
  }
}

static void touch_operation(struct touch *t, const struct ir_operation *o) {
  if (t->marks != NULL) {
    mark_operation(t, o);
  } else {
    read_operation(t, o);
    add_number(t, t->writes, o->channel);
  }
  take(t);
  for (uint32_t i = 0; !o->is_send && i < o->n_values; i++) {
    write_target(t, o->value[i], NULL);
    take(t); /* the next target may have this one in its index */
  }
}

/* ---- traces ---- */

static bool is_watched(struct touch *t, const struct ir_operation *o) {
  const struct ir_trace *trace = t->model->trace;
  const struct which which = which_of(t, o->channel);
  uint32_t k = 0;
  for (uint32_t i = 0; i < t->model->n_channels; i++) {
    const struct ir_channel *c = t->model->channel[i];
    if (c->owner != NULL || ++k >= trace->n_channels || trace->watched[k] == 0)
      continue;
    if (which_has(&which, c, (int32_t)k))
      return true;
  }
  return false;
}

/* The step moves the trace, by what it looks at. */
static void touch_trace(struct touch *t, const struct ir_operation *o) {
  const struct ir_trace *trace = t->model->trace;
  if (trace == NULL || o == NULL || o->keep || !is_watched(t, o))
    return;
  set_add_slots(t->reads, trace->at->first_slot, 1);
  set_add_slots(t->writes, trace->at->first_slot, 1);
  for (uint32_t i = 0; i < trace->n_edges; i++)
    for (uint32_t k = 0; k < trace->edge[i].n_values; k++)
      touch_expr(t, trace->edge[i].value[k]);
}

/* ---- guards ---- */

/* A part of a guard that says that a channel has room, or a message, and no more, asks less
 * than the channel's length does. Whether a part is listed among the guards of its step
 * (guards.c) decides what may be said of those who read what it reads, see marks.h. */

static bool is_zero(const struct ir_expr *e) {
  return e->kind == IR_CONST && e->value == 0;
}

/* The channel that a condition says has a message (nempty), and no more; NULL: another one. */
static const struct ir_expr *asks_message(const struct ir_expr *e) {
  bool any = e->kind == IR_GT && e->a->kind == IR_LENGTH && is_zero(e->b);
  return any ? e->a->a : NULL;
}

/* The same of room: !(len > 0 && room == 0), as nfull is written. */
static const struct ir_expr *asks_room(const struct ir_expr *e) {
  const struct ir_expr *full = e->kind == IR_NOT ? e->a : NULL;
  bool room = full != NULL && full->kind == IR_AND && asks_message(full->a) != NULL &&
              full->b->kind == IR_EQ && full->b->a->kind == IR_ROOM && is_zero(full->b->b);
  return room ? full->b->a->a : NULL;
}

/* The guard holds where a channel has room, or a message. */
static void mark_asked(struct touch *t, const struct ir_expr *number, unsigned way) {
  struct which which = which_of(t, number);
  int32_t k = 0;
  touch_expr(t, number);
  for (uint32_t i = 0; i < t->model->n_channels; i++) {
    const struct ir_channel *c = t->model->channel[i];
    k += !c->owner;
    if (c->capacity == 0 || !which_has(&which, c, k))
      continue;
    marks_add(t->marks, marks_channel(t->marks, c), way);
    if (t->marks->guard && which.one != NULL)
      marks_grant(t->marks, c, way);
  }
  if (!which_is_known(&which))
    touch_living(t, t->reads);
}

/* A condition that is true where the step is enabled. What it says of channels stays so
 * whatever others do who only take away, or only add. */
void touch_part(struct touch *t, const struct ir_expr *e) {
  const struct ir_expr *number;
  if (e == NULL)
    return;
  if (e->kind == IR_AND) {
    touch_part(t, e->a);
    touch_part(t, e->b);
    return;
  }
  marks_begin_part(t->marks);
  if ((number = asks_message(e)) != NULL)
    mark_asked(t, number, TS_ANY);
  else if ((number = asks_room(e)) != NULL)
    mark_asked(t, number, TS_ROOM);
  else
    touch_expr(t, e);
  marks_end_part(t->marks);
}

void touch_condition(struct touch *t, const struct ir_edge *e) {
  if (t->marks == NULL || t->marks->inner || t->marks->negative) {
    touch_expr(t, e->guard);
  } else {
    t->marks->left = t->marks->known;
    touch_part(t, e->guard);
  }
  if (e->operation && t->marks != NULL)
    mark_operation(t, e->operation);
  else if (e->operation)
    read_operation(t, e->operation);
}

void touch_edge(struct touch *t, const struct ir_edge *e) {
  touch_condition(t, e);
  if (e->operation)
    touch_operation(t, e->operation);
  touch_trace(t, e->operation);
  for (uint32_t i = 0; i < e->n_effects; i++)
    touch_effect(t, &e->effect[i]);
  if (t->model->uses_last)
    set_add(t->writes, t->model->last_slot);
  if ((e->flags & IR_ENDS) && t->marks != NULL) {
    /* Only the youngest can end, so that the order is fixed; a sequence may come too early. */
    marks_add(t->marks, marks_living(t->marks),
              t->marks->inner ? TS_READ | TS_WRITE : TS_LEAVE);
  } else if (e->flags & IR_ENDS) {
    touch_living(t, t->reads);
    touch_living(t, t->writes);
    if (t->seat)
      touch_frame(t, t->writes, t->seat);
  }
}

bool touch_is_rendezvous(const struct touch *t, const struct ir_operation *o) {
  if (!o || !t->rendezvous)
    return false;
  struct which which = which_of(t, o->channel);
  int32_t k = 0;
  for (uint32_t i = 0; i < t->model->n_channels; i++) {
    const struct ir_channel *c = t->model->channel[i];
    k += !c->owner;
    if (c->capacity == 0 && which_has(&which, c, k))
      return true;
  }
  return false;
}

bool touch_is_held(const struct touch *t, const struct ir_process *p, const struct ir_edge *e) {
  return (e->flags & IR_KEEPS) || (p->location[e->to].flags & IR_IN_DSTEP) ||
         (touch_is_rendezvous(t, e->operation) && e->operation->is_send);
}
