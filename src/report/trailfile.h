/* trailfile.h - counterexamples on disk.
 *
 * A small text format, one fact per line, in this order:
 *
 *   cairn trail 3                    format version
 *   model 1b2c3d4e5f607182 NAME      hash of the model, its file name
 *   option define=N=3                one line per option that changes what the model means
 *   invariant EXPR                   one line per --invariant of the run
 *   places 32                        processes that the model is laid out for, if it
 *                                    did not find out by itself
 *   merge                            statements of the model were merged, if they were
 *   claim NAME                       the claim that ran beside the model, if one did
 *   general                          its automaton with several marks, if it was that
 *   initial 0                        which initial state
 *   events 2                         how many lines follow
 *   12 0                             action and choice of each event
 *   7 0
 *   cycle 1                          that many of them, the last ones, are a cycle, if there is
 * one error assertion 3 after          kind; index or "-"; "in" the last event or after it end
 *
 * In names and expressions control bytes and backslashes are written \xHH.
 * The hash covers the text, the options and the invariants, so a trail fits one model only.
 * Versions 1 and 2, which are still read, have no claims and cycles, and 1 has no options.
 */
#ifndef CAIRN_REPORT_TRAILFILE_H
#define CAIRN_REPORT_TRAILFILE_H

#include "search/search.h"

#include "base/diag.h"

#define TRAILFILE_MAX_PLACES 255u

struct trailfile {
  const char *model;
  uint64_t model_hash;
  uint32_t n_options, n_invariants;
  const char *const *option; /* "NAME=VALUE" or "NAME", as after the dashes of a command line */
  const char *const *invariant;
  const char *claim;         /* by its name; NULL: none */
  bool general;              /* its automaton with several marks */
  uint32_t places;           /* as of struct ts_shape */
  bool merges;               /* statements are merged */
  struct search_error error; /* with the trail; its events live in the arena */
};

/* Writes all of it; errors show in ferror(out). */
void trailfile_write(FILE *out, const struct trailfile *);

/* The first lines of it: which model, with which options. */
void trailfile_write_head(FILE *out, const struct trailfile *);

/* Whether a file has the run of another model file, or of the same one with other options;
 * claims, formulas and invariants do not count. False if it is none, or cannot be read. */
bool trailfile_is_other(const char *path, const struct trailfile *);

/* Reads strictly: anything unexpected is one error in the diag, at its place,
 * and false. Takes memory in proportion to the text only. */
bool trailfile_read(struct arena *, struct diag *, const struct source *, struct trailfile *);

#endif
