/* verdict.c - checks a model with Cairn's library, and shows the way to what is wrong.
 *
 *     cc verdict.c $(pkg-config --cflags --libs cairn) -o verdict
 *     ./verdict MODEL [OPTION=VALUE | FLAG]...        as ./verdict mutex.pml store=tree
 */
#include <cairn/cairn.h>

#include <stdio.h>
#include <string.h>

static void print_value(void *context, const char *name, const char *value) {
  (void)context;
  printf(" %s=%s", name, value);
}

/* "store=tree" sets an option, "keep-going" a flag. */
static int set_option(struct cairn *c, char *word) {
  char *value = strchr(word, '=');
  if (value != NULL)
    *value++ = '\0';
  if (cairn_set(c, word, value) == 0)
    return 0;
  fprintf(stderr, "%s\n", cairn_error(c));
  return -1;
}

static void print_run(struct cairn *c) {
  printf("0:");
  cairn_values(c, 0, print_value, NULL);
  for (uint32_t step = 1; step <= cairn_steps(c); step++) {
    uint32_t line;
    const char *file = cairn_step_place(c, step, &line);
    printf("\n%u: %s (%s:%u):", step, cairn_step_text(c, step), file == NULL ? "?" : file,
           line);
    cairn_values(c, step, print_value, NULL);
  }
  if (cairn_cycle_steps(c) > 0)
    printf("\nthe last %u steps repeat", cairn_cycle_steps(c));
  putchar('\n');
}

int main(int argc, char **argv) {
  struct cairn *c = cairn_open();
  int status = argc < 2 || c == NULL ? -1 : cairn_model_file(c, argv[1]);
  for (int i = 2; i < argc && status == 0; i++)
    status = set_option(c, argv[i]);
  if (status != 0) {
    cairn_close(c);
    fputs("usage: verdict MODEL [OPTION=VALUE | FLAG]...\n", stderr);
    return 2;
  }
  enum cairn_verdict verdict = cairn_run(c);
  double states = 0;
  fputs(cairn_messages(c), stderr);
  puts(cairn_sentence(c));
  if (cairn_figure(c, "states.stored", &states) == 0)
    printf("%.0f states\n", states);
  if (cairn_has_run(c))
    print_run(c);
  cairn_close(c);
  return (int)verdict;
}
