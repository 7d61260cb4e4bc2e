/* xml_library.h - libxml2's functions, loaded when the first XML is read.
 *
 * Linked to the program, libxml2 would bring ICU and the C++ library into every start: two to
 * three MiB and half of the time, for models that are no XML. So only its headers are needed to
 * build; its types are those of the headers, and the name that is loaded has their version.
 */
#ifndef CAIRN_LANG_PNML_XML_LIBRARY_H
#define CAIRN_LANG_PNML_XML_LIBRARY_H

#include "base/arena.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#define XML_LIBRARY_FUNCTIONS(X)                                                               \
  X(xmlCreateIOParserCtxt)                                                                     \
  X(xmlCtxtUseOptions)                                                                         \
  X(xmlFreeDoc)                                                                                \
  X(xmlFreeParserCtxt)                                                                         \
  X(xmlParseDocument)                                                                          \
  X(xmlStopParser)

struct xml_library {
#define XML_LIBRARY_MEMBER(name) __typeof__(name) *(name);
  XML_LIBRARY_FUNCTIONS(XML_LIBRARY_MEMBER)
#undef XML_LIBRARY_MEMBER
};

/* Loads it, for good, and charges what it takes to the arena's budget; jumps to the arena's
 * guard where that is exhausted. NULL, or why it cannot be loaded, as the loader says it. */
const char *xml_library_load(struct xml_library *, struct arena *);

#endif
