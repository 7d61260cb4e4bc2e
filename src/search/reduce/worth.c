/* worth.c - measuring grades. See worth.h.
 *
 * The unit is an event: fired, hashed and looked up, it takes as long as some hundred looks at
 * steps of processes. A state that was left out and stays away takes more with it: all that can
 * be reached only from there. How much more cannot be known; a small number keeps the reduction
 * where it is of use, on the models of docs/por.md.
 */
#include "search/reduce/worth.h"

#include <string.h>

enum {
  LATE = 8192,          /* tries that count as late */
  FIRST_JUDGE = 16384,  /* states; then each time they are four times as many, */
  NEXT_JUDGE = 1 << 22, /* or there are this many more */
  FEW_NOTES = 2048,     /* this many states before it is judged make a note more necessary */
  DEAR = 1 << 24,       /* looks at steps after which it is judged earlier */
  EVENT = 110,          /* looks at steps that take as long as an event */
  OFTEN = 32,           /* one try of this many leaves something out */
  STATES = 10,          /* that stay away with one that does; */
  STATES_FEW = 5,       /* of those that only a stubborn set leaves out; */
  SELDOM = 10,          /* so many times more, if it is seldom that one is left out, */
  CHEAP = EVENT / 2,    /* and so many looks at steps for each state are taken then */
  TIMES_LESS = 16       /* so much rarer than at first samples may become */
};

void worth_open(struct worth *w, uint64_t first, unsigned without) {
  memset(w, 0, sizeof *w);
  w->judge = first == 0 ? FIRST_JUDGE : first;
  w->age = w->judge / 4;
  w->few = w->judge / 32;
  w->few_notes = 1 + w->judge / FEW_NOTES;
  w->sample = 1 + w->judge / 256;
  w->last_sample = TIMES_LESS * w->sample;
  w->next_look = w->sample;
  for (uint32_t i = 0; i < SEARCH_GRADES; i++)
    w->grade[i].stopped = without >> i & 1;
}

void worth_tried(struct worth *w, enum search_grade grade, uint64_t work) {
  struct worth_grade *g = &w->grade[grade];
  g->work += work;
  if (g->work > DEAR)
    w->judge = w->turn; /* at once */
  if (++g->tried >= LATE) {
    g->tried /= 2;
    g->won /= 2;
  }
}

uint64_t worth_rest(const struct worth *w, uint64_t fired) {
  uint64_t events = w->full_states == 0 ? 2 : w->full_events / w->full_states;
  return events > fired ? events - fired : 1;
}

bool worth_won(struct worth *w, enum search_grade grade, uint64_t left) {
  struct worth_grade *g = &w->grade[grade];
  uint64_t every = 1 + w->judge / (32 * WORTH_NOTES);
  g->won++;
  g->left += left;
  uint64_t wins = g->wins++;
  return w->turn < w->age && g->noted < WORTH_NOTES / SEARCH_GRADES && wins % every == 0;
}

static void keep_note(struct worth *w, uint32_t by, uint64_t raw) {
  w->note[w->n_notes] = raw;
  w->by[w->n_notes] = (uint8_t)by;
  w->seen[w->n_notes++] = false;
  bits_set(w->filter, (uint32_t)(raw >> 40) % WORTH_FILTER);
}

void worth_note(struct worth *w, enum search_grade grade, uint64_t raw, bool is_stored) {
  w->grade[grade].noted++;
  w->grade[grade].absent += !is_stored;
  if (!is_stored)
    keep_note(w, grade, raw);
}

void worth_note_walk(struct worth *w, uint64_t raw, bool is_stored) {
  w->walks++;
  w->lost += !is_stored;
  if (!is_stored)
    keep_note(w, SEARCH_GRADES, raw);
}

void worth_note_nothing(struct worth *w, enum search_grade grade) {
  w->grade[grade].noted++;
  w->grade[grade].nothing++;
}

void worth_reached(struct worth *w, uint64_t raw) {
  for (uint32_t i = 0; i < w->n_notes; i++)
    if (w->note[i] == raw && !w->seen[i]) {
      w->seen[i] = true;
      if (w->by[i] == SEARCH_GRADES)
        w->lost--;
      else
        w->grade[w->by[i]].absent--;
    }
}

/* Whether what a grade has saved is worth what it took. What it leaves out seldom may be what
 * matters: a few choices can cut off a third of all states, each of which is reached by some
 * other way as long as it is. So it has to be dear before it is asked whether that pays. Where
 * it guesses, events that it leaves out are not fired at all; else they are not looked up. */
static bool pays(const struct worth *w, enum search_grade grade) {
  const struct worth_grade *g = &w->grade[grade];
  bool seldom = g->won * OFTEN < g->tried;
  if (seldom ? g->work < (w->turn - w->judged) * CHEAP : g->noted < w->few_notes)
    return true;
  double events = w->full_states == 0 ? 2 : (double)w->full_events / (double)w->full_states;
  double away = g->noted < w->few_notes ? 1 : (double)g->absent / (double)g->noted;
  double event = grade == SEARCH_GRADE_ALONE ? 1 : 0.25;
  double states = grade == SEARCH_GRADE_STUBBORN ? STATES_FEW : STATES;
  states *= seldom ? SELDOM : 1;
  double some = g->noted == 0 ? 1 : 1 - (double)g->nothing / (double)g->noted;
  double saved = (double)g->left * some * (event + away * states * (1 + events));
  return saved * EVENT >= (double)g->work;
}

/* Whether it may pay by the part of all states that is visited, as far as walks tell. They end
 * near to where the search is, and say nothing of what was cut off before it came there; so
 * what they miss counts several times, and as few as they are, the next one may miss, too. What
 * is not visited is shared out by how many events each grade left out, `left` in all. */
static bool may_pay(const struct worth *w, enum search_grade grade, uint64_t left) {
  const struct worth_grade *g = &w->grade[grade];
  if (w->walks < WORTH_WALKS / 4 || g->noted < w->few_notes || g->won * OFTEN < g->tried ||
      2 * g->absent > g->noted)
    return true;
  double events = w->full_states == 0 ? 2 : (double)w->full_events / (double)w->full_states;
  double part = left == 0 ? 0 : (double)g->left / (double)left;
  double states = (double)(w->turn - w->judged) * (w->lost + 1.0) / (w->walks - w->lost + 1.0);
  double saved = (double)g->left * 0.25 + part * STATES * states * (1 + events);
  return saved * EVENT >= (double)g->work;
}

static void judge(struct worth *w) {
  uint64_t left = 0;
  for (uint32_t i = 0; i < SEARCH_GRADES; i++)
    left += w->grade[i].left;
  for (uint32_t i = 0; i < SEARCH_GRADES; i++) {
    struct worth_grade *g = &w->grade[i];
    g->stopped |= !pays(w, (enum search_grade)i) || !may_pay(w, (enum search_grade)i, left);
    g->wins = g->left = g->work = g->noted = g->absent = g->nothing = 0;
  }
  w->n_notes = w->walks = w->lost = 0;
  w->judged = w->turn;
  memset(w->filter, 0, sizeof w->filter);
  uint64_t more = 3 * w->turn < NEXT_JUDGE ? 3 * w->turn : NEXT_JUDGE;
  w->age = w->turn + more / 3;
  w->judge = w->turn + more;
  w->sample = 2 * w->sample < w->last_sample ? 2 * w->sample : w->last_sample;
}

static void look_idle(struct worth *w) {
  w->idle = true;
  for (uint32_t i = 0; i < SEARCH_GRADES; i++)
    w->idle &= !worth_is_active(w, (enum search_grade)i);
}

void worth_turn(struct worth *w, bool in_full, uint64_t events) {
  if (in_full) {
    w->full_states++;
    w->full_events += events;
    if (w->full_states >= LATE) {
      w->full_states /= 2;
      w->full_events /= 2;
    }
  }
  if (++w->turn >= w->judge)
    judge(w);
  if (w->turn >= w->next_look) {
    look_idle(w);
    w->next_look = w->turn + w->last_sample / TIMES_LESS;
  }
}
