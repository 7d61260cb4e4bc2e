/* claim.c - never claims, formulas and labels as claims.
 *
 * A never claim is an automaton already: its places of control are the states, and a step
 * is an edge that reads the state that the system is in. As Spin runs it, the claim makes the
 * first step of all, and then one before each step of the system; an atomic sequence or a
 * d_step of it is one step, all of it in the same state of the system; a place that accepts is
 * one with a label accept, in the claim or, as Spin has it, in any process; and its end, or a
 * label end, is an error when it is reached. So nothing of it is left to be run but to read a
 * letter.
 *
 * The variables of a claim are globals that nobody else knows, and what it does to them are
 * changes. Then what it reads within an atomic sequence depends on what it did there, so that
 * an edge is one statement, and its places inside of a sequence are states that are left at
 * once: each place is there twice, as one where the claim stops and as one where it goes on.
 */
#include "lang/promela/lower/lower.h"

#include "lang/lang.h"

#include <string.h>

enum { MOST_STEPS = 64, MOST_EDGES = 1000 }; /* of an atomic sequence; of one state */

struct claiming {
  struct promela_lower *l;
  const struct lower_frame *frame;
  uint32_t first;             /* atom */
  struct claim_cube accepted; /* a process is at a label accept; yes is 0: no label is there */
  struct {
    struct claim_edge *at;
    uint32_t n, capacity;
  } edges;
  struct {
    struct ts_fault *at;
    uint32_t n, capacity;
  } faults;
  bool is_stepwise; /* an edge is one statement, as the claim changes variables */
  uint32_t from;    /* the state whose edges are made */
  const char *why;  /* it cannot be run, or NULL */
};

/* What has been read on the way through an atomic sequence. */
struct reached {
  struct claim_cube cube;
  uint32_t fault, change, steps;
};

static void refuse(struct claiming *c, const char *why) {
  if (c->why == NULL)
    c->why = why;
}

/* Both; false: nothing is both. */
static bool meet(struct claim_cube *a, struct claim_cube b) {
  a->yes |= b.yes;
  a->no |= b.no;
  return (a->yes & a->no) == 0;
}

static struct claim_cube opposite(struct claim_cube cube) {
  return (struct claim_cube){cube.no, cube.yes};
}

/* ---- edges ------------------------------------------------------------------------------ */

static void push_edge(struct claiming *c, const struct reached *r, uint32_t to,
                      uint64_t marks) {
  struct claim_cube *cube = ARENA_NEW(c->l->arena, struct claim_cube);
  *cube = r->cube;
  *ARENA_PUSH(c->l->arena, &c->edges) = (struct claim_edge){.from = c->from,
                                                            .to = to,
                                                            .marks = marks,
                                                            .cube = cube,
                                                            .n_cubes = 1,
                                                            .fault = r->fault,
                                                            .change = r->change};
  if (c->edges.n > MOST_EDGES * (c->from + 1))
    refuse(c, "a step of it may go too many ways");
}

/* In a state that accepts, or where a process is at a label accept, the edge has the mark. */
static void push_edges(struct claiming *c, const struct reached *r, uint32_t to) {
  const bool stops = c->from < c->frame->flow.n_locations;
  const bool accepts = stops && (c->frame->flow.location[c->from]->marks & IR_ACCEPTING) != 0;
  struct reached here = *r;
  if (!stops || accepts || c->accepted.yes == 0) {
    push_edge(c, r, to, accepts);
    return;
  }
  if (meet(&here.cube, c->accepted))
    push_edge(c, &here, to, 1);
  here = *r;
  if (meet(&here.cube, opposite(c->accepted)))
    push_edge(c, &here, to, 0);
}

static void expand(struct claiming *c, const struct flow_node *node, const struct reached *r);

/* After the step of an origin. */
static void arrive(struct claiming *c, const struct flow_node *origin,
                   const struct reached *r) {
  const struct flow_node *dstep = origin->dstep, *to = origin->to;
  if (to == NULL)
    return;
  const bool keeps =
      to->dstep != NULL || ((dstep != NULL ? dstep : origin)->status & FLOW_ATOMIC) != 0;
  if (!keeps || to->kind == FLOW_END) {
    push_edges(c, r, to->location);
  } else if (c->is_stepwise) {
    push_edges(c, r, c->frame->flow.n_locations + to->location);
  } else if (r->steps == MOST_STEPS) {
    refuse(c, "an atomic sequence of it may not end");
  } else {
    struct reached next = *r;
    next.steps++;
    expand(c, to, &next);
  }
}

static uint32_t fault_of(struct claiming *c, const struct promela_stmt *stmt) {
  struct ts_fault *fault = ARENA_PUSH(c->l->arena, &c->faults);
  *fault = (struct ts_fault){.message = arena_printf(c->l->arena, "'%s' fails in %s",
                                                     stmt->code, c->frame->proctype->name),
                             .place = ir_place(stmt->span)};
  return c->faults.n;
}

/* The step goes on whatever the condition is. */
static void assertion(struct claiming *c, const struct flow_node *origin,
                      const struct reached *r) {
  struct claim_cube holds;
  bool many = false;
  const bool may = lower_atom(c->l, origin->stmt->a, c->first, &holds, &many);
  struct reached fine = *r, fails = *r;
  if (many)
    refuse(c, "more than 64 different conditions");
  if (may && meet(&fine.cube, holds))
    arrive(c, origin, &fine);
  if (may && ((holds.yes | holds.no) == 0 || !meet(&fails.cube, opposite(holds))))
    return;
  if (fails.fault == 0)
    fails.fault = fault_of(c, origin->stmt);
  arrive(c, origin, &fails);
}

static bool is_else(const struct flow_node *origin) {
  return origin->kind == FLOW_STEP && origin->stmt->kind == PROMELA_ELSE;
}

/* What the step waits for. False: it can never be taken. */
static bool guard_of(struct claiming *c, const struct flow_node *origin,
                     struct claim_cube *cube) {
  bool many = false;
  *cube = (struct claim_cube){0, 0};
  if (origin->kind != FLOW_STEP || origin->stmt->kind != PROMELA_EXPR)
    return true;
  const bool may = lower_atom(c->l, origin->stmt->a, c->first, cube, &many);
  if (many)
    refuse(c, "more than 64 different conditions");
  return may;
}

/* The step, or the d_step, cannot be taken: adds what this asks for. False: it always can. */
static bool cannot(struct claiming *c, const struct flow_node *origin,
                   struct claim_cube *cube) {
  struct claim_cube one;
  if (origin->kind != FLOW_DSTEP)
    return !guard_of(c, origin, &one) || ((one.yes | one.no) != 0 && meet(cube, opposite(one)));
  const struct flow_edges *inside = &flow_start(origin->parts.at[0])->edges;
  for (uint32_t i = 0; i < inside->n; i++)
    if (is_else(inside->at[i].origin) || !cannot(c, inside->at[i].origin, cube))
      return false;
  return true;
}

/* None of the options before this one can be taken; `only_escapes`: those of other escape
 * sequences, which go first. */
static bool none_before(struct claiming *c, const struct flow_edges *list, uint32_t before,
                        bool only_escapes, struct claim_cube *cube) {
  *cube = (struct claim_cube){0, 0};
  for (uint32_t i = 0; i < list->n && i < before; i++) {
    const uint32_t escape = list->at[i].escape;
    const bool counts = !only_escapes || (escape != 0 && escape != list->at[before].escape);
    if (counts && !is_else(list->at[i].origin) && !cannot(c, list->at[i].origin, cube))
      return false;
  }
  return true;
}

static bool changes(const struct promela_stmt *stmt) {
  return stmt->kind == PROMELA_ASSIGN || stmt->kind == PROMELA_INCREMENT ||
         stmt->kind == PROMELA_DECREMENT || stmt->kind == PROMELA_DECLARE;
}

/* Whether the target is a variable of the claim, or a global that no process looks at. */
static bool is_own(const struct claiming *c, const struct promela_stmt *stmt) {
  const struct promela_expr *e = stmt->target;
  while (e != NULL && e->kind == PROMELA_FIELD)
    e = e->b;
  if (stmt->kind == PROMELA_DECLARE)
    return true;
  return e != NULL && e->kind == PROMELA_VARIABLE &&
         (e->variable->owner != NULL || !c->l->used[e->variable->index]);
}

static void change(struct claiming *c, const struct flow_node *origin,
                   const struct reached *r) {
  struct ir_edge edge = {0};
  struct reached next = *r;
  if (is_own(c, origin->stmt))
    lower_step(c->l, origin, &edge);
  else
    refuse(c, "it changes a variable of the system");
  for (uint32_t i = 0; i < edge.n_effects; i++)
    if (edge.effect[i].kind != IR_ASSIGN)
      refuse(c, "it runs a process");
  if (c->why != NULL)
    return;
  *ARENA_PUSH(c->l->arena, &c->l->ir.changes) = (struct ir_change){edge.n_effects, edge.effect};
  next.change = c->l->ir.changes.n;
  arrive(c, origin, &next);
}

static void take(struct claiming *c, const struct flow_node *origin, const struct reached *r) {
  if (origin->kind != FLOW_STEP) {
    arrive(c, origin, r);
    return;
  }
  switch (origin->stmt->kind) {
  case PROMELA_ASSERT:
    assertion(c, origin, r);
    break;
  case PROMELA_EXPR:
  case PROMELA_ELSE:
  case PROMELA_PRINTF:
  case PROMELA_PRINTM:
    arrive(c, origin, r);
    break;
  default:
    if (changes(origin->stmt))
      change(c, origin, r);
    else
      refuse(c, "it changes the system");
  }
}

/* The ways on from a place. Inside of a d_step the first one that can be taken is. */
static void expand(struct claiming *c, const struct flow_node *node, const struct reached *r) {
  const struct flow_edges *list = &node->edges;
  for (uint32_t i = 0; i < list->n && c->why == NULL; i++) {
    const struct flow_node *origin = list->at[i].origin;
    struct reached here = *r;
    struct claim_cube guard, others = {0, 0};
    if (origin->kind == FLOW_DSTEP) {
      expand(c, flow_start(origin->parts.at[0]), r);
      continue;
    }
    if (origin->kind == FLOW_END || !guard_of(c, origin, &guard))
      continue;
    if (is_else(origin) ? !none_before(c, list, list->n, false, &others)
                        : !none_before(c, list, i, node->dstep == NULL, &others))
      continue;
    if (meet(&here.cube, guard) && meet(&here.cube, others))
      take(c, origin, &here);
  }
}

/* ---- a never claim ---------------------------------------------------------------------- */

static bool labels_accept(const struct promela_lower *l) {
  for (uint32_t i = 0; i < l->model->proctypes.n; i++)
    for (uint32_t k = 0; l->frame[i].process != NULL && k < l->frame[i].process->n_locations;
         k++)
      if ((l->frame[i].process->location[k].flags & IR_ACCEPTING) != 0)
        return true;
  return false;
}

static void make_edges(struct claiming *c, struct claim *claim) {
  const struct flow *f = &c->frame->flow;
  const uint32_t stops = f->n_locations, n = c->is_stepwise ? 2 * stops : stops;
  uint32_t *first = ARENA_ARRAY(c->l->arena, n + (size_t)1, uint32_t);
  uint8_t *is_error = ARENA_ARRAY(c->l->arena, n, uint8_t);
  for (uint32_t s = 0; s < n; s++) {
    struct flow_node *node = f->location[s % stops];
    first[s] = c->edges.n;
    c->from = s;
    is_error[s] = s < stops && (node->kind == FLOW_END || (node->marks & IR_VALID_END) != 0);
    claim->has_cycles |= (node->marks & IR_ACCEPTING) != 0;
    expand(c, node, &(struct reached){0});
  }
  first[n] = c->edges.n;
  claim->n_states = n;
  claim->n_stops = c->is_stepwise ? stops : 0;
  claim->initial = f->start->location;
  claim->n_marks = 1;
  claim->edge = c->edges.at;
  claim->first = first;
  claim->is_error = is_error;
}

static struct ir_expr *accepted(struct promela_lower *l) {
  return lower_new(l, IR_ACCEPTED, (struct span){l->model->source, 0, 0});
}

/* The last two faults of a claim with variables: see ts/product_ways.c. */
static void add_limits(struct claiming *c) {
  const struct ts_place place = ir_place(c->frame->proctype->span);
  *ARENA_PUSH(c->l->arena, &c->faults) = (struct ts_fault){
      .message = "a step of the claim may go in more than 128 ways", .place = place};
  *ARENA_PUSH(c->l->arena, &c->faults) = (struct ts_fault){
      .message = "a step of the claim does not come to an end", .place = place};
}

static bool changes_anything(const struct flow *f) {
  for (uint32_t i = 0; i < f->nodes.n; i++)
    if (f->nodes.at[i]->kind == FLOW_STEP && changes(f->nodes.at[i]->stmt))
      return true;
  return false;
}

static const char *make_never(struct promela_lower *l, struct lower_frame *frame,
                              struct claim *claim) {
  struct claiming c = {.l = l, .frame = frame, .first = l->ir.atoms.n};
  bool many = false;
  *claim =
      (struct claim){.kind = CLAIM_NEVER,
                     .name = frame->proctype->name,
                     .what = arena_printf(l->arena, "never claim %s", frame->proctype->name),
                     .first_atom = c.first};
  if (!flow_make(&frame->flow))
    return "";
  c.is_stepwise = changes_anything(&frame->flow);
  const char *why = lower_claim_variables(l, frame);
  if (why != NULL)
    return why;
  if (labels_accept(l)) {
    lower_atom_of(l, "accept", accepted(l), c.first, &c.accepted, &many);
    claim->has_cycles = true;
  }
  make_edges(&c, claim);
  claim->n_atoms = l->ir.atoms.n - c.first;
  if (c.is_stepwise)
    add_limits(&c);
  claim->n_faults = c.faults.n;
  claim->fault = c.faults.at;
  return c.why;
}

/* ---- labels ----------------------------------------------------------------------------- */

/* Spin's: do :: true :: np_ -> break od; accept: do :: np_ od */
static void add_progress(struct promela_lower *l) {
  static const struct claim_cube cube[] = {{0, 0}, {1, 0}};
  static const struct claim_edge edge[] = {
      {0, 0, 0, &cube[0], 1, 0, 0}, {0, 1, 0, &cube[1], 1, 0, 0}, {1, 1, 1, &cube[1], 1, 0, 0}};
  static const uint32_t first[] = {0, 2, 3};
  struct ir_expr *np = lower_new(l, IR_NONPROGRESS, (struct span){l->model->source, 0, 0});
  const uint32_t atom = ir_add_atom(&l->ir, "np_", (struct span){0}, np);
  *ARENA_PUSH(l->arena, &l->ir.claims) = (struct claim){.kind = CLAIM_PROGRESS,
                                                        .stutters = true,
                                                        .name = "progress",
                                                        .what = "labels progress",
                                                        .n_states = 2,
                                                        .n_marks = 1,
                                                        .edge = edge,
                                                        .first = first,
                                                        .first_atom = atom,
                                                        .n_atoms = 1,
                                                        .ends = true,
                                                        .has_cycles = true};
}

/* ---- all -------------------------------------------------------------------------------- */

/* Whether somebody asks for this claim or formula. */
static bool is_chosen(const struct language_options *o, const char *name) {
  for (uint32_t i = 0; i < o->n_claims; i++)
    if (strcmp(o->claim[i], name) == 0)
      return true;
  return o->n_claims == 0;
}

/* The same; what is not is noted. */
static bool is_taken(struct promela_lower *l, const struct language_options *o,
                     const char *name) {
  const bool taken = is_chosen(o, name);
  if (!taken)
    *ARENA_PUSH(l->arena, &l->ir.unasked) = name;
  return taken;
}

static void add(struct promela_lower *l, const struct claim *claim, const char *why) {
  if (why == NULL)
    *ARENA_PUSH(l->arena, &l->ir.claims) = *claim;
  else
    l->ir.unchecked[l->ir.n_unchecked++] = arena_printf(l->arena, "%s (%s)", claim->what, why);
}

void lower_claims(struct promela_lower *l, const struct language_options *o) {
  const struct promela_model *model = l->model;
  struct claim claim;
  const char *why;
  for (uint32_t i = 0; i < model->formulas.n; i++)
    if (is_taken(l, o, model->formulas.at[i]->name))
      add(l, &claim, lower_formula(l, model->formulas.at[i], &claim, &why) ? NULL : why);
  for (uint32_t i = 0; i < model->proctypes.n; i++)
    if (model->proctypes.at[i]->kind == PROMELA_NEVER &&
        is_taken(l, o, model->proctypes.at[i]->name)) {
      why = make_never(l, &l->frame[i], &claim);
      add(l, &claim, why);
    }
  if (o->acceptance && labels_accept(l))
    ir_add_acceptance(&l->ir, "a label 'accept'", (struct span){0}, accepted(l));
  if (o->progress)
    add_progress(l);
}
