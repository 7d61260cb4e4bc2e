/* best.c - how many bits of a state to set in a table of bits.
 *
 * Fewest states are missed where half of the table is set at the end (Bloom 1970): ln 2 times
 * the bits that there are for each state. Apart from the list of stores, for stores ask too.
 */
#include "store/store.h"

uint32_t store_best_bits(uint64_t table_bits, uint64_t states) {
  double best = 0.6931 * (double)table_bits / (double)(states > 0 ? states : 1);
  return best < 1 ? 1 : best > 64 ? 64 : (uint32_t)(best + 0.5);
}
