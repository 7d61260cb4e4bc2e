/* instances.h - the net that unfolding builds: transitions by binding, then names and order. */
#ifndef CAIRN_LANG_PNML_INSTANCES_H
#define CAIRN_LANG_PNML_INSTANCES_H

#include "lang/pnml/colours.h"
#include "lang/pnml/symmetric.h"
#include "net/net.h"

struct instances_arc {
  uint32_t colour;
  int64_t weight;
};

struct instances_instance { /* of a transition */
  uint32_t transition;
  uint32_t n_in, n_out;
  const uint32_t *binding;
  const struct instances_arc *in, *out;
};

struct instances {
  const struct symmetric_net *net;
  struct diag *diag;
  bool failed;
  struct {
    struct instances_instance *at;
    uint32_t n, capacity;
  } instance;
  struct { /* scratch: arcs of the binding at hand */
    struct instances_arc *at;
    uint32_t n, capacity;
  } arc;
};

void instances_open(struct instances *, const struct symmetric_net *, struct diag *);
/* The colours of the initial marking, as possible ones. */
void instances_initial(struct instances *, struct colours *);
/* Adds a transition for a binding, and marks the colours that it puts out as possible. */
void instances_transition(struct instances *, struct colours *, uint32_t transition,
                          const uint32_t *binding);
/* The whole, in the order of the text and of the colours. NULL after an error. */
struct net *instances_net(struct instances *, struct colours *);

/* The value of a cell, which is no `all`, under a binding. */
uint32_t instances_value(const struct symmetric_cell *, const uint32_t *binding);

#endif
