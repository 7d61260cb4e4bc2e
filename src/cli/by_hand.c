/* by_hand.c - `cairn sim --interactive`: the user chooses each event.
 *
 * The states of the run are kept on a stack, so that a step can be taken back.
 */
#include "cli/sim.h"

#include "ts/before.h"

#include <stdlib.h>
#include <string.h>

/* More events than this are not listed, though their numbers are taken. */
#define HAND_LISTED 100u

enum hand_answer { HAND_EVENT, HAND_UNDO, HAND_QUIT };

static void list_events(struct sim *s) {
  const struct ts_batch *b = &s->expand.batch;
  const struct steps_labelling how = {s->steps.inside, s->length[s->n - 1], false};
  char label[400];
  for (uint32_t i = 0; i < b->n && i < HAND_LISTED; i++) {
    steps_label(s->ts, &how, sim_state(s, s->n - 1), b->edge[i].event, label, sizeof label);
    printf("  %3u) %s%s\n", i + 1, label,
           b->edge[i].kind == TS_MODEL_ERROR ? "   (model error)" : "");
  }
  if (b->n > HAND_LISTED)
    printf("       … up to %u\n", b->n);
  if (b->n == 0)
    sim_say_end(s);
}

/* ---- what is before --------------------------------------------------------------------- */

static void say_before(struct sim *s, const struct list *list) {
  uint32_t states = 0;
  char label[400];
  if (!before_states(list, &states))
    return;
  printf("  %u event%s lead%s here, from %u state%s, reachable or not\n", list->batch.n,
         list->batch.n == 1 ? "" : "s", list->batch.n == 1 ? "s" : "", states,
         states == 1 ? "" : "s");
  for (uint32_t i = 0; i < list->batch.n && i < HAND_LISTED; i++) {
    const struct ts_edge *edge = &list->batch.edge[i];
    const struct steps_labelling how = {s->steps.inside, edge->length, false};
    steps_label(s->ts, &how, list_row(list, i), edge->event, label, sizeof label);
    printf("       %s\n", label);
    steps_state(&s->steps, list_row(list, i), false);
  }
  if (list->batch.n > HAND_LISTED)
    puts("       …");
}

/* All events that lead to the last state, with what is different where they come from. */
static void list_before(struct sim *s) {
  struct list list;
  if (ts_code(s->ts)->all_predecessors == NULL) {
    printf("this model does not go backward%s%s\n", s->product == NULL ? ": " : "",
           s->product == NULL ? loaded_why_forward(&s->loaded) : "");
    return;
  }
  if (!list_open(&list, s->ts->shape, HAND_LISTED, s->loaded.budget))
    return;
  if (before_fill(&list, s->ts, sim_state(s, s->n - 1), s->length[s->n - 1], BEFORE_ALL) ==
      BEFORE_TOLD)
    say_before(s, &list);
  else
    puts("what leads here cannot be told: too many states would have to be tried");
  list_free(&list);
}

/* ---- asking ----------------------------------------------------------------------------- */

static void help(uint32_t n) {
  if (n > 0)
    printf("  1 to %-4u take that event\n", n);
  puts("  s         show the whole state\n"
       "  l         list the events again\n"
       "  b         list the events that lead here, and from where\n"
       "  u         take back one step\n"
       "  ?         this help\n"
       "  q         end the run; so does the end of the input");
}

/* A line of input; what does not fit is dropped. False at the end. */
static bool read_line(char *line, int size) {
  if (fgets(line, size, stdin) == NULL)
    return false;
  size_t length = strlen(line);
  if (length > 0 && line[length - 1] == '\n') {
    line[length - 1] = '\0';
    return true;
  }
  for (int c = getchar(); c != '\n' && c != EOF;)
    c = getchar();
  return true;
}

/* The word on a line without blanks around it. */
static char *trim(char *line) {
  line += strspn(line, " \t\r");
  line[strcspn(line, " \t\r")] = '\0';
  return line;
}

/* What only shows something. False: the word is none of these. */
static bool show(struct sim *s, const char *word) {
  if (strcmp(word, "s") == 0)
    steps_state(&s->steps, sim_state(s, s->n - 1), true);
  else if (strcmp(word, "l") == 0)
    list_events(s);
  else if (strcmp(word, "b") == 0)
    list_before(s);
  else if (strcmp(word, "?") == 0)
    help(s->expand.batch.n);
  else
    return false;
  return true;
}

static enum hand_answer ask(struct sim *s, uint32_t *event) {
  char line[40];
  uint32_t n = s->expand.batch.n;
  while (!ferror(stdout)) {
    if (n > 0)
      printf("event 1 to %u, ", n);
    printf("s state, u undo, q quit, ? help: ");
    fflush(stdout);
    if (!read_line(line, sizeof line)) {
      fputc('\n', stdout);
      return HAND_QUIT;
    }
    char *word = trim(line), *end;
    if (strcmp(word, "q") == 0)
      return HAND_QUIT;
    if (strcmp(word, "u") == 0 && s->n > 1)
      return HAND_UNDO;
    unsigned long number = strtoul(word, &end, 10);
    if (*word >= '0' && *word <= '9' && *end == '\0' && number >= 1 && number <= n) {
      *event = (uint32_t)number - 1;
      return HAND_EVENT;
    }
    if (strcmp(word, "u") == 0)
      puts("this is the initial state");
    else if (!show(s, word))
      puts("this is none of them");
  }
  return HAND_QUIT;
}

/* What was found in a step that is no part of the run any more. */
static void forget_later(struct sim *s) {
  s->n_events -= s->keeps_events;
  if (s->error_step > s->taken)
    s->error[0] = '\0';
}

bool by_hand_run(struct sim *s) {
  for (;;) {
    uint32_t event;
    bool over;
    if (!expand_state(&s->expand, sim_state(s, s->n - 1), s->length[s->n - 1]))
      return false;
    s->end = SIM_QUIT;
    s->why = (struct why){0};
    list_events(s);
    switch (ask(s, &event)) {
    case HAND_QUIT:
      return true;
    case HAND_UNDO:
      s->n--;
      s->taken--;
      forget_later(s);
      printf("back after step %llu\n", (unsigned long long)s->taken);
      break;
    case HAND_EVENT:
      if (!sim_take(s, event, &over))
        return false;
      if (over) {
        forget_later(s);
        puts("      (no state follows; still before this event)");
      }
      break;
    }
  }
}
