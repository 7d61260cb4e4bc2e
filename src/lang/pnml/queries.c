/* queries.c - the same: the contest's XML to terms over markings.
 *
 *   property = id, formula
 *   formula  = E F state | A G state | negation formula | place-bound
 *   state    = conjunction, disjunction, negation of states, true, false, deadlock,
 *              integer-le and its like, is-fireable
 *   integer  = constant, tokens-count, sum, difference, product
 *
 * A name that the net does not have is an error: the file is of another net. Any other
 * path formula is one of LTL or CTL, and is refused by name.
 */
#include "lang/pnml/queries.h"

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

static bool is_path(const struct xml_node *node) {
  static const char *const operators_of_paths[] = {
      "all-paths", "exists-path", "globally", "finally", "next", "until", "before", "reach"};
  for (size_t i = 0; i < sizeof operators_of_paths / sizeof *operators_of_paths; i++)
    if (xml_is(node, operators_of_paths[i]))
      return true;
  return false;
}

static bool has_path(const struct xml_node *node) {
  for (const struct xml_node *at = node->child; at != NULL; at = at->next)
    if (is_path(at) || has_path(at))
      return true;
  return false;
}

static void refuse(struct net_query *query, const struct xml_node *quantifier) {
  query->kind = NET_NOT_ANSWERED;
  query->why = xml_is(quantifier, "exists-path") || has_path(quantifier->child->child)
                   ? "formulas of CTL and LTL are not answered yet"
                   : "this path formula is not answered yet";
}

/* E F and A G; negations turn one into the other. */
static bool read_formula(struct queries *q, const struct xml_node *node,
                         struct net_query *query) {
  bool negated = false;
  while (xml_is(node, "negation") && node->child != NULL) {
    negated = !negated;
    node = node->child;
  }
  if (xml_is(node, "place-bound")) {
    query->kind = NET_BOUND;
    query->term = read_names(q, node, "place", NET_ADD);
    return query->term != NULL;
  }
  bool all = xml_is(node, "all-paths");
  const struct xml_node *inner = node->child;
  if ((!all && !xml_is(node, "exists-path")) || inner == NULL || inner->child == NULL)
    return fail(q, node, "'%s' is no formula of the contest", node->name) != NULL;
  if (!xml_is(inner, all ? "globally" : "finally") || has_path(inner)) {
    refuse(query, node);
    return true;
  }
  query->kind = all != negated ? NET_ALWAYS : NET_POSSIBLE;
  query->term = read_state(q, inner->child);
  if (query->term != NULL && negated)
    query->term = ask_binary(&q->ask, NET_NOT, query->term, NULL);
  return query->term != NULL;
}

static bool read_property(struct queries *q, const struct xml_node *node,
                          struct queries_list *list) {
  const struct xml_node *id = xml_child(node, "id"), *formula = xml_child(node, "formula");
  if (id == NULL || formula == NULL || formula->child == NULL)
    return fail(q, node, "'%s' needs an id and a formula", node->name) != NULL;
  struct net_query *query = ARENA_PUSH(q->ask.arena, list);
  query->id = id->text;
  return read_formula(q, formula->child, query);
}

bool queries_read(struct queries_list *list, const struct net *net, struct diag *diag,
                  const struct source *source) {
  const struct xml_node *root = xml_read(net->arena, diag, source);
  if (root == NULL)
    return false;
  struct queries *q = ARENA_NEW(net->arena, struct queries);
  q->diag = diag;
  q->source = source;
  ask_open(&q->ask, net, diag);
  if (!xml_is(root, "property-set"))
    return fail(q, root, "this is no file of formulas: the outermost element is '%s'",
                root->name) != NULL;
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
