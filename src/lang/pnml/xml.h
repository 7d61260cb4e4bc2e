/* xml.h - an XML text as a tree of elements, for readers of PNML and of queries.
 *
 * libxml2 does the reading, element by element, and nothing but this file knows it. The
 * tree keeps what nets need: names without prefixes, attributes, the text of elements
 * without children. Elements that say how a net is drawn, or are for one tool only, are
 * skipped while reading, so that they take no memory.
 */
#ifndef CAIRN_LANG_PNML_XML_H
#define CAIRN_LANG_PNML_XML_H

#include "base/arena.h"
#include "base/diag.h"

struct xml_attribute {
  const char *name, *value;
};

struct xml_node {
  const char *name;
  const char *space; /* namespace, or NULL */
  const char *text;  /* without white space around it; "" where there are children */
  struct xml_node *child, *next;
  uint32_t begin; /* offset of its "<" in the source */
  uint32_t n_attributes;
  struct xml_attribute attribute[];
};

/* The root element. NULL if the text is no XML, declares entities, is nested too deep, or
 * if this program was built without libxml2; the reason is in the diag. Reads no other file
 * and nothing from a network. */
struct xml_node *xml_read(struct arena *, struct diag *, const struct source *);

/* The element's start, for messages. */
struct span xml_span(const struct source *, const struct xml_node *);

bool xml_is(const struct xml_node *, const char *name);
/* The first child of this name, or NULL; `node` may be NULL. */
const struct xml_node *xml_child(const struct xml_node *, const char *name);
/* The value of an attribute, or NULL. */
const char *xml_attribute(const struct xml_node *, const char *name);

#endif
