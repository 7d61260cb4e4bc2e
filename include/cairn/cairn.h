/* cairn/cairn.h - Cairn as a library: a model is checked from within another program.
 *
 *     struct cairn *c = cairn_open();
 *     cairn_model_file(c, "mutex.pml");
 *     cairn_set(c, "store", "tree");
 *     switch (cairn_run(c)) {
 *     case CAIRN_VIOLATED:
 *       for (uint32_t i = 1; i <= cairn_steps(c); i++)
 *         puts(cairn_step_text(c, i));
 *       break;
 *     default:
 *       puts(cairn_sentence(c));
 *     }
 *     cairn_close(c);
 *
 * Link with `pkg-config --cflags --libs cairn`. docs/library.md has a whole program.
 *
 * What holds for all of it:
 *   - A run is that of `cairn check`, with the same options by the same names, and gives the
 *     same figures.
 *   - The library prints nothing, ends no process, and writes no file that no option names. It
 *     installs signal handlers in one case only: while a model is open that is a C file or a
 *     shared object, or has embedded C, so that its crashes are errors of the model
 *     (docs/library.md).
 *   - Functions that can fail return 0 if they did not, and -1 if they did; cairn_error() then
 *     has one sentence about it. Running out of memory is a verdict, not an end.
 *   - Handles know nothing of each other: each may be used by another thread at the same time.
 *     One handle is for one thread at a time; only cairn_stop() may be called from any.
 *   - Texts that are handed out belong to the handle. They are valid until the next call that
 *     gives the same kind of text, and at most until the next cairn_run() or cairn_close().
 *     They are UTF-8 where the model is.
 *   - The figures of memory are those of the whole process where docs/json.md says so.
 */
#ifndef CAIRN_CAIRN_H
#define CAIRN_CAIRN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __GNUC__
#define CAIRN_EXPORT __attribute__((visibility("default")))
#else
#define CAIRN_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What this header promises. Functions may be added within a number; where one goes away or
 * changes, the number rises, and the name of the shared library with it. */
#define CAIRN_ABI 1

CAIRN_EXPORT int cairn_abi(void);             /* CAIRN_ABI of the library that is linked */
CAIRN_EXPORT const char *cairn_version(void); /* of the program: "0.1.0" */

/* ---- what is to be checked -------------------------------------------------------------- */

struct cairn;
struct cairn_model; /* see cairn/model.h */

/* NULL: there is no memory. */
CAIRN_EXPORT struct cairn *cairn_open(void);
/* Frees all that it holds; NULL: nothing. */
CAIRN_EXPORT void cairn_close(struct cairn *);

/* The model: the last one given counts. A file in any language, which its ending or its text
 * shows; it is read when the run begins. */
CAIRN_EXPORT int cairn_model_file(struct cairn *, const char *path);

/* A text, which is copied. Its language is "dve", "promela", "pnml" or "c"; messages name it by
 * `name`, as they would a file. */
CAIRN_EXPORT int cairn_model_text(struct cairn *, const char *name, const char *language,
                                  const char *text, size_t length);

/* Functions of this program (cairn/model.h), which must outlive the handle. They are called by
 * the thread that calls cairn_run(), and are not guarded: where they crash, the process does.
 * A front end of another tool drives Cairn by these. */
CAIRN_EXPORT int cairn_model_functions(struct cairn *, const char *name,
                                       const struct cairn_model *);

/* An option of `cairn check` by its name on the command line, without the dashes: "store",
 * "tree". A flag has the value NULL. An option that may be given several times there may be set
 * several times here. -1: there is no such option, the value is none of its, or it contradicts
 * one that was set; it is as if it had not been set. Not for "json" with "-": see cairn_json().
 */
CAIRN_EXPORT int cairn_set(struct cairn *, const char *option, const char *value);

/* ---- the run ---------------------------------------------------------------------------- */

/* The numbers are those with which `cairn check` ends. */
enum cairn_verdict {
  CAIRN_VERIFIED = 0,
  CAIRN_VIOLATED = 1,
  CAIRN_REJECTED = 2,    /* the model or the options are wrong: there was no search */
  CAIRN_INCONCLUSIVE = 3 /* a limit, memory or cairn_stop() ended it too early to say */
};

/* How far a search is. Members may be added at the end. */
struct cairn_progress {
  uint64_t states; /* stored */
  uint64_t open;   /* of them those whose events were not all followed yet */
  uint64_t events; /* followed */
  double seconds;  /* since the search began */
};

/* Called some ten times per second while a search runs, by its thread: 0 goes on, another
 * value stops it. NULL: nothing is called. */
CAIRN_EXPORT void cairn_on_progress(struct cairn *,
                                    int (*)(void *context, const struct cairn_progress *),
                                    void *context);

/* Checks the model, as long as that takes. May be called again, for the same model and options
 * or more of them; what was known of the run before is gone. */
CAIRN_EXPORT enum cairn_verdict cairn_run(struct cairn *);

/* Asks the run to end soon, which is then inconclusive; also one that has yet to begin, but no
 * later one. From any thread, or a signal handler. */
CAIRN_EXPORT void cairn_stop(struct cairn *);

/* ---- what came of it -------------------------------------------------------------------- */

/* One sentence: why the last function failed, or why a run was rejected or is inconclusive; ""
 * if there is nothing to say. */
CAIRN_EXPORT const char *cairn_error(struct cairn *);

/* Errors, warnings and notes of the run, a line or more each, as `cairn check` writes them to
 * standard error: with place, text and caret. "" if there are none. */
CAIRN_EXPORT const char *cairn_messages(struct cairn *);

/* The verdict in a line: "verified: no error in 20 states (exact)". */
CAIRN_EXPORT const char *cairn_sentence(struct cairn *);

/* What `cairn check` prints on standard output, and its JSON object (docs/json.md), which is
 * there for every verdict. NULL: there is no memory. */
CAIRN_EXPORT const char *cairn_report(struct cairn *);
CAIRN_EXPORT const char *cairn_json(struct cairn *);

/* A number of that object by its keys: "states.stored", "seconds.search". -1: there is none of
 * that name, or it is null. Counts are exact up to 2 to the power of 53. */
CAIRN_EXPORT int cairn_figure(struct cairn *, const char *name, double *value);

/* ---- the counterexample ----------------------------------------------------------------- */

/* Steps from an initial state to the error; 0: no run was found, or the initial state is the
 * error. Of a run without end the last cairn_cycle_steps() are a cycle, which repeats. */
CAIRN_EXPORT uint32_t cairn_steps(struct cairn *);
CAIRN_EXPORT uint32_t cairn_cycle_steps(struct cairn *);
/* Whether a run was found, however short. */
CAIRN_EXPORT int cairn_has_run(struct cairn *);

/* Of step 1 to cairn_steps(): who moves, and the statement, on one line ("P[0]: x = 1"). NULL:
 * there is no such step. */
CAIRN_EXPORT const char *cairn_step_text(struct cairn *, uint32_t step);
/* Where that is in the model's text: the file, and the line; NULL and 0: nowhere. */
CAIRN_EXPORT const char *cairn_step_place(struct cairn *, uint32_t step, uint32_t *line);

/* The values after a step, 0 being the initial state: calls back for each variable, channel and
 * control location that is there. An error that leads to no state leaves the values of the
 * state before it. -1: there is no such step. */
CAIRN_EXPORT int cairn_values(struct cairn *, uint32_t step,
                              void (*)(void *context, const char *name, const char *value),
                              void *context);
/* One of them by its name; NULL: it is not there. */
CAIRN_EXPORT const char *cairn_value(struct cairn *, uint32_t step, const char *name);

/* How the model itself prints the state after a step, in lines; NULL: it does not. Of models in
 * C (print_state) only. */
CAIRN_EXPORT const char *cairn_state_text(struct cairn *, uint32_t step);

/* The whole run as JSON: all steps, with statements, changes and values, as of
 * `cairn trail --json`. NULL: there is none, or no memory. */
CAIRN_EXPORT const char *cairn_run_json(struct cairn *);

#ifdef __cplusplus
}
#endif

#endif
