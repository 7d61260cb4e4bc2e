/* rules_text.c - the sentences of the rules, with what their marks mean.
 *
 * A mark in braces is a name of the case in question, or a list of all methods that satisfy a
 * condition. So the ways out name a new method as soon as it is listed with its kind.
 */
#include "search/rules.h"

#include "search/engine.h"
#include "search/rules_traits.h"

#include <stdio.h>
#include <string.h>

/* Lists: the i-th name, "" if that kind does not belong to the list, NULL beyond the end. */

static const char *store_if(uint32_t i, bool (*fits)(const struct store_kind *)) {
  return store_kinds[i] == NULL ? NULL : fits(store_kinds[i]) ? store_kinds[i]->name : "";
}

static const char *order_if(uint32_t i, bool (*fits)(const struct frontier_kind *)) {
  return frontier_kinds[i] == NULL ? NULL
         : fits(frontier_kinds[i]) ? frontier_kinds[i]->name
                                   : "";
}

static bool has_number(const struct store_kind *store) {
  return store->most > 0;
}

static bool has_size(const struct store_kind *store) {
  return store->sized;
}

static bool is_saved(const struct store_kind *store) {
  return (store->has & STORE_SAVES) != 0;
}

static bool is_lossy(const struct store_kind *store) {
  return !(store->has & STORE_EXACT);
}

static const char *numbered(uint32_t i) {
  return store_if(i, has_number);
}

static const char *sized(uint32_t i) {
  return store_if(i, has_size);
}

static const char *saved(uint32_t i) {
  return store_if(i, is_saved);
}

static const char *lossy(uint32_t i) {
  return store_if(i, is_lossy);
}

static const char *forgettable(uint32_t i) {
  return store_if(i, rules_can_forget);
}

static const char *with_bits(uint32_t i) {
  return store_if(i, rules_keeps_bits);
}

static const char *giving_back(uint32_t i) {
  return store_if(i, rules_gives_back);
}

static const char *numbering(uint32_t i) {
  return store_if(i, rules_numbers);
}

static const char *fair(uint32_t i) {
  return engines[i] == NULL                       ? NULL
         : (engines[i]->needs & ENGINE_FAIR) != 0 ? engines[i]->name
                                                  : "";
}

static const char *numbered_orders(uint32_t i) {
  return order_if(i, rules_is_numbered);
}

static const char *with_path(uint32_t i) {
  return order_if(i, rules_is_path);
}

static const char *moving(uint32_t i) {
  return order_if(i, rules_can_move);
}

static const char *with_parents(uint32_t i) {
  return order_if(i, rules_needs_parents);
}

static const char *with_stack(uint32_t i) {
  return order_if(i, rules_has_stack);
}

static const char *for_room(uint32_t i) {
  return forget_kinds[i] == NULL        ? NULL
         : rules_drops(forget_kinds[i]) ? forget_kinds[i]->name
                                        : "";
}

static const char *forward(uint32_t i) {
  const struct forget_kind *kind = forget_kinds[i];
  return kind == NULL                                                      ? NULL
         : (kind->traits & FORGET_ONCE) != 0 && !rules_goes_backward(kind) ? kind->name
                                                                           : "";
}

static const char *backward(uint32_t i) {
  return forget_kinds[i] == NULL                ? NULL
         : rules_goes_backward(forget_kinds[i]) ? forget_kinds[i]->name
                                                : "";
}

static const char *by_progress(uint32_t i) {
  return forget_kinds[i] == NULL              ? NULL
         : rules_by_progress(forget_kinds[i]) ? forget_kinds[i]->name
                                              : "";
}

static const char *by_order(uint32_t i) {
  return reduction_kinds[i] == NULL           ? NULL
         : !rules_chooses(reduction_kinds[i]) ? reduction_kinds[i]->name
                                              : "";
}

static const char *everywhere(uint32_t i) {
  return reduction_kinds[i] == NULL           ? NULL
         : !rules_by_path(reduction_kinds[i]) ? reduction_kinds[i]->name
                                              : "";
}

static const struct {
  const char *mark;
  const char *(*item)(uint32_t i);
} lists[] = {{"stores with a number", numbered},
             {"stores with a size", sized},
             {"stores that forget", forgettable},
             {"stores that are saved", saved},
             {"lossy stores", lossy},
             {"orders that move", moving},
             {"orders with a path", with_path},
             {"orders that number", numbered_orders},
             {"stores with bits", with_bits},
             {"stores that give back", giving_back},
             {"stores that number", numbering},
             {"engines that judge fairness", fair},
             {"orders with parents", with_parents},
             {"orders with a stack", with_stack},
             {"forgetting for room", for_room},
             {"forgetting forward", forward},
             {"forgetting backward", backward},
             {"forgetting by progress", by_progress},
             {"reductions by order", by_order},
             {"reductions for every order", everywhere}};

struct writer {
  char *to;
  size_t room; /* with the 0 at the end */
};

static void write_text(struct writer *w, const char *text, size_t length) {
  size_t n = length < w->room ? length : w->room - 1;
  memcpy(w->to, text, n);
  w->to += n;
  w->room -= n;
  *w->to = '\0';
}

static void write_number(struct writer *w, uint32_t number) {
  char digits[16];
  int n = snprintf(digits, sizeof digits, "%u", number);
  write_text(w, digits, (size_t)n);
}

/* "a, b or c" */
static void write_list(struct writer *w, const char *(*item)(uint32_t i)) {
  const char *before = NULL, *name;
  bool any = false;
  for (uint32_t i = 0; (name = item(i)) != NULL; i++) {
    if (*name == '\0')
      continue;
    if (before != NULL) {
      write_text(w, ", ", any ? 2 : 0);
      write_text(w, before, strlen(before));
      any = true;
    }
    before = name;
  }
  write_text(w, " or ", any ? 4 : 0);
  if (before != NULL)
    write_text(w, before, strlen(before));
}

/* The name in question; NULL: there is none. */
static const char *name_of(const struct search_options *s, const char *mark, size_t n) {
  if (n == 5 && memcmp(mark, "store", n) == 0)
    return s->store.moves ? "auto" : s->store.kind->name;
  if (n == 5 && memcmp(mark, "order", n) == 0)
    return s->order.kind->name;
  if (n == 14 && memcmp(mark, "order argument", n) == 0)
    return s->order.kind->argument;
  if (n == 6 && memcmp(mark, "forget", n) == 0)
    return s->forget.kind == NULL ? NULL : s->forget.kind->name;
  if (n == 9 && memcmp(mark, "reduction", n) == 0)
    return rules_numbered(&s->reduce) == NULL ? NULL : rules_numbered(&s->reduce)->name;
  if (n == 6 && memcmp(mark, "choice", n) == 0)
    return s->reduce.kind == NULL ? NULL : s->reduce.kind->name;
  if (n == 6 && memcmp(mark, "cycles", n) == 0)
    return s->engine == NULL ? NULL : s->engine->name;
  if (n == 15 && memcmp(mark, "store parameter", n) == 0)
    return s->store.kind->parameter;
  return NULL;
}

static bool write_bound(struct writer *w, const struct search_options *s, const char *mark,
                        size_t n) {
  bool least = n > 6 && memcmp(mark + n - 6, " least", 6) == 0;
  bool most = n > 5 && memcmp(mark + n - 5, " most", 5) == 0;
  if (!least && !most)
    return false;
  if (memcmp(mark, "store", 5) == 0)
    write_number(w, least ? s->store.kind->least : s->store.kind->most);
  else if (rules_numbered(&s->reduce) != NULL)
    write_number(w,
                 least ? rules_numbered(&s->reduce)->least : rules_numbered(&s->reduce)->most);
  return true;
}

/* Where it is for a claim, or the model is not known yet: what can. */
static const char *why_forward(const struct rules_case *c) {
  return c->why_forward != NULL
             ? c->why_forward
             : "nets can, and models in DVE and Promela without merged steps or system "
               "sync, but not with a claim";
}

static void write_mark(struct writer *w, const struct rules_case *c, const char *mark,
                       size_t n) {
  const struct search_options *s = c->search;
  for (uint32_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (strlen(lists[i].mark) == n && memcmp(lists[i].mark, mark, n) == 0) {
      write_list(w, lists[i].item);
      return;
    }
  const bool forward = n == 16 && memcmp(mark, "why not backward", n) == 0;
  const char *name = forward ? why_forward(c) : name_of(s, mark, n);
  if (name != NULL)
    write_text(w, name, strlen(name));
  else if (!write_bound(w, s, mark, n))
    write_text(w, "NAME", 4);
}

static void write_filled(struct writer *w, const struct rules_case *c, const char *text) {
  for (const char *at = text; *at != '\0';) {
    size_t n = strcspn(at, "{");
    write_text(w, at, n);
    at += n;
    if (*at == '\0')
      return;
    n = strcspn(++at, "}");
    write_mark(w, c, at, n);
    at += n + 1;
  }
}

void rules_print(const struct rule *rule, const struct rules_case *c, char *text, size_t size) {
  struct writer w = {text, size};
  *text = '\0';
  write_filled(&w, c, rule->why);
  write_text(&w, ": ", 2);
  write_filled(&w, c, rule->instead);
}
