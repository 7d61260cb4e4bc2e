/* parts.c - the trees over the parts of a state, and their tables: what all workers share.
 *
 * seams.c says where states are cut; here a tree is built over the leaves between two
 * cuts, and each of its places gets a table. work.c fills them.
 *
 * Lengths need no thought: a packed state begins with its length, which so is in the
 * first leaf, and leaves after its end are zero.
 */
#include "store/parts/parts.h"
#include "store/parts/seams.h"

/* The tree over leaves [from, to). */
static uint32_t build(struct parts *p, uint32_t from, uint32_t to) {
  if (to - from == 1)
    return from;
  uint32_t middle = from + (to - from + 1) / 2;
  uint32_t left = build(p, from, middle), right = build(p, middle, to);
  p->place[p->places] = (struct parts_place){.left = left, .right = right};
  return p->places++;
}

/* A tree over leaves [from, to) that is no part of another one. */
static void build_top(struct parts *p, uint32_t from, uint32_t to) {
  p->span[p->tops] = (struct parts_span){from, to, p->places};
  p->top[p->tops++] = build(p, from, to);
}

/* One tree over the leaves of each component. */
static void build_components(struct parts *p, const struct seams *m) {
  for (uint32_t from = 0, to; from < p->leaves; from = to) {
    uint32_t end = seams_component_end(m, p->place[from].left);
    for (to = from + 1; to < p->leaves && p->place[to].left < end;)
      to++;
    build_top(p, from, to);
  }
}

static void build_trees(struct parts *p, const struct seams *m) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < p->leaves; i++) {
    uint32_t end = seams_next(m, at);
    p->place[i] = (struct parts_place){.left = at, .right = end - at};
    at = end;
  }
  p->places = p->leaves;
  if (m->form == PARTS_COMPONENTS || p->leaves == 1) {
    build_components(p, m);
    return;
  }
  uint32_t middle = 0;
  while (p->place[middle].left < m->middle)
    middle++;
  build_top(p, 0, middle);
  build_top(p, middle, p->leaves);
}

/* Takes the block and cuts it into its arrays. */
static bool take_block(struct parts *p) {
  size_t most = 2 * (size_t)p->leaves, leaves = p->leaves;
  p->size = most * (sizeof *p->place + sizeof *p->top) + leaves * sizeof *p->span;
  p->block = budget_alloc(p->budget, BUDGET_STORE, p->size);
  if (!p->block)
    return false;
  p->place = p->block;
  p->top = (uint32_t *)(p->place + most);
  p->span = (struct parts_span *)(p->top + most);
  return true;
}

static void init_places(struct parts *p, uint64_t hash_mask) {
  for (uint32_t k = 0; k < p->places; k++)
    nodes_init(&p->place[k].nodes, hash_mask);
}

static bool open_cut(struct parts *p, const struct ts_shape *shape, const uint64_t *front) {
  size_t size = p->leaves * sizeof(uint32_t);
  uint32_t *end = budget_alloc(p->budget, BUDGET_OTHER, size);
  if (!end)
    return false;
  for (uint32_t k = 0; k < p->leaves; k++)
    end[k] = p->place[k].left + p->place[k].right;
  struct cut_plan plan = {.header = 8 * pack_header(p->pack),
                          .leaves = p->leaves,
                          .end = end,
                          .front = front,
                          .native = pack_is_native(p->pack)};
  bool opened = cut_open(&p->cut, shape, p->budget, &plan);
  budget_free(p->budget, BUDGET_OTHER, end, size);
  return opened;
}

static bool open_trees(struct parts *p, const struct store_config *config,
                       const struct seams *m) {
  uint32_t bits = config->hash_bits;
  p->bits = m->bits;
  p->leaves = seams_count(m);
  if (!take_block(p))
    return false;
  build_trees(p, m);
  init_places(p, bits > 0 && bits < 64 ? UINT64_MAX >> (64 - bits) : UINT64_MAX);
  return open_cut(p, config->shape, m->front);
}

bool parts_open(struct parts *p, const struct store_config *config, enum parts_form form) {
  struct seams seams = {0};
  *p = (struct parts){.budget = config->budget};
  p->pack = pack_open(config->shape, config->budget);
  bool opened = p->pack && seams_open(&seams, config, pack_header(p->pack), form) &&
                open_trees(p, config, &seams);
  seams_close(&seams, config->budget);
  if (!opened)
    parts_close(p);
  return opened;
}

void parts_close(struct parts *p) {
  for (uint32_t i = 0; i < p->places; i++)
    nodes_free(&p->place[i].nodes, p->budget, BUDGET_STORE);
  cut_close(&p->cut);
  pack_close(p->pack);
  budget_free(p->budget, BUDGET_STORE, p->block, p->size);
  *p = (struct parts){0};
}

uint64_t parts_reserved(const struct parts *p) {
  uint64_t sum = p->size + p->cut.size + p->work_bytes;
  for (uint32_t k = 0; k < p->places; k++)
    sum += nodes_reserved(&p->place[k].nodes);
  return sum;
}

uint64_t parts_used(const struct parts *p) {
  uint64_t sum = p->size + p->cut.size + p->work_bytes;
  for (uint32_t k = 0; k < p->places; k++)
    sum += nodes_used(&p->place[k].nodes);
  return sum;
}

const char *parts_check(const struct parts *p) {
  const char *broken = NULL;
  for (uint32_t k = 0; !broken && k < p->places; k++)
    broken = nodes_check(&p->place[k].nodes);
  return broken;
}
