// Headers of the system.
c_decl {
\#include <stdlib.h>
\#include <string.h>
}
byte x;
active [2] proctype P() { c_code { now.x += abs(-7) + (int) strlen("abc"); }; assert(x == 10 || x == 20) }
