/* diag.c - messages at places in the user's text.
 *
 * Messages stay in the order in which they were added: passes go through the
 * text from top to bottom, and notes belong to the message before them.
 *
 * Whatever the user's bytes are, what is printed is well-formed UTF-8 without
 * control characters, on lines of bounded length, and the caret is below the
 * character it means: a tab is shown as one space, and a character of several
 * bytes takes one column.
 */
#include "base/diag.h"

#include "base/terminal.h"
#include "base/utf8.h"

#include <string.h>

#define DIAG_WIDTH    100u /* bytes of a source line that are shown, or what the terminal has */
#define DIAG_GUTTER   10u  /* columns beside them */
#define DIAG_TEXT     480u /* bytes of a message, at most */
#define DIAG_NAME_MAX 48u  /* longest name that is compared for a hint */

struct message {
  enum diag_severity severity;
  struct span span;
  const char *text;
  struct hint *hint, **hint_end;
  struct message *next;
};

struct hint {
  const char *text;
  struct hint *next;
};

struct diag {
  struct arena *arena;
  struct message *first, **end;
  struct message *last; /* NULL: none, or it was dropped, and what belongs to it is too */
  uint32_t n[4];        /* added, by severity */
};

struct diag *diag_open(struct arena *arena) {
  struct diag *diag = ARENA_NEW(arena, struct diag);
  diag->arena = arena;
  diag->end = &diag->first;
  return diag;
}

/* Bytes of the character at `at`, or 0: it is none, or one that could disturb a terminal. */
static uint32_t character(const char *at, size_t room) {
  const unsigned char first = (unsigned char)at[0];
  const uint32_t n = utf8_length_within(at, room);
  const bool control = n == 1 ? first < ' ' || first == 0x7F
                              : n == 2 && first == 0xC2 && (unsigned char)at[1] < 0xA0;
  return control ? 0 : n;
}

/* Prints bytes with the bad ones as '?'. */
static void print_clean(FILE *out, const char *text, size_t length) {
  for (size_t i = 0; i < length;) {
    const uint32_t n = character(text + i, length - i);
    if (n == 0)
      fputc(text[i] == '\t' ? ' ' : '?', out);
    else
      fwrite(text + i, 1, n, out);
    i += n == 0 ? 1 : n;
  }
}

/* A formatted text, cut where it gets out of hand. */
__attribute__((format(printf, 2, 0))) static const char *format_text(struct arena *arena,
                                                                     const char *format,
                                                                     va_list arguments) {
  char text[DIAG_TEXT + sizeof "…"];
  const int n = vsnprintf(text, DIAG_TEXT + 1, format, arguments);
  if (n < 0)
    text[0] = '\0';
  if (n > (int)DIAG_TEXT) {
    size_t end = DIAG_TEXT;
    while (end > 0 && !utf8_begins(text[end - 1]))
      end--;
    strcpy(text + end - (end > 0 && (unsigned char)text[end - 1] >= 0xC0), "…");
  }
  return arena_text(arena, text, strlen(text));
}

void diag_add(struct diag *diag, enum diag_severity severity, struct span span,
              const char *format, ...) {
  diag->n[severity]++;
  const bool dropped =
      severity == DIAG_NOTE ? diag->last == NULL : diag->n[severity] > DIAG_MAX;
  if (dropped) {
    diag->last = NULL;
    return;
  }
  struct message *message = ARENA_NEW(diag->arena, struct message);
  message->severity = severity;
  message->span = span;
  message->hint_end = &message->hint;
  va_list arguments;
  va_start(arguments, format);
  message->text = format_text(diag->arena, format, arguments);
  va_end(arguments);
  *diag->end = message;
  diag->end = &message->next;
  diag->last = message;
}

void diag_hint(struct diag *diag, const char *format, ...) {
  if (diag->last == NULL)
    return;
  struct hint *hint = ARENA_NEW(diag->arena, struct hint);
  va_list arguments;
  va_start(arguments, format);
  hint->text = format_text(diag->arena, format, arguments);
  va_end(arguments);
  *diag->last->hint_end = hint;
  diag->last->hint_end = &hint->next;
}

void diag_place(struct diag *diag, const struct source *part, struct span whole) {
  const bool same = part->length == whole.end - whole.begin;
  for (struct message *m = diag->first; m != NULL; m = m->next) {
    if (m->span.source != part)
      continue;
    const struct span moved = {whole.source, whole.begin + m->span.begin,
                               whole.begin + m->span.end};
    m->span = same ? moved : whole;
  }
}

uint32_t diag_errors(const struct diag *diag) {
  return diag->n[DIAG_ERROR];
}

struct style { /* terminal sequences, or empty strings */
  const char *bold, *severity[4], *caret, *off;
};

static const struct style style_plain = {"", {"", "", "", ""}, "", ""};
static const struct style style_color = {
    "\033[1m",
    {"\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[1;36m"},
    "\033[1;32m",
    "\033[0m"};

struct window { /* the part of a line that is shown, as offsets into the text */
  uint32_t begin, end;
  bool cut_before, cut_after;
};

static uint32_t line_end(const struct source *source, uint32_t line) {
  uint32_t end = line < source->n_lines ? source->line[line] - 1 : source->length;
  if (end > source->line[line - 1] && source->text[end - 1] == '\r')
    end--;
  return end;
}

/* Moves an offset back to where its character starts, in a text from `low` up to `high`. */
static uint32_t character_start(const char *text, uint32_t low, uint32_t at, uint32_t high) {
  for (uint32_t back = 1; back <= 3 && back <= at - low; back++)
    if (character(text + at - back, high - at + back) > back)
      return at - back;
  return at;
}

static uint32_t width_for(FILE *out) {
  const uint32_t columns = terminal_columns(out);
  return columns == 0 ? DIAG_WIDTH : columns - DIAG_GUTTER;
}

static struct window window_around(const struct source *source, uint32_t line, uint32_t at,
                                   uint32_t width) {
  const uint32_t begin = source->line[line - 1];
  const uint32_t end = line_end(source, line);
  struct window window = {.begin = begin, .end = end};
  if (end - begin <= width)
    return window;
  /* The caret a third from the left: what follows says more than what precedes. */
  if (at - begin > width / 3)
    window.begin = at - width / 3;
  if (end - window.begin <= width)
    window.begin = end - width;
  else
    window.end = window.begin + width;
  window.begin = character_start(source->text, begin, window.begin, end);
  if (window.end < end)
    window.end = character_start(source->text, begin, window.end, end);
  window.cut_before = window.begin > begin;
  window.cut_after = window.end < end;
  return window;
}

/* One `mark` for each character that print_clean() shows for these bytes. */
static void print_marks(FILE *out, char mark, const char *text, size_t length) {
  for (size_t i = 0; i < length;) {
    const uint32_t n = character(text + i, length - i);
    fputc(mark, out);
    i += n == 0 ? 1 : n;
  }
}

static void print_excerpt(FILE *out, struct span span, const struct style *style) {
  const struct source *source = span.source;
  const uint32_t line = source_line(source, span.begin);
  /* A place on the line's end, CR or newline, is after its last byte. */
  uint32_t at = span.begin;
  if (at > line_end(source, line))
    at = line_end(source, line);
  const struct window window = window_around(source, line, at, width_for(out));
  const char *text = source->text;
  fprintf(out, "%5u | %s", line, window.cut_before ? "…" : "");
  print_clean(out, text + window.begin, window.end - window.begin);
  fprintf(out, "%s\n      | %s", window.cut_after ? "…" : "", window.cut_before ? " " : "");
  print_marks(out, ' ', text + window.begin, at - window.begin);
  fprintf(out, "%s^", style->caret);
  const uint32_t end = span.end < window.end ? span.end : window.end;
  if (at < end) {
    const uint32_t first = character(text + at, end - at);
    const uint32_t rest = at + (first == 0 ? 1 : first);
    print_marks(out, '~', text + rest, end - rest);
  }
  fprintf(out, "%s\n", style->off);
}

static void print_message(FILE *out, const struct message *message, const struct style *style) {
  static const char *const name[] = {"error", "warning", "note", "note"};
  struct span span = message->span;
  fputs(style->bold, out);
  if (span.source != NULL) {
    if (span.begin > span.source->length)
      span.begin = span.source->length;
    print_clean(out, span.source->name, strlen(span.source->name));
    fprintf(out, ":%u:%u: ", source_line(span.source, span.begin),
            source_column(span.source, span.begin));
  }
  fprintf(out, "%s%s:%s ", style->severity[message->severity], name[message->severity],
          style->off);
  print_clean(out, message->text, strlen(message->text));
  fputc('\n', out);
  if (span.source != NULL)
    print_excerpt(out, span, style);
  for (const struct hint *hint = message->hint; hint != NULL; hint = hint->next) {
    fprintf(out, "%shint:%s ", style->bold, style->off);
    print_clean(out, hint->text, strlen(hint->text));
    fputc('\n', out);
  }
}

void diag_print(const struct diag *diag, FILE *out, bool color) {
  const struct style *style = color ? &style_color : &style_plain;
  for (const struct message *at = diag->first; at != NULL; at = at->next)
    print_message(out, at, style);
  static const char *const names[] = {"errors", "warnings", NULL, "notes"};
  for (uint32_t severity = DIAG_ERROR; severity <= DIAG_REMARK; severity++)
    if (names[severity] != NULL && diag->n[severity] > DIAG_MAX)
      fprintf(out, "%u more %s not shown\n", diag->n[severity] - DIAG_MAX, names[severity]);
}

/* ---- for programs --------------------------------------------------------------------- */

void diag_each(const struct diag *diag, void (*tell)(void *context, const struct diag_item *),
               void *context) {
  static const char *const name[] = {"error", "warning", "note", "note"};
  for (const struct message *at = diag->first; at != NULL; at = at->next) {
    struct diag_item item = {.severity = name[at->severity], .text = at->text};
    const struct source *source = at->span.source;
    if (source != NULL) {
      const uint32_t begin = at->span.begin < source->length ? at->span.begin : source->length;
      const uint32_t end = at->span.end < source->length ? at->span.end : source->length;
      item.file = source->name;
      item.line = source_line(source, begin);
      item.column = source_column(source, begin);
      item.end_line = source_line(source, end < begin ? begin : end);
      item.end_column = source_column(source, end < begin ? begin : end);
    }
    tell(context, &item);
    item.severity = "hint";
    for (const struct hint *hint = at->hint; hint != NULL; hint = hint->next) {
      item.text = hint->text;
      tell(context, &item);
    }
  }
}

static void print_line(void *context, const struct diag_item *item) {
  FILE *out = context;
  if (item->file != NULL) {
    print_clean(out, item->file, strlen(item->file));
    fprintf(out, ":%u:%u: ", item->line, item->column);
  }
  /* Programs that read such lines know no hints. */
  fprintf(out, "%s: ", strcmp(item->severity, "hint") == 0 ? "note" : item->severity);
  print_clean(out, item->text, strlen(item->text));
  fputc('\n', out);
}

void diag_print_lines(const struct diag *diag, FILE *out) {
  diag_each(diag, print_line, out);
}

/* ---- names ---------------------------------------------------------------------------- */

/* Edits (insert, delete, replace, swap neighbours) from one name to the other:
 * the restricted Damerau-Levenshtein distance, three rows of the usual table. */
static uint32_t distance(const char *a, size_t n, const char *b, size_t m) {
  uint32_t rows[3][DIAG_NAME_MAX + 1];
  uint32_t *before = rows[0], *above = rows[1], *row = rows[2];
  for (size_t j = 0; j <= m; j++)
    above[j] = before[j] = (uint32_t)j;
  for (size_t i = 1; i <= n; i++) {
    row[0] = (uint32_t)i;
    for (size_t j = 1; j <= m; j++) {
      uint32_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
      best = above[j] + 1 < best ? above[j] + 1 : best;
      best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        best = before[j - 2] + 1 < best ? before[j - 2] + 1 : best;
      row[j] = best;
    }
    uint32_t *spare = before;
    before = above;
    above = row;
    row = spare;
  }
  return above[m];
}

const char *diag_closest(const char *wrong, const char *const *names, uint32_t n) {
  const size_t length = strlen(wrong);
  if (length == 0 || length > DIAG_NAME_MAX)
    return NULL;
  /* One edit in three letters is a slip, more is another name. */
  uint32_t best = (uint32_t)(length + 2) / 3 + 1;
  const char *closest = NULL;
  for (uint32_t i = 0; i < n; i++) {
    const size_t other = strlen(names[i]);
    if (other == 0 || other > DIAG_NAME_MAX)
      continue;
    const uint32_t edits = distance(wrong, length, names[i], other);
    if (edits < best && edits < other) {
      best = edits;
      closest = names[i];
    }
  }
  return closest;
}
