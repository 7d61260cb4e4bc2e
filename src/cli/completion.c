/* completion.c - completion scripts for shells, from the table of options.
 *
 * Each knows the commands, the options of each, and the values of those that take a name of a
 * list. Where an option takes a file, files are offered.
 */
#include "cli/command.h"
#include "cli/seams.h"

#include <string.h>

static bool takes(enum command command, uint32_t option) {
  return options_entry((enum option)option)->commands >> command & 1;
}

/* The values of an option, each with `before` in front; false: it has no list of them. */
static bool put_values(uint32_t option, const char *before, FILE *out) {
  const struct option_entry *e = options_entry((enum option)option);
  struct seams_value v;
  if (e->kind == OPTION_CHOICE || e->kind == OPTION_CHOICES) {
    const char *c = e->argument;
    for (bool first = true; *c != '\0'; first = false) {
      const size_t n = strcspn(c, "|");
      fprintf(out, "%s%.*s", first ? "" : before, (int)n, c);
      c += n + (c[n] == '|');
    }
    return true;
  }
  for (uint32_t k = 0; seams_value((enum option)option, k, &v); k++)
    fprintf(out, "%s%s", k > 0 ? before : "", v.word);
  return seams_value((enum option)option, 0, &v);
}

static bool has_values(uint32_t option) {
  const struct option_entry *e = options_entry((enum option)option);
  struct seams_value v;
  return e->kind == OPTION_CHOICE || e->kind == OPTION_CHOICES ||
         seams_value((enum option)option, 0, &v);
}

/* ---- bash ------------------------------------------------------------------------------- */

static void bash_values(FILE *out) {
  fputs("  case $previous in\n", out);
  for (uint32_t i = 0; i < OPTIONS; i++) {
    const struct option_entry *e = options_entry((enum option)i);
    if (e->kind == OPTION_FLAG)
      continue;
    if (e->letter != '\0')
      fprintf(out, "  -%c|--%s) ", e->letter, e->name);
    else
      fprintf(out, "  --%s) ", e->name);
    if (has_values(i)) {
      fputs("COMPREPLY=($(compgen -W '", out);
      put_values(i, " ", out);
      fputs("' -- \"$current\")); return ;;\n", out);
    } else if (e->kind == OPTION_TEXT) {
      fputs("COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n", out);
    } else {
      fputs("return ;;\n", out);
    }
  }
  fputs("  esac\n", out);
}

static void bash_options(enum command command, FILE *out) {
  for (uint32_t i = 0; i < OPTIONS; i++)
    if (takes(command, i))
      fprintf(out, "--%s ", options_entry((enum option)i)->name);
}

static void bash(FILE *out) {
  fputs(
      "# bash completion for cairn\n"
      "_cairn() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=\n"
      "  COMPREPLY=()\n",
      out);
  bash_values(out);
  fputs("  case ${COMP_WORDS[1]} in\n", out);
  for (uint32_t c = 1; c < COMMANDS; c++) {
    fprintf(out, "  %s) words='", options_command((enum command)c)->name);
    bash_options((enum command)c, out);
    fputs("' ;;\n", out);
  }
  fputs("  esac\n  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words='help ", out);
  for (uint32_t c = 1; c < COMMANDS; c++)
    fprintf(out, "%s ", options_command((enum command)c)->name);
  bash_options(COMMAND_NONE, out);
  fputs("'\n  elif [[ $current != -* ]]; then\n"
        "    COMPREPLY=($(compgen -f -- \"$current\")); return\n  fi\n"
        "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
        "}\n"
        "complete -o filenames -F _cairn cairn\n",
        out);
}

/* ---- zsh -------------------------------------------------------------------------------- */

/* Text within single quotes, where brackets and colons mean something to the shell. */
static void zsh_text(const char *text, FILE *out) {
  for (; *text != '\0'; text++)
    if (*text == '\'')
      fputs("'\\''", out);
    else if (strchr("[]:\\", *text) != NULL)
      fprintf(out, "\\%c", *text);
    else
      fputc(*text, out);
}

static void zsh_option(uint32_t option, FILE *out) {
  const struct option_entry *e = options_entry((enum option)option);
  fprintf(out, " \\\n    '*--%s%s[", e->name, e->kind == OPTION_FLAG ? "" : "=");
  zsh_text(e->help, out);
  fputc(']', out);
  if (e->kind != OPTION_FLAG) {
    fputs(":value:", out);
    if (has_values(option)) {
      fputc('(', out);
      put_values(option, " ", out);
      fputc(')', out);
    } else if (e->kind == OPTION_TEXT) {
      fputs("_files", out);
    }
  }
  fputc('\'', out);
}

static void zsh(FILE *out) {
  fputs("#compdef cairn\n# zsh completion for cairn\n_cairn() {\n"
        "  local -a commands\n  commands=('help:print the help of a command'",
        out);
  for (uint32_t c = 1; c < COMMANDS; c++) {
    fprintf(out, "\n    '%s:", options_command((enum command)c)->name);
    zsh_text(options_command((enum command)c)->summary, out);
    fputc('\'', out);
  }
  fputs(")\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
        "  case $words[2] in\n",
        out);
  for (uint32_t c = 1; c < COMMANDS; c++) {
    fprintf(out, "  %s) _arguments '*:file:_files'", options_command((enum command)c)->name);
    for (uint32_t i = 0; i < OPTIONS; i++)
      if (takes((enum command)c, i))
        zsh_option(i, out);
    fputs(" ;;\n", out);
  }
  fputs("  esac\n}\n[ \"$funcstack[1]\" = _cairn ] && _cairn \"$@\" || compdef _cairn cairn\n",
        out);
}

/* ---- fish ------------------------------------------------------------------------------- */

static void fish_text(const char *text, FILE *out) {
  for (; *text != '\0'; text++)
    if (*text == '\'' || *text == '\\')
      fprintf(out, "\\%c", *text);
    else
      fputc(*text, out);
}

static void fish_option(enum command command, uint32_t option, FILE *out) {
  const struct option_entry *e = options_entry((enum option)option);
  fprintf(out, "complete -c cairn -n '__fish_seen_subcommand_from %s' -l %s",
          options_command(command)->name, e->name);
  if (e->letter != '\0')
    fprintf(out, " -s %c", e->letter);
  if (e->kind != OPTION_FLAG && has_values(option)) {
    fputs(" -x -a '", out);
    put_values(option, " ", out);
    fputc('\'', out);
  } else if (e->kind != OPTION_FLAG) {
    fputs(e->kind == OPTION_TEXT ? " -r -F" : " -x", out);
  }
  fputs(" -d '", out);
  fish_text(e->help, out);
  fputs("'\n", out);
}

static void fish(FILE *out) {
  fputs("# fish completion for cairn\n"
        "complete -c cairn -n __fish_use_subcommand -f -a help -d 'print the help of a "
        "command'\n",
        out);
  for (uint32_t c = 1; c < COMMANDS; c++) {
    fprintf(out, "complete -c cairn -n __fish_use_subcommand -f -a %s -d '",
            options_command((enum command)c)->name);
    fish_text(options_command((enum command)c)->summary, out);
    fputs("'\n", out);
  }
  for (uint32_t c = 1; c < COMMANDS; c++)
    for (uint32_t i = 0; i < OPTIONS; i++)
      if (takes((enum command)c, i))
        fish_option((enum command)c, i, out);
}

void options_completion(enum options_shell shell, FILE *out) {
  if (shell == OPTIONS_BASH)
    bash(out);
  else if (shell == OPTIONS_ZSH)
    zsh(out);
  else
    fish(out);
}
