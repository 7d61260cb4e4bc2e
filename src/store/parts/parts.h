/* parts.h - states cut into parts, and the parts numbered.
 *
 * For stores that keep of a state the numbers of its parts. The packed state is cut
 * into leaves of up to 64 bits; binary trees are built over neighbouring leaves. Each
 * place of a tree has its own table of what was seen there (nodes.h): of a leaf bit
 * strings, of an inner place pairs of its two children's numbers. A state is what
 * the numbers at the tops of the trees tell. See parts.c.
 */
#ifndef CAIRN_STORE_PARTS_PARTS_H
#define CAIRN_STORE_PARTS_PARTS_H

#include "store/parts/cut.h"
#include "store/parts/nodes.h"
#include "store/parts/seams.h"
#include "store/store.h"

#include "base/sink.h"
#include "ts/pack.h"

#define PARTS_BATCH  CUT_ROWS
#define PARTS_COLUMN (PARTS_BATCH + 9) /* the row before in front, and what is written over */

struct parts_place {
  struct nodes nodes;
  uint32_t left, right; /* of an inner place: places; of a leaf: first bit, bits */
};

/* What belongs to the tree below a top. */
struct parts_span {
  uint32_t leaf, leaf_end; /* leaves */
  uint32_t inner;          /* the first inner place, the last is the top; not if it is a leaf */
};

struct parts {
  struct budget *budget;
  struct pack *pack;
  struct cut cut;
  uint32_t bits;           /* of a packed state, with its length */
  uint32_t leaves, places; /* leaves come first, and children before their parents */
  uint32_t tops;
  struct parts_place *place;
  uint32_t *top;           /* [tops]: places */
  struct parts_span *span; /* [tops] */
  void *block;
  size_t size;         /* of the block */
  uint64_t work_bytes; /* of all workers */
};

/* What one worker uses of them: of the rows in work, the leaves' bits where they differ from
 * the row before, a column of PARTS_BATCH for each; and the numbers of all parts, one of
 * PARTS_COLUMN. Of the parts of one state, their numbers and what these make. */
struct parts_work {
  struct parts *parts;
  struct cut_before before;
  uint64_t *key;
  uint32_t *id;
  uint64_t *differs; /* [places]: bit i: row i's part is not that of the row before */
  uint32_t *older;   /* [places]: the number that was there before the last row's */
  uint8_t *column;   /* [places]: what is in the columns of ids now */
  uint32_t *down;    /* [places]: numbers of one state's parts */
  uint64_t *leaf;    /* [leaves]: of one state */
  void *block;
  size_t size; /* of the block */
};

/* False if the budget is exhausted, and then there is nothing to close. */
bool parts_open(struct parts *, const struct store_config *, enum parts_form);
void parts_close(struct parts *);

/* False if the budget is exhausted, and then there is nothing to end. */
bool parts_begin(struct parts_work *, struct parts *);
void parts_end(struct parts_work *);

/* Bytes of all tables, taken from the budget and in use, with those of blocks and workers. */
uint64_t parts_reserved(const struct parts *);
uint64_t parts_used(const struct parts *);

/* Cuts rows [from, from + n), n at most PARTS_BATCH: row from + i is at i of the leaves'
 * columns. See cut.h. */
void parts_cut(struct parts_work *, const struct ts_batch *, uint32_t from, uint32_t n);
/* Numbers all parts of the n rows that were cut just now, new ones too if `add`: in the columns
 * of ids, NODES_NONE for what is not there. Returns n, or the rows done before
 * memory ran out. */
uint32_t parts_number(struct parts_work *, uint32_t n, bool add);

/* The number at a top of row i of those in work. */
static inline uint32_t parts_at(const struct parts_work *w, uint32_t top, uint32_t i) {
  return w->id[w->parts->top[top] * PARTS_COLUMN + i + 1];
}

/* With the numbers at the tops in work->down, puts the state's leaves to work->leaf; false:
 * some part does not exist. */
bool parts_assemble(const struct parts_work *);
/* The same for a state that is one leaf. */
void parts_assemble_leaf(const struct parts_work *, uint64_t leaf);
/* What is in work->leaf as a row; its length. */
uint32_t parts_unrow(const struct parts_work *, uint8_t *row);

/* Frees the parts that no state has: `each` calls `mark` with the marks after it has put
 * the numbers at a state's tops into work->down, for every state. False if there
 * was not enough memory for it. There must be no other worker. */
struct parts_marks;
bool parts_sweep(struct parts_work *, void (*each)(void *context, struct parts_marks *),
                 void *context);
void parts_mark(struct parts_marks *);

/* See room/save.h. */
void parts_save(const struct parts *, struct sink *);
bool parts_load(struct parts *, struct sink *);

/* A sentence naming the first broken invariant of the tables, or NULL. */
const char *parts_check(const struct parts *);
/* The same of the state in work->leaf; `row` has parts_check_room() bytes. */
const char *parts_check_row(const struct parts_work *, uint8_t *row);
size_t parts_check_room(const struct parts *);

#endif
