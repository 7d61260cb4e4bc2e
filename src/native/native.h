/* native.h - from the checked model to machine code that answers at the door.
 *
 * native_open() prints one C text per model, compiles it in memory with libtcc
 * (milliseconds, no compiler needed on the machine) and hands out a ts. Under
 * `auto` a thread waits `patience` seconds, then has the system's cc compile the
 * same text at low priority, bounded in time and memory, and swaps the result
 * in; the search notices nothing but speed. Results of cc are kept in the cache
 * folder under the hash of text, flags and compiler.
 */
#ifndef CAIRN_NATIVE_NATIVE_H
#define CAIRN_NATIVE_NATIVE_H

#include "base/budget.h"
#include "base/text.h"
#include "ir/ir.h"
#include "ts/ts.h"

enum native_compiler { NATIVE_AUTO, NATIVE_TCC, NATIVE_CC };

struct native_options {
  enum native_compiler compiler;
  double patience;        /* seconds before cc starts under auto; 2 by default */
  bool report_truncation; /* generated code notes values that were cut */
  const char *cache;      /* folder; NULL: the XDG one; "": no cache */
  uint32_t places;        /* for processes; 0: as the model seems to need */
  struct undo *undo;      /* how it goes backward, to be compiled too; NULL: not. Set by
                           * native_open() */
  bool fold_all; /* for tests: locations share code (emit/fold.c) however few there are */
};

struct native_figures {
  double emit, tcc, cc; /* seconds; 0 for what was not done */
  bool cc_from_cache;
  bool swapped;       /* cc's code is in use */
  const char *remark; /* one line for the user ("no system compiler found; …"), or NULL */
};

struct native;

struct native_failure {
  const char *why; /* a sentence, in the model's arena */
  bool is_limit;   /* memory, disk or time ran out, or the user stopped it: no mistake */
};

/* The model must outlive it, and the arena is used only during this call. NULL
 * with *failure filled if the model is too large, a limit was hit, executable memory
 * is forbidden, or compiler NATIVE_CC is chosen and fails. */
struct native *native_open(struct ir_model *, const struct native_options *, struct budget *,
                           struct native_failure *failure);
/* Stops a compilation that is under way. */
void native_close(struct native *);

struct ts *native_ts(struct native *);
/* Why the model cannot go backward, where it cannot although that was asked for. */
const char *native_unable(const struct native *);
/* What to ask for instead where there were too few places for processes. */
uint32_t native_more_places(const struct ir_model *);
void native_figures(const struct native *, struct native_figures *);

/* What native_open() does first, for those who lay out the model themselves: C text in it is
 * compiled, and says how much of the state is its own. False with *failure filled. */
bool native_prepare(struct ir_model *, const struct native_options *, struct budget *,
                    struct native_failure *);

/* The C text alone, for `cairn info --code` and tests; of the options those count that say what
 * is in it. False if memory ran out. */
bool native_emit(const struct ir_model *, const struct ir_actions *, struct ts_shape *,
                 const struct native_options *, struct text *out);

#endif
