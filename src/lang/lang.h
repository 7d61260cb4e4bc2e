/* lang.h - the input languages.
 *
 * A language is one folder; it exports one constant struct language. Adding a
 * language is: write the folder, add one line to the list in languages.c.
 *
 * There are two kinds. Languages of IR read a text into a checked model (parse, read); layout,
 * code and info are then the same for all (cli/loaded.c). Others make their models ready to run
 * (open): a ts, with a shape that says what there is to print, and, where that is not enough,
 * words of its own (ts_notes.words).
 */
#ifndef CAIRN_LANG_LANG_H
#define CAIRN_LANG_LANG_H

#include "base/diag.h"
#include "ir/ir.h"

struct ts;

/* How a model is to be read, as the command line says. A language ignores what it does not
 * heed; all zeros are the defaults. */
struct language_options {
  const char *const *define; /* "NAME" or "NAME=VALUE" */
  uint32_t n_defines;
  const char *const *claim; /* the claims and formulas to take, n_claims; "none" is none; NULL:
                             * all */
  uint32_t n_claims;
  const char *const *formula; /* of the command line, which are read later */
  uint32_t n_formulas;
  bool acceptance,
      progress;         /* claims about labels accept, and about labels progress, are wanted */
  bool sends_may_lose;  /* a send to a full channel loses the message */
  bool end_needs_empty; /* a valid end needs empty channels */
  const char *const *asked; /* conditions of the command line, which are read later */
  uint32_t n_asked;
  bool as_spin;      /* as Spin reads it, where it departs from its language reference */
  bool allow_c;      /* C text in the model may run */
  bool no_remarks;   /* no notes on where Spin differs */
  unsigned compiler; /* enum native_compiler: of models in C */
  bool backward;     /* the model is to go backward, where it can */
  const struct cairn_model *functions; /* of models in C: there already; NULL: see the text */
  uint32_t token_bits; /* nets: of places without a proven bound; 0: the least */
};

/* What the command line asks of each state: a condition, or a number. */
struct language_question {
  const struct source *source;
  bool is_measure;
};

/* Which of the options a language has a use for; others are refused, or a warning says that
 * they have no effect (cli/loaded.c). */
enum language_heeds {
  LANGUAGE_DEFINES = 1,
  LANGUAGE_CHANNELS = 2,    /* sends_may_lose, end_needs_empty */
  LANGUAGE_SPIN = 4,        /* as_spin, no_remarks */
  LANGUAGE_TOKENS = 8,      /* token_bits; places that are safe */
  LANGUAGE_STATEMENTS = 16, /* cut values, checks of merging and of dead variables */
  LANGUAGE_ENDS = 32, /* a deadlock that is no proper end is an error without being asked for */
  LANGUAGE_COMPILED = 64 /* which compiler */
};

/* What becomes of a text, one of the first two; and what else is to be known of it. */
enum language_traits {
  LANGUAGE_CHECKED = 1,   /* a checked model: parse, read */
  LANGUAGE_RUNS = 2,      /* a model that is ready to run: open */
  LANGUAGE_IS_PROGRAM = 4 /* checking it runs what its author wrote: only where it is named */
};

struct language {
  const char *name;       /* "dve" */
  const char *extensions; /* ".dve", parted by spaces */
  const char *summary;
  unsigned traits; /* enum language_traits */
  unsigned heeds;  /* enum language_heeds */

  /* Reads a model. NULL if there were errors; they are in the diag. Warnings may
   * be there in either case. Options NULL: the defaults. */
  struct ir_model *(*parse)(struct arena *, struct diag *, const struct source *,
                            const struct language_options *);

  /* For languages whose models are no ir, in place of parse and read: reads a model, adds
   * the questions, and makes it ready to run. All of it lives in the arena. */
  struct ts *(*open)(struct arena *, struct diag *, const struct source *,
                     const struct language_options *, const struct language_question *,
                     uint32_t n_questions);

  /* Whether the text looks like this language, for files without a known ending. */
  bool (*recognises)(const struct source *);

  /* Parses an expression over the model's names (local ones as the language writes them:
   * Process.name, Process[0]:name). NULL if there were errors. */
  struct ir_expr *(*read)(struct ir_model *, struct diag *, const struct source *);

  /* Nothing more will be read for the model: gives back what only reading needs. NULL: there is
   * nothing. May be called again. */
  void (*finish)(struct ir_model *);
};

/* All languages, ended by NULL. */
extern const struct language *const languages[];

/* The first function that is missing, or is there although no trait declares it; NULL: all is
 * as declared. */
const char *language_broken(const struct language *);

/* By the file name's ending; NULL if none fits. */
const struct language *language_of_file(const char *path);

/* By what is written; NULL if it looks like none. */
const struct language *language_of_text(const struct source *);

/* Reads a condition and adds it to the model of this language as an invariant. False if there
 * were errors. */
bool language_add_invariant(const struct language *, struct ir_model *, struct diag *,
                            const struct source *);
/* The same for an expression whose value is of interest: a measure, which is no part of what
 * the model means, so that its hash stays. */
bool language_add_measure(const struct language *, struct ir_model *, struct diag *,
                          const struct source *);

/* A formula of linear temporal logic whose expressions are those of this language: the model is
 * to satisfy it, and gets a claim that accepts the runs that do not. False if there were
 * errors. */
bool language_add_formula(const struct language *, struct ir_model *, struct diag *,
                          const struct source *);

/* How expressions become the atoms of a claim, one after the other. `add` is false after a
 * message. */
struct claim;
struct language_atoms {
  void *context;
  bool (*add)(void *context, struct diag *, const struct source *text, struct span);
};

/* For languages whose models are no ir: the claims of the command line, formulas first, then
 * automata from files; their atoms are numbered on. The hash goes on with their texts. False
 * after a message. */
struct language_claims {
  struct claim *at;
  uint32_t n, capacity, n_atoms;
  uint64_t hash;
};
bool language_read_claims(struct arena *, struct diag *, const struct language_options *,
                          const struct language_atoms *, struct language_claims *);

/* A Büchi automaton in the Hanoi omega-automata format whose propositions are expressions of
 * this language: the model gets it as a claim with the name of the source. False if there were
 * errors. */
bool language_add_automaton(const struct language *, struct ir_model *, struct diag *,
                            const struct source *);
/* Whether the name of a claim is that of a file with an automaton. */
bool language_is_automaton(const char *name);

/* Offset after the word, from `from` on, where it is a word of its own; 0 if it does not. */
uint32_t language_find_word(const struct source *, const char *word, uint32_t from);

#endif
