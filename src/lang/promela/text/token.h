/* token.h - the words of Promela, and where they come from.
 *
 * One token type serves all stages: raw text (lexer.c), the preprocessor (preprocess.h),
 * semicolons and inlines (stream.c), the parser. The preprocessor runs over the whole text
 * first and leaves an array of tokens.
 */
#ifndef CAIRN_LANG_PROMELA_TEXT_TOKEN_H
#define CAIRN_LANG_PROMELA_TEXT_TOKEN_H

#include "base/diag.h"
#include "lang/promela/parse/ast.h"

/* Limits. Each has one message. */
#define PROMELA_MAX_NAME   1000u      /* bytes of a name */
#define PROMELA_MAX_TOKENS (2u << 20) /* after preprocessing, and after inlining */
#define PROMELA_MAX_WORK   (4u << 20) /* tokens moved by macros */
#define PROMELA_MAX_MACROS 200u       /* macros inside macros, calls inside calls */
#define PROMELA_MAX_FILES  50u        /* includes inside includes */
#define PROMELA_MAX_OPENED 2000u      /* includes in all */

enum promela_token_kind {
  PROMELA_T_END,
  PROMELA_T_NAME,
  PROMELA_T_NUMBER,
  PROMELA_T_CHAR,
  PROMELA_T_STRING,
  PROMELA_T_OTHER, /* a byte, or a run of them, that means nothing here */
  /* signs; each is spelled in lexer.c */
  PROMELA_T_OPEN, /* ( */
  PROMELA_T_CLOSE,
  PROMELA_T_OPEN_INDEX, /* [ */
  PROMELA_T_CLOSE_INDEX,
  PROMELA_T_OPEN_BLOCK, /* { */
  PROMELA_T_CLOSE_BLOCK,
  PROMELA_T_COMMA,
  PROMELA_T_SEMICOLON,
  PROMELA_T_ARROW, /* -> */
  PROMELA_T_COLON,
  PROMELA_T_OPTION, /* :: */
  PROMELA_T_DOT,
  PROMELA_T_DOTS, /* .. */
  PROMELA_T_AT,
  PROMELA_T_HASH,
  PROMELA_T_PASTE, /* ## */
  PROMELA_T_ASSIGN,
  PROMELA_T_INCREMENT,
  PROMELA_T_DECREMENT,
  PROMELA_T_SEND, /* !: also not */
  PROMELA_T_SORTED_SEND,
  PROMELA_T_RECEIVE,
  PROMELA_T_RANDOM_RECEIVE,
  PROMELA_T_TILDE,
  PROMELA_T_PLUS,
  PROMELA_T_MINUS,
  PROMELA_T_STAR,
  PROMELA_T_SLASH,
  PROMELA_T_PERCENT,
  PROMELA_T_SHL,
  PROMELA_T_SHR,
  PROMELA_T_LT,
  PROMELA_T_LE,
  PROMELA_T_GT,
  PROMELA_T_GE,
  PROMELA_T_EQ,
  PROMELA_T_NE,
  PROMELA_T_BAND,
  PROMELA_T_BXOR,
  PROMELA_T_BOR,
  PROMELA_T_AND,
  PROMELA_T_OR,
  /* words; each is spelled in words.c. Before the parser they are names. */
  PROMELA_T_ACTIVE,
  PROMELA_T_ASSERT,
  PROMELA_T_ATOMIC,
  PROMELA_T_BREAK,
  PROMELA_T_C_CODE,
  PROMELA_T_C_DECL,
  PROMELA_T_C_EXPR,
  PROMELA_T_C_STATE,
  PROMELA_T_C_TRACK,
  PROMELA_T_D_PROCTYPE,
  PROMELA_T_D_STEP,
  PROMELA_T_DO,
  PROMELA_T_ELSE,
  PROMELA_T_EMPTY,
  PROMELA_T_ENABLED,
  PROMELA_T_EVAL,
  PROMELA_T_FALSE,
  PROMELA_T_FI,
  PROMELA_T_FOR,
  PROMELA_T_FULL,
  PROMELA_T_GET_PRIORITY,
  PROMELA_T_GOTO,
  PROMELA_T_HIDDEN,
  PROMELA_T_IF,
  PROMELA_T_INIT,
  PROMELA_T_INLINE,
  PROMELA_T_LEN,
  PROMELA_T_LOCAL,
  PROMELA_T_LTL,
  PROMELA_T_NEMPTY,
  PROMELA_T_NEVER,
  PROMELA_T_NFULL,
  PROMELA_T_NOTRACE,
  PROMELA_T_NP,
  PROMELA_T_OD,
  PROMELA_T_OF,
  PROMELA_T_PC_VALUE,
  PROMELA_T_PRINTF,
  PROMELA_T_PRINTM,
  PROMELA_T_PRIORITY,
  PROMELA_T_PROCTYPE,
  PROMELA_T_PROVIDED,
  PROMELA_T_RETURN,
  PROMELA_T_RUN,
  PROMELA_T_SELECT,
  PROMELA_T_SET_PRIORITY,
  PROMELA_T_SHOW,
  PROMELA_T_SKIP,
  PROMELA_T_TIMEOUT,
  PROMELA_T_TRACE,
  PROMELA_T_TRUE,
  PROMELA_T_TYPEDEF,
  PROMELA_T_UNLESS,
  PROMELA_T_XR,
  PROMELA_T_XS,
  PROMELA_T_TYPE_BIT, /* types from here to the end */
  PROMELA_T_TYPE_BOOL,
  PROMELA_T_TYPE_BYTE,
  PROMELA_T_TYPE_CHAN,
  PROMELA_T_TYPE_INT,
  PROMELA_T_TYPE_MTYPE,
  PROMELA_T_TYPE_PID,
  PROMELA_T_TYPE_SHORT,
  PROMELA_T_TYPE_UNSIGNED,
  PROMELA_TOKENS
};

/* Where the user finds a token (see ast.h), and where it is spelled if that is in
 * the definition of a macro (else the source is NULL). */
struct promela_place {
  struct span span, spelled;
  const struct promela_call *call;
};

struct promela_token {
  enum promela_token_kind kind;
  uint32_t length;
  const char *text; /* the spelling, without a NUL */
  struct promela_place place;
  struct span use; /* of an argument of a macro: the whole use in that text, else no place */
  /* Of an argument of an inline: the parameter that it replaces. */
  const struct promela_place *stands_for;
  bool space, newline; /* white space, a line's end before it */
  bool below;          /* on a later line, be it after a comment or a joined line */
  bool is_final;       /* a macro's name that is not expanded any more */
  bool implied;        /* a semicolon that was left out */
};

struct promela_tokens {
  struct promela_token *at;
  uint32_t n, capacity;
};

/* ---- lexer.c ---------------------------------------------------------------- */

struct promela_lexer {
  const struct source *source;
  struct diag *diag;
  struct arena *arena;
  uint32_t at, last_end;
  bool skipping; /* in text that #if leaves out: nothing is reported */
  bool failed;   /* something was reported that makes more messages pointless */
};

/* The next raw token; at the end PROMELA_T_END with `newline`. Words are names. */
struct promela_token promela_lex(struct promela_lexer *);

/* How a kind is written, or what it is. */
const char *promela_token_name(enum promela_token_kind);

/* ---- words.c ----------------------------------------------------------------- */

/* What a name means in the language: a word's kind, or NAME. */
enum promela_token_kind promela_word(const char *text, uint32_t length);
const char *promela_word_name(enum promela_token_kind);

static inline bool promela_is_word(enum promela_token_kind kind) {
  return kind >= PROMELA_T_ACTIVE && kind < PROMELA_TOKENS;
}

bool promela_spells(const struct promela_token *, const char *text);

/* The tokens as text: on one line (`lines` false) or with their line ends. */
const char *promela_join(struct arena *, const struct promela_token *, uint32_t n, bool lines);

/* ---- preprocess.c ------------------------------------------- */

struct promela_defines { /* of the command line: "NAME" or "NAME=VALUE" */
  const char *const *at;
  uint32_t n;
};

/* Runs the preprocessor. False after an error. The last token is an END. The tokens are in an
 * arena inside of the one given, *tokens, which may be closed when nobody reads them any more.
 */
bool promela_preprocess(struct arena *, struct diag *, const struct source *,
                        struct promela_defines, struct promela_tokens *, struct arena **tokens);

#endif
