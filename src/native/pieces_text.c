/* pieces_text.c - the C text in which that of a model is compiled.
 *
 * In this order: the headers that Spin's verifiers have, what the model declares, a function
 * for each piece, and around it one that copies variables from the row and back. Where they are
 * is not known yet, and may change: a table says it.
 */
#include "native/pieces.h"

#include "native/compile/users.h"

#include "ir/embedded.h"

static const char head[] = "#include <ctype.h>\n"
                           "#include <errno.h>\n"
                           "#include <limits.h>\n"
                           "#include <stdint.h>\n"
                           "#include <string.h>\n"
                           "typedef unsigned char uchar;\n"
                           "#define Printf printf\n"
                           "#define assert(holds) ((holds) ? (void)0 : abort())\n";

static void put_line(struct text *t, struct span span) {
  if (span.source != NULL)
    users_put_line(t, span.source->name, source_line(span.source, span.begin));
}

/* ---- variables -------------------------------------------------------------------------- */

/* Whether the member has the bytes of the row. */
static bool is_alike(const struct ir_view *v) {
  const struct ir_type *t = v->variable->type;
  return v->is_opaque ||
         (v->is_row && (t->bits == 8 || t->bits == 32 || (t->bits == 16 && t->is_signed)));
}

static const char *cell_type(const struct ir_type *t) {
  const uint32_t bytes = ir_type_bytes(t);
  if (bytes == 1)
    return "uchar";
  return bytes == 2 ? t->is_signed ? "short" : "unsigned short" : "int";
}

static void put_copy(struct text *t, const struct ir_view *v, bool in) {
  const char *frame = v->variable->owner != NULL ? " + cairn_frame" : "";
  if (in)
    text_printf(t, "  memcpy(&%s, cairn_row + cairn_at[%u]%s, sizeof %s);\n", v->path,
                v->number, frame, v->path);
  else
    text_printf(t, "  memcpy(cairn_row + cairn_at[%u]%s, &%s, sizeof %s);\n", v->number, frame,
                v->path, v->path);
}

/* One member, or each of a row. */
static void put_cells(struct text *t, const struct ir_view *v, bool in) {
  const struct ir_type *type = v->variable->type;
  const char *frame = v->variable->owner != NULL ? " + cairn_frame" : "";
  const char *cell = cell_type(type);
  text_puts(t, "  {\n    unsigned cairn_i;\n");
  text_printf(t, "    for (cairn_i = 0; cairn_i < %u; cairn_i++) {\n      %s cairn_cell;\n",
              v->is_row ? v->n : 1, cell);
  if (in)
    text_printf(t,
                "      memcpy(&cairn_cell, cairn_row + cairn_at[%u]%s + cairn_i * %u, %u);\n"
                "      %s%s = cairn_cell;\n",
                v->number, frame, ir_type_bytes(type), ir_type_bytes(type), v->path,
                v->is_row ? "[cairn_i]" : "");
  else
    text_printf(t,
                "      cairn_cell = (%s)(%s%s & 0x%xu);\n"
                "      memcpy(cairn_row + cairn_at[%u]%s + cairn_i * %u, &cairn_cell, %u);\n",
                cell, v->path, v->is_row ? "[cairn_i]" : "",
                type->bits < 32 ? (1u << type->bits) - 1 : UINT32_MAX, v->number, frame,
                ir_type_bytes(type), ir_type_bytes(type));
  text_puts(t, "    }\n  }\n");
}

/* Memory that is tracked may not be there yet: then it is not copied. */
static void put_tracked(struct text *t, const struct ir_embedded *c, bool in) {
  for (uint32_t k = 0; k < c->kept.n; k++) {
    const struct ir_kept *kept = &c->kept.at[k];
    if (kept->address == NULL)
      continue;
    put_line(t, kept->span);
    text_printf(t, "  if ((%s) != 0) memcpy(", kept->address);
    if (in)
      text_printf(t, "%s, cairn_row + cairn_at[%u]", kept->address, c->views.n + k);
    else
      text_printf(t, "cairn_row + cairn_at[%u], %s", c->views.n + k, kept->address);
    text_printf(t, ", __builtin_constant_p(%s) ? (%s) : cairn_size[%u]);\n", kept->bytes,
                kept->bytes, k);
  }
}

static void put_members(struct text *t, const struct ir_embedded *c,
                        const struct ir_piece *piece, bool in) {
  if (in)
    put_tracked(t, c, in);
  for (uint32_t i = 0; i < piece->n_views; i++) {
    const struct ir_view *v = piece->view[i];
    if (is_alike(v))
      put_copy(t, v, in);
    else
      put_cells(t, v, in);
  }
  if (!in)
    put_tracked(t, c, in);
}

/* ---- pieces ----------------------------------------------------------------------------- */

static void put_user_text(struct text *t, const struct ir_piece *piece) {
  const uint32_t n = piece->number;
  if (piece->precondition != NULL) {
    text_printf(t, "static int cairn_allows_%u(void) {\n", n);
    put_line(t, piece->span);
    text_printf(t, "return (%s\n) != 0;\n}\n", piece->precondition);
  }
  text_printf(t, "static %s cairn_text_%u(void) {\n", piece->is_expression ? "int" : "void", n);
  put_line(t, piece->span);
  if (!piece->is_expression) {
    text_printf(t, "%s\n;\n}\n", piece->text);
    return;
  }
  /* A pointer, or half, is true, whatever its value as an int. */
  text_printf(t, "__typeof__((%s\n) + 0) cairn_v = (%s\n);\n", piece->text, piece->text);
  text_puts(t, "return cairn_v == 0 ? 0 : (int)cairn_v != 0 ? (int)cairn_v : 1;\n}\n");
}

static void put_piece(struct text *t, const struct ir_embedded *c,
                      const struct ir_piece *piece) {
  put_user_text(t, piece);
  text_printf(t,
              "static int cairn_piece_%u(uchar *cairn_row, unsigned cairn_frame, unsigned "
              "cairn_self,\n    unsigned cairn_live, int *cairn_value) {\n",
              piece->number);
  text_puts(t, "  now._nr_pr = (uchar)cairn_live;\n");
  if (piece->process != NULL)
    text_printf(t, "  cairn_p%u._pid = (uchar)cairn_self;\n", piece->process->index);
  put_members(t, c, piece, true);
  if (piece->precondition != NULL)
    text_printf(t, "  if (!cairn_allows_%u()) return 0;\n", piece->number);
  text_printf(t, "  %scairn_text_%u();\n", piece->is_expression ? "*cairn_value = " : "",
              piece->number);
  if (!piece->is_expression)
    put_members(t, c, piece, false);
  text_puts(t, "  return 1;\n}\n");
}

/* ---- what is kept ----------------------------------------------------------------------- */

static const struct ir_view *view_of(const struct ir_embedded *c, const struct ir_kept *kept) {
  uint32_t i = 0;
  while (c->views.at[i]->variable != kept->variable)
    i++;
  return c->views.at[i];
}

static void put_begin(struct text *t, const struct ir_embedded *c) {
  text_puts(t, "static void cairn_begin(void) {\n");
  for (uint32_t i = 0; i < c->starts.n; i++)
    text_puts(t, c->starts.at[i]);
  for (uint32_t k = 0; k < c->kept.n; k++) {
    const struct ir_kept *kept = &c->kept.at[k];
    put_line(t, kept->span);
    if (kept->address != NULL) {
      text_printf(t, "  cairn_size[%u] = (%s);\n", k, kept->bytes);
      continue;
    }
    const char *path = view_of(c, kept)->path;
    text_printf(t, "  cairn_size[%u] = sizeof %s;\n", k, path);
    if (kept->initial != NULL)
      text_printf(t, "  %s = %s;\n", path, kept->initial);
  }
  text_puts(t, "}\nstatic void cairn_initial(unsigned cairn_k, uchar *cairn_out) {\n"
               "  switch (cairn_k) {\n");
  for (uint32_t k = 0; k < c->kept.n; k++) {
    const struct ir_kept *kept = &c->kept.at[k];
    put_line(t, kept->span);
    if (kept->address != NULL)
      text_printf(t,
                  "  case %u: if ((%s) != 0) memcpy(cairn_out, %s, cairn_size[%u]); break;\n",
                  k, kept->address, kept->address, k);
    else
      text_printf(t, "  case %u: memcpy(cairn_out, &%s, cairn_size[%u]); break;\n", k,
                  view_of(c, kept)->path, k);
  }
  text_puts(t, "  default: break;\n  }\n}\n");
}

void pieces_text(const struct ir_model *model, struct text *t) {
  const struct ir_embedded *c = model->embedded;
  text_puts(t, users_prologue);
  text_puts(t, head);
  for (uint32_t i = 0; i < c->parts.n; i++) {
    put_line(t, c->parts.at[i].span);
    text_puts(t, c->parts.at[i].text);
    text_puts(t, c->parts.at[i].span.source != NULL ? "\n" : "");
  }
  text_printf(t, "static unsigned cairn_at[%u], cairn_size[%u];\n", c->views.n + c->kept.n + 1,
              c->kept.n + 1);
  for (uint32_t i = 0; i < c->pieces.n; i++)
    put_piece(t, c, c->pieces.at[i]);
  put_begin(t, c);
  text_puts(
      t, "static int (*const cairn_call[])(uchar *, unsigned, unsigned, unsigned, int *) = {");
  for (uint32_t i = 0; i < c->pieces.n; i++)
    text_printf(t, "%s cairn_piece_%u", i > 0 ? "," : "", i);
  text_puts(t, c->pieces.n > 0 ? "};\n" : "0};\n");
  text_printf(t,
              "const struct {\n  unsigned version;\n  unsigned *at, *size;\n"
              "  void (*begin)(void);\n  void (*initial)(unsigned, uchar *);\n"
              "  int (*const *call)(uchar *, unsigned, unsigned, unsigned, int *);\n"
              "} cairn_pieces = {%u, cairn_at, cairn_size, cairn_begin, cairn_initial, "
              "cairn_call};\n",
              PIECES_VERSION);
}
