/* reach.c - what a whole statement does to the nodes inside: escapes and atomic sequences. */
#include "lang/promela/flow/flow.h"

#include <stddef.h>

/* ---- escapes ---- */

static void attach_node(struct flow *f, struct flow_node *node, struct flow_sequence *escape) {
  for (uint32_t i = 0; i < node->escapes.n; i++)
    if (node->escapes.at[i] == escape)
      return;
  /* An outer escape also applies inside the inner ones. */
  for (uint32_t i = node->escapes.n; i-- > 0;)
    flow_attach(f, node->escapes.at[i], escape);
  *ARENA_PUSH(f->arena, &node->escapes) = escape;
  uint32_t n = node->kind == FLOW_UNLESS ? 1 : node->kind == FLOW_DSTEP ? 0 : node->parts.n;
  for (uint32_t i = 0; i < n; i++)
    flow_attach(f, node->parts.at[i], escape);
}

void flow_attach(struct flow *f, struct flow_sequence *to, struct flow_sequence *escape) {
  for (struct flow_node *node = to->first; node != NULL; node = node->next) {
    attach_node(f, node, escape);
    if (node == to->extent)
      break;
  }
}

/* ---- atomic ---- */

void flow_walk_atomic(struct flow_sequence *s, struct flow_node *dstep) {
  for (struct flow_node *node = s->first;; node = node->next) {
    node->status |= FLOW_ATOMIC;
    if (dstep != NULL)
      node->dstep = dstep;
    if (node->kind == FLOW_DSTEP && dstep != NULL)
      node->kind = FLOW_GROUP;
    for (uint32_t i = 0; node->kind != FLOW_DSTEP && i < node->parts.n; i++)
      flow_walk_atomic(node->parts.at[i], dstep);
    if (node == s->last)
      break;
  }
}

/* Control is given back after the last step. */
void flow_end_atomic(struct flow_sequence *s) {
  struct flow_node *last = s->last;
  if (last->kind == FLOW_GROUP) {
    flow_end_atomic(last->parts.at[0]);
  } else {
    last->status &= ~(unsigned)FLOW_ATOMIC;
    last->status |= FLOW_LAST;
  }
}
