/* preprocess.h - what the parts of the preprocessor share.
 *
 * The first mistake ends it: what follows a wrong directive means nothing.
 */
#ifndef CAIRN_LANG_PROMELA_TEXT_PREPROCESS_H
#define CAIRN_LANG_PROMELA_TEXT_PREPROCESS_H

#include "lang/promela/text/token.h"

#define PROMELA_BUCKETS 1024u
#define PROMELA_SIZES   24u /* of lists of tokens */

struct promela_macro {
  const char *name;
  uint32_t length;
  struct span definition;                 /* the name in its #define */
  bool is_function, is_variadic, is_busy; /* busy: being expanded */
  bool is_used;                           /* the text has named it */
  struct promela_tokens parameters, body;
  struct promela_macro *next; /* in its bucket */
};

/* Tokens to be read before the file goes on: the body of a macro, an argument. */
struct promela_context {
  const struct promela_token *at;
  uint32_t n, i;
  struct promela_macro *macro; /* busy as long as this is here, or NULL */
  struct promela_token *own;   /* the list, if nobody needs it once it is read to its end; */
  uint32_t capacity;           /* 0: it is another's */
  bool is_barrier;             /* nothing after it is read: an argument by itself */
};

/* An #if that is open. */
struct promela_condition {
  struct span span;
  bool is_active, was_active; /* this group is read; one of its groups was */
  bool is_outer_active, in_else;
};

struct promela_file {
  struct promela_lexer lexer;
  uint32_t n_conditions; /* open when it was entered */
};

struct promela_preprocessor {
  struct arena *arena; /* given back at the end */
  struct arena *texts; /* of the tokens, and their texts: until they have been read */
  struct arena *kept;  /* for texts, to which messages and the model refer */
  struct diag *diag;
  /* Parts that need each other: set by promela_preprocess(). */
  struct promela_token (*raw)(struct promela_preprocessor *);
  void (*expand)(struct promela_preprocessor *, const struct promela_token *, uint32_t n,
                 struct promela_tokens *out);
  bool failed;
  bool has_crossed; /* a macro's arguments ended on a later line than its name */
  uint32_t work, depth, n_opened;
  struct promela_macro *bucket[PROMELA_BUCKETS];
  struct promela_token *pool[PROMELA_SIZES]; /* by size, lists that are free: pool.c */
  struct {
    struct promela_context *at;
    uint32_t n, capacity;
  } contexts;
  struct {
    struct promela_file *at;
    uint32_t n, capacity;
  } files;
  struct {
    struct promela_condition *at;
    uint32_t n, capacity;
  } conditions;
  struct {
    const char **at;
    uint32_t n, capacity;
  } asked; /* names of which a directive asked whether they are defined */
};

/* ---- pool.c ---- */

/* A new last token of a list, of any content. */
struct promela_token *promela_pp_add(struct promela_preprocessor *, struct promela_tokens *);
/* Nobody looks at this list any more. */
void promela_pp_release(struct promela_preprocessor *, struct promela_token *,
                        uint32_t capacity);

/* ---- macros.c ---- */

/* Reports the first mistake and marks the failure. Returns false. */
bool promela_pp_fail(struct promela_preprocessor *, struct span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Counts as a use of it. */
struct promela_macro *promela_pp_find(const struct promela_preprocessor *, const char *name,
                                      uint32_t length);
/* For #ifdef and the like: the name is kept, to be suggested. */
bool promela_pp_is_defined(struct promela_preprocessor *, const struct promela_token *name);
void promela_pp_define(struct promela_preprocessor *, struct promela_macro *);
void promela_pp_undefine(struct promela_preprocessor *, const struct promela_token *name);

/* ---- macro.c ---- */

/* The next token with macros expanded. */
struct promela_token promela_pp_next(struct promela_preprocessor *);
/* Expands a list by itself. */
void promela_pp_expand(struct promela_preprocessor *, const struct promela_token *, uint32_t n,
                       struct promela_tokens *out);

/* ---- paste.c ---- */

struct promela_arguments {
  struct promela_tokens *raw, *expanded;
  bool *is_expanded;
};

/* The body with its parameters replaced, # and ## done. `use` is the macro's name where it
 * is used; its place becomes that of the body's tokens. */
void promela_pp_substitute(struct promela_preprocessor *, const struct promela_macro *,
                           struct promela_arguments *, const struct promela_token *use,
                           struct promela_tokens *out);

/* ---- directive.c ---- */

/* The next token of the text, after the directives before it are done. */
struct promela_token promela_pp_raw(struct promela_preprocessor *);
bool promela_pp_enter(struct promela_preprocessor *, const struct source *);
/* NAME VALUE as after #define. */
void promela_pp_read_define(struct promela_preprocessor *, const struct promela_token *,
                            uint32_t n, struct span where);

/* ---- condition.c ---- */

/* The value of what follows #if. */
bool promela_pp_condition(struct promela_preprocessor *, const struct promela_token *,
                          uint32_t n, struct span where);

#endif
