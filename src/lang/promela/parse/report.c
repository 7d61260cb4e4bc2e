/* report.c - messages at tokens, with notes on the macros and inlines they are in. */
#include "lang/promela/parse/parser.h"

#include <stdio.h>

void promela_finish_notes(struct promela_parser *p) {
  if (!p->has_note)
    return;
  p->has_note = false;
  if (p->note.spelled.source != NULL)
    diag_add(p->diag, DIAG_NOTE, p->note.spelled, "in the definition of this macro");
  uint32_t n = 0;
  for (const struct promela_call *call = p->note.call; call != NULL && n < 5;
       call = call->outer, n++)
    diag_add(p->diag, DIAG_NOTE, call->span, "inside of inline '%s', called here", call->name);
}

__attribute__((format(printf, 3, 0))) static bool report(struct promela_parser *p,
                                                         struct promela_place place,
                                                         const char *format,
                                                         va_list arguments) {
  char text[400];
  if (p->panic || p->stopped)
    return false;
  vsnprintf(text, sizeof text, format, arguments);
  promela_finish_notes(p);
  diag_error(p->diag, place.span, "%s", text);
  p->note = place;
  p->has_note = true;
  return true;
}

bool promela_error(struct promela_parser *p, struct promela_place place, const char *format,
                   ...) {
  va_list arguments;
  va_start(arguments, format);
  const bool reported = report(p, place, format, arguments);
  va_end(arguments);
  p->panic |= reported;
  return reported;
}

bool promela_complain(struct promela_parser *p, struct promela_place place, const char *format,
                      ...) {
  va_list arguments;
  va_start(arguments, format);
  const bool reported = report(p, place, format, arguments);
  va_end(arguments);
  return reported;
}

void promela_hint(struct promela_parser *p, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  diag_hint(p->diag, "%s", text);
}

bool promela_stop(struct promela_parser *p) {
  p->panic = p->stopped = true;
  p->token = p->text.at[p->text.n - 1];
  p->has_held = p->has_ahead = false;
  return false;
}

bool promela_deeper(struct promela_parser *p) {
  if (++p->depth <= PROMELA_MAX_DEPTH)
    return true;
  promela_error(p, p->token.place, "this is nested more than %u deep", PROMELA_MAX_DEPTH);
  return promela_stop(p);
}
