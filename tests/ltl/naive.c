/* naive.c - see naive.h. Nothing here is shared with what it tests but the structs. */
#include "naive.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

static uint32_t below(uint64_t *random, uint32_t n) {
  return (uint32_t)(bits_next_random(random) % n);
}

const struct ltl_node *naive_formula(struct arena *arena, uint64_t *random, uint32_t operators,
                                     uint32_t atoms) {
  const struct span nowhere = {0};
  if (operators == 0) {
    const bool constant = below(random, 20) == 0;
    struct ltl_node *leaf =
        ltl_node_make(arena, constant ? (below(random, 2) ? LTL_TRUE : LTL_FALSE) : LTL_ATOM,
                      NULL, NULL, nowhere);
    leaf->atom = constant ? 0 : below(random, atoms);
    return leaf;
  }
  const enum ltl_op op =
      (enum ltl_op)(LTL_NOT + below(random, operators == 1 ? 4 : LTL_RELEASE - LTL_NOT + 1));
  if (op < LTL_AND)
    return ltl_node_make(arena, op, naive_formula(arena, random, operators - 1, atoms), NULL,
                         nowhere);
  const uint32_t left = below(random, operators);
  const struct ltl_node *a = naive_formula(arena, random, left, atoms);
  return ltl_node_make(arena, op, a, naive_formula(arena, random, operators - 1 - left, atoms),
                       nowhere);
}

const struct ltl_node *naive_repeated(struct arena *arena, uint64_t *random, uint32_t n,
                                      uint32_t atoms) {
  const struct span nowhere = {0};
  const struct ltl_node *all = NULL;
  for (uint32_t i = 0; i < n; i++) {
    const struct ltl_node *f = naive_formula(arena, random, below(random, 3), atoms);
    f = ltl_node_make(arena, LTL_EVENTUALLY, f, NULL, nowhere);
    f = ltl_node_make(arena, LTL_ALWAYS, f, NULL, nowhere);
    all = all == NULL ? f : ltl_node_make(arena, LTL_AND, all, f, nowhere);
  }
  return all;
}

struct naive_word naive_word(uint64_t *random, uint32_t atoms) {
  struct naive_word w = {.n = 1 + below(random, NAIVE_LETTERS / 2)};
  w.back = below(random, w.n);
  /* Some words change little, or have few letters, so that all kinds of formulas hold. */
  const uint32_t sparse = below(random, 4);
  for (uint32_t i = 0; i < w.n; i++) {
    w.letter[i] = bits_next_random(random) & ((UINT64_C(1) << atoms) - 1);
    if (sparse == 1)
      w.letter[i] &= bits_next_random(random);
    if (sparse == 2)
      w.letter[i] |= bits_next_random(random) & ((UINT64_C(1) << atoms) - 1);
    if (sparse == 3 && i > 0 && below(random, 2))
      w.letter[i] = w.letter[i - 1];
  }
  return w;
}

/* ---- formulas ------------------------------------------------------------------------------
 */

struct truth {
  bool at[NAIVE_LETTERS];
};

static uint32_t next_place(const struct naive_word *w, uint32_t i) {
  return i + 1 < w->n ? i + 1 : w->back;
}

/* b now, or a now and the same next; the least solution, or the greatest. */
static struct truth until(const struct naive_word *w, struct truth a, struct truth b,
                          bool greatest) {
  struct truth r;
  for (uint32_t i = 0; i < w->n; i++)
    r.at[i] = greatest;
  for (uint32_t round = 0; round < w->n; round++)
    for (uint32_t i = 0; i < w->n; i++)
      r.at[i] = b.at[i] || (a.at[i] && r.at[next_place(w, i)]);
  return r;
}

/* b holds up to and including where a does, or always. */
static struct truth release(const struct naive_word *w, struct truth a, struct truth b) {
  struct truth r;
  for (uint32_t i = 0; i < w->n; i++)
    r.at[i] = true;
  for (uint32_t round = 0; round < w->n; round++)
    for (uint32_t i = 0; i < w->n; i++)
      r.at[i] = b.at[i] && (a.at[i] || r.at[next_place(w, i)]);
  return r;
}

static bool boolean(enum ltl_op op, bool a, bool b) {
  switch (op) {
  case LTL_NOT:
    return !a;
  case LTL_AND:
    return a && b;
  case LTL_OR:
    return a || b;
  case LTL_IMPLIES:
    return !a || b;
  default:
    return a == b;
  }
}

static struct truth evaluate(const struct ltl_node *f, const struct naive_word *w) {
  struct truth a = {0};
  struct truth b = {0};
  struct truth r = {0};
  struct truth all;
  if (f->a != NULL)
    a = evaluate(f->a, w);
  if (f->b != NULL)
    b = evaluate(f->b, w);
  memset(&all, true, sizeof all);
  switch (f->op) {
  case LTL_UNTIL:
    return until(w, a, b, false);
  case LTL_EVENTUALLY:
    return until(w, all, a, false);
  case LTL_WEAK_UNTIL:
    return until(w, a, b, true);
  case LTL_RELEASE:
    return release(w, a, b);
  case LTL_ALWAYS:
    return until(w, a, r, true);
  default:
    for (uint32_t i = 0; i < w->n; i++)
      r.at[i] = f->op == LTL_TRUE ||
                (f->op == LTL_ATOM && (w->letter[i] >> f->atom & 1) != 0) ||
                (f->op == LTL_NEXT && a.at[next_place(w, i)]) ||
                (f->op >= LTL_NOT && f->op != LTL_NEXT && boolean(f->op, a.at[i], b.at[i]));
    return r;
  }
}

bool naive_holds(const struct ltl_node *f, const struct naive_word *w) {
  return evaluate(f, w).at[0];
}

/* ---- automata ------------------------------------------------------------------------------
 */

struct product {
  const struct buchi *b;
  const struct naive_word *w;
  bool *live; /* of (state, place): may still be on an accepted run */
  bool *good; /* reaches the mark that is looked at */
};

static size_t node(const struct product *p, uint32_t state, uint32_t place) {
  return (size_t)state * p->w->n + place;
}

/* The mark that every edge has. */
#define ANY_EDGE UINT32_MAX

/* Whether (state, place) has an edge that goes on to a good one, or one with the mark in
 * `live`. */
static bool has_step(const struct product *p, uint32_t s, uint32_t i, uint32_t mark) {
  for (uint32_t k = p->b->first[s]; k < p->b->first[s + 1]; k++) {
    const struct buchi_edge *e = &p->b->edge[k];
    const size_t to = node(p, e->to, next_place(p->w, i));
    if (label_has(e->label, p->w->letter[i]) && p->live[to] &&
        (p->good[to] || mark == ANY_EDGE || (e->marks >> mark & 1) != 0))
      return true;
  }
  return false;
}

/* Of the live nodes, only those stay that reach an edge with this mark among live nodes. */
static bool keep_those_with(struct product *p, uint32_t mark) {
  const size_t n = (size_t)p->b->n_states * p->w->n;
  bool changed = true;
  bool dropped = false;
  memset(p->good, 0, n);
  while (changed) {
    changed = false;
    for (uint32_t s = 0; s < p->b->n_states; s++)
      for (uint32_t i = p->w->n; i-- > 0;)
        if (p->live[node(p, s, i)] && !p->good[node(p, s, i)] && has_step(p, s, i, mark)) {
          p->good[node(p, s, i)] = true;
          changed = true;
        }
  }
  for (size_t k = 0; k < n; k++)
    if (p->live[k] && !p->good[k]) {
      p->live[k] = false;
      dropped = true;
    }
  return dropped;
}

/* A node accepts if it can pass every mark again and again: the largest set of nodes that all
 * reach each mark within the set. Without marks, going on is enough. */
bool naive_accepts(const struct buchi *b, const struct naive_word *w) {
  struct product p = {.b = b, .w = w};
  const size_t n = (size_t)b->n_states * w->n;
  bool accepted = false;
  p.live = malloc(n);
  p.good = malloc(n);
  if (p.live != NULL && p.good != NULL) {
    memset(p.live, 1, n);
    for (bool dropped = true; dropped;) {
      dropped = b->n_marks == 0 && keep_those_with(&p, ANY_EDGE);
      for (uint32_t m = 0; m < b->n_marks; m++)
        dropped = keep_those_with(&p, m) || dropped;
    }
    accepted = p.live[node(&p, b->initial, 0)];
  }
  free(p.live);
  free(p.good);
  return accepted;
}

/* ---- text ----------------------------------------------------------------------------------
 */

void naive_print(FILE *out, const struct ltl_node *f) {
  static const char *const sign[] = {"true", "false", "",   "!",   "X", "<>", "[]",
                                     "&&",   "||",    "->", "<->", "U", "W",  "V"};
  if (f->a == NULL) {
    if (f->op == LTL_ATOM)
      fputc('a' + (int)f->atom, out);
    else
      fputs(sign[f->op], out);
    return;
  }
  if (f->b == NULL) {
    fprintf(out, "%s (", sign[f->op]);
    naive_print(out, f->a);
    fputc(')', out);
    return;
  }
  fputc('(', out);
  naive_print(out, f->a);
  fprintf(out, ") %s (", sign[f->op]);
  naive_print(out, f->b);
  fputc(')', out);
}

void naive_print_word(FILE *out, const struct naive_word *w, uint32_t atoms) {
  for (uint32_t i = 0; i < w->n; i++) {
    fputs(i == w->back ? " (" : " ", out);
    for (uint32_t k = 0; k < atoms; k++)
      if ((w->letter[i] >> k & 1) != 0)
        fputc('a' + (int)k, out);
    if (w->letter[i] == 0)
      fputc('-', out);
  }
  fputs(")*", out);
}
