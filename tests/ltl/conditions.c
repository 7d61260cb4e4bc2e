/* conditions.c - automata of random conditions of acceptance on random words, against the
 * meaning of the condition.
 *
 * An automaton of a few states, with its sets on states or on edges, is written in the Hanoi
 * format and read again, so that no Fin is left. Of random words that end in a cycle it must
 * accept those that the definition accepts, also when it was reduced and has one mark: some run
 * passes the sets of a V again and again and no others, and the condition is true of V. So all
 * V are tried: a component of the product that lacks whatever is outside of V has such a run if
 * it has all of V. Nothing is multiplied out, and nothing copied.
 *
 *    conditions [-n AUTOMATA] [-w WORDS] [-s SEED]
 */
#include "naive.h"

#include "base/bits.h"
#include "lang/ltl/hoa.h"
#include "lang/ltl/translate.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A word has no more than 8 letters, so that the nodes of a product fit into a row of bits. */
enum { SETS = 3, STATES = 4, EDGES = 10, LETTERS = 8, NODES = STATES * LETTERS, ATOMS = 2 };

/* Bit s: set s; bit SETS + s: its complement. Every edge has one of the two. */
typedef uint32_t sets;

enum kind { TRUE_, FALSE_, INF, FIN, AND, OR };

struct condition {
  enum kind kind;
  uint32_t set; /* a bit of `sets` */
  const struct condition *a, *b;
};

struct edge {
  uint32_t from, to;
  uint64_t yes, no;
  sets in;
};

struct automaton {
  uint32_t n_states, n_starts, n_edges;
  bool on_states;
  uint32_t start[2];
  sets state[STATES];
  struct edge edge[EDGES];
  const struct condition *condition;
};

static uint32_t below(uint64_t *random, uint32_t n) {
  return (uint32_t)(bits_next_random(random) % n);
}

/* ---- made at random -----------------------------------------------------------------------
 */

static const struct condition *make_condition(struct arena *arena, uint64_t *random,
                                              uint32_t operators) {
  struct condition *c = ARENA_NEW(arena, struct condition);
  if (operators == 0) {
    const uint32_t kind = below(random, 16);
    c->kind = kind == 0 ? TRUE_ : kind == 1 ? FALSE_ : kind < 8 ? INF : FIN;
    c->set = below(random, 4) == 0 ? SETS + below(random, SETS) : below(random, SETS);
    return c;
  }
  const uint32_t left = below(random, operators);
  c->kind = below(random, 2) == 0 ? AND : OR;
  c->a = make_condition(arena, random, left);
  c->b = make_condition(arena, random, operators - 1 - left);
  return c;
}

/* One in four. */
static uint64_t sparse_bits(uint64_t *random) {
  const uint64_t bits = bits_next_random(random);
  return bits & bits_next_random(random);
}

static sets random_sets(uint64_t *random) {
  const sets in = (sets)(sparse_bits(random) & 7);
  return in | (~in & 7) << SETS;
}

static struct automaton make_automaton(struct arena *arena, uint64_t *random) {
  struct automaton a = {.n_states = 1 + below(random, STATES),
                        .n_starts = below(random, 8) == 0 ? 2 : 1,
                        .n_edges = 2 + below(random, EDGES - 1),
                        .on_states = below(random, 3) == 0,
                        .condition = make_condition(arena, random, below(random, 7))};
  for (uint32_t i = 0; i < 2; i++)
    a.start[i] = below(random, a.n_states);
  for (uint32_t s = 0; s < a.n_states; s++)
    a.state[s] = random_sets(random);
  for (uint32_t i = 0; i < a.n_edges; i++) {
    struct edge *e = &a.edge[i];
    *e = (struct edge){.from = below(random, a.n_states), .to = below(random, a.n_states)};
    const uint64_t given = sparse_bits(random) & 3;
    e->yes = given & bits_next_random(random);
    e->no = given & ~e->yes;
    e->in = a.on_states ? a.state[e->from] : random_sets(random);
  }
  return a;
}

/* ---- as text ------------------------------------------------------------------------------
 */

/* Parentheses where they are needed, and sometimes where not. */
static void print_condition(FILE *out, const struct condition *c, bool within_and,
                            uint64_t *random) {
  const bool group = (c->kind == OR && within_and) || below(random, 6) == 0;
  fputs(group ? "(" : "", out);
  if (c->kind == TRUE_ || c->kind == FALSE_)
    fputs(c->kind == TRUE_ ? "t" : "f", out);
  else if (c->kind == INF || c->kind == FIN)
    fprintf(out, "%s(%s%u)", c->kind == INF ? "Inf" : "Fin", c->set < SETS ? "" : "!",
            c->set % SETS);
  if (c->kind == AND || c->kind == OR) {
    const bool is_and = c->kind == AND;
    print_condition(out, c->a, is_and, random);
    fputs(is_and ? " & " : " | ", out);
    print_condition(out, c->b, is_and, random);
  }
  fputs(group ? ")" : "", out);
}

static void print_sets(FILE *out, sets in) {
  fputs(" {", out);
  for (uint32_t s = 0; s < SETS; s++)
    if ((in >> s & 1) != 0)
      fprintf(out, " %u", s);
  fputs(" }\n", out);
}

static void print_edge(FILE *out, const struct automaton *a, const struct edge *e) {
  fputs("[t", out);
  for (uint32_t i = 0; i < ATOMS; i++)
    if (((e->yes | e->no) >> i & 1) != 0)
      fprintf(out, "&%s%u", (e->no >> i & 1) != 0 ? "!" : "", i);
  fprintf(out, "] %u", e->to);
  if (a->on_states)
    fputc('\n', out);
  else
    print_sets(out, e->in);
}

static void print_automaton(FILE *out, const struct automaton *a, uint64_t random) {
  fputs("HOA: v1\n", out);
  for (uint32_t i = 0; i < a->n_starts; i++)
    fprintf(out, "Start: %u\n", a->start[i]);
  fprintf(out, "AP: %u \"p\" \"q\"\nAcceptance: %u ", ATOMS, SETS);
  print_condition(out, a->condition, false, &random);
  fputs("\n--BODY--\n", out);
  for (uint32_t s = 0; s < a->n_states; s++) {
    fprintf(out, "State: %u", s);
    if (a->on_states)
      print_sets(out, a->state[s]);
    else
      fputc('\n', out);
    for (uint32_t i = 0; i < a->n_edges; i++)
      if (a->edge[i].from == s)
        print_edge(out, a, &a->edge[i]);
  }
  fputs("--END--\n", out);
}

/* ---- the definition -----------------------------------------------------------------------
 */

static bool is_true(const struct condition *c, sets passed) {
  switch (c->kind) {
  case TRUE_:
    return true;
  case FALSE_:
    return false;
  case INF:
    return (passed >> c->set & 1) != 0;
  case FIN:
    return (passed >> c->set & 1) == 0;
  case AND:
    return is_true(c->a, passed) && is_true(c->b, passed);
  case OR:
    return is_true(c->a, passed) || is_true(c->b, passed);
  }
  return false;
}

/* States of the automaton at places of the word. */
struct product {
  uint32_t n, n_edges;
  struct {
    uint32_t from, to;
    sets in;
  } edge[EDGES * LETTERS];
};

static void make_product(const struct automaton *a, const struct naive_word *w,
                         struct product *p) {
  *p = (struct product){.n = a->n_states * w->n};
  for (uint32_t i = 0; i < a->n_edges; i++)
    for (uint32_t k = 0; k < w->n; k++) {
      const struct edge *e = &a->edge[i];
      const uint32_t next = k + 1 < w->n ? k + 1 : w->back;
      if ((w->letter[k] & e->yes) != e->yes || (w->letter[k] & e->no) != 0)
        continue;
      p->edge[p->n_edges].from = e->from * w->n + k;
      p->edge[p->n_edges].to = e->to * w->n + next;
      p->edge[p->n_edges++].in = e->in;
    }
}

/* reach[i]: the nodes that i reaches by at least one of the edges within V. */
static void close_over(const struct product *p, sets v, uint64_t *reach) {
  memset(reach, 0, p->n * sizeof *reach);
  for (uint32_t i = 0; i < p->n_edges; i++)
    if ((p->edge[i].in & ~v) == 0)
      reach[p->edge[i].from] |= UINT64_C(1) << p->edge[i].to;
  for (uint32_t k = 0; k < p->n; k++)
    for (uint32_t i = 0; i < p->n; i++)
      if ((reach[i] >> k & 1) != 0)
        reach[i] |= reach[k];
}

/* Whether a component of a node that can be reached has all of V. */
static bool has_component(const struct product *p, sets v, uint64_t reached) {
  uint64_t reach[NODES];
  close_over(p, v, reach);
  for (uint32_t node = 0; node < p->n; node++) {
    sets all = 0;
    if ((reached >> node & 1) == 0 || (reach[node] >> node & 1) == 0)
      continue;
    for (uint32_t i = 0; i < p->n_edges; i++)
      if ((p->edge[i].in & ~v) == 0 && (reach[node] >> p->edge[i].from & 1) != 0 &&
          (reach[p->edge[i].to] >> node & 1) != 0)
        all |= p->edge[i].in;
    if (all == v)
      return true;
  }
  return false;
}

static bool accepts(const struct automaton *a, const struct naive_word *w) {
  struct product p;
  uint64_t reach[NODES] = {0}, reached = 0;
  make_product(a, w, &p);
  close_over(&p, ~(sets)0, reach);
  for (uint32_t i = 0; i < a->n_starts; i++) {
    const uint32_t node = a->start[i] * w->n;
    reached |= reach[node] | UINT64_C(1) << node;
  }
  for (sets v = 0; v < 1U << 2 * SETS; v++)
    if (((v | v >> SETS) & 7) == 7 && is_true(a->condition, v) && has_component(&p, v, reached))
      return true;
  return false;
}

/* ---- the test -----------------------------------------------------------------------------
 */

struct run {
  uint32_t automata, words;
  uint64_t seed;
  uint64_t accepted, tried, states;
};

static const struct buchi *read_text(struct arena *arena, const char *text, size_t length) {
  struct diag *diag = diag_open(arena);
  const struct hoa *hoa =
      hoa_read(arena, diag, source_make(arena, "hoa", text, (uint32_t)length));
  diag_print(diag, stdout, false);
  return hoa == NULL ? NULL : hoa->buchi;
}

static bool try_automaton(struct run *r, struct arena *arena, uint64_t *random) {
  const struct automaton a = make_automaton(arena, random);
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  print_automaton(out, &a, bits_next_random(random));
  fclose(out);
  const struct translate_options one = {.steps = TRANSLATE_ALL, .acceptance = TRANSLATE_EDGES},
                                 more = {.steps = TRANSLATE_ALL,
                                         .acceptance = TRANSLATE_GENERALISED};
  const struct buchi *as_read = read_text(arena, text, length);
  bool fine = as_read != NULL;
  const struct buchi *const b[] = {as_read, fine ? translate_reduce(as_read, &one) : NULL,
                                   fine ? translate_reduce(as_read, &more) : NULL};
  r->states += fine ? as_read->n_states : 0;
  for (uint32_t k = 0; fine && k < r->words; k++) {
    const struct naive_word w = naive_word(random, ATOMS);
    const bool expected = accepts(&a, &w);
    r->tried++;
    r->accepted += expected;
    for (uint32_t i = 0; fine && i < 3; i++)
      fine = naive_accepts(b[i], &w) == expected;
    if (!fine) {
      printf("wrong, it should%s be accepted:", expected ? "" : " not");
      naive_print_word(stdout, &w, ATOMS);
      putchar('\n');
    }
  }
  fputs(fine ? "" : text, stdout);
  free(text);
  return fine;
}

static bool run_all(struct run *r) {
  struct budget *budget = budget_open(UINT64_C(1) << 31);
  bool fine = true;
  for (uint32_t i = 0; fine && i < r->automata; i++) {
    uint64_t random = r->seed * UINT64_C(1000003) + i;
    struct arena *arena = arena_open(budget, BUDGET_MODEL);
    fine = try_automaton(r, arena, &random);
    arena_close(arena);
    if (!fine)
      printf("  automaton %u of seed %lu\n", i, (unsigned long)r->seed);
  }
  budget_close(budget);
  return fine;
}

int main(int argc, char **argv) {
  struct run r = {.automata = 30000, .words = 20, .seed = 1};
  for (int c; (c = getopt(argc, argv, "n:w:s:")) != -1;) {
    const uint32_t value = (uint32_t)strtoul(optarg == NULL ? "0" : optarg, NULL, 10);
    *(c == 'n' ? &r.automata : &r.words) = c == 's' ? r.words : value;
    if (c == 's')
      r.seed = value;
  }
  const bool fine = run_all(&r);
  printf("%u automata of %lu states when read, %lu words, %lu of them accepted: %s\n",
         r.automata, (unsigned long)r.states, (unsigned long)r.tried, (unsigned long)r.accepted,
         fine ? "all as they should be" : "WRONG");
  return fine ? 0 : 1;
}
