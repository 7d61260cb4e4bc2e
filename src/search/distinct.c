/* distinct.c - how many different states were met, as an estimate.
 *
 * Flajolet, Fusy, Gandouet, Meunier, "HyperLogLog: the analysis of a near-optimal
 * cardinality estimation algorithm" (2007): of the hashes that fall to one register the
 * most leading zeros are kept, and the harmonic mean of what they stand for grows with the
 * number of different hashes. Few states are told from how many registers are empty.
 */
#include "search/distinct.h"

#include <math.h>

uint64_t distinct_count(const uint8_t *registers) {
  const double m = DISTINCT_REGISTERS, alpha = 0.7213 / (1 + 1.079 / m);
  double sum = 0;
  uint32_t with[64] = {0}; /* registers by what they hold */
  for (uint32_t i = 0; i < DISTINCT_REGISTERS; i++)
    with[registers[i] % 64]++;
  for (int rank = 0; rank < 64; rank++)
    sum += ldexp(with[rank], -rank);
  double estimate = alpha * m * m / sum;
  if (estimate <= 2.5 * m && with[0] > 0)
    estimate = m * log(m / with[0]);
  return (uint64_t)(estimate + 0.5);
}
