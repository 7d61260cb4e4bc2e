/* options.c - parsing the command line by the table in options.def.
 *
 * Written by hand instead of with getopt, because the table has to say which
 * command takes which option, with ranges and choices, and because a wrong word
 * deserves a suggestion. Nothing is allocated: values point into argv.
 */
#include "cli/options.h"

#include "base/diag.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#define IN_NONE      (1u << COMMAND_NONE)
#define IN_CHECK     (1u << COMMAND_CHECK)
#define IN_SIM       (1u << COMMAND_SIM)
#define IN_TRAIL     (1u << COMMAND_TRAIL)
#define IN_INFO      (1u << COMMAND_INFO)
#define IN_GRAPH     (1u << COMMAND_GRAPH)
#define IN_AUTOMATON (1u << COMMAND_AUTOMATON)
#define IN_BENCH     (1u << COMMAND_BENCH)
#define RARE         OPTIONS_RARE
#define MODEL        OPTIONS_MODEL

static const struct option_entry option_table[OPTIONS] = {
#define COMMAND(...)
#define OPTION(id, name, letter, kind, argument, commands, fallback, low, high, help, more)    \
  [OPTION_##id] = {name,     letter, OPTION_##kind, argument, commands,                        \
                   fallback, low,    high,          help,     more},
#include "cli/options.def"
#undef COMMAND
#undef OPTION
};

static const struct command_entry command_table[COMMANDS] = {
    [COMMAND_NONE] = {"", "COMMAND", 0, 0, "an explicit-state model checker"},
#define COMMAND(id, name, operands, least, most, summary)                                      \
  [COMMAND_##id] = {#name, operands, least, most, summary},
#define OPTION(...)
#include "cli/options.def"
#undef COMMAND
#undef OPTION
};

const struct option_entry *options_entry(enum option option) {
  return &option_table[option];
}

const struct command_entry *options_command(enum command command) {
  return &command_table[command];
}

/* ---- mistakes ---------------------------------------------------------------- */

/* Bytes that could disturb a terminal become "?". */
bool options_wrong(struct options *o, const char *format, ...) {
  if (o->problem[0] != '\0')
    return false;
  va_list list;
  va_start(list, format);
  vsnprintf(o->problem, sizeof o->problem, format, list);
  va_end(list);
  for (char *c = o->problem; *c != '\0'; c++)
    if ((unsigned char)*c < 32 || *c == 127)
      *c = '?';
  return false;
}

static bool unknown_option(struct options *o, const char *name, int length) {
  const char *names[OPTIONS];
  uint32_t n = 0;
  for (uint32_t i = 0; i < OPTIONS; i++)
    if (option_table[i].commands >> o->command & 1)
      names[n++] = option_table[i].name;
  char word[64];
  snprintf(word, sizeof word, "%.*s", length, name);
  const char *closest = diag_closest(word, names, n);
  if (closest != NULL)
    return options_wrong(o, "unknown option '--%.40s'; did you mean '--%s'?", word, closest);
  return options_wrong(o, "unknown option '--%.40s'", word);
}

/* ---- values ------------------------------------------------------------------ */

/* Digits only; false also if the number does not fit. *end: after the digits. */
static bool digits(const char *text, uint64_t *number, const char **end) {
  const char *c = text;
  uint64_t value = 0;
  for (; *c >= '0' && *c <= '9'; c++)
    if (__builtin_mul_overflow(value, UINT64_C(10), &value) ||
        __builtin_add_overflow(value, (uint64_t)(*c - '0'), &value))
      return false;
  *number = value;
  *end = c;
  return c != text;
}

static bool take_number(struct options *o, const struct option_entry *e, const char *text,
                        struct option_value *value) {
  const char *end;
  if (!digits(text, &value->number, &end) || *end != '\0')
    return options_wrong(o, "--%s needs a number, not '%.60s'", e->name, text);
  if (value->number < e->low || value->number > e->high)
    return options_wrong(o, "--%s must be from %llu to %llu, not '%.30s'", e->name,
                         (unsigned long long)e->low, (unsigned long long)e->high, text);
  return true;
}

/* Digits and perhaps a unit, before which there may be decimals; what is too large becomes
 * UINT64_MAX. */
static bool size_of(const char *text, uint64_t *size) {
  static const char units[] = "KMGT";
  const char *end;
  double part = 0, place = 1;
  if (!digits(text, size, &end))
    return false;
  const bool has_point = *end == '.' && end[1] >= '0' && end[1] <= '9';
  if (has_point)
    for (end++; *end >= '0' && *end <= '9'; end++)
      part += (*end - '0') * (place /= 10);
  const char *unit = *end == '\0' ? NULL : strchr(units, *end & ~0x20);
  if (*end == '\0')
    return !has_point;
  if (unit == NULL || *unit == '\0' || end[1] != '\0')
    return false;
  for (const char *u = units; u <= unit; u++) {
    part *= 1024;
    if (__builtin_mul_overflow(*size, UINT64_C(1024), size))
      *size = UINT64_MAX;
  }
  if (__builtin_add_overflow(*size, (uint64_t)part, size))
    *size = UINT64_MAX;
  return true;
}

static bool take_size(struct options *o, const struct option_entry *e, const char *text,
                      struct option_value *value) {
  if (!size_of(text, &value->number))
    return options_wrong(o, "--%s needs a size such as 512M or 1.5G, not '%.60s'", e->name,
                         text);
  if (value->number < e->low)
    return options_wrong(o, "--%s %.40s is too little: at least 1M is needed", e->name, text);
  if (value->number > e->high)
    return options_wrong(o, "--%s %.40s is more than any machine has", e->name, text);
  return true;
}

/* NAME, NAME:NUMBER, NAME,SIZE or NAME:NUMBER,SIZE; or NAME:WORDS, which the method reads. */
static bool take_method(struct options *o, const struct option_entry *e, const char *text,
                        struct option_value *value) {
  const char *end = text + strcspn(text, ":,");
  if (end == text)
    return options_wrong(o, "--%s needs a name, not '%.60s'", e->name, text);
  if (*end == ':' && end[1] == '\0')
    return options_wrong(o, "--%s %.60s ends in a colon: leave it out, or see --%s help",
                         e->name, text, e->name);
  if (*end == ':' && end[1] >= 'a' && end[1] <= 'z')
    return true;
  if (*end == ':' && (!digits(end + 1, &value->number, &end) || (*end != '\0' && *end != ',')))
    return options_wrong(o, "--%s %.60s: after the colon there must be a number", e->name,
                         text);
  if (text[strcspn(text, ":,")] == ':' && (value->number == 0 || value->number > UINT32_MAX))
    return options_wrong(o, "--%s %.60s: the number is out of range", e->name, text);
  if (*end == ',' && (!size_of(end + 1, &value->size) || value->size == 0))
    return options_wrong(o, "--%s %.60s: after the comma there must be a size such as 512M",
                         e->name, text);
  return true;
}

/* Decimal seconds, as 10 or 0.5. */
static bool take_seconds(struct options *o, const struct option_entry *e, const char *text,
                         struct option_value *value) {
  double seconds = 0, unit = 1;
  const char *c = text;
  for (; *c >= '0' && *c <= '9'; c++)
    seconds = seconds * 10 + (*c - '0');
  bool any = c != text;
  if (*c == '.')
    for (c++; *c >= '0' && *c <= '9'; c++, any = true)
      seconds += (*c - '0') * (unit /= 10);
  if (!any || *c != '\0')
    return options_wrong(o, "--%s needs seconds such as 60 or 0.5, not '%.60s'", e->name, text);
  if (!(seconds > (double)e->low) || seconds > (double)e->high)
    return options_wrong(o, "--%s must be above 0 and at most 1000000000 seconds, not '%.30s'",
                         e->name, text);
  value->seconds = seconds;
  return true;
}

/* The index of a word among choices parted by "|", or -1. */
static int choice_index(const char *choices, const char *word, size_t length) {
  int index = 0;
  for (const char *c = choices;; index++) {
    size_t n = strcspn(c, "|");
    if (n == length && memcmp(c, word, n) == 0)
      return index;
    if (c[n] == '\0')
      return -1;
    c += n + 1;
  }
}

/* The same of a word that begins with a number from 1 on, for which the choice has "2". */
static int choice_with_number(const char *choices, const char *word, size_t length,
                              uint64_t *number) {
  char with_two[32];
  const char *end;
  if (!digits(word, number, &end) || *number == 0)
    return -1;
  const int n =
      snprintf(with_two, sizeof with_two, "2%.*s", (int)(length - (size_t)(end - word)), end);
  return n >= (int)sizeof with_two ? -1 : choice_index(choices, with_two, (size_t)n);
}

static bool take_choice(struct options *o, const struct option_entry *e, const char *text,
                        struct option_value *value) {
  int index = choice_index(e->argument, text, strlen(text));
  if (index < 0 && o->command == COMMAND_GRAPH && e == &option_table[OPTION_FORMAT])
    return options_wrong(
        o, "--format must be dot or aut, not '%.60s'; dot -Tsvg makes a picture of the first",
        text);
  if (index < 0)
    return options_wrong(o, "--%s must be %s, not '%.60s'", e->name, e->argument, text);
  value->number = (uint64_t)index;
  return true;
}

static bool take_choices(struct options *o, const struct option_entry *e, const char *text,
                         struct option_value *value) {
  for (const char *c = text;;) {
    size_t n = strcspn(c, ",");
    uint64_t number;
    int index = choice_with_number(e->argument, c, n, &number);
    if (index >= 0)
      value->size = value->size == 0 || number < value->size ? number : value->size;
    else
      index = choice_index(e->argument, c, n);
    if (index < 0)
      return options_wrong(o, "--%s must be %s, not '%.*s'", e->name, e->argument,
                           (int)(n > 60 ? 60 : n), c);
    value->number |= UINT64_C(1) << index;
    if (c[n] == '\0')
      return true;
    c += n + 1;
  }
}

static bool take_value(struct options *o, enum option option, const char *text) {
  const struct option_entry *e = &option_table[option];
  struct option_value *value = &o->value[option];
  if (value->given && e->kind != OPTION_TEXTS && e->kind != OPTION_CHOICES &&
      e->kind != OPTION_SPECS)
    return options_wrong(o, "--%s is given twice", e->name);
  value->given = true;
  value->text = text;
  switch (e->kind) {
  case OPTION_FLAG:
    return true;
  case OPTION_TEXT:
  case OPTION_SPEC:
  case OPTION_SPECS:
  case OPTION_TEXTS:
    return *text != '\0' || options_wrong(o, "--%s needs a value that is not empty", e->name);
  case OPTION_NUMBER:
    return take_number(o, e, text, value);
  case OPTION_SIZE:
    return take_size(o, e, text, value);
  case OPTION_SECONDS:
    return take_seconds(o, e, text, value);
  case OPTION_CHOICE:
    return take_choice(o, e, text, value);
  case OPTION_METHOD:
    return take_method(o, e, text, value);
  case OPTION_CHOICES:
    return take_choices(o, e, text, value);
  }
  return false;
}

/* ---- words ------------------------------------------------------------------- */

/* Two commands may have different options of one name: that of this command, or any. */
static enum option find_option(enum command command, const char *name, size_t length) {
  enum option found = OPTIONS;
  for (uint32_t i = 0; i < OPTIONS; i++)
    if (strlen(option_table[i].name) == length &&
        memcmp(option_table[i].name, name, length) == 0 &&
        (found == OPTIONS || (option_table[i].commands >> command & 1)))
      found = (enum option)i;
  return found;
}

static enum option find_letter(char letter) {
  for (uint32_t i = 0; letter != '\0' && i < OPTIONS; i++)
    if (option_table[i].letter == letter)
      return (enum option)i;
  return OPTIONS;
}

/* One option at argv[*at]; moves *at on when it takes the next word as value. */
static bool take_option(struct options *o, int argc, char **argv, int *at) {
  const char *word = argv[*at];
  const char *equals = NULL;
  enum option option;
  if (word[1] == '-') {
    size_t length = strcspn(word + 2, "=");
    equals = word[2 + length] == '=' ? word + 3 + length : NULL;
    option = find_option(o->command, word + 2, length);
    if (option == OPTIONS)
      return unknown_option(o, word + 2, (int)(length > 60 ? 60 : length));
  } else {
    option = find_letter(word[1]);
    if (option == OPTIONS)
      return options_wrong(o, "unknown option '%.40s'", word);
    if (word[2] != '\0' && option_table[option].kind == OPTION_FLAG)
      return options_wrong(o, "'%.40s': write short options one by one", word);
    equals = word[2] != '\0' ? word + 2 : NULL;
  }
  const struct option_entry *e = &option_table[option];
  if (!(e->commands >> o->command & 1)) {
    const char *where = o->command == COMMAND_NONE ? "here" : "with this command";
    return options_wrong(o, "--%s has no effect %s", e->name, where);
  }
  if (e->kind == OPTION_FLAG && equals != NULL)
    return options_wrong(o, "--%s takes no value", e->name);
  if (e->kind != OPTION_FLAG && equals == NULL) {
    if (*at + 1 >= argc)
      return options_wrong(o, "--%s needs a value: %s", e->name, e->argument);
    equals = argv[++*at];
  }
  o->given[o->n_given++] = (struct option_given){option, equals};
  return take_value(o, option, equals);
}

static bool take_command(struct options *o, const char *word) {
  const char *names[COMMANDS];
  for (uint32_t i = 1; i < COMMANDS; i++) {
    names[i - 1] = command_table[i].name;
    if (strcmp(word, command_table[i].name) == 0) {
      o->command = (enum command)i;
      return true;
    }
  }
  const char *closest = diag_closest(word, names, COMMANDS - 1);
  if (closest != NULL)
    return options_wrong(o, "unknown command '%.60s'; did you mean '%s'?", word, closest);
  if (strchr(word, '.') != NULL || strchr(word, '/') != NULL)
    return options_wrong(o, "unknown command '%.60s'; did you mean 'cairn check %.60s'?", word,
                         word);
  return options_wrong(o, "unknown command '%.60s'; see cairn --help", word);
}

static bool take_operand(struct options *o, const char *word) {
  const struct command_entry *command = &command_table[o->command];
  if (o->n_operands >= command->most) {
    if (o->command == COMMAND_NONE)
      return options_wrong(o, "unexpected '%.60s'", word);
    return options_wrong(o, "unexpected '%.60s': cairn %s takes %s", word, command->name,
                         command->operands);
  }
  if (*word == '\0')
    return options_wrong(o, o->command == COMMAND_AUTOMATON
                                ? "the formula is empty: write one such as '[] p'"
                                : "a file name is empty");
  /* Options and operands are not more than the words, and there is room for all of those. */
  if (o->n_operands < sizeof o->operand / sizeof *o->operand)
    o->operand[o->n_operands] = word;
  o->last_operand[-(ptrdiff_t)o->n_operands++].text = word;
  return true;
}

const char *options_operand(const struct options *o, uint32_t i) {
  return o->last_operand[-(ptrdiff_t)i].text;
}

/* What was not given has its default where that is a choice or a number. */
static void set_defaults(struct options *o) {
  for (uint32_t i = 0; i < OPTIONS; i++) {
    const struct option_entry *e = &option_table[i];
    struct option_value *value = &o->value[i];
    if (value->given || e->fallback[0] == '\0')
      continue;
    if (e->kind == OPTION_CHOICE)
      value->number = (uint64_t)choice_index(e->argument, e->fallback, strlen(e->fallback));
    else if (e->kind == OPTION_NUMBER) {
      const char *end;
      digits(e->fallback, &value->number, &end);
    }
    if (e->kind == OPTION_CHOICE || e->kind == OPTION_METHOD || e->kind == OPTION_SPEC)
      value->text = e->fallback;
  }
}

/* ---- words ------------------------------------------------------------------------ */

static bool take_words(struct options *o, int argc, char **argv, int at) {
  bool only_operands = false, fine = true;
  for (; at < argc; at++) {
    const char *word = argv[at];
    if (!only_operands && strcmp(word, "--") == 0)
      only_operands = true;
    else if (!only_operands && word[0] == '-' && word[1] != '\0')
      fine &= take_option(o, argc, argv, &at);
    else
      fine &= take_operand(o, word);
  }
  return fine;
}

/* The option that names methods and was given "help" for a name; OPTIONS: none. */
static enum option asked_about(const struct options *o) {
  for (uint32_t i = 0; i < o->n_given; i++) {
    const enum option option = o->given[i].option;
    const enum option_kind kind = option_table[option].kind;
    const bool names = kind == OPTION_SPEC || kind == OPTION_SPECS || kind == OPTION_METHOD ||
                       option == OPTION_STORES || option == OPTION_ORDERS ||
                       option == OPTION_REDUCTIONS;
    if (names && strcmp(o->given[i].text, "help") == 0)
      return o->given[i].option;
  }
  return OPTIONS;
}

bool options_read(struct options *o, int argc, char **argv, struct option_given *room) {
  memset(o, 0, sizeof *o);
  o->messages = stderr;
  o->given = room;
  o->last_operand = &room[argc > 0 ? argc - 1 : 0];
  o->program = argc > 0 && argv[0][0] != '\0' ? argv[0] : "cairn";
  int at = 1;
  if (at >= argc)
    return options_wrong(o, "a command is missing");
  if (argv[at][0] != '-' && !take_command(o, argv[at++]))
    return false;
  bool fine = take_words(o, argc, argv, at);
  o->help_about = asked_about(o);
  o->wants_help = o->value[OPTION_HELP].given || o->help_about != OPTIONS;
  if (o->wants_help)
    return true;
  if (!fine)
    return false;
  if (o->command == COMMAND_NONE && o->n_given == 0)
    return options_wrong(o, "a command is missing");
  set_defaults(o);
  const struct command_entry *command = &command_table[o->command];
  if (o->n_operands < command->least) {
    const char *missing = command->operands;
    for (uint32_t i = 0; i < o->n_operands; i++)
      missing += strcspn(missing, " ") + 1;
    return options_wrong(o, "%.*s is missing: cairn %s %s", (int)strcspn(missing, " ."),
                         missing, command->name, command->operands);
  }
  return true;
}

bool options_add(struct options *o, const char *word) {
  char *argv[] = {(char *)(uintptr_t)word};
  int at = 0;
  return take_option(o, 1, argv, &at);
}

const char *options_next(const struct options *o, enum option option, uint32_t *cursor) {
  while (*cursor < o->n_given) {
    const struct option_given *given = &o->given[(*cursor)++];
    if (given->option == option)
      return given->text;
  }
  return NULL;
}

bool options_to_stdout(const struct options *o, enum option option) {
  return o->value[option].given && strcmp(o->value[option].text, "-") == 0;
}

bool options_gives(const struct options *o, enum option option, const char *text) {
  uint32_t cursor = 0;
  for (const char *given; (given = options_next(o, option, &cursor)) != NULL;)
    if (strcmp(given, text) == 0)
      return true;
  return false;
}
