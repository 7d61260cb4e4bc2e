/* automaton.c - the minimal automaton that accepts the stored states and no others.
 *
 * After Holzmann and Puri, "A minimized automaton representation of reachable states" (STTT
 * 1999), Spin's option MA, over the numbers of a state's components as with
 * COLLAPSE. All words are of one length, a letter per component, of any size; a node's
 * outgoing edges are ranges of letters (automaton_nodes.h).
 *
 * A new word is added in one pass, as in Daciuk, Mihov, Watson, Watson, "Incremental
 * construction of minimal acyclic finite-state automata" (2000, section 4): down along what
 * is there already; new nodes for the rest of the word, last first, each looked for
 * among those that exist; then upwards again, every node on the path replaced by one that is
 * equal, else copied, else, where nothing but this path leads to it, changed in place. As the
 * number of a node changed in place stays, nothing above it changes, and the pass ends there.
 *
 * Rows of a batch have most components in common with the row before, and the walk begins at
 * the first that differs. Which component's letters come first matters for size and time: those
 * with few values in a sample come first. There are no ids and no handles: the search keeps
 * open states itself.
 */
#include "store/automaton_nodes.h"
#include "store/parts.h"
#include "store/store.h"

#include <string.h>

struct store {
  struct budget *budget;
  struct parts parts;
  struct automaton_nodes nodes;
  uint64_t states;
  uint32_t root;
  uint32_t length; /* letters of a word */
  uint32_t valid;  /* nodes of the path that are those of `word` */
  uint32_t *order; /* [length]: the component of each letter */
  uint32_t *word;  /* [length] */
  uint32_t *path;  /* [length + 1]: nodes, the root first */
  bool *own;       /* [length]: only this word's path leads there */
  void *block;
  size_t size; /* of the block */
};

static void automaton_close(struct store *s) {
  if (!s)
    return;
  automaton_nodes_close(&s->nodes);
  budget_free(s->budget, BUDGET_STORE, s->block, s->size);
  if (s->parts.block)
    parts_close(&s->parts);
  budget_free(s->budget, BUDGET_STORE, s, sizeof *s);
}

/* Numbers the parts of the sample; a component's last number tells how much it varies. */
static void number_sample(struct store *s, const struct ts_batch *sample) {
  for (uint32_t from = 0, n; from < sample->n; from += n) {
    n = sample->n - from < PARTS_BATCH ? sample->n - from : PARTS_BATCH;
    parts_cut(&s->parts, sample, from, n);
    if (parts_number(&s->parts, n, true) < n)
      return;
  }
}

static uint64_t values_of(const struct store *s, uint32_t top) {
  return s->parts.place[s->parts.top[top]].nodes.n;
}

/* Components with few values first; equal ones in their order. */
static void choose_order(struct store *s) {
  for (uint32_t i = 0; i < s->length; i++) {
    uint32_t at = i;
    for (; at > 0 && values_of(s, s->order[at - 1]) > values_of(s, i); at--)
      s->order[at] = s->order[at - 1];
    s->order[at] = i;
  }
}

static bool take_block(struct store *s) {
  size_t n = s->length;
  s->size = (3 * n + 1) * sizeof(uint32_t) + n * sizeof(bool);
  s->block = budget_alloc(s->budget, BUDGET_STORE, s->size);
  if (!s->block)
    return false;
  s->order = s->block;
  s->word = s->order + n;
  s->path = s->word + n;
  s->own = (bool *)(s->path + n + 1);
  return true;
}

static struct store *automaton_open(const struct store_config *config) {
  struct store *s = budget_alloc(config->budget, BUDGET_STORE, sizeof *s);
  uint32_t bits = config->hash_bits;
  if (!s)
    return NULL;
  s->budget = config->budget;
  if (!parts_open(&s->parts, config, PARTS_COMPONENTS)) {
    automaton_close(s);
    return NULL;
  }
  s->length = s->parts.tops;
  if (!take_block(s) ||
      !automaton_nodes_open(&s->nodes, s->budget,
                            bits > 0 && bits < 32 ? (1u << bits) - 1 : UINT32_MAX)) {
    automaton_close(s);
    return NULL;
  }
  if (config->sample)
    number_sample(s, config->sample);
  choose_order(s);
  return s;
}

/* Takes the word of row i of those in work, and follows it as far as it leads. */
static bool walk(struct store *s, uint32_t i) {
  uint32_t same = 0, d;
  for (; same < s->length && parts_at(&s->parts, s->order[same], i) == s->word[same];)
    same++;
  for (d = same; d < s->length; d++)
    s->word[d] = parts_at(&s->parts, s->order[d], i);
  s->path[0] = s->root;
  d = s->valid == 0 ? 0 : same < s->valid ? same : s->valid - 1;
  while (d < s->length && s->path[d] != AUTOMATON_DEAD) {
    const struct automaton_node *node = automaton_node(&s->nodes, s->path[d]);
    uint32_t at = automaton_edge_of(node, s->word[d]);
    s->path[++d] = at < node->n ? node->edge[at].child : AUTOMATON_DEAD;
  }
  s->valid = d + 1;
  return s->path[d] == AUTOMATON_WORD;
}

/* Is the letter the only one of its range? */
static bool is_alone(const struct automaton_node *node, uint32_t symbol) {
  uint32_t at = automaton_edge_of(node, symbol);
  return at + 1 < node->n && node->edge[at].low == symbol &&
         node->edge[at + 1].low == symbol + 1;
}

/* Room for all that adding the word may make, whose path has `there` nodes, and which of
 * these are its own. */
static bool prepare(struct store *s, uint32_t there) {
  uint64_t edges = 2 * (uint64_t)(s->length - there);
  for (uint32_t d = 0; d < there; d++) {
    const struct automaton_node *node = automaton_node(&s->nodes, s->path[d]);
    edges += node->n + 2;
    s->own[d] = node->refs == 1;
    if (d > 0)
      s->own[d] = s->own[d] && s->own[d - 1] &&
                  is_alone(automaton_node(&s->nodes, s->path[d - 1]), s->word[d - 1]);
  }
  return automaton_nodes_reserve(&s->nodes, s->length, edges);
}

/* Adds the word that walk() has not found; false, and nothing is changed, if memory ran out. */
static bool add_word(struct store *s) {
  uint32_t there = s->valid - 1, child = AUTOMATON_WORD;
  if (!prepare(s, there))
    return false;
  for (uint32_t d = s->length; d-- > 0;) {
    bool known = d < there;
    const struct automaton_node *old = known ? automaton_node(&s->nodes, s->path[d]) : NULL;
    struct automaton_change change = automaton_change(old, s->word[d], child);
    uint32_t made =
        automaton_make(&s->nodes, known ? s->path[d] : 0, known && s->own[d], &change, child);
    if (known && made == s->path[d]) {
      s->valid = d + 1;
      s->states++;
      return true;
    }
    child = made;
  }
  automaton_drop(&s->nodes, s->root);
  s->root = child;
  s->valid = 0;
  s->states++;
  return true;
}

static uint32_t number_rows(struct store *s, const struct ts_batch *batch, uint32_t from,
                            uint32_t to, bool add) {
  uint32_t n = to - from < PARTS_BATCH ? to - from : PARTS_BATCH;
  parts_cut(&s->parts, batch, from, n);
  return parts_number(&s->parts, n, add);
}

static uint32_t automaton_put(struct store *s, const struct ts_batch *batch,
                              const uint64_t *hash, uint32_t from, uint32_t to, uint8_t *answer,
                              uint64_t *ref) {
  (void)hash;
  while (from < to) {
    uint32_t done = number_rows(s, batch, from, to, true);
    if (done == 0)
      break;
    for (uint32_t i = 0; i < done; i++, from++) {
      bool old = walk(s, i);
      answer[from] = old ? STORE_OLD : STORE_NEW;
      ref[from] = 0;
      if (!old && !add_word(s))
        return from;
    }
  }
  return from;
}

static void automaton_find(struct store *s, const struct ts_batch *batch, const uint64_t *hash,
                           uint32_t from, uint32_t to, uint8_t *answer, uint64_t *ref) {
  (void)hash;
  while (from < to) {
    uint32_t n = number_rows(s, batch, from, to, false);
    for (uint32_t i = 0; i < n; i++, from++) {
      bool old = walk(s, i);
      answer[from] = old ? STORE_OLD : STORE_NEW;
      ref[from] = old ? 0 : STORE_NONE;
    }
  }
}

/* Nothing is found by its hash here. */
static void automaton_prefetch(const struct store *s, const uint64_t *hash, uint32_t n) {
  (void)s;
  (void)hash;
  (void)n;
}

static void automaton_usage(const struct store *s, struct store_usage *usage) {
  uint64_t rest = sizeof *s + s->size;
  *usage = (struct store_usage){.states = s->states};
  usage->index_bytes = automaton_nodes_reserved(&s->nodes);
  usage->vector_bytes = parts_reserved(&s->parts);
  usage->reserved = usage->index_bytes + usage->vector_bytes + rest;
  usage->bytes = automaton_nodes_used(&s->nodes) + parts_used(&s->parts) + rest;
}

static const char *automaton_check(const struct store *s) {
  uint64_t words = s->states;
  const char *broken = parts_check(&s->parts);
  if (!broken)
    broken = automaton_nodes_check(&s->nodes, s->root, &words);
  if (!broken && words != s->states)
    broken = "automaton: it accepts another number of words than were stored";
  return broken;
}

const struct store_kind store_automaton = {
    .name = "automaton",
    .summary = "the minimal automaton of the states' components: exact, often smallest",
    .has = STORE_EXACT,
    .samples = true,
    .open = automaton_open,
    .close = automaton_close,
    .put = automaton_put,
    .find = automaton_find,
    .prefetch = automaton_prefetch,
    .usage = automaton_usage,
    .check = automaton_check,
};
