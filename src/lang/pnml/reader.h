/* reader.h - what the parts of the reader of nets share: the ids of a file.
 *
 * read.c walks the pages; sorts.c and terms.c read what is inside declarations,
 * inscriptions and conditions. Each function reports its errors and then says false or
 * NULL; the caller goes on with what is left, so that several mistakes show at once.
 */
#ifndef CAIRN_LANG_PNML_READER_H
#define CAIRN_LANG_PNML_READER_H

#include "lang/pnml/names.h"
#include "lang/pnml/symmetric.h"
#include "lang/pnml/xml.h"

struct reader_sort { /* a declared sort, read when it is first used */
  const struct xml_node *node;
  const struct symmetric_sort *sort;
  bool is_open; /* being read: a use now is a cycle */
};

struct reader_constant {
  const struct symmetric_sort *sort;
  uint32_t value;
};

struct reader {
  struct arena *arena;
  struct diag *diag;
  const struct source *source;
  struct names sort_id, variable_id, constant_id;
  struct {
    struct reader_sort *at;
    uint32_t n, capacity;
  } sort;
  struct {
    struct symmetric_variable *at;
    uint32_t n, capacity;
  } variable;
  struct {
    struct reader_constant *at;
    uint32_t n, capacity;
  } constant;
  const struct symmetric_sort *dot;
  uint32_t deep; /* sorts that are being read, each needed by the one before */
};

/* An error at an element. */
void reader_error(struct reader *, const struct xml_node *, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, and false: a macro, so that a checker of one file sees that it is false. (A bare
 * `false` would draw a warning where the value is not used.) */
static inline bool reader_false(void) {
  return false;
}
#define reader_fail(...) (reader_error(__VA_ARGS__), reader_false())

/* A number that is written in full; false, without a message, if it is none or is not in
 * -2^62 to 2^62. */
bool reader_number(const char *text, int64_t *value);

/* The declarations below this element. */
void reader_declare(struct reader *, const struct xml_node *declarations);
/* The sort that an element says. NULL after an error. */
const struct symmetric_sort *reader_sort(struct reader *, const struct xml_node *);

/* The value that a <useroperator> or <finiteintrangeconstant> names. False after an error. */
bool reader_value(struct reader *, const struct xml_node *, const struct symmetric_sort **,
                  uint32_t *value);

/* The operand in a <subterm>, or the element itself. NULL: an empty one. */
const struct xml_node *reader_operand(const struct xml_node *);

/* Adds what a term says to a sum over `sort`. `transition` NULL: no variables are allowed.
 * False after an error. */
bool reader_sum(struct reader *, const struct xml_node *term, struct symmetric_transition *,
                const struct symmetric_sort *sort, struct symmetric_sum *);
/* A condition. NULL after an error. */
const struct symmetric_condition *reader_condition(struct reader *, const struct xml_node *,
                                                   struct symmetric_transition *);

#endif
