/* strategy.c - which of the states that may be forgotten go first.
 *
 * The criteria of the literature: Holzmann, "Automated protocol validation in Argos"
 * (1987); Jard and Jeron, "Bounded-memory algorithms for verification on-the-fly" (1991);
 * Geldenhuys, "State caching reconsidered" (2004: strata and the time of entering the
 * stack); Pelanek, Rosecky, Sedenka, "Evaluation of state caching and state compression
 * techniques" (2008). Ours is the share: the tree is cut into parts of N or a little more
 * states, and the top of each part stays. So expanding a forgotten state again costs about
 * N, wherever it is, which strata (every Nth depth) promise for long paths only, and as
 * few states as possible are kept for that. Each becomes a few bits, and together they are a
 * rank of twelve. Numbers that may be large go in steps of a sixteenth: what is dropped is then
 * among the lowest, not always the very lowest, and no heap has to be kept.
 */
#include "search/forget/strategy.h"

#include <stdlib.h>
#include <string.h>

enum { RANK_BITS = 12, COUNTER_BITS = 4, STEP_BITS = 8 };

static const struct {
  const char *name;
  enum strategy_what what;
  bool reversed;
  uint32_t bits;
} names[] = {
    {"in-degree", STRATEGY_IN_DEGREE, false, COUNTER_BITS},
    {"frequency", STRATEGY_FREQUENCY, false, COUNTER_BITS},
    {"out-degree", STRATEGY_OUT_DEGREE, false, COUNTER_BITS},
    {"near", STRATEGY_NEAR, false, STEP_BITS},
    {"far", STRATEGY_NEAR, true, STEP_BITS},
    {"entry", STRATEGY_ENTRY, false, STEP_BITS},
    {"stratified", STRATEGY_STRATIFIED, false, 1},
    {"share", STRATEGY_SHARE, false, 1},
};

uint32_t strategy_step(uint64_t number) {
  if (number < 16)
    return (uint32_t)number;
  uint32_t log = 63u - (uint32_t)__builtin_clzll(number);
  uint32_t step = (log - 3) * 16 + (uint32_t)((number >> (log - 4)) & 15);
  return step > 255 ? 255 : step;
}

static bool parse_strata(struct strategy *s, const char *text, const char *end) {
  char *next;
  if (*text != '/')
    return false;
  unsigned long long period = strtoull(text + 1, &next, 10);
  if (next == text + 1 || period < 2 || period > 64)
    return false;
  s->period = (uint32_t)period;
  s->offsets = next == end;
  for (text = next; text < end && *text == '/'; text = next) {
    unsigned long long offset = strtoull(text + 1, &next, 10);
    if (next == text + 1 || offset >= period)
      return false;
    s->offsets |= UINT64_C(1) << offset;
  }
  return next == end;
}

static bool parse_share(struct strategy *s, const char *text, const char *end) {
  char *next;
  unsigned long long share = *text == '/' ? strtoull(text + 1, &next, 10) : 0;
  if (share < 2 || share > 255 || next != end)
    return false;
  s->share = (uint32_t)share;
  return true;
}

/* What decides among states of one rank; said once at most. */
static bool set_pick(struct strategy *s, enum candidates_pick pick) {
  if (s->picks)
    return false;
  s->picks = true;
  s->pick = pick;
  return true;
}

/* Each criterion once; in-degree and frequency share a counter. */
static bool is_asked(const struct strategy *s, enum strategy_what what) {
  uint32_t counted = 1u << STRATEGY_IN_DEGREE | 1u << STRATEGY_FREQUENCY, own = 1u << what;
  return s->asks & (own & counted ? counted : own);
}

static bool parse_part(struct strategy *s, const char *text, const char *end) {
  bool reversed = *text == '-';
  text += reversed;
  size_t length = strcspn(text, "+,/");
  if (text + length > end || s->n == sizeof s->part / sizeof *s->part)
    return false;
  if (length == 3 && memcmp(text, "age", 3) == 0 && text + length == end)
    return set_pick(s, reversed ? CANDIDATES_YOUNGEST : CANDIDATES_OLDEST);
  if (length == 6 && memcmp(text, "random", 6) == 0 && text + length == end && !reversed)
    return set_pick(s, CANDIDATES_RANDOM);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strlen(names[i].name) != length || memcmp(names[i].name, text, length) != 0)
      continue;
    bool strata = names[i].what == STRATEGY_STRATIFIED, share = names[i].what == STRATEGY_SHARE;
    if (is_asked(s, names[i].what))
      return false;
    if (strata  ? !parse_strata(s, text + length, end)
        : share ? !parse_share(s, text + length, end)
                : text + length != end)
      return false;
    s->part[s->n++] = (struct strategy_part){.what = names[i].what,
                                             .reversed = reversed != names[i].reversed,
                                             .bits = names[i].bits};
    if (names[i].what == STRATEGY_IN_DEGREE || names[i].what == STRATEGY_FREQUENCY)
      s->counted = COUNTER_BITS;
    s->asks |= 1u << names[i].what;
    s->from_closing |= names[i].what == STRATEGY_FREQUENCY;
    return true;
  }
  return false;
}

bool strategy_parse(struct strategy *s, const char *text, const char **why) {
  *s = (struct strategy){0};
  if (*text == '\0' || *text == ',')
    text = STRATEGY_DEFAULT;
  for (const char *end; *text != '\0' && *text != ','; text = end) {
    end = text + strcspn(text, "+,");
    bool fine = parse_part(s, text, end);
    end += *end == '+';
    if (!fine || (end[-1] == '+' && (*end == '\0' || *end == ','))) {
      *why = "a strategy is a list, joined by +, of in-degree, frequency, out-degree, near, "
             "far, entry, stratified/PERIOD/OFFSET, share/N, age and random, all but random "
             "turned "
             "round by a - in front; each once, and only one of in-degree and frequency, near "
             "and far, age and random";
      return false;
    }
  }
  uint32_t left = RANK_BITS;
  for (uint32_t i = 0; i < s->n; i++) {
    uint32_t bits = s->part[i].bits < left ? s->part[i].bits : left;
    s->part[i].shift = left -= bits;
    s->part[i].bits = bits;
    if (bits == 0) {
      *why = "these criteria do not fit together: near, far and entry take two thirds of a "
             "rank, degrees and frequency one third";
      return false;
    }
  }
  return true;
}

/* A value in the bits of its part; one that was wider loses its low bits. */
static uint32_t fit(const struct strategy_part *part, uint32_t value, uint32_t wide) {
  uint32_t most = (1u << part->bits) - 1;
  value = wide > part->bits ? value >> (wide - part->bits) : value;
  value = value > most ? most : value;
  return (part->reversed ? most - value : value) << part->shift;
}

static uint32_t small(uint32_t number) {
  return number > 15 ? 15 : number;
}

static uint32_t part_rank(const struct strategy *s, const struct strategy_part *part,
                          const struct strategy_facts *facts) {
  switch (part->what) {
  case STRATEGY_IN_DEGREE:
  case STRATEGY_FREQUENCY:
    return fit(part, small(facts->count), COUNTER_BITS);
  case STRATEGY_OUT_DEGREE:
    return fit(part, small(facts->out_degree), COUNTER_BITS);
  case STRATEGY_NEAR:
    return fit(part, strategy_step(facts->depth), STEP_BITS);
  case STRATEGY_ENTRY:
    return fit(part, facts->entry, STEP_BITS);
  case STRATEGY_STRATIFIED:
    return fit(part, (uint32_t)(s->offsets >> facts->depth % s->period & 1), 1);
  case STRATEGY_SHARE:
    return fit(part, facts->share >= s->share, 1);
  }
  return 0;
}

uint32_t strategy_rank(const struct strategy *s, const struct strategy_facts *facts) {
  uint32_t rank = 0;
  for (uint32_t i = 0; i < s->n; i++)
    rank |= part_rank(s, &s->part[i], facts);
  return rank;
}

void strategy_count(const struct strategy *s, const struct store_kind *kind,
                    struct store_work *work, uint64_t ref) {
  uint64_t count = kind->bits(work, ref);
  if (count + 1 < UINT64_C(1) << s->counted)
    kind->set_bits(work, ref, count + 1);
}

uint32_t strategy_recount(const struct strategy *s, uint32_t rank, uint32_t count) {
  for (uint32_t i = 0; i < s->n; i++) {
    const struct strategy_part *part = &s->part[i];
    if (part->what != STRATEGY_IN_DEGREE && part->what != STRATEGY_FREQUENCY)
      continue;
    rank &= ~(((1u << part->bits) - 1) << part->shift);
    rank |= fit(part, small(count), COUNTER_BITS);
  }
  return rank;
}
