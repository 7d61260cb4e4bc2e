/* once.c - taking states out of the store that do not come back. */
#include "search/forget/once.h"

bool once_begin(struct once *o, const struct forget_config *config) {
  o->config = *config;
  o->row = budget_alloc(config->budget, BUDGET_STORE, ts_stride(config->shape));
  return o->row != NULL;
}

void once_end(struct once *o) {
  budget_free(o->config.budget, BUDGET_STORE, o->row, ts_stride(o->config.shape));
}

uint64_t once_hash(const struct once *o, uint64_t ref, const uint8_t *row, uint32_t length) {
  const struct forget_config *config = &o->config;
  if (row == NULL) {
    length = config->store_kind->get(config->work, ref, o->row);
    row = o->row;
  }
  return hash_finish(hash_raw(config->hash, row, length));
}

bool once_forget(const struct once *o, uint64_t ref, uint64_t hash) {
  const struct forget_config *config = &o->config;
  if (!config->store_kind->remove(config->work, ref, hash))
    return false;
  config->figures->stored--;
  config->figures->forgetting.states++;
  return true;
}
