/* names.c - the table of names: open addressing over symbols in order of entry. */
#include "lang/dve/names.h"

#include "base/diag.h"

#include <string.h>
#include <xxhash.h>

/* Longer names are typed by programs, which do not need hints. */
#define HINT_LENGTH 48u

struct symbols {
  struct dve_symbol *at;
  uint32_t n, capacity;
};

struct dve_names {
  struct arena *arena;
  struct symbols symbols;
  uint32_t *slot; /* 1 + index of a symbol; 0: free */
  uint32_t mask;
};

struct dve_names *dve_names_open(struct arena *arena) {
  struct dve_names *names = ARENA_NEW(arena, struct dve_names);
  names->arena = arena;
  names->mask = 63;
  names->slot = ARENA_ARRAY(arena, names->mask + 1, uint32_t);
  return names;
}

static uint32_t hash_name(const struct ir_process *scope, bool location, const char *text,
                          size_t length) {
  uint64_t seed = (uint64_t)(uintptr_t)scope * 2 + location;
  return (uint32_t)XXH64(text, length, seed);
}

static bool is_named(const struct dve_symbol *s, const struct ir_process *scope, bool location,
                     const char *text, size_t length) {
  return s->scope == scope && (s->kind == DVE_SYMBOL_LOCATION) == location &&
         strncmp(s->name, text, length) == 0 && s->name[length] == '\0';
}

/* The slot where the name is, or the free one where it would go. */
static uint32_t *probe(const struct dve_names *names, const struct ir_process *scope,
                       bool location, const char *text, size_t length) {
  uint32_t i = hash_name(scope, location, text, length) & names->mask;
  while (names->slot[i] != 0 &&
         !is_named(&names->symbols.at[names->slot[i] - 1], scope, location, text, length))
    i = (i + 1) & names->mask;
  return &names->slot[i];
}

static uint32_t *probe_symbol(const struct dve_names *names, const struct dve_symbol *s) {
  return probe(names, s->scope, s->kind == DVE_SYMBOL_LOCATION, s->name, strlen(s->name));
}

static void double_slots(struct dve_names *names) {
  names->mask = names->mask * 2 + 1;
  names->slot = ARENA_ARRAY(names->arena, names->mask + 1, uint32_t);
  for (uint32_t i = 0; i < names->symbols.n; i++)
    *probe_symbol(names, &names->symbols.at[i]) = i + 1;
}

const struct dve_symbol *dve_names_add(struct dve_names *names, const struct dve_symbol *s) {
  uint32_t *slot = probe_symbol(names, s);
  if (*slot != 0)
    return &names->symbols.at[*slot - 1];
  *ARENA_PUSH(names->arena, &names->symbols) = *s;
  *slot = names->symbols.n;
  if (names->symbols.n > names->mask / 2)
    double_slots(names);
  return NULL;
}

const struct dve_symbol *dve_names_find(const struct dve_names *names,
                                        const struct ir_process *scope, bool location,
                                        struct span name) {
  const uint32_t *slot =
      probe(names, scope, location, name.source->text + name.begin, name.end - name.begin);
  return *slot == 0 ? NULL : &names->symbols.at[*slot - 1];
}

const char *dve_names_closest(const struct dve_names *names, const struct ir_process *scope,
                              unsigned kinds, struct span wrong) {
  uint32_t length = wrong.end - wrong.begin;
  if (length > HINT_LENGTH)
    return NULL;
  const char **known = ARENA_ARRAY(names->arena, names->symbols.n + 1, const char *);
  uint32_t n = 0;
  for (uint32_t i = 0; i < names->symbols.n; i++) {
    const struct dve_symbol *s = &names->symbols.at[i];
    if ((s->kind & kinds) != 0 && (s->scope == NULL || s->scope == scope))
      known[n++] = s->name;
  }
  const char *text = arena_text(names->arena, wrong.source->text + wrong.begin, length);
  return diag_closest(text, known, n);
}

const struct dve_symbol *dve_names_elsewhere(const struct dve_names *names, struct span name) {
  const char *text = name.source->text + name.begin;
  size_t length = name.end - name.begin;
  for (uint32_t i = 0; i < names->symbols.n; i++) {
    const struct dve_symbol *s = &names->symbols.at[i];
    if (s->scope != NULL && strncmp(s->name, text, length) == 0 && s->name[length] == '\0')
      return s;
  }
  return NULL;
}

static void add_process(struct dve_names *names, struct ir_process *p) {
  struct dve_symbol s = {
      .kind = DVE_SYMBOL_PROCESS, .name = p->name, .span = p->span, .process = p};
  dve_names_add(names, &s);
  for (uint32_t i = 0; i < p->n_variables; i++) {
    s = (struct dve_symbol){.kind = DVE_SYMBOL_VARIABLE,
                            .scope = p,
                            .name = p->variable[i]->name,
                            .span = p->variable[i]->span,
                            .variable = p->variable[i]};
    dve_names_add(names, &s);
  }
  for (uint32_t i = 0; i < p->n_locations; i++) {
    s = (struct dve_symbol){.kind = DVE_SYMBOL_LOCATION,
                            .scope = p,
                            .name = p->location[i].name,
                            .span = p->location[i].span,
                            .process = p,
                            .location = i};
    dve_names_add(names, &s);
  }
}

struct dve_names *dve_names_of_model(struct ir_model *model) {
  struct dve_names *names = dve_names_open(model->arena);
  for (uint32_t i = 0; i < model->n_globals; i++) {
    struct ir_variable *v = model->global[i];
    struct dve_symbol s = {
        .kind = DVE_SYMBOL_VARIABLE, .name = v->name, .span = v->span, .variable = v};
    dve_names_add(names, &s);
  }
  for (uint32_t i = 0; i < model->n_channels; i++) {
    struct ir_channel *c = model->channel[i];
    struct dve_symbol s = {
        .kind = DVE_SYMBOL_CHANNEL, .name = c->name, .span = c->span, .channel = c};
    dve_names_add(names, &s);
  }
  for (uint32_t i = 0; i < model->n_processes; i++)
    add_process(names, model->process[i]);
  return names;
}
