/* check_inside.c - what the files of the self-check share: complaining, and asking the model.
 */
#include "ts/check_inside.h"

#include <stdarg.h>
#include <stdio.h>

bool check_complain(struct check *check, const struct ts_event *event, const char *format,
                    ...) {
  if (check->complaint[0] != '\0')
    return false;
  int n = 0;
  if (event != NULL) {
    const struct ts_action *action = &check->shape->action[event->action];
    n = snprintf(check->complaint, CHECK_LENGTH / 2,
                 "action %u (%s), choice %u: ", event->action,
                 action->n_movers > 0 ? action->mover[0].text : "no mover", event->choice);
    n = n < CHECK_LENGTH / 2 ? n : CHECK_LENGTH / 2 - 1;
  }
  va_list arguments;
  va_start(arguments, format);
  /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it was begun one line above */
  vsnprintf(check->complaint + n, CHECK_LENGTH - (size_t)n, format, arguments);
  va_end(arguments);
  return false;
}

const char *check_slot_name(const struct check *check, uint32_t slot, char name[160]) {
  ts_slot_name(check->shape, slot, name, 160);
  return name;
}

bool check_fill(struct check *check, struct list *list, const uint8_t *state, uint32_t length,
                const uint64_t *skip) {
  if (list_fill(list, check->inner, check->now, state, length, skip))
    return true;
  if (list->batch.n < list->batch.capacity)
    check_complain(check, NULL, "a batch of %u events is said to be full, but has room for %u",
                   list->batch.n, list->batch.capacity);
  else
    check->untested++;
  return false;
}
