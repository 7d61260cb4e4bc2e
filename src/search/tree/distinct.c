/* distinct.c - how many different states were reached, as an estimate.
 *
 * Flajolet, Fusy, Gandouet, Meunier, "HyperLogLog: the analysis of a near-optimal
 * cardinality estimation algorithm" (2007): of the hashes that fall to one register the
 * most leading zeros are kept, and the mean of what they stand for grows with the number
 * of different hashes. The estimate is that of Ertl, "New cardinality estimation algorithms
 * for HyperLogLog sketches" (2017), which is as good where registers are empty.
 */
#include "search/tree/distinct.h"

#include <math.h>

/* x + x^2 + 2 x^4 + 4 x^8 + … */
static double sigma(double x) {
  double sum = x, factor = 1;
  for (double before = -1; sum != before; factor *= 2) {
    before = sum;
    x *= x;
    sum += x * factor;
  }
  return sum;
}

uint64_t distinct_count(const uint8_t *registers) {
  const double m = DISTINCT_REGISTERS;
  uint32_t with[64] = {0}; /* registers by what they hold */
  for (uint32_t i = 0; i < DISTINCT_REGISTERS; i++)
    with[registers[i] % 64]++;
  if (with[0] == DISTINCT_REGISTERS)
    return 0;
  double z = 0;
  for (uint32_t rank = 63; rank > 0; rank--)
    z = (z + with[rank]) / 2;
  z += m * sigma(with[0] / m);
  return (uint64_t)(m * m / (2 * log(2) * z) + 0.5);
}
