/* load.h - bytes of a shared object to running code, without a file to trust. */
#ifndef CAIRN_NATIVE_COMPILE_LOAD_H
#define CAIRN_NATIVE_COMPILE_LOAD_H

#include "native/compile/reason.h"
#include "native/compile/unit.h"

#include "base/text.h"

struct load_code {
  void *handle;
  int fd; /* kept open while loaded, see load.c */
  size_t bytes;
  const void *symbol; /* of the unit */
};

/* Nothing is loaded. */
#define LOAD_NONE ((struct load_code){.fd = -1})

/* Of the unit the symbol and its version count. False with a sentence appended to *why. */
bool load_object(const struct text *object, const struct unit *, struct budget *,
                 struct load_code *, struct reason *why);
void load_free(struct load_code *, struct budget *);

#endif
