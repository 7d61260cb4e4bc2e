/* embedded.h - C text in a Promela model: what its two files share. Read lower.h first. */
#ifndef CAIRN_LANG_PROMELA_LOWER_EMBEDDED_H
#define CAIRN_LANG_PROMELA_LOWER_EMBEDDED_H

#include "ir/embedded.h"
#include "lang/promela/lower/lower.h"

/* An identifier of C text; .at is the text at first. */
struct embedded_word {
  const char *at;
  size_t length;
  const char *next; /* what follows it, after white space */
  char before;      /* the last sign before it */
};
bool embedded_next_word(struct embedded_word *); /* false: there is no other */

/* The name of a process type after the letter P. */
const char *embedded_frame_name(const struct lower_frame *);

/* Marks the views that text outside of processes names. */
void embedded_name_always(struct promela_lower *);

#endif
