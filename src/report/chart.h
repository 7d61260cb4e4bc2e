/* chart.h - points in the plane as SVG, drawn by gnuplot. */
#ifndef CAIRN_REPORT_CHART_H
#define CAIRN_REPORT_CHART_H

#include "base/arena.h"

#include <stdio.h>

struct chart_point {
  const char *series; /* points of one series share colour and mark */
  double x, y;
};

struct chart_plot {
  const char *title, *x, *y; /* labels of the axes */
  struct {
    struct chart_point *at;
    uint32_t n, capacity;
  } points;
};

enum chart_answer { CHART_DONE, CHART_NO_GNUPLOT, CHART_FAILED };

/* Draws the plots below each other. Axes are logarithmic where all values are above 0; a
 * cross of lines marks 100, the baseline, if `relative`. The SVG is written to `out`. */
enum chart_answer chart_write(const struct chart_plot *, uint32_t n, bool relative, FILE *out);

#endif
