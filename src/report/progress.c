/* progress.c - one line that says how a long search is doing. */
#include "report/progress.h"

#include "report/number.h"

/* Short searches end before anybody could read a line. */
#define PROGRESS_DELAY 0.3

void progress_begin(struct progress *progress, FILE *out, bool terminal) {
  *progress = (struct progress){.out = terminal ? out : NULL};
}

/* A rate over the last moments says more than an average since the start. */
static void update_rate(struct progress *progress, const struct search_figures *f) {
  double passed = f->seconds - progress->last_time;
  if (passed <= 0)
    return;
  double rate = (double)(f->events - progress->last_events) / passed;
  progress->rate = progress->rate > 0 ? 0.7 * progress->rate + 0.3 * rate : rate;
  progress->last_time = f->seconds;
  progress->last_events = f->events;
}

void progress_show(struct progress *progress, const struct search_figures *f) {
  if (progress->out == NULL || f->seconds < PROGRESS_DELAY)
    return;
  update_rate(progress, f);
  uint64_t open = f->stored > f->visited ? f->stored - f->visited : 0;
  uint64_t depth = f->level.known ? f->level.n : f->depth;
  char line[600];
  snprintf(line, sizeof line, "%s states, %s open, %s %s, %s events/s, %s, %.0f s",
           number_grouped(f->stored).at, number_grouped(open).at,
           f->level.known ? "level" : "depth", number_grouped(depth).at,
           number_short(progress->rate).at, number_bytes(f->memory.resident).at, f->seconds);
  /* One write of at most a line's width, so that it never wraps or tears. */
  fprintf(progress->out, "\r\033[K%.79s", line);
  fflush(progress->out);
  progress->shown = true;
}

void progress_end(struct progress *progress) {
  if (!progress->shown)
    return;
  fputs("\r\033[K", progress->out);
  fflush(progress->out);
  progress->shown = false;
}
