/* sizes.c - how large the automata of the formulas of a table are.
 *
 *    sizes TABLE            a line for each: name, states and edges with marks on states and at
 *                           most one, the same with generalised acceptance on edges,
 *                           deterministic or not, milliseconds, and the formula for Spin
 *    sizes TABLE BOUNDS     fails if a sum is above the one in the file
 *
 * An edge is counted once for each pair of states, as Spin writes one option for it. Where
 * two have different marks, they are two.
 */
#include "lang/ltl/parse.h"
#include "lang/ltl/translate.h"

#include "naive.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct sums {
  unsigned long states, edges, generalised_states, generalised_edges, deterministic;
  double seconds, slowest;
};

/* Of this process: others on the machine should not count. */
static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Atoms keep their names, and W is written out, for not every version of Spin has it. */
static void print_for_spin(const struct ltl_formula *f, const struct ltl_node *n) {
  static const char *const sign[] = {"true", "false", "",   "!",   "X", "<>", "[]",
                                     "&&",   "||",    "->", "<->", "U", "W",  "V"};
  if (n->a == NULL) {
    fputs(n->op == LTL_ATOM ? f->atom[n->atom] : sign[n->op], stdout);
    return;
  }
  if (n->b == NULL) {
    printf("(%s ", sign[n->op]);
    print_for_spin(f, n->a);
    putchar(')');
    return;
  }
  putchar('(');
  if (n->op == LTL_WEAK_UNTIL) {
    fputs("([] ", stdout);
    print_for_spin(f, n->a);
    fputs(") || (", stdout);
  }
  print_for_spin(f, n->a);
  printf(" %s ", n->op == LTL_WEAK_UNTIL ? "U" : sign[n->op]);
  print_for_spin(f, n->b);
  fputs(n->op == LTL_WEAK_UNTIL ? "))" : ")", stdout);
}

static const struct buchi *make(struct arena *arena, const struct ltl_formula *f,
                                enum translate_acceptance acceptance) {
  const struct translate_options o = {.steps = TRANSLATE_ALL, .acceptance = acceptance};
  const char *why = NULL;
  return translate(arena, f->root, &o, &why);
}

static bool measure(struct budget *budget, const char *name, const char *text,
                    struct sums *sums) {
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  struct diag *diag = diag_open(arena);
  const struct source *source = source_make(arena, name, text, (uint32_t)strlen(text));
  const struct ltl_formula *f = ltl_parse(arena, diag, source, NULL);
  if (f == NULL) {
    diag_print(diag, stderr, false);
    return false;
  }
  const struct buchi *states = NULL;
  double seconds = 1e9; /* the shortest of some: other processes only add to it */
  for (int i = 0; i < 3; i++) {
    const double start = cpu_now();
    states = make(arena, f, TRANSLATE_STATES);
    const double took = cpu_now() - start;
    seconds = took < seconds ? took : seconds;
  }
  const struct buchi *general = make(arena, f, TRANSLATE_GENERALISED);
  const bool deterministic = states != NULL && buchi_is_deterministic(states);
  if (states == NULL || general == NULL)
    return false;
  printf("%s\t%u\t%u\t%u\t%u\t%s\t%.2f\t", name, states->n_states, states->n_edges,
         general->n_states, general->n_edges, deterministic ? "yes" : "no", 1000 * seconds);
  print_for_spin(f, f->root);
  putchar('\n');
  sums->states += states->n_states;
  sums->edges += states->n_edges;
  sums->generalised_states += general->n_states;
  sums->generalised_edges += general->n_edges;
  sums->deterministic += deterministic;
  sums->seconds += seconds;
  sums->slowest = seconds > sums->slowest ? seconds : sums->slowest;
  arena_close(arena);
  return true;
}

static bool measure_all(FILE *table, struct sums *sums) {
  struct budget *budget = budget_open(UINT64_C(1) << 31);
  char line[4096];
  bool fine = true;
  while (fine && fgets(line, sizeof line, table) != NULL) {
    char *tab = strchr(line, '\t');
    if (line[0] == '#' || tab == NULL)
      continue;
    *tab = '\0';
    tab[1 + strcspn(tab + 1, "\n")] = '\0';
    fine = measure(budget, line, tab + 1, sums);
  }
  budget_close(budget);
  return fine;
}

/* Lines "NAME MOST"; a name that is not known is a mistake. */
static bool keeps(FILE *bounds, const struct sums *sums) {
  const struct {
    const char *name;
    unsigned long value;
  } sum[] = {{"states", sums->states},
             {"edges", sums->edges},
             {"generalised-states", sums->generalised_states},
             {"generalised-edges", sums->generalised_edges}};
  char line[200];
  unsigned checked = 0;
  while (fgets(line, sizeof line, bounds) != NULL)
    for (size_t i = 0; i < sizeof sum / sizeof sum[0]; i++) {
      const size_t length = strlen(sum[i].name);
      if (strncmp(line, sum[i].name, length) != 0 || line[length] != ' ')
        continue;
      const unsigned long most = strtoul(line + length, NULL, 10);
      checked++;
      if (sum[i].value > most) {
        printf("%s: %lu in all, and were %lu\n", sum[i].name, sum[i].value, most);
        return false;
      }
    }
  return checked == sizeof sum / sizeof sum[0];
}

int main(int argc, char **argv) {
  struct sums sums = {0};
  FILE *table = argc > 1 ? fopen(argv[1], "r") : NULL;
  FILE *bounds = argc > 2 ? fopen(argv[2], "r") : NULL;
  if (table == NULL || (argc > 2 && bounds == NULL)) {
    fputs("usage: sizes TABLE [BOUNDS]\n", stderr);
    return 2;
  }
  bool fine = measure_all(table, &sums);
  printf("sum\t%lu\t%lu\t%lu\t%lu\t%lu\t%.2f\t(slowest %.2f)\n", sums.states, sums.edges,
         sums.generalised_states, sums.generalised_edges, sums.deterministic,
         1000 * sums.seconds, 1000 * sums.slowest);
  if (fine && bounds != NULL)
    fine = keeps(bounds, &sums);
  fclose(table);
  if (bounds != NULL)
    fclose(bounds);
  return fine ? 0 : 1;
}
