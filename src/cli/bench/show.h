/* show.h - tables and charts of what a suite's runs gave. */
#ifndef CAIRN_CLI_BENCH_SHOW_H
#define CAIRN_CLI_BENCH_SHOW_H

#include "cli/bench/plan.h"
#include "cli/bench/results.h"
#include "report/chart.h"
#include "report/table.h"

struct show;

/* `baseline`: the name of a run, or NULL. Both others must outlive it. */
struct show *show_open(struct arena *, const struct plan *, const struct results *,
                       uint32_t repeat, const char *baseline);

/* All tables that the suite asks for, or one of everything. */
void show_tables(const struct show *, enum table_format, FILE *);

/* All its charts, or one of time against memory relative to the baseline. */
enum chart_answer show_charts(const struct show *, FILE *);

/* Names on standard error every row that breaks an `expect` of the suite; how many. */
uint32_t show_differences(const struct show *);

/* Runs that have not ended as they should, or are missing. */
uint32_t show_lacking(const struct show *);

#endif
