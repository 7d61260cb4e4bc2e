/* build.h - one C text, compiled at once and again by a better compiler later. */
#ifndef CAIRN_NATIVE_COMPILE_BUILD_H
#define CAIRN_NATIVE_COMPILE_BUILD_H

#include "native/compile/reason.h"
#include "native/native.h"

struct build;

/* Compiles `source` as the options say and sets ts->code; under `auto` a thread
 * may set it once more. `backward`: whose functions to go backward are the code's, too; or
 * NULL. Takes over the bytes of the source in every case. NULL with a sentence appended to
 * *why. */
struct build *build_open(struct ts *, struct text *source, const struct native_options *,
                         const struct ts_code *backward, struct budget *, struct reason *why);
/* Ends a compilation that is under way, and unmaps the code. */
void build_close(struct build *);

/* All but the time of emission. */
void build_figures(const struct build *, struct native_figures *);

#endif
