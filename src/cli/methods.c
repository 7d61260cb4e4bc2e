/* methods.c - orders, stores and ways of forgetting, as the command line names them. */
#include "cli/methods.h"

#include "cli/reducing.h"

#include "search/frontier/frontier.h"
#include "search/measure/derive.h"

#include <stdlib.h>
#include <string.h>

#define MEASURES (sizeof((struct loaded *)0)->measure / sizeof(char *))

/* A number that ends at one of these characters or at the end; false: there is none. */
static bool number(const char **text, const char *ends, uint64_t *value) {
  char *end;
  if (**text < '0' || **text > '9')
    return false;
  *value = strtoull(*text, &end, 10);
  if (*end != '\0' && strchr(ends, *end) == NULL)
    return false;
  *text = end;
  return true;
}

static const char *no_such_order(struct loaded *l, const char *text) {
  char list[200] = "";
  for (uint32_t i = 0; frontier_kinds[i] != NULL; i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? ", " : "",
             frontier_kinds[i]->name);
  return arena_printf(l->arena, "--order: there is no '%.40s', but %s", text, list);
}

static const char *no_such_store(struct loaded *l, const char *text) {
  char list[300] = "auto";
  for (uint32_t i = 0; store_kinds[i] != NULL; i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), ", %s", store_kinds[i]->name);
  return arena_printf(l->arena, "--store: there is no '%.40s', but %s", text, list);
}

static const char *wrong_for_store(struct loaded *l, const char *text,
                                   const struct search_options *search) {
  const struct store_kind *kind = search->store.kind;
  uint32_t number = search->store.parameter;
  if (number != 0 && kind->most == 0)
    return arena_printf(l->arena, "--store %.60s: this store takes no number behind its name",
                        text);
  if (number != 0 && (number < kind->least || number > kind->most))
    return arena_printf(l->arena, "--store %.60s: out of range: %s must be from %u to %u", text,
                        kind->parameter, kind->least, kind->most);
  if (search->store.size != 0 && !kind->sized)
    return arena_printf(l->arena,
                        "--store %.60s: this store grows as it must and takes no size: only "
                        "bitstate and bitline do; --memory limits all of them",
                        text);
  if (search->store.size >= budget_limit(l->budget))
    return arena_printf(l->arena, "--store %.60s: the table is larger than the memory budget",
                        text);
  return NULL;
}

static const char *read_store(struct loaded *l, const struct options *o,
                              struct search_options *search) {
  const struct option_value *v = &o->value[OPTION_STORE];
  uint64_t limit = budget_limit(l->budget), few = UINT64_C(64) << 20;
  search->store.moves = strncmp(v->text, "auto", 4) == 0 && strcspn(v->text, ":,") == 4;
  search->store.kind = search->store.moves ? store_kinds[0] : store_by_name(v->text);
  search->store.parameter = (uint32_t)v->number;
  search->store.size = v->size;
  if (search->store.kind == NULL)
    return no_such_store(l, v->text);
  /* Without a budget given, most of the machine is no good size for a table. */
  if (search->store.kind->sized && search->store.size == 0 && !o->value[OPTION_MEMORY].given)
    search->store.size = few < limit / 4 ? few : limit / 4;
  return wrong_for_store(l, v->text, search);
}

static bool add_expression(struct loaded *l, const char *text, size_t length, uint32_t *which) {
  if (l->n_measures == MEASURES)
    return false;
  *which = l->n_measures;
  l->measure[l->n_measures++] = arena_text(l->arena, text, length);
  return true;
}

static const char *read_order(struct methods *m, struct loaded *l, const char *text,
                              struct search_options *search) {
  const struct frontier_kind *kind = frontier_by_name(text);
  const char *rest = text + strcspn(text, ":");
  if (kind == NULL)
    return no_such_order(l, text);
  search->order.kind = kind;
  rest += *rest == ':';
  if (kind->traits & FRONTIER_MEASURED) {
    if (*rest == '\0')
      return "--order best needs an expression: best:EXPR, in the notation of the model";
    add_expression(l, rest, strlen(rest), &m->order_expression);
    return NULL;
  }
  for (uint32_t i = 0; i < kind->n_parameters; i++, rest += *rest == ',')
    if (!number(&rest, ",", &search->order.parameter[i]))
      return "--order needs numbers behind bbfs and alt: bbfs:W, how many states of a level "
             "at a time; alt:B,D, how many levels breadth-first and depth-first";
  /* There are not as many levels or states; and sums must not overflow. */
  for (uint32_t i = 0; i < kind->n_parameters; i++)
    if (search->order.parameter[i] > UINT32_MAX)
      search->order.parameter[i] = UINT32_MAX;
  if (*rest != '\0')
    return arena_printf(l->arena, "--order %.60s: that is more than %s takes", text,
                        kind->name);
  if (kind->n_parameters == 1 && search->order.parameter[0] == 0)
    return "--order bbfs:0 expands nothing: 1 is depth-first";
  if (kind->n_parameters == 2 && (search->order.parameter[0] | search->order.parameter[1]) == 0)
    return "--order alt:0,0 has no levels";
  return NULL;
}

static const char *read_forget(struct methods *m, struct loaded *l, const char *text,
                               struct search_options *search) {
  const char *why = NULL, *rest = text + strcspn(text, ":,");
  if (strcmp(text, "none") == 0)
    return NULL;
  search->forget.kind = forget_by_name(text);
  if (search->forget.kind == NULL)
    return arena_printf(l->arena, "--forget: there is no '%.40s', but none, cache, sweep-line",
                        text);
  if (*rest == ':' && !strategy_parse(&m->strategy, rest + 1, &why))
    return arena_printf(l->arena, "--forget %.60s: %s", text, why);
  rest += strcspn(rest, ",");
  if (*rest == ',') {
    rest += strlen(",");
    if (strncmp(rest, "size=", 5) != 0)
      return "--forget: behind the comma there must be size=N, in states";
    rest += strlen("size=");
    if (!number(&rest, "", &search->forget.cache_size) || search->forget.cache_size == 0)
      return "--forget: size=N needs a number of states";
  }
  search->forget.strategy = &m->strategy;
  return NULL;
}

/* Cuts at commas outside of brackets. */
static const char *read_progress(struct methods *m, struct loaded *l, const char *text) {
  uint32_t depth = 0, which;
  const char *begin = text;
  if (strncmp(text, "auto", 4) == 0 && (text[4] == ':' || text[4] == '\0')) {
    const char *level = text[4] == ':' ? text + 5 : "3";
    if (level[0] < '0' || level[0] > '5' || level[1] != '\0')
      return "--progress auto:LEVEL needs a level from 0 to 5";
    m->level = (uint32_t)(level[0] - '0');
    return NULL;
  }
  m->first_progress = l->n_measures;
  for (const char *c = text;; c++) {
    depth += *c == '(' || *c == '[';
    depth -= (*c == ')' || *c == ']') && depth > 0;
    if (*c != '\0' && (*c != ',' || depth > 0))
      continue;
    if (!add_expression(l, begin, (size_t)(c - begin), &which))
      return "--progress takes at most 15 expressions";
    m->n_progress++;
    if (*c == '\0')
      return NULL;
    begin = c + 1;
  }
}

const char *methods_read(struct methods *m, const struct options *o, struct loaded *l,
                         struct search_options *search) {
  const struct option_value *v = o->value;
  *m = (struct methods){.order_expression = TS_NONE, .level = TS_NONE};
  const char *why = read_order(m, l, v[OPTION_ORDER].text, search);
  if (why == NULL)
    why = read_store(l, o, search);
  if (why == NULL)
    why = read_forget(m, l, v[OPTION_FORGET].text, search);
  if (why == NULL && v[OPTION_PROGRESS].given)
    why = read_progress(m, l, v[OPTION_PROGRESS].text);
  if (why == NULL)
    why = reducing_read(o, search);
  search->limit.visits = v[OPTION_MAX_VISITS].number;
  return why;
}

const char *methods_measure(struct methods *m, const struct options *o, struct loaded *l,
                            const struct ts *ts, struct search_options *search) {
  m->order_measure.ts = m->progress.ts = ts;
  if (m->order_expression != TS_NONE) {
    measure_add_expression(&m->order_measure, m->order_expression);
    search->order.measure = &m->order_measure;
  }
  const char *why = reducing_order(o, l, ts, search);
  if (why != NULL || !o->value[OPTION_PROGRESS].given)
    return why;
  if (search->forget.kind == NULL || search->forget.kind->resume == NULL)
    return "--progress is for --forget sweep-line, and has no effect without it";
  search->forget.progress = &m->progress;
  for (uint32_t i = 0; i < m->n_progress; i++)
    if (!measure_add_expression(&m->progress, m->first_progress + i))
      return "the values of --progress need more than 64 bits together: smaller types, or "
             "fewer expressions";
  if (m->level != TS_NONE && !derive_progress(&m->progress, m->level, l->budget))
    return "there is no memory for the pilot run of --progress auto";
  return NULL;
}
