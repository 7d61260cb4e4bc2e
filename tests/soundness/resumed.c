/* resumed.c - a search saved at any moment and resumed is the search that was not.
 *
 * The search runs to its end; then it is saved after some visits, and stopped; then another one
 * goes on from the file. All figures but seconds and bytes must be those of the first, and the
 * error and its trail as well.
 */
#include "resumed.h"

#include "base/bits.h"
#include "base/sink.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT = 1 };

struct saving {
  struct sink *sink;
  const char *path;
  bool is_saved, failed;
};

static bool write_it(void *context, struct search *search) {
  struct saving *saving = context;
  saving->is_saved = true;
  if (!sink_create(saving->sink, saving->path, FORMAT)) {
    saving->failed = true;
    return false;
  }
  search_save(search, saving->sink);
  saving->failed = !sink_commit(saving->sink);
  return false;
}

/* What is compared: everything but seconds, bytes and pointers. */
static struct search_figures comparable(const struct search_figures *figures) {
  struct search_figures f = *figures;
  f.seconds = f.first.seconds = 0;
  memset(&f.memory, 0, sizeof f.memory);
  f.level.width = NULL;
  return f;
}

static const char *compare_levels(const struct search_figures *a,
                                  const struct search_figures *b) {
  for (uint64_t i = 0; i < a->level.n && a->level.width != NULL; i++)
    if (b->level.width == NULL || a->level.width[i] != b->level.width[i])
      return "the widths of levels differ";
  return NULL;
}

static const char *compare(const struct search_result *a, const struct search_result *b) {
  static char why[200];
  struct search_figures x = comparable(&a->figures), y = comparable(&b->figures);
  if (a->limit != b->limit || a->verdict != b->verdict || a->guarantee != b->guarantee)
    return "the verdict differs";
  size_t at = 0; /* byte by byte: whatever figure is added is compared, too */
  while (at < sizeof x && ((const char *)&x)[at] == ((const char *)&y)[at])
    at++;
  if (at < sizeof x) {
    snprintf(why, sizeof why,
             "figures differ at byte %zu: stored %llu %llu visited %llu %llu events %llu %llu",
             at, (unsigned long long)x.stored, (unsigned long long)y.stored,
             (unsigned long long)x.visited, (unsigned long long)y.visited,
             (unsigned long long)x.events, (unsigned long long)y.events);
    return why;
  }
  if (a->error.kind != b->error.kind || a->error.index != b->error.index ||
      a->error.trail.n_events != b->error.trail.n_events ||
      a->error.trail.initial != b->error.trail.initial ||
      a->error.trail.n_cycle != b->error.trail.n_cycle)
    return "the first error differs";
  if (a->error.trail.n_events > 0 &&
      memcmp(a->error.trail.event, b->error.trail.event,
             a->error.trail.n_events * sizeof *a->error.trail.event) != 0)
    return "the trail differs";
  if (b->internal_error != NULL)
    return b->internal_error;
  return compare_levels(&a->figures, &b->figures);
}

/* Saves it after some visits, if it ever rests by then, and resumes it. */
static const char *again(const struct ts *ts, struct search_options options,
                         struct budget *budget, const struct search_result *whole,
                         struct saving *saving) {
  struct search_result result;
  options.checkpoint.write = write_it;
  options.checkpoint.context = saving;
  search_run(ts, &options, budget, &result);
  search_result_free(&result);
  if (!saving->is_saved)
    return NULL;
  if (saving->failed || !sink_read(saving->sink, saving->path, FORMAT))
    return sink_why(saving->sink);
  options.checkpoint = (struct search_checkpoint_options){.resume = saving->sink};
  search_run(ts, &options, budget, &result);
  const char *why =
      sink_commit(saving->sink) ? compare(whole, &result) : sink_why(saving->sink);
  search_result_free(&result);
  return why;
}

const char *resumed_differs(const struct ts *ts, const struct search_options *asked,
                            struct budget *budget, uint64_t seed, bool *is_saved) {
  struct search_options options = *asked;
  struct search_result whole;
  char path[64];
  /* Each file is flushed, which takes most of the time where it is on a disk. */
  snprintf(path, sizeof path, "%s/cairn-resumed-%ld",
           access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
  struct saving saving = {.sink = sink_open(budget), .path = path};
  if (saving.sink == NULL)
    return "no memory";
  search_run(ts, &options, budget, &whole);
  uint64_t visited = whole.figures.visited;
  options.checkpoint.visits = 1 + bits_next_random(&seed) % (visited + 1);
  const char *why = again(ts, options, budget, &whole, &saving);
  search_result_free(&whole);
  sink_close(saving.sink);
  unlink(path);
  *is_saved = saving.is_saved;
  return why;
}
