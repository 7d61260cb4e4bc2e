/* words.c - the words of the language, and tokens back into text.
 *
 * The words are found by binary search; they are in the order of their bytes.
 */
#include "lang/promela/text/token.h"

#include <string.h>

struct word {
  const char *text;
  enum promela_token_kind kind;
};

static const struct word words[] = {
    {"D_proctype", PROMELA_T_D_PROCTYPE},
    {"active", PROMELA_T_ACTIVE},
    {"assert", PROMELA_T_ASSERT},
    {"atomic", PROMELA_T_ATOMIC},
    {"bit", PROMELA_T_TYPE_BIT},
    {"bool", PROMELA_T_TYPE_BOOL},
    {"break", PROMELA_T_BREAK},
    {"byte", PROMELA_T_TYPE_BYTE},
    {"c_code", PROMELA_T_C_CODE},
    {"c_decl", PROMELA_T_C_DECL},
    {"c_expr", PROMELA_T_C_EXPR},
    {"c_state", PROMELA_T_C_STATE},
    {"c_track", PROMELA_T_C_TRACK},
    {"chan", PROMELA_T_TYPE_CHAN},
    {"d_step", PROMELA_T_D_STEP},
    {"do", PROMELA_T_DO},
    {"else", PROMELA_T_ELSE},
    {"empty", PROMELA_T_EMPTY},
    {"enabled", PROMELA_T_ENABLED},
    {"eval", PROMELA_T_EVAL},
    {"false", PROMELA_T_FALSE},
    {"fi", PROMELA_T_FI},
    {"for", PROMELA_T_FOR},
    {"full", PROMELA_T_FULL},
    {"get_priority", PROMELA_T_GET_PRIORITY},
    {"goto", PROMELA_T_GOTO},
    {"hidden", PROMELA_T_HIDDEN},
    {"if", PROMELA_T_IF},
    {"init", PROMELA_T_INIT},
    {"inline", PROMELA_T_INLINE},
    {"int", PROMELA_T_TYPE_INT},
    {"len", PROMELA_T_LEN},
    {"local", PROMELA_T_LOCAL},
    {"ltl", PROMELA_T_LTL},
    {"mtype", PROMELA_T_TYPE_MTYPE},
    {"nempty", PROMELA_T_NEMPTY},
    {"never", PROMELA_T_NEVER},
    {"nfull", PROMELA_T_NFULL},
    {"notrace", PROMELA_T_NOTRACE},
    {"np_", PROMELA_T_NP},
    {"od", PROMELA_T_OD},
    {"of", PROMELA_T_OF},
    {"pc_value", PROMELA_T_PC_VALUE},
    {"pid", PROMELA_T_TYPE_PID},
    {"printf", PROMELA_T_PRINTF},
    {"printm", PROMELA_T_PRINTM},
    {"priority", PROMELA_T_PRIORITY},
    {"proctype", PROMELA_T_PROCTYPE},
    {"provided", PROMELA_T_PROVIDED},
    {"return", PROMELA_T_RETURN},
    {"run", PROMELA_T_RUN},
    {"select", PROMELA_T_SELECT},
    {"set_priority", PROMELA_T_SET_PRIORITY},
    {"short", PROMELA_T_TYPE_SHORT},
    {"show", PROMELA_T_SHOW},
    {"skip", PROMELA_T_SKIP},
    {"timeout", PROMELA_T_TIMEOUT},
    {"trace", PROMELA_T_TRACE},
    {"true", PROMELA_T_TRUE},
    {"typedef", PROMELA_T_TYPEDEF},
    {"unless", PROMELA_T_UNLESS},
    {"unsigned", PROMELA_T_TYPE_UNSIGNED},
    {"xr", PROMELA_T_XR},
    {"xs", PROMELA_T_XS},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum promela_token_kind promela_word(const char *text, uint32_t length) {
  size_t low = 0;
  size_t high = COUNT(words);
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    int order = strncmp(text, words[middle].text, length);
    if (order == 0 && words[middle].text[length] != '\0')
      order = -1;
    if (order == 0)
      return words[middle].kind;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return PROMELA_T_NAME;
}

const char *promela_word_name(enum promela_token_kind kind) {
  for (size_t i = 0; i < COUNT(words); i++)
    if (words[i].kind == kind)
      return words[i].text;
  return "?";
}

bool promela_spells(const struct promela_token *token, const char *text) {
  return strlen(text) == token->length && memcmp(token->text, text, token->length) == 0;
}

const char *promela_join(struct arena *arena, const struct promela_token *token, uint32_t n,
                         bool lines) {
  size_t length = 1;
  for (uint32_t i = 0; i < n; i++)
    length += token[i].length + 1u;
  char *text = arena_alloc(arena, length);
  size_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (lines && token[i].newline)
      text[at++] = '\n';
    else if (i > 0 && (token[i].space || token[i].newline))
      text[at++] = ' ';
    memcpy(text + at, token[i].text, token[i].length);
    at += token[i].length;
  }
  text[at] = '\0';
  return text;
}
