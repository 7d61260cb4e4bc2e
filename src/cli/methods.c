/* methods.c - orders, stores and ways of forgetting, as the command line names them.
 *
 * Here only the form of each option is judged; what goes together is judged by the rules of
 * search/rules.h, once all are read.
 */
#include "cli/methods.h"

#include "cli/rebuilding.h"
#include "cli/reducing.h"
#include "cli/seams.h"

#include "search/engine.h"
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

static const char *no_such(struct loaded *l, enum option option, const char *text) {
  char names[300];
  seams_names(option, names, sizeof names);
  const char *name = options_entry(option)->name;
  return arena_printf(l->arena, "--%s: there is no '%.40s', but %s; see --%s help", name, text,
                      names, name);
}

static const char *read_store(struct loaded *l, const struct options *o,
                              struct search_options *search) {
  const struct option_value *v = &o->value[OPTION_STORE];
  uint64_t few = UINT64_C(64) << 20;
  uint64_t limit = l->budget == NULL ? 4 * few : budget_limit(l->budget);
  search->store.moves = strncmp(v->text, "auto", 4) == 0 && strcspn(v->text, ":,") == 4;
  search->store.kind = search->store.moves ? store_kinds[0] : store_by_name(v->text);
  search->store.parameter = (uint32_t)v->number;
  search->store.size = v->size;
  if (search->store.kind == NULL)
    return no_such(l, OPTION_STORE, v->text);
  const char *why = rebuilding_read(l->arena, v->text, &search->store);
  if (why != NULL)
    return why;
  l->how.backward |= (search->store.rebuild.variants & STORE_BACKWARD) != 0;
  /* Without a budget given, most of the machine is no good size for a table. */
  if (search->store.kind->sized && search->store.size == 0 && !o->value[OPTION_MEMORY].given)
    search->store.size = few < limit / 4 ? few : limit / 4;
  return NULL;
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
  if (kind == NULL)
    return no_such(l, OPTION_ORDER, text);
  const char *rest = text + strlen(kind->name);
  search->order.kind = kind;
  rest += *rest == ':';
  if (kind->traits & FRONTIER_MEASURED) {
    if (*rest != '\0')
      add_expression(l, rest, strlen(rest), &m->order_expression);
    search->order.measure = *rest != '\0' ? &m->order_measure : NULL;
    return NULL;
  }
  for (uint32_t i = 0; i < kind->n_parameters; i++, rest += *rest == ',')
    if (!number(&rest, ",", &search->order.parameter[i]))
      return arena_printf(l->arena, "--order %.60s: write %s:%s, numbers in place of capitals",
                          text, kind->name, kind->argument);
  /* There are not as many levels or states; and sums must not overflow. */
  for (uint32_t i = 0; i < kind->n_parameters; i++)
    if (search->order.parameter[i] > UINT32_MAX)
      search->order.parameter[i] = UINT32_MAX;
  if (*rest != '\0')
    return arena_printf(l->arena, "--order %.60s: that is more than %s takes", text,
                        kind->name);
  return NULL;
}

/* The strategy in "NAME[:STRATEGY][,…]", or that of the order. */
static const char *strategy_in(const char *after_name, const struct frontier_kind *order) {
  bool given = after_name[0] == ':' && after_name[1] != '\0' && after_name[1] != ',';
  return given ? after_name + 1 : order->strategy != NULL ? order->strategy : STRATEGY_DEFAULT;
}

/* What follows a method: nothing, or how many states are kept. */
static const char *read_size(const char *rest, struct search_options *search) {
  if (*rest == '\0')
    return NULL;
  if (strncmp(rest, ",size=", 6) != 0)
    return "--forget: after the comma there must be size=N, in states";
  rest += strlen(",size=");
  if (!number(&rest, "", &search->forget.cache_size) || search->forget.cache_size == 0)
    return "--forget: size=N needs a number of states";
  return NULL;
}

/* "NAME[:N][,size=N]" of ways that forget what is not reached again. */
static const char *read_forget_once(struct methods *m, struct loaded *l, const char *text,
                                    const char *rest, struct search_options *search) {
  const struct forget_kind *kind = search->forget.kind;
  uint64_t n = 0;
  if (*rest == ':' && kind->argument != NULL) {
    rest++;
    if (!number(&rest, ",", &n) || n < kind->least || n > kind->most)
      return arena_printf(l->arena, "--forget %.60s: write %s:%s, a number from %u to %u", text,
                          kind->name, kind->argument, kind->least, kind->most);
    search->forget.parameter = (uint32_t)n;
  }
  if ((kind->traits & FORGET_DROPS) && *rest != ':') {
    const char *why = NULL;
    search->forget.strategy = &m->strategy;
    return strategy_parse(&m->strategy, strategy_in("", search->order.kind), &why)
               ? read_size(rest, search)
               : why;
  }
  if (*rest == '\0')
    return NULL;
  return arena_printf(l->arena,
                      "--forget %.60s: %s lets states go that are not reached again, whether "
                      "there is room or not, and takes no %s: leave it out",
                      text, kind->name, *rest == ',' ? "size" : "strategy");
}

static const char *read_forget(struct methods *m, struct loaded *l, const char *text,
                               struct search_options *search) {
  const char *why = NULL, *rest = text + strcspn(text, ":,");
  if (strcmp(text, "none") == 0)
    return NULL;
  search->forget.kind = forget_by_name(text);
  if (search->forget.kind == NULL)
    return no_such(l, OPTION_FORGET, text);
  l->how.backward |= (search->forget.kind->traits & FORGET_BACKWARD) != 0;
  if (search->forget.kind->traits & FORGET_ONCE)
    return read_forget_once(m, l, text, rest, search);
  const char *strategy = strategy_in(rest, search->order.kind);
  if (!strategy_parse(&m->strategy, strategy, &why))
    return arena_printf(l->arena, "--forget %.60s: %s", text, why);
  m->strategy_text = arena_text(l->arena, strategy, strcspn(strategy, ","));
  rest += strcspn(rest, ",");
  search->forget.strategy = &m->strategy;
  return read_size(rest, search);
}

/* Cuts at commas outside of brackets. */
static const char *read_progress(struct methods *m, struct loaded *l, const char *text,
                                 struct search_options *search) {
  uint32_t depth = 0, which;
  const char *begin = text;
  search->forget.progress = &m->progress;
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

static bool either(const struct options *o, enum option a, enum option b) {
  return o->value[a].given || o->value[b].given;
}

static bool is_repeated(const struct options *o, enum option option) {
  uint32_t cursor = 0;
  if (options_next(o, option, &cursor) == NULL)
    return false;
  return options_next(o, option, &cursor) != NULL;
}

/* What the rules look at beside the options of the search. */
static unsigned asked(const struct options *o) {
  return (o->value[OPTION_RUNS].number > 1 ? RULES_RUNS : 0u) |
         (o->value[OPTION_MOVE_AFTER].given ? RULES_MOVE_AFTER : 0u) |
         (o->value[OPTION_NO_PARENTS].given ? RULES_NO_PARENTS : 0u) |
         (either(o, OPTION_CHECKPOINT, OPTION_RESUME) ? RULES_CHECKPOINT : 0u) |
         (either(o, OPTION_SELF_CHECK, OPTION_CHECK) ? RULES_CHECKED : 0u) |
         (o->value[OPTION_QUERIES].given ? RULES_FORMULAS : 0u) |
         (either(o, OPTION_LTL, OPTION_CLAIM) ? RULES_NAMED : 0u) |
         (is_repeated(o, OPTION_LTL) ? RULES_SEVERAL : 0u) |
         (o->value[OPTION_NO_DEADLOCK].given ||
                  o->value[OPTION_END_QUEUES].number == OPTIONS_EMPTY
              ? RULES_DEADLOCKS
              : 0u) |
         (o->value[OPTION_CYCLES].number + o->value[OPTION_FAIRNESS].number > 0 ? RULES_CYCLES
                                                                                : 0u);
}

static const char *read_all(struct methods *m, const struct options *o, struct loaded *l,
                            struct search_options *search) {
  const struct option_value *v = o->value;
  const char *why = read_order(m, l, v[OPTION_ORDER].text, search);
  search->fairness = (enum search_fairness)v[OPTION_FAIRNESS].number;
  if (why == NULL && !v[OPTION_ORDER].given)
    search->order.kind = methods_order(search->engine);
  if (why == NULL)
    why = read_store(l, o, search);
  if (why == NULL)
    why = read_forget(m, l, v[OPTION_FORGET].text, search);
  if (why == NULL && v[OPTION_PROGRESS].given)
    why = read_progress(m, l, v[OPTION_PROGRESS].text, search);
  if (why == NULL)
    why = reducing_read(o, l, search, &m->reduce_text);
  return why;
}

const struct frontier_kind *methods_order(const struct engine *engine) {
  const bool path = engine != NULL && (engine->needs & ENGINE_PATH) != 0;
  return path ? frontier_by_name("dfs") : frontier_kinds[0];
}

static const char *judge(struct methods *m, const struct options *o, struct loaded *l,
                         struct search_options *search, uint64_t memory) {
  *m = (struct methods){.order_expression = TS_NONE, .level = TS_NONE};
  search->store.allow_lossy = o->value[OPTION_ALLOW_LOSSY].given;
  search->limit.visits = o->value[OPTION_MAX_VISITS].number;
  search->limit.visits_per_state = o->value[OPTION_MAX_VISITS].given ? 0 : METHODS_VISITS;
  const char *why = read_all(m, o, l, search);
  if (why != NULL)
    return why;
  if (o->value[OPTION_CHECK].given) {
    static const unsigned checked[] = {
        [OPTIONS_INDEPENDENCE] = 0, [OPTIONS_MERGE] = IR_MERGE, [OPTIONS_DEAD] = IR_DEAD};
    l->checked = checked[o->value[OPTION_CHECK].number];
  }
  const unsigned both = l->reductions & l->checked ? RULES_DOUBTED : 0u;
  const unsigned merged = (l->reductions & IR_MERGE) ? RULES_MERGED : 0u;
  m->judged = (struct rules_case){search, asked(o) | merged | both, memory, NULL};
  l->names_reductions = l->reductions != 0;
  l->names_choosing = l->wants_control && !search->reduce.automatic;
  if (search->reduce.automatic)
    reducing_choose(l, search, &m->judged);
  m->automatic = search->reduce.automatic ? search->reduce.kind : NULL;
  m->broken = rules_broken(&m->judged);
  if (m->broken == NULL)
    return NULL;
  char *sentence = arena_alloc(l->arena, METHODS_SENTENCE);
  rules_print(m->broken, &m->judged, sentence, METHODS_SENTENCE);
  return sentence;
}

const char *methods_read(struct methods *m, const struct options *o, struct loaded *l,
                         struct search_options *search) {
  return judge(m, o, l, search, budget_limit(l->budget));
}

void methods_judge(struct arena *arena, int argc, char **argv, struct methods_judged *judged) {
  struct option_given *room = ARENA_ARRAY(arena, (size_t)argc + 1, struct option_given);
  struct options *o = ARENA_NEW(arena, struct options);
  struct search_options *search = ARENA_NEW(arena, struct search_options);
  struct methods *m = ARENA_NEW(arena, struct methods);
  struct loaded l = {.arena = arena};
  *judged = (struct methods_judged){.why = o->problem};
  if (!options_parse(o, argc, argv, room))
    return;
  uint64_t memory = o->value[OPTION_MEMORY].given ? o->value[OPTION_MEMORY].number : 0;
  const char *cycles = o->value[OPTION_CYCLES].text;
  search->engine = cycles == NULL ? NULL : engine_by_name(cycles);
  judged->why = judge(m, o, &l, search, memory);
  judged->about = m->judged.search == NULL ? NULL : &m->judged;
  judged->broken = m->broken;
}

const char *methods_measure(struct methods *m, const struct options *o, struct loaded *l,
                            const struct ts *ts, struct search_options *search) {
  m->order_measure = m->progress = (struct measure){.ts = ts};
  if (m->order_expression != TS_NONE)
    measure_add_expression(&m->order_measure, m->order_expression);
  const char *why = reducing_order(o, l, ts, search);
  if (why != NULL)
    return why;
  for (uint32_t i = 0; i < m->n_progress; i++)
    if (!measure_add_expression(&m->progress, m->first_progress + i))
      return "the values of --progress need more than 64 bits together: smaller types, or "
             "fewer expressions";
  if (m->level != TS_NONE && !derive_progress(&m->progress, m->level, l->budget))
    return "there is no memory for the pilot run of --progress auto";
  return NULL;
}
