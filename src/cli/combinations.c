/* combinations.c - `cairn --combinations`: which methods go together, as a page of Markdown.
 *
 * Nothing here knows a method or a rule. Every value of every seam is combined with every value
 * of all others, as words of a command line; the same code judges them that judges the user's.
 * Two values go together if some combination with both is allowed; if none is, the reasons are
 * those rules that are the only one broken by some combination, or where there is no such rule
 * those that all combinations break. What no pair explains would be counted by itself.
 */
#include "cli/combinations.h"

#include "cli/methods.h"
#include "cli/seams.h"

#include <string.h>

#define SEAMS      6u
#define MOST       16u /* values of a seam */
#define MOST_RULES 64u
#define MOST_WORDS 24u

struct seam {
  enum option option;
  const char *title;
  const char *none; /* the value that leaves the option out, or NULL */
};

static const struct seam seams[SEAMS] = {
    {OPTION_ORDER, "order", NULL},
    {OPTION_STORE, "store", NULL},
    {OPTION_REDUCE, "reduction", NULL},
    {OPTION_FORGET, "way to forget", NULL},
    {OPTION_CYCLES, "search for cycles", "none"},
    {OPTION_PROPERTY, "property", "assertions, invariants"}};

struct value {
  const char *name;  /* for people */
  const char *words; /* for the command line; "": none */
};

struct table {
  struct arena *arena;
  struct value value[SEAMS][MOST];
  uint32_t n[SEAMS];
  uint64_t reasons[SEAMS][MOST][SEAMS][MOST]; /* bit per rule: alone is broken somewhere */
  uint64_t spared[SEAMS][MOST][SEAMS][MOST];  /* the same: is not broken somewhere */
  bool allowed[SEAMS][MOST][SEAMS][MOST];
  uint64_t n_all, n_allowed, n_unexplained;
};

/* ---- the values ------------------------------------------------------------------------ */

static void add_value(struct table *t, uint32_t seam, const char *name, const char *words) {
  if (t->n[seam] < MOST)
    t->value[seam][t->n[seam]++] = (struct value){name, words};
}

static void add_values(struct table *t, uint32_t seam) {
  const struct option_entry *e = options_entry(seams[seam].option);
  struct seams_value v;
  if (seams[seam].none != NULL)
    add_value(t, seam, seams[seam].none, "");
  for (uint32_t i = 0; seams_value(seams[seam].option, i, &v); i++) {
    const char *sample = arena_text(t->arena, v.sample, strlen(v.sample));
    const char *name = e->kind == OPTION_SPECS ? sample : v.name;
    add_value(t, seam, name, arena_printf(t->arena, "--%s %s", e->name, sample));
  }
  if (e->kind != OPTION_CHOICES && e->kind != OPTION_CHOICE)
    return;
  for (const char *c = e->argument; *c != '\0';) {
    size_t n = strcspn(c, "|");
    const char *name = arena_text(t->arena, c, n);
    if (strcmp(name, "auto") != 0) /* it is one of the others, as the rest allows */
      add_value(t, seam, name, arena_printf(t->arena, "--%s %s", e->name, name));
    c += n + (c[n] == '|');
  }
}

/* ---- trying all ------------------------------------------------------------------------ */

static void judge_words(struct arena *arena, const char *words, struct methods_judged *judged) {
  char *argv[MOST_WORDS + 1] = {(char *)(uintptr_t) "cairn", (char *)(uintptr_t) "check"};
  char *text = arena_printf(arena, "%s model", words), *rest = NULL;
  int argc = 2;
  for (char *word = strtok_r(text, " ", &rest); word != NULL && argc < (int)MOST_WORDS;
       word = strtok_r(NULL, " ", &rest))
    argv[argc++] = word;
  methods_judge(arena, argc, argv, judged);
}

/* Calls `each` for every choice of a value from each seam. */
static void for_all(struct table *t, void (*each)(struct table *, const uint32_t *choice)) {
  uint32_t choice[SEAMS] = {0};
  for (;;) {
    each(t, choice);
    uint32_t seam = SEAMS;
    while (seam > 0 && ++choice[seam - 1] == t->n[seam - 1])
      choice[--seam] = 0;
    if (seam == 0)
      return;
  }
}

static uint64_t judge_choice(struct table *t, const uint32_t *choice) {
  const char *words = "";
  struct methods_judged judged;
  for (uint32_t s = 0; s < SEAMS; s++)
    words = arena_printf(t->arena, "%s %s", words, t->value[s][choice[s]].words);
  judge_words(t->arena, words, &judged);
  return judged.why == NULL     ? 0
         : judged.about == NULL ? UINT64_MAX
                                : rules_all_broken(judged.about);
}

static void try_choice(struct table *t, const uint32_t *choice) {
  uint64_t broken = judge_choice(t, choice);
  t->n_all++;
  t->n_allowed += broken == 0;
  for (uint32_t a = 0; a < SEAMS; a++)
    for (uint32_t b = 0; b < SEAMS; b++) {
      if ((broken & (broken - 1)) == 0)
        t->reasons[a][choice[a]][b][choice[b]] |= broken;
      t->spared[a][choice[a]][b][choice[b]] |= ~broken;
      t->allowed[a][choice[a]][b][choice[b]] |= broken == 0;
    }
}

/* Whether a choice is refused although every two of its values go together. */
static void count_unexplained(struct table *t, const uint32_t *choice) {
  bool pairs = true;
  for (uint32_t a = 0; a < SEAMS; a++)
    for (uint32_t b = a + 1; b < SEAMS; b++)
      pairs &= t->allowed[a][choice[a]][b][choice[b]];
  t->n_unexplained += pairs && judge_choice(t, choice) != 0;
}

/* ---- the page -------------------------------------------------------------------------- */

static void print_values(FILE *out, uint32_t seam) {
  struct seams_value v;
  fprintf(out, "\n## %c%s: `--%s`\n\n| value | what it does |\n| --- | --- |\n",
          seams[seam].title[0] & ~0x20, seams[seam].title + 1,
          options_entry(seams[seam].option)->name);
  for (uint32_t i = 0; seams_value(seams[seam].option, i, &v); i++)
    fprintf(out, "| `%s` | %s%s%s |\n", v.form, v.summary, v.argument[0] != '\0' ? "; " : "",
            v.argument);
}

static bool all_go_together(const struct table *t, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < t->n[a]; i++)
    for (uint32_t k = 0; k < t->n[b]; k++)
      if (!t->allowed[a][i][b][k])
        return false;
  return true;
}

/* "no (9, 13)" */
static void print_cell(FILE *out, bool allowed, uint64_t reasons) {
  fputs(allowed ? " yes" : " no", out);
  const char *before = " (";
  for (uint32_t i = 0; !allowed && rules[i].name != NULL; i++)
    if (reasons >> i & 1) {
      fprintf(out, "%s%u", before, i + 1);
      before = ", ";
    }
  fputs(!allowed && reasons != 0 ? ") |" : " |", out);
}

static void print_pairs(const struct table *t, FILE *out, uint32_t a, uint32_t b) {
  if (all_go_together(t, a, b)) {
    fprintf(out, "\nEvery %s goes with every %s.\n", seams[a].title, seams[b].title);
    return;
  }
  fprintf(out, "\n| %s, %s |", seams[a].title, seams[b].title);
  for (uint32_t k = 0; k < t->n[b]; k++)
    fprintf(out, " %s |", t->value[b][k].name);
  fputs("\n| --- |", out);
  for (uint32_t k = 0; k < t->n[b]; k++)
    fputs(" --- |", out);
  fputc('\n', out);
  for (uint32_t i = 0; i < t->n[a]; i++) {
    fprintf(out, "| %s |", t->value[a][i].name);
    for (uint32_t k = 0; k < t->n[b]; k++)
      print_cell(out, t->allowed[a][i][b][k],
                 t->reasons[a][i][b][k] != 0 ? t->reasons[a][i][b][k] : ~t->spared[a][i][b][k]);
    fputc('\n', out);
  }
}

/* "- 7. **name**: sentence. Refused: `…`. Instead: `…`." */
static void print_rules(struct table *t, FILE *out) {
  for (uint32_t i = 0; rules[i].name != NULL; i++) {
    char sentence[METHODS_SENTENCE] = "";
    struct methods_judged judged;
    if (rules[i].example == NULL)
      continue;
    judge_words(t->arena, rules[i].example, &judged);
    if (judged.about != NULL)
      rules_print(&rules[i], judged.about, sentence, sizeof sentence);
    fprintf(out, "- %u. **%s**: %s.\n  Refused: `%s`. Instead: `%s`.\n", i + 1, rules[i].name,
            sentence, rules[i].example, rules[i].way);
  }
}

static void print_page(struct table *t, FILE *out) {
  struct seams_value v;
  fputs("# Which methods go together\n\n"
        "This page is printed by `cairn --combinations`, which tries every combination; the "
        "tests "
        "compare the two.\nHow the methods work is in [orders.md](orders.md), "
        "[stores.md](stores.md), [caching.md](caching.md),\n[sweep-line.md](sweep-line.md), "
        "[reductions.md](reductions.md)\nand [cycles.md](cycles.md). Where a formula, a claim "
        "or labels ask for cycles, `--cycles` says how they are\nlooked for; `none` below is a "
        "search for none, as for the properties of states.\n",
        out);
  for (uint32_t s = 0; s < SEAMS; s++)
    if (seams_value(seams[s].option, 0, &v))
      print_values(out, s);
  fprintf(
      out,
      "\n## Pairs\n\nOf %llu combinations %llu are allowed. Each of the others is refused "
      "before the search, with the\nsentence of a rule. The number in a cell is that of the "
      "rule, in the list below.\n",
      (unsigned long long)t->n_all, (unsigned long long)t->n_allowed);
  if (t->n_unexplained > 0)
    fprintf(out, "%llu are refused although every two of their values go together.\n",
            (unsigned long long)t->n_unexplained);
  else
    fputs("A combination is refused only if two of its values do not go together.\n", out);
  for (uint32_t a = 0; a < SEAMS; a++)
    for (uint32_t b = a + 1; b < SEAMS; b++)
      print_pairs(t, out, a, b);
  fputs("\n## Rules\n\n", out);
  print_rules(t, out);
}

int combinations_print(FILE *out) {
  struct budget *budget = budget_open(0);
  struct arena *arena = budget == NULL ? NULL : arena_open(budget, BUDGET_OTHER);
  if (arena != NULL) {
    struct table *t = ARENA_NEW(arena, struct table);
    t->arena = arena;
    for (uint32_t s = 0; s < SEAMS; s++)
      add_values(t, s);
    for_all(t, try_choice);
    for_all(t, count_unexplained);
    print_page(t, out);
    arena_close(arena);
  }
  if (budget != NULL)
    budget_close(budget);
  return arena == NULL ? 3 : 0;
}
