/* handshake.c - two partners that assign the same variable.
 *
 * DiVinE calls it a mistake of the model: the result hangs on which partner's
 * effects come last. Here it is defined (the sender's do), so there is only
 * a warning. Not looked for: elements of an array whose index is computed, and
 * whether the two transitions ever shake hands.
 */
#include "lang/dve/lower.h"

#include <stdlib.h>

/* One assignment on an edge that takes part in a handshake. */
struct record {
  uint32_t channel, variable, element; /* variable: where it is declared */
  uint32_t process;
  enum ir_sync side;
  const struct ir_variable *what;
  struct span span;
};

struct records {
  struct record *at;
  uint32_t n, capacity;
};

static int compare_records(const void *va, const void *vb) {
  const struct record *a = va, *b = vb;
  const uint32_t left[] = {a->channel,        a->variable, a->element,
                           (uint32_t)a->side, a->process,  a->span.begin};
  const uint32_t right[] = {b->channel,        b->variable, b->element,
                            (uint32_t)b->side, b->process,  b->span.begin};
  for (size_t i = 0; i < sizeof left / sizeof *left; i++)
    if (left[i] != right[i])
      return left[i] < right[i] ? -1 : 1;
  return 0;
}

static bool is_same_place(const struct record *a, const struct record *b) {
  return a->channel == b->channel && a->variable == b->variable && a->element == b->element;
}

static void collect_target(struct dve_lower *l, const struct ir_expr *target, uint32_t process,
                           const struct ir_edge *edge, struct records *records) {
  uint32_t element = 0;
  if (target->variable->owner != NULL)
    return;
  if (target->kind == IR_ELEMENT) {
    if (target->a->kind != IR_CONST)
      return;
    element = (uint32_t)target->a->value;
  }
  *ARENA_PUSH(l->arena, records) = (struct record){.channel = edge->channel->index,
                                                   .variable = target->variable->span.begin,
                                                   .element = element,
                                                   .process = process,
                                                   .side = edge->sync,
                                                   .what = target->variable,
                                                   .span = target->span};
}

static void collect_edge(struct dve_lower *l, uint32_t process, const struct ir_edge *edge,
                         struct records *records) {
  if (edge->sync == IR_NO_SYNC || edge->channel->capacity > 0)
    return;
  for (uint32_t i = 0; i < edge->n_effects; i++)
    collect_target(l, edge->effect[i].target, process, edge, records);
  if (edge->sync == IR_RECEIVE)
    for (uint32_t i = 0; i < edge->n_values; i++)
      collect_target(l, edge->value[i], process, edge, records);
}

/* A sender and a receiver of different processes among the records of one place,
 * sorted by side and process. */
static bool find_pair(const struct record *r, uint32_t n, const struct record **sender,
                      const struct record **receiver) {
  uint32_t senders = 0;
  while (senders < n && r[senders].side == IR_SEND)
    senders++;
  if (senders == 0 || senders == n)
    return false;
  *sender = &r[0];
  *receiver = &r[n - 1];
  if ((*sender)->process == (*receiver)->process) {
    *sender = &r[senders - 1];
    if ((*sender)->process == (*receiver)->process)
      *receiver = &r[senders];
  }
  return (*sender)->process != (*receiver)->process;
}

static void warn(struct dve_lower *l, const struct record *sender,
                 const struct record *receiver) {
  diag_warning(l->diag, sender->span,
               "both partners of a handshake on '%s' may assign '%s'; the sender's value stays",
               l->model->channel[sender->channel]->name, sender->what->name);
  diag_add(l->diag, DIAG_NOTE, receiver->span, "the receiver assigns it here");
}

void dve_check_handshakes(struct dve_lower *l) {
  struct records records = {0};
  const struct ir_model *model = l->model;
  for (uint32_t p = 0; p < model->n_processes; p++)
    for (uint32_t e = 0; e < model->process[p]->n_edges; e++)
      collect_edge(l, p, &model->process[p]->edge[e], &records);
  if (records.n > 0)
    qsort(records.at, records.n, sizeof *records.at, compare_records);
  for (uint32_t begin = 0, end; begin < records.n; begin = end) {
    const struct record *sender, *receiver;
    for (end = begin + 1; end < records.n; end++)
      if (!is_same_place(&records.at[begin], &records.at[end]))
        break;
    if (find_pair(&records.at[begin], end - begin, &sender, &receiver))
      warn(l, sender, receiver);
  }
}
