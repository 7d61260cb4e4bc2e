/* users.c - a user's C text as running code.
 *
 * Compiled once, by the system's compiler where there is one: a user's text may have variables
 * of its own, so that it cannot be exchanged for a better compilation while a search runs, as
 * is done with ours. It takes a tenth of a second.
 */
#include "native/compile/users.h"

#include "native/compile/cc.h"

#include "base/clock.h"
#include "base/guard.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void users_put_line(struct text *text, const char *path, uint32_t line) {
  text_printf(text, "#line %u \"", line);
  for (const char *c = path; *c != '\0'; c++)
    text_printf(text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
  text_puts(text, "\"\n");
}

/* ---- compiling -------------------------------------------------------------------------- */

static bool stop(void *context, double seconds) {
  (void)context;
  double until = clock_now() + seconds;
  const struct timespec nap = {.tv_nsec = 2000000};
  while (clock_now() < until && !clock_stop_requested())
    nanosleep(&nap, NULL);
  return clock_stop_requested();
}

static bool by_cc(struct users_code *code, const struct cc *cc, const struct unit *unit,
                  struct budget *budget, struct reason *why) {
  struct cc_limits limits = cc_limits_for(strlen(unit->text));
  struct text object;
  text_init(&object, budget, BUDGET_CODE);
  bool done = cc_compile(cc, unit, &limits, stop, NULL, &object, why) &&
              load_object(&object, unit, budget, &code->cc, why);
  text_free(&object);
  return done;
}

struct by_libtcc {
  struct users_code *code;
  const struct unit *unit;
  struct budget *budget;
  struct reason *why;
  bool done;
};

static void call_libtcc(void *context) {
  struct by_libtcc *b = context;
  b->done = instant_build(b->unit, b->budget, &b->code->tcc, b->why);
}

/* Some texts that are no C end libtcc by a signal (a structure that is compared). */
static bool by_libtcc(struct users_code *code, const struct unit *unit, struct budget *budget,
                      struct reason *why) {
  struct by_libtcc b = {code, unit, budget, why, false};
  guard_open();
  const enum guard_crash crash = guard_call(call_libtcc, &b);
  guard_close();
  if (crash == GUARD_FINE)
    return b.done;
  if (why->text.length == 0)
    text_puts(&why->text,
              "libtcc crashes where it reads the text, so there is a mistake in it: "
              "--compiler cc says which");
  return false;
}

bool users_build(struct users_code *code, const struct unit *unit,
                 enum native_compiler compiler, struct budget *budget, struct reason *why) {
  struct reason missing;
  reason_init(&missing, budget);
  struct cc *cc = compiler == NATIVE_TCC ? NULL : cc_find(budget, &missing);
  bool done = false;
  if (cc != NULL)
    done = by_cc(code, cc, unit, budget, why);
  else if (compiler == NATIVE_CC)
    text_puts(&why->text, missing.text.at);
  else
    done = by_libtcc(code, unit, budget, why);
  cc_close(cc);
  reason_free(&missing);
  return done;
}

void users_free(struct users_code *code, struct budget *budget) {
  instant_free(&code->tcc, budget);
  load_free(&code->cc, budget);
}

const void *users_symbol(const struct users_code *code) {
  return code->cc.symbol != NULL ? code->cc.symbol : code->tcc.symbol;
}

/* ---- mistakes --------------------------------------------------------------------------- */

/* The number that ends before *at, with what parts it from the rest; 0: there is none. */
static uint32_t number_before(const char *text, const char **at) {
  const char *c = *at;
  while (c > text && (c[-1] == ':' || c[-1] == ' '))
    c--;
  const char *end = c;
  while (c > text && isdigit((unsigned char)c[-1]))
    c--;
  *at = c;
  return c == end ? 0 : (uint32_t)strtoul(c, NULL, 10);
}

/* A machine without the headers of the C library has no <stdio.h> either. */
const char *users_sentence(struct arena *arena, const struct reason *why, uint32_t *line) {
  const char *text = why->text.at != NULL ? why->text.at : "the memory budget is exhausted";
  const char *error = strstr(text, "error: ");
  *line = 0;
  if (strstr(text, "stdio.h") != NULL)
    return arena_printf(arena,
                        "%s (the headers of the C library are needed; Debian has them in the "
                        "package libc6-dev)",
                        text);
  if (error == NULL)
    return arena_text(arena, text, strlen(text));
  /* "NAME:LINE:COLUMN: error: …", of libtcc without the column. */
  const char *at = error;
  const uint32_t last = number_before(text, &at), first = number_before(text, &at);
  *line = first > 0 ? first : last;
  error += strlen("error: ");
  return arena_text(arena, error, strlen(error));
}
