/* progress.c - one line that says how a long search is doing. */
#include "report/progress.h"

#include "report/number.h"

#include "base/terminal.h"

#include <stdarg.h>

/* Short searches end before anybody could read a line. */
#define PROGRESS_DELAY 0.3
#define PROGRESS_WIDTH 79

void progress_begin(struct progress *progress, FILE *out,
                    const struct search_limit_options *limit, uint64_t memory) {
  *progress = (struct progress){.out = out, .limit = limit, .memory = memory};
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

/* The line: parts that fit, in the order in which they matter. */
struct line {
  char text[PROGRESS_WIDTH + 1];
  size_t length, most;
};

static void add(struct line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(struct line *line, const char *format, ...) {
  char part[200];
  va_list list;
  va_start(list, format);
  /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it was begun one line above */
  int n = vsnprintf(part, sizeof part, format, list);
  va_end(list);
  size_t comma = line->length > 0 ? 2 : 0;
  if (n <= 0 || line->length + comma + (size_t)n > line->most)
    return;
  line->length += (size_t)snprintf(line->text + line->length, sizeof line->text - line->length,
                                   "%s%s", comma > 0 ? ", " : "", part);
}

static void add_left(struct line *line, const char *what, uint64_t limit, uint64_t used) {
  if (limit > 0)
    add(line, "%s %s left", number_grouped(limit > used ? limit - used : 0).at, what);
}

/* What is left of limits. */
static void add_limits(struct line *line, const struct search_limit_options *limit,
                       const struct search_figures *f) {
  if (limit->seconds > 0)
    add(line, "%.0f s left", limit->seconds > f->seconds ? limit->seconds - f->seconds : 0);
  add_left(line, "states", limit->states, f->stored);
  add_left(line, "visits", limit->visits, f->visited);
  add_left(line, "levels", f->level.known ? limit->depth : 0, f->depth);
}

void progress_show(struct progress *progress, const struct search_figures *f) {
  if (progress->out == NULL || f->seconds < PROGRESS_DELAY)
    return;
  update_rate(progress, f);
  const uint32_t columns = terminal_columns(progress->out);
  struct line line = {.length = 0,
                      .most = columns > 0 && columns <= PROGRESS_WIDTH ? columns - 1
                                                                       : PROGRESS_WIDTH};
  add(&line, "%s states", number_grouped(f->stored).at);
  add(&line, "%s open", number_grouped(f->open).at);
  if (f->forgetting.states > 0 && f->forgetting.reached > 0)
    add(&line, "%.1f visits per state", (double)f->visited / (double)f->forgetting.reached);
  add(&line, "%s (%.0f %%)", number_bytes(f->memory.resident).at,
      100 * (double)f->memory.resident / (double)progress->memory);
  add(&line, "%.0f s", f->seconds);
  add_limits(&line, progress->limit, f);
  add(&line, "%s %s", f->level.known ? "level" : "depth",
      number_grouped(f->level.known ? f->level.n : f->depth).at);
  add(&line, "%s events/s", number_short(progress->rate).at);
  /* One write of at most a line's width, so that it never wraps or tears. */
  fprintf(progress->out, "\r\033[K%s", line.text);
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
