/* parser.h - what the parts of the Promela parser share.
 *
 * Recursive descent over the preprocessed tokens, with names resolved on the way
 * as far as they are known: what a name is (a constant, a type, a proctype, an inline)
 * decides how text is read. Labels, the targets of `run` and remote references are
 * resolved at the end (resolve.c), formulas are read at the end.
 *
 * After an error the parser is in panic: everything returns up to the statement, which
 * skips to where it makes sense to go on. So a statement has one message. Where the
 * structure is broken (a missing fi, a brace) it stops altogether.
 */
#ifndef CAIRN_LANG_PROMELA_PARSE_PARSER_H
#define CAIRN_LANG_PROMELA_PARSE_PARSER_H

#include "lang/promela/parse/ast.h"
#include "lang/promela/text/token.h"

#define PROMELA_NAMES 4096u

struct promela_name;
struct promela_parser;

struct promela_inline {
  const char *name;
  struct span definition;
  struct promela_tokens parameters;
  const struct promela_token *begin, *end; /* with its braces */
  bool is_busy;
};

/* What a variable's name means from its declaration to the end of its block. */
struct promela_binding {
  struct promela_variable *variable;
  struct promela_name *name;
  struct promela_binding *hidden;  /* what the name means outside of the block */
  struct promela_binding *sibling; /* another one of the block */
  uint32_t depth;
  bool is_bad; /* stands for a name that was reported: nothing more is said of it */
};

/* A name with all that it can mean. */
struct promela_name {
  const char *text;
  uint32_t length;
  struct promela_name *next;
  struct promela_symbol *symbol;
  struct promela_struct *structure;
  struct promela_proctype *proctype;
  struct promela_inline *in;
  struct promela_binding *binding;
  struct promela_label_list labels; /* of all proctypes */
};

/* One text that tokens are read from: the model, the body of an inline, an argument. */
struct promela_frame {
  const struct promela_token *at, *end;
  struct promela_inline *in; /* NULL: no body of an inline */
  struct promela_tokens *arguments;
  struct promela_expr *target; /* of `x = f(…)`: where `return` assigns */
  const struct promela_call *call;
  const struct promela_place *stands_for;    /* an argument: for this parameter */
  bool is_first, first_newline, first_space; /* white space is the parameter's */
};

/* A goto whose label is looked for at the end of its proctype. */
struct promela_jump {
  struct promela_stmt *stmt, *d_step;
  struct promela_name *name;
  struct promela_place place;
  const uint32_t *block; /* those around it, the innermost first */
  uint32_t n_blocks;
};

/* A run or remote reference to be resolved at the end of the text. */
struct promela_late {
  struct promela_expr *expr; /* RUN, REMOTE_LABEL or REMOTE_VAR */
  struct promela_name *name; /* of the proctype, the label or the variable */
  struct promela_place place;
};

struct promela_scope {
  struct promela_binding *first;
  uint32_t block;
};

/* The parts of the grammar that contain each other. */
struct promela_grammar {
  struct promela_expr *(*primary)(struct promela_parser *);
  bool (*receive)(struct promela_parser *, struct promela_exprs *);
  struct promela_sequence *(*block)(struct promela_parser *, const char *what);
};

struct promela_parser {
  const struct promela_grammar *grammar;
  struct arena *arena, *tree; /* as those of the model */
  struct diag *diag;
  struct promela_model *model;

  /* stream.c */
  struct promela_tokens text;
  struct {
    struct promela_frame *at;
    uint32_t n, capacity;
  } frames;
  uint32_t n_read;
  struct promela_token held, ahead;
  bool has_held, has_ahead;
  enum promela_token_kind last, last_token; /* for semicolons that are left out */
  uint32_t parentheses;
  bool in_sequence;

  struct promela_token token; /* the next one */
  struct span last_span;      /* of the last one taken */
  struct span
      last_in_text; /* the same, in the text that is read: an inline's, not an argument's */
  enum promela_token_kind taken;
  struct promela_tokens log; /* taken since the statement began */
  bool panic, stopped;
  struct promela_place note; /* of the last error, for its notes */
  bool has_note;
  uint32_t depth; /* of sequences and expressions being read */

  /* names.c */
  struct promela_name *names[PROMELA_NAMES];
  struct {
    struct promela_scope *at;
    uint32_t n, capacity;
  } scopes;

  /* the proctype being read */
  struct promela_proctype *proctype;
  struct promela_stmt *loop, *d_step; /* innermost loop, outermost d_step */
  bool has_statements;                /* before here in the proctype */
  bool in_formula;
  bool is_asked;     /* the text is a condition of the command line */
  bool allow_struct; /* a whole struct may be here: it is passed or sent */
  struct {
    struct promela_jump *at;
    uint32_t n, capacity;
  } jumps;
  struct {
    struct promela_late *at;
    uint32_t n, capacity;
  } lates;
  struct {
    struct promela_tokens *at;
    uint32_t n, capacity;
  } formulas; /* what follows each ltl */
};

/* ---- stream.c ---------------------------------------------------------------- */

void promela_stream_start(struct promela_parser *);
void promela_advance(struct promela_parser *);
/* The token after the next one. */
const struct promela_token *promela_peek(struct promela_parser *);
/* With the closing parenthesis of a call next: goes on in the body of the inline. */
bool promela_enter_inline(struct promela_parser *, struct promela_inline *,
                          struct promela_tokens *arguments, struct promela_expr *target,
                          struct promela_place call);
/* What is between braces, as it is: the word before them is the next token. NULL after
 * a report. Afterwards the token after the braces is next. */
const char *promela_raw_block(struct promela_parser *, const char **precondition);
/* Skips a block in braces of the model's own text; the token before `{` is next. Gives the
 * tokens from `{` to `}`. */
bool promela_skip_block(struct promela_parser *, const struct promela_token **begin,
                        const struct promela_token **end);
/* Goes on reading at a list of tokens. */
void promela_read_tokens(struct promela_parser *, const struct promela_token *begin,
                         const struct promela_token *end);

/* ---- report.c, parser.c ------------------------------------------------------------------ */

static inline bool promela_at(const struct promela_parser *p, enum promela_token_kind kind) {
  return p->token.kind == kind;
}

bool promela_take(struct promela_parser *, enum promela_token_kind);
bool promela_expect(struct promela_parser *, enum promela_token_kind, const char *where);
/* Reports that the next token does not fit. Returns false. */
bool promela_unexpected(struct promela_parser *, const char *wanted);

/* Reports unless in panic, and enters panic. True if it did report: then a hint may
 * follow. */
bool promela_error(struct promela_parser *, struct promela_place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Reports what does not disturb the reading. */
bool promela_complain(struct promela_parser *, struct promela_place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void promela_hint(struct promela_parser *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void promela_finish_notes(struct promela_parser *);
/* Gives up on the text. Returns false. */
bool promela_stop(struct promela_parser *);

/* habits.c: how a word of other languages is written here, or NULL; and after a message that
 * something is missing, a hint on what was meant, if that shows. */
const char *promela_habit(const char *word);
void promela_hint_of_formula(struct promela_parser *, const char *word);
void promela_hint_for(struct promela_parser *, const char *wanted);

/* One deeper; false after a report when it is too deep. */
bool promela_deeper(struct promela_parser *);

struct span promela_span_from(const struct promela_parser *, struct promela_place begin);
const char *promela_logged(const struct promela_parser *, uint32_t begin);
static inline struct promela_place promela_place_of(const struct promela_expr *e) {
  return (struct promela_place){.span = e->span, .call = e->call};
}

/* A word that only begins a part of the model: what is before it is at its end. */
bool promela_starts_unit(enum promela_token_kind);

/* Ends a panic in a sequence: skips past the next separator, or to what ends it. */
void promela_recover(struct promela_parser *);
/* Ends a panic between units. */
void promela_recover_unit(struct promela_parser *);

/* ---- names.c --------------------------------------------------------------------- */

struct promela_name *promela_intern(struct promela_parser *, const char *text, uint32_t length);
struct promela_name *promela_intern_text(struct promela_parser *, const char *text);
void promela_open_scope(struct promela_parser *);
void promela_close_scope(struct promela_parser *);
/* Makes the variable known in the innermost scope. False after a report. */
bool promela_bind(struct promela_parser *, struct promela_name *, struct promela_variable *,
                  struct promela_place);
/* Takes a name that may be declared here: no constant, type, proctype or inline. NULL after a
 * report; `what` says whose name is missing. */
struct promela_name *promela_new_name(struct promela_parser *, const char *what,
                                      struct promela_place *);
/* The variable of that name, or NULL after a report (once per name). */
struct promela_variable *promela_find_variable(struct promela_parser *, struct promela_name *,
                                               struct promela_place);
/* From now on the name means something that nobody complains about. */
void promela_forgive(struct promela_parser *, struct promela_name *);
struct promela_variable *promela_field_named(const struct promela_struct *, const char *name);
/* How many scalars a type has: 1, or those of the struct. */
uint32_t promela_scalars(const struct promela_type *);

/* ---- expr.c, primary.c ------------------------------------------------- */

/* expr: no empty() and its like but after && and || (then promela_parse_condition). */
struct promela_expr *promela_parse_expr(struct promela_parser *);
/* full_expr: the same, and those too. */
struct promela_expr *promela_parse_condition(struct promela_parser *);
bool promela_parse_exprs(struct promela_parser *, struct promela_exprs *);
/* A signed integer of constants and + - * / %, or one initialised scalar. */
bool promela_parse_const(struct promela_parser *, const char *what, int32_t *value,
                         bool *is_name);
struct promela_expr *promela_parse_primary(struct promela_parser *);
/* A variable, an element or a field. `whole`: an array without an index will do. */
struct promela_expr *promela_parse_place(struct promela_parser *, bool whole);
/* The arguments of a receive; `close` ends them. */
bool promela_parse_receive(struct promela_parser *, struct promela_exprs *);
struct promela_expr *promela_new_expr(struct promela_parser *, enum promela_expr_kind,
                                      struct promela_place begin);
/* priority, with the word taken: a number from 1 to 255. NULL after a report. */
struct promela_expr *promela_parse_priority(struct promela_parser *);
struct promela_expr *promela_number(struct promela_parser *, int32_t, struct promela_place);
/* The value of a constant expression. */
bool promela_fold(const struct promela_expr *, int32_t *value);

/* ---- type.c -------------------------------------------------------------------- */

bool promela_at_declaration(struct promela_parser *);
bool promela_at_type(const struct promela_parser *);
bool promela_at_typedef_name(struct promela_parser *);
struct promela_type promela_basic_type(enum promela_token_kind);
/* [: NAME] after mtype: the set it is of. */
bool promela_parse_subtype(struct promela_parser *, struct promela_type *);
/* The set of that name (NULL: plain mtype); made if it is new. */
struct promela_mtype *promela_mtype_named(struct promela_parser *, const char *name);
/* The names of a set, after its brace. */
bool promela_parse_symbols(struct promela_parser *, struct promela_mtype *);
/* [ capacity ] of { types }; NULL after a report. */
struct promela_channel *promela_parse_channel(struct promela_parser *);

/* ---- decl.c -------------------------------------------------------------------- */

enum promela_decl_where {
  PROMELA_DECL_GLOBAL,
  PROMELA_DECL_LOCAL,
  PROMELA_DECL_PARAMETER,
  PROMELA_DECL_FIELD
};
/* A declaration without the separator after it. The variables are added to `into`. */
bool promela_parse_declaration(struct promela_parser *, enum promela_decl_where,
                               struct promela_struct *, struct promela_variables *into);
void promela_parse_typedef(struct promela_parser *);

/* ---- stmt.c, loop.c, simple.c, message.c ------------------------------------- */

/* sequence up to `}`, fi, od, ::, which are left. */
struct promela_sequence *promela_parse_sequence(struct promela_parser *);
/* { sequence } with a scope of its own. */
struct promela_sequence *promela_parse_block(struct promela_parser *, const char *what);
/* A statement without parts; what it is called with is new and has its place. */
bool promela_parse_simple(struct promela_parser *, struct promela_stmt *);
bool promela_parse_message(struct promela_parser *, struct promela_stmt *);
struct promela_stmt *promela_new_stmt(struct promela_parser *, enum promela_stmt_kind);
/* Ends a statement: its text and span. */
void promela_end_stmt(struct promela_parser *, struct promela_stmt *);
/* for and select, with the word next; what they are called with is new. */
bool promela_parse_for(struct promela_parser *, struct promela_stmt *);
bool promela_parse_select(struct promela_parser *, struct promela_stmt *);
/* A call of an inline, whose body comes as the statement. NULL: reported. */
struct promela_stmt *promela_parse_call(struct promela_parser *, struct promela_inline *,
                                        struct promela_expr *target);

/* ---- file.c --------------------------------------------------------------------------
 */

void promela_parse_units(struct promela_parser *);
void promela_parse_formulas(struct promela_parser *);

/* ---- resolve.c, check.c
 * ---------------------------------------------------------------------- */

struct promela_label *promela_declare_label(struct promela_parser *, struct promela_name *,
                                            struct promela_place, struct promela_stmt *);
void promela_resolve_jumps(struct promela_parser *);
void promela_resolve_lates(struct promela_parser *);
/* A statement by itself: what is sent where, what is assigned. */
bool promela_check_stmt(struct promela_parser *, const struct promela_stmt *);
/* An expression that is read: no `_`, and `run` only where it is the whole. False after a
 * report. */
bool promela_check_value(struct promela_parser *, const struct promela_expr *, bool may_run);
/* No variable of a process in it. */
bool promela_check_global(struct promela_parser *, const struct promela_expr *);
void promela_check_model(struct promela_parser *);

/* ---- differs.c -------------------------------------------------------------------- */

/* Notes where Spin departs from its language reference: at a statement that is read, of an
 * option, at a declaration among statements. */
void promela_note_stmt(struct promela_parser *, const struct promela_stmt *);
void promela_note_option(struct promela_parser *, const struct promela_sequence *);
void promela_note_declaration(struct promela_parser *, const struct promela_stmt *);

#endif
