/* fuzz_pnml.c - any bytes as a net, what its comment that begins with "//" holds as an
 * expression over it, and the same bytes as formulas about it: there is a net that runs, or
 * there are messages, and never both errors and a net. */
#include "fuzz_model.h"

#include "lang/lang.h"
#include "lang/pnml/queries.h"
#include "net/model.h"

#include <stdlib.h>
#include <string.h>

/* Fires along the first events, as a search would. */
static void run(const struct ts *ts) {
  uint32_t stride = ts_stride(ts->shape);
  uint8_t *state = calloc(1, stride + 8), *rows = calloc(4, stride + 8);
  struct ts_edge edge[4];
  if (state == NULL || rows == NULL)
    abort();
  uint32_t length = ts_code(ts)->initial(ts, 0, state);
  fuzz_require(length == ts->shape->max_bytes);
  for (uint32_t step = 0; step < 20; step++) {
    struct ts_batch batch = {.edge = edge, .rows = rows, .stride = stride, .capacity = 4};
    struct ts_event cursor = {0, 0};
    ts_code(ts)->successors(ts, state, length, &cursor, NULL, &batch);
    uint32_t fault = 0;
    ts_code(ts)->violated(ts, state, length, 0, &fault);
    if (batch.n == 0)
      break;
    for (uint32_t i = 0; i < batch.n; i++)
      fuzz_require(edge[i].event.action < ts->shape->n_actions);
    uint32_t next = step % batch.n;
    if (edge[next].kind == TS_MODEL_ERROR)
      break;
    memcpy(state, rows + next * stride, stride);
  }
  free(state);
  free(rows);
}

/* "<!--//EXPRESSION-->", the first one; NULL: there is none. */
static const struct source *question_in(struct arena *arena, const char *text,
                                        uint32_t length) {
  static const char begin[] = "<!--//", end[] = "-->";
  const char *from = memmem(text, length, begin, strlen(begin));
  if (from == NULL)
    return NULL;
  from += strlen(begin);
  const char *to = memmem(from, (size_t)(text + length - from), end, strlen(end));
  uint32_t n = to == NULL ? 0 : (uint32_t)(to - from);
  return source_make(arena, "i", arena_text(arena, from, n), n);
}

void fuzz_read_model(struct arena *arena, const char *text, uint32_t length) {
  const struct language *pnml = language_of_file("m.pnml");
  struct diag *diag = diag_open(arena);
  const struct language_question question = {question_in(arena, text, length), false};
  const struct source *source = source_make(arena, "m.pnml", text, length);
  struct ts *ts = pnml->open(arena, diag, source, NULL, &question, question.source != NULL);
  fuzz_require((ts == NULL) == (diag_errors(diag) > 0));
  if (ts != NULL) {
    struct diag *of_queries = diag_open(arena);
    struct queries_list list = {.n = 0};
    run(ts);
    bool fine = queries_read(&list, net_model_of(ts)->net, of_queries, source);
    fuzz_require(fine == (diag_errors(of_queries) == 0));
    fuzz_print(of_queries);
  }
  fuzz_print(diag);
}
