/* info.c - `cairn info`: what a model consists of.
 *
 * Nothing is compiled: layout, actions and their read and write sets come from
 * the checked model. The text and the JSON object show the same facts.
 */
#include "cli/command.h"
#include "cli/loaded.h"
#include "cli/set_names.h"
#include "cli/undone.h"
#include "cli/written.h"

#include "report/json.h"
#include "report/steps.h"
#include "report/value.h"

#include <string.h>

struct facts {
  const struct options *o;
  struct loaded loaded;
  const struct ir_model *model; /* of no language of IR: one without anything in it */
  const struct ts_shape *shape;
  struct ts_shape *laid_out; /* the same; NULL: of no language of IR */
  const struct ir_actions *actions;
  uint64_t packed_bits;
  struct undone undone;
};

/* Frames of several templates may overlap: a bit is counted once. */
static void count_bits(struct facts *f) {
  const struct ts_shape *shape = f->shape;
  uint8_t *used = arena_alloc(f->loaded.arena, shape->max_bytes + 8u);
  for (uint32_t i = 0; i < shape->n_slots; i++)
    for (uint32_t b = 0; b < shape->slot[i].bits; b++)
      used[shape->slot[i].offset + b / 8] |= (uint8_t)(1u << b % 8);
  for (uint32_t i = 0; i < shape->max_bytes; i++)
    f->packed_bits += (uint32_t)__builtin_popcount(used[i]);
}

static const struct ir_model *empty_model(const struct facts *f) {
  const struct loaded *l = &f->loaded;
  struct ir_model *model = ARENA_NEW(l->arena, struct ir_model);
  model->arena = l->arena;
  model->name = l->ts->shape->name;
  model->language = l->language->name;
  model->hash = loaded_hash(l);
  return model;
}

static bool analyse(struct facts *f) {
  struct loaded *l = &f->loaded;
  const char *why = NULL;
  jmp_buf at;
  if (setjmp(at) != 0)
    return loaded_spent(l);
  arena_guard(l->arena, &at);
  if (!loaded_is_compiled(l)) {
    f->model = empty_model(f);
    f->shape = l->ts->shape;
  } else {
    const struct native_options options = {0};
    struct native_failure failure = {0};
    const bool fine = native_prepare(l->model, &options, l->budget, &failure);
    struct ts_shape *shape = fine ? ir_layout(l->model, &why) : NULL;
    why = fine ? why : failure.why;
    f->model = l->model;
    f->shape = f->laid_out = shape;
    f->actions = shape == NULL ? NULL : ir_actions(l->model, &why);
    if (f->actions != NULL)
      ir_access(l->model, f->actions, shape);
  }
  if (f->shape != NULL && (l->model == NULL || f->actions != NULL))
    undone_find(&f->undone, l, f->actions, f->shape);
  arena_guard(l->arena, NULL);
  if (f->shape == NULL || (l->model != NULL && f->actions == NULL))
    return loaded_fail(l, 2, "%s: %s", l->path, why);
  count_bits(f);
  return true;
}

/* ---- text ------------------------------------------------------------------------------ */

static void print_location(const struct ir_process *p, uint32_t i) {
  const struct ir_location *location = &p->location[i];
  printf("%s%s%s%s%s", i > 0 ? ", " : "", location->name, i == p->initial ? " (initial)" : "",
         (location->flags & IR_COMMITTED) != 0 ? " (committed)" : "",
         (location->flags & IR_ACCEPTING) != 0 ? " (accepting)" : "");
}

static void print_processes(const struct ir_model *model) {
  puts("\nprocesses");
  for (uint32_t i = 0; i < model->n_processes; i++) {
    const struct ir_process *p = model->process[i];
    printf("  %s%s: %u transition%s, locations ", p->name,
           p->is_property ? " (property, not part of the system)" : "", p->n_edges,
           p->n_edges == 1 ? "" : "s");
    for (uint32_t k = 0; k < p->n_locations; k++)
      print_location(p, k);
    fputc('\n', stdout);
  }
}

static void print_channels(const struct ir_model *model) {
  if (model->n_channels == 0)
    return;
  puts("\nchannels");
  for (uint32_t i = 0; i < model->n_channels; i++) {
    const struct ir_channel *c = model->channel[i];
    printf("  %s: ", c->name);
    if (c->capacity == 0)
      fputs("rendezvous", stdout);
    else
      printf("%u message%s", c->capacity, c->capacity == 1 ? "" : "s");
    printf(", %u value%s each\n", c->n_fields, c->n_fields == 1 ? "" : "s");
  }
}

/* Elements of an array follow each other, of other variables there is one. */
static uint32_t variable_bytes(const struct ts_shape *shape, const struct ts_variable *v) {
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < v->n_slots; i++)
    bytes += shape->slot[v->first_slot + i].bytes;
  return bytes;
}

static int longest_name(const struct ts_shape *shape) {
  size_t longest = 4;
  for (uint32_t i = 0; i < shape->n_variables; i++)
    if (strlen(shape->variable[i].name) > longest)
      longest = strlen(shape->variable[i].name);
  return longest < 40 ? (int)longest : 40;
}

static void print_variables(const struct ts_shape *shape) {
  int width = longest_name(shape);
  printf("\nvariables\n  %-*s  %-10s  %6s  %5s  %4s\n", width, "name", "type", "offset",
         "bytes", "bits");
  for (uint32_t i = 0; i < shape->n_variables; i++) {
    const struct ts_variable *v = &shape->variable[i];
    char type[80];
    const char *name = v->type != NULL ? v->type : v->is_location ? "location" : "";
    if (v->is_array)
      snprintf(type, sizeof type, "%.50s[%u]", name, v->n_slots);
    else
      snprintf(type, sizeof type, "%.50s", name);
    if (v->n_slots == 0) {
      printf("  %-*s  %-10s  (no part of the state)\n", width, v->name, type);
      continue;
    }
    const struct ts_slot *slot = &shape->slot[v->first_slot];
    printf("  %-*s  %-10s  %6u  %5u  %4u\n", width, v->name, type, slot->offset,
           variable_bytes(shape, v), slot->bits * v->n_slots);
  }
}

static void print_components(const struct ts_shape *shape) {
  puts("\ncomponents of the state vector");
  for (uint32_t i = 0; i < shape->n_components; i++) {
    const struct ts_component *c = &shape->component[i];
    printf("  %2u  %s: bytes %u to %u, %u slot%s\n", i, c->name, c->offset,
           c->offset + c->bytes, c->n_slots, c->n_slots == 1 ? "" : "s");
  }
}

static void print_names(struct set_names *names) {
  char name[200];
  bool any = false;
  for (; set_names_next(names, name, sizeof name); any = true)
    printf("%s%s", any ? ", " : " ", name);
  puts(any ? "" : " nothing");
}

static void print_set(const struct ts_shape *shape, const struct ts_rows *rows, uint32_t a) {
  struct set_names names;
  set_names_of_row(&names, shape, rows, a);
  print_names(&names);
}

static void print_groups(const struct ts_shape *shape) {
  bool any = false;
  for (uint32_t g = 0; g < shape->n_groups; g++) {
    struct set_names names;
    if (!set_names_group_is_apart(shape, g))
      continue;
    if (!any)
      puts("\ngroups of variables in these sets");
    any = true;
    printf("  @%u", g);
    set_names_of_group(&names, shape, g);
    print_names(&names);
  }
}

static void print_actions(const struct facts *f) {
  const struct ts_shape *shape = f->shape;
  puts("\nactions");
  for (uint32_t a = 0; a < shape->n_actions; a++) {
    const struct ts_action *action = &shape->action[a];
    for (uint32_t m = 0; m < action->n_movers; m++) {
      const struct ts_mover *mover = &action->mover[m];
      char number[16] = "";
      if (m == 0)
        snprintf(number, sizeof number, "%u", a);
      printf("  %5s  %s, line %u: %s -> %s  %s\n", number,
             mover->component == TS_NONE ? "" : shape->component[mover->component].name,
             mover->place.line, mover->from == NULL ? "" : mover->from,
             mover->to == NULL ? "" : mover->to, mover->text == NULL ? "" : mover->text);
    }
    if (action->n_movers == 0)
      printf("  %5u  all processes at once\n", a);
    fputs("           reads", stdout);
    print_set(shape, &shape->reads, a);
    fputs("           writes", stdout);
    print_set(shape, &shape->writes, a);
    undone_print_action(&f->undone, a);
  }
}

static void print_text(const struct facts *f) {
  const struct ir_model *model = f->model;
  const struct ts_shape *shape = f->shape;
  printf("model       %s (%s), %s\n", model->name, model->language,
         !loaded_is_compiled(&f->loaded) ? f->loaded.language->summary
         : model->synchronous            ? "all processes move at once"
                                         : "one process moves at a time");
  printf("hash        %016llx\n", (unsigned long long)model->hash);
  printf("state       %u bytes as it is computed with, %llu packed (%llu bits)\n",
         shape->max_bytes, (unsigned long long)(f->packed_bits + 7) / 8,
         (unsigned long long)f->packed_bits);
  const struct net_model *net = loaded_net(&f->loaded);
  if (net != NULL)
    printf("net         %u places, %u transitions (%u and %u in the text)\n",
           net->net->n_places, net->net->n_transitions, net->net->n_place_groups,
           net->net->n_transition_groups);
  printf("size        %u process%s, %u variable%s, %u channel%s, %u action%s\n",
         model->n_processes, model->n_processes == 1 ? "" : "es", shape->n_variables,
         shape->n_variables == 1 ? "" : "s", model->n_channels,
         model->n_channels == 1 ? "" : "s", shape->n_actions, shape->n_actions == 1 ? "" : "s");
  undone_print(&f->undone);
  for (uint32_t i = 0; i < model->n_unchecked; i++)
    printf("unchecked   %s\n", model->unchecked[i]);
  print_processes(model);
  print_channels(model);
  print_components(shape);
  print_variables(shape);
  print_actions(f);
  print_groups(shape);
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void json_processes(struct json *json, const struct ir_model *model) {
  json_array(json, "processes", false);
  for (uint32_t i = 0; i < model->n_processes; i++) {
    const struct ir_process *p = model->process[i];
    json_object(json, NULL, true);
    json_string(json, "name", p->name);
    json_bool(json, "property", p->is_property);
    json_unsigned(json, "transitions", p->n_edges);
    json_string(json, "initial", p->location[p->initial].name);
    json_array(json, "locations", true);
    for (uint32_t k = 0; k < p->n_locations; k++) {
      json_object(json, NULL, true);
      json_string(json, "name", p->location[k].name);
      json_bool(json, "committed", (p->location[k].flags & IR_COMMITTED) != 0);
      json_bool(json, "accepting", (p->location[k].flags & IR_ACCEPTING) != 0);
      json_close_object(json);
    }
    json_close_array(json);
    json_close_object(json);
  }
  json_close_array(json);
}

static void json_channels(struct json *json, const struct ir_model *model) {
  json_array(json, "channels", false);
  for (uint32_t i = 0; i < model->n_channels; i++) {
    const struct ir_channel *c = model->channel[i];
    json_object(json, NULL, true);
    json_string(json, "name", c->name);
    json_unsigned(json, "capacity", c->capacity);
    json_unsigned(json, "fields", c->n_fields);
    json_close_object(json);
  }
  json_close_array(json);
}

static void json_variables(struct json *json, const struct ts_shape *shape) {
  json_array(json, "variables", false);
  for (uint32_t i = 0; i < shape->n_variables; i++) {
    const struct ts_variable *v = &shape->variable[i];
    const struct ts_slot *slot = v->n_slots > 0 ? &shape->slot[v->first_slot] : NULL;
    json_object(json, NULL, true);
    json_string(json, "name", v->name);
    json_string(json, "type", v->type);
    json_bool(json, "location", v->is_location);
    json_bool(json, "array", v->is_array);
    json_unsigned(json, "elements", v->n_slots);
    json_unsigned(json, "component", v->component);
    if (slot != NULL) {
      json_unsigned(json, "offset", slot->offset);
      json_unsigned(json, "bytes", slot->bytes);
      json_unsigned(json, "bits", slot->bits);
      json_bool(json, "signed", slot->is_signed);
    }
    json_unsigned(json, "line", v->place.line);
    json_close_object(json);
  }
  json_close_array(json);
}

static void json_components(struct json *json, const struct ts_shape *shape) {
  json_array(json, "components", false);
  for (uint32_t i = 0; i < shape->n_components; i++) {
    const struct ts_component *c = &shape->component[i];
    json_object(json, NULL, true);
    json_string(json, "name", c->name);
    json_unsigned(json, "offset", c->offset);
    json_unsigned(json, "bytes", c->bytes);
    json_unsigned(json, "slots", c->n_slots);
    json_close_object(json);
  }
  json_close_array(json);
}

static void json_names(struct json *json, const char *key, struct set_names *names) {
  char name[200];
  json_array(json, key, true);
  while (set_names_next(names, name, sizeof name))
    json_string(json, NULL, name);
  json_close_array(json);
}

static void json_set(struct json *json, const char *key, const struct ts_shape *shape,
                     const struct ts_rows *rows, uint32_t a) {
  struct set_names names;
  set_names_of_row(&names, shape, rows, a);
  json_names(json, key, &names);
}

static void json_groups(struct json *json, const struct ts_shape *shape) {
  json_object(json, "groups", false);
  for (uint32_t g = 0; g < shape->n_groups; g++) {
    struct set_names names;
    char key[16];
    if (!set_names_group_is_apart(shape, g))
      continue;
    snprintf(key, sizeof key, "@%u", g);
    set_names_of_group(&names, shape, g);
    json_names(json, key, &names);
  }
  json_close_object(json);
}

static void json_actions(struct json *json, const struct facts *f) {
  const struct ts_shape *shape = f->shape;
  json_array(json, "actions", false);
  for (uint32_t a = 0; a < shape->n_actions; a++) {
    json_object(json, NULL, true);
    json_array(json, "movers", true);
    for (uint32_t m = 0; m < shape->action[a].n_movers; m++) {
      const struct ts_mover *mover = &shape->action[a].mover[m];
      json_object(json, NULL, true);
      json_string(json, "process",
                  mover->component == TS_NONE ? mover->name
                                              : shape->component[mover->component].name);
      json_string(json, "from", mover->from);
      json_string(json, "to", mover->to);
      json_string(json, "text", mover->text);
      json_unsigned(json, "line", mover->place.line);
      json_close_object(json);
    }
    json_close_array(json);
    json_set(json, "reads", shape, &shape->reads, a);
    json_set(json, "writes", shape, &shape->writes, a);
    undone_json_action(&f->undone, json, a);
    json_close_object(json);
  }
  json_close_array(json);
}

static void write_object(void *context, FILE *file) {
  const struct facts *f = context;
  const struct ir_model *model = f->model;
  struct json json;
  char hash[24];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)model->hash);
  json_begin(&json, file);
  json_object(&json, NULL, false);
  json_unsigned(&json, "format", 1);
  json_string(&json, "cairn", CAIRN_VERSION);
  json_string(&json, "model", f->o->operand[0]);
  json_string(&json, "language", model->language);
  json_string(&json, "hash", hash);
  json_bool(&json, "synchronous", model->synchronous);
  json_unsigned(&json, "state_bytes", f->shape->max_bytes);
  json_unsigned(&json, "packed_bits", f->packed_bits);
  undone_json(&f->undone, &json);
  json_array(&json, "unchecked", true);
  for (uint32_t i = 0; i < model->n_unchecked; i++)
    json_string(&json, NULL, model->unchecked[i]);
  json_close_array(&json);
  json_processes(&json, model);
  json_channels(&json, model);
  json_components(&json, f->shape);
  json_variables(&json, f->shape);
  json_actions(&json, f);
  json_groups(&json, f->shape);
  json_close_object(&json);
  json_end(&json);
}

/* ---- the C text ----------------------------------------------------------------------------
 */

static bool print_code(struct facts *f) {
  if (f->actions == NULL)
    return loaded_fail(
        &f->loaded, 2,
        "%s: models of this language are not compiled, so there is no code to show",
        f->loaded.path);
  struct text text;
  text_init(&text, f->loaded.budget, BUDGET_CODE);
  jmp_buf at;
  if (setjmp(at) != 0)
    return loaded_spent(&f->loaded);
  arena_guard(f->loaded.arena, &at);
  const struct native_options options = {0};
  bool fine = native_emit(f->model, f->actions, f->laid_out, &options, &text);
  arena_guard(f->loaded.arena, NULL);
  if (fine)
    fwrite(text.at, 1, text.length, stdout);
  text_free(&text);
  return fine || loaded_spent(&f->loaded);
}

int command_info(const struct options *o) {
  struct facts f = {.o = o};
  const char *json = o->value[OPTION_JSON].text;
  bool fine = loaded_start(&f.loaded, o);
  f.loaded.how.backward = o->value[OPTION_BACKWARD].given;
  fine = fine && loaded_parse(&f.loaded, NULL, 0) && analyse(&f);
  if (fine && o->value[OPTION_CODE].given) {
    fine = print_code(&f);
  } else if (fine) {
    if (json == NULL || strcmp(json, "-") != 0)
      print_text(&f);
    fine =
        json == NULL || written_file(&f.loaded, OPTION_JSON, &outfile_json, write_object, &f);
  }
  loaded_close(&f.loaded);
  return fine ? 0 : f.loaded.status;
}
