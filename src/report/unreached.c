/* unreached.c - the statements that no run ever reached, by proctype.
 *
 * A statement may stand for several edges (an escape stands before each statement of
 * the sequence it guards): it was reached if one of them was. So the edges are sorted by
 * template, place and text, and those alike are looked at together.
 */
#include "report/unreached.h"

#include <stdlib.h>
#include <string.h>

struct item {
  const struct ts_statement *statement;
  uint32_t number;
};

static int compare(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  const struct ts_statement *s = x->statement, *t = y->statement;
  int order = strcmp(s->process, t->process);
  if (order == 0)
    order = s->place.line < t->place.line ? -1 : s->place.line > t->place.line;
  if (order == 0)
    order = s->place.column < t->place.column ? -1 : s->place.column > t->place.column;
  return order != 0 ? order : strcmp(s->text, t->text);
}

bool unreached_is_known(const struct outcome *run) {
  const struct search_result *r = run->result;
  return r != NULL && r->reached != NULL && r->limit == SEARCH_NO_LIMIT &&
         (r->error.kind == SEARCH_NO_ERROR || run->counted_all);
}

bool unreached_each(const struct outcome *run,
                    void (*tell)(void *context, const struct ts_statement *), void *context) {
  const struct ts_shape *shape = run->shape;
  struct budget *budget = run->result->budget;
  size_t bytes = shape->n_statements * sizeof(struct item);
  struct item *item = budget_alloc(budget, BUDGET_OTHER, bytes);
  uint32_t n = 0;
  if (item == NULL)
    return false;
  for (uint32_t i = 0; i < shape->n_statements; i++)
    if (shape->statement[i].can_be && shape->statement[i].place.file != NULL)
      item[n++] = (struct item){&shape->statement[i], i};
  qsort(item, n, sizeof *item, compare);
  for (uint32_t i = 0, k; i < n; i = k) {
    bool reached = false;
    for (k = i; k < n && compare(&item[k], &item[i]) == 0; k++)
      reached |= run->result->reached[item[k].number] != 0;
    if (!reached)
      tell(context, item[i].statement);
  }
  budget_free(budget, BUDGET_OTHER, item, bytes);
  return true;
}

struct printing {
  FILE *out;
  const char *process;
};

static void print(void *context, const struct ts_statement *s) {
  struct printing *p = context;
  if (p->process == NULL || strcmp(p->process, s->process) != 0)
    fprintf(p->out, "%sunreached in %s\n", p->process == NULL ? "\n" : "", s->process);
  p->process = s->process;
  fprintf(p->out, "  %s:%u  %s\n", s->place.file, s->place.line, s->text);
}

void outcome_print_unreached(const struct outcome *run, FILE *out) {
  struct printing p = {out, NULL};
  if (unreached_is_known(run))
    unreached_each(run, print, &p);
}

static void write(void *context, const struct ts_statement *s) {
  struct json *json = context;
  json_object(json, NULL, true);
  json_string(json, "process", s->process);
  json_string(json, "file", s->place.file);
  json_unsigned(json, "line", s->place.line);
  json_unsigned(json, "column", s->place.column);
  json_string(json, "text", s->text);
  json_close_object(json);
}

void unreached_write(struct json *json, const struct outcome *run) {
  if (!unreached_is_known(run)) {
    json_null(json, "unreached");
    return;
  }
  json_array(json, "unreached", false);
  unreached_each(run, write, json);
  json_close_array(json);
}
