/* members.c - C text in a Promela model: the structures that it sees.
 *
 * `now` is a struct State, and *Pname one for the variables of a process type, with the types
 * that Spin gives to them: a bit is a bit field of one bit, but a byte in an array. What
 * c_state declares are more members; it and the copies of what c_track names are variables of
 * bytes in the model.
 */
#include "lang/promela/lower/embedded.h"

#include <ctype.h>
#include <string.h>

static const struct ir_type byte_of_c = {.name = "byte", .bits = 8, .is_signed = false};

/* ---- text of declarations --------------------------------------------------------------- */

static void put(struct promela_lower *l, const char *text, struct span span) {
  *ARENA_PUSH(l->arena, &l->ir.embedded->parts) = (struct ir_part){text, span};
}

static void put_own(struct promela_lower *l, const char *text) {
  put(l, text, (struct span){0});
}

/* The directives that are not for Promela's preprocessor. */
static const char *without_backslashes(struct arena *arena, const char *text) {
  char *copy = ARENA_ARRAY(arena, strlen(text) + 1, char), *to = copy;
  for (const char *at = text; *at != '\0'; at++)
    if (at[0] != '\\' || at[1] != '#')
      *to++ = *at;
  *to = '\0';
  return copy;
}

static void declare_member(struct promela_lower *l, const struct promela_variable *v) {
  const struct promela_type *t = &v->type;
  const char *type = "uchar";
  char bits[16] = "", length[24] = "";
  if (v->is_array)
    snprintf(length, sizeof length, "[%u]", v->length);
  if (t->base == PROMELA_STRUCT)
    type = arena_printf(l->arena, "struct %s", t->structure->name);
  else if (t->base == PROMELA_SHORT)
    type = "short";
  else if (t->base == PROMELA_INT)
    type = "int";
  else if (t->base == PROMELA_UNSIGNED || (t->base == PROMELA_BIT && !v->is_array))
    type = "unsigned";
  if (!v->is_array && strcmp(type, "unsigned") == 0)
    snprintf(bits, sizeof bits, " : %u", t->base == PROMELA_BIT ? 1 : (unsigned)t->bits);
  put_own(l, arena_printf(l->arena, "  %s %s%s%s;\n", type, v->name, length, bits));
}

/* ---- views ------------------------------------------------------------------------------ */

struct place {
  const char *path, *root;
  uint32_t before; /* elements of the row in front of this one */
};

static void add_view(struct promela_lower *l, struct ir_variable *x, struct place at,
                     uint32_t n, bool is_row) {
  struct ir_view *view = ARENA_NEW(l->arena, struct ir_view);
  *view = (struct ir_view){.variable = x,
                           .number = l->ir.embedded->views.n,
                           .first = at.before * n,
                           .n = n,
                           .is_row = is_row,
                           .path = at.path,
                           .root = at.root};
  *ARENA_PUSH(l->arena, &l->ir.embedded->views) = view;
}

/* A channel that no text assigns to is in no state: its members have its number from the
 * beginning. */
static void add_constants(struct promela_lower *l, const struct ir_variable *x, struct place at,
                          uint32_t n, bool is_row) {
  for (uint32_t i = 0; i < n; i++) {
    const char *index = is_row ? arena_printf(l->arena, "[%u]", i) : "";
    *ARENA_PUSH(l->arena, &l->ir.embedded->starts) = arena_printf(
        l->arena, "%s%s = %d;\n", at.path, index, (int)x->initial[at.before * n + i]);
  }
}

static void add_views(struct promela_lower *l, const struct lower_home *home, struct place at) {
  const struct promela_variable *v = home->declared;
  if (home->variable != NULL) {
    if (home->variable->is_const)
      add_constants(l, home->variable, at, v->length, v->is_array);
    else
      add_view(l, home->variable, at, v->length, v->is_array);
    return;
  }
  const struct promela_variables *fields = &v->type.structure->fields;
  for (uint32_t i = 0; i < v->length; i++)
    for (uint32_t k = 0; k < fields->n; k++) {
      const char *path =
          v->is_array ? arena_printf(l->arena, "%s[%u].%s", at.path, i, fields->at[k]->name)
                      : arena_printf(l->arena, "%s.%s", at.path, fields->at[k]->name);
      add_views(l, &home->field[k], (struct place){path, at.root, at.before * v->length + i});
    }
}

/* ---- what C keeps in the state ---------------------------------------------------------- */

static struct ir_variable *new_bytes(struct promela_lower *l, const char *name,
                                     struct span span) {
  struct ir_variable *x = ARENA_NEW(l->arena, struct ir_variable);
  *x = (struct ir_variable){.name = name,
                            .span = span,
                            .type = &byte_of_c,
                            .is_array = true,
                            .element = arena_printf(l->arena, "%s[]", name)};
  uint32_t *extent = ARENA_ARRAY(l->arena, 1, uint32_t);
  x->extent = extent;
  return x;
}

static void add_variable(struct promela_lower *l, struct ir_variable *x,
                         struct ir_process *process) {
  struct ir_variable ***list = process != NULL ? &process->variable : &l->ir.global;
  uint32_t *n = process != NULL ? &process->n_variables : &l->ir.n_globals;
  struct ir_variable **all = ARENA_ARRAY(l->arena, *n + (size_t)1, struct ir_variable *);
  for (uint32_t i = 0; i < *n; i++)
    all[i] = (*list)[i];
  all[(*n)++] = x;
  *list = all;
  x->owner = process;
}

/* The name that is declared: the last identifier in front of the first bracket, or, of pointers
 * to functions, the first one after (*. */
static const char *declared_name(struct arena *arena, const char *text) {
  const char *pointer = strstr(text, "(*");
  struct embedded_word w = {.at = pointer != NULL ? pointer + 2 : text}, last = {.at = ""};
  const char *end = strchr(text, '[');
  while (embedded_next_word(&w) && (end == NULL || w.at < end)) {
    last = w;
    if (pointer != NULL)
      break;
  }
  return arena_text(arena, last.at, last.length);
}

/* "Global", "Hidden" or "Local NAME". */
static bool is_scope(const char *text, const char *word, const char **rest) {
  text += strspn(text, " \t");
  const size_t n = strlen(word);
  if (strncmp(text, word, n) != 0 || isalnum((unsigned char)text[n]))
    return false;
  *rest = text + n + strspn(text + n, " \t");
  return true;
}

static const struct lower_frame *frame_of(const struct promela_lower *l, const char *name) {
  const size_t n = strcspn(name, " \t");
  for (uint32_t i = 0; i < l->model->proctypes.n; i++) {
    const char *own = embedded_frame_name(&l->frame[i]);
    const bool same = strncmp(own, name, n) == 0 && own[n] == '\0';
    if (l->frame[i].process != NULL &&
        (same || strncmp(l->frame[i].proctype->name, name, n) == 0))
      if (same || l->frame[i].proctype->name[n] == '\0')
        return &l->frame[i];
  }
  return NULL;
}

static void keep_state(struct promela_lower *l, const struct promela_c_part *part,
                       struct ir_process *process) {
  const char *name = declared_name(l->arena, part->text[0]);
  struct ir_variable *x = new_bytes(l, name, part->span);
  add_variable(l, x, process);
  *ARENA_PUSH(l->arena, &l->ir.embedded->kept) = (struct ir_kept){.variable = x,
                                                                  .span = part->span,
                                                                  .declaration = part->text[0],
                                                                  .initial = part->text[2]};
  const char *base =
      process == NULL ? "now" : arena_printf(l->arena, "cairn_p%u", process->index);
  const char *path = arena_printf(l->arena, "%s.%s", base, name);
  add_view(l, x, (struct place){path, name, 0}, 1, false);
  const struct ir_embedded *c = l->ir.embedded;
  c->views.at[c->views.n - 1]->is_opaque = true;
}

static void add_state(struct promela_lower *l, const struct promela_c_part *part) {
  const char *rest;
  if (is_scope(part->text[1], "Global", &rest)) {
    keep_state(l, part, NULL);
  } else if (is_scope(part->text[1], "Local", &rest)) {
    const struct lower_frame *f = frame_of(l, rest);
    if (f != NULL)
      keep_state(l, part, f->process);
    else
      diag_error(l->diag, part->span, "c_state: there is no process type '%s'", rest);
  } else if (!is_scope(part->text[1], "Hidden", &rest)) {
    diag_error(l->diag, part->span,
               "c_state: '%s' should be \"Global\", \"Hidden\", or \"Local\" and the name of a "
               "process type",
               part->text[1]);
  }
}

static void add_track(struct promela_lower *l, const struct promela_c_part *part) {
  const char *rest;
  const bool unmatched = part->text[2] != NULL && is_scope(part->text[2], "UnMatched", &rest);
  if (part->text[2] != NULL && !unmatched && !is_scope(part->text[2], "Matched", &rest)) {
    diag_error(l->diag, part->span, "c_track: '%s' should be \"Matched\" or \"UnMatched\"",
               part->text[2]);
    return;
  }
  struct ir_variable *x = new_bytes(l, part->text[0], part->span);
  add_variable(l, x, NULL);
  *ARENA_PUSH(l->arena, &l->ir.embedded->kept) = (struct ir_kept){.variable = x,
                                                                  .span = part->span,
                                                                  .address = part->text[0],
                                                                  .bytes = part->text[1],
                                                                  .is_unmatched = unmatched};
}

/* ---- the whole -------------------------------------------------------------------------- */

static void put_parts(struct promela_lower *l, enum promela_c_kind kind) {
  for (uint32_t i = 0; i < l->model->c_parts.n; i++) {
    const struct promela_c_part *part = &l->model->c_parts.at[i];
    if (part->kind == kind)
      put(l, without_backslashes(l->arena, part->text[0]), part->span);
  }
}

/* Of a c_state, where it is that of the scope. */
static void declare_state(struct promela_lower *l, const struct ir_process *process) {
  const struct ir_embedded *c = l->ir.embedded;
  for (uint32_t i = 0; i < c->kept.n; i++)
    if (c->kept.at[i].declaration != NULL && c->kept.at[i].variable->owner == process) {
      put(l, arena_printf(l->arena, "  %s;\n", c->kept.at[i].declaration), c->kept.at[i].span);
    }
}

static void declare_structs(struct promela_lower *l) {
  for (uint32_t i = 0; i < l->model->structs.n; i++) {
    const struct promela_struct *s = l->model->structs.at[i];
    put_own(l, arena_printf(l->arena, "struct %s {\n", s->name));
    for (uint32_t k = 0; k < s->fields.n; k++)
      declare_member(l, s->fields.at[k]);
    put_own(l, "};\n");
  }
}

static void declare_global_state(struct promela_lower *l) {
  put_own(l, "typedef struct State {\n  uchar _nr_pr;\n");
  for (uint32_t i = 0; i < l->model->globals.n; i++)
    if (l->model->globals.at[i]->visibility != PROMELA_HIDDEN)
      declare_member(l, l->model->globals.at[i]);
  declare_state(l, NULL);
  put_own(l, "} State;\nstatic State now;\n");
}

/* The first of several variables of one name is the one that C sees, as an inner block's has no
 * name of its own there. */
static bool is_first(const struct promela_variables *list, uint32_t index) {
  for (uint32_t i = 0; i < index; i++)
    if (strcmp(list->at[i]->name, list->at[index]->name) == 0)
      return false;
  return true;
}

static void declare_frame(struct promela_lower *l, const struct lower_frame *f) {
  const struct promela_variables *list = &f->proctype->variables;
  const uint32_t number = f->process->index;
  put_own(l, "static struct {\n  uchar _pid;\n");
  for (uint32_t i = 0; i < list->n; i++)
    if (is_first(list, i))
      declare_member(l, list->at[i]);
  declare_state(l, f->process);
  put_own(l, arena_printf(l->arena, "} cairn_p%u;\n#define P%s (&cairn_p%u)\n", number,
                          embedded_frame_name(f), number));
  for (uint32_t i = 0; i < list->n; i++) {
    const char *name = list->at[i]->name;
    if (is_first(list, i))
      add_views(l, &f->home[i],
                (struct place){arena_printf(l->arena, "cairn_p%u.%s", number, name), name, 0});
  }
}

static void put_hidden(struct promela_lower *l) {
  const char *rest;
  for (uint32_t i = 0; i < l->model->c_parts.n; i++) {
    const struct promela_c_part *part = &l->model->c_parts.at[i];
    if (part->kind != PROMELA_C_STATE || !is_scope(part->text[1], "Hidden", &rest))
      continue;
    put(l, arena_printf(l->arena, "%s;\n", part->text[0]), part->span);
    if (part->text[2] != NULL)
      *ARENA_PUSH(l->arena, &l->ir.embedded->starts) = arena_printf(
          l->arena, "%s = %s;\n", declared_name(l->arena, part->text[0]), part->text[2]);
  }
}

void lower_embedded(struct promela_lower *l) {
  if (l->ir.embedded == NULL)
    l->ir.embedded = ARENA_NEW(l->arena, struct ir_embedded);
  for (uint32_t i = 0; i < l->model->c_parts.n; i++) {
    const struct promela_c_part *part = &l->model->c_parts.at[i];
    if (part->kind == PROMELA_C_STATE)
      add_state(l, part);
    else if (part->kind == PROMELA_C_TRACK)
      add_track(l, part);
  }
  put_parts(l, PROMELA_C_DECL);
  declare_structs(l);
  for (uint32_t i = 0; i < l->model->globals.n; i++) {
    const char *name = l->model->globals.at[i]->name;
    if (l->model->globals.at[i]->visibility != PROMELA_HIDDEN)
      add_views(l, &l->global[i],
                (struct place){arena_printf(l->arena, "now.%s", name), name, 0});
  }
  declare_global_state(l);
  for (uint32_t i = 0; i < l->model->proctypes.n; i++)
    if (l->frame[i].process != NULL)
      declare_frame(l, &l->frame[i]);
  put_hidden(l);
  put_parts(l, PROMELA_C_GLOBAL_CODE);
  embedded_name_always(l);
}
