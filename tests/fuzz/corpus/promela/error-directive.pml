/* What #error says. */
#ifndef N
#error "N must be given"
#endif
init { skip }
