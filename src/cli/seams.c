/* seams.c - the values of those options that name methods, from the lists of their kinds. */
#include "cli/seams.h"

#include "search/forget/forget.h"
#include "search/frontier/frontier.h"
#include "search/reduce/reduce.h"

#include <string.h>

/* As many numbers of a reduction are named one by one. */
enum { REDUCE_FEW = 4 };

#define NAME_NONE "none"

static bool plain(struct seams_value *v, const char *name, const char *summary) {
  *v = (struct seams_value){.name = name, .summary = summary};
  snprintf(v->form, sizeof v->form, "%s", name);
  snprintf(v->word, sizeof v->word, "%s", name);
  snprintf(v->sample, sizeof v->sample, "%s", name);
  return true;
}

static bool order_value(uint32_t i, struct seams_value *v) {
  const struct frontier_kind *kind = frontier_kinds[i];
  if (kind == NULL)
    return false;
  plain(v, kind->name, kind->summary);
  if (kind->argument == NULL)
    return true;
  snprintf(v->form, sizeof v->form, "%s:%s", kind->name, kind->argument);
  snprintf(v->word, sizeof v->word, "%s:", kind->name);
  snprintf(v->sample, sizeof v->sample, "%s:1%s", kind->name,
           kind->n_parameters == 2 ? ",1" : "");
  return true;
}

static bool store_value(uint32_t i, struct seams_value *v) {
  if (i == 0)
    return plain(v, "auto",
                 "full, and smaller exact stores when memory is short; with --allow-lossy "
                 "also such as may miss states");
  const struct store_kind *kind = store_kinds[i - 1];
  if (kind == NULL)
    return false;
  plain(v, kind->name, kind->summary);
  snprintf(v->form, sizeof v->form, "%s%s%s", kind->name, kind->most > 0 ? "[:N]" : "",
           kind->sized ? "[,SIZE]" : "");
  if (kind->has & STORE_REBUILDS) {
    snprintf(v->form, sizeof v->form, "%s[:WORD+...]", kind->name);
    snprintf(v->argument, sizeof v->argument,
             "WORD: cache=N, anchors=N, shorten, numbers, forward, backward, actions; "
             "docs/comback.md");
  }
  if (kind->most > 0)
    snprintf(v->argument, sizeof v->argument, "N: %s, %u to %u%s", kind->parameter, kind->least,
             kind->most, kind->sized ? "; SIZE: of the table" : "");
  return true;
}

static bool forget_value(uint32_t i, struct seams_value *v) {
  if (i == 0)
    return plain(v, NAME_NONE, "nothing is forgotten");
  const struct forget_kind *kind = forget_kinds[i - 1];
  if (kind == NULL)
    return false;
  plain(v, kind->name, kind->summary);
  if (!(kind->traits & FORGET_ONCE)) {
    snprintf(v->form, sizeof v->form, "%s[:STRATEGY][,size=N]", kind->name);
  } else if (kind->traits & FORGET_DROPS) {
    snprintf(v->form, sizeof v->form, "%s[,size=N]", kind->name);
  } else if (kind->argument != NULL) {
    snprintf(v->form, sizeof v->form, "%s[:%s]", kind->name, kind->argument);
    snprintf(v->argument, sizeof v->argument, "%s: %s, %u to %u", kind->argument,
             kind->argument_means, kind->least, kind->most);
  }
  if (kind->traits & FORGET_CLASSES) /* goes by progress */
    snprintf(v->sample, sizeof v->sample, "%s --progress auto:3", kind->name);
  return true;
}

/* How many values a reduction has, but for forced ones: one for each number that it takes, if
 * they are few. */
static uint32_t reduce_numbers(const struct reduction_kind *kind) {
  uint32_t more = kind->most - kind->least;
  return more < REDUCE_FEW ? more + 1 : 1;
}

static void reduce_fill(const struct reduction_kind *kind, uint32_t number, bool forced,
                        struct seams_value *v) {
  const char *force = forced ? ":force" : "";
  plain(v, kind->name,
        forced ? "the same, but goes on where states may be lost, and is partial then"
               : kind->summary);
  if (kind->most == 0)
    snprintf(v->form, sizeof v->form, "%s%s", kind->name, force);
  else
    snprintf(v->form, sizeof v->form, "%s:%u%s", kind->name, number, force);
  snprintf(v->sample, sizeof v->sample, "%s", v->form);
  snprintf(v->word, sizeof v->word, "%.31s", v->form);
  if (kind->most - kind->least < REDUCE_FEW)
    return;
  snprintf(v->form, sizeof v->form, "%s:N%s", kind->name, force);
  snprintf(v->word, sizeof v->word, "%s:", kind->name);
  snprintf(v->argument, sizeof v->argument, "N: %u to %u", kind->least, kind->most);
}

/* Two reductions, one of which chooses; the other one with each number that it may have then.
 */
static bool reduce_pair(uint32_t i, struct seams_value *v) {
  for (uint32_t c = 0; reduction_kinds[c] != NULL; c++)
    for (uint32_t k = 0; reduction_kinds[k] != NULL; k++) {
      const struct reduction_kind *kind = reduction_kinds[k];
      if (!(reduction_kinds[c]->traits & REDUCTION_CHOOSES) ||
          !(kind->traits & REDUCTION_BESIDE) || i-- > 0)
        continue;
      plain(v, reduction_kinds[c]->name,
            "both: of what the first one leaves the second one fires less");
      snprintf(v->form, sizeof v->form, kind->most > 0 ? "%s,%s:%u" : "%s,%s",
               reduction_kinds[c]->name, kind->name, kind->least);
      snprintf(v->word, sizeof v->word, "%.31s", v->form);
      snprintf(v->sample, sizeof v->sample, "%s", v->form);
      return true;
    }
  return false;
}

/* Of each reduction its numbers, and each that may be forced. */
static bool reduce_value(uint32_t i, struct seams_value *v) {
  if (i == 0)
    return plain(v, NAME_NONE, "all events are fired");
  if (i == 1)
    return plain(v, "auto", "por, merge, dead and chain, where sound for what is asked");
  if (i == 2)
    return plain(v, "chain",
                 "with --forget, states with one successor are not kept for what follows");
  if (i == 3)
    return plain(
        v, "merge",
        "steps that nobody else can notice are joined to the ones before them, and the "
        "states in between are not stored");
  if (i == 4)
    return plain(v, "dead",
                 "variables of processes that are written before they are read again are zero "
                 "in stored states");
  uint32_t at = 5;
  for (uint32_t k = 0; reduction_kinds[k] != NULL; k++) {
    const struct reduction_kind *kind = reduction_kinds[k];
    for (uint32_t n = 0; n < reduce_numbers(kind); n++) {
      uint32_t number = kind->least + n, ways = reduction_may_lose(kind, number) ? 2 : 1;
      if (i < at + ways) {
        reduce_fill(kind, number, i > at, v);
        return true;
      }
      at += ways;
    }
  }
  return reduce_pair(i - at, v);
}

static bool action_value(uint32_t i, struct seams_value *v) {
  static const char *const names[] = {"model", "reverse", "random"};
  static const char *const summaries[] = {"as the model has them", "the other way round",
                                          "any, which depends on SEED"};
  if (i >= sizeof names / sizeof *names)
    return false;
  plain(v, names[i], summaries[i]);
  if (i == 2) {
    snprintf(v->form, sizeof v->form, "random:SEED");
    snprintf(v->word, sizeof v->word, "random:");
  }
  return true;
}

bool seams_value(enum option option, uint32_t i, struct seams_value *value) {
  switch (option) {
  case OPTION_ORDER:
  case OPTION_ORDERS:
    return order_value(i, value);
  case OPTION_STORE:
  case OPTION_STORES:
    return store_value(i, value);
  case OPTION_FORGET:
    return forget_value(i, value);
  case OPTION_REDUCE:
  case OPTION_REDUCTIONS:
    return reduce_value(i, value);
  case OPTION_ACTION_ORDER:
    return action_value(i, value);
  default:
    return false;
  }
}

void seams_names(enum option option, char *text, size_t size) {
  struct seams_value v;
  const char *before = "";
  size_t at = 0;
  *text = '\0';
  for (uint32_t i = 0; seams_value(option, i, &v); i++) {
    if (strcmp(before, v.name) == 0) /* further forms of one name */
      continue;
    int n = snprintf(text + at, size - at, "%s%s", at > 0 ? ", " : "", v.name);
    at += (size_t)n < size - at ? (size_t)n : size - at - 1;
    before = v.name;
  }
}
