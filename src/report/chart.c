/* chart.c - points in the plane as SVG, drawn by gnuplot.
 *
 * gnuplot reads its program from a pipe and writes the picture to a file of its own
 * standard output, so that no name of ours has to be quoted for it. Texts are put in
 * single quotes, where only the quote itself has a meaning.
 */
#include "report/chart.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void put_quoted(FILE *to, const char *text) {
  fputc('\'', to);
  for (; *text != '\0'; text++)
    if ((unsigned char)*text >= 32 && *text != 127)
      fprintf(to, *text == '\'' ? "''" : "%c", *text);
  fputc('\'', to);
}

static bool first_of_series(const struct chart_plot *plot, uint32_t i) {
  for (uint32_t j = 0; j < i; j++)
    if (strcmp(plot->points.at[j].series, plot->points.at[i].series) == 0)
      return false;
  return true;
}

/* Inline data may only be defined before the plots begin. */
static void put_data(const struct chart_plot *plot, uint32_t number, FILE *to) {
  for (uint32_t i = 0, series = 0; i < plot->points.n; i++) {
    if (!first_of_series(plot, i))
      continue;
    fprintf(to, "$d%u_%u << EOD\n", number, series++);
    for (uint32_t j = i; j < plot->points.n; j++)
      if (strcmp(plot->points.at[j].series, plot->points.at[i].series) == 0)
        fprintf(to, "%.9g %.9g\n", plot->points.at[j].x, plot->points.at[j].y);
    fputs("EOD\n", to);
  }
}

static double coordinate(const struct chart_plot *plot, uint32_t i, char axis) {
  return axis == 'x' ? plot->points.at[i].x : plot->points.at[i].y;
}

/* With figures at 1, 2, 5, 10, 20 … where powers of ten alone would be too few. */
static void put_logarithmic(char axis, double least, double most, FILE *to) {
  fprintf(to, "set logscale %c\nset %crange [%.9g:%.9g]\nset %ctics ", axis, axis, least, most,
          axis);
  if (most / least > 2000) {
    fputs("autofreq\n", to);
    return;
  }
  const char *before = "(";
  for (int power = (int)floor(log10(least)); power <= (int)ceil(log10(most)); power++)
    for (int digit = 1; digit <= 5; digit += digit == 1 ? 1 : 3) {
      double at = digit * pow(10, power);
      if (at >= least && at <= most) {
        fprintf(to, "%s'%.9g' %.9g", before, at, at);
        before = ", ";
      }
    }
  fputs(")\n", to);
}

/* From the least to the largest value, and the baseline's 100 if there is one, with some
 * room: by itself gnuplot takes a logarithmic axis from one power of ten to another. Values
 * that are near each other are told apart better on a linear axis. */
static void put_axis(const struct chart_plot *plot, char axis, bool relative, FILE *to) {
  if (plot->points.n == 0)
    return;
  double least = relative ? 100 : coordinate(plot, 0, axis), most = least;
  for (uint32_t i = 0; i < plot->points.n; i++) {
    const double value = coordinate(plot, i, axis);
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  if (least > 0 && most / least >= 10) {
    put_logarithmic(axis, least / 1.3, most * 1.3, to);
    return;
  }
  const double room = most > least ? (most - least) / 20 : most != 0 ? fabs(most) / 20 : 1;
  fprintf(to, "set %ctics autofreq\nset %crange [%.9g:%.9g]\n", axis, axis, least - room,
          most + room);
}

static void put_axes(const struct chart_plot *plot, bool relative, FILE *to) {
  fputs("unset logscale\nunset arrow\n", to);
  put_axis(plot, 'x', relative, to);
  put_axis(plot, 'y', relative, to);
  if (relative)
    fputs("set arrow from 100, graph 0 to 100, graph 1 nohead dt 2 lc rgb 'gray'\n"
          "set arrow from graph 0, first 100 to graph 1, first 100 nohead dt 2 lc rgb 'gray'\n",
          to);
  fputs("set title ", to);
  put_quoted(to, plot->title);
  fputs("\nset xlabel ", to);
  put_quoted(to, plot->x);
  fputs("\nset ylabel ", to);
  put_quoted(to, plot->y);
  fputc('\n', to);
}

static void put_plot(const struct chart_plot *plot, uint32_t number, bool relative, FILE *to) {
  put_axes(plot, relative, to);
  if (plot->points.n == 0)
    fputs("set label 1 'no points' at graph 0.5, 0.5 center\n"
          "plot [1:10] [1:10] NaN notitle\nunset label 1\n",
          to);
  for (uint32_t i = 0, series = 0; i < plot->points.n; i++) {
    if (!first_of_series(plot, i))
      continue;
    fprintf(to, "%s $d%u_%u using 1:2 with points pt %u lc %u title ",
            series == 0 ? "plot" : ", \\\n", number, series, series % 13 + 1, series + 1);
    put_quoted(to, plot->points.at[i].series);
    series++;
  }
  fputc('\n', to);
}

static void put_program(const struct chart_plot *plot, uint32_t n, bool relative, FILE *to) {
  fprintf(to,
          "set terminal svg size 800, %u noenhanced background 'white'\n"
          "set key outside right top noenhanced\nset grid\n",
          500 * n);
  for (uint32_t i = 0; i < n; i++)
    put_data(&plot[i], i, to);
  fprintf(to, "set multiplot layout %u, 1\n", n);
  for (uint32_t i = 0; i < n; i++)
    put_plot(&plot[i], i, relative, to);
  fputs("unset multiplot\n", to);
}

/* The process, or -1 with errno set. */
static pid_t start_gnuplot(int input, int unused, FILE *out) {
  char name[] = "gnuplot";
  char *argv[] = {name, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t how;
  sigset_t none, usual;
  pid_t pid;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, unused);
  posix_spawnattr_init(&how);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setsigdefault(&how, &usual);
  int why = posix_spawnp(&pid, name, &actions, &how, argv, environ);
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&actions);
  errno = why;
  return why == 0 ? pid : -1;
}

enum chart_answer chart_write(const struct chart_plot *plot, uint32_t n, bool relative,
                              FILE *out) {
  int end[2], status = -1;
  if (fflush(out) != 0 || pipe(end) != 0)
    return CHART_FAILED;
  pid_t pid = start_gnuplot(end[0], end[1], out);
  bool missing = pid < 0 && errno == ENOENT;
  close(end[0]);
  FILE *to = fdopen(end[1], "w");
  if (to == NULL) {
    close(end[1]);
  } else {
    if (pid > 0)
      put_program(plot, n, relative, to);
    fclose(to);
  }
  if (pid < 0)
    return missing ? CHART_NO_GNUPLOT : CHART_FAILED;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  return to != NULL && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? CHART_DONE
                                                                     : CHART_FAILED;
}
