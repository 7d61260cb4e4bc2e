/* patch.c - the same: runs of bytes between changed words are copied, which is where a long row
 * is mostly. Words after a row's end are zero, so that the form is the same for all lengths. */
#include "ts/patch.h"

#include "ts/pack_form.h"
#include "ts/words.h"

#include "base/bits.h"

/* Rows of that many words are worth it: shorter ones are packed in the time that it takes to
 * copy the runs. */
#define PATCH_LEAST 64u

struct patch {
  struct budget *budget;
  const struct pack *pack;
  const uint8_t *from;                  /* packed */
  struct words_range part[WORDS_PARTS]; /* by bit of an edge's mask */
  struct ts_rows listed;                /* the shape's */
  uint32_t at[];                        /* [words + 1]: where each word is in it */
};

bool patch_is_long(const struct ts_shape *shape) {
  return ts_stride(shape) / 8 >= PATCH_LEAST;
}

bool patch_is_of_use(const struct pack *p, const struct ts_shape *shape) {
  struct words_range part[WORDS_PARTS];
  return patch_is_long(shape) && pack_is_sparse(p) && words_of_parts(shape, p->words, part);
}

size_t patch_bytes(const struct pack *pack) {
  return sizeof(struct patch) + ((size_t)pack->words + 1) * sizeof(uint32_t);
}

struct patch *patch_open(const struct pack *pack, const struct ts_shape *shape,
                         struct budget *budget) {
  struct patch *patch = budget_alloc(budget, BUDGET_STORE, patch_bytes(pack));
  if (patch == NULL)
    return NULL;
  patch->budget = budget;
  patch->pack = pack;
  words_of_parts(shape, pack->words, patch->part);
  patch->listed = shape->words;
  return patch;
}

void patch_close(struct patch *patch) {
  if (patch != NULL)
    budget_free(patch->budget, BUDGET_STORE, patch, patch_bytes(patch->pack));
}

void patch_from(struct patch *patch, const uint8_t *packed) {
  const struct pack *p = patch->pack;
  const uint8_t *mark = packed + p->header;
  uint32_t at = p->header + p->marks;
  patch->from = packed;
  for (uint32_t i = 0; i < p->words; i++) {
    patch->at[i] = at;
    at += mark[i / 8] >> i % 8 & 1 ? p->word[i].bytes : 0;
  }
  patch->at[p->words] = at;
}

/* Words [from, to) of a row; returns where the next goes. */
PACK_INLINE uint8_t *put_words(const struct pack *p, const uint8_t *row, struct words_range r,
                               uint8_t *mark, uint8_t *out, pack_word_of *word,
                               pack_marks_of *find) {
  enum { STEP = 56 }; /* whose marks are in eight bytes, wherever they begin */
  for (uint32_t from = r.from; from < r.to; from += STEP) {
    uint32_t n = r.to - from < STEP ? r.to - from : STEP;
    uint64_t marks = find(row + 8 * (size_t)from, n), all = pack_load(mark + from / 8);
    all &= ~(bits_lowest(n) << from % 8);
    pack_store(mark + from / 8, all | marks << from % 8);
    for (; marks != 0; marks &= marks - 1) {
      uint32_t i = from + (uint32_t)__builtin_ctzll(marks);
      pack_store(out, word(&p->word[i], &p->moves[i], pack_load(row + 8 * (size_t)i)));
      out += p->word[i].bytes;
    }
  }
  return out;
}

/* How far a row is: words before `done` are packed, and `out` is where the next goes. */
struct patched {
  uint8_t *packed, *out;
  uint32_t done;
};

/* Copies the words before a changed range, and packs that. */
PACK_INLINE void put_range(const struct patch *patch, const uint8_t *row, struct words_range r,
                           struct patched *to, pack_word_of *word, pack_marks_of *find) {
  const struct pack *p = patch->pack;
  const uint32_t *at = patch->at;
  r.from = r.from > to->done ? r.from : to->done;
  if (r.from >= r.to)
    return;
  memcpy(to->out, patch->from + at[to->done], at[r.from] - at[to->done]);
  to->out += at[r.from] - at[to->done];
  to->out = put_words(p, row, r, to->packed + p->header, to->out, word, find);
  to->done = r.to;
}

PACK_INLINE uint32_t patch_one(const struct patch *patch, const uint8_t *row,
                               const struct ts_edge *edge, uint8_t *packed, pack_word_of *word,
                               pack_marks_of *find) {
  const struct pack *p = patch->pack;
  const uint32_t *at = patch->at, *start = patch->listed.start, action = edge->event.action;
  struct patched to = {packed, packed + at[0], 0};
  memcpy(packed, patch->from, at[0]);
  memcpy(packed, &edge->length, p->header);
  if (start != NULL)
    for (uint32_t i = start[action]; i < start[action + 1]; i++) {
      uint32_t one = patch->listed.item[i];
      put_range(patch, row, (struct words_range){one, one + 1}, &to, word, find);
    }
  else
    for (uint64_t changed = edge->changed; changed != 0; changed &= changed - 1)
      put_range(patch, row, patch->part[__builtin_ctzll(changed)], &to, word, find);
  memcpy(to.out, patch->from + at[to.done], at[p->words] - at[to.done]);
  return (uint32_t)(to.out - packed) + at[p->words] - at[to.done];
}

static uint32_t patch_portable(const struct patch *patch, const uint8_t *row,
                               const struct ts_edge *edge, uint8_t *packed) {
  return patch_one(patch, row, edge, packed, pack_squeezed, pack_marks_portable);
}

#ifdef PACK_BMI2
PACK_BMI2 static uint32_t patch_native(const struct patch *patch, const uint8_t *row,
                                       const struct ts_edge *edge, uint8_t *packed) {
  return patch_one(patch, row, edge, packed, pack_extracted, pack_marks_native);
}
#else
#define patch_native patch_portable
#endif

uint32_t patch_row(const struct patch *patch, const uint8_t *row, const struct ts_edge *edge,
                   uint8_t *packed) {
  return (patch->pack->native ? patch_native : patch_portable)(patch, row, edge, packed);
}
