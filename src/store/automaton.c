/* automaton.c - the minimal automaton that accepts the stored states and no others.
 *
 * After Holzmann and Puri, "A minimized automaton representation of reachable states" (STTT
 * 1999), Spin's option MA, over the numbers of a state's components as with
 * COLLAPSE. All words are of one length, a letter per component, of any size; a node's
 * outgoing edges are ranges (automaton_nodes.h). Letters from 128 on are cut into digits,
 * as UTF-8 cuts characters, but of six bits: no node is wide, and where only one of many
 * letters is new the nodes of the others are shared.
 *
 * A new word is added in one pass, as in Daciuk, Mihov, Watson, Watson, "Incremental
 * construction of minimal acyclic finite-state automata" (2000, section 4): down along what
 * is there already; new nodes for the rest of the word, last first, each looked for
 * among those that exist; then upwards again, every node on the path replaced by one that is
 * equal, else copied, else, where nothing but this path leads to it, changed in place. As the
 * number of a node changed in place stays, nothing above it changes, and the pass ends there.
 *
 * Rows of a batch have most components in common with the row before. The walk begins at the
 * first that differs, and ends where, after the last that differs, it meets the path
 * of that row. Which component's letters come first matters for size: those with most
 * values in a sample do, for after them sets of words that were seen with different
 * values become equal. There are no ids and no handles: the search keeps open states itself.
 */
#include "store/automaton_nodes.h"
#include "store/parts/parts.h"
#include "store/store.h"

#include <string.h>

#define PLAIN      128u /* letters of one digit; of a multiple of 8 */
#define DIGIT_BITS 6u   /* of each digit but the first */
#define DIGITS     6u   /* most of a letter */

struct store {
  struct budget *budget;
  struct parts parts;
  struct automaton_nodes nodes;
  uint64_t states;
  uint32_t root;
  uint32_t length;  /* letters of a word */
  uint32_t *order;  /* [length]: the component of each letter */
  uint32_t *column; /* [length]: and where the numbers of the rows in work begin */
  void *block;
  size_t size;         /* of the block */
  uint64_t work_bytes; /* of all workers, without what the parts count */
};

/* A worker's own: the word of the row in work, and the nodes that it leads through. */
struct own {
  struct store_work base;
  struct parts_work parts;
  uint32_t valid; /* that many letters of `word` lead on, all: it is stored */
  uint32_t known; /* and that many digits' nodes of the next one are there */
  uint32_t alone; /* up to this place of the path no other word needs the nodes */
  bool same_row;  /* `word` is that of the row before those in work */
  uint32_t *word; /* [length] */
  uint32_t *path; /* [length * DIGITS + 1]: the nodes of each letter's digits; then the end */
  uint32_t first[PARTS_BATCH], last[PARTS_BATCH]; /* letters that differ from the row before */
  uint32_t block[];
};

static inline struct own *own_of(struct store_work *work) {
  return (struct own *)(void *)work;
}

static size_t own_bytes(const struct store *s) {
  return sizeof(struct own) + ((1 + DIGITS) * (size_t)s->length + 1) * sizeof(uint32_t);
}

static void automaton_close(struct store *s) {
  if (!s)
    return;
  automaton_nodes_close(&s->nodes);
  budget_free(s->budget, BUDGET_STORE, s->block, s->size);
  if (s->parts.block)
    parts_close(&s->parts);
  budget_free(s->budget, BUDGET_STORE, s, sizeof *s);
}

/* Numbers the parts of the sample; a component's last number shows how much it varies. */
static bool number_sample(struct store *s, const struct ts_batch *sample) {
  struct parts_work parts;
  bool fine = parts_begin(&parts, &s->parts);
  if (!fine)
    return false;
  for (uint32_t from = 0, n; fine && from < sample->n; from += n) {
    n = sample->n - from < PARTS_BATCH ? sample->n - from : PARTS_BATCH;
    parts_cut(&parts, sample, from, n);
    fine = parts_number(&parts, n, true) == n;
  }
  parts_end(&parts);
  return true; /* with a part of it the order is as good as can be */
}

static uint64_t values_of(const struct store *s, uint32_t top) {
  return s->parts.place[s->parts.top[top]].nodes.n;
}

/* Components with many values first; equal ones in their order. */
static void choose_order(struct store *s) {
  for (uint32_t i = 0; i < s->length; i++) {
    uint32_t at = i;
    for (; at > 0 && values_of(s, s->order[at - 1]) < values_of(s, i); at--)
      s->order[at] = s->order[at - 1];
    s->order[at] = i;
  }
  for (uint32_t d = 0; d < s->length; d++)
    s->column[d] = s->parts.top[s->order[d]] * PARTS_COLUMN + 1;
}

static bool take_block(struct store *s) {
  size_t n = s->length;
  s->size = 2 * n * sizeof(uint32_t);
  s->block = budget_alloc(s->budget, BUDGET_STORE, s->size);
  if (!s->block)
    return false;
  s->order = s->block;
  s->column = s->order + n;
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
  if (config->sample && !number_sample(s, config->sample)) {
    automaton_close(s);
    return NULL;
  }
  choose_order(s);
  return s;
}

static struct store_work *automaton_begin(struct store *s) {
  struct own *own = budget_alloc(s->budget, BUDGET_STORE, own_bytes(s));
  if (own && !parts_begin(&own->parts, &s->parts)) {
    budget_free(s->budget, BUDGET_STORE, own, own_bytes(s));
    own = NULL;
  }
  if (!own)
    return NULL;
  own->base.store = s;
  own->word = own->block;
  own->path = own->word + s->length;
  s->work_bytes += own_bytes(s);
  return &own->base;
}

static void automaton_end(struct store_work *work) {
  struct store *s = work->store;
  parts_end(&own_of(work)->parts);
  s->work_bytes -= own_bytes(s);
  budget_free(s->budget, BUDGET_STORE, work, own_bytes(s));
}

/* Cuts a letter into digits, the first one into `digit`[0]; how many. No code begins another,
 * and codes are in the order of letters. */
static inline uint32_t cut_letter(uint32_t letter, uint32_t *digit) {
  if (letter < PLAIN) {
    digit[0] = letter;
    return 1;
  }
  uint64_t rest = letter - PLAIN, leads = PLAIN / 4;
  uint32_t first = PLAIN, more = 1;
  for (; rest >> (DIGIT_BITS * more) >= leads; more++, leads = PLAIN / 8) {
    rest -= leads << (DIGIT_BITS * more);
    first += (uint32_t)leads;
  }
  digit[0] = first + (uint32_t)(rest >> (DIGIT_BITS * more));
  for (uint32_t k = 1; k <= more; k++)
    digit[k] = (uint32_t)(rest >> (DIGIT_BITS * (more - k))) & ((1u << DIGIT_BITS) - 1);
  return more + 1;
}

/* The letter of row i of those in work. */
static inline uint32_t letter_at(const struct own *w, uint32_t d, uint32_t i) {
  return w->parts.id[w->base.store->column[d] + i];
}

static inline uint32_t *nodes_of(const struct own *w, uint32_t letter) {
  return w->path + (size_t)letter * DIGITS;
}

/* Where a letter of several digits leads. The nodes between these are put after the first.
 * AUTOMATON_DEAD: nowhere, and w->known of the nodes are there. */
static uint32_t follow_digits(struct own *w, uint32_t *node, uint32_t letter) {
  struct store *s = w->base.store;
  uint32_t digit[DIGITS], n = cut_letter(letter, digit), to = node[0];
  for (uint32_t k = 0; k < n; k++) {
    w->known = k;
    if (to == AUTOMATON_DEAD)
      return to;
    node[k] = to;
    to = automaton_follow(automaton_node(&s->nodes, to), digit[k]);
  }
  w->known = n;
  return to;
}

/* Which letters of the n rows in work differ from those of the row before. */
static void find_differing(struct own *w, uint32_t n) {
  struct store *s = w->base.store;
  for (uint32_t i = 0; i < n; i++) {
    w->first[i] = s->length;
    w->last[i] = 0;
  }
  for (uint32_t d = s->length; d-- > 0;) {
    uint64_t rows = w->parts.differs[s->parts.top[s->order[d]]] & UINT64_MAX >> (64 - n);
    for (; rows; rows &= rows - 1) {
      uint32_t i = (uint32_t)__builtin_ctzll(rows);
      if (w->first[i] == s->length)
        w->last[i] = d;
      w->first[i] = d;
    }
  }
  if (!w->same_row) {
    w->first[0] = 0;
    w->last[0] = s->length;
    w->valid = 0;
  }
  w->same_row = true;
}

/* The rest of a word of which only `valid` letters lead on. */
static bool read_word(struct own *w, uint32_t valid, uint32_t i) {
  struct store *s = w->base.store;
  w->valid = valid;
  for (uint32_t d = valid; d < s->length; d++)
    w->word[d] = letter_at(w, d, i);
  return false;
}

/* Takes the word of row i of those in work, and follows it as far as it leads. Where
 * it meets the path of the word before, and no later letter differs, it ends as that did. */
static bool walk(struct own *w, uint32_t i) {
  struct store *s = w->base.store;
  uint32_t d = w->first[i] < w->valid ? w->first[i] : w->valid, last = w->last[i];
  bool complete = w->valid == s->length;
  w->path[0] = s->root;
  w->known = 0;
  if (s->root == AUTOMATON_DEAD)
    return read_word(w, 0, i);
  for (uint32_t *node = nodes_of(w, d); d < s->length; d++, node += DIGITS) {
    uint32_t letter = w->word[d] = letter_at(w, d, i), to;
    if (letter < PLAIN)
      to = automaton_follow(automaton_node(&s->nodes, *node), letter);
    else
      to = follow_digits(w, node, letter);
    if (to == AUTOMATON_DEAD) {
      if (letter < PLAIN)
        w->known = 1;
      return read_word(w, d, i);
    }
    if (complete && d >= last && node[DIGITS] == to)
      return true;
    node[DIGITS] = to;
  }
  w->valid = s->length;
  return true;
}

/* Room for all that adding the word may make. */
static bool reserve(struct own *w) {
  struct store *s = w->base.store;
  uint64_t most = (uint64_t)s->length * DIGITS, nodes = 0, edges = 0;
  if (automaton_nodes_room(&s->nodes, most))
    return true;
  for (uint32_t d = 0; d < s->length; d++) {
    uint32_t digit[DIGITS], n = cut_letter(w->word[d], digit);
    uint32_t known = d < w->valid ? n : d == w->valid ? w->known : 0;
    nodes += n;
    edges += 2 * n;
    for (uint32_t k = 0; k < known; k++)
      edges += automaton_node(&s->nodes, nodes_of(w, d)[k])->n;
  }
  return automaton_nodes_reserve(&s->nodes, nodes, edges);
}

/* Which nodes of the path no other word needs: all up to the first that has two references
 * or is reached by a range of letters. */
static void find_own(struct own *w) {
  struct store *s = w->base.store;
  w->alone = 0;
  for (uint32_t d = 0; d <= w->valid && d < s->length; d++) {
    uint32_t digit[DIGITS], cut = cut_letter(w->word[d], digit);
    uint32_t n = d < w->valid ? cut : w->known;
    for (uint32_t k = 0; k < n; k++) {
      const struct automaton_node *node = automaton_node(&s->nodes, nodes_of(w, d)[k]);
      w->alone = d * DIGITS + k;
      if (node->refs > 1)
        return;
      w->alone++;
      if (!automaton_is_alone(node, digit[k]))
        return;
    }
  }
}

/* Makes the nodes of one letter, of which `known` are there, so that it leads to *child;
 * afterwards *child is the first of them. True: nothing in front of it changes. */
static bool add_letter(struct own *w, uint32_t d, uint32_t known, uint32_t *child) {
  struct store *s = w->base.store;
  uint32_t digit[DIGITS], *node = nodes_of(w, d);
  for (uint32_t k = cut_letter(w->word[d], digit); k-- > 0;) {
    uint32_t id = k < known ? node[k] : 0;
    struct automaton_change change;
    automaton_change(&change, k < known ? automaton_node(&s->nodes, id) : NULL, digit[k],
                     *child);
    node[k] =
        automaton_make(&s->nodes, id, k < known && d * DIGITS + k < w->alone, &change, *child);
    if (k < known && node[k] == id)
      return true;
    *child = node[k];
  }
  return false;
}

/* Adds the word that walk() has not found; false, and nothing is changed, if memory ran out.
 * Then the path is that of the word. */
static bool add_word(struct own *w) {
  struct store *s = w->base.store;
  uint32_t child = AUTOMATON_WORD;
  bool done = false;
  if (!reserve(w))
    return false;
  find_own(w);
  *nodes_of(w, s->length) = AUTOMATON_WORD;
  for (uint32_t d = s->length; !done && d-- > 0;)
    done = add_letter(w, d, d < w->valid ? DIGITS : d > w->valid ? 0 : w->known, &child);
  if (!done) {
    automaton_drop(&s->nodes, s->root);
    s->root = child;
  }
  w->valid = s->length;
  s->states++;
  return true;
}

static uint32_t number_rows(struct own *w, const struct ts_batch *batch, uint32_t from,
                            uint32_t to, bool add) {
  uint32_t n = to - from < PARTS_BATCH ? to - from : PARTS_BATCH;
  parts_cut(&w->parts, batch, from, n);
  n = parts_number(&w->parts, n, add);
  if (n > 0)
    find_differing(w, n);
  return n;
}

static uint32_t automaton_put(struct store_work *work, struct rows *rows, uint32_t from,
                              uint32_t to) {
  struct own *w = own_of(work);
  while (from < to) {
    uint32_t done = number_rows(w, &rows->batch, from, to, true);
    if (done == 0)
      break;
    for (uint32_t i = 0; i < done; i++, from++) {
      bool old = walk(w, i);
      rows->answer[from] = old ? STORE_OLD : STORE_NEW;
      rows->ref[from] = 0;
      if (!old && !add_word(w)) {
        w->same_row = false;
        return from;
      }
    }
  }
  return from;
}

static void automaton_find(struct store_work *work, struct rows *rows, uint32_t from,
                           uint32_t to) {
  struct own *w = own_of(work);
  while (from < to) {
    uint32_t n = number_rows(w, &rows->batch, from, to, false);
    for (uint32_t i = 0; i < n; i++, from++) {
      bool old = walk(w, i);
      rows->answer[from] = old ? STORE_OLD : STORE_NEW;
      rows->ref[from] = old ? 0 : STORE_NONE;
    }
  }
}

/* Nothing is found by its hash here. */
static void automaton_prefetch(const struct store_work *work, const uint64_t *hash,
                               uint32_t n) {
  (void)work;
  (void)hash;
  (void)n;
}

static void automaton_usage(const struct store *s, struct store_usage *usage) {
  uint64_t rest = sizeof *s + s->size + s->work_bytes;
  *usage = (struct store_usage){.states = s->states};
  usage->index_bytes = automaton_nodes_reserved(&s->nodes);
  usage->vector_bytes = parts_reserved(&s->parts);
  usage->reserved = usage->index_bytes + usage->vector_bytes + rest;
  usage->bytes = automaton_nodes_used(&s->nodes) + parts_used(&s->parts) + rest;
}

/* The path is that of the last word, as far as that leads. */
static const char *check_path(const struct own *w) {
  const struct store *s = w->base.store;
  uint32_t to = s->root;
  for (uint32_t d = 0; w->same_row && d < w->valid; d++) {
    uint32_t digit[DIGITS], n = cut_letter(w->word[d], digit);
    for (uint32_t k = 0; k < n; k++) {
      if (nodes_of(w, d)[k] != to || to <= AUTOMATON_WORD)
        return "automaton: the last path is not that of the last word";
      to = automaton_follow(automaton_node(&s->nodes, to), digit[k]);
    }
  }
  return w->same_row && w->valid == s->length && to != AUTOMATON_WORD
             ? "automaton: the last word is not accepted"
             : NULL;
}

static const char *automaton_check(struct store_work *work) {
  const struct store *s = work->store;
  uint64_t words = s->states;
  const char *broken = parts_check(&s->parts);
  if (!broken)
    broken = automaton_nodes_check(&s->nodes, s->root, &words);
  if (!broken && words != s->states)
    broken = "automaton: it accepts another number of words than were stored";
  return broken ? broken : check_path(own_of(work));
}

/* The order of letters follows from a sample, as it was seen when the store was opened. */
static void same_order(const struct store *s, struct sink *sink) {
  for (uint32_t d = 0; d < s->length; d++)
    sink_same(sink, s->order[d], "has the components of states in another order");
}

static void automaton_save(const struct store *s, struct sink *sink) {
  sink_put_number(sink, s->states);
  sink_put_number(sink, s->root);
  same_order(s, sink);
  parts_save(&s->parts, sink);
  automaton_nodes_save(&s->nodes, sink);
}

static bool automaton_load(struct store *s, struct sink *sink) {
  s->states = sink_take_number(sink);
  s->root = (uint32_t)sink_take_count(sink, UINT32_MAX);
  same_order(s, sink);
  return parts_load(&s->parts, sink) && automaton_nodes_load(&s->nodes, sink);
}

const struct store_kind store_automaton = {
    .name = "automaton",
    .summary = "the minimal automaton of the states' components: exact, often smallest",
    .has = STORE_EXACT | STORE_SAVES,
    .samples = 1 << 9,
    .open = automaton_open,
    .close = automaton_close,
    .begin = automaton_begin,
    .end = automaton_end,
    .put = automaton_put,
    .find = automaton_find,
    .prefetch = automaton_prefetch,
    .usage = automaton_usage,
    .check = automaton_check,
    .save = automaton_save,
    .load = automaton_load,
};
