/* cc.h - the system's compiler: finding it, and having it compile a text. */
#ifndef CAIRN_NATIVE_COMPILE_CC_H
#define CAIRN_NATIVE_COMPILE_CC_H

#include "native/compile/reason.h"
#include "native/compile/unit.h"

#include "base/budget.h"
#include "base/text.h"

struct cc_limits {
  uint32_t cpu_seconds;
  double seconds;
  uint64_t memory_bytes;
};

/* What a text of this length is allowed to take. */
struct cc_limits cc_limits_for(size_t text_bytes);

struct cc; /* a compiler that was found */

/* From $CC (a program and its options, parted by spaces) or `cc` on the PATH.
 * NULL with a sentence appended to *why if there is none. */
struct cc *cc_find(struct budget *, struct reason *why);
void cc_close(struct cc *);

/* What identifies its results besides the text: path, size and time of the
 * compiler, its options, the kind of machine. */
const struct text *cc_identity(const struct cc *);

/* Compiles a text to a shared object, whose bytes are appended to *object. The
 * memory allowed is claimed from the budget meanwhile. stop(context, wait) waits
 * up to `wait` seconds and says whether to give up. False with a sentence
 * appended to *why. Nothing is left over in any case. */
bool cc_compile(const struct cc *, const struct unit *, const struct cc_limits *,
                bool (*stop)(void *context, double wait), void *context, struct text *object,
                struct reason *why);

#endif
