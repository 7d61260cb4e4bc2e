/* embedded.c - C text in a Promela model: what it may name, and what it keeps in the state.
 *
 * As Spin has it, C text sees the globals as members of `now`, and of the process whose step it
 * is the variables as members of *Pname. A piece of text is not understood here, only its
 * identifiers are: what follows `now.` and `Pname->`. Text that uses either in another way may
 * mean all of it, and so may text that includes a file of the user's. What is named outside of
 * processes, where functions are, is named by each piece.
 */
#include "lang/promela/lower/embedded.h"

#include <ctype.h>
#include <string.h>

enum { MOST_INCLUDED = 40 }; /* files in files */

/* ---- identifiers ------------------------------------------------------------------------ */

static bool is_letter(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* After a comment, a string or a character that begins here; the same place: none does. */
static const char *skip_other(const char *at) {
  if (at[0] == '/' && at[1] == '/')
    return at + strcspn(at, "\n");
  if (at[0] == '/' && at[1] == '*') {
    const char *end = strstr(at + 2, "*/");
    return end == NULL ? at + strlen(at) : end + 2;
  }
  if (*at != '"' && *at != '\'')
    return at;
  const char quote = *at++;
  while (*at != '\0' && *at != quote)
    at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
  return *at == quote ? at + 1 : at;
}

bool embedded_next_word(struct embedded_word *w) {
  const char *at = w->at + w->length;
  w->before = '\0';
  while (*at != '\0') {
    const char *end = skip_other(at);
    if (end != at) {
      at = end;
    } else if (!is_letter(*at)) {
      w->before = isspace((unsigned char)*at) ? w->before : *at;
      at++;
    } else {
      for (end = at; is_letter(*end);)
        end++;
      w->at = at;
      w->length = (size_t)(end - at);
      w->next = end + strspn(end, " \t\r\n");
      return true;
    }
  }
  return false;
}

static bool is_word(const struct embedded_word *w, const char *name) {
  return strlen(name) == w->length && memcmp(w->at, name, w->length) == 0;
}

/* The name of a member that follows; false: none does. */
static bool member_after(const struct embedded_word *w, const char *link,
                         struct embedded_word *member) {
  if (strncmp(w->next, link, strlen(link)) != 0)
    return false;
  *member = (struct embedded_word){.at = w->next + strlen(link)};
  return embedded_next_word(member);
}

/* ---- names ------------------------------------------------------------------------------ */

/* Pname, as Spin writes it: the name after "P", and Pinit. */
static bool is_frame(const struct embedded_word *w, const struct lower_frame *f) {
  const char *name = embedded_frame_name(f);
  return w->length == strlen(name) + 1 && w->at[0] == 'P' &&
         memcmp(w->at + 1, name, w->length - 1) == 0;
}

const char *embedded_frame_name(const struct lower_frame *f) {
  return f->proctype->kind == PROMELA_INIT ? "init" : f->proctype->name;
}

/* What a text names: a global (process NULL) or a variable of the process, or all of them
 * (name NULL). */
struct names {
  void (*name)(void *context, const struct ir_process *, const char *name, size_t length);
  void *context;
};
static void name_member(const struct names *n, const struct embedded_word *w, const char *link,
                        const struct ir_process *process) {
  struct embedded_word member;
  if (member_after(w, link, &member))
    n->name(n->context, process, member.at, member.length);
  else
    n->name(n->context, process, NULL, 0);
}

static void scan(const struct promela_lower *l, const char *text, const struct names *n) {
  struct embedded_word w = {.at = text};
  while (embedded_next_word(&w)) {
    if (w.before == '.')
      continue;
    if (is_word(&w, "now"))
      name_member(n, &w, ".", NULL);
    else if (w.before == '#' && is_word(&w, "include") && *w.next == '"')
      for (uint32_t i = 0; i <= l->model->proctypes.n; i++)
        n->name(n->context, i == 0 ? NULL : l->frame[i - 1].process, NULL, 0);
    for (uint32_t i = 0; w.at[0] == 'P' && i < l->model->proctypes.n; i++)
      if (l->frame[i].process != NULL && is_frame(&w, &l->frame[i]))
        name_member(n, &w, "->", l->frame[i].process);
  }
}

/* ---- before there are variables ------------------------------------------------------------
 */

static void note_global(void *context, const struct ir_process *process, const char *name,
                        size_t length) {
  struct promela_lower *l = context;
  for (uint32_t i = 0; process == NULL && i < l->model->globals.n; i++) {
    const struct promela_variable *v = l->model->globals.at[i];
    if (name == NULL || (strlen(v->name) == length && memcmp(v->name, name, length) == 0))
      l->assigned[i] = l->used[i] = true;
  }
}

/* A file in quotes that C text includes is read along, and those that it includes: what was
 * read is part of what the model is known by. One that is not beside the text is the
 * compiler's. */
static void read_included(struct promela_lower *l, const char *text, const char *beside,
                          uint32_t depth) {
  struct embedded_word w = {.at = text};
  const char *why, *slash = strrchr(beside, '/');
  const int folder = slash == NULL ? 0 : (int)(slash - beside + 1);
  while (depth < MOST_INCLUDED && embedded_next_word(&w)) {
    if (w.before != '#' || !is_word(&w, "include") || *w.next != '"')
      continue;
    const char *name = w.next + 1;
    const int length = (int)strcspn(name, "\"\n");
    const char *path =
        arena_printf(l->arena, "%.*s%.*s", *name == '/' ? 0 : folder, beside, length, name);
    if (source_of_name(l->arena, path) != NULL)
      continue;
    const struct source *file = source_read(l->arena, path, &why);
    if (file != NULL)
      read_included(l, arena_text(l->arena, file->text, file->length), path, depth + 1);
  }
}

/* What would run beside the search, or between its signals and those who handle them. */
static const char *const refused[] = {
    "pthread_create", "thrd_create", "fork",   "vfork",   "clone",      "posix_spawn",
    "posix_spawnp",   "execl",       "execlp", "execle",  "execv",      "execvp",
    "execvpe",        "execve",      "system", "popen",   "signal",     "sigaction",
    "sigprocmask",    "sigaltstack", "raise",  "kill",    "setitimer",  "timer_create",
    "alarm",          "ualarm",      "atexit", "longjmp", "siglongjmp", "_longjmp"};

static bool refuse_calls(struct promela_lower *l, const char *text, struct span span) {
  struct embedded_word w = {.at = text};
  while (embedded_next_word(&w))
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
      if (is_word(&w, refused[i]) && *w.next == '(' && w.before != '.' && w.before != '>') {
        diag_error(l->diag, span,
                   "embedded C may not call %s: it runs inside of the search, without threads, "
                   "processes or signals of its own",
                   refused[i]);
        return true;
      }
  return false;
}

/* False: there was an error, and it is enough. */
static bool may_run(struct promela_lower *l, struct span span) {
  if (l->allows_c || l->has_failed)
    return !l->has_failed;
  l->has_failed = true;
  diag_error(l->diag, span, "embedded C is run only with --allow-c");
  diag_hint(l->diag, "it is a program that runs with your rights on this machine: give "
                     "--allow-c if you trust the model");
  return false;
}

void lower_note_c(struct promela_lower *l, const char *text, struct span span) {
  const struct names names = {note_global, l};
  if (text == NULL || !may_run(l, span))
    return;
  l->has_failed |= refuse_calls(l, text, span);
  read_included(l, text, l->model->source->name, 0);
  scan(l, text, &names);
}

void lower_note_parts(struct promela_lower *l) {
  for (uint32_t i = 0; i < l->model->c_parts.n; i++)
    for (uint32_t k = 0; k < 3; k++)
      lower_note_c(l, l->model->c_parts.at[i].text[k], l->model->c_parts.at[i].span);
}

/* ---- pieces ----------------------------------------------------------------------------- */

const struct ir_piece *lower_piece(struct promela_lower *l, const char *text,
                                   const char *precondition, struct span span,
                                   bool is_expression) {
  struct ir_embedded *c = l->ir.embedded;
  struct ir_piece *piece = ARENA_NEW(l->arena, struct ir_piece);
  *piece = (struct ir_piece){.number = c->pieces.n,
                             .span = span,
                             .text = text,
                             .precondition = precondition,
                             .is_expression = is_expression,
                             .process = l->process};
  *ARENA_PUSH(l->arena, &c->pieces) = piece;
  return piece;
}

struct naming {
  struct promela_lower *l;
  const struct ir_piece *piece; /* NULL: text outside of processes */
  bool *named;                  /* by view */
};

static void name_views(void *context, const struct ir_process *process, const char *name,
                       size_t length) {
  const struct naming *n = context;
  const struct ir_embedded *c = n->l->ir.embedded;
  if (n->piece != NULL && process != NULL && process != n->piece->process)
    diag_error(n->l->diag, n->piece->span, "P%s is only known in steps of the process type %s",
               process->name, process->name);
  for (uint32_t i = 0; i < c->views.n; i++) {
    const struct ir_view *v = c->views.at[i];
    if (v->variable->owner == process &&
        (name == NULL || (strlen(v->root) == length && memcmp(v->root, name, length) == 0)))
      n->named[i] = true;
  }
}

static void resolve_piece(struct promela_lower *l, struct ir_piece *piece) {
  const struct ir_embedded *c = l->ir.embedded;
  bool *named = ARENA_ARRAY(l->arena, c->views.n, bool);
  struct naming naming = {l, piece, named};
  const struct names names = {name_views, &naming};
  struct ir_view **view = ARENA_ARRAY(l->arena, c->views.n, struct ir_view *);
  scan(l, piece->text, &names);
  if (piece->precondition != NULL)
    scan(l, piece->precondition, &names);
  for (uint32_t i = 0; i < c->views.n; i++) {
    const struct ir_process *owner = c->views.at[i]->variable->owner;
    if ((named[i] || c->views.at[i]->is_always) && (owner == NULL || owner == piece->process))
      view[piece->n_views++] = c->views.at[i];
  }
  piece->view = view;
}

void lower_resolve(struct promela_lower *l) {
  struct ir_embedded *c = l->ir.embedded;
  for (; c != NULL && l->n_resolved < c->pieces.n; l->n_resolved++)
    resolve_piece(l, c->pieces.at[l->n_resolved]);
}

void embedded_name_always(struct promela_lower *l) {
  struct ir_embedded *c = l->ir.embedded;
  bool *named = ARENA_ARRAY(l->arena, c->views.n, bool);
  struct naming naming = {l, NULL, named};
  const struct names names = {name_views, &naming};
  for (uint32_t i = 0; i < l->model->c_parts.n; i++)
    for (uint32_t k = 0; k < 3; k++)
      if (l->model->c_parts.at[i].text[k] != NULL)
        scan(l, l->model->c_parts.at[i].text[k], &names);
  for (uint32_t i = 0; i < c->views.n; i++)
    c->views.at[i]->is_always |= named[i];
}
