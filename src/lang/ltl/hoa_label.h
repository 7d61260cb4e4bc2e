/* hoa_label.h - label expressions of the Hanoi omega-automata format. */
#ifndef CAIRN_LANG_LTL_HOA_LABEL_H
#define CAIRN_LANG_LTL_HOA_LABEL_H

#include "lang/ltl/hoa_token.h"
#include "lang/ltl/label.h"

/* An expression in both polarities; made so that negation costs nothing. */
struct hoa_label {
  struct label is, not_;
};

struct hoa_alias {
  struct hoa_token name;
  struct hoa_label label;
};

struct hoa_aliases {
  struct hoa_alias *at;
  uint32_t n, capacity;
};

struct hoa_label_reader {
  struct arena *arena;
  struct hoa_text *text; /* read on */
  const struct hoa_aliases *aliases;
  uint32_t n_atoms;
  uint32_t depth;
};

/* Reads an expression. False after one message. */
bool hoa_label_read(struct hoa_label_reader *, struct hoa_label *);

#endif
