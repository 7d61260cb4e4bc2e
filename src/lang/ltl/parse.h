/* parse.h - formulas of linear temporal logic, read for every language.
 *
 * From weak to strong, as Spin's inline formulas:
 *
 *   -> <->  implies equivalent                       to the left
 *   ||  \/                                           to the left
 *   &&  /\                                           to the left
 *   U V W   until stronguntil release weakuntil      to the left
 *   ! [] <> X  always eventually next
 *   an expression of the language, as x + 1 == y
 *
 * So [] p U q is ([] p) U q, and [] x == 1 is [] (x == 1).
 */
#ifndef CAIRN_LANG_LTL_PARSE_H
#define CAIRN_LANG_LTL_PARSE_H

#include "lang/ltl/syntax.h"

/* What the language that embeds the formula knows. */
struct ltl_reader {
  /* Reads an expression and gives its number, the same for expressions that are the same,
   * numbers being given out from 0. False after a message. */
  bool (*atom)(void *context, struct diag *, struct span, uint32_t *number);
  void *context;
};

/* Reads the whole source as one formula. Reader NULL: any expression is taken, and the same
 * text is the same atom. NULL after one message. */
struct ltl_formula *ltl_parse(struct arena *, struct diag *, const struct source *,
                              const struct ltl_reader *);

#endif
