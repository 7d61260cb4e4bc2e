/* hoa_acceptance.h - conditions of acceptance in the Hanoi omega-automata format. */
#ifndef CAIRN_LANG_LTL_HOA_ACCEPTANCE_H
#define CAIRN_LANG_LTL_HOA_ACCEPTANCE_H

#include "lang/ltl/acceptance.h"
#include "lang/ltl/hoa_token.h"

/* The condition is over marks: one for each set that it names, and one for each complement. */
struct hoa_acceptance {
  uint32_t n_sets;   /* as announced */
  uint32_t n_marks;  /* at most 64 */
  uint32_t set[64];  /* of a mark */
  uint64_t inverted; /* marks that are on the edges that the set lacks */
  struct acceptance condition;
};

struct hoa_acceptance_reader {
  struct arena *arena;
  struct hoa_text *text; /* read on */
  struct hoa_acceptance *out;
  uint32_t depth;
};

/* Reads the number of sets and the condition. False after one message. */
bool hoa_acceptance_read(struct hoa_acceptance_reader *);

/* The marks of an edge that is in the sets for which `in` is set, by mark. */
uint64_t hoa_acceptance_in(const struct hoa_acceptance *, uint32_t set);
static inline uint64_t hoa_acceptance_marks(const struct hoa_acceptance *a, uint64_t in) {
  return in ^ a->inverted;
}

#endif
