/* read.c - from the tree of elements to a symmetric net: pages, places, transitions, arcs.
 *
 * What belongs together may be far apart: an arc may be on another page than its ends, an
 * end may be a reference to a reference. So nodes and arcs are gathered from all pages
 * first; then references are followed, and only then arcs are read, whose inscriptions
 * need the sorts of their places.
 *
 * Two dialects are taken as well, since tools write them: attributes in place of the
 * elements name, initialMarking and inscription, and arcs called inputArc and outputArc.
 */
#include "lang/pnml/reader.h"

#include <string.h>

/* Pages in pages are read by recursion; xml.c bounds the depth. */

enum node_kind { NODE_PLACE, NODE_TRANSITION, NODE_REFERENCE };

struct node {
  enum node_kind kind;
  bool is_place; /* of a reference: to a place */
  bool is_alias; /* was a reference, and now is what it leads to */
  const struct xml_node *element;
  uint32_t index; /* of the place or transition */
};

struct pages {
  struct reader reader;
  struct names node_id;
  struct {
    struct node *at;
    uint32_t n, capacity;
  } node;
  struct {
    const struct xml_node **at;
    uint32_t n, capacity;
  } arc;
  struct symmetric_net *net;
};

/* ---- gathering -------------------------------------------------------------------------- */

static void gather_node(struct pages *p, const struct xml_node *element, enum node_kind kind,
                        bool is_place) {
  const char *id = xml_attribute(element, "id");
  if (id == NULL || *id == '\0') {
    reader_fail(&p->reader, element, "this %s has no id", element->name);
    return;
  }
  if (!names_add(&p->node_id, id, p->node.n)) {
    reader_fail(&p->reader, element, "the id '%s' is taken by another node", id);
    return;
  }
  uint32_t *n = is_place ? &p->net->n_places : &p->net->n_transitions;
  uint32_t index = kind == NODE_REFERENCE ? 0 : (*n)++;
  *ARENA_PUSH(p->reader.arena, &p->node) =
      (struct node){.kind = kind, .is_place = is_place, .element = element, .index = index};
}

static void gather_declarations(struct pages *p, const struct xml_node *declaration) {
  const struct xml_node *structure = xml_child(declaration, "structure");
  const struct xml_node *at = xml_child(structure, "declarations");
  if (at != NULL)
    reader_declare(&p->reader, at);
}

static void gather(struct pages *p, const struct xml_node *page) {
  static const char *const known[] = {"name", "type", "text", "labels"};
  for (const struct xml_node *at = page->child; at != NULL; at = at->next) {
    if (xml_is(at, "page"))
      gather(p, at);
    else if (xml_is(at, "place"))
      gather_node(p, at, NODE_PLACE, true);
    else if (xml_is(at, "transition"))
      gather_node(p, at, NODE_TRANSITION, false);
    else if (xml_is(at, "referencePlace"))
      gather_node(p, at, NODE_REFERENCE, true);
    else if (xml_is(at, "referenceTransition"))
      gather_node(p, at, NODE_REFERENCE, false);
    else if (xml_is(at, "arc") || xml_is(at, "inputArc") || xml_is(at, "outputArc"))
      *ARENA_PUSH(p->reader.arena, &p->arc) = at;
    else if (!xml_is(at, "declaration")) {
      bool fine = false;
      for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        fine = fine || xml_is(at, known[i]);
      if (!fine)
        reader_fail(&p->reader, at, "'%s' is not supported in a net", at->name);
    }
  }
}

/* Before anything uses them, and outer pages first. */
static void gather_all_declarations(struct pages *p, const struct xml_node *page) {
  for (const struct xml_node *at = page->child; at != NULL; at = at->next)
    if (xml_is(at, "declaration"))
      gather_declarations(p, at);
  for (const struct xml_node *at = page->child; at != NULL; at = at->next)
    if (xml_is(at, "page"))
      gather_all_declarations(p, at);
}

/* ---- references ---------------------------------------------------------------------------
 */

/* The place or transition of this id, by way of references; NULL after an error. */
static const struct node *follow(struct pages *p, const struct xml_node *from, const char *id) {
  for (uint32_t steps = 0; steps <= p->node.n; steps++) {
    uint32_t i = id == NULL ? NAMES_NONE : names_find(&p->node_id, id);
    if (i == NAMES_NONE) {
      reader_fail(&p->reader, from, "there is no place or transition '%s'",
                  id == NULL ? "" : id);
      return NULL;
    }
    const struct node *node = &p->node.at[i];
    if (node->kind != NODE_REFERENCE)
      return node;
    id = xml_attribute(node->element, "ref");
  }
  reader_fail(&p->reader, from, "the references that begin at '%s' lead round in a cycle", id);
  return NULL;
}

/* Each leads to a node of its kind. What was found is noted, so that chains of references
 * are not followed again and again. */
static void check_references(struct pages *p) {
  for (uint32_t i = 0; i < p->node.n && diag_errors(p->reader.diag) < DIAG_MAX; i++) {
    struct node *node = &p->node.at[i];
    if (node->kind != NODE_REFERENCE)
      continue;
    const struct node *end = follow(p, node->element, xml_attribute(node->element, "id"));
    if (end == NULL)
      continue;
    if (end->is_place != node->is_place)
      reader_fail(&p->reader, node->element, "this %s leads to a %s", node->element->name,
                  end->is_place ? "place" : "transition");
    *node = *end;
    node->is_alias = true;
  }
}

/* ---- places and transitions
 * ------------------------------------------------------------------ */

/* Names are shown on one line each. */
static const char *without_control(struct pages *p, const char *name) {
  char *clean = arena_text(p->reader.arena, name, strlen(name));
  for (char *c = clean; *c != '\0'; c++)
    if ((unsigned char)*c < 32 || *c == 127)
      *c = ' ';
  return clean;
}

static const char *name_of(struct pages *p, const struct xml_node *element) {
  const struct xml_node *text = xml_child(xml_child(element, "name"), "text");
  const char *name = text != NULL ? text->text : xml_attribute(element, "name");
  return without_control(p,
                         name == NULL || *name == '\0' ? xml_attribute(element, "id") : name);
}

/* The first element in the structure of a label; NULL: there is no such label. */
static const struct xml_node *structure(struct pages *p, const struct xml_node *element,
                                        const char *label) {
  const struct xml_node *node = xml_child(element, label);
  if (node == NULL)
    return NULL;
  const struct xml_node *inside = xml_child(node, "structure");
  if (inside == NULL || inside->child == NULL)
    reader_fail(&p->reader, node, "this %s has no structure, and text alone is not read",
                label);
  return inside == NULL ? NULL : inside->child;
}

/* A number in <text> or <value>, or an attribute; `fallback` if there is none. */
static int64_t number_of(struct pages *p, const struct xml_node *element, const char *label,
                         int64_t fallback) {
  const struct xml_node *node = xml_child(element, label);
  const struct xml_node *text = xml_child(node, "text");
  if (text == NULL)
    text = xml_child(node, "value");
  const char *digits = text != NULL ? text->text : xml_attribute(element, label);
  int64_t value = 0;
  if (digits == NULL)
    return fallback;
  if (reader_number(digits, &value) && value >= 0 && value <= INT32_MAX)
    return value;
  reader_fail(&p->reader, text == NULL ? element : text,
              "'%.40s' is no number of tokens: an integer from 0 to %d", digits, INT32_MAX);
  return fallback;
}

static void set_dots(struct pages *p, struct symmetric_sum *sum, int64_t count) {
  sum->sort = p->reader.dot;
  if (count > 0)
    *ARENA_PUSH(p->reader.arena, sum) = (struct symmetric_row){.count = count};
}

static void read_place(struct pages *p, const struct node *node) {
  struct symmetric_place *place = &p->net->place[node->index];
  const struct xml_node *element = node->element;
  place->id = without_control(p, xml_attribute(element, "id"));
  place->name = name_of(p, element);
  place->span = xml_span(p->reader.source, element);
  place->sort = p->reader.dot;
  const struct xml_node *type = structure(p, element, "type");
  if (type != NULL)
    place->sort = reader_sort(&p->reader, type);
  const struct xml_node *marking = structure(p, element, "hlinitialMarking");
  if (place->sort == NULL)
    place->sort = p->reader.dot; /* it was said that something is wrong */
  else if (marking != NULL)
    reader_sum(&p->reader, marking, NULL, place->sort, &place->initial);
  else if (place->sort->n_cells == 0)
    set_dots(p, &place->initial, number_of(p, element, "initialMarking", 0));
}

static void read_transition(struct pages *p, const struct node *node) {
  struct symmetric_transition *transition = &p->net->transition[node->index];
  transition->id = without_control(p, xml_attribute(node->element, "id"));
  transition->name = name_of(p, node->element);
  transition->span = xml_span(p->reader.source, node->element);
  const struct xml_node *condition = structure(p, node->element, "condition");
  if (condition != NULL)
    transition->condition = reader_condition(&p->reader, condition, transition);
}

/* ---- arcs
 * ---------------------------------------------------------------------------------------- */

static bool is_plain(struct pages *p, const struct xml_node *element) {
  const struct xml_node *type = xml_child(element, "type");
  const struct xml_node *text = xml_child(type, "text");
  const char *kind = type == NULL   ? NULL
                     : text != NULL ? text->text
                                    : xml_attribute(type, "value");
  if (kind == NULL)
    kind = xml_attribute(element, "type");
  return kind == NULL || strcmp(kind, "normal") == 0 ||
         reader_fail(&p->reader, element, "arcs of the type '%s' are not supported", kind);
}

static void read_arc(struct pages *p, const struct xml_node *element) {
  const struct node *from = follow(p, element, xml_attribute(element, "source"));
  const struct node *to =
      from == NULL ? NULL : follow(p, element, xml_attribute(element, "target"));
  if (to == NULL || !is_plain(p, element))
    return;
  if (from->is_place == to->is_place) {
    reader_fail(&p->reader, element, "this arc leads from a %s to another one",
                from->is_place ? "place" : "transition");
    return;
  }
  const struct node *place = from->is_place ? from : to;
  struct symmetric_transition *transition =
      &p->net->transition[from->is_place ? to->index : from->index];
  struct symmetric_arc *arc =
      ARENA_PUSH(p->reader.arena, from->is_place ? &transition->in : &transition->out);
  *arc = (struct symmetric_arc){.place = place->index};
  const struct symmetric_sort *sort = p->net->place[place->index].sort;
  const struct xml_node *term = structure(p, element, "hlinscription");
  if (term != NULL)
    reader_sum(&p->reader, term, transition, sort, &arc->sum);
  else if (sort->n_cells == 0)
    set_dots(p, &arc->sum, number_of(p, element, "inscription", 1));
  else
    reader_fail(&p->reader, element,
                "this arc has no hlinscription, and its place has colours");
}

/* ---- the whole
 * --------------------------------------------------------------------------------------- */

static const char *type_refused(const char *type) {
  static const char *const known[] = {"ptnet",    "symmetricnet",  "highlevelnet",
                                      "pt-hlpng", "pnmlcoremodel", "P/T net"};
  if (type == NULL)
    return NULL;
  const char *last = strrchr(type, '/');
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(type, known[i]) == 0 || (last != NULL && strcmp(last + 1, known[i]) == 0))
      return NULL;
  return type;
}

static const struct xml_node *find_net(struct pages *p, const struct xml_node *root) {
  static const char space[] = "http://www.pnml.org/";
  struct reader *r = &p->reader;
  if (!xml_is(root, "pnml") ||
      (root->space != NULL && strncmp(root->space, space, strlen(space)) != 0)) {
    reader_fail(r, root, "this is no PNML: the outermost element is '%s'%s%s", root->name,
                root->space == NULL ? "" : " of ", root->space == NULL ? "" : root->space);
    return NULL;
  }
  const struct xml_node *net = xml_child(root, "net");
  if (net == NULL) {
    reader_fail(r, root, "there is no net in it");
    return NULL;
  }
  for (const struct xml_node *at = net->next; at != NULL; at = at->next)
    if (xml_is(at, "net"))
      diag_warning(r->diag, xml_span(r->source, at), "only the first net is read");
  const char *refused = type_refused(xml_attribute(net, "type"));
  if (refused != NULL) {
    reader_fail(r, net,
                "nets of the type '%.100s' are not supported, only place/transition nets and "
                "symmetric nets",
                refused);
    return NULL;
  }
  return net;
}

static void read_net(struct pages *p, const struct xml_node *net) {
  gather_all_declarations(p, net);
  gather(p, net);
  check_references(p);
  p->net->place = ARENA_ARRAY(p->reader.arena, p->net->n_places, struct symmetric_place);
  p->net->transition =
      ARENA_ARRAY(p->reader.arena, p->net->n_transitions, struct symmetric_transition);
  for (uint32_t i = 0; i < p->node.n; i++) {
    const struct node *node = &p->node.at[i];
    if (node->kind == NODE_REFERENCE || node->is_alias)
      continue;
    if (node->is_place)
      read_place(p, node);
    else
      read_transition(p, node);
  }
  for (uint32_t i = 0; i < p->arc.n; i++)
    read_arc(p, p->arc.at[i]);
}

struct symmetric_net *symmetric_read(struct arena *arena, struct diag *diag,
                                     const struct source *source) {
  const struct xml_node *root = xml_read(arena, diag, source);
  if (root == NULL)
    return NULL;
  struct symmetric_sort *dot = ARENA_NEW(arena, struct symmetric_sort);
  *dot = (struct symmetric_sort){
      .id = "dot", .name = "dot", .cell = ARENA_ARRAY(arena, 0, const struct symmetric_sort *)};
  struct pages *p = ARENA_NEW(arena, struct pages);
  p->reader = (struct reader){.arena = arena, .diag = diag, .source = source, .dot = dot};
  p->reader.sort_id.arena = p->reader.variable_id.arena = p->reader.constant_id.arena = arena;
  p->node_id.arena = arena;
  p->net = ARENA_NEW(arena, struct symmetric_net);
  *p->net = (struct symmetric_net){.arena = arena, .name = source->name, .source = source};
  const struct xml_node *net = find_net(p, root);
  if (net != NULL)
    read_net(p, net);
  return diag_errors(diag) == 0 ? p->net : NULL;
}
