/* build.c - one C text, compiled at once and again by a better compiler later.
 *
 * The life of a model's code under `auto`: what the cache has is used at once.
 * Otherwise libtcc's code is, and a thread waits until the search has lasted long
 * enough for a compiler to pay, runs it, and publishes the result: a store with
 * release order, matched by the load with acquire order in ts_code(), so that
 * whoever sees the pointer sees the code. The old code stays mapped until the
 * end, since a worker may be inside it.
 *
 * The thread and its owner share `figures`, `remark` and `cancel`, under the mutex.
 */
#include "native/compile/build.h"

#include "native/compile/cache.h"
#include "native/compile/cc.h"
#include "native/compile/instant.h"
#include "native/compile/load.h"

#include "base/clock.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

struct build {
  struct ts *ts;
  struct native_options options;
  struct budget *budget;
  struct text source;
  struct cc *compiler; /* NULL: none */
  struct cache *cache; /* NULL: none */
  struct cache_key key;
  struct instant_code tcc;
  struct load_code cc;
  const struct ts_code *backward;   /* or NULL */
  struct ts_code with_tcc, with_cc; /* the codes with that */
  struct reason note, trouble;      /* found at opening, and later; the figures' remark */
  bool has_thread;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t wake;
  bool cancel;
  struct native_figures figures;
};

static struct unit unit_of(const struct build *build) {
  return (struct unit){.text = build->source.at, .symbol = "cairn_code", .abi = TS_ABI};
}

/* ---- shared by both ways ------------------------------------------------------- */

/* Waits up to `seconds`; true when the work should end. */
static bool stop(void *context, double seconds) {
  struct build *build = context;
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  double whole = (double)(time_t)seconds;
  until.tv_sec += (time_t)whole;
  until.tv_nsec += (long)((seconds - whole) * 1e9);
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    until.tv_sec++;
  }
  pthread_mutex_lock(&build->mutex);
  int woken = 0;
  while (!build->cancel && woken == 0)
    woken = pthread_cond_timedwait(&build->wake, &build->mutex, &until);
  bool cancel = build->cancel;
  pthread_mutex_unlock(&build->mutex);
  return cancel || clock_stop_requested();
}

/* Shows a sentence to the user; it does not change any more. */
static void publish_remark(struct build *build, const struct text *sentence) {
  pthread_mutex_lock(&build->mutex);
  if (sentence->length > 0 && !sentence->failed)
    build->figures.remark = sentence->at;
  pthread_mutex_unlock(&build->mutex);
}

/* Sets the code of the system; `with`: room to add to it. */
static void set_code(const struct build *build, const struct ts_code *code,
                     struct ts_code *with) {
  if (build->backward != NULL) {
    *with = *code;
    with->predecessors = build->backward->predecessors;
    with->n_predecessors = build->backward->n_predecessors;
    with->all_predecessors = build->backward->all_predecessors;
    with->undo = build->backward->undo;
    code = with;
  }
  atomic_store_explicit(&build->ts->code, code, memory_order_release);
}

static void publish_code(struct build *build, bool cached, double seconds) {
  pthread_mutex_lock(&build->mutex);
  build->figures.cc = seconds;
  build->figures.cc_from_cache = cached;
  build->figures.swapped = true;
  pthread_mutex_unlock(&build->mutex);
  set_code(build, build->cc.symbol, &build->with_cc);
}

/* Finds the compiler and the cache. False if there is no compiler. */
static bool prepare_cc(struct build *build, struct reason *why) {
  build->compiler = cc_find(build->budget, why);
  if (build->compiler == NULL)
    return false;
  build->cache = cache_open(build->options.cache, build->budget, &build->note.text);
  build->key = cache_key(build->source.at, cc_identity(build->compiler));
  return true;
}

static bool use_cached(struct build *build) {
  if (build->cache == NULL)
    return false;
  const struct unit unit = unit_of(build);
  double begin = clock_now();
  struct text object;
  struct reason unheard;
  text_init(&object, build->budget, BUDGET_CODE);
  reason_init(&unheard, build->budget);
  bool done = cache_get(build->cache, build->key, &object) &&
              load_object(&object, &unit, build->budget, &build->cc, &unheard);
  text_free(&object);
  reason_free(&unheard);
  if (done)
    publish_code(build, true, clock_now() - begin);
  return done;
}

static bool use_cc(struct build *build, struct reason *why) {
  const struct unit unit = unit_of(build);
  double begin = clock_now();
  struct cc_limits limits = cc_limits_for(build->source.length);
  struct text object;
  text_init(&object, build->budget, BUDGET_CODE);
  bool done = cc_compile(build->compiler, &unit, &limits, stop, build, &object, why) &&
              load_object(&object, &unit, build->budget, &build->cc, why);
  if (done) {
    publish_code(build, false, clock_now() - begin);
    if (build->cache != NULL)
      cache_put(build->cache, build->key, &object, CACHE_MOST);
  }
  text_free(&object);
  return done;
}

/* ---- in the background --------------------------------------------------------- */

/* The search needs memory more than speed: the compiler runs only where at least
 * as much stays free as it may take. */
static bool has_room(const struct build *build) {
  uint64_t limit = budget_limit(build->budget), used = budget_used_all(build->budget);
  return used < limit && limit - used >= 2 * cc_limits_for(build->source.length).memory_bytes;
}

static void *improve(void *context) {
  struct build *build = context;
  if (stop(build, build->options.patience))
    return NULL;
  struct reason why;
  reason_init(&why, build->budget);
  bool room = has_room(build);
  if (!room)
    reason_limit(&why,
                 "the system compiler was not started, to leave its memory to the search");
  if ((!room || !use_cc(build, &why)) && !stop(build, 0)) {
    text_printf(&build->trouble.text, "%s; the search went on with code compiled in memory",
                why.text.at);
    publish_remark(build, &build->trouble.text);
  }
  reason_free(&why);
  return NULL;
}

/* The thread takes no signals: they are for those who handle them. */
static bool start_thread(struct build *build) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  build->has_thread = pthread_create(&build->thread, NULL, improve, build) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return build->has_thread;
}

/* ---- opening ------------------------------------------------------------------- */

static bool open_tcc(struct build *build, struct reason *why) {
  const struct unit unit = unit_of(build);
  double begin = clock_now();
  if (!instant_build(&unit, build->budget, &build->tcc, why))
    return false;
  build->figures.tcc = clock_now() - begin;
  set_code(build, build->tcc.symbol, &build->with_tcc);
  return true;
}

static bool open_cc(struct build *build, struct reason *why) {
  if (!prepare_cc(build, why))
    return false;
  publish_remark(build, &build->note.text);
  return use_cached(build) || use_cc(build, why);
}

static bool open_auto(struct build *build, struct reason *why) {
  bool has_compiler = prepare_cc(build, &build->note);
  if (!has_compiler)
    text_puts(&build->note.text, "; long searches run somewhat slower without one");
  publish_remark(build, &build->note.text);
  if (has_compiler && use_cached(build))
    return true;
  if (!open_tcc(build, why))
    return false;
  if (has_compiler)
    start_thread(build); /* without a thread the search is only slower */
  return true;
}

static bool open_as_asked(struct build *build, struct reason *why) {
  if (build->source.failed) {
    reason_limit(why, "the memory budget has no room for the code of the model");
    return false;
  }
  switch (build->options.compiler) {
  case NATIVE_TCC:
    return open_tcc(build, why);
  case NATIVE_CC:
    return open_cc(build, why);
  default:
    return open_auto(build, why);
  }
}

static void init_lock(struct build *build) {
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&build->wake, &monotonic);
  pthread_condattr_destroy(&monotonic);
  pthread_mutex_init(&build->mutex, NULL);
}

struct build *build_open(struct ts *ts, struct text *source,
                         const struct native_options *options, const struct ts_code *backward,
                         struct budget *budget, struct reason *why) {
  struct build *build = budget_alloc(budget, BUDGET_CODE, sizeof *build);
  if (build == NULL) {
    text_free(source);
    reason_limit(why, "the memory budget is exhausted");
    return NULL;
  }
  *build = (struct build){
      .ts = ts, .options = *options, .budget = budget, .source = *source, .backward = backward};
  text_init(source, budget, BUDGET_CODE);
  build->cc = LOAD_NONE;
  reason_init(&build->note, budget);
  reason_init(&build->trouble, budget);
  init_lock(build);
  if (open_as_asked(build, why))
    return build;
  build_close(build);
  return NULL;
}

void build_close(struct build *build) {
  if (build == NULL)
    return;
  if (build->has_thread) {
    pthread_mutex_lock(&build->mutex);
    build->cancel = true;
    pthread_cond_signal(&build->wake);
    pthread_mutex_unlock(&build->mutex);
    pthread_join(build->thread, NULL);
  }
  atomic_store_explicit(&build->ts->code, NULL, memory_order_release);
  instant_free(&build->tcc, build->budget);
  load_free(&build->cc, build->budget);
  cache_close(build->cache);
  cc_close(build->compiler);
  reason_free(&build->note);
  reason_free(&build->trouble);
  text_free(&build->source);
  pthread_cond_destroy(&build->wake);
  pthread_mutex_destroy(&build->mutex);
  budget_free(build->budget, BUDGET_CODE, build, sizeof *build);
}

void build_figures(const struct build *build, struct native_figures *figures) {
  /* Taking the lock changes nothing that a reader could see. */
  pthread_mutex_t *mutex = (pthread_mutex_t *)(uintptr_t)&build->mutex;
  pthread_mutex_lock(mutex);
  *figures = build->figures;
  pthread_mutex_unlock(mutex);
}
