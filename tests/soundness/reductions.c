/* reductions.c - which reductions keep every state: the printed algorithms on random systems.
 *
 *   reductions [-n SYSTEMS] [-f FIRST-SEED] [-c]
 *
 * Every way of plain.h on every system. One that is to keep all states and loses one is a
 * failure, shown with its system. Trace normal forms and sleep sets without removal
 * must lose states now and then, and always the same number (lemma 5 of the paper): if
 * over 50,000 systems they lose none, these systems would not notice a wrong reduction.
 * -c: only systems of three automata with four locations and eight letters.
 */
#include "plain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

static struct table table;
static uint64_t lossy[PLAIN_WAYS], fired[PLAIN_WAYS], events;

/* False if a way lost what it must not lose. */
static bool try_system(const struct system *s) {
  uint32_t lost[PLAIN_WAYS];
  bool fine = true;
  table_fill(&table, s);
  if (table.too_large)
    return true;
  events += table.n_edges;
  for (uint32_t way = 0; way < PLAIN_WAYS; way++) {
    lost[way] = plain_lost(&table, way, s->seed, &fired[way]);
    lossy[way] += lost[way] > 0;
    if (lost[way] > 0 && plain_is_sound(&table, way)) {
      printf("FAIL: seed %" PRIu64 ", %s loses %u states\n", s->seed, plain_names[way],
             lost[way]);
      table_print(stdout, &table);
      fine = false;
    }
  }
  if (fine && lost[PLAIN_TNF] != lost[PLAIN_SLEEP]) {
    printf("FAIL: seed %" PRIu64 ", trace normal forms and sleep sets differ\n", s->seed);
    fine = false;
  }
  return fine;
}

int main(int argc, char **argv) {
  uint64_t systems = 1000000, first = 1;
  bool classical = false, fine = true;
  int option;
  while ((option = getopt(argc, argv, "n:f:c")) != -1) {
    if (option == 'n')
      systems = strtoull(optarg, NULL, 10);
    else if (option == 'f')
      first = strtoull(optarg, NULL, 10);
    else if (option == 'c')
      classical = true;
    else
      return 2;
  }
  for (uint64_t seed = first; fine && seed < first + systems; seed++) {
    struct system s;
    if (classical || seed % 4 == 0)
      system_classical(&s, seed);
    else
      system_random(&s, seed);
    fine = try_system(&s);
  }
  for (uint32_t way = 0; way < PLAIN_WAYS; way++)
    printf("%-44s states lost in %6" PRIu64 " systems, %5.1f%% of the events\n",
           plain_names[way], lossy[way], 100 * (double)fired[way] / (double)events);
  if (fine && systems >= 50000 && lossy[PLAIN_SLEEP] == 0) {
    printf("FAIL: sleep sets without removal lost nothing\n");
    fine = false;
  }
  return fine ? 0 : 1;
}
