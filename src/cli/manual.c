/* manual.c - the manual page as plain text, for a terminal.
 *
 * It is made from the troff that `man` reads, so that the two are one text. Only what
 * options_man() uses is known here.
 */
#include "cli/options.h"

#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>

#define MANUAL_COLUMNS 78 /* or what the terminal has */
#define MANUAL_INDENT  7

struct manual {
  FILE *out;
  int width, column;
  bool fills; /* lines of the source are joined; else each is a line */
  bool heads; /* the next line is what the lines after it are about */
  int indent;
};

static void end_line(struct manual *m) {
  if (m->column > 0)
    fputc('\n', m->out);
  m->column = 0;
}

static void put_word(struct manual *m, const char *word, size_t n) {
  if (m->column > 0 && m->column + 1 + (int)n > m->width && m->fills)
    end_line(m);
  m->column += fprintf(m->out, "%*s%.*s", m->column == 0 ? m->indent : 1, "", (int)n, word);
}

/* Without the marks of fonts and with plain hyphens, in place. */
static void strip(char *line) {
  char *to = line;
  for (const char *c = line; *c != '\0'; c++) {
    if (c[0] != '\\') {
      *to++ = *c;
    } else if (c[1] == 'f' && c[2] != '\0') {
      c += 2;
    } else if (c[1] == '&') {
      c++;
    } else if (c[1] != '\0') {
      c++;
      *to++ = *c == 'e' ? '\\' : *c;
    }
  }
  *to = '\0';
}

static void put_text(struct manual *m, char *line) {
  strip(line);
  for (const char *c = line; *c != '\0';) {
    const size_t n = strcspn(c, " ");
    if (n > 0)
      put_word(m, c, n);
    c += n;
    c += strspn(c, " ");
  }
  if (!m->fills || m->heads)
    end_line(m);
  if (m->heads)
    m->indent = 2 * MANUAL_INDENT;
  m->heads = false;
}

static void put_line(struct manual *m, char *line) {
  if (strncmp(line, ".SH ", 4) == 0) {
    end_line(m);
    fprintf(m->out, "\n%s\n", line + 4);
    m->indent = MANUAL_INDENT;
  } else if (strcmp(line, ".TP") == 0) {
    end_line(m);
    m->indent = MANUAL_INDENT;
    m->heads = true;
  } else if (strcmp(line, ".br") == 0) {
    end_line(m);
  } else if (strcmp(line, ".nf") == 0 || strcmp(line, ".fi") == 0) {
    end_line(m);
    m->fills = line[1] == 'f';
  } else if (strncmp(line, ".B ", 3) == 0) {
    put_text(m, line + 3);
  } else if (strncmp(line, ".TH", 3) != 0) {
    put_text(m, line);
  }
}

void options_man_plain(FILE *out, const char *version) {
  const uint32_t columns = terminal_columns(out);
  struct manual m = {.out = out,
                     .width = columns == 0 ? MANUAL_COLUMNS : (int)columns,
                     .fills = true,
                     .indent = MANUAL_INDENT};
  char *text = NULL;
  size_t size = 0;
  FILE *page = open_memstream(&text, &size);
  if (page == NULL)
    return;
  options_man(page, version);
  if (fclose(page) == 0) {
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
      put_line(&m, line);
    end_line(&m);
  }
  free(text);
}
