/* survey.c - the same: sums of bytes, for most places are counted in one.
 *
 * Every new marking is looked at: of those reached from one marking the first is, 128 places at
 * a time where the processor can, and of the others only what the event changed.
 */
#include "net/survey.h"

#include "net/fire.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define SURVEY_WIDE __attribute__((target("avx2")))
#endif

struct tally { /* of bytes */
  uint64_t sum;
  uint32_t most;
};

/* Bytes [from, to) of a state, one by one. */
static struct tally tally_bytes(const uint8_t *state, uint32_t from, uint32_t to) {
  struct tally tally = {0, 0};
  for (uint32_t i = from; i < to; i++) {
    tally.sum += state[i];
    tally.most = state[i] > tally.most ? state[i] : tally.most;
  }
  return tally;
}

#ifdef SURVEY_WIDE
static bool is_wide(void) {
  return __builtin_cpu_supports("avx2");
}

/* Four vectors at a time as long as there are: the loop itself takes as long as one. */
SURVEY_WIDE static struct tally tally_wide(const uint8_t *state, uint32_t from, uint32_t to) {
  enum { BYTES = 32, STEP = 4 * BYTES };
  const __m256i zero = _mm256_setzero_si256();
  __m256i sum = zero, most = zero;
  uint64_t word[4];
  uint8_t byte[16];
  while (from + BYTES <= to) {
    uint32_t end = from + (from + STEP <= to ? STEP : BYTES);
    for (; from < end; from += BYTES) {
      __m256i some = _mm256_loadu_si256((const __m256i *)(const void *)(state + from));
      sum = _mm256_add_epi64(sum, _mm256_sad_epu8(some, zero));
      most = _mm256_max_epu8(most, some);
    }
  }
  _mm256_storeu_si256((__m256i *)(void *)word, sum);
  _mm_storeu_si128((__m128i *)(void *)byte, _mm_max_epu8(_mm256_castsi256_si128(most),
                                                         _mm256_extracti128_si256(most, 1)));
  struct tally tally = tally_bytes(state, from, to);
  uint32_t largest = tally_bytes(byte, 0, sizeof byte).most;
  tally.sum += word[0] + word[1] + word[2] + word[3];
  tally.most = largest > tally.most ? largest : tally.most;
  return tally;
}
#else
static bool is_wide(void) {
  return false;
}
#define tally_wide tally_bytes
#endif

static const int64_t *find_growth(const struct net_model *model) {
  const struct net *net = model->net;
  const struct fire *f = model->fire;
  int64_t *growth = ARENA_ARRAY(net->arena, f->n_actions, int64_t);
  for (uint32_t i = 0; i < f->n_actions; i++) {
    uint32_t t = f->transition[i];
    for (uint32_t k = net->in.start[t]; k < net->in.start[t + 1]; k++)
      growth[i] -= net->in.at[k].weight;
    for (uint32_t k = net->out.start[t]; k < net->out.start[t + 1]; k++)
      growth[i] += net->out.at[k].weight;
  }
  return growth;
}

void net_survey_begin(struct net_survey *s, const struct net_model *model) {
  const struct net *net = model->net;
  *s = (struct net_survey){
      .model = model, .is_wide = is_wide(), .growth = find_growth(model), .from = UINT64_MAX};
  for (uint32_t i = 0; i < net->n_place_groups; i++) {
    s->constant += net->place_group[i].constant;
    if (net->place_group[i].most_constant > s->most_in_place)
      s->most_in_place = net->place_group[i].most_constant;
  }
  s->most = s->constant;
}

/* Slots of more than one byte come first. */
static uint64_t count_wide(struct net_survey *s, const uint8_t *state, uint32_t *most) {
  const struct net_layout *layout = s->model->layout;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < layout->n_slots && layout->slot[i].bytes > 1; i++) {
    const struct net_slot *slot = &layout->slot[i];
    uint32_t tokens = slot->is_unit ? 1 : net_tokens(layout, slot->place[0], state);
    sum += tokens;
    *most = tokens > *most ? tokens : *most;
  }
  return sum;
}

/* Notes how many tokens a marking has, and the most in a place. Returns the first. */
static uint64_t survey_all(struct net_survey *s, const uint8_t *state) {
  enum { FEW = 64 };
  const struct net_layout *layout = s->model->layout;
  uint32_t from = layout->counter_begin, to = layout->counter_end;
  uint32_t units = from - layout->unit_begin, most = units > 0;
  bool wide = s->is_wide && to - from >= FEW;
  struct tally bytes = (wide ? tally_wide : tally_bytes)(state, from, to);
  most = bytes.most > most ? bytes.most : most;
  uint64_t tokens = s->constant + units + bytes.sum + count_wide(s, state, &most);
  s->most_in_place = most > s->most_in_place ? most : s->most_in_place;
  return tokens;
}

static void note_tokens(struct net_survey *s, uint64_t tokens) {
  s->most = tokens > s->most ? tokens : s->most;
}

void net_survey_state(struct net_survey *s, const uint8_t *state) {
  note_tokens(s, survey_all(s, state));
}

/* Places that have no more tokens than before were looked at then. */
void net_survey_event(struct net_survey *s, const uint8_t *state, uint32_t action,
                      uint64_t from) {
  const struct net_model *model = s->model;
  uint32_t t = model->fire->transition[action];
  const struct net_arcs *out = &model->net->out;
  if (from != s->from) {
    s->tokens = survey_all(s, state) - (uint64_t)s->growth[action];
    s->from = from;
  }
  note_tokens(s, s->tokens + (uint64_t)s->growth[action]);
  for (uint32_t k = out->start[t]; k < out->start[t + 1]; k++) {
    uint32_t tokens = net_tokens(model->layout, out->at[k].place, state);
    s->most_in_place = tokens > s->most_in_place ? tokens : s->most_in_place;
  }
}
