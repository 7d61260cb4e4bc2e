/* xml_tree.c - questions to a tree of elements. */
#include "lang/pnml/xml.h"

#include <string.h>

struct span xml_span(const struct source *source, const struct xml_node *node) {
  uint32_t end = node->begin + 1 + (uint32_t)strlen(node->name);
  if (end > source->length)
    end = source->length;
  return (struct span){source, node->begin < end ? node->begin : end, end};
}

bool xml_is(const struct xml_node *node, const char *name) {
  return strcmp(node->name, name) == 0;
}

const struct xml_node *xml_child(const struct xml_node *node, const char *name) {
  const struct xml_node *at = node == NULL ? NULL : node->child;
  while (at != NULL && !xml_is(at, name))
    at = at->next;
  return at;
}

const char *xml_attribute(const struct xml_node *node, const char *name) {
  for (uint32_t i = 0; i < node->n_attributes; i++)
    if (strcmp(node->attribute[i].name, name) == 0)
      return node->attribute[i].value;
  return NULL;
}
