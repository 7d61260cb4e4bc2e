/* explain.c - what a model written in C says of a state in which nothing follows, and the
 * values with which a condition of the command line fails. */
#include "foreign/foreign.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- who is stuck ----------------------------------------------------------------------- */

/* The model's function may crash, and is left then: what it tells goes to room that is there
 * before. */
#define TOLD_MOST 64u /* statements */
#define TOLD_NAME 80u
#define TOLD_TEXT 240u

struct told {
  char process[TOLD_NAME], statement[TOLD_TEXT], needs[TOLD_TEXT];
  uint32_t line;
  bool is_at_end;
};

struct telling {
  struct cairn_stuck stuck; /* first: the model gives it back */
  const struct foreign *f;
  const uint8_t *state;
  struct told *told;
  uint32_t n, more;
};

static void put(char *to, size_t size, const char *text) {
  snprintf(to, size, "%s", text == NULL ? "" : text);
  for (; *to != '\0'; to++)
    if ((unsigned char)*to < 32 || *to == 127)
      *to = ' ';
}

static void tell(struct cairn_stuck *stuck, const char *process, uint32_t line,
                 const char *statement, const char *needs, int is_at_end) {
  struct telling *t = (struct telling *)(void *)stuck;
  if (t->n == TOLD_MOST) {
    t->more++;
    return;
  }
  struct told *told = &t->told[t->n++];
  put(told->process, sizeof told->process, process);
  put(told->statement, sizeof told->statement, statement);
  put(told->needs, sizeof told->needs, needs);
  told->line = line;
  told->is_at_end = is_at_end != 0;
}

static void explain(void *context) {
  struct telling *t = context;
  t->f->model->explain(t->state, &t->stuck);
}

static struct ts_place place_of(const struct foreign *f, uint32_t line) {
  const struct ts_place nowhere = {0}, there = {f->shape.name, line, 1};
  return line == 0 ? nowhere : there;
}

/* What is told of one process in a row is about the same one. */
static void gather(const struct telling *t, struct arena *arena, struct ts_waiters *out) {
  struct ts_waiter *list = ARENA_ARRAY(arena, t->n, struct ts_waiter), *last = NULL;
  struct ts_need *need = ARENA_ARRAY(arena, t->n, struct ts_need);
  out->at = list;
  for (uint32_t i = 0; i < t->n; i++) {
    const struct told *told = &t->told[i];
    const struct ts_place place = place_of(t->f, told->line);
    if (last == NULL || strcmp(last->process, told->process) != 0) {
      last = &list[out->n++];
      *last = (struct ts_waiter){.process = told->process, .place = place, .need = need};
    }
    last->is_at_end |= told->is_at_end;
    if (*told->statement == '\0' && *told->needs == '\0')
      continue;
    *need++ = (struct ts_need){told->statement, told->needs, place};
    last->n_needs++;
  }
  if (last != NULL)
    last->n_more = t->more;
}

void foreign_waiters(const struct ts_explain *x, const uint8_t *state, struct arena *arena,
                     struct ts_waiters *out) {
  struct telling t = {.stuck = {tell}, .f = x->model, .state = state};
  t.told = ARENA_ARRAY(arena, TOLD_MOST, struct told);
  foreign_call(t.f, explain, &t);
  if (t.n > 0)
    gather(&t, arena, out);
}

/* ---- values ------------------------------------------------------------------------------ */

#define ELEMENTS_MOST 8u

/* The values of a variable: one, or those of its elements; `index`: what follows its name. */
static const char *values_of(const struct foreign *f, const struct ts_variable *v,
                             const char *index, const uint8_t *state, struct arena *arena) {
  char text[200];
  if (!v->is_array) {
    foreign_word_value(&f->shape, v->first_slot, state, text, sizeof text);
    return arena_printf(arena, "%s = %s", v->name, text);
  }
  const bool is_one = index[0] == '[' && isdigit((unsigned char)index[1]);
  const unsigned long one = is_one ? strtoul(index + 1, NULL, 0) : 0;
  if (is_one && one < v->n_slots) {
    foreign_word_value(&f->shape, v->first_slot + (uint32_t)one, state, text, sizeof text);
    return arena_printf(arena, "%s[%lu] = %s", v->name, one, text);
  }
  const char *all = arena_printf(arena, "%s = {", v->name);
  for (uint32_t k = 0; k < v->n_slots && k < ELEMENTS_MOST; k++) {
    foreign_word_value(&f->shape, v->first_slot + k, state, text, sizeof text);
    all = arena_printf(arena, "%s%s%s", all, k > 0 ? ", " : "", text);
  }
  return arena_printf(arena, "%s%s}", all, v->n_slots > ELEMENTS_MOST ? ", …" : "");
}

static bool is_named(const char *name, const char *at, size_t length) {
  return strlen(name) == length && strncmp(name, at, length) == 0;
}

static const char *value_named(const struct foreign *f, const char *at, size_t length,
                               const uint8_t *state, struct arena *arena) {
  for (uint32_t i = 0; i < f->shape.n_variables; i++) {
    const struct ts_variable *v = &f->shape.variable[i];
    if (f->number[i] != TS_NONE && is_named(v->name, at, length))
      return values_of(f, v, at + length, state, arena);
  }
  for (uint32_t i = 0; i < f->model->n_labels; i++)
    if (is_named(f->model->label[i].name, at, length))
      return arena_printf(arena, "%s = %d", f->model->label[i].name,
                          foreign_label(f, i, state));
  return NULL;
}

static bool is_listed(const char *all, const char *one) {
  const size_t n = strlen(one);
  for (const char *at = all; at != NULL && (at = strstr(at, one)) != NULL; at++)
    if ((at == all || at[-1] == ' ') && (at[n] == '\0' || at[n] == ','))
      return true;
  return false;
}

/* Conditions of the model are functions: nothing is known of what they read. */
const char *foreign_values(const struct ts_explain *x, uint32_t property, const uint8_t *state,
                           struct arena *arena) {
  const struct foreign *f = x->model;
  const char *all = NULL;
  if (property < f->model->n_invariants)
    return NULL;
  for (const char *at = f->shape.property[property].text; *at != '\0';) {
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
      length++;
    const char *one = length == 0 || isdigit((unsigned char)*at)
                          ? NULL
                          : value_named(f, at, length, state, arena);
    if (one != NULL && !is_listed(all, one))
      all = all == NULL ? one : arena_printf(arena, "%s, %s", all, one);
    at += length == 0 ? 1 : length;
  }
  return all;
}
