/* engine.h - what kind of search it is: which states are visited how often, and why.
 *
 * An engine moves a worker to the end of its search, or until search->stop. It is made of the
 * steps (step.h): a state is fired, rows are put or looked up. What it needs besides it
 * declares; search.c opens that before. An engine is one file that exports one constant
 * engine, and a line in engines.def.
 */
#ifndef CAIRN_SEARCH_ENGINE_H
#define CAIRN_SEARCH_ENGINE_H

struct worker;

enum engine_needs {
  ENGINE_ORDER = 1 /* an order that says which open state is next */
};

struct engine {
  const char *name;
  unsigned needs;
  void (*run)(struct worker *);
};

/* Every engine, ended by NULL; the first is the default. */
extern const struct engine *const engines[];

#endif
