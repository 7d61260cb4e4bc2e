/* loaded.h - from a file name to a model that can run: what all commands share. */
#ifndef CAIRN_CLI_LOADED_H
#define CAIRN_CLI_LOADED_H

#include "cli/options.h"

#include "base/diag.h"
#include "lang/lang.h"
#include "native/native.h"
#include "net/model.h"

struct loaded {
  const char *path;
  const struct options *o;
  bool color; /* of messages on standard error */
  struct budget *budget;
  struct arena *arena;
  struct diag *diag;
  const struct source *source;
  const struct language *language;
  struct language_options how; /* to read the model */
  const char *measure[16];     /* expressions whose values are asked for, set before */
  uint32_t n_measures;         /* loaded_parse() */
  struct ir_model *model;      /* NULL: of a language that makes its models run itself */
  struct native *native;       /* NULL until loaded_compile() */
  struct ts *ts;
  bool wants_control;    /* facts for partial order reduction, set before loaded_compile() */
  unsigned reductions;   /* of the model (enum ir_reduction), set before loaded_compile() */
  bool names_reductions; /* the user did */
  bool names_choosing;   /* the same of partial order reduction */
  bool merges_unless_counted; /* IR_MERGE goes where a claim may count steps */
  unsigned checked;           /* the same: whose facts are to be tested */
  uint32_t places; /* for processes, set before loaded_compile(); 0: as it seems best */
  double parse_seconds, compile_seconds;
  int status;      /* after a failure: what the program ends with */
  const char *why; /* and one sentence */
  char said[600];  /* room for it, so that saying it needs no memory */
};

/* Steps on the way, in this order. Each returns false after a failure, which it
 * has printed; loaded_close() is due in any case. */
bool loaded_start(struct loaded *, const struct options *);
/* How the model is to be read; loaded_start() has done it once. */
void loaded_read_how(struct loaded *, const struct options *);
bool loaded_parse(struct loaded *, const char *const *invariant, uint32_t n);
bool loaded_compile(struct loaded *, const struct options *, bool report_truncation);
/* Compiles the model again, as it is to be reduced by now; the ts so far is no more. */
bool loaded_again(struct loaded *, const struct options *, bool report_truncation);
/* The same, with more places for processes. */
bool loaded_grow(struct loaded *, const struct options *, bool report_truncation);
void loaded_close(struct loaded *);

/* Whether the model is compiled from a checked one; else its language made it run. */
static inline bool loaded_is_compiled(const struct loaded *l) {
  return (l->language->traits & LANGUAGE_CHECKED) != 0;
}

/* Of a language that makes its models run itself: reads the model again, with other
 * invariants. False, without a message, if they are not of this model, or memory ran out. */
bool loaded_open_again(struct loaded *, const char *const *invariant, uint32_t n);

/* The net, after loaded_parse(); NULL if the model is none. */
const struct net_model *loaded_net(const struct loaded *);
/* Why it cannot go backward, where it cannot. */
const char *loaded_why_forward(const struct loaded *);

/* The hash of the model, after loaded_parse(). */
uint64_t loaded_hash(const struct loaded *);

/* The invariants on the command line, in the arena. */
const char *const *loaded_invariants(struct loaded *, const struct options *, uint32_t *n);

/* Says "error: …" and remembers it as the failure; false. */
bool loaded_fail(struct loaded *, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The failure of a step that ran out of memory; false. */
bool loaded_spent(struct loaded *);

/* Prints messages about the model on standard error, as --diagnostics has it. */
void loaded_say(const struct loaded *, const struct diag *);

/* Whether text on this stream is to be coloured. */
bool loaded_color(const struct options *, FILE *);

#endif
