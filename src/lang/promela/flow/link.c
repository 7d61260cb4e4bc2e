/* link.c - where each step leads.
 *
 * A step leads past gotos, breaks and the ends of selections and loops to the next real
 * statement. Inside an atomic sequence it does not lead past its end: there a step of its
 * own gives the control back.
 */
#include "lang/promela/flow/flow.h"

#include <stddef.h>

struct flow_node *flow_labelled(const struct flow *f, const struct promela_label *label) {
  return label->flow == 0 ? NULL : f->labels.at[label->flow - 1].node;
}

bool flow_begins_with(const struct flow_node *group, const struct flow_node *node) {
  const struct flow_node *at = group;
  while (at != node && (at->kind == FLOW_GROUP || at->kind == FLOW_DSTEP))
    at = at->parts.at[0]->first;
  return at == node;
}

static struct flow_node *target_of(const struct flow *f, const struct flow_node *node) {
  if (node->stmt->kind == PROMELA_GOTO)
    return flow_labelled(f, node->stmt->label);
  for (uint32_t i = 0; i < f->exits.n; i++)
    if (f->exits.at[i].loop == node->stmt->loop)
      return f->exits.at[i].node;
  return NULL;
}

bool flow_is_constant(const struct flow_node *node, int32_t value) {
  return node->kind == FLOW_STEP && node->stmt->kind == PROMELA_EXPR &&
         node->stmt->a->kind == PROMELA_CONST && node->stmt->a->value == value;
}

struct flow_node *flow_start(const struct flow_sequence *s) {
  struct flow_node *node = s->first;
  for (;;) {
    if (node->kind == FLOW_JOIN && node->next != NULL)
      node = node->next;
    else if (node->kind == FLOW_UNLESS)
      node = node->parts.at[0]->first;
    else
      return node;
  }
}

static struct flow_node *hop(const struct flow *f, const struct flow_node *node) {
  switch (node->kind) {
  case FLOW_GOTO:
    return target_of(f, node);
  case FLOW_JOIN:
  case FLOW_EXIT:
    return node->next;
  case FLOW_UNLESS:
    return node->parts.at[0]->first;
  default:
    return NULL;
  }
}

/* Follows a way and notices when it comes back to itself (Brent's method: the mark is set
 * anew after one, two, four … hops). */
struct way {
  const struct flow_node *mark;
  uint32_t hops, most;
};

static bool comes_back(struct way *w, const struct flow_node *at) {
  if (w->mark == at)
    return true;
  if (w->hops++ == w->most) {
    w->mark = at;
    w->most = 2 * w->most + 1;
    w->hops = 0;
  }
  return false;
}

static void report_cycle(const struct flow *f, const struct flow_node *node) {
  diag_error(f->diag, node->stmt->span, "this jump leads to itself, without any statement");
  diag_hint(f->diag, "put a skip after the label");
}

struct flow_node *flow_arrive(struct flow *f, struct flow_node *node, unsigned status) {
  struct flow_node *at = node;
  struct way way = {NULL, 0, 0};
  while (!comes_back(&way, at)) {
    struct flow_node *next = hop(f, at);
    if (next == NULL)
      return at;
    if (at->kind == FLOW_UNLESS)
      next = flow_arrive(f, next, status);
    if ((status & FLOW_ATOMIC) != 0 && (next->status & FLOW_ATOMIC) == 0)
      return at;
    at = next;
  }
  report_cycle(f, node);
  return at;
}

/* Inside a d_step nothing but real statements is a step. Where the way leads out, the
 * rest of it is that of the d_step as a whole. */
static struct flow_node *arrive_inside(struct flow *f, struct flow_node *node,
                                       const struct flow_node *dstep) {
  struct flow_node *at = node;
  struct way way = {NULL, 0, 0};
  while (!comes_back(&way, at)) {
    if (at->dstep != dstep)
      return flow_arrive(f, at, dstep->status);
    struct flow_node *next = hop(f, at);
    if (next == NULL)
      return at;
    at = next;
  }
  report_cycle(f, node);
  return at;
}

/* ---- gotos between atomic sequences ---- */

/* A goto out of an atomic sequence gives control away; one into another keeps it. */
static void patch(const struct flow *f, struct flow_sequence *s) {
  const unsigned inside = FLOW_ATOMIC | FLOW_LAST;
  for (struct flow_node *node = s->first; node != NULL; node = node->next) {
    if (node->kind == FLOW_GOTO) {
      const struct flow_node *to = target_of(f, node);
      if ((node->status & inside) != 0 && (to->status & inside) == 0)
        node->status = (node->status & ~(unsigned)FLOW_ATOMIC) | FLOW_LAST;
      if ((node->status & FLOW_LAST) != 0 && (to->status & inside) != 0)
        node->status = (node->status & ~(unsigned)FLOW_LAST) | FLOW_ATOMIC;
    } else if (node->kind == FLOW_CHOICE || node->kind == FLOW_UNLESS) {
      for (uint32_t i = 0; i < node->parts.n; i++)
        patch(f, node->parts.at[i]);
    }
    if (node == s->extent)
      break;
  }
}

/* ---- links ---- */

static void link_sequence(struct flow *, struct flow_sequence *);

static void link_escapes(struct flow *f, struct flow_node *node) {
  for (uint32_t i = node->escapes.n; i-- > 0;)
    link_sequence(f, node->escapes.at[i]);
}

static void link_step(struct flow *f, struct flow_node *node) {
  struct flow_node *next = node->kind == FLOW_GOTO ? target_of(f, node) : node->next;
  if (next != NULL && node->kind != FLOW_END)
    node->to = node->dstep != NULL ? arrive_inside(f, next, node->dstep)
                                   : flow_arrive(f, next, node->status);
  if (node->kind != FLOW_JOIN)
    link_escapes(f, node);
}

static void link_group(struct flow *f, struct flow_node *node) {
  struct flow_sequence *s = node->parts.at[0];
  patch(f, s);
  s->last->next = node->next;
  if (node->kind == FLOW_DSTEP)
    link_step(f, node);
  link_sequence(f, s);
}

static void link_node(struct flow *f, struct flow_node *node) {
  node->is_linked = true;
  switch (node->kind) {
  case FLOW_UNLESS:
    link_sequence(f, node->parts.at[0]);
    break;
  case FLOW_CHOICE:
    for (uint32_t i = 0; i < node->parts.n; i++)
      link_sequence(f, node->parts.at[i]);
    break;
  case FLOW_GROUP:
  case FLOW_DSTEP:
    link_group(f, node);
    break;
  default:
    link_step(f, node);
    break;
  }
}

static void link_sequence(struct flow *f, struct flow_sequence *s) {
  for (struct flow_node *node = s->first; node != NULL; node = node->next) {
    if (!node->is_linked)
      link_node(f, node);
    if (node == s->last)
      break;
  }
}

/* Blocks hang together before any way is followed: a jump may lead past the end of a block
 * that is linked later. */
static void tie_ends(struct flow *f) {
  for (uint32_t i = f->nodes.n; i-- > 0;) {
    struct flow_node *node = f->nodes.at[i];
    if ((node->kind == FLOW_GROUP || node->kind == FLOW_DSTEP) &&
        node->parts.at[0]->last->next == NULL)
      node->parts.at[0]->last->next = node->next;
  }
}

bool flow_link(struct flow *f) {
  uint32_t errors = diag_errors(f->diag);
  tie_ends(f);
  link_sequence(f, &f->body);
  f->start = flow_arrive(f, f->body.first, f->body.first->status);
  return diag_errors(f->diag) == errors;
}
