/* text.c - lines, statements and names of the generated text.
 *
 * Offsets get readable names: g_x for a global, p3_x for a local of process 3, p3
 * for its location, c1_0 for the first field of channel 1. A name that is long or
 * no identifier in C is cut and gets its number in front, so that names stay
 * different and the text stays linear in the model.
 */
#include "native/emit/emit.h"

#include <stdio.h>
#include <string.h>

#define NAME_MOST    32
#define COMMENT_MOST 120

static void indent(struct emit *e) {
  static const char spaces[] = "                                ";
  uint32_t n = e->depth * 2;
  text_add(e->out, spaces, n < sizeof spaces ? n : sizeof spaces - 1);
}

void emit_line(struct emit *e, const char *format, ...) {
  va_list list;
  indent(e);
  va_start(list, format);
  text_vprintf(e->out, format, list);
  va_end(list);
  text_puts(e->out, "\n");
}

/* Turns the last bytes, from `middle` on, into the first ones after `at`. */
static void rotate(struct text *t, size_t at, size_t middle) {
  char piece[256];
  size_t n = t->length - middle;
  if (t->failed || n > sizeof piece)
    return;
  memcpy(piece, t->at + middle, n);
  memmove(t->at + at + n, t->at + at, middle - at);
  memcpy(t->at + at, piece, n);
}

void emit_insert(struct emit *e, size_t at, const char *format, ...) {
  va_list list;
  size_t middle = e->out->length;
  indent(e);
  va_start(list, format);
  text_vprintf(e->out, format, list);
  va_end(list);
  text_puts(e->out, "\n");
  rotate(e->out, at, middle);
}

static bool is_part_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_mentioned(const struct text *t, size_t at, const char *word) {
  size_t n = strlen(word);
  for (const char *p = t->at + at; (p = strstr(p, word)) != NULL; p += n)
    if (!is_part_of_name(p[-1]) && !is_part_of_name(p[n]) && strncmp(p - 1, ">", 1) != 0)
      return true;
  return false;
}

bool emit_declare(struct emit *e, size_t at, const char *word, const char *line) {
  if (e->out->failed || !is_mentioned(e->out, at, word))
    return false;
  emit_insert(e, at, "%s", line);
  return true;
}

void emit_drop(struct emit *e, size_t from) {
  if (from <= e->expr.length && e->expr.at) {
    e->expr.length = from;
    e->expr.at[from] = 0;
  }
}

void emit_statement(struct emit *e, const char *head, size_t from, const char *tail) {
  indent(e);
  text_puts(e->out, head);
  if (from < e->expr.length)
    text_add(e->out, e->expr.at + from, e->expr.length - from);
  text_puts(e->out, tail);
  text_puts(e->out, "\n");
  emit_drop(e, from);
}

/* ---- names ---------------------------------------------------------------------- */

static bool is_plain(const char *name) {
  size_t n = 0;
  for (; name[n] && n <= NAME_MOST; n++) {
    if (!is_part_of_name(name[n]))
      return false;
  }
  return n && n <= NAME_MOST;
}

static void safe_name(struct text *t, const char *name) {
  for (uint32_t i = 0; name[i] && i < NAME_MOST; i++) {
    char c = name[i];
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    text_add(t, plain ? &c : "_", 1);
  }
}

void emit_variable_name(struct text *t, const struct ir_variable *v) {
  if (v->owner)
    text_printf(t, "p%u", v->owner->index);
  else
    text_puts(t, "g");
  if (is_plain(v->name)) {
    text_printf(t, "_%s", v->name);
  } else {
    text_printf(t, "x%u_", v->variable);
    safe_name(t, v->name);
  }
}

void emit_location_name(struct text *t, const struct ir_process *p) {
  text_printf(t, "p%u", p->index);
}

void emit_channel_name(struct text *t, const struct ir_channel *c, uint32_t field) {
  text_printf(t, "c%u_%u", c->index, field);
}

void emit_count_name(struct text *t, const struct ir_channel *c) {
  text_printf(t, "c%u_count", c->index);
}

/* ---- comments --------------------------------------------------------------------- */

/* Text of the model inside a comment: nothing in it may end the comment. */
static void add_quoted(struct text *t, const char *quoted) {
  for (uint32_t i = 0; quoted[i] && i < COMMENT_MOST; i++) {
    char c = quoted[i];
    if (c == '/' && i && quoted[i - 1] == '*')
      c = ' ';
    if (c == '\\' || (c > 0 && c < ' ') || c == 127)
      c = ' ';
    if (c == '*' && quoted[i + 1] == '/')
      c = ' ';
    text_add(t, &c, 1);
  }
}

void emit_edge_comment(struct emit *e, const char *role, const struct ir_process *p,
                       const struct ir_edge *edge) {
  indent(e);
  text_puts(e->out, "/* ");
  text_puts(e->out, role);
  if (edge->span.source)
    text_printf(e->out, "line %u: ", source_line(edge->span.source, edge->span.begin));
  add_quoted(e->out, p->name);
  text_puts(e->out, " ");
  add_quoted(e->out, p->location[edge->from].name);
  text_puts(e->out, " -> ");
  add_quoted(e->out, p->location[edge->to].name);
  text_puts(e->out, " */\n");
}
