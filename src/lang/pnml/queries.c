/* queries.c - the same: the contest's XML to terms over markings.
 *
 *   property = id, formula
 *   formula  = E F state | A G state | negation formula | place-bound
 *   state    = conjunction, disjunction, negation of states, true, false, deadlock,
 *              integer-le and its like, is-fireable
 *   integer  = constant, tokens-count, sum, difference, product
 *

 *   formula  = A path | E path                     path: of LTL
 *   path     = G, F, X path, path U path, conjunctions and negations of paths, state
 *
 * A name that the net does not have is an error: the file is of another net. A path formula
 * with a quantifier inside is one of CTL, and is refused by name. A formula of LTL becomes a
 * claim, which accepts the runs that violate it.
 */
#include "lang/pnml/queries.h"

#include "lang/ltl/claim.h"
#include "lang/pnml/ask.h"
#include "lang/pnml/reader.h"

#include <string.h>

struct queries {
  struct ask ask;
  struct diag *diag;
  const struct source *source;
};

static const struct net_term *fail(struct queries *q, const struct xml_node *node,
                                   const char *message, const char *name) {
  diag_error(q->diag, xml_span(q->source, node), message, name);
  return NULL;
}

/* The one child of an element; NULL, and an error, if it has none or several. */
static const struct xml_node *only_child(struct queries *q, const struct xml_node *node) {
  if (node->child != NULL && node->child->next == NULL)
    return node->child;
  (void)fail(q, node, "'%s' has a wrong number of operands", node->name);
  return NULL;
}

/* ---- state formulas ------------------------------------------------------------------------
 */

static const struct net_term *read_state(struct queries *, const struct xml_node *);

/* The sum, or disjunction, over the names in the element's children; over none it is 0. */
static const struct net_term *read_names(struct queries *q, const struct xml_node *node,
                                         const char *child, enum net_term_kind join) {
  const struct net_term *all = NULL;
  for (const struct xml_node *at = node->child; at != NULL; at = at->next) {
    if (!xml_is(at, child))
      return fail(q, at, "'%s' is not expected here", at->name);
    const struct net_term *one =
        join == NET_ADD ? ask_tokens(&q->ask, at->text) : ask_fireable(&q->ask, at->text);
    if (one == NULL)
      return fail(q, at,
                  join == NET_ADD ? "the net has no place '%s'"
                                  : "the net has no transition '%s'",
                  at->text);
    all = all == NULL ? one : ask_binary(&q->ask, join, all, one);
  }
  return all != NULL ? all : ask_constant(&q->ask, 0);
}

static const struct net_term *read_constant(struct queries *q, const struct xml_node *node) {
  int64_t value = 0;
  if (!reader_number(node->text, &value))
    return fail(q, node, "'%.40s' is no integer", node->text);
  return ask_constant(&q->ask, value);
}

static const struct {
  const char *name;
  enum net_term_kind kind;
  bool turned;          /* operands change places */
  uint32_t least, most; /* operands */
} operators[] = {
    {"conjunction", NET_AND, false, 1, 10000},    {"disjunction", NET_OR, false, 1, 10000},
    {"negation", NET_NOT, false, 1, 1},           {"integer-le", NET_LE, false, 2, 2},
    {"integer-lt", NET_LT, false, 2, 2},          {"integer-ge", NET_LE, true, 2, 2},
    {"integer-gt", NET_LT, true, 2, 2},           {"integer-eq", NET_EQ, false, 2, 2},
    {"integer-ne", NET_NE, false, 2, 2},          {"integer-sum", NET_ADD, false, 1, 10000},
    {"integer-difference", NET_SUB, false, 2, 2}, {"integer-product", NET_MUL, false, 1, 10000},
};

static const struct net_term *read_operator(struct queries *q, const struct xml_node *node,
                                            size_t o) {
  const struct net_term *all = NULL;
  uint32_t n = 0;
  for (const struct xml_node *at = node->child; at != NULL; at = at->next, n++) {
    const struct net_term *one = read_state(q, at);
    if (one == NULL)
      return NULL;
    if (operators[o].most == 1)
      all = ask_binary(&q->ask, operators[o].kind, one, NULL);
    else if (n == 0)
      all = one;
    else
      all = operators[o].turned ? ask_binary(&q->ask, operators[o].kind, one, all)
                                : ask_binary(&q->ask, operators[o].kind, all, one);
  }
  return n >= operators[o].least && n <= operators[o].most
             ? all
             : fail(q, node, "'%s' has a wrong number of operands", node->name);
}

static const struct net_term *read_deadlock(struct queries *q) {
  struct net_term *term = ARENA_NEW(q->ask.arena, struct net_term);
  term->kind = NET_DEAD;
  return term;
}

static const struct net_term *read_state(struct queries *q, const struct xml_node *node) {
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (xml_is(node, operators[i].name))
      return read_operator(q, node, i);
  if (xml_is(node, "integer-constant"))
    return read_constant(q, node);
  if (xml_is(node, "tokens-count"))
    return read_names(q, node, "place", NET_ADD);
  if (xml_is(node, "is-fireable"))
    return read_names(q, node, "transition", NET_OR);
  if (xml_is(node, "true") || xml_is(node, "false"))
    return ask_constant(&q->ask, xml_is(node, "true"));
  if (xml_is(node, "deadlock"))
    return read_deadlock(q);
  return fail(q, node, "'%s' is not known in a formula about markings", node->name);
}

/* ---- formulas
 * ---------------------------------------------------------------------------------- */

static bool is_one_of(const struct xml_node *node, const char *const *name, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (xml_is(node, name[i]))
      return true;
  return false;
}

static bool has_one_of(const struct xml_node *node, const char *const *name, size_t n) {
  for (const struct xml_node *at = node->child; at != NULL; at = at->next)
    if (is_one_of(at, name, n) || has_one_of(at, name, n))
      return true;
  return false;
}

static const char *const quantifiers[] = {"all-paths", "exists-path"};
static const char *const temporal[] = {"all-paths", "exists-path", "globally", "finally",
                                       "next",      "until",       "before",   "reach"};

static bool has_quantifier(const struct xml_node *node) {
  return has_one_of(node, quantifiers, sizeof quantifiers / sizeof *quantifiers);
}

static bool has_path(const struct xml_node *node) {
  return has_one_of(node, temporal, sizeof temporal / sizeof *temporal);
}

static bool is_path(const struct xml_node *node) {
  return is_one_of(node, temporal, sizeof temporal / sizeof *temporal) || has_path(node);
}

/* ---- formulas about runs ---------------------------------------------------------------- */

struct path {
  struct queries *q;
  const char *why; /* it is not answered, or NULL */
  struct {
    struct net_atom *at;
    uint32_t n, capacity;
  } atoms;
};

static bool same_term(const struct net_term *a, const struct net_term *b) {
  if (a == NULL || b == NULL)
    return a == b;
  return a->kind == b->kind && a->value == b->value && a->n == b->n &&
         (a->n == 0 || memcmp(a->item, b->item, a->n * sizeof *a->item) == 0) &&
         same_term(a->a, b->a) && same_term(a->b, b->b);
}

static struct ltl_node *make(struct path *p, enum ltl_op op, const struct ltl_node *a,
                             const struct ltl_node *b, const struct xml_node *node) {
  if ((a != NULL && a->height >= LTL_HEIGHT - 1) || (b != NULL && b->height >= LTL_HEIGHT - 1))
    p->why = "its operators are nested too deeply";
  return ltl_node_make(p->q->ask.arena, p->why == NULL ? op : LTL_TRUE,
                       p->why == NULL ? a : NULL, p->why == NULL ? b : NULL,
                       xml_span(p->q->source, node));
}

static const struct ltl_node *read_atom(struct path *p, const struct xml_node *node) {
  const struct net_term *term = read_state(p->q, node);
  uint32_t i = 0;
  if (term == NULL)
    return NULL;
  while (i < p->atoms.n && !same_term(p->atoms.at[i].holds, term))
    i++;
  if (i == LTL_ATOMS) {
    p->why = "it has more than 64 different conditions";
    i = 0;
  } else if (i == p->atoms.n) {
    *ARENA_PUSH(p->q->ask.arena, &p->atoms) = (struct net_atom){node->name, term};
  }
  struct ltl_node *atom = make(p, LTL_ATOM, NULL, NULL, node);
  atom->atom = i;
  return atom;
}

static const struct ltl_node *read_path(struct path *p, const struct xml_node *node);

/* The one operand of an element, as "before" and "reach" have it too. */
static const struct ltl_node *read_operand(struct path *p, const struct xml_node *node) {
  const struct xml_node *operand = only_child(p->q, node);
  return operand == NULL ? NULL : read_path(p, operand);
}

static const struct ltl_node *read_until(struct path *p, const struct xml_node *node) {
  const struct xml_node *before = xml_child(node, "before"), *reach = xml_child(node, "reach");
  if (before == NULL || reach == NULL) {
    (void)fail(p->q, node, "'%s' needs before and reach", node->name);
    return NULL;
  }
  const struct ltl_node *a = read_operand(p, before), *b = read_operand(p, reach);
  return a == NULL || b == NULL ? NULL : make(p, LTL_UNTIL, a, b, node);
}

static const struct ltl_node *read_junction(struct path *p, const struct xml_node *node) {
  const enum ltl_op op = xml_is(node, "conjunction") ? LTL_AND : LTL_OR;
  const struct ltl_node *all = NULL;
  for (const struct xml_node *at = node->child; at != NULL; at = at->next) {
    const struct ltl_node *one = read_path(p, at);
    if (one == NULL)
      return NULL;
    all = all == NULL ? one : make(p, op, all, one, node);
  }
  return all;
}

static const struct ltl_node *read_path(struct path *p, const struct xml_node *node) {
  static const struct {
    const char *name;
    enum ltl_op op;
  } unary[] = {{"globally", LTL_ALWAYS},
               {"finally", LTL_EVENTUALLY},
               {"next", LTL_NEXT},
               {"negation", LTL_NOT}};
  if (!is_path(node))
    return read_atom(p, node);
  if (xml_is(node, "until"))
    return read_until(p, node);
  if (xml_is(node, "conjunction") || xml_is(node, "disjunction"))
    return read_junction(p, node);
  for (size_t i = 0; i < sizeof unary / sizeof *unary; i++)
    if (xml_is(node, unary[i].name)) {
      const struct ltl_node *a = read_operand(p, node);
      return a == NULL ? NULL : make(p, unary[i].op, a, NULL, node);
    }
  (void)fail(p->q, node, "'%s' is not known in a formula about runs", node->name);
  return NULL;
}

static void refuse(struct net_query *query, const char *why) {
  query->kind = NET_NOT_ANSWERED;
  query->why = why;
}

/* A path, or E path, for which the claim accepts the runs that satisfy it. */
static bool read_runs(struct queries *q, const struct xml_node *node, bool negated,
                      struct net_query *query) {
  const bool exists = xml_is(node, "exists-path");
  struct path p = {.q = q};
  if (has_quantifier(node)) {
    refuse(query, "formulas of CTL are not answered");
    return true;
  }
  const struct ltl_node *root = read_path(&p, node->child);
  if (root == NULL)
    return false;
  if (exists)
    root = make(&p, LTL_NOT, root, NULL, node);
  struct claim *claim = ARENA_NEW(q->ask.arena, struct claim);
  *claim = (struct claim){.name = query->id,
                          .what = arena_printf(q->ask.arena, "formula %s", query->id),
                          .is_asked = true,
                          .n_atoms = p.atoms.n};
  const char *why = p.why;
  if (why != NULL || !ltl_claim_make(q->ask.arena, root, claim, &why)) {
    refuse(query, why);
    return true;
  }
  query->kind = NET_RUNS;
  query->claim = claim;
  query->atom = p.atoms.at;
  query->inverted = exists != negated;
  return true;
}

/* E F and A G; negations turn one into the other. */
static bool read_formula(struct queries *q, const struct xml_node *node,
                         struct net_query *query) {
  const struct xml_node *above = node;
  bool negated = false;
  while (xml_is(node, "negation")) {
    negated = !negated;
    node = only_child(q, node);
    if (node == NULL)
      return false;
  }
  if (xml_is(node, "place-bound")) {
    if (above != node)
      return fail(q, node, "'%s' is a number, which cannot be negated", node->name) != NULL;
    query->kind = NET_BOUND;
    query->term = read_names(q, node, "place", NET_ADD);
    return query->term != NULL;
  }
  bool all = xml_is(node, "all-paths");
  if (!all && !xml_is(node, "exists-path"))
    return fail(q, node, "'%s' is no formula of the contest", node->name) != NULL;
  const struct xml_node *inner = only_child(q, node);
  if (inner == NULL)
    return false;
  if (!xml_is(inner, all ? "globally" : "finally") || inner->child == NULL || has_path(inner))
    return read_runs(q, node, negated, query);
  query->kind = all != negated ? NET_ALWAYS : NET_POSSIBLE;
  const struct xml_node *state = only_child(q, inner);
  query->term = state == NULL ? NULL : read_state(q, state);
  if (query->term != NULL && negated)
    query->term = ask_binary(&q->ask, NET_NOT, query->term, NULL);
  return query->term != NULL;
}

static bool read_property(struct queries *q, const struct xml_node *node,
                          struct queries_list *list) {
  const struct xml_node *id = xml_child(node, "id"), *formula = xml_child(node, "formula");
  if (id == NULL || formula == NULL || formula->child == NULL || formula->child->next != NULL)
    return fail(q, node, "'%s' needs an id and a formula", node->name) != NULL;
  struct net_query *query = ARENA_PUSH(q->ask.arena, list);
  query->id = id->text;
  return read_formula(q, formula->child, query);
}

bool queries_read(struct queries_list *list, const struct net *net, struct diag *diag,
                  const struct source *source) {
  static const char space[] = "http://mcc.lip6.fr";
  const struct xml_node *root = xml_read(net->arena, diag, source);
  if (root == NULL)
    return false;
  struct queries *q = ARENA_NEW(net->arena, struct queries);
  q->diag = diag;
  q->source = source;
  ask_open(&q->ask, net, diag);
  if (!xml_is(root, "property-set") ||
      (root->space != NULL && strncmp(root->space, space, strlen(space)) != 0))
    return fail(q, root, "this is no file of formulas: the outermost element is '%s'",
                root->space == NULL
                    ? root->name
                    : arena_printf(net->arena, "%s' of '%s", root->name, root->space)) != NULL;
  for (const struct xml_node *at = root->child; at != NULL; at = at->next)
    if (xml_is(at, "property") && !read_property(q, at, list))
      return false;
  return true;
}

bool queries_named(struct queries_list *list, const struct net *net, const char *name) {
  static const struct {
    const char *name;
    enum net_query_kind kind;
  } known[] = {{"ReachabilityDeadlock", NET_POSSIBLE},
               {"OneSafe", NET_ONE_SAFE},
               {"QuasiLiveness", NET_QUASI_LIVE},
               {"StableMarking", NET_STABLE}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(name, known[i].name) != 0)
      continue;
    struct net_query *query = ARENA_PUSH(net->arena, list);
    query->id = known[i].name;
    query->kind = known[i].kind;
    if (query->kind == NET_POSSIBLE) {
      struct net_term *term = ARENA_NEW(net->arena, struct net_term);
      term->kind = NET_DEAD;
      query->term = term;
    }
    return true;
  }
  return false;
}
