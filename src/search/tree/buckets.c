/* buckets.c - open nodes by a small number: see buckets.h. */
#include "search/tree/buckets.h"

#include "search/tree/tdtree.h"
#include "store/room/save.h"

#include "base/array.h"

void buckets_init(struct buckets *b, struct budget *budget) {
  *b = (struct buckets){.budget = budget};
  for (uint32_t i = 0; i < BUCKETS; i++)
    b->first[i] = b->last[i] = TDTREE_NONE;
}

void buckets_free(struct buckets *b) {
  array_free(b->budget, BUDGET_OPEN, b->at, b->room * sizeof *b->at);
  b->at = NULL;
  b->room = 0;
}

/* Room for this node. */
static bool reach(struct buckets *b, uint32_t node) {
  while (node >= b->room) {
    uint64_t had = b->room;
    struct bucket_link *at = array_grow(b->budget, BUDGET_OPEN, b->at, &b->room, sizeof *at);
    if (at == NULL)
      return false;
    b->at = at;
    memset(at + had, 0, (b->room - had) * sizeof *at);
  }
  return true;
}

static void link_last(struct buckets *b, uint32_t node) {
  struct bucket_link *at = &b->at[node];
  at->next = TDTREE_NONE;
  at->before = b->last[at->number];
  if (at->before != TDTREE_NONE)
    b->at[at->before].next = node;
  else
    b->first[at->number] = node;
  b->last[at->number] = node;
  b->any |= UINT64_C(1) << at->number;
}

static void unlink_it(struct buckets *b, uint32_t node) {
  const struct bucket_link *at = &b->at[node];
  if (at->before == TDTREE_NONE)
    b->first[at->number] = at->next;
  else
    b->at[at->before].next = at->next;
  if (at->next != TDTREE_NONE)
    b->at[at->next].before = at->before;
  else
    b->last[at->number] = at->before;
  if (b->first[at->number] == TDTREE_NONE)
    b->any &= ~(UINT64_C(1) << at->number);
}

void buckets_set(struct buckets *b, uint32_t node, uint32_t number) {
  if (!reach(b, node))
    return; /* when it is added, memory has run out again */
  struct bucket_link *at = &b->at[node];
  uint8_t to = (uint8_t)(number < BUCKETS ? number : BUCKETS - 1);
  if (at->waits)
    unlink_it(b, node);
  at->number = to;
  if (at->waits)
    link_last(b, node);
}

bool buckets_add(struct buckets *b, uint32_t node) {
  if (!reach(b, node))
    return false;
  b->at[node].waits = true;
  link_last(b, node);
  b->n++;
  return true;
}

uint32_t buckets_take(struct buckets *b) {
  uint32_t node = b->first[__builtin_ctzll(b->any)];
  unlink_it(b, node);
  b->at[node].waits = false;
  b->n--;
  return node;
}

bool buckets_pass(struct buckets *b, struct sink *sink) {
  void *at = b->at;
  uint64_t n = b->room;
  sink_pass(sink, b->first, sizeof b->first);
  sink_pass(sink, b->last, sizeof b->last);
  sink_pass(sink, &b->any, sizeof b->any);
  sink_pass(sink, &b->n, sizeof b->n);
  bool fine = array_pass(sink, b->budget, BUDGET_OPEN, &at, &b->room, &n, sizeof *b->at);
  b->at = at;
  return fine;
}
