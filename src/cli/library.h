/* library.h - a handle of the library (include/cairn/cairn.h), for the files that make it.
 *
 * library.c gives it a model and options and lets it run; library_said.c is what came of it,
 * and library_steps.c the counterexample.
 */
#ifndef CAIRN_CLI_LIBRARY_H
#define CAIRN_CLI_LIBRARY_H

#include <cairn/cairn.h>

#include "cli/check.h"

#include <locale.h>
#include <stdatomic.h>

/* The texts that are handed out, each made when it is asked for. */
enum library_text {
  LIBRARY_MESSAGES,
  LIBRARY_SENTENCE,
  LIBRARY_REPORT,
  LIBRARY_JSON,
  LIBRARY_RUN_JSON,
  LIBRARY_TEXTS
};

struct library_steps; /* the counterexample, once somebody asks for a step */

struct cairn {
  struct {
    char **at; /* "--store=tree": owned, as is what they are parsed from */
    uint32_t n;
  } words;
  char *model, *text; /* its name, and what it consists of, or NULL */
  struct given_model given;
  int (*progress)(void *context, const struct cairn_progress *);
  void *context;
  atomic_bool stop;
  locale_t plain, outside; /* numbers are written as in C, whatever the program's language is */
  char error[700];

  /* Of the last run. */
  bool is_open; /* the check below is */
  struct options options;
  struct option_given *room;
  char **argv;
  FILE *messages; /* they go to the first of `said` */
  struct check check;
  char *said[LIBRARY_TEXTS]; /* NULL: not made yet */
  size_t said_bytes;         /* of the messages */
  struct library_steps *steps;
};

/* library_fail.c: notes a sentence, and returns -1. */
int library_fail(struct cairn *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Around all that writes or reads numbers, in this thread. */
void library_enter(struct cairn *);
void library_leave(struct cairn *);

/* library_steps.c: frees the counterexample. */
void library_forget_steps(struct cairn *);

#endif
