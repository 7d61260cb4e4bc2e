// Names in strings and comments are none, macros of Promela hold in C, and C has local names.
#define LIMIT 3
byte x;
active [2] proctype P() { do :: c_expr { now.x < LIMIT } -> c_code { /* now.y */ const char *t = "now.z"; int x = LIMIT; now.x += (t[0] == 'n') + x - 3; } // now.w
  :: else -> break od }
