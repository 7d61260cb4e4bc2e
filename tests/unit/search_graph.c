/* search_graph.c - systems without a model: nodes are numbers, edges a hash function. */
#include "search_graph.h"

#include "base/bits.h"

#include <string.h>

uint64_t graph_mix(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t state = a ^ b * UINT64_C(0xD1342543DE82EF95) ^ c * UINT64_C(0xA24BAED4963EE407);
  bits_next_random(&state);
  return bits_next_random(&state);
}

static uint32_t write_node(const struct graph *g, uint32_t node, uint8_t *row) {
  bool product = g->kind == KIND_PRODUCT;
  uint16_t low = (uint16_t)(product ? node % g->wide : node);
  uint16_t high = (uint16_t)(product ? node / g->wide : node >> 16);
  uint32_t more = node * UINT32_C(0x9E3779B1);
  memset(row, 0, ts_stride(&g->shape));
  memcpy(row + g->slot[0].offset, &low, 2);
  memcpy(row + g->slot[1].offset, &high, 2);
  if (g->shape.n_slots < 3)
    return g->shape.max_bytes;
  if (!g->shape.fixed_length && node % 3 == 0)
    return g->slot[2].offset;
  memcpy(row + g->slot[2].offset, &more, 4);
  return g->shape.max_bytes;
}

uint32_t graph_node(const struct graph *g, const uint8_t *row) {
  uint16_t low, high;
  memcpy(&low, row + g->slot[0].offset, 2);
  memcpy(&high, row + g->slot[1].offset, 2);
  return g->kind == KIND_PRODUCT ? high * g->wide + low : (uint32_t)high << 16 | low;
}

/* In a product: the place in the graph that event k is of, and the number of the event there.
 * Half of the events are of each. */
static uint32_t product_part(const struct graph *g, uint32_t node, uint32_t *k) {
  bool second = *k >= g->shape.n_actions;
  *k = (second ? *k - g->shape.n_actions : *k) + (second ? 1000 : 0);
  return second ? node / g->wide : node % g->wide;
}

static bool product_can(const struct graph *g, uint32_t node, uint32_t k) {
  uint32_t part = product_part(g, node, &k);
  return k % 1000 < graph_mix(g->seed + k / 1000, part, 1) % (g->degree + 1);
}

static uint32_t product_target(const struct graph *g, uint32_t node, uint32_t k) {
  uint32_t part = product_part(g, node, &k);
  uint64_t random = graph_mix(g->seed, part, 2 + k);
  if (k < 1000)
    return node - part + (uint32_t)(random % g->wide);
  return node % g->wide + (uint32_t)(random % (g->nodes / g->wide)) * g->wide;
}

/* Of a product as many as there may be. */
uint32_t graph_degree(const struct graph *g, uint32_t node) {
  switch (g->kind) {
  case KIND_PATH:
    return node + 1 < g->nodes;
  case KIND_STAR:
    return node == 0 ? g->nodes - 1 : 1;
  case KIND_PRODUCT:
    return 2 * g->shape.n_actions;
  default:
    return (uint32_t)(graph_mix(g->seed, node, 1) % (g->degree + 1));
  }
}

static uint32_t graph_target(const struct graph *g, uint32_t node, uint32_t k) {
  uint64_t random = graph_mix(g->seed, node, 2 + k);
  switch (g->kind) {
  case KIND_PATH:
    return node + 1;
  case KIND_STAR:
    return node == 0 ? k + 1 : 0;
  case KIND_NEAR:
    return (uint32_t)((node + random % 9 + g->nodes - 3) % g->nodes);
  case KIND_PRODUCT:
    return product_target(g, node, k);
  default:
    return (uint32_t)(random % g->nodes);
  }
}

static const struct graph *graph_of(const struct ts *ts) {
  return ts->self;
}

static uint32_t graph_initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  const struct graph *g = graph_of(ts);
  return write_node(g, which * 7 % g->nodes, row);
}

static uint64_t changed_parts(const struct graph *g, const uint8_t *a, const uint8_t *b) {
  uint64_t changed = 0;
  for (uint32_t i = 0; i < g->shape.n_components; i++) {
    const struct ts_component *c = &g->component[i];
    if (memcmp(a + c->offset, b + c->offset, c->bytes) != 0)
      changed |= UINT64_C(1) << i;
  }
  return changed;
}

/* Event k is choice k % 2 of action k / 2. A fault is one of the event and what it looks at. */
static int32_t graph_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                struct ts_event *cursor, const uint64_t *skip,
                                struct ts_batch *out) {
  const struct graph *g = graph_of(ts);
  (void)length;
  uint32_t node = graph_node(g, state), degree = graph_degree(g, node);
  for (uint32_t k = cursor->action * 2 + cursor->choice; k < degree; k++) {
    if ((skip != NULL && bits_test(skip, k / 2)) ||
        (g->kind == KIND_PRODUCT && !product_can(g, node, k)))
      continue;
    if (out->n == out->capacity) {
      *cursor = (struct ts_event){k / 2, k % 2};
      return 1;
    }
    uint8_t *row = out->rows + out->n * out->stride;
    struct ts_edge *edge = &out->edge[out->n++];
    uint32_t nth = k, at = g->kind == KIND_PRODUCT ? product_part(g, node, &nth) : node;
    uint64_t luck = graph_mix(g->seed ^ 77, at, nth) % 10000;
    *edge = (struct ts_edge){.event = {k / 2, k % 2}};
    edge->length = write_node(g, graph_target(g, node, k), row);
    edge->changed = changed_parts(g, state, row);
    if (luck < g->broken_edges) {
      edge->kind = TS_ASSERTION;
      edge->fault = 1;
    } else if (luck < g->broken_edges + g->lost_edges) {
      edge->kind = TS_MODEL_ERROR;
      edge->fault = 2;
      memset(row, 0xA5, ts_stride(&g->shape));
    }
    if (out->truncated != NULL && node == g->truncating)
      out->truncated[65] = TS_CUT | 7;
  }
  return 0;
}

/* Of a bad state one property fails, and of some two, or cannot be worked out. */
static uint32_t graph_violated(const struct ts *ts, const uint8_t *state, uint32_t length,
                               uint32_t from, uint32_t *fault) {
  const struct graph *g = graph_of(ts);
  (void)length;
  uint32_t node = graph_node(g, state);
  if (graph_mix(g->seed ^ 99, node, 0) % 10000 < g->bad)
    for (uint32_t p = from; p < 3; p++)
      if (graph_mix(g->seed, node, 1000 + p) % 2 == 0) {
        if (p == 2)
          *fault = 3;
        return p;
      }
  return 3;
}

static const struct ts_code graph_code = {.abi = TS_ABI,
                                          .initial = graph_initial,
                                          .successors = graph_successors,
                                          .violated = graph_violated};

void graph_make(struct graph *g, enum graph_kind kind, enum graph_form form, uint64_t seed,
                uint32_t nodes, uint32_t degree) {
  static const struct ts_fault fault[4];
  static const struct ts_place truncation[70];
  static const struct ts_variable variable[3];
  *g = (struct graph){
      .seed = seed, .kind = kind, .nodes = nodes, .degree = degree, .truncating = TS_NONE};
  uint32_t second = form == FORM_SHORT ? 2 : 16;
  g->slot[0] = (struct ts_slot){0, 0, 0, 2, 16, false};
  g->slot[1] = (struct ts_slot){1, 0, second, 2, 16, false};
  g->slot[2] = (struct ts_slot){2, 0, 56, 4, 32, false};
  for (uint32_t i = 0; i < 3; i++)
    g->component[i] = (struct ts_component){"part", i, 1, g->slot[i].offset, g->slot[i].bytes};
  g->property[0].kind = g->property[2].kind = TS_PROPERTY_INVARIANT;
  g->property[1].kind = TS_PROPERTY_ASSERTION;
  uint32_t parts = form == FORM_SHORT ? 2 : 3;
  g->shape = (struct ts_shape){.name = "graph",
                               .max_bytes = form == FORM_SHORT ? 4 : 60,
                               .fixed_length = form != FORM_VARYING,
                               .n_initial = 1,
                               .n_variables = parts,
                               .n_slots = parts,
                               .n_components = parts,
                               .n_actions = nodes,
                               .n_properties = 3,
                               .n_faults = 4,
                               .n_truncations = 70,
                               .most_events = TS_NONE,
                               .variable = variable,
                               .slot = g->slot,
                               .component = g->component,
                               .property = g->property,
                               .fault = fault,
                               .truncation = truncation};
  if (kind == KIND_PRODUCT) {
    g->wide = 16 + (uint32_t)(graph_mix(seed, 5, 5) % 80);
    g->nodes -= nodes % g->wide;
    g->shape.n_actions = 2 * ((degree + 1) / 2);
  }
  g->ts.shape = &g->shape;
  g->ts.code = &graph_code;
  g->ts.self = g;
}
