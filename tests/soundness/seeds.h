/* seeds.h - one seed after the other, as the command line says.
 *
 *   -n SYSTEMS   that many; without it as many as fit into the time
 *   -s SECONDS   the time, 5 by default
 *   -f FIRST     the first seed, 1 by default
 */
#ifndef CAIRN_TESTS_SOUNDNESS_SEEDS_H
#define CAIRN_TESTS_SOUNDNESS_SEEDS_H

#include <stdbool.h>
#include <stdint.h>

struct seeds {
  uint64_t tried;
  uint32_t failed; /* ten end it */
};

struct seeds seeds_try(int argc, char **argv, bool (*try)(void *context, uint64_t seed),
                       void *context);

#endif
