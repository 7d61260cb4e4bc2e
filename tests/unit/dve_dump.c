/* dve_dump.c - see dve_dump.h. */
#include "dve_dump.h"

static const char *const signs[] = {
    [IR_NOT] = "!", [IR_NEG] = "-",    [IR_CPL] = "~",  [IR_MUL] = "*",  [IR_DIV] = "/",
    [IR_MOD] = "%", [IR_ADD] = "+",    [IR_SUB] = "-",  [IR_SHL] = "<<", [IR_SHR] = ">>",
    [IR_LT] = "<",  [IR_LE] = "<=",    [IR_GT] = ">",   [IR_GE] = ">=",  [IR_EQ] = "==",
    [IR_NE] = "!=", [IR_BAND] = "&",   [IR_BXOR] = "^", [IR_BOR] = "|",  [IR_AND] = "&&",
    [IR_OR] = "||", [IR_IMPLY] = "=>",
};

static void dump_variable_name(FILE *out, const struct ir_variable *v) {
  fprintf(out, "%s%s%s", v->owner == NULL ? "" : v->owner->name, v->owner == NULL ? "" : ".",
          v->name);
}

void dump_expr(FILE *out, const struct ir_expr *e) {
  switch (e->kind) {
  case IR_CONST:
    fprintf(out, "%d", e->value);
    return;
  case IR_VARIABLE:
    dump_variable_name(out, e->variable);
    return;
  case IR_ELEMENT:
    dump_variable_name(out, e->variable);
    fputc('[', out);
    dump_expr(out, e->a);
    fputc(']', out);
    return;
  case IR_AT:
    fprintf(out, "%s@%s", e->process->name, e->process->location[e->location].name);
    return;
  default:
    break;
  }
  fputc('(', out);
  if (e->b == NULL)
    fprintf(out, "%s ", signs[e->kind]);
  dump_expr(out, e->a);
  if (e->b != NULL) {
    fprintf(out, " %s ", signs[e->kind]);
    dump_expr(out, e->b);
  }
  fputc(')', out);
}

static void dump_variable(FILE *out, const struct ir_variable *v) {
  fprintf(out, "%s%s ", v->is_const ? "const " : "", v->type->name);
  dump_variable_name(out, v);
  if (v->is_array)
    fprintf(out, "[%u]", v->length);
  if (v->initial != NULL) {
    fputs(" =", out);
    for (uint32_t i = 0; i < v->length; i++)
      fprintf(out, " %d", v->initial[i]);
  }
  fputc('\n', out);
}

static void dump_channel(FILE *out, const struct ir_channel *c) {
  fprintf(out, "channel %s capacity %u%s", c->name, c->capacity, c->typed ? " typed" : "");
  for (uint32_t i = 0; i < c->n_fields; i++)
    fprintf(out, " %s", c->field[i] == NULL ? "any" : c->field[i]->name);
  fputc('\n', out);
}

static void dump_sync(FILE *out, const struct ir_edge *edge) {
  fprintf(out, "  %s%s %s", edge->late ? "late " : "",
          edge->sync == IR_SEND ? "send" : "receive", edge->channel->name);
  for (uint32_t i = 0; i < edge->n_values; i++) {
    fputc(' ', out);
    dump_expr(out, edge->value[i]);
  }
  fputc('\n', out);
}

static void dump_edge(FILE *out, const struct ir_process *p, const struct ir_edge *edge) {
  fprintf(out, " %s -> %s\n", p->location[edge->from].name, p->location[edge->to].name);
  if (edge->guard != NULL) {
    fputs("  if ", out);
    dump_expr(out, edge->guard);
    fputc('\n', out);
  }
  if (edge->sync != IR_NO_SYNC)
    dump_sync(out, edge);
  for (uint32_t i = 0; i < edge->n_effects; i++) {
    fputs("  ", out);
    dump_expr(out, edge->effect[i].target);
    fputs(" := ", out);
    dump_expr(out, edge->effect[i].value);
    fputc('\n', out);
  }
}

static void dump_process(FILE *out, const struct ir_process *p) {
  fprintf(out, "process %s%s\n", p->name, p->is_property ? " (property)" : "");
  for (uint32_t i = 0; i < p->n_variables; i++) {
    fputc(' ', out);
    dump_variable(out, p->variable[i]);
  }
  for (uint32_t i = 0; i < p->n_locations; i++)
    fprintf(out, " at %s%s%s%s\n", p->location[i].name, i == p->initial ? " initial" : "",
            (p->location[i].flags & IR_COMMITTED) != 0 ? " committed" : "",
            (p->location[i].flags & IR_ACCEPTING) != 0 ? " accepting" : "");
  for (uint32_t i = 0; i < p->n_edges; i++)
    dump_edge(out, p, &p->edge[i]);
}

void dump_model(FILE *out, const struct ir_model *model) {
  fprintf(out, "%s%s\n", model->language, model->synchronous ? " synchronous" : "");
  for (uint32_t i = 0; i < model->n_globals; i++)
    dump_variable(out, model->global[i]);
  for (uint32_t i = 0; i < model->n_channels; i++)
    dump_channel(out, model->channel[i]);
  for (uint32_t i = 0; i < model->n_processes; i++)
    dump_process(out, model->process[i]);
  for (uint32_t i = 0; i < model->n_properties; i++) {
    fprintf(out, "%s \"%s\": ", model->property[i].is_assertion ? "assert" : "invariant",
            model->property[i].text);
    dump_expr(out, model->property[i].condition);
    fputc('\n', out);
  }
  for (uint32_t i = 0; i < model->n_unchecked; i++)
    fprintf(out, "unchecked %s\n", model->unchecked[i]);
}
