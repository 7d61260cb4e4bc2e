/* pieces.h - C text of a model, compiled and callable. Private to this folder. */
#ifndef CAIRN_NATIVE_PIECES_H
#define CAIRN_NATIVE_PIECES_H

#include "native/native.h"

/* Before the model is laid out: compiles the text, unless that is done, and gives length and
 * initial values to the variables of bytes that it keeps in the state. The code lives as long
 * as the model's arena. False: it cannot be compiled, or what begins it crashes. */
bool pieces_open(struct ir_model *, const struct native_options *, struct budget *,
                 struct native_failure *);
/* After it: tells the text where its variables are. */
void pieces_place(struct ir_model *);
/* The ranges of slots that do not tell states apart, in the model's arena; NULL: none. */
const struct ts_range *pieces_unmatched(const struct ir_model *, uint32_t *n);
/* What compiled models call it through. */
const struct ts_pieces *pieces_door(const struct ir_model *);

/* pieces_text.c: the C text that is compiled. */
struct pieces_table {
  uint32_t version;
  uint32_t *at;        /* by view and then by what is kept: where it is */
  uint32_t *size;      /* of what is kept */
  void (*begin)(void); /* fills in `size` */
  void (*initial)(uint32_t kept, uint8_t *out);
  int (*const *call)(uint8_t *row, uint32_t frame, uint32_t self, uint32_t live,
                     int32_t *value); /* by piece; 0: the precondition is false */
};
#define PIECES_VERSION 1u
void pieces_text(const struct ir_model *, struct text *);

#endif
