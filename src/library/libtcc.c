/* libtcc.c - the three variables of the C library that libtcc uses, under names of our own.
 *
 * The archive of libtcc is compiled for programs: it reaches variables of other libraries in a
 * way that a shared library cannot. In the copy that goes into libcairn.so they have these
 * names (see meson.build), and are set when it is loaded. Nothing is written to the streams, as
 * the compiler's messages are caught.
 */
#include <stdio.h>
#include <unistd.h>

FILE *cairn_tcc_stdout, *cairn_tcc_stderr;
char **cairn_tcc_environ;

__attribute__((constructor)) static void set(void) {
  cairn_tcc_stdout = stdout;
  cairn_tcc_stderr = stderr;
  cairn_tcc_environ = environ;
}
