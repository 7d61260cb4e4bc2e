/* xml_none.c - what there is in place of xml.c where this program is built without libxml2. */
#include "lang/pnml/xml.h"

struct xml_node *xml_read(struct arena *arena, struct diag *diag, const struct source *source) {
  (void)arena;
  diag_error(diag, (struct span){source, 0, 0},
             "this program was built without libxml2, and cannot read XML: install libxml2 "
             "(Debian: libxml2-dev) and build it again");
  return NULL;
}
