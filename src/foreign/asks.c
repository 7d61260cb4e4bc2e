/* asks.c - conditions and numbers about the states of a model written in C, compiled.
 *
 * One text for all of them, in which each name of the model is a macro that reads the state.
 */
#include "foreign/asks.h"

#include "base/text.h"

#include <string.h>

static void write_variable(struct text *text, const struct cairn_variable *v) {
  text_printf(text, "#define %s (%s(const %sint%u_t *)(cairn_state + %u))\n", v->name,
              v->n > 0 ? "" : "*", v->is_signed != 0 ? "" : "u", 8 * v->bytes, v->offset);
}

/* Labels are called by functions, which are made before any name of the model is a macro: it
 * may have a variable "label". */
static void write_names(struct text *text, const struct cairn_model *model) {
  for (uint32_t i = 0; i < model->n_labels; i++)
    text_printf(text,
                "static inline int cairn_label_%u(const struct cairn_model *model, const void "
                "*state) { return model->label[%u].holds(state) != 0; }\n",
                i, i);
  for (uint32_t i = 0; i < model->n_variables; i++)
    write_variable(text, &model->variable[i]);
  for (uint32_t i = 0; i < model->n_labels; i++)
    text_printf(text, "#define %s cairn_label_%u(cairn_given, cairn_state)\n",
                model->label[i].name, i);
}

static void forget_names(struct text *text, const struct cairn_model *model) {
  for (uint32_t i = 0; i < model->n_variables; i++)
    text_printf(text, "#undef %s\n", model->variable[i].name);
  for (uint32_t i = 0; i < model->n_labels; i++)
    text_printf(text, "#undef %s\n", model->label[i].name);
}

/* On one line, whose number says which it is. */
static void write_expression(struct text *text, const char *expression, uint32_t number) {
  text_printf(
      text,
      "#line %u\nstatic int64_t cairn_value_%u(const struct cairn_model *cairn_given, "
      "const unsigned char *cairn_state) { (void)cairn_given; (void)cairn_state; return (",
      number + 1, number);
  for (const char *c = expression; *c != '\0'; c++)
    text_printf(text, "%c", *c == '\n' || *c == '\r' ? ' ' : *c);
  text_puts(text, "); }\n");
}

static void write_all(struct text *text, const struct cairn_model *model,
                      const char *const *expression, uint32_t n) {
  text_puts(text, "#include <stdint.h>\n#include <cairn/model.h>\n");
  write_names(text, model);
  for (uint32_t i = 0; i < n; i++)
    write_expression(text, expression[i], i);
  forget_names(text, model);
  text_puts(text, "static int64_t (*const values[])(const struct cairn_model *, "
                  "const unsigned char *) = {");
  for (uint32_t i = 0; i < n; i++)
    text_printf(text, "cairn_value_%u, ", i);
  text_printf(text,
              "0};\nconst struct { uint32_t abi, n; int64_t (*const *value)(const struct "
              "cairn_model *, const unsigned char *); } cairn_asks = {%u, %u, values};\n",
              ASKS_ABI, n);
}

const struct asks *asks_open(struct arena *arena, const struct cairn_model *model,
                             const char *const *expression, uint32_t n,
                             enum native_compiler compiler, const char **why,
                             uint32_t *number) {
  static const struct asks none = {.abi = ASKS_ABI};
  if (n == 0)
    return &none;
  struct text text;
  text_init(&text, arena_budget(arena), BUDGET_CODE);
  write_all(&text, model, expression, n);
  const struct program_order order = {.path = "expressions",
                                      .text = text.at,
                                      .length = text.length,
                                      .symbol = "cairn_asks",
                                      .abi = ASKS_ABI,
                                      .compiler = compiler};
  uint32_t line = 0;
  const struct asks *asks = text.failed ? NULL : program_open(arena, &order, why, &line);
  if (text.failed)
    *why = "the memory budget has no room for what is asked";
  *number = line > 0 && line <= n ? line - 1 : TS_NONE;
  text_free(&text);
  return asks;
}
