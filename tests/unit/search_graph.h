/* search_graph.h - graphs made at random, behind the door, and a plain store for them.
 *
 * A graph is a ts whose states are numbers; its edges, faults and bad states
 * follow from a seed by a hash function, so nothing is stored. Its vectors come
 * in three forms: short, long, and of varying length. A product is two random graphs side
 * by side: slot 0 is the place in the one, slot 1 in the other; the actions of the one,
 * the first half of them, are independent of those of the other.
 */
#ifndef CAIRN_TESTS_SEARCH_GRAPH_H
#define CAIRN_TESTS_SEARCH_GRAPH_H

#include "store/store.h"
#include "ts/ts.h"

enum graph_form { FORM_SHORT, FORM_LONG, FORM_VARYING, FORMS };
enum graph_kind { KIND_RANDOM, KIND_NEAR, KIND_PATH, KIND_STAR, KIND_PRODUCT };

struct graph {
  struct ts ts;
  struct ts_shape shape;
  struct ts_slot slot[3];
  struct ts_component component[3];
  struct ts_property property[3];
  uint64_t seed;
  enum graph_kind kind;
  uint32_t nodes, degree;                 /* degree: at most that many events */
  uint32_t broken_edges, lost_edges, bad; /* of 10,000 edges or states */
  uint32_t truncating;
  uint32_t wide; /* of a product: nodes of the first */
};

/* One initial state, three properties, no faults. */
void graph_make(struct graph *, enum graph_kind, enum graph_form, uint64_t seed, uint32_t nodes,
                uint32_t degree);
uint32_t graph_degree(const struct graph *, uint32_t node);
/* The number of a state. */
uint32_t graph_node(const struct graph *, const uint8_t *row);
/* A number that depends on all three. */
uint64_t graph_mix(uint64_t a, uint64_t b, uint64_t c);

/* An exact store of the simplest kind, with ids, so that the search is tested alone;
 * and the same without ids and without a way back from them. It checks the hashes
 * that it is given, and fails the test if they are wrong. */
extern const struct store_kind store_plain, store_blind;

#endif
