/* trailfile.c - writing and reading counterexamples.
 *
 * The reader takes exactly what the writer writes: a file that was cut, joined
 * or edited by accident is refused at the place where it went wrong, instead of
 * showing some other run. A file may come from anywhere, so every number is
 * bounded before it is believed.
 */
#include "report/trailfile.h"

#include <string.h>

/* ---- writing ----------------------------------------------------------------- */

static void write_escaped(FILE *out, const char *text) {
  for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
    if (*c < 32 || *c == 127 || *c == '\\')
      fprintf(out, "\\x%02x", *c);
    else
      fputc(*c, out);
}

static void write_texts(FILE *out, const char *word, const char *const *text, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    fputs(word, out);
    write_escaped(out, text[i]);
    fputc('\n', out);
  }
}

void trailfile_write_head(FILE *out, const struct trailfile *trail) {
  fprintf(out, "cairn trail 3\nmodel %016llx ", (unsigned long long)trail->model_hash);
  write_escaped(out, trail->model);
  fputc('\n', out);
  write_texts(out, "option ", trail->option, trail->n_options);
}

void trailfile_write(FILE *out, const struct trailfile *trail) {
  const struct search_error *error = &trail->error;
  trailfile_write_head(out, trail);
  write_texts(out, "invariant ", trail->invariant, trail->n_invariants);
  if (trail->places > 0)
    fprintf(out, "places %u\n", trail->places);
  if (trail->merges)
    fputs("merge\n", out);
  if (trail->claim != NULL)
    write_texts(out, "claim ", &trail->claim, 1);
  if (trail->general)
    fputs("general\n", out);
  fprintf(out, "initial %u\nevents %u\n", error->trail.initial, error->trail.n_events);
  for (uint32_t i = 0; i < error->trail.n_events; i++)
    fprintf(out, "%u %u\n", error->trail.event[i].action, error->trail.event[i].choice);
  if (error->trail.n_cycle > 0)
    fprintf(out, "cycle %u\n", error->trail.n_cycle);
  fprintf(out, "error %s ", search_error_name(error->kind));
  if (error->index == TS_NONE)
    fputc('-', out);
  else
    fprintf(out, "%u", error->index);
  fprintf(out, " %s\nend\n", error->in_last_event ? "in" : "after");
}

/* ---- reading ----------------------------------------------------------------- */

struct reader {
  struct arena *arena;
  struct diag *diag;
  const struct source *source;
  uint32_t at;      /* next byte */
  uint32_t end;     /* of the current line, without its newline */
  bool has_options; /* format 2 and later */
  bool has_claims;  /* format 3 */
};

static bool damaged(struct reader *r, const char *expected) {
  uint32_t begin = r->at < r->end ? r->at : r->end;
  struct span span = {r->source, begin, r->end};
  diag_error(r->diag, span, "this is no trail, or a damaged one: expected %s", expected);
  return false;
}

/* Goes to the next line; false if the text is over. A line without a newline at
 * its end is one that was cut. */
static bool next_line(struct reader *r, const char *expected) {
  const char *text = r->source->text;
  const char *newline = memchr(text + r->at, '\n', r->source->length - r->at);
  r->end = newline == NULL ? r->source->length : (uint32_t)(newline - text);
  return newline != NULL || damaged(r, expected);
}

static bool finish_line(struct reader *r) {
  if (r->at != r->end)
    return damaged(r, "the end of the line");
  r->at = r->end + 1;
  return true;
}

static bool at_word(const struct reader *r, const char *word) {
  size_t length = strlen(word);
  return r->end - r->at >= length && memcmp(r->source->text + r->at, word, length) == 0;
}

static bool take_word(struct reader *r, const char *word) {
  if (!at_word(r, word))
    return false;
  r->at += (uint32_t)strlen(word);
  return true;
}

/* A decimal number without leading zeros. */
static bool take_number(struct reader *r, uint32_t *value) {
  const char *text = r->source->text;
  uint32_t from = r->at;
  uint64_t number = 0;
  while (r->at < r->end && text[r->at] >= '0' && text[r->at] <= '9' && r->at - from < 10)
    number = number * 10 + (uint64_t)(text[r->at++] - '0');
  bool fine = r->at > from && number <= UINT32_MAX && (text[from] != '0' || r->at == from + 1);
  if (!fine) {
    r->at = from;
    return damaged(r, "a number");
  }
  *value = (uint32_t)number;
  return true;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return -1;
}

static bool take_hash(struct reader *r, uint64_t *hash) {
  if (r->end - r->at < 16)
    return damaged(r, "16 hexadecimal digits");
  for (uint32_t i = 0; i < 16; i++) {
    int digit = hex_digit(r->source->text[r->at]);
    if (digit < 0)
      return damaged(r, "16 hexadecimal digits");
    *hash = *hash << 4 | (uint64_t)digit;
    r->at++;
  }
  return true;
}

/* The rest of the line, unescaped; never empty. */
static bool take_text(struct reader *r, const char **value) {
  const char *text = r->source->text;
  if (r->at == r->end)
    return damaged(r, "a text");
  char *to = arena_alloc(r->arena, r->end - r->at + 1);
  *value = to;
  while (r->at < r->end) {
    unsigned char c = (unsigned char)text[r->at];
    if (c < 32 || c == 127)
      return damaged(r, "a printable character");
    if (c != '\\') {
      *to++ = text[r->at++];
      continue;
    }
    bool whole = r->end - r->at >= 4 && text[r->at + 1] == 'x';
    int high = whole ? hex_digit(text[r->at + 2]) : -1;
    int low = whole ? hex_digit(text[r->at + 3]) : -1;
    if (high < 0 || low < 0 || high + low == 0)
      return damaged(r, "\\x and two hexadecimal digits");
    *to++ = (char)(high << 4 | low);
    r->at += 4;
  }
  return true;
}

static bool read_head(struct reader *r, struct trailfile *trail) {
  if (!next_line(r, "'cairn trail 3'"))
    return false;
  if (!take_word(r, "cairn trail "))
    return damaged(r, "'cairn trail 3'");
  uint32_t at = r->at;
  r->has_claims = take_word(r, "3");
  r->has_options = r->has_claims || take_word(r, "2");
  if ((!r->has_options && !take_word(r, "1")) || r->at != r->end) {
    struct span span = {r->source, at, r->end};
    diag_error(r->diag, span, "this version reads trails of formats 1, 2 and 3 only");
    return false;
  }
  if (!finish_line(r) || !next_line(r, "'model'"))
    return false;
  if (!take_word(r, "model "))
    return damaged(r, "'model'");
  if (!take_hash(r, &trail->model_hash))
    return false;
  if (!take_word(r, " "))
    return damaged(r, "a space and the model's name");
  return take_text(r, &trail->model) && finish_line(r);
}

/* Lines that begin with a word, from the next line on; the line after them is the current one.
 */
static bool read_texts(struct reader *r, const char *word, const char *const **text,
                       uint32_t *n) {
  struct {
    const char **at;
    uint32_t n, capacity;
  } list = {0};
  while (take_word(r, word)) {
    const char **slot = ARENA_PUSH(r->arena, &list);
    if (!take_text(r, slot) || !finish_line(r) || !next_line(r, "'initial'"))
      return false;
  }
  *text = list.at;
  *n = list.n;
  return true;
}

static bool read_meaning(struct reader *r, struct trailfile *trail) {
  if (!next_line(r, "'initial'"))
    return false;
  if (r->has_options && !read_texts(r, "option ", &trail->option, &trail->n_options))
    return false;
  return read_texts(r, "invariant ", &trail->invariant, &trail->n_invariants);
}

/* Present only where the layout was made anew. */
static bool read_places(struct reader *r, uint32_t *places) {
  if (!take_word(r, "places "))
    return true;
  uint32_t at = r->at;
  if (!take_number(r, places))
    return false;
  if (*places == 0 || *places > TRAILFILE_MAX_PLACES) {
    r->at = at;
    return damaged(r, "a number of processes from 1 to 255");
  }
  return finish_line(r) && next_line(r, "'initial'");
}

/* Present only where statements were merged. */
static bool read_merge(struct reader *r, bool *merges) {
  *merges = take_word(r, "merge");
  return !*merges || (finish_line(r) && next_line(r, "'initial'"));
}

/* Present only where a claim ran beside the model. */
static bool read_claim(struct reader *r, struct trailfile *trail) {
  if (!r->has_claims || !take_word(r, "claim "))
    return true;
  if (!take_text(r, &trail->claim) || !finish_line(r) || !next_line(r, "'initial'"))
    return false;
  trail->general = take_word(r, "general");
  return !trail->general || (finish_line(r) && next_line(r, "'initial'"));
}

/* Present only after a lasso; the line after it is the current one. */
static bool read_cycle(struct reader *r, struct search_trail *trail) {
  if (!r->has_claims || !take_word(r, "cycle "))
    return true;
  uint32_t at = r->at;
  if (!take_number(r, &trail->n_cycle))
    return false;
  if (trail->n_cycle == 0 || trail->n_cycle > trail->n_events) {
    r->at = at;
    return damaged(r, "a number of events from 1 to all of them");
  }
  return finish_line(r) && next_line(r, "'error'");
}

static bool read_events(struct reader *r, struct search_trail *trail) {
  if (!take_word(r, "initial "))
    return damaged(r, "'invariant' or 'initial'");
  if (!take_number(r, &trail->initial) || !finish_line(r) || !next_line(r, "'events'"))
    return false;
  if (!take_word(r, "events "))
    return damaged(r, "'events'");
  uint32_t number_at = r->at;
  if (!take_number(r, &trail->n_events) || !finish_line(r))
    return false;
  /* An event takes at least four bytes of text: "0 0" and the newline. */
  if (trail->n_events > (r->source->length - r->at) / 4) {
    r->at = number_at;
    return damaged(r, "no more events than the file has lines");
  }
  trail->event = ARENA_ARRAY(r->arena, trail->n_events, struct ts_event);
  for (uint32_t i = 0; i < trail->n_events; i++) {
    if (!next_line(r, "an event") || !take_number(r, &trail->event[i].action))
      return false;
    if (!take_word(r, " "))
      return damaged(r, "a space");
    if (!take_number(r, &trail->event[i].choice) || !finish_line(r))
      return false;
  }
  return true;
}

static bool take_kind(struct reader *r, enum search_error_kind *kind) {
  for (uint32_t k = SEARCH_ASSERTION; k <= SEARCH_EXCLUSIVE; k++)
    if (take_word(r, search_error_name((enum search_error_kind)k))) {
      *kind = (enum search_error_kind)k;
      return true;
    }
  return damaged(r, "the kind of the error");
}

static bool read_error(struct reader *r, struct search_error *error) {
  if (!next_line(r, "'error'") || !read_cycle(r, &error->trail))
    return false;
  if (!take_word(r, "error "))
    return damaged(r, "'error'");
  if (!take_kind(r, &error->kind))
    return false;
  if (!take_word(r, " "))
    return damaged(r, "a space");
  error->index = TS_NONE;
  if (!take_word(r, "-") && !take_number(r, &error->index))
    return false;
  if (take_word(r, " in"))
    error->in_last_event = true;
  else if (!take_word(r, " after"))
    return damaged(r, "'in' or 'after'");
  if (error->in_last_event && error->trail.n_events == 0)
    return damaged(r, "'after', for there are no events");
  return finish_line(r);
}

bool trailfile_read(struct arena *arena, struct diag *diag, const struct source *source,
                    struct trailfile *trail) {
  struct reader r = {.arena = arena, .diag = diag, .source = source};
  *trail = (struct trailfile){0};
  if (!read_head(&r, trail) || !read_meaning(&r, trail) || !read_places(&r, &trail->places) ||
      !read_merge(&r, &trail->merges) || !read_claim(&r, trail) ||
      !read_events(&r, &trail->error.trail) || !read_error(&r, &trail->error))
    return false;
  if (!next_line(&r, "'end'"))
    return false;
  if (!take_word(&r, "end"))
    return damaged(&r, "'end'");
  if (!finish_line(&r))
    return false;
  r.end = source->length;
  return r.at == source->length || damaged(&r, "nothing after 'end'");
}
