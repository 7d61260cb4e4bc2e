/* unreached.c - the statements that no run ever reached, by proctype.
 *
 * Which statements were done the search notes; control was where one begins or leads to.
 * A statement may stand for several edges (an escape is before each statement of
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
  if (order == 0 && s->place.file != NULL && t->place.file != NULL)
    order = strcmp(s->place.file, t->place.file);
  if (order == 0)
    order = s->place.line < t->place.line ? -1 : s->place.line > t->place.line;
  if (order == 0)
    order = s->place.column < t->place.column ? -1 : s->place.column > t->place.column;
  if (order == 0 && s->call != t->call)
    order = s->called.line != t->called.line
                ? (s->called.line < t->called.line ? -1 : 1)
                : ((uintptr_t)s->call < (uintptr_t)t->call ? -1 : 1);
  return order != 0 ? order : strcmp(s->text, t->text);
}

/* Only a complete search of a language with statements knows. */
static bool is_known(const struct outcome *run) {
  const struct search_result *r = run->result;
  return r != NULL && r->reached != NULL && r->limit == SEARCH_NO_LIMIT &&
         (r->error.kind == SEARCH_NO_ERROR || run->counted_all);
}

struct work {
  struct item *item;
  uint8_t *place; /* by place of control: 1 where it was */
  size_t item_bytes;
};

static void release(const struct outcome *run, struct work *w) {
  struct budget *budget = run->result->budget;
  if (w->item != NULL)
    budget_free(budget, BUDGET_OTHER, w->item, w->item_bytes);
  if (w->place != NULL)
    budget_free(budget, BUDGET_OTHER, w->place, ts_notes(run->shape)->n_places + (size_t)1);
}

static bool take(const struct outcome *run, struct work *w) {
  struct budget *budget = run->result->budget;
  w->item_bytes = ts_notes(run->shape)->n_statements * sizeof(struct item);
  w->item = budget_alloc(budget, BUDGET_OTHER, w->item_bytes);
  w->place = budget_alloc(budget, BUDGET_OTHER, ts_notes(run->shape)->n_places + (size_t)1);
  if (w->item != NULL && w->place != NULL)
    return true;
  release(run, w);
  return false;
}

static void mark_places(const struct outcome *run, uint8_t *place) {
  const struct ts_shape *shape = run->shape;
  memset(place, 0, ts_notes(shape)->n_places);
  for (uint32_t i = 0; i < ts_notes(shape)->n_statements; i++) {
    const struct ts_statement *s = &ts_notes(shape)->statement[i];
    bool done = run->result->reached[i] != 0;
    if (s->from == TS_NONE)
      continue;
    if (done || s->is_first)
      place[s->from] = 1;
    if (done)
      place[s->to] = 1;
    if (done && s->starts != TS_NONE)
      place[s->starts] = 1;
  }
}

static bool was_at(const struct work *w, uint32_t place) {
  return place != TS_NONE && w->place[place] != 0;
}

/* Hands out each, by proctype, then by place. False if memory ran out. */
static bool each(const struct outcome *run, enum unreached_kind kind,
                 void (*tell)(void *context, const struct ts_statement *), void *context) {
  const struct ts_shape *shape = run->shape;
  struct work w;
  uint32_t n = 0;
  if (!take(run, &w))
    return false;
  mark_places(run, w.place);
  for (uint32_t i = 0; i < ts_notes(shape)->n_statements; i++) {
    const struct ts_statement *s = &ts_notes(shape)->statement[i];
    if (!s->is_plain && s->place.file != NULL)
      w.item[n++] = (struct item){s, i};
  }
  qsort(w.item, n, sizeof *w.item, compare);
  for (uint32_t i = 0, k; i < n; i = k) {
    bool done = false, tried = false;
    for (k = i; k < n && compare(&w.item[k], &w.item[i]) == 0; k++) {
      done |= run->result->reached[w.item[k].number] != 0;
      tried |= was_at(&w, w.item[k].statement->from);
    }
    bool is_end = w.item[i].statement->is_end; /* it waits for younger processes */
    if (kind == UNREACHED ? !tried : tried && !done && !is_end)
      tell(context, w.item[i].statement);
  }
  release(run, &w);
  return true;
}

struct printing {
  FILE *out;
  const char *head;
  const char *process;
};

static void print(void *context, const struct ts_statement *s) {
  struct printing *p = context;
  if (p->process == NULL || strcmp(p->process, s->process) != 0)
    fprintf(p->out, "%s%s in %s\n", p->process == NULL ? "\n" : "", p->head, s->process);
  p->process = s->process;
  fprintf(p->out, "  %s:%u  %s", s->place.file, s->place.line, s->text);
  if (s->called.file != NULL)
    fprintf(p->out, "  (called at line %u)", s->called.line);
  fputc('\n', p->out);
}

bool outcome_print_unreached(const struct outcome *run, FILE *out) {
  struct printing unreached = {out, "unreached", NULL};
  struct printing never = {out, "never possible", NULL};
  if (!is_known(run))
    return false;
  each(run, UNREACHED, print, &unreached);
  each(run, UNREACHED_NEVER_POSSIBLE, print, &never);
  return unreached.process != NULL || never.process != NULL;
}

static void write(void *context, const struct ts_statement *s) {
  struct json *json = context;
  json_object(json, NULL, true);
  json_string(json, "process", s->process);
  json_string(json, "file", s->place.file);
  json_unsigned(json, "line", s->place.line);
  json_unsigned(json, "column", s->place.column);
  json_string(json, "text", s->text);
  if (s->called.file == NULL)
    json_null(json, "called");
  else
    json_unsigned(json, "called", s->called.line);
  json_close_object(json);
}

static void write_list(struct json *json, const struct outcome *run, const char *key,
                       enum unreached_kind kind) {
  if (!is_known(run)) {
    json_null(json, key);
    return;
  }
  json_array(json, key, false);
  each(run, kind, write, json);
  json_close_array(json);
}

void unreached_write(struct json *json, const struct outcome *run) {
  write_list(json, run, "unreached", UNREACHED);
  write_list(json, run, "never_possible", UNREACHED_NEVER_POSSIBLE);
}
