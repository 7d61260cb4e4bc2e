/* system.c - tiny systems made at random: making, making smaller, printing.
 *
 * The odds are chosen so that most systems have between ten and a few hundred
 * reachable states, that about a third have no cycle, and that letters of
 * two automata are about as frequent as private ones.
 */
#include "system.h"

#include "base/bits.h"
#include "ts/abi.h"

#include <string.h>

struct dice {
  uint64_t state;
};

/* A number below n. */
static uint32_t roll(struct dice *dice, uint32_t n) {
  return (uint32_t)(((bits_next_random(&dice->state) >> 32) * n) >> 32);
}

static bool chance(struct dice *dice, uint32_t percent) {
  return roll(dice, 100) < percent;
}

/* A map of one part: upwards only where the system is to have no cycle. */
static void random_map(struct dice *dice, int8_t *to, uint32_t values, uint32_t percent,
                       bool upwards, bool strictly) {
  for (uint32_t v = 0; v < values; v++) {
    to[v] = -1;
    uint32_t least = !upwards ? 0 : v + strictly;
    if (least < values && chance(dice, percent))
      to[v] = (int8_t)(least + roll(dice, values - least));
  }
}

/* Up by one or down by one, wherever that is a value. */
static void counting_map(struct dice *dice, int8_t *to, int values, bool upwards) {
  int by = upwards || chance(dice, 50) ? 1 : -1;
  for (int v = 0; v < values; v++)
    to[v] = (int8_t)(v + by < 0 || v + by >= values ? -1 : v + by);
}

static uint32_t random_mask(struct dice *dice, uint32_t n_parts) {
  uint32_t size = chance(dice, 45) ? 1 : chance(dice, 70) ? 2 : 3, mask = 0;
  for (uint32_t i = 0; i < size; i++)
    mask |= 1u << roll(dice, n_parts);
  return mask;
}

static void random_letter(struct dice *dice, struct system *s, struct system_letter *letter,
                          uint32_t percent, bool upwards) {
  letter->mask = random_mask(dice, s->n_parts);
  letter->n_choices = chance(dice, 12) ? 2 : 1;
  bool count = letter->n_choices == 1 && chance(dice, 40), all = chance(dice, 30);
  for (uint32_t c = 0; c < letter->n_choices; c++) {
    bool strictly = upwards;
    for (uint32_t p = 0; p < s->n_parts; p++)
      if (letter->mask >> p & 1) {
        if (count && (all || p >= s->n_automata))
          counting_map(dice, letter->to[c][p], s->values[p], upwards);
        else
          random_map(dice, letter->to[c][p], s->values[p], percent, upwards, strictly);
        strictly = false;
      }
  }
}

static void random_fault(struct dice *dice, struct system *s, struct system_letter *letter) {
  uint32_t part = roll(dice, s->n_parts);
  while (!(letter->mask >> part & 1) && chance(dice, 80))
    part = roll(dice, s->n_parts);
  letter->fault =
      (struct system_fault){.kind = (uint8_t)(chance(dice, 50) ? TS_ASSERTION : TS_MODEL_ERROR),
                            .part = (uint8_t)part,
                            .value = (uint8_t)roll(dice, s->values[part])};
}

static void random_bad(struct dice *dice, struct system *s) {
  s->n_bad = 1 + chance(dice, 30);
  for (uint32_t i = 0; i < s->n_bad; i++)
    for (uint32_t k = 0; k < 2; k++) {
      s->bad[i].part[k] = (uint8_t)roll(dice, s->n_parts);
      s->bad[i].value[k] = (uint8_t)roll(dice, s->values[s->bad[i].part[k]]);
    }
}

static uint32_t product(const struct system *s) {
  uint32_t n = 1;
  for (uint32_t p = 0; p < s->n_parts; p++)
    n *= s->values[p];
  return n;
}

static void random_parts(struct dice *dice, struct system *s) {
  do {
    uint32_t automata = 2 + roll(dice, 3), variables = roll(dice, 3);
    s->n_parts = automata + variables;
    s->n_automata = automata;
    for (uint32_t p = 0; p < s->n_parts; p++)
      s->values[p] = (uint8_t)(p < automata ? 2 + roll(dice, 4) : 2 + roll(dice, 2));
  } while (product(s) > 1600);
}

void system_random(struct system *s, uint64_t seed) {
  struct dice dice = {seed};
  *s = (struct system){.seed = seed};
  random_parts(&dice, s);
  s->n_letters = 3 + roll(&dice, 8);
  bool upwards = chance(&dice, 30);
  uint32_t percent = 35 + roll(&dice, 50);
  for (uint32_t a = 0; a < s->n_letters; a++)
    random_letter(&dice, s, &s->letter[a], percent, upwards);
  /* With errors of one kind only, finding one says that this kind is found. */
  uint32_t kind = roll(&dice, 8);
  if (kind < 2)
    for (uint32_t n = 1 + roll(&dice, 2); n-- > 0;)
      random_fault(&dice, s, &s->letter[roll(&dice, s->n_letters)]);
  if (kind == 1 || kind == 2)
    random_bad(&dice, s);
  s->deadlock_is_error = kind == 3;
  s->n_initials = chance(&dice, 15) ? 1 + roll(&dice, SYSTEM_INITIALS) : 1;
  for (uint32_t i = 0; i < s->n_initials; i++)
    for (uint32_t p = 0; p < s->n_parts; p++)
      s->initial[i][p] = (uint8_t)(upwards && i == 0 ? 0 : roll(&dice, s->values[p]));
  s->by_mask = chance(&dice, 50);
  if (chance(&dice, 30))
    for (uint32_t n = roll(&dice, 6); n-- > 0;)
      s->denied[roll(&dice, s->n_letters)] |= 1u << roll(&dice, s->n_letters);
  s->form = (uint8_t)roll(&dice, 4);
}

void system_classical(struct system *s, uint64_t seed) {
  struct dice dice = {seed};
  *s = (struct system){.seed = seed,
                       .n_parts = 3,
                       .n_automata = 3,
                       .values = {4, 4, 4},
                       .n_letters = 8,
                       .n_initials = 1};
  uint32_t percent = 35 + roll(&dice, 40);
  for (uint32_t a = 0; a < s->n_letters; a++) {
    random_letter(&dice, s, &s->letter[a], percent, false);
    s->letter[a].n_choices = 1;
  }
  s->by_mask = true;
}

/* ---- making smaller -------------------------------------------------------------- */

static void drop_letter(struct system *s, uint32_t a) {
  for (uint32_t i = a; i + 1 < s->n_letters; i++) {
    s->letter[i] = s->letter[i + 1];
    s->denied[i] = s->denied[i + 1];
  }
  s->n_letters--;
  for (uint32_t i = 0; i < s->n_letters; i++)
    s->denied[i] = (s->denied[i] & ((1u << a) - 1)) | (s->denied[i] >> (a + 1) << a);
}

/* A part that stays as it is at the start: letters lose it, or are never enabled. */
static bool freeze_part(struct system *s, uint32_t p) {
  bool used = false;
  for (uint32_t a = 0; a < s->n_letters; a++) {
    used |= s->letter[a].mask >> p & 1;
    s->letter[a].mask &= ~(1u << p);
  }
  return used;
}

static uint32_t lower_bits(uint32_t bits, uint32_t p) {
  return (bits & ((1u << p) - 1)) | (bits >> (p + 1) << p);
}

/* Takes out the last part that no letter uses, faults and invariants included. */
static bool drop_unused_part(struct system *s) {
  for (uint32_t p = s->n_parts; p-- > 0 && s->n_parts > 1;) {
    bool used = false;
    for (uint32_t a = 0; a < s->n_letters; a++)
      used |= (s->letter[a].mask >> p & 1) ||
              (s->letter[a].fault.kind != TS_FINE && s->letter[a].fault.part == p);
    for (uint32_t i = 0; i < s->n_bad; i++)
      used |= s->bad[i].part[0] == p || s->bad[i].part[1] == p;
    if (used)
      continue;
    for (uint32_t a = 0; a < s->n_letters; a++) {
      struct system_letter *l = &s->letter[a];
      l->mask = lower_bits(l->mask, p);
      l->fault.part = (uint8_t)(l->fault.part - (l->fault.part > p));
      for (uint32_t c = 0; c < SYSTEM_CHOICES; c++)
        memmove(l->to[c][p], l->to[c][p + 1], (SYSTEM_PARTS - 1 - p) * sizeof l->to[c][p]);
    }
    for (uint32_t i = 0; i < s->n_bad; i++)
      for (uint32_t k = 0; k < 2; k++)
        s->bad[i].part[k] = (uint8_t)(s->bad[i].part[k] - (s->bad[i].part[k] > p));
    for (uint32_t i = 0; i < s->n_initials; i++)
      memmove(s->initial[i] + p, s->initial[i] + p + 1, SYSTEM_PARTS - 1 - p);
    memmove(s->values + p, s->values + p + 1, SYSTEM_PARTS - 1 - p);
    s->n_parts--;
    s->n_automata -= p < s->n_automata;
    return true;
  }
  return false;
}

/* The single arrows, choices, faults and so on: piece number `piece` of these. */
static bool drop_detail(struct system *s, uint32_t piece, bool *applied) {
  enum { ARROWS = SYSTEM_CHOICES * SYSTEM_PARTS * SYSTEM_VALUES };
  if (piece < s->n_letters * ARROWS) {
    struct system_letter *l = &s->letter[piece / ARROWS];
    uint32_t at = piece % ARROWS, p = at / SYSTEM_VALUES % SYSTEM_PARTS;
    int8_t *to = &l->to[at / SYSTEM_VALUES / SYSTEM_PARTS][p][at % SYSTEM_VALUES];
    *applied = at / SYSTEM_VALUES / SYSTEM_PARTS < l->n_choices && (l->mask >> p & 1) &&
               at % SYSTEM_VALUES < s->values[p] && *to >= 0;
    *to = -1;
    return true;
  }
  piece -= s->n_letters * ARROWS;
  if (piece < s->n_letters) {
    *applied = s->letter[piece].fault.kind != TS_FINE;
    s->letter[piece].fault = (struct system_fault){0};
    return true;
  }
  piece -= s->n_letters;
  if (piece < s->n_letters * s->n_letters) {
    uint32_t bit = 1u << piece % s->n_letters, *denied = &s->denied[piece / s->n_letters];
    *applied = (*denied & bit) == 0 && piece / s->n_letters < piece % s->n_letters;
    *denied |= bit;
    return true;
  }
  return false;
}

bool system_reduce(const struct system *from, uint32_t piece, struct system *s, bool *applied) {
  *s = *from;
  *applied = true;
  if (piece < s->n_letters) {
    drop_letter(s, piece);
    return true;
  }
  piece -= s->n_letters;
  if (piece < s->n_parts) {
    *applied = freeze_part(s, piece);
    return true;
  }
  piece -= s->n_parts;
  if (piece < s->n_letters) {
    *applied = s->letter[piece].n_choices > 1;
    s->letter[piece].n_choices = 1;
    return true;
  }
  piece -= s->n_letters;
  if (piece < s->n_letters) {
    struct system_letter *l = &s->letter[piece];
    *applied = l->n_choices > 1;
    memcpy(l->to[0], l->to[1], sizeof l->to[0]);
    l->n_choices = 1;
    return true;
  }
  piece -= s->n_letters;
  switch (piece) {
  case 0:
    *applied = s->n_initials > 1;
    s->n_initials = 1;
    return true;
  case 1:
    *applied = s->n_bad > 0;
    s->n_bad = 0;
    return true;
  case 2:
    *applied = drop_unused_part(s);
    return true;
  case 3:
    *applied = s->form != 0;
    s->form = 0;
    return true;
  case 4:
    *applied = s->deadlock_is_error;
    s->deadlock_is_error = false;
    return true;
  default:
    return drop_detail(s, piece - 5, applied);
  }
}

/* ---- printing -------------------------------------------------------------------- */

static void print_letter(FILE *out, const struct system *s, uint32_t a) {
  const struct system_letter *l = &s->letter[a];
  for (uint32_t c = 0; c < l->n_choices; c++) {
    fprintf(out, "  letter %c%s:", (int)('a' + a), c == 0 ? "" : ", another way");
    for (uint32_t p = 0; p < s->n_parts; p++) {
      if (!(l->mask >> p & 1))
        continue;
      fprintf(out, "  part %u", p);
      for (uint32_t v = 0; v < s->values[p]; v++)
        if (l->to[c][p][v] >= 0)
          fprintf(out, " %u->%d", v, l->to[c][p][v]);
    }
    fputc('\n', out);
  }
  if (l->fault.kind != TS_FINE)
    fprintf(out, "    %s where part %u is %u\n",
            l->fault.kind == TS_ASSERTION ? "fails an assertion" : "is a model error",
            l->fault.part, l->fault.value);
}

void system_print(FILE *out, const struct system *s) {
  fprintf(out, "  %u parts, values below", s->n_parts);
  for (uint32_t p = 0; p < s->n_parts; p++)
    fprintf(out, " %u", s->values[p]);
  for (uint32_t i = 0; i < s->n_initials; i++) {
    fprintf(out, "%s", i == 0 ? "; at first" : " or");
    for (uint32_t p = 0; p < s->n_parts; p++)
      fprintf(out, " %u", s->initial[i][p]);
  }
  fputc('\n', out);
  for (uint32_t a = 0; a < s->n_letters; a++)
    print_letter(out, s, a);
  for (uint32_t i = 0; i < s->n_bad; i++)
    fprintf(out, "  bad where part %u is %u and part %u is %u\n", s->bad[i].part[0],
            s->bad[i].value[0], s->bad[i].part[1], s->bad[i].value[1]);
  if (s->deadlock_is_error)
    fprintf(out, "  deadlocks are errors\n");
  if (s->form != 0)
    fprintf(out, "  states in form %u\n", s->form);
}
