/* embedded.c - text that is part of this program and is printed into every model.
 *
 * It is kept in files of its own (*.inc), as C. A line of "//@" and names begins a part that is
 * printed only if the model uses one of them; "//@" alone ends it. So nothing is printed
 * that is not called.
 */
#include "native/emit/emit.h"

#include <string.h>

static const struct {
  const char *name;
  unsigned bit;
} names[] = {
    {"WANTED", EMIT_WANTED},
    {"FAILED", EMIT_FAILED},
    {"CUT", EMIT_CUT},
    {"DIVIDE", EMIT_DIVIDE},
    {"MODULO", EMIT_MODULO},
    {"TELL", EMIT_TELL},
    {"BROKE", EMIT_BROKE},
    {"RUNS", EMIT_RUNS},
    {"CYCLES", EMIT_CYCLES},
    {"INNER", EMIT_INNER},
    {"HANDSHAKES", EMIT_HANDSHAKES},
    {"WATCHED", EMIT_WATCHED},
    {"VALUES", EMIT_VALUES},
    {"PROBES", EMIT_PROBES},
    {"PIECES", EMIT_PIECES},
    {"ZEROES", EMIT_ZEROES},
    {"LOWEST", EMIT_LOWEST},
    {"COUNT", EMIT_COUNT},
};

/* Whether one of the names on the line is used; a line without any: yes. */
static bool is_used(const char *line, const char *end, unsigned used) {
  bool any = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t n = strlen(names[i].name);
    for (const char *at = line; at + n <= end; at++) {
      if (memcmp(at, names[i].name, n) != 0 || at[-1] != ' ' || (at + n < end && at[n] != ' '))
        continue;
      any = true;
      if (used & names[i].bit)
        return true;
    }
  }
  return !any;
}

void emit_embedded(struct text *out, const char *text, unsigned used) {
  bool prints = true;
  for (const char *end; *text != '\0'; text = end) {
    end = strchr(text, '\n');
    end = end == NULL ? text + strlen(text) : end + 1;
    if (strncmp(text, "//@", 3) == 0)
      prints = is_used(text + 3, end - 1, used);
    else if (prints)
      text_add(out, text, (size_t)(end - text));
  }
}
