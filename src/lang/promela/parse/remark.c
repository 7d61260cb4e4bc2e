/* remark.c - notes where Spin departs from its own language reference. */
#include "lang/promela/parse/remark.h"

#include <string.h>

static bool is_known(const struct promela_model *model, struct span span, const char *text) {
  for (uint32_t i = 0; i < model->remarks.n; i++) {
    const struct promela_remark *r = &model->remarks.at[i];
    if (r->span.source == span.source && r->span.begin == span.begin &&
        strcmp(r->text, text) == 0)
      return true;
  }
  return false;
}

void promela_remark(struct promela_model *model, struct diag *diag, struct span span,
                    const char *text, const char *hint) {
  if (model->no_remarks || is_known(model, span, text))
    return;
  diag_add(diag, DIAG_REMARK, span, "%s", text);
  if (hint != NULL)
    diag_hint(diag, "%s", hint);
  if (model->remarks.n == 0)
    diag_hint(diag, "--warn no-spin turns off the notes on where Spin differs");
  *ARENA_PUSH(model->arena, &model->remarks) = (struct promela_remark){span, text};
}
