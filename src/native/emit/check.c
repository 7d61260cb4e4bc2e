/* check.c - what is printed around expressions: temporaries, checks that can fail, and
 * cells of the state vector.
 *
 * What a failed check does depends on where it is printed: see emit_escape(). Which row a cell
 * is read from depends on whether the event has written its variable already.
 */
#include "native/emit/emit.h"

#include <stdio.h>

/* ---- temporaries and checks -------------------------------------------------------- */

void emit_spill(struct emit *e, size_t from) {
  char head[40], name[16];
  snprintf(name, sizeof name, "t%u", e->temps);
  snprintf(head, sizeof head, "int32_t t%u = ", e->temps++);
  emit_statement(e, head, from, ";");
  text_puts(&e->expr, name);
}

struct emit_context emit_context(const char *now, const char *work) {
  return (struct emit_context){
      .work = work, .now = now, .frame = EMIT_OWN_FRAME, .target_frame = EMIT_OWN_FRAME};
}

void emit_escape(struct emit_context *in, unsigned needs, const char *head, const char *tail) {
  in->escape.needs = needs;
  snprintf(in->escape.head, sizeof in->escape.head, "%s", head);
  snprintf(in->escape.tail, sizeof in->escape.tail, "%s", tail);
}

void emit_check(struct emit *e, const struct emit_context *in, uint32_t fault,
                const char *format, ...) {
  char condition[128];
  va_list list;
  va_start(list, format);
  /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it was begun one line above */
  vsnprintf(condition, sizeof condition, format, list);
  va_end(list);
  e->escaped = true;
  e->helpers |= in->escape.needs;
  emit_line(e, "if (%s) {", condition);
  emit_line(e, "  %s%uu%s", in->escape.head, fault, in->escape.tail);
  emit_line(e, "}");
}

/* ---- cells ------------------------------------------------------------------------- */

static bool is_written(const struct emit *e, uint32_t slot) {
  return e->written[e->shape->slot[slot].variable] == e->event;
}

void emit_mark_written(struct emit *e, uint32_t slot) {
  e->written[e->shape->slot[slot].variable] = e->event;
}

const char *emit_base(const struct emit *e, const struct emit_context *in, uint32_t slot) {
  return is_written(e, slot) ? in->work : "s";
}

void emit_cell(struct text *t, const char *base, uint32_t bytes, bool is_signed) {
  if (bytes == 1 && !is_signed)
    text_printf(t, "%s[", base);
  else
    text_printf(t, "%c%u(%s, ", is_signed || bytes == 4 ? 'I' : 'U', bytes * 8, base);
}

const char *emit_cell_end(uint32_t bytes, bool is_signed) {
  return bytes == 1 && !is_signed ? "]" : ")";
}
