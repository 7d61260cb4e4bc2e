/* fold.c - locations whose code differs in numbers only share it.
 *
 * Macros that are used often make processes of thousands of locations that do the same from
 * another place: their steps differ in the numbers of actions, targets and faults. The code of
 * each location is taken out of the text as soon as it is printed, and taken apart into a
 * pattern and the numbers in it. Locations of one pattern become one case, which reads what
 * differs from a row of numbers. The text and its machine code get ten times as small, where
 * this pays; in small processes it would only cost a few instructions per step, so they are
 * left alone.
 *
 * A number in C may be replaced by an element of an array of the same type wherever an
 * expression may be, and in a step it is nowhere else: no case, no size of an array. What is
 * printed with a label of its own is named so that it is known here: letters, L, a number.
 */
#include "native/emit/fold.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#define FOLD_EDGES 1000u /* from which on it pays */
#define FOLD_LOOK  64u   /* columns that a column is compared with */

/* What is in place of a number, or before the digits of a label counted from the first. */
enum { MARK_SIGNED = 1, MARK_UNSIGNED, MARK_LABEL };

struct pattern {
  uint64_t hash;
  uint32_t text, length; /* in `texts` */
  uint32_t n_numbers, first_label;
  uint32_t first, last; /* its locations, a list of places */
};

struct place { /* a location */
  uint32_t location, numbers, next;
};

struct emit_fold {
  struct arena *arena; /* closed at the end */
  const struct ir_process *process;
  const char *name;
  struct {
    char *at;
    uint32_t n, capacity;
  } texts;
  struct {
    uint32_t *at;
    uint32_t n, capacity;
  } numbers;
  struct {
    struct pattern *at;
    uint32_t n, capacity;
  } patterns;
  struct {
    struct place *at;
    uint32_t n, capacity;
  } places;
  uint32_t *table, size; /* from hashes to patterns; a power of two */
};

struct emit_fold *emit_fold_open(struct emit *e, const struct ir_process *p, const char *name) {
  if (p->n_edges < FOLD_EDGES && !e->fold_all)
    return NULL;
  struct arena *arena = arena_inside(e->arena);
  struct emit_fold *f = ARENA_NEW(arena, struct emit_fold);
  *f = (struct emit_fold){.arena = arena, .process = p, .name = name};
  for (f->size = 64; f->size < 2 * p->n_locations;)
    f->size *= 2;
  f->table = ARENA_ARRAY(arena, f->size, uint32_t);
  return f;
}

void emit_fold_switch(struct emit *e, const struct emit_fold *f, const char *location) {
  emit_line(e, "const uint32_t *const numbers = rows_%s_%u + row_%s_%u[%s];", f->name,
            f->process->index, f->name, f->process->index, location);
  emit_line(e, "switch (numbers[0]) {");
}

/* ---- taking apart ---------------------------------------------------------------------- */

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_small(char c) {
  return c >= 'a' && c <= 'z';
}

static bool is_part_of_word(char c) {
  return is_digit(c) || is_small(c) || (c >= 'A' && c <= 'Z') || c == '_';
}

static void put(struct emit_fold *f, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    *ARENA_PUSH(f->arena, &f->texts) = text[i];
}

static void put_mark(struct emit_fold *f, char mark) {
  put(f, &mark, 1);
}

static uint64_t read_digits(const char *text, size_t length) {
  uint64_t value = 0;
  for (size_t i = 0; i < length && value < UINT32_MAX; i++)
    value = 10 * value + (uint64_t)(text[i] - '0');
  return value;
}

/* A number of 32 bits becomes a mark; one of another form stays. */
static void put_number(struct emit_fold *f, const char *text, size_t length) {
  bool is_unsigned = text[length - 1] == 'u';
  size_t digits = 0;
  while (digits < length && is_digit(text[digits]))
    digits++;
  uint64_t value = read_digits(text, digits);
  if (digits + is_unsigned != length || value > (is_unsigned ? UINT32_MAX - 1 : INT32_MAX)) {
    put(f, text, length);
    return;
  }
  put_mark(f, is_unsigned ? MARK_UNSIGNED : MARK_SIGNED);
  *ARENA_PUSH(f->arena, &f->numbers) = (uint32_t)value;
}

/* Small letters, L, digits: a label, and its number counts from the first one. */
static void put_word(struct emit_fold *f, const char *text, size_t length, uint32_t label) {
  size_t stem = 0;
  while (stem < length && is_small(text[stem]))
    stem++;
  size_t end = stem + 1;
  while (end < length && is_digit(text[end]))
    end++;
  if (stem == 0 || stem + 1 >= length || text[stem] != 'L' || end != length) {
    put(f, text, length);
    return;
  }
  char digits[16];
  uint64_t number = read_digits(text + stem + 1, length - stem - 1) - label;
  put(f, text, stem + 1);
  put_mark(f, MARK_LABEL);
  put(f, digits, (size_t)snprintf(digits, sizeof digits, "%u", (uint32_t)number));
}

/* Comments and the room at the beginning of lines are left out. */
static const char *skip_blank(const char *at, const char *end) {
  for (;;) {
    const char *close = at + 2 < end && memcmp(at, "/*", 2) == 0 ? strstr(at, "*/") : NULL;
    if (close != NULL)
      at = close + 2;
    else if (at < end && (*at == ' ' || *at == '\n'))
      at++;
    else
      return at;
  }
}

static void take_apart(struct emit_fold *f, const char *at, const char *end, uint32_t label) {
  at = skip_blank(at, end);
  while (at < end) {
    const char *next = at + 1;
    while (is_part_of_word(*at) && next < end && is_part_of_word(*next))
      next++;
    if (is_digit(*at))
      put_number(f, at, (size_t)(next - at));
    else
      put_word(f, at, (size_t)(next - at), label);
    at = *at == '\n' ? skip_blank(next, end) : next;
  }
}

/* ---- locations ------------------------------------------------------------------------- */

/* The place in the table of the pattern, which is the last one, or of one like it. */
static uint32_t *find(const struct emit_fold *f, const struct pattern *p) {
  uint32_t i = (uint32_t)p->hash & (f->size - 1);
  for (; f->table[i] != 0; i = (i + 1) & (f->size - 1)) {
    const struct pattern *other = &f->patterns.at[f->table[i] - 1];
    if (other->hash == p->hash && other->length == p->length &&
        memcmp(f->texts.at + other->text, f->texts.at + p->text, p->length) == 0)
      break;
  }
  return &f->table[i];
}

void emit_fold_case(struct emit *e, struct emit_fold *f, uint32_t location, size_t from,
                    uint32_t label) {
  if (e->out->failed)
    return;
  const uint32_t text = f->texts.n, numbers = f->numbers.n, place = f->places.n;
  take_apart(f, e->out->at + from, e->out->at + e->out->length, label);
  e->out->length = from;
  e->out->at[from] = '\0';
  struct pattern made = {.text = text,
                         .length = f->texts.n - text,
                         .hash = XXH3_64bits(f->texts.at + text, f->texts.n - text),
                         .n_numbers = f->numbers.n - numbers,
                         .first_label = label,
                         .first = place,
                         .last = place};
  *ARENA_PUSH(f->arena, &f->places) = (struct place){location, numbers, TS_NONE};
  uint32_t *found = find(f, &made);
  if (*found == 0) {
    *ARENA_PUSH(f->arena, &f->patterns) = made;
    *found = f->patterns.n;
    return;
  }
  struct pattern *p = &f->patterns.at[*found - 1];
  f->texts.n = text;
  f->places.at[p->last].next = place;
  p->last = place;
}

/* ---- printing -------------------------------------------------------------------------- */

/* What becomes of the numbers of a pattern: equal in all its places, or a column of its row. */
struct columns {
  uint32_t *of, n;  /* by number: its column from 1 on, or 0 */
  uint32_t *number; /* by column: the first of its numbers */
};

static bool are_equal(const struct emit_fold *f, const struct pattern *p, uint32_t a,
                      uint32_t b) {
  for (uint32_t i = p->first; i != TS_NONE; i = f->places.at[i].next) {
    const uint32_t *number = f->numbers.at + f->places.at[i].numbers;
    if (number[a] != number[b])
      return false;
  }
  return true;
}

static bool is_same(const struct emit_fold *f, const struct pattern *p, uint32_t a) {
  const uint32_t value = f->numbers.at[f->places.at[p->first].numbers + a];
  for (uint32_t i = p->first; i != TS_NONE; i = f->places.at[i].next)
    if (f->numbers.at[f->places.at[i].numbers + a] != value)
      return false;
  return true;
}

static uint32_t column_of(const struct emit_fold *f, const struct pattern *p, struct columns *c,
                          uint32_t a) {
  if (is_same(f, p, a))
    return 0;
  for (uint32_t k = c->n; k > 0 && k + FOLD_LOOK > c->n; k--)
    if (are_equal(f, p, a, c->number[k]))
      return k;
  c->number[++c->n] = a;
  return c->n;
}

static void print_number(struct text *out, const struct columns *c, uint32_t i, uint32_t value,
                         bool is_unsigned) {
  if (c->of[i] == 0)
    text_printf(out, is_unsigned ? "%uu" : "%u", value);
  else
    text_printf(out, is_unsigned ? "numbers[%u]" : "(int32_t)numbers[%u]", c->of[i]);
}

static void print_pattern(struct text *out, const struct emit_fold *f, const struct pattern *p,
                          const struct columns *c) {
  const char *at = f->texts.at + p->text, *end = at + p->length;
  const uint32_t *value = f->numbers.at + f->places.at[p->first].numbers;
  for (uint32_t i = 0; at < end; at++) {
    if (*at == MARK_SIGNED || *at == MARK_UNSIGNED) {
      print_number(out, c, i, value[i], *at == MARK_UNSIGNED);
      i++;
    } else if (*at == MARK_LABEL) {
      size_t n = 1;
      while (at + n < end && is_digit(at[n]))
        n++;
      text_printf(out, "%u", p->first_label + (uint32_t)read_digits(at + 1, n - 1));
      at += n - 1;
    } else {
      text_add(out, at, 1);
    }
  }
}

/* The rows of its places follow each other. */
static uint32_t print_rows(struct text *out, const struct emit_fold *f, uint32_t pattern,
                           const struct columns *c, uint32_t *row, uint32_t n) {
  for (uint32_t i = f->patterns.at[pattern].first; i != TS_NONE; i = f->places.at[i].next) {
    const struct place *place = &f->places.at[i];
    row[place->location] = n;
    text_printf(out, "%u,", pattern + 1);
    for (uint32_t k = 1; k <= c->n; k++)
      text_printf(out, "%uu,", f->numbers.at[place->numbers + c->number[k]]);
    text_puts(out, "\n");
    n += 1 + c->n;
  }
  return n;
}

void emit_fold_close(struct emit *e, struct emit_fold *f) {
  const uint32_t n_locations = f->process->n_locations;
  uint32_t *row = ARENA_ARRAY(f->arena, n_locations, uint32_t), n_rows = 1, most = 0;
  for (uint32_t i = 0; i < f->patterns.n; i++)
    most = f->patterns.at[i].n_numbers > most ? f->patterns.at[i].n_numbers : most;
  struct columns c = {.of = ARENA_ARRAY(f->arena, most, uint32_t),
                      .number = ARENA_ARRAY(f->arena, most + (size_t)1, uint32_t)};
  text_printf(&e->tables, "static const uint32_t rows_%s_%u[] = {0,\n", f->name,
              f->process->index);
  for (uint32_t i = 0; i < f->patterns.n; i++) {
    const struct pattern *p = &f->patterns.at[i];
    c.n = 0;
    for (uint32_t k = 0; k < p->n_numbers; k++)
      c.of[k] = column_of(f, p, &c, k);
    n_rows = print_rows(&e->tables, f, i, &c, row, n_rows);
    emit_line(e, "case %u: {", i + 1);
    print_pattern(e->out, f, p, &c);
    emit_line(e, "}");
  }
  text_printf(&e->tables, "};\nstatic const uint32_t row_%s_%u[%u] = {\n", f->name,
              f->process->index, n_locations);
  for (uint32_t i = 0; i < n_locations; i++)
    text_printf(&e->tables, i % 16 == 15 ? "%u,\n" : "%u,", row[i]);
  text_puts(&e->tables, "\n};\n");
  arena_close(f->arena);
}
