/* undone.c - `cairn info --backward`: how each action of a model is undone. */
#include "cli/undone.h"

void undone_find(struct undone *u, struct loaded *l, const struct ir_actions *actions,
                 const struct ts_shape *shape) {
  u->asked = l->o->value[OPTION_BACKWARD].given;
  u->has_claims = shape->n_claims > 0;
  if (u->asked && actions != NULL) {
    u->undo = ir_undo(l->model, actions, shape, &u->why_not);
  } else if (u->asked) {
    u->exactly = ts_code(l->ts)->predecessors != NULL;
    u->why_not = u->exactly ? NULL : loaded_why_forward(l);
  }
}

static struct undo_manner manner_of(const struct undone *u, uint32_t action) {
  return u->exactly ? (struct undo_manner){UNDO_EXACT, 1} : undo_manner(u->undo, action);
}

void undone_print(const struct undone *u) {
  if (u->asked && u->why_not == NULL)
    printf("backward    yes%s\n",
           u->has_claims ? ", but not while a claim is checked: --property safety leaves "
                           "claims out"
                         : "");
  else if (u->asked)
    printf("backward    no: %s\n", u->why_not);
}

void undone_print_action(const struct undone *u, uint32_t action) {
  if (!u->asked || u->why_not != NULL)
    return;
  const struct undo_manner manner = manner_of(u, action);
  char number[32] = "very many";
  if (manner.ways < UINT64_MAX)
    snprintf(number, sizeof number, "up to %llu", (unsigned long long)manner.ways);
  if (manner.way == UNDO_EXACT)
    puts("           undone exactly");
  else if (manner.way == UNDO_CANNOT)
    puts("           not undone: it does more than to assign, to run a process, to end without "
         "channels of its own, and to send and receive up to 256 values");
  else
    printf("           undone by trying %s states%s\n", number,
           manner.way == UNDO_LIMITED
               ? "; where that is too many, what leads to a state cannot be told"
               : "");
}

void undone_json(const struct undone *u, struct json *json) {
  if (!u->asked)
    return;
  json_object(json, "backward", true);
  json_bool(json, "can", u->why_not == NULL);
  json_bool(json, "only_without_claims", u->why_not == NULL && u->has_claims);
  json_string(json, "why_not", u->why_not);
  json_close_object(json);
}

void undone_json_action(const struct undone *u, struct json *json, uint32_t action) {
  static const char *const names[] = {"exactly", "by-trying", "limited", "not"};
  if (!u->asked || u->why_not != NULL)
    return;
  const struct undo_manner manner = manner_of(u, action);
  json_object(json, "undone", true);
  json_string(json, "how", names[manner.way]);
  if (manner.way != UNDO_CANNOT && manner.ways < UINT64_MAX)
    json_unsigned(json, "states", manner.ways);
  json_close_object(json);
}
