/* xml.c - libxml2 reads, and a tree of elements is made of what it reports.
 *
 * The parser pulls from the text that is in memory already and calls back for each start
 * and end of an element (SAX), so there is no copy of the text and no document of
 * libxml2's. The text is not trusted: a declaration of an entity ends the reading, so that
 * nothing expands; no other file is opened; elements are nested at most XML_DEEP deep,
 * which bounds the recursion of everybody who walks the tree.
 *
 * Memory of the tree comes from the arena, which may jump away when there is no more. The
 * jump must not leave libxml2's memory behind, so it is caught here and goes on afterwards.
 */
#include "lang/pnml/xml.h"

#include "lang/pnml/xml_library.h"

#include <ctype.h>
#include <string.h>

#define XML_DEEP  200u
#define XML_NAMES 256u /* different names that are kept once; a power of two */

struct level {
  struct xml_node *node;
  struct xml_node **end; /* where its next child goes */
};

struct reader {
  struct arena *arena;
  struct diag *diag;
  const struct source *source;
  struct xml_library library;
  xmlParserCtxtPtr parser;
  uint32_t read; /* bytes that libxml2 has taken */
  bool failed;
  uint32_t skipped; /* depth inside an element that is skipped; 0: not in one */
  uint32_t depth;
  struct level level[XML_DEEP + 1];
  struct xml_node *root;
  char *text; /* since the last start or end of an element */
  uint32_t n_text, text_room;
  struct {
    const xmlChar *key; /* of libxml2's dictionary: equal names are one pointer */
    const char *name;
  } name[XML_NAMES];
};

/* ---- where in the text ------------------------------------------------------------ */

/* Offset of what libxml2 is at. Wrong, but within the text, if the text is not UTF-8. */
static uint32_t offset_now(const struct reader *r) {
  xmlParserInputPtr input = r->parser->input;
  if (input == NULL)
    return 0;
  unsigned long at = input->consumed + (unsigned long)(input->cur - input->base);
  return at < r->source->length ? (uint32_t)at : r->source->length;
}

/* Back to the "<" of the tag whose end is there. */
static uint32_t tag_begin(const struct reader *r) {
  uint32_t at = offset_now(r);
  while (at > 0 && r->source->text[at] != '<')
    at--;
  return at;
}

static void fail_at(struct reader *r, uint32_t at, const char *message) {
  if (!r->failed)
    diag_error(r->diag, (struct span){r->source, at, at}, "%s", message);
  r->failed = true;
  r->library.xmlStopParser(r->parser);
}

/* ---- names and text ---------------------------------------------------------------- */

static const char *keep(struct reader *r, const xmlChar *text, size_t length) {
  return arena_text(r->arena, (const char *)text, length);
}

/* A name that is there many times is kept once. */
static const char *keep_name(struct reader *r, const xmlChar *key) {
  uint32_t at = (uint32_t)((uintptr_t)key >> 3) & (XML_NAMES - 1);
  for (uint32_t tries = 0; tries < 8; tries++, at = (at + 1) & (XML_NAMES - 1)) {
    if (r->name[at].key == key)
      return r->name[at].name;
    if (r->name[at].key == NULL) {
      r->name[at].key = key;
      r->name[at].name = keep(r, key, strlen((const char *)key));
      return r->name[at].name;
    }
  }
  return keep(r, key, strlen((const char *)key));
}

static void add_text(void *context, const xmlChar *text, int length) {
  struct reader *r = context;
  if (r->failed || r->skipped > 0 || length <= 0)
    return;
  uint32_t n = (uint32_t)length;
  if (n > r->text_room - r->n_text) {
    uint32_t room = 2 * r->text_room + n;
    char *more = arena_alloc(r->arena, room);
    if (r->n_text > 0)
      memcpy(more, r->text, r->n_text);
    r->text = more;
    r->text_room = room;
  }
  memcpy(r->text + r->n_text, text, n);
  r->n_text += n;
}

static const char *take_text(struct reader *r) {
  uint32_t from = 0, to = r->n_text;
  while (from < to && isspace((unsigned char)r->text[from]))
    from++;
  while (to > from && isspace((unsigned char)r->text[to - 1]))
    to--;
  return from == to ? "" : arena_text(r->arena, r->text + from, to - from);
}

/* ---- elements ------------------------------------------------------------------------ */

static bool is_skipped(const xmlChar *name) {
  static const char *const skipped[] = {"graphics", "toolspecific", "placeHolder"};
  for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++)
    if (strcmp((const char *)name, skipped[i]) == 0)
      return true;
  return false;
}

/* Attributes come as five pointers each: name, prefix, namespace, begin and end of the
 * value. One block holds the node, its attributes and their values. */
static struct xml_node *make_node(struct reader *r, int n, const xmlChar **attribute) {
  size_t bytes = sizeof(struct xml_node) + (size_t)n * sizeof(struct xml_attribute);
  size_t values = bytes;
  for (int i = 0; i < n; i++)
    bytes += (size_t)(attribute[5 * i + 4] - attribute[5 * i + 3]) + 1;
  struct xml_node *node = arena_alloc(r->arena, bytes);
  char *value = (char *)node + values;
  node->n_attributes = (uint32_t)n;
  for (int i = 0; i < n; i++) {
    size_t length = (size_t)(attribute[5 * i + 4] - attribute[5 * i + 3]);
    memcpy(value, attribute[5 * i + 3], length);
    node->attribute[i].name = keep_name(r, attribute[5 * i]);
    node->attribute[i].value = value;
    value += length + 1;
  }
  return node;
}

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *space, int n_spaces, const xmlChar **spaces, int n,
                          int n_defaults, const xmlChar **attribute) {
  struct reader *r = context;
  (void)prefix, (void)n_spaces, (void)spaces, (void)n_defaults;
  r->n_text = 0;
  if (r->failed)
    return;
  if (r->skipped > 0 || is_skipped(name)) {
    r->skipped++;
    return;
  }
  if (r->depth == XML_DEEP) {
    fail_at(r, tag_begin(r), "elements are nested more than 200 deep");
    return;
  }
  struct xml_node *node = make_node(r, n, attribute);
  node->name = keep_name(r, name);
  node->space = space == NULL ? NULL : keep_name(r, space);
  node->text = "";
  node->begin = tag_begin(r);
  if (r->depth > 0) {
    struct level *parent = &r->level[r->depth - 1];
    *parent->end = node;
    parent->end = &node->next;
  } else {
    r->root = node;
  }
  r->level[r->depth++] = (struct level){node, &node->child};
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix,
                        const xmlChar *space) {
  struct reader *r = context;
  (void)name, (void)prefix, (void)space;
  if (r->failed)
    return;
  if (r->skipped > 0) {
    r->skipped--;
  } else if (r->depth > 0) {
    struct xml_node *node = r->level[--r->depth].node;
    if (node->child == NULL)
      node->text = take_text(r);
  }
  r->n_text = 0;
}

/* ---- what is refused -------------------------------------------------------------------- */

static void refuse_entity(void *context, const xmlChar *name, int type, const xmlChar *public,
                          const xmlChar *system, xmlChar *content) {
  struct reader *r = context;
  (void)name, (void)type, (void)public, (void)system, (void)content;
  fail_at(r, offset_now(r),
          "the text declares an entity, and those are not read: write out what it means");
}

/* The ones of XML itself are known without this. */
static xmlEntityPtr no_entity(void *context, const xmlChar *name) {
  (void)context, (void)name;
  return NULL;
}

/* A sentence of libxml2, without its line end, as the one error. What libxml2 calls an internal
 * error of its own is text that it did not expect. */
static void note_error(void *context, xmlErrorPtr error) {
  struct reader *r = context;
  if (r->failed || error->level < XML_ERR_ERROR)
    return;
  static const char own[] = "internal error: ";
  char said[200] = "the text is no XML";
  if (error->message != NULL) {
    size_t skip = strncmp(error->message, own, strlen(own)) == 0 ? strlen(own) : 0;
    snprintf(said, sizeof said, "the text is no XML: %s", error->message + skip);
  }
  size_t n = strlen(said);
  while (n > 0 && (said[n - 1] == '\n' || said[n - 1] == ' '))
    said[--n] = '\0';
  uint32_t at = 0, line = error->line > 0 ? (uint32_t)error->line : 1;
  if (r->parser->input != NULL && line == (uint32_t)r->parser->input->line)
    at = offset_now(r);
  else if (line <= r->source->n_lines)
    at = r->source->line[line - 1];
  fail_at(r, at, said);
}

/* ---- the whole ----------------------------------------------------------------------------
 */

static int give_text(void *context, char *buffer, int length) {
  struct reader *r = context;
  uint32_t left = r->source->length - r->read;
  uint32_t n = (uint32_t)length < left ? (uint32_t)length : left;
  memcpy(buffer, r->source->text + r->read, n);
  r->read += n;
  return (int)n;
}

static int give_end(void *context) {
  (void)context;
  return 0;
}

static void read_all(struct reader *r) {
  xmlSAXHandler sax = {.initialized = XML_SAX2_MAGIC,
                       .startElementNs = start_element,
                       .endElementNs = end_element,
                       .characters = add_text,
                       .ignorableWhitespace = add_text,
                       .cdataBlock = add_text,
                       .entityDecl = refuse_entity,
                       .getEntity = no_entity,
                       .serror = note_error};
  r->parser =
      r->library.xmlCreateIOParserCtxt(&sax, r, give_text, give_end, r, XML_CHAR_ENCODING_NONE);
  if (r->parser == NULL) {
    r->failed = true;
    diag_error(r->diag, (struct span){r->source, 0, 0}, "libxml2 could not begin: no memory");
    return;
  }
  r->library.xmlCtxtUseOptions(r->parser, XML_PARSE_NONET | XML_PARSE_HUGE);
  r->library.xmlParseDocument(r->parser);
  if (r->root == NULL || r->depth > 0)
    fail_at(r, r->source->length, "the text is no XML: it ends too early");
}

struct xml_node *xml_read(struct arena *arena, struct diag *diag, const struct source *source) {
  struct reader *r = ARENA_NEW(arena, struct reader);
  *r = (struct reader){.arena = arena, .diag = diag, .source = source};
  const char *why = xml_library_load(&r->library, arena);
  if (why != NULL) {
    diag_error(diag, (struct span){source, 0, 0},
               "this text is XML, and the library that reads it cannot be loaded (%s): install "
               "libxml2 (Debian: libxml2)",
               why);
    return NULL;
  }
  jmp_buf at, *outer = arena_guard(arena, &at);
  bool spent = setjmp(at) != 0;
  if (!spent)
    read_all(r);
  if (r->parser != NULL) /* it makes a document where entities are declared */
    r->library.xmlFreeDoc(r->parser->myDoc);
  r->library.xmlFreeParserCtxt(r->parser);
  arena_guard(arena, outer);
  if (spent)
    arena_spent(arena);
  return r->failed ? NULL : r->root;
}
