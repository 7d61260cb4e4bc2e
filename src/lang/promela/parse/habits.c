/* habits.c - hints for those who write as they would in C or Python.
 *
 * A message says what was expected; the hint after it says how the same is written in Promela,
 * where what was found shows what was meant.
 */
#include "lang/promela/parse/parser.h"

#include <string.h>

#define CHOICE "a choice is written if :: condition -> … :: else -> … fi"
#define LOOP   "a loop is written do :: condition -> … :: else -> break od"
#define FUNCTION                                                                               \
  "there are no functions: inline is a text with parameters, and run starts a process"
#define TYPES "the types are bit, bool, byte, short, int, unsigned, mtype, chan, pid"

const char *promela_habit(const char *word) {
  static const struct {
    const char *word, *hint;
  } habits[] = {
      {"while", LOOP},
      {"loop", LOOP},
      {"switch", CHOICE},
      {"elif", CHOICE},
      {"wait", "a condition alone is a statement: it waits until it holds"},
      {"sleep", "there is no time: a process may always stay where it is"},
      {"lock", "a lock is taken by atomic { !busy -> busy = true }"},
      {"await", "a condition alone is a statement: it waits until it holds"},
      {"continue", "goto a label in front of the loop goes on with it"},
      {"and", "this operator is written &&"},
      {"or", "this operator is written ||"},
      {"not", "this operator is written !"},
      {"True", "this constant is written true"},
      {"TRUE", "this constant is written true"},
      {"False", "this constant is written false"},
      {"FALSE", "this constant is written false"},
      {"NULL", "there are no pointers: an index into an array takes the place of one"},
      {"STDIN", "the channel STDIN exists only while simulating with Spin"},
      {"void", FUNCTION},
      {"def", FUNCTION},
      {"function", FUNCTION},
      {"main", "a model begins with init { … }, or with each active proctype"},
      {"struct", "a type with fields is declared by typedef NAME { byte field; … }"},
      {"enum", "names for values are declared by mtype = { one, other }"},
      {"const", "a constant is a macro: #define N 3"},
      {"process", "a process is declared by active proctype NAME() { … }"},
      {"thread", "a process is declared by active proctype NAME() { … }"},
      {"boolean", TYPES},
      {"char", TYPES},
      {"double", TYPES},
      {"float", TYPES},
      {"long", TYPES},
      {"string", TYPES},
      {"signed", TYPES},
      {"uint8_t", TYPES},
      {"uint16_t", TYPES},
      {"uint32_t", TYPES},
      {"int8_t", TYPES},
      {"int16_t", TYPES},
      {"int32_t", TYPES},
      {"size_t", TYPES},
  };
  for (uint32_t i = 0; i < sizeof habits / sizeof habits[0]; i++)
    if (strcmp(word, habits[i].word) == 0)
      return habits[i].hint;
  return NULL;
}

/* The names that operators of formulas have elsewhere. */
void promela_hint_of_formula(struct promela_parser *p, const char *word) {
  static const char *const words[] = {"G",      "F",          "AG",       "AF",
                                      "always", "eventually", "globally", "finally"};
  for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(word, words[i]) == 0)
      promela_hint(p, "always is written [], and eventually <>");
}

/* Hints for a '=' that should not be there. */
static void hint_for_assign(struct promela_parser *p, const char *wanted) {
  const enum promela_token_kind before = p->taken;
  if (before == PROMELA_T_PLUS || before == PROMELA_T_MINUS || before == PROMELA_T_STAR)
    promela_hint(p, "there is no '%s='; write x = x %s …", promela_token_name(before),
                 promela_token_name(before));
  else if (before == PROMELA_T_COLON)
    promela_hint(p, "an initial value is written with '=' alone");
  else if (strstr(wanted, "range") != NULL)
    promela_hint(p, "a loop over numbers is written for (i : first .. last) { … }");
  else
    promela_hint(p, "'=' assigns; to compare, write '=='");
}

/* Declarations, operators and calls as C has them. Whether there was one. */
static bool hint_for_c(struct promela_parser *p, const char *wanted) {
  const bool at_top = strstr(wanted, "another part of a model") != NULL;
  const bool after = strstr(wanted, "after this statement") != NULL;
  const enum promela_token_kind kind = p->token.kind;
  const char *hint = NULL;
  if (kind == PROMELA_T_OPEN && (at_top || after))
    hint = FUNCTION;
  else if (kind == PROMELA_T_OPEN_INDEX && (at_top || after))
    hint = "an array has one dimension: for more, typedef row { byte at[3] }; row a[2]; "
           "a[0].at[1]";
  else if (kind == PROMELA_T_OPEN_BLOCK && after)
    hint = "in front of a block there is ';' or '->' as well: :: condition -> { … }";
  else if (kind == PROMELA_T_STAR && strstr(wanted, "the name of a variable") != NULL)
    hint = "there are no pointers: an index into an array takes the place of one";
  else if (kind == PROMELA_T_INCREMENT || kind == PROMELA_T_DECREMENT)
    hint = "these are statements, written after the variable: x++ and x--";
  else if (p->taken == PROMELA_T_TYPE_UNSIGNED && promela_is_word(kind))
    hint = "unsigned is a type with a number of bits: unsigned x : 5";
  else if (strcmp(wanted, "a variable") == 0 && kind >= PROMELA_T_TYPE_BIT)
    hint = "declare it before: byte i; for (i : first .. last) { … }";
  else if (kind == PROMELA_T_COMMA && strstr(wanted, "close the parenthesis") != NULL)
    hint = "only one value can be here";
  else if (kind == PROMELA_T_GT && p->taken == PROMELA_T_LT)
    hint = "unequal is written !=";
  else if (kind == PROMELA_T_NUMBER && strcmp(wanted, "a variable") == 0)
    hint = "a loop over numbers is written for (i : first .. last) { … }";
  else if (strstr(wanted, "a string in double quotes") != NULL)
    hint = "a value is written after a format: printf(\"%d\\n\", x)";
  if (hint != NULL)
    promela_hint(p, "%s", hint);
  return hint != NULL;
}

/* Hints for classic mistakes that show at the next token. */
void promela_hint_for(struct promela_parser *p, const char *wanted) {
  const char *spelled = arena_text(p->arena, p->token.text, p->token.length);
  if (promela_at(p, PROMELA_T_ASSIGN))
    hint_for_assign(p, wanted);
  else if (strstr(wanted, "first option of 'if'") != NULL)
    promela_hint(p, CHOICE);
  else if (strstr(wanted, "first option of 'do'") != NULL)
    promela_hint(p, LOOP);
  else if (promela_at(p, PROMELA_T_ARROW) && p->taken == PROMELA_T_OPTION)
    promela_hint(p, "'::' is followed by the first statement of an option, not by '->'");
  else if (promela_at(p, PROMELA_T_FULL) || promela_at(p, PROMELA_T_EMPTY) ||
           promela_at(p, PROMELA_T_NFULL) || promela_at(p, PROMELA_T_NEMPTY))
    promela_hint(p, "full and empty may only be combined by && and ||; instead of !full write "
                    "nfull, instead of !empty write nempty");
  else if (promela_at(p, PROMELA_T_COLON) && p->proctype != NULL &&
           strstr(wanted, "variable") == NULL)
    promela_hint(p, "a choice between two values needs parentheses: (condition -> a : b)");
  else if (promela_at(p, PROMELA_T_RECEIVE) && strstr(wanted, "after this statement") != NULL)
    promela_hint(p, "a choice between two values is written (condition -> a : b)");
  else if (promela_at(p, PROMELA_T_NAME) && promela_habit(spelled) != NULL)
    promela_hint(p, "%s", promela_habit(spelled));
  else if (hint_for_c(p, wanted))
    return;
  else if (promela_is_word(p->token.kind) && strstr(wanted, "name") != NULL)
    promela_hint(p, "'%s' is a word of the language", promela_token_name(p->token.kind));
}
